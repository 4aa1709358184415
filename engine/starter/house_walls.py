"""What sits on the walls of a house: doors, windows, shutters, lamps, boxes, awnings. Flat at the back, z = 0."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.forms import arc, around, leaf, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import arch, ellipse, fillet, points_of, smooth
from engine.starter.paints import cloth, foliage, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, loft, ring, slab, tube
from engine.surfaces import FloatArray

RED = wood("red painted boards", "b23c34", 0.8, planks=4, seed=421)
CREAM = plain("cream paint", "f1e7cf", 0.8, contrast=30, seed=422)
BRASS = metal("polished brass", "d3a348", 0.4, roughness=0.3, seed=423)
IRON = metal("black iron", "4d4e55", 0.4, roughness=0.5, seed=424)
PANE = glass("blue window glass", "86b7c9", 0.6)
WARM = glass("warm window glass", "eccb7c", 0.6, "fff3d0", emissive=0.25)
MOSS = wood("moss green boards", "5d8048", 0.7, planks=4, seed=425)
BROWN_STONE = plain("brown stone", "a58c72", 0.6, contrast=90, seed=426)
NAVY = wood("navy painted boards", "345179", 0.7, planks=4, seed=427)
GREY_WOOD = wood("weathered boards", "9a8e7f", 0.8, planks=4, seed=428)
OAK = wood("oak beams", "7a5331", 0.6, planks=2, seed=429)
SUN = wood("yellow painted boards", "e2b545", 0.6, planks=4, seed=430)
STAINED = (
    glass("ruby glass", "c8343f", 0.4, "ffc9c4"),
    glass("amber glass", "eeb03f", 0.4, "fff0c4"),
    glass("emerald glass", "3f9d6b", 0.4, "d4ffe4"),
    glass("sapphire glass", "3f6fc0", 0.4, "d4e6ff"),
)
SANDSTONE = plain("sandstone", "d8c39a", 0.7, contrast=70, seed=431)
COPPER = metal("copper", "bd6f44", 0.4, roughness=0.3, seed=432)
GLOW = glass("lamp glass", "ffdf97", 0.3, "fffae6", emissive=0.7)
GERANIUM = foliage("red geraniums", "4f8f46", 0.4, "e0413f", bloom=130, seed=433)
IVY = foliage("trailing ivy", "5a8b46", 0.3, "7fb25a", seed=434)
AWNING = cloth(
    "striped awning cloth", "2f8a86", 0.5, "f6ecd6", pattern=partial(patterns.stripes, count=1, upright=True), seed=435
)
SHINGLE = patterned("cedar shingles", "a8683c", "a8683c", 0.8, patterns.shingles, seed=436)


def fanlight_door() -> tuple[Piece, ...]:
    """A red door of six fields under a fan of panes, with a lion ring, a letter slot and a step."""
    surround = extrude(arch(1.08, 2.0, 12), 0.14, 0.04, "z", 2).moved(z=0.07)
    leaf_body = slab(0.8, 1.4, 0.12, 0.02, 1).moved(0, 0.72, 0.1)
    fields = [
        slab(0.28, h, 0.07, 0.04).moved(s * 0.18, y, 0.15)
        for s in (-1, 1)
        for y, h in ((0.3, 0.36), (0.74, 0.34), (1.16, 0.36))
    ]
    fan = extrude(arch(0.8, 0.42, 10), 0.1, 0.01, "z", 1).moved(0, 1.46, 0.11)
    bars = [beam((0, 1.46, 0.165), (0.38 * x, 1.46 + 0.38 * y, 0.165), 0.03) for x, y in arc(1.0, 0.083, 0.417, 4)]
    bars.append(slab(0.84, 0.07, 0.14, 0.02).moved(0, 1.45, 0.13))
    step = slab(1.2, 0.1, 0.34, 0.03).moved(0, 0.05, 0.17)
    knocker = ring(0.07, 0.028, 12, 5).turned("x", 0.25).moved(0, 1.1, 0.2)
    boss = ellipsoid(0.09, 0.09, 0.07, 8, 5).moved(0, 1.17, 0.18)
    slot = slab(0.22, 0.07, 0.05, 0.02).moved(0, 0.54, 0.18)
    knob = ellipsoid(0.09, 0.09, 0.1, 8, 5).moved(0.33, 0.74, 0.19)
    return (
        *cover(CREAM, surround, *bars, step),
        *cover(RED, leaf_body, *fields),
        *cover(PANE, fan),
        *cover(BRASS, knocker, boss, slot, knob),
    )


def round_door() -> tuple[Piece, ...]:
    """A round green door in a ring of stones, with a brass knob in the middle and strap hinges."""
    back = extrude(ellipse(1.5, 1.5, 24), 0.08, 0.02, "z", 1).moved(0, 0.78, 0.04)
    stones = [
        slab(0.3, 0.22, 0.18 + 0.03 * (k % 3), 0.044, 1)
        .moved(0, 0.76, 0.09)
        .turned("z", (k + 0.5) / 16)
        .moved(0, 0.78, 0)
        for k in range(16)
    ]
    disc = extrude(ellipse(1.28, 1.28, 24), 0.12, 0.03, "z", 1).moved(0, 0.78, 0.1)
    ribs = [
        slab(0.03, h, 0.04, 0.01, 1).moved(x, 0.78, 0.165)
        for x, h in ((-0.42, 0.92), (-0.14, 1.2), (0.14, 1.2), (0.42, 0.92))
    ]
    straps = [
        extrude(
            smooth(
                [(-0.52, -0.05), (-0.1, -0.035), (0.1, -0.09), (0.22, 0.0), (0.1, 0.09), (-0.1, 0.035), (-0.52, 0.05)],
                2,
                closed=True,
            ),
            0.05,
            0.012,
            "z",
            1,
        ).moved(0, y, 0.18)
        for y in (0.44, 1.12)
    ]
    knob = (
        lathe(smooth([(0.05, 0.0), (0.05, 0.06), (0.1, 0.1), (0.09, 0.17), (0.0, 0.2)], 2), 14)
        .turned("x", 0.25)
        .moved(0, 0.78, 0.15)
    )
    plate = lathe([(0.13, 0.0), (0.12, 0.03)], 16).turned("x", 0.25).moved(0, 0.78, 0.16)
    sill = slab(0.7, 0.1, 0.3, 0.04).moved(0, 0.06, 0.15)
    return (
        *cover(BROWN_STONE, back, *stones, sill),
        *cover(MOSS, disc.swapped_uvs(), *ribs),
        *cover(IRON, *straps),
        *cover(BRASS, knob, plate),
    )


def glazed_double_door() -> tuple[Piece, ...]:
    """Two navy leaves with panes of glass above and raised fields below."""
    posts = [slab(0.1, 1.6, 0.18, 0.02).moved(s * 0.66, 0.8, 0.09) for s in (-1, 1)]
    posts += [slab(1.5, 0.14, 0.22, 0.04).moved(0, 1.64, 0.11), slab(1.64, 0.08, 0.28, 0.03).moved(0, 1.74, 0.14)]
    leaves = [slab(0.6, 1.54, 0.1, 0.02, 1).moved(s * 0.305, 0.8, 0.07).swapped_uvs() for s in (-1, 1)]
    fields = [slab(0.4, 0.36, 0.06, 0.05).moved(s * 0.305, 0.32, 0.12) for s in (-1, 1)]
    panes = [
        slab(0.19, 0.26, 0.03, 0.01, 1).moved(s * 0.305 + x, y, 0.122)
        for s in (-1, 1)
        for x in (-0.11, 0.11)
        for y in (0.78, 1.08, 1.38)
    ]
    handles = [
        wire(
            [(s * 0.06, 0.68, 0.11), (s * 0.06, 0.7, 0.18), (s * 0.06, 0.86, 0.18), (s * 0.06, 0.88, 0.11)], 0.018, 3, 6
        )
        for s in (-1, 1)
    ]
    plates = [slab(0.06, 0.3, 0.03, 0.012, 1).moved(s * 0.06, 0.78, 0.125) for s in (-1, 1)]
    hinges = [tube([(s * 0.605, y, 0.13), (s * 0.605, y + 0.12, 0.13)], 0.022, 6) for s in (-1, 1) for y in (0.3, 1.2)]
    return (
        *cover(CREAM, *posts),
        *cover(NAVY, *leaves, *fields),
        *cover(PANE, *panes),
        *cover(BRASS, *handles, *plates, *hinges),
    )


def stable_door() -> tuple[Piece, ...]:
    """A weathered door in two halves with Z braces, a heart cut in the upper one, hinges and a latch."""
    posts = [slab(0.14, 1.56, 0.2, 0.02).moved(s * 0.5, 0.78, 0.1) for s in (-1, 1)]
    lintel = slab(1.26, 0.18, 0.24, 0.03).moved(0, 1.6, 0.12)
    boards = [
        slab(0.16, h, 0.08, 0.015, 1).moved(-0.34 + 0.17 * k, y, 0.06 + 0.006 * (k % 2)).swapped_uvs()
        for k in range(5)
        for y, h in ((0.4, 0.74), (1.16, 0.7))
    ]
    backing = slab(0.86, 1.48, 0.05).moved(0, 0.77, 0.025)
    rails = [slab(0.84, 0.1, 0.05, 0.015, 1).moved(0, y, 0.12) for y in (0.12, 0.68, 0.9, 1.44)]
    braces = [beam((-0.36, y, 0.12), (0.36, y + 0.46, 0.12), 0.09, 0.012, 0.045) for y in (0.17, 0.95)]
    heart = extrude(
        smooth(
            [(0.0, -0.11), (0.1, 0.0), (0.1, 0.08), (0.05, 0.1), (0.0, 0.06), (-0.05, 0.1), (-0.1, 0.08), (-0.1, 0.0)],
            3,
            closed=True,
        ),
        0.06,
        0.0,
        "z",
    ).moved(-0.2, 1.28, 0.1)
    hinges = [slab(0.3, 0.06, 0.03, 0.015, 1).moved(-0.32, y, 0.155) for y in (0.12, 0.68, 0.9, 1.44)]
    latch = [
        slab(0.24, 0.05, 0.04, 0.012, 1).moved(0.36, 0.8, 0.13),
        ring(0.05, 0.02, 10, 5).turned("x", 0.25).moved(0.28, 0.62, 0.15),
    ]
    sill = slab(1.1, 0.08, 0.3, 0.02).moved(0, 0.04, 0.15)
    return (
        *cover(OAK, *posts, lintel, sill),
        *cover(GREY_WOOD, *boards, backing, *rails, *braces),
        *cover(IRON, *hinges, *latch),
        *cover(RED, heart),
    )


def bay_window() -> tuple[Piece, ...]:
    """A white bay with three lights, a lead roof and a moulded foot; flat at the wall."""
    plan = points_of([(-0.62, 0.0), (0.62, 0.0), (0.36, 0.4), (-0.36, 0.4)])

    def block(scale: float, height: float, y: float, bevel: float = 0.02) -> Shell:
        outline = plan * np.asarray([[scale, scale]])
        return extrude(outline[::-1] * np.asarray([[1.0, -1.0]]), height, bevel, "y", 1).moved(0, y, 0)

    glass_body = block(0.96, 0.84, 0.66)
    frames = [block(1.02, 0.09, y) for y in (0.28, 1.06)] + [block(1.12, 0.06, 0.22)]
    foot = [block(0.9, 0.1, 0.15), block(0.62, 0.1, 0.06)]
    corners = [(-0.35, 0.39), (0.35, 0.39), (-0.6, 0.03), (0.6, 0.03), (0.0, 0.39)]
    posts = [box(0.07, 0.8, 0.07, 0.015, 1).moved(x, 0.66, z - 0.01) for x, z in corners]
    posts += [box(0.04, 0.8, 0.04).moved(s * 0.475, 0.66, 0.205) for s in (-1, 1)]
    rails = [slab(0.72, 0.045, 0.05).moved(0, 0.82, 0.39)]
    rails += [beam((s * 0.35, 0.82, 0.39), (s * 0.6, 0.82, 0.02), 0.045) for s in (-1, 1)]
    low, high = plan * np.asarray([[1.16, 1.16]]), plan * np.asarray([[0.6, 0.3]])
    rings = [np.stack([p[:, 0], np.full(4, y), p[:, 1]], axis=1) for p, y in ((low, 1.1), (low, 1.14), (high, 1.42))]
    roof = _loft_quads(rings)
    return (*cover(CREAM, *frames, *foot, *posts, *rails), *cover(PANE, glass_body), *cover(NAVY, roof.boxed_uvs()))


def _loft_quads(rings: list[FloatArray]) -> Shell:
    cap = np.asarray([(0, 1, 2), (0, 2, 3)], dtype=np.int64)
    return loft(np.stack(rings), cap, cap)


def lancet(width: float, height: float, steps: int = 6) -> FloatArray:
    """Pointed arch standing on y = 0, counter-clockwise."""
    half = width / 2
    right = arc(width, 0.0, 1.0 / 6.0, steps) - np.asarray([[half, 0.0]])
    spring = height - width * 0.8660254
    right = right + np.asarray([[0.0, spring]])
    left = right[::-1][1:] * np.asarray([[-1.0, 1.0]])
    return np.concatenate([points_of([(-half, 0.0), (half, 0.0)]), right, left])


def stained_window() -> tuple[Piece, ...]:
    """A pointed window of coloured glass in lead, in a sandstone frame with a rose above."""
    frame = extrude(lancet(0.92, 1.5), 0.12, 0.03, "z", 1).moved(z=0.06)
    bed = extrude(lancet(0.74, 1.36), 0.1, 0.01, "z", 1).moved(0, 0.06, 0.085)
    sill = slab(1.1, 0.1, 0.24, 0.03).moved(0, 0.05, 0.12)
    lights = [
        (k, extrude(lancet(0.29, 0.74 - 0.0 * k, 5), 0.03, 0.0, "z").moved(x, 0.12, 0.14))
        for k, x in ((0, -0.17), (3, 0.17))
    ]
    rose = [(1, ellipsoid(0.18, 0.18, 0.06, 10, 5).moved(0, 1.0, 0.14))]
    petals = [
        (k % 4, ellipsoid(0.12, 0.13, 0.05, 7, 4).moved(0, 0.16, 0).turned("z", k / 8).moved(0, 1.0, 0.14))
        for k in range(8)
    ]
    diamonds = [
        (
            (k + row) % 4,
            extrude([(0.0, -0.09), (0.075, 0.0), (0.0, 0.09), (-0.075, 0.0)], 0.04, 0.0, "z").moved(
                x, 0.26 + 0.17 * row, 0.145
            ),
        )
        for row in range(3)
        for k, x in ((1, -0.17), (2, 0.17))
    ]
    lead = [slab(0.03, 0.78, 0.05).moved(0, 0.48, 0.14), slab(0.68, 0.03, 0.05).moved(0, 0.1, 0.14)]
    lead += [ring(0.25, 0.03, 16, 5).turned("x", 0.25).moved(0, 1.0, 0.145)]
    colours: dict[int, list[Shell]] = {}
    for k, shell in (*lights, *rose, *petals, *diamonds):
        colours.setdefault(k, []).append(shell)
    return (
        *cover(SANDSTONE, frame, sill),
        *cover(IRON, bed, *lead),
        *(piece for k in sorted(colours) for piece in cover(STAINED[k], *colours[k])),
    )


def shuttered_window() -> tuple[Piece, ...]:
    """A casement with two glazed leaves, boarded yellow shutters with diamond holes and a moulded head."""
    pane = slab(0.72, 0.9, 0.08, 0.01, 1).moved(0, 0.55, 0.04)
    bars = [slab(0.08, 0.98, 0.13, 0.02, 1).moved(x, 0.55, 0.065) for x in (-0.38, 0.38)]
    bars += [
        slab(0.06, 0.9, 0.11, 0.01, 1).moved(0, 0.55, 0.055),
        slab(0.84, 0.08, 0.13, 0.02, 1).moved(0, 1.02, 0.065),
    ]
    bars += [slab(0.72, 0.035, 0.1).moved(0, y, 0.05) for y in (0.4, 0.7)]
    sill = slab(1.0, 0.09, 0.22, 0.03).moved(0, 0.07, 0.11)
    crown = [slab(1.0, 0.08, 0.18, 0.03).moved(0, 1.09, 0.09), slab(1.1, 0.05, 0.24, 0.02).moved(0, 1.14, 0.12)]
    leaves = [slab(0.38, 0.96, 0.06, 0.02).moved(s * 0.63, 0.56, 0.05).swapped_uvs() for s in (-1, 1)]
    rails = [slab(0.36, 0.08, 0.05, 0.015, 1).moved(s * 0.63, y, 0.085) for s in (-1, 1) for y in (0.2, 0.92)]
    diamonds = [
        extrude([(0.0, -0.09), (0.06, 0.0), (0.0, 0.09), (-0.06, 0.0)], 0.03, 0.0, "z").moved(s * 0.63, 0.62, 0.075)
        for s in (-1, 1)
    ]
    hooks = [slab(0.12, 0.04, 0.04, 0.01, 1).moved(s * 0.46, y, 0.09) for s in (-1, 1) for y in (0.2, 0.92)]
    return (
        *cover(CREAM, *bars, sill, *crown),
        *cover(WARM, pane),
        *cover(SUN, *leaves, *rails),
        *cover(IRON, *diamonds, *hooks),
    )


def brass_porthole() -> tuple[Piece, ...]:
    """A ship's window: a brass ring with bolts, a hinge, a wing nut and bowed glass."""
    plate = lathe(fillet([(0.5, 0.0), (0.5, 0.06), (0.4, 0.1), (0.36, 0.16), (0.3, 0.16)], 0.02, 2), 26)
    rim = ring(0.33, 0.1, 20, 6).moved(y=0.16)
    pane = ellipsoid(0.64, 0.14, 0.64, 20, 6).moved(y=0.14)
    bolts = around(lathe(fillet([(0.05, 0.05), (0.05, 0.1), (0.03, 0.12)], 0.01, 1), 8).moved(0.0, 0.0, 0.44), 10)
    shells = [s.turned("x", 0.25).moved(0, 0.5, 0) for s in (plate, rim, pane, *bolts)]
    hinge = [
        tube([(-0.4, 0.42, 0.16), (-0.4, 0.58, 0.16)], 0.05, 8),
        slab(0.14, 0.12, 0.1, 0.03).moved(-0.36, 0.5, 0.13),
    ]
    nut = [tube([(0.4, 0.5, 0.1), (0.4, 0.5, 0.24)], 0.035, 8)]
    nut += [ellipsoid(0.06, 0.16, 0.06, 7, 5).moved(0.4, 0.5 + s * 0.08, 0.24) for s in (-1, 1)]
    return (*cover(BRASS, shells[0], shells[1], *shells[3:], *nut), *cover(PANE, shells[2]), *cover(COPPER, *hinge))


