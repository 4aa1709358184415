"""The bed of placements, moved, turned, scaled and mirrored: the same answers, changed with it."""

from __future__ import annotations

import numpy as np
import pytest
from bed_adding import ADDING
from bed_held import HELD_CASES
from bed_scene import Case, changed, solve
from bed_standing import STANDING

from engine.surfaces import FloatArray
from schemas.placement import Placement, Rejection

EXACT = 3e-6
"""Steps of the translation grid, over D, that rounding on a changed grid may cost; the same for scales."""
SAMPLED = 4e-3
"""The same where depth or opening are means over surface samples, whose places depend on the axes."""


def change_of(rows: list[list[float]], scale: float, shift: tuple[float, float, float]) -> FloatArray:
    """(4, 4) of a turn or mirror, a scale and a shift."""
    matrix = np.eye(4)
    matrix[:3, :3] = np.array(rows) * scale
    matrix[:3, 3] = shift
    return matrix


CHANGES = {
    "a quarter turn, moved": change_of([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], 1.0, (3.0, 1.25, -7.5)),
    "half a turn, a hundredth": change_of([[-1, 0, 0], [0, 1, 0], [0, 0, -1]], 0.01, (0.0, 0.0, 0.0)),
    "a hundred times": change_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 100.0, (0.0, 0.0, 0.0)),
    "a mirror": change_of([[-1, 0, 0], [0, 1, 0], [0, 0, 1]], 1.0, (0.0, 0.0, 0.0)),
}
CASES = (*ADDING, *STANDING, *HELD_CASES)
SYMMETRIC = frozenset(
    (
        "add/beside a table on the ground",
        "add/not hidden behind a wide wall",
        "add/nothing through a sheet",
        "add/nothing through a sheet that hangs higher",
        "add/nothing through a thin panel",
        "add/second vase keeps away from the first",
        "add/vase in a corner left by a crate",
        "rest/a long block takes a quarter turn",
        "through/bar authored crosswise",
        "through/bar let into both posts",
    )
)
"""Scenes that are symmetric in themselves: of several equally good places the axes choose one."""


def summary(result: Placement | Rejection) -> tuple[object, ...]:
    """The decision without its numbers."""
    if isinstance(result, Rejection):
        return ("refused", result.check)
    return ("placed", result.report and result.report.mode)


def tolerance_of(case: Case) -> float:
    """How exactly the answer must follow."""
    return SAMPLED if case.name.startswith(("socket/", "overlap/", "axial/", "through/", "limb/")) else EXACT


def in_turn() -> list[object]:
    """Each case under one of the changes, all changes alike often."""
    names = list(CHANGES)
    return [
        pytest.param(names[k % len(names)], case, id=f"{case.name}: {names[k % len(names)]}".replace(" ", "_"))
        for k, case in enumerate(CASES)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "case"), in_turn())
def test_a_changed_scene_gets_the_changed_answer(name: str, case: Case) -> None:
    """The same decision, and the pose of the unchanged scene changed with it."""
    _, _, before = solve(case)
    with changed(CHANGES[name]):
        state, _, after = solve(case)
    assert summary(after) == summary(before)
    if isinstance(before, Placement) and isinstance(after, Placement) and case.name not in SYMMETRIC:
        poses = [np.array(result.world_from_part).reshape(4, 4) for result in (before, after)]
        contact = before.contact
        assert contact is not None
        wanted = CHANGES[name] @ poses[0] @ np.linalg.inv(CHANGES[name])
        slack = tolerance_of(case)
        largest = float(np.abs(wanted[:3, :3]).max())
        np.testing.assert_allclose(poses[1][:3, :3], wanted[:3, :3], rtol=0, atol=slack * largest)
        touch = np.array([*contact.origin, 1.0])
        inside = CHANGES[name] @ np.linalg.inv(poses[0]) @ touch
        moved = poses[1] @ inside - CHANGES[name] @ touch
        assert float(np.abs(moved).max()) <= slack * state.diagonal
