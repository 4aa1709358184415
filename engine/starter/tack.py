"""What animals wear and grow: saddles and cloths over the back, collars, horns, tails, wings, panniers."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.beasts import BACK_Y, GIRTH, drape
from engine.starter.forms import around, band, bowed, leaf, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import fillet, smooth
from engine.starter.paints import cloth, foliage, fur, metal, patterned, plain
from engine.starter.shells import Shell
from engine.starter.solids import ellipsoid, extrude, lathe, ring, slab, tube
from engine.starter.trigonometry import cosine_sine

SADDLERY = plain("tooled brown leather", "8a4f2b", 0.6, roughness=0.55, contrast=70, seed=491)
STRAPS = plain("dark leather straps", "553521", 0.5, roughness=0.6, contrast=50, seed=492)
SILVER = metal("silver", "c3c7cb", 0.4, roughness=0.25, seed=493)
NAVAJO = cloth("zigzag blanket", "b5482f", 0.5, "f0d9a0", pattern=partial(patterns.banded, low=90, high=166), seed=494)
PLUM = cloth("plum saddle cloth", "7a3b6b", 0.5, "eac35a", pattern=partial(patterns.dots, count=4), seed=495)
GOLD = metal("gold braid", "dcb04b", 0.3, roughness=0.4, seed=496)
TASSEL = patterned("gold tassels", "d9a93f", "d9a93f", 0.2, partial(patterns.straw, bands=1), seed=497)
BONE = plain("pale antler", "cbb58c", 0.4, roughness=0.6, contrast=90, seed=498)
RIDGED = plain("ridged horn", "8a7654", 0.3, roughness=0.5, contrast=90, seed=499)
FOX = fur("red fox fur", "c9652c", 0.6, seed=500)
WHITE_TIP = fur("white fur", "f4eee2", 0.5, seed=501)
PIG = plain("pink skin", "eca79c", 0.4, contrast=36, seed=502)
FEATHER = plain("white feathers", "f4f3ee", 0.4, contrast=34, seed=503)
DOWN = plain("grey down", "cfd3d8", 0.3, contrast=44, seed=504)
PETAL = plain("white petals", "faf6ee", 0.2, contrast=20, seed=505)
HEART = plain("yellow flower hearts", "f0c038", 0.2, contrast=60, seed=506)
VINE = foliage("green garland", "5b9448", 0.3, "9cc56a", seed=507)
GREEN = plain("green leather", "3f7a53", 0.4, roughness=0.55, contrast=50, seed=508)
BELL = metal("brass bells", "d6a444", 0.3, roughness=0.25, seed=509)
WILLOW = patterned("woven willow", "a8793f", "6f4d25", 0.4, partial(patterns.weave, threads=16), seed=510)
LOAF = plain("crusty bread", "c98a45", 0.3, contrast=100, seed=511)
APPLE = plain("red apples", "c4372f", 0.3, roughness=0.4, contrast=70, seed=512)
CHECK = cloth("checked cloth", "c9473f", 0.25, "f6ecd6", pattern=patterns.checks, seed=513)
SIDE_X = 0.94 * (GIRTH + 0.081)
"""Where the side of a saddled trunk is."""


def _on_back(shell: Shell) -> Shell:
    """The shell moved from beside the trunk's axis to the middle of the back."""
    return shell.moved(0, BACK_Y + GIRTH, 0)


def western_saddle() -> tuple[Piece, ...]:
    """A deep seat with a horn and cantle on a zigzag blanket, with fenders and stirrups."""
    blanket = drape(GIRTH + 0.001, 0.05, 0.84, 0.2)
    skirt = drape(GIRTH + 0.045, 0.05, 0.62, 0.15)
    seat = bowed(ellipsoid(0.56, 0.2, 0.6, 12, 6), "z", "y", 0.5).moved(0, 0.12, 0.0)
    rim = [(-0.26, 0.1, -0.28), (-0.13, 0.22, -0.32), (0.0, 0.26, -0.33), (0.13, 0.22, -0.32), (0.26, 0.1, -0.28)]
    cantle = bowed(tube(rim, 0.06, 8), "x", "z", 0.8)
    swell = bowed(tube([(-0.22, 0.1, 0.26), (0.0, 0.2, 0.28), (0.22, 0.1, 0.26)], 0.08, 8), "x", "z", -0.8)
    horn = [tapered([(0, 0.18, 0.27), (0, 0.3, 0.3), (0, 0.36, 0.32)], [0.06, 0.04, 0.05], 2, 8)]
    horn.append(ellipsoid(0.16, 0.06, 0.16, 9, 5).moved(0, 0.37, 0.325))
    fender = drape(GIRTH + 0.08, 0.03, 0.22, 0.22).moved(z=0.02)
    x = 0.94 * (GIRTH + 0.1)
    loop = ring(0.13, 0.05, 12, 5).scaled(0.8, 1, 1).turned("x", 0.25).turned("y", 0.25)
    stirrups = [loop.moved(s * x, BACK_Y + 0.2, 0.02) for s in (-1, 1)]
    conchos = [ellipsoid(0.1, 0.1, 0.1, 8, 5).moved(s * 0.53, BACK_Y + 0.54, z) for s in (-1, 1) for z in (-0.22, 0.24)]
    girth = drape(GIRTH + 0.04, 0.03, 0.1, 0.235).moved(z=0.28)
    return (
        *cover(NAVAJO, blanket),
        *cover(SADDLERY, skirt, fender, *(_on_back(s) for s in (seat, swell, *horn))),
        *cover(STRAPS, girth, _on_back(cantle), *stirrups),
        *cover(SILVER, *conchos),
    )


