"""Parts of robots: antennas, arms for the left shoulder, packs, panels, legs, a propeller."""

from __future__ import annotations

from engine.starter import patterns
from engine.starter.forms import around, band, bowed, coil, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import fillet, gear, points_of, rectangle, smooth
from engine.starter.paints import glass, metal, painted_metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube

STEEL = metal("brushed steel", "9fa5ab", 0.6, seed=471)
COPPER = metal("copper wire", "c0703f", 0.3, roughness=0.3, seed=472)
BRASS = metal("brass", "cfa046", 0.5, roughness=0.3, seed=473)
GUNMETAL = metal("gunmetal", "55585f", 0.5, roughness=0.5, seed=474)
PLASMA = glass("violet glass", "a77bea", 0.3, "f3e6ff", emissive=0.7)
RED = painted_metal("red painted tin", "c0453a", 1.0, seed=475)
YELLOW = painted_metal("yellow painted tin", "e4b440", 1.0, seed=476)
TEAL = painted_metal("teal painted tin", "378f8c", 1.0, seed=477)
IVORY = plain("ivory enamel", "efe5cf", 0.8, roughness=0.4, contrast=30, seed=478)
GLOVE = plain("red boxing leather", "c23a38", 0.5, roughness=0.4, contrast=60, seed=479)
LACE = plain("white laces", "f1ebdd", 0.3, contrast=20, seed=480)
RUBBER = patterned("black rubber", "403e3d", "403e3d", 0.3, patterns.tread, roughness=0.95, seed=481)
DARK = plain("black enamel", "313138", 0.4, roughness=0.4, contrast=24, seed=482)
CELL = patterned("solar cells", "27467c", "8fb4e0", 0.5, patterns.checks, roughness=0.25, seed=483)
FLAME = glass("rocket flame", "ff9d3c", 0.3, "fff0a8", emissive=0.8)
MAHOGANY = wood("polished mahogany", "7c3f2c", 0.7, planks=2, seed=484)
RED_LAMP = glass("red lamp", "e2513f", 0.2, "ffc2b0", emissive=0.5)
GREEN_LAMP = glass("green lamp", "58c46a", 0.2, "d8ffd0", emissive=0.5)


def coil_antenna() -> tuple[Piece, ...]:
    """A copper coil on a stepped insulator under a violet globe."""
    foot = lathe(fillet([(0.24, 0.0), (0.24, 0.07), (0.16, 0.12), (0.1, 0.14)], 0.02, 2), 16)
    discs = [
        lathe(fillet([(0.07, y), (0.15, y + 0.02), (0.15, y + 0.05), (0.07, y + 0.07)], 0.012, 1), 14)
        for y in (0.14, 0.22, 0.3)
    ]
    core = tube([(0, 0.1, 0), (0, 0.86, 0)], 0.055, 9)
    winding = coil(0.085, 0.42, 6, 0.055, steps=9, sides=5).moved(y=0.42)
    plate = lathe(fillet([(0.04, 0.84), (0.2, 0.88), (0.2, 0.92), (0.04, 0.94)], 0.015, 1), 16)
    globe = ellipsoid(0.32, 0.32, 0.32, 14, 7).moved(y=1.06)
    prongs = around(wire([(0, 0.9, 0.17), (0, 1.04, 0.19), (0, 1.2, 0.1)], 0.018, 2, 5), 4)
    return (
        *cover(STEEL, foot, plate, *prongs),
        *cover(IVORY, *discs),
        *cover(GUNMETAL, core),
        *cover(COPPER, winding),
        *cover(PLASMA, globe),
    )


