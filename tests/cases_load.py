"""Cases of action `load`: neutral words for what `engine inspect` reports."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Any

from tests.cases_adapter import Case, Check, Json, Run, near, run_engine
from tests.cases_chain import Index, host_chain

SAMPLED = 0.002
"""Relative error allowed for volumes that are counted by points."""


@dataclass(frozen=True)
class Loaded:
    """A file as `engine inspect` sees it; further questions are asked when a check needs them."""

    case: Case
    run: Run
    folder: Path

    @property
    def report(self) -> Json:
        """The plain report."""
        report: Json = self.run.report
        return report

    @property
    def parts(self) -> list[Json]:
        """Its parts."""
        parts: list[Json] = self.report["parts"]
        return parts

    @property
    def only(self) -> Json:
        """The only part."""
        (part,) = self.parts
        return part

    @property
    def materials(self) -> list[Json]:
        """All materials of all parts."""
        return [material for part in self.parts for material in part["materials"]]

    @property
    def by_name(self) -> dict[str, Json]:
        """Parts by the name in the file."""
        assert len({part["name"] for part in self.parts}) == len(self.parts)
        return {part["name"]: part for part in self.parts}

    def ask(self, *options: str, file: Path | None = None) -> Json:
        """The report with more options."""
        run = run_engine("inspect", file or self.case.entry, *options, "--json", cwd=self.folder)
        assert run.code == 0, run.err
        report: Json = run.report
        return report

    def measured(self, name: str) -> Any:
        """One slow measurement; every part must have been measurable."""
        measured = self.ask("--measure", name)["measured"]
        assert measured["not_measured"] == []
        return measured[name]

    def probed(self, points: Sequence[Sequence[float]]) -> list[Json]:
        """What is seen at points."""
        options = [word for point in points for word in ("--probe", ",".join(map(repr, point)))]
        probes: list[Json] = self.ask(*options)["probes"]
        return probes

    @cached_property
    def index(self) -> Index:
        """The library index over the case's folder."""
        return Index.build(self.case.folder, self.folder / "index")

    def export(self, name: str) -> Path:
        """The file as a state written by `engine replay`: turn 0 of a chain whose host it is."""
        chain = self.folder / "chain.json"
        entry = self.case.entry.relative_to(self.case.folder).with_suffix("").as_posix()
        chain.write_text(json.dumps(host_chain(self.index, entry)), "utf-8")
        out = self.folder / name
        run = run_engine("replay", chain, "--turn", 0, "--library", self.index.folder, "--out", out, cwd=self.folder)
        assert run.code == 0, run.err
        return out


def load(case: Case, folder: Path) -> Loaded:
    """Open the case's file."""
    return Loaded(case, run_engine("inspect", case.entry, "--json", cwd=folder), folder)


def _rel(checks: Json) -> float:
    return float(checks.get("tolerance", {}).get("rel", 1e-6))


def _diagonal(bounds: Any) -> float:
    return sqrt(sum((high - low) ** 2 for low, high in zip(*bounds, strict=True)))


def _same_size(actual: float | None, expected: float | None, rel: float) -> None:
    near(actual, expected, rel * abs(expected or 0.0))


def _same_bounds(actual: Any, expected: Any, checks: Json) -> None:
    near(actual, expected, _rel(checks) * _diagonal(expected))


def _check_part(actual: Json, expected: Json, checks: Json) -> None:
    readers: dict[str, Callable[[], None]] = {
        "name": lambda: _equal(actual["name"], expected["name"]),
        "n_triangles": lambda: _equal(actual["triangles"], expected["n_triangles"]),
        "bounds": lambda: _same_bounds(actual["bounds"], expected["bounds"], checks),
        "area": lambda: _same_size(actual["area"], expected["area"], _rel(checks)),
        "signed_volume": lambda: _same_size(
            actual["signed_volume"], expected["signed_volume"], checks.get("volume_rel_tol", _rel(checks))
        ),
        "components_joined_by_position": lambda: _equal(
            actual["components"], expected["components_joined_by_position"]
        ),
        "boundary_edges": lambda: _equal(actual["boundary_edges"], expected["boundary_edges"]),
    }
    for key in expected:
        readers[key]()


def _check_parts(loaded: Loaded, value: Any, checks: Json) -> None:
    """Parts in file order; a final text such as `... 497 more` stands for parts that are only counted."""
    listed = [row for row in value if isinstance(row, dict)]
    more = sum(int(re.sub(r"\D", "", row)) for row in value if isinstance(row, str))
    assert len(loaded.parts) == len(listed) + more
    for actual, expected in zip(loaded.parts, listed, strict=False):
        _check_part(actual, expected, checks)


