"""Cases of things that stand, lie in a stack, lean or carry: rest, point, stacks, leaning plates, legs, symmetry."""

from __future__ import annotations

import math

import numpy as np
from bed_scene import (
    BACK,
    DOWN,
    FRONT,
    LEFT,
    NOTHING_TURNS,
    RIGHT,
    UP,
    Case,
    Mesh,
    Pose,
    Refused,
    Source,
    ball,
    box,
    host,
    joined,
    moved,
    rod,
    turned,
)
from placement_scenes import prism_mesh

from engine.placement.state import StateGeometry
from schemas.placement import Limits

BASELINE = Limits(mode="baseline")
TABLE: dict[str, Mesh] = {
    "top": box((2.0, 0.2, 2.0), (0.0, 0.9, 0.0)),
    "leg_a": box((0.2, 0.8, 0.2), (0.8, 0.4, 0.8)),
    "leg_b": box((0.2, 0.8, 0.2), (-0.8, 0.4, 0.8)),
    "leg_c": box((0.2, 0.8, 0.2), (0.8, 0.4, -0.8)),
    "leg_d": box((0.2, 0.8, 0.2), (-0.8, 0.4, -0.8)),
}
"""A table whose top face lies at height 1."""


def table(*, grounded: tuple[str, ...] = (), **items: Mesh) -> StateGeometry:
    """The table with things on it."""
    return host("top", grounded=grounded, **TABLE, **items)


def on_table(scale: float = 1.0, **items: Mesh) -> Source:
    """The same table as a source object, in other units if wanted."""
    return Source(scale, **TABLE, **items)


CUP = rod(0.2, 0.4, (0.3, 1.2, 0.2))
MUG = joined(CUP, box((0.1, 0.2, 0.05), (0.54, 1.2, 0.2)))
LONG_X, LONG_Z = box((0.6, 0.2, 0.2), (0.3, 1.1, 0.2)), box((0.2, 0.2, 0.6), (-0.3, 1.1, 0.2))
AT_CUP = (0.3, None, 0.2)

CUPS = on_table(0.5, same=CUP, taller=rod(0.2, 0.6, (-0.5, 1.3, -0.4)), dish=rod(0.3, 0.3, (0.4, 1.15, -0.5)))
BLOCKS = on_table(1.0, along_z=LONG_Z)
MUGS = on_table(100.0, mug=MUG)
PRISMS = on_table(
    0.5,
    hexagon=prism_mesh(6, 0.2, 0.4, (0.3, 1.2, 0.2)),
    twisted=turned(prism_mesh(6, 0.2, 0.4, (-0.4, 1.2, 0.2)), 1, 10.0, (-0.4, 0.0, 0.2)),
    round=turned(rod(0.2, 0.4, (-0.4, 1.2, -0.5)), 1, 17.0, (-0.4, 0.0, -0.5)),
)
CAKE = rod(0.5, 0.4, (0.0, 0.2, 0.0))
CANDLE = rod(0.05, 0.4, (0.1, 0.5, 0.0))
CAKES = Source(0.5, cake=CAKE, candle=CANDLE)
BALLS = on_table(0.5, ball=ball(0.2, (0.3, 1.2, 0.2)))
MARBLE = on_table(1.0, ball=ball(0.25, (0.3, 1.25, 0.2)))

