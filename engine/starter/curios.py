"""Things that stand about on desks and mantelpieces. Each stands on y = 0 about the origin, about one unit tall."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.forms import around, bent, coat, fluted, pair, puck, rod, tint
from engine.starter.models import Piece
from engine.starter.outlines import fillet, rectangle, smooth
from engine.starter.paints import cloth, foliage, metal, patterned, wood
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, slab, tube

BRASS = metal("brass", "cda048", 0.4, seed=381)
WALNUT = wood("walnut", "774a2d", 0.6, planks=1, seed=383, size=64)
ROSEWOOD = wood("rosewood", "6b3327", 0.6, planks=1, seed=384, size=64)
BOXWOOD = tint("pale boxwood", "e6cf9c", 0.5, roughness=0.4, contrast=60, seed=385)
EBONY = tint("ebony", "37302f", 0.5, roughness=0.35, contrast=60, seed=386)
CLEAR = tint("pale blue glass", "cfe3ea", 0.6, roughness=0.1, contrast=40, seed=387)
SAND = tint("golden sand", "e3b766", 0.2, contrast=110, seed=388)
INK = tint("blue ink glass", "2e3f73", 0.4, roughness=0.15, contrast=60, seed=389)
FEATHER = tint("white feather", "f4f0e6", 0.4, contrast=24, seed=390)
SNOW = tint("snow", "f6f7f9", 0.5, contrast=20, seed=391)
FIR = foliage("fir green", "3f7a45", 0.3, "8cb96a", seed=392)
PIG = tint("pink glazed china", "f0a3ab", 0.6, roughness=0.3, contrast=36, seed=393)
VELVET = cloth("red velvet", "98303c", 0.4, seed=394, size=64)
PEARL = tint("pearl", "f3ecdf", 0.3, roughness=0.25, contrast=30, seed=395)
RUBY = tint("ruby glass", "c02f45", 0.2, roughness=0.1, contrast=110, seed=396)
BEADS = (
    tint("red beads", "c5453d", 0.3, roughness=0.35, seed=402),
    tint("yellow beads", "e5b043", 0.3, roughness=0.35, seed=403),
    tint("green beads", "4f8f58", 0.3, roughness=0.35, seed=404),
    tint("blue beads", "3f74a8", 0.3, roughness=0.35, seed=405),
    tint("violet beads", "7a5596", 0.3, roughness=0.35, seed=406),
)
BOARD = patterned("inlaid chess board", "6f452c", "ecd6a4", 0.84, partial(patterns.checks, count=4), seed=398)
MAP = patterned("antique map", "d9c294", "9a7a48", 0.9, patterns.lands, seed=399)
LEATHER = tint("brown leather", "7d4a2c", 0.4, roughness=0.6, contrast=90, seed=400)
LENS = tint("blue lens glass", "4a6a92", 0.5, roughness=0.1, contrast=80, seed=401)


def hourglass() -> tuple[Piece, ...]:
    """Two glass bulbs with sand between walnut plates."""
    plates = [puck(0.34, 0.07, 0.025, 16), puck(0.34, 0.07, 0.025, 16).moved(0, 0.93, 0)]
    post = lathe(
        smooth([(0.04, 0.06), (0.05, 0.2), (0.03, 0.34), (0.05, 0.5), (0.03, 0.66), (0.05, 0.8), (0.04, 0.94)], 2), 8
    )
    posts = around(post.moved(0.27, 0, 0), 4, start=0.125)
    bulb = [(0.14, 0.07), (0.22, 0.16), (0.21, 0.3), (0.1, 0.42), (0.035, 0.5)]
    line = [*bulb, *[(r, 1.0 - y) for r, y in reversed(bulb[:-1])]]
    bulbs = smooth(line, 2)
    low = [(1.03 * float(r), float(y)) for r, y in bulbs if y < 0.24]
    high = [(1.04 * float(r), float(y)) for r, y in bulbs if 0.5 <= y < 0.7]
    heap = lathe([*low, (0.06, 0.3), (0.0, 0.31)], 14)
    rest = lathe([*high, (0.06, 0.65), (0.0, 0.63)], 14)
    caps = [ring(0.15, 0.05, 14, 5).moved(0, y, 0) for y in (0.09, 0.91)] + [ring(0.045, 0.03, 10, 5).moved(0, 0.5, 0)]
    return (
        *coat(WALNUT, *plates, *posts),
        *coat(CLEAR, lathe(bulbs, 14)),
        *coat(SAND, heap, rest),
        *coat(BRASS, *caps),
    )


def inkwell() -> tuple[Piece, ...]:
    """A faceted inkwell on a walnut tray with a white quill in it."""
    tray = [
        box(0.8, 0.07, 0.56, 0.04).moved(0, 0.035, 0),
        *[slab(0.76, 0.05, 0.04, 0.015).moved(0, 0.085, z) for z in (-0.25, 0.25)],
    ]
    well = lathe(fillet([(0.0, 0.06), (0.2, 0.06), (0.22, 0.24), (0.1, 0.32), (0.0, 0.32)], 0.03, 2), 8).moved(
        -0.12, 0, 0
    )
    collar = lathe(
        fillet([(0.05, 0.3), (0.1, 0.3), (0.12, 0.38), (0.05, 0.38)], 0.015, 2, closed=True), 12, loop=True
    ).moved(-0.12, 0, 0)
    shaft = [(-0.1, 0.14, 0), (-0.02, 0.5, 0), (0.12, 0.86, 0), (0.36, 1.16, 0)]
    quill = bent(shaft, [0.012, 0.014, 0.01], 5)
    half = [
        (0.03, 0.46),
        (0.14, 0.5),
        (0.3, 0.76),
        (0.46, 1.04),
        (0.42, 1.2),
        (0.26, 1.18),
        (0.1, 1.0),
        (-0.02, 0.72),
        (-0.03, 0.56),
    ]
    vane = extrude(smooth(half, 2, closed=True), 0.022, 0.008, "z", 1)
    stick = lathe(fillet([(0.0, 0.0), (0.045, 0.0), (0.045, 0.26), (0.0, 0.26)], 0.015, 2), 10)
    wax = [stick.turned("z", 0.25).moved(0.36, 0.115, 0.1), puck(0.07, 0.09, 0.02, 10).moved(0.26, 0.065, -0.12)]
    return (
        *coat(WALNUT, *tray),
        *coat(INK, well),
        *coat(BRASS, collar),
        *coat(FEATHER, quill, vane),
        *coat(RUBY, *wax),
    )


def snow_globe() -> tuple[Piece, ...]:
    """A glass ball with snow-capped firs on a turned foot."""
    foot = lathe(smooth([(0.4, 0.0), (0.41, 0.08), (0.32, 0.14), (0.3, 0.22), (0.34, 0.28)], 2), 16)
    band = ring(0.33, 0.05, 16, 5).moved(0, 0.27, 0)
    drift = lathe(smooth([(0.35, 0.27), (0.37, 0.36), (0.25, 0.42), (0.0, 0.45)], 2), 14)
    hoops = [ring(0.43, 0.018, 20, 4).turned("x", 0.25).turned("y", k / 4).moved(0, 0.66, 0) for k in range(2)]
    tiers: list[Shell] = []
    caps: list[Shell] = []
    for x, z, tall in ((0.0, 0.0, 1.0), (0.19, 0.12, 0.6), (-0.18, 0.1, 0.7), (0.02, -0.2, 0.75)):
        for k in range(3):
            cone = fluted(lathe([(0.0, 0.0), (0.15 - 0.035 * k, 0.0), (0.0, 0.2)], 16), 8, 0.08)
            tiers.append(cone.scaled(tall, tall, tall).moved(x, 0.43 + tall * (0.02 + 0.11 * k), z))
        tip = lathe([(0.0, 0.0), (0.055, -0.01), (0.0, 0.11)], 9)
        caps.append(tip.scaled(tall, tall, tall).moved(x, 0.43 + tall * 0.36, z))
    crown = lathe(smooth([(0.0, 1.06), (0.09, 1.06), (0.05, 1.1), (0.0, 1.13)], 2), 10)
    return (*coat(WALNUT, foot), *coat(BRASS, band, *hoops, crown), *coat(SNOW, drift, *caps), *coat(FIR, *tiers))


def piggy_bank() -> tuple[Piece, ...]:
    """A round pink pig with a slot in its back and a coin in the slot."""
    body = ellipsoid(0.76, 0.7, 0.96, 16, 10).moved(0, 0.46, 0)
    legs = [
        lathe(smooth([(0.09, 0.0), (0.1, 0.04), (0.11, 0.2), (0.0, 0.28)], 2), 10).moved(x, 0, z)
        for x in (-0.2, 0.2)
        for z in (-0.24, 0.24)
    ]
    snout = (
        lathe(fillet([(0.0, 0.0), (0.14, 0.0), (0.12, 0.14), (0.0, 0.14)], 0.03, 2), 12)
        .turned("x", 0.25)
        .moved(0, 0.46, 0.42)
    )
    nostrils = [ellipsoid(0.035, 0.06, 0.03, 6, 4).moved(x, 0.46, 0.555) for x in (-0.045, 0.045)]
    ear = extrude(
        smooth([(-0.09, 0.0), (0.09, 0.0), (0.07, 0.12), (0.0, 0.22), (-0.07, 0.12)], 2, closed=True),
        0.05,
        0.015,
        "z",
        1,
    )
    ears = pair(ear.turned("x", 0.06).turned("z", -0.06).moved(0.2, 0.68, 0.27))
    eyes = pair(ellipsoid(0.06, 0.07, 0.05, 7, 5).moved(0.15, 0.57, 0.385))
    tail = bent(
        [(0, 0.5, -0.46), (0.05, 0.56, -0.52), (0.0, 0.6, -0.55), (-0.04, 0.54, -0.56), (0.02, 0.5, -0.6)], 0.022
    )
    slot = box(0.26, 0.03, 0.05, 0.015).moved(0, 0.802, 0)
    coin = [puck(0.12, 0.022, 0.006, 14).turned("x", 0.25).moved(0, 0.86, 0)]
    return (*coat(PIG, body, *legs, snout, *ears, tail), *coat(EBONY, *nostrils, *eyes, slot), *coat(BRASS, *coin))


def jewelry_box() -> tuple[Piece, ...]:
    """An open rosewood box lined with velvet, with pearls and a ring of gold."""
    walls = [slab(0.84, 0.3, 0.06, 0.02).moved(0, 0.2, z) for z in (-0.26, 0.26)]
    walls += [slab(0.52, 0.3, 0.06, 0.02).turned("y", 0.25).moved(x, 0.2, 0) for x in (-0.39, 0.39)]
    lining = box(0.74, 0.22, 0.48, 0.02).moved(0, 0.16, 0)
    base = box(0.92, 0.06, 0.66, 0.03).moved(0, 0.06, 0)
    feet = [ellipsoid(0.11, 0.09, 0.11, 7, 5).moved(x, 0.045, z) for x in (-0.38, 0.38) for z in (-0.25, 0.25)]
    lid = extrude(rectangle(0.88, 0.6, 0.05, 3), 0.07, 0.02, "z", 2).turned("x", -0.04).moved(0, 0.62, -0.36)
    cushion = extrude(rectangle(0.74, 0.46, 0.06, 3), 0.04, 0.018, "z", 2).turned("x", -0.04).moved(0, 0.63, -0.315)
    strand = [
        ellipsoid(0.065, 0.065, 0.065, 6, 4)
        .moved(0.19, 0.29, 0)
        .turned("y", k / 14)
        .scaled(1.2, 1, 0.8)
        .moved(-0.1, 0, 0)
        for k in range(14)
    ]
    gold = [
        ring(0.07, 0.03, 12, 5).turned("x", 0.18).moved(0.24, 0.31, 0.06),
        slab(0.1, 0.12, 0.03, 0.02).moved(0, 0.3, 0.3),
    ]
    gem = [
        ellipsoid(0.07, 0.07, 0.07, 6, 4).moved(0.24, 0.38, 0.03),
        ellipsoid(0.09, 0.08, 0.09, 6, 4).moved(-0.1, 0.3, 0),
    ]
    corners = [slab(0.05, 0.32, 0.05, 0.01).moved(x, 0.2, z) for x in (-0.41, 0.41) for z in (-0.28, 0.28)]
    return (
        *coat(ROSEWOOD, *walls, base, lid),
        *coat(VELVET, lining, cushion),
        *coat(PEARL, *strand),
        *coat(BRASS, *feet, *gold, *corners),
        *coat(RUBY, *gem),
    )


def abacus() -> tuple[Piece, ...]:
    """A counting frame with five rows of coloured beads on two feet."""
    posts = [slab(0.07, 0.86, 0.09, 0.025).moved(x, 0.47, 0) for x in (-0.5, 0.5)]
    rails = [slab(1.06, 0.07, 0.09, 0.025).moved(0, y, 0) for y in (0.1, 0.88)]
    feet = [box(0.1, 0.07, 0.4, 0.03).moved(x, 0.035, 0) for x in (-0.46, 0.46)]
    wires = [rod((-0.5, 0.2 + 0.145 * k, 0), (0.5, 0.2 + 0.145 * k, 0), 0.012, 6) for k in range(5)]
    bead = ellipsoid(0.082, 0.13, 0.13, 8, 5)
    pieces = (*coat(WALNUT, *posts, *rails, *feet), *coat(BRASS, *wires))
    for k, paint in enumerate(BEADS):
        left = (5, 3, 6, 2, 4)[k]
        spots = [-0.42 + 0.081 * n if n < left else 0.42 - 0.081 * (7 - n) for n in range(8)]
        pieces += coat(paint, *[bead.moved(x, 0.2 + 0.145 * k, 0) for x in spots])
    return pieces


def chess_pawn() -> tuple[Piece, ...]:
    """A big turned pawn."""
    line = [(0.3, 0.0), (0.31, 0.07), (0.26, 0.12), (0.25, 0.17), (0.14, 0.28), (0.1, 0.5), (0.13, 0.62)]
    collar = lathe(fillet([(0.0, 0.6), (0.2, 0.62), (0.18, 0.67), (0.0, 0.69)], 0.02, 2), 16)
    felt = puck(0.28, 0.02, 0.0, 16)
    return (
        *coat(
            EBONY,
            lathe(smooth(line, 2), 16).moved(0, 0.012, 0),
            collar,
            ellipsoid(0.36, 0.36, 0.36, 14, 9).moved(0, 0.82, 0),
        ),
        *coat(VELVET, felt),
        *coat(BRASS, ring(0.255, 0.03, 16, 5).moved(0, 0.15, 0)),
    )


def chess_knight() -> tuple[Piece, ...]:
    """A boxwood knight: a horse's head with a mane on a turned foot."""
    foot = lathe(
        smooth([(0.32, 0.012), (0.33, 0.08), (0.26, 0.13), (0.25, 0.19), (0.18, 0.26), (0.22, 0.3), (0.2, 0.37)], 2), 16
    )
    head = [
        (-0.2, 0.27), (0.17, 0.27), (0.15, 0.4), (0.08, 0.52), (0.2, 0.53), (0.3, 0.47), (0.37, 0.55), (0.33, 0.66),
        (0.19, 0.8), (0.12, 0.92), (0.06, 1.02), (0.0, 0.93), (-0.12, 0.86), (-0.22, 0.7), (-0.25, 0.48),
    ]  # fmt: skip
    neck = extrude(smooth(head, 2, closed=True), 0.24, 0.07, "z", 2)
    ridge = [(-0.03, 0.98), (-0.15, 0.92), (-0.25, 0.76), (-0.29, 0.56), (-0.23, 0.38)]
    tufts = [
        ellipsoid(0.13, 0.17, 0.1, 7, 5).turned("z", 0.12 - 0.05 * k).moved(x, y - 0.03, 0)
        for k, (x, y) in enumerate(ridge)
    ]
    ears = [
        lathe(smooth([(0.05, 0.0), (0.045, 0.08), (0.0, 0.17)], 2), 8).turned("x", 0.02 * s).moved(0.04, 0.86, 0.05 * s)
        for s in (-1, 1)
    ]
    eyes = [ellipsoid(0.05, 0.05, 0.04, 7, 4).moved(0.15, 0.74, 0.115 * s) for s in (-1, 1)]
    nose = [ellipsoid(0.035, 0.03, 0.03, 6, 4).moved(0.3, 0.6, 0.1 * s) for s in (-1, 1)]
    return (
        *coat(BOXWOOD, foot, neck, *tufts, *ears),
        *coat(EBONY, *eyes, *nose),
        *coat(VELVET, puck(0.3, 0.02, 0.0, 16)),
    )


