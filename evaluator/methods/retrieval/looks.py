"""The look that an instruction asks for, and giving it to nodes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.gltf.fragments import Fragment
from engine.gltf.pieces import TextureOverride
from engine.gltf.retexture import retexture_parts
from engine.texture.bake import BakeTexturer
from engine.texture.materials import MATERIALS
from engine.texture.recipes import MaterialSpec
from evaluator.methods.retrieval.own_nodes import OwnNode
from evaluator.methods.retrieval.wishes import find_look_words
from library_index.embedders.hashing import STOP_WORDS, stem

SEED = 0
SHADES = frozenset({"dark", "light", "pale", "bright", "plain", "glossy", "paint"})
SHADE_WEIGHT = 0.25
DARK_BELOW, LIGHT_ABOVE = 1.0, 2.6
"""Of red and twice green and half of blue, each in 0..1."""
_PAINT = "paint"
_WORD = re.compile(r"[a-z]+")
_SAME_LOOK = {
    "azure": "blue", "crimson": "red", "emerald": "green", "golden": "gold", "gray": "grey",
    "ivory": "white", "jet": "black", "lacquered": "glossy", "lilac": "purple", "rose": "pink",
    "scarlet": "red", "shiny": "glossy", "silver": "steel", "silvery": "steel", "teal": "turquoise",
    "violet": "purple", "wool": "fabric", "cloth": "fabric", "rusted": "rusty", "tiled": "brick", "clay": "terracotta",
    "oaken": "oak", "chrome": "steel", "jeans": "denim", "metal": "steel",
}  # fmt: skip
"""Words for a look that no material is called by, and the nearest that one is."""


def find_look(instruction: str) -> MaterialSpec | None:
    """The material that an instruction names, or the one nearest to its words; None when it names none.

    A material's own phrase at the end of the sentence is taken before anything else.
    """
    options = find_look_words(instruction)
    text = options[-1].removesuffix(f" {_PAINT}")
    named = [spec for spec in MATERIALS.values() if _ends_with(text, spec.phrase.removesuffix(f" {_PAINT}"))]
    if named:
        return max(named, key=lambda spec: (len(spec.phrase), spec.name))
    for words in options:
        asked = _stems(words) if words != options[-1] else _last_run(words)
        if options[-1].startswith(_PAINT):
            asked |= {_PAINT}
        share, name = max((_share(asked, _WORDS[name]), name) for name in MATERIALS)
        if share > 0.0 and asked != {_PAINT}:
            return MATERIALS[name]
    return None


def give_look(nodes: Sequence[OwnNode], spec: MaterialSpec, scale: float) -> list[Fragment]:
    """The nodes under a material, in their order; geometry stays as it is.

    `scale` is the diagonal of the state, world units. Raises InputError for nodes without triangles.
    """
    surfaces = tuple(surface for node in nodes for surface in node.model.surfaces)
    asset = BakeTexturer().texture(surfaces, spec.name, SEED, scale)
    look = TextureOverride(
        image_png=asset.image_png,
        uv=asset.uv,
        base_color_factor=asset.base_color_factor,
        metallic=asset.metallic,
        roughness=asset.roughness,
        double_sided=asset.double_sided,
    )
    return retexture_parts([node.source for node in nodes], look)


def _ends_with(text: str, phrase: str) -> bool:
    return text == phrase or text.endswith((f" {phrase}", f":{phrase}"))


def _stems(text: str) -> frozenset[str]:
    words = (word for word in _WORD.findall(text) if word not in STOP_WORDS)
    return frozenset(stem(_SAME_LOOK.get(word, word)) for word in words)


def _words_of(spec: MaterialSpec) -> frozenset[str]:
    """What a material may be called by: its phrase and family, and dark or light by its mean colour."""
    red, green, blue = spec.mean_color
    bright = red + 2.0 * green + 0.5 * blue
    shade = {"dark"} if bright < DARK_BELOW else {"light"} if bright > LIGHT_ABOVE else set()
    return _stems(f"{spec.phrase} {spec.family}") | shade


_WORDS = {name: _words_of(spec) for name, spec in MATERIALS.items()}
_KNOWN = frozenset(word for words in _WORDS.values() for word in words)


def _last_run(text: str) -> frozenset[str]:
    """The last words of a sentence that name looks, as far back as they go on."""
    run: set[str] = set()
    for word in reversed(_WORD.findall(text)):
        found = _stems(word)
        if found and not found <= _KNOWN:
            break
        run |= found
    return frozenset(run)


def _share(asked: frozenset[str], said: frozenset[str]) -> float:
    """Words in common over the mean number of words; shades count less than colours and materials."""
    return 2.0 * _weigh(asked & said) / (_weigh(asked) + _weigh(said)) if asked else 0.0


def _weigh(words: frozenset[str]) -> float:
    return len(words) - (1.0 - SHADE_WEIGHT) * len(words & SHADES)
