"""Cases of things that are held: signs, pegs, wheels, hats, bars, limbs, gates of size and of interpenetration."""

from __future__ import annotations

import math

from bed_scene import (
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
    Vector,
    box,
    host,
    joined,
    lathe,
    moved,
    rod,
    rotation,
    turned,
)
from bed_standing import AT_CUP, BASELINE, CUP, CUPS, on_table, table

from engine.placement.state import StateGeometry

SIGN = joined(box((0.6, 0.4, 0.05), (0.0, 0.0, 0.025)), box((0.1, 0.1, 0.04), (0.1, 0.05, 0.06)))
"""Its back lies at depth 0; a knob right of its middle tells the front."""
PICTURE = joined(box((0.6, 0.4, 0.12), (0.0, 0.0, 0.06)), box((0.1, 0.1, 0.04), (0.1, 0.05, 0.14)))


def walled(sign: Mesh, degrees: float = 0.0) -> dict[str, Mesh]:
    """A sign on the front of a wall, all of it turned about the vertical."""
    parts = {"wall": box((2.0, 2.0, 0.2), (0.0, 1.0, 0.0)), "sign": moved(sign, (0.3, 1.2, 0.1))}
    return {name: turned(mesh, 1, degrees) for name, mesh in parts.items()}


def around(degrees: float, vector: Vector) -> Vector:
    """A vector turned about the vertical."""
    x, y, z = (float(v) for v in rotation(1, degrees) @ vector)
    return (x, y, z)


FRONT_SIGN, TURNED_SIGN = Source(**walled(SIGN)), Source(**walled(SIGN, 270.0))
BIG_SIGN = Source(**walled((SIGN[0] * 1.25, SIGN[1])))
PICTURES = Source(**walled(PICTURE))
PLANAR = (
    *(
        Case(f"planar/sign on a wall that looks {degrees} degrees round",
             lambda d=degrees: host("wall", **walled(SIGN, d)),
             "sign", lambda: FRONT_SIGN.part("sign"),
             (Pose(((FRONT, around(degrees, FRONT)), (UP, UP)), scale=1.0,
                   centre=around(degrees, (0.3, 1.2, 0.14)), touches=("wall",)),))
        for degrees in (0, 90, 180, 270)
    ),
    Case("planar/sign from a wall to the left", lambda: host("wall", **walled(SIGN)), "sign",
         lambda: TURNED_SIGN.part("sign"), (Pose(((LEFT, FRONT), (UP, UP)), scale=1.0, centre=(0.3, 1.2, 0.14)),)),
    Case("planar/larger sign takes the size of the old one", lambda: host("wall", **walled(SIGN)), "sign",
         lambda: BIG_SIGN.part("sign"), (Pose(NOTHING_TURNS, scale=0.8, centre=(0.3, 1.2, 0.14)),)),
    Case("planar/thicker picture hangs with its back on the wall", lambda: host("wall", **walled(SIGN)), "sign",
         lambda: PICTURES.part("sign"),
         (Pose(NOTHING_TURNS, scale=(0.83, 1.16), sides={"z-": 0.1}, centre=(0.3, 1.2, None), mode="strict"),)),
    Case("planar/a cup does not hang on a wall", lambda: host("wall", **walled(SIGN)), "sign",
         lambda: CUPS.part("same"), (Refused(("class",)),)),
    Case("planar/a sign does not stand on a table", lambda: table(cup=CUP), "cup", lambda: FRONT_SIGN.part("sign"),
         (Refused(("class",)),)),
)  # fmt: skip

BLOCK = box((1.0, 1.0, 1.0), (0.0, 0.5, 0.0))


def pegged(embed: float, degrees: float = 0.0, *, length: float = 0.6) -> dict[str, Mesh]:
    """A peg in the right face of a block: how deep it reaches along its axis, and how far the axis rises."""
    peg = rod(0.1, length, (0.5 - embed + 0.5 * length, 0.5, 0.0), axis=0)
    return {"block": BLOCK, "peg": turned(peg, 2, degrees, (0.5, 0.5, 0.0))}


