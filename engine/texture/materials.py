"""The materials people can ask for, by name or by phrase, and the choice of one that shows."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Mapping
from types import MappingProxyType

import numpy as np

from engine.gltf.images import decode_image
from engine.surfaces import Surface
from engine.texture.coordinates import triangle_areas
from engine.texture.image import Color, linear_to_srgb
from engine.texture.made_materials import MADE
from engine.texture.natural_materials import NATURAL
from engine.texture.recipes import MaterialSpec
from schemas.errors import InputError

CONTRAST = 0.33
"""Distance in sRGB, at most sqrt(3), from which two looks are told apart at a glance."""

MATERIALS: Mapping[str, MaterialSpec] = MappingProxyType({spec.name: spec for spec in (*NATURAL, *MADE)})
"""Every material by name, in the order of the tables."""

_BY_PHRASE = {spec.phrase: spec for spec in MATERIALS.values()}


def find_material(text: str) -> MaterialSpec:
    """Find the material with this name or phrase, whatever the case. Raises InputError, with the nearest names."""
    wanted = " ".join(text.lower().split())
    found = MATERIALS.get(wanted.replace(" ", "_")) or _BY_PHRASE.get(wanted)
    if found is None:
        near = difflib.get_close_matches(wanted, [*_BY_PHRASE, *MATERIALS], n=3)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise InputError(f"material {text!r}: not one of the {len(MATERIALS)} known materials{hint}")
    return found


def color_distance(a: Color, b: Color) -> float:
    """Measure the distance in sRGB with green doubled and blue halved as the eye does; 1.87 from black to white."""
    red, green, blue = (x - y for x, y in zip(a, b, strict=True))
    return float(np.sqrt(red * red + 2.0 * green * green + 0.5 * blue * blue))


def choose_material(rng: np.random.Generator, current: Color | None, exclude: Collection[str] = ()) -> str:
    """Draw the name of a material that is told apart from the mean colour `current`; all families alike.

    When nothing left is far enough, the farthest is taken. Raises InputError when `exclude` names all materials.
    """
    left = [spec for name, spec in MATERIALS.items() if name not in exclude]
    if not left:
        raise InputError(f"choose_material: all {len(MATERIALS)} materials are excluded")
    if current is not None:
        far = [spec for spec in left if color_distance(spec.mean_color, current) >= CONTRAST]
        left = far or [max(left, key=lambda spec: (color_distance(spec.mean_color, current), spec.name))]
    families = sorted({spec.family for spec in left})
    family = families[int(rng.integers(len(families)))]
    names = sorted(spec.name for spec in left if spec.family == family)
    return names[int(rng.integers(len(names)))]


def measure_surface_color(surfaces: tuple[Surface, ...]) -> Color | None:
    """Mean sRGB colour of a piece as it is, weighted by area, the texture read at the middle of every triangle.

    Texture transforms and vertex colours are left out: it is a hint for a choice. None without area.
    """
    total, weight = np.zeros(3), 0.0
    for surface in surfaces:
        area = triangle_areas(surface.positions[surface.faces])
        factor = np.asarray([linear_to_srgb(value) for value in surface.material.base_color_factor[:3]])
        color = np.broadcast_to(factor, (len(area), 3))
        slot = surface.material.base_color
        if slot is not None and slot.uv_set < len(surface.uvs):
            pixels = decode_image(slot.image)
            middle = surface.uvs[slot.uv_set].astype(np.float64)[surface.faces].sum(axis=1) / 3.0
            middle = np.where(np.isfinite(middle), middle - np.floor(middle), 0.0)
            # a coordinate just below zero comes out as exactly one
            column = np.minimum((middle[:, 0] * pixels.shape[1]).astype(np.int64), pixels.shape[1] - 1)
            row = np.minimum((middle[:, 1] * pixels.shape[0]).astype(np.int64), pixels.shape[0] - 1)
            color = color * (pixels[row, column, :3] / 255.0)
        total = total + (color * area[:, None]).sum(axis=0)
        weight += math.fsum(area)
    return None if weight == 0 else (float(total[0] / weight), float(total[1] / weight), float(total[2] / weight))
