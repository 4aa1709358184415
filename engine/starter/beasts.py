"""A dairy cow and a grey donkey, built alike: body, head, legs, tail, saddle, bags, collar, horns or ears."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.forms import on_side
from engine.starter.models import Model, ModelPart, Piece, cover, part
from engine.starter.outlines import fillet, points_of, smooth
from engine.starter.paints import Paint, cloth, foliage, fur, metal, patterned, plain
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, lathe, ring, slab, tube
from engine.starter.trigonometry import cosine_sine

BACK_Y, GIRTH = 1.75, 0.66
LEG_TOP = 1.12
NECK = (0.0, 2.3, 1.24)
NECK_RADIUS = 0.3
SINK = 0.004
CORNERS = (("front left", 1, 1), ("front right", -1, 1), ("back left", 1, -1), ("back right", -1, -1))

COW = fur("white coat with brown patches", "efe6d6", 2.2, "6d4a34", spots=128, seed=121)
COW_PLAIN = fur("white coat", "efe6d6", 1.0, seed=122)
DONKEY = fur("grey coat", "8f8a88", 1.2, seed=123)
DONKEY_LIGHT = fur("pale muzzle fur", "dcd2c2", 0.8, seed=124)
MANE = fur("dark mane", "4b4344", 0.6, seed=125)
PINK = plain("pink skin", "e5a59a", 0.6, contrast=40, seed=126)
HORN = plain("horn", "d9c59a", 0.4, roughness=0.5, contrast=70, seed=127)
HOOF = plain("dark hoof", "4a3f3a", 0.5, roughness=0.6, contrast=50, seed=128)
INK = plain("black eye", "241f22", 0.3, roughness=0.2, contrast=10, seed=129)
WHITE = plain("white spark", "fbf7ee", 0.2, roughness=0.3, contrast=10, seed=130)
RED_CLOTH = cloth(
    "red saddle cloth", "b8403a", 0.6, "f0d9a0", pattern=partial(patterns.stripes, count=3, upright=True), seed=131
)
BLUE_CLOTH = cloth("blue saddle cloth", "3d6a98", 0.5, "f2e2b8", pattern=partial(patterns.dots, count=4), seed=132)
LEATHER = plain("brown leather", "8a5431", 0.7, roughness=0.6, contrast=60, seed=133)
TAN = plain("tan leather", "b98450", 0.7, roughness=0.6, contrast=60, seed=134)
WICKER = patterned("wicker", "bd8f50", "7f5a2e", 0.4, partial(patterns.weave, threads=16), seed=135)
BRASS = metal("brass", "cc9f42", 0.4, seed=136)
GREENS = foliage("green cabbages", "6fa34a", 0.4, "cfe28a", seed=138)
TEAL = cloth("teal ribbon", "2f8c88", 0.4, seed=137)


def body(coat: Paint, *, mane: Paint | None) -> tuple[Piece, ...]:
    """A rounded trunk with leg stumps and a neck that ends in a flat face."""
    profile = smooth([(0.0, -1.25), (0.34, -1.2), (0.58, -1.0), (GIRTH, -0.6)], 3).tolist()
    profile += [(GIRTH, -0.2), (GIRTH, 0.2), *smooth([(GIRTH, 0.5), (0.6, 0.86), (0.36, 1.1), (0.0, 1.16)], 3).tolist()]
    trunk = lathe(profile, 24).turned("x", 0.25).scaled(0.94, 1, 1).moved(0, BACK_Y, 0)
    stump = lathe(fillet([(0.0, 0.0), (0.2, 0.0), (0.24, 0.4), (0.0, 0.4)], 0.02, 2), 14)
    stumps = [stump.moved(sx * 0.34, LEG_TOP, sz * 0.72) for _, sx, sz in CORNERS]
    x, y, z = NECK
    neck = tube([(0, 1.9, 0.6), (0, 2.1, 0.96), (x, y, z)], [0.44, 0.36, NECK_RADIUS], 14, rounded=False)
    pieces = cover(coat, trunk, *stumps, neck)
    if mane is None:
        return pieces
    tufts = [
        ellipsoid(0.14, 0.34, 0.3, 8, 6).turned("x", 0.06).moved(0, 2.2 + 0.1 * k, 0.66 + 0.13 * k) for k in range(4)
    ]
    return (*pieces, *cover(mane, *tufts))


def _eyes(y: float, z: float, x: float) -> tuple[Piece, ...]:
    eyes = [ellipsoid(0.15, 0.2, 0.12, 10, 8).moved(s * x, y, z) for s in (-1, 1)]
    sparks = [ellipsoid(0.05, 0.06, 0.04, 8, 5).moved(s * x + 0.03, y + 0.05, z + 0.05) for s in (-1, 1)]
    return (*cover(INK, *eyes), *cover(WHITE, *sparks))


def _neck_end(coat: Paint) -> tuple[Piece, ...]:
    x, y, z = NECK
    lift = 0.0 - SINK
    start = (x, y + lift * 0.5, z + lift * 0.8)
    return cover(coat, tube([start, (0, 2.42, 1.408), (0, 2.5, 1.5)], [NECK_RADIUS, 0.29, 0.28], 14, rounded=False))


def cow_head() -> tuple[Piece, ...]:
    """A broad head with a pink muzzle, ears to the sides and friendly eyes."""
    skull = ellipsoid(0.78, 0.76, 0.78, 16, 10).moved(0, 2.62, 1.58)
    muzzle = ellipsoid(0.66, 0.46, 0.5, 16, 9).moved(0, 2.44, 1.88)
    nostrils = [ellipsoid(0.09, 0.12, 0.06, 8, 6).moved(s * 0.15, 2.5, 2.11) for s in (-1, 1)]
    smile = tube(smooth([(-0.16, 2.38, 2.08), (0.0, 2.33, 2.13), (0.16, 2.38, 2.08)], 3), 0.018, 5)
    ears = [ellipsoid(0.42, 0.22, 0.12, 10, 6).turned("z", s * -0.03).moved(s * 0.52, 2.68, 1.52) for s in (-1, 1)]
    inner = [ellipsoid(0.28, 0.13, 0.08, 9, 6).turned("z", s * -0.03).moved(s * 0.53, 2.68, 1.56) for s in (-1, 1)]
    blaze = ellipsoid(0.26, 0.5, 0.3, 10, 8).turned("x", -0.06).moved(0, 2.74, 1.86)
    return (
        *_neck_end(COW_PLAIN),
        *cover(COW, skull, *ears),
        *cover(COW_PLAIN, blaze),
        *cover(PINK, muzzle, *inner),
        *cover(INK, *nostrils, smile),
        *_eyes(2.7, 1.91, 0.25),
    )


def donkey_head() -> tuple[Piece, ...]:
    """A long head with a pale muzzle and a tuft."""
    skull = ellipsoid(0.68, 0.74, 0.76, 16, 10).moved(0, 2.64, 1.58)
    face = tube([(0, 2.6, 1.66), (0, 2.5, 1.9), (0, 2.44, 2.02)], [0.31, 0.27, 0.25], 13)
    muzzle = ellipsoid(0.56, 0.48, 0.44, 16, 9).moved(0, 2.42, 2.06)
    nostrils = [ellipsoid(0.08, 0.11, 0.06, 8, 6).moved(s * 0.12, 2.5, 2.25) for s in (-1, 1)]
    smile = tube(smooth([(-0.13, 2.36, 2.24), (0.0, 2.31, 2.28), (0.13, 2.36, 2.24)], 3), 0.018, 5)
    tuft = [
        ellipsoid(0.13, 0.3, 0.16, 8, 6).turned("z", 0.04 * k).moved(-0.09 * k, 2.93, 1.82 - 0.02 * k * k)
        for k in (-1, 0, 1)
    ]
    return (
        *_neck_end(DONKEY),
        *cover(DONKEY, skull, face),
        *cover(DONKEY_LIGHT, muzzle),
        *cover(MANE, *tuft),
        *cover(INK, *nostrils, smile),
        *_eyes(2.72, 1.87, 0.24),
    )


def leg(sx: int, sz: int, coat: Paint, sock: Paint | None) -> tuple[Piece, ...]:
    """A sturdy leg on a hoof."""
    x, z = sx * 0.34, sz * 0.72
    profile = [(0.17, 0.18), (0.165, 0.5), (0.15, 0.72), (0.2, LEG_TOP + SINK)]
    if sock is not None:
        profile = [(0.16, 0.18), (0.14, 0.36), (0.16, 0.52), (0.14, 0.8), (0.19, LEG_TOP + SINK)]
    shaft = lathe(smooth(profile, 3), 14).moved(x, 0, z)
    hoof = lathe(fillet([(0.0, 0.0), (0.22, 0.0), (0.18, 0.2), (0.0, 0.2)], 0.03, 2), 14).moved(x, 0, z + 0.02)
    cuff = ring(0.165, 0.07, 14, 6).moved(x, 0.22, z)
    return (*cover(coat, shaft), *cover(HOOF, hoof), *cover(sock or coat, cuff))


def tail(coat: Paint, brush: Paint, *, length: float) -> tuple[Piece, ...]:
    """A hanging tail with a brush, its root against the rump."""
    z = -1.27
    path = smooth([(0, 1.88, z), (0, 1.86, z - 0.1), (0, 1.6, z - 0.24), (0.03, 1.86 - length, z - 0.2)], 4)
    cord = tube(path, [0.075 - 0.03 * k / (len(path) - 1) for k in range(len(path))], 8)
    tip = lathe(smooth([(0.0, -0.2), (0.1, -0.1), (0.13, 0.04), (0.07, 0.18), (0.0, 0.22)], 3), 10).moved(
        0.03, 1.8 - length, z - 0.2
    )
    return (*cover(coat, cord), *cover(brush, tip))


def horn(side: int) -> tuple[Piece, ...]:
    """A curved horn; built on the left and mirrored."""
    path = smooth([(0.24, 3.01, 1.56), (0.34, 3.08, 1.56), (0.46, 3.18, 1.56), (0.5, 3.36, 1.58), (0.44, 3.52, 1.6)], 3)
    shell = tube(path, [0.1 - 0.085 * k / (len(path) - 1) for k in range(len(path))], 9)
    root = ring(0.09, 0.06, 10, 6).turned("z", -0.11).moved(0.29, 3.02, 1.56)
    return on_side(side, (*cover(HORN, shell), *cover(LEATHER, root)))


def long_ear(side: int) -> tuple[Piece, ...]:
    """A tall ear, hollow in front; built on the left and mirrored."""
    outer = ellipsoid(0.24, 0.74, 0.16, 12, 9).moved(0, 0.37, 0).turned("z", -0.04).moved(0.16, 2.965, 1.54)
    inner = ellipsoid(0.14, 0.52, 0.08, 10, 8).moved(0, 0.38, 0.06).turned("z", -0.04).moved(0.16, 2.965, 1.54)
    return on_side(side, (*cover(DONKEY, outer), *cover(PINK, inner)))


def drape(inner: float, thick: float, length: float, reach: float) -> Shell:
    """Cloth over the back: an arch of the trunk's radius, hanging down to `reach` of a turn on both sides."""
    steps = 24
    low = 0.25 - reach
    cosine, sine = cosine_sine(points_of([[low + (0.5 - 2 * low) * k / steps for k in range(steps + 1)]])[0])
    arc = list(zip(cosine.tolist(), sine.tolist(), strict=True))
    outline = [(c * (inner + thick), s * (inner + thick)) for c, s in arc] + [
        (c * inner, s * inner) for c, s in reversed(arc)
    ]
    return extrude(outline, length, 0.02, "z", 1).scaled(0.94, 1, 1).moved(0, BACK_Y, 0)


