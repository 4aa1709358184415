"""Lamps, vases and flowers. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.forms import around, bent, coat, fluted, lit, pair, puck, rod, tint, vessel
from engine.starter.models import Piece
from engine.starter.outlines import fillet, smooth
from engine.starter.paints import cloth, foliage, metal, patterned, wood
from engine.starter.shells import Shell
from engine.starter.solids import ellipsoid, extrude, lathe, ring
from engine.starter.tableware import TULIP

BRASS = metal("brass", "cda048", 0.4, seed=411)
STEEL = metal("brushed steel", "b0b6ba", 0.5, seed=413)
WALNUT = wood("walnut", "774a2d", 0.6, planks=1, seed=414, size=64)
LAVA = lit(tint("violet lamp liquid", "8a4fc0", 0.8, roughness=0.15, contrast=40, seed=433), 0.4)
WAX_BLOB = lit(tint("orange wax", "ff8a3c", 0.5, contrast=40, seed=434), 0.6)
CHIMNEY = lit(tint("lit lamp chimney", "ffdf9a", 0.8, roughness=0.12, contrast=60, seed=435), 0.5)
OIL = tint("red glass oil tank", "a8323a", 0.6, roughness=0.12, contrast=80, seed=415)
RICE_PAPER = lit(tint("lit rice paper", "fbe6b8", 0.5, contrast=50, seed=436), 0.45)
PLEATS = tint("cream pleated shade", "f1dfb4", 0.6, contrast=40, seed=416)
TERRACOTTA = tint("orange clay", "bf6a40", 0.6, contrast=60, seed=417)
FRIEZE = patterned("painted clay", "bf6a40", "3a2b28", 0.25, partial(patterns.banded, low=60, high=200), seed=418)
BLACK = tint("black slip", "38302f", 0.5, roughness=0.4, contrast=40, seed=419)
BOWL = tint("pale aqua glass", "bfe0e2", 0.7, roughness=0.1, contrast=50, seed=420)
GRAVEL = patterned("coloured gravel", "5b93b8", "f2d9a0", 0.3, patterns.leaves, seed=421, size=64)
GOLDFISH = patterned(
    "goldfish scales", "f0802c", "f9b45a", 0.2, partial(patterns.shingles, rows=4, columns=4), seed=422, size=64
)
WATER = tint("water", "7fbfd8", 0.5, roughness=0.1, contrast=50, seed=432)
STEM = tint("green stems", "5a9148", 0.3, contrast=80, seed=423)
BLADE = tint("tulip leaves", "4f8f55", 0.4, contrast=110, seed=437)
LEAF = foliage("green leaves", "5b9a4a", 0.5, "a8d070", seed=424)
PETAL = tint("golden petals", "f3b92f", 0.3, contrast=60, seed=425)
HEART = patterned("sunflower seeds", "5a3a22", "8a6034", 0.15, partial(patterns.dots, count=8), seed=426, size=64)
LILAC = tint("lavender blossom", "8f74c0", 0.15, contrast=150, seed=427)
DELFT = patterned("blue painted china", "f0efe6", "3d69a8", 0.5, patterns.lands, roughness=0.3, seed=428)
LINEN = cloth("linen ribbon", "e0cfa2", 0.3, seed=429, size=64)
JUG = tint("grey stoneware", "a9aeae", 0.6, roughness=0.5, contrast=70, seed=430)
CRYSTAL = tint("pink glass", "e6a6b6", 0.6, roughness=0.12, contrast=60, seed=431)


def lava_lamp() -> tuple[Piece, ...]:
    """A lit lamp of violet liquid with rising wax."""
    base = lathe(fillet([(0.0, 0.0), (0.24, 0.0), (0.25, 0.04), (0.14, 0.32), (0.19, 0.4), (0.0, 0.4)], 0.025, 2), 16)
    bulb = lathe(smooth([(0.17, 0.39), (0.19, 0.46), (0.17, 0.66), (0.12, 0.92)], 2), 14)
    cap = lathe(fillet([(0.0, 0.9), (0.13, 0.9), (0.08, 1.08), (0.0, 1.08)], 0.02, 2), 14)
    blobs = [
        ellipsoid(0.17, 0.2, 0.16, 9, 6).moved(x, y, 0.12).turned("y", t)
        for x, y, t in (
            (0.0, 0.47, 0.05),
            (0.02, 0.68, 0.3),
            (0.0, 0.52, 0.55),
            (0.0, 0.7, 0.8),
            (0.0, 0.66, 0.02),
            (0, 0.5, 0.9),
        )
    ]
    sunk = [b.scaled(0.92, 1, 0.92) for b in blobs]
    bands = [ring(r, 0.025, 16, 5).moved(0, y, 0) for r, y in ((0.185, 0.4), (0.128, 0.905))]
    return (*coat(STEEL, base, cap), *coat(LAVA, bulb), *coat(WAX_BLOB, *sunk), *coat(BRASS, *bands))


def oil_lamp() -> tuple[Piece, ...]:
    """A brass oil lamp with a red tank and a glass chimney."""
    foot = lathe(smooth([(0.3, 0.0), (0.3, 0.04), (0.16, 0.09), (0.06, 0.16), (0.09, 0.22)], 2), 14)
    tank = lathe(smooth([(0.08, 0.2), (0.26, 0.26), (0.28, 0.36), (0.14, 0.46), (0.08, 0.48)], 2), 14)
    burner = lathe(
        fillet([(0.0, 0.46), (0.09, 0.46), (0.1, 0.52), (0.17, 0.56), (0.17, 0.6), (0.0, 0.6)], 0.012, 2), 14
    )
    chimney = lathe(smooth([(0.12, 0.59), (0.16, 0.66), (0.17, 0.74), (0.09, 0.9), (0.08, 1.1), (0.09, 1.14)], 2), 14)
    prongs = around(bent([(0.16, 0.58, 0), (0.19, 0.64, 0), (0.175, 0.72, 0)], 0.012, 5, 2), 4)
    wheel = [
        rod((0, 0.51, 0.08), (0, 0.51, 0.18), 0.014, 6),
        puck(0.045, 0.03, 0.0, 10).turned("x", 0.25).moved(0, 0.51, 0.17),
    ]
    ear = bent([(-0.24, 0.42, 0), (-0.4, 0.42, 0), (-0.4, 0.24, 0), (-0.25, 0.27, 0)], 0.022, 6, 3)
    return (*coat(BRASS, foot, burner, *prongs, *wheel, ear), *coat(OIL, tank), *coat(CHIMNEY, chimney))


def paper_lantern() -> tuple[Piece, ...]:
    """A ribbed paper lantern with a tassel on a wooden stand."""
    foot = [puck(0.32, 0.06, 0.02, 16), rod((0, 0.05, -0.24), (0, 0.9, -0.24), 0.026)]
    arm = bent([(0, 0.88, -0.24), (0, 1.06, -0.22), (0, 1.12, -0.08), (0, 1.08, 0.02)], 0.024, 6)
    line = [(0.1, 0.4), (0.24, 0.48), (0.33, 0.66), (0.24, 0.84), (0.1, 0.92)]
    body = lathe(smooth(line, 2), 16)
    ribs = [ring(float(r) + 0.003, 0.018, 16, 4).moved(0, float(y), 0) for r, y in smooth(line, 2)[2:-2:2]]
    caps = [puck(0.12, 0.04, 0.01, 14).moved(0, y, 0) for y in (0.37, 0.91)]
    hook = rod((0, 0.93, 0), (0, 1.09, 0), 0.014, 6)
    tassel = fluted(lathe([(0.0, 0.3), (0.025, 0.3), (0.02, 0.26), (0.05, 0.12), (0.0, 0.12)], 24), 8, 0.12)
    cord = rod((0, 0.28, 0), (0, 0.4, 0), 0.012, 6)
    shift = [s.moved(0, 0, 0.02) for s in (body, *ribs, *caps, hook, tassel, cord)]
    n = len(ribs)
    return (
        *coat(WALNUT, *foot, arm, *shift[1 : n + 1], *shift[n + 1 : n + 3]),
        *coat(RICE_PAPER, shift[0]),
        *coat(BRASS, shift[n + 3]),
        *coat(OIL, *shift[n + 4 :]),
    )


def pleated_lamp() -> tuple[Piece, ...]:
    """A lamp with a pleated shade, a pull chain and a turned foot."""
    foot = lathe(smooth([(0.24, 0.0), (0.24, 0.03), (0.1, 0.06), (0.035, 0.12), (0.05, 0.18), (0.025, 0.26)], 2), 14)
    stem = lathe(smooth([(0.025, 0.24), (0.03, 0.5), (0.045, 0.56), (0.022, 0.64), (0.02, 0.98)], 2), 10)
    shade = fluted(lathe([(0.28, 0.84), (0.15, 1.2), (0.135, 1.2), (0.262, 0.84)], 60, loop=True), 20, 0.025)
    trims = [ring(r, 0.028, 18, 5).moved(0, y, 0) for r, y in ((0.275, 0.845), (0.145, 1.195))]
    spider = [rod((-0.195, 1.08, 0), (0.195, 1.08, 0), 0.009, 5).turned("y", k / 4) for k in range(2)]
    bulb = lathe(smooth([(0.03, 0.94), (0.035, 0.98), (0.08, 1.06), (0.0, 1.14)], 2), 10)
    chain = [rod((0.05, 0.78, 0), (0.05, 1.08, 0), 0.007, 5), ellipsoid(0.03, 0.04, 0.03, 6, 4).moved(0.05, 0.77, 0)]
    return (
        *coat(WALNUT, foot, stem),
        *coat(PLEATS, shade),
        *coat(BRASS, *trims, *spider, *chain),
        *coat(CHIMNEY, bulb),
    )


def amphora() -> tuple[Piece, ...]:
    """A two-handled clay amphora with a painted frieze."""
    line = [
        (0.16, 0.0),
        (0.17, 0.04),
        (0.11, 0.09),
        (0.26, 0.3),
        (0.34, 0.54),
        (0.26, 0.72),
        (0.11, 0.82),
        (0.11, 0.94),
        (0.18, 1.0),
    ]
    body = vessel(line, 0.028, 0.8, 16)
    ears = pair(bent([(0.11, 0.94, 0), (0.26, 0.96, 0), (0.31, 0.82, 0), (0.27, 0.7, 0)], 0.026, 6))
    bands = [ring(r, 0.024, 16, 5).moved(0, y, 0) for r, y in ((0.163, 0.03), (0.12, 0.84), (0.175, 0.99))]
    frieze = lathe(
        smooth([(0.322, 0.43), (0.352, 0.54), (0.327, 0.63), (0.28, 0.63), (0.28, 0.44)], 2, closed=True), 16, loop=True
    )
    return (*coat(TERRACOTTA, body), *coat(BLACK, *ears, *bands), *coat(FRIEZE, frieze))


def fish_bowl() -> tuple[Piece, ...]:
    """A goldfish over the rim of a round bowl of water, with gravel and weed."""
    bowl = vessel([(0.24, 0.0), (0.36, 0.08), (0.47, 0.34), (0.36, 0.62), (0.28, 0.7), (0.34, 0.76)], 0.02, 0.56, 18, 3)
    gravel = lathe(smooth([(0.25, 0.03), (0.372, 0.08), (0.445, 0.2), (0.3, 0.22)], 2), 16)
    water = lathe([(0.0, 0.56), (0.36, 0.6), (0.34, 0.635), (0.0, 0.64)], 16)
    body = ellipsoid(0.2, 0.24, 0.42, 10, 7).turned("x", -0.1).moved(0.04, 0.75, 0.04)
    fan = smooth([(0.0, 0.0), (0.1, 0.1), (0.17, 0.22), (0.0, 0.17), (-0.17, 0.22), (-0.1, 0.1)], 2, closed=True)
    tail = extrude(fan, 0.03, 0.01, "x", 1).turned("x", -0.16).moved(0.04, 0.64, -0.12)
    fins = [
        extrude(fan * 0.55, 0.02, 0.0, "z").turned("z", -0.22 * s).moved(0.04 + 0.08 * s, 0.72, 0.08) for s in (-1, 1)
    ]
    eyes = [ellipsoid(0.05, 0.05, 0.05, 7, 5).moved(0.04 + 0.075 * s, 0.85, 0.13) for s in (-1, 1)]
    weed = [
        bent(
            [(0.2, 0.58, -0.1), (0.26, 0.76, -0.12), (0.18, 0.92, -0.08 - 0.02 * k), (0.27, 1.04, -0.1)],
            [0.03, 0.035, 0.03, 0.008],
            6,
            2,
        ).turned("y", 0.04 * k)
        for k in range(3)
    ]
    return (
        *coat(BOWL, bowl),
        *coat(GRAVEL, gravel),
        *coat(WATER, water),
        *coat(GOLDFISH, body, tail, *fins),
        *coat(BLACK, *eyes),
        *coat(STEM, *weed),
    )


def tulip_vase() -> tuple[Piece, ...]:
    """Red tulips in a slender pink glass."""
    line = [(0.18, 0.0), (0.19, 0.04), (0.1, 0.1), (0.12, 0.24), (0.17, 0.44), (0.22, 0.52)]
    stems: list[Shell] = []
    heads: list[Shell] = []
    leaves: list[Shell] = []
    for k in range(6):
        lean, tall = (0.02, 1.0) if k == 0 else (0.16 + 0.03 * (k % 2), 0.84 + 0.05 * (k % 3))
        turn = k / 5
        stems.append(bent([(0.01, 0.2, 0), (0.06 * (k > 0), 0.52, 0), (lean, tall, 0)], 0.014, 5, 2).turned("y", turn))
        cup = fluted(
            lathe(smooth([(0.0, 0.0), (0.075, 0.03), (0.095, 0.12), (0.07, 0.21), (0.055, 0.19), (0.0, 0.08)], 1), 18),
            6,
            0.09,
        )
        heads.append(cup.turned("z", -0.3 * lean).moved(lean, tall - 0.015, 0).turned("y", turn))
        leaf = ellipsoid(0.08, 0.5, 0.03, 7, 5).turned("z", -0.045 - 0.01 * (k % 3)).moved(0.13, 0.66, 0)
        leaves.append(leaf.turned("y", turn + 0.05))
    return (
        *coat(CRYSTAL, vessel(line, 0.022, 0.2, 14)),
        *coat(STEM, *stems),
        *coat(BLADE, *leaves),
        *coat(TULIP, *heads),
    )


def sunflowers() -> tuple[Piece, ...]:
    """Three sunflowers in a grey stoneware jug."""
    line = [(0.22, 0.0), (0.26, 0.06), (0.28, 0.26), (0.2, 0.44), (0.17, 0.52), (0.21, 0.58)]
    ear = bent([(-0.18, 0.52, 0), (-0.34, 0.52, 0), (-0.38, 0.34, 0), (-0.26, 0.2, 0)], 0.032, 6)
    jug = [vessel(line, 0.03, 0.4, 14), ear]
    stems: list[Shell] = []
    petals: list[Shell] = []
    hearts: list[Shell] = []
    leaves: list[Shell] = []
    spots = ((0.0, 1.06, 0.1, 0.18), (0.3, 0.84, 0.1, 0.15), (-0.26, 0.86, 0.12, 0.2))
    for x, y, z, face in spots:
        stems.append(bent([(0.2 * x, 0.42, 0.0), (0.4 * x, 0.62, 0.02), (x, y, z)], 0.018, 6, 2))
        blade = ellipsoid(0.22, 0.03, 0.12, 5, 4).turned("z", 0.03).moved(0.19, 0.0, 0)
        rays = [*around(blade, 9), *[p.moved(0, -0.012, 0) for p in around(blade, 9, start=0.055)]]
        petals += [p.turned("x", face).moved(x, y, z) for p in rays]
        hearts.append(
            lathe(smooth([(0.0, -0.03), (0.12, -0.02), (0.12, 0.02), (0.0, 0.055)], 2), 12)
            .turned("x", face)
            .moved(x, y, z)
        )
    for k in range(5):
        leaf = ellipsoid(0.16, 0.03, 0.28, 7, 4).turned("x", 0.06).moved(0, 0.59, 0.19)
        leaves.append(leaf.turned("y", 0.2 * k + 0.06))
    return (*coat(JUG, *jug), *coat(STEM, *stems), *coat(LEAF, *leaves), *coat(PETAL, *petals), *coat(HEART, *hearts))


def lavender() -> tuple[Piece, ...]:
    """A bunch of lavender with a linen bow in a blue painted pot."""
    pot = vessel([(0.2, 0.0), (0.22, 0.05), (0.28, 0.2), (0.26, 0.38), (0.3, 0.44)], 0.03, 0.3, 14)
    band = [ring(0.27, 0.045, 14, 5).moved(0, 0.36, 0)]
    band += pair(ring(0.07, 0.03, 10, 5).turned("x", 0.25).scaled(1.1, 0.7, 1).moved(0.075, 0.36, 0.29))
    stems: list[Shell] = []
    spikes: list[Shell] = []
    for k in range(13):
        lean = 0.0 if k == 0 else 0.13 + 0.09 * (k % 2)
        tall = 0.86 - 0.06 * (k % 3) + 0.08 * (k == 0)
        spike = lathe(
            [(0.0, 0.0), (0.035, 0.03), (0.028, 0.08), (0.04, 0.1), (0.03, 0.16), (0.034, 0.18), (0.0, 0.28)], 7
        )
        stems.append(rod((0.3 * lean, 0.28, 0), (lean, tall, 0), 0.011, 5).turned("y", k / 6 + 0.04 * (k // 6)))
        spikes.append(spike.turned("z", -0.35 * lean).moved(lean, tall - 0.02, 0).turned("y", k / 6 + 0.04 * (k // 6)))
    tuft = [
        ellipsoid(0.05, 0.36, 0.03, 6, 5).turned("z", -0.06).moved(0.16, 0.48, 0).turned("y", k / 8) for k in range(8)
    ]
    return (*coat(DELFT, pot), *coat(LINEN, *band), *coat(STEM, *stems, *tuft), *coat(LILAC, *spikes))
