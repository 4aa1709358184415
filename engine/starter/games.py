"""Dolls, balls and games. Each stands on y = 0 about the origin and is about one unit tall or wide."""

from __future__ import annotations

from engine.starter.forms import bent, coat, disc, fluted, pair, puck, tint
from engine.starter.models import Piece
from engine.starter.outlines import ellipse, fillet, smooth
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, slab
from engine.starter.toys import (
    APRON,
    BLACK,
    BLUE,
    BRASS,
    CREAM,
    GREEN,
    MAPLE,
    ORANGE,
    PINK,
    RED,
    SHAWL,
    SKIN,
    WALNUT,
    YELLOW,
)

LEATHER = tint("white leather", "f1ede2", 0.3, roughness=0.5, contrast=40, seed=541)
IVORY = tint("ivory", "f3ead2", 0.4, roughness=0.3, contrast=24, seed=542)


def matryoshka() -> tuple[Piece, ...]:
    """A big nesting doll in a flowered shawl with a small one beside it."""
    pieces: tuple[Piece, ...] = (*coat(MAPLE, puck(0.5, 0.05, 0.02, 18).scaled(1.15, 1, 0.8)),)
    for scale, x, z, dress in ((1.0, -0.14, -0.04, RED), (0.56, 0.34, 0.12, BLUE)):
        line = [
            (0.24, 0.0),
            (0.27, 0.05),
            (0.31, 0.28),
            (0.25, 0.52),
            (0.22, 0.6),
            (0.24, 0.76),
            (0.18, 0.92),
            (0.0, 0.98),
        ]
        low = lathe([p for p in smooth(line, 2).tolist() if p[1] < 0.53], 14)
        high = lathe(
            [(float(r) + 0.006, float(y)) for r, y in smooth(line, 2) if y > 0.48 and r > 0.01] + [(0.0, 0.98)], 14
        )
        apron = ellipsoid(0.36, 0.42, 0.14, 12, 7).moved(0, 0.28, 0.25)
        face = ellipsoid(0.3, 0.3, 0.14, 14, 8).moved(0, 0.74, 0.185)
        hair = [ellipsoid(0.15, 0.1, 0.06, 8, 5).turned("z", -0.08 * s).moved(0.065 * s, 0.83, 0.235) for s in (-1, 1)]
        eyes = [ellipsoid(0.04, 0.045, 0.03, 6, 4).moved(0.06 * s, 0.76, 0.25) for s in (-1, 1)]
        cheeks = [ellipsoid(0.06, 0.05, 0.03, 7, 4).moved(0.09 * s, 0.7, 0.237) for s in (-1, 1)]
        bow = [ellipsoid(0.1, 0.08, 0.06, 7, 5).turned("z", 0.06 * s).moved(0.06 * s, 0.57, 0.235) for s in (-1, 1)]
        seam = ring(0.262, 0.02, 16, 5).moved(0, 0.51, 0)
        groups = (
            (dress, [low]),
            (SHAWL, [high]),
            (APRON, [apron]),
            (SKIN, [face]),
            (WALNUT, hair),
            (BLACK, eyes),
            (PINK, cheeks),
            (YELLOW, bow),
            (BRASS, [seam]),
        )
        for paint, shells in groups:
            pieces += coat(paint, *[s.scaled(scale, scale, scale).moved(x, 0.045, z) for s in shells])
    return pieces


def dice() -> tuple[Piece, ...]:
    """An ivory and a red die, one leaning on the other."""
    spots = {
        1: [(0, 0)],
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    }

    def die(front: int, side: int, top: int) -> tuple[Shell, list[Shell]]:
        body = box(0.52, 0.52, 0.52, 0.1, 3)
        pips = [disc(0.05, 0.016, 0.0, 10).moved(0.14 * x, 0.14 * y, 0.25) for x, y in spots[front]]
        pips += [disc(0.05, 0.016, 0.0, 10).moved(0.14 * x, 0.14 * y, 0.25).turned("y", 0.25) for x, y in spots[side]]
        pips += [disc(0.05, 0.016, 0.0, 10).moved(0.14 * x, 0.14 * y, 0.25).turned("x", -0.25) for x, y in spots[top]]
        pips += [disc(0.05, 0.016, 0.0, 10).moved(0.14 * x, 0.14 * y, 0.25).turned("y", -0.25) for x, y in spots[2]]
        pips += [disc(0.05, 0.016, 0.0, 10).moved(0.14 * x, 0.14 * y, 0.25).turned("y", 0.5) for x, y in spots[1]]
        return body, pips

    flat, flat_pips = die(5, 3, 6)
    tilted, tilted_pips = die(1, 5, 3)
    low = [s.turned("y", 0.06).moved(-0.22, 0.26, 0.0) for s in (flat, *flat_pips)]
    high = [s.turned("z", 0.07).turned("y", -0.03).moved(0.36, 0.335, 0.06) for s in (tilted, *tilted_pips)]
    return (*coat(IVORY, low[0]), *coat(RED, high[0]), *coat(BLACK, *low[1:]), *coat(CREAM, *high[1:]))