def _check_materials(loaded: Loaded, value: Any, _: Json) -> None:
    assert {part["name"]: [row["name"] for row in part["materials"]] for part in loaded.parts} == value


def _check_triangles_per_material(loaded: Loaded, value: Any, _: Json) -> None:
    counts: dict[str, int] = {}
    for row in loaded.materials:
        counts[row["name"]] = counts.get(row["name"], 0) + row["triangles"]
    assert counts == value


def _check_base_colour(loaded: Loaded, value: Any, checks: Json) -> None:
    assert loaded.materials
    for row in loaded.materials:
        near(row["base_color_linear"], value, checks.get("colour_tolerance", 1e-6))


def _check_colour_at(loaded: Loaded, value: Any, checks: Json) -> None:
    for probe, expected in zip(loaded.probed([row["point"] for row in value]), value, strict=True):
        for key in set(expected) - {"point"}:
            actual = probe[{"srgb8": "base_color_srgb8", "rgb_linear": "base_color_linear"}[key]]
            near(actual, expected[key], checks.get("colour_tolerance", 1e-6))


def _check_coverage(loaded: Loaded, value: Any, checks: Json) -> None:
    boxes = [loaded.by_name[name]["bounds"] for name in value]
    centres = [[(low + high) / 2 for low, high in zip(*box, strict=True)] for box in boxes]
    for probe, expected in zip(loaded.probed(centres), value.values(), strict=True):
        near(probe["coverage_from_above"], expected, checks.get("alpha_tolerance", 0.01))


def _check_warning(loaded: Loaded, value: Any, _: Json) -> None:
    assert any(value in warning for warning in loaded.report["warnings"])
    assert value in loaded.run.err


def _check_exported_vertices(loaded: Loaded, value: Any, _: Json) -> None:
    exported = loaded.ask(file=loaded.export("state.glb"))
    assert sum(part["vertices"] for part in exported["parts"]) == value
    corners = [sorted(part["uv_corners"]) for part in exported["parts"] if part["uv_corners"]]
    assert corners == [sorted(part["uv_corners"]) for part in loaded.parts if part["uv_corners"]]


def _check_ids(loaded: Loaded, value: Any, _: Json) -> None:
    """Distinct, equal in another process, and two exports are the same bytes."""
    assert isinstance(value, str)
    ids = [part["id"] for part in loaded.parts]
    assert len(set(ids)) == len(ids)
    assert [part["id"] for part in loaded.ask()["parts"]] == ids
    assert loaded.export("one.glb").read_bytes() == loaded.export("two.glb").read_bytes()


def _check_same_pose(loaded: Loaded, value: Any, _: Json) -> None:
    """Everything a pose is made of: the resting frame, the symmetry and the sizes in the library's records."""
    kept = ("bounds", "symmetry", "mounts", "volume", "closed", "loose_gap")
    objects = [Path(name).with_suffix("").as_posix() for name in value]
    records = [[{key: row[key] for key in kept} for row in loaded.index.parts_of(name)] for name in objects]
    assert records[0]
    assert all(record == records[0] for record in records)
    orders = [loaded.ask("--measure", "symmetry", file=loaded.case.folder / name)["measured"] for name in value]
    assert all(order == orders[0] for order in orders)


def _check_symmetry_axis(loaded: Loaded, value: Any, _: Json) -> None:
    (row,) = loaded.measured("symmetry")
    assert [abs(number) for number in row["axis"]] == value


def _check_blender_bounds(loaded: Loaded, value: Any, checks: Json) -> None:
    (x0, y0, z0), (x1, y1, z1) = loaded.report["bounds"]
    _same_bounds([[x0, -z1, y0], [x1, -z0, y1]], value, checks)


def _check_solid_volume(loaded: Loaded, value: Any, _: Json) -> None:
    near(sum(row["solid_volume"] for row in loaded.measured("volume")), value, SAMPLED * value)


def _check_gap_between_pieces(loaded: Loaded, value: Any, checks: Json) -> None:
    (row,) = loaded.measured("pieces")
    near(row["largest_gap"], value, _rel(checks) * _diagonal(loaded.report["bounds"]))


def _check_mean_normal(loaded: Loaded, value: Any, checks: Json) -> None:
    for name, normal in value.items():
        near(loaded.by_name[name]["mean_normal"], normal, _rel(checks))


def _check_near_pairs(loaded: Loaded, value: Any, _: Json) -> None:
    contacts = loaded.measured("contacts")
    assert (contacts["limit_over_diagonal"], contacts["near_pairs"]) == (0.01, value)