def bell_lamp() -> tuple[Piece, ...]:
    """A copper bell shade on a curled iron arm."""
    plate = slab(0.16, 0.34, 0.05, 0.05, 3).moved(0, 0.5, 0.025)
    arm = wire([(0, 0.46, 0.03), (0, 0.58, 0.08), (0, 0.72, 0.22), (0, 0.7, 0.4), (0, 0.56, 0.42)], 0.024, 3, 7)
    curl = wire([(0, 0.4, 0.04), (0, 0.44, 0.16), (0, 0.54, 0.2), (0, 0.58, 0.14), (0, 0.54, 0.11)], 0.018, 3, 6)
    line = smooth([(0.24, 0.22), (0.22, 0.28), (0.14, 0.36), (0.1, 0.48), (0.05, 0.54), (0.0, 0.55)], 3)
    inner = [(0.0, 0.5), (0.08, 0.44), (0.12, 0.35), (0.2, 0.25)]
    shade = lathe(np.concatenate([inner, line]), 20).moved(0, 0, 0.42)
    rim = ring(0.235, 0.03, 16, 5).moved(0, 0.225, 0.42)
    bulb = ellipsoid(0.16, 0.22, 0.16, 10, 6).moved(0, 0.32, 0.42)
    socket = lathe([(0.05, 0.36), (0.05, 0.5)], 10).moved(0, 0, 0.42)
    screws = [ellipsoid(0.035, 0.035, 0.03, 6, 4).moved(0, y, 0.05) for y in (0.38, 0.62)]
    return (*cover(IRON, plate, arm, curl, socket, *screws), *cover(COPPER, shade, rim), *cover(GLOW, bulb))


