"""What sits on top of a house: roofs over the gables of the cottages, chimneys, vanes, a dish."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.cottages import OVERHANG, PITCH, RIDGE, WIDTH, roof_line, slope_uvs, thick_roof
from engine.starter.forms import around, bowed, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import fillet, smooth
from engine.starter.paints import Paint, foliage, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, slab, tube
from engine.starter.trigonometry import cosine_sine

SLATE = patterned("blue slate", "5f7286", "5f7286", 1.0, patterns.shingles, seed=401)
PANTILE = plain("orange clay tiles", "cf7040", 0.9, contrast=90, seed=402)
TURF = foliage("green turf", "6f9a44", 0.8, "f3d65a", count=16, bloom=16, seed=403)
LOG = wood("birch logs", "b08a5c", 0.6, planks=1, seed=404)
WHITE = plain("white paint", "f2ecdd", 0.8, contrast=30, seed=405)
PANE = glass("window glass", "8fbccb", 0.6)
VERDIGRIS = patterned(
    "green copper sheets", "5fa08c", "8fc7ae", 1.0, partial(patterns.panels, plates=4, rivets=0), seed=406
)
GOLD = metal("gilded metal", "deb14a", 0.4, roughness=0.3, seed=407)
BRICK = patterned("dark red brick", "9c4434", "d8c8ac", 0.9, patterns.bricks, seed=408)
STONE = plain("pale stone", "c9c0ae", 0.7, contrast=70, seed=409)
LIME = plain("white limewash", "efe9dc", 0.8, contrast=44, seed=410)
CLAY = plain("terracotta", "bb6540", 0.5, contrast=60, seed=411)
TWIGS = patterned("dry twigs", "8a6a45", "8a6a45", 0.3, patterns.straw, seed=412)
STORK = plain("white feathers", "f5f2ea", 0.4, contrast=24, seed=413)
BLACK = plain("black feathers", "33323a", 0.3, contrast=40, seed=414)
BILL = plain("red bill", "d4503a", 0.2, contrast=30, seed=415)
IRON = metal("black iron", "4f5057", 0.4, roughness=0.5, seed=416)
COPPER = metal("copper", "bd6f44", 0.4, seed=417)
GREY = plain("light grey enamel", "d7dade", 0.6, roughness=0.4, contrast=20, seed=418)
PITCH_LENGTH = 1.2806
"""Length of a slope over its depth: the root of 1 + 0.8 squared."""
HALF = WIDTH / 2
TUFTS = [
    (-1.8, 1.3),
    (-1.1, 0.7),
    (-0.5, 1.4),
    (0.2, 0.9),
    (0.9, 1.35),
    (1.6, 0.75),
    (1.9, 1.4),
    (-1.6, -1.1),
    (-0.6, -0.7),
    (0.4, -1.3),
    (1.3, -0.8),
]
"""Where tufts grow on a turf roof: x and z."""


def _slope_body(paint: Paint, thick: float, rows: int, step: float) -> tuple[Piece, ...]:
    """A gabled slab whose rows are real steps; open below, where the gable goes in."""
    right: list[tuple[float, float]] = []
    for k in range(rows):
        lower, upper = OVERHANG * (1 - k / rows), OVERHANG * (1 - (k + 1) / rows)
        right += [(lower, roof_line(lower) + thick), (upper, roof_line(upper) + thick - step)]
    under = [(-OVERHANG, roof_line(OVERHANG) - 0.003), (0.0, RIDGE - 0.003), (OVERHANG, roof_line(OVERHANG) - 0.003)]
    outline = [*under, *right, *[(-z, y) for z, y in reversed(right[:-1])]]
    return cover(paint, slope_uvs(extrude(outline, WIDTH + 0.5, 0.0, "x")))


def _barge_boards(lift: float, width: float) -> list[Shell]:
    return [
        beam(
            (x, RIDGE + lift, s * 0.03),
            (x, roof_line(OVERHANG) + lift - 0.02, s * (OVERHANG + 0.01)),
            width,
            0.02,
            0.08,
        )
        for x in (-HALF - 0.295, HALF + 0.295)
        for s in (-1, 1)
    ]


def _dormer(x: float) -> tuple[Piece, ...]:
    """A window with a small gabled roof that grows out of the front slope, none of it below the slates."""
    y, front = roof_line(1.2) + 0.1, 1.27
    meets = (RIDGE + 0.06 - y - 0.46) / PITCH
    side = [(-front, roof_line(front) + 0.02), (-meets, y + 0.46), (-front, y + 0.46)]
    body = extrude(side, 0.68, 0.0, "x").moved(x)
    gable = extrude([(-0.34, 0.0), (0.34, 0.0), (0.0, 0.28)], 0.5, 0.0, "z").moved(x, y + 0.45, front - 0.25)
    slope = slab(0.56, 0.06, 0.86, 0.02)
    slopes = [slope.turned("z", s * -0.11).moved(x + s * 0.2, y + 0.63, 0.94).boxed_uvs() for s in (-1, 1)]
    pane = slab(0.44, 0.38, 0.05).moved(x, y + 0.28, front)
    bars = [slab(0.5, 0.06, 0.08, 0.015).moved(x, y + h, front + 0.02) for h in (0.08, 0.48)]
    bars += [slab(0.05, 0.4, 0.08, 0.015).moved(x + d, y + 0.28, front + 0.02) for d in (-0.23, 0.0, 0.23)]
    return (*cover(SLATE, *slopes), *cover(WHITE, body, gable, *bars), *cover(PANE, pane))


def slate_roof() -> tuple[Piece, ...]:
    """Blue slates with white boards and two dormer windows in front."""
    ridge = [
        extrude([(-0.2, -0.13), (0.2, -0.13), (0.06, 0.05), (-0.06, 0.05)], 0.6, 0.015, "x", 1).moved(
            x, RIDGE + 0.19, 0
        )
        for x in (-1.98, -1.32, -0.66, 0.0, 0.66, 1.32, 1.98)
    ]
    return (
        *_slope_body(SLATE, 0.2, 8, 0.045),
        *_dormer(-1.05),
        *_dormer(1.05),
        *cover(WHITE, *_barge_boards(0.09, 0.2)),
        *cover(IRON, *ridge),
    )


def _tile_course(waves: int, length: float, width: float, thick: float) -> Shell:
    """One course of pantiles: a wavy top over a flat underside, lying along X, its lower end at z = 0."""
    steps = 4 * waves
    share = np.arange(steps + 1, dtype=np.float64) / steps
    wave, _ = cosine_sine(share * waves + 0.5)
    top = np.stack([(0.5 - share) * width, thick * (0.55 + 0.45 * wave)], axis=1)
    outline = np.concatenate([[[-width / 2, -0.02], [width / 2, -0.02]], top])
    return extrude(outline, length, 0.0, "z").moved(z=-length / 2)


def pantile_roof() -> tuple[Piece, ...]:
    """Courses of wavy clay tiles under a ridge of half-round caps."""
    under = [(-OVERHANG, roof_line(OVERHANG) - 0.003), (0.0, RIDGE - 0.003), (OVERHANG, roof_line(OVERHANG) - 0.003)]
    over = [(OVERHANG, roof_line(OVERHANG) + 0.1), (0.0, RIDGE + 0.1), (-OVERHANG, roof_line(OVERHANG) + 0.1)]
    deck = slope_uvs(extrude([*under, *over], WIDTH + 0.44, 0.0, "x"))
    courses, count = [], 4
    length = OVERHANG * PITCH_LENGTH / count
    for k in range(count):
        tile = _tile_course(12, length * 1.12, WIDTH + 0.56, 0.24).turned("x", 0.118)
        z = OVERHANG * (1 - k / count) - 0.13
        front = tile.moved(0, roof_line(z) + 0.115, z)
        courses += [front, front.turned("y", 0.5)]
    caps = [
        tapered(
            [(x - 0.26, RIDGE + 0.11, 0), (x, RIDGE + 0.115, 0), (x + 0.24, RIDGE + 0.11, 0)], [0.11, 0.12, 0.14], 1, 7
        )
        for x in (-2.2, -1.76, -1.32, -0.88, -0.44, 0.0, 0.44, 0.88, 1.32, 1.76, 2.2)
    ]
    return (*cover(PANTILE, *courses, *caps), *cover(WHITE, deck))


def turf_roof() -> tuple[Piece, ...]:
    """A thick lawn with flowers held by birch logs."""
    thick, low = 0.2, roof_line(OVERHANG)
    upper = smooth(
        [
            (OVERHANG, low + 0.06),
            (OVERHANG - 0.03, low + 0.16),
            (1.3, roof_line(1.3) + thick),
            (0.6, roof_line(0.6) + thick + 0.03),
            (0.15, roof_line(0.15) + thick - 0.01),
            (0.0, RIDGE + thick - 0.06),
        ],
        2,
    )
    lawn = slope_uvs(extrude(thick_roof(upper), WIDTH + 0.5, 0.05, "x", 2))
    logs = [
        tube([(-HALF - 0.3, y, s * z), (0, y, s * z), (HALF + 0.3, y, s * z)], 0.1, 9)
        for s in (-1, 1)
        for z, y in ((OVERHANG - 0.07, low + 0.12),)
    ]
    logs += [
        tube(
            [
                (x, low + 0.1, s * (OVERHANG - 0.06)),
                (x, (low + RIDGE) / 2 + 0.13, s * 0.85),
                (x, RIDGE + 0.17, s * -0.04),
            ],
            0.08,
            8,
        )
        for x in (-HALF - 0.26, HALF + 0.26)
        for s in (-1, 1)
    ]
    tufts = [ellipsoid(0.4, 0.16, 0.34, 7, 4).moved(x, roof_line(z) + thick, z) for x, z in TUFTS]
    stalks = [
        lathe([(0.02, -0.1), (0.015, 0.16), (0.06, 0.19), (0.0, 0.23)], 6).moved(
            x + 0.1, roof_line(z) + thick + 0.02, z
        )
        for x, z in TUFTS
    ]
    return (*cover(TURF, lawn, *tufts), *cover(LOG, *logs), *cover(WHITE, *stalks))


def onion_dome() -> tuple[Piece, ...]:
    """A ribbed onion of green copper on a drum, with a gilded ball and point."""
    drum = lathe(fillet([(0.5, 0.0), (0.5, 0.1), (0.42, 0.14), (0.42, 0.42), (0.5, 0.48), (0.46, 0.54)], 0.02, 2), 16)
    line = smooth([(0.42, 0.5), (0.62, 0.72), (0.62, 0.96), (0.4, 1.24), (0.14, 1.5), (0.05, 1.72)], 3)
    bulb = lathe(line, 18)
    arches = around(slab(0.12, 0.22, 0.06, 0.05).moved(0, 0.28, 0.41), 8)
    ribs = around(tube(np.stack([0.0 * line[:, 0], line[:, 1], line[:, 0]], axis=1), 0.024, 4), 6, start=0.0625)
    balls = [ellipsoid(d, d, d, 10, 6).moved(0, y, 0) for d, y in ((0.18, 1.78), (0.1, 1.92))]
    point = lathe([(0.03, 1.86), (0.02, 2.0), (0.0, 2.26)], 8)
    return (*cover(LIME, drum), *cover(PANE, *arches), *cover(VERDIGRIS, bulb), *cover(GOLD, *ribs, *balls, point))


def _stack_foot(width: float, depth: float, top: float, z: float = -0.72) -> Shell:
    """A shaft whose foot follows the back slope of a cottage's roof, moved to x = z = 0."""
    half = depth / 2
    low = [(-half, roof_line(z - half) - roof_line(z)), (half, roof_line(z + half) - roof_line(z))]
    flat = [(-low[1][0], low[1][1]), (-low[0][0], low[0][1])]
    return extrude([*flat, (half, top), (-half, top)], width, 0.015, "x", 1).boxed_uvs()


