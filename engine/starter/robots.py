"""Two robots with the same kinds of parts: a riveted tin robot and a round garden robot."""

from __future__ import annotations

from engine.starter import patterns
from engine.starter.models import Model, Piece, cover, part
from engine.starter.outlines import ellipse, fillet, gear, smooth
from engine.starter.paints import Paint, cloth, foliage, glass, metal, painted_metal, patterned, plain
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, slab, tube

HIP, NECK = 1.3, 3.0
SHOULDER_X, SHOULDER_Y = 0.85, 2.6
SINK = 0.004

BLUE = painted_metal("blue painted tin", "4c86ad", 1.2, seed=41)
ORANGE = painted_metal("orange painted tin", "dd7a35", 1.2, seed=42)
OLIVE = painted_metal("olive painted tin", "7f9448", 1.2, rivets=0, seed=43)
IVORY = plain("ivory enamel", "efe5cf", 1.0, roughness=0.4, contrast=30, seed=44)
STEEL = metal("brushed steel", "9ea4aa", 0.7, seed=45)
GUNMETAL = metal("gunmetal", "55585f", 0.5, roughness=0.5, seed=46)
BRASS = metal("brass", "cb9d42", 0.5, seed=47)
COPPER = metal("copper", "bd6f44", 0.5, seed=48)
RUBBER = patterned("black rubber", "403e3d", "403e3d", 0.4, patterns.tread, roughness=0.95, seed=49)
SCREEN = patterned("glowing screen", "17343c", "66e3c3", 0.7, patterns.screen, roughness=0.3, seed=50)
EYE = glass("lit eye glass", "ffd36b", 0.3, "fff7dc", emissive=0.7)
RED_GLASS = glass("red glass", "e2513f", 0.2, "ffc2b0", emissive=0.4)
DARK = plain("dark rubber", "34343a", 0.4, contrast=30, seed=51)
SOIL = plain("garden soil", "5b4030", 0.3, contrast=120, seed=52)
FERN = foliage("green sprouts", "6aa348", 0.4, "d7e57f", bloom=40, seed=53)
CLAY = plain("terracotta", "bb6540", 0.6, contrast=50, seed=54)
CANVAS = cloth("canvas", "c9b58a", 0.5, seed=55)


