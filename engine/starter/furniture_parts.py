"""Legs, drawers, tops, handles and cushions of furniture. Legs and drawers hang from a flat upper face."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.forms import around, bowed, fluted, leaf, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import arch, ellipse, fillet, rectangle, smooth, triangulate
from engine.starter.paints import cloth, foliage, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, lathe, loft, ring, slab, tube
from engine.starter.trigonometry import cosine_sine
from engine.surfaces import FloatArray

OAK = wood("oak", "a9743f", 0.6, planks=2, seed=521)
CHERRY = wood("cherry wood", "94492c", 0.6, planks=1, seed=522)
BLACK_STEEL = metal("black steel", "45464c", 0.4, roughness=0.4, seed=523)
WHITE = plain("white lacquer", "f3ecdd", 0.7, roughness=0.5, contrast=26, seed=524)
GILT = metal("gilding", "d9ad49", 0.4, roughness=0.35, seed=525)
BRASS = metal("brass", "cb9d42", 0.4, roughness=0.3, seed=526)
BLUE = wood("blue painted boards", "4a7ca8", 0.7, planks=4, seed=527)
PINE = wood("pine boards", "c79a5c", 0.7, planks=4, seed=528)
MARBLE = patterned(
    "white marble", "ece9e4", "b9b6b4", 1.2, partial(patterns.speckle, contrast=120), roughness=0.3, seed=529
)
CRYSTAL = glass("cut glass", "a9d8e0", 0.3, "ffffff")
VELVET = cloth("wine velvet", "8a2f44", 0.5, seed=530)
CORD = patterned("gold cord", "d8a73f", "d8a73f", 0.2, partial(patterns.straw, bands=1), seed=531)
GINGHAM = cloth("blue gingham", "4f80b5", 0.3, "f5eedd", pattern=partial(patterns.checks, count=4), seed=532)
ROSES = plain("painted roses", "d4566a", 0.2, contrast=70, seed=533)
LEAVES = foliage("painted leaves", "4f8a52", 0.3, "86b06a", seed=534)
DARK = plain("dark keyhole", "2a2522", 0.2, contrast=16, seed=535)
LEG_TOP = 1.25
"""Height of a table leg, as on the tables."""


def twisted_leg() -> tuple[Piece, ...]:
    """A barley-twist leg between a square head and a bun foot."""
    head = box(0.27, 0.3, 0.27, 0.03).moved(0, LEG_TOP - 0.15, 0)
    collars = [
        lathe(fillet([(0.08, y), (0.13, y + 0.02), (0.13, y + 0.05), (0.08, y + 0.07)], 0.015, 2), 16)
        for y in (0.18, 0.88)
    ]
    foot = lathe(fillet([(0.07, 0.0), (0.14, 0.05), (0.14, 0.12), (0.07, 0.2)], 0.05, 3), 16)
    around_leg = np.arange(20, dtype=np.float64) / 20
    cosine, sine = cosine_sine(around_leg)
    rings = []
    for y in (0.22 + 0.7 * np.arange(19, dtype=np.float64) / 18).tolist():
        wave, _ = cosine_sine(2.0 * (around_leg - 2.2 * y))
        radius = 0.085 + 0.032 * wave
        rings.append(np.stack([cosine * radius, np.full(20, y), sine * radius], axis=1))
    return cover(OAK, head, *collars, foot, _stack(rings))


def _stack(rings: list[FloatArray]) -> Shell:
    cap = triangulate(ellipse(1.0, 1.0, len(rings[0])))
    return loft(np.stack(rings), cap, cap)


def hairpin_leg() -> tuple[Piece, ...]:
    """Three rods of black steel bent from one plate to one point, with screws."""
    plate = extrude(rectangle(0.28, 0.28, 0.05, 2), 0.04, 0.01, "y", 1).moved(0, LEG_TOP - 0.02, 0)
    ends = ((-0.1, -0.1), (0.1, -0.08), (-0.08, 0.1))
    rods = [
        wire([(x, LEG_TOP - 0.03, z), (0.45 * x, 0.5, 0.45 * z), (0.14 * x, 0.06, 0.14 * z)], 0.024, 3, 7)
        for x, z in ends
    ]
    foot = lathe(fillet([(0.03, 0.0), (0.06, 0.01), (0.06, 0.05), (0.03, 0.09)], 0.015, 2), 12)
    screws = [
        ellipsoid(0.045, 0.02, 0.045, 7, 4).moved(x, LEG_TOP - 0.042, z)
        for x, z in ((0.09, 0.09), (0.0, -0.1), (-0.1, 0.0))
    ]
    return (*cover(BLACK_STEEL, plate, *rods), *cover(BRASS, foot, *screws))


def fluted_leg() -> tuple[Piece, ...]:
    """A tapering fluted leg with gilded rings and leaf foot."""
    head = box(0.27, 0.22, 0.27, 0.03).moved(0, LEG_TOP - 0.11, 0)
    rose = [fluted(ellipsoid(0.15, 0.15, 0.06, 13, 5), 5, 0.0).moved(0, LEG_TOP - 0.11, s * 0.135) for s in (-1, 1)]
    shaft = fluted(lathe(smooth([(0.06, 0.14), (0.08, 0.5), (0.105, 0.94)], 2), 40), 8, -0.1)
    rings = [ring(r, 0.05, 13, 5).moved(0, y, 0) for y, r in ((0.14, 0.065), (0.94, 0.11), (1.0, 0.115))]
    neck = lathe([(0.1, 0.92), (0.11, 1.05)], 14)
    foot = lathe(smooth([(0.03, 0.0), (0.07, 0.03), (0.085, 0.09), (0.05, 0.15)], 2), 14)
    leaves = around(leaf(0.16, 0.08, 0.0, 0.03, 6, 5).turned("x", -0.24).moved(0, 0.01, 0.06), 6)
    return (*cover(WHITE, head, shaft, neck), *cover(GILT, *rose, *rings, foot, *leaves))


def cabriole_leg() -> tuple[Piece, ...]:
    """A cherry leg in an S with a carved knee, claws and a brass ball."""
    path = [
        (0, LEG_TOP - 0.12, 0),
        (0.1, LEG_TOP - 0.3, 0.1),
        (0.06, 0.66, 0.06),
        (-0.02, 0.34, -0.02),
        (0.02, 0.14, 0.02),
    ]
    shaft = tapered(path, [0.13, 0.15, 0.1, 0.06, 0.075], 4, 10)
    head = box(0.28, 0.2, 0.28, 0.04).moved(0, LEG_TOP - 0.1, 0)
    shell = [
        leaf(0.24, 0.09, 0.0, 0.05, 6, 5).turned("x", 0.2).turned("y", 0.125 + t).moved(0.12, LEG_TOP - 0.16, 0.12)
        for t in (-0.06, 0.0, 0.06)
    ]
    ball = ellipsoid(0.2, 0.18, 0.2, 10, 6).moved(0.03, 0.09, 0.03)
    claws = [
        s.moved(0.03, 0, 0.03)
        for s in around(wire([(0, 0.2, 0.04), (0, 0.16, 0.1), (0, 0.06, 0.105)], 0.026, 2, 6), 4, start=0.125)
    ]
    return (*cover(CHERRY, head, shaft, *claws), *cover(GILT, *shell), *cover(BRASS, ball))


def _drawer_box(width: float = 1.5) -> Shell:
    return box(width, 0.34, 0.9, 0.03, 1).moved(0, 0.17, -0.45).boxed_uvs()


def painted_drawer() -> tuple[Piece, ...]:
    """A blue drawer painted with roses, with two shell pulls; the box hangs from its flat top."""
    face = slab(1.58, 0.34, 0.1, 0.05).moved(0, 0.17, 0.02)
    field = slab(1.36, 0.22, 0.04, 0.06, 3).moved(0, 0.17, 0.07)
    cup = ellipsoid(0.22, 0.14, 0.14, 12, 6)
    pulls = [fluted(cup.turned("x", 0.25), 9, 0.05).turned("x", -0.25).moved(s * 0.44, 0.17, 0.09) for s in (-1, 1)]
    blooms = [
        fluted(ellipsoid(0.1, 0.05, 0.1, 15, 5), 5, 0.12).turned("x", 0.25).moved(x, 0.17 + y, 0.095)
        for x, y in ((-0.12, 0.0), (0.0, 0.02), (0.12, -0.01))
    ]
    greens = [
        leaf(0.14, 0.07, 0.0, 0.025, 6, 4).turned("y", 0.25 * s).turned("z", t).moved(s * 0.16, 0.17, 0.095)
        for s in (-1, 1)
        for t in (-0.05, 0.05)
    ]
    return (
        *cover(PINE, _drawer_box()),
        *cover(BLUE, face),
        *cover(WHITE, field),
        *cover(GILT, *pulls),
        *cover(ROSES, *blooms),
        *cover(LEAVES, *greens),
    )


def ring_drawer() -> tuple[Piece, ...]:
    """An oak drawer front with mitred mouldings, ring handles on round plates and a keyhole."""
    face = slab(1.58, 0.34, 0.1, 0.04).moved(0, 0.17, 0.02)
    fields = [slab(0.66, 0.2, 0.05, 0.03).moved(s * 0.4, 0.17, 0.07) for s in (-1, 1)]
    beads = [slab(0.74, 0.03, 0.05, 0.012, 1).moved(s * 0.4, 0.17 + y, 0.075) for s in (-1, 1) for y in (-0.125, 0.125)]
    beads += [slab(0.03, 0.28, 0.05, 0.012, 1).moved(s * 0.4 + x, 0.17, 0.075) for s in (-1, 1) for x in (-0.36, 0.36)]
    plates = [
        lathe(fillet([(0.08, 0.0), (0.08, 0.02), (0.03, 0.05)], 0.01, 1), 14)
        .turned("x", 0.25)
        .moved(s * 0.4, 0.2, 0.09)
        for s in (-1, 1)
    ]
    rings = [ring(0.065, 0.024, 12, 5).turned("x", 0.22).moved(s * 0.4, 0.14, 0.14) for s in (-1, 1)]
    escutcheon = extrude(arch(0.08, 0.16, 6), 0.03, 0.008, "z", 1).moved(0, 0.09, 0.075)
    hole = extrude(arch(0.026, 0.07, 4), 0.02, 0.0, "z").moved(0, 0.13, 0.09)
    return (
        *cover(PINE, _drawer_box()),
        *cover(OAK, face, *fields),
        *cover(CHERRY, *beads),
        *cover(BRASS, *plates, *rings, escutcheon),
        *cover(DARK, hole),
    )


def marble_top() -> tuple[Piece, ...]:
    """A round marble slab with a moulded edge on a cherry apron, open where legs go."""
    board = lathe(fillet([(1.1, 0.2), (1.2, 0.22), (1.24, 0.27), (1.2, 0.33), (1.12, 0.36)], 0.03, 2), 36)
    inlay = lathe([(0.9, 0.355), (0.94, 0.355), (0.94, 0.366), (0.9, 0.366)], 36, loop=True)
    apron = lathe([(0.95, 0.0), (1.0, 0.0), (1.0, 0.22), (0.95, 0.22)], 32, loop=True)
    beading = ring(1.0, 0.04, 32, 5).moved(y=0.03)
    blocks = around(box(0.2, 0.22, 0.16, 0.02, 1).moved(0, 0.11, 0.94), 4)
    return (*cover(MARBLE, board), *cover(CHERRY, apron, *blocks), *cover(BRASS, inlay, beading))


def glass_knob() -> tuple[Piece, ...]:
    """A faceted glass knob on a brass rose; flat at the back, z = 0."""
    rose = lathe(fillet([(0.3, 0.0), (0.3, 0.05), (0.16, 0.1), (0.1, 0.2), (0.12, 0.26)], 0.03, 2), 20)
    knob = lathe([(0.12, 0.24), (0.26, 0.36), (0.3, 0.48), (0.24, 0.58), (0.1, 0.64), (0.0, 0.64)], 10)
    beads = around(ellipsoid(0.05, 0.04, 0.05, 7, 4).moved(0, 0.06, 0.25), 10)
    shells = [s.turned("x", 0.25).moved(0, 0.32, 0) for s in (knob, rose, *beads)]
    return (*cover(CRYSTAL, shells[0], crease=0.98), *cover(BRASS, *shells[1:]))


def lion_handle() -> tuple[Piece, ...]:
    """A brass lion's face with a ring in its mouth; flat at the back, z = 0."""
    plate = lathe(fillet([(0.3, 0.0), (0.3, 0.04), (0.24, 0.08)], 0.02, 2), 20).turned("x", 0.25).moved(0, 0.5, 0)
    locks = [ellipsoid(0.1, 0.2, 0.1, 6, 4).moved(0, 0.2, 0.07).turned("z", k / 12).moved(0, 0.5, 0) for k in range(12)]
    face = ellipsoid(0.34, 0.36, 0.24, 12, 6).moved(0, 0.5, 0.1)
    muzzle = [ellipsoid(0.15, 0.12, 0.14, 8, 5).moved(s * 0.05, 0.43, 0.2) for s in (-1, 1)]
    nose = tapered([(0, 0.58, 0.18), (0, 0.5, 0.25), (0, 0.46, 0.26)], [0.035, 0.04, 0.05], 2, 7)
    ears = [ellipsoid(0.1, 0.1, 0.08, 7, 4).moved(s * 0.15, 0.66, 0.12) for s in (-1, 1)]
    eyes = [ellipsoid(0.05, 0.04, 0.04, 7, 4).moved(s * 0.08, 0.55, 0.205) for s in (-1, 1)]
    hoop = ring(0.2, 0.05, 18, 6).turned("x", 0.23).moved(0, 0.22, 0.18)
    return (*cover(BRASS, plate, face, *muzzle, nose, *ears), *cover(GILT, *locks, hoop), *cover(DARK, *eyes))