def limewashed_chimney() -> tuple[Piece, ...]:
    """A tall white stack with a moulded head and a row of clay pots with lids."""
    shaft = _stack_foot(0.8, 0.5, 1.6)
    rims = [box(w, 0.08, w - 0.3, 0.03).moved(0, y, 0) for w, y in ((0.88, 1.32), (0.94, 1.52), (1.02, 1.6))]
    pot = lathe(
        fillet([(0.11, 0.0), (0.13, 0.04), (0.1, 0.26), (0.13, 0.3), (0.13, 0.34), (0.09, 0.34), (0.08, 0.2)], 0.01, 1),
        12,
    )
    pots = [pot.moved(x, 1.62, 0) for x in (-0.28, 0.0, 0.28)]
    lids = [slab(0.3, 0.03, 0.3, 0.01).moved(x, 2.02, 0) for x in (-0.28, 0.28)]
    props = [
        tube([(x + a, 1.9, b), (x + a, 2.02, b)], 0.014, 5)
        for x in (-0.28, 0.28)
        for a in (-0.1, 0.1)
        for b in (-0.05, 0.05)
    ]
    return (*cover(LIME, shaft), *cover(STONE, *rims), *cover(CLAY, *pots), *cover(IRON, *lids, *props))


def stork_chimney() -> tuple[Piece, ...]:
    """A brick stack with a stork standing in a nest of twigs."""
    shaft = _stack_foot(0.62, 0.56, 1.2)
    collar = box(0.74, 0.12, 0.68, 0.03).moved(0, 1.16, 0)
    nest = lathe([(0.2, 1.2), (0.42, 1.26), (0.5, 1.4), (0.42, 1.44), (0.2, 1.34)], 18)
    twigs = around(tube([(-0.3, 0, 0.44), (0.0, 0.03, 0.47), (0.32, 0.0, 0.42)], 0.022, 4).moved(y=1.36), 8)
    twigs += around(
        tube([(-0.3, 0.02, 0.4), (0.0, 0.0, 0.46), (0.3, 0.05, 0.43)], 0.02, 4).moved(y=1.28), 7, start=0.05
    )
    body = ellipsoid(0.34, 0.34, 0.62, 12, 6).turned("x", -0.06).moved(0, 1.9, 0)
    neck = tapered([(0, 1.96, 0.22), (0, 2.14, 0.3), (0, 2.32, 0.24), (0, 2.42, 0.26)], [0.11, 0.07, 0.065, 0.07], 3, 8)
    head = ellipsoid(0.17, 0.16, 0.2, 9, 5).moved(0, 2.44, 0.28)
    bill = lathe([(0.045, 0.0), (0.035, 0.12), (0.0, 0.42)], 8).turned("x", 0.28).moved(0, 2.43, 0.34)
    legs = [tube([(s * 0.07, 1.34, 0.02), (s * 0.07, 1.76, 0.0)], 0.022, 6) for s in (-1, 1)]
    wings = [ellipsoid(0.1, 0.26, 0.58, 9, 5).turned("x", -0.07).moved(s * 0.15, 1.92, -0.12) for s in (-1, 1)]
    tail = ellipsoid(0.16, 0.09, 0.3, 7, 4).turned("x", -0.1).moved(0, 1.77, -0.32)
    eyes = [ellipsoid(0.04, 0.04, 0.04, 6, 4).moved(s * 0.075, 2.46, 0.32) for s in (-1, 1)]
    return (
        *cover(BRICK, shaft),
        *cover(STONE, collar),
        *cover(TWIGS, nest, *twigs),
        *cover(STORK, body, neck, head),
        *cover(BLACK, *wings, tail, *eyes),
        *cover(BILL, bill, *legs),
    )