def chess_board() -> tuple[Piece, ...]:
    """A board on bun feet with a few men left in play."""
    board = box(0.84, 0.06, 0.84).moved(0, 0.13, 0).boxed_uvs()
    frame = [box(1.0, 0.1, 0.09, 0.025).moved(0, 0.11, z) for z in (-0.455, 0.455)]
    frame += [box(0.09, 0.1, 0.9, 0.025).moved(x, 0.11, 0) for x in (-0.455, 0.455)]
    feet = [ellipsoid(0.12, 0.1, 0.12, 8, 5).moved(x, 0.05, z) for x in (-0.4, 0.4) for z in (-0.4, 0.4)]
    pawn = lathe(
        smooth([(0.036, 0.0), (0.034, 0.015), (0.014, 0.045), (0.014, 0.08), (0.028, 0.1), (0.0, 0.125)], 2), 9
    )
    tall = lathe(
        smooth(
            [(0.042, 0.0), (0.038, 0.02), (0.017, 0.06), (0.018, 0.14), (0.036, 0.18), (0.012, 0.2), (0.0, 0.23)], 2
        ),
        9,
    )
    rook = lathe(
        fillet(
            [(0.0, 0.0), (0.042, 0.0), (0.026, 0.03), (0.026, 0.1), (0.038, 0.11), (0.038, 0.15), (0.0, 0.14)], 0.006, 1
        ),
        9,
    )

    def place(man: Shell, column: int, row: int) -> Shell:
        return man.moved(-0.3675 + 0.105 * column, 0.158, 0.3675 - 0.105 * row)

    white = [place(pawn, c, r) for c, r in ((0, 1), (2, 2), (5, 1), (6, 1), (4, 3))] + [
        place(tall, 4, 0),
        place(rook, 7, 0),
    ]
    black = [place(pawn, c, r) for c, r in ((1, 6), (3, 5), (4, 4), (7, 6))] + [
        place(tall, 3, 7),
        place(tall, 5, 5),
        place(rook, 0, 7),
    ]
    return (*coat(BOARD, board), *coat(WALNUT, *frame, *feet), *coat(BOXWOOD, *white), *coat(EBONY, *black))