def _pillow(width: float, depth: float, height: float) -> Shell:
    """A cushion with four pulled-out corners, lying on y = 0."""
    base = lathe(smooth([(0.3, 0.02), (0.42, 0.2), (0.5, 0.5), (0.42, 0.8), (0.3, 0.98)], 3), 32)

    def square(v: FloatArray) -> FloatArray:
        largest = np.maximum(np.abs(v[:, 0]), np.abs(v[:, 2]))
        radius = np.sqrt(v[:, 0] * v[:, 0] + v[:, 2] * v[:, 2])
        grow = np.where(largest > 1e-9, 1.0 + 0.85 * (radius / np.maximum(largest, 1e-9) - 1.0), 1.0)
        corner = np.maximum(radius * grow / 0.5 - 1.0, 0.0)
        flat = 0.5 + (v[:, 1] - 0.5) * (1.0 - 1.1 * np.minimum(corner, 0.6))
        return np.asarray(np.stack([v[:, 0] * grow * width, flat * height, v[:, 2] * grow * depth], axis=1))

    return base.shaped(square)


def tufted_cushion() -> tuple[Piece, ...]:
    """A wine-red velvet cushion with a cord, a sunken button and tassels at its corners."""
    pillow = _pillow(1.2, 1.2, 0.42)
    button = ellipsoid(0.16, 0.08, 0.16, 8, 5).moved(0, 0.42, 0)
    corner = 0.58
    edge = [
        bowed(tube([(-corner, 0.21, 0.6), (0, 0.21, 0.6), (corner, 0.21, 0.6)], 0.035, 6), "x", "z", -0.06).turned(
            "y", k / 4
        )
        for k in range(4)
    ]
    drops = [
        lathe(smooth([(0.03, 0.0), (0.06, 0.04), (0.04, 0.08), (0.08, 0.22), (0.07, 0.24)], 2), 8)
        .turned("x", 0.25)
        .turned("y", 0.125 + k / 4)
        .moved(*(0.57 * s for s in (a, 0.0, b)))
        .moved(0, 0.21, 0)
        for k, (a, b) in enumerate(((1, 1), (1, -1), (-1, -1), (-1, 1)))
    ]
    return (*cover(VELVET, pillow), *cover(CORD, button, *edge, *drops))


