"""Toys and games. Each stands on y = 0 about the origin and is about one unit tall or wide."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.forms import around, bent, coat, disc, fluted, pair, puck, rod, tint
from engine.starter.models import Piece
from engine.starter.outlines import fillet, smooth, star
from engine.starter.paints import metal, patterned, wood
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, slab

RED = tint("red lacquer", "cb3f3a", 0.5, roughness=0.35, contrast=36, seed=521)
BLUE = tint("blue lacquer", "3a72b0", 0.5, roughness=0.35, contrast=36, seed=522)
YELLOW = tint("yellow lacquer", "f0c540", 0.5, roughness=0.35, contrast=36, seed=523)
GREEN = tint("green lacquer", "55a05a", 0.5, roughness=0.35, contrast=36, seed=524)
CREAM = tint("cream lacquer", "f5ead0", 0.5, roughness=0.4, contrast=24, seed=525)
BLACK = tint("black lacquer", "302e33", 0.5, roughness=0.35, contrast=30, seed=526)
PINK = tint("rosy cheeks", "eb8f8a", 0.3, contrast=30, seed=527)
SKIN = tint("painted face", "f4cfa8", 0.4, contrast=24, seed=528)
ORANGE = tint("orange beak", "f0892e", 0.3, contrast=40, seed=529)
MAPLE = wood("maple", "d8aa6a", 0.5, planks=1, seed=530, size=64)
WALNUT = wood("walnut", "774a2d", 0.6, planks=1, seed=531, size=64)
BRASS = metal("brass", "cfa24a", 0.4, seed=532)
STRIPES = patterned(
    "red and cream stripes", "cb3f3a", "f5ead0", 0.2, patterns.stripes, roughness=0.4, seed=533, size=64
)
SHAWL = patterned(
    "flowered shawl", "c93f4a", "f5d25a", 0.3, partial(patterns.dots, count=4), roughness=0.35, seed=534, size=64
)
APRON = patterned(
    "flowered apron", "f3e6c4", "c93f4a", 0.25, partial(patterns.dots, count=4), roughness=0.35, seed=535, size=64
)
MANE = tint("woolly mane", "7a4f30", 0.15, contrast=150, seed=536)
DAPPLE = patterned("dappled grey", "c9c6bf", "f0ede4", 0.5, partial(patterns.dots, count=4), seed=537, size=64)
BEARD = tint("white wool", "f3efe6", 0.15, contrast=90, seed=538)


def rubber_duck() -> tuple[Piece, ...]:
    """A yellow duck with an orange beak."""
    body = ellipsoid(0.72, 0.56, 0.96, 16, 10).moved(0, 0.27, -0.04)
    foot = puck(0.24, 0.06, 0.02, 14).scaled(1, 1, 1.3).moved(0, 0, -0.02)
    tail = bent([(0, 0.3, -0.36), (0, 0.42, -0.5), (0, 0.58, -0.56)], [0.2, 0.13, 0.03], 8, 3)
    head = ellipsoid(0.52, 0.5, 0.5, 14, 9).moved(0, 0.72, 0.16)
    neck = ellipsoid(0.4, 0.3, 0.4, 12, 6).moved(0, 0.52, 0.14)
    wings = pair(ellipsoid(0.14, 0.34, 0.54, 9, 6).turned("x", -0.03).turned("y", 0.03).moved(0.34, 0.32, -0.08))
    beak = [ellipsoid(0.26, 0.07, 0.24, 10, 6).moved(0, y, z) for y, z in ((0.7, 0.44), (0.65, 0.42))]
    eyes = pair(ellipsoid(0.07, 0.1, 0.05, 8, 5).moved(0.12, 0.81, 0.365))
    tuft = bent([(0, 0.94, 0.16), (0.0, 1.02, 0.12), (0, 1.04, 0.02)], [0.05, 0.035, 0.01], 6, 2, domed=True)
    return (*coat(YELLOW, body, foot, tail, head, neck, *wings, tuft), *coat(ORANGE, *beak), *coat(BLACK, *eyes))


def spinning_top() -> tuple[Piece, ...]:
    """A striped humming top on a ring stand, with a knob."""
    stand = [
        ring(0.3, 0.07, 18, 5).moved(0, 0.035, 0),
        *around(bent([(0.3, 0.04, 0), (0.28, 0.16, 0), (0.22, 0.24, 0)], 0.03, 6, 2), 3),
        ring(0.215, 0.05, 16, 5).moved(0, 0.25, 0),
    ]
    low = lathe(smooth([(0.0, 0.08), (0.04, 0.12), (0.2, 0.26), (0.44, 0.48)], 2), 16)
    bands = [
        lathe(fillet([(0.0, y), (r, y), (r - 0.012, y + h), (0.0, y + h)], 0.012, 1), 16)
        for y, r, h in ((0.47, 0.45, 0.07), (0.53, 0.445, 0.06))
    ]
    high = lathe(smooth([(0.43, 0.58), (0.3, 0.68), (0.1, 0.75), (0.05, 0.8)], 2), 16)
    stem = [rod((0, 0.78, 0), (0, 1.0, 0), 0.03), ellipsoid(0.16, 0.14, 0.16, 10, 7).moved(0, 1.04, 0)]
    return (
        *coat(MAPLE, *stand),
        *coat(BLUE, low),
        *coat(STRIPES, bands[0]),
        *coat(YELLOW, bands[1]),
        *coat(RED, high, stem[1]),
        *coat(BRASS, stem[0]),
    )


def rocking_horse() -> tuple[Piece, ...]:
    """A dappled horse with a red saddle on two rockers."""
    curve = [(-0.62, 0.2), (-0.32, 0.05), (0.0, 0.035), (0.32, 0.05), (0.62, 0.2)]
    rockers = [bent([(s * 0.2, y, z) for z, y in curve], 0.035, 7, domed=True) for s in (-1, 1)]
    bars = [rod((-0.2, 0.075, z), (0.2, 0.075, z), 0.03) for z in (-0.3, 0.3)]
    body = ellipsoid(0.34, 0.36, 0.72, 14, 8).moved(0, 0.6, 0)
    legs = [
        bent([(0.1 * s, 0.56, z), (0.15 * s, 0.3, 1.15 * z), (0.2 * s, 0.09, 1.3 * z)], [0.09, 0.055, 0.04], 7)
        for s in (-1, 1)
        for z in (-0.24, 0.24)
    ]
    neck = bent([(0, 0.64, 0.26), (0, 0.86, 0.4), (0, 0.98, 0.42)], [0.15, 0.1, 0.09], 8, domed=True)
    head = bent([(0, 1.0, 0.38), (0, 0.96, 0.52), (0, 0.86, 0.66)], [0.1, 0.1, 0.07], 8, domed=True)
    ears = pair(
        lathe(smooth([(0.035, 0.0), (0.035, 0.06), (0.0, 0.13)], 2), 8).turned("z", -0.03).moved(0.05, 1.05, 0.37)
    )
    mane = [ellipsoid(0.09, 0.13, 0.16, 7, 5).moved(0, 1.06 - 0.085 * k, 0.32 - 0.035 * k) for k in range(5)]
    tail = bent(
        [(0, 0.66, -0.34), (0, 0.72, -0.46), (0, 0.56, -0.54), (0, 0.36, -0.5)], [0.04, 0.07, 0.08, 0.02], 7, domed=True
    )
    seat = ellipsoid(0.36, 0.16, 0.34, 12, 6).moved(0, 0.72, -0.02)
    girth = ring(0.18, 0.06, 16, 5).turned("x", 0.25).scaled(1, 1.05, 1).moved(0, 0.6, 0.0)
    rein = bent([(0.07, 0.9, 0.6), (0.12, 0.84, 0.4), (0.1, 0.78, 0.14), (0, 0.8, 0.08)], 0.014, 5)
    handle = rod((-0.18, 0.94, 0.38), (0.18, 0.94, 0.38), 0.022)
    dark = [
        *pair(ellipsoid(0.045, 0.05, 0.045, 7, 4).moved(0.092, 0.98, 0.48)),
        *pair(ellipsoid(0.03, 0.03, 0.03, 6, 4).moved(0.05, 0.86, 0.71)),
    ]
    return (
        *coat(RED, *rockers, seat, girth, *pair(rein)),
        *coat(MAPLE, *bars, handle),
        *coat(DAPPLE, body, *legs, neck, head, *ears),
        *coat(MANE, *mane, tail),
        *coat(BLACK, *dark),
    )


def toy_train() -> tuple[Piece, ...]:
    """A wooden steam engine with a red boiler and a coal car on rails."""
    track = [slab(0.03, 0.05, 1.5, 0.01).moved(x, 0.055, 0) for x in (-0.15, 0.15)] + [
        box(0.46, 0.035, 0.09, 0.01).moved(0, 0.018, -0.66 + 0.22 * k) for k in range(7)
    ]
    bed = [box(0.3, 0.06, 0.78, 0.02).moved(0, 0.2, 0.24), box(0.3, 0.06, 0.42, 0.02).moved(0, 0.2, -0.46)]
    boiler = (
        lathe(fillet([(0.0, 0.0), (0.14, 0.0), (0.14, 0.46), (0.0, 0.46)], 0.03, 2), 14)
        .turned("x", 0.25)
        .moved(0, 0.36, 0.14)
    )
    hoops = [ring(0.14, 0.025, 14, 5).turned("x", 0.25).moved(0, 0.36, z) for z in (0.24, 0.42)]
    cab = [box(0.34, 0.3, 0.28, 0.02).moved(0, 0.37, 0.02), box(0.42, 0.05, 0.38, 0.02).moved(0, 0.54, 0.02)]
    panes = [slab(0.36, 0.12, 0.14, 0.03).moved(0, 0.43, 0.02), slab(0.2, 0.1, 0.3, 0.03).moved(0, 0.44, 0.02)]
    stack = lathe(
        fillet([(0.0, 0.46), (0.05, 0.46), (0.05, 0.58), (0.09, 0.66), (0.07, 0.7), (0.0, 0.66)], 0.012, 1), 12
    ).moved(0, 0, 0.5)
    dome = [
        lathe(smooth([(0.06, 0.47), (0.06, 0.53), (0.0, 0.58)], 2), 10).moved(0, 0, 0.32),
        disc(0.06, 0.05, 0.015, 10).moved(0, 0.36, 0.59),
    ]
    cow = (
        extrude([(-0.16, 0.0), (0.16, 0.0), (0.1, 0.12), (-0.1, 0.12)], 0.1, 0.02, "z", 1)
        .turned("x", -0.06)
        .moved(0, 0.09, 0.65)
    )
    wheels = [
        disc(r, 0.05, 0.0, 12).turned("y", 0.25 * s).moved(0.14 * s, 0.08 + r, z)
        for s in (-1, 1)
        for z, r in ((0.5, 0.07), (0.32, 0.07), (0.02, 0.1), (-0.34, 0.07), (-0.58, 0.07))
    ]
    hubs = [
        ellipsoid(0.03, 0.05, 0.05, 6, 4).moved(0.195 * s, 0.08 + r, z)
        for s in (-1, 1)
        for z, r in ((0.5, 0.07), (0.32, 0.07), (0.02, 0.1), (-0.34, 0.07), (-0.58, 0.07))
    ]
    car = [box(0.34, 0.2, 0.4, 0.02).moved(0, 0.31, -0.46)]
    coal = [
        ellipsoid(0.17, 0.13, 0.17, 6, 4).moved(
            -0.09 + 0.09 * (k % 3), 0.42 + 0.03 * (k % 2), -0.56 + 0.07 * (k // 3) * 1.4
        )
        for k in range(0, 9, 2)
    ]
    link = rod((0, 0.2, -0.3), (0, 0.2, -0.1), 0.025, 6)
    return (
        *coat(MAPLE, *track, *bed),
        *coat(RED, boiler, cow),
        *coat(BRASS, *hoops, *dome, *hubs, link),
        *coat(GREEN, *cab),
        *coat(BLUE, *car),
        *coat(CREAM, *panes),
        *coat(BLACK, stack, *wheels, *coal),
    )


def toy_plane() -> tuple[Piece, ...]:
    """A red biplane on a wooden stand."""
    foot = [puck(0.26, 0.06, 0.02, 14), bent([(0, 0.05, 0), (0, 0.24, -0.03), (0, 0.46, 0)], 0.026)]
    hull = (
        lathe(
            smooth([(0.0, -0.56), (0.04, -0.54), (0.1, -0.2), (0.14, 0.1), (0.13, 0.3), (0.1, 0.38), (0.0, 0.4)], 2), 14
        )
        .turned("x", 0.25)
        .moved(0, 0.56, 0)
    )
    plan = fillet([(-0.62, -0.11), (0.62, -0.11), (0.62, 0.11), (-0.62, 0.11)], 0.09, 3, closed=True)
    wings = [extrude(plan, 0.03, 0.01, "y", 1).moved(0, y, z) for y, z in ((0.5, 0.12), (0.8, 0.16))]
    struts = [rod((x, 0.5, z), (x, 0.8, z + 0.04), 0.012, 6) for x in (-0.44, -0.12, 0.12, 0.44) for z in (0.06, 0.18)]
    tail = [
        extrude(
            smooth([(-0.26, -0.02), (0.0, -0.1), (0.26, -0.02), (0.2, 0.08), (-0.2, 0.08)], 2, closed=True),
            0.024,
            0.006,
            "y",
            1,
        ).moved(0, 0.57, -0.5)
    ]
    tail += [
        extrude(
            smooth([(-0.08, 0.0), (0.09, 0.0), (0.09, 0.16), (0.02, 0.22), (-0.06, 0.12)], 2, closed=True),
            0.024,
            0.006,
            "x",
            1,
        ).moved(0, 0.58, -0.49)
    ]
    nose = ellipsoid(0.1, 0.1, 0.12, 8, 6).moved(0, 0.56, 0.42)
    blades = [
        extrude(
            smooth([(0.0, -0.03), (0.22, -0.05), (0.28, 0.0), (0.22, 0.05), (0.0, 0.03)], 2, closed=True), 0.016, 0.0
        )
        .turned("z", t)
        .moved(0, 0.56, 0.45)
        for t in (0.07, 0.57)
    ]
    pit = [
        ellipsoid(0.17, 0.08, 0.24, 10, 5).moved(0, 0.68, -0.06),
        ellipsoid(0.13, 0.13, 0.13, 8, 6).moved(0, 0.74, -0.07),
    ]
    gear = [rod((0.06 * s, 0.48, 0.18), (0.2 * s, 0.3, 0.22), 0.014, 6) for s in (-1, 1)]
    wheels = [puck(0.085, 0.045, 0.015, 12).turned("z", 0.25).moved(0.2 * s + 0.022, 0.29, 0.22) for s in (-1, 1)]
    stars = [extrude(star(0.08, 0.035, 5), 0.02, 0.0, "y").moved(x, 0.815, 0.16) for x in (-0.4, 0.4)]
    return (
        *coat(MAPLE, *foot, *blades, *struts),
        *coat(RED, hull, *wings, *tail),
        *coat(CREAM, *stars),
        *coat(BRASS, nose, *gear),
        *coat(BLACK, *wheels, pit[0]),
        *coat(SKIN, pit[1]),
    )


def block_tower() -> tuple[Piece, ...]:
    """A tower of coloured blocks with an arch and a roof."""
    red = [box(0.24, 0.24, 0.24, 0.025).moved(-0.32, 0.12, 0), box(0.5, 0.12, 0.24, 0.02).moved(-0.02, 0.66, 0)]
    blue = [
        box(0.24, 0.24, 0.24, 0.025).turned("y", 0.03).moved(0.32, 0.12, 0.0),
        puck(0.11, 0.24, 0.02, 14).moved(-0.14, 0.72, 0),
    ]
    ramp = fillet(
        [
            (-0.44, 0.24),
            (-0.44, 0.44),
            (0.44, 0.44),
            (0.44, 0.24),
            (0.24, 0.24),
            (0.2, 0.32),
            (0.1, 0.38),
            (-0.1, 0.38),
            (-0.2, 0.32),
            (-0.24, 0.24),
        ][::-1],
        0.02,
        2,
        closed=True,
    )
    yellow = [extrude(ramp, 0.24, 0.02, "z", 1)]
    green = [puck(0.1, 0.18, 0.015, 14).moved(x, 0.43, 0) for x in (-0.2, 0.18)]
    roof = extrude([(-0.17, 0.0), (0.17, 0.0), (0.0, 0.2)], 0.24, 0.02, "z", 1).moved(-0.14, 0.955, 0)
    ball = [
        ellipsoid(0.24, 0.24, 0.24, 12, 8).moved(0.14, 0.83, 0),
        box(0.2, 0.2, 0.2, 0.02).turned("y", 0.08).moved(0.02, 0.1, 0.34),
    ]
    plank = box(0.34, 0.08, 0.14, 0.02).turned("y", 0.1).moved(-0.3, 0.04, 0.3)
    tiles = box(1.0, 0.03, 0.9, 0.01).moved(0, 0.015, 0.1)
    front = [
        extrude(star(0.09, 0.04, 5), 0.02, 0.0).moved(-0.32, 0.12, 0.125),
        disc(0.06, 0.02, 0.0, 12).moved(0.32, 0.12, 0.115),
    ]
    return (
        *coat(MAPLE, tiles, plank),
        *coat(RED, *red, roof),
        *coat(BLUE, *blue),
        *coat(YELLOW, *yellow, ball[1]),
        *coat(GREEN, *green, ball[0]),
        *coat(CREAM, *front),
    )


def nutcracker() -> tuple[Piece, ...]:
    """A nutcracker soldier with a tall hat on a green block."""
    block = box(0.46, 0.1, 0.4, 0.03).moved(0, 0.05, 0)
    boots = [box(0.13, 0.26, 0.15, 0.03).moved(x, 0.22, 0) for x in (-0.08, 0.08)] + [
        ellipsoid(0.14, 0.1, 0.24, 8, 5).moved(x, 0.13, 0.05) for x in (-0.08, 0.08)
    ]
    legs = [puck(0.065, 0.16, 0.0, 10).moved(x, 0.33, 0) for x in (-0.08, 0.08)]
    torso = lathe(smooth([(0.18, 0.44), (0.17, 0.52), (0.14, 0.62), (0.18, 0.76), (0.12, 0.84)], 2), 14)
    belt = ring(0.155, 0.05, 14, 5).moved(0, 0.6, 0)
    arms = pair(bent([(0.17, 0.77, 0), (0.25, 0.7, 0), (0.24, 0.54, 0.04)], [0.07, 0.06, 0.055], 7))
    pads = pair(ellipsoid(0.18, 0.09, 0.18, 10, 5).moved(0.2, 0.8, 0))
    fringe = pair(fluted(lathe([(0.0, 0.0), (0.085, 0.0), (0.08, 0.06), (0.0, 0.06)], 24), 8, 0.1).moved(0.22, 0.74, 0))
    hands = pair(ellipsoid(0.1, 0.11, 0.1, 8, 5).moved(0.24, 0.5, 0.05))
    head = puck(0.135, 0.26, 0.04, 14).moved(0, 0.83, 0)
    mouth = [
        slab(0.17, 0.05, 0.03, 0.01).moved(0, 0.89, 0.125),
        *[slab(0.03, 0.035, 0.02).moved(-0.06 + 0.04 * k, 0.893, 0.14) for k in range(4)],
    ]
    chin = fluted(lathe(smooth([(0.0, -0.13), (0.05, -0.08), (0.09, 0.0), (0.0, 0.02)], 2), 18), 6, 0.1).moved(
        0, 0.86, 0.11
    )
    hair = pair(ellipsoid(0.09, 0.2, 0.16, 8, 5).moved(0.12, 0.92, -0.04))
    stache = pair(ellipsoid(0.12, 0.045, 0.05, 8, 4).turned("z", 0.04).moved(0.05, 0.945, 0.135))
    face = [*pair(ellipsoid(0.05, 0.04, 0.03, 7, 4).moved(0.055, 1.02, 0.125))]
    nose = ellipsoid(0.05, 0.07, 0.07, 7, 5).moved(0, 0.98, 0.15)
    hat = lathe(fillet([(0.0, 1.07), (0.16, 1.07), (0.15, 1.14), (0.13, 1.18), (0.16, 1.42), (0.0, 1.44)], 0.02, 2), 14)
    trim = [ring(0.158, 0.035, 14, 5).moved(0, 1.1, 0), extrude(star(0.07, 0.03, 5), 0.03, 0.008).moved(0, 1.28, 0.145)]
    buttons = [
        ellipsoid(0.035, 0.035, 0.03, 6, 4).moved(x, 0.68 + 0.06 * k, 0.155 + 0.006 * k)
        for x in (-0.05, 0.05)
        for k in range(2)
    ]
    plume = ellipsoid(0.08, 0.2, 0.08, 8, 6).moved(0, 1.5, 0.06)
    return (
        *coat(GREEN, block),
        *coat(BLACK, *boots, hat, *face, mouth[0]),
        *coat(CREAM, *legs, *mouth[1:]),
        *coat(RED, torso, *arms, plume),
        *coat(BRASS, belt, *pads, *fringe, *trim, *buttons),
        *coat(SKIN, *hands, head, nose),
        *coat(BEARD, chin, *hair, *stache),
    )