def facing_left(parts: dict[str, Mesh]) -> dict[str, Mesh]:
    """The same object turned by half a turn."""
    return {name: turned(mesh, 1, 180.0) for name, mesh in parts.items()}


def rising(degrees: float) -> Vector:
    """The direction of a peg that rises to the right."""
    return (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0.0)


PEG, DEEP, SHALLOW = Source(0.5, **pegged(0.2)), Source(**pegged(0.35)), Source(**pegged(0.15))
BARELY, TOUCHING, RISEN = Source(**pegged(0.03)), Source(**pegged(0.0)), Source(**pegged(0.2, 30.0))
HAIR = Source(**pegged(0.006))
SOCKETS = (
    Case("socket/peg keeps its depth", lambda: host("block", **pegged(0.2)), "peg", lambda: PEG.part("peg"),
         (Pose(NOTHING_TURNS, scale=2.0, centre=(0.6, 0.5, 0.0), mode="baseline", overlap=(1 / 3, 0.02)),),
         limits=BASELINE),
    Case("socket/peg sunk by a third is not strict", lambda: host("block", **pegged(0.2)), "peg",
         lambda: PEG.part("peg"), (Refused(("interpenetration",)),)),
    Case("socket/peg on the left", lambda: host("block", **facing_left(pegged(0.2))), "peg", lambda: PEG.part("peg"),
         (Pose(((RIGHT, LEFT), (UP, UP)), scale=2.0, centre=(-0.6, 0.5, 0.0)),), limits=BASELINE),
    Case("socket/peg that sat deeper", lambda: host("block", **pegged(0.2)), "peg", lambda: DEEP.part("peg"),
         (Pose(NOTHING_TURNS, scale=1.0, sides={"x-": 0.3}),), limits=BASELINE),
    Case("socket/peg that sat less deep", lambda: host("block", **pegged(0.2)), "peg", lambda: SHALLOW.part("peg"),
         (Pose(NOTHING_TURNS, scale=1.0, sides={"x-": 0.35}, overlap=(0.25, 0.02)),), limits=BASELINE),
    *(
        Case(f"socket/straight peg follows a slant of {degrees} degrees",
             lambda d=degrees: host("block", **pegged(0.2, d)), "peg", lambda: DEEP.part("peg"),
             (Pose(((RIGHT, rising(degrees)),), 2.0, scale=(0.95, 1.05),
                   centre=(0.5 + 0.1 * rising(degrees)[0], 0.5 + 0.1 * rising(degrees)[1], 0.0), within=0.02),),
             limits=BASELINE)
        for degrees in (20.0, 28.0, 35.0)
    ),
    Case("socket/slanted peg in a straight socket", lambda: host("block", **pegged(0.2)), "peg",
         lambda: RISEN.part("peg"), (Pose(((rising(30.0), RIGHT),), 2.0, scale=(0.95, 1.05)),), limits=BASELINE),
    Case("socket/slanted peg in a like slant", lambda: host("block", **pegged(0.2, 30.0)), "peg",
         lambda: RISEN.part("peg"), (Pose(NOTHING_TURNS, 2.0, scale=1.0),), limits=BASELINE),
    # D = sqrt(1.57^2 + 2) = 2.113; 0.02 of 0.6 is 0.012 deep; two steps of 0.00625 D leave 0.03 - 0.0264 = 0.0036.
    Case("overlap/two steps of pull are enough", lambda: host("block", **pegged(0.03)), "peg",
         lambda: BARELY.part("peg"), (Pose(NOTHING_TURNS, scale=1.0, mode="pull", pull=0.0125, sides={"x-": 0.4964},
                                           touches=("block",)),)),
    Case("overlap/a peg that only touches", lambda: host("block", **pegged(0.0)), "peg",
         lambda: TOUCHING.part("peg"), (Pose(NOTHING_TURNS, mode="strict", overlap=(0.0, 1e-6), sides={"x-": 0.5}),)),
    Case("overlap/one in a hundred is strict", lambda: host("block", **pegged(0.006)), "peg",
         lambda: HAIR.part("peg"), (Pose(NOTHING_TURNS, mode="strict", pull=0.0, overlap=(0.01, 0.004)),)),
)  # fmt: skip

