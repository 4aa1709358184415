"""Things to eat, on boards and plates. Each stands on y = 0 about the origin and is about one unit wide."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.forms import around, bent, coat, fluted, puck, rod, tint, vessel
from engine.starter.models import Piece
from engine.starter.outlines import ellipse, fillet, rectangle, smooth
from engine.starter.paints import foliage, patterned, wood
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, tube

BOARD = wood("oak board", "a9743f", 0.7, planks=1, seed=331, size=64)
CRUST = tint("golden crust", "c98a42", 0.4, contrast=110, seed=332)
FLOURED = tint("floured crust", "e6c58c", 0.4, contrast=90, seed=333)
RIND = tint("yellow cheese rind", "e8b343", 0.6, roughness=0.5, contrast=50, seed=334)
CHEESE = patterned("holed cheese", "f6dc84", "d9ae4a", 0.5, partial(patterns.dots, count=4), roughness=0.6, seed=335)
CHERRY = tint("cherry filling", "a82336", 0.3, roughness=0.3, contrast=80, seed=336)
TIN = tint("white pie dish", "f1ebdd", 0.8, roughness=0.35, contrast=24, seed=337)
SLATE = tint("dark slate", "4b4d55", 0.6, contrast=60, seed=338)
RICE = patterned("sushi rice", "f6f2e6", "e0d9c6", 0.25, patterns.leaves, seed=339, size=64)
SALMON = patterned(
    "salmon", "f08a5a", "f9cdb0", 0.25, partial(patterns.stripes, count=4), roughness=0.5, seed=340, size=64
)
TUNA = tint("tuna", "b93a45", 0.3, roughness=0.5, contrast=70, seed=341)
NORI = tint("seaweed", "2f4a3a", 0.3, contrast=90, seed=342)
WASABI = tint("wasabi", "9dbf5a", 0.2, contrast=60, seed=343)
WRAPPER = patterned(
    "striped paper case", "5b93b8", "f4ecd8", 0.2, partial(patterns.stripes, upright=True), seed=344, size=64
)
FROSTING = tint("pink frosting", "f0a0b4", 0.5, roughness=0.5, contrast=40, seed=345)
SYRUP = tint("amber syrup", "a85a22", 0.4, roughness=0.25, contrast=60, seed=346)
BUTTER = tint("butter", "f8e08a", 0.4, roughness=0.5, contrast=24, seed=347)
PANCAKE = tint("browned batter", "d8994c", 0.5, contrast=120, seed=348)
CHINA = patterned(
    "blue rimmed china", "f5f0e4", "3f6ea6", 1.0, partial(patterns.banded, low=30, high=50), roughness=0.3, seed=349
)
PINE_SKIN = patterned(
    "pineapple skin", "d99a3a", "8a5a22", 0.35, partial(patterns.shingles, rows=4, columns=4), seed=350
)
FROND = foliage("pineapple leaves", "5f9a52", 0.4, "a6c977", seed=351)
MELON_SKIN = patterned("striped melon rind", "3f7f43", "a5c878", 0.5, partial(patterns.stripes, upright=True), seed=352)
MELON = tint("red melon flesh", "e4525a", 0.5, roughness=0.6, contrast=60, seed=353)
SEED = tint("melon seeds", "2f2622", 0.2, contrast=30, seed=354)
BANANA = tint("banana skin", "f2cb45", 0.5, roughness=0.5, contrast=50, seed=355)
STALK = tint("green stalk", "7f9a45", 0.2, contrast=70, seed=356)


def bread_board() -> tuple[Piece, ...]:
    """A scored loaf with two cut slices on a handled board."""
    outline = fillet([(-0.5, -0.28), (0.5, -0.28), (0.5, 0.28), (-0.5, 0.28)], 0.08, 4, closed=True)
    board = extrude(outline, 0.06, 0.02, "y", 2).moved(0, 0.03, 0)
    handle = extrude(rectangle(0.3, 0.14, 0.06, 4), 0.05, 0.016, "y", 2).moved(0.6, 0.03, 0)
    loaf = tube([(-0.4, 0.19, 0), (-0.3, 0.2, 0), (-0.05, 0.21, 0), (0.1, 0.2, 0)], [0.13, 0.17, 0.185, 0.18], 14)
    scores = [
        bent([(x, 0.29, -0.12), (x + 0.05, 0.375, 0), (x + 0.1, 0.29, 0.12)], 0.03, 6) for x in (-0.3, -0.16, -0.02)
    ]
    dome = [(-0.19, 0.0), (0.19, 0.0), (0.22, 0.12), (0.15, 0.26), (0.0, 0.3), (-0.15, 0.26), (-0.22, 0.12)]
    slices = [_leaning(extrude(smooth(dome, 2, closed=True), 0.05, 0.0, "x"), k) for k in range(3)]
    crumbs = [
        _leaning(extrude(smooth([(0.88 * z, 0.88 * y + 0.018) for z, y in dome], 2, closed=True), 0.06, 0.0, "x"), k)
        for k in range(3)
    ]
    return (*coat(BOARD, board, handle), *coat(CRUST, loaf, *slices), *coat(FLOURED, *scores, *crumbs))


def _leaning(cut: Shell, place: int) -> Shell:
    """A slice of the loaf leaning on the one before."""
    return cut.turned("z", 0.03 + 0.012 * place).moved(0.3 + 0.075 * place, 0.05, 0)


def cheese_wheel() -> tuple[Piece, ...]:
    """A wheel of cheese with a wedge cut out of it, on a round board."""
    board = puck(0.56, 0.06, 0.025, 20)
    arc = [(float(x), float(y)) for x, y in ellipse(2.0, 2.0, 48)]
    wheel = extrude([(0.0, 0.0), *[(0.45 * x, 0.45 * y) for x, y in arc[5:44]]], 0.34, 0.025, "y", 1).moved(0, 0.225, 0)
    paste = extrude([(0.03, 0.0), *[(0.425 * x, 0.425 * y) for x, y in arc[4:45]]], 0.29, 0.0, "y").moved(0, 0.225, 0)
    wedge = [(0.0, 0.0), *[(0.36 * x, 0.36 * y) for x, y in (*arc[-4:], *arc[:5])]]
    piece = extrude(wedge, 0.3, 0.012, "y", 1).moved(0.2, 0.205, 0)
    cut = [s.turned("y", -0.22) for s in (wheel, paste.boxed_uvs(), piece.boxed_uvs())]
    return (*coat(BOARD, board), *coat(RIND, cut[0]), *coat(CHEESE, *cut[1:]))


def cherry_pie() -> tuple[Piece, ...]:
    """A pie with a lattice top and a crimped rim in a white dish."""
    dish = lathe(fillet([(0.0, 0.0), (0.36, 0.0), (0.5, 0.2), (0.54, 0.21), (0.54, 0.235), (0.0, 0.24)], 0.02, 2), 20)
    filling = lathe(smooth([(0.46, 0.2), (0.42, 0.25), (0.2, 0.28), (0.0, 0.29)], 2), 18)
    rim = fluted(ring(0.475, 0.1, 42, 6), 14, 0.035).scaled(1, 0.9, 1).moved(0, 0.255, 0)
    strips: list[Shell] = []
    for k, reach in ((-2, 0.34), (-1, 0.43), (0, 0.46), (1, 0.43), (2, 0.34)):
        path = [(-reach, 0.265, 0.17 * k), (0, 0.31 - 0.008 * abs(k), 0.17 * k), (reach, 0.265, 0.17 * k)]
        strip = tube(smooth(path, 2), 0.04, 5)
        strips += [strip, strip.turned("y", 0.25).moved(0, 0.006, 0)]
    return (*coat(TIN, dish), *coat(CHERRY, filling), *coat(CRUST, rim, *strips))


def sushi() -> tuple[Piece, ...]:
    """Four nigiri, three rolls and wasabi on a slate with feet."""
    slate = box(1.1, 0.06, 0.66, 0.03).moved(0, 0.09, 0)
    feet = [box(0.08, 0.07, 0.5, 0.02, 1).moved(x, 0.035, 0) for x in (-0.36, 0.36)]
    rice: list[Shell] = []
    fish: list[Shell] = []
    for k in range(4):
        x = -0.36 + 0.2 * k
        rice.append(ellipsoid(0.15, 0.14, 0.32, 10, 7).moved(x, 0.18, 0.13))
        fish.append(bent([(x, 0.2, -0.04), (x, 0.265, 0.05), (x, 0.27, 0.18), (x, 0.2, 0.31)], 0.075, 7, 2, domed=True))
    rolls = [puck(0.1, 0.16, 0.015, 14).moved(x, 0.115, -0.17) for x in (-0.36, -0.13, 0.1)]
    tops = [puck(0.085, 0.03, 0.008, 12).moved(x, 0.26, -0.17) for x in (-0.36, -0.13, 0.1)]
    dots = [ellipsoid(0.08, 0.03, 0.08, 7, 4).moved(x, 0.292, -0.17) for x in (-0.36, -0.13, 0.1)]
    paste = lathe(smooth([(0.08, 0.11), (0.07, 0.17), (0.02, 0.24), (0.0, 0.24)], 2), 10).moved(0.4, 0, -0.17)
    sticks = [rod((0.42, 0.135, 0.32 - 0.04 * k), (0.5 - 0.04 * k, 0.135, -0.3), 0.014, 6) for k in range(2)]
    return (
        *coat(SLATE, slate, *feet),
        *coat(RICE, *rice, *tops),
        *coat(SALMON, fish[0], fish[2], *dots),
        *coat(TUNA, fish[1], fish[3]),
        *coat(NORI, *rolls),
        *coat(WASABI, paste),
        *coat(BOARD, *sticks),
    )


def cupcake() -> tuple[Piece, ...]:
    """A cupcake with a swirl of frosting and a cherry."""
    case = fluted(lathe([(0.0, 0.0), (0.28, 0.0), (0.4, 0.4), (0.37, 0.4), (0.0, 0.38)], 48), 16, 0.03)
    cake = lathe(smooth([(0.36, 0.37), (0.42, 0.44), (0.3, 0.52), (0.0, 0.54)], 2), 16)
    swirl = [ring(r, 0.19, 16, 6).moved(0, y, 0) for r, y in ((0.32, 0.5), (0.23, 0.63), (0.13, 0.76))]
    tip = lathe(smooth([(0.22, 0.5), (0.2, 0.7), (0.1, 0.88), (0.0, 0.92)], 2), 14)
    fruit = ellipsoid(0.2, 0.19, 0.2, 12, 7).moved(0, 0.97, 0)
    stem = bent([(0, 1.05, 0), (0.02, 1.15, 0), (0.09, 1.22, 0.02)], 0.013, 6)
    bits = [
        ellipsoid(0.075, 0.035, 0.035, 6, 4)
        .turned("y", 0.13 * k)
        .moved(0.378 - 0.07 * (k % 3), 0.56 + 0.11 * (k % 3), 0)
        .turned("y", k / 11)
        for k in range(11)
    ]
    return (
        *coat(WRAPPER, case),
        *coat(PANCAKE, cake),
        *coat(FROSTING, *swirl, tip),
        *coat(CHERRY, fruit),
        *coat(STALK, stem),
        *coat(BUTTER, *bits),
    )


def croissants() -> tuple[Piece, ...]:
    """Three croissants on a rimmed plate."""
    plate = lathe(
        smooth([(0.3, 0.0), (0.34, 0.03), (0.54, 0.09), (0.56, 0.12), (0.5, 0.11), (0.32, 0.06), (0.0, 0.055)], 2), 18
    )
    curve = smooth(
        [(-0.3, 0.0, 0.14), (-0.2, 0.02, -0.02), (0.0, 0.03, -0.09), (0.2, 0.02, -0.02), (0.3, 0.0, 0.14)], 5
    )
    radii = [0.035, 0.07, 0.06, 0.1, 0.085, 0.125, 0.105, 0.125, 0.085, 0.1, 0.06, 0.07, 0.035]
    roll = tube(curve, radii, 12)
    spots = ((-0.16, 0.14, 0.14, 0.05), (0.18, 0.14, -0.12, 0.42), (-0.02, 0.27, 0.02, 0.2))
    rolls = [roll.turned("y", t).moved(x, y, z) for x, y, z, t in spots]
    return (*coat(CHINA, plate), *coat(CRUST, *rolls))


def pancakes() -> tuple[Piece, ...]:
    """A stack of pancakes with butter and running syrup."""
    plate = lathe(
        smooth([(0.36, 0.0), (0.42, 0.03), (0.6, 0.08), (0.62, 0.11), (0.54, 0.1), (0.4, 0.06), (0.0, 0.055)], 2), 18
    )
    cakes = [
        lathe(fillet([(0.0, 0.0), (0.4, 0.0), (0.42, 0.05), (0.4, 0.1), (0.0, 0.1)], 0.035, 2), 16).moved(
            0.02 * (k % 3 - 1), 0.055 + 0.092 * k, 0.025 * (k % 2)
        )
        for k in range(5)
    ]
    pool = fluted(lathe(smooth([(0.34, 0.5), (0.34, 0.53), (0.2, 0.545), (0.0, 0.55)], 2), 32), 5, 0.1)
    runs = [
        bent(
            [(0.3, 0.52, 0), (0.42, 0.5, 0), (0.445, 0.4 - 0.06 * (k % 3), 0), (0.44, 0.3 - 0.09 * (k % 3), 0)],
            [0.03, 0.04, 0.036, 0.045],
            5,
            2,
            domed=True,
        ).turned("y", k / 7)
        for k in range(7)
    ]
    butter = box(0.2, 0.1, 0.2, 0.05).turned("y", 0.06).moved(0.02, 0.58, 0.02)
    return (*coat(CHINA, plate), *coat(PANCAKE, *cakes), *coat(SYRUP, pool, *runs), *coat(BUTTER, butter))


def pineapple() -> tuple[Piece, ...]:
    """A ripe pineapple with its crown of leaves."""
    fruit = lathe(smooth([(0.16, 0.0), (0.28, 0.08), (0.34, 0.3), (0.3, 0.54), (0.16, 0.68), (0.0, 0.7)], 2), 16)
    leaves: list[Shell] = []
    for row, (count, lean, long) in enumerate(((8, 0.13, 0.36), (7, 0.08, 0.46), (5, 0.03, 0.54))):
        blade = ellipsoid(0.11, long, 0.035, 6, 6).moved(0, long * 0.45, 0).turned("x", lean).moved(0, 0.66, 0.07)
        leaves += around(blade, count, start=0.07 * row)
    return (*coat(PINE_SKIN, fruit), *coat(FROND, *leaves))


def melon() -> tuple[Piece, ...]:
    """A halved watermelon lying open beside a slice."""
    line = [(float(r), float(y)) for r, y in smooth([(0.0, -0.4), (0.24, -0.32), (0.38, -0.12), (0.4, 0.0)], 3)]
    half = lathe(line, 20).turned("x", 0.2).moved(0, 0.41, -0.1)
    flesh = lathe([(0.0, -0.05), (0.365, -0.03), (0.37, 0.012), (0.0, 0.014)], 20).turned("x", 0.2).moved(0, 0.41, -0.1)
    seeds = [
        ellipsoid(0.03, 0.02, 0.05, 6, 5)
        .moved(0, 0.016, 0.24)
        .turned("y", k / 11)
        .turned("x", 0.2)
        .moved(0, 0.41, -0.1)
        for k in range(11)
    ]
    foot = puck(0.42, 0.06, 0.025, 16)
    wedge = [(-0.3, 0.0), (-0.2, -0.12), (0.0, -0.18), (0.2, -0.12), (0.3, 0.0)]
    rind = extrude(smooth(wedge, 2), 0.14, 0.02, "z", 1).turned("x", -0.06).moved(0.04, 0.24, 0.36)
    wedge_flesh = (
        extrude(smooth([(x * 0.9, y * 0.86 + 0.012) for x, y in wedge], 2), 0.16, 0.0)
        .turned("x", -0.06)
        .moved(0.04, 0.24, 0.36)
    )
    return (
        *coat(BOARD, foot.scaled(1.2, 1, 1.2)),
        *coat(MELON_SKIN, half, rind),
        *coat(MELON, flesh, wedge_flesh),
        *coat(SEED, *seeds),
    )


def bananas() -> tuple[Piece, ...]:
    """A hand of bananas in a shallow dish."""
    dish = vessel([(0.22, 0.0), (0.24, 0.03), (0.44, 0.1), (0.56, 0.22), (0.58, 0.24)], 0.03, 0.06, 16)
    fruit = [
        bent(
            [(0, 0.58, -0.3), (0.0, 0.5, -0.2), (0.02, 0.3, 0.0), (0.02, 0.28, 0.26), (0, 0.36, 0.42)],
            [0.03, 0.05, 0.085, 0.08, 0.03],
            7,
            3,
            domed=True,
        )
        .turned("z", -0.035 * k)
        .turned("y", 0.055 * k)
        .moved(0, -0.13, 0)
        for k in (-2, -1, 0, 1, 2)
    ]
    knot = [ellipsoid(0.2, 0.12, 0.13, 8, 6).moved(0, 0.44, -0.3), rod((0, 0.43, -0.3), (0, 0.55, -0.34), 0.045, 8)]
    return (*coat(CHINA, dish), *coat(BANANA, *fruit), *coat(STALK, *knot))