def geranium_box() -> tuple[Piece, ...]:
    """A slatted wooden box on two brackets, full of geraniums, with ivy hanging over its edge."""
    slats = [slab(1.1, 0.11, 0.04, 0.015, 1).moved(0, 0.2 + 0.12 * k, 0.33 + 0.01 * k) for k in range(2)]
    core = box(1.06, 0.26, 0.32, 0.02, 1).moved(0, 0.26, 0.16)
    ends = [slab(0.06, 0.3, 0.36, 0.02, 1).moved(s * 0.54, 0.26, 0.18) for s in (-1, 1)]
    rail = slab(1.16, 0.04, 0.1, 0.015, 1).moved(0, 0.41, 0.34)
    brackets = [
        wire([(s * 0.36, 0.04, 0.02), (s * 0.36, 0.08, 0.18), (s * 0.36, 0.15, 0.3)], 0.02, 3, 6) for s in (-1, 1)
    ]
    brackets += [slab(0.05, 0.26, 0.03, 0.01, 1).moved(s * 0.36, 0.13, 0.015) for s in (-1, 1)]
    heads = [
        ellipsoid(0.26, 0.26 + 0.05 * (k % 2), 0.24, 7, 5).moved(
            -0.42 + 0.14 * k, 0.5 + 0.05 * (k % 2), 0.15 + 0.05 * (k % 3)
        )
        for k in range(7)
    ]
    vines: list[Shell] = []
    for x, length in ((-0.44, 0.3), (-0.2, 0.2), (0.08, 0.34), (0.34, 0.24)):
        vines.append(wire([(x, 0.46, 0.3), (x + 0.02, 0.42, 0.4), (x + 0.04, 0.42 - length, 0.39)], 0.014, 2, 4))
        vines += [
            leaf(0.13, 0.11, 0.03, 0.025, 6, 4)
            .turned("x", 0.1)
            .turned("y", 0.2 * (-1) ** k)
            .moved(x + 0.03, 0.4 - 0.09 * k, 0.39)
            for k in range(1 + int(length * 10))
        ]
    return (
        *cover(OAK, core, *slats, *ends, rail),
        *cover(IRON, *brackets),
        *cover(GERANIUM, *heads),
        *cover(IVY, *vines),
    )