THICK_WALL = box((0.5, 2.0, 2.0), (-0.25, 1.0, 0.0))
KNOB, STUBBY = box((0.6, 0.5, 0.5), (0.06, 1.0, 0.0)), box((0.5, 0.5, 0.5), (0.01, 1.0, 0.0))
"""Both 0.24 inside the wall: 40 % and 48 % of their volumes."""
KNOBS = Source(wall=THICK_WALL, knob=STUBBY)
SAME_KNOB = Source(0.5, wall=THICK_WALL, knob=KNOB)

OVERLAPS = (
    Case("overlap/baseline allows what the old part had", lambda: host("wall", wall=THICK_WALL, knob=KNOB), "knob",
         lambda: SAME_KNOB.part("knob"),
         (Pose(NOTHING_TURNS, scale=2.0, mode="baseline", overlap=(0.4, 0.015), sides={"x-": -0.24}),),
         limits=BASELINE),
    Case("overlap/eight points above the old part's are too many", lambda: host("wall", wall=THICK_WALL, knob=KNOB),
         "knob", lambda: KNOBS.part("knob"), (Refused(("interpenetration",), (0.48, 0.04)),), limits=BASELINE),
)  # fmt: skip

WHEEL = turned(
    lathe([(0.05, -0.08), (0.3, -0.08), (0.3, 0.08), (0.15, 0.08), (0.15, 0.12), (0.05, 0.12)], sides=24), 2, -90.0
)
BIG_WHEEL = turned(
    lathe([(0.05, -0.08), (0.33, -0.08), (0.33, 0.08), (0.15, 0.08), (0.15, 0.12), (0.05, 0.12)], sides=24), 2, -90.0
)
CART: dict[str, Mesh] = {
    "chassis": box((1.0, 0.4, 1.6), (0.0, 0.5, 0.0)),
    "axle": rod(0.05, 1.4, (0.0, 0.4, 0.5), axis=0),
}


def cart(wheel: Mesh, side: str) -> dict[str, Mesh]:
    """A cart with one wheel, its hub outside, on the right or turned by half a turn on the left."""
    at_right = moved(wheel, (0.6, 0.4, 0.5))
    return {**CART, "wheel": at_right if side == "right" else turned(at_right, 1, 180.0, (0.0, 0.0, 0.5))}


FREE: dict[str, Mesh] = {"chassis": CART["chassis"], "axle": rod(0.05, 1.64, (0.0, 0.4, 0.5), axis=0)}
FAR_RIGHT = moved(WHEEL, (0.72, 0.4, 0.5))
FAR_LEFT, FAR_BIG = turned(FAR_RIGHT, 1, 180.0, (0.0, 0.0, 0.5)), moved(BIG_WHEEL, (0.72, 0.4, 0.5))
"""Wheels that keep clear of the chassis: only the axle holds them."""
FREE_WHEELS, FREE_BIG = Source(0.5, **FREE, right=FAR_RIGHT, left=FAR_LEFT), Source(**FREE, wheel=FAR_BIG)
RIGHT_WHEEL, LEFT_WHEEL = Source(0.5, **cart(WHEEL, "right")), Source(0.5, **cart(WHEEL, "left"))
BIGGER = Source(**cart(BIG_WHEEL, "right"))
HALF_TURN = ((RIGHT, LEFT), (UP, UP))


def hatted(opening: float, brim: float) -> dict[str, Mesh]:
    """A figure with a hat: the head fills the hat's opening, its top at height 1.6 touches the hat's ceiling."""
    profile = [(0.0, 0.0), (opening, 0.0), (opening, -0.2), (brim, -0.2), (brim, -0.15),
               (opening + 0.03, -0.15), (opening + 0.03, 0.1), (0.0, 0.1)]  # fmt: skip
    return {
        "body": box((0.8, 1.0, 0.5), (0.0, 0.5, 0.0)),
        "head": rod(opening, 0.6, (0.0, 1.3, 0.0)),
        "hat": lathe(profile, (0.0, 1.6, 0.0), sides=24),
    }