def _equal(actual: Any, expected: Any) -> None:
    assert actual == expected, f"{actual!r} is not {expected!r}"


def _equals(read: Callable[[Loaded], Any]) -> Check:
    def check(loaded: Loaded, value: Any, _: Json) -> None:
        _equal(read(loaded), value)

    return check


def _sized(read: Callable[[Loaded], Any]) -> Check:
    def check(loaded: Loaded, value: Any, checks: Json) -> None:
        _same_size(read(loaded), value, checks.get("volume_rel_tol", _rel(checks)))

    return check


def _long(read: Callable[[Loaded], Any]) -> Check:
    def check(loaded: Loaded, value: Any, checks: Json) -> None:
        near(read(loaded), value, _rel(checks) * _diagonal(loaded.report["bounds"]))

    return check


def _within_seconds(loaded: Loaded, value: Any, _: Json) -> None:
    assert loaded.run.seconds <= value


CHECKS: dict[str, Check] = {
    "n_parts": _equals(lambda loaded: loaded.report["n_parts"]),
    "n_usable_parts": _equals(lambda loaded: loaded.report["n_parts"]),
    "n_triangles": _equals(lambda loaded: loaded.report["triangles"]),
    "n_triangles_in_file": _equals(
        lambda loaded: sum(row["triangles"] for row in [*loaded.parts, *loaded.report["empty_parts"]])
    ),
    "n_triangles_with_area": _equals(lambda loaded: loaded.report["triangles_with_area"]),
    "bounds": _long(lambda loaded: loaded.report["bounds"]),
    "extents": _long(lambda loaded: loaded.report["extents"]),
    "blender_bounds": _check_blender_bounds,
    "area": _sized(lambda loaded: loaded.report["area"]),
    "parts": _check_parts,
    "ids": _check_ids,
    "ignored_nodes": _equals(lambda loaded: [row["name"] for row in loaded.report["ignored_nodes"]]),
    "empty_parts": _equals(lambda loaded: [row["name"] for row in loaded.report["empty_parts"]]),
    "closed": _equals(lambda loaded: all(part["closed"] for part in loaded.parts)),
    "inverted": _equals(lambda loaded: any(part["inverted"] for part in loaded.parts)),
    "no_nan_normals": _equals(lambda loaded: all(part["finite_normals"] for part in loaded.parts)),
    "mean_normal": _check_mean_normal,
    "components_ignoring_degenerate": _equals(lambda loaded: loaded.only["components"]),
    "small_fragments_below_half_percent_area": _equals(lambda loaded: loaded.only["small_fragments"]),
    "main_piece_bounds": _long(lambda loaded: loaded.only["main_component"]["bounds"]),
    "gap_between_pieces": _check_gap_between_pieces,
    "volume": _sized(lambda loaded: loaded.only["signed_volume"]),
    "signed_volume_raw": _sized(lambda loaded: loaded.only["signed_volume_raw"]),
    "winding_sum_volume": _sized(lambda loaded: loaded.only["signed_volume_raw"]),
    "solid_volume_of_outline": _sized(lambda loaded: loaded.only["outline_volume"]),
    "union_volume": _check_solid_volume,
    "surface_area_counting_duplicates_once": _sized(lambda loaded: loaded.only["area_without_duplicates"]),
    "symmetry_axis": _check_symmetry_axis,
    "symmetry_order": _equals(lambda loaded: loaded.measured("symmetry")[0]["order"]),
    "same_pose_for": _check_same_pose,
    "pairs_with_gap_0": _equals(lambda loaded: loaded.measured("contacts")["touching_pairs"]),
    "pairs_with_gap_below_0_01_of_diagonal": _check_near_pairs,
    "uv_corner_set": _equals(lambda loaded: sorted(loaded.only["uv_corners"])),
    "vertex_count_preserved_on_export": _check_exported_vertices,
    "materials": _check_materials,
    "materials_of_part": _equals(lambda loaded: [row["name"] for row in loaded.only["materials"]]),
    "triangles_per_material": _check_triangles_per_material,
    "base_colour_linear": _check_base_colour,
    "colour_at": _check_colour_at,
    "vertex_colour_at": _check_colour_at,
    "render_alpha_at_centre": _check_coverage,
    "double_sided": _equals(
        lambda loaded: {part["name"]: all(row["double_sided"] for row in part["materials"]) for part in loaded.parts}
    ),
    "metallic": _equals(lambda loaded: loaded.only["materials"][0]["metallic"]),
    "roughness": _equals(lambda loaded: loaded.only["materials"][0]["roughness"]),
    "must_warn_naming": _check_warning,
    "max_seconds": _within_seconds,
}
"""Every key that `checks` of a load case may have."""