REST = (
    Case("rest/same cup in half the units", lambda: table(cup=CUP), "cup", lambda: CUPS.part("same"),
         (Pose(NOTHING_TURNS, scale=2.0, centre=AT_CUP, sides={"y-": 1.0, "y+": 1.4}, mode="strict"),)),
    # Diagonals .693 and .412 in its units: the size ratio is 1.68, the band around it .85 to 1.18.
    Case("rest/taller cup", lambda: table(cup=CUP), "cup", lambda: CUPS.part("taller"),
         (Pose(NOTHING_TURNS, scale=(1.428, 1.983), centre=AT_CUP, sides={"y-": 1.0}),)),
    Case("rest/dish for a cup", lambda: table(cup=CUP), "cup", lambda: CUPS.part("dish"),
         (Pose(NOTHING_TURNS, scale=(1.308, 1.818), centre=AT_CUP, sides={"y-": 1.0}),)),
    Case("rest/pot on the ground", lambda: table(grounded=("pot",), pot=moved(CUP, (1.2, -1.0, 0.0))), "pot",
         lambda: CUPS.part("same"), (Pose(NOTHING_TURNS, scale=2.0, centre=(1.5, 0.2, 0.2), sides={"y-": 0.0}),)),
    Case("rest/cup on a saucer", lambda: table(saucer=rod(0.35, 0.06, (0.3, 1.03, 0.2)), cup=moved(CUP, (0, 0.06, 0))),
         "cup", lambda: CUPS.part("same"), (Pose(scale=2.0, centre=AT_CUP, sides={"y-": 1.06}, touches=("saucer",)),)),
    Case("rest/a long block takes a quarter turn", lambda: table(block=LONG_X), "block",
         lambda: BLOCKS.part("along_z"),
         tuple(Pose(((FRONT, to), (UP, UP)), scale=1.0, centre=(0.3, 1.1, 0.2)) for to in (RIGHT, LEFT))),
    Case("rest/a long block keeps its direction", lambda: table(block=moved(LONG_Z, (0.4, 0.0, 0.1))), "block",
         lambda: BLOCKS.part("along_z"), (Pose(NOTHING_TURNS, scale=1.0, centre=(0.1, 1.1, 0.3)),)),
    Case("rest/mug with a handle in centimetres", lambda: table(mug=MUG), "mug", lambda: MUGS.part("mug"),
         (Pose(NOTHING_TURNS, scale=0.01, sides={"y-": 1.0, "x-": 0.1, "x+": 0.59}),)),
    Case("rest/candle stays sunk in its cake", lambda: host("cake", cake=CAKE, candle=CANDLE), "candle",
         lambda: CAKES.part("candle"),
         (Pose(scale=2.0, sides={"y-": 0.3, "y+": 0.7}, mode="baseline", overlap=(0.25, 0.015)),),
         limits=BASELINE),
    Case("rest/a candle sunk by a quarter is not strict", lambda: host("cake", cake=CAKE, candle=CANDLE), "candle",
         lambda: CAKES.part("candle"), (Refused(("interpenetration",)),)),
    Case("point/ball on a table", lambda: table(ball=ball(0.2, (0.3, 1.2, 0.2))), "ball",
         lambda: BALLS.part("ball"), (Pose(scale=2.0, centre=(0.3, 1.2, 0.2), sides={"y-": 1.0}),)),
    Case("point/a larger ball takes the size of the old one", lambda: table(ball=ball(0.2, (0.3, 1.2, 0.2))), "ball",
         lambda: MARBLE.part("ball"), (Pose(scale=0.8, centre=(0.3, 1.2, 0.2), sides={"y-": 1.0}),)),
)  # fmt: skip

SYMMETRY = (
    Case("symmetry/hexagon is not twisted", lambda: table(hex=prism_mesh(6, 0.2, 0.4, (0.3, 1.2, 0.2))), "hex",
         lambda: PRISMS.part("hexagon"), (Pose(NOTHING_TURNS, scale=2.0, centre=(0.3, 1.2, 0.2)),)),
    Case("symmetry/hexagon authored ten degrees round", lambda: table(hex=prism_mesh(6, 0.2, 0.4, (0.3, 1.2, 0.2))),
         "hex", lambda: PRISMS.part("twisted"),
         (Pose(NOTHING_TURNS, scale=(1.94, 2.06), centre=AT_CUP, sides={"y-": 1.0}),)),
    Case("symmetry/round part authored seventeen degrees round", lambda: table(cup=CUP), "cup",
         lambda: PRISMS.part("round"), (Pose(NOTHING_TURNS, scale=2.0, centre=AT_CUP, sides={"y-": 1.0}),)),
)  # fmt: skip


def wall_and_ball() -> StateGeometry:
    """A ball of radius 0.2 that touches the right face of a wall."""
    return host("wall", wall=box((0.2, 2.0, 2.0), (0.0, 1.0, 0.0)), ball=ball(0.2, (0.3, 1.5, 0.0)))