def binoculars() -> tuple[Piece, ...]:
    """Leather-covered field glasses standing on their wide ends."""
    line = [(0.0, 0.0), (0.22, 0.0), (0.22, 0.08), (0.2, 0.1), (0.17, 0.5), (0.13, 0.62), (0.11, 0.66), (0.11, 0.78)]
    eye = [(0.145, 0.8), (0.15, 0.9), (0.12, 0.92), (0.0, 0.91)]
    barrels = [lathe(fillet([*line, *eye], 0.02, 1), 14).moved(x, 0, 0) for x in (-0.25, 0.25)]
    wraps = [
        lathe(
            fillet([(0.1, 0.14), (0.208, 0.14), (0.182, 0.5), (0.1, 0.5)], 0.012, 1, closed=True), 14, loop=True
        ).moved(x, 0, 0)
        for x in (-0.25, 0.25)
    ]
    bridge = [box(0.32, 0.07, 0.12, 0.03).moved(0, y, 0) for y in (0.26, 0.68)] + [
        rod((0, 0.2, 0), (0, 0.8, 0), 0.04, 8)
    ]
    wheel = puck(0.085, 0.09, 0.015, 10).moved(0, 0.44, 0)
    lenses = [puck(0.1, 0.02, 0.0, 12).moved(x, 0.905, 0) for x in (-0.25, 0.25)]
    strap = tube(
        smooth(
            [
                (0.43, 0.5, 0),
                (0.52, 0.3, 0.1),
                (0.44, 0.06, 0.28),
                (0.1, 0.03, 0.4),
                (-0.3, 0.03, 0.38),
                (-0.5, 0.12, 0.16),
                (-0.44, 0.5, 0),
            ],
            2,
        ),
        0.025,
        6,
    )
    lugs = [ellipsoid(0.09, 0.1, 0.08, 7, 4).moved(x, 0.5, 0) for x in (-0.43, 0.43)]
    return (
        *coat(BRASS, *barrels, *bridge, wheel, *lugs),
        *coat(LEATHER, *wraps, strap),
        *coat(LENS, *lenses),
    )