def ringed(inner: float, outer: float) -> dict[str, Mesh]:
    """A post with a ring that fits around it above its middle."""
    profile = [(inner, -0.1), (outer, -0.1), (outer, 0.1), (inner, 0.1)]
    return {
        "base": box((1.4, 0.2, 1.4), (0.0, 0.1, 0.0)),
        "post": rod(inner, 1.2, (0.0, 0.8, 0.0)),
        "ring": lathe(profile, (0.0, 1.1, 0.0), sides=24),
    }


WIDE_HAT, NARROW_HAT = Source(**hatted(0.3, 0.62)), Source(**hatted(0.3, 0.42))
LOOSE_HAT, TUB = Source(**hatted(0.4, 0.6)), Source(**hatted(0.7, 0.75))
LOOSE_RING, HALF_RING = Source(**ringed(0.25, 0.45)), Source(0.5, **ringed(0.2, 0.4))
ON_HEAD = (0.0, None, 0.0)
AXIAL = (
    Case("axial/right wheel", lambda: host("chassis", **cart(WHEEL, "right")), "wheel",
         lambda: RIGHT_WHEEL.part("wheel"), (Pose(NOTHING_TURNS, scale=2.0, centre=(0.62, 0.4, 0.5)),)),
    Case("axial/right wheel on the left by half a turn", lambda: host("chassis", **cart(WHEEL, "left")), "wheel",
         lambda: RIGHT_WHEEL.part("wheel"), (Pose(HALF_TURN, scale=2.0, centre=(-0.62, 0.4, 0.5)),)),
    Case("axial/left wheel on the right by half a turn", lambda: host("chassis", **cart(WHEEL, "right")), "wheel",
         lambda: LEFT_WHEEL.part("wheel"), (Pose(HALF_TURN, scale=2.0, centre=(0.62, 0.4, 0.5)),)),
    Case("axial/wider wheel fits the axle", lambda: host("chassis", **cart(WHEEL, "right")), "wheel",
         lambda: BIGGER.part("wheel"), (Pose(NOTHING_TURNS, scale=1.0, centre=(None, 0.4, 0.5), touches=("axle",)),)),
    Case("axial/free right wheel", lambda: host("chassis", **FREE, wheel=FAR_RIGHT), "wheel",
         lambda: FREE_WHEELS.part("right"), (Pose(NOTHING_TURNS, scale=2.0, centre=(0.74, 0.4, 0.5)),)),
    Case("axial/free right wheel on the left by half a turn", lambda: host("chassis", **FREE, wheel=FAR_LEFT), "wheel",
         lambda: FREE_WHEELS.part("right"), (Pose(HALF_TURN, scale=2.0, centre=(-0.74, 0.4, 0.5)),)),
    Case("axial/free left wheel on the right by half a turn", lambda: host("chassis", **FREE, wheel=FAR_RIGHT), "wheel",
         lambda: FREE_WHEELS.part("left"), (Pose(HALF_TURN, scale=2.0, centre=(0.74, 0.4, 0.5)),)),
    Case("axial/free wider wheel fits the axle", lambda: host("chassis", **FREE, wheel=FAR_RIGHT), "wheel",
         lambda: FREE_BIG.part("wheel"), (Pose(NOTHING_TURNS, scale=1.0, centre=(None, 0.4, 0.5), touches=("axle",)),)),
    Case("axial/same ring on a post", lambda: host("base", **ringed(0.2, 0.4)), "ring",
         lambda: HALF_RING.part("ring"), (Pose(NOTHING_TURNS, scale=2.0, centre=(0.0, 1.1, 0.0)),)),
    Case("axial/ring with a wider opening", lambda: host("base", **ringed(0.2, 0.4)), "ring",
         lambda: LOOSE_RING.part("ring"),
         (Pose(NOTHING_TURNS, scale=0.8, centre=(0.0, None, 0.0), touches=("post",)),)),
    Case("axial/hat with a wider brim fits by its opening", lambda: host("body", **hatted(0.3, 0.5)), "hat",
         lambda: WIDE_HAT.part("hat"), (Pose(NOTHING_TURNS, scale=1.0, centre=ON_HEAD, sides={"y+": 1.7}),)),
    Case("axial/hat with a narrow brim fits by its opening", lambda: host("body", **hatted(0.3, 0.5)), "hat",
         lambda: NARROW_HAT.part("hat"), (Pose(NOTHING_TURNS, scale=1.0, centre=ON_HEAD, sides={"y+": 1.7}),)),
    # Its ceiling, 0.1 thick, comes to lie on the head at 1.6.
    Case("axial/hat with a wider opening", lambda: host("body", **hatted(0.3, 0.5)), "hat",
         lambda: LOOSE_HAT.part("hat"), (Pose(NOTHING_TURNS, scale=0.75, centre=ON_HEAD, sides={"y+": 1.675}),)),
    # An opening of 0.7 on a head of 0.3 takes 0.43 of its size, 0.63 of the old hat's diagonal.
    Case("axial/a tub is no hat", lambda: host("body", **hatted(0.3, 0.5)), "hat", lambda: TUB.part("hat"),
         (Refused(()),)),
)  # fmt: skip