LEFT_BALL = Source(wall=box((0.2, 2.0, 2.0), (0.0, 1.0, 0.0)), ball=ball(0.15, (-0.25, 1.2, 0.3)))
ROOM: dict[str, Mesh] = {
    "ceiling": box((2.0, 0.2, 2.0), (0.0, 2.0, 0.0)),
    "floor": box((2.0, 0.2, 2.0), (0.0, 0.1, 0.0)),
    "pillar": box((0.2, 1.7, 0.2), (-0.8, 1.05, -0.8)),
}
BULBS = Source(0.5, **ROOM, ball=ball(0.2, (0.2, 1.7, 0.0)), lamp=box((0.4, 0.3, 0.5), (-0.4, 1.75, 0.3)))

HANGING = (
    Case("point/ball at a wall", wall_and_ball, "ball", lambda: LEFT_BALL.part("ball"),
         (Pose(((UP, UP),), scale=4.0 / 3.0, centre=(0.3, 1.5, 0.0), sides={"x-": 0.1}),)),
    Case("point/ball under a ceiling", lambda: host("ceiling", **ROOM, ball=ball(0.2, (0.3, 1.7, 0.4))), "ball",
         lambda: BULBS.part("ball"), (Pose(scale=2.0, centre=(0.3, 1.7, 0.4), sides={"y+": 1.9}),)),
    Case("planar/lamp under a ceiling", lambda: host("ceiling", **ROOM, lamp=box((0.4, 0.3, 0.5), (0.3, 1.75, 0.4))),
         "lamp", lambda: BULBS.part("lamp"),
         (Pose(NOTHING_TURNS, scale=2.0, centre=(0.3, 1.75, 0.4), sides={"y+": 1.9}),)),
    Case("opposite/a hanging lamp does not stand on a table", lambda: table(cup=CUP), "cup",
         lambda: BULBS.part("lamp"), (Refused(("class",)),)),
    Case("opposite/a standing cup does not hang from a ceiling",
         lambda: host("ceiling", **ROOM, lamp=box((0.4, 0.3, 0.5), (0.3, 1.75, 0.4))), "lamp",
         lambda: CUPS.part("same"), (Refused(("class",)),)),
)  # fmt: skip


def stack(height: float, radius: float = 0.55, sunk: float = 0.0) -> dict[str, Mesh]:
    """A slice between a lower disc, whose top is at 0.3, and an upper one."""
    upper = 0.3 + height + 0.15 - 2.0 * sunk
    return {
        "bottom": rod(0.5, 0.3, (0.0, 0.15, 0.0)),
        "slice": rod(radius, height, (0.0, 0.3 + 0.5 * height - sunk, 0.0)),
        "top": rod(0.5, 0.3, (0.0, upper, 0.0)),
    }


THICK, THIN, WIDE = Source(**stack(0.24)), Source(**stack(0.16)), Source(0.5, **stack(0.2, 0.6))
LUMP, SUNK = Source(**stack(0.34)), Source(0.5, **stack(0.24, sunk=0.02))
FILLS = {"y-": 0.3, "y+": 0.5}
STACKS = (
    Case("stack/slice 1.2 times as thick", lambda: host("bottom", **stack(0.2)), "slice", lambda: THICK.part("slice"),
         (Pose(NOTHING_TURNS, scale=0.2 / 0.24, sides=FILLS, touches=("bottom", "top")),)),
    Case("stack/slice 0.8 times as thick", lambda: host("bottom", **stack(0.2)), "slice", lambda: THIN.part("slice"),
         (Pose(NOTHING_TURNS, scale=1.25, sides=FILLS, touches=("bottom", "top")),)),
    Case("stack/slice of the same thickness, wider", lambda: host("bottom", **stack(0.2)), "slice",
         lambda: WIDE.part("slice"), (Pose(NOTHING_TURNS, scale=2.0, sides=FILLS, touches=("bottom", "top")),)),
    # 0.2 / 0.34 = 0.588 brings the diagonal to 0.60 of the old one.
    Case("stack/slice far too thick", lambda: host("bottom", **stack(0.2)), "slice", lambda: LUMP.part("slice"),
         (Refused(()),)),
    Case("stack/slice pressed into both neighbours", lambda: host("bottom", **stack(0.24, sunk=0.02)), "slice",
         lambda: SUNK.part("slice"),
         (Pose(scale=2.0, sides={"y-": 0.28, "y+": 0.52}, touches=("bottom", "top")),), limits=BASELINE),
)  # fmt: skip

