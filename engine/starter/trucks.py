"""Two trucks with the same kinds of parts: a rounded pickup and a flat-nosed flatbed."""

from __future__ import annotations

from engine.starter import patterns
from engine.starter.models import Model, ModelPart, Piece, cover, part
from engine.starter.outlines import fillet, points_of, rectangle, smooth
from engine.starter.paints import Paint, cloth, glass, metal, painted_metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube
from engine.starter.trigonometry import cosine_sine

FRAME_TOP = 0.74
AXLE_Z = 1.42
WHEEL_X, WHEEL_Y = 1.02, 0.46
BED_FLOOR = 1.08
SINK = 0.003

TEAL = painted_metal("teal enamel", "2e8c8a", 1.4, seed=21)
RED = painted_metal("red enamel", "bf3f32", 1.4, seed=22)
CREAM = plain("cream enamel", "f2e6cb", 1.0, roughness=0.45, contrast=30, seed=23)
STEEL = metal("dark steel", "5d6068", 0.6, roughness=0.5, seed=24)
CHROME = metal("polished chrome", "c3c7cb", 0.6, roughness=0.25, seed=25)
BRASS = metal("brass", "c99b3f", 0.5, seed=26)
RUBBER = patterned("black rubber", "3d3b3a", "3d3b3a", 0.6, patterns.tread, roughness=0.95, seed=27)
PINE = wood("pine boards", "c2924f", 0.9, planks=4, seed=28)
WALNUT = wood("walnut boards", "7c5233", 0.9, planks=4, seed=29)
PANE = glass("windscreen glass", "87b9c7", 0.9)
LAMP = glass("headlight glass", "ffe9ae", 0.3, "fffaf0", emissive=0.35)
AMBER = glass("amber glass", "f0a13a", 0.3, "ffe2a8", emissive=0.4)
HAY = patterned("hay", "d0aa53", "d0aa53", 0.5, patterns.straw, seed=30)
TWINE = cloth("twine", "a5603a", 0.2, seed=31)
YELLOW = plain("yellow enamel", "e8b33f", 0.8, roughness=0.45, contrast=40, seed=32)
STRAWBERRY = plain("strawberry ice cream", "f0a3a8", 0.6, contrast=50, seed=33)
WAFFLE = patterned("waffle", "d79a4d", "a86a2e", 0.5, patterns.checks, seed=34)


def chassis(paint: Paint) -> tuple[Piece, ...]:
    """Rails, cross members and two axles that end at the wheels' inner faces."""
    rails = [box(0.2, 0.2, 4.3, 0.05).moved(x, FRAME_TOP - 0.1, 0.0) for x in (-0.55, 0.55)]
    cross = [box(1.2, 0.14, 0.24, 0.04).moved(0, FRAME_TOP - 0.1, z) for z in (-2.0, -0.9, 0.0, 0.9, 2.0)]
    inner = WHEEL_X - 0.17 + SINK
    axles = [tube([(-inner, WHEEL_Y, z), (0, WHEEL_Y, z), (inner, WHEEL_Y, z)], 0.09, 14, rounded=False) for z in (-AXLE_Z, AXLE_Z)]
    posts = [box(0.16, 0.24, 0.3, 0.04).moved(x, 0.57, z) for x in (-0.55, 0.55) for z in (-AXLE_Z, AXLE_Z)]
    diff = ellipsoid(0.4, 0.34, 0.4, 16, 10).moved(0, WHEEL_Y, -AXLE_Z)
    return cover(paint, *rails, *cross, *axles, *posts, diff)