def square_torso(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A tin box with a waist plate, shoulder bosses, hip block and collar."""
    body = box(1.5, 1.5, 1.05, 0.16, 4).moved(0, 2.16, 0).boxed_uvs()
    waist = box(1.3, 0.2, 0.92, 0.08).moved(0, HIP + 0.1, 0)
    collar = lathe(fillet([(0.0, 0.0), (0.42, 0.0), (0.42, 0.06), (0.34, 0.1), (0.0, 0.1)], 0.02, 2), 18).moved(
        0, NECK - 0.1, 0
    )
    bosses = [
        lathe(fillet([(0.0, 0.0), (0.3, 0.0), (0.3, 0.06), (0.24, 0.1), (0.0, 0.1)], 0.02, 2), 16)
        .turned("z", s * -0.25)
        .moved(s * 0.75, SHOULDER_Y, 0)
        for s in (-1, 1)
    ]
    return (*cover(paint, body), *cover(trim, waist, collar, *bosses))


def round_torso(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A barrel-shaped body with hoops, shoulder bosses and a flat top."""
    profile = smooth([(0.5, HIP), (0.68, HIP + 0.22), (0.78, 1.95), (0.76, 2.5), (0.58, 2.82), (0.42, NECK)], 4)
    body = lathe(profile, 28)
    hoops = [ring(r, 0.07, 28, 6).moved(0, y, 0) for y, r in ((1.6, 0.715), (2.42, 0.77))]
    bosses = [
        lathe(fillet([(0.0, 0.0), (0.26, 0.0), (0.26, 0.2), (0.0, 0.2)], 0.03, 2), 16)
        .turned("z", s * -0.25)
        .moved(s * 0.65, SHOULDER_Y, 0)
        for s in (-1, 1)
    ]
    return (*cover(paint, body), *cover(trim, *hoops, *bosses))


def square_head(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A box head with goggle eyes and a speaker mouth."""
    neck = lathe([(0.0, 0.0), (0.26, 0.0), (0.26, 0.14), (0.0, 0.14)], 16).moved(0, NECK - SINK, 0)
    skull = box(1.16, 0.9, 0.9, 0.16, 4).moved(0, NECK + 0.57, 0).boxed_uvs()
    brow = slab(0.98, 0.5, 0.08, 0.14, 3).moved(0, NECK + 0.7, 0.45)
    rims = [ring(0.17, 0.07, 16, 6).turned("x", 0.25).moved(x, NECK + 0.7, 0.49) for x in (-0.25, 0.25)]
    eyes = [ellipsoid(0.3, 0.3, 0.14, 14, 8).moved(x, NECK + 0.7, 0.48) for x in (-0.25, 0.25)]
    mouth = [slab(0.05, 0.16, 0.06, 0.02, 1).moved(-0.24 + 0.08 * k, NECK + 0.3, 0.45) for k in range(7)]
    return (*cover(paint, skull), *cover(trim, neck, brow, *rims), *cover(EYE, *eyes), *cover(DARK, *mouth))


def dome_head(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A dome with a visor and a flat lid."""
    neck = lathe([(0.0, 0.0), (0.3, 0.0), (0.26, 0.14), (0.0, 0.14)], 16).moved(0, NECK - SINK, 0)
    skull = lathe(smooth([(0.4, 0.0), (0.58, 0.12), (0.6, 0.42), (0.5, 0.72), (0.3, 0.86), (0.26, 0.88)], 4), 24).moved(
        0, NECK + 0.12, 0
    )
    visor = lathe(
        fillet([(0.4, -0.17), (0.63, -0.17), (0.63, 0.17), (0.4, 0.17)], 0.06, 3, closed=True), 24, loop=True
    ).moved(0, NECK + 0.54, 0)
    eyes = [ellipsoid(0.22, 0.24, 0.16, 12, 8).moved(x, NECK + 0.54, z) for x, z in ((-0.22, 0.56), (0.22, 0.56))]
    smile = tube(smooth([(-0.2, 0.0, 0.54), (0.0, -0.07, 0.585), (0.2, 0.0, 0.54)], 3), 0.028, 6).moved(
        0, NECK + 0.27, 0
    )
    return (*cover(paint, skull), *cover(trim, neck), *cover(DARK, visor, smile), *cover(EYE, *eyes))


def _sided(side: int, shells: tuple[Shell, ...]) -> tuple[Shell, ...]:
    return tuple(s if side > 0 else s.scaled(-1, 1, 1) for s in shells)


def claw_arm(side: int, paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """An arm of tube segments with a pincer; built on the left and mirrored."""
    x = SHOULDER_X - SINK
    shoulder = (
        lathe(fillet([(0.0, 0.0), (0.2, 0.0), (0.22, 0.06), (0.22, 0.3), (0.16, 0.38), (0.0, 0.4)], 0.04, 3), 16)
        .turned("z", -0.25)
        .moved(x, SHOULDER_Y, 0)
    )
    upper = tube(
        [(x + 0.2, SHOULDER_Y - 0.1, 0), (x + 0.28, SHOULDER_Y - 0.5, 0), (x + 0.3, SHOULDER_Y - 0.66, 0.02)], 0.12, 10
    )
    cuffs = [ring(0.125, 0.05, 14, 6).moved(x + 0.26, SHOULDER_Y - h, 0) for h in (0.3, 0.38, 0.46)]
    elbow = ellipsoid(0.32, 0.32, 0.32, 12, 8).moved(x + 0.3, SHOULDER_Y - 0.72, 0.02)
    lower = (
        lathe(smooth([(0.12, 0.0), (0.19, 0.1), (0.2, 0.5), (0.17, 0.56)], 2), 14)
        .turned("x", 0.5)
        .moved(x + 0.3, SHOULDER_Y - 0.78, 0.04)
    )
    wrist = lathe([(0.0, 0.0), (0.1, 0.0), (0.1, 0.12), (0.0, 0.12)], 10).moved(x + 0.3, SHOULDER_Y - 1.44, 0.04)
    fingers = [
        tube(
            smooth(
                [
                    (x + 0.3 + d * 0.06, SHOULDER_Y - 1.4, 0.04),
                    (x + 0.3 + d * 0.2, SHOULDER_Y - 1.5, 0.04),
                    (x + 0.3 + d * 0.17, SHOULDER_Y - 1.68, 0.04),
                    (x + 0.3 + d * 0.05, SHOULDER_Y - 1.76, 0.04),
                ],
                2,
            ),
            0.055,
            8,
        )
        for d in (-1, 1)
    ]
    return (
        *cover(paint, *_sided(side, (shoulder, lower))),
        *cover(trim, *_sided(side, (upper, *cuffs, elbow, wrist, *fingers))),
    )


def hose_arm(side: int, paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A ribbed hose with a round mitten; built on the left and mirrored."""
    x = SHOULDER_X - SINK
    cup = (
        lathe(smooth([(0.2, 0.0), (0.22, 0.1), (0.16, 0.24), (0.1, 0.28)], 2), 16)
        .turned("z", -0.25)
        .moved(x, SHOULDER_Y, 0)
    )
    path = smooth(
        [
            (x + 0.2, SHOULDER_Y, 0),
            (x + 0.36, SHOULDER_Y - 0.2, 0.0),
            (x + 0.38, SHOULDER_Y - 0.7, 0.02),
            (x + 0.32, SHOULDER_Y - 1.2, 0.1),
        ],
        8,
    )
    radii = [0.12 + 0.025 * (k % 2) for k in range(len(path))]
    hose = tube(path, radii, 9)
    cuff = (
        lathe(fillet([(0.0, 0.0), (0.17, 0.0), (0.2, 0.1), (0.2, 0.18), (0.0, 0.18)], 0.03, 2), 14)
        .turned("x", 0.5)
        .moved(x + 0.32, SHOULDER_Y - 1.14, 0.1)
    )
    palm = ellipsoid(0.4, 0.46, 0.34, 14, 9).moved(x + 0.32, SHOULDER_Y - 1.46, 0.1)
    thumb = tube(
        smooth(
            [(x + 0.24, SHOULDER_Y - 1.4, 0.2), (x + 0.12, SHOULDER_Y - 1.44, 0.28), (x + 0.1, SHOULDER_Y - 1.56, 0.3)],
            2,
        ),
        0.07,
        8,
    )
    return (
        *cover(paint, *_sided(side, (cup, cuff))),
        *cover(RUBBER, *_sided(side, (hose,))),
        *cover(trim, *_sided(side, (palm, thumb))),
    )


def block_leg(side: int, paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A pillar leg on a square boot."""
    x = side * 0.36
    hip = box(0.36, 0.16, 0.36, 0.05).moved(x, HIP - 0.08 + SINK, 0)
    thigh = lathe([(0.0, 0.0), (0.13, 0.0), (0.13, 0.9), (0.0, 0.9)], 12).moved(x, 0.36, 0)
    rings = [ring(0.14, 0.07, 14, 6).moved(x, y, 0) for y in (0.76, 0.88, 1.0)]
    shin = box(0.38, 0.36, 0.4, 0.1, 3).moved(x, 0.5, 0.0).boxed_uvs()
    boot = box(0.52, 0.3, 0.82, 0.14, 4).moved(x, 0.19, 0.12).boxed_uvs()
    sole = box(0.56, 0.1, 0.88, 0.1, 3).moved(x, 0.05, 0.12)
    return (*cover(trim, hip, thigh, *rings), *cover(paint, shin, boot), *cover(DARK, sole))


def spring_leg(side: int, paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A tapered leg on a round rubber foot."""
    x = side * 0.34
    socket = lathe(fillet([(0.0, 0.0), (0.2, 0.0), (0.2, 0.14), (0.0, 0.14)], 0.03, 2), 14).moved(
        x, HIP - 0.14 + SINK, 0
    )
    knee = lathe(smooth([(0.14, 0.36), (0.2, 0.5), (0.14, 0.72), (0.17, 0.95), (0.13, 1.2)], 3), 16).moved(x, 0, 0)
    collars = [ring(0.17, 0.07, 16, 6).moved(x, y, 0) for y in (0.42, 0.95)]
    foot = (
        lathe(smooth([(0.36, 0.06), (0.38, 0.16), (0.28, 0.32), (0.12, 0.4), (0.0, 0.41)], 3), 18)
        .scaled(0.82, 1, 1.2)
        .moved(x, 0, 0.1)
    )
    sole = (
        lathe(fillet([(0.0, 0.0), (0.38, 0.0), (0.4, 0.1), (0.0, 0.1)], 0.03, 2), 18)
        .scaled(0.82, 1, 1.2)
        .moved(x, 0, 0.1)
    )
    return (*cover(trim, socket, *collars), *cover(paint, knee, foot), *cover(RUBBER, sole))


def rod_antenna(y: float, paint: Paint) -> tuple[Piece, ...]:
    """A spring, a rod and a red bulb."""
    foot = lathe(fillet([(0.0, 0.0), (0.16, 0.0), (0.16, 0.06), (0.07, 0.12), (0.0, 0.12)], 0.02, 2), 14).moved(y=y)
    coils = [ring(0.06, 0.035, 10, 5).moved(0, y + 0.14 + 0.04 * k, 0) for k in range(5)]
    rod = tube([(0, y + 0.1, 0), (0, y + 0.4, 0), (0, y + 0.62, 0)], 0.032, 8)
    bulb = ellipsoid(0.2, 0.2, 0.2, 14, 8).moved(0, y + 0.7, 0)
    return (*cover(paint, foot, *coils, rod), *cover(RED_GLASS, bulb))


def sprout_pot(y: float) -> tuple[Piece, ...]:
    """A flower pot with a sprout, worn as a hat."""
    pot = lathe(
        [
            (0.0, 0.0),
            *fillet([(0.16, 0.0), (0.22, 0.26), (0.26, 0.26), (0.26, 0.36), (0.2, 0.36)], 0.02, 2).tolist(),
            (0.19, 0.3),
            (0.0, 0.3),
        ],
        16,
    ).moved(y=y)
    soil = lathe([(0.0, 0.26), (0.18, 0.26), (0.19, 0.32), (0.1, 0.35), (0.0, 0.36)], 16).moved(y=y)
    stem = tube(smooth([(0, y + 0.3, 0), (0.01, y + 0.46, 0), (-0.01, y + 0.62, 0.01)], 2), 0.03, 6)
    leaf = ellipsoid(0.36, 0.07, 0.18, 12, 6)
    blades = [
        leaf.moved(0.16).turned("z", 0.06 + 0.02 * k).turned("y", 0.33 * k).moved(0, y + 0.5 + 0.05 * k, 0)
        for k in range(3)
    ]
    return (*cover(CLAY, pot), *cover(SOIL, soil), *cover(FERN, stem, *blades))


def chest_screen(z: float, frame: Paint) -> tuple[Piece, ...]:
    """A control panel: a screen, two knobs and a row of buttons. The back is flat at `z`."""
    plate = slab(0.84, 0.74, 0.1, 0.1, 3).moved(0, 2.1, z + 0.05)
    screen = slab(0.66, 0.36, 0.04, 0.06, 3).moved(0, 2.23, z + 0.105)
    knobs = [
        lathe(fillet([(0.0, 0.0), (0.07, 0.0), (0.06, 0.08), (0.0, 0.08)], 0.02, 2), 10)
        .turned("x", 0.25)
        .moved(x, 1.9, z + 0.09)
        for x in (-0.26, 0.26)
    ]
    buttons = [ellipsoid(0.09, 0.09, 0.06, 9, 6).moved(-0.1 + 0.1 * k, 1.9, z + 0.1) for k in range(3)]
    return (*cover(frame, plate), *cover(SCREEN, screen), *cover(BRASS, *knobs), *cover(RED_GLASS, *buttons))


def chest_gauge(z: float, frame: Paint) -> tuple[Piece, ...]:
    """A round pressure gauge in a plate with cog wheels; the back follows a round belly."""
    back = (
        lathe(fillet([(0.0, 0.0), (0.3, 0.0), (0.38, 0.1), (0.38, 0.2), (0.3, 0.24), (0.0, 0.24)], 0.03, 3), 20)
        .turned("x", 0.25)
        .moved(0, 2.12, z)
    )
    stub = lathe([(0.0, 0.0), (0.16, 0.0), (0.16, 0.06), (0.0, 0.06)], 14).turned("x", 0.25).moved(0, 2.12, z - 0.035)
    dial = lathe([(0.0, 0.0), (0.27, 0.0), (0.26, 0.03), (0.0, 0.04)], 20).turned("x", 0.25).moved(0, 2.12, z + 0.23)
    hand = slab(0.04, 0.22, 0.03, 0.012, 1).moved(0, 0.07, 0).turned("z", -0.1).moved(0, 2.12, z + 0.275)
    ticks = [slab(0.025, 0.06, 0.02).moved(0, 0.21, 0).turned("z", k / 12).moved(0, 2.12, z + 0.27) for k in range(12)]
    cogs = [extrude(gear(0.15, 0.11, 9), 0.08, 0.015, "z", 1).moved(x, 1.76, z + 0.12) for x in (-0.16, 0.16)]
    return (*cover(frame, back, stub, *cogs), *cover(IVORY, dial), *cover(DARK, hand, *ticks))


def tank_pack(z: float, paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """Two tanks on a back plate; the plate's face is flat at -z."""
    plate = slab(0.9, 0.8, 0.08, 0.08).moved(0, 2.2, -z - 0.04 + SINK)
    tank = lathe(smooth([(0.06, 0.0), (0.18, 0.05), (0.2, 0.2), (0.2, 0.75), (0.18, 0.9), (0.06, 0.96)], 2), 16)
    tanks = [tank.moved(x, 1.74, -z - 0.24) for x in (-0.23, 0.23)]
    straps = [ring(0.205, 0.05, 16, 6).moved(x, y, -z - 0.24) for x in (-0.23, 0.23) for y in (1.98, 2.42)]
    pipe = tube(
        smooth(
            [(-0.23, 2.66, -z - 0.24), (-0.12, 2.82, -z - 0.24), (0.12, 2.82, -z - 0.24), (0.23, 2.66, -z - 0.24)], 3
        ),
        0.04,
        6,
    )
    return (*cover(trim, plate, *straps, pipe), *cover(paint, *tanks))


def basket_pack(z: float, paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A canvas pack with a bed roll and pockets."""
    bag = slab(0.84, 0.86, 0.36, 0.16, 4).moved(0, 2.16, -z - 0.18 + SINK).boxed_uvs()
    flap = slab(0.88, 0.34, 0.4, 0.12, 3).moved(0, 2.46, -z - 0.2)
    pockets = [slab(0.32, 0.3, 0.12, 0.06, 3).moved(x, 1.96, -z - 0.38) for x in (-0.21, 0.21)]
    roll = tube([(-0.46, 2.74, -z - 0.16), (0.0, 2.74, -z - 0.16), (0.46, 2.74, -z - 0.16)], 0.13, 12)
    belts = [ring(0.135, 0.04, 14, 5).turned("z", 0.25).moved(x, 2.74, -z - 0.16) for x in (-0.26, 0.26)]
    clasp = [slab(0.08, 0.12, 0.04, 0.02).moved(x, 2.3, -z - 0.41) for x in (-0.21, 0.21)]
    return (*cover(paint, bag, *pockets), *cover(trim, flap, *belts), *cover(COPPER, roll, *clasp))


def bolt_ear(side: int, x: float, paint: Paint) -> tuple[Piece, ...]:
    """A hexagonal bolt on the side of the head."""
    nut = extrude(ellipse(0.34, 0.34, 6), 0.12, 0.03, "z", 2).turned("y", 0.25).moved(x + 0.06 - SINK, NECK + 0.6, 0)
    stem = (
        lathe(fillet([(0.0, 0.0), (0.09, 0.0), (0.09, 0.16), (0.05, 0.2), (0.0, 0.2)], 0.02, 2), 12)
        .turned("z", -0.25)
        .moved(x + 0.1, NECK + 0.6, 0)
    )
    cap = ellipsoid(0.13, 0.13, 0.13, 10, 6).moved(x + 0.3, NECK + 0.6, 0)
    return cover(paint, *_sided(side, (nut, stem, cap)))


def dish_ear(side: int, x: float, paint: Paint) -> tuple[Piece, ...]:
    """A small listening dish on the side of the head."""
    stem = lathe([(0.0, 0.0), (0.1, 0.0), (0.06, 0.12), (0.0, 0.12)], 10).turned("z", -0.25).moved(x, NECK + 0.54, 0)
    dish = (
        lathe(
            smooth([(0.0, 0.08), (0.1, 0.11), (0.18, 0.2), (0.2, 0.28), (0.17, 0.27), (0.1, 0.18), (0.0, 0.15)], 2), 16
        )
        .turned("z", -0.25)
        .moved(x, NECK + 0.54, 0)
    )
    bead = ellipsoid(0.08, 0.08, 0.08, 9, 6).moved(x + 0.18, NECK + 0.54, 0)
    return (*cover(paint, *_sided(side, (stem, dish))), *cover(RED_GLASS, *_sided(side, (bead,))))


def tin_robot() -> Model:
    """Blue and orange, riveted."""
    return Model(
        "tin robot",
        "robot",
        (
            part("a square blue torso with a steel collar", square_torso(BLUE, STEEL)),
            part("a square orange head with goggle eyes", square_head(ORANGE, STEEL)),
            part("an orange left arm with a pincer", claw_arm(1, ORANGE, STEEL)),
            part("an orange right arm with a pincer", claw_arm(-1, ORANGE, STEEL)),
            part("a blue left leg with a square boot", block_leg(1, BLUE, STEEL)),
            part("a blue right leg with a square boot", block_leg(-1, BLUE, STEEL)),
            part("a spring antenna with a red bulb", rod_antenna(NECK + 1.02 - SINK, STEEL)),
            part("a chest panel with a glowing screen", chest_screen(0.525 - 0.001, IVORY)),
            part("an orange backpack with two tanks", tank_pack(0.525, ORANGE, GUNMETAL)),
            part("a brass bolt on the left side of the head", bolt_ear(1, 0.58, BRASS)),
            part("a brass bolt on the right side of the head", bolt_ear(-1, 0.58, BRASS)),
        ),
    )


def garden_robot() -> Model:
    """Olive and ivory, round, with a pot on its head."""
    return Model(
        "garden robot",
        "robot",
        (
            part("a barrel-shaped olive torso with brass hoops", round_torso(OLIVE, BRASS)),
            part("a domed ivory head with a dark visor", dome_head(IVORY, BRASS)),
            part("a ribbed left hose arm with an ivory mitten", hose_arm(1, BRASS, IVORY)),
            part("a ribbed right hose arm with an ivory mitten", hose_arm(-1, BRASS, IVORY)),
            part("an olive left leg with a round foot", spring_leg(1, OLIVE, BRASS)),
            part("an olive right leg with a round foot", spring_leg(-1, OLIVE, BRASS)),
            part("a flower pot with a sprout", sprout_pot(NECK + 1.0 - SINK)),
            part("a round brass chest gauge with cog wheels", chest_gauge(0.8, BRASS)),
            part("a canvas backpack with a bed roll", basket_pack(0.803, CANVAS, OLIVE)),
            part("a brass listening dish on the left side of the head", dish_ear(1, 0.62, BRASS)),
            part("a brass listening dish on the right side of the head", dish_ear(-1, 0.62, BRASS)),
        ),
    )