def radar_antenna() -> tuple[Piece, ...]:
    """A curved radar grid on a turning head with a horn in front."""
    foot = lathe(
        fillet(
            [(0.22, 0.0), (0.22, 0.06), (0.1, 0.14), (0.08, 0.3), (0.13, 0.34), (0.13, 0.44), (0.08, 0.48)], 0.02, 2
        ),
        16,
    )
    rails = [
        bowed(tube([(-0.5, y, 0), (-0.25, y, 0), (0.0, y, 0), (0.25, y, 0), (0.5, y, 0)], 0.022, 6), "x", "z", 0.6)
        for y in (0.46, 0.9)
    ]
    slats = [
        slab(0.016, 0.46, 0.03).moved(x, 0.68, 0.6 * x * x)
        for x in (-0.48, -0.4, -0.32, -0.24, -0.16, -0.08, 0.0, 0.08, 0.16, 0.24, 0.32, 0.4, 0.48)
    ]
    middle = bowed(
        tube([(-0.5, 0.68, 0), (-0.25, 0.68, 0), (0.0, 0.68, 0), (0.25, 0.68, 0), (0.5, 0.68, 0)], 0.018, 5),
        "x",
        "z",
        0.6,
    )
    spine = beam((0, 0.44, -0.04), (0, 0.92, -0.03), 0.07, 0.015)
    arm = wire([(0, 0.42, 0.05), (0, 0.42, 0.26), (0, 0.62, 0.41)], 0.024, 3, 6)
    horn = (
        lathe(smooth([(0.03, 0.0), (0.04, 0.08), (0.09, 0.18), (0.07, 0.18), (0.0, 0.08)], 2), 12)
        .turned("x", -0.25)
        .moved(0, 0.64, 0.42)
    )
    lamp = ellipsoid(0.08, 0.08, 0.08, 8, 5).moved(0, 0.95, -0.03)
    return (
        *cover(GUNMETAL, foot, spine, arm),
        *cover(RED, *rails, middle),
        *cover(STEEL, *slats, horn),
        *cover(RED_LAMP, lamp),
    )


def grabber_arm() -> tuple[Piece, ...]:
    """A left arm of jointed girders with a three-fingered grabber; its shoulder is flat at x = 0."""
    cap = (
        lathe(fillet([(0.2, 0.0), (0.22, 0.06), (0.2, 0.2), (0.12, 0.26)], 0.03, 2), 16)
        .turned("z", -0.25)
        .moved(0, 1.4, 0)
    )
    upper = [beam((0.22, 1.4, z), (0.36, 0.86, z), 0.12, 0.02, 0.05) for z in (-0.09, 0.09)]
    lower = [beam((0.36, 0.86, z), (0.3, 0.44, z + 0.04), 0.1, 0.02, 0.05) for z in (-0.04, 0.04)]
    pins = [tube([(x, y, -0.15), (x, y, 0.15)], r, 10) for x, y, r in ((0.22, 1.4, 0.11), (0.36, 0.86, 0.1))]
    piston = [tube([(0.2, 1.2, 0), (0.3, 0.8, 0.0)], 0.035, 7), tube([(0.3, 0.94, 0), (0.31, 0.52, 0.02)], 0.022, 6)]
    wrist = lathe(fillet([(0.1, 0.0), (0.14, 0.04), (0.14, 0.12), (0.08, 0.18)], 0.02, 2), 14).moved(0.3, 0.32, 0.04)
    fingers: list[Shell] = []
    for finger in (
        tapered([(0, 0.34, 0.1), (0, 0.24, 0.19), (0, 0.12, 0.18), (0, 0.02, 0.07)], [0.045, 0.05, 0.045, 0.02], 2, 7),
        ellipsoid(0.1, 0.1, 0.1, 7, 5).moved(0, 0.23, 0.19),
    ):
        fingers += [s.moved(0.3, 0, 0.04) for s in around(finger, 3)]
    return (*cover(YELLOW, cap, *upper, *lower), *cover(STEEL, *piston, wrist), *cover(GUNMETAL, *pins, *fingers))


