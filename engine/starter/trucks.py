"""Two trucks with the same kinds of parts: a rounded pickup and a flat-nosed flatbed."""

from __future__ import annotations

from engine.starter.models import Model, ModelPart, Piece, cover, part
from engine.starter.outlines import fillet, points_of, rectangle
from engine.starter.paints import Paint, glass, metal, painted_metal, plain
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, slab, tube
from engine.starter.trigonometry import cosine_sine
from engine.starter.truck_fittings import (
    BED_FLOOR,
    CREAM,
    FRAME_TOP,
    PINE,
    RED,
    SINK,
    STEEL,
    WALNUT,
    WHEEL_X,
    WHEEL_Y,
    beacon,
    bumper,
    cask,
    cone_sign,
    crate,
    exhaust,
    grille,
    hay_bale,
    headlight,
    milk_can,
    wheel,
)

AXLE_Z = 1.42
TEAL = painted_metal("teal enamel", "2e8c8a", 1.4, seed=21)
CHROME = metal("polished chrome", "c3c7cb", 0.6, roughness=0.25, seed=25)
BRASS = metal("brass", "c99b3f", 0.5, seed=26)
PANE = glass("windscreen glass", "87b9c7", 0.9)
YELLOW = plain("yellow enamel", "e8b33f", 0.8, roughness=0.45, contrast=40, seed=32)


def chassis(paint: Paint) -> tuple[Piece, ...]:
    """Rails, cross members and two axles that end at the wheels' inner faces."""
    rails = [box(0.2, 0.2, 4.3, 0.05).moved(x, FRAME_TOP - 0.1, 0.0) for x in (-0.55, 0.55)]
    cross = [box(1.2, 0.14, 0.24, 0.04).moved(0, FRAME_TOP - 0.1, z) for z in (-2.0, -0.9, 0.0, 0.9, 2.0)]
    inner = WHEEL_X - 0.17 + SINK
    axles = [
        tube([(-inner, WHEEL_Y, z), (0, WHEEL_Y, z), (inner, WHEEL_Y, z)], 0.09, 10, rounded=False)
        for z in (-AXLE_Z, AXLE_Z)
    ]
    posts = [box(0.16, 0.24, 0.3, 0.04).moved(x, 0.57, z) for x in (-0.55, 0.55) for z in (-AXLE_Z, AXLE_Z)]
    diff = ellipsoid(0.4, 0.34, 0.4, 12, 8).moved(0, WHEEL_Y, -AXLE_Z)
    return cover(paint, *rails, *cross, *axles, *posts, diff)


def fender(z: float, x: float, depth: float) -> Shell:
    """A mudguard over a wheel."""
    cosine, sine = cosine_sine(points_of([[k / 24 for k in range(13)]])[0])
    outer = [(c * 0.68, s * 0.66) for c, s in zip(cosine.tolist(), sine.tolist(), strict=True)]
    inner = [(c * 0.56, s * 0.56) for c, s in zip(cosine.tolist(), sine.tolist(), strict=True)]
    return extrude([*outer, *reversed(inner)], depth, 0.03, "x", 2).moved(x, WHEEL_Y + 0.02, z)


