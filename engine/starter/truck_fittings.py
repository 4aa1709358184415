"""Wheels, lamps and loads of the trucks."""

from __future__ import annotations

from engine.starter import patterns
from engine.starter.models import Piece, cover
from engine.starter.outlines import fillet, smooth
from engine.starter.paints import Paint, cloth, glass, metal, painted_metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, lathe, ring, slab, tube

FRAME_TOP = 0.74
WHEEL_X, WHEEL_Y = 1.02, 0.46
BED_FLOOR = 1.08
SINK = 0.003
RED = painted_metal("red enamel", "bf3f32", 1.4, seed=22)
CREAM = plain("cream enamel", "f2e6cb", 1.0, roughness=0.45, contrast=30, seed=23)
STEEL = metal("dark steel", "5d6068", 0.6, roughness=0.5, seed=24)
RUBBER = patterned("black rubber", "3d3b3a", "3d3b3a", 0.6, patterns.tread, roughness=0.95, seed=27)
PINE = wood("pine boards", "c2924f", 0.9, planks=4, seed=28)
WALNUT = wood("walnut boards", "7c5233", 0.9, planks=4, seed=29)
LAMP = glass("headlight glass", "ffe9ae", 0.3, "fffaf0", emissive=0.35)
AMBER = glass("amber glass", "f0a13a", 0.3, "ffe2a8", emissive=0.4)
HAY = patterned("hay", "d0aa53", "d0aa53", 0.5, patterns.straw, seed=30)
TWINE = cloth("twine", "a5603a", 0.2, seed=31)
STRAWBERRY = plain("strawberry ice cream", "f0a3a8", 0.6, contrast=50, seed=33)
WAFFLE = patterned("waffle", "d79a4d", "a86a2e", 0.5, patterns.checks, seed=34)


def wheel(x: float, z: float, hub: Paint, *, spokes: int) -> tuple[Piece, ...]:
    """A tyre with a dished hub, the inner face flat; `spokes` > 0 adds them in relief."""
    tyre_profile = fillet(
        [(0.2, -0.16), (0.44, -0.16), (0.46, 0.0), (0.44, 0.16), (0.3, 0.16), (0.27, 0.1), (0.2, 0.1)],
        0.05,
        2,
        closed=True,
    )
    tyre = lathe(tyre_profile, 18, loop=True)
    disc = lathe(
        fillet(
            [
                (0.0, -0.17),
                (0.22, -0.17),
                (0.28, 0.08),
                (0.25, 0.13),
                (0.2, 0.09),
                (0.1, 0.1),
                (0.09, 0.17),
                (0.0, 0.18),
            ],
            0.03,
            2,
        ),
        18,
    )
    marks = (
        [ellipsoid(0.06, 0.05, 0.06, 8, 5).moved(0.16, 0.1, 0.0).turned("y", k / 5) for k in range(5)]
        if not spokes
        else [box(0.14, 0.05, 0.05, 0.015, 1).moved(0.16, 0.1, 0.0).turned("y", k / spokes) for k in range(spokes)]
    )
    turns = -0.25 if x > 0 else 0.25

    def stand(shell: Shell) -> Shell:
        return shell.turned("z", turns).moved(x, WHEEL_Y, z)

    return (*cover(RUBBER, stand(tyre)), *cover(hub, *(stand(s) for s in (disc, *marks))))


def bumper(paint: Paint, *, bowed: bool) -> tuple[Piece, ...]:
    """A bar across the front of the frame."""
    z = 2.15 - SINK
    if bowed:
        path = smooth(
            [
                (-0.95, 0.64, z + 0.0),
                (-0.6, 0.64, z + 0.2),
                (0.0, 0.64, z + 0.26),
                (0.6, 0.64, z + 0.2),
                (0.95, 0.64, z),
            ],
            3,
        )
        bars = [tube(path, 0.085, 9)]
        bars += [tube([(x, 0.64, z), (x, 0.64, z + 0.2)], 0.06, 8, rounded=False) for x in (-0.55, 0.55)]
        return cover(paint, *bars)
    bar = slab(1.9, 0.26, 0.14, 0.06).moved(0, 0.64, z + 0.18)
    stubs = [box(0.14, 0.14, 0.16, 0.02, 1).moved(x, 0.64, z + 0.08) for x in (-0.55, 0.55)]
    hooks = [ring(0.07, 0.04, 10, 6).turned("z", 0.25).moved(x, 0.62, z + 0.29) for x in (-0.5, 0.5)]
    return cover(paint, bar, *stubs, *hooks)