def armillary() -> tuple[Piece, ...]:
    """An armillary sphere: nested brass rings around a little globe on a turned stand."""
    foot = lathe(smooth([(0.3, 0.0), (0.3, 0.05), (0.14, 0.1), (0.05, 0.18), (0.07, 0.26), (0.04, 0.34)], 2), 16)
    cradle = bent(
        [
            (-0.36, 0.66, 0),
            (-0.32, 0.5, 0),
            (-0.18, 0.37, 0),
            (0, 0.33, 0),
            (0.18, 0.37, 0),
            (0.32, 0.5, 0),
            (0.36, 0.66, 0),
        ],
        0.024,
    )
    band = lathe([(0.34, -0.03), (0.37, -0.03), (0.37, 0.03), (0.34, 0.03)], 20, loop=True)
    hoops = [band, band.turned("x", 0.25), band.turned("z", 0.25), band.scaled(0.93, 0.8, 0.93).turned("z", 0.065)]
    axle = rod((0, -0.42, 0), (0, 0.42, 0), 0.014, 6)
    ends = [ellipsoid(0.06, 0.08, 0.06, 7, 4).moved(0, y, 0) for y in (-0.42, 0.42)]
    ball = ellipsoid(0.26, 0.26, 0.26, 14, 8)
    tilted = [s.turned("z", -0.065).moved(0, 0.68, 0) for s in (*hoops, axle, *ends)]
    return (*coat(WALNUT, foot), *coat(BRASS, cradle, *tilted), *coat(MAP, ball.turned("z", -0.065).moved(0, 0.68, 0)))