def tasselled_cloth() -> tuple[Piece, ...]:
    """A plum cloth with a gold border and tassels along its hems, and a round pad on top."""
    reach = 0.193
    sheet = drape(GIRTH + 0.001, 0.04, 0.84, reach)
    borders = [drape(GIRTH + 0.03, 0.03, 0.08, reach).moved(z=s * 0.38) for s in (-1, 1)]
    cosine, sine = cosine_sine(np.asarray([0.25 - reach]))
    x, y = 0.94 * (GIRTH + 0.04) * float(cosine[0]), BACK_Y + (GIRTH + 0.04) * float(sine[0])
    hems = [tube([(s * x, y, -0.39), (s * x, y, 0.0), (s * x, y, 0.39)], 0.035, 6) for s in (-1, 1)]
    drop = lathe([(0.045, 0.0), (0.035, -0.05), (0.06, -0.16), (0.05, -0.18)], 7)
    tassels = [drop.moved(s * (x + 0.02), y - 0.02, -0.35 + 0.14 * k) for s in (-1, 1) for k in range(6)]
    pad = ellipsoid(0.56, 0.2, 0.56, 14, 6).moved(0, BACK_Y + GIRTH + 0.1, 0)
    button = ellipsoid(0.1, 0.08, 0.1, 8, 5).moved(0, BACK_Y + GIRTH + 0.2, 0)
    roll = ring(0.29, 0.07, 16, 5).scaled(0.9, 1, 1).moved(0, BACK_Y + GIRTH + 0.07, 0)
    return (*cover(PLUM, sheet, pad), *cover(GOLD, *borders, *hems, button, roll), *cover(TASSEL, *tassels))


def antler() -> tuple[Piece, ...]:
    """A left antler with four tines on a burr."""
    beam_line = [(0.0, 0.0, 0.0), (0.12, 0.22, -0.04), (0.32, 0.42, -0.02), (0.44, 0.7, 0.04), (0.4, 0.98, 0.12)]
    main = tapered(beam_line, [0.075, 0.066, 0.06, 0.05, 0.016], 3, 9)
    tines = [
        tapered([a, b, c], [0.046, 0.036, 0.01], 2, 7)
        for a, b, c in (
            ((0.05, 0.1, 0.0), (0.06, 0.2, 0.14), (0.02, 0.34, 0.24)),
            ((0.26, 0.36, -0.02), (0.26, 0.5, 0.08), (0.2, 0.66, 0.14)),
            ((0.4, 0.56, 0.0), (0.54, 0.66, -0.02), (0.6, 0.82, 0.0)),
            ((0.44, 0.74, 0.06), (0.54, 0.86, 0.08), (0.58, 1.02, 0.14)),
        )
    ]
    burr = [ring(0.075, 0.06, 10, 5).moved(0.01, 0.03, 0), lathe([(0.09, 0.0), (0.085, 0.03)], 12)]
    return (*cover(BONE, main, *tines), *cover(RIDGED, *burr))


def ram_horn() -> tuple[Piece, ...]:
    """A left horn rolled in one and a half turns, with rings along it."""
    count = 26
    share = np.arange(count + 1, dtype=np.float64) / count
    cosine, sine = cosine_sine(0.03 + 1.5 * share)
    size = 0.36 * (1.0 - 0.66 * share)
    line = np.stack([0.04 + 0.3 * share, 0.24 + sine * size, -0.36 + cosine * size], axis=1)
    start = np.asarray([[0.0, 0.0, 0.0], [0.0, 0.12, 0.0]])
    line = np.concatenate([start[:1], smooth(np.concatenate([start, line[2:]]), 1)[1:]])
    radii = [(0.1 - 0.085 * k / len(line)) * (1.0 + 0.1 * (k % 2)) for k in range(len(line))]
    base = ring(0.09, 0.06, 10, 5).moved(0, 0.03, 0.0)
    return (*cover(RIDGED, tube(line, radii, 9)), *cover(BONE, base))