def headlight(x: float, y: float, z: float, rim: Paint, *, square: bool) -> tuple[Piece, ...]:
    """A lamp whose back is flat at `z`."""
    if square:
        housing = slab(0.3, 0.28, 0.16, 0.06).moved(x, y, z + 0.08)
        lens = slab(0.22, 0.2, 0.06, 0.05).moved(x, y, z + 0.155)
        return (*cover(rim, housing), *cover(LAMP, lens))
    housing = lathe(smooth([(0.08, 0.0), (0.14, 0.06), (0.17, 0.16), (0.17, 0.2), (0.13, 0.2)], 2), 16)
    lens = ellipsoid(0.28, 0.1, 0.28, 14, 6).moved(y=0.19)
    return tuple(Piece(s.turned("x", 0.25).moved(x, y, z), p) for s, p in ((housing, rim), (lens, LAMP)))


def grille(y: float, z: float, frame: Paint, bars: Paint, *, upright: bool) -> tuple[Piece, ...]:
    """A radiator grille with a flat back at `z`."""
    plate = slab(0.66, 0.42, 0.08, 0.1, 3).moved(0, y, z + 0.04)
    if upright:
        slats = [slab(0.035, 0.32, 0.06, 0.012, 1).moved(-0.24 + 0.08 * k, y, z + 0.08) for k in range(7)]
    else:
        slats = [slab(0.54, 0.04, 0.06, 0.012, 1).moved(0, y - 0.14 + 0.07 * k, z + 0.08) for k in range(5)]
    badge = ellipsoid(0.12, 0.12, 0.06, 10, 6).moved(0, y + 0.02, z + 0.11)
    return (*cover(frame, plate), *cover(bars, *slats, badge))


def exhaust(x: float, paint: Paint, tip: Paint, *, curved: bool) -> tuple[Piece, ...]:
    """An upright exhaust pipe standing on the frame behind the cab."""
    foot, z = FRAME_TOP - SINK, -0.15
    base = lathe([(0.0, 0.0), (0.1, 0.0), (0.1, 0.05), (0.06, 0.08), (0.0, 0.08)], 10).moved(x, foot, z)
    top = (0.0, 0.1, -0.12) if curved else (0.0, 0.12, 0.0)
    path = smooth(
        [(x, foot + 0.04, z), (x, foot + 0.8, z), (x, foot + 1.62, z), (x + top[0], foot + 1.62 + top[1], z + top[2])],
        3,
    )
    pipe = tube(path, 0.055, 9, rounded=False)
    muffler = lathe(
        fillet([(0.0, 0.0), (0.085, 0.0), (0.095, 0.1), (0.095, 0.6), (0.085, 0.7), (0.0, 0.7)], 0.03, 2), 12
    ).moved(x, foot + 0.5, z)
    return (*cover(tip, base, pipe), *cover(paint, muffler))


def beacon(y: float, z: float) -> tuple[Piece, ...]:
    """An amber lamp for the roof."""
    foot = lathe(fillet([(0.0, 0.0), (0.2, 0.0), (0.2, 0.07), (0.15, 0.1), (0.0, 0.1)], 0.02, 2), 16).moved(0, y, z)
    dome = lathe([(0.0, 0.08), *smooth([(0.14, 0.08), (0.145, 0.2), (0.1, 0.32), (0.0, 0.36)], 3).tolist()], 16).moved(
        0, y, z
    )
    ribs = [ring(0.142, 0.02, 16, 5).moved(0, y + h, z) for h in (0.14, 0.21)]
    return (*cover(STEEL, foot, *ribs), *cover(AMBER, dome))


