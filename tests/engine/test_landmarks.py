"""Where on its support a thing is said to stand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.geometry.overlap import Placed, place_solid
from engine.geometry.similarity import similarity
from engine.labels import FACINGS, Facing
from engine.operations.landmarks import Landmark, find_landmark, find_told_sides
from tests.engine.placement.placement_scenes import Size, placed_box, placed_prism

BENCH = placed_box((2.0, 0.1, 0.6), (0.0, 0.95, 0.0))
TABLE = placed_box((1.2, 0.1, 1.0), (0.0, 0.95, 0.0))
ROUND = placed_prism(24, 0.6, 0.1, (0.0, 0.95, 0.0))


def cup(x: float, z: float, width: float = 0.2) -> Placed:
    """A box on a face at height 1."""
    return placed_box((width, 0.3, width), (x, 1.15, z))


def landmark_of(support: Placed, thing: Placed, facing: Facing = FACINGS[0]) -> Landmark | None:
    """The landmark in the plain scene, which must be the same when the scene is tiny and elsewhere."""
    found = find_landmark([support], thing, facing, 2.2)
    matrix = similarity(0.02, np.eye(3), np.array([3.0, -1.0, 8.0]))
    moved = [place_solid(placed.solid, matrix) for placed in (support, thing)]
    assert find_landmark(moved[:1], moved[1], facing, 2.2 * 0.02) == found
    return found


@pytest.mark.parametrize(
    ("support", "place", "expected"),
    [
        (BENCH, (0.8, 0.1), Landmark("end", ("left",))),
        (BENCH, (-0.55, 0.0), Landmark("end", ("right",))),
        (BENCH, (0.45, 0.0), None),
        (BENCH, (0.1, 0.0), Landmark("middle")),
        (BENCH, (0.0, 0.2), None),
        (TABLE, (0.02, -0.03), Landmark("middle")),
        (TABLE, (0.45, -0.35), Landmark("corner", ("back", "left"))),
        (TABLE, (-0.4, 0.3), Landmark("corner", ("front", "right"))),
        (TABLE, (0.45, 0.0), None),
        (ROUND, (0.0, 0.0), Landmark("middle")),
        (ROUND, (0.35, 0.35), None),
    ],
)
def test_ends_middles_and_corners_are_said_where_they_are_clear(
    support: Placed, place: tuple[float, float], expected: Landmark | None
) -> None:
    """The outer quarters of a long support, the middle of any, the corners of what has corners."""
    assert landmark_of(support, cup(*place)) == expected


def test_sides_are_those_of_the_facing() -> None:
    """Where captions see the object's left along -Z, the end at +Z is its right one."""
    turned = Facing(left_axis=2, left_sign=-1.0, front_axis=0, front_sign=1.0)
    long_in_z = placed_box((0.6, 0.1, 2.0), (0.0, 0.95, 0.0))
    assert landmark_of(long_in_z, cup(0.0, 0.8), turned) == Landmark("end", ("right",))
    assert landmark_of(BENCH, cup(0.8, 0.0), turned) == Landmark("end", ("front",))


@pytest.mark.parametrize("thing", [cup(0.0, 0.0, width=0.5), placed_box((0.2, 0.3, 0.2), (0.0, 1.65, 0.0))])
def test_nothing_is_said_of_what_covers_it_or_stands_elsewhere(thing: Placed) -> None:
    """A thing that takes most of the top has no place on it; one in the air has none either."""
    small = placed_box((0.8, 0.1, 0.7), (0.0, 0.95, 0.0))
    assert landmark_of(small, thing) is None


def test_a_step_is_judged_by_the_face_that_carries() -> None:
    """On the upper step of a stair the whole stair does not count."""
    size: Size = (1.0, 1.0, 0.4)
    stair = [placed_box(size, (0.0, 0.5, 0.0)), placed_box((1.0, 0.5, 0.4), (0.0, 0.25, 0.4))]
    assert find_landmark(stair, cup(0.4, 0.0, 0.1), FACINGS[0], 2.0) == Landmark("end", ("left",))


def test_sides_are_told_in_pairs() -> None:
    """Labels that know a left know the right too; a top tells nothing of the front."""
    assert find_told_sides(["front left leg", "table top"]) == {"left", "right", "front", "back"}
    assert find_told_sides(["upper drawer", "third bar from the right"]) == {"left", "right"}
