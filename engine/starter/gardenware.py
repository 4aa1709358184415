"""Things for gardens, porches and farmyards. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.models import Piece, cover
from engine.starter.outlines import arch, ellipse, fillet, rectangle, smooth
from engine.starter.paints import cloth, foliage, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube

OAK = wood("weathered oak", "a67c4d", 0.6, planks=4, seed=201)
DARK_OAK = wood("dark oak", "6d482c", 0.6, planks=2, seed=202)
STAVES = wood("oak staves", "b0824c", 0.9, planks=8, seed=203)
RED_BOARD = wood("red painted boards", "b5453a", 0.6, planks=4, seed=204)
TEAL_BOARD = wood("teal painted boards", "33908c", 0.6, planks=4, seed=205)
CREAM_BOARD = wood("cream painted boards", "ecdcb8", 0.6, planks=4, seed=206)
IRON = metal("black iron", "4a4b52", 0.4, roughness=0.5, seed=207)
ZINC = metal("zinc", "a9b0b3", 0.5, roughness=0.4, seed=208)
BRASS = metal("brass", "c99c42", 0.4, seed=209)
COPPER = metal("copper", "bb6d42", 0.5, seed=210)
GLOW = glass("lantern glass", "ffd98a", 0.4, "fff6d8", emissive=0.6)
CLAY = plain("terracotta", "bb6540", 0.6, contrast=50, seed=211)
BLUE_POT = patterned(
    "blue glazed pot", "4079a8", "f2ead6", 0.9, partial(patterns.banded, low=60, high=110), roughness=0.35, seed=212
)
SOIL = plain("soil", "55402f", 0.3, contrast=120, seed=213)
FERN = foliage("fern green leaves", "5f9c47", 0.4, "b5d873", bloom=40, seed=214)
BOX_LEAF = foliage("box hedge leaves", "4a8a45", 0.4, "9cc765", bloom=30, seed=215)
ROSE = foliage("rose bush", "4f8f4a", 0.5, "e86a7c", bloom=90, seed=216)
CACTUS = patterned("ribbed cactus", "6ea35a", "f1ecd2", 0.3, partial(patterns.dots, count=4), seed=217)
PETAL = plain("pink blossom", "f08aa0", 0.2, contrast=60, seed=218)
GREEN_TIN = plain("green enamel", "5d8f5a", 0.7, roughness=0.4, contrast=40, seed=219)
PUMPKIN = plain("pumpkin skin", "e5862f", 0.5, roughness=0.5, contrast=80, seed=220)
STEM = plain("dry stalk", "8a7a45", 0.2, contrast=80, seed=221)
CAP = cloth("spotted red cap", "c93f38", 0.5, "f8efdd", pattern=partial(patterns.dots, count=2), seed=222)
FLESH = plain("pale mushroom", "efe2c8", 0.5, contrast=50, seed=223)
ORANGE = plain("orange rubber", "ee7a2f", 0.6, roughness=0.6, contrast=30, seed=224)
WHITE_BAND = plain("white reflector", "f4f1e8", 0.4, roughness=0.3, contrast=16, seed=225)
STRIPED = cloth(
    "striped cushion", "3f7fa0", 0.4, "f5ead2", pattern=partial(patterns.stripes, count=3, upright=True), seed=226
)
STRAW = patterned("coiled straw", "d1a552", "a67a34", 0.4, partial(patterns.weave, threads=16), seed=227)
UMBRELLA = cloth("red umbrella cloth", "c2453f", 0.3, seed=228)
NAVY = cloth("navy umbrella cloth", "34507c", 0.3, seed=229)
APPLE = plain("red apples", "cc3f36", 0.4, roughness=0.4, contrast=110, seed=230)
STONE = patterned("grey stone", "a09b90", "cdc5b4", 0.7, patterns.stones, seed=231)
WATER = glass("water", "6fb3cf", 0.5, "e8fbff")


def lantern() -> tuple[Piece, ...]:
    """A square storm lantern with a ring."""
    foot = box(0.56, 0.1, 0.56, 0.05).moved(0, 0.05, 0)
    top = box(0.54, 0.08, 0.54, 0.04).moved(0, 0.64, 0)
    posts = [box(0.06, 0.52, 0.06, 0.02, 1).moved(x, 0.35, z) for x in (-0.21, 0.21) for z in (-0.21, 0.21)]
    pane = box(0.4, 0.52, 0.4, 0.03, 1).moved(0, 0.35, 0)
    roof = lathe(fillet([(0.34, 0.67), (0.32, 0.7), (0.1, 0.86), (0.07, 0.92), (0.0, 0.92)], 0.03, 2), 4).turned(
        "y", 0.125
    )
    loop = ring(0.1, 0.035, 14, 6).turned("x", 0.25).moved(0, 1.0, 0)
    bars = [box(0.43, 0.035, 0.43, 0.01, 1).moved(0, y, 0) for y in (0.26, 0.46)]
    return (*cover(IRON, foot, top, *posts, roof, loop, *bars), *cover(GLOW, pane))


def barrel() -> tuple[Piece, ...]:
    """An oak barrel with iron hoops and a bung."""
    curve = smooth([(0.3, 0.0), (0.38, 0.25), (0.41, 0.5), (0.38, 0.75), (0.3, 1.0)], 3)
    top = [(0.25, 1.0), (0.25, 0.96), (0.0, 0.96)]
    body = lathe([*[(float(r), float(y)) for r, y in curve], *top], 18).swapped_uvs()
    hoops = [
        lathe(
            [(r - 0.04, y - 0.035), (r + 0.012, y - 0.035), (r + 0.016, y + 0.035), (r - 0.04, y + 0.035)],
            18,
            loop=True,
        )
        for y, r in ((0.08, 0.332), (0.3, 0.392), (0.7, 0.392), (0.92, 0.332))
    ]
    bung = lathe([(0.0, 0.0), (0.05, 0.0), (0.045, 0.05), (0.0, 0.05)], 8).turned("x", 0.25).moved(0, 0.5, 0.4)
    return (*cover(STAVES, body), *cover(IRON, *hoops), *cover(DARK_OAK, bung))


def apple_crate() -> tuple[Piece, ...]:
    """A slatted crate filled with apples."""
    floor = box(1.0, 0.06, 0.7, 0.02, 1).moved(0, 0.05, 0)
    slats = [slab(1.0, 0.14, 0.04, 0.015, 1).moved(0, 0.14 + 0.18 * k, s * 0.33) for k in range(3) for s in (-1, 1)]
    slats += [
        slab(0.7, 0.14, 0.04, 0.015, 1).turned("y", 0.25).moved(s * 0.48, 0.14 + 0.18 * k, 0)
        for k in range(3)
        for s in (-1, 1)
    ]
    posts = [box(0.08, 0.58, 0.08, 0.02, 1).moved(x, 0.29, z) for x in (-0.44, 0.44) for z in (-0.29, 0.29)]
    fill = box(0.9, 0.34, 0.6, 0.05).moved(0, 0.25, 0)
    globe = lathe(smooth([(0.02, -0.1), (0.09, -0.11), (0.13, 0.0), (0.09, 0.1), (0.02, 0.08)], 2), 8)
    fruit = [
        globe.turned("z", 0.03 * (k % 3)).moved(-0.32 + 0.21 * (k % 4), 0.46 + 0.03 * (k % 2), -0.19 + 0.19 * (k // 4))
        for k in range(12)
    ]
    return (*cover(OAK, floor, *slats), *cover(DARK_OAK, *posts, fill), *cover(APPLE, *fruit))


def rose_pot() -> tuple[Piece, ...]:
    """A clay pot with a flowering bush."""
    pot = lathe(
        [
            (0.0, 0.0),
            *fillet([(0.24, 0.0), (0.33, 0.36), (0.38, 0.36), (0.38, 0.48), (0.31, 0.48)], 0.02, 2).tolist(),
            (0.29, 0.4),
            (0.0, 0.4),
        ],
        20,
    )
    soil = lathe([(0.0, 0.36), (0.28, 0.36), (0.3, 0.42), (0.0, 0.44)], 16)
    trunk = tube([(0, 0.4, 0), (0.01, 0.5, 0), (0, 0.62, 0)], 0.06, 8)
    crown = [
        ellipsoid(0.5, 0.46, 0.5, 10, 8).moved(x, y, z)
        for x, y, z in ((0, 0.86, 0), (0.2, 0.72, 0.08), (-0.19, 0.74, 0.1), (0.04, 0.72, -0.2), (0.0, 0.7, 0.2))
    ]
    return (*cover(CLAY, pot), *cover(SOIL, soil), *cover(DARK_OAK, trunk), *cover(ROSE, *crown))


def topiary() -> tuple[Piece, ...]:
    """A clipped tree of three balls in a blue pot."""
    pot = lathe(
        [
            (0.0, 0.0),
            *smooth([(0.2, 0.0), (0.29, 0.1), (0.31, 0.24), (0.27, 0.34), (0.3, 0.38)], 2).tolist(),
            (0.26, 0.38),
            (0.24, 0.3),
            (0.0, 0.3),
        ],
        20,
    )
    soil = lathe([(0.0, 0.26), (0.24, 0.28), (0.25, 0.32), (0.0, 0.34)], 16)
    trunk = tube([(0, 0.3, 0), (0, 0.7, 0), (0, 1.1, 0)], 0.035, 8)
    balls = [ellipsoid(d, d, d, 12, 9).moved(0, y, 0) for d, y in ((0.5, 0.56), (0.38, 0.9), (0.27, 1.16))]
    return (*cover(BLUE_POT, pot), *cover(SOIL, soil), *cover(DARK_OAK, trunk), *cover(BOX_LEAF, *balls))


def cactus() -> tuple[Piece, ...]:
    """A ribbed cactus with two arms and a blossom, in a clay pot."""
    pot = lathe(
        [
            (0.0, 0.0),
            *fillet([(0.18, 0.0), (0.25, 0.26), (0.29, 0.26), (0.29, 0.35), (0.23, 0.35)], 0.015, 2).tolist(),
            (0.21, 0.3),
            (0.0, 0.3),
        ],
        18,
    )
    soil = lathe([(0.0, 0.26), (0.21, 0.27), (0.22, 0.31), (0.0, 0.33)], 16)
    flute = 16
    trunk = lathe(smooth([(0.12, 0.3), (0.15, 0.5), (0.15, 0.86), (0.1, 0.98), (0.0, 1.02)], 2), flute)
    arms = [
        tube(smooth([(s * 0.1, y, 0), (s * 0.24, y, 0), (s * 0.28, y + 0.1, 0), (s * 0.28, y + 0.26, 0)], 2), 0.08, 8)
        for s, y in ((-1, 0.52), (1, 0.64))
    ]
    blossom = [
        ellipsoid(0.07, 0.14, 0.05, 8, 5).turned("x", 0.09).moved(0, 1.06, 0.045).turned("y", k / 6) for k in range(6)
    ]
    return (*cover(CLAY, pot), *cover(SOIL, soil), *cover(CACTUS, trunk, *arms), *cover(PETAL, *blossom))


def bucket() -> tuple[Piece, ...]:
    """A zinc bucket with a bail, half full of water."""
    wall = lathe(
        [
            (0.0, 0.0),
            *fillet(
                [(0.27, 0.0), (0.27, 0.04), (0.4, 0.7), (0.43, 0.72), (0.43, 0.75), (0.37, 0.75)], 0.012, 2
            ).tolist(),
            (0.33, 0.5),
            (0.0, 0.48),
        ],
        20,
    )
    bands = [ring(r, 0.035, 20, 5).moved(0, y, 0) for y, r in ((0.12, 0.29), (0.56, 0.375))]
    water = lathe([(0.0, 0.47), (0.33, 0.49), (0.34, 0.52), (0.0, 0.525)], 20)
    bail = tube(
        smooth([(-0.42, 0.68, 0), (-0.36, 0.98, 0.04), (0, 1.14, 0.06), (0.36, 0.98, 0.04), (0.42, 0.68, 0)], 4),
        0.018,
        6,
    )
    lugs = [ellipsoid(0.07, 0.12, 0.12, 8, 6).moved(s * 0.42, 0.67, 0) for s in (-1, 1)]
    grip = tube([(-0.1, 1.13, 0.06), (0.0, 1.14, 0.06), (0.1, 1.13, 0.06)], 0.045, 8)
    return (*cover(ZINC, wall, *bands, bail, *lugs), *cover(WATER, water), *cover(DARK_OAK, grip))


def watering_can() -> tuple[Piece, ...]:
    """A green can with a long spout and a rose."""
    body = lathe(fillet([(0.0, 0.0), (0.36, 0.0), (0.36, 0.05), (0.33, 0.5), (0.2, 0.58), (0.0, 0.58)], 0.04, 3), 20)
    hoops = [ring(r, 0.035, 20, 5).moved(0, y, 0) for y, r in ((0.08, 0.355), (0.46, 0.335))]
    spout = tube(
        smooth([(0.3, 0.14, 0), (0.5, 0.3, 0), (0.66, 0.56, 0), (0.76, 0.68, 0)], 3),
        [0.08 - 0.003 * k for k in range(13)],
        9,
        rounded=False,
    )
    rose = (
        lathe(fillet([(0.0, 0.0), (0.05, 0.0), (0.12, 0.1), (0.12, 0.13), (0.0, 0.15)], 0.015, 2), 14)
        .turned("z", -0.13)
        .moved(0.74, 0.66, 0)
    )
    handle = tube(
        smooth([(0.18, 0.56, 0), (0.1, 0.84, 0), (-0.2, 0.88, 0), (-0.46, 0.62, 0), (-0.34, 0.2, 0)], 4), 0.03, 6
    )
    return (*cover(GREEN_TIN, body, spout), *cover(BRASS, rose, handle, *hoops))


def sign_post() -> tuple[Piece, ...]:
    """A post with three painted arrows in a ring of stones."""
    post = tube([(0, 0.07, 0), (0, 0.6, 0), (0, 1.22, 0)], 0.055, 9)
    boards = []
    for k, (y, s) in enumerate(((1.08, 1), (0.86, -1), (0.64, 1))):
        arrow = fillet(
            [(-0.34, -0.085), (0.26, -0.085), (0.4, 0.0), (0.26, 0.085), (-0.34, 0.085)], 0.02, 2, closed=True
        )
        boards.append(
            extrude(arrow, 0.05, 0.012)
            .turned("y", 0.0 if s > 0 else 0.5)
            .moved(0.08 * s, 0, s * 0.0 + 0.06)
            .turned("y", (0.03, -0.04, 0.06)[k])
            .moved(0, y, 0)
        )
    stones = [ellipsoid(0.26, 0.2, 0.24, 8, 6).moved(0.19, 0.08, 0).turned("y", k / 6) for k in range(6)]
    mound = lathe(smooth([(0.3, 0.0), (0.24, 0.07), (0.1, 0.12), (0.0, 0.13)], 2), 16)
    cap = ellipsoid(0.14, 0.1, 0.14, 9, 6).moved(0, 1.24, 0)
    return (
        *cover(DARK_OAK, post, cap),
        *cover(RED_BOARD, boards[0]),
        *cover(TEAL_BOARD, boards[1]),
        *cover(CREAM_BOARD, boards[2]),
        *cover(STONE, *[s.moved(0, 0.02, 0) for s in stones]),
        *cover(SOIL, mound),
    )


def mailbox() -> tuple[Piece, ...]:
    """A round-topped letter box on a post with a flag."""
    foot = box(0.46, 0.08, 0.46, 0.04).moved(0, 0.04, 0)
    post = box(0.14, 0.62, 0.14, 0.03, 1).moved(0, 0.38, 0).swapped_uvs()
    brace = [beam((0, 0.5, s * 0.05), (0, 0.68, s * 0.2), 0.07, 0.015) for s in (-1, 1)]
    shell = extrude(arch(0.42, 0.42, 12), 0.66, 0.03, "z", 2).moved(0, 0.68, 0)
    door = extrude(arch(0.38, 0.39, 12), 0.05, 0.012, "z", 1).moved(0, 0.695, 0.33)
    knob = ellipsoid(0.06, 0.06, 0.06, 8, 6).moved(0, 1.0, 0.37)
    flag = [
        slab(0.03, 0.3, 0.03, 0.01, 1).moved(0.225, 1.0, 0.1),
        slab(0.03, 0.1, 0.16, 0.01, 1).moved(0.225, 1.12, 0.04),
    ]
    return (
        *cover(OAK, foot, post, *brace),
        *cover(TEAL_BOARD, shell.boxed_uvs()),
        *cover(ZINC, door),
        *cover(BRASS, knob),
        *cover(RED_BOARD, *flag),
    )


def birdhouse() -> tuple[Piece, ...]:
    """A little house with a round door on a post."""
    foot = lathe(fillet([(0.0, 0.0), (0.26, 0.0), (0.26, 0.06), (0.08, 0.12), (0.0, 0.12)], 0.02, 2), 16)
    post = tube([(0, 0.08, 0), (0, 0.3, 0), (0, 0.56, 0)], 0.045, 9)
    walls = (
        extrude([(-0.2, 0.0), (0.2, 0.0), (0.24, 0.3), (0.0, 0.52), (-0.24, 0.3)], 0.38, 0.015, "z", 1)
        .moved(0, 0.55, 0)
        .boxed_uvs()
    )
    roofs = [
        slab(0.42, 0.05, 0.56, 0.02).turned("z", -s * 0.118).moved(s * 0.145, 0.985, 0).boxed_uvs() for s in (-1, 1)
    ]
    hole = lathe([(0.0, 0.0), (0.085, 0.0), (0.085, 0.02), (0.0, 0.025)], 16).turned("x", 0.25).moved(0, 0.84, 0.182)
    rim = ring(0.09, 0.03, 16, 6).turned("x", 0.25).moved(0, 0.84, 0.195)
    perch = tube([(0, 0.69, 0.17), (0, 0.69, 0.3)], 0.018, 6)
    floor = box(0.5, 0.04, 0.46, 0.02).moved(0, 0.56, 0)
    return (
        *cover(OAK, foot, post, perch, floor),
        *cover(CREAM_BOARD, walls),
        *cover(RED_BOARD, *roofs),
        *cover(SOIL, hole),
        *cover(BRASS, rim),
    )


def pumpkin() -> tuple[Piece, ...]:
    """A ribbed pumpkin with a curled stalk and a leaf."""
    lobes = [ellipsoid(0.52, 0.72, 0.36, 12, 9).moved(0.24, 0.36, 0).turned("y", k / 9) for k in range(9)]
    stalk = tube(
        smooth([(0, 0.58, 0), (0.01, 0.76, 0), (0.06, 0.88, 0.02), (0.14, 0.9, 0.02)], 2),
        [0.08, 0.07, 0.06, 0.055, 0.05, 0.05, 0.05, 0.05, 0.055, 0.06],
        8,
    )
    leaf = ellipsoid(0.4, 0.05, 0.28, 10, 6).turned("z", -0.04).moved(-0.22, 0.73, 0.12)
    core = lathe([(0.0, 0.0), (0.3, 0.0), (0.34, 0.06), (0.3, 0.5), (0.0, 0.62)], 16)
    return (*cover(PUMPKIN, *lobes, core), *cover(STEM, stalk), *cover(FERN, leaf))


def toadstool() -> tuple[Piece, ...]:
    """A big spotted toadstool with a small one at its foot, on moss."""

    def one(scale: float, x: float, z: float) -> tuple[Shell, Shell, Shell]:
        stem = lathe(smooth([(0.17, 0.0), (0.14, 0.2), (0.11, 0.45), (0.13, 0.62)], 2), 14)
        gills = lathe(smooth([(0.1, 0.56), (0.3, 0.54), (0.42, 0.56), (0.3, 0.62), (0.0, 0.64)], 2), 16)
        cap = lathe(smooth([(0.43, 0.55), (0.47, 0.6), (0.4, 0.78), (0.22, 0.94), (0.0, 1.0)], 3), 18)
        a, b, c = (s.scaled(scale, scale, scale).moved(x, 0.03, z) for s in (stem, gills, cap))
        return a, b, c

    big, small = one(1.0, 0.0, 0.0), one(0.48, 0.36, 0.2)
    moss = lathe(smooth([(0.5, 0.0), (0.46, 0.05), (0.2, 0.09), (0.0, 0.1)], 2), 20).moved(0.08, 0, 0.05)
    return (*cover(CAP, big[2], small[2]), *cover(FLESH, big[0], big[1], small[0], small[1]), *cover(BOX_LEAF, moss))


def traffic_cone() -> tuple[Piece, ...]:
    """An orange cone with two white bands."""
    base = box(0.72, 0.07, 0.72, 0.1, 4).moved(0, 0.035, 0)
    cone = lathe(fillet([(0.0, 0.05), (0.29, 0.05), (0.26, 0.1), (0.06, 0.98), (0.04, 1.0), (0.0, 1.0)], 0.02, 2), 20)
    bands = [
        lathe([(a - 0.04, y), (a + 0.008, y), (b + 0.008, y + h), (b - 0.04, y + h)], 20, loop=True)
        for y, h, a, b in ((0.34, 0.18, 0.2055, 0.1645), (0.66, 0.12, 0.1327, 0.1055))
    ]
    return (*cover(ORANGE, base, cone), *cover(WHITE_BAND, *bands))


def stool() -> tuple[Piece, ...]:
    """A three-legged milking stool with a cushion."""
    seat = lathe(fillet([(0.0, 0.56), (0.4, 0.56), (0.42, 0.64), (0.0, 0.64)], 0.03, 3), 20)
    cushion = lathe(smooth([(0.34, 0.635), (0.38, 0.69), (0.3, 0.75), (0.0, 0.77)], 3), 20)
    legs = [
        tube([(0.36, 0.035, 0), (0.3, 0.3, 0), (0.23, 0.6, 0)], [0.04, 0.05, 0.05], 9).turned("y", k / 3 + 0.08)
        for k in range(3)
    ]
    bars = [tube([(0.31, 0.24, 0), (-0.15, 0.24, 0.27)], 0.022, 6).turned("y", k / 3 + 0.08) for k in range(3)]
    return (*cover(DARK_OAK, seat, *legs, *bars), *cover(STRIPED, cushion))


def umbrella_stand() -> tuple[Piece, ...]:
    """A copper stand with two closed umbrellas."""
    body = lathe(
        [
            (0.0, 0.0),
            *fillet(
                [(0.3, 0.0), (0.3, 0.06), (0.25, 0.12), (0.25, 0.54), (0.29, 0.56), (0.29, 0.6), (0.23, 0.6)], 0.015, 2
            ).tolist(),
            (0.22, 0.14),
            (0.0, 0.12),
        ],
        20,
    )
    hoops = [ring(0.255, 0.03, 20, 5).moved(0, y, 0) for y in (0.2, 0.46)]

    def umbrella(lean: float) -> tuple[Shell, Shell]:
        folds = lathe(smooth([(0.0, 0.14), (0.03, 0.2), (0.075, 0.5), (0.085, 0.8), (0.03, 0.92), (0.0, 0.93)], 2), 8)
        crook = tube(smooth([(0, 0.12, 0), (0, 0.8, 0), (0, 1.1, 0), (0.06, 1.2, 0), (0.14, 1.12, 0)], 3), 0.022, 6)
        return folds.turned("z", lean), crook.turned("z", lean)

    red, navy = umbrella(0.022), umbrella(-0.03)
    return (
        *cover(COPPER, body, *hoops),
        *cover(UMBRELLA, red[0].moved(-0.09, 0.0, 0.05)),
        *cover(NAVY, navy[0].moved(0.1, 0.0, -0.05)),
        *cover(DARK_OAK, red[1].moved(-0.09, 0.0, 0.05), navy[1].moved(0.1, 0.0, -0.05)),
    )


def bee_skep() -> tuple[Piece, ...]:
    """A coiled straw beehive on a small table."""
    coils = [
        ring(r, 0.13, 20, 6).moved(0, 0.36 + 0.105 * k, 0) for k, r in enumerate((0.33, 0.345, 0.33, 0.28, 0.2, 0.1))
    ]
    core = lathe(smooth([(0.33, 0.3), (0.345, 0.46), (0.32, 0.62), (0.22, 0.8), (0.0, 0.92)], 2), 18)
    hole = extrude(arch(0.16, 0.16, 8), 0.06, 0.01, "z", 1).moved(0, 0.31, 0.385)
    knob = ellipsoid(0.12, 0.1, 0.12, 9, 6).moved(0, 0.98, 0)
    board = extrude(rectangle(0.96, 0.86, 0.1, 3), 0.07, 0.02, "y", 2).moved(0, 0.265, 0)
    legs = [box(0.1, 0.26, 0.1, 0.02, 1).moved(x, 0.13, z) for x in (-0.36, 0.36) for z in (-0.32, 0.32)]
    return (*cover(STRAW, core, *coils, knob), *cover(SOIL, hole), *cover(OAK, board, *legs))


def bird_bath() -> tuple[Piece, ...]:
    """A stone bowl on a turned foot."""
    foot = extrude(ellipse(0.6, 0.6, 8, 0.0625), 0.1, 0.03, "y", 2).moved(0, 0.05, 0)
    stem = lathe(smooth([(0.22, 0.08), (0.12, 0.2), (0.15, 0.34), (0.1, 0.46), (0.18, 0.6)], 3), 16)
    bowl = lathe(
        [
            (0.0, 0.58),
            *smooth([(0.16, 0.58), (0.36, 0.66), (0.5, 0.8)], 3).tolist(),
            (0.44, 0.8),
            (0.3, 0.72),
            (0.0, 0.7),
        ],
        22,
    )
    water = lathe([(0.0, 0.69), (0.36, 0.735), (0.4, 0.765), (0.0, 0.77)], 20)
    bird = [
        ellipsoid(0.14, 0.12, 0.22, 10, 8).moved(0.4, 0.87, 0.1),
        ellipsoid(0.11, 0.11, 0.11, 9, 6).moved(0.4, 0.95, 0.2),
    ]
    return (*cover(STONE, foot, stem, bowl), *cover(WATER, water), *cover(TEAL_BOARD, *bird))