def wheel(x: float, z: float, hub: Paint, *, spokes: int) -> tuple[Piece, ...]:
    """A tyre with a dished hub, the inner face flat; `spokes` > 0 adds them in relief."""
    tyre_profile = fillet([(0.2, -0.16), (0.44, -0.16), (0.46, 0.0), (0.44, 0.16), (0.3, 0.16), (0.27, 0.1), (0.2, 0.1)], 0.05, 2, closed=True)
    tyre = lathe(tyre_profile, 24, loop=True)
    disc = lathe(fillet([(0.0, -0.17), (0.22, -0.17), (0.28, 0.08), (0.25, 0.13), (0.2, 0.09), (0.1, 0.1), (0.09, 0.17), (0.0, 0.18)], 0.03, 2), 24)
    marks = [ellipsoid(0.06, 0.05, 0.06, 8, 6).moved(0.16, 0.1, 0.0).turned("y", k / 5) for k in range(5)] if not spokes else [
        box(0.14, 0.05, 0.05, 0.015, 1).moved(0.16, 0.1, 0.0).turned("y", k / spokes) for k in range(spokes)
    ]  # fmt: skip
    turns = -0.25 if x > 0 else 0.25

    def stand(shell: Shell) -> Shell:
        return shell.turned("z", turns).moved(x, WHEEL_Y, z)

    return (*cover(RUBBER, stand(tyre)), *cover(hub, *(stand(s) for s in (disc, *marks))))


def fender(z: float, x: float, depth: float) -> Shell:
    """A mudguard over a wheel."""
    cosine, sine = cosine_sine(points_of([[k / 24 for k in range(13)]])[0])
    outer = [(c * 0.68, s * 0.66) for c, s in zip(cosine.tolist(), sine.tolist(), strict=True)]
    inner = [(c * 0.56, s * 0.56) for c, s in zip(cosine.tolist(), sine.tolist(), strict=True)]
    return extrude([*outer, *reversed(inner)], depth, 0.03, "x", 2).moved(x, WHEEL_Y + 0.02, z)