def football() -> tuple[Piece, ...]:
    """A white ball with black patches on a rubber ring."""
    ball = ellipsoid(0.9, 0.9, 0.9, 20, 12).moved(0, 0.5, 0)
    patch = extrude(ellipse(0.3, 0.3, 5, 0.25), 0.03, 0.012, "z", 1)
    patches: list[Shell] = []
    for k in range(5):
        patches.append(patch.moved(0, 0, 0.442).turned("x", -0.074).turned("y", k / 5).moved(0, 0.5, 0))
        patches.append(
            patch.turned("z", 0.5).moved(0, 0, 0.442).turned("x", 0.074).turned("y", k / 5 + 0.1).moved(0, 0.5, 0)
        )
    patches += [patch.moved(0, 0, 0.442).turned("x", -0.25).moved(0, 0.5, 0)]
    base = ring(0.21, 0.1, 16, 6).moved(0, 0.05, 0)
    return (*coat(LEATHER, ball), *coat(BLACK, *patches), *coat(ORANGE, base))


def skittles() -> tuple[Piece, ...]:
    """Three striped pins and a wooden ball on a board."""
    board = box(0.96, 0.05, 0.62, 0.02).moved(0, 0.025, 0.04)
    line = [(0.08, 0.0), (0.1, 0.03), (0.13, 0.2), (0.1, 0.42), (0.055, 0.54), (0.08, 0.66), (0.05, 0.75), (0.0, 0.77)]
    pin = lathe(smooth(line, 2), 14)
    band = [ring(r, 0.03, 14, 5).moved(0, y, 0) for r, y in ((0.063, 0.5), (0.06, 0.57))]
    spots = ((-0.28, -0.1), (0.06, -0.12), (-0.1, 0.16))
    pieces: tuple[Piece, ...] = (
        *coat(MAPLE, board),
        *coat(BLUE, ellipsoid(0.32, 0.32, 0.32, 14, 9).moved(0.3, 0.2, 0.14)),
    )
    for (x, z), paint in zip(spots, (RED, GREEN, YELLOW), strict=True):
        pieces += (*coat(CREAM, pin.moved(x, 0.045, z)), *coat(paint, *[b.moved(x, 0.045, z) for b in band]))
        pieces += coat(
            paint,
            lathe(
                smooth([(0.107, 0.1), (0.136, 0.2), (0.122, 0.32), (0.09, 0.3), (0.09, 0.12)], 2, closed=True),
                14,
                loop=True,
            ).moved(x, 0.045, z),
        )
    return pieces