def striped_awning() -> tuple[Piece, ...]:
    """A sloping striped cloth with a scalloped edge on iron arms."""
    slope = [(0.0, 0.62), (0.0, 0.58), (-0.7, 0.16), (-0.7, 0.2)]
    cloth_shell = extrude(slope, 1.5, 0.0, "x")
    strips = [(-0.75 + 0.25 * (k + 0.5)) for k in range(6)]
    lobes = [extrude(_lobe(0.25, 0.15), 0.03, 0.0, "z").moved(x, 0.19, 0.69) for x in strips]
    arms = [tube([(s * 0.68, 0.2, 0.02), (s * 0.68, 0.2, 0.68)], 0.018, 6) for s in (-1, 1)]
    arms += [tube([(s * 0.68, 0.6, 0.03), (s * 0.68, 0.38, 0.36), (s * 0.68, 0.19, 0.68)], 0.018, 6) for s in (-1, 1)]
    rod = tube([(-0.76, 0.19, 0.69), (0.76, 0.19, 0.69)], 0.022, 6)
    case = slab(1.56, 0.12, 0.12, 0.04).moved(0, 0.62, 0.06)
    knobs = [ellipsoid(0.07, 0.07, 0.07, 7, 5).moved(s * 0.77, 0.19, 0.69) for s in (-1, 1)]
    plates = [slab(0.07, 0.14, 0.03, 0.01, 1).moved(s * 0.68, 0.2, 0.015) for s in (-1, 1)]
    return (
        *cover(AWNING, _across(cloth_shell), *(_across(s) for s in lobes)),
        *cover(IRON, *arms, rod, *plates),
        *cover(BRASS, case, *knobs),
    )