def gingham_cushion() -> tuple[Piece, ...]:
    """A flat gingham seat cushion with piping, four buttons and bows to tie it."""
    body = extrude(rectangle(1.2, 1.1, 0.2, 3), 0.24, 0.1, "y", 3).moved(0, 0.12, 0).boxed_uvs()
    pipe = [np.concatenate([rectangle(1.17, 1.07, 0.2, 3), rectangle(1.17, 1.07, 0.2, 3)[:1]])]
    piping = [tube(np.stack([p[:, 0], 0.0 * p[:, 0] + 0.12, -p[:, 1]], axis=1), 0.035, 6) for p in pipe]
    buttons = [ellipsoid(0.09, 0.05, 0.09, 7, 4).moved(x, 0.245, z) for x in (-0.26, 0.26) for z in (-0.24, 0.24)]
    bows = [
        ellipsoid(0.2, 0.08, 0.1, 7, 4).turned("y", t).moved(s * 0.52 + u, 0.12, -0.58)
        for s in (-1, 1)
        for t, u in ((0.06, 0.09), (-0.06, -0.09))
    ]
    tails = [
        wire([(s * 0.52, 0.12, -0.57), (s * 0.52 + d, 0.08, -0.68), (s * 0.52 + 1.6 * d, 0.04, -0.76)], 0.025, 2, 5)
        for s in (-1, 1)
        for d in (-0.05, 0.05)
    ]
    return (*cover(GINGHAM, body), *cover(WHITE, *piping, *buttons, *bows, *tails))
