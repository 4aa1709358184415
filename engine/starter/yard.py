"""Things for lawns, porches and truck beds. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

import numpy as np

from engine.starter import patterns
from engine.starter.forms import around, bent, coat, disc, fluted, pair, puck, rod, tint
from engine.starter.models import Piece
from engine.starter.outlines import fillet, smooth
from engine.starter.paints import foliage, glass, metal, patterned, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube
from engine.surfaces import FloatArray

OAK = wood("weathered oak", "9c7448", 0.6, planks=2, seed=441, size=64)
PINE = wood("pine boards", "d0a368", 0.6, planks=4, seed=442, size=64)
IRON = metal("black iron", "47484f", 0.4, roughness=0.5, seed=443)
MILK_STEEL = metal("dented steel", "b3b9bb", 0.5, seed=444)
GREEN_TIN = tint("green enamel", "4f8a58", 0.7, roughness=0.4, contrast=50, seed=445)
HYDRANT = tint("red hydrant paint", "c8372f", 0.6, roughness=0.4, contrast=60, seed=446)
YELLOW = tint("yellow paint", "efc043", 0.5, roughness=0.4, contrast=40, seed=447)
RUBBER = patterned("black rubber", "35343a", "35343a", 0.4, patterns.tread, seed=448, size=64)
CAP_RED = tint("red felt", "c23d36", 0.4, contrast=60, seed=449)
COAT_BLUE = tint("blue jacket", "3d69a0", 0.4, contrast=60, seed=450)
SKIN = tint("rosy skin", "eab28c", 0.4, contrast=40, seed=451)
BEARD = tint("white beard", "f3efe6", 0.2, contrast=50, seed=452)
BOOT = tint("brown leather", "6d452b", 0.4, roughness=0.6, contrast=60, seed=453)
STRAW = patterned("straw", "dcb65a", "dcb65a", 0.5, patterns.straw, seed=454, size=64)
TWINE = tint("red twine", "b5443a", 0.2, contrast=60, seed=455)
BARK = patterned("bark", "6d5038", "4d3826", 0.4, patterns.straw, seed=456, size=64)
CUT_WOOD = patterned("cut wood", "dcb47c", "dcb47c", 0.25, patterns.brushed, seed=457, size=64)
SOIL = tint("soil", "55402f", 0.3, contrast=120, seed=458)
FIR = foliage("fir needles", "3c7548", 0.3, "7fae66", seed=459)
LEAF = foliage("green leaves", "5c9a48", 0.4, "a6cf6c", seed=460)
PETUNIA = tint("pink petunias", "e2629a", 0.2, contrast=110, seed=461)
MARIGOLD = tint("orange marigolds", "f0932e", 0.2, contrast=110, seed=462)
CLAY = tint("terracotta", "bb6540", 0.5, contrast=60, seed=463)
GLAZE = tint("teal glazed dish", "2e7a7a", 0.5, roughness=0.3, contrast=60, seed=464)
MOSS = foliage("moss", "6f9a4a", 0.3, "a4c070", seed=465)
STONE = patterned("field stones", "9c978c", "c7bfae", 0.6, patterns.stones, seed=466, size=64)
GRANITE = tint("grey granite", "a3a29c", 0.4, contrast=130, seed=467)
PALE_STONE = tint("pale limestone", "d3ccba", 0.4, contrast=70, seed=473)
WATER = tint("well water", "5f9fbc", 0.4, roughness=0.1, contrast=60, seed=468)
GLOW = glass("lit lamp glass", "ffd98a", 0.4, "fff6d8", emissive=0.6)
BRASS = metal("brass", "c99c42", 0.4, seed=469)
HIVE = wood("white painted boards", "efe8d4", 0.5, planks=2, seed=470, size=64)
TILE = patterned("red shingles", "b04f3a", "b04f3a", 0.5, patterns.shingles, seed=471, size=64)
GNOME_BELT = tint("black belt", "35302e", 0.3, contrast=30, seed=472)


def wheelbarrow() -> tuple[Piece, ...]:
    """A green wheelbarrow with wooden handles and a heap of soil."""
    side = [(-0.34, 0.28), (0.22, 0.28), (0.5, 0.6), (-0.5, 0.6)]
    tray = extrude(fillet(side, 0.08, 3, closed=True), 0.62, 0.05, "x", 2)
    lip = [tube([(x, 0.6, -0.5), (x, 0.6, 0.5)], 0.025, 6) for x in (-0.3, 0.3)]
    lip += [tube([(-0.3, 0.6, z), (0.3, 0.6, z)], 0.025, 6) for z in (-0.5, 0.5)]
    heap = ellipsoid(0.54, 0.34, 0.84, 12, 6).moved(0, 0.58, 0)
    bars = [beam((0.17 * s, 0.16, -0.66), (0.3 * s, 0.5, 0.9), 0.06, 0.015) for s in (-1, 1)]
    legs = [bent([(0.25 * s, 0.36, 0.3), (0.27 * s, 0.14, 0.36), (0.27 * s, 0.004, 0.34)], 0.026) for s in (-1, 1)]
    brace = rod((-0.27, 0.16, 0.35), (0.27, 0.16, 0.35), 0.02, 6)
    tyre = ring(0.14, 0.09, 14, 5).turned("z", 0.25).moved(0, 0.185, -0.62)
    hub = [
        puck(0.11, 0.03, 0.0, 12).turned("z", 0.25).moved(0.015, 0.185, -0.62),
        rod((-0.2, 0.185, -0.62), (0.2, 0.185, -0.62), 0.022, 6),
    ]
    grips = [rod((0.29 * s, 0.475, 0.8), (0.3 * s, 0.52, 0.98), 0.045) for s in (-1, 1)]
    return (
        *coat(GREEN_TIN, tray, *lip),
        *coat(SOIL, heap),
        *coat(OAK, *bars),
        *coat(IRON, *legs, brace, *hub),
        *coat(RUBBER, tyre, *grips),
    )


def gnome() -> tuple[Piece, ...]:
    """A garden gnome with a tall red cap, a white beard and a lantern."""
    boots = [ellipsoid(0.2, 0.16, 0.32, 8, 6).shaped(_flat).moved(x, 0.0, 0.06) for x in (-0.12, 0.12)]
    jacket = lathe(smooth([(0.22, 0.06), (0.29, 0.16), (0.26, 0.36), (0.16, 0.5), (0.0, 0.52)], 2), 14)
    belt = lathe(fillet([(0.2, 0.24), (0.296, 0.24), (0.29, 0.31), (0.2, 0.31)], 0.015, 1, closed=True), 14, loop=True)
    buckle = slab(0.11, 0.09, 0.03, 0.02).moved(0, 0.275, 0.29)
    head = ellipsoid(0.34, 0.32, 0.32, 12, 8).moved(0, 0.6, 0.02)
    nose = ellipsoid(0.1, 0.1, 0.1, 8, 5).moved(0, 0.58, 0.2)
    cap = lathe(smooth([(0.0, 0.66), (0.2, 0.66), (0.2, 0.7), (0.12, 0.88), (0.05, 1.06), (0.0, 1.14)], 2), 14)
    brim = ring(0.185, 0.06, 14, 5).moved(0, 0.68, 0.01)
    beard = fluted(lathe(smooth([(0.0, 0.2), (0.07, 0.3), (0.15, 0.46), (0.15, 0.55), (0.0, 0.58)], 2), 24), 7, 0.07)
    beard = beard.scaled(1, 1, 0.75).turned("x", -0.03).moved(0, 0.0, 0.2)
    whisk = pair(ellipsoid(0.15, 0.07, 0.08, 8, 5).turned("z", -0.04).moved(0.065, 0.535, 0.2))
    eyes = pair(ellipsoid(0.035, 0.045, 0.03, 6, 4).moved(0.07, 0.635, 0.165))
    arms = pair(bent([(0.2, 0.44, 0.0), (0.3, 0.34, 0.06), (0.27, 0.3, 0.2)], [0.07, 0.065, 0.06], 7))
    hands = pair(ellipsoid(0.12, 0.12, 0.12, 8, 5).moved(0.27, 0.29, 0.23))
    lamp = [
        ring(0.045, 0.02, 10, 5).turned("x", 0.25).moved(0.27, 0.24, 0.26),
        puck(0.07, 0.03, 0.01, 10).moved(0.27, 0.18, 0.26),
        puck(0.07, 0.03, 0.01, 10).moved(0.27, 0.04, 0.26),
    ]
    light = puck(0.05, 0.13, 0.0, 8).moved(0.27, 0.06, 0.26)
    return (
        *coat(CAP_RED, cap, brim),
        *coat(COAT_BLUE, jacket, *arms),
        *coat(SKIN, head, nose, *hands),
        *coat(BEARD, beard, *whisk),
        *coat(BOOT, *boots),
        *coat(GNOME_BELT, belt, *eyes),
        *coat(BRASS, buckle, *lamp),
        *coat(GLOW, light),
    )


def milk_churn() -> tuple[Piece, ...]:
    """A steel milk churn with two handles and a domed lid."""
    line = [(0.3, 0.0), (0.31, 0.05), (0.31, 0.56), (0.26, 0.68), (0.16, 0.76), (0.16, 0.86), (0.2, 0.88)]
    body = lathe(fillet([(0.0, 0.0), *line, (0.0, 0.88)], 0.04, 2), 16)
    lid = lathe(smooth([(0.205, 0.86), (0.21, 0.91), (0.14, 0.96), (0.0, 0.98)], 2), 14)
    knob = [rod((0, 0.96, 0), (0, 1.02, 0), 0.025), ellipsoid(0.13, 0.06, 0.13, 8, 5).moved(0, 1.03, 0)]
    hoops = [ring(0.31, 0.03, 16, 5).moved(0, y, 0) for y in (0.07, 0.5)]
    ears = pair(bent([(0.27, 0.66, 0), (0.36, 0.72, 0), (0.34, 0.84, 0), (0.19, 0.84, 0)], 0.024))
    badge = slab(0.2, 0.12, 0.03, 0.03).moved(0, 0.32, 0.31)
    return (*coat(MILK_STEEL, body, lid, *knob), *coat(IRON, *hoops, *ears), *coat(BRASS, badge))


def hay_bale() -> tuple[Piece, ...]:
    """A rolled bale of hay tied with red twine, a pitchfork stuck in it."""
    roll = lathe(
        fillet([(0.0, -0.36), (0.44, -0.36), (0.46, 0.0), (0.44, 0.36), (0.0, 0.36)], 0.07, 2), 18
    ).swapped_uvs()
    roll = roll.turned("z", 0.25).moved(0, 0.475, 0)
    swirls = [
        ring(r, 0.05, 14, 4).turned("z", 0.25).moved(x, 0.475, 0) for x in (-0.36, 0.36) for r in (0.12, 0.25, 0.37)
    ]
    cords = [ring(0.46, 0.025, 18, 4).turned("z", 0.25).moved(x, 0.475, 0) for x in (-0.16, 0.16)]
    wisps = [rod((0.2 * s, 0.03, 0.0), (0.5 * s, 0.03, 0.3), 0.02, 5) for s in (-1, 1)]
    shaft = rod((0.02, 0.9, 0.04), (0.2, 1.44, 0.26), 0.022)
    fork = [rod((-0.1 + 0.07 * k, 0.94, 0.02), (-0.12 + 0.07 * k, 0.7, -0.08), 0.013, 5) for k in range(4)]
    bar = beam((-0.12, 0.94, 0.02), (0.14, 0.94, 0.02), 0.035, 0.01)
    return (*coat(STRAW, roll, *swirls, *wisps), *coat(TWINE, *cords), *coat(OAK, shaft), *coat(IRON, *fork, bar))


def log_pile() -> tuple[Piece, ...]:
    """Split logs stacked between four stakes."""
    logs: list[Shell] = []
    ends: list[Shell] = []
    for row, count in enumerate((4, 3, 4, 3)):
        for k in range(count):
            x = 0.2475 * (k - (count - 1) / 2)
            y = 0.17 + 0.205 * row
            size = 0.115 + 0.01 * ((row + 2 * k) % 3)
            logs.append(puck(size, 0.86, 0.0, 10).swapped_uvs().turned("x", 0.25).moved(x, y, -0.43))
            ends.append(puck(size - 0.02, 0.9, 0.0, 10).turned("x", 0.25).moved(x, y, -0.45))
    runners = [box(1.1, 0.07, 0.09, 0.02).moved(0, 0.04, z) for z in (-0.28, 0.28)]
    stakes = [box(0.07, 0.9, 0.07, 0.02).moved(x, 0.45, z) for x in (-0.53, 0.53) for z in (-0.28, 0.28)]
    return (*coat(BARK, *logs), *coat(CUT_WOOD, *ends), *coat(OAK, *runners, *stakes))


def fire_hydrant() -> tuple[Piece, ...]:
    """A red hydrant with yellow caps and a chain."""
    flange = [puck(0.3, 0.07, 0.02, 16), puck(0.25, 0.05, 0.015, 16).moved(0, 0.62, 0)]
    bolts = [s.moved(0, y, 0) for y, r in ((0.07, 0.25),) for s in around(puck(0.035, 0.04, 0.0, 6).moved(r, 0, 0), 8)]
    shaft = lathe(smooth([(0.22, 0.05), (0.19, 0.12), (0.18, 0.4), (0.2, 0.63)], 2), 14)
    dome = lathe(smooth([(0.23, 0.66), (0.22, 0.74), (0.12, 0.86), (0.0, 0.89)], 2), 14)
    nut = puck(0.06, 0.1, 0.015, 5).moved(0, 0.87, 0)
    spouts = [disc(0.1, 0.12, 0.02, 12).moved(0, 0.46, 0.15).turned("y", 0.25 * k) for k in (1, 3)]
    caps = [disc(0.125, 0.07, 0.02, 14).moved(0, 0.46, 0.26).turned("y", 0.25 * k) for k in (1, 3)]
    mouth = disc(0.13, 0.1, 0.02, 14).moved(0, 0.42, 0.13)
    plug = [disc(0.155, 0.07, 0.02, 14).moved(0, 0.42, 0.21)]
    nuts = [
        disc(0.05, 0.07, 0.01, 5).moved(0, 0.42, 0.27),
        *[disc(0.04, 0.06, 0.01, 5).moved(0, 0.46, 0.32).turned("y", 0.25 * k) for k in (1, 3)],
    ]
    chain = bent([(0.12, 0.34, 0.24), (0.22, 0.26, 0.2), (0.29, 0.36, 0.08)], 0.014, 5)
    return (
        *coat(HYDRANT, *flange, shaft, dome, *spouts, mouth),
        *coat(YELLOW, nut, *caps, *plug, *nuts),
        *coat(IRON, *bolts, chain),
    )


def flower_planter() -> tuple[Piece, ...]:
    """A wooden trough of pink and orange flowers on short legs."""
    sides = [slab(1.1, 0.34, 0.05, 0.02).moved(0, 0.28, z) for z in (-0.22, 0.22)]
    sides += [slab(0.44, 0.34, 0.05, 0.02).turned("y", 0.25).moved(x, 0.28, 0) for x in (-0.53, 0.53)]
    posts = [box(0.08, 0.5, 0.08, 0.02).moved(x, 0.25, z) for x in (-0.54, 0.54) for z in (-0.23, 0.23)]
    soil = box(1.04, 0.28, 0.42).moved(0, 0.27, 0)
    tufts = [ellipsoid(0.32, 0.3, 0.34, 8, 5).moved(-0.4 + 0.2 * k, 0.48, 0.05 * (-1) ** k) for k in range(5)]
    bloom = fluted(ellipsoid(0.16, 0.09, 0.16, 10, 4), 5, 0.14)
    eye = ellipsoid(0.05, 0.03, 0.05, 6, 4).moved(0, 0.04, 0)
    heads: list[list[Shell]] = [[], []]
    eyes: list[Shell] = []
    for k in range(14):
        x, z = -0.45 + 0.15 * (k % 7), 0.13 - 0.22 * (k // 7) + 0.03 * (k % 2)
        lean, y = 0.09 if k < 7 else -0.05, 0.59 - 0.03 * (k % 3)
        heads[k % 2].append(bloom.turned("x", lean).moved(x, y, z))
        eyes.append(eye.turned("x", lean).moved(x, y, z))
    return (
        *coat(PINE, *sides),
        *coat(OAK, *posts),
        *coat(SOIL, soil),
        *coat(LEAF, *tufts),
        *coat(PETUNIA, *heads[0]),
        *coat(MARIGOLD, *heads[1]),
        *coat(YELLOW, *eyes),
    )


def _flat(v: FloatArray) -> FloatArray:
    """A rounded shape cut level at its middle."""
    return np.stack([v[:, 0], np.maximum(v[:, 1], 0.0), v[:, 2]], axis=1)
