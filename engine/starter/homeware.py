"""Things for tables and shelves. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

import numpy as np

from engine.starter import patterns
from engine.starter.models import Piece, cover
from engine.starter.outlines import ellipse, fillet, gear, rectangle, smooth, star
from engine.starter.paints import Paint, cloth, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, slab, tube
from engine.starter.tableware import BERRY, WALNUT

BRASS = metal("brass", "c99c42", 0.5, seed=67)
COPPER = metal("copper", "bb6d42", 0.5, seed=68)
SILVER = metal("silver", "c2c6ca", 0.5, roughness=0.28, seed=69)
GOLD = metal("gold", "dfae3f", 0.6, roughness=0.3, seed=70)
OAK = wood("oak", "b07c46", 0.8, planks=2, seed=73)
LINEN = cloth("cream linen", "ecdcb9", 0.5, seed=74)
CHECKED = cloth("checked cloth", "c5473d", 0.5, "f5ead2", pattern=patterns.checks, seed=75)
GLOW = glass("lit lamp glass", "ffd98a", 0.4, "fff6d8", emissive=0.6)
WAX = plain("ivory wax", "f1e3c4", 0.5, contrast=40, seed=76)
FLAME = glass("candle flame", "ffb347", 0.4, "fff2b8", emissive=0.9)
PAPER = patterned("book pages", "efe4c8", "efe4c8", 0.3, patterns.pages, seed=77)
RED_COVER = cloth("red book cloth", "a63b34", 0.5, seed=78)
BLUE_COVER = cloth("blue book cloth", "35608c", 0.5, seed=79)
GREEN_COVER = cloth("green book cloth", "4f7a4a", 0.5, seed=80)
MAP = patterned("painted map", "4a93b8", "8cb05a", 1.6, patterns.lands, roughness=0.5, seed=91)
DIAL = plain("clock dial", "f5ecd6", 0.9, contrast=20, seed=92)
INK = plain("black ink", "2e2c33", 0.3, contrast=20, seed=93)


def table_lamp(foot: Paint, shade: Paint, *, bell: bool = True) -> tuple[Piece, ...]:
    """A lamp with a turned foot and a cloth shade, or a swan neck with a metal bell."""
    base = lathe(fillet([(0.0, 0.0), (0.26, 0.0), (0.26, 0.06), (0.12, 0.1), (0.0, 0.1)], 0.03, 3), 20)
    if bell:
        stem = lathe(smooth([(0.04, 0.08), (0.1, 0.18), (0.05, 0.3), (0.09, 0.42), (0.035, 0.54), (0.03, 0.72)], 2), 14)
        profile = [(0.34, 0.56), (0.2, 0.98), (0.18, 0.98), (0.32, 0.56)]
        hood = lathe(profile, 20, loop=True)
        bulb = ellipsoid(0.16, 0.2, 0.16, 10, 8).moved(0, 0.76, 0)
        spider = [tube([(-0.24, 0.78, 0), (0.24, 0.78, 0)], 0.012, 5).turned("y", t) for t in (0.0, 0.25)]
        return (*cover(foot, base, stem, *spider), *cover(shade, hood), *cover(GLOW, bulb))
    neck = tube(smooth([(0, 0.08, 0), (0, 0.6, -0.04), (0, 0.9, 0.0), (0, 0.98, 0.14), (0, 0.9, 0.24)], 4), 0.035, 8)
    hood = lathe(
        [
            *smooth([(0.24, 0.0), (0.22, 0.08), (0.12, 0.18), (0.05, 0.22)], 3).tolist(),
            *[(0.03, 0.19), (0.1, 0.14), (0.19, 0.06), (0.21, 0.0)],
        ],
        18,
        loop=True,
    )
    bulb = ellipsoid(0.2, 0.18, 0.2, 10, 8).moved(0, 0.1, 0)
    head = [s.turned("x", -0.06).moved(0, 0.7, 0.28) for s in (hood, bulb)]
    return (*cover(foot, base, neck), *cover(shade, head[0]), *cover(GLOW, head[1]))


def books(covers: tuple[Paint, ...]) -> tuple[Piece, ...]:
    """A pile of closed books, each turned a little."""
    pieces: tuple[Piece, ...] = ()
    y = 0.0
    for k, paint in enumerate(covers):
        width, thick, depth = 0.8 - 0.06 * k, 0.17 + 0.03 * (k % 2), 0.58 - 0.03 * k
        boards = [box(width, 0.03, depth, 0.02, 2).moved(0, h, 0) for h in (0.015, thick - 0.015)]
        spine = (
            extrude(ellipse(thick, 0.1, 10), depth, 0.01, "z", 1)
            .turned("z", 0.25)
            .moved(-width / 2 + 0.01, thick / 2, 0)
        )
        block = box(width - 0.06, thick - 0.03, depth - 0.06).moved(0.01, thick / 2, 0).boxed_uvs()
        bands = [
            extrude(ellipse(thick + 0.012, 0.112, 10), 0.03, 0.0, "z")
            .turned("z", 0.25)
            .moved(-width / 2 + 0.01, thick / 2, z)
            for z in (-0.18, 0.18)
        ]
        turns = (0.015, -0.03, 0.04, -0.01)[k % 4]

        def lay(shells: list[Shell], angle: float = turns, level: float = y) -> list[Shell]:
            return [s.turned("y", angle).moved(0, level, 0) for s in shells]

        pieces += (*cover(paint, *lay([*boards, spine])), *cover(PAPER, *lay([block])), *cover(GOLD, *lay(bands)))
        y += thick
    return pieces


def mantel_clock(case: Paint, trim: Paint, *, arched: bool) -> tuple[Piece, ...]:
    """A clock in a wooden case, or a round alarm clock with bells."""
    hands = [slab(0.03, 0.2, 0.02, 0.01, 1).moved(0, 0.08, 0).turned("z", t) for t in (0.12, -0.17)]
    ticks = [slab(0.022, 0.05, 0.02).moved(0, 0.225, 0).turned("z", k / 12) for k in range(12)]
    if arched:
        outline = fillet(
            [(-0.36, 0.1), (0.36, 0.1), (0.36, 0.62), (0.2, 0.9), (-0.2, 0.9), (-0.36, 0.62)], 0.16, 5, closed=True
        )
        body = extrude(outline, 0.3, 0.04, "z", 2)
        foot = [
            box(0.86, 0.1, 0.4, 0.05).moved(0, 0.07, 0),
            *[ellipsoid(0.12, 0.08, 0.12, 9, 6).moved(x, 0.04, z) for x in (-0.36, 0.36) for z in (-0.14, 0.14)],
        ]
        face, y, z = 0.29, 0.55, 0.15
        extra = [ellipsoid(0.12, 0.14, 0.12, 9, 6).moved(0, 0.94, 0)]
    else:
        body = (
            lathe(fillet([(0.0, -0.15), (0.36, -0.15), (0.38, 0.0), (0.36, 0.15), (0.0, 0.15)], 0.05, 3), 22)
            .turned("x", 0.25)
            .moved(0, 0.46, 0)
        )
        foot = [tube([(x, 0.03, 0.05), (x * 0.8, 0.16, 0.0)], 0.045, 6) for x in (-0.28, 0.28)] + [
            tube([(0, 0.03, -0.18), (0, 0.12, -0.1)], 0.045, 6)
        ]
        face, y, z = 0.31, 0.46, 0.15
        bell = lathe(smooth([(0.13, 0.0), (0.12, 0.07), (0.0, 0.12)], 3), 14)
        extra = [bell.turned("z", -t).moved(x, 0.83, 0) for x, t in ((-0.2, -0.08), (0.2, 0.08))]
        extra += [
            tube(smooth([(-0.2, 0.9, 0), (0, 1.0, 0), (0.2, 0.9, 0)], 3), 0.02, 6),
            tube([(-0.17, 0.72, 0), (-0.2, 0.86, 0)], 0.02, 5),
            tube([(0.17, 0.72, 0), (0.2, 0.86, 0)], 0.02, 5),
        ]
    rim = ring(face, 0.05, 22, 6).turned("x", 0.25).moved(0, y, z)
    dial = (
        lathe([(0.0, 0.0), (face, 0.0), (face - 0.02, 0.02), (0.0, 0.025)], 20).turned("x", 0.25).moved(0, y, z - 0.005)
    )
    marks = [s.moved(0, y, z + 0.024) for s in (*hands, *ticks)]
    return (*cover(case, body, *foot), *cover(trim, rim, *extra), *cover(DIAL, dial), *cover(INK, *marks))


def candlestick(holder: Paint, *, arms: int = 1) -> tuple[Piece, ...]:
    """A candlestick with one candle, or a branched one with three."""
    foot = lathe(
        smooth([(0.28, 0.0), (0.27, 0.04), (0.12, 0.09), (0.05, 0.16), (0.07, 0.24), (0.04, 0.34), (0.04, 0.46)], 2), 16
    )
    spots = [(0.0, 0.46)] if arms == 1 else [(0.0, 0.52), (-0.26, 0.46), (0.26, 0.46)]
    cup = lathe(
        fillet(
            [(0.0, 0.0), (0.05, 0.0), (0.14, 0.05), (0.14, 0.07), (0.075, 0.06), (0.075, 0.12), (0.0, 0.12)], 0.015, 2
        ),
        14,
    )
    cups = [cup.moved(x, y, 0) for x, y in spots]
    branches = (
        [
            tube(smooth([(0, 0.36, 0), (s * 0.12, 0.3, 0), (s * 0.24, 0.34, 0), (s * 0.26, 0.48, 0)], 3), 0.03, 6)
            for s in (-1, 1)
        ]
        if arms > 1
        else [ring(0.16, 0.05, 14, 6).turned("x", 0.25).scaled(0.7, 0.7, 1).moved(0.16, 0.18, 0)]
    )
    candle = lathe(fillet([(0.0, 0.0), (0.062, 0.0), (0.062, 0.34), (0.05, 0.36), (0.0, 0.35)], 0.02, 2), 12)
    flame = lathe(smooth([(0.0, 0.0), (0.032, 0.05), (0.02, 0.11), (0.0, 0.16)], 2), 8)
    candles = [candle.moved(x, y + 0.09, 0) for x, y in spots]
    flames = [flame.moved(x, y + 0.44, 0) for x, y in spots]
    return (*cover(holder, foot, *cups, *branches), *cover(WAX, *candles), *cover(FLAME, *flames))


def desk_globe() -> tuple[Piece, ...]:
    """A tilted globe in a brass half ring on a wooden foot."""
    foot = lathe(smooth([(0.3, 0.0), (0.3, 0.05), (0.14, 0.1), (0.06, 0.16), (0.05, 0.24)], 2), 20)
    ball = ellipsoid(0.64, 0.64, 0.64, 22, 13).turned("z", -0.065).moved(0, 0.62, 0)
    angles = np.linspace(0.0, 0.5, 15)
    arc = [(0.37 * float(c), 0.37 * float(s), 0.0) for c, s in ellipse(2, 2, 24)[: len(angles) + 2]]
    bow = tube(arc, 0.025, 6).turned("z", 0.685).moved(0, 0.62, 0)
    pins = [
        ellipsoid(0.07, 0.07, 0.07, 8, 6).moved(0, s * 0.355, 0).turned("z", -0.065).moved(0, 0.62, 0) for s in (-1, 1)
    ]
    return (
        *cover(WALNUT, foot),
        *cover(MAP, ball),
        *cover(BRASS, bow, *pins, ring(0.055, 0.03, 10, 5).moved(0, 0.24, 0)),
    )


def trophy() -> tuple[Piece, ...]:
    """A golden cup with two handles and a star on a dark plinth."""
    plinth = box(0.5, 0.18, 0.5, 0.04).moved(0, 0.09, 0)
    cup = lathe(
        [
            (0.0, 0.18),
            *smooth(
                [(0.2, 0.18), (0.18, 0.22), (0.05, 0.3), (0.06, 0.42), (0.26, 0.54), (0.34, 0.76), (0.36, 1.0)], 3
            ).tolist(),
            (0.33, 1.0),
            (0.3, 0.78),
            (0.2, 0.62),
            (0.0, 0.58),
        ],
        20,
    )
    grips = [
        tube(
            smooth(
                [
                    (s * 0.33, 0.92, 0),
                    (s * 0.52, 0.94, 0),
                    (s * 0.54, 0.74, 0),
                    (s * 0.38, 0.6, 0),
                    (s * 0.27, 0.58, 0),
                ],
                3,
            ),
            0.03,
            6,
        )
        for s in (-1, 1)
    ]
    badge = extrude(star(0.15, 0.065, 5), 0.06, 0.015, "z", 1).moved(0, 0.8, 0.345)
    plate = slab(0.3, 0.09, 0.03, 0.02).moved(0, 0.1, 0.25)
    return (*cover(WALNUT, plinth), *cover(GOLD, cup, *grips), *cover(SILVER, badge, plate))


def music_box() -> tuple[Piece, ...]:
    """A little carousel of cog wheels under a dome."""
    foot = lathe(fillet([(0.0, 0.0), (0.42, 0.0), (0.42, 0.14), (0.36, 0.2), (0.0, 0.2)], 0.04, 3), 20)
    wheels = [
        extrude(gear(r, r * 0.8, n), 0.06, 0.012, "y", 1).moved(x, y, z)
        for r, n, x, y, z in ((0.26, 14, 0.0, 0.25, 0.0), (0.16, 9, 0.1, 0.34, 0.08), (0.12, 8, -0.12, 0.34, -0.04))
    ]
    post = lathe(smooth([(0.05, 0.2), (0.035, 0.5), (0.05, 0.74)], 3), 10)
    top = lathe(smooth([(0.4, 0.74), (0.38, 0.8), (0.2, 0.92), (0.03, 1.04)], 3), 20)
    balls = [ellipsoid(0.08, 0.08, 0.08, 8, 6).moved(0.38, 0.73, 0).turned("y", k / 8) for k in range(8)]
    finial = ellipsoid(0.1, 0.12, 0.1, 9, 6).moved(0, 1.07, 0)
    horses = [tube([(0.28, 0.3, 0), (0.28, 0.76, 0)], 0.016, 5).turned("y", k / 4 + 0.1) for k in range(4)]
    return (
        *cover(WALNUT, foot),
        *cover(BRASS, *wheels, post, *horses, finial),
        *cover(CHECKED, top),
        *cover(BERRY, *balls),
    )


def picture_frame() -> tuple[Piece, ...]:
    """A framed landscape leaning on its own strut."""
    picture = slab(0.62, 0.46, 0.03).moved(0, 0.36, 0.02)
    bars = [slab(0.8, 0.1, 0.09, 0.03).moved(0, y, 0) for y in (0.1, 0.62)] + [
        slab(0.1, 0.6, 0.09, 0.03).moved(x, 0.36, 0) for x in (-0.35, 0.35)
    ]
    foot = box(0.7, 0.06, 0.4, 0.03).moved(0, 0.03, -0.02)
    back = slab(0.66, 0.5, 0.04, 0.01, 1).moved(0, 0.36, -0.02)
    strut = extrude(rectangle(0.1, 0.5, 0.03), 0.03, 0.008).turned("x", 0.08).moved(0, 0.26, -0.12)
    return (*cover(MAP, picture), *cover(GOLD, *bars), *cover(WALNUT, foot, back, strut))
