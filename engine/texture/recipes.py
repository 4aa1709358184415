"""The table of materials: names, phrases, palettes and the pattern each is made by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from engine.texture.image import Color, color_of
from engine.texture.patterns import made, natural
from engine.texture.patterns.field import Pattern


@dataclass(frozen=True, slots=True)
class MaterialSpec:
    """One named material."""

    name: str
    phrase: str
    """As it stands after `to` in an instruction: `dark walnut wood`."""
    family: str
    mean: str
    """Mean sRGB colour of a baked texture, `#rrggbb`, to a few hundredths."""
    metallic: float
    roughness: float
    period: float
    """Pattern cell over the diagonal of the host."""
    pattern: Pattern
    base: tuple[str, ...]
    """Palette from tone 0 to tone 1, `#rrggbb`."""
    over: tuple[str, ...] = ("#000000",)
    """Palette of the second layer, where the pattern has one."""

    @property
    def mean_color(self) -> Color:
        """Mean sRGB colour, each in [0, 1]."""
        return color_of(self.mean)


def _wood(name: str, phrase: str, mean: str, base: tuple[str, ...], rings: float = 4.0) -> MaterialSpec:
    return MaterialSpec(name, phrase, "wood", mean, 0.0, 0.62, 0.20, partial(natural.grain, rings=rings), base)


def _planks(name: str, phrase: str, mean: str, base: tuple[str, ...], joint: str) -> MaterialSpec:
    return MaterialSpec(name, phrase, "planks", mean, 0.0, 0.75, 0.20, natural.planks, base, (joint,))


def _metal(name: str, phrase: str, mean: str, roughness: float, pattern: Pattern, base: tuple[str, ...]) -> MaterialSpec:
    return MaterialSpec(name, phrase, "metal", mean, 0.9, roughness, 0.16, pattern, base)


def _paint(name: str, phrase: str, mean: str, base: tuple[str, ...]) -> MaterialSpec:
    return MaterialSpec(name, phrase, "paint", mean, 0.0, 0.38, 0.3, made.coat, base)


def _glass(name: str, phrase: str, mean: str, base: tuple[str, ...], light: str) -> MaterialSpec:
    return MaterialSpec(name, phrase, "glass", mean, 0.0, 0.08, 0.25, made.tinted, base, (light,))


def _two(
    name: str, phrase: str, family: str, mean: str, pattern: Pattern, base: tuple[str, ...], over: tuple[str, ...]
) -> MaterialSpec:
    return MaterialSpec(name, phrase, family, mean, 0.0, 0.55, 0.11, pattern, base, over)


_OAK = ("#6e4a26", "#9a6c3b", "#bd8d55", "#d8b07a")
_PINE = ("#a06a2e", "#c99452", "#e2b878", "#f0d39d")
_GREY_WOOD = ("#4c4741", "#756e65", "#9a9287", "#bab3a8")
_STEEL = ("#5d646b", "#8b939a", "#b4bbc1", "#dfe4e8")

NATURAL: tuple[MaterialSpec, ...] = (
    _wood("oak_wood", "light oak wood", "#b0824d", _OAK),
    _wood("walnut_wood", "dark walnut wood", "#4d321f", ("#22130a", "#3c2514", "#5a3b24", "#7a5437")),
    _wood("birch_wood", "pale birch wood", "#dcc296", ("#b8935f", "#d6b98a", "#e8d3ad", "#f4e8cf"), 3.0),
    _wood("cherry_wood", "reddish cherry wood", "#8a4527", ("#55220f", "#7d3a1e", "#a2552f", "#c1764a")),
    _wood("ebony_wood", "black ebony wood", "#2b2522", ("#120e0c", "#221c19", "#352d29", "#4b413b")),
    _planks("pine_planks", "pine planks", "#cf9f60", _PINE, "#5a3413"),
    _planks("oak_planks", "brown oak planks", "#9a7044", ("#553517", "#7f5730", "#a67a49", "#c69b69"), "#291708"),
    _planks("weathered_planks", "weathered grey planks", "#837b71", _GREY_WOOD, "#26221f"),
    MaterialSpec(
        "granite", "speckled grey granite", "stone", "#8b8a89", 0.0, 0.7, 0.25,
        natural.speckle, ("#5e5d5e", "#858483", "#a7a5a3", "#cdcac6"), ("#2b2a2c", "#3b3a3d"),
    ),
    MaterialSpec(
        "sandstone", "layered sandstone", "stone", "#c79f69", 0.0, 0.9, 0.2,
        natural.strata, ("#9b6b3d", "#bb8b55", "#d2ab74", "#e6cb9a"),
    ),
    MaterialSpec(
        "cobblestone", "grey cobblestones", "stone", "#77767a", 0.0, 0.88, 0.2,
        natural.cobbles, ("#4b4c50", "#6c6d71", "#8d8d8f", "#b1afac"), ("#2b2927", "#413d39"),
    ),
    MaterialSpec(
        "slate_blocks", "dark slate blocks", "stone", "#3f4853", 0.0, 0.8, 0.2,
        partial(made.bricks, course=0.5, joint=0.02), ("#252d36", "#38424d", "#4c5864", "#66727e"), ("#15181c", "#22272c"),
    ),
    MaterialSpec(
        "white_marble", "white marble", "marble", "#e0dedb", 0.0, 0.22, 0.28,
        natural.veins, ("#c9c7c6", "#e2e0de", "#f0efed", "#faf9f8"), ("#6f7278", "#9a9ca1"),
    ),
    MaterialSpec(
        "black_marble", "black marble with golden veins", "marble", "#2f2b25", 0.0, 0.2, 0.28,
        natural.veins, ("#0f0f12", "#19191d", "#26262b", "#36363c"), ("#d9a944", "#a97d2c"),
    ),
    MaterialSpec(
        "green_marble", "green marble", "marble", "#2f6149", 0.0, 0.22, 0.28,
        natural.veins, ("#12382a", "#1f5440", "#337356", "#559273"), ("#cfe3d3", "#9fc4ad"),
    ),
    MaterialSpec(
        "rusty_iron", "rusty iron", "rust", "#82492a", 0.35, 0.85, 0.22,
        natural.rust, ("#3d1d12", "#6d3319", "#9a4f22", "#c4743a"), ("#55565a", "#7a7b7e"),
    ),
    MaterialSpec(
        "flaking_paint", "rusty metal with flaking teal paint", "rust", "#4d7069", 0.2, 0.7, 0.22,
        partial(natural.rust, bare=0.46), ("#3d1d12", "#6d3319", "#9a4f22", "#b9683a"), ("#1f7b78", "#3a9c94"),
    ),
    MaterialSpec(
        "mossy_stone", "mossy stone", "moss", "#626a45", 0.0, 0.95, 0.2,
        natural.moss, ("#47474a", "#66666a", "#86868a", "#a5a5a6"), ("#23380f", "#3f5f1b", "#628a2c", "#8db24a"),
    ),
    MaterialSpec(
        "brown_leather", "worn brown leather", "leather", "#6f4022", 0.0, 0.58, 0.12,
        natural.hide, ("#40200e", "#653518", "#8a5129", "#b07444"), ("#281206",),
    ),
    MaterialSpec(
        "black_leather", "black leather", "leather", "#29272a", 0.0, 0.42, 0.12,
        natural.hide, ("#161517", "#232124", "#353237", "#4b474e"), ("#0a090a",),
    ),
)  # fmt: skip
"""Grown and weathered materials."""

MADE: tuple[MaterialSpec, ...] = (
    _metal("brushed_steel", "brushed steel", "#9fa6ad", 0.34, made.brushed, _STEEL),
    _metal("polished_brass", "polished brass", "#c79d45", 0.2, made.polished, ("#7c5a1c", "#b98a33", "#e2bb5c", "#fbe7a6")),
    _metal("brushed_copper", "brushed copper", "#bb6c46", 0.34, made.brushed, ("#74351d", "#a9573a", "#d07f5b", "#f1b08c")),
    _metal("polished_gold", "polished gold", "#dcab33", 0.16, made.polished, ("#96690c", "#d39c1e", "#f5c748", "#fff0b0")),
    _metal("hammered_iron", "hammered dark iron", "#45464a", 0.5, made.hammered, ("#222326", "#393a3e", "#55565b", "#7d7f85")),
    _metal("hammered_bronze", "hammered bronze", "#80592f", 0.42, made.hammered, ("#47300f", "#6f4c22", "#976d3a", "#c79c61")),
    MaterialSpec(
        "red_brick", "red brick", "brick", "#9d5845", 0.0, 0.9, 0.11,
        made.bricks, ("#6d2a1c", "#8f3f2b", "#ad563d", "#c87a5d"), ("#a89d90", "#c4bbae"),
    ),
    MaterialSpec(
        "yellow_brick", "yellow brick", "brick", "#c49f5f", 0.0, 0.9, 0.11,
        made.bricks, ("#a0733a", "#bd9150", "#d6b06b", "#ebcf93"), ("#7c7368", "#948a7d"),
    ),
    MaterialSpec(
        "white_brick", "whitewashed brick", "brick", "#d3cfc8", 0.0, 0.85, 0.11,
        partial(made.bricks, spread=0.35), ("#b9b2a8", "#d2cdc5", "#e6e3dd", "#f5f3f0"), ("#8f8a83", "#a39e97"),
    ),
    MaterialSpec(
        "blue_denim", "blue denim", "fabric", "#35537c", 0.0, 0.95, 0.12,
        partial(made.woven, threads=9.0, twill=True), ("#1b3358", "#2c4c7c", "#42659a", "#5d80b4"), ("#5f7ea6", "#9db3cd"),
    ),
    MaterialSpec(
        "beige_linen", "coarse beige linen", "fabric", "#b3a184", 0.0, 0.95, 0.12,
        made.woven, ("#7e6b4c", "#a79474", "#c6b698", "#ddd2ba"), ("#877455", "#b19f80", "#d0c1a5", "#e7dec9"),
    ),
    MaterialSpec(
        "red_tartan", "red tartan fabric", "fabric", "#8c2a2b", 0.0, 0.92, 0.12,
        made.tartan, ("#9c1a22", "#b8232b", "#cf3a3e"), ("#13361f", "#f1d772"),
    ),
    MaterialSpec(
        "green_tartan", "green tartan fabric", "fabric", "#23503a", 0.0, 0.92, 0.12,
        made.tartan, ("#175233", "#216843", "#317f56"), ("#121d44", "#e9e4cf"),
    ),
    MaterialSpec(
        "camouflage", "green camouflage fabric", "fabric", "#5b5f3d", 0.0, 0.92, 0.2,
        made.camouflage, ("#3d4a27", "#6f7644", "#a59a68"), ("#29231a",),
    ),
    MaterialSpec(
        "white_porcelain", "glazed white porcelain", "ceramic", "#eceae5", 0.0, 0.12, 0.3,
        made.glazed, ("#d6d4cf", "#ebe9e5", "#f7f6f3", "#ffffff"),
    ),
    MaterialSpec(
        "crackled_celadon", "crackled green ceramic", "ceramic", "#7fa48a", 0.0, 0.15, 0.16,
        partial(made.glazed, crackle=True), ("#5f8a70", "#7ba58a", "#98bda3", "#b9d5c0"), ("#2f4838",),
    ),
    MaterialSpec(
        "cobalt_ceramic", "glazed cobalt blue ceramic", "ceramic", "#20429d", 0.0, 0.12, 0.3,
        made.glazed, ("#0d1f63", "#1a3a94", "#2f5cc0", "#5c8be0"),
    ),
    MaterialSpec(
        "terracotta", "terracotta", "ceramic", "#bf6c48", 0.0, 0.9, 0.3,
        partial(natural.strata, beds=9.0), ("#a8532f", "#b96440", "#c87650", "#d68a65"),
    ),
    _glass("blue_glass", "blue tinted glass", "#3a86bd", ("#155a93", "#2b7bb5", "#5aa3d3", "#93c9ea"), "#e2f4ff"),
    _glass("green_glass", "green bottle glass", "#20693f", ("#0b3f21", "#175a34", "#2a7d4c", "#4fa370"), "#c9f0d6"),
    _glass("amber_glass", "amber glass", "#c57a1d", ("#8a4608", "#b9690f", "#de922a", "#f5bd5f"), "#fff0cf"),
    _paint("red_paint", "glossy red paint", "#c4212a", ("#b01820", "#c4222b", "#d83841")),
    _paint("orange_paint", "bright orange paint", "#ea7a1e", ("#dc6a10", "#ea7a1e", "#f58f3a")),
    _paint("yellow_paint", "sunny yellow paint", "#f0c522", ("#e4b610", "#f0c522", "#f8d548")),
    _paint("lime_paint", "lime green paint", "#8cc63c", ("#7cb52b", "#8cc63c", "#a0d458")),
    _paint("green_paint", "dark green paint", "#1f6136", ("#174f2a", "#1f6136", "#2d7546")),
    _paint("turquoise_paint", "turquoise paint", "#22a7a4", ("#169391", "#22a7a4", "#40bab7")),
    _paint("sky_paint", "sky blue paint", "#6bb3e6", ("#55a2da", "#6bb3e6", "#88c4ee")),
    _paint("navy_paint", "navy blue paint", "#1d2d5c", ("#16234b", "#1d2d5c", "#2a3c70")),
    _paint("purple_paint", "purple paint", "#6b3594", ("#5b2882", "#6b3594", "#7f4aa8")),
    _paint("pink_paint", "bright pink paint", "#ee6fa4", ("#e25a93", "#ee6fa4", "#f58bb7")),
    _paint("white_paint", "plain white paint", "#efefec", ("#e4e4e0", "#efefec", "#f8f8f6")),
    _paint("black_paint", "glossy black paint", "#1d1d1f", ("#141416", "#1d1d1f", "#2a2a2d")),
    _two("red_white_stripes", "red and white stripes", "stripes", "#d98a89", made.stripes, ("#bc1f2a", "#d33a42"), ("#ebe9e4", "#f8f7f4")),
    _two("blue_white_stripes", "blue and white stripes", "stripes", "#8ba3c8", made.stripes, ("#244f99", "#3767b2"), ("#ebe9e4", "#f8f7f4")),
    _two("hazard_stripes", "yellow and black hazard stripes", "stripes", "#897420", partial(made.stripes, direction="slanting"), ("#ecbd12", "#f8d13a"), ("#18181a", "#28282b")),
    _two("green_cream_stripes", "green and cream stripes", "stripes", "#8fae87", made.stripes, ("#2f7a45", "#45935b"), ("#f1e8ca", "#faf4df")),
    _two("black_white_checks", "black and white checks", "checks", "#858585", made.checks, ("#19191b", "#2a2a2d"), ("#e9e9e6", "#f8f8f6")),
    _two("red_gingham", "red and white gingham", "checks", "#dd8a8b", partial(made.checks, gingham=True), ("#f2efec", "#fbfaf8"), ("#c01f2b", "#cf3640")),
    _two("blue_yellow_checks", "blue and yellow checks", "checks", "#8f8f66", made.checks, ("#1f4fa0", "#3567b8"), ("#efc22a", "#f8d550")),
    _two("red_polka_dots", "red with white polka dots", "dots", "#d56368", made.dots, ("#c01f2b", "#d33a42"), ("#f2f0ec", "#fbfaf8")),
    _two("blue_polka_dots", "navy blue with yellow polka dots", "dots", "#5b5d52", made.dots, ("#1a2a5a", "#28396f"), ("#f0c522", "#f8d548")),
)  # fmt: skip
"""Manufactured materials."""
