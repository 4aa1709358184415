"""Heads for bodies of all kinds. Each stands on the flat end of its neck on y = 0 and looks along +Z."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.forms import arc, around, bowed, fluted, leaf, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import fillet, gear, rectangle, smooth
from engine.starter.paints import Paint, fur, glass, metal, painted_metal, patterned, plain
from engine.starter.shells import Shell
from engine.starter.solids import ellipsoid, extrude, lathe, ring, slab, tube
from engine.surfaces import FloatArray

COPPER = painted_metal("riveted copper", "bd7444", 0.9, seed=331)
BRASS = metal("brass", "d0a145", 0.5, roughness=0.3, seed=332)
STEEL = metal("brushed steel", "9fa5ab", 0.6, seed=333)
MINT = painted_metal("mint enamel", "7fbfa4", 1.0, rivets=3, seed=334)
RED = painted_metal("red enamel", "c04a3a", 1.0, rivets=0, seed=335)
DOME = glass("blue dome glass", "a7d6e2", 0.8)
EYE = glass("amber eye glass", "ffb84d", 0.5, "fff3cf", emissive=0.6)
SCREEN = plain("dark blue screen", "1f3f5c", 0.6, roughness=0.2, contrast=30, seed=336)
FACE = glass("glowing face lines", "8ff2ff", 0.2, "ffffff", emissive=0.8)
DARK = plain("black rubber", "2b2a2e", 0.4, contrast=24, seed=337)
PUMPKIN = plain("orange pumpkin skin", "e07f2a", 0.7, contrast=80, seed=338)
STALK = plain("green stalk", "6f7f3c", 0.3, contrast=80, seed=339)
FLAME = Paint("candle light", "ffcf4f", "fff3b8", partial(patterns.speckle, contrast=70), 0.6, size=64, emissive=0.7)
SNOW = plain("white snow", "f1f4f8", 0.8, contrast=30, seed=340)
CARROT = plain("carrot", "e5822f", 0.3, contrast=70, seed=341)
COAL = plain("black coal", "2e2d31", 0.3, contrast=60, seed=342)
TWIG = plain("brown twig", "6b4a30", 0.3, contrast=80, seed=343)
CHESTNUT = fur("chestnut coat", "8a4e2c", 0.9, seed=344)
MANE = fur("black mane", "3a3136", 0.4, seed=345)
WHITE_FUR = fur("white fur", "f0e8da", 0.7, seed=346)
LEATHER = plain("leather straps", "5d3a24", 0.4, roughness=0.6, contrast=50, seed=347)
LION = fur("golden coat", "d9a04e", 0.8, seed=348)
SHAGGY = fur("shaggy brown mane", "8c4f26", 0.5, seed=349)
PINK = plain("pink skin", "e79e98", 0.4, contrast=30, seed=350)
SKIN = plain("freckled skin", "f0bf9a", 0.6, contrast=36, seed=351)
GINGER = patterned("ginger curls", "c8622b", "e39a55", 0.3, partial(patterns.straw, bands=3), seed=352)
SPARK = plain("white spark", "fdfbf5", 0.2, roughness=0.2, contrast=10, seed=353)


def _neck(radius: float, height: float, segments: int = 16) -> Shell:
    return lathe([(radius, 0.0), (0.86 * radius, 0.5 * height), (radius, height)], segments)


def diver_head() -> tuple[Piece, ...]:
    """A copper ball with a barred porthole in front, two at the sides and a valve on top."""
    ball = lathe(smooth([(0.34, 0.14), (0.56, 0.34), (0.62, 0.66), (0.46, 1.02), (0.2, 1.16), (0.0, 1.18)], 2), 20)
    collar = lathe(fillet([(0.5, 0.0), (0.5, 0.1), (0.36, 0.2)], 0.04, 2), 20)
    bolts = around(ellipsoid(0.08, 0.06, 0.08, 6, 4).moved(0, 0.12, 0.45), 10)

    def porthole(width: float) -> tuple[Shell, Shell]:
        rim = lathe(fillet([(0.3, -0.1), (0.4, -0.1), (0.4, 0.07), (0.3, 0.1)], 0.02, 1, closed=True), 16, loop=True)
        pane = ellipsoid(0.66, 0.16, 0.66, 14, 4)
        return tuple(s.scaled(width, 1, width).turned("x", 0.25) for s in (rim, pane))  # type: ignore[return-value]

    front, glow = (s.moved(0, 0.66, 0.55) for s in porthole(1.0))
    sides = [tuple(s.moved(0, 0.66, 0.56).turned("y", k * 0.25) for s in porthole(0.6)) for k in (-1, 1)]
    pupil = ellipsoid(0.24, 0.24, 0.1, 10, 5).moved(0, 0.66, 0.62)
    bars = [
        tube([(-0.3, 0.66 + y, 0.66), (0.0, 0.66 + y, 0.68), (0.3, 0.66 + y, 0.66)], 0.025, 6) for y in (-0.13, 0.13)
    ]
    valve = lathe(fillet([(0.16, 1.1), (0.16, 1.2), (0.07, 1.24), (0.07, 1.32)], 0.02, 2), 12)
    wheel = ring(0.14, 0.05, 10, 5).moved(y=1.33)
    cross = [tube([(-0.14, 1.33, 0), (0.14, 1.33, 0)], 0.025, 5).turned("y", k / 4) for k in range(2)]
    return (
        *cover(COPPER, ball),
        *cover(BRASS, collar, front, *(s[0] for s in sides), *bolts, *bars, valve, wheel, *cross),
        *cover(EYE, glow, *(s[1] for s in sides)),
        *cover(DARK, pupil),
    )


def dome_head() -> tuple[Piece, ...]:
    """A face plate under a glass dome, with a cog wheel on each side."""
    base = lathe(fillet([(0.44, 0.08), (0.52, 0.16), (0.52, 0.56), (0.46, 0.62)], 0.05, 3), 22)
    rim = ring(0.48, 0.1, 18, 5).moved(y=0.62)
    cup = lathe(smooth([(0.45, 0.62), (0.47, 0.78), (0.38, 1.02), (0.2, 1.14), (0.0, 1.17)], 3), 20)
    cogs = [extrude(gear(0.26, 0.2, 10), 0.1, 0.02, "x", 1).moved(s * 0.55, 0.42, 0) for s in (-1, 1)]
    eyes = [lathe(fillet([(0.13, 0.0), (0.13, 0.1), (0.1, 0.14)], 0.02, 2), 14).turned("x", 0.25) for _ in range(2)]
    eyes = [eye.moved(s * 0.2, 0.46, 0.45) for s, eye in zip((-1, 1), eyes, strict=True)]
    lamps = [ellipsoid(0.19, 0.19, 0.09, 10, 5).moved(s * 0.2, 0.46, 0.585) for s in (-1, 1)]
    mouth = [slab(0.045, 0.11, 0.06, 0.012, 1).moved(-0.16 + 0.08 * k, 0.28, 0.5 - 0.02 * abs(k - 2)) for k in range(5)]
    lugs = [lathe([(0.12, 0.0), (0.1, 0.1)], 12).turned("z", -0.25 * s).moved(s * 0.56, 0.42, 0) for s in (-1, 1)]
    knob = ellipsoid(0.14, 0.12, 0.14, 8, 5).moved(y=1.19)
    return (
        *cover(MINT, base),
        *cover(STEEL, _neck(0.28, 0.18), rim, *eyes, *lugs, knob),
        *cover(DOME, cup),
        *cover(BRASS, *cogs),
        *cover(EYE, *lamps),
        *cover(DARK, *mouth),
    )


def television_head() -> tuple[Piece, ...]:
    """A red television set with a smiling face on its screen, knobs and two rods on top."""
    case = extrude(rectangle(1.24, 0.96, 0.16, 3), 0.7, 0.06, "z", 2).moved(0, 0.64, 0).boxed_uvs()
    back = extrude(rectangle(0.9, 0.66, 0.12, 2), 0.2, 0.04, "z", 1).moved(0, 0.64, -0.42)
    bezel = slab(0.92, 0.76, 0.08, 0.14, 3).moved(-0.1, 0.64, 0.35)
    screen = slab(0.8, 0.64, 0.08, 0.12, 3).moved(-0.1, 0.64, 0.37)
    eyes = [slab(0.08, 0.17, 0.04, 0.03).moved(-0.1 + s * 0.16, 0.74, 0.41) for s in (-1, 1)]
    smile = [
        wire(
            [(-0.32, 0.54, 0.41), (-0.24, 0.46, 0.415), (-0.1, 0.43, 0.415), (0.04, 0.46, 0.415), (0.12, 0.54, 0.41)],
            0.026,
            2,
            6,
        )
    ]
    knobs = [
        lathe(fillet([(0.07, 0.0), (0.07, 0.07), (0.05, 0.08)], 0.015, 2), 12).turned("x", 0.25).moved(0.48, y, 0.34)
        for y in (0.86, 0.66)
    ]
    grille = [slab(0.16, 0.025, 0.04).moved(0.48, 0.32 + 0.05 * k, 0.36) for k in range(4)]
    foot = lathe(fillet([(0.14, 1.1), (0.12, 1.16), (0.05, 1.2)], 0.03, 2), 12)
    rods = [tube([(s * 0.03, 1.16, 0), (s * 0.2, 1.38, 0), (s * 0.36, 1.6, 0)], 0.022, 6) for s in (-1, 1)]
    tips = [ellipsoid(0.09, 0.09, 0.09, 7, 5).moved(s * 0.37, 1.61, 0) for s in (-1, 1)]
    return (
        *cover(RED, case, back),
        *cover(STEEL, _neck(0.24, 0.2), foot, *rods, *knobs),
        *cover(DARK, bezel, *grille),
        *cover(SCREEN, screen),
        *cover(FACE, *eyes, *smile),
        *cover(BRASS, *tips),
    )


def pumpkin_head() -> tuple[Piece, ...]:
    """A carved pumpkin lit from inside, with a curled stalk."""
    line = smooth([(0.22, 0.1), (0.52, 0.16), (0.68, 0.42), (0.6, 0.74), (0.34, 0.9), (0.1, 0.86), (0.0, 0.84)], 3)
    body = fluted(lathe(line, 40), 10, 0.045)

    def on_face(shell: Shell) -> Shell:
        """Lay a flat shape, modelled about z = 0, onto the round front."""

        def wrap(v: FloatArray) -> FloatArray:
            away = v[:, 0] * v[:, 0] * 0.9 + (v[:, 1] - 0.48) * (v[:, 1] - 0.48) * 1.2
            return np.stack([v[:, 0], v[:, 1], v[:, 2] + 0.68 - away], axis=1)

        return shell.shaped(wrap)

    eyes = [
        extrude([(-0.13, -0.09), (0.13, -0.09), (s * 0.03, 0.15)], 0.07, 0.0, "z").moved(s * 0.24, 0.62, 0)
        for s in (-1, 1)
    ]
    nose = extrude([(-0.07, -0.05), (0.07, -0.05), (0.0, 0.08)], 0.07, 0.0, "z").moved(0, 0.47, 0)
    mouth = extrude(
        [
            (-0.36, 0.06),
            (-0.24, -0.08),
            (-0.14, -0.05),
            (-0.1, -0.12),
            (0.1, -0.12),
            (0.14, -0.05),
            (0.24, -0.08),
            (0.36, 0.06),
            (0.22, 0.0),
            (0.16, -0.0),
            (0.12, 0.06),
            (0.04, 0.04),
            (-0.04, 0.04),
            (-0.12, 0.06),
            (-0.16, 0.0),
            (-0.22, 0.0),
        ],
        0.07,
        0.0,
        "z",
    ).moved(0, 0.3, 0)
    stalk = tapered(
        [(0, 0.82, 0), (0, 0.96, 0), (0.07, 1.06, 0.02), (0.17, 1.09, 0.03)], [0.1, 0.065, 0.06, 0.075], 3, 7
    )
    leaves = [leaf(0.34, 0.24, 0.08).turned("y", t).moved(0, 0.88, 0) for t in (0.1, 0.62)]
    return (
        *cover(PUMPKIN, body),
        *cover(FLAME, *(on_face(s) for s in (*eyes, nose, mouth))),
        *cover(STALK, _neck(0.24, 0.16), stalk, *leaves),
    )


def snowman_head() -> tuple[Piece, ...]:
    """A ball of snow with coal eyes, a carrot and a twig of hair."""
    ball = lathe(smooth([(0.3, 0.0), (0.5, 0.14), (0.58, 0.48), (0.46, 0.84), (0.2, 1.0), (0.0, 1.02)], 3), 22)
    carrot = lathe(smooth([(0.1, 0.0), (0.09, 0.12), (0.05, 0.36), (0.0, 0.46)], 3), 12)
    nose = fluted(carrot, 3, 0.05).turned("x", 0.25).moved(0, 0.5, 0.53)
    eyes = [ellipsoid(0.13, 0.14, 0.1, 6, 4).moved(s * 0.2, 0.66, 0.5) for s in (-1, 1)]
    dots = [
        ellipsoid(0.08, 0.08, 0.07, 6, 4).moved(x, 0.24 + 1.2 * x * x, 0.535 - 0.3 * x * x)
        for x in (-0.26, -0.14, 0.0, 0.14, 0.26)
    ]
    hair = [
        tapered([(0, 0.98, 0), (0.0, 1.12, 0), (x, 1.3, 0.02)], [0.035, 0.028, 0.012], 2, 5)
        for x in (-0.14, 0.02, 0.16)
    ]
    cheeks = [ellipsoid(0.17, 0.12, 0.05, 7, 4).turned("y", s * 0.1).moved(s * 0.36, 0.46, 0.41) for s in (-1, 1)]
    return (
        *cover(SNOW, ball),
        *cover(CARROT, nose),
        *cover(COAL, *eyes, *dots),
        *cover(TWIG, *hair),
        *cover(PINK, *cheeks),
    )


def _beast_eyes(x: float, y: float, z: float, size: float = 1.0) -> tuple[Piece, ...]:
    eyes = [ellipsoid(0.14 * size, 0.18 * size, 0.12 * size, 9, 5).moved(s * x, y, z) for s in (-1, 1)]
    sparks = [
        ellipsoid(0.05 * size, 0.06 * size, 0.04 * size, 6, 4).moved(s * x + 0.02, y + 0.04 * size, z + 0.055 * size)
        for s in (-1, 1)
    ]
    return (*cover(COAL, *eyes), *cover(SPARK, *sparks))


HORSE_NECK, LION_NECK = (0.0, 0.36, -0.56), (0.0, 0.0, -0.6)
"""Where these heads begin: on the end of a neck that leans forward, as those of the animals do."""
NECK_RADIUS = 0.3


def _leaning_neck(start: tuple[float, float, float], end: tuple[float, float, float], radius: float) -> Shell:
    """A neck from a flat end square to the animal's neck up to the middle of the head."""
    x, y, z = start
    return tube([start, (x, y + 0.12, z + 0.168), end], [NECK_RADIUS, 0.97 * NECK_RADIUS, radius], 13, rounded=False)