BODY = box((0.6, 1.0, 0.4), (0.0, 0.5, 0.0))
ARM = box((0.16, 0.7, 0.16), (0.38, 0.6, 0.0))
THUMBED = joined(ARM, box((0.06, 0.06, 0.12), (0.38, 0.3, 0.12)))
PADDED = joined(ARM, box((0.1, 0.2, 0.16), (0.5, 0.85, 0.0)))


def mirrored(mesh: Mesh) -> Mesh:
    """The part on the other side, as an artist makes a pair."""
    return mesh[0] * [-1.0, 1.0, 1.0], mesh[1][:, ::-1]


PAIR = Source(0.5, body=BODY, right=THUMBED, left=mirrored(THUMBED))
PLAIN = Source(body=BODY, left=mirrored(ARM))
PADS = Source(body=BODY, left=mirrored(PADDED))
AT_SHOULDER = {"x-": 0.3, "x+": 0.46, "y-": 0.25, "y+": 0.95}
LIMBS = (
    Case("limb/right arm for a right arm", lambda: host("body", body=BODY, arm=THUMBED), "arm",
         lambda: PAIR.part("right"), (Pose(NOTHING_TURNS, scale=2.0, sides=AT_SHOULDER),)),
    Case("limb/left arm for a left arm", lambda: host("body", body=BODY, arm=mirrored(THUMBED)), "arm",
         lambda: PAIR.part("left"), (Pose(NOTHING_TURNS, scale=2.0, sides={"x+": -0.3, "x-": -0.46}),)),
    Case("limb/a left hand's thumb never points back", lambda: host("body", body=BODY, arm=THUMBED), "arm",
         lambda: PAIR.part("left"), (Pose(NOTHING_TURNS, scale=2.0, sides=AT_SHOULDER), Refused(()))),
    Case("limb/plain left arm for a right arm", lambda: host("body", body=BODY, arm=ARM), "arm",
         lambda: PLAIN.part("left"), (Pose(((UP, UP),), scale=1.0, sides=AT_SHOULDER),)),
    Case("limb/left shoulder pad stays outside by half a turn", lambda: host("body", body=BODY, arm=PADDED), "arm",
         lambda: PADS.part("left"), (Pose(((LEFT, RIGHT), (UP, UP)), scale=1.0, sides={"x-": 0.3, "x+": 0.55}),)),
)  # fmt: skip


def barred(bar: Mesh, half: float = 1.5) -> dict[str, Mesh]:
    """A bar between, or through, two posts 0.3 wide at `half` on either side of the middle."""
    return {
        "base": box((2.0 * half + 1.0, 0.4, 1.0), (0.0, 0.2, 0.0)),
        "left": box((0.3, 2.0, 0.3), (-half, 1.4, 0.0)),
        "right": box((0.3, 2.0, 0.3), (half, 1.4, 0.0)),
        "bar": bar,
    }


