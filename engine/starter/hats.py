"""More that is worn on heads: soft hats, hard helmets, a wreath. Each is hollow and stands on its rim on y = 0."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.forms import around, band, coil, fluted, leaf, plan_radius, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import Points, fillet, points_of, smooth, star
from engine.starter.paints import cloth, foliage, glass, metal, patterned, plain
from engine.starter.shells import Shell
from engine.starter.solids import ellipsoid, extrude, lathe, ring, slab
from engine.surfaces import FloatArray

STRAW = patterned("plaited straw", "e0bd6a", "b98a45", 0.4, partial(patterns.weave, threads=16), seed=301)
RIBBON = cloth("striped navy ribbon", "2f4672", 0.16, "f3ead6", pattern=partial(patterns.stripes, count=2), seed=302)
IRON = metal("polished iron", "a9aeb4", 0.5, roughness=0.3, seed=303)
STEEL = metal("blued steel", "6f7885", 0.5, roughness=0.3, seed=325)
BRASS = metal("brass", "d0a145", 0.5, roughness=0.3, seed=304)
PLUME = patterned("red plume", "c23b35", "e88a5c", 0.3, partial(patterns.straw, bands=1), seed=305)
DARK = plain("dark lining", "2b2628", 0.4, contrast=20, seed=306)
BROWN_FELT = cloth("brown felt", "6f4a35", 0.5, seed=307)
SATIN = cloth("black satin", "2c2a30", 0.3, seed=308)
WOOL = patterned("red wool", "c2473f", "c2473f", 0.22, partial(patterns.weave, threads=8), seed=309)
CREAM_WOOL = patterned("cream wool", "efe3c9", "efe3c9", 0.2, partial(patterns.weave, threads=8), seed=310)
GREEN_BRAID = cloth("green braid", "2f8a5a", 0.2, "f4d15c", pattern=partial(patterns.checks, count=4), seed=311)
POMPOM = cloth("red pompoms", "d4473d", 0.2, seed=312)
LINEN = cloth("white linen", "f4f0e6", 0.6, seed=313)
PAPER = cloth("spotted paper", "4aa3c9", 0.5, "fbe36a", pattern=partial(patterns.dots, count=4), seed=314)
TINSEL = patterned("pink tinsel", "ef7fa6", "ffd9e6", 0.2, partial(patterns.leaves, count=16, bloom=90), seed=315)
LAUREL = foliage("gilded leaves", "d9b044", 0.3, "f3dc8a", bloom=60, seed=316)
YELLOW = plain("yellow enamel", "e9b93a", 0.6, roughness=0.4, contrast=36, seed=317)
LAMP = glass("lamp glass", "fff0b8", 0.3, "ffffff", emissive=0.6)
RUBBER = plain("black rubber", "37363a", 0.3, contrast=24, seed=318)
WITCH = cloth("black velvet", "38333f", 0.5, seed=319)
ORANGE = cloth("orange band", "e0812f", 0.3, seed=320)
HORN = plain("ivory horn", "e2d1a8", 0.4, roughness=0.5, contrast=70, seed=321)
FUR = patterned("brown fur", "8a6244", "8a6244", 0.3, patterns.fur, seed=322)
FEZ = cloth("crimson felt", "a8323a", 0.5, seed=323)
CORD = patterned("black cord", "2f2b30", "2f2b30", 0.2, partial(patterns.straw, bands=1), seed=324)
INNER = 0.45
"""Radius of the opening of a hat; outer shapes are built about it."""


def _hollow(outer: Points, depth: float, inner: float = INNER) -> FloatArray:
    """Profile of a hat: the outer line from its rim up to the axis, and a cavity `depth` high under it."""
    cavity = fillet([(0.0, depth), (0.8 * inner, 0.92 * depth), (inner, 0.3 * depth), (inner, 0.0)], 0.1, 3)
    return np.concatenate([cavity, points_of(outer)])


def boater() -> tuple[Piece, ...]:
    """A flat straw hat with a striped ribbon and a bow."""
    outer = fillet([(0.82, 0.0), (0.82, 0.05), (0.5, 0.06), (0.49, 0.4), (0.0, 0.42)], 0.03, 3)
    hat = lathe(_hollow(outer, 0.26), 22)
    rims = [ring(0.82, 0.05, 18, 5).moved(y=0.025), ring(0.475, 0.05, 18, 5).moved(y=0.395)]
    ribbon = band(0.515, 0.06, 0.25, 0.06, 22)
    loops = [ellipsoid(0.06, 0.16, 0.2, 7, 5).moved(0.53, 0.16, s * 0.1) for s in (-1, 1)]
    ends = [slab(0.04, 0.16, 0.1, 0.02).turned("x", s * 0.06).moved(0.53, 0.08, s * 0.06) for s in (-1, 1)]
    knot = ellipsoid(0.09, 0.11, 0.09, 7, 5).moved(0.535, 0.16, 0)
    return (*cover(STRAW, hat, *rims), *cover(RIBBON, ribbon, *loops, *ends, knot))


def knight_helmet() -> tuple[Piece, ...]:
    """A great helm with a visor that opens in slits, a comb and a plume."""
    outer = smooth([(0.5, 0.0), (0.49, 0.2), (0.5, 0.5), (0.5, 0.72), (0.44, 0.94), (0.26, 1.08), (0.0, 1.12)], 3)
    skull = lathe(_hollow(outer, 0.4, 0.43), 20)
    collar = ring(0.5, 0.09, 20, 5).moved(y=0.045)
    visor = lathe([(0.46, 0.34), (0.53, 0.34), (0.6, 0.54), (0.53, 0.78), (0.46, 0.78)], 20, loop=True)
    peak = visor.scaled(1.0, 1.0, 1.08)
    slits = [slab(0.3, 0.035, 0.1, 0.015).turned("y", s * 0.07).moved(s * 0.19, 0.64, 0.545) for s in (-1, 1)]
    holes = [
        ellipsoid(0.045, 0.045, 0.05, 7, 4).moved(x, y, 0.585 - 0.5 * x * x)
        for x in (-0.2, -0.1, 0.1, 0.2)
        for y in (0.42, 0.5)
    ]
    bolts = [ellipsoid(0.1, 0.12, 0.12, 8, 5).moved(s * 0.565, 0.58, 0) for s in (-1, 1)]
    comb = extrude(
        smooth([(-0.42, 0.86), (0.0, 1.08), (0.42, 0.86), (0.4, 0.98), (0.0, 1.18), (-0.4, 0.98)], 3, closed=True),
        0.07,
        0.02,
        "x",
        1,
    )
    feather = tapered(
        [(0, 1.1, 0.06), (0, 1.36, -0.02), (0, 1.46, -0.3), (0, 1.26, -0.6), (0, 0.94, -0.72)],
        [0.05, 0.11, 0.14, 0.12, 0.03],
        3,
        8,
    )
    tufts = [
        ellipsoid(0.16, 0.34, 0.12, 7, 5).turned("x", -0.02 - 0.05 * k).moved(0, 1.42 - 0.016 * k * k, -0.04 - 0.16 * k)
        for k in range(5)
    ]
    return (
        *cover(IRON, skull),
        *cover(STEEL, peak),
        *cover(BRASS, collar, comb, *bolts),
        *cover(DARK, *slits, *holes),
        *cover(PLUME, feather, *tufts),
    )


def bowler() -> tuple[Piece, ...]:
    """A brown bowler with a curled brim and a satin band."""
    outer = smooth(
        [
            (0.5, -0.0),
            (0.64, 0.02),
            (0.7, 0.09),
            (0.68, 0.11),
            (0.62, 0.07),
            (0.5, 0.06),
            (0.5, 0.24),
            (0.44, 0.42),
            (0.28, 0.53),
            (0.0, 0.56),
        ],
        3,
    )
    hat = lathe(_hollow(outer, 0.3), 20)

    def dip(v: FloatArray) -> FloatArray:
        edge = np.maximum(plan_radius(v) - 0.5, 0.0)
        lift = edge * v[:, 0] * v[:, 0] * 1.1
        return np.asarray(np.stack([v[:, 0] * 0.9, v[:, 1] + lift, v[:, 2]], axis=1))

    ribbon = band(0.515, 0.06, 0.18, 0.05, 20)
    bow = [slab(0.03, 0.14, 0.18, 0.02).moved(0.525, 0.12, 0)]
    return (*cover(BROWN_FELT, hat.shaped(dip)), *cover(SATIN, *(s.shaped(dip) for s in (ribbon, *bow))))


def beanie() -> tuple[Piece, ...]:
    """A knitted cap with a turned-up rim and a bobble."""
    outer = smooth([(0.5, 0.06), (0.5, 0.3), (0.44, 0.52), (0.3, 0.68), (0.12, 0.75), (0.0, 0.76)], 3)
    cap = fluted(lathe(_hollow(outer, 0.24), 32), 8, 0.02)
    cuff = lathe(fillet([(0.44, 0.0), (0.55, 0.0), (0.56, 0.24), (0.48, 0.24)], 0.05, 2, closed=True), 40, loop=True)
    bobble = fluted(ellipsoid(0.34, 0.32, 0.34, 18, 8), 6, 0.07).moved(y=0.86)
    return (*cover(WOOL, cap), *cover(CREAM_WOOL, fluted(cuff, 20, 0.025), bobble))


def sombrero() -> tuple[Piece, ...]:
    """A wide turned-up brim hung with pompoms, a tall dented crown and a braid."""
    outer = smooth(
        [
            (0.55, 0.0),
            (0.9, 0.03),
            (1.16, 0.16),
            (1.24, 0.33),
            (1.2, 0.34),
            (1.1, 0.2),
            (0.84, 0.09),
            (0.52, 0.08),
            (0.46, 0.3),
            (0.34, 0.62),
            (0.2, 0.74),
            (0.0, 0.76),
        ],
        2,
    )
    hat = lathe(_hollow(outer, 0.3), 28)
    braids = [ring(1.22, 0.07, 22, 5).moved(y=0.34), band(0.53, 0.08, 0.22, 0.06, 20, -0.03)]
    ring_two = ring(0.8, 0.05, 20, 4).moved(y=0.1)
    balls = around(ellipsoid(0.14, 0.14, 0.14, 6, 5).moved(0, 0.33, 1.26), 12)
    stars = around(extrude(star(0.13, 0.06, 4), 0.06, 0.0, "y").turned("x", -0.04).moved(0, 0.14, 1.0), 10)
    return (*cover(STRAW, hat), *cover(GREEN_BRAID, *braids, ring_two), *cover(POMPOM, *balls, *stars))


def chef_hat() -> tuple[Piece, ...]:
    """A pleated white cap puffed out above a band."""
    outer = smooth(
        [(0.5, 0.02), (0.5, 0.3), (0.49, 0.38), (0.66, 0.52), (0.74, 0.7), (0.66, 0.9), (0.4, 1.0), (0.0, 1.02)], 2
    )

    def puffed(height: FloatArray) -> FloatArray:
        return np.asarray(np.minimum(np.maximum(height - 0.3, 0.0) * 4.0, 1.0))

    hat = fluted(lathe(_hollow(outer, 0.28), 45), 9, 0.075, weight=puffed)
    cuff = lathe(fillet([(0.45, 0.0), (0.53, 0.0), (0.54, 0.36), (0.46, 0.36)], 0.02, 2, closed=True), 22, loop=True)
    return cover(LINEN, hat, cuff)


def party_hat() -> tuple[Piece, ...]:
    """A spotted paper cone with a tinsel rim and tip."""
    cone = lathe([(0.0, 0.3), (0.3, 0.24), (INNER, 0.0), (0.5, 0.0), (0.06, 1.04), (0.0, 1.06)], 20)
    rim = fluted(ring(0.49, 0.12, 36, 5).moved(y=0.05), 12, 0.06)
    tip = around(ellipsoid(0.07, 0.3, 0.07, 6, 6).moved(y=0.12).turned("x", 0.1), 8)
    tails = [shell.moved(y=1.04) for shell in tip]
    knob = ellipsoid(0.16, 0.16, 0.16, 8, 5).moved(y=1.06)
    return (*cover(PAPER, cone), *cover(TINSEL, rim, *tails, knob))


def laurel_wreath() -> tuple[Piece, ...]:
    """Two gilded branches of leaves joined at the back, open in front, with berries."""
    stem = ring(0.48, 0.06, 22, 5).moved(y=0.12)
    leaves: list[Shell] = []
    for k in range(9):
        turn = 0.03 + 0.052 * k
        for lift, spread in ((0.06, -0.06), (-0.04, 0.03), (0.0, -0.01)):
            blade = leaf(0.26, 0.13, -0.04, 0.04, 6, 4).moved(z=-0.03).turned("x", -0.6 * lift)
            left = blade.turned("y", -0.235 - spread).moved(0, 0.12 + 0.3 * lift, 0.48).turned("y", 0.5 - turn)
            leaves += [left, left.scaled(-1, 1, 1)]
    berries = [
        ellipsoid(0.07, 0.07, 0.07, 6, 4).moved(0, 0.15, 0.51).turned("y", s * (0.08 + 0.1 * k))
        for k in range(4)
        for s in (-1, 1)
    ]
    knot = coil(0.045, 0.2, 3, 0.04, steps=8, sides=5).turned("z", 0.25).moved(0.1, 0.16, -0.48)
    return (*cover(LAUREL, *leaves), *cover(BRASS, stem, knot), *cover(POMPOM, *berries))


def miner_helmet() -> tuple[Piece, ...]:
    """A ribbed yellow helmet with a brim, a lamp on the front and a cable to the back."""
    outer = smooth(
        [(0.52, 0.0), (0.64, 0.0), (0.64, 0.05), (0.53, 0.08), (0.51, 0.28), (0.4, 0.48), (0.2, 0.57), (0.0, 0.59)], 3
    )

    def longer(v: FloatArray) -> FloatArray:
        return np.asarray(np.stack([v[:, 0] * 0.9, v[:, 1], v[:, 2] * 1.06], axis=1))

    shell = lathe(_hollow(outer, 0.3), 22).shaped(longer)
    ribs = [
        wire(
            [(x, 0.1, -0.56), (x * 0.9, 0.4, -0.42), (x * 0.8, 0.61, 0.0), (x * 0.9, 0.4, 0.42), (x, 0.1, 0.56)], 0.035
        )
        for x in (-0.14, 0.0, 0.14)
    ]
    mount = slab(0.2, 0.2, 0.1, 0.04).moved(0, 0.3, 0.52)
    housing = lathe(smooth([(0.07, 0.0), (0.12, 0.05), (0.16, 0.12), (0.16, 0.18), (0.12, 0.18)], 2), 18)
    lens = ellipsoid(0.26, 0.1, 0.26, 14, 6).moved(y=0.17)
    housing, lens = (s.turned("x", 0.24).moved(0, 0.31, 0.54) for s in (housing, lens))
    cable = wire(
        [(0.05, 0.4, 0.56), (0.1, 0.56, 0.34), (0.12, 0.64, 0.0), (0.1, 0.53, -0.38), (0.04, 0.14, -0.57)], 0.025, 4
    )
    plate = band(0.53, 0.06, 0.14, 0.04, 22).shaped(longer)
    return (
        *cover(YELLOW, shell, *ribs),
        *cover(IRON, housing),
        *cover(LAMP, lens),
        *cover(RUBBER, mount, cable, plate),
    )


def witch_hat() -> tuple[Piece, ...]:
    """A crooked cone with a drooping brim, an orange band and a buckle."""
    outer = smooth(
        [
            (0.6, 0.02),
            (0.84, 0.0),
            (0.94, 0.03),
            (0.92, 0.06),
            (0.7, 0.08),
            (0.52, 0.14),
            (0.44, 0.4),
            (0.32, 0.72),
            (0.22, 0.98),
            (0.12, 1.2),
            (0.0, 1.34),
        ],
        3,
    )

    def crook(v: FloatArray) -> FloatArray:
        first = np.maximum(v[:, 1] - 0.3, 0.0)
        second = np.maximum(v[:, 1] - 0.86, 0.0)
        side = 0.3 * first * first - 1.7 * second * second
        wave = np.maximum(plan_radius(v) - 0.55, 0.0) * v[:, 0] * v[:, 2] * 0.9
        return np.asarray(np.stack([v[:, 0] + side, v[:, 1] + wave - 0.5 * second * second, v[:, 2] - 0.1 * first], 1))

    hat = lathe(_hollow(outer, 0.3), 22).shaped(crook)
    sash = band(0.56, 0.11, 0.28, 0.08, 20, -0.06)
    frame = slab(0.2, 0.2, 0.05, 0.03).moved(0, 0.2, 0.54)
    hole = slab(0.11, 0.11, 0.05, 0.02).moved(0, 0.2, 0.56)
    return (*cover(WITCH, hat, hole), *cover(ORANGE, sash), *cover(BRASS, frame))


def horned_helmet() -> tuple[Piece, ...]:
    """An iron cap with brass bands, a fur rim and two horns."""
    outer = smooth([(0.5, 0.04), (0.51, 0.22), (0.44, 0.46), (0.26, 0.62), (0.0, 0.68)], 3)
    cap = lathe(_hollow(outer, 0.3), 20)
    rim = fluted(ring(0.5, 0.15, 22, 5).moved(y=0.08), 14, 0.03)
    straps = [
        wire([(0, 0.1, 0.52), (0, 0.3, 0.5), (0, 0.56, 0.33), (0, 0.7, 0.0), (0, 0.56, -0.33), (0, 0.2, -0.53)], 0.04)
    ]
    straps.append(straps[0].turned("y", 0.25))
    line = [(0.4, 0.3, 0.0), (0.66, 0.34, 0.02), (0.86, 0.54, 0.06), (0.86, 0.86, 0.1)]
    horn = tapered(line, [0.16, 0.14, 0.1, 0.015], 3, 9)
    horns = [horn.scaled(s, 1, 1) for s in (-1, 1)]
    cuffs = [ring(0.16, 0.07, 12, 5).turned("z", 0.25).moved(s * 0.5, 0.3, 0) for s in (-1, 1)]
    studs = around(ellipsoid(0.08, 0.08, 0.06, 7, 5).moved(0, 0.22, 0.51), 8, start=0.0625)
    knob = ellipsoid(0.13, 0.16, 0.13, 8, 5).moved(y=0.72)
    return (*cover(IRON, cap), *cover(FUR, rim), *cover(BRASS, *straps, *cuffs, *studs, knob), *cover(HORN, *horns))


def fez() -> tuple[Piece, ...]:
    """A crimson fez with a black tassel."""
    outer = fillet([(0.51, 0.0), (0.52, 0.04), (0.4, 0.6), (0.0, 0.63)], 0.05, 3)
    hat = lathe(_hollow(outer, 0.22), 20)
    button = ellipsoid(0.1, 0.06, 0.1, 8, 5).moved(y=0.64)
    string = wire([(0, 0.64, 0), (0.2, 0.66, 0.06), (0.42, 0.58, 0.12), (0.49, 0.4, 0.14)], 0.02)
    knot = ellipsoid(0.09, 0.09, 0.09, 7, 5).moved(0.49, 0.4, 0.14)
    fringe = fluted(lathe(smooth([(0.04, 0.0), (0.03, -0.06), (0.07, -0.24), (0.06, -0.26)], 3), 30), 10, 0.12)
    return (*cover(FEZ, hat), *cover(CORD, button, string, knot, fringe.moved(0.5, 0.38, 0.14)), *_piping())


def _piping() -> tuple[Piece, ...]:
    return cover(BRASS, ring(0.515, 0.035, 20, 5).moved(y=0.05))