def horse_head() -> tuple[Piece, ...]:
    """A chestnut head on the end of its neck, with a mane, a blaze and a bridle."""
    neck = _leaning_neck(HORSE_NECK, (0.0, 1.02, 0.1), 0.25)
    skull = tapered([(0, 1.06, 0.04), (0, 0.98, 0.3), (0, 0.8, 0.6), (0, 0.7, 0.78)], [0.27, 0.27, 0.19, 0.19], 2, 12)
    jaw = ellipsoid(0.4, 0.5, 0.44, 10, 6).moved(0, 0.88, 0.2)
    muzzle = ellipsoid(0.42, 0.34, 0.32, 10, 6).turned("x", 0.08).moved(0, 0.67, 0.82)
    nostrils = [ellipsoid(0.08, 0.1, 0.06, 6, 4).moved(s * 0.13, 0.72, 0.94) for s in (-1, 1)]
    ears = [
        tapered([(s * 0.14, 1.2, 0.06), (s * 0.17, 1.36, 0.05), (s * 0.15, 1.52, 0.08)], [0.08, 0.09, 0.01], 3, 8)
        for s in (-1, 1)
    ]
    mane = [
        ellipsoid(0.16, 0.36, 0.26, 6, 4).turned("x", -0.05).moved(0.03 * (k % 2), 0.24 + 0.16 * k, -0.46 + 0.075 * k)
        for k in range(5)
    ]
    fringe = tapered([(0, 1.3, 0.04), (0.02, 1.26, 0.24), (0.03, 1.08, 0.4)], [0.1, 0.09, 0.02], 3, 7)
    blaze = tapered([(0, 1.1, 0.4), (0, 0.98, 0.58), (0, 0.86, 0.74)], [0.05, 0.05, 0.03], 2, 7)
    straps = [ring(0.225, 0.05, 13, 5).turned("x", 0.17).moved(0, 0.82, 0.6)]
    straps.append(ring(0.3, 0.05, 15, 5).turned("x", 0.1).moved(0, 1.0, 0.18))
    cheeks = [wire([(s * 0.28, 0.98, 0.24), (s * 0.27, 0.9, 0.4), (s * 0.22, 0.82, 0.6)], 0.025, 2, 5) for s in (-1, 1)]
    bits = [ring(0.06, 0.03, 10, 5).turned("z", 0.25).moved(s * 0.24, 0.78, 0.6) for s in (-1, 1)]
    return (
        *cover(CHESTNUT, neck, skull, jaw, muzzle, *ears),
        *cover(MANE, *mane, fringe, *nostrils),
        *cover(WHITE_FUR, blaze),
        *cover(LEATHER, *straps, *cheeks),
        *cover(BRASS, *bits),
        *_beast_eyes(0.23, 1.06, 0.36, 0.85),
    )