def bar(low: float, high: float, thick: float = 0.2, y: float = 1.4, z: float = 0.0) -> Mesh:
    """A bar along X."""
    return box((high - low, thick, thick), (0.5 * (low + high), y, z))


BETWEEN = bar(-1.35, 1.35)
BAR_DIAGONAL = math.sqrt(2.7**2 + 0.08)
HALF_BAR, LONGER = Source(0.5, **barred(BETWEEN)), Source(**barred(bar(-1.75, 1.75), 1.9))
SHORTER, THICKER = Source(**barred(bar(-1.05, 1.05), 1.2)), Source(**barred(bar(-1.35, 1.35, 0.4)))
CROSS = Source(**{name: turned(mesh, 1, 90.0) for name, mesh in barred(BETWEEN).items()})
INSIDE, STICKING = Source(2 / 3, **barred(bar(-1.5, 1.5))), Source(0.5, **barred(bar(-1.8, 1.8)))
LOPSIDED = Source(0.5, **{name: turned(mesh, 1, 180.0) for name, mesh in barred(bar(-1.7, 2.1)).items()})
STUB, LONG_STUB = bar(1.65, 2.45), Source(**barred(bar(1.65, 2.61)))
STOREYS: dict[str, Mesh] = {
    "base": box((2.0, 0.2, 2.0), (0.0, 0.1, 0.0)),
    "pillar_b": box((0.2, 1.8, 0.2), (-0.7, 1.1, 0.0)),
    "pillar_a": box((0.2, 1.8, 0.2), (0.7, 1.1, 0.0)),
    "roof": box((2.0, 0.2, 2.0), (0.0, 2.1, 0.0)),
}
LOW_STOREY = Source(
    base=STOREYS["base"],
    pillar_b=box((0.2, 1.5, 0.2), (-0.7, 0.95, 0.0)),
    pillar_a=box((0.2, 1.5, 0.2), (0.7, 0.95, 0.0)),
    roof=box((2.0, 0.2, 2.0), (0.0, 1.8, 0.0)),
)
HELD = {"x-": -1.35, "x+": 1.35}
BOTH = ("left", "right")


def bridge(mesh: Mesh = BETWEEN, **more: Mesh) -> StateGeometry:
    """The two posts with a bar."""
    return host("base", **barred(mesh), **more)


THROUGH = (
    Case("through/same bar in half the units", bridge, "bar", lambda: HALF_BAR.part("bar"),
         (Pose(((UP, UP),), scale=2.0, sides=HELD, centre=(0.0, 1.4, 0.0), touches=BOTH),)),
    Case("through/longer bar is scaled by its length", bridge, "bar", lambda: LONGER.part("bar"),
         (Pose(((UP, UP),), scale=2.7 / 3.5, sides=HELD, centre=(0.0, 1.4, 0.0), touches=BOTH),)),
    Case("through/shorter bar is scaled by its length", bridge, "bar", lambda: SHORTER.part("bar"),
         (Pose(((UP, UP),), scale=2.7 / 2.1, sides=HELD, centre=(0.0, 1.4, 0.0), touches=BOTH),)),
    Case("through/bar authored crosswise", bridge, "bar", lambda: CROSS.part("bar"),
         tuple(Pose(((FRONT, to), (UP, UP)), scale=1.0, sides=HELD, touches=BOTH) for to in (RIGHT, LEFT))),
    Case("through/bar at an offset", lambda: bridge(bar(-1.35, 1.35, y=1.9, z=0.05)), "bar",
         lambda: HALF_BAR.part("bar"), (Pose(scale=2.0, centre=(0.0, 1.9, 0.05), touches=BOTH),)),
    Case("through/bar let into both posts", lambda: bridge(bar(-1.5, 1.5)), "bar", lambda: INSIDE.part("bar"),
         (Pose(scale=1.5, sides={"x-": -1.5, "x+": 1.5}, overlap=(0.1, 0.01), mode="baseline"),), limits=BASELINE),
    Case("through/bar that sticks out of both posts", lambda: bridge(bar(-1.8, 1.8)), "bar",
         lambda: STICKING.part("bar"), (Pose(scale=2.0, sides={"x-": -1.8, "x+": 1.8}, touches=BOTH),),
         limits=BASELINE),
    Case("through/bar that sticks out further on one side", lambda: bridge(bar(-1.7, 2.1)), "bar",
         lambda: LOPSIDED.part("bar"), (Pose(scale=2.0, sides={"x-": -1.7, "x+": 2.1}, touches=BOTH),),
         limits=BASELINE),
    # Its diagonal is 1.18 times the stub's: the size ratio is 0.85, the band 0.72 to 1.
    Case("through/stub keeps its held end", lambda: bridge(STUB), "bar", lambda: LONG_STUB.part("bar"),
         (Pose(NOTHING_TURNS, scale=(0.71, 1.01), sides={"x-": 1.65}, centre=(None, 1.4, 0.0), touches=("right",)),)),
    Case("through/pillar between floor and roof", lambda: host("base", **STOREYS), "pillar_a",
         lambda: LOW_STOREY.part("pillar_a"),
         (Pose(scale=1.2, sides={"y-": 0.2, "y+": 2.0}, centre=(0.7, None, 0.0), touches=("base", "roof")),)),
    # 0.04 x 0.4 x 0.8 of 2.7 x 0.4 x 0.4 lies in the crate.
    Case("overlap/thicker bar runs into a crate", lambda: bridge(crate=box((0.8, 1.2, 0.2), (0.0, 1.0, 0.26))), "bar",
         lambda: THICKER.part("bar"), (Refused(("interpenetration",), (0.0296, 0.004)),)),
)  # fmt: skip

