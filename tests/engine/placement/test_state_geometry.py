"""States: contact edges, pieces, ground and what hangs from what."""

from __future__ import annotations

import numpy as np
import pytest
from placement_scenes import placed_box, table_state

from engine.placement.state import build_state, find_hanging_slots, find_nearest, find_support, touches
from schemas.errors import OperationError


def test_a_table_is_one_piece_and_its_parts_hang_from_the_top() -> None:
    """Legs and cube touch the top only; the top is the core, so nothing else hangs."""
    state = table_state()
    assert state.count_pieces() == state.initial_pieces == 1
    assert {(a[0], b[0]) for a, b in state.edges} == {("leg_a", "top"), ("leg_b", "top"), ("leg_c", "top"), ("leg_d", "top"), ("cube", "top")}  # fmt: skip # noqa: E501
    assert find_hanging_slots(state) == {"cube": (), "leg_a": (), "leg_b": (), "leg_c": (), "leg_d": ()}
    assert find_support(state, "cube") == "top"
    assert find_support(state, "leg_a") is None


def test_with_and_without_measure_the_same_edges_as_building_anew() -> None:
    """A changed state equals one built from its parts."""
    state = table_state()
    block = placed_box((0.3, 0.3, 0.3), (-0.5, 1.15, -0.5))
    changed = state.without("cube").with_piece("block", (block,))
    fresh = build_state(dict(changed.pieces), state.diagonal, state.floor, "top")
    assert changed.edges == fresh.edges
    assert list(changed.pieces) == sorted(changed.pieces)
    assert changed.count_pieces() == 1
    assert "cube" in state.pieces


def test_a_gap_of_exactly_one_percent_is_no_contact() -> None:
    """The limit of the gap is strict."""
    base = placed_box((1.0, 1.0, 1.0), (0.0, 0.5, 0.0))
    above = placed_box((1.0, 1.0, 1.0), (0.0, 1.5 + 0.125, 0.0))
    assert not touches(base, above, 0.125)
    assert touches(base, above, 0.12500001)
    state = build_state({"a": [base], "b": [above]}, 12.5, 0.0, "a")
    assert state.initial_pieces == 2


def test_two_posts_under_a_beam_may_each_go_but_not_the_second() -> None:
    """Hanging is measured on the current state."""
    base = placed_box((4.0, 0.4, 1.0), (0.0, 0.2, 0.0))
    posts = {name: placed_box((0.3, 2.0, 0.3), (x, 1.4, 0.0)) for name, x in (("left", 1.5), ("right", -1.5))}
    beam = placed_box((4.0, 0.4, 0.4), (0.0, 2.6, 0.0))
    pieces = {"base": [base], "beam": [beam], **{name: [post] for name, post in posts.items()}}
    state = build_state(pieces, 5.0, 0.0, "base")
    assert find_hanging_slots(state) == {"beam": (), "left": (), "right": ()}
    assert find_hanging_slots(state.without("left"))["right"] == ("beam",)


def test_what_rests_on_one_thing_alone_hangs_from_it_though_it_touches_another() -> None:
    """A bottle on a plate that leans on a jar stays connected without the plate and floats all the same."""
    table = placed_box((4.0, 0.4, 4.0), (0.0, 0.2, 0.0))
    plate = placed_box((1.0, 0.2, 1.0), (0.0, 0.5, 0.0))
    bottle = placed_box((0.4, 1.0, 0.4), (0.0, 1.1, 0.0))
    jar = placed_box((0.1, 1.2, 0.5), (0.0, 1.0, -0.45))
    pieces = {"table": [table], "plate": [plate], "bottle": [bottle], "jar": [jar]}
    hanging = find_hanging_slots(build_state(pieces, 6.0, 0.0, "table"))
    assert hanging["plate"] == ("bottle",)
    assert hanging["jar"] == ()


def test_a_hoop_on_a_cradle_is_held_by_its_keg() -> None:
    """A larger contact than the carrying one holds the part: the cradle may go."""
    table = placed_box((4.0, 0.4, 4.0), (0.0, 0.2, 0.0))
    post = placed_box((0.4, 2.0, 0.4), (0.0, 1.4, -1.0))
    keg = placed_box((1.0, 1.0, 1.0), (0.0, 1.4, -0.3))
    lamp = placed_box((1.0, 0.8, 0.2), (0.0, 1.3, 0.3))
    stick = placed_box((0.1, 0.5, 0.1), (0.0, 0.65, 0.35))
    pieces = {"table": [table], "post": [post], "keg": [keg], "lamp": [lamp], "stick": [stick]}
    hanging = find_hanging_slots(build_state(pieces, 6.0, 0.0, "table"))
    assert hanging["stick"] == ()
    assert hanging["keg"] == ()
    assert hanging["post"] == ()


def test_the_ground_joins_what_stands_on_it_only_when_it_is_used() -> None:
    """Two boxes on the floor are two pieces, and one with the ground as a part."""
    near = placed_box((1.0, 1.0, 1.0), (0.0, 0.5, 0.0))
    far = placed_box((1.0, 1.0, 1.0), (3.0, 0.5, 0.0))
    state = build_state({"a": [near]}, 2.0, 0.0, "a")
    assert state.with_piece("b", [far]).count_pieces() == 2
    grounded = state.with_piece("b", [far], grounded=True)
    assert grounded.count_pieces() == 1
    assert grounded.ground == pytest.approx(0.0)
    assert find_hanging_slots(grounded) == {"b": ()}
    assert grounded.without("b").grounded == ()


def test_the_nearest_part_is_found_exactly() -> None:
    """Broad phase and exact distance agree with the closed form."""
    part = placed_box((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    others = [placed_box((1.0, 1.0, 1.0), centre) for centre in ((3.0, 0.0, 0.0), (0.0, 2.0, 2.0), (0.0, 0.0, -2.25))]
    nearest = find_nearest(part, others)
    assert nearest is not None
    assert (nearest.index, nearest.gap) == (2, pytest.approx(1.25))
    assert find_nearest(part, []) is None


def test_the_resting_overlap_of_a_leg_is_the_share_let_into_the_top() -> None:
    """A tenth of 0.9 is inside the top."""
    overlap = table_state().resting_overlap("leg_a")
    assert overlap.fraction == pytest.approx(0.1 / 0.9, abs=2e-3)
    assert overlap.measure == "volume"


def test_slots_are_taken_once_and_emptied_once() -> None:
    """Errors name the slot."""
    state = table_state()
    with pytest.raises(OperationError, match="'cube' is taken"):
        state.with_piece("cube", [placed_box((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))])
    with pytest.raises(OperationError, match="'lamp' is empty"):
        state.without("lamp")
    assert np.array_equal(state.bounds, np.array([[-1.0, 0.0, -1.0], [1.0, 1.4, 1.0]]))


def test_a_chest_on_a_shelf_at_a_wall_rests_on_the_shelf() -> None:
    """Its back touches the wall, which does not hold it: the shelf may not go first."""
    wall = placed_box((4.0, 4.0, 0.4), (0.0, 2.0, -0.2))
    shelf = placed_box((2.0, 0.2, 0.8), (0.0, 1.0, 0.4))
    chest = placed_box((0.8, 0.6, 0.6), (0.0, 1.4, 0.3))
    state = build_state({"wall": [wall], "shelf": [shelf], "chest": [chest]}, 6.0, 0.0, "wall")
    assert find_support(state, "chest") == "shelf"
    assert find_hanging_slots(state) == {"chest": (), "shelf": ("chest",)}