def round_cab(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """Bonnet, cabin with a curved roof, mudguards, windows on all sides."""
    side = fillet(
        [
            (-2.1, 0.0),
            (0.1, 0.0),
            (0.1, 0.62),
            (0.02, 1.28),
            (-0.14, 1.4),
            (-0.72, 1.42),
            (-0.98, 1.28),
            (-1.2, 0.72),
            (-1.95, 0.6),
            (-2.1, 0.4),
        ],
        0.14,
        4,
        closed=True,
    )
    body = extrude(side, 1.42, 0.12, "x", 3).moved(0, FRAME_TOP - SINK, 0.12).boxed_uvs()
    guards = [fender(AXLE_Z, x, 0.42) for x in (-0.88, 0.88)]
    steps = [box(0.3, 0.07, 0.8, 0.03).moved(x, FRAME_TOP + 0.06, 0.36) for x in (-0.83, 0.83)]
    y = FRAME_TOP + 1.0
    windows = [
        extrude(
            fillet([(-0.95, -0.24), (-0.06, -0.24), (-0.12, 0.24), (-0.76, 0.24)], 0.08, 3, closed=True),
            0.04,
            0.012,
            "x",
            1,
        ).moved(x, y, 0.12)
        for x in (-0.71, 0.71)
    ]
    screen = slab(1.12, 0.5, 0.04, 0.1, 3).turned("x", -0.062).moved(0, y + 0.01, 1.235)
    rear = slab(0.9, 0.38, 0.04, 0.1, 3).moved(0, y + 0.03, 0.07)
    stripe = [
        extrude(rectangle(2.0, 0.1, 0.04, 2), 0.04, 0.012, "x", 1).moved(x, FRAME_TOP + 0.42, 1.06)
        for x in (-0.71, 0.71)
    ]
    handles = [tube([(x, FRAME_TOP + 0.6, 0.3), (x, FRAME_TOP + 0.6, 0.5)], 0.028, 6) for x in (-0.73, 0.73)]
    return (*cover(paint, body, *guards), *cover(PANE, *windows, screen, rear), *cover(trim, *stripe, *steps, *handles))


def flat_cab(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A tall cabin over the engine with a big windscreen and a visor."""
    side = fillet([(-2.04, 0.0), (0.1, 0.0), (0.1, 1.5), (-1.62, 1.56), (-2.04, 0.74)], 0.16, 4, closed=True)
    body = extrude(side, 1.46, 0.1, "x", 3).moved(0, FRAME_TOP - SINK, 0.12).boxed_uvs()
    guards = [fender(AXLE_Z, x, 0.36) for x in (-0.88, 0.88)]
    y = FRAME_TOP + 1.1
    windows = [
        extrude(
            fillet([(-1.66, -0.26), (-0.8, -0.26), (-0.8, 0.26), (-1.44, 0.26)], 0.07, 3, closed=True),
            0.04,
            0.012,
            "x",
            1,
        ).moved(x, y, 0.12)
        for x in (-0.73, 0.73)
    ]
    windows += [extrude(rectangle(0.5, 0.52, 0.08, 3), 0.04, 0.012, "x", 1).moved(x, y, 0.52) for x in (-0.73, 0.73)]
    screen = slab(1.16, 0.6, 0.04, 0.1, 3).turned("x", -0.0757).moved(0, y + 0.02, 1.965)
    visor = slab(1.3, 0.05, 0.24, 0.02).turned("x", 0.03).moved(0, FRAME_TOP + 1.5, 1.86)
    band = [
        extrude(rectangle(1.94, 0.14, 0.05, 2), 0.04, 0.012, "x", 1).moved(x, FRAME_TOP + 0.6, 1.09)
        for x in (-0.73, 0.73)
    ]
    handles = [tube([(x, FRAME_TOP + 0.42, 0.56), (x, FRAME_TOP + 0.42, 0.76)], 0.028, 6) for x in (-0.75, 0.75)]
    return (*cover(paint, body, *guards), *cover(PANE, *windows, screen), *cover(trim, visor, *band, *handles))


def cargo_bed(boards: Paint, posts: Paint, *, sides: int) -> tuple[Piece, ...]:
    """An open bed: boarded floor and `sides` rails all round."""
    y = BED_FLOOR - 0.12
    back, front, half = -2.25, -0.32, 0.95
    length, middle = front - back, (front + back) / 2
    floor = box(2 * half, 0.12, length, 0.03).moved(0, y + 0.06, middle).boxed_uvs()
    rails: list[Shell] = []
    for k in range(sides):
        level = y + 0.24 + 0.2 * k
        rails += [box(0.08, 0.15, length, 0.02, 1).moved(x, level, middle) for x in (-half + 0.04, half - 0.04)]
        rails += [box(2 * half - 0.15, 0.15, 0.07, 0.02, 1).moved(0, level, z) for z in (back + 0.04, front - 0.04)]
    height = 0.12 + 0.2 * sides
    stakes = [
        box(0.1, height, 0.12, 0.02, 1).moved(x, y + 0.1 + height / 2, z)
        for x in (-half - 0.02, half + 0.02)
        for z in (back + 0.12, middle, front - 0.12)
    ]
    bearers = [
        box(0.16, y - FRAME_TOP + SINK, length - 0.1, 0.03, 1).moved(x, (y + FRAME_TOP - SINK) / 2, middle)
        for x in (-0.5, 0.5)
    ]
    return (*cover(boards, floor, *rails), *cover(posts, *stakes, *bearers))


def _wheels(hub: Paint, kind: str, spokes: int) -> list[ModelPart]:
    places = (("front left", 1, 1), ("front right", -1, 1), ("back left", 1, -1), ("back right", -1, -1))
    return [
        part(f"a {kind} {where} wheel", wheel(x * WHEEL_X, z * AXLE_Z, hub, spokes=spokes)) for where, x, z in places
    ]


def farm_pickup() -> Model:
    """Teal, rounded, with hay and milk."""
    nose = 2.22 - 0.001
    return Model(
        "farm pickup truck",
        "vehicle",
        (
            part("a dark steel chassis with axles", chassis(STEEL)),
            part("a rounded teal cab with a bonnet", round_cab(TEAL, CREAM)),
            part("a pine cargo bed with low sides", cargo_bed(PINE, STEEL, sides=2)),
            *_wheels(CREAM, "cream-hubbed", 0),
            part("a bowed chrome front bumper", bumper(CHROME, bowed=True)),
            part("a round left headlight", headlight(0.46, 1.02, nose, CHROME, square=False)),
            part("a round right headlight", headlight(-0.46, 1.02, nose, CHROME, square=False)),
            part("a chrome grille with upright bars", grille(1.0, nose, STEEL, CHROME, upright=True)),
            part("an amber roof beacon", beacon(FRAME_TOP + 1.415, 0.56)),
            part("a curved exhaust pipe", exhaust(0.55, CHROME, STEEL, curved=True)),
            part("a square hay bale", hay_bale(0.0, -0.8)),
            part("a steel milk can", milk_can(0.4, -1.72, CHROME, BRASS)),
        ),
    )


def flatbed_truck() -> Model:
    """Red, flat-nosed, with a cask and a crate; sells ice cream on Sundays."""
    nose = 2.16 - 0.001
    return Model(
        "red flatbed truck",
        "vehicle",
        (
            part("a brass-coloured chassis with axles", chassis(BRASS)),
            part("a tall red cab with a big windscreen", flat_cab(RED, CREAM)),
            part("a walnut cargo bed with high sides", cargo_bed(WALNUT, CREAM, sides=3)),
            *_wheels(YELLOW, "yellow-spoked", 8),
            part("a straight cream front bumper", bumper(CREAM, bowed=False)),
            part("a square left headlight", headlight(0.48, 1.06, nose, CREAM, square=True)),
            part("a square right headlight", headlight(-0.48, 1.06, nose, CREAM, square=True)),
            part("a yellow grille with flat bars", grille(1.06, nose, YELLOW, STEEL, upright=False)),
            part("an ice-cream cone roof sign", cone_sign(FRAME_TOP + 1.52, 0.9)),
            part("a straight brass exhaust pipe", exhaust(0.55, BRASS, STEEL, curved=False)),
            part("a boarded wooden crate", crate(0.0, -0.8)),
            part("a hooped wooden cask", cask(0.4, -1.72)),
        ),
    )