def saddle(cloth_paint: Paint, seat: Paint, *, horned: bool) -> tuple[Piece, ...]:
    """A saddle on its cloth; lies on the back."""
    blanket = drape(GIRTH + 0.001, 0.06, 0.84, 0.24)
    girth_bands = [drape(GIRTH + 0.05, 0.03, 0.09, 0.235).moved(z=s * 0.3) for s in (-1, 1)]
    base = drape(GIRTH + 0.05, 0.07, 0.6, 0.13)
    top = BACK_Y + GIRTH + 0.08
    if horned:
        rolls = [
            tube(smooth([(-0.28, top - 0.04, z), (0.0, top + h, z), (0.28, top - 0.04, z)], 3), 0.08, 9)
            for z, h in ((-0.26, 0.12), (0.26, 0.08))
        ]
        extra = [ellipsoid(0.14, 0.2, 0.14, 10, 8).moved(0, top + 0.2, 0.26)]
    else:
        rolls = [tube([(-0.36, top + 0.05, -0.24), (0, top + 0.05, -0.24), (0.36, top + 0.05, -0.24)], 0.11, 10)]
        extra = [ring(0.115, 0.04, 12, 5).turned("z", 0.25).moved(x, top + 0.05, -0.24) for x in (-0.2, 0.2)]
    return (*cover(cloth_paint, blanket), *cover(seat, base, *girth_bands), *cover(TAN, *rolls), *cover(BRASS, *extra))


