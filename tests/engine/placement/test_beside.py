"""Where a part stands on the ground, and what stops an added part."""

from __future__ import annotations

import numpy as np
import pytest
from bed_scene import box, host, rod
from placement_scenes import library_part, seen, table_state

from engine.geometry.overlap import Placed, build_solid, place_solid
from engine.geometry.similarity import YAW, as_matrix, similarity
from engine.placement.addition import fit_addition
from engine.placement.beside import find_ground_places
from engine.placement.contact_memory import known_pair
from engine.placement.state import StateGeometry, build_state
from schemas.placement import Limits, Placement

POLE = build_solid(*rod(0.1, 0.5, (0.0, 0.25, 0.0)))


def middle_of(placed: Placed) -> np.ndarray:
    """(2,) horizontal middle of its box."""
    return 0.5 * (placed.bounds[0] + placed.bounds[1])[[0, 2]]


def test_a_wide_wall_hides_nothing() -> None:
    """Beside the narrow ends of a wall all views see the part; in front of it only half of them."""
    state = host("wall", wall=box((3.0, 2.0, 0.1), (0.0, 1.0, 0.0)))
    places = find_ground_places(state, POLE, 1.0)
    spots = [middle_of(place_solid(POLE, place.poses[0])) for place in places]
    assert abs(spots[0][0]) > 1.5
    assert places[0].seen > places[-1].seen
    assert [place.seen for place in places] == sorted((place.seen for place in places), reverse=True)


def test_the_part_stands_beside_the_outline_and_not_under_the_top() -> None:
    """A pole lower than the table's top: 0.02 D from the top's edge in every straight direction, on the ground."""
    state = table_state()
    places = find_ground_places(state, POLE, 1.0)
    for place in places:
        placed = place_solid(POLE, place.poses[0])
        assert placed.bounds[0, 1] == pytest.approx(0.0, abs=1e-5)
        outside = np.maximum(np.abs(middle_of(placed)) - 1.0, 0.0)
        assert outside.max() > 0.0
        if outside.min() == 0.0:
            assert outside.max() - 0.1 == pytest.approx(0.02 * state.diagonal, abs=1e-4)


def turned_state(quarters: int) -> StateGeometry:
    """A block with a lamp at one end, turned about the vertical."""
    pose = similarity(1.0, YAW[90 * quarters], np.zeros(3))
    parts = {"block": box((2.0, 0.6, 1.0), (0.0, 0.3, 0.0)), "lamp": box((0.2, 0.9, 0.3), (0.7, 1.05, 0.2))}
    state = host("block", **parts)
    pieces = {name: (place_solid(piece[0].solid, pose),) for name, piece in state.pieces.items()}
    return StateGeometry(pieces, state.diagonal, state.floor, "block", state.edges)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_the_ground_beside_turns_with_the_object(quarters: int) -> None:
    """The best place of a turned object is the turned best place."""
    still = find_ground_places(turned_state(0), POLE, 1.0)[0]
    moved = find_ground_places(turned_state(quarters), POLE, 1.0)[0]
    wanted = YAW[90 * quarters] @ still.poses[0][:3, 3]
    np.testing.assert_allclose(moved.poses[0][:3, 3], wanted, atol=1e-5)


def test_beside_what_has_grown_far_beyond_the_host() -> None:
    """Beside a state far wider than its host at turn 0 a part stands at 0.02 D from the outline, never inside it."""
    wide = place_solid(build_solid(*box((4.0, 0.5, 4.0), (0.0, 0.25, 0.0))), np.eye(4))
    state = build_state({"wide": (wide,)}, 1.0, 0.0, "wide")
    places = find_ground_places(state, POLE, 1.0)
    assert len(places) == 8
    for place in places:
        outside = np.maximum(np.abs(middle_of(place_solid(POLE, place.poses[0]))) - 2.0, 0.0)
        assert outside.max() - 0.1 >= 0.01
        if outside.min() == 0.0:
            assert outside.max() - 0.1 == pytest.approx(0.02, abs=1e-4)


def test_nothing_is_put_through_a_sheet() -> None:
    """A sheet over the widest spot has no volume to overlap with; the part goes to one side of it all the same."""
    points = np.array([[0.0, 0.9, -0.5], [0.0, 0.9, 0.5], [0.0, 2.0, 0.5], [0.0, 2.0, -0.5]])
    sheet = (points, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int64))
    post = box((0.1, 1.2, 0.1), (0.0, 1.0, -0.45))
    state = host("base", base=box((0.5, 0.4, 1.0), (0.0, 0.2, 0.0)), sheet=sheet, post=post)
    part = library_part(rod(0.15, 0.8, (0.0, 0.4, 0.0)), object_share=0.28)
    free = fit_addition(state.without("sheet"), "base", "new", part, Limits(), seen)
    result = fit_addition(state, "base", "new", part, Limits(), seen)
    assert isinstance(free, Placement)
    assert isinstance(result, Placement)
    sides = [place_solid(part.solid, as_matrix(found.world_from_part)).bounds[:, 0] for found in (free, result)]
    assert sides[0][0] < 0.0 < sides[0][1]
    assert sides[1][0] * sides[1][1] > 0.0


def test_a_pair_is_measured_once() -> None:
    """The same two parts give the same value; a part that is placed anew is measured anew."""
    state = table_state()
    cube, top = state.piece("cube")[0], state.piece("top")[0]
    first = known_pair(cube, top, state.diagonal)
    assert first is not None
    assert known_pair(cube, top, state.diagonal) is first
    again = place_solid(cube.solid, cube.matrix)
    other = known_pair(again, top, state.diagonal)
    assert other is not None
    assert other is not first
    assert other.origin.tolist() == first.origin.tolist()
