"""Signs and lights of streets and shops. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from itertools import pairwise

from engine.starter import patterns
from engine.starter.forms import bent, coat, disc, lit, puck, rod, tint
from engine.starter.models import Piece
from engine.starter.outlines import ellipse, fillet, points_of, smooth
from engine.starter.paints import metal, patterned, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab

STEEL = metal("galvanised steel", "a9b0b3", 0.5, seed=551)
IRON = metal("black iron", "46474e", 0.4, roughness=0.5, seed=552)
OAK = wood("oak", "9a6a3c", 0.6, planks=2, seed=553, size=64)
BOARD = wood("painted board", "3f6f63", 0.8, planks=2, seed=554, size=64)
RED = tint("red reflective paint", "c9332f", 0.6, roughness=0.35, contrast=24, seed=555)
WHITE = tint("white paint", "f4f0e4", 0.5, roughness=0.4, contrast=16, seed=556)
YELLOW = tint("yellow paint", "f2c53a", 0.5, roughness=0.4, contrast=24, seed=557)
BLUE = tint("blue reflective paint", "2f66ad", 0.6, roughness=0.35, contrast=24, seed=558)
BLACK = tint("black paint", "2e2d32", 0.5, roughness=0.45, contrast=20, seed=559)
SLATE = tint("chalkboard", "3a4541", 0.6, contrast=70, seed=560)
CHALK = tint("white chalk", "eeeade", 0.2, contrast=90, seed=561)
PINK = tint("pink chalk", "eb9aa8", 0.2, contrast=90, seed=562)
CONCRETE = tint("concrete", "a7a49b", 0.4, contrast=100, seed=563)
BRASS = metal("brass", "cfa24a", 0.4, seed=564)
BULB = lit(tint("lit bulbs", "ffe09a", 0.3, contrast=20, seed=565), 0.8)
RED_LAMP = lit(tint("lit red lens", "e8423a", 0.3, roughness=0.2, contrast=30, seed=566), 0.7)
AMBER = tint("dark amber lens", "a8762c", 0.3, roughness=0.2, contrast=40, seed=567)
GREEN = tint("dark green lens", "2f6f4a", 0.3, roughness=0.2, contrast=40, seed=568)
ENAMEL = patterned("enamelled board", "2f5f8f", "2f5f8f", 0.8, patterns.brushed, roughness=0.35, seed=569, size=64)

STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "A": (((0.0, 0.0), (0.3, 1.0), (0.6, 0.0)), ((0.12, 0.38), (0.48, 0.38))),
    "C": (((0.6, 0.9), (0.3, 1.0), (0.0, 0.7), (0.0, 0.3), (0.3, 0.0), (0.6, 0.1)),),
    "E": (((0.55, 1.0), (0.0, 1.0), (0.0, 0.0), (0.55, 0.0)), ((0.0, 0.52), (0.45, 0.52))),
    "F": (((0.0, 0.0), (0.0, 1.0), (0.55, 1.0)), ((0.0, 0.52), (0.45, 0.52))),
    "N": (((0.0, 0.0), (0.0, 1.0), (0.6, 0.0), (0.6, 1.0)),),
    "O": (((0.3, 0.0), (0.0, 0.25), (0.0, 0.75), (0.3, 1.0), (0.6, 0.75), (0.6, 0.25), (0.3, 0.0)),),
    "P": (((0.0, 0.0), (0.0, 1.0), (0.4, 1.0), (0.6, 0.78), (0.4, 0.5), (0.0, 0.5)),),
    "S": (((0.02, 0.1), (0.3, 0.0), (0.58, 0.25), (0.02, 0.72), (0.3, 1.0), (0.58, 0.9)),),
    "T": (((0.3, 0.0), (0.3, 1.0)), ((0.0, 1.0), (0.6, 1.0))),
}
"""Pen strokes of capital letters one unit high and 0.6 wide."""


def write_letters(text: str, height: float, width: float, depth: float = 0.02) -> list[Shell]:
    """Flat letters about the origin in the plane z = 0; `width` is that of the pen."""
    advance = 0.86 * height
    start = -0.5 * (advance * (len(text) - 1) + 0.6 * height)
    bars: list[Shell] = []
    for place, letter in enumerate(text):
        for stroke in STROKES[letter]:
            path = [(start + place * advance + height * x, height * (y - 0.5), 0.0) for x, y in stroke]
            bars += [beam(a, b, width, 0.0, depth) for a, b in pairwise(path)]
    return bars


def _post(top: float) -> list[Shell]:
    """A steel post in a block of concrete; the first shell is the block."""
    block = lathe(fillet([(0.0, 0.0), (0.22, 0.0), (0.19, 0.1), (0.0, 0.12)], 0.03, 2), 14)
    return [block, rod((0, 0.06, 0), (0, top, 0), 0.028, 8), ellipsoid(0.06, 0.04, 0.06, 7, 4).moved(0, top, 0)]


def stop_sign() -> tuple[Piece, ...]:
    """A red octagon with white letters."""
    block, *post = _post(1.24)
    back = extrude(ellipse(0.66, 0.66, 8, 0.0625), 0.03, 0.006, "z", 1).moved(0, 1.0, 0.04)
    front = extrude(ellipse(0.6, 0.6, 8, 0.0625), 0.02, 0.0).moved(0, 1.0, 0.054)
    letters = [s.moved(0, 1.0, 0.068) for s in write_letters("STOP", 0.17, 0.036)]
    clamps = [slab(0.12, 0.05, 0.07, 0.01).moved(0, y, 0.0) for y in (0.86, 1.14)]
    return (*coat(CONCRETE, block), *coat(STEEL, *post, *clamps), *coat(WHITE, back, *letters), *coat(RED, front))


def warning_sign() -> tuple[Piece, ...]:
    """A yellow triangle with a red border and an exclamation mark."""
    block, *post = _post(1.1)
    corners = points_of([(-0.4, 0.7), (0.4, 0.7), (0.0, 1.38)])
    middle = points_of([[0.0, 0.927]])
    plate = extrude(fillet(corners, 0.08, 3, closed=True), 0.03, 0.006, "z", 1).moved(0, 0, 0.04)
    field = extrude(fillet((corners - middle) * 0.74 + middle, 0.05, 3, closed=True), 0.02, 0.0).moved(0, 0, 0.054)
    mark = extrude(
        fillet([(-0.022, 0.9), (0.022, 0.9), (0.04, 1.12), (-0.04, 1.12)], 0.015, 2, closed=True), 0.02, 0.0
    ).moved(0, 0, 0.066)
    dot = disc(0.032, 0.02, 0.0, 10).moved(0, 0.845, 0.056)
    clamps = [slab(0.12, 0.05, 0.07, 0.01).moved(0, y, 0.0) for y in (0.78, 1.0)]
    return (
        *coat(CONCRETE, block),
        *coat(STEEL, *post, *clamps),
        *coat(RED, plate),
        *coat(YELLOW, field),
        *coat(BLACK, mark, dot),
    )


def parking_sign() -> tuple[Piece, ...]:
    """A blue square with a white letter, a small plate below."""
    block, *post = _post(1.26)
    plate = slab(0.56, 0.56, 0.03, 0.07).moved(0, 1.0, 0.04)
    field = slab(0.51, 0.51, 0.02, 0.055).moved(0, 1.0, 0.054)
    letter = [s.moved(0.0, 1.0, 0.068) for s in write_letters("P", 0.34, 0.07)]
    small = [slab(0.4, 0.16, 0.03, 0.03).moved(0, 0.6, 0.04)]
    arrow = extrude(
        [(-0.13, -0.018), (0.05, -0.018), (0.05, -0.05), (0.14, 0.0), (0.05, 0.05), (0.05, 0.018), (-0.13, 0.018)],
        0.02,
        0.0,
    ).moved(0, 0.6, 0.06)
    return (
        *coat(CONCRETE, block),
        *coat(STEEL, *post),
        *coat(WHITE, plate, *letter, *small),
        *coat(BLUE, field),
        *coat(BLACK, arrow),
    )


def chalkboard() -> tuple[Piece, ...]:
    """A folding chalkboard with lettering, lines and a drawn cup."""
    frame: list[Shell] = []
    for s in (1, -1):
        bars = [slab(0.07, 0.98, 0.05, 0.012).moved(x, 0.49, 0) for x in (-0.33, 0.33)]
        bars += [slab(0.62, 0.07, 0.05, 0.012).moved(0, y, 0) for y in (0.2, 0.92)]
        frame += [b.turned("x", -0.035 * s).moved(0, 0.008, 0.24 * s) for b in bars]
    plates = [slab(0.6, 0.68, 0.025).moved(0, 0.56, 0).turned("x", -0.035 * s).moved(0, 0, 0.24 * s) for s in (1, -1)]
    words = [s.moved(0, 0.77, 0) for s in write_letters("CAFE", 0.13, 0.022)]
    lines = [slab(0.4 - 0.08 * (k % 2), 0.018, 0.014).moved(-0.02, 0.36 - 0.06 * k, 0) for k in range(2)]
    cup = [
        bent(
            [(-0.1, 0.62, 0), (-0.09, 0.5, 0), (0.0, 0.45, 0), (0.09, 0.5, 0), (0.1, 0.62, 0), (-0.1, 0.62, 0)],
            0.012,
            5,
        ),
        bent([(0.1, 0.59, 0), (0.17, 0.57, 0), (0.16, 0.5, 0), (0.09, 0.5, 0)], 0.01, 5),
    ]
    marks = [
        [s.moved(0, 0, 0.013).turned("x", -0.035).moved(0, 0, 0.24) for s in group] for group in ([*words, *cup], lines)
    ]
    hinges = [rod((x - 0.06, 0.965, 0.0), (x + 0.06, 0.965, 0.0), 0.035) for x in (-0.24, 0.24)]
    chain = [bent([(0.33 * s, 0.3, 0.18), (0.33 * s, 0.25, 0.0), (0.33 * s, 0.3, -0.18)], 0.01, 5) for s in (-1, 1)]
    return (
        *coat(OAK, *frame),
        *coat(SLATE, *plates),
        *coat(CHALK, *marks[0]),
        *coat(PINK, *marks[1]),
        *coat(IRON, *hinges, *chain),
    )


def shop_sign() -> tuple[Piece, ...]:
    """A painted board with the word OPEN on chains from an iron bracket."""
    foot = [
        box(0.8, 0.07, 0.5, 0.03).moved(-0.12, 0.035, 0),
        box(0.1, 1.16, 0.1, 0.02).moved(-0.3, 0.6, 0).swapped_uvs(),
    ]
    cap = lathe([(0.09, 1.16), (0.0, 1.26)], 4).turned("y", 0.125).moved(-0.3, 0, 0)
    arm = rod((-0.3, 1.08, 0), (0.44, 1.08, 0), 0.022)
    scroll = bent([(-0.26, 0.8, 0), (-0.1, 0.86, 0), (0.1, 1.04, 0), (0.2, 1.08, 0)], 0.018)
    curl = bent([(0.42, 1.08, 0), (0.5, 1.1, 0), (0.5, 1.18, 0), (0.43, 1.17, 0), (0.44, 1.12, 0)], 0.018)
    outline = fillet(
        [(-0.26, 0.5), (0.46, 0.5), (0.5, 0.68), (0.46, 0.86), (-0.18, 0.86), (-0.2, 0.68)], 0.05, 2, closed=True
    )
    plate = extrude(outline, 0.05, 0.012, "z", 1).moved(0.02, 0, 0)
    rim = extrude(
        [(0.145 + 1.06 * (x - 0.125), 0.68 + 1.1 * (y - 0.68)) for x, y in outline.tolist()], 0.03, 0.008, "z", 1
    )
    letters = [s.moved(0.17, 0.68, 0.03) for s in write_letters("OPEN", 0.15, 0.03)]
    chains = [rod((x, 0.86, 0), (x, 1.08, 0), 0.012, 6) for x in (-0.06, 0.36)]
    rings = [ring(0.03, 0.014, 10, 5).turned("x", 0.25).moved(x, y, 0) for x in (-0.06, 0.36) for y in (0.9, 1.06)]
    return (
        *coat(OAK, *foot, cap),
        *coat(IRON, arm, scroll, curl, *chains, *rings),
        *coat(BRASS, rim),
        *coat(BOARD, plate),
        *coat(WHITE, *letters),
    )


def tavern_sign() -> tuple[Piece, ...]:
    """A round board with a foaming mug between two posts."""
    base = box(0.9, 0.07, 0.36, 0.03).moved(0, 0.035, 0)
    posts = [
        lathe(
            fillet(
                [(0.05, 0.05), (0.06, 0.2), (0.045, 0.24), (0.045, 1.0), (0.07, 1.02), (0.07, 1.06), (0.0, 1.12)],
                0.012,
                1,
            ),
            10,
        ).moved(x, 0, 0)
        for x in (-0.4, 0.4)
    ]
    crossbar = rod((-0.42, 0.98, 0), (0.42, 0.98, 0), 0.03)
    board = disc(0.29, 0.05, 0.012, 20).moved(0, 0.58, -0.025)
    rim = ring(0.29, 0.05, 20, 5).turned("x", 0.25).moved(0, 0.58, 0)
    links = [rod((x, 0.84, 0), (x, 0.98, 0), 0.012, 6) for x in (-0.09, 0.09)]
    mug = extrude(
        fillet([(-0.11, 0.42), (0.09, 0.42), (0.1, 0.66), (-0.12, 0.66)], 0.02, 2, closed=True), 0.03, 0.008, "z", 1
    ).moved(0, 0, 0.03)
    ear = bent([(0.09, 0.62, 0.03), (0.18, 0.61, 0.03), (0.18, 0.49, 0.03), (0.09, 0.47, 0.03)], 0.018, 6)
    foam = [ellipsoid(0.1, 0.1, 0.06, 8, 5).moved(-0.1 + 0.062 * k, 0.67 + 0.02 * (k % 2), 0.03) for k in range(4)]
    bands = [slab(0.22, 0.02, 0.04).moved(-0.01, y, 0.03) for y in (0.47, 0.61)]
    return (
        *coat(OAK, base, *posts, crossbar),
        *coat(ENAMEL, board),
        *coat(BRASS, rim, mug, ear),
        *coat(IRON, *links, *bands),
        *coat(WHITE, *foam),
    )


def traffic_light() -> tuple[Piece, ...]:
    """A yellow traffic light with hoods, red lit, on a black pole."""
    block, *post = _post(0.62)
    case = extrude(
        fillet([(-0.17, 0.56), (0.17, 0.56), (0.17, 1.3), (-0.17, 1.3)], 0.06, 3, closed=True), 0.24, 0.03, "z", 1
    )
    panel = slab(0.3, 0.7, 0.03, 0.05).moved(0, 0.93, 0.115)
    lenses = [ellipsoid(0.19, 0.19, 0.07, 12, 6).moved(0, 0.7 + 0.23 * k, 0.13) for k in range(3)]
    arc = [(0.105 * float(x), 0.105 * float(y)) for x, y in ellipse(2, 2, 20)[:11]]
    hood = extrude([*arc, *[(1.14 * x, 1.14 * y) for x, y in reversed(arc)]][::-1], 0.16, 0.0)
    hoods = [hood.moved(0, 0.7 + 0.23 * k, 0.2) for k in range(3)]
    cap = box(0.3, 0.05, 0.2, 0.02).moved(0, 1.31, 0)
    return (
        *coat(CONCRETE, block),
        *coat(BLACK, *post, panel, *hoods),
        *coat(YELLOW, case, cap),
        *coat(GREEN, lenses[0]),
        *coat(AMBER, lenses[1]),
        *coat(RED_LAMP, lenses[2]),
    )


def barber_pole() -> tuple[Piece, ...]:
    """A pole with red and blue bands winding round it under a brass ball."""
    foot = lathe(fillet([(0.0, 0.0), (0.26, 0.0), (0.26, 0.06), (0.2, 0.1), (0.16, 0.2), (0.0, 0.2)], 0.025, 2), 14)
    pole = puck(0.115, 0.7, 0.0, 14).moved(0, 0.18, 0)
    turn = ellipse(0.22, 0.22, 12)
    helix = [(float(turn[k % 12, 0]), 0.22 + 0.62 * k / 24, float(turn[k % 12, 1])) for k in range(25)]
    band = bent(helix, 0.036, 6, 1)
    head = lathe(fillet([(0.0, 0.86), (0.16, 0.86), (0.16, 0.92), (0.12, 0.98), (0.0, 1.0)], 0.02, 2), 14)
    ball = ellipsoid(0.22, 0.22, 0.22, 12, 8).moved(0, 1.08, 0)
    rings = [ring(0.125, 0.035, 14, 5).moved(0, y, 0) for y in (0.2, 0.86)]
    return (
        *coat(BLACK, foot),
        *coat(WHITE, pole),
        *coat(RED, band),
        *coat(BLUE, band.turned("y", 0.5)),
        *coat(STEEL, head),
        *coat(BRASS, ball, *rings),
    )


def arrow_sign() -> tuple[Piece, ...]:
    """A curved marquee arrow set with lit bulbs, on two legs."""
    shape = [(-0.5, 0.66), (0.1, 0.66), (0.1, 0.5), (0.56, 0.8), (0.1, 1.1), (0.1, 0.94), (-0.5, 0.94)]
    outline = fillet(shape, 0.03, 2, closed=True)
    case = extrude(outline, 0.14, 0.02, "z", 1)
    face = extrude([(0.02 + 0.86 * (x - 0.02), 0.8 + 0.82 * (y - 0.8)) for x, y in outline.tolist()], 0.03, 0.0).moved(
        0, 0, 0.06
    )
    lights = [(-0.43 + 0.17 * k, 0.8) for k in range(5)] + [
        (0.17, 0.64),
        (0.3, 0.72),
        (0.42, 0.8),
        (0.3, 0.88),
        (0.17, 0.96),
    ]
    bulbs = [ellipsoid(0.08, 0.08, 0.09, 8, 6).moved(x, y, 0.09) for x, y in lights]
    rims = [ring(0.042, 0.016, 10, 5).turned("x", 0.25).moved(x, y, 0.078) for x, y in lights]
    legs = [rod((x, 0.04, 0), (x, 0.72, 0), 0.026) for x in (-0.34, 0.22)]
    feet = [box(0.1, 0.05, 0.42, 0.02).moved(x, 0.025, 0) for x in (-0.34, 0.22)]
    bar = rod((-0.34, 0.26, 0), (0.22, 0.26, 0), 0.018, 6)
    return (
        *coat(RED, case),
        *coat(YELLOW, face),
        *coat(BULB, *bulbs),
        *coat(BRASS, *rims),
        *coat(IRON, *legs, *feet, bar),
    )


def crossing_sign() -> tuple[Piece, ...]:
    """A railway cross over a pair of red lamps."""
    block, *post = _post(1.22)
    arms = [slab(0.86, 0.13, 0.03, 0.02).turned("z", t).moved(0, 1.02, 0.04 + z) for t, z in ((0.1, 0.0), (-0.1, 0.02))]
    stripes = [
        slab(0.2, 0.1, 0.02).moved(0.3 * s, 0, 0).turned("z", t).moved(0, 1.02, 0.052 + z)
        for t, z in ((0.1, 0.0), (-0.1, 0.02))
        for s in (-1, 1)
    ]
    bar = rod((-0.24, 0.62, 0.02), (0.24, 0.62, 0.02), 0.024)
    shields = [disc(0.13, 0.03, 0.01, 14).moved(x, 0.62, 0.03) for x in (-0.22, 0.22)]
    lamps = [ellipsoid(0.13, 0.13, 0.08, 10, 6).moved(x, 0.62, 0.07) for x in (-0.22, 0.22)]
    bell = lathe(smooth([(0.09, 0.0), (0.08, 0.06), (0.0, 0.09)], 2), 12).moved(0, 1.22, 0)
    return (
        *coat(CONCRETE, block),
        *coat(STEEL, *post, bar),
        *coat(WHITE, *arms),
        *coat(RED, *stripes),
        *coat(BLACK, *shields),
        *coat(RED_LAMP, *lamps),
        *coat(BRASS, bell),
    )