def lion_head() -> tuple[Piece, ...]:
    """A golden face in a wreath of shaggy locks."""
    skull = ellipsoid(0.82, 0.84, 0.76, 12, 6).moved(0, 0.6, 0.1)
    locks: list[Shell] = []
    for row, (radius, z, length) in enumerate(((0.46, 0.2, 0.36), (0.42, -0.02, 0.44), (0.3, -0.22, 0.42))):
        lock = lathe(smooth([(0.12, 0.0), (0.15, 0.4 * length), (0.0, length)], 2), 6)
        lock = bowed(lock.scaled(1.0, 1.0, 0.8), "y", "z", -0.5).moved(0, radius - 0.06, 0)
        locks += [s.moved(0, 0.62, z) for s in around(lock, 11, axis="z", start=row / 22)]
    back = ellipsoid(0.98, 1.0, 0.7, 12, 6).moved(0, 0.6, -0.14)
    muzzle = [ellipsoid(0.32, 0.28, 0.3, 8, 5).moved(s * 0.12, 0.44, 0.46) for s in (-1, 1)]
    chin = ellipsoid(0.26, 0.2, 0.24, 8, 5).moved(0, 0.29, 0.42)
    bridge = tapered([(0, 0.84, 0.4), (0, 0.66, 0.52), (0, 0.56, 0.58)], [0.1, 0.11, 0.11], 2, 9)
    nose = ellipsoid(0.18, 0.12, 0.12, 8, 5).moved(0, 0.56, 0.63)
    ears = [ellipsoid(0.28, 0.28, 0.14, 9, 5).moved(s * 0.38, 1.0, 0.24) for s in (-1, 1)]
    inner = [ellipsoid(0.17, 0.17, 0.08, 8, 5).moved(s * 0.38, 1.0, 0.3) for s in (-1, 1)]
    line = wire([(0, 0.5, 0.64), (0, 0.42, 0.63), (0, 0.38, 0.58)], 0.02, 2, 5)
    return (
        *cover(LION, skull, bridge, *ears),
        *cover(SHAGGY, _leaning_neck(LION_NECK, (0.0, 0.6, -0.05), 0.28), back, *locks),
        *cover(WHITE_FUR, *muzzle, chin),
        *cover(PINK, *inner),
        *cover(COAL, nose, line),
        *_beast_eyes(0.2, 0.74, 0.44, 0.9),
    )


