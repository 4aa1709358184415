"""Places in labels against the boxes of a state."""

from __future__ import annotations

import numpy as np
import pytest

from engine.labels import FACINGS, Facing, find_facing, is_place_true
from engine.surfaces import FloatArray


def _box(x: float, y: float, z: float, size: float = 0.2) -> FloatArray:
    centre = np.array([x, y, z])
    return np.array([centre - 0.5 * size, centre + 0.5 * size])


CHUNKS = {
    "back left potato": _box(0.23, 0.0, -0.2),
    "back right potato": _box(-0.45, 0.0, 0.12),
    "front right potato": _box(-0.2, 0.0, 0.53),
}


def _is_true(pieces: dict[str, FloatArray], label: str) -> bool:
    return is_place_true(label, {name: name for name in pieces}, pieces)


@pytest.mark.parametrize("label", CHUNKS)
def test_sides_hold_among_all_twins(label: str) -> None:
    """Each of three is on the side of their middle that its label says."""
    assert _is_true(CHUNKS, label)


def test_a_side_is_not_said_when_its_counterpart_is_gone() -> None:
    """Without the front one, the right one of the back two is the one in front."""
    left = {label: box for label, box in CHUNKS.items() if not label.startswith("front")}
    assert not _is_true(left, "back right potato")


def test_legs_that_are_level_keep_their_side() -> None:
    """Two back legs at the same depth are back legs still, and one alone is whatever it was called."""
    legs = {"back left leg": _box(0.5, 0.0, -0.5), "back right leg": _box(-0.5, 0.0, -0.5)}
    assert _is_true(legs, "back left leg")
    assert _is_true({"back left leg": _box(0.5, 0.0, 3.0)}, "back left leg")


@pytest.mark.parametrize(
    ("depths", "is_true"), [((-0.5, 0.0, 0.5), True), ((-0.5, 0.0, 0.05), False), ((0.0, -0.5, 0.5), False)]
)
def test_a_row_is_counted_only_where_its_steps_are_clear(depths: tuple[float, ...], *, is_true: bool) -> None:
    """The second from the back is second by its box, and half its length from its neighbours."""
    names = ("rearmost cup", "second cup from the back", "frontmost cup")
    cups = {name: _box(0.0, 0.0, z) for name, z in zip(names, depths, strict=True)}
    assert _is_true(cups, "second cup from the back") is is_true


def test_a_side_is_said_of_what_lies_apart_that_way() -> None:
    """Panels on the right and the back wall, as far apart in depth as across: left says too little."""
    walls = {"left panel": _box(-0.45, 0.0, -0.96), "right panel": _box(-0.96, 0.0, -0.45)}
    assert not _is_true(walls, "left panel")
    corners = {"back left panel": _box(-0.45, 0.0, -0.96), "front right panel": _box(-0.96, 0.0, -0.45)}
    assert _is_true(corners, "back left panel")


def test_a_row_that_goes_round_a_corner_is_not_counted() -> None:
    """Ramps on three walls: the second from the right is nothing a person would count."""
    ramps = {
        "rightmost ramp": _box(-0.78, 0.0, -0.11),
        "second ramp from the right": _box(0.0, 0.0, 0.68),
        "leftmost ramp": _box(0.78, 0.0, -0.11),
    }
    assert not _is_true(ramps, "second ramp from the right")
    assert _is_true(ramps, "rightmost ramp")


@pytest.mark.parametrize("facing", FACINGS)
def test_captions_may_see_the_object_from_any_side(facing: Facing) -> None:
    """A host turned or mirrored with its captions is seen as they see it, and every place stays true."""
    inverse = next(f for f in FACINGS if np.array_equal(f.seen(facing.seen(_box(1, 2, 3))), _box(1, 2, 3)))
    turned = {label: inverse.seen(box) for label, box in CHUNKS.items()}
    names = {label: label for label in turned}
    found = find_facing(names, turned)
    assert found == facing
    assert all(is_place_true(label, names, {name: found.seen(box) for name, box in turned.items()}) for label in names)
