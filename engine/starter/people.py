"""A gardener and a wizard with the same kinds of parts: hats, arms, tools, bags."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.models import Model, Piece, cover, part
from engine.starter.outlines import ellipse, fillet, smooth, star
from engine.starter.paints import Paint, cloth, foliage, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube
from engine.surfaces import FloatArray

HIP, SHELF, CHIN = 0.84, 1.74, 1.88
SHOULDER = (0.46, 1.52)
HEAD_Y, HEAD_R = 2.34, 0.52
SINK = 0.003

SKIN = plain("fair skin", "f0c3a0", 0.9, contrast=24, seed=141)
TAN_SKIN = plain("tan skin", "d79d72", 0.9, contrast=24, seed=142)
BLUSH = plain("rosy cheeks", "e79a86", 0.3, contrast=20, seed=143)
INK = plain("dark eyes", "2a2226", 0.3, roughness=0.25, contrast=10, seed=144)
AUBURN = patterned("auburn hair", "9a4f2c", "9a4f2c", 0.6, partial(patterns.straw, bands=1), seed=145)
SILVER_HAIR = patterned("silver hair", "d9d9d6", "d9d9d6", 0.6, partial(patterns.straw, bands=1), seed=146)
CHECKED = cloth("checked red shirt", "bf4a3f", 0.4, "f4e4c8", pattern=patterns.checks, seed=147)
DENIM = cloth("blue denim", "4a6f9c", 0.4, seed=148)
ROBE = cloth("starry purple robe", "5c4a94", 0.55, "f2cf63", pattern=partial(patterns.dots, count=2), seed=149)
PURPLE = cloth("purple cloth", "6a55a4", 0.5, seed=150)
GOLD_TRIM = metal("gold trim", "dcae45", 0.4, seed=151)
STRAW = patterned("plaited straw", "dcb45c", "b0823a", 0.4, partial(patterns.weave, threads=16), seed=152)
TEAL = cloth("teal wool", "2f8a88", 0.4, seed=153)
BOOT = plain("brown boots", "6f4a30", 0.6, roughness=0.6, contrast=60, seed=154)
WELLY = plain("green rubber boots", "55803f", 0.6, roughness=0.4, contrast=40, seed=155)
ASH = wood("ash wood", "c29a63", 0.5, planks=1, seed=156)
KNOTTY = wood("knotty wood", "7a5233", 0.5, planks=1, seed=157)
STEEL = metal("steel", "9aa0a6", 0.4, seed=158)
CRYSTAL = glass("glowing crystal", "6fd3e0", 0.3, "efffff", emissive=0.5)
GLOW = glass("lantern glass", "ffd27a", 0.3, "fff4d0", emissive=0.6)
WICKER = patterned("wicker", "b98a4c", "7f5a2e", 0.3, partial(patterns.weave, threads=16), seed=159)
GREENS = foliage("lettuce", "74ad4c", 0.3, "cfe28a", seed=160)
CARROT = plain("carrots", "e5853a", 0.3, contrast=60, seed=161)
LEATHER = plain("leather", "8d5a36", 0.5, roughness=0.6, contrast=60, seed=162)
PAPER = patterned("parchment", "e8d5a4", "e8d5a4", 0.3, patterns.pages, seed=163)
CORAL = cloth("striped coral scarf", "e0705a", 0.3, "f6e3c3", pattern=partial(patterns.stripes, count=3, upright=True), seed=164)
IRON = metal("iron", "55565c", 0.4, roughness=0.5, seed=165)
SOLE = plain("dark soles", "3a332f", 0.4, contrast=20, seed=166)


def _torso_base(cloth_paint: Paint, profile: list[tuple[float, float]], trim: Paint) -> tuple[Piece, ...]:
    trunk = lathe(smooth(profile, 4), 30).scaled(1, 1, 0.82)
    neck = lathe([(0.0, 0.0), (0.17, 0.0), (0.17, CHIN - SHELF + 0.04), (0.0, CHIN - SHELF + 0.04)], 18).moved(0, SHELF - 0.04, 0)
    x, y = SHOULDER
    caps = [lathe(fillet([(0.0, 0.0), (0.16, 0.0), (0.15, 0.16), (0.0, 0.16)], 0.03, 2), 18).turned("z", s * -0.25).moved(s * (x - 0.16), y, 0) for s in (-1, 1)]
    return (*cover(cloth_paint, trunk, *caps), *cover(trim, neck))


def gardener_torso() -> tuple[Piece, ...]:
    """A checked shirt under dungarees with a bib, straps and buttons."""
    shirt = _torso_base(CHECKED, [(0.3, 1.0), (0.42, 1.14), (0.44, 1.36), (0.36, 1.62), (0.31, SHELF)], TAN_SKIN)
    trousers = lathe(smooth([(0.4, HIP), (0.46, 0.94), (0.46, 1.08), (0.44, 1.18)], 4), 30).scaled(1, 1, 0.84)
    bib = slab(0.44, 0.36, 0.06, 0.06, 3).moved(0, 1.34, 0.375)
    straps = [tube(smooth([(x, 1.48, 0.38), (x, 1.64, 0.33), (x * 0.95, 1.745, 0.16), (x * 0.9, 1.74, -0.1), (x * 0.8, 1.5, -0.34), (x * 0.6, 1.16, -0.38)], 4), 0.035, 8) for x in (-0.17, 0.17)]
    buttons = [ellipsoid(0.08, 0.08, 0.05, 12, 8).moved(x, 1.47, 0.41) for x in (-0.17, 0.17)]
    return (*shirt, *cover(DENIM, trousers, bib, *straps), *cover(GOLD_TRIM, *buttons))


def wizard_torso() -> tuple[Piece, ...]:
    """A belted robe with a gold hem."""
    robe = _torso_base(ROBE, [(0.5, HIP), (0.5, 0.9), (0.42, 1.14), (0.43, 1.36), (0.36, 1.62), (0.31, SHELF)], SKIN)
    hem = lathe(fillet([(0.42, HIP), (0.53, HIP), (0.52, HIP + 0.1), (0.42, HIP + 0.1)], 0.02, 2, closed=True), 30, loop=True).scaled(1, 1, 0.82)
    sash = lathe(fillet([(0.36, 1.08), (0.45, 1.08), (0.45, 1.2), (0.36, 1.2)], 0.03, 2, closed=True), 30, loop=True).scaled(1, 1, 0.82)
    front = slab(0.09, 0.86, 0.04, 0.02).turned("x", -0.012).moved(0, 1.3, 0.345)
    return (*robe, *cover(GOLD_TRIM, hem, front), *cover(LEATHER, sash))


def _face(skin: Paint) -> tuple[Piece, ...]:
    skull = lathe(
        [(0.17, CHIN - SINK), *smooth([(0.3, 1.92), (0.46, 2.08), (HEAD_R, HEAD_Y), (0.45, 2.64), (0.26, 2.82), (0.0, 2.86)], 4).tolist()], 28
    )  # fmt: skip
    eyes = [ellipsoid(0.11, 0.17, 0.07, 14, 10).moved(s * 0.19, 2.32, 0.475) for s in (-1, 1)]
    cheeks = [ellipsoid(0.15, 0.1, 0.06, 12, 8).turned("y", s * 0.1).moved(s * 0.31, 2.18, 0.385) for s in (-1, 1)]
    nose = ellipsoid(0.12, 0.11, 0.12, 12, 8).moved(0, 2.24, 0.525)
    ears = [ellipsoid(0.1, 0.18, 0.14, 12, 8).moved(s * 0.52, 2.28, 0) for s in (-1, 1)]
    mouth = tube(smooth([(-0.11, 2.1, 0.465), (0.0, 2.07, 0.475), (0.11, 2.1, 0.465)], 4), 0.016, 6)
    return (*cover(skin, skull, nose, *ears), *cover(BLUSH, *cheeks), *cover(INK, *eyes, mouth))


def _hair(back: float) -> Shell:
    return ellipsoid(1.08, 1.0, 0.96, 24, 14).moved(0, HEAD_Y + 0.045, back)


def gardener_head() -> tuple[Piece, ...]:
    """Auburn hair in two plaits."""
    fringe = [ellipsoid(0.34, 0.22, 0.16, 12, 8).turned("z", s * 0.05).moved(s * 0.18, 2.6, 0.4) for s in (-1, 1)]
    plaits = [
        ellipsoid(0.2 - 0.02 * k, 0.2, 0.2 - 0.02 * k, 12, 8).moved(s * (0.49 + 0.02 * k), 2.12 - 0.14 * k, -0.14) for s in (-1, 1) for k in range(3)
    ]
    return (*_face(TAN_SKIN), *cover(AUBURN, _hair(-0.07), *fringe, *plaits))


def wizard_head() -> tuple[Piece, ...]:
    """A long silver beard, a moustache and bushy brows."""
    beard = lathe(smooth([(0.0, -0.5), (0.1, -0.4), (0.26, -0.1), (0.34, 0.16), (0.22, 0.26), (0.0, 0.28)], 4), 20).scaled(1, 1, 0.5).turned("x", -0.03).moved(0, 1.9, 0.5)
    moustache = [ellipsoid(0.26, 0.11, 0.1, 12, 8).turned("z", s * -0.05).moved(s * 0.12, 2.14, 0.52) for s in (-1, 1)]
    brows = [ellipsoid(0.2, 0.08, 0.08, 12, 8).turned("z", s * 0.03).moved(s * 0.19, 2.46, 0.48) for s in (-1, 1)]
    return (*_face(SKIN), *cover(SILVER_HAIR, _hair(-0.09), beard, *moustache, *brows))


def straw_hat() -> tuple[Piece, ...]:
    """A wide-brimmed straw hat with a ribbon and a flower."""
    y = 2.6
    outer = smooth([(0.56, y + 0.02), (0.84, y - 0.02), (0.86, y + 0.01), (0.84, y + 0.04), (0.58, y + 0.1), (0.54, y + 0.18), (0.5, y + 0.38), (0.38, y + 0.46), (0.0, y + 0.48)], 3)
    crown = [(float(r), float(h)) for r, h in outer]
    hat = lathe([(0.0, y + 0.37), (0.34, y + 0.34), (0.46, y + 0.24), (0.478, y + 0.06), (0.5, y + 0.02), *crown], 32)
    band = lathe(fillet([(0.5, y + 0.11), (0.575, y + 0.11), (0.55, y + 0.23), (0.5, y + 0.23)], 0.02, 2, closed=True), 32, loop=True)
    flower = [extrude(star(0.13, 0.07, 6), 0.05, 0.015).turned("y", 0.09).moved(0.3, y + 0.17, 0.5), ]
    heart = ellipsoid(0.09, 0.09, 0.07, 10, 8).moved(0.32, y + 0.17, 0.53)
    return (*cover(STRAW, hat), *cover(TEAL, band), *cover(CORAL, *flower), *cover(GOLD_TRIM, heart))


def wizard_hat() -> tuple[Piece, ...]:
    """A tall bent cone with a gold band and a star."""
    y = 2.6
    outer = smooth([(0.54, y + 0.02), (0.78, y), (0.8, y + 0.03), (0.78, y + 0.06), (0.56, y + 0.1), (0.46, y + 0.36), (0.3, y + 0.7), (0.15, y + 1.02), (0.0, y + 1.24)], 3)
    crown = [(float(r), float(h)) for r, h in outer]
    hat = lathe([(0.0, y + 0.42), (0.3, y + 0.37), (0.44, y + 0.24), (0.478, y + 0.06), (0.5, y + 0.02), *crown], 32)
    band = lathe(fillet([(0.46, y + 0.09), (0.575, y + 0.09), (0.535, y + 0.22), (0.46, y + 0.22)], 0.02, 2, closed=True), 32, loop=True)

    def bend(v: Shell) -> Shell:
        def move(points: FloatArray) -> FloatArray:
            lift = np.maximum(points[:, 1] - (y + 0.3), 0.0)
            shift = lift * lift * 0.34
            return points + np.stack([shift, 0.0 * shift, -0.5 * shift], axis=1)

        return v.shaped(move)

    sign = extrude(star(0.13, 0.055, 5), 0.05, 0.012).moved(0, y + 0.3, 0.48)
    bead = ellipsoid(0.12, 0.12, 0.12, 12, 8).moved(0.0, y + 1.24, 0)
    return (*cover(ROBE, bend(hat)), *cover(GOLD_TRIM, band, sign, bend(bead)))


def _sided(side: int, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    return pieces if side > 0 else tuple(Piece(p.shell.scaled(-1, 1, 1), p.paint, p.crease) for p in pieces)


HAND = (0.86, 1.02, 0.16)


def sleeve_arm(side: int, sleeve: Paint, skin: Paint, *, wide: bool) -> tuple[Piece, ...]:
    """An arm with a rolled or a wide sleeve; built on the left and mirrored."""
    x, y = SHOULDER
    path = smooth([(x - SINK, y, 0), (x + 0.1, y - 0.01, 0.0), (x + 0.26, y - 0.22, 0.03), (HAND[0] - 0.02, HAND[1] + 0.14, HAND[2] - 0.04)], 5)
    count = len(path) - 1
    grow = 0.05 if wide else -0.03
    arm = tube(path, [0.145 + grow * k / count for k in range(count + 1)], 14, rounded=False)
    cuff = lathe(fillet([(0.0, 0.0), (0.13 + grow, 0.0), (0.14 + grow, 0.08), (0.0, 0.08)], 0.02, 2), 16).turned("x", 0.06).turned("z", 0.07).moved(HAND[0] - 0.05, HAND[1] + 0.1, HAND[2] - 0.03)
    hand = ellipsoid(0.24, 0.27, 0.24, 16, 12).moved(*HAND)
    thumb = ellipsoid(0.1, 0.17, 0.1, 10, 8).turned("z", 0.1).moved(HAND[0] - 0.12, HAND[1] + 0.02, HAND[2] + 0.06)
    return _sided(side, (*cover(sleeve, arm), *cover(GOLD_TRIM if wide else sleeve, cuff), *cover(skin, hand, thumb)))


def boot_leg(side: int, trousers: Paint, boot: Paint, *, pointed: bool) -> tuple[Piece, ...]:
    """A trouser leg in a boot."""
    x = side * 0.21
    shaft = lathe(smooth([(0.15, 0.3), (0.17, 0.5), (0.18, HIP + SINK)], 4), 18).moved(x, 0, 0)
    upper = lathe(smooth([(0.17, 0.08), (0.18, 0.24), (0.2, 0.42)], 4).tolist(), 20).moved(x, 0, 0)
    rim = ring(0.19, 0.07, 20, 8).moved(x, 0.42, 0)
    if pointed:
        toe = tube(smooth([(x, 0.13, 0.0), (x, 0.13, 0.2), (x, 0.16, 0.38), (x, 0.3, 0.46)], 4), [0.13, 0.13, 0.13, 0.125, 0.12, 0.11, 0.1, 0.09, 0.08, 0.07, 0.055, 0.045, 0.035], 14)
    else:
        toe = ellipsoid(0.36, 0.28, 0.56, 18, 12).moved(x, 0.14, 0.12)
    sole = extrude(ellipse(0.36, 0.58, 24), 0.07, 0.02, "y", 2).moved(x, 0.035, 0.1)
    return (*cover(trousers, shaft), *cover(boot, upper, rim, toe), *cover(SOLE, sole))


def scarf() -> tuple[Piece, ...]:
    """A knitted scarf with a hanging end."""
    loop = ring(0.25, 0.14, 24, 10).moved(0, SHELF + 0.068, 0)
    knot = ellipsoid(0.17, 0.15, 0.12, 12, 8).moved(0.1, SHELF + 0.05, 0.27)
    tail_end = beam((0.12, SHELF + 0.02, 0.33), (0.16, SHELF - 0.3, 0.47), 0.15, 0.03, 0.05)
    return cover(CORAL, loop, knot, tail_end)


def amulet() -> tuple[Piece, ...]:
    """A gold collar with a crystal."""
    loop = lathe(fillet([(0.18, 0.0), (0.31, 0.0), (0.3, 0.06), (0.2, 0.12), (0.18, 0.12)], 0.02, 2, closed=True), 26, loop=True).moved(0, SHELF + 0.012, 0)
    beads = [ellipsoid(0.08, 0.08, 0.08, 10, 8).moved(0, SHELF + 0.06, 0.27).turned("y", k / 12) for k in range(12) if k != 0]
    gem = lathe([(0.0, -0.12), (0.09, 0.0), (0.0, 0.1)], 8).moved(0, SHELF + 0.02, 0.33)
    return (*cover(GOLD_TRIM, loop, *beads), *cover(CRYSTAL, gem))


def pack_basket() -> tuple[Piece, ...]:
    """A wicker basket of vegetables carried on the back."""
    z = -0.62
    bowl = lathe([(0.0, 0.0), *smooth([(0.19, 0.0), (0.235, 0.24), (0.255, 0.56)], 4).tolist(), (0.21, 0.56), (0.19, 0.36), (0.0, 0.34)], 22).moved(0, 1.06, z)
    rims = [ring(r, 0.05, 22, 8).moved(0, y, z) for y, r in ((1.1, 0.2), (1.6, 0.24))]
    heads = [ellipsoid(0.2, 0.2, 0.2, 12, 8).moved(x, 1.64, z + dz) for x, dz in ((-0.09, 0.07), (0.1, 0.05))]
    roots = [lathe([(0.0, -0.3), (0.03, -0.24), (0.06, 0.0), (0.0, 0.04)], 10).turned("x", 0.46).moved(x, 1.44, z - 0.08) for x in (-0.05, 0.07)]
    pad = slab(0.3, 0.36, 0.06, 0.06, 3).moved(0, 1.36, -0.41)
    return (*cover(WICKER, bowl, *rims), *cover(GREENS, *heads), *cover(CARROT, *roots), *cover(LEATHER, pad))


def scroll_pack() -> tuple[Piece, ...]:
    """A leather satchel with scrolls carried on the back."""
    z = -0.497
    bag = slab(0.52, 0.44, 0.24, 0.1, 3).moved(0, 1.3, z)
    flap = slab(0.56, 0.24, 0.28, 0.09, 3).moved(0, 1.44, z)
    scrolls = [tube([(x, 1.42, z), (x, 1.6, z), (x, 1.78 - 0.06 * k, z)], 0.065, 12, rounded=False) for k, x in enumerate((-0.15, 0.0, 0.15))]
    knobs = [ellipsoid(0.08, 0.08, 0.08, 10, 8).moved(x, 1.79 - 0.06 * k, z) for k, x in enumerate((-0.15, 0.0, 0.15))]
    clasp = slab(0.1, 0.12, 0.04, 0.03).moved(0, 1.34, z - 0.15)
    return (*cover(LEATHER, bag, flap), *cover(PAPER, *scrolls), *cover(GOLD_TRIM, *knobs, clasp))


def rake() -> tuple[Piece, ...]:
    """A garden rake held upright in the right hand."""
    x, z = -HAND[0], HAND[2] + 0.12 + 0.034 - SINK
    pole = tube([(x, 0.04, z), (x, 1.0, z), (x, 2.2, z)], 0.036, 12)
    head = box(0.62, 0.08, 0.07, 0.02, 1).moved(x, 2.24, z)
    teeth = [tube([(x - 0.27 + 0.09 * k, 2.24, z), (x - 0.27 + 0.09 * k, 2.24, z + 0.1), (x - 0.27 + 0.09 * k, 2.16, z + 0.2)], 0.018, 6) for k in range(7)]
    grip = ring(0.036, 0.03, 14, 6).moved(x, 1.16, z)
    return (*cover(ASH, pole), *cover(STEEL, head, *teeth, grip))


def staff() -> tuple[Piece, ...]:
    """A crooked staff with a glowing crystal held in the right hand."""
    x, z = -HAND[0], HAND[2] + 0.12 + 0.036 - SINK
    path = smooth([(x, 0.05, z), (x, 0.6, z), (x, 1.02, z), (x, 1.5, z), (x, 2.0, z), (x - 0.14, 2.2, z), (x - 0.1, 2.44, z), (x + 0.12, 2.46, z), (x + 0.16, 2.3, z)], 4)
    pole = tube(path, 0.04, 10)
    gem = lathe([(0.0, -0.16), (0.1, -0.02), (0.08, 0.08), (0.0, 0.16)], 6, ).moved(x + 0.02, 2.28, z)
    bands = [ring(0.045, 0.03, 14, 6).moved(x, y, z) for y in (1.2, 1.26, 1.86)]
    return (*cover(KNOTTY, pole), *cover(CRYSTAL, gem), *cover(GOLD_TRIM, *bands))


def trug() -> tuple[Piece, ...]:
    """A shallow basket of carrots hanging from the left hand."""
    x, y, z = HAND[0], HAND[1] - 0.135 + SINK, HAND[2]
    loop = tube(smooth([(x - 0.22, y - 0.36, z), (x - 0.2, y - 0.12, z), (x, y - 0.028, z), (x + 0.2, y - 0.12, z), (x + 0.22, y - 0.36, z)], 5), 0.028, 8)
    bowl = lathe([(0.0, 0.0), *smooth([(0.2, 0.0), (0.27, 0.1), (0.3, 0.2)], 4).tolist(), (0.26, 0.2), (0.2, 0.1), (0.0, 0.09)], 24).scaled(0.86, 1, 1).moved(x, y - 0.54, z)
    rim = ring(0.285, 0.045, 24, 8).scaled(0.86, 1, 1).moved(x, y - 0.345, z)
    roots = [lathe(smooth([(0.0, -0.2), (0.05, -0.08), (0.07, 0.1), (0.0, 0.14)], 3), 10).turned("z", 0.2 + 0.06 * k).turned("y", 0.12 * k).moved(x + 0.03 * k, y - 0.36, z + 0.07 * (k - 1)) for k in range(3)]
    tops = [ellipsoid(0.14, 0.12, 0.14, 8, 6).moved(x - 0.12, y - 0.3, z + 0.08 * (k - 1)) for k in range(3)]
    return (*cover(WICKER, bowl, rim, loop), *cover(CARROT, *roots), *cover(GREENS, *tops))


def hand_lantern() -> tuple[Piece, ...]:
    """A lantern hanging from the left hand."""
    x, y, z = HAND[0], HAND[1] - 0.135 + SINK, HAND[2]
    bail = tube(smooth([(x - 0.13, y - 0.2, z), (x - 0.12, y - 0.08, z), (x, y - 0.022, z), (x + 0.12, y - 0.08, z), (x + 0.13, y - 0.2, z)], 4), 0.022, 8)
    cap = lathe(smooth([(0.19, -0.24), (0.17, -0.19), (0.06, -0.12), (0.0, -0.11)], 3), 18).moved(x, y, z)
    lamp = lathe(smooth([(0.11, -0.5), (0.15, -0.4), (0.14, -0.3), (0.11, -0.22)], 3), 18).moved(x, y, z)
    foot = lathe(fillet([(0.0, -0.6), (0.18, -0.6), (0.18, -0.54), (0.12, -0.48), (0.0, -0.48)], 0.02, 2), 18).moved(x, y, z)
    posts = [tube([(0.15, -0.52, 0), (0.17, -0.38, 0), (0.15, -0.22, 0)], 0.016, 6).turned("y", k / 4 + 0.125).moved(x, y, z) for k in range(4)]
    return (*cover(IRON, bail, cap, foot, *posts), *cover(GLOW, lamp))


def seed_pouch() -> tuple[Piece, ...]:
    """A pouch with a flap on the front of the belt."""
    z = 0.386
    bag = slab(0.3, 0.26, 0.16, 0.07, 3).moved(0, 1.02, z + 0.08)
    flap = slab(0.32, 0.13, 0.18, 0.05, 3).moved(0, 1.1, z + 0.092)
    button = ellipsoid(0.07, 0.07, 0.05, 12, 8).moved(0, 1.06, z + 0.185)
    return (*cover(LEATHER, bag, flap), *cover(GOLD_TRIM, button))


def potion_flask() -> tuple[Piece, ...]:
    """A round flask on the front of the belt."""
    z = 0.371
    flask = lathe(smooth([(0.0, 0.0), (0.12, 0.02), (0.16, 0.12), (0.1, 0.23), (0.05, 0.27), (0.05, 0.33)], 4), 20).moved(0, 0.9, z + 0.16)
    cork = lathe([(0.0, 0.0), (0.05, 0.0), (0.06, 0.08), (0.0, 0.08)], 12).moved(0, 1.22, z + 0.16)
    holder = [ring(0.165, 0.03, 20, 6).moved(0, 1.02, z + 0.16), ring(0.06, 0.03, 14, 6).moved(0, 1.16, z + 0.16)]
    tab = slab(0.08, 0.16, 0.1, 0.02).moved(0, 1.15, z + 0.05)
    return (*cover(CRYSTAL, flask), *cover(ASH, cork), *cover(GOLD_TRIM, *holder), *cover(LEATHER, tab))


def gardener() -> Model:
    """Straw hat, dungarees, rake."""
    return Model(
        "gardener",
        "character",
        (
            part("a torso in a checked shirt and denim dungarees", gardener_torso()),
            part("a head with auburn plaits", gardener_head()),
            part("a wide straw hat with a teal ribbon", straw_hat()),
            part("a left arm in a checked sleeve", sleeve_arm(1, CHECKED, TAN_SKIN, wide=False)),
            part("a right arm in a checked sleeve", sleeve_arm(-1, CHECKED, TAN_SKIN, wide=False)),
            part("a left leg in a green rubber boot", boot_leg(1, DENIM, WELLY, pointed=False)),
            part("a right leg in a green rubber boot", boot_leg(-1, DENIM, WELLY, pointed=False)),
            part("a striped coral scarf", scarf()),
            part("a wicker pack basket of vegetables", pack_basket()),
            part("a wooden rake with steel teeth", rake()),
            part("a wicker hand basket of carrots", trug()),
            part("a leather belt pouch", seed_pouch()),
        ),
    )


def wizard() -> Model:
    """Pointed hat, starry robe, staff."""
    return Model(
        "wizard",
        "character",
        (
            part("a torso in a dotted purple robe", wizard_torso()),
            part("a head with a long silver beard", wizard_head()),
            part("a pointed purple hat with a gold band", wizard_hat()),
            part("a left arm in a wide purple sleeve", sleeve_arm(1, PURPLE, SKIN, wide=True)),
            part("a right arm in a wide purple sleeve", sleeve_arm(-1, PURPLE, SKIN, wide=True)),
            part("a left leg in a pointed brown boot", boot_leg(1, PURPLE, BOOT, pointed=True)),
            part("a right leg in a pointed brown boot", boot_leg(-1, PURPLE, BOOT, pointed=True)),
            part("a gold collar with a blue crystal", amulet()),
            part("a leather satchel with scrolls", scroll_pack()),
            part("a crooked staff with a glowing crystal", staff()),
            part("an iron hand lantern", hand_lantern()),
            part("a glowing potion flask", potion_flask()),
        ),
    )