def fox_tail() -> tuple[Piece, ...]:
    """A bushy red brush with a white tip, hanging from its root at the front, +Z."""
    line = [(0, 1.22, 0.0), (0, 1.2, -0.12), (0, 0.92, -0.24), (0, 0.6, -0.26), (0, 0.32, -0.24)]
    brush = tapered(line, [0.06, 0.08, 0.14, 0.15, 0.1], 4, 12)
    tip = tapered([(0, 0.36, -0.25), (0, 0.2, -0.23), (0, 0.0, -0.14)], [0.11, 0.1, 0.02], 4, 10)
    tuft = lathe(smooth([(0.05, 0.0), (0.06, 0.07), (0.0, 0.2)], 2), 6).turned("x", 0.44).moved(0, 0.0, 0.1)
    tufts = [
        shell.moved(0, y, -0.25)
        for y, start in ((0.78, 0.0), (0.6, 0.1), (0.44, 0.05))
        for shell in around(tuft, 5, start=start)
    ]
    return (*cover(FOX, brush, *tufts), *cover(WHITE_TIP, tip))


def pig_tail() -> tuple[Piece, ...]:
    """A pink corkscrew tail with a small tuft, hanging from its root at the front, +Z."""
    count = 30
    share = np.arange(count + 1, dtype=np.float64) / count
    cosine, sine = cosine_sine(2.25 * share)
    wide = np.minimum(share * 5.0, 1.0) * (0.11 - 0.03 * share)
    line = np.stack([sine * wide, 0.86 - 0.8 * share, -0.14 - cosine * wide], axis=1)
    cord = tube(np.concatenate([[[0.0, 0.9, 0.0]], line]), [0.07, 0.055, 0.045, 0.03], 8)
    root = ellipsoid(0.2, 0.2, 0.1, 10, 6).moved(0, 0.9, 0.0)
    end = [float(v) for v in line[-1]]
    tuft = [leaf(0.14, 0.06, 0.0, 0.04, 6, 5).turned("x", 0.25 + 0.06 * k).moved(*end) for k in (-1, 0, 1)]
    return (*cover(PIG, cord, root), *cover(WHITE_TIP, *tuft))


def feathered_wing() -> tuple[Piece, ...]:
    """A spread left wing with three rows of feathers; its shoulder is at x = 0."""
    bone = tapered(
        [(0, 0.3, 0), (0.3, 0.5, -0.02), (0.66, 0.62, -0.04), (1.02, 0.5, -0.06)], [0.11, 0.1, 0.08, 0.04], 3, 9
    )
    shoulder = ellipsoid(0.2, 0.34, 0.26, 10, 6).moved(0.03, 0.28, 0)
    long_feathers: list[Shell] = []
    for row, (count, length, z, width) in enumerate(
        ((9, 0.72, -0.05, 0.16), (8, 0.46, 0.0, 0.16), (7, 0.26, 0.05, 0.15))
    ):
        for k in range(count):
            t = k / (count - 1)
            x, y = 0.08 + 0.9 * t, 0.34 + 0.78 * t * (1.0 - t) * 1.15 + 0.17 * t
            size = length * (0.7 + 0.5 * t - 0.1 * row * t)
            blade = ellipsoid(width, size, 0.05, 7, 6).moved(0, -0.42 * size, 0)
            long_feathers.append(blade.turned("z", 0.02 + 0.15 * t).moved(x, y, z - 0.03 * t))
    return (*cover(FEATHER, *long_feathers), *cover(DOWN, bone, shoulder))


def _at_neck(shell: Shell) -> Shell:
    """A shell modelled about a ring on y = 0 laid round an animal's neck."""
    return shell.turned("x", 0.16).moved(0, 2.22, 1.12)


def _lining() -> Shell:
    """The strap of a collar, as wide as those of the hosts."""
    return _at_neck(band(0.435, -0.06, 0.06, 0.05, 20))


