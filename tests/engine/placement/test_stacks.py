"""What lies on a thing keeps it where it is, whatever else it touches."""

from __future__ import annotations

import pytest
from bed_scene import box, host

from engine.operations.remove import _lies_on
from engine.placement.state import find_hanging_slots

TABLE = box((2.0, 0.2, 2.0), (0.0, 0.0, 0.0))
LOWER, UPPER = box((0.6, 0.1, 0.6), (0.0, 0.15, 0.0)), box((0.6, 0.1, 0.6), (0.0, 0.25, 0.0))
WALL = box((0.2, 1.0, 2.0), (0.4, 0.6, 0.0))


def test_a_plate_in_a_stack_is_lain_on_though_its_upper_one_touches_a_wall() -> None:
    """The upper plate hangs from nobody alone, and lies on the lower one all the same; not the other way round."""
    state = host("table", table=TABLE, lower=LOWER, upper=UPPER, wall=WALL)
    assert _lies_on(state, "upper", "lower")
    assert not _lies_on(state, "lower", "upper")
    assert not _lies_on(state, "wall", "lower")
    assert "table" not in find_hanging_slots(state)


@pytest.mark.parametrize(("shift", "lies"), [(0.0, True), (0.2, True), (0.35, False)])
def test_only_what_is_mostly_over_a_thing_lies_on_it(shift: float, *, lies: bool) -> None:
    """A beam that overlaps by a little less than half of itself is carried by others too."""
    upper = box((0.6, 0.1, 0.6), (shift, 0.25, 0.0))
    state = host("table", table=TABLE, lower=LOWER, upper=upper)
    assert _lies_on(state, "upper", "lower") is lies
