"""Hats, toys, chests and tools. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.headwear import FELT, GOLD, GREEN_FELT, SAPPHIRE, SILK, VELVET
from engine.starter.models import Piece, cover
from engine.starter.outlines import ellipse, fillet, gear, rectangle, smooth, star
from engine.starter.paints import cloth, glass, metal, painted_metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube

BRASS = metal("brass", "c99c42", 0.4, seed=252)
STEEL = metal("steel", "a0a6ab", 0.4, seed=253)
IRON = metal("iron", "52535a", 0.4, roughness=0.5, seed=254)
BLUE_TIN = painted_metal("blue tin", "4480ac", 0.7, rivets=3, seed=260)
YELLOW_TIN = painted_metal("yellow tin", "e7b23e", 0.7, rivets=3, seed=261)
RED_TIN = painted_metal("red tin", "c5443a", 0.9, rivets=4, seed=262)
GLOW = glass("lit eye glass", "ffd36b", 0.3, "fff7dc", emissive=0.7)
HULL = wood("red painted planks", "b3453b", 0.5, planks=4, seed=264)
DECK = wood("pine deck", "c8995a", 0.4, planks=4, seed=265)
SAIL = cloth("striped sail", "f2e6cd", 0.6, "3f7fa0", pattern=partial(patterns.stripes, count=3), seed=266)
OAK = wood("oak boards", "96663a", 0.7, planks=4, seed=267)
LEATHER = plain("brown leather", "85502f", 0.6, roughness=0.6, contrast=60, seed=268)
DRUM = cloth("checked drum shell", "c24a3d", 0.5, "f4e6c6", pattern=partial(patterns.checks, count=3), seed=269)
SKIN = plain("drum skin", "efe2c6", 0.6, contrast=36, seed=270)
ROPE = cloth("rope", "d8c08a", 0.2, seed=271)
IVORY = plain("ivory enamel", "f1e7d2", 0.7, roughness=0.4, contrast=24, seed=272)
SNOW = plain("snow", "f4f5f7", 0.6, contrast=24, seed=273)
CARROT = plain("carrot", "e5853a", 0.3, contrast=60, seed=274)
COAL = plain("coal", "2f2d31", 0.3, contrast=40, seed=275)
SCARF = cloth(
    "striped scarf", "c5483f", 0.3, "f5ead2", pattern=partial(patterns.stripes, count=3, upright=True), seed=276
)
TEDDY = patterned("brown plush", "b07a48", "e2c08f", 0.5, patterns.fur, seed=277)
PLUSH_LIGHT = patterned("cream plush", "e5cda0", "e5cda0", 0.5, patterns.fur, seed=278)
WOOD_TOY = wood("maple", "d2a466", 0.5, planks=1, seed=279)


def toy_robot() -> tuple[Piece, ...]:
    """A wind-up robot with a key in its back."""
    feet = [box(0.2, 0.1, 0.3, 0.05).moved(x, 0.05, 0.03) for x in (-0.13, 0.13)]
    legs = [lathe([(0.0, 0.08), (0.07, 0.08), (0.07, 0.24), (0.0, 0.24)], 10).moved(x, 0, 0) for x in (-0.13, 0.13)]
    body = box(0.48, 0.38, 0.32, 0.07, 3).moved(0, 0.41, 0).boxed_uvs()
    head = box(0.36, 0.26, 0.28, 0.06, 3).moved(0, 0.76, 0).boxed_uvs()
    neck = lathe([(0.0, 0.58), (0.09, 0.58), (0.09, 0.66), (0.0, 0.66)], 10)
    arms = [
        tube(smooth([(s * 0.22, 0.52, 0), (s * 0.33, 0.48, 0.02), (s * 0.34, 0.32, 0.06)], 3), 0.05, 8) for s in (-1, 1)
    ]
    hands = [ring(0.05, 0.035, 8, 6).turned("z", 0.25).moved(s * 0.34, 0.25, 0.08) for s in (-1, 1)]
    eyes = [ellipsoid(0.1, 0.1, 0.06, 9, 6).moved(x, 0.79, 0.14) for x in (-0.09, 0.09)]
    dial = [lathe([(0.0, 0.0), (0.09, 0.0), (0.085, 0.03), (0.0, 0.03)], 14).turned("x", 0.25).moved(0, 0.44, 0.155)]
    key = [tube([(0, 0.44, -0.14), (0, 0.44, -0.26)], 0.025, 6)] + [
        ring(0.06, 0.035, 10, 6).turned("x", 0.25).moved(s * 0.06, 0.44, -0.27) for s in (-1, 1)
    ]
    aerial = [tube([(0, 0.88, 0), (0, 1.0, 0)], 0.015, 6), ellipsoid(0.07, 0.07, 0.07, 8, 6).moved(0, 1.02, 0)]
    return (
        *cover(BLUE_TIN, body, *feet),
        *cover(YELLOW_TIN, head),
        *cover(STEEL, *legs, neck, *arms, *hands, *key, *aerial),
        *cover(GLOW, *eyes, *dial),
    )


def toy_boat() -> tuple[Piece, ...]:
    """A sailing boat on a little stand."""
    keel = extrude(
        fillet([(-0.44, 0.0), (0.44, 0.0), (0.6, 0.22), (-0.54, 0.22)], 0.06, 3, closed=True), 0.24, 0.05, "z", 2
    )
    flare = extrude(
        smooth(
            [(-0.58, 0.12), (-0.58, -0.12), (0.1, -0.17), (0.46, -0.1), (0.68, 0.0), (0.46, 0.1), (0.1, 0.17)],
            3,
            closed=True,
        ),
        0.14,
        0.03,
        "y",
        2,
    ).moved(0, 0.22, 0)
    planking = extrude(
        smooth(
            [(-0.54, 0.1), (-0.54, -0.1), (0.1, -0.14), (0.42, -0.08), (0.6, 0.0), (0.42, 0.08), (0.1, 0.14)],
            3,
            closed=True,
        ),
        0.03,
        0.01,
        "y",
        1,
    ).moved(0, 0.3, 0)
    mast = tube([(0, 0.28, 0), (0, 0.7, 0), (0, 1.12, 0)], 0.022, 8)
    boom = tube([(-0.44, 0.4, 0), (0.0, 0.4, 0)], 0.018, 6)
    main = extrude(
        smooth([(-0.03, 0.42), (-0.03, 1.06), (-0.16, 0.86), (-0.42, 0.44)], 3, closed=True)[::-1], 0.03, 0.008, "z", 1
    )
    jib = extrude([(0.04, 0.4), (0.46, 0.34), (0.04, 0.92)], 0.025, 0.0)
    flag = extrude([(0.0, 1.04), (0.2, 1.08), (0.0, 1.12)], 0.02, 0.0)
    stand = [box(0.5, 0.05, 0.3, 0.02).moved(0, 0.025, 0)] + [
        box(0.05, 0.12, 0.26, 0.02).moved(x, 0.08, 0) for x in (-0.18, 0.18)
    ]
    cabin = box(0.24, 0.1, 0.16, 0.04).moved(0.2, 0.35, 0)
    return (
        *cover(HULL, keel.moved(0, 0.06, 0), flare, flag),
        *cover(DECK, planking, mast, boom, cabin),
        *cover(SAIL, main, jib),
        *cover(OAK, *stand),
    )


def treasure_chest() -> tuple[Piece, ...]:
    """A chest with a rounded lid, iron bands and a lock."""
    body = box(1.0, 0.4, 0.66, 0.04).moved(0, 0.24, 0).boxed_uvs()
    lid = (
        extrude(
            smooth(
                [(-0.33, 0.0), (0.33, 0.0), (0.32, 0.14), (0.18, 0.27), (0.0, 0.31), (-0.18, 0.27), (-0.32, 0.14)],
                3,
                closed=True,
            ),
            1.0,
            0.03,
            "x",
            2,
        )
        .moved(0, 0.45, 0)
        .boxed_uvs()
    )
    bands = [
        extrude(
            smooth(
                [(-0.35, 0.0), (0.35, 0.0), (0.34, 0.15), (0.19, 0.29), (0.0, 0.33), (-0.19, 0.29), (-0.34, 0.15)],
                3,
                closed=True,
            ),
            0.09,
            0.015,
            "x",
            1,
        ).moved(x, 0.45, 0)
        for x in (-0.34, 0.34)
    ]
    straps = [box(0.09, 0.42, 0.7, 0.02, 1).moved(x, 0.24, 0) for x in (-0.34, 0.34)]
    base = box(1.06, 0.07, 0.72, 0.03).moved(0, 0.035, 0)
    lock = [
        slab(0.2, 0.2, 0.06, 0.05).moved(0, 0.44, 0.35),
        ring(0.06, 0.03, 10, 6).turned("x", 0.25).moved(0, 0.36, 0.385),
    ]
    studs = [ellipsoid(0.05, 0.05, 0.04, 8, 5).moved(x, y, 0.355) for x in (-0.34, 0.34) for y in (0.12, 0.25, 0.38)]
    grips = [ring(0.1, 0.035, 12, 6).turned("x", 0.25).turned("y", 0.25).moved(s * 0.52, 0.26, 0) for s in (-1, 1)]
    return (*cover(OAK, body, lid), *cover(IRON, *bands, *straps, base, *grips), *cover(BRASS, *lock, *studs))


def toolbox() -> tuple[Piece, ...]:
    """A red toolbox with a tray of tools sticking out."""
    box_shell = box(1.0, 0.36, 0.5, 0.05).moved(0, 0.2, 0).boxed_uvs()
    ends = [
        extrude(
            fillet(
                [(-0.27, 0.0), (0.27, 0.0), (0.27, 0.4), (0.08, 0.72), (-0.08, 0.72), (-0.27, 0.4)],
                0.06,
                3,
                closed=True,
            ),
            0.06,
            0.015,
            "x",
            1,
        ).moved(x, 0.01, 0)
        for x in (-0.5, 0.5)
    ]
    bar = tube([(-0.5, 0.64, 0), (0, 0.64, 0), (0.5, 0.64, 0)], 0.045, 9)
    hammer = [
        tube([(-0.2, 0.34, 0.12), (-0.2, 0.62, 0.14)], 0.03, 6),
        box(0.26, 0.1, 0.1, 0.03).moved(-0.2, 0.66, 0.15),
    ]
    driver = [
        tube([(0.12, 0.34, 0.1), (0.14, 0.5, 0.12)], 0.02, 6),
        lathe(fillet([(0.0, 0.0), (0.05, 0.0), (0.06, 0.1), (0.045, 0.2), (0.0, 0.22)], 0.02, 2), 8).moved(
            0.14, 0.48, 0.12
        ),
    ]
    wheel = extrude(gear(0.13, 0.1, 10), 0.06, 0.012, "x", 1).moved(0.3, 0.42, -0.08)
    latch = [slab(0.12, 0.12, 0.04, 0.03).moved(x, 0.3, 0.26) for x in (-0.25, 0.25)]
    return (
        *cover(RED_TIN, box_shell, *ends),
        *cover(OAK, bar, hammer[0]),
        *cover(STEEL, hammer[1], driver[0], wheel, *latch),
        *cover(YELLOW_TIN, driver[1]),
    )


def telescope() -> tuple[Piece, ...]:
    """A brass telescope on a wooden tripod."""
    legs = [beam((0.42, 0.0, 0), (0.05, 0.62, 0), 0.07, 0.015).turned("y", k / 3 + 0.25) for k in range(3)]
    feet = [ellipsoid(0.1, 0.08, 0.1, 8, 6).moved(0.42, 0.03, 0).turned("y", k / 3 + 0.25) for k in range(3)]
    hub = lathe(fillet([(0.0, 0.56), (0.1, 0.56), (0.1, 0.66), (0.05, 0.7), (0.05, 0.78), (0.0, 0.78)], 0.015, 2), 14)
    brace = ring(0.19, 0.03, 16, 6).moved(0, 0.36, 0)
    profile = fillet(
        [
            (0.0, -0.5),
            (0.06, -0.5),
            (0.06, -0.42),
            (0.08, -0.4),
            (0.08, -0.1),
            (0.1, -0.08),
            (0.1, 0.2),
            (0.125, 0.22),
            (0.125, 0.52),
            (0.0, 0.52),
        ],
        0.012,
        2,
    )
    barrel = lathe(profile, 18).turned("x", 0.19).moved(0, 0.84, 0.02)
    lens = lathe([(0.0, 0.5), (0.11, 0.5), (0.1, 0.53), (0.0, 0.545)], 16).turned("x", 0.19).moved(0, 0.84, 0.02)
    wraps = [
        lathe(fillet([(0.06, y), (0.107, y), (0.107, y + 0.16), (0.06, y + 0.16)], 0.01, 1, closed=True), 18, loop=True)
        .turned("x", 0.19)
        .moved(0, 0.84, 0.02)
        for y in (0.0,)
    ]
    return (
        *cover(OAK, *legs),
        *cover(BRASS, *feet, hub, brace, barrel),
        *cover(LEATHER, *wraps),
        *cover(SAPPHIRE, lens),
    )


def drum() -> tuple[Piece, ...]:
    """A toy drum with laced rims and two sticks on top."""
    shell = lathe([(0.0, 0.02), (0.44, 0.02), (0.44, 0.6), (0.0, 0.6)], 24)
    rims = [
        lathe(fillet([(0.38, y), (0.48, y), (0.48, y + 0.1), (0.38, y + 0.1)], 0.03, 2, closed=True), 24, loop=True)
        for y in (0.0, 0.54)
    ]
    skin = lathe(smooth([(0.42, 0.6), (0.38, 0.63), (0.0, 0.64)], 2), 22)
    laces = [
        tube([(0.0, 0.08, 0.455), (0.085, 0.32, 0.455), (0.17, 0.56, 0.43)], 0.014, 5).turned("y", k / 16)
        for k in range(16)
    ]
    sticks = [tube([(-0.34, 0.67, z), (0.3, 0.67, z * -0.4)], 0.026, 6) for z in (-0.12, 0.14)]
    heads = [ellipsoid(0.1, 0.09, 0.09, 9, 6).moved(0.32, 0.68, z * -0.4) for z in (-0.12, 0.14)]
    return (
        *cover(DRUM, shell),
        *cover(GOLD, *rims),
        *cover(SKIN, skin),
        *cover(ROPE, *laces),
        *cover(OAK, *sticks, *heads),
    )


def toy_rocket() -> tuple[Piece, ...]:
    """A rocket with a porthole on three fins."""
    hull = lathe(smooth([(0.14, 0.16), (0.22, 0.3), (0.25, 0.54), (0.2, 0.8), (0.12, 0.96)], 3), 20)
    nose = lathe(smooth([(0.13, 0.93), (0.1, 1.02), (0.05, 1.12), (0.0, 1.2)], 3), 20)
    nozzle = lathe([(0.0, 0.06), *smooth([(0.16, 0.06), (0.11, 0.12), (0.12, 0.18)], 2).tolist()], 16)
    fin = extrude(
        smooth([(0.18, 0.42), (0.38, 0.24), (0.44, 0.0), (0.34, 0.03), (0.26, 0.14), (0.14, 0.2)], 2, closed=True)[
            ::-1
        ],
        0.07,
        0.02,
        "z",
        2,
    )
    fins = [fin.turned("y", k / 3 + 0.25) for k in range(3)]
    rim = ring(0.1, 0.045, 16, 6).turned("x", 0.25).moved(0, 0.62, 0.235)
    port = ellipsoid(0.2, 0.2, 0.08, 14, 8).moved(0, 0.62, 0.225)
    bands = [ring(r, 0.03, 20, 5).moved(0, y, 0) for y, r in ((0.34, 0.228), (0.92, 0.135))]
    return (
        *cover(IVORY, hull),
        *cover(RED_TIN, nose, *fins),
        *cover(STEEL, nozzle, *bands),
        *cover(BRASS, rim),
        *cover(SAPPHIRE, port),
    )


def snowman() -> tuple[Piece, ...]:
    """A snowman with a hat, a scarf and a carrot."""
    balls = [
        lathe(smooth([(0.2, 0.0), (0.36, 0.12), (0.4, 0.3), (0.28, 0.54), (0.0, 0.62)], 3), 20),
        ellipsoid(0.54, 0.5, 0.54, 18, 10).moved(0, 0.68, 0),
        ellipsoid(0.42, 0.4, 0.42, 16, 10).moved(0, 1.04, 0),
    ]
    hat = lathe(
        fillet([(0.0, 1.18), (0.26, 1.18), (0.26, 1.21), (0.16, 1.22), (0.17, 1.42), (0.0, 1.42)], 0.015, 2), 18
    )
    wrap = ring(0.2, 0.11, 18, 8).moved(0, 0.87, 0)
    tail_end = beam((0.14, 0.87, 0.17), (0.2, 0.6, 0.26), 0.11, 0.02, 0.05)
    nose = lathe([(0.045, 0.0), (0.04, 0.04), (0.0, 0.24)], 8).turned("x", 0.25).moved(0, 1.04, 0.19)
    coals = [
        ellipsoid(0.06, 0.06, 0.05, 8, 5).moved(x, y, z)
        for x, y, z in ((-0.08, 1.1, 0.19), (0.08, 1.1, 0.19), (0, 0.76, 0.255), (0, 0.66, 0.265), (0, 0.4, 0.375))
    ]
    arms = [
        tube(smooth([(s * 0.22, 0.72, 0), (s * 0.42, 0.82, 0.02), (s * 0.58, 0.96, 0.04)], 2), 0.025, 6)
        for s in (-1, 1)
    ]
    return (
        *cover(SNOW, *balls),
        *cover(FELT, hat),
        *cover(SCARF, wrap, tail_end),
        *cover(CARROT, nose),
        *cover(COAL, *coals),
        *cover(OAK, *arms),
    )


def teddy_bear() -> tuple[Piece, ...]:
    """A sitting teddy bear with a bow."""
    body = ellipsoid(0.58, 0.62, 0.5, 16, 10).moved(0, 0.34, -0.04)
    seat = lathe(smooth([(0.24, 0.0), (0.28, 0.08), (0.2, 0.2), (0.0, 0.24)], 2), 16)
    head = ellipsoid(0.5, 0.46, 0.44, 16, 10).moved(0, 0.8, 0)
    ears = [ellipsoid(0.2, 0.2, 0.12, 10, 6).moved(s * 0.2, 1.0, -0.02) for s in (-1, 1)]
    arms = [ellipsoid(0.18, 0.4, 0.2, 10, 8).turned("z", s * 0.1).moved(s * 0.3, 0.42, 0.06) for s in (-1, 1)]
    legs = [ellipsoid(0.24, 0.22, 0.46, 10, 8).turned("y", s * 0.06).moved(s * 0.2, 0.11, 0.26) for s in (-1, 1)]
    pads = [ellipsoid(0.18, 0.18, 0.06, 10, 6).turned("y", s * 0.06).moved(s * 0.27, 0.12, 0.46) for s in (-1, 1)]
    snout = ellipsoid(0.24, 0.18, 0.16, 10, 8).moved(0, 0.74, 0.2)
    belly = ellipsoid(0.36, 0.4, 0.12, 12, 8).moved(0, 0.34, 0.18)
    dark = [ellipsoid(0.05, 0.06, 0.04, 8, 6).moved(s * 0.1, 0.86, 0.19) for s in (-1, 1)] + [
        ellipsoid(0.09, 0.06, 0.06, 8, 6).moved(0, 0.78, 0.275)
    ]
    bow = [ellipsoid(0.18, 0.13, 0.08, 9, 6).turned("z", s * 0.04).moved(s * 0.1, 0.59, 0.22) for s in (-1, 1)] + [
        ellipsoid(0.07, 0.08, 0.08, 8, 6).moved(0, 0.59, 0.24)
    ]
    return (
        *cover(TEDDY, body, seat, head, *ears, *arms, *legs),
        *cover(PLUSH_LIGHT, *pads, snout, belly),
        *cover(COAL, *dark),
        *cover(SILK, *bow),
    )


def stacking_rings() -> tuple[Piece, ...]:
    """A stack of coloured rings on a peg."""
    base = lathe(fillet([(0.0, 0.0), (0.46, 0.0), (0.46, 0.08), (0.0, 0.08)], 0.03, 3), 20)
    sizes = (0.36, 0.31, 0.26, 0.21, 0.16)
    rings = [ring(r - 0.08, 0.18, 20, 8).moved(0, 0.165 + 0.165 * k, 0) for k, r in enumerate(sizes)]
    peg = tube([(0, 0.06, 0), (0, 0.5, 0), (0, 0.96, 0)], 0.06, 10)
    knob = ellipsoid(0.2, 0.2, 0.2, 14, 9).moved(0, 1.0, 0)
    paints = (RED_TIN, YELLOW_TIN, GREEN_FELT, BLUE_TIN, VELVET)
    coats: tuple[Piece, ...] = ()
    for shell, paint in zip(rings, paints, strict=True):
        coats += cover(paint, shell)
    return (*cover(WOOD_TOY, base, peg, knob), *coats)


def star_award() -> tuple[Piece, ...]:
    """A gold star on a turned pedestal."""
    foot = box(0.5, 0.1, 0.5, 0.05).moved(0, 0.05, 0)
    stem = lathe(smooth([(0.2, 0.09), (0.08, 0.2), (0.1, 0.34), (0.05, 0.46), (0.09, 0.54)], 3), 16)
    sign = extrude(star(0.36, 0.16, 5), 0.14, 0.05, "z", 2).moved(0, 0.76, 0)
    plate = slab(0.3, 0.07, 0.03, 0.02).moved(0, 0.05, 0.255)
    discs: list[Shell] = [
        extrude(rectangle(0.3, 0.3, 0.14, 4), 0.06, 0.02, "y", 2).moved(0, 0.55, 0),
        extrude(ellipse(0.2, 0.2, 14), 0.04, 0.01, "y", 1).moved(0, 0.59, 0),
    ]
    return (*cover(OAK, foot, stem, *discs), *cover(GOLD, sign, plate))
