"""Cases of action `check_placement`: neutral words for what `engine check` reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

from tests.cases_adapter import Case, Check, Json, Run, near, run_engine


def judge_placement_of(case: Case, folder: Path) -> Run:
    """Run `engine check` on the files that the case's placement names."""
    (file,) = (case.folder / name for name in case.inputs["inputs"] if name.endswith(".json"))
    placement = json.loads(file.read_text("utf-8"))
    options = ["--attach-to", placement["attach_to"]] if "attach_to" in placement else []
    host, part = (case.folder / placement[key] for key in ("host", "part"))
    return run_engine("check", host, part, "--pose", file, *options, "--json", cwd=folder)


def _tolerance(checks: Json, key: str) -> float:
    return float(checks["tolerance"][key])


def _gap(scale: Callable[[Json], float]) -> Callable[[str], Check]:
    """A check of a gap that is given in units of `scale`."""

    def of(key: str) -> Check:
        def check(report: Json, value: Any, checks: Json) -> None:
            near(report[key], value, _tolerance(checks, "gap_rel_diag") * scale(report))

        return check

    return of


_in_lengths = _gap(lambda report: float(report["host_diagonal"]))
_in_shares = _gap(lambda _: 1.0)


def _check_fraction(key: str) -> Check:
    def check(report: Json, value: Any, checks: Json) -> None:
        near(report[key], value, _tolerance(checks, "fraction_abs"))

    return check


def _check_intersection(report: Json, value: Any, checks: Json) -> None:
    near(report["intersection_volume"], value, _tolerance(checks, "fraction_abs") * report["part_volume"])


def _check_reason(report: Json, value: Any, _: Json) -> None:
    assert report["verdict"] == "reject"
    assert any(word.lower() in report["reason"].lower() for word in value), report["reason"]


def _check_finite(report: Json, value: Any, _: Json) -> None:
    assert value is True
    assert all(isfinite(entry) for entry in report.values() if isinstance(entry, float))


def _equals(key: str) -> Check:
    def check(report: Json, value: Any, _: Json) -> None:
        assert report[key] == value, f"{key}: {report[key]!r} is not {value!r}"

    return check


def _check_scale(report: Json, value: Any, _: Json) -> None:
    near(report["scale"], value, 1e-9 * value)


CHECKS: dict[str, Check] = {
    "verdict": _equals("verdict"),
    "reason_one_of": _check_reason,
    "gap": _in_lengths("gap"),
    "surface_gap": _in_lengths("gap"),
    "gap_over_host_diagonal": _in_shares("gap_over_host_diagonal"),
    "gap_over_assembled_diagonal": _in_shares("gap_over_assembled_diagonal"),
    "intersection_volume": _check_intersection,
    "fraction_of_part_volume": _check_fraction("fraction_of_part_volume"),
    "fraction_of_host_volume": _check_fraction("fraction_of_host_volume"),
    "connected_pieces_after": _equals("connected_pieces_after"),
    "scale": _check_scale,
    "no_nan": _check_finite,
}
"""Every key that `checks` of a placement case may have."""
