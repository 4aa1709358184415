"""Musical instruments on stands of their own. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.forms import around, bent, coat, disc, puck, rod, tint
from engine.starter.models import Piece
from engine.starter.outlines import fillet, smooth
from engine.starter.paints import cloth, metal, patterned, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab

SPRUCE = wood("spruce top", "d99c52", 0.7, planks=1, seed=501, size=64)
MAPLE = wood("flamed maple", "9a5526", 0.6, planks=1, seed=502, size=64)
EBONY = tint("ebony", "33302f", 0.4, roughness=0.35, contrast=50, seed=503)
BRASS = metal("polished brass", "d9a945", 0.5, roughness=0.25, seed=504)
STEEL = metal("steel", "bcc1c4", 0.4, seed=505)
IVORY = tint("ivory keys", "f3ead3", 0.4, roughness=0.35, contrast=20, seed=506)
SKIN = tint("drum skin", "efe3c8", 0.6, contrast=40, seed=507)
RED = tint("red pearl lacquer", "b92f3a", 0.4, roughness=0.25, contrast=90, seed=508)
BELLOWS = patterned("pleated bellows", "8a2f36", "e0b24a", 0.3, partial(patterns.stripes, count=4), seed=509, size=64)
BLUE = tint("blue lacquer", "2f5f9a", 0.5, roughness=0.25, contrast=70, seed=510)
WALNUT = wood("walnut", "70452a", 0.6, planks=1, seed=511, size=64)
STRAP = cloth("woven strap", "3f7f78", 0.2, "f0dfb4", pattern=partial(patterns.stripes, count=4), seed=512, size=64)
BARS = (
    tint("red bar", "cf4a40", 0.3, contrast=30, seed=513),
    tint("orange bar", "eb8f3a", 0.3, contrast=30, seed=514),
    tint("yellow bar", "eec845", 0.3, contrast=30, seed=515),
    tint("green bar", "5fa556", 0.3, contrast=30, seed=516),
    tint("blue bar", "3f7fb8", 0.3, contrast=30, seed=517),
    tint("violet bar", "7f5aa5", 0.3, contrast=30, seed=518),
)


def guitar() -> tuple[Piece, ...]:
    """An acoustic guitar leaning on an iron stand."""
    right = [
        (0.0, -0.3),
        (0.16, -0.29),
        (0.27, -0.16),
        (0.25, -0.02),
        (0.17, 0.1),
        (0.16, 0.16),
        (0.21, 0.26),
        (0.18, 0.36),
        (0.08, 0.4),
    ]
    outline = smooth([*right, *[(-x, y) for x, y in reversed(right[1:])]], 2, closed=True)
    body = extrude(outline, 0.15, 0.03, "z", 1)
    top = extrude(outline * 0.95 + [[0.0, 0.003]], 0.02, 0.0).moved(0, 0, 0.072)
    hole = [
        disc(0.085, 0.012, 0.0, 14).moved(0, 0.14, 0.08),
        ring(0.095, 0.018, 16, 4).turned("x", 0.25).moved(0, 0.14, 0.084),
    ]
    neck = beam((0, 0.3, 0.05), (0, 0.98, 0.05), 0.075, 0.015, 0.05)
    board = slab(0.07, 0.76, 0.02).moved(0, 0.6, 0.088)
    frets = [slab(0.07, 0.01, 0.014).moved(0, 0.94 - 0.075 * k, 0.096) for k in range(8)]
    head = extrude(
        fillet([(-0.05, 0.95), (0.05, 0.95), (0.075, 1.18), (-0.075, 1.18)], 0.03, 2, closed=True), 0.04, 0.01, "z", 1
    ).moved(0, 0, 0.04)
    pegs = [
        rod((0.05 * s, 1.0 + 0.06 * k, 0.03), (0.11 * s, 1.0 + 0.06 * k, 0.03), 0.018, 6)
        for s in (-1, 1)
        for k in range(3)
    ]
    bridge = slab(0.2, 0.045, 0.04, 0.015).moved(0, -0.12, 0.09)
    strings = [rod((0.012 * (2 * k - 5), -0.12, 0.108), (0.009 * (2 * k - 5), 1.0, 0.1), 0.003, 3) for k in range(6)]
    leaned = [
        [s.turned("x", -0.035).moved(0, 0.42, 0) for s in g]
        for g in ([body, head], [top], [*hole[:1], board, bridge], [hole[1], *frets, *pegs, *strings], [neck])
    ]
    feet = [
        bent([(0.22 * s, 0.25, -0.06), (0.26 * s, 0.12, 0.0), (0.3 * s, 0.025, 0.16)], 0.022, 6, 2) for s in (-1, 1)
    ]
    arms = [
        bent([(0.2 * s, 0.25, -0.14), (0.2 * s, 0.11, -0.04), (0.2 * s, 0.1, 0.16), (0.2 * s, 0.16, 0.2)], 0.02, 6, 2)
        for s in (-1, 1)
    ]
    back = bent([(0, 0.5, -0.22), (0, 0.24, -0.2), (0, 0.025, -0.34)], 0.024, 6)
    bar = [
        rod((-0.22, 0.25, -0.12), (0.22, 0.25, -0.12), 0.022),
        rod((0, 0.25, -0.22), (0, 0.25, -0.1), 0.022, 6),
        rod((0, 0.45, -0.22), (0, 0.47, -0.08), 0.02, 6),
    ]
    return (
        *coat(MAPLE, *leaned[0], *leaned[4]),
        *coat(SPRUCE, *leaned[1]),
        *coat(EBONY, *leaned[2], *feet, *arms, back, *bar),
        *coat(BRASS, *leaned[3]),
    )


def accordion() -> tuple[Piece, ...]:
    """A red accordion standing on its feet, its bellows half open."""
    left = slab(0.2, 0.78, 0.4, 0.06).moved(-0.36, 0.43, 0)
    right = slab(0.24, 0.82, 0.4, 0.06).moved(0.34, 0.43, 0)
    folds = [
        slab(0.05, 0.7 + 0.05 * (k % 2), 0.34 + 0.05 * (k % 2)).moved(-0.24 + 0.052 * k, 0.43, 0) for k in range(10)
    ]
    keyboard = slab(0.16, 0.74, 0.09, 0.02).moved(0.4, 0.43, 0.22)
    white = [slab(0.16, 0.053, 0.05).moved(0.43, 0.13 + 0.061 * k, 0.27) for k in range(11)]
    black = [slab(0.09, 0.035, 0.05).moved(0.39, 0.16 + 0.061 * k, 0.295) for k in (0, 1, 3, 4, 5, 7, 8)]
    buttons = [
        disc(0.022, 0.03, 0.0, 8).moved(-0.42 + 0.05 * (k % 3), 0.18 + 0.065 * (k // 3), 0.195) for k in range(24)
    ]
    grille = [slab(0.03, 0.56 - 0.06 * k, 0.03, 0.01).moved(0.3 - 0.045 * k, 0.43, 0.2) for k in range(2)]
    corners = [
        ellipsoid(0.09, 0.09, 0.09, 7, 5).moved(x, y, z)
        for x in (-0.44, 0.44)
        for y in (0.06, 0.8)
        for z in (-0.17, 0.17)
    ]
    feet = [puck(0.04, 0.06, 0.01, 8).moved(x, 0.0, z) for x in (-0.36, 0.34) for z in (-0.12, 0.12)]
    straps = [
        bent([(x, 0.78, -0.18), (x, 0.7, -0.34), (x, 0.4, -0.38), (x, 0.16, -0.3), (x, 0.1, -0.18)], 0.03, 6).scaled(
            1.3, 1, 1
        )
        for x in (0.2, 0.28)
    ]
    return (
        *coat(RED, left, right, keyboard),
        *coat(BELLOWS, *folds),
        *coat(IVORY, *white, *buttons),
        *coat(EBONY, *black, *feet),
        *coat(BRASS, *grille, *corners),
        *coat(STRAP, *straps),
    )


def hand_bell() -> tuple[Piece, ...]:
    """A brass bell with a turned handle."""
    line = [(0.38, 0.0), (0.37, 0.05), (0.28, 0.16), (0.22, 0.38), (0.16, 0.48), (0.06, 0.53)]
    bell = lathe(
        [*smooth(line, 2).tolist(), (0.0, 0.54), (0.0, 0.44), (0.14, 0.42), (0.2, 0.3), (0.26, 0.14), (0.35, 0.0)], 16
    )
    beads = [ring(r, 0.026, 16, 5).moved(0, y, 0) for r, y in ((0.345, 0.08), (0.29, 0.15), (0.215, 0.4))]
    clapper = [rod((0, 0.46, 0), (0.04, 0.08, 0), 0.022, 6), ellipsoid(0.14, 0.15, 0.14, 10, 7).moved(0.045, 0.082, 0)]
    grip = lathe(smooth([(0.05, 0.52), (0.07, 0.56), (0.04, 0.64), (0.08, 0.8), (0.07, 0.96), (0.0, 1.02)], 2), 12)
    return (*coat(BRASS, bell, *beads, *clapper), *coat(WALNUT, grip))


def metronome() -> tuple[Piece, ...]:
    """A walnut pyramid with a swinging rod and a scale."""

    def wall(inset: float) -> list[tuple[float, float]]:
        return [
            (-0.32 + inset, 0.06 + inset),
            (0.32 - inset, 0.06 + inset),
            (0.14 - 0.6 * inset, 1.0 - inset),
            (-0.14 + 0.6 * inset, 1.0 - inset),
        ]

    body = extrude(fillet(wall(0.0), 0.03, 2, closed=True), 0.44, 0.03, "z", 1)
    panel = extrude(wall(0.07), 0.03, 0.0).moved(0, 0, 0.215)
    scale = slab(0.1, 0.66, 0.02).moved(0, 0.56, 0.228)
    ticks = [slab(0.07 if k % 2 else 0.1, 0.012, 0.012).moved(0, 0.28 + 0.05 * k, 0.238) for k in range(12)]
    base = box(0.74, 0.07, 0.54, 0.03).moved(0, 0.06, 0)
    feet = [ellipsoid(0.1, 0.08, 0.1, 7, 5).moved(x, 0.04, z) for x in (-0.28, 0.28) for z in (-0.18, 0.18)]
    swing = [rod((0, 0.2, 0.25), (0.2, 0.98, 0.25), 0.012, 6), disc(0.04, 0.05, 0.01, 10).moved(0, 0.2, 0.22)]
    weight = (
        extrude([(-0.06, -0.04), (0.06, -0.04), (0.045, 0.05), (-0.045, 0.05)], 0.05, 0.012, "z", 1)
        .turned("z", -0.04)
        .moved(0.14, 0.76, 0.25)
    )
    key = [rod((0.22, 0.3, 0), (0.4, 0.3, 0), 0.02, 6), slab(0.03, 0.1, 0.14, 0.01).moved(0.4, 0.3, 0)]
    knob = ellipsoid(0.1, 0.08, 0.1, 8, 5).moved(0, 1.02, 0)
    return (
        *coat(WALNUT, body, base),
        *coat(EBONY, panel, *ticks),
        *coat(IVORY, scale),
        *coat(BRASS, *feet, *swing, weight, *key, knob),
    )


def bongos() -> tuple[Piece, ...]:
    """A pair of bongo drums joined by a block."""
    pieces: list[Shell] = []
    skins: list[Shell] = []
    hoops: list[Shell] = []
    for x, r in ((-0.34, 0.3), (0.3, 0.25)):
        pieces.append(lathe(smooth([(0.8 * r, 0.0), (0.9 * r, 0.2), (r, 0.56)], 2), 16).moved(x, 0, 0))
        skins.append(lathe(smooth([(r, 0.54), (0.96 * r, 0.59), (0.0, 0.6)], 2), 16).moved(x, 0, 0))
        hoops += [ring(k * r, 0.045, 16, 5).moved(x, y, 0) for k, y in ((1.03, 0.53), (0.84, 0.03))]
        rods = around(rod((1.0 * r, 0.53, 0), (0.9 * r, 0.2, 0), 0.014, 6), 6, start=0.08)
        lugs = around(ellipsoid(0.06, 0.09, 0.06, 6, 4).moved(0.91 * r, 0.2, 0), 6, start=0.08)
        hoops += [s.moved(x, 0, 0) for s in (*rods, *lugs)]
    block = box(0.2, 0.2, 0.14, 0.03).moved(0.0, 0.36, 0)
    return (*coat(RED, *pieces), *coat(SKIN, *skins), *coat(STEEL, *hoops), *coat(WALNUT, block))


def snare_drum() -> tuple[Piece, ...]:
    """A blue snare drum on a folding stand with sticks across the head."""
    shell = lathe([(0.4, 0.62), (0.4, 0.88)], 16)
    skins = [puck(0.39, 0.02, 0.005, 16).moved(0, y, 0) for y in (0.885, 0.6)]
    hoops = [ring(0.41, 0.045, 18, 5).moved(0, y, 0) for y in (0.88, 0.62)]
    lugs = around(slab(0.04, 0.12, 0.06, 0.015).moved(0, 0.75, 0.41), 8)
    bolts = around(rod((0.425, 0.62, 0), (0.425, 0.88, 0), 0.01, 5), 8)
    cradle = around(bent([(0, 0.46, 0), (0.26, 0.54, 0), (0.4, 0.57, 0), (0.44, 0.62, 0)], 0.02, 6, 2), 3, start=0.08)
    post = rod((0, 0.08, 0), (0, 0.62, 0), 0.028)
    legs = around(rod((0, 0.4, 0), (0.36, 0.025, 0), 0.02, 6), 3, start=0.25)
    braces = around(rod((0, 0.14, 0), (0.22, 0.17, 0), 0.014, 5), 3, start=0.25)
    shoes = around(ellipsoid(0.08, 0.06, 0.08, 7, 4).moved(0.36, 0.03, 0), 3, start=0.25)
    sticks = [
        bent([(-0.3, 0.925, z), (0.1, 0.925, -0.5 * z), (0.32, 0.92, -z)], [0.024, 0.02, 0.012], 6, 1)
        for z in (-0.09, 0.12)
    ]
    tips = [ellipsoid(0.07, 0.045, 0.045, 7, 4).moved(0.34, 0.92, -z) for z in (-0.09, 0.12)]
    return (
        *coat(BLUE, shell),
        *coat(SKIN, *skins),
        *coat(STEEL, *hoops, *lugs, *bolts, *cradle, post, *legs, *braces),
        *coat(EBONY, *shoes),
        *coat(SPRUCE, *sticks, *tips),
    )


def xylophone() -> tuple[Piece, ...]:
    """A toy xylophone with six coloured bars and two mallets."""
    rails = [beam((-0.52, 0.09, 0.26 * s), (0.52, 0.09, 0.15 * s), 0.07, 0.015) for s in (-1, 1)]
    feet = [
        puck(0.05, 0.08, 0.015, 8).moved(x, 0, z)
        for x, z in ((-0.46, 0.25), (-0.46, -0.25), (0.46, 0.155), (0.46, -0.155))
    ]
    ends = [box(0.07, 0.07, d, 0.015).moved(x, 0.09, 0) for x, d in ((-0.5, 0.56), (0.5, 0.34))]
    pieces = (*coat(WALNUT, *rails, *ends), *coat(EBONY, *feet))
    nails: list[Shell] = []
    for k, paint in enumerate(BARS):
        x, long = -0.4 + 0.16 * k, 0.72 - 0.065 * k
        pieces += coat(paint, box(0.125, 0.04, long, 0.02).moved(x, 0.145, 0))
        nails += [ellipsoid(0.035, 0.03, 0.035, 6, 4).moved(x, 0.168, s * (0.245 - 0.017 * k)) for s in (-1, 1)]
    mallets = [rod((-0.34, 0.2, 0.02 + 0.13 * s), (0.36, 0.185, -0.1 * s), 0.014, 6) for s in (0, 1)]
    heads = [ellipsoid(0.09, 0.09, 0.09, 8, 6).moved(-0.34, 0.205, 0.02 + 0.13 * s) for s in (0, 1)]
    return (*pieces, *coat(BRASS, *nails), *coat(SPRUCE, *mallets), *coat(RED, *heads))


def trumpet() -> tuple[Piece, ...]:
    """A trumpet standing bell down with its loops and three valves."""
    flare = [(0.3, 0.0), (0.27, 0.03), (0.16, 0.12), (0.08, 0.26), (0.045, 0.42), (0.032, 0.62)]
    bell = lathe([*smooth(flare, 2).tolist(), (0.0, 0.62), (0.0, 0.3), (0.06, 0.24), (0.14, 0.1), (0.26, 0.0)], 16)
    bow = bent([(0, 0.6, 0), (0, 0.86, 0), (0.06, 0.96, 0), (0.14, 0.9, 0), (0.15, 0.7, 0), (0.15, 0.4, 0)], 0.03, 7)
    lead = bent(
        [(0.15, 0.44, 0), (0.15, 0.34, 0), (0.2, 0.28, 0), (0.26, 0.34, 0), (0.27, 0.6, 0), (0.27, 0.98, 0)], 0.026, 7
    )
    mouth = lathe(fillet([(0.026, 0.0), (0.03, 0.06), (0.06, 0.12), (0.06, 0.16), (0.0, 0.15)], 0.01, 2), 10).moved(
        0.27, 0.96, 0
    )
    valves: list[Shell] = []
    caps: list[Shell] = []
    for k in range(3):
        y = 0.5 + 0.1 * k
        valves.append(puck(0.04, 0.24, 0.01, 10).turned("x", 0.25).moved(0.15, y, -0.12))
        valves.append(rod((0.15, y, 0.1), (0.15, y, 0.2), 0.013, 6))
        caps.append(disc(0.036, 0.02, 0.006, 10).moved(0.15, y, 0.19))
    braces = [rod((0, y, 0), (0.27, y, 0), 0.012, 6) for y in (0.44, 0.78)]
    rims = [ring(0.298, 0.022, 18, 5).moved(0, 0.011, 0), ring(0.055, 0.016, 10, 5).moved(0.27, 1.12, 0)]
    return (*coat(BRASS, bell, bow, lead, *valves, *braces, *rims), *coat(STEEL, mouth), *coat(IVORY, *caps))
