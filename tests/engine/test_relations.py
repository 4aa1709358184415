"""Where a thing is said to stand against another."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from chains.sentences import Relation
from chains.state import Piece, State
from engine.geometry.overlap import Placed, build_solid, place_solid
from engine.geometry.similarity import similarity
from engine.operations.relations import choose_preposition, find_between, find_overhang
from engine.placement.state import StateGeometry, build_state
from schemas.base import IDENTITY_POSE
from tests.engine.placement.placement_scenes import Size, placed_box, placed_prism

THING = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
MOVES = [(1.0, (0.0, 0.0, 0.0)), (0.01, (5.0, -2.0, 3.0)), (40.0, (0.0, 7.0, -90.0))]
"""The same scene as it is, tiny and huge, elsewhere."""


@pytest.mark.parametrize(
    ("shift", "said"),
    [
        ((0.0, 0.0, 1.5), "in front of"),
        ((0.0, 0.0, -1.5), "behind"),
        ((0.4, 0.0, 1.5), "in front of"),
        ((0.8, 0.0, 1.5), "beside"),
        ((1.5, 0.0, 0.0), "beside"),
        ((1.2, 0.0, 1.5), "beside"),
    ],
)
def test_only_what_faces_a_thing_is_in_front_of_it(shift: tuple[float, float, float], said: str) -> None:
    """Off a corner is beside; half of the narrower width must overlap to be in front or behind."""
    assert choose_preposition(THING + np.array(shift), THING) == said


class Scene:
    """A table top of 2 x 2 at height 1, with things on it, moved and scaled."""

    def __init__(self, things: Mapping[str, Placed], scale: float = 1.0, shift: Size = (0.0, 0.0, 0.0)) -> None:
        self._matrix = similarity(scale, np.eye(3), np.array(shift))
        pieces = {"top": (self.put(placed_box((2.0, 0.1, 2.0), (0.0, 0.95, 0.0))),)}
        pieces.update({name.replace(" ", "_"): (self.put(thing),) for name, thing in things.items()})
        self.geometry: StateGeometry = build_state(pieces, 3.0 * scale, 0.9 * scale + shift[1], "top")
        self.state = State(
            "table",
            tuple(
                Piece(
                    slot=name, label=name.replace("_", " "), parts=(), world_from_part=IDENTITY_POSE, core=name == "top"
                )
                for name in sorted(pieces)
            ),
        )

    def put(self, thing: Placed) -> Placed:
        """A solid of the plain scene in this one."""
        return place_solid(thing.solid, self._matrix)

    def between(self, thing: Placed, *unclear: str) -> Relation | None:
        """What a thing on the table is said to be between."""
        found = find_between(self.geometry, self.state, self.put(thing), ("top",), unclear)
        return found.relation if found else None

    def over(self, thing: Placed, *without: str) -> Relation | None:
        """What a thing is said to be under."""
        found = find_overhang(self.geometry, self.state, self.put(thing), without)
        return found.relation if found else None


def cup(x: float, z: float = 0.0, height: float = 0.3) -> Placed:
    """A twelve-sided cup 0.2 wide on the table."""
    return placed_prism(12, 0.1, height, (x, 1.0 + 0.5 * height, z))


@pytest.mark.parametrize(("scale", "shift"), MOVES)
def test_between_is_said_of_the_two_nearest_on_opposite_sides(scale: float, shift: Size) -> None:
    """Gaps of 0.2 and 0.25 of D = 3, along X or along Z, whatever the size and place of the scene."""
    along_x = Scene({"lamp": cup(-0.4), "clock": cup(0.45), "vase": cup(0.8)}, scale, shift)
    assert along_x.between(cup(0.0)) == Relation("between", "lamp and the clock")
    along_z = Scene({"lamp": cup(0.0, -0.4), "clock": cup(0.05, 0.4)}, scale, shift)
    assert along_z.between(cup(0.0)) == Relation("between", "lamp and the clock")


@pytest.mark.parametrize(
    "things",
    [
        {"lamp": cup(-0.4)},
        {"lamp": cup(-0.4), "clock": cup(-0.8)},
        {"lamp": cup(-0.4), "clock": cup(0.6)},
        {"lamp": cup(-0.22), "clock": cup(0.45)},
        {"lamp": cup(-0.4), "clock": cup(0.0, 0.4)},
        {"lamp": cup(-0.4), "clock": cup(0.4, 0.15)},
        {"lamp": cup(-0.4), "clock": cup(0.4, height=0.02)},
        {"frame": placed_box((0.9, 0.3, 0.01), (0.0, 1.15, -0.3))},
    ],
    ids=["one", "same side", "far", "unequal gaps", "round a corner", "past it", "flat", "behind"],
)
def test_between_is_not_said_of_less(things: Mapping[str, Placed]) -> None:
    """Both must be near, about as near, opposite, and of some height."""
    assert Scene(things).between(cup(0.0)) is None


def test_what_cannot_be_named_is_not_looked_past() -> None:
    """With an unnamed cup next to it, a thing is not between the ones beyond."""
    scene = Scene({"lamp": cup(-0.3), "clock": cup(0.3), "mug": cup(0.32)})
    assert scene.between(cup(0.0)) == Relation("between", "lamp and the clock")
    assert scene.between(cup(0.0), "clock") is None


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (("left candle", "right candle"), "between the two candles"),
        (("left candle", "right candle", "wax candle"), "between the left candle and the right candle"),
        (("left shelf", "right shelf"), "between the two shelves"),
        (("red candle", "blue candle"), "between the red candle and the blue candle"),
    ],
)
def test_twins_are_two_of_a_kind(labels: tuple[str, ...], said: str) -> None:
    """Only while there are no more of them, and when only their place tells them apart."""
    things = dict(zip(labels, (cup(-0.3), cup(0.3), cup(0.8, 0.8)), strict=False))
    assert str(Scene(things).between(cup(0.0))) == said


@pytest.mark.parametrize(("scale", "shift"), MOVES)
def test_under_is_said_where_something_hangs_over_all_of_it(scale: float, shift: Size) -> None:
    """A roof 0.4 above the table: under it in the middle, not half outside it, not touching it, not far below."""
    scene = Scene({"roof": placed_box((1.0, 0.1, 1.0), (0.0, 1.45, 0.0))}, scale, shift)
    assert scene.over(cup(0.0)) == Relation("under", "roof")
    assert scene.over(cup(0.0), "roof") is None
    assert scene.over(cup(0.45)) is None
    assert scene.over(cup(0.0, height=0.4)) is None
    high = Scene({"roof": placed_box((1.0, 0.1, 1.0), (0.0, 2.6, 0.0))}, scale, shift)
    assert high.over(cup(0.0)) is None


def test_what_stands_in_a_ring_is_not_under_it() -> None:
    """A bridge over one half leaves the other half open; its box does not count."""
    arch = {"arch": placed_box((1.0, 0.1, 0.1), (0.0, 1.45, 0.0))}
    assert Scene(arch).over(placed_box((0.3, 0.2, 0.3), (0.0, 1.1, 0.0))) is None
    assert Scene(arch).over(placed_box((0.3, 0.2, 0.05), (0.0, 1.1, 0.0))) == Relation("under", "arch")


def test_what_stands_in_a_niche_is_not_under_the_wall() -> None:
    """A roof that comes down to the table around a cup is no roof; one that comes down to its rim is."""
    cap = placed_box((1.0, 0.1, 1.0), (0.0, 1.45, 0.0))
    sides = [np.array([[0.0, y, 0.0], [0.01, y, 0.0], [0.0, y, 0.01]]) for y in (1.0, 1.25)]
    for corner, said in zip(sides, (None, Relation("under", "arch")), strict=True):
        corners = cap.bvh.corners.reshape(-1, 3)
        points = np.concatenate([corners, corner + np.array([0.45, 0.0, 0.45])])
        solid = build_solid(points, np.arange(len(points)).reshape(-1, 3))
        assert Scene({"arch": place_solid(solid, np.eye(4))}).over(cup(0.0)) == said
