"""A writing desk and a garden table, set with the same kinds of things."""

from __future__ import annotations

from engine.starter import homeware as home
from engine.starter import patterns
from engine.starter import tableware as ware
from engine.starter.models import Model, ModelPart, Piece, cover, part, set_down
from engine.starter.outlines import ellipse, fillet, rectangle, smooth
from engine.starter.paints import Paint, metal, patterned, plain, wood
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, slab, tube

TOP = 1.6
SINK = 0.003
CORNERS = (("front left", 1, 1), ("front right", -1, 1), ("back left", 1, -1), ("back right", -1, -1))

WALNUT = wood("walnut boards", "83532f", 1.2, planks=4, seed=101)
DARK = wood("dark walnut", "5d3a24", 0.8, planks=2, seed=102)
MINT = wood("mint painted boards", "8fc0a6", 1.2, planks=4, seed=103)
WHITE = plain("white paint", "f1ead9", 0.9, contrast=30, seed=104)
BRASS = metal("brass", "c99c42", 0.5, seed=105)
LEATHER = plain("green leather", "3f6b52", 0.8, roughness=0.6, contrast=40, seed=106)
TILES = patterned("painted tiles", "f0e3c6", "3f7fa0", 0.8, patterns.checks, roughness=0.4, seed=107)


def desk_top() -> tuple[Piece, ...]:
    """A thick rounded board with a leather inlay over an apron."""
    board = extrude(rectangle(3.4, 1.8, 0.12, 3), 0.16, 0.05, "y").moved(0, TOP - 0.08, 0)
    inlay = extrude(rectangle(2.9, 1.4, 0.1, 3), 0.03, 0.01, "y", 1).moved(0, TOP, 0)
    apron = box(3.0, 0.2, 1.4, 0.04).moved(0, TOP - 0.25, 0)
    return (*cover(WALNUT, board), *cover(LEATHER, inlay), *cover(DARK, apron))


def garden_top() -> tuple[Piece, ...]:
    """An oval board with a tiled field over an apron."""
    board = extrude(ellipse(3.5, 2.1, 30), 0.16, 0.05, "y").moved(0, TOP - 0.08, 0)
    field = extrude(ellipse(2.8, 1.5, 28), 0.03, 0.01, "y", 1).moved(0, TOP, 0)
    apron = extrude(ellipse(3.0, 1.6, 28), 0.2, 0.03, "y", 2).moved(0, TOP - 0.25, 0)
    return (*cover(MINT, board), *cover(TILES, field), *cover(WHITE, apron))


def turned_leg(x: float, z: float, paint: Paint) -> tuple[Piece, ...]:
    """A turned leg with a square head under the board."""
    top = TOP - 0.35 + SINK
    head = box(0.26, 0.3, 0.26, 0.03).moved(x, top - 0.15, z)
    shaft = lathe(
        smooth(
            [
                (0.08, 0.0),
                (0.1, 0.06),
                (0.07, 0.14),
                (0.09, 0.3),
                (0.13, 0.62),
                (0.12, 0.74),
                (0.07, 0.82),
                (0.12, 0.9),
                (0.1, top - 0.28),
            ],
            2,
        ),
        16,
    )
    return cover(paint, head, shaft.moved(x, 0, z))


def curved_leg(x: float, z: float, sx: int, sz: int, paint: Paint) -> tuple[Piece, ...]:
    """A bowed leg on a ball foot."""
    top = TOP - 0.35 + SINK
    head = lathe(fillet([(0.0, 0.0), (0.15, 0.0), (0.15, 0.08), (0.0, 0.08)], 0.02, 2), 14).moved(x, top - 0.08, z)
    path = smooth(
        [
            (x, top - 0.17, z),
            (x + sx * 0.1, top - 0.4, z + sz * 0.06),
            (x - sx * 0.02, 0.4, z - sz * 0.02),
            (x + sx * 0.1, 0.12, z + sz * 0.06),
        ],
        4,
    )
    shaft = tube(path, [0.12 - 0.045 * k / (len(path) - 1) for k in range(len(path))], 9)
    foot = ellipsoid(0.24, 0.2, 0.24, 12, 8).moved(x + sx * 0.1, 0.1, z + sz * 0.06)
    collar = ring(0.1, 0.05, 12, 6).moved(x + sx * 0.07, 0.2, z + sz * 0.045)
    return (*cover(paint, head, shaft), *cover(BRASS, foot, collar))