def cone_sign(y: float, z: float) -> tuple[Piece, ...]:
    """An ice-cream cone as a roof sign."""
    foot = lathe(fillet([(0.0, 0.0), (0.2, 0.0), (0.18, 0.06), (0.08, 0.1), (0.0, 0.1)], 0.02, 2), 16).moved(0, y, z)
    cone = lathe([(0.0, 0.04), (0.05, 0.05), (0.17, 0.36), (0.18, 0.4), (0.0, 0.4)], 16).moved(0, y, z)
    scoop = lathe(smooth([(0.17, 0.38), (0.2, 0.42), (0.19, 0.52), (0.12, 0.62), (0.0, 0.66)], 3), 16).moved(0, y, z)
    cherry = ellipsoid(0.11, 0.11, 0.11, 10, 6).moved(0, y + 0.69, z)
    return (*cover(CREAM, foot), *cover(WAFFLE, cone), *cover(STRAWBERRY, scoop), *cover(RED, cherry))


def hay_bale(x: float, z: float) -> tuple[Piece, ...]:
    """A tied bale lying in the bed."""
    y = BED_FLOOR - SINK
    bale = box(1.0, 0.52, 0.7, 0.08).moved(x, y + 0.26, z).boxed_uvs()
    ties = [box(0.05, 0.54, 0.72, 0.08).moved(x + s, y + 0.27, z) for s in (-0.25, 0.25)]
    return (*cover(HAY, bale), *cover(TWINE, *ties))


def milk_can(x: float, z: float, paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A dairy can with a lid and handles."""
    y = BED_FLOOR - SINK
    profile = fillet(
        [
            (0.0, 0.0),
            (0.22, 0.0),
            (0.24, 0.05),
            (0.24, 0.46),
            (0.14, 0.62),
            (0.14, 0.72),
            (0.18, 0.76),
            (0.18, 0.82),
            (0.06, 0.86),
            (0.0, 0.86),
        ],
        0.03,
        3,
    )
    can = lathe(profile, 16).moved(x, y, z)
    bands = [ring(0.24, 0.04, 16, 5).moved(x, y + h, z) for h in (0.1, 0.42)]
    grips = [
        tube(
            smooth(
                [
                    (x + s * 0.2, y + 0.5, z),
                    (x + s * 0.28, y + 0.56, z),
                    (x + s * 0.28, y + 0.66, z),
                    (x + s * 0.14, y + 0.68, z),
                ],
                2,
            ),
            0.022,
            6,
        )
        for s in (-1, 1)
    ]
    return (*cover(paint, can), *cover(trim, *bands, *grips))


def cask(x: float, z: float) -> tuple[Piece, ...]:
    """A small standing barrel."""
    y = BED_FLOOR - SINK
    body = (
        lathe(smooth([(0.2, 0.0), (0.26, 0.2), (0.28, 0.4), (0.26, 0.6), (0.2, 0.8)], 3), 16)
        .swapped_uvs()
        .moved(x, y, z)
    )
    hoops = [
        lathe(
            [(r - 0.03, h - 0.03), (r + 0.012, h - 0.03), (r + 0.018, h + 0.03), (r - 0.03, h + 0.03)], 16, loop=True
        ).moved(x, y, z)
        for h, r in ((0.1, 0.232), (0.28, 0.272), (0.54, 0.27), (0.7, 0.232))
    ]
    return (*cover(PINE, body), *cover(STEEL, *hoops))


def crate(x: float, z: float) -> tuple[Piece, ...]:
    """A boarded crate with corner posts."""
    y = BED_FLOOR - SINK
    core = box(0.86, 0.5, 0.64, 0.02, 1).moved(x, y + 0.27, z).boxed_uvs()
    frame = [box(0.94, 0.09, 0.72, 0.03, 1).moved(x, y + h, z) for h in (0.045, 0.495)]
    posts = [box(0.1, 0.5, 0.1, 0.02, 1).moved(x + a * 0.42, y + 0.27, z + b * 0.31) for a in (-1, 1) for b in (-1, 1)]
    brace = [
        beam((x - 0.36, y + 0.09, z + s * 0.325), (x + 0.36, y + 0.45, z + s * 0.325), 0.08, 0.01, 0.05)
        for s in (-1, 1)
    ]
    return (*cover(PINE, core), *cover(WALNUT, *frame, *posts, *brace))
