"""Plants, wells and posts of a garden. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from engine.starter.forms import around, bent, coat, fluted, pair, puck, rod, vessel
from engine.starter.models import Piece
from engine.starter.outlines import arch, fillet, smooth
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab
from engine.starter.yard import (
    BARK,
    BRASS,
    CLAY,
    CUT_WOOD,
    FIR,
    GLAZE,
    GLOW,
    GRANITE,
    HIVE,
    IRON,
    LEAF,
    MARIGOLD,
    MILK_STEEL,
    MOSS,
    OAK,
    PALE_STONE,
    PETUNIA,
    PINE,
    SOIL,
    STONE,
    TILE,
    WATER,
    YELLOW,
)


def bonsai() -> tuple[Piece, ...]:
    """A bent little tree with four cushions of leaves in a glazed dish."""
    outline = fillet([(-0.4, -0.27), (0.4, -0.27), (0.4, 0.27), (-0.4, 0.27)], 0.1, 3, closed=True)
    dish = extrude(outline, 0.16, 0.05, "y", 2).moved(0, 0.12, 0)
    lip = extrude([(1.06 * float(x), 1.08 * float(z)) for x, z in outline], 0.05, 0.02, "y", 1).moved(0, 0.2, 0)
    feet = [box(0.12, 0.07, 0.1, 0.02).moved(x, 0.035, z) for x in (-0.28, 0.28) for z in (-0.16, 0.16)]
    ground = ellipsoid(0.74, 0.14, 0.48, 12, 5).moved(0, 0.21, 0)
    trunk = bent(
        [(-0.06, 0.2, 0), (-0.12, 0.38, 0.02), (0.06, 0.52, 0.0), (0.06, 0.7, -0.02), (-0.04, 0.88, 0)],
        [0.1, 0.075, 0.06, 0.05, 0.03],
        7,
    )
    limbs = [
        bent([(-0.09, 0.42, 0), (-0.24, 0.5, 0.04), (-0.34, 0.54, 0.06)], [0.045, 0.035, 0.025], 6, 2),
        bent([(0.06, 0.55, 0), (0.2, 0.6, 0.02), (0.34, 0.66, 0.0)], [0.045, 0.035, 0.025], 6, 2),
    ]
    roots = [
        bent([(-0.06, 0.32, 0), (0.06, 0.28, 0), (0.13, 0.24, 0)], [0.05, 0.04, 0.02], 6, 2).turned("y", k / 4 + 0.1)
        for k in range(4)
    ]
    pads = [
        fluted(ellipsoid(w, h, d, 18, 7), 6, 0.06).moved(x, y, z)
        for x, y, z, w, h, d in (
            (-0.38, 0.6, 0.06, 0.42, 0.2, 0.36),
            (0.38, 0.72, 0.0, 0.44, 0.2, 0.38),
            (-0.04, 0.96, 0, 0.52, 0.26, 0.44),
            (0.06, 0.82, 0.14, 0.3, 0.16, 0.26),
        )
    ]
    return (*coat(GLAZE, dish, lip, *feet), *coat(MOSS, ground), *coat(BARK, trunk, *limbs, *roots), *coat(LEAF, *pads))


def sunflower() -> tuple[Piece, ...]:
    """One tall sunflower in a clay pot."""
    pot = vessel([(0.2, 0.0), (0.27, 0.24), (0.31, 0.26), (0.31, 0.34)], 0.03, 0.26, 14, 1)
    soil = puck(0.27, 0.05, 0.02, 14).moved(0, 0.24, 0)
    stem = bent([(0, 0.26, 0), (0.02, 0.6, -0.02), (-0.01, 0.98, -0.02), (0, 1.1, 0.06)], 0.026, 6)
    leaf = extrude(smooth([(0.0, -0.02), (0.12, -0.1), (0.36, 0.0), (0.12, 0.1)], 2, closed=True), 0.024, 0.008, "y", 1)
    leaves = [
        leaf.turned("z", 0.07).moved(0.01, y, 0).turned("y", t)
        for y, t in ((0.48, 0.04), (0.58, 0.42), (0.72, 0.78), (0.8, 0.3))
    ]
    blade = ellipsoid(0.22, 0.03, 0.12, 6, 4).turned("z", 0.03).moved(0.22, 0, 0)
    petals = [*around(blade, 12), *[p.moved(0, -0.015, 0) for p in around(blade, 12, start=1 / 24)]]
    heart = lathe(smooth([(0.0, -0.05), (0.15, -0.03), (0.15, 0.02), (0.08, 0.05), (0.0, 0.04)], 2), 14)
    head = [s.turned("x", 0.19).moved(0, 1.1, 0.08) for s in (heart, *petals)]
    return (*coat(CLAY, pot), *coat(SOIL, soil, head[0]), *coat(LEAF, stem, *leaves), *coat(YELLOW, *head[1:]))


def fir_tree() -> tuple[Piece, ...]:
    """A young fir with a trunk in a clay pot."""
    pot = vessel([(0.16, 0.0), (0.21, 0.18), (0.24, 0.19), (0.24, 0.26)], 0.025, 0.2, 14, 1)
    soil = puck(0.21, 0.05, 0.02, 12).moved(0, 0.18, 0)
    trunk = rod((0, 0.2, 0), (0, 0.9, 0), 0.045)
    tiers = []
    for k, (y, r, h) in enumerate(
        ((0.32, 0.4, 0.3), (0.48, 0.34, 0.28), (0.64, 0.27, 0.26), (0.8, 0.2, 0.24), (0.95, 0.13, 0.22))
    ):
        cone = lathe([(0.0, 0.05), (r, 0.0), (0.62 * r, 0.3 * h), (0.0, h)], 27)
        tiers.append(fluted(cone, 9, 0.13).turned("y", 0.055 * k).moved(0, y, 0))
    cones = [
        ellipsoid(0.05, 0.1, 0.05, 6, 4).moved(0.31 - 0.055 * (k % 3), 0.34 + 0.16 * (k % 3), 0).turned("y", k / 7)
        for k in range(7)
    ]
    return (*coat(CLAY, pot), *coat(SOIL, soil), *coat(BARK, trunk, *cones), *coat(FIR, *tiers))


def well() -> tuple[Piece, ...]:
    """A stone well under a little shingled roof, its bucket on the rope."""
    wall = lathe(
        fillet([(0.42, 0.0), (0.44, 0.36), (0.46, 0.38), (0.46, 0.44), (0.32, 0.44), (0.32, 0.1)], 0.015, 1), 16
    )
    water = puck(0.34, 0.06, 0.0, 14).moved(0, 0.2, 0)
    posts = [box(0.08, 0.82, 0.08, 0.02).moved(x, 0.7, 0) for x in (-0.4, 0.4)]
    roofs = [box(1.06, 0.05, 0.5, 0.015).turned("x", 0.1 * s).moved(0, 1.14, 0.2 * s).boxed_uvs() for s in (-1, 1)]
    ridge = rod((-0.54, 1.28, 0), (0.54, 1.28, 0), 0.045)
    gables = [extrude([(-0.3, 1.02), (0.3, 1.02), (0.0, 1.26)], 0.05, 0.0, "x").moved(x, 0, 0) for x in (-0.4, 0.4)]
    winch = rod((-0.44, 0.86, 0), (0.48, 0.86, 0), 0.055)
    crank = bent([(0.46, 0.86, 0), (0.56, 0.86, 0), (0.58, 0.78, 0), (0.58, 0.7, 0), (0.68, 0.68, 0)], 0.02, 6, 2)
    wraps = [ring(0.062, 0.03, 10, 5).turned("z", 0.25).moved(-0.06 + 0.03 * k, 0.86, 0) for k in range(5)]
    cord = rod((0.0, 0.84, 0.05), (0.0, 0.66, 0.05), 0.012, 5)
    pail = vessel([(0.085, 0.44), (0.12, 0.6)], 0.02, 0.47, 12, 1).moved(0, 0, 0.05)
    bail = bent([(-0.11, 0.59, 0.05), (-0.06, 0.66, 0.05), (0.06, 0.66, 0.05), (0.11, 0.59, 0.05)], 0.01, 5)
    return (
        *coat(STONE, wall),
        *coat(WATER, water),
        *coat(OAK, *posts, ridge, *gables, winch, pail),
        *coat(TILE, *roofs),
        *coat(IRON, crank, bail),
        *coat(PINE, *wraps, cord),
    )


def sundial() -> tuple[Piece, ...]:
    """A brass dial with its gnomon on a fluted granite column."""
    foot = [box(0.56, 0.08, 0.56, 0.03).moved(0, 0.04, 0), puck(0.24, 0.06, 0.025, 14).moved(0, 0.08, 0)]
    column = fluted(lathe(smooth([(0.2, 0.13), (0.17, 0.2), (0.15, 0.5), (0.17, 0.66)], 2), 36), 12, 0.03)
    top = lathe(fillet([(0.0, 0.64), (0.2, 0.64), (0.34, 0.74), (0.34, 0.8), (0.0, 0.8)], 0.025, 2), 16)
    plate = puck(0.29, 0.025, 0.008, 18).moved(0, 0.795, 0)
    fin = extrude(
        smooth([(-0.18, 0.0), (0.16, 0.0), (0.15, 0.06), (0.05, 0.14), (-0.16, 0.27)], 1, closed=True),
        0.03,
        0.006,
        "x",
        1,
    ).moved(0, 0.815, 0)
    marks = [
        slab(0.022, 0.07, 0.02).turned("x", 0.25).moved(0, 0.82, 0.24).turned("y", (k - 6) / 16) for k in range(13)
    ]
    moss = [
        ellipsoid(0.2, 0.05, 0.14, 7, 4).moved(0.2, 0.085, 0.2),
        ellipsoid(0.14, 0.05, 0.2, 7, 4).moved(-0.22, 0.085, -0.16),
    ]
    return (*coat(GRANITE, *foot, column, top), *coat(BRASS, plate), *coat(IRON, fin, *marks), *coat(MOSS, *moss))


def lamp_post() -> tuple[Piece, ...]:
    """An iron street lantern on a fluted post."""
    foot = lathe(
        fillet([(0.0, 0.0), (0.2, 0.0), (0.2, 0.05), (0.14, 0.09), (0.12, 0.2), (0.05, 0.26), (0.0, 0.26)], 0.015, 2),
        14,
    )
    post = fluted(lathe([(0.055, 0.24), (0.04, 1.0)], 24), 8, 0.06)
    rings = [ring(r, 0.035, 12, 5).moved(0, y, 0) for y, r in ((0.3, 0.06), (0.94, 0.05), (1.02, 0.055))]
    bar = [rod((-0.18, 0.9, 0), (0.18, 0.9, 0), 0.014, 6), *pair(ellipsoid(0.05, 0.05, 0.05, 7, 4).moved(0.18, 0.9, 0))]
    cup = lathe(fillet([(0.0, 1.0), (0.05, 1.0), (0.1, 1.06), (0.1, 1.09), (0.0, 1.09)], 0.01, 1), 6)
    pane = lathe([(0.09, 1.08), (0.15, 1.34)], 6)
    ribs = around(rod((0.095, 1.08, 0), (0.158, 1.34, 0), 0.012, 5), 6)
    roof = lathe(fillet([(0.0, 1.33), (0.19, 1.33), (0.18, 1.36), (0.07, 1.46), (0.05, 1.5), (0.0, 1.5)], 0.012, 1), 6)
    tip = [ellipsoid(0.06, 0.09, 0.06, 7, 5).moved(0, 1.53, 0)]
    scrolls = pair(
        bent([(0.05, 0.86, 0), (0.14, 0.84, 0), (0.14, 0.76, 0), (0.08, 0.74, 0), (0.045, 0.7, 0)], 0.012, 5)
    )
    return (*coat(IRON, foot, post, *rings, *bar, cup, *ribs, roof, *tip, *scrolls), *coat(GLOW, pane))


def milestone() -> tuple[Piece, ...]:
    """A rounded granite milestone with a carved arrow, in the grass."""
    stone = extrude(arch(0.5, 0.9, 10), 0.24, 0.05, "z", 2).moved(0, 0.02, 0)
    panel = extrude(arch(0.36, 0.34, 10), 0.03, 0.008, "z", 1).moved(0, 0.5, 0.118)
    arrow = [(-0.12, -0.03), (0.03, -0.03), (0.03, -0.08), (0.14, 0.0), (0.03, 0.08), (0.03, 0.03), (-0.12, 0.03)]
    mark = extrude(arrow, 0.03, 0.006, "z", 1).moved(0, 0.66, 0.132)
    lines = [slab(0.26 - 0.06 * k, 0.03, 0.02, 0.008).moved(0, 0.4 - 0.08 * k, 0.122) for k in range(3)]
    mound = lathe(smooth([(0.42, 0.0), (0.4, 0.05), (0.24, 0.11), (0.0, 0.14)], 2), 14)
    tufts = [
        bent([(0.3, 0.05, 0), (0.33, 0.16, 0), (0.38 + 0.02 * (k % 2), 0.25, 0)], [0.035, 0.025, 0.004], 5, 2).turned(
            "y", k / 11
        )
        for k in range(11)
    ]
    flowers = [ellipsoid(0.08, 0.06, 0.08, 7, 4).moved(0.39, 0.26, 0).turned("y", k / 11) for k in (0, 2, 7)]
    return (
        *coat(GRANITE, stone),
        *coat(PALE_STONE, panel),
        *coat(IRON, mark, *lines),
        *coat(MOSS, mound, *tufts),
        *coat(YELLOW, *flowers),
    )


def beehive() -> tuple[Piece, ...]:
    """A white box hive of three storeys with a shingled lid, on legs, with bees."""
    legs = [beam((0.34 * x, 0.013, 0.26 * z), (0.27 * x, 0.22, 0.2 * z), 0.07, 0.015) for x in (-1, 1) for z in (-1, 1)]
    floor = box(0.72, 0.05, 0.66, 0.02).moved(0, 0.22, 0.04)
    boxes = [box(0.62, 0.22, 0.54, 0.02).moved(0, 0.355 + 0.235 * k, 0).boxed_uvs() for k in range(3)]
    seams = [box(0.65, 0.03, 0.57, 0.01).moved(0, 0.475 + 0.235 * k, 0) for k in range(2)]
    grips = [slab(0.2, 0.05, 0.04, 0.02).moved(0, 0.4 + 0.235 * k, 0.275) for k in range(1, 3)]
    roofs = [box(0.48, 0.05, 0.72, 0.015).turned("z", -0.065 * s).moved(0.19 * s, 1.02, 0).boxed_uvs() for s in (-1, 1)]
    gable = extrude([(-0.33, 0.94), (0.33, 0.94), (0.3, 0.97), (0.0, 1.08), (-0.3, 0.97)], 0.56, 0.0, "z")
    slot = slab(0.34, 0.045, 0.03, 0.01).moved(0, 0.275, 0.27)
    bees = [
        ellipsoid(0.06, 0.05, 0.09, 7, 5).moved(x, y, z)
        for x, y, z in ((0.1, 0.27, 0.32), (-0.2, 0.5, 0.29), (0.22, 0.68, 0.285), (-0.08, 0.265, 0.34))
    ]
    wings = [
        ellipsoid(0.11, 0.015, 0.045, 7, 4).moved(x, y + 0.025, z)
        for x, y, z in ((0.1, 0.27, 0.32), (-0.2, 0.5, 0.29), (0.22, 0.68, 0.285), (-0.08, 0.265, 0.34))
    ]
    return (
        *coat(OAK, *legs, floor, *grips),
        *coat(HIVE, *boxes, gable),
        *coat(BRASS, *seams),
        *coat(TILE, *roofs),
        *coat(IRON, slot),
        *coat(YELLOW, *bees),
        *coat(MILK_STEEL, *wings),
    )


def stump_with_axe() -> tuple[Piece, ...]:
    """A chopping block with an axe in it and a split log beside."""
    flare = fluted(lathe(smooth([(0.46, 0.0), (0.36, 0.1), (0.33, 0.3), (0.34, 0.5)], 2), 28), 7, 0.05).swapped_uvs()
    face = fluted(puck(0.3, 0.03, 0.01, 24), 7, 0.05).moved(0, 0.49, 0)
    haft = bent(
        [(0.04, 0.64, 0.0), (0.24, 0.78, 0.06), (0.5, 0.92, 0.14), (0.62, 1.02, 0.18)],
        [0.03, 0.028, 0.03, 0.04],
        7,
        domed=True,
    )
    head = extrude(
        smooth([(-0.13, 0.1), (0.02, 0.06), (0.1, 0.07), (0.1, -0.05), (0.02, -0.05), (-0.16, -0.12)], 2, closed=True)[
            ::-1
        ],
        0.07,
        0.02,
        "z",
        1,
    )
    blade = head.turned("y", -0.04).turned("z", 0.22).moved(0.0, 0.58, 0.0)
    log = puck(0.12, 0.5, 0.0, 10).swapped_uvs().turned("x", 0.25).turned("y", 0.1).moved(-0.5, 0.12, -0.2)
    ends = puck(0.1, 0.53, 0.0, 10).moved(0, -0.015, 0).turned("x", 0.25).turned("y", 0.1).moved(-0.5, 0.12, -0.2)
    sprout = [
        ellipsoid(0.1, 0.03, 0.16, 7, 4).turned("x", -0.1).moved(0.0, 0.2, 0.4).turned("y", k / 9 + 0.6)
        for k in range(3)
    ]
    return (
        *coat(BARK, flare, log),
        *coat(CUT_WOOD, face, ends),
        *coat(OAK, haft),
        *coat(MILK_STEEL, blade),
        *coat(LEAF, *sprout),
    )


def plant_stand() -> tuple[Piece, ...]:
    """A stepped plant stand with three potted flowers."""
    boards = [box(0.9, 0.05, 0.26, 0.02).moved(0, 0.26 + 0.26 * k, 0.14 - 0.28 * k) for k in range(2)]
    sides = [
        extrude(
            fillet(
                [(-0.28, 0.0), (0.28, 0.0), (0.28, 0.55), (0.02, 0.55), (-0.02, 0.29), (-0.28, 0.29)],
                0.02,
                1,
                closed=True,
            ),
            0.05,
            0.01,
            "x",
            1,
        ).moved(x, 0, 0)
        for x in (-0.42, 0.42)
    ]
    pots: list[Shell] = []
    soils: list[Shell] = []
    leaves: list[Shell] = []
    heads: list[list[Shell]] = [[], [], []]
    pot = vessel([(0.08, 0.0), (0.11, 0.13), (0.13, 0.135), (0.13, 0.18)], 0.018, 0.12, 12, 1)
    bloom = fluted(ellipsoid(0.13, 0.08, 0.13, 10, 4), 5, 0.14)
    for k, (x, y, z) in enumerate(((-0.22, 0.28, 0.14), (0.22, 0.28, 0.14), (0.0, 0.54, -0.14))):
        pots.append(pot.moved(x, y, z))
        soils.append(puck(0.11, 0.05, 0.0, 10).moved(x, y + 0.1, z))
        leaves.append(ellipsoid(0.3, 0.26, 0.28, 8, 6).moved(x, y + 0.27, z))
        heads[k] += [
            b.moved(x, y + 0.27, z) for b in around(bloom.turned("z", -0.14).moved(0.12, 0.09, 0), 5, start=0.03 * k)
        ]
        heads[k].append(bloom.moved(x, y + 0.4, z))
    return (
        *coat(PINE, *boards, *sides),
        *coat(CLAY, *pots),
        *coat(SOIL, *soils),
        *coat(LEAF, *leaves),
        *coat(PETUNIA, *heads[0]),
        *coat(YELLOW, *heads[1]),
        *coat(MARIGOLD, *heads[2]),
    )