def drawer(front: Paint, side: Paint, z: float, *, bowed: bool) -> tuple[Piece, ...]:
    """A drawer box hung under the apron, with a moulded front and pulls."""
    top = TOP - 0.35 + SINK
    body = box(1.5, 0.34, 0.9, 0.03, 1).moved(0, top - 0.17, z - 0.45).boxed_uvs()
    face = slab(1.58, 0.32, 0.1, 0.12 if bowed else 0.04, 3).moved(0, top - 0.18, z)
    field = slab(1.3, 0.18, 0.05, 0.08 if bowed else 0.03, 3).moved(0, top - 0.18, z + 0.05)
    if bowed:
        pulls = [ellipsoid(0.12, 0.12, 0.12, 10, 8).moved(x, top - 0.18, z + 0.12) for x in (-0.4, 0.4)]
    else:
        pulls = [
            tube(
                smooth(
                    [
                        (x - 0.12, top - 0.16, z + 0.06),
                        (x - 0.1, top - 0.2, z + 0.13),
                        (x + 0.1, top - 0.2, z + 0.13),
                        (x + 0.12, top - 0.16, z + 0.06),
                    ],
                    2,
                ),
                0.025,
                6,
            )
            for x in (-0.38, 0.38)
        ]
    return (*cover(side, body), *cover(front, face, field), *cover(BRASS, *pulls))


def _on_top(phrase: str, pieces: tuple[Piece, ...], scale: float, spot: tuple[float, ...]) -> ModelPart:
    """A thing standing on the table; spot: x, z and, where it matters, turns about Y."""
    x, z, turns = (*spot, 0.0)[:3]
    return part(phrase, set_down(pieces, scale, (x, TOP + 0.015 - SINK, z), turns))


def writing_desk() -> Model:
    """Walnut and green leather, for letters."""
    legs = [
        part(f"a turned dark walnut {where} leg", turned_leg(sx * 1.3, sz * 0.52, DARK)) for where, sx, sz in CORNERS
    ]
    return Model(
        "writing desk",
        "furniture",
        (
            part("a walnut desk top with a green leather inlay", desk_top()),
            *legs,
            part("a walnut drawer with brass pulls", drawer(WALNUT, DARK, 0.66, bowed=False)),
            _on_top(
                "a brass desk lamp with a swan neck",
                home.table_lamp(home.BRASS, home.GREEN_COVER, bell=False),
                1.0,
                (-1.15, -0.4, 0.08),
            ),
            _on_top("a cobalt blue vase with red tulips", ware.bouquet(ware.COBALT, tulips=True), 0.72, (1.15, -0.42)),
            _on_top(
                "a pile of three books",
                home.books((home.RED_COVER, home.BLUE_COVER, home.GREEN_COVER)),
                0.85,
                (0.3, -0.38, 0.02),
            ),
            _on_top("a white porcelain mug", ware.mug(ware.PORCELAIN, saucer=False), 0.42, (-0.9, 0.4, -0.1)),
            _on_top(
                "a walnut mantel clock", home.mantel_clock(ware.WALNUT, home.BRASS, arched=True), 0.66, (-0.45, -0.42)
            ),
            _on_top("a small desk globe", home.desk_globe(), 0.66, (1.12, 0.34)),
        ),
    )


def garden_table() -> Model:
    """Mint and white, laid for tea."""
    legs = [
        part(f"a bowed white {where} leg", curved_leg(sx * 1.0, sz * 0.42, sx, sz, WHITE)) for where, sx, sz in CORNERS
    ]
    return Model(
        "garden table",
        "furniture",
        (
            part("an oval mint table top with painted tiles", garden_top()),
            *legs,
            part("a mint drawer with round pulls", drawer(MINT, WHITE, 0.66, bowed=True)),
            _on_top(
                "a copper table lamp with a cream shade", home.table_lamp(home.COPPER, home.LINEN), 0.95, (-0.95, -0.25)
            ),
            _on_top(
                "a celadon vase with yellow flowers", ware.bouquet(ware.CELADON, tulips=False), 0.72, (0.98, -0.24)
            ),
            _on_top("an iced cake with berries", ware.layer_cake(stand=False), 0.62, (0.3, -0.34)),
            _on_top("a rose china cup on a saucer", ware.mug(ware.ROSE_CHINA, saucer=True), 0.46, (-0.62, 0.45, -0.12)),
            _on_top(
                "a silver alarm clock with two bells",
                home.mantel_clock(ware.TEAL_CHINA, home.SILVER, arched=False),
                0.6,
                (-0.35, -0.42),
            ),
            _on_top(
                "a wicker basket of apples and pears",
                ware.fruit_basket(ware.APPLE, ware.PEAR, hoop=True),
                0.6,
                (0.8, 0.42, 0.1),
            ),
        ),
    )