def round_cab(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """Bonnet, cabin with a curved roof, mudguards, windows on all sides."""
    side = fillet(
        [(-2.1, 0.0), (0.1, 0.0), (0.1, 0.62), (0.02, 1.28), (-0.14, 1.4), (-0.72, 1.42), (-0.98, 1.28), (-1.2, 0.72), (-1.95, 0.6), (-2.1, 0.4)],
        0.14, 4, closed=True,
    )  # fmt: skip
    body = extrude(side, 1.42, 0.12, "x", 3).moved(0, FRAME_TOP - SINK, 0.12).boxed_uvs()
    guards = [fender(AXLE_Z, x, 0.42) for x in (-0.88, 0.88)]
    steps = [box(0.3, 0.07, 0.8, 0.03).moved(x, FRAME_TOP + 0.06, 0.36) for x in (-0.83, 0.83)]
    y = FRAME_TOP + 1.0
    windows = [extrude(fillet([(-0.95, -0.24), (-0.06, -0.24), (-0.12, 0.24), (-0.76, 0.24)], 0.08, 3, closed=True), 0.04, 0.012, "x", 1).moved(x, y, 0.12) for x in (-0.71, 0.71)]
    screen = slab(1.12, 0.5, 0.04, 0.1, 3).turned("x", -0.062).moved(0, y + 0.01, 1.235)
    rear = slab(0.9, 0.38, 0.04, 0.1, 3).moved(0, y + 0.03, 0.07)
    stripe = [extrude(rectangle(2.0, 0.1, 0.04, 2), 0.04, 0.012, "x", 1).moved(x, FRAME_TOP + 0.42, 1.06) for x in (-0.71, 0.71)]
    handles = [tube([(x, FRAME_TOP + 0.6, 0.3), (x, FRAME_TOP + 0.6, 0.5)], 0.028, 8) for x in (-0.73, 0.73)]
    return (*cover(paint, body, *guards), *cover(PANE, *windows, screen, rear), *cover(trim, *stripe, *steps, *handles))


def flat_cab(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A tall cabin over the engine with a big windscreen and a visor."""
    side = fillet([(-2.04, 0.0), (0.1, 0.0), (0.1, 1.5), (-1.62, 1.56), (-2.04, 0.74)], 0.16, 4, closed=True)
    body = extrude(side, 1.46, 0.1, "x", 3).moved(0, FRAME_TOP - SINK, 0.12).boxed_uvs()
    guards = [fender(AXLE_Z, x, 0.36) for x in (-0.88, 0.88)]
    y = FRAME_TOP + 1.1
    windows = [extrude(fillet([(-1.66, -0.26), (-0.8, -0.26), (-0.8, 0.26), (-1.44, 0.26)], 0.07, 3, closed=True), 0.04, 0.012, "x", 1).moved(x, y, 0.12) for x in (-0.73, 0.73)]
    windows += [extrude(rectangle(0.5, 0.52, 0.08, 3), 0.04, 0.012, "x", 1).moved(x, y, 0.52) for x in (-0.73, 0.73)]
    screen = slab(1.16, 0.6, 0.04, 0.1, 3).turned("x", -0.0757).moved(0, y + 0.02, 1.965)
    visor = slab(1.3, 0.05, 0.24, 0.02).turned("x", 0.03).moved(0, FRAME_TOP + 1.5, 1.86)
    band = [extrude(rectangle(1.94, 0.14, 0.05, 2), 0.04, 0.012, "x", 1).moved(x, FRAME_TOP + 0.6, 1.09) for x in (-0.73, 0.73)]
    handles = [tube([(x, FRAME_TOP + 0.42, 0.56), (x, FRAME_TOP + 0.42, 0.76)], 0.028, 8) for x in (-0.75, 0.75)]
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
        rails += [box(2 * half, 0.15, 0.08, 0.02, 1).moved(0, level, z) for z in (back + 0.04, front - 0.04)]
    height = 0.12 + 0.2 * sides
    stakes = [
        box(0.1, height, 0.12, 0.02, 1).moved(x, y + 0.1 + height / 2, z)
        for x in (-half - 0.02, half + 0.02) for z in (back + 0.12, middle, front - 0.12)
    ]  # fmt: skip
    bearers = [box(0.16, y - FRAME_TOP + SINK, length - 0.1, 0.03, 1).moved(x, (y + FRAME_TOP - SINK) / 2, middle) for x in (-0.5, 0.5)]
    return (*cover(boards, floor, *rails), *cover(posts, *stakes, *bearers))


def bumper(paint: Paint, *, bowed: bool) -> tuple[Piece, ...]:
    """A bar across the front of the frame."""
    z = 2.15 - SINK
    if bowed:
        path = smooth([(-0.95, 0.64, z + 0.0), (-0.6, 0.64, z + 0.2), (0.0, 0.64, z + 0.26), (0.6, 0.64, z + 0.2), (0.95, 0.64, z)], 4)
        bars = [tube(path, 0.085, 12)]
        bars += [tube([(x, 0.64, z), (x, 0.64, z + 0.2)], 0.06, 10, rounded=False) for x in (-0.55, 0.55)]
        return cover(paint, *bars)
    bar = slab(1.9, 0.26, 0.14, 0.06).moved(0, 0.64, z + 0.18)
    stubs = [box(0.14, 0.14, 0.16, 0.02, 1).moved(x, 0.64, z + 0.08) for x in (-0.55, 0.55)]
    hooks = [ring(0.07, 0.04, 14, 8).turned("z", 0.25).moved(x, 0.62, z + 0.29) for x in (-0.5, 0.5)]
    return cover(paint, bar, *stubs, *hooks)


def headlight(x: float, y: float, z: float, rim: Paint, *, square: bool) -> tuple[Piece, ...]:
    """A lamp whose back is flat at `z`."""
    if square:
        housing = slab(0.3, 0.28, 0.16, 0.06).moved(x, y, z + 0.08)
        lens = slab(0.22, 0.2, 0.06, 0.05).moved(x, y, z + 0.155)
        return (*cover(rim, housing), *cover(LAMP, lens))
    housing = lathe(smooth([(0.08, 0.0), (0.14, 0.06), (0.17, 0.16), (0.17, 0.2), (0.13, 0.2)], 3), 20)
    lens = ellipsoid(0.28, 0.1, 0.28, 18, 8).moved(y=0.19)
    return tuple(
        Piece(s.turned("x", 0.25).moved(x, y, z), p) for s, p in ((housing, rim), (lens, LAMP))
    )


def grille(y: float, z: float, frame: Paint, bars: Paint, *, upright: bool) -> tuple[Piece, ...]:
    """A radiator grille with a flat back at `z`."""
    plate = slab(0.66, 0.42, 0.08, 0.1, 3).moved(0, y, z + 0.04)
    if upright:
        slats = [slab(0.035, 0.32, 0.06, 0.012, 1).moved(-0.24 + 0.08 * k, y, z + 0.08) for k in range(7)]
    else:
        slats = [slab(0.54, 0.04, 0.06, 0.012, 1).moved(0, y - 0.14 + 0.07 * k, z + 0.08) for k in range(5)]
    badge = ellipsoid(0.12, 0.12, 0.06, 14, 8).moved(0, y + 0.02, z + 0.11)
    return (*cover(frame, plate), *cover(bars, *slats, badge))


def side_mirror(side: int, y: float, z: float, x: float, rim: Paint) -> tuple[Piece, ...]:
    """A mirror on an arm; `side` is +1 on the left."""
    arm = tube(smooth([(side * x, y - 0.06, z), (side * (x + 0.14), y - 0.04, z + 0.03), (side * (x + 0.2), y + 0.04, z + 0.03)], 3), 0.025, 8)
    back = slab(0.2, 0.28, 0.08, 0.06).moved(side * (x + 0.24), y + 0.14, z + 0.03)
    face = slab(0.15, 0.22, 0.02, 0.05).moved(side * (x + 0.24), y + 0.14, z - 0.02)
    return (*cover(rim, arm, back), *cover(PANE, face))


def exhaust(x: float, paint: Paint, tip: Paint, *, curved: bool) -> tuple[Piece, ...]:
    """An upright exhaust pipe standing on the frame behind the cab."""
    foot, z = FRAME_TOP - SINK, -0.15
    base = lathe([(0.0, 0.0), (0.1, 0.0), (0.1, 0.05), (0.06, 0.08), (0.0, 0.08)], 14).moved(x, foot, z)
    top = (0.0, 0.1, -0.12) if curved else (0.0, 0.12, 0.0)
    path = smooth([(x, foot + 0.04, z), (x, foot + 0.8, z), (x, foot + 1.62, z), (x + top[0], foot + 1.62 + top[1], z + top[2])], 4)
    pipe = tube(path, 0.055, 12, rounded=False)
    muffler = lathe(fillet([(0.0, 0.0), (0.085, 0.0), (0.095, 0.1), (0.095, 0.6), (0.085, 0.7), (0.0, 0.7)], 0.03, 2), 16).moved(x, foot + 0.5, z)
    return (*cover(tip, base, pipe), *cover(paint, muffler))


def beacon(y: float, z: float) -> tuple[Piece, ...]:
    """An amber lamp for the roof."""
    foot = lathe(fillet([(0.0, 0.0), (0.2, 0.0), (0.2, 0.07), (0.15, 0.1), (0.0, 0.1)], 0.02, 2), 22).moved(0, y, z)
    dome = lathe([(0.0, 0.08), *smooth([(0.14, 0.08), (0.145, 0.2), (0.1, 0.32), (0.0, 0.36)], 4).tolist()], 22).moved(0, y, z)
    ribs = [ring(0.142, 0.02, 20, 6).moved(0, y + h, z) for h in (0.14, 0.21)]
    return (*cover(STEEL, foot, *ribs), *cover(AMBER, dome))


def cone_sign(y: float, z: float) -> tuple[Piece, ...]:
    """An ice-cream cone as a roof sign."""
    foot = lathe(fillet([(0.0, 0.0), (0.2, 0.0), (0.18, 0.06), (0.08, 0.1), (0.0, 0.1)], 0.02, 2), 22).moved(0, y, z)
    cone = lathe([(0.0, 0.04), (0.05, 0.05), (0.17, 0.36), (0.18, 0.4), (0.0, 0.4)], 20).moved(0, y, z)
    scoop = lathe(smooth([(0.17, 0.38), (0.2, 0.42), (0.19, 0.52), (0.12, 0.62), (0.0, 0.66)], 4), 20).moved(0, y, z)
    cherry = ellipsoid(0.11, 0.11, 0.11, 14, 8).moved(0, y + 0.69, z)
    return (*cover(CREAM, foot), *cover(WAFFLE, cone), *cover(STRAWBERRY, scoop), *cover(RED, cherry))


def hay_bale(x: float, z: float) -> tuple[Piece, ...]:
    """A tied bale lying in the bed."""
    y = BED_FLOOR - SINK
    bale = box(1.0, 0.52, 0.7, 0.08).moved(x, y + 0.26, z).boxed_uvs()
    ties = [box(0.05, 0.54, 0.72, 0.08).moved(x + s, y + 0.27, z) for s in (-0.25, 0.25)]
    return (*cover(HAY, bale), *cover(TWINE, *ties))


def milk_can(x: float, z: float, paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A dairy can with a lid and handles."""
    y = BED_FLOOR - SINK
    profile = fillet([(0.0, 0.0), (0.22, 0.0), (0.24, 0.05), (0.24, 0.46), (0.14, 0.62), (0.14, 0.72), (0.18, 0.76), (0.18, 0.82), (0.06, 0.86), (0.0, 0.86)], 0.03, 3)
    can = lathe(profile, 22).moved(x, y, z)
    bands = [ring(0.24, 0.04, 22, 6).moved(x, y + h, z) for h in (0.1, 0.42)]
    grips = [tube(smooth([(x + s * 0.2, y + 0.5, z), (x + s * 0.28, y + 0.56, z), (x + s * 0.28, y + 0.66, z), (x + s * 0.14, y + 0.68, z)], 3), 0.022, 8) for s in (-1, 1)]
    return (*cover(paint, can), *cover(trim, *bands, *grips))


def cask(x: float, z: float) -> tuple[Piece, ...]:
    """A small standing barrel."""
    y = BED_FLOOR - SINK
    body = lathe(smooth([(0.2, 0.0), (0.26, 0.2), (0.28, 0.4), (0.26, 0.6), (0.2, 0.8)], 4), 20).swapped_uvs().moved(x, y, z)
    hoops = [lathe([(r - 0.03, h - 0.03), (r + 0.012, h - 0.03), (r + 0.018, h + 0.03), (r - 0.03, h + 0.03)], 20, loop=True).moved(x, y, z) for h, r in ((0.1, 0.232), (0.28, 0.272), (0.54, 0.27), (0.7, 0.232))]
    return (*cover(PINE, body), *cover(STEEL, *hoops))


def crate(x: float, z: float) -> tuple[Piece, ...]:
    """A boarded crate with corner posts."""
    y = BED_FLOOR - SINK
    core = box(0.86, 0.5, 0.64, 0.02, 1).moved(x, y + 0.27, z).boxed_uvs()
    frame = [box(0.94, 0.09, 0.72, 0.03, 1).moved(x, y + h, z) for h in (0.045, 0.495)]
    posts = [box(0.1, 0.5, 0.1, 0.02, 1).moved(x + a * 0.42, y + 0.27, z + b * 0.31) for a in (-1, 1) for b in (-1, 1)]
    brace = [beam((x - 0.36, y + 0.09, z + s * 0.325), (x + 0.36, y + 0.45, z + s * 0.325), 0.08, 0.01, 0.05) for s in (-1, 1)]
    return (*cover(PINE, core), *cover(WALNUT, *frame, *posts, *brace))


def _wheels(hub: Paint, kind: str, spokes: int) -> list[ModelPart]:
    places = (("front left", 1, 1), ("front right", -1, 1), ("back left", 1, -1), ("back right", -1, -1))
    return [part(f"a {kind} {where} wheel", wheel(x * WHEEL_X, z * AXLE_Z, hub, spokes=spokes)) for where, x, z in places]


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