def boxing_arm() -> tuple[Piece, ...]:
    """A left arm on a zigzag of scissor links with a boxing glove; its shoulder is flat at x = 0."""
    cap = lathe(fillet([(0.22, 0.0), (0.22, 0.1), (0.14, 0.18)], 0.03, 2), 16).turned("z", -0.25).moved(0, 1.3, 0)
    housing = box(0.24, 0.3, 0.3, 0.07).moved(0.22, 1.26, 0)
    links: list[Shell] = []
    joints: list[Shell] = []
    steps = [(1.14 - 0.17 * k) for k in range(5)]
    for k, y in enumerate(steps[:-1]):
        below = steps[k + 1]
        links += [
            beam((0.24 + s * 0.017, y, s * 0.13), (0.24 + s * 0.017, below, -s * 0.13), 0.05, 0.0, 0.03)
            for s in (-1, 1)
        ]
        joints += [tube([(0.2, y, s * 0.13), (0.28, y, s * 0.13)], 0.03, 6) for s in (-1, 1)]
        joints.append(tube([(0.2, y - 0.085, 0), (0.28, y - 0.085, 0)], 0.028, 6))
    cuff = lathe(fillet([(0.13, 0.0), (0.16, 0.03), (0.16, 0.14), (0.12, 0.17)], 0.02, 2), 16).moved(0.24, 0.34, 0)
    fist = ellipsoid(0.42, 0.36, 0.46, 13, 7).moved(0.24, 0.18, 0.03)
    thumb = ellipsoid(0.16, 0.18, 0.28, 9, 5).turned("x", 0.06).moved(0.08, 0.24, 0.12)
    fold = [ring(0.165, 0.04, 13, 5).moved(0.24, 0.35, 0)]
    laces = [tube([(0.2, 0.38 + 0.045 * k, 0.155), (0.28, 0.4 + 0.045 * k, 0.155)], 0.014, 5) for k in range(3)]
    return (
        *cover(TEAL, cap, housing),
        *cover(STEEL, *links),
        *cover(BRASS, *joints),
        *cover(GLOVE, fist, thumb, cuff),
        *cover(LACE, *fold, *laces),
    )


def rocket_pack() -> tuple[Piece, ...]:
    """Two red rockets with fins and flames on a plate; the plate is flat towards +Z."""
    plate = extrude(rectangle(0.62, 0.86, 0.12, 3), 0.1, 0.03, "z", 2).moved(0, 0.78, -0.05)
    body = lathe(smooth([(0.12, 0.34), (0.19, 0.46), (0.2, 0.9), (0.15, 1.14), (0.06, 1.32), (0.0, 1.38)], 3), 16)
    nozzle = lathe([(0.09, 0.38), (0.15, 0.24), (0.12, 0.24), (0.0, 0.3)], 14)
    flame = lathe(smooth([(0.0, 0.0), (0.06, 0.1), (0.1, 0.22), (0.07, 0.28)], 2), 10)
    fin = extrude([(0.14, 0.66), (0.14, 0.38), (0.3, 0.26), (0.32, 0.4)], 0.03, 0.01, "z", 1)
    hoops = [band(0.205, y - 0.03, y + 0.03, 0.06, 16) for y in (0.56, 0.92)]
    sides = (-0.24, 0.24)

    def both(*shells: Shell) -> list[Shell]:
        return [s.moved(x, 0, -0.26) for x in sides for s in shells]

    fins = [fin.turned("y", k).moved(x, 0, -0.26) for x in sides for k in ((0.25, 0.5) if x < 0 else (0.25, 0.0))]
    dial = (
        lathe(fillet([(0.12, 0.0), (0.12, 0.05), (0.09, 0.06)], 0.012, 1), 14).turned("x", -0.25).moved(0, 0.8, -0.09)
    )
    pipes = [
        wire([(s * 0.08, 1.0, -0.1), (s * 0.06, 1.2, -0.16), (s * 0.16, 1.24, -0.24)], 0.03, 3, 6) for s in (-1, 1)
    ]
    return (
        *cover(RED, *both(body)),
        *cover(STEEL, plate, *both(*hoops), *pipes),
        *cover(GUNMETAL, *both(nozzle), *fins),
        *cover(FLAME, *both(flame)),
        *cover(BRASS, dial),
    )