def pannier(side: int) -> tuple[Piece, ...]:
    """A wicker basket hung at the side; built on the left and mirrored."""
    x = 0.94 * (GIRTH + 0.081) + 0.196
    bowl = lathe(
        [
            (0.0, 0.0),
            *smooth([(0.16, 0.0), (0.2, 0.2), (0.22, 0.46)], 3).tolist(),
            (0.18, 0.46),
            (0.16, 0.3),
            (0.0, 0.28),
        ],
        16,
    ).moved(x, 1.46, 0)
    rims = [ring(r, 0.05, 16, 6).moved(x, y, 0) for y, r in ((1.49, 0.165), (1.92, 0.2))]
    greens = [
        ellipsoid(0.15, 0.22, 0.15, 8, 6).moved(x + a, 1.92, b)
        for a, b in ((-0.07, 0.07), (0.08, 0.03), (-0.02, -0.09))
    ]
    return on_side(side, (*cover(WICKER, bowl, *rims), *cover(GREENS, *greens)))


def saddle_bag(side: int) -> tuple[Piece, ...]:
    """A leather bag with a flap hung at the side; built on the left and mirrored."""
    x = 0.94 * (GIRTH + 0.081) - 0.02
    bag = slab(0.5, 0.46, 0.26, 0.1, 3).turned("y", 0.25).moved(x + 0.13, 1.66, 0)
    flap = slab(0.54, 0.24, 0.29, 0.08, 3).turned("y", 0.25).moved(x + 0.148, 1.82, 0)
    strap = slab(0.07, 0.3, 0.03, 0.02).turned("y", 0.25).moved(x + 0.29, 1.74, 0)
    buckle = slab(0.12, 0.1, 0.04, 0.03).turned("y", 0.25).moved(x + 0.3, 1.66, 0)
    roll = tube([(x + 0.14, 2.02, -0.28), (x + 0.14, 2.02, 0.0), (x + 0.14, 2.02, 0.28)], 0.085, 9)
    return on_side(
        side, (*cover(LEATHER, bag), *cover(TAN, flap, strap), *cover(BRASS, buckle), *cover(BLUE_CLOTH, roll))
    )


