"""Two cottages with the same kinds of parts: brick under red shingles, timber and plaster under thatch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.starter import patterns
from engine.starter.cottage_fittings import (
    arched_door,
    arched_window,
    canopy,
    deck,
    flower_box,
    plank_door,
    round_window,
    sash_window,
    wall_lantern,
)
from engine.starter.models import Model, ModelPart, Piece, cover, part
from engine.starter.outlines import Points, fillet, smooth
from engine.starter.paints import Paint, foliage, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, tube

WIDTH, DEPTH, EAVES, PITCH = 4.4, 2.9, 2.35, 0.8
RIDGE = EAVES + DEPTH / 2 * PITCH
FRONT = DEPTH / 2
OVERHANG = 1.77
SINK = 0.001
"""How far flat parts are let into the wall; their share of volume inside it stays below 2 %."""
BRICK = patterned("red brick", "b4573d", "d8c8ac", 1.1, patterns.bricks, seed=3, size=256)
PLASTER = plain("cream plaster", "efe3c8", 1.6, contrast=26, seed=4)
STONE = patterned("grey field stone", "98938a", "cdc4b2", 1.0, patterns.stones, seed=5)
RED_SHINGLE = patterned("red clay shingles", "b8492f", "b8492f", 1.0, patterns.shingles, seed=6, size=256)
THATCH = patterned("golden thatch", "c49a4c", "c49a4c", 0.9, patterns.straw, seed=7)
DARK_OAK = wood("dark oak", "6b4629", 0.7, planks=2, seed=8)
OAK = wood("oak boards", "a87443", 0.8, planks=4, seed=9)
TEAL = wood("teal painted boards", "2f8583", 0.8, planks=4, seed=10)
GREEN = wood("green painted boards", "5c7f45", 0.6, planks=4, seed=11)
CREAM = plain("cream paint", "f1e6cd", 0.8, contrast=30, seed=12)
BLUE = wood("blue painted boards", "47719b", 0.5, planks=4, seed=13)
PANE = glass("blue window glass", "86b7c9", 0.7)
WARM_PANE = glass("warm window glass", "e9c878", 0.7, "fff3d0", emissive=0.25)
IRON = metal("dark iron", "55555c", 0.4, roughness=0.5, seed=14)
BRASS = metal("brass", "c99b3f", 0.4, seed=15)
COPPER = metal("copper", "b8693f", 0.4, seed=16)
GLOW = glass("lamp glass", "ffd98a", 0.3, "fff6d8", emissive=0.6)
CLAY = plain("terracotta", "b9633f", 0.6, contrast=50, seed=17)
PINK_BUSH = foliage("pink flowers", "5d9145", 0.5, "f08fa8", bloom=120, seed=18)
YELLOW_BUSH = foliage("yellow flowers", "4f8a4b", 0.5, "f6cf4f", bloom=120, seed=19)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fitting is: on the front, or turned about Y onto another wall."""

    x: float
    y: float
    turns: float = 0.0
    wall: float = FRONT

    def put(self, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """Pieces modelled against the plane z = 0, set onto the wall."""
        return tuple(
            replace(p, shell=p.shell.moved(self.x, self.y, self.wall - SINK).turned("y", self.turns)) for p in pieces
        )


def roof_line(z: float) -> float:
    """Height of the top of the walls' slopes at a depth."""
    return RIDGE - PITCH * abs(z)


def slope_uvs(shell: Shell) -> Shell:
    """Texture running down both slopes of a roof whose ridge is along X."""
    boxed = shell.boxed_uvs()
    corners = shell.vertices[shell.faces]
    facing = np.abs(np.asarray(corners[:, :, 0] - corners[:, :1, 0])).max(axis=1) < 1e-9
    slope = np.stack([corners[:, :, 0], np.abs(corners[:, :, 2]) * 1.28], axis=2)
    return replace(boxed, uvs=np.where(facing[:, None, None], boxed.uvs, slope))


def walls(skin: Paint, base: Paint, trim: Paint, *, framed: bool) -> tuple[Piece, ...]:
    """Gabled walls on a plinth, with corner stones or a timber frame."""
    half = DEPTH / 2
    gable = [(-half, 0.0), (half, 0.0), (half, EAVES), (0.0, RIDGE), (-half, EAVES)]
    body = extrude(gable, WIDTH, 0.02, "x", 1).boxed_uvs()
    plinth = box(WIDTH + 0.16, 0.26, DEPTH + 0.16, 0.06).moved(y=0.13).boxed_uvs()
    extras: list[Shell] = []
    for x in (-WIDTH / 2, WIDTH / 2):
        for z in (-half, half):
            if framed:
                extras.append(box(0.2, EAVES - 0.3, 0.2, 0.03, 1).moved(x, (EAVES - 0.3) / 2 + 0.2, z).swapped_uvs())
            else:
                extras += [
                    box(0.34 - 0.12 * (k % 2), 0.28, 0.22 + 0.12 * (k % 2), 0.04, 1).moved(x, 0.42 + 0.33 * k, z)
                    for k in range(5)
                ]
        if framed:
            extras += _frame(x)
    return (*cover(skin, body), *cover(base, plinth), *cover(trim, *extras))


def _frame(x: float) -> list[Shell]:
    """Timbers of one gable."""
    half = DEPTH / 2
    return [
        beam((x, EAVES - 0.12, -half), (x, EAVES - 0.12, half), 0.16, 0.02, 0.1),
        beam((x, EAVES - 0.1, 0.0), (x, RIDGE - 0.22, 0.0), 0.14, 0.02, 0.1),
        beam((x, EAVES - 0.05, -0.75), (x, RIDGE - 0.55, -0.12), 0.12, 0.02, 0.08),
        beam((x, EAVES - 0.05, 0.75), (x, RIDGE - 0.55, 0.12), 0.12, 0.02, 0.08),
    ]


def shingled_roof(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A gabled roof whose rows of shingles are real steps, with a ridge and barge boards."""
    rows, thick, step = 7, 0.2, 0.05
    right: list[tuple[float, float]] = []
    for k in range(rows):
        lower, upper = OVERHANG * (1 - k / rows), OVERHANG * (1 - (k + 1) / rows)
        right += [(lower, roof_line(lower) + thick), (upper, roof_line(upper) + thick - step)]
    under = [(-OVERHANG, roof_line(OVERHANG) - 0.003), (0.0, RIDGE - 0.003), (OVERHANG, roof_line(OVERHANG) - 0.003)]
    outline = [*under, *right, *[(-z, y) for z, y in reversed(right[:-1])]]
    body = slope_uvs(extrude(outline, WIDTH + 0.5, 0.0, "x"))
    top = RIDGE + thick - step
    ridge = tube([(-WIDTH / 2 - 0.3, top, 0.0), (0.0, top, 0.0), (WIDTH / 2 + 0.3, top, 0.0)], 0.1, 9)
    boards = [
        beam((x, RIDGE + 0.09, side * 0.03), (x, roof_line(OVERHANG) + 0.07, side * (OVERHANG + 0.01)), 0.2, 0.02, 0.08)
        for x in (-WIDTH / 2 - 0.26, WIDTH / 2 + 0.26)
        for side in (-1, 1)
    ]
    return (*cover(paint, body, ridge), *cover(trim, *boards))


def thick_roof(upper: Points) -> list[tuple[float, float]]:
    """Profile (z, y) of a roof on the slopes of the house, from its right upper edge (N, 2), eaves to ridge."""
    right = [(float(z), float(y)) for z, y in upper]
    under = [
        (-OVERHANG + 0.1, roof_line(OVERHANG - 0.1) - 0.003),
        (0.0, RIDGE - 0.003),
        (OVERHANG - 0.1, roof_line(OVERHANG - 0.1) - 0.003),
    ]
    return [*under, *right, *[(-z, y) for z, y in reversed(right[:-1])]]


def thatched_roof(paint: Paint, trim: Paint) -> tuple[Piece, ...]:
    """A thick soft roof with a scalloped ridge."""
    thick = 0.34
    low = roof_line(OVERHANG)
    upper = smooth(
        [
            (OVERHANG + 0.02, low + 0.05),
            (OVERHANG - 0.02, low + 0.24),
            (1.45, roof_line(1.45) + thick),
            (0.75, roof_line(0.75) + thick + 0.02),
            (0.22, roof_line(0.22) + thick),
            (0.0, RIDGE + thick - 0.06),
        ],
        3,
    )
    body = slope_uvs(extrude(thick_roof(upper), WIDTH + 0.56, 0.06, "x", 2))
    cap = extrude(
        fillet(
            [
                (-0.46, RIDGE - 0.02),
                (0.0, RIDGE + 0.2),
                (0.46, RIDGE - 0.02),
                (0.46, RIDGE + 0.1),
                (0.0, RIDGE + 0.44),
                (-0.46, RIDGE + 0.1),
            ],
            0.08,
            3,
            closed=True,
        ),
        WIDTH + 0.2,
        0.03,
        "x",
        2,
    )
    rods = [
        tube(
            [
                (-WIDTH / 2 - 0.1, RIDGE + 0.17, s * 0.4),
                (0, RIDGE + 0.17, s * 0.4),
                (WIDTH / 2 + 0.1, RIDGE + 0.17, s * 0.4),
            ],
            0.025,
            6,
        )
        for s in (-1, 1)
    ]
    return (*cover(paint, body, slope_uvs(cap)), *cover(trim, *rods))


def chimney(skin: Paint, cap: Paint, pot: Paint, *, pots: int, lift: float) -> tuple[Piece, ...]:
    """A stack whose foot follows the slope of the roof."""
    x, z, half = 1.3, -0.72, 0.26
    low = [(-z - half, roof_line(z + half) + lift), (-z + half, roof_line(-z + half) + lift)]
    top = RIDGE + 0.62
    stack = extrude([*low, (-z + half, top), (-z - half, top)], 0.5, 0.02, "x", 1).moved(x).boxed_uvs()
    collar = box(0.64, 0.12, 0.64, 0.05).moved(x, top - 0.02, z)
    rim = box(0.56, 0.1, 0.56, 0.03).moved(x, top - 0.2, z)
    profile = [
        (0.0, 0.0),
        (0.09, 0.0),
        (0.105, 0.04),
        (0.085, 0.2),
        (0.11, 0.24),
        (0.11, 0.28),
        (0.075, 0.28),
        (0.07, 0.1),
        (0.0, 0.1),
    ]
    spots = [0.0] if pots == 1 else [-0.14, 0.14]
    tops = [lathe(profile, 10).moved(x + s, top + 0.03, z) for s in spots]
    return (*cover(skin, stack), *cover(cap, collar, rim), *cover(pot, *tops))


def weather_vane(paint: Paint, gold: Paint, *, bird: bool, foot: float) -> tuple[Piece, ...]:
    """A vane on the ridge: an arrow, or a rooster."""
    y = RIDGE + foot
    base = lathe([(0.0, 0.0), (0.1, 0.0), (0.1, 0.05), (0.045, 0.1), (0.03, 0.16), (0.0, 0.16)], 10).moved(y=y)
    pole = tube([(0, y + 0.1, 0), (0, y + 0.4, 0), (0, y + 0.72, 0)], 0.026, 8)
    arms = [
        tube([(-0.24, y + 0.36, 0), (0.24, y + 0.36, 0)], 0.016, 6),
        tube([(0, y + 0.36, -0.24), (0, y + 0.36, 0.24)], 0.016, 6),
    ]
    knob = ellipsoid(0.11, 0.11, 0.11, 9, 6).moved(y=y + 0.36)
    if bird:
        outline = smooth(
            [
                (-0.36, 0.3),
                (-0.3, 0.08),
                (-0.1, 0.0),
                (0.12, 0.02),
                (0.24, 0.16),
                (0.26, 0.3),
                (0.36, 0.34),
                (0.26, 0.4),
                (0.2, 0.48),
                (0.12, 0.4),
                (0.1, 0.24),
                (-0.06, 0.2),
                (-0.18, 0.4),
                (-0.3, 0.44),
            ],
            2,
            closed=True,
        )
        sign = extrude(outline, 0.05, 0.012, "z", 1).moved(y=y + 0.66)
    else:
        outline = fillet(
            [
                (-0.42, -0.12),
                (-0.3, -0.025),
                (0.2, -0.025),
                (0.2, -0.11),
                (0.42, 0.0),
                (0.2, 0.11),
                (0.2, 0.025),
                (-0.3, 0.025),
                (-0.42, 0.12),
                (-0.36, 0.0),
            ],
            0.015,
            2,
            closed=True,
        )
        sign = extrude(outline, 0.05, 0.01, "z", 1).moved(y=y + 0.72)
    return (*cover(paint, base, pole, *arms), *cover(gold, knob, sign))


@dataclass(frozen=True, slots=True)
class Style:
    """What makes one cottage differ from the other, part by part: caption phrase and pieces."""

    name: str
    walls: ModelPart
    roof: ModelPart
    chimney: ModelPart
    vane: ModelPart
    door: ModelPart
    canopy: ModelPart
    deck: ModelPart
    lantern: ModelPart
    window: ModelPart
    gable_window: ModelPart
    flowers: ModelPart


def assemble(style: Style) -> Model:
    """Put the fittings of a style on its walls."""

    def put(fitting: ModelPart, place: Place, where: str = "") -> ModelPart:
        return part(f"{fitting.phrase}{where}", place.put(fitting.pieces))

    parts = [
        style.walls,
        style.roof,
        style.chimney,
        style.vane,
        put(style.door, Place(0.0, 0.27)),
        put(style.canopy, Place(0.0, 1.8)),
        part(style.deck.phrase, Place(0.0, 0.0, wall=FRONT + 0.08).put(style.deck.pieces)),
        put(style.lantern, Place(-0.735, 1.16)),
        put(style.window, Place(1.45, 1.32), " at the front left"),
        put(style.window, Place(-1.45, 1.32), " at the front right"),
        put(style.flowers, Place(1.45, 0.62), " at the front left"),
        put(style.flowers, Place(-1.45, 0.62), " at the front right"),
        put(style.gable_window, Place(0.0, 1.35, 0.25, WIDTH / 2), " on the left side"),
        put(style.gable_window, Place(0.0, 1.35, 0.75, WIDTH / 2), " on the right side"),
        put(style.window, Place(0.0, 1.28, 0.5), " at the back"),
    ]
    return Model(style.name, "building", tuple(parts))


def brick_cottage() -> Model:
    """Red brick, clay shingles, teal door."""
    return assemble(
        Style(
            "brick cottage",
            part("red brick walls with corner stones", walls(BRICK, STONE, CREAM, framed=False)),
            part("a red shingled roof", shingled_roof(RED_SHINGLE, CREAM)),
            part("a brick chimney with two clay pots", chimney(BRICK, STONE, CLAY, pots=2, lift=0.185)),
            part("an iron weather vane with a brass arrow", weather_vane(IRON, BRASS, bird=False, foot=0.245)),
            part("a teal panelled front door", plank_door(TEAL, CREAM, BRASS)),
            part("a shingled porch canopy", canopy(RED_SHINGLE, CREAM, shingled=True)),
            part("a wooden porch deck with a step", deck(OAK, DARK_OAK, boards=True)),
            part("a six-sided iron wall lantern", wall_lantern(IRON, GLOW, round_lamp=False)),
            part("a white sash window with teal shutters", sash_window(CREAM, PANE, TEAL, width=0.52)),
            part("a white round window", round_window(CREAM, PANE)),
            part("a terracotta flower box with pink flowers", flower_box(CLAY, PINK_BUSH, round_front=True)),
        )
    )


def timber_cottage() -> Model:
    """Plaster and oak frame, thatch, green arched door."""
    return assemble(
        Style(
            "timber cottage",
            part("cream plaster walls with dark oak beams", walls(PLASTER, STONE, DARK_OAK, framed=True)),
            part("a thick golden thatched roof", thatched_roof(THATCH, DARK_OAK)),
            part("a field stone chimney with a copper pot", chimney(STONE, DARK_OAK, COPPER, pots=1, lift=0.35)),
            part("a copper weather vane with a rooster", weather_vane(IRON, COPPER, bird=True, foot=0.42)),
            part("a green arched front door with iron straps", arched_door(GREEN, DARK_OAK, IRON)),
            part("a curved blue porch canopy", canopy(BLUE, DARK_OAK, shingled=False)),
            part("a stone terrace with a step", deck(STONE, STONE, boards=False)),
            part("a round brass wall lantern", wall_lantern(BRASS, GLOW, round_lamp=True)),
            part("an arched window with warm glass", arched_window(DARK_OAK, WARM_PANE)),
            part("a shuttered window with an oak frame", sash_window(DARK_OAK, WARM_PANE, BLUE, width=0.4)),
            part("a blue flower box with yellow flowers", flower_box(BLUE, YELLOW_BUSH, round_front=False)),
        )
    )