def dial_panel() -> tuple[Piece, ...]:
    """A mahogany board with three dials, a lever, two lamps and brass corners; flat at the back, z = 0."""
    board = extrude(rectangle(0.94, 0.74, 0.06, 2), 0.1, 0.03, "z", 2).moved(0, 0.4, 0.05)
    faces: list[Shell] = []
    rims: list[Shell] = []
    hands: list[Shell] = []
    for x, y, r, turn in ((-0.24, 0.5, 0.17, 0.1), (0.16, 0.58, 0.11, -0.15), (0.16, 0.3, 0.09, 0.22)):
        faces.append(lathe([(r, 0.0), (r, 0.03)], 18).turned("x", 0.25).moved(x, y, 0.09))
        rims.append(ring(r, 0.035, 15, 5).turned("x", 0.25).moved(x, y, 0.12))
        hands.append(slab(0.02, 0.85 * r, 0.02).moved(0, 0.36 * r, 0).turned("z", turn).moved(x, y, 0.128))
        hands += [
            slab(0.014, 0.2 * r, 0.016).moved(0, 0.8 * r, 0).turned("z", 0.125 * k - 0.375).moved(x, y, 0.124)
            for k in range(7)
        ]
    slot = slab(0.06, 0.34, 0.03, 0.02).moved(0.36, 0.44, 0.1)
    lever = [tube([(0.36, 0.46, 0.1), (0.36, 0.54, 0.26)], 0.02, 6)]
    ball = ellipsoid(0.09, 0.09, 0.09, 9, 5).moved(0.36, 0.55, 0.28)
    lamps = [ellipsoid(0.08, 0.08, 0.08, 8, 5).moved(x, 0.2, 0.1) for x in (-0.32, -0.16)]
    corners = [
        extrude(gear(0.05, 0.04, 6), 0.03, 0.0, "z").moved(s * 0.42, y, 0.1) for s in (-1, 1) for y in (0.08, 0.72)
    ]
    return (
        *cover(MAHOGANY, board),
        *cover(BRASS, *rims, *lever, *corners),
        *cover(IVORY, *faces),
        *cover(DARK, *hands, slot),
        *cover(RED_LAMP, lamps[0], ball),
        *cover(GREEN_LAMP, lamps[1]),
    )


def coil_leg() -> tuple[Piece, ...]:
    """A spring between two cups over a rubber sucker; the socket on top is flat."""
    top = 1.3
    socket = lathe(fillet([(0.2, 1.06), (0.22, 1.12), (0.22, top), (0.0, top)], 0.03, 2), 16)
    spring = coil(0.16, 0.62, 4, 0.07, steps=11, sides=6).moved(y=0.46)
    core = tube([(0, 0.4, 0), (0, 1.1, 0)], 0.06, 9)
    cup = lathe(fillet([(0.14, 0.34), (0.22, 0.38), (0.22, 0.48), (0.14, 0.5)], 0.025, 2), 16)
    ankle = ellipsoid(0.26, 0.22, 0.26, 10, 6).moved(y=0.3)
    sucker = lathe(smooth([(0.38, 0.0), (0.4, 0.05), (0.3, 0.16), (0.14, 0.24), (0.1, 0.28)], 3), 20)
    lip = ring(0.37, 0.07, 16, 5).moved(y=0.035)
    bolts = around(ellipsoid(0.06, 0.06, 0.05, 6, 4).moved(0, 1.2, 0.22), 6)
    return (
        *cover(RED, socket, cup),
        *cover(STEEL, spring, *bolts),
        *cover(GUNMETAL, core, ankle),
        *cover(RUBBER, sucker, lip),
    )