def daisy_garland() -> tuple[Piece, ...]:
    """A collar of leaves and daisies with the largest hanging in front."""
    stem = ring(0.425, 0.08, 20, 5)
    leaves = around(leaf(0.15, 0.12, 0.03, 0.03, 6, 4).turned("y", 0.2).moved(0.0, 0.03, 0.4), 12)
    leaves += around(leaf(0.14, 0.11, -0.03, 0.03, 6, 4).turned("y", -0.2).moved(0.0, -0.03, 0.4), 12, start=0.04)
    petal = ellipsoid(0.05, 0.09, 0.03, 5, 4).moved(0, 0.055, 0)
    flower = [petal.turned("z", k / 7).moved(0, 0.0, 0.455) for k in range(7)]
    heart = ellipsoid(0.065, 0.065, 0.04, 7, 4).moved(0, 0, 0.465)
    daisies, hearts = around(flower, 6, start=0.083), around(heart, 6, start=0.083)
    large = [shell.moved(z=-0.455).scaled(1.9, 1.9, 1.9).moved(0, 1.69, 1.36) for shell in (*flower, heart)]
    stalk = wire([(0, 1.94, 1.31), (0.02, 1.84, 1.35), (0, 1.7, 1.34)], 0.025, 3, 5)
    return (
        *cover(VINE, *(_at_neck(s) for s in (stem, *leaves)), _lining(), stalk),
        *cover(PETAL, *(_at_neck(s) for s in daisies), *large[:-1]),
        *cover(HEART, *(_at_neck(s) for s in hearts), large[-1]),
    )


def jingle_collar() -> tuple[Piece, ...]:
    """A padded green collar set with round brass bells, the largest hanging in front, and a buckle."""
    pad = _at_neck(ring(0.44, 0.1, 24, 6).scaled(1, 1.3, 1))
    bell = ellipsoid(0.11, 0.11, 0.11, 9, 6)
    mouth, rim = ellipsoid(0.07, 0.02, 0.05, 6, 4).moved(0, -0.02, 0.04), ring(0.055, 0.02, 10, 4)
    turns = (-0.25, -0.17, -0.085, 0.085, 0.17, 0.25)
    bells = [_at_neck(s.moved(0, 0.0, 0.49).turned("y", t)) for t in turns for s in (bell, rim)]
    mouths = [_at_neck(mouth.moved(0, 0.0, 0.49).turned("y", t)) for t in turns]
    large = [s.scaled(1.9, 1.9, 1.9).moved(0, 1.68, 1.38) for s in (bell, rim)]
    mouths.append(mouth.scaled(1.9, 1.9, 1.9).moved(0, 1.68, 1.38))
    link = ring(0.06, 0.03, 10, 5).turned("z", 0.25).moved(0, 1.83, 1.36)
    strap = slab(0.07, 0.14, 0.03, 0.01).moved(0, 1.9, 1.34)
    buckle = _at_neck(slab(0.16, 0.18, 0.05, 0.03).moved(0, 0, -0.475))
    return (
        *cover(GREEN, pad, _lining()),
        *cover(STRAPS, *mouths, strap),
        *cover(BELL, *bells, *large, link, buckle),
    )


def bread_pannier() -> tuple[Piece, ...]:
    """A square willow pannier for the left side with loaves, apples and a checked cloth; flat at the trunk."""
    x = SIDE_X + 0.19
    bowl = extrude(
        fillet([(-0.2, -0.26), (0.2, -0.26), (0.2, 0.26), (-0.2, 0.26)], 0.07, 2, closed=True), 0.5, 0.02, "y", 1
    )
    bowl = bowl.shaped(
        lambda v: np.stack([v[:, 0] * (1 + 0.2 * v[:, 1]), v[:, 1], v[:, 2] * (1 + 0.3 * v[:, 1])], axis=1)
    ).moved(x, 1.66, 0)
    rims = [
        wire(
            [(x + a, y, b) for a, b in ((-0.2, -0.27), (0.2, -0.27), (0.2, 0.27), (-0.2, 0.27), (-0.2, -0.2))],
            0.035,
            1,
            6,
        )
        for y in (1.44, 1.9)
    ]
    loaves = [
        tapered([(x - 0.05, 1.8, z), (x, 2.04, z + 0.02), (x + 0.03, 2.26, z + 0.05)], [0.07, 0.085, 0.04], 2, 8)
        for z in (-0.16, 0.0)
    ]
    apples = [
        ellipsoid(0.17, 0.16, 0.17, 8, 5).moved(x + a, 1.96, z) for a, z in ((0.08, 0.16), (-0.08, 0.18), (0.1, -0.02))
    ]
    napkin = ellipsoid(0.34, 0.12, 0.5, 10, 5).moved(x, 1.9, 0.02)
    corner = slab(0.24, 0.24, 0.03, 0.01).turned("z", 0.125).turned("y", 0.25).moved(x + 0.215, 1.86, 0.05)
    straps = [slab(0.06, 0.5, 0.03, 0.01).turned("y", 0.25).moved(x + 0.205, 1.66, z) for z in (-0.14, 0.14)]
    return (
        *cover(WILLOW, bowl, *rims),
        *cover(LOAF, *loaves),
        *cover(APPLE, *apples),
        *cover(CHECK, napkin, corner),
        *cover(STRAPS, *straps),
    )