def curly_head() -> tuple[Piece, ...]:
    """A friendly face with round glasses under ginger curls."""
    skull = lathe(
        smooth([(0.16, 0.12), (0.3, 0.14), (0.46, 0.36), (0.5, 0.62), (0.42, 0.9), (0.22, 1.04), (0, 1.08)], 3), 18
    )
    nose = ellipsoid(0.13, 0.13, 0.14, 8, 5).moved(0, 0.5, 0.51)
    ears = [ellipsoid(0.1, 0.2, 0.15, 7, 5).moved(s * 0.5, 0.54, 0.0) for s in (-1, 1)]
    eyes = [ellipsoid(0.1, 0.14, 0.07, 8, 5).moved(s * 0.19, 0.62, 0.46) for s in (-1, 1)]
    smile = wire([(-0.15, 0.36, 0.42), (0.0, 0.3, 0.445), (0.15, 0.36, 0.42)], 0.02, 3, 5)
    cheeks = [ellipsoid(0.16, 0.11, 0.06, 7, 4).turned("y", s * 0.1).moved(s * 0.31, 0.46, 0.37) for s in (-1, 1)]
    rims = [ring(0.145, 0.035, 12, 4).turned("x", 0.25).moved(s * 0.19, 0.62, 0.53) for s in (-1, 1)]
    bridge = wire([(-0.06, 0.66, 0.54), (0, 0.68, 0.56), (0.06, 0.66, 0.54)], 0.018, 2, 5)
    arms = [wire([(s * 0.33, 0.63, 0.52), (s * 0.48, 0.62, 0.3), (s * 0.53, 0.6, 0.02)], 0.018, 2, 5) for s in (-1, 1)]
    spots = [(0.0, 1.08, 0.12)]
    spots += [(x * 0.34, 0.98, z * 0.34 + 0.04) for x, z in arc(1.0, 0.0, 0.9, 9)]
    spots += [(x * 0.47, 0.78, z * 0.44 - 0.04) for x, z in arc(1.0, 0.42, 1.08, 10)]
    spots += [(x * 0.46, 0.56, z * 0.42 - 0.08) for x, z in arc(1.0, 0.54, 0.96, 6)]
    curls = [ellipsoid(0.86, 0.56, 0.86, 14, 6).moved(0, 0.86, -0.05)]
    curls += [ellipsoid(0.34, 0.31, 0.34, 6, 4).moved(float(x), float(y), float(z)) for x, y, z in spots]
    return (
        *cover(SKIN, _neck(0.2, 0.2), skull, nose, *ears),
        *cover(GINGER, *curls),
        *cover(COAL, *eyes, smile),
        *cover(PINK, *cheeks),
        *cover(BRASS, *rims, bridge, *arms),
    )