def bell_collar(strap: Paint, *, bow: bool) -> tuple[Piece, ...]:
    """A collar round the neck with a bell, and a bow if asked."""
    band = lathe(
        fillet([(0.345, -0.06), (0.395, -0.06), (0.395, 0.06), (0.345, 0.06)], 0.015, 2, closed=True), 20, loop=True
    )
    band = band.turned("x", 0.16).moved(0, 2.22, 1.12)
    bell = lathe(smooth([(0.0, 0.02), (0.12, 0.0), (0.13, 0.04), (0.1, 0.14), (0.06, 0.22), (0.0, 0.24)], 2), 14).moved(
        0, 1.59, 1.38
    )
    clapper = ellipsoid(0.07, 0.08, 0.07, 8, 6).moved(0, 1.59, 1.38)
    link = ring(0.05, 0.03, 8, 5).turned("z", 0.25).moved(0, 1.85, 1.37)
    pieces = (*cover(strap, band), *cover(BRASS, bell, clapper, link))
    if bow:
        loops = [ellipsoid(0.26, 0.18, 0.1, 9, 6).turned("z", s * 0.04).moved(s * 0.14, 1.93, 1.4) for s in (-1, 1)]
        return (*pieces, *cover(TEAL, *loops, ellipsoid(0.1, 0.1, 0.1, 8, 6).moved(0, 1.92, 1.43)))
    studs = [
        box(0.07, 0.07, 0.04, 0.02, 1).moved(0, 0, 0.395).turned("y", t).turned("x", 0.16).moved(0, 2.22, 1.12)
        for t in (-0.2, -0.1, 0.1, 0.2)
    ]
    return (*pieces, *cover(BRASS, *studs))


def _legs(word: str, coat: Paint, sock: Paint | None) -> list[ModelPart]:
    return [part(f"a {word} {where} leg with a hoof", leg(sx, sz, coat, sock)) for where, sx, sz in CORNERS]


def dairy_cow() -> Model:
    """White with brown patches."""
    return Model(
        "dairy cow",
        "animal",
        (
            part("a white body with brown patches", body(COW, mane=None)),
            part("a cow's head with a pink muzzle", cow_head()),
            *_legs("white", COW_PLAIN, None),
            part("a thin white tail with a brown brush", tail(COW_PLAIN, LEATHER, length=0.9)),
            part("a curved left horn", horn(1)),
            part("a curved right horn", horn(-1)),
            part("a striped red saddle cloth with a bed roll", saddle(RED_CLOTH, LEATHER, horned=False)),
            part("a wicker left pannier with greens", pannier(1)),
            part("a wicker right pannier with greens", pannier(-1)),
            part("a leather collar with a brass bell", bell_collar(LEATHER, bow=False)),
        ),
    )


def grey_donkey() -> Model:
    """Grey with pale socks."""
    return Model(
        "grey donkey",
        "animal",
        (
            part("a grey body with a dark mane", body(DONKEY, mane=MANE)),
            part("a donkey's head with a pale muzzle", donkey_head()),
            *_legs("grey", DONKEY, DONKEY_LIGHT),
            part("a grey tail with a dark brush", tail(DONKEY, MANE, length=0.8)),
            part("a long grey left ear", long_ear(1)),
            part("a long grey right ear", long_ear(-1)),
            part("a brown leather saddle on a dotted blue cloth", saddle(BLUE_CLOTH, LEATHER, horned=True)),
            part("a leather left saddle bag with a blue roll", saddle_bag(1)),
            part("a leather right saddle bag with a blue roll", saddle_bag(-1)),
            part("a teal collar with a bow and a bell", bell_collar(TEAL, bow=True)),
        ),
    )
