"""Tools and cans of a workshop. Each stands on y = 0 about the origin and is about one unit tall or wide."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.forms import bent, coat, disc, pair, puck, rod, tint, vessel
from engine.starter.models import Piece
from engine.starter.outlines import fillet, gear, rectangle, smooth
from engine.starter.paints import metal, patterned, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube

IRON = metal("forged iron", "54565d", 0.5, roughness=0.5, seed=481)
STEEL = metal("bright steel", "b5babd", 0.4, seed=482)
BRASS = metal("brass", "cda048", 0.4, seed=483)
COPPER = metal("copper", "c0713f", 0.4, seed=484)
OAK = wood("oak", "a9773f", 0.6, planks=1, seed=485, size=64)
BEECH = wood("beech", "cf9f66", 0.6, planks=1, seed=486, size=64)
BARK = patterned("bark", "6d5038", "4d3826", 0.4, patterns.straw, seed=487, size=64)
BLUE = tint("blue machine paint", "3b6a9c", 0.6, roughness=0.4, contrast=50, seed=488)
RED = tint("red paint", "c2403a", 0.6, roughness=0.4, contrast=50, seed=489)
OLIVE = tint("olive paint", "6f7a45", 0.6, roughness=0.5, contrast=70, seed=490)
YELLOW = tint("yellow handle", "efbf3f", 0.4, roughness=0.4, contrast=40, seed=491)
RUBBER = tint("black rubber", "34343a", 0.4, contrast=40, seed=492)
TEAL = tint("teal wall paint", "3aa39b", 0.5, roughness=0.35, contrast=30, seed=493)
LABEL = patterned("striped label", "f1e6cb", "c2453d", 0.5, partial(patterns.stripes, count=2), seed=494, size=64)
BRISTLE = patterned("bristles", "4a3a30", "4a3a30", 0.3, patterns.straw, seed=495, size=64)
ROPE = patterned("hemp rope", "cfb27a", "a98a50", 0.08, partial(patterns.stripes, count=1), seed=496, size=64)


def anvil() -> tuple[Piece, ...]:
    """An anvil with a hammer on a banded block."""
    block = puck(0.34, 0.44, 0.03, 14).swapped_uvs()
    bands = [ring(0.34, 0.035, 16, 5).moved(0, y, 0) for y in (0.1, 0.36)]
    waist = [
        (-0.28, 0.0),
        (0.28, 0.0),
        (0.24, 0.06),
        (0.13, 0.12),
        (0.12, 0.2),
        (0.2, 0.26),
        (0.3, 0.28),
        (0.3, 0.4),
        (-0.3, 0.4),
        (-0.3, 0.28),
        (-0.2, 0.26),
        (-0.12, 0.2),
        (-0.13, 0.12),
        (-0.24, 0.06),
    ]
    body = extrude(waist, 0.26, 0.03, "z", 1).moved(0, 0.43, 0)
    horn = (
        lathe(smooth([(0.12, 0.0), (0.11, 0.14), (0.07, 0.28), (0.0, 0.4)], 2), 12)
        .scaled(0.9, 1, 1)
        .turned("z", -0.25)
        .moved(0.28, 0.745, 0)
    )
    face = box(0.62, 0.04, 0.27, 0.02).moved(-0.02, 0.835, 0)
    heel = box(0.18, 0.12, 0.2, 0.03).moved(-0.36, 0.77, 0)
    haft = rod((-0.3, 0.915, 0.1), (0.22, 0.9, -0.02), 0.024, 8)
    head = extrude(rectangle(0.1, 0.1, 0.025, 2), 0.24, 0.02, "x", 1).turned("y", 0.21).moved(-0.27, 0.905, 0.09)
    return (*coat(BARK, block), *coat(IRON, *bands, body, horn, heel), *coat(STEEL, face, head), *coat(OAK, haft))


def bench_vise() -> tuple[Piece, ...]:
    """A blue vise with steel jaws and a sliding bar, on a plank."""
    plank = box(0.62, 0.08, 1.0, 0.03).moved(0, 0.04, 0.05).boxed_uvs()
    base = [puck(0.26, 0.08, 0.02, 14).moved(0, 0.07, -0.12), puck(0.19, 0.08, 0.015, 14).moved(0, 0.14, -0.12)]
    bolts = [
        puck(0.04, 0.05, 0.0, 6).moved(0.2, 0.14, 0).turned("y", k / 4 + 0.125).moved(0, 0, -0.12) for k in range(4)
    ]
    back = [(-0.36, 0.2), (0.04, 0.2), (0.04, 0.62), (-0.1, 0.62), (-0.2, 0.48), (-0.36, 0.42)]
    jaw_back = extrude(fillet([(-z, y) for z, y in reversed(back)], 0.04, 2, closed=True), 0.3, 0.03, "x", 1)
    front = [(0.16, 0.24), (0.34, 0.24), (0.34, 0.44), (0.28, 0.56), (0.26, 0.62), (0.16, 0.62)]
    jaw_front = extrude(fillet([(-z, y) for z, y in reversed(front)], 0.03, 2, closed=True), 0.3, 0.03, "x", 1)
    slide = box(0.14, 0.12, 0.5, 0.02).moved(0, 0.34, 0.12)
    plates = [slab(0.34, 0.1, 0.03, 0.01).moved(0, 0.58, z) for z in (0.05, 0.15)]
    ledge = box(0.2, 0.06, 0.16, 0.02).moved(0, 0.43, -0.28)
    screw = [rod((0, 0.34, 0.3), (0, 0.34, 0.48), 0.05, 10), disc(0.075, 0.08, 0.02, 12).moved(0, 0.34, 0.42)]
    bar = [
        rod((-0.26, 0.26, 0.46), (0.2, 0.46, 0.46), 0.02),
        *[ellipsoid(0.08, 0.08, 0.08, 7, 5).moved(x, y, 0.46) for x, y in ((-0.26, 0.26), (0.2, 0.46))],
    ]
    return (
        *coat(OAK, plank),
        *coat(BLUE, *base, jaw_back, jaw_front),
        *coat(STEEL, *bolts, slide, *plates, ledge, *screw, *bar),
    )


def tool_box() -> tuple[Piece, ...]:
    """An open wooden tool carrier with a dowel handle, a saw, a hammer and a screwdriver."""
    ends = [
        extrude(
            fillet(
                [(-0.24, 0.0), (0.24, 0.0), (0.24, 0.26), (0.07, 0.58), (-0.07, 0.58), (-0.24, 0.26)],
                0.05,
                2,
                closed=True,
            ),
            0.05,
            0.012,
            "x",
            1,
        ).moved(x, 0, 0)
        for x in (-0.5, 0.5)
    ]
    sides = [slab(0.98, 0.26, 0.045, 0.012).moved(0, 0.14, z) for z in (-0.21, 0.21)]
    floor = box(0.98, 0.05, 0.4).moved(0, 0.05, 0)
    dowel = rod((-0.53, 0.5, 0), (0.53, 0.5, 0), 0.035, 8)
    blade = extrude([(-0.36, 0.1), (0.1, 0.1), (0.3, 0.3), (0.2, 0.42), (-0.36, 0.2)], 0.02, 0.0).moved(0, -0.03, 0.1)
    grip = extrude(
        smooth([(0.2, 0.28), (0.36, 0.28), (0.42, 0.44), (0.34, 0.52), (0.2, 0.46)], 2, closed=True),
        0.05,
        0.015,
        "z",
        1,
    ).moved(0, -0.01, 0.1)
    hammer = [
        rod((-0.26, 0.06, -0.1), (-0.34, 0.56, -0.13), 0.022),
        extrude(rectangle(0.09, 0.09, 0.02, 2), 0.22, 0.015, "x", 1).moved(-0.345, 0.58, -0.13),
    ]
    claw = [
        bent([(-0.25, 0.58, z), (-0.18, 0.58, z), (-0.13, 0.52, z)], [0.03, 0.022, 0.01], 6, 2) for z in (-0.15, -0.11)
    ]
    driver = [
        rod((0.06, 0.06, -0.12), (0.1, 0.4, -0.12), 0.014, 6),
        lathe(fillet([(0.0, 0.0), (0.04, 0.0), (0.05, 0.1), (0.035, 0.2), (0.0, 0.2)], 0.02, 2), 10)
        .turned("z", -0.018)
        .moved(0.095, 0.38, -0.12),
    ]
    wrench = [
        beam((0.3, 0.06, -0.1), (0.34, 0.5, -0.14), 0.05, 0.012, 0.025),
        extrude(gear(0.075, 0.05, 3), 0.03, 0.008, "z", 1).moved(0.34, 0.53, -0.14),
    ]
    return (
        *coat(BEECH, *ends, *sides, floor),
        *coat(OAK, dowel, grip, hammer[0]),
        *coat(STEEL, blade, driver[0], *wrench),
        *coat(IRON, hammer[1], *claw),
        *coat(YELLOW, driver[1]),
    )


def oil_can() -> tuple[Piece, ...]:
    """A copper oiler with a long thin spout and a thumb lever."""
    base = lathe(fillet([(0.0, 0.0), (0.32, 0.0), (0.33, 0.06), (0.3, 0.1), (0.0, 0.1)], 0.02, 2), 16)
    cone = lathe(smooth([(0.3, 0.08), (0.28, 0.22), (0.16, 0.4), (0.07, 0.5)], 2), 16)
    collar = puck(0.09, 0.1, 0.02, 12).moved(0, 0.48, 0)
    spout = tube(
        smooth([(0, 0.56, 0), (0.02, 0.74, 0), (0.12, 0.92, 0), (0.34, 1.08, 0)], 2),
        [0.05, 0.035, 0.025, 0.014],
        8,
        rounded=False,
    )
    grip = bent([(-0.06, 0.54, 0), (-0.24, 0.56, 0), (-0.36, 0.42, 0), (-0.36, 0.2, 0), (-0.29, 0.1, 0)], 0.024, 6)
    lever = bent([(-0.04, 0.58, 0), (-0.2, 0.66, 0), (-0.36, 0.62, 0)], [0.02, 0.024, 0.03], 6, 2, domed=True)
    seams = [ring(r, 0.022, 16, 5).moved(0, y, 0) for r, y in ((0.31, 0.09), (0.08, 0.49))]
    return (*coat(COPPER, base, cone), *coat(BRASS, collar, spout, *seams), *coat(IRON, grip, lever))


def jerrycan() -> tuple[Piece, ...]:
    """An olive fuel can with pressed crosses and three handles."""
    body = extrude(
        fillet([(-0.34, 0.0), (0.34, 0.0), (0.34, 0.66), (0.2, 0.86), (-0.34, 0.86)], 0.09, 3, closed=True),
        0.32,
        0.05,
        "z",
        2,
    ).moved(0, 0.008, 0)
    seam = extrude(
        fillet([(-0.355, 0.0), (0.355, 0.0), (0.355, 0.67), (0.2, 0.875), (-0.355, 0.875)], 0.09, 3, closed=True),
        0.03,
        0.0,
        "z",
    )
    ribs = [beam((-0.22 * t, 0.16, z), (0.22 * t, 0.64, z), 0.06, 0.02, 0.04) for z in (-0.16, 0.16) for t in (-1, 1)]
    posts = [slab(0.05, 0.14, 0.22, 0.015).moved(x, 0.92, 0) for x in (-0.24, 0.04)]
    bars = [rod((-0.26, 0.97, z), (0.06, 0.97, z), 0.022) for z in (-0.08, 0.0, 0.08)]
    neck = (
        lathe(fillet([(0.0, 0.0), (0.085, 0.0), (0.08, 0.1), (0.1, 0.12), (0.1, 0.18), (0.0, 0.18)], 0.015, 1), 12)
        .turned("z", -0.1)
        .moved(0.24, 0.78, 0)
    )
    clamp = [bent([(0.3, 0.86, -0.12), (0.38, 0.94, -0.06), (0.38, 0.94, 0.06), (0.3, 0.86, 0.12)], 0.016, 6)]
    return (*coat(OLIVE, body, seam, *ribs, *posts, *bars), *coat(RED, neck), *coat(STEEL, *clamp))


def paint_tin() -> tuple[Piece, ...]:
    """An open tin of teal paint with drips and a brush across it."""
    wall = lathe([(0.0, 0.0), (0.34, 0.0), (0.34, 0.62), (0.315, 0.62), (0.315, 0.5), (0.0, 0.5)], 16)
    rims = [ring(0.338, 0.035, 16, 5).moved(0, y, 0) for y in (0.02, 0.62)]
    label = lathe([(0.3, 0.12), (0.346, 0.12), (0.346, 0.5), (0.3, 0.5)], 16, loop=True)
    fill = puck(0.316, 0.06, 0.0, 16).moved(0, 0.5, 0)
    runs = [
        bent(
            [(0.32, 0.63, 0), (0.355, 0.6, 0), (0.357, 0.5 - 0.07 * (k % 3), 0), (0.355, 0.44 - 0.1 * (k % 3), 0)],
            [0.02, 0.03, 0.025, 0.032],
            6,
            2,
            domed=True,
        ).turned("y", 0.1 + 0.09 * k)
        for k in range(4)
    ]
    side = [(0.35, 0.5, 0.0), (0.42, 0.3, 0.12), (0.3, 0.12, 0.26)]
    bail = bent([*[(-x, y, z) for x, y, z in side], (0.0, 0.06, 0.37), *reversed(side)], 0.013, 5)
    lugs = pair(ellipsoid(0.06, 0.08, 0.08, 7, 4).moved(0.345, 0.5, 0))
    shaft = extrude(
        smooth(
            [
                (-0.62, -0.04),
                (-0.5, -0.03),
                (-0.2, -0.05),
                (-0.16, -0.09),
                (-0.16, 0.09),
                (-0.2, 0.05),
                (-0.5, 0.03),
                (-0.62, 0.04),
            ],
            2,
            closed=True,
        ),
        0.04,
        0.012,
        "y",
        1,
    )
    ferrule = box(0.12, 0.07, 0.22, 0.02).moved(-0.1, 0, 0)
    hair = box(0.24, 0.055, 0.2, 0.02).moved(0.06, 0, 0)
    tip = box(0.12, 0.065, 0.21, 0.025).moved(0.16, 0, 0)
    brush = [s.turned("y", 0.07).moved(0.12, 0.665, 0.0) for s in (shaft, ferrule, hair, tip)]
    return (
        *coat(STEEL, wall, *rims, bail, *lugs, brush[1]),
        *coat(LABEL, label),
        *coat(TEAL, fill, *runs, brush[3]),
        *coat(BEECH, brush[0]),
        *coat(BRISTLE, brush[2]),
    )


def rope_coil() -> tuple[Piece, ...]:
    """A heaped coil of rope with an iron hook."""
    turns: list[Shell] = []
    for k, r in enumerate((0.44, 0.43, 0.4, 0.35)):
        turns.append(
            ring(r, 0.13, 20, 6).swapped_uvs().turned("x", 0.006 * (-1) ** k).moved(0.01 * k, 0.08 + 0.105 * k, 0)
        )
    inner = [ring(0.31, 0.12, 16, 6).swapped_uvs().moved(0, 0.07 + 0.1 * k, 0) for k in range(3)]
    tail = bent(
        [(0.34, 0.4, 0.1), (0.36, 0.46, -0.14), (0.2, 0.5, -0.32), (-0.06, 0.47, -0.36)], 0.06, 8, 3, domed=True
    ).swapped_uvs()
    end = bent([(0.42, 0.3, 0.12), (0.52, 0.16, 0.24), (0.56, 0.08, 0.42)], 0.058, 7).swapped_uvs()
    eye = ring(0.06, 0.035, 10, 5).turned("z", 0.25).moved(0.57, 0.08, 0.5)
    hook = bent(
        [(0.57, 0.07, 0.54), (0.58, 0.05, 0.66), (0.66, 0.05, 0.74), (0.74, 0.05, 0.66), (0.7, 0.05, 0.58)],
        [0.03, 0.036, 0.04, 0.03, 0.012],
        7,
        3,
        domed=True,
    )
    return (*coat(ROPE, *turns, *inner, tail, end), *coat(IRON, eye, hook))


def blowlamp() -> tuple[Piece, ...]:
    """A brass blowlamp with a pump and a wooden grip."""
    tank = lathe(fillet([(0.0, 0.0), (0.3, 0.0), (0.31, 0.3), (0.2, 0.42), (0.0, 0.44)], 0.05, 2), 16)
    foot = ring(0.29, 0.04, 16, 5).moved(0, 0.022, 0)
    neck = lathe(
        fillet(
            [(0.0, 0.4), (0.08, 0.4), (0.08, 0.48), (0.13, 0.5), (0.13, 0.54), (0.05, 0.56), (0.05, 0.74), (0.0, 0.74)],
            0.012,
            1,
        ),
        12,
    )
    burner = (
        lathe(
            fillet(
                [(0.0, -0.16), (0.07, -0.16), (0.07, 0.02), (0.1, 0.06), (0.11, 0.3), (0.085, 0.3), (0.0, 0.1)],
                0.012,
                1,
            ),
            14,
        )
        .turned("x", 0.25)
        .moved(0, 0.74, 0.0)
    )
    holes = [
        ellipsoid(0.04, 0.04, 0.04, 6, 4).moved(0.1, 0.18, 0).turned("y", k / 6).turned("x", 0.25).moved(0, 0.74, 0)
        for k in range(6)
    ]
    pump = [
        rod((0.16, 0.38, 0.05), (0.16, 0.56, 0.05), 0.035, 8),
        ellipsoid(0.09, 0.06, 0.09, 8, 5).moved(0.16, 0.58, 0.05),
    ]
    valve = [
        rod((0, 0.66, 0), (-0.16, 0.66, 0), 0.016, 6),
        puck(0.06, 0.03, 0.0, 8).turned("z", 0.25).moved(-0.15, 0.66, 0),
    ]
    stay = bent([(0, 0.5, -0.06), (0, 0.56, -0.26), (0, 0.54, -0.36)], 0.02, 6)
    grip = (
        lathe(smooth([(0.03, 0.0), (0.06, 0.08), (0.05, 0.24), (0.065, 0.38), (0.0, 0.42)], 2), 10)
        .turned("x", 0.5)
        .moved(0, 0.57, -0.36)
    )
    return (
        *coat(BRASS, tank, foot, neck, *pump),
        *coat(STEEL, burner, *valve, stay),
        *coat(RUBBER, *holes),
        *coat(OAK, grip),
    )


def step_ladder() -> tuple[Piece, ...]:
    """A wooden step ladder with a bucket on its top."""
    rails = [beam((0.34 * s, 0.01, 0.32), (0.2 * s, 1.0, 0.0), 0.07, 0.012, 0.05) for s in (-1, 1)]
    legs = [beam((0.34 * s, 0.01, -0.38), (0.2 * s, 1.0, -0.04), 0.06, 0.012, 0.045) for s in (-1, 1)]
    steps = [box(0.62 - 0.07 * k, 0.045, 0.17, 0.015).moved(0, 0.2 + 0.2 * k, 0.256 - 0.064 * k) for k in range(4)]
    top = box(0.5, 0.05, 0.3, 0.02).moved(0, 1.0, -0.02)
    braces = [
        rod((-0.29, 0.32, -0.27), (0.29, 0.32, -0.27), 0.018, 6),
        rod((-0.25, 0.62, -0.17), (0.25, 0.62, -0.17), 0.018, 6),
    ]
    stays = [rod((0.29 * s, 0.42, 0.19), (0.29 * s, 0.42, -0.24), 0.011, 5) for s in (-1, 1)]
    pail = vessel([(0.1, 1.02), (0.14, 1.22), (0.15, 1.23)], 0.018, 1.05, 14, 1).moved(0.08, 0, 0)
    bail = bent(
        [(-0.06, 1.21, 0), (-0.03, 1.26, 0.09), (0.08, 1.27, 0.14), (0.19, 1.26, 0.09), (0.22, 1.21, 0)], 0.01, 5, 2
    )
    return (*coat(BEECH, *rails, *legs, *steps, top), *coat(STEEL, *braces, *stays, bail), *coat(RED, pail))