LEAN = 15.0
COS, SIN = math.cos(math.radians(LEAN)), math.sin(math.radians(LEAN))
CORNER: dict[str, Mesh] = {
    "wall": box((0.1, 2.0, 2.0), (-0.05, 1.0, 0.0)),
    "floor": box((2.0, 0.1, 2.0), (0.9, -0.05, 0.0)),
}


def leaning(degrees: float) -> Mesh:
    """A plate 0.8 high that stands on the floor and whose upper edge touches the wall."""
    mesh = turned(box((0.04, 0.8, 0.6)), 2, degrees)
    low = mesh[0].min(axis=0)
    return moved(mesh, (-float(low[0]), -float(low[1]), 0.1))


def turned_source(degrees: float, scale: float = 1.0, **parts: Mesh) -> Source:
    """A source object turned about the vertical."""
    return Source(scale, **{name: turned(mesh, 1, degrees) for name, mesh in parts.items()})


OTHER_WAY = turned_source(180.0, **CORNER, plate=leaning(LEAN))
SIDEWAYS = turned_source(90.0, **CORNER, plate=leaning(LEAN))
SAME_WAY = Source(0.5, **CORNER, plate=leaning(LEAN))
UPRIGHT = Source(**CORNER, plate=moved(leaning(0.0), (0.6, 0.0, 0.0)))
"""It stands free."""
OUT: tuple[float, float, float] = (COS, SIN, 0.0)
AT_WALL = {"x-": 0.0, "y-": 0.0}


def leans(normal: tuple[float, float, float], edge: tuple[float, float, float], goal: tuple[float, float, float]):  # noqa: ANN201
    """A plate has no front: its normal may point either way, its level edge too."""
    flip = np.array(goal)
    level = np.array((0.0, 0.0, 1.0))
    return tuple(
        Pose(
            ((normal, tuple(a * flip)), (edge, tuple(b * level))),
            2.0,
            sides=AT_WALL,
            within=0.008,
            touches=("wall", "floor"),
        )
        for a in (1.0, -1.0)
        for b in (1.0, -1.0)
    )


LEANING = (
    Case("lean/plate that leaned the same way", lambda: host("floor", **CORNER, plate=leaning(LEAN)), "plate",
         lambda: SAME_WAY.part("plate"), (Pose(NOTHING_TURNS, 2.0, scale=2.0, sides=AT_WALL, within=0.004),)),
    Case("lean/plate that leaned the other way", lambda: host("floor", **CORNER, plate=leaning(LEAN)), "plate",
         lambda: OTHER_WAY.part("plate"), leans((-COS, SIN, 0.0), FRONT, OUT)),
    Case("lean/plate that leaned to the back", lambda: host("floor", **CORNER, plate=leaning(LEAN)), "plate",
         lambda: SIDEWAYS.part("plate"), leans((0.0, SIN, -COS), RIGHT, OUT)),
    Case("lean/plate that stood upright", lambda: host("floor", **CORNER, plate=leaning(LEAN)), "plate",
         lambda: UPRIGHT.part("plate"), leans(RIGHT, FRONT, OUT)),
    Case("lean/leaning plate for an upright one",
         lambda: host("floor", **CORNER, plate=moved(leaning(0.0), (0.6, 0.0, 0.0))), "plate",
         lambda: SAME_WAY.part("plate"),
         tuple(Pose(((OUT, to), (FRONT, along)), 2.0, centre=(0.62, 0.4, 0.1), within=0.01, touches=("floor",))
               for to in (RIGHT, LEFT) for along in (FRONT, BACK))),
)  # fmt: skip