def ship_vane() -> tuple[Piece, ...]:
    """A copper vane with a ship in full sail over the points of the compass."""
    base = lathe(fillet([(0.13, 0.0), (0.13, 0.05), (0.05, 0.12), (0.035, 0.2)], 0.015, 2), 12)
    pole = tube([(0, 0.1, 0), (0, 0.4, 0), (0, 0.7, 0)], 0.026, 8)
    arms = around(tube([(0, 0.34, 0.0), (0, 0.34, 0.3)], 0.016, 6), 4)
    tips = around(extrude([(-0.06, -0.02), (0.06, -0.02), (0.0, 0.09)], 0.03, 0.0, "y").moved(0, 0.34, 0.3), 4)
    ball = ellipsoid(0.11, 0.11, 0.11, 8, 5).moved(0, 0.34, 0)
    hull = extrude(
        smooth(
            [
                (-0.42, 0.12),
                (-0.36, -0.02),
                (-0.2, -0.08),
                (0.2, -0.08),
                (0.36, 0.02),
                (0.5, 0.16),
                (0.3, 0.08),
                (-0.24, 0.06),
            ],
            2,
            closed=True,
        ),
        0.1,
        0.02,
        "z",
        1,
    ).moved(0, 0.76, 0)
    masts = [tube([(x, 0.8, 0), (x, 0.8 + h, 0)], 0.018, 6) for x, h in ((-0.2, 0.5), (0.08, 0.62), (0.3, 0.42))]
    sails = [
        bowed(slab(w, h, 0.03, 0.02).turned("y", 0.25), "y", "x", -1.6).moved(x + 0.025, y, 0)
        for x, y, w, h in (
            (-0.2, 1.0, 0.3, 0.2),
            (0.08, 1.0, 0.36, 0.22),
            (0.08, 1.26, 0.26, 0.18),
            (-0.2, 1.22, 0.2, 0.14),
            (0.3, 1.02, 0.26, 0.2),
        )
    ]
    flag = extrude([(0.0, -0.05), (0.0, 0.05), (-0.2, 0.0)], 0.03, 0.0, "z").moved(0.08, 1.42, 0)
    spar = tube([(0.4, 0.86, 0), (0.68, 1.0, 0)], 0.016, 6)
    return (
        *cover(IRON, base, pole, *arms),
        *cover(GOLD, *tips, ball, *sails, flag),
        *cover(COPPER, hull, *masts, spar),
    )


