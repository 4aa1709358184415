"""The report on a file answers what the small cases ask, and the command prints it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from gltf_samples import CUBE_FACES, CUBE_POINTS, Sample, textured_cube

from engine.commands.inspect import inspect
from engine.gltf.document import read_document
from engine.gltf.inspection import inspect_document
from schemas.errors import EngineError, GltfError

GROUPS = "LGNM"


def load_cases(cases_dir: Path) -> list[tuple[Path, dict[str, Any]]]:
    """(entry file, expected) of every load case."""
    found = []
    for folder in sorted(cases_dir.iterdir()):
        if folder.name[0] in GROUPS and (folder / "expected.json").is_file():
            expected = json.loads((folder / "expected.json").read_text())
            found.append((folder / expected.get("entry", expected["inputs"][0]), expected))
    return found


def assert_close(found: Any, expected: Any, tolerance: float, what: str) -> None:
    """Equal within a tolerance, or both absent."""
    if expected is None or found is None:
        assert found is expected, what
    else:
        assert np.allclose(found, expected, rtol=0, atol=tolerance), (what, found, expected)


def test_every_case_loads_or_is_refused_as_written(cases_dir: Path) -> None:
    """All small files give the written bounds, areas, volumes, components and boundaries, or the written refusal."""
    cases = load_cases(cases_dir)
    assert len(cases) >= 60
    for entry, expected in cases:
        try:
            report = inspect_document(read_document(entry))
        except EngineError as error:
            assert expected["outcome"] != "ok", (entry, error)  # noqa: PT017
            message, words = str(error), expected["error"]
            assert all(name in message for name in words["message_names"]), message
            assert any(word.lower() in message.lower() for word in words["message_has_one_of"]), message
            continue
        assert expected["outcome"] != "error", entry
        _assert_report(report, expected["checks"], entry.parent.name)


def _assert_report(report: dict[str, Any], checks: dict[str, Any], case: str) -> None:
    diagonal = float(np.linalg.norm(report["extents"]))
    tolerance = 1e-6 * diagonal
    assert report["n_parts"] == checks.get("n_parts", checks.get("n_usable_parts"))
    assert report["triangles"] == checks.get("n_triangles", report["triangles"])
    assert_close(report["bounds"], checks["bounds"], tolerance, case)
    assert_close(report["area"], checks["area"], 1e-6 * checks["area"], case)
    for part, wanted in zip(report["parts"], checks.get("parts", []), strict=False):
        if isinstance(wanted, str):  # "... 497 more"
            break
        assert part["name"] == wanted["name"]
        assert_close(part["bounds"], wanted["bounds"], tolerance, case)
        assert_close(part["area"], wanted["area"], 1e-6 * wanted["area"], case)
        volume = wanted["signed_volume"]
        assert_close(part["signed_volume"], volume, 1e-6 * abs(volume or 0.0), case)
        assert part["triangles"] == wanted["n_triangles"]
        assert part["components"] == wanted["components_joined_by_position"]
        assert part["boundary_edges"] == wanted["boundary_edges"]
    assert [row["name"] for row in report["ignored_nodes"]] == checks.get("ignored_nodes", [])
    assert [row["name"] for row in report["empty_parts"]] == checks.get("empty_parts", [])


def test_materials_are_reported_with_their_triangles() -> None:
    """Two primitives of one part give two materials; the mean colour is factor times texture in linear light."""
    sample = textured_cube()
    sample.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = [1, 0.5, 0.25, 1]
    sample.json["images"] = []
    sample.image((128, 128, 128))
    plain = sample.append("materials", {"name": "plain"})
    primitive = {**sample.json["meshes"][0]["primitives"][0], "material": plain}
    sample.json["meshes"][0]["primitives"].append(primitive)
    part = inspect_document(read_document(Path("m.glb"), data=sample.glb()))["parts"][0]
    assert [(row["name"], row["triangles"]) for row in part["materials"]] == [("skin", 12), ("plain", 12)]
    assert np.allclose(part["materials"][0]["base_color_linear"], 0.2158605 * np.array([1, 0.5, 0.25]), atol=1e-6)
    assert (part["materials"][1]["metallic"], part["materials"][1]["roughness"]) == (1.0, 1.0)
    assert part["duplicate_triangles"] == 12


def test_an_image_that_cannot_be_decoded_names_the_file() -> None:
    """A cut PNG is a refusal that names the file."""
    sample = textured_cube()
    view = sample.json["bufferViews"][sample.json["images"][0]["bufferView"]]
    sample.binary[view["byteOffset"] + 40 : view["byteOffset"] + view["byteLength"]] = b"\0" * (view["byteLength"] - 40)
    with pytest.raises(GltfError, match=r"m\.glb.*cannot be decoded"):
        inspect_document(read_document(Path("m.glb"), data=sample.glb()))


def test_command_prints_one_json_document(tmp_path: Path) -> None:
    """`--json` prints the report on stdout, warnings go to stderr, the table names parts, ignored and empty nodes."""
    sample = Sample()
    flat = sample.mesh(CUBE_POINTS * np.float32([1, 0, 0]), CUBE_FACES)
    nodes = [sample.node(mesh=sample.mesh(), name="box"), sample.node(mesh=flat, name="ghost")]
    nodes.append(sample.node(mesh=sample.mesh(mode=1), name="wire"))
    path = tmp_path / "part.glb"
    path.write_bytes(sample.scene(*nodes).glb())
    result = CliRunner().invoke(inspect, [str(path), "--json"])
    report = json.loads(result.stdout)
    assert (report["n_parts"], report["bounds"]) == (1, [[0, 0, 0], [1, 1, 1]])
    assert "part 'ghost' is empty" in result.stderr
    assert result.exit_code == 0
    table = CliRunner().invoke(inspect, [str(path)]).stdout
    assert "box: 12 triangles" in table
    assert "ignored: 'wire'" in table
    assert "empty: 'ghost'" in table


def test_command_refuses_with_the_reason(tmp_path: Path) -> None:
    """A file that is no glTF raises the refusal that the command line turns into exit code 2."""
    path = tmp_path / "part.glb"
    path.write_bytes(b"")
    result = CliRunner().invoke(inspect, [str(path)])
    assert isinstance(result.exception, GltfError)
    assert result.exception.exit_code == 2
    assert result.stdout == ""
