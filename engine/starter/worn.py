"""What people wear besides hats: about the neck, over the shoulders, on the back."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.forms import arc, fluted, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import rectangle, smooth
from engine.starter.paints import cloth, metal, patterned, plain
from engine.starter.shells import Shell
from engine.starter.solids import beam, ellipsoid, extrude, loft, ring, slab, tube
from engine.surfaces import FloatArray

DOTTED = cloth("dotted red silk", "c23a3f", 0.5, "f6ead4", pattern=partial(patterns.dots, count=4), seed=381)
KNIT = patterned(
    "blue and white knit", "3f6da6", "f1ead8", 0.42, partial(patterns.stripes, count=2, upright=True), seed=382
)
FRINGE = patterned("white wool fringe", "efe7d4", "efe7d4", 0.2, partial(patterns.straw, bands=1), seed=383)
SADDLERY = plain("brown leather", "8a5632", 0.6, roughness=0.6, contrast=60, seed=384)
DARK_STRAP = plain("dark leather straps", "5a3823", 0.4, roughness=0.6, contrast=50, seed=385)
BUCKLE = metal("brass buckles", "cfa045", 0.4, roughness=0.3, seed=386)
BLANKET = cloth("checked blanket", "b94a3e", 0.3, "f1e2bf", pattern=partial(patterns.checks, count=2), seed=387)
CAPE = cloth("purple velvet", "5f3f86", 0.7, seed=388)
ERMINE = patterned("spotted ermine", "f4efe4", "3a3438", 0.4, partial(patterns.dots, count=4), seed=389)


def bow_tie() -> tuple[Piece, ...]:
    """Two pleated wings, a knot, and the band that goes round the neck."""
    outline = smooth(
        [(0.05, 0.07), (0.26, 0.19), (0.42, 0.2), (0.44, 0.0), (0.42, -0.2), (0.26, -0.19), (0.05, -0.07)],
        3,
        closed=True,
    )
    front = extrude(outline, 0.12, 0.05, "z", 2)
    wings = [front.scaled(s, 1, 1).moved(0, 0.22, 0.34) for s in (-1, 1)]
    pleats = [
        beam((s * 0.06, 0.22 + y, 0.4), (s * 0.28, 0.22 + 1.7 * y, 0.405), 0.03, 0.01)
        for s in (-1, 1)
        for y in (-0.04, 0.04)
    ]
    knot = slab(0.15, 0.17, 0.18, 0.06).moved(0, 0.22, 0.34)
    collar = ring(0.3, 0.07, 20, 5).scaled(1, 1.5, 1).moved(0, 0.2, 0.0)
    return (*cover(DOTTED, *wings, knot), *cover(DARK_STRAP, collar), *cover(DOTTED, *pleats))


def fringed_scarf() -> tuple[Piece, ...]:
    """A striped scarf wound once round the neck, both ends hanging in front with a fringe."""
    loop = fluted(ring(0.3, 0.2, 22, 6), 5, 0.03).scaled(1, 1.05, 1).moved(0, 0.72, 0)
    second = ring(0.27, 0.15, 18, 6).moved(0, 0.82, 0)
    ends: list[Shell] = []
    tassels: list[Shell] = []
    for s, low, turn in ((-1, 0.14, 0.012), (1, 0.26, -0.02)):
        tail = beam((s * 0.08, 0.7, 0.36), (s * 0.12, low, 0.42), 0.2, 0.03, 0.06).turned("z", turn)
        ends.append(tail)
        tassels += [
            tube([(s * 0.12 + x, low + 0.01, 0.42), (s * 0.12 + 1.15 * x, low - 0.12, 0.43)], 0.018, 5).turned(
                "z", turn
            )
            for x in (-0.08, -0.04, 0.0, 0.04, 0.08)
        ]
    knot = ellipsoid(0.24, 0.2, 0.18, 9, 5).moved(0.02, 0.66, 0.34)
    return (*cover(KNIT, loop, second, *ends, knot), *cover(FRINGE, *tassels))


def leather_backpack() -> tuple[Piece, ...]:
    """A rounded leather pack with a flap, buckled straps, side pockets and a rolled blanket; flat towards +Z."""
    bag = extrude(rectangle(0.8, 0.9, 0.18, 3), 0.36, 0.1, "z", 2).moved(0, 0.47, -0.18).boxed_uvs()
    flap = extrude(rectangle(0.84, 0.44, 0.16, 3), 0.2, 0.08, "z", 2).moved(0, 0.72, -0.3)
    pockets = [extrude(rectangle(0.3, 0.34, 0.08, 2), 0.2, 0.06, "z", 2).moved(s * 0.4, 0.26, -0.2) for s in (-1, 1)]
    front = extrude(rectangle(0.46, 0.28, 0.08, 2), 0.14, 0.05, "z", 2).moved(0, 0.22, -0.38)
    belts = [slab(0.07, 0.46, 0.05, 0.02).moved(s * 0.2, 0.62, -0.41) for s in (-1, 1)]
    buckles = [
        ring(0.06, 0.025, 4, 5).turned("y", 0.125).turned("x", 0.25).moved(s * 0.2, 0.46, -0.435) for s in (-1, 1)
    ]
    roll = tube([(-0.44, 1.02, -0.2), (0, 1.02, -0.2), (0.44, 1.02, -0.2)], 0.13, 12)
    ties = [ring(0.135, 0.04, 10, 5).turned("z", 0.25).moved(s * 0.24, 1.02, -0.2) for s in (-1, 1)]
    straps = [
        wire(
            [
                (s * 0.22, 0.86, -0.02),
                (s * 0.25, 0.92, 0.1),
                (s * 0.26, 0.66, 0.17),
                (s * 0.28, 0.3, 0.1),
                (s * 0.3, 0.14, -0.04),
            ],
            0.04,
            3,
            6,
        )
        for s in (-1, 1)
    ]
    return (
        *cover(SADDLERY, bag, flap, *pockets, front),
        *cover(DARK_STRAP, *belts, *ties, *straps),
        *cover(BUCKLE, *buckles),
        *cover(BLANKET, roll),
    )


def velvet_cape() -> tuple[Piece, ...]:
    """A cape in deep folds, open in front, with an ermine collar and a gold clasp."""
    outer, inner = arc(1.0, 0.33, 1.17, 40), arc(0.9, 0.33, 1.17, 40)[::-1]
    section = np.concatenate([outer, inner])
    levels = [(0.0, 0.62), (0.3, 0.56), (0.8, 0.46), (1.15, 0.4), (1.36, 0.28), (1.44, 0.2)]
    rings = [np.stack([section[:, 0] * r, np.full(len(section), y), section[:, 1] * r], axis=1) for y, r in levels]

    def folds(height: FloatArray) -> FloatArray:
        return np.asarray(np.maximum(1.2 - height, 0.0))

    sheet = fluted(_stack(rings), 11, 0.09, weight=folds)
    collar = fluted(ring(0.24, 0.17, 20, 6), 6, 0.03).moved(0, 1.43, 0)
    clasp = [ellipsoid(0.13, 0.13, 0.07, 8, 5).moved(s * 0.11, 1.36, 0.29) for s in (-1, 1)]
    chain = wire([(-0.1, 1.35, 0.31), (0, 1.31, 0.34), (0.1, 1.35, 0.31)], 0.022, 3, 5)
    hem = [tube(np.concatenate([r, r[:1]])[:41] * np.asarray([[0.96, 1.0, 0.96]]), 0.03, 5) for r in rings[:1]]
    return (
        *cover(CAPE, sheet),
        *cover(ERMINE, collar),
        *cover(BUCKLE, *clasp, chain),
        *cover(ERMINE, *_fold_like(hem)),
    )


def _fold_like(hems: list[Shell]) -> list[Shell]:
    return [fluted(hem, 11, 0.09, weight=lambda height: 1.2 + 0.0 * height) for hem in hems]


def _stack(rings: list[FloatArray]) -> Shell:
    """A closed strip through rings of an open arc and back: its ends are closed by quads from side to side."""
    size = len(rings[0])
    half = size // 2
    cap = np.asarray(
        [
            triangle
            for k in range(half - 1)
            for triangle in ((k, k + 1, size - 1 - k), (k + 1, size - 2 - k, size - 1 - k))
        ],
        dtype=np.int64,
    )
    return loft(np.stack(rings), cap, cap)
