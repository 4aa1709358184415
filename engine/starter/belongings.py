"""What the people wear and carry, modelled where it is worn."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.models import Piece, cover
from engine.starter.outlines import fillet, smooth, star
from engine.starter.paints import cloth, foliage, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube
from engine.surfaces import FloatArray

HIP, SHELF, CHIN = 0.84, 1.74, 1.88
SINK = 0.003
ROBE = cloth("starry purple robe", "5c4a94", 0.55, "f2cf63", pattern=partial(patterns.dots, count=2), seed=149)
GOLD_TRIM = metal("gold trim", "dcae45", 0.4, seed=151)
STRAW = patterned("plaited straw", "dcb45c", "b0823a", 0.4, partial(patterns.weave, threads=16), seed=152)
TEAL = cloth("teal wool", "2f8a88", 0.4, seed=153)
ASH = wood("ash wood", "c29a63", 0.5, planks=1, seed=156)
KNOTTY = wood("knotty wood", "7a5233", 0.5, planks=1, seed=157)
STEEL = metal("steel", "9aa0a6", 0.4, seed=158)
CRYSTAL = glass("glowing crystal", "6fd3e0", 0.3, "efffff", emissive=0.5)
GLOW = glass("lantern glass", "ffd27a", 0.3, "fff4d0", emissive=0.6)
WICKER = patterned("wicker", "b98a4c", "7f5a2e", 0.3, partial(patterns.weave, threads=16), seed=159)
GREENS = foliage("lettuce", "74ad4c", 0.3, "cfe28a", seed=160)
CARROT = plain("carrots", "e5853a", 0.3, contrast=60, seed=161)
LEATHER = plain("leather", "8d5a36", 0.5, roughness=0.6, contrast=60, seed=162)
PAPER = patterned("parchment", "e8d5a4", "e8d5a4", 0.3, patterns.pages, seed=163)
CORAL = cloth(
    "striped coral scarf", "e0705a", 0.3, "f6e3c3", pattern=partial(patterns.stripes, count=3, upright=True), seed=164
)
IRON = metal("iron", "55565c", 0.4, roughness=0.5, seed=165)


def straw_hat() -> tuple[Piece, ...]:
    """A wide-brimmed straw hat with a ribbon and a flower."""
    y = 2.6
    outer = smooth(
        [
            (0.56, y + 0.02),
            (0.84, y - 0.02),
            (0.86, y + 0.01),
            (0.84, y + 0.04),
            (0.58, y + 0.1),
            (0.54, y + 0.18),
            (0.5, y + 0.38),
            (0.38, y + 0.46),
            (0.0, y + 0.48),
        ],
        2,
    )
    crown = [(float(r), float(h)) for r, h in outer]
    hat = lathe([(0.0, y + 0.37), (0.34, y + 0.34), (0.46, y + 0.24), (0.478, y + 0.06), (0.5, y + 0.02), *crown], 24)
    band = lathe(
        fillet([(0.5, y + 0.11), (0.575, y + 0.11), (0.55, y + 0.23), (0.5, y + 0.23)], 0.02, 2, closed=True),
        24,
        loop=True,
    )
    flower = [
        extrude(star(0.13, 0.07, 6), 0.05, 0.015).turned("y", 0.09).moved(0.3, y + 0.17, 0.5),
    ]
    heart = ellipsoid(0.09, 0.09, 0.07, 8, 6).moved(0.32, y + 0.17, 0.53)
    return (*cover(STRAW, hat), *cover(TEAL, band), *cover(CORAL, *flower), *cover(GOLD_TRIM, heart))


def wizard_hat() -> tuple[Piece, ...]:
    """A tall bent cone with a gold band and a star."""
    y = 2.6
    outer = smooth(
        [
            (0.54, y + 0.02),
            (0.78, y),
            (0.8, y + 0.03),
            (0.78, y + 0.06),
            (0.56, y + 0.1),
            (0.46, y + 0.36),
            (0.3, y + 0.7),
            (0.15, y + 1.02),
            (0.0, y + 1.24),
        ],
        2,
    )
    crown = [(float(r), float(h)) for r, h in outer]
    hat = lathe([(0.0, y + 0.42), (0.3, y + 0.37), (0.44, y + 0.24), (0.478, y + 0.06), (0.5, y + 0.02), *crown], 24)
    band = lathe(
        fillet([(0.46, y + 0.09), (0.575, y + 0.09), (0.535, y + 0.22), (0.46, y + 0.22)], 0.02, 2, closed=True),
        24,
        loop=True,
    )

    def bend(v: Shell) -> Shell:
        def move(points: FloatArray) -> FloatArray:
            lift = np.maximum(points[:, 1] - (y + 0.3), 0.0)
            shift = lift * lift * 0.34
            return np.asarray(points + np.stack([shift, 0.0 * shift, -0.5 * shift], axis=1))

        return v.shaped(move)

    sign = extrude(star(0.13, 0.055, 5), 0.05, 0.012).moved(0, y + 0.3, 0.48)
    bead = ellipsoid(0.12, 0.12, 0.12, 9, 6).moved(0.0, y + 1.24, 0)
    return (*cover(ROBE, bend(hat)), *cover(GOLD_TRIM, band, sign, bend(bead)))


HAND = (0.86, 1.02, 0.16)


def scarf() -> tuple[Piece, ...]:
    """A knitted scarf with a hanging end."""
    loop = ring(0.25, 0.14, 18, 8).moved(0, SHELF + 0.068, 0)
    knot = ellipsoid(0.17, 0.15, 0.12, 9, 6).moved(0.1, SHELF + 0.05, 0.27)
    tail_end = beam((0.12, SHELF + 0.02, 0.33), (0.16, SHELF - 0.3, 0.47), 0.15, 0.03, 0.05)
    return cover(CORAL, loop, knot, tail_end)


def amulet() -> tuple[Piece, ...]:
    """A gold collar with a crystal."""
    loop = lathe(
        fillet([(0.18, 0.0), (0.31, 0.0), (0.3, 0.06), (0.2, 0.12), (0.18, 0.12)], 0.02, 2, closed=True), 20, loop=True
    ).moved(0, SHELF + 0.012, 0)
    beads = [
        ellipsoid(0.08, 0.08, 0.08, 8, 6).moved(0, SHELF + 0.06, 0.27).turned("y", k / 12) for k in range(12) if k != 0
    ]
    gem = lathe([(0.0, -0.12), (0.09, 0.0), (0.0, 0.1)], 8).moved(0, SHELF + 0.02, 0.33)
    return (*cover(GOLD_TRIM, loop, *beads), *cover(CRYSTAL, gem))


def pack_basket() -> tuple[Piece, ...]:
    """A wicker basket of vegetables carried on the back."""
    z = -0.62
    bowl = lathe(
        [
            (0.0, 0.0),
            *smooth([(0.19, 0.0), (0.235, 0.24), (0.255, 0.56)], 3).tolist(),
            (0.21, 0.56),
            (0.19, 0.36),
            (0.0, 0.34),
        ],
        16,
    ).moved(0, 1.06, z)
    rims = [ring(r, 0.05, 16, 6).moved(0, y, z) for y, r in ((1.1, 0.2), (1.6, 0.24))]
    heads = [ellipsoid(0.2, 0.2, 0.2, 9, 6).moved(x, 1.64, z + dz) for x, dz in ((-0.09, 0.07), (0.1, 0.05))]
    roots = [
        lathe([(0.0, -0.3), (0.03, -0.24), (0.06, 0.0), (0.0, 0.04)], 8).turned("x", 0.46).moved(x, 1.44, z - 0.08)
        for x in (-0.05, 0.07)
    ]
    pad = slab(0.3, 0.36, 0.06, 0.06, 3).moved(0, 1.36, -0.41)
    return (*cover(WICKER, bowl, *rims), *cover(GREENS, *heads), *cover(CARROT, *roots), *cover(LEATHER, pad))


def scroll_pack() -> tuple[Piece, ...]:
    """A leather satchel with scrolls carried on the back."""
    z = -0.497
    bag = slab(0.52, 0.44, 0.24, 0.1, 3).moved(0, 1.3, z)
    flap = slab(0.56, 0.24, 0.28, 0.09, 3).moved(0, 1.44, z)
    scrolls = [
        tube([(x, 1.42, z), (x, 1.6, z), (x, 1.78 - 0.06 * k, z)], 0.065, 9, rounded=False)
        for k, x in enumerate((-0.15, 0.0, 0.15))
    ]
    knobs = [ellipsoid(0.08, 0.08, 0.08, 8, 6).moved(x, 1.79 - 0.06 * k, z) for k, x in enumerate((-0.15, 0.0, 0.15))]
    clasp = slab(0.1, 0.12, 0.04, 0.03).moved(0, 1.34, z - 0.15)
    return (*cover(LEATHER, bag, flap), *cover(PAPER, *scrolls), *cover(GOLD_TRIM, *knobs, clasp))


def rake() -> tuple[Piece, ...]:
    """A garden rake held upright in the right hand."""
    x, z = -HAND[0], HAND[2] + 0.12 + 0.034 - SINK
    pole = tube([(x, 0.04, z), (x, 1.0, z), (x, 2.2, z)], 0.036, 9)
    head = box(0.62, 0.08, 0.07, 0.02, 1).moved(x, 2.24, z)
    teeth = [
        tube(
            [
                (x - 0.27 + 0.09 * k, 2.24, z),
                (x - 0.27 + 0.09 * k, 2.24, z + 0.1),
                (x - 0.27 + 0.09 * k, 2.16, z + 0.2),
            ],
            0.018,
            5,
        )
        for k in range(7)
    ]
    grip = ring(0.036, 0.03, 10, 5).moved(x, 1.16, z)
    return (*cover(ASH, pole), *cover(STEEL, head, *teeth, grip))


def staff() -> tuple[Piece, ...]:
    """A crooked staff with a glowing crystal held in the right hand."""
    x, z = -HAND[0], HAND[2] + 0.12 + 0.036 - SINK
    path = smooth(
        [
            (x, 0.05, z),
            (x, 0.6, z),
            (x, 1.02, z),
            (x, 1.5, z),
            (x, 2.0, z),
            (x - 0.14, 2.2, z),
            (x - 0.1, 2.44, z),
            (x + 0.12, 2.46, z),
            (x + 0.16, 2.3, z),
        ],
        3,
    )
    pole = tube(path, 0.04, 8)
    gem = lathe(
        [(0.0, -0.16), (0.1, -0.02), (0.08, 0.08), (0.0, 0.16)],
        6,
    ).moved(x + 0.02, 2.28, z)
    bands = [ring(0.045, 0.03, 10, 5).moved(x, y, z) for y in (1.2, 1.26, 1.86)]
    return (*cover(KNOTTY, pole), *cover(CRYSTAL, gem), *cover(GOLD_TRIM, *bands))


def trug() -> tuple[Piece, ...]:
    """A shallow basket of carrots hanging from the left hand."""
    x, y, z = HAND[0], HAND[1] - 0.135 + SINK, HAND[2]
    loop = tube(
        smooth(
            [
                (x - 0.22, y - 0.36, z),
                (x - 0.2, y - 0.12, z),
                (x, y - 0.028, z),
                (x + 0.2, y - 0.12, z),
                (x + 0.22, y - 0.36, z),
            ],
            4,
        ),
        0.028,
        6,
    )
    bowl = (
        lathe(
            [
                (0.0, 0.0),
                *smooth([(0.2, 0.0), (0.27, 0.1), (0.3, 0.2)], 3).tolist(),
                (0.26, 0.2),
                (0.2, 0.1),
                (0.0, 0.09),
            ],
            18,
        )
        .scaled(0.86, 1, 1)
        .moved(x, y - 0.54, z)
    )
    rim = ring(0.285, 0.045, 18, 6).scaled(0.86, 1, 1).moved(x, y - 0.345, z)
    roots = [
        lathe(smooth([(0.0, -0.2), (0.05, -0.08), (0.07, 0.1), (0.0, 0.14)], 2), 8)
        .turned("z", 0.2 + 0.06 * k)
        .turned("y", 0.12 * k)
        .moved(x + 0.03 * k, y - 0.36, z + 0.07 * (k - 1))
        for k in range(3)
    ]
    tops = [ellipsoid(0.14, 0.12, 0.14, 8, 5).moved(x - 0.12, y - 0.3, z + 0.08 * (k - 1)) for k in range(3)]
    return (*cover(WICKER, bowl, rim, loop), *cover(CARROT, *roots), *cover(GREENS, *tops))


def hand_lantern() -> tuple[Piece, ...]:
    """A lantern hanging from the left hand."""
    x, y, z = HAND[0], HAND[1] - 0.135 + SINK, HAND[2]
    bail = tube(
        smooth(
            [
                (x - 0.13, y - 0.2, z),
                (x - 0.12, y - 0.08, z),
                (x, y - 0.022, z),
                (x + 0.12, y - 0.08, z),
                (x + 0.13, y - 0.2, z),
            ],
            3,
        ),
        0.022,
        6,
    )
    cap = lathe(smooth([(0.19, -0.24), (0.17, -0.19), (0.06, -0.12), (0.0, -0.11)], 2), 14).moved(x, y, z)
    lamp = lathe(smooth([(0.11, -0.5), (0.15, -0.4), (0.14, -0.3), (0.11, -0.22)], 2), 14).moved(x, y, z)
    foot = lathe(fillet([(0.0, -0.6), (0.18, -0.6), (0.18, -0.54), (0.12, -0.48), (0.0, -0.48)], 0.02, 2), 14).moved(
        x, y, z
    )
    posts = [
        tube([(0.15, -0.52, 0), (0.17, -0.38, 0), (0.15, -0.22, 0)], 0.016, 5).turned("y", k / 4 + 0.125).moved(x, y, z)
        for k in range(4)
    ]
    return (*cover(IRON, bail, cap, foot, *posts), *cover(GLOW, lamp))


def seed_pouch() -> tuple[Piece, ...]:
    """A pouch with a flap on the front of the belt."""
    z = 0.386
    bag = slab(0.3, 0.26, 0.16, 0.07, 3).moved(0, 1.02, z + 0.08)
    flap = slab(0.32, 0.13, 0.18, 0.05, 3).moved(0, 1.1, z + 0.092)
    button = ellipsoid(0.07, 0.07, 0.05, 9, 6).moved(0, 1.06, z + 0.185)
    return (*cover(LEATHER, bag, flap), *cover(GOLD_TRIM, button))


def potion_flask() -> tuple[Piece, ...]:
    """A round flask on the front of the belt."""
    z = 0.371
    flask = lathe(
        smooth([(0.0, 0.0), (0.12, 0.02), (0.16, 0.12), (0.1, 0.23), (0.05, 0.27), (0.05, 0.33)], 3), 16
    ).moved(0, 0.9, z + 0.16)
    cork = lathe([(0.0, 0.0), (0.05, 0.0), (0.06, 0.08), (0.0, 0.08)], 8).moved(0, 1.22, z + 0.16)
    holder = [ring(0.165, 0.03, 16, 5).moved(0, 1.02, z + 0.16), ring(0.06, 0.03, 10, 5).moved(0, 1.16, z + 0.16)]
    tab = slab(0.08, 0.16, 0.1, 0.02).moved(0, 1.15, z + 0.05)
    return (*cover(CRYSTAL, flask), *cover(ASH, cork), *cover(GOLD_TRIM, *holder), *cover(LEATHER, tab))