def _lobe(width: float, drop: float) -> FloatArray:
    return np.asarray(arc(1.0, 0.5, 1.0, 8) * np.asarray([[width / 2, drop]]))


def _across(shell: Shell) -> Shell:
    """Texture whose stripes run down the slope: u is the width, v the way from the wall."""
    corners = shell.vertices[shell.faces]
    return replace(shell, uvs=np.stack([corners[:, :, 0], corners[:, :, 2] - corners[:, :, 1]], axis=2), period=0.0)


def porch_canopy() -> tuple[Piece, ...]:
    """A small gabled roof of cedar shingles on carved brackets, with a sunburst in its gable."""
    slopes = [
        slab(0.98, 0.07, 0.8, 0.02, 1).turned("z", s * -0.1).moved(s * 0.36, 0.66, 0.4).boxed_uvs() for s in (-1, 1)
    ]
    steps = [
        slab(0.3, 0.05, 0.84, 0.02, 1).turned("z", s * -0.1).moved(s * x, y, 0.41).boxed_uvs()
        for s in (-1, 1)
        for x, y in ((0.68, 0.475), (0.42, 0.665), (0.16, 0.86))
    ]
    ridge = tube([(0, 0.97, -0.0), (0, 0.97, 0.4), (0, 0.97, 0.84)], 0.05, 8, rounded=False)
    gable = extrude([(-0.62, 0.44), (0.62, 0.44), (0.0, 0.9)], 0.06, 0.01, "z", 1).moved(0, 0, 0.66)
    rays = [beam((0, 0.47, 0.71), (0.3 * x, 0.47 + 0.3 * y, 0.71), 0.03, 0.008) for x, y in arc(1.0, 0.06, 0.44, 4)]
    sun = extrude(arch(0.22, 0.13, 8), 0.06, 0.015, "z", 1).moved(0, 0.46, 0.7)
    plates = [slab(1.24, 0.09, 0.1, 0.02).moved(0, 0.42, 0.66)]
    plates += [beam((s * 0.56, 0.42, 0.0), (s * 0.56, 0.42, 0.7), 0.09, 0.02) for s in (-1, 1)]
    arms = [
        tapered([(s * 0.56, 0.02, 0.06), (s * 0.56, 0.14, 0.26), (s * 0.56, 0.38, 0.5)], [0.05, 0.06, 0.05], 3, 7)
        for s in (-1, 1)
    ]
    arms += [slab(0.1, 0.46, 0.08, 0.02).moved(s * 0.56, 0.22, 0.04) for s in (-1, 1)]
    return (*cover(SHINGLE, *slopes, *steps, ridge), *cover(CREAM, gable, *plates, *arms), *cover(SUN, *rays, sun))