TINY = on_table(0.5, cup=rod(0.03, 0.06, (0.3, 1.03, 0.2)))
HUGE = Source(board=box((0.6, 0.05, 0.6), (0.0, 0.025, 0.0)), cup=rod(0.5, 1.0, (0.0, 0.55, 0.0)))
GATES = (
    Case("gate/1.34 of the first occupant", bridge, "bar", lambda: HALF_BAR.part("bar"),
         (Pose(scale=2.0, sides=HELD),), slot_diagonal=BAR_DIAGONAL / 1.34),
    # At 1.35 of the slot's diagonal the bar would end 0.02 D before each post.
    Case("gate/1.45 of the first occupant", bridge, "bar", lambda: HALF_BAR.part("bar"),
         (Refused(("size", "primary", "connected")),), slot_diagonal=BAR_DIAGONAL / 1.45),
    Case("gate/0.66 of the first occupant", bridge, "bar", lambda: HALF_BAR.part("bar"),
         (Pose(scale=2.0, sides=HELD),), slot_diagonal=BAR_DIAGONAL / 0.66),
    # At 0.65 of the slot's diagonal the bar would reach 0.02 D into each post.
    Case("gate/0.60 of the first occupant", bridge, "bar", lambda: HALF_BAR.part("bar"),
         (Refused(("size",)),), slot_diagonal=BAR_DIAGONAL / 0.60),
    # Share of its table 0.033, of the slot's 0.22: six times its own size.
    Case("gate/a thimble does not become a cup", lambda: table(cup=CUP), "cup", lambda: TINY.part("cup"),
         (Refused(("scale",)),)),
    # Nearly its whole object: a fifth of its own size.
    Case("gate/a barrel does not become a cup", lambda: table(cup=CUP), "cup", lambda: HUGE.part("cup"),
         (Refused(("scale",)),)),
    # The occupant of turn 0 had 1 / 0.7 of the present diagonal; the like candidate goes back towards it.
    Case("gate/size refers to the first occupant", lambda: table(cup=CUP), "cup", lambda: CUPS.part("same"),
         (Pose(scale=(2.0 * 0.85 / 0.7, 2.0 * 1.18 / 0.7), centre=AT_CUP, sides={"y-": 1.0}),),
         slot_diagonal=0.4 * math.sqrt(3.0) / 0.7),
)  # fmt: skip

HELD_CASES = (*PLANAR, *SOCKETS, *OVERLAPS, *AXIAL, *LIMBS, *THROUGH, *GATES)
