"""Things of a kitchen. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.forms import around, bent, coat, disc, fluted, pair, puck, rod, tint, vessel
from engine.starter.models import Piece
from engine.starter.outlines import fillet, smooth
from engine.starter.paints import cloth, metal, patterned, wood
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, slab, tube
from engine.surfaces import FloatArray

COPPER = metal("hammered copper", "c4764a", 0.5, roughness=0.32, seed=301)
BRASS = metal("brass", "cfa24a", 0.4, seed=302)
STEEL = metal("brushed steel", "b4babd", 0.5, roughness=0.32, seed=303)
IRON = metal("cast iron", "46484e", 0.4, roughness=0.6, seed=304)
WALNUT = wood("walnut", "7b4d2e", 0.7, planks=1, seed=305, size=64)
BEECH = wood("beech", "c99a62", 0.6, planks=1, seed=306, size=64)
ENAMEL = patterned(
    "blue enamel", "3d6fa6", "f4efe0", 1.1, partial(patterns.banded, low=190, high=205), roughness=0.3, seed=307
)
CREAM_ENAMEL = tint("cream enamel", "f3e9d0", 0.8, roughness=0.35, contrast=24, seed=308)
RED_ENAMEL = tint("red enamel", "c7433b", 0.8, roughness=0.35, contrast=36, seed=309)
STONEWARE = patterned(
    "striped stoneware", "e6d8b8", "4d79a0", 0.8, partial(patterns.banded, low=120, high=150), roughness=0.45, seed=310
)
BOTTLE = tint("green bottle glass", "3f7048", 0.6, roughness=0.12, contrast=70, seed=319)
CORK = tint("cork", "c89b66", 0.3, contrast=110, seed=311)
LABEL = patterned("paper label", "f1e4c4", "8f3a3a", 0.5, partial(patterns.stripes, count=3), seed=312, size=64)
JAM = tint("strawberry jam glass", "b3303a", 0.5, roughness=0.12, contrast=110, seed=320)
GINGHAM = cloth("red gingham", "c5473d", 0.4, "f7efdf", pattern=partial(patterns.checks, count=4), seed=313)
STRING = tint("kitchen string", "dcc99c", 0.2, contrast=90, seed=314)
MARBLE = tint("grey marble", "b9b6ae", 0.6, roughness=0.5, contrast=110, seed=315)
BATTER = tint("yellow batter", "f0d68a", 0.5, roughness=0.5, contrast=40, seed=316)
HERB = tint("crushed herbs", "6f9a4a", 0.2, contrast=140, seed=318)
INK = tint("black print", "2e2c33", 0.3, contrast=20, seed=317)


def kettle() -> tuple[Piece, ...]:
    """A wide copper kettle with a swan spout and a bow over the lid."""
    body = lathe(smooth([(0.34, 0.0), (0.47, 0.06), (0.48, 0.2), (0.36, 0.42), (0.2, 0.52)], 2), 16)
    lid = lathe(smooth([(0.21, 0.5), (0.22, 0.54), (0.12, 0.6), (0.03, 0.62)], 2), 14)
    knob = ellipsoid(0.11, 0.12, 0.11, 8, 6).moved(0, 0.66, 0)
    spout = tube(
        smooth([(0.36, 0.2, 0), (0.56, 0.28, 0), (0.62, 0.46, 0), (0.74, 0.56, 0)], 2),
        [0.1, 0.09, 0.075, 0.06, 0.05, 0.045],
        10,
        rounded=False,
    )
    lugs = pair(bent([(0.3, 0.44, 0), (0.36, 0.56, 0), (0.32, 0.74, 0)], 0.026))
    bow = bent([(-0.33, 0.7, 0), (-0.27, 0.88, 0), (0, 0.98, 0), (0.27, 0.88, 0), (0.33, 0.7, 0)], 0.022, 6, 2)
    grip = bent([(-0.2, 0.935, 0), (0, 0.98, 0), (0.2, 0.935, 0)], [0.035, 0.05, 0.035], 7, 2)
    seams = [ring(0.475, 0.03, 18, 5).moved(0, 0.1, 0), ring(0.215, 0.03, 16, 5).moved(0, 0.51, 0)]
    return (*coat(COPPER, body, lid, spout), *coat(BRASS, *lugs, bow, *seams), *coat(WALNUT, knob, grip))


def coffee_grinder() -> tuple[Piece, ...]:
    """A box mill with a drawer, a brass bowl and a crank."""
    body = box(0.56, 0.46, 0.56, 0.04).moved(0, 0.3, 0).boxed_uvs()
    boards = [box(0.68, 0.07, 0.68, 0.04).moved(0, y, 0) for y in (0.035, 0.55)]
    drawer = slab(0.4, 0.2, 0.04, 0.03).moved(0, 0.22, 0.285)
    knob = [ellipsoid(0.08, 0.08, 0.08, 8, 5).moved(0, 0.22, 0.34), rod((0, 0.22, 0.28), (0, 0.22, 0.32), 0.018, 6)]
    bowl = vessel([(0.12, 0.57), (0.22, 0.64), (0.26, 0.76)], 0.025, 0.6, 16)
    post = rod((0, 0.58, 0), (0, 0.92, 0), 0.03, 8)
    bridge = rod((-0.25, 0.76, 0), (0.25, 0.76, 0), 0.022, 6)
    crank = bent([(0, 0.92, 0), (0.18, 0.94, 0.02), (0.4, 0.9, 0.06)], 0.024)
    peg = lathe(smooth([(0.03, 0.0), (0.06, 0.06), (0.07, 0.13), (0.0, 0.18)], 2), 10).moved(0.4, 0.89, 0.06)
    nut = ellipsoid(0.1, 0.08, 0.1, 8, 5).moved(0, 0.94, 0)
    return (
        *coat(WALNUT, body, drawer, peg),
        *coat(BEECH, *boards),
        *coat(BRASS, *knob, bowl, post, bridge, crank, nut),
    )


def pepper_mill() -> tuple[Piece, ...]:
    """A turned mill with a steel nut."""
    lower = [(0.22, 0.0), (0.23, 0.06), (0.14, 0.2), (0.12, 0.36), (0.17, 0.5), (0.2, 0.58), (0.15, 0.64)]
    upper = [(0.15, 0.65), (0.19, 0.7), (0.18, 0.84), (0.1, 0.92), (0.0, 0.93)]
    trims = [ring(r, 0.025, 16, 5).moved(0, y, 0) for r, y in ((0.225, 0.05), (0.15, 0.645), (0.17, 0.5))]
    nut = [lathe([(0.03, 0.9), (0.03, 0.95), (0.055, 0.97), (0.05, 1.02), (0.0, 1.04)], 10)]
    return (*coat(WALNUT, lathe(smooth(lower, 2), 14), lathe(smooth(upper, 2), 14)), *coat(STEEL, *trims, *nut))


def pitcher() -> tuple[Piece, ...]:
    """A bellied jug with a lip and an ear, full of milk."""
    line = [(0.24, 0.0), (0.28, 0.06), (0.36, 0.3), (0.3, 0.58), (0.2, 0.78), (0.22, 0.9), (0.27, 0.98)]
    jug = vessel(line, 0.028, 0.5, 16).shaped(_pour)
    ear = bent([(0, 0.88, -0.2), (0, 0.94, -0.38), (0, 0.72, -0.5), (0, 0.42, -0.44), (0, 0.32, -0.33)], 0.035, 6, 2)
    rim = ring(0.262, 0.034, 16, 5).moved(0, 0.98, 0).shaped(_pour)
    milk = puck(0.2, 0.04, 0.01, 14).moved(0, 0.86, 0)
    return (*coat(ENAMEL, jug, ear), *coat(CREAM_ENAMEL, rim, milk))


def wine_bottle() -> tuple[Piece, ...]:
    """A green bottle with a label and a cork."""
    line = [(0.0, 0.03), (0.12, 0.0), (0.17, 0.02), (0.175, 0.1), (0.175, 0.56), (0.16, 0.66), (0.07, 0.78)]
    neck = [(0.06, 0.9), (0.06, 0.94), (0.072, 0.95), (0.072, 0.99), (0.06, 1.0), (0.0, 1.0)]
    body = lathe(fillet([*line, *neck], 0.04, 3), 16)
    label = lathe([(0.12, 0.2), (0.181, 0.2), (0.181, 0.46), (0.12, 0.46)], 16, loop=True)
    seal = lathe(fillet([(0.05, 0.8), (0.07, 0.8), (0.066, 0.9), (0.05, 0.9)], 0.01, 1, closed=True), 14, loop=True)
    cork = lathe(fillet([(0.0, 0.97), (0.05, 0.97), (0.055, 1.07), (0.0, 1.07)], 0.015, 2), 10)
    return (*coat(BOTTLE, body), *coat(LABEL, label), *coat(RED_ENAMEL, seal), *coat(CORK, cork))


def jam_jar() -> tuple[Piece, ...]:
    """A jar of jam under a gingham cap tied with string."""
    jar = lathe(fillet([(0.0, 0.0), (0.3, 0.0), (0.36, 0.08), (0.36, 0.58), (0.28, 0.7), (0.0, 0.7)], 0.07, 3), 16)
    cap = lathe(fillet([(0.0, 0.7), (0.31, 0.7), (0.31, 0.82), (0.0, 0.85)], 0.04, 3), 18)
    hem = [(0.29, 0.72), (0.35, 0.66), (0.42, 0.58), (0.44, 0.57), (0.43, 0.61), (0.36, 0.7), (0.3, 0.75)]
    frill = fluted(lathe(hem, 48, loop=True), 12, 0.06)
    cord = ring(0.315, 0.035, 18, 5).moved(0, 0.725, 0)
    ends = [bent([(0, 0.72, 0.32), (x, 0.66, 0.42), (1.6 * x, 0.5, 0.42)], 0.014, 6) for x in (-0.06, 0.07)]
    bows = pair(ring(0.07, 0.025, 10, 5).turned("x", 0.25).scaled(1.1, 0.7, 1).moved(0.08, 0.735, 0.35))
    tag = slab(0.34, 0.26, 0.03, 0.05).moved(0, 0.3, 0.35)
    return (*coat(JAM, jar), *coat(GINGHAM, cap, frill), *coat(STRING, cord, *ends, *bows), *coat(LABEL, tag))


def mixing_bowl() -> tuple[Piece, ...]:
    """A striped bowl of batter with a wooden spoon."""
    line = [(0.26, 0.0), (0.26, 0.05), (0.42, 0.2), (0.52, 0.44), (0.56, 0.5), (0.55, 0.53)]
    bowl = vessel(line, 0.04, 0.3, 16)
    batter = lathe(smooth([(0.42, 0.3), (0.4, 0.38), (0.2, 0.41), (0.0, 0.43)], 2), 16)
    handle = rod((0.06, 0.4, 0.02), (0.52, 0.88, -0.16), 0.03, 9)
    blade = ellipsoid(0.2, 0.26, 0.07, 10, 7).turned("z", -0.12).moved(0.02, 0.36, 0.04)
    egg = ellipsoid(0.2, 0.26, 0.2, 10, 7).turned("z", 0.2).moved(-0.14, 0.44, 0.12)
    return (*coat(STONEWARE, bowl), *coat(BATTER, batter), *coat(BEECH, handle, blade), *coat(CREAM_ENAMEL, egg))


def kitchen_scale() -> tuple[Piece, ...]:
    """A spring scale with a round dial and a steel pan."""
    outline = fillet([(-0.36, 0.0), (0.36, 0.0), (0.24, 0.62), (-0.24, 0.62)], 0.12, 4, closed=True)
    body = extrude(outline, 0.36, 0.06, "z", 3).moved(0, 0.04, 0)
    feet = [ellipsoid(0.12, 0.08, 0.12, 8, 5).moved(x, 0.04, z) for x in (-0.24, 0.24) for z in (-0.1, 0.1)]
    face = disc(0.22, 0.03, 0.01, 18).moved(0, 0.34, 0.17)
    rim = ring(0.225, 0.035, 18, 5).turned("x", 0.25).moved(0, 0.34, 0.195)
    ticks = [slab(0.014, 0.04, 0.012).moved(0, 0.185, 0).turned("z", k / 16).moved(0, 0.34, 0.204) for k in range(16)]
    hand = [slab(0.022, 0.2, 0.014).moved(0, 0.07, 0).turned("z", -0.14).moved(0, 0.34, 0.208)]
    post = [rod((0, 0.6, 0), (0, 0.76, 0), 0.06, 8), puck(0.16, 0.03, 0.01, 14).moved(0, 0.72, 0)]
    pan = vessel([(0.12, 0.74), (0.3, 0.78), (0.42, 0.88), (0.45, 0.9)], 0.022, 0.765, 16)
    return (
        *coat(RED_ENAMEL, body),
        *coat(STEEL, *feet, rim, *post, pan),
        *coat(CREAM_ENAMEL, face),
        *coat(INK, *ticks, *hand),
    )


def cooking_pot() -> tuple[Piece, ...]:
    """A round iron pot on three feet, with a lid, ears and a bail."""
    body = lathe(smooth([(0.22, 0.06), (0.4, 0.16), (0.46, 0.34), (0.38, 0.54), (0.36, 0.58), (0.4, 0.62)], 2), 14)
    lid = lathe(smooth([(0.4, 0.61), (0.4, 0.65), (0.24, 0.72), (0.05, 0.75), (0.0, 0.75)], 2), 16)
    grip = ring(0.07, 0.03, 10, 5).turned("x", 0.25).scaled(1.2, 0.8, 1).moved(0, 0.78, 0)
    feet = around(bent([(0.28, 0.14, 0), (0.36, 0.08, 0), (0.37, 0.004, 0)], [0.06, 0.045, 0.04], 6, 2), 3, start=0.08)
    ears = pair(ring(0.06, 0.03, 10, 5).turned("x", 0.25).moved(0.44, 0.54, 0))
    bail = [
        (-0.46, 0.5, 0),
        (-0.44, 0.7, -0.1),
        (-0.2, 0.94, -0.16),
        (0.2, 0.94, -0.16),
        (0.44, 0.7, -0.1),
        (0.46, 0.5, 0),
    ]
    bands = [ring(r, 0.03, 16, 5).moved(0, y, 0) for r, y in ((0.455, 0.34), (0.4, 0.61))]
    return coat(IRON, body, lid, grip, *feet, *ears, bent(bail, 0.02, 6, 2), *bands)


def mortar() -> tuple[Piece, ...]:
    """A marble mortar with a pestle leaning in it."""
    line = [(0.3, 0.0), (0.31, 0.07), (0.2, 0.14), (0.2, 0.2), (0.36, 0.34), (0.42, 0.56), (0.44, 0.64)]
    bowl = vessel(line, 0.07, 0.34, 16)
    pestle = lathe(
        smooth([(0.0, 0.0), (0.1, 0.03), (0.11, 0.1), (0.05, 0.26), (0.045, 0.5), (0.07, 0.66), (0.0, 0.71)], 2), 12
    )
    leaves = [
        ellipsoid(0.18, 0.04, 0.1, 7, 4).turned("z", 0.06).moved(0.16, 0.37, 0.0).turned("y", k / 5) for k in range(5)
    ]
    return (
        *coat(MARBLE, bowl, pestle.turned("z", -0.085).moved(-0.08, 0.33, 0.02)),
        *coat(HERB, *leaves, puck(0.24, 0.05, 0.02, 14).moved(0, 0.32, 0)),
    )


def _pour(v: FloatArray) -> FloatArray:
    """Draw the front of a jug's rim out into a lip."""
    rise = np.clip((v[:, 1] - 0.76) / 0.24, 0.0, 1.1)
    front = np.clip((v[:, 2] - 0.06) / 0.2, 0.0, 1.2)
    out = rise * rise * front * front
    return np.stack([v[:, 0] * (1.0 - 0.25 * out), v[:, 1] + 0.05 * out, v[:, 2] + 0.13 * out], axis=1)