def track_leg() -> tuple[Piece, ...]:
    """A leg that ends in a caterpillar track on three wheels; the top is flat."""
    socket = lathe(fillet([(0.2, 1.16), (0.2, 1.3), (0.0, 1.3)], 0.03, 2), 16)
    strut = tapered([(0, 0.42, 0), (0, 0.9, 0), (0, 1.2, 0)], [0.11, 0.1, 0.13], 2, 10)
    fork = [slab(0.06, 0.5, 0.2, 0.05).moved(x, 0.42, 0) for x in (-0.2, 0.2)]
    yoke = box(0.46, 0.12, 0.24, 0.04).moved(0, 0.64, 0)
    loop = smooth(
        [
            (-0.36, 0.02),
            (0.36, 0.02),
            (0.5, 0.12),
            (0.44, 0.28),
            (0.1, 0.42),
            (-0.1, 0.42),
            (-0.44, 0.28),
            (-0.5, 0.12),
        ],
        4,
        closed=True,
    )
    outer = extrude(loop, 0.3, 0.03, "x", 1)
    lugs: list[Shell] = []
    for a, b in zip(points_of(loop)[::2], points_of(loop)[1::2], strict=True):
        middle = (a + b) / 2
        # the outline's x runs towards -z on this axis
        lugs.append(beam((-0.17, middle[1], -middle[0]), (0.17, middle[1], -middle[0]), 0.07, 0.01, 0.05))
    wheels = [
        lathe(fillet([(0.0, -0.18), (r, -0.18), (r, 0.18), (0.0, 0.18)], 0.02, 1), 14).turned("z", 0.25).moved(0, y, z)
        for z, y, r in ((0.32, 0.16, 0.1), (-0.32, 0.16, 0.1), (0.0, 0.26, 0.12))
    ]
    caps = [
        ellipsoid(0.06, 0.1, 0.1, 8, 5).moved(s * 0.18, y, z) for s in (-1, 1) for z, y in ((0.32, 0.16), (-0.32, 0.16))
    ]
    return (
        *cover(TEAL, socket, *fork, yoke),
        *cover(STEEL, strut, *wheels),
        *cover(RUBBER, outer, *lugs),
        *cover(BRASS, *caps),
    )


def solar_mast() -> tuple[Piece, ...]:
    """Two hinged wings of solar cells on a tilting head."""
    foot = lathe(fillet([(0.2, 0.0), (0.2, 0.06), (0.08, 0.12), (0.06, 0.4), (0.1, 0.44), (0.1, 0.52)], 0.02, 2), 14)
    joint = tube([(-0.12, 0.52, 0), (0.12, 0.52, 0)], 0.08, 10)
    panels: list[Shell] = []
    frames: list[Shell] = []
    for s in (-1, 1):
        panels += [slab(0.4, 0.5, 0.05).moved(s * (0.3 + 0.44 * k), 0, 0.01) for k in range(2)]
        frames += [slab(0.43, 0.54, 0.04, 0.02, 1).moved(s * (0.3 + 0.44 * k), 0, 0) for k in range(2)]
    bar = tube([(-0.96, 0, -0.03), (0.96, 0, -0.03)], 0.03, 7)
    panels = [p.turned("x", -0.1).moved(0, 0.56, 0.06) for p in panels]
    frames = [p.turned("x", -0.1).moved(0, 0.56, 0.06) for p in (*frames, bar)]
    return (*cover(STEEL, foot, *frames), *cover(CELL, *panels), *cover(YELLOW, joint))


def propeller() -> tuple[Piece, ...]:
    """Three twisted red blades on a geared shaft; stands on its foot."""
    foot = lathe(fillet([(0.2, 0.0), (0.2, 0.06), (0.1, 0.1), (0.08, 0.16)], 0.02, 2), 14)
    cog = extrude(gear(0.17, 0.13, 10), 0.06, 0.01, "y", 1).moved(y=0.19)
    shaft = tube([(0, 0.1, 0), (0, 0.3, 0), (0, 0.5, 0)], 0.045, 8)
    hub = lathe(smooth([(0.1, 0.42), (0.13, 0.47), (0.1, 0.56), (0.0, 0.62)], 3), 14)
    outline = smooth(
        [(0.06, -0.05), (0.3, -0.1), (0.56, -0.11), (0.66, 0.0), (0.56, 0.11), (0.3, 0.08), (0.06, 0.05)],
        2,
        closed=True,
    )
    blade = extrude(outline, 0.035, 0.012, "y", 1).turned("x", 0.06).moved(0, 0.49, 0)
    tips = [ellipsoid(0.12, 0.05, 0.16, 7, 4).turned("x", 0.06).moved(0.62, 0.49, 0)]
    return (
        *cover(STEEL, foot, shaft),
        *cover(BRASS, cog, hub),
        *cover(RED, *around(blade, 3)),
        *cover(IVORY, *around(tips, 3)),
    )