def legged(leg: Mesh, height: float = 1.0) -> dict[str, Mesh]:
    """A table with a fourth leg of its own, let 0.1 into the top whose upper face lies at `height`."""
    post = box((0.2, height - 0.1, 0.2), (0.0, 0.5 * (height - 0.1), 0.0))
    return {
        "top": box((2.0, 0.2, 2.0), (0.0, height - 0.1, 0.0)),
        **{f"post{k}": moved(post, (x, 0.0, z)) for k, (x, z) in enumerate(((-0.8, 0.8), (0.8, -0.8), (-0.8, -0.8)))},
        "leg": leg,
    }


def square_leg(height: float, width: float = 0.2) -> Mesh:
    """An upright square leg from the ground."""
    return box((width, height, width), (0.8, 0.5 * height, 0.8))


ROUND_LEG = turned(rod(0.1, 0.9, (0.8, 0.45, 0.8)), 1, 17.0, (0.8, 0.0, 0.8))
SPLAYED = moved(turned(rod(0.08, 1.0, (0.0, -0.4, 0.0)), 2, 20.0), (0.6, 0.87, 0.8))
"""Axis 20 degrees off the vertical, its foot to the right."""
SHORT, TALL = Source(**legged(square_leg(0.63), 0.73)), Source(**legged(square_leg(1.1), 1.2))
THICK_LEG, ROUND = Source(**legged(square_leg(0.9, 0.34))), Source(0.5, **legged(ROUND_LEG))
POST = Source(**legged(square_leg(0.9, 0.4)))
STRAIGHT = Source(**legged(rod(0.08, 0.9, (0.8, 0.45, 0.8))))
STUMP = Source(**legged(square_leg(0.3, 0.3), 0.4))
STANDS = {"y-": 0.0, "y+": 0.9}
LEGS = (
    Case("leg/shorter leg is stretched to the floor", lambda: host("top", **legged(square_leg(0.9))), "leg",
         lambda: SHORT.part("leg"), (Pose(scale=0.9 / 0.63, sides=STANDS, centre=(0.8, None, 0.8)),), limits=BASELINE),
    Case("leg/taller leg is shortened", lambda: host("top", **legged(square_leg(0.9))), "leg",
         lambda: TALL.part("leg"), (Pose(scale=0.9 / 1.1, sides=STANDS, centre=(0.8, None, 0.8)),), limits=BASELINE),
    Case("leg/thicker leg keeps the floor", lambda: host("top", **legged(square_leg(0.9))), "leg",
         lambda: THICK_LEG.part("leg"), (Pose(scale=1.0, sides=STANDS, centre=(0.8, None, 0.8)),), limits=BASELINE),
    Case("leg/one twice as thick as its twins", lambda: host("top", **legged(square_leg(0.9))), "leg",
         lambda: POST.part("leg"), (Refused(("shape",)),), limits=BASELINE),
    # 0.9 / 0.3 would make the diagonal 1.35 times too large and the leg 4.5 times too thick.
    Case("leg/a stump is no leg", lambda: host("top", **legged(square_leg(0.9))), "leg", lambda: STUMP.part("leg"),
         (Refused(()),), limits=BASELINE),
    Case("symmetry/round leg authored at any yaw", lambda: host("top", **legged(rod(0.1, 0.9, (0.8, 0.45, 0.8)))),
         "leg", lambda: ROUND.part("leg"), (Pose(NOTHING_TURNS, scale=2.0, sides=STANDS),), limits=BASELINE),
    Case("socket/straight leg follows a splayed one", lambda: host("top", **legged(SPLAYED)), "leg",
         lambda: STRAIGHT.part("leg"),
         (Pose(((DOWN, (math.sin(math.radians(20.0)), -math.cos(math.radians(20.0)), 0.0)),), 2.0,
               sides={"y-": 0.0}, within=0.01, touches=("top",)),), limits=BASELINE),
)  # fmt: skip

STANDING = (*REST, *SYMMETRY, *HANGING, *STACKS, *LEANING, *LEGS)
