"""A gardener and a wizard with the same kinds of parts: hats, arms, tools, bags."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.belongings import (
    CHIN,
    GOLD_TRIM,
    HAND,
    HIP,
    LEATHER,
    ROBE,
    SHELF,
    SINK,
    amulet,
    hand_lantern,
    pack_basket,
    potion_flask,
    rake,
    scarf,
    scroll_pack,
    seed_pouch,
    staff,
    straw_hat,
    trug,
    wizard_hat,
)
from engine.starter.forms import on_side
from engine.starter.models import Model, Piece, cover, part
from engine.starter.outlines import ellipse, fillet, smooth
from engine.starter.paints import Paint, cloth, patterned, plain
from engine.starter.shells import Shell
from engine.starter.solids import ellipsoid, extrude, lathe, ring, slab, tube

SHOULDER = (0.46, 1.52)
HEAD_Y, HEAD_R = 2.34, 0.52
SKIN = plain("fair skin", "f0c3a0", 0.9, contrast=24, seed=141)
TAN_SKIN = plain("tan skin", "d79d72", 0.9, contrast=24, seed=142)
BLUSH = plain("rosy cheeks", "e79a86", 0.3, contrast=20, seed=143)
INK = plain("dark eyes", "2a2226", 0.3, roughness=0.25, contrast=10, seed=144)
AUBURN = patterned("auburn hair", "9a4f2c", "9a4f2c", 0.6, partial(patterns.straw, bands=1), seed=145)
SILVER_HAIR = patterned("silver hair", "d9d9d6", "d9d9d6", 0.6, partial(patterns.straw, bands=1), seed=146)
CHECKED = cloth("checked red shirt", "bf4a3f", 0.4, "f4e4c8", pattern=patterns.checks, seed=147)
DENIM = cloth("blue denim", "4a6f9c", 0.4, seed=148)
PURPLE = cloth("purple cloth", "6a55a4", 0.5, seed=150)
BOOT = plain("brown boots", "6f4a30", 0.6, roughness=0.6, contrast=60, seed=154)
WELLY = plain("green rubber boots", "55803f", 0.6, roughness=0.4, contrast=40, seed=155)
SOLE = plain("dark soles", "3a332f", 0.4, contrast=20, seed=166)


def _torso_base(cloth_paint: Paint, profile: list[tuple[float, float]], trim: Paint) -> tuple[Piece, ...]:
    trunk = lathe(smooth(profile, 3), 22).scaled(1, 1, 0.82)
    neck = lathe([(0.0, 0.0), (0.17, 0.0), (0.17, CHIN - SHELF + 0.04), (0.0, CHIN - SHELF + 0.04)], 14).moved(
        0, SHELF - 0.04, 0
    )
    x, y = SHOULDER
    caps = [
        lathe(fillet([(0.0, 0.0), (0.16, 0.0), (0.15, 0.16), (0.0, 0.16)], 0.03, 2), 14)
        .turned("z", s * -0.25)
        .moved(s * (x - 0.16), y, 0)
        for s in (-1, 1)
    ]
    return (*cover(cloth_paint, trunk, *caps), *cover(trim, neck))


def gardener_torso() -> tuple[Piece, ...]:
    """A checked shirt under dungarees with a bib, straps and buttons."""
    shirt = _torso_base(CHECKED, [(0.3, 1.0), (0.42, 1.14), (0.44, 1.36), (0.36, 1.62), (0.31, SHELF)], TAN_SKIN)
    trousers = lathe(smooth([(0.4, HIP), (0.46, 0.94), (0.46, 1.08), (0.44, 1.18)], 3), 22).scaled(1, 1, 0.84)
    bib = slab(0.44, 0.36, 0.06, 0.06, 3).moved(0, 1.34, 0.375)
    straps = [
        tube(
            smooth(
                [
                    (x, 1.48, 0.38),
                    (x, 1.64, 0.33),
                    (x * 0.95, 1.745, 0.16),
                    (x * 0.9, 1.74, -0.1),
                    (x * 0.8, 1.5, -0.34),
                    (x * 0.6, 1.16, -0.38),
                ],
                3,
            ),
            0.035,
            6,
        )
        for x in (-0.17, 0.17)
    ]
    buttons = [ellipsoid(0.08, 0.08, 0.05, 9, 6).moved(x, 1.47, 0.41) for x in (-0.17, 0.17)]
    return (*shirt, *cover(DENIM, trousers, bib, *straps), *cover(GOLD_TRIM, *buttons))


def wizard_torso() -> tuple[Piece, ...]:
    """A belted robe with a gold hem."""
    robe = _torso_base(ROBE, [(0.5, HIP), (0.5, 0.9), (0.42, 1.14), (0.43, 1.36), (0.36, 1.62), (0.31, SHELF)], SKIN)
    hem = lathe(
        fillet([(0.42, HIP), (0.53, HIP), (0.52, HIP + 0.1), (0.42, HIP + 0.1)], 0.02, 2, closed=True), 22, loop=True
    ).scaled(1, 1, 0.82)
    sash = lathe(
        fillet([(0.36, 1.08), (0.45, 1.08), (0.45, 1.2), (0.36, 1.2)], 0.03, 2, closed=True), 22, loop=True
    ).scaled(1, 1, 0.82)
    front = slab(0.09, 0.86, 0.04, 0.02).turned("x", -0.012).moved(0, 1.3, 0.345)
    return (*robe, *cover(GOLD_TRIM, hem, front), *cover(LEATHER, sash))


def _face(skin: Paint) -> tuple[Piece, ...]:
    skull = lathe(
        [
            (0.17, CHIN - SINK),
            *smooth([(0.3, 1.92), (0.46, 2.08), (HEAD_R, HEAD_Y), (0.45, 2.64), (0.26, 2.82), (0.0, 2.86)], 3).tolist(),
        ],
        20,
    )
    eyes = [ellipsoid(0.11, 0.17, 0.07, 10, 8).moved(s * 0.19, 2.32, 0.475) for s in (-1, 1)]
    cheeks = [ellipsoid(0.15, 0.1, 0.06, 9, 6).turned("y", s * 0.1).moved(s * 0.31, 2.18, 0.385) for s in (-1, 1)]
    nose = ellipsoid(0.12, 0.11, 0.12, 9, 6).moved(0, 2.24, 0.525)
    ears = [ellipsoid(0.1, 0.18, 0.14, 9, 6).moved(s * 0.52, 2.28, 0) for s in (-1, 1)]
    mouth = tube(smooth([(-0.11, 2.1, 0.465), (0.0, 2.07, 0.475), (0.11, 2.1, 0.465)], 3), 0.016, 5)
    return (*cover(skin, skull, nose, *ears), *cover(BLUSH, *cheeks), *cover(INK, *eyes, mouth))


def _hair(back: float) -> Shell:
    return ellipsoid(1.08, 1.0, 0.96, 18, 10).moved(0, HEAD_Y + 0.045, back)


def gardener_head() -> tuple[Piece, ...]:
    """Auburn hair in two plaits."""
    fringe = [ellipsoid(0.34, 0.22, 0.16, 9, 6).turned("z", s * 0.05).moved(s * 0.18, 2.6, 0.4) for s in (-1, 1)]
    plaits = [
        ellipsoid(0.2 - 0.02 * k, 0.2, 0.2 - 0.02 * k, 9, 6).moved(s * (0.49 + 0.02 * k), 2.12 - 0.14 * k, -0.14)
        for s in (-1, 1)
        for k in range(3)
    ]
    return (*_face(TAN_SKIN), *cover(AUBURN, _hair(-0.07), *fringe, *plaits))


def wizard_head() -> tuple[Piece, ...]:
    """A long silver beard, a moustache and bushy brows."""
    beard = (
        lathe(smooth([(0.0, -0.5), (0.1, -0.4), (0.26, -0.1), (0.34, 0.16), (0.22, 0.26), (0.0, 0.28)], 3), 16)
        .scaled(1, 1, 0.5)
        .turned("x", -0.03)
        .moved(0, 1.9, 0.5)
    )
    moustache = [ellipsoid(0.26, 0.11, 0.1, 9, 6).turned("z", s * -0.05).moved(s * 0.12, 2.14, 0.52) for s in (-1, 1)]
    brows = [ellipsoid(0.2, 0.08, 0.08, 9, 6).turned("z", s * 0.03).moved(s * 0.19, 2.46, 0.48) for s in (-1, 1)]
    return (*_face(SKIN), *cover(SILVER_HAIR, _hair(-0.09), beard, *moustache, *brows))


def sleeve_arm(side: int, sleeve: Paint, skin: Paint, *, wide: bool) -> tuple[Piece, ...]:
    """An arm with a rolled or a wide sleeve; built on the left and mirrored."""
    x, y = SHOULDER
    path = smooth(
        [
            (x - SINK, y, 0),
            (x + 0.1, y - 0.01, 0.0),
            (x + 0.26, y - 0.22, 0.03),
            (HAND[0] - 0.02, HAND[1] + 0.14, HAND[2] - 0.04),
        ],
        4,
    )
    count = len(path) - 1
    grow = 0.05 if wide else -0.03
    arm = tube(path, [0.145 + grow * k / count for k in range(count + 1)], 10, rounded=False)
    cuff = (
        lathe(fillet([(0.0, 0.0), (0.13 + grow, 0.0), (0.14 + grow, 0.08), (0.0, 0.08)], 0.02, 2), 12)
        .turned("x", 0.06)
        .turned("z", 0.07)
        .moved(HAND[0] - 0.05, HAND[1] + 0.1, HAND[2] - 0.03)
    )
    hand = ellipsoid(0.24, 0.27, 0.24, 12, 9).moved(*HAND)
    thumb = ellipsoid(0.1, 0.17, 0.1, 8, 6).turned("z", 0.1).moved(HAND[0] - 0.12, HAND[1] + 0.02, HAND[2] + 0.06)
    return on_side(side, (*cover(sleeve, arm), *cover(GOLD_TRIM if wide else sleeve, cuff), *cover(skin, hand, thumb)))


def boot_leg(side: int, trousers: Paint, boot: Paint, *, pointed: bool) -> tuple[Piece, ...]:
    """A trouser leg in a boot."""
    x = side * 0.21
    shaft = lathe(smooth([(0.15, 0.3), (0.17, 0.5), (0.18, HIP + SINK)], 3), 14).moved(x, 0, 0)
    upper = lathe(smooth([(0.17, 0.08), (0.18, 0.24), (0.2, 0.42)], 3).tolist(), 16).moved(x, 0, 0)
    rim = ring(0.19, 0.07, 16, 6).moved(x, 0.42, 0)
    if pointed:
        toe = tube(
            smooth([(x, 0.13, 0.0), (x, 0.13, 0.2), (x, 0.16, 0.38), (x, 0.3, 0.46)], 3),
            [0.13, 0.13, 0.13, 0.125, 0.12, 0.11, 0.1, 0.09, 0.08, 0.07, 0.055, 0.045, 0.035],
            10,
        )
    else:
        toe = ellipsoid(0.36, 0.28, 0.56, 14, 9).moved(x, 0.14, 0.12)
    sole = extrude(ellipse(0.36, 0.58, 18), 0.07, 0.02, "y", 2).moved(x, 0.035, 0.1)
    return (*cover(trousers, shaft), *cover(boot, upper, rim, toe), *cover(SOLE, sole))


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