def jack_in_the_box() -> tuple[Piece, ...]:
    """A clown on a spring out of a painted box with a crank."""
    body = box(0.56, 0.46, 0.56, 0.03).moved(0, 0.25, 0)
    edges = [box(0.62, 0.05, 0.62, 0.02).moved(0, y, 0) for y in (0.025, 0.48)]
    lid = slab(0.6, 0.56, 0.05, 0.02).turned("x", -0.04).moved(0, 0.76, -0.36)
    coils = [
        (0.11 * float(x), 0.5 + 0.0125 * k, 0.11 * float(z)) for k, (x, z) in enumerate(ellipse(2, 2, 8).tolist() * 3)
    ]
    spring = bent(coils, 0.02, 5, 1)
    collar = fluted(lathe(smooth([(0.0, 0.78), (0.22, 0.79), (0.22, 0.82), (0.0, 0.86)], 1), 32), 8, 0.12)
    head = ellipsoid(0.36, 0.38, 0.36, 14, 9).moved(0, 1.0, 0)
    hair = pair(ellipsoid(0.2, 0.2, 0.2, 8, 6).moved(0.19, 1.04, -0.03))
    nose = ellipsoid(0.11, 0.11, 0.11, 8, 6).moved(0, 0.99, 0.19)
    hat = [
        lathe(smooth([(0.0, 1.12), (0.15, 1.14), (0.1, 1.26), (0.0, 1.44)], 2), 12),
        ellipsoid(0.1, 0.1, 0.1, 8, 5).moved(0, 1.44, 0),
    ]
    eyes = pair(ellipsoid(0.05, 0.08, 0.04, 7, 5).moved(0.07, 1.06, 0.155))
    smile = bent([(-0.1, 0.93, 0.135), (0, 0.87, 0.14), (0.1, 0.93, 0.135)], 0.018, 6)
    crank = bent([(0.27, 0.26, 0), (0.38, 0.26, 0), (0.38, 0.16, 0.06), (0.48, 0.16, 0.06)], 0.022, 6, 2)
    knob = ellipsoid(0.09, 0.08, 0.08, 8, 5).moved(0.49, 0.16, 0.06)
    badge = [disc(0.15, 0.02, 0.006, 14).moved(0, 0.25, 0.275), disc(0.09, 0.03, 0.006, 12).moved(0, 0.25, 0.275)]
    return (
        *coat(BLUE, body, lid),
        *coat(YELLOW, *edges, badge[0], collar),
        *coat(BRASS, spring, crank),
        *coat(SKIN, head),
        *coat(ORANGE, *hair),
        *coat(RED, nose, hat[0], smile, knob, badge[1]),
        *coat(CREAM, hat[1]),
        *coat(BLACK, *eyes),
    )


def dump_truck() -> tuple[Piece, ...]:
    """A toy dump truck with a yellow bed."""
    chassis = box(0.36, 0.08, 1.0, 0.03).moved(0, 0.2, 0)
    cab = extrude(
        fillet(
            [(-0.5, 0.2), (-0.18, 0.2), (-0.18, 0.62), (-0.36, 0.62), (-0.42, 0.42), (-0.5, 0.38)], 0.05, 2, closed=True
        ),
        0.42,
        0.03,
        "x",
        1,
    )
    pane = [
        extrude(
            fillet([(-0.395, 0.42), (-0.24, 0.42), (-0.24, 0.57), (-0.35, 0.57)], 0.02, 2, closed=True),
            0.44,
            0.008,
            "x",
            1,
        ),
        slab(0.3, 0.14, 0.03, 0.03).turned("x", -0.045).moved(0, 0.5, 0.395),
    ]
    bed = extrude(
        fillet([(-0.14, 0.3), (0.5, 0.34), (0.56, 0.62), (-0.2, 0.62)], 0.04, 2, closed=True), 0.5, 0.03, "x", 1
    )
    lip = extrude([(-0.24, 0.6), (0.58, 0.6), (0.58, 0.66), (-0.24, 0.66)], 0.54, 0.015, "x", 1)
    load = [ellipsoid(0.26, 0.2, 0.26, 7, 5).moved(0.1 * (-1) ** k, 0.68, -0.4 + 0.16 * k) for k in range(4)]
    wheels = [
        puck(0.16, 0.11, 0.03, 14).turned("z", -0.25 * s).moved(0.16 * s, 0.16, z)
        for s in (-1, 1)
        for z in (0.32, -0.32)
    ]
    hubs = [
        puck(0.08, 0.03, 0.01, 10).turned("z", -0.25 * s).moved(0.26 * s, 0.16, z)
        for s in (-1, 1)
        for z in (0.32, -0.32)
    ]
    lamps = [disc(0.045, 0.03, 0.01, 10).moved(x, 0.3, 0.495) for x in (-0.13, 0.13)]
    bumper = box(0.44, 0.07, 0.06, 0.02).moved(0, 0.21, 0.51)
    return (
        *coat(RED, cab),
        *coat(BLACK, chassis, *wheels),
        *coat(BLUE, *pane),
        *coat(YELLOW, bed, lip, *hubs),
        *coat(CREAM, *lamps, bumper),
        *coat(WALNUT, *load),
    )
