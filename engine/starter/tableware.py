"""Vases, cups and food. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.models import Piece, cover
from engine.starter.outlines import ellipse, fillet, smooth, star
from engine.starter.paints import Paint, cloth, foliage, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import ellipsoid, extrude, lathe, ring, tube

COBALT = patterned("cobalt blue glaze", "3a6ea8", "f3ead4", 1.05, patterns.banded, roughness=0.3, seed=61)
CELADON = plain("celadon glaze", "8fb8a0", 0.8, roughness=0.3, contrast=50, seed=62)
TERRACOTTA = patterned(
    "banded terracotta", "b9633f", "f0dcb8", 1.0, partial(patterns.banded, low=110, high=140), roughness=0.8, seed=63
)
ROSE_CHINA = cloth("dotted rose china", "e8a7a0", 0.5, "fbf3e6", pattern=partial(patterns.dots, count=4), seed=65)
TEAL_CHINA = plain("teal china", "2f8a88", 0.8, roughness=0.3, contrast=40, seed=66)
APPLE = plain("red apple skin", "cf3e35", 0.4, roughness=0.4, contrast=110, seed=88)
PEAR = plain("green pear skin", "b5bf4a", 0.4, roughness=0.5, contrast=90, seed=89)
PORCELAIN = plain("white porcelain", "f2ece0", 0.9, roughness=0.3, contrast=24, seed=64)
WALNUT = wood("walnut", "75492c", 0.8, planks=2, seed=72)
LEAF = foliage("green leaves", "5b9a4a", 0.4, "a8d070", seed=81)
TULIP = plain("tulip petals", "e0574f", 0.3, contrast=80, seed=82)
DAISY = plain("yellow petals", "f3c544", 0.3, contrast=60, seed=83)
SPONGE = plain("sponge cake", "e0a95c", 0.3, contrast=100, seed=84)
ICING = plain("pink icing", "f2a9b0", 0.6, roughness=0.5, contrast=36, seed=85)
CREAM = plain("whipped cream", "faf1de", 0.5, contrast=24, seed=86)
BERRY = plain("red berries", "c9303a", 0.3, roughness=0.35, contrast=60, seed=87)
WICKER = patterned("wicker", "b98a4c", "7f5a2e", 0.4, partial(patterns.weave, threads=16), seed=90)


def vase(glaze: Paint, *, tall: bool = True) -> tuple[Piece, ...]:
    """A turned vase with a real opening."""
    outer = (
        [(0.2, 0.0), (0.28, 0.12), (0.36, 0.4), (0.3, 0.68), (0.16, 0.86), (0.15, 0.94), (0.23, 1.0)]
        if tall
        else [(0.24, 0.0), (0.4, 0.14), (0.48, 0.38), (0.36, 0.62), (0.24, 0.72), (0.24, 0.78), (0.33, 0.86)]
    )
    curve = smooth(outer, 2)
    inner = [(float(r) - 0.035, float(y)) for r, y in curve[::-1] if y > 0.3]
    return cover(glaze, lathe([*[(float(r), float(y)) for r, y in curve], *inner, (0.0, 0.3)], 16))


def bouquet(glaze: Paint, *, tulips: bool) -> tuple[Piece, ...]:
    """A vase with flowers."""
    pot = vase(glaze, tall=tulips)
    rim = 0.98 if tulips else 0.84
    stems: list[Shell] = []
    heads: list[Shell] = []
    leaves: list[Shell] = []
    for k in range(7):
        lean = 0.0 if k == 0 else 0.24
        high = rim + 0.5 - (0.1 * (k % 3) if k else -0.08)
        stems.append(
            tube(
                smooth([(0.03, 0.29, 0), (0.06 + lean * 0.4, rim, 0), (0.04 + lean * 1.2, high, 0)], 2),
                0.018,
                5,
                rounded=False,
            ).turned("y", k / 6)
        )
        if tulips:
            cup = lathe(smooth([(0.0, 0.0), (0.08, 0.05), (0.095, 0.14), (0.06, 0.22), (0.0, 0.2)], 2), 8)
            heads.append(cup.moved(0.04 + lean * 1.2, high - 0.02, 0).turned("y", k / 6))
        else:
            disc = extrude(star(0.15, 0.075, 8), 0.05, 0.015, "y", 1)
            heads.append(disc.turned("z", -0.1 if k else 0.0).moved(0.04 + lean * 1.2, high, 0).turned("y", k / 6))
        leaves.append(
            ellipsoid(0.09, 0.42, 0.03, 8, 5)
            .turned("z", -0.06)
            .moved(0.18 if tulips else 0.25, rim + 0.12, 0)
            .turned("y", k / 7 + 0.05)
        )
    return (*pot, *cover(LEAF, *stems, *leaves), *cover(TULIP if tulips else DAISY, *heads))


def mug(glaze: Paint, *, saucer: bool) -> tuple[Piece, ...]:
    """A mug with a handle, or a cup on a saucer."""
    lift = 0.06 if saucer else 0.0
    wall = (
        [(0.3, 0.0), (0.36, 0.04), (0.36, 0.7), (0.34, 0.74), (0.31, 0.72), (0.31, 0.5), (0.0, 0.48)]
        if not saucer
        else [
            (0.16, 0.0),
            (0.2, 0.03),
            (0.2, 0.08),
            (0.34, 0.24),
            (0.42, 0.54),
            (0.4, 0.56),
            (0.37, 0.5),
            (0.3, 0.4),
            (0.0, 0.4),
        ]
    )
    body = lathe(fillet(wall, 0.03, 2), 20).moved(y=lift)
    reach = 0.34 if not saucer else 0.36
    loop = [
        (reach, 0.58, 0),
        (reach + 0.16, 0.6, 0),
        (reach + 0.22, 0.4, 0),
        (reach + 0.1, 0.2, 0),
        (reach - 0.06 * saucer, 0.16 + 0.08 * saucer, 0),
    ]
    handle = tube(smooth(loop, 3), 0.04, 6).scaled(1, 0.84 if saucer else 1, 1).moved(y=lift)
    drink = (
        lathe([(0.0, 0.0), (0.33, 0.0), (0.33, 0.02), (0.0, 0.03)], 16)
        .scaled(1, 1, 1)
        .moved(0, lift + (0.44 if saucer else 0.56), 0)
    )
    pieces = (*cover(glaze, body, handle), *cover(WALNUT_DRINK, drink))
    if not saucer:
        return pieces
    plate = lathe(
        smooth([(0.2, 0.0), (0.3, 0.02), (0.56, 0.1), (0.58, 0.13), (0.5, 0.12), (0.3, 0.07), (0.0, 0.065)], 2), 20
    )
    return (*pieces, *cover(glaze, plate))


WALNUT_DRINK = plain("dark coffee", "4a2d1c", 0.5, roughness=0.3, contrast=40, seed=94)


def teapot(glaze: Paint, knob: Paint) -> tuple[Piece, ...]:
    """A round teapot with spout, handle and lid."""
    body = lathe(smooth([(0.24, 0.0), (0.44, 0.1), (0.52, 0.34), (0.42, 0.6), (0.22, 0.7)], 4), 22)
    lid = lathe(smooth([(0.23, 0.68), (0.24, 0.72), (0.16, 0.79), (0.04, 0.82)], 2), 18)
    button = ellipsoid(0.13, 0.13, 0.13, 10, 8).moved(0, 0.87, 0)
    spout = tube(
        smooth([(0.42, 0.22, 0), (0.62, 0.32, 0), (0.72, 0.52, 0), (0.84, 0.64, 0)], 3),
        [0.13, 0.125, 0.12, 0.11, 0.1, 0.09, 0.085, 0.08, 0.07, 0.065, 0.06, 0.06, 0.06],
        9,
        rounded=False,
    )
    handle = tube(
        smooth([(-0.44, 0.54, 0), (-0.68, 0.58, 0), (-0.78, 0.36, 0), (-0.66, 0.18, 0), (-0.46, 0.18, 0)], 3), 0.05, 8
    )
    return (*cover(glaze, body, lid, spout, handle), *cover(knob, button, ring(0.235, 0.03, 20, 5).moved(0, 0.7, 0)))


def layer_cake(*, stand: bool) -> tuple[Piece, ...]:
    """An iced cake with cream and berries, on a plate or a stand."""
    lift = 0.4 if stand else 0.05
    base = (
        lathe(
            smooth(
                [
                    (0.3, 0.0),
                    (0.28, 0.05),
                    (0.08, 0.12),
                    (0.07, 0.28),
                    (0.14, 0.33),
                    (0.56, 0.37),
                    (0.6, 0.4),
                    (0.56, 0.41),
                ],
                2,
            ),
            22,
        )
        if stand
        else lathe(smooth([(0.4, 0.0), (0.62, 0.05), (0.64, 0.08), (0.56, 0.06)], 2), 22)
    )
    tiers = [
        lathe(fillet([(0.0, 0.0), (0.46, 0.0), (0.46, 0.18), (0.0, 0.18)], 0.03, 2), 22).moved(0, lift + 0.005 + y, 0)
        for y in (0.0, 0.22)
    ]
    filling = [lathe([(0.0, 0.0), (0.47, 0.0), (0.48, 0.03), (0.47, 0.06), (0.0, 0.06)], 22).moved(0, lift + 0.175, 0)]
    drip: list[Shell] = [
        lathe(fillet([(0.0, 0.0), (0.48, 0.0), (0.48, 0.06), (0.0, 0.06)], 0.025, 2), 22).moved(0, lift + 0.38, 0)
    ]
    drip += [
        ellipsoid(0.09, 0.16 + 0.06 * (k % 3), 0.07, 7, 5).moved(0, lift + 0.37, 0.455).turned("y", k / 14)
        for k in range(14)
    ]
    puffs = [
        lathe(smooth([(0.0, 0.0), (0.08, 0.0), (0.07, 0.05), (0.02, 0.11), (0.0, 0.12)], 2), 8)
        .moved(0.34, lift + 0.435, 0)
        .turned("y", k / 8)
        for k in range(8)
    ]
    fruit = [ellipsoid(0.1, 0.1, 0.1, 8, 5).moved(0.34, lift + 0.57, 0).turned("y", k / 8) for k in range(8)]
    return (
        *cover(PORCELAIN, base),
        *cover(SPONGE, *tiers),
        *cover(CREAM, *filling, *puffs),
        *cover(ICING, *drip),
        *cover(BERRY, *fruit),
    )


def fruit_basket(fruit_a: Paint, fruit_b: Paint, *, hoop: bool) -> tuple[Piece, ...]:
    """A wicker basket heaped with fruit, with a hoop handle if asked."""
    bowl = lathe(
        [*smooth([(0.34, 0.0), (0.44, 0.12), (0.5, 0.36)], 3).tolist(), (0.46, 0.36), (0.42, 0.24), (0.0, 0.22)], 20
    )
    rims = [ring(r, 0.06, 18, 5).moved(0, y, 0) for y, r in ((0.03, 0.36), (0.37, 0.49))]
    arms = (
        [tube(smooth([(-0.48, 0.36, 0), (-0.4, 0.8, 0), (0, 1.0, 0), (0.4, 0.8, 0), (0.48, 0.36, 0)], 4), 0.035, 6)]
        if hoop
        else [ring(0.1, 0.04, 10, 6).turned("x", 0.25).moved(s * 0.54, 0.34, 0) for s in (-1, 1)]
    )
    globe = lathe(smooth([(0.02, -0.13), (0.1, -0.14), (0.155, 0.0), (0.11, 0.12), (0.03, 0.1)], 2), 8)
    spots = [(0.24 * float(c), 0.36, 0.24 * float(s)) for c, s in ellipse(2, 2, 5)] + [(0.0, 0.5, 0.0)]
    apples = [globe.moved(x, y, z) for x, y, z in spots[::2]]
    pears = [globe.moved(x, y, z) for x, y, z in spots[1::2]]
    stalks = [tube([(x, y + 0.08, z), (x + 0.02, y + 0.18, z)], 0.014, 5) for x, y, z in spots]
    return (
        *cover(WICKER, bowl, *rims, *arms),
        *cover(fruit_a, *apples),
        *cover(fruit_b, *pears),
        *cover(WALNUT, *stalks),
    )