def satellite_dish() -> tuple[Piece, ...]:
    """A white dish on a bent mast with a feed on an arm."""
    foot = lathe(fillet([(0.36, 0.0), (0.36, 0.05), (0.1, 0.1), (0.06, 0.2)], 0.02, 2), 16)
    mast = wire([(0, 0.1, 0), (0, 0.4, 0), (0, 0.66, -0.02), (0, 0.8, 0.06)], 0.05, 3, 8)
    line = smooth([(0.0, 0.0), (0.26, 0.05), (0.48, 0.18), (0.5, 0.2), (0.46, 0.205), (0.25, 0.09), (0.0, 0.04)], 2)
    dish = lathe(line, 24).turned("x", 0.19).moved(0, 0.86, 0.06)
    bracket = slab(0.16, 0.2, 0.12, 0.03).moved(0, 0.8, 0.05)
    arm = wire([(0, 0.62, 0.02), (0, 0.5, 0.3), (0, 0.66, 0.52), (0, 0.9, 0.58)], 0.025, 3, 6)
    feed = lathe(fillet([(0.05, -0.06), (0.07, 0.0), (0.05, 0.12)], 0.01, 2), 12).turned("x", 0.69).moved(0, 0.94, 0.54)
    return (*cover(IRON, foot, mast, bracket, arm), *cover(GREY, dish), *cover(COPPER, feed))
