"""The offline texturer: seeded solid materials baked over a part's own coordinates or a new unwrap."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.gltf.unwrap_asset import UvAsset
from engine.seeds import generator_for
from engine.surface_order import order_surfaces
from engine.surfaces import FloatArray, Surface
from engine.texture.coordinates import check_coordinates, triangle_areas
from engine.texture.image import color_of, encode_png
from engine.texture.materials import find_material
from engine.texture.patterns.field import Field, Layers
from engine.texture.protocol import TextureAsset
from engine.texture.raster import Texels, find_gutter, find_texels
from engine.texture.recipes import MaterialSpec
from engine.texture.unwrap import store_unwrap, unwrap
from schemas.errors import InputError

SIDES = ((0.15, 256), (0.45, 384))
"""Longer image side for a piece whose area is that of a square of at most this side over the host diagonal."""
LARGEST_SIDE = 512
GUTTER = 6
"""Texels every chart grows by, so that bilinear sampling meets no background."""
CELL_OF_PART = 0.75
"""Largest pattern cell over the edge of the cube with the area of the piece."""
CELL_TEXELS = 16.0
"""Smallest pattern cell in texels; below it a pattern is noise."""
TONES = 20
"""Steps of a palette: few colours keep the images small."""
COVERS = 6


class BakeTexturer:
    """Bakes one of the named materials; needs no network, no model and no graphics card."""

    name = "bake"

    def texture(self, surfaces: tuple[Surface, ...], material: str, seed: int, scale: float) -> TextureAsset:
        """See engine.texture.protocol.Texturer."""
        spec = find_material(material)
        if not (np.isfinite(scale) and scale > 0):
            raise InputError(f"texture: scale is {scale}, a positive host diagonal is needed")
        # The image must not depend on the order in which a file stores the triangles.
        ordered = order_surfaces(surfaces)
        sorted_surfaces = tuple(entry.surface for entry in ordered)
        points = _triangles(sorted_surfaces)
        side = _image_side(math.fsum(triangle_areas(points)), scale)
        uv, corners, (width, height) = _coordinates(sorted_surfaces, side)
        texels = find_texels(corners, points, width, height)
        field = _field(texels, points, corners, (width, height), spec=spec, seed=seed, scale=scale)
        colors = _colorize(spec.pattern(field), spec)
        return TextureAsset(
            image_png=encode_png(_compose(texels, colors, width, height)),
            uv=None if uv is None else store_unwrap(uv, ordered),
            base_color_factor=(1.0, 1.0, 1.0, 1.0),
            metallic=spec.metallic,
            roughness=spec.roughness,
            double_sided=None,
        )


def _triangles(surfaces: tuple[Surface, ...]) -> FloatArray:
    if sum(len(s.faces) for s in surfaces) == 0:
        raise InputError("texture: the piece has no triangles")
    points: FloatArray = np.concatenate([s.positions[s.faces] for s in surfaces])
    if not np.isfinite(points).all():
        raise InputError("texture: the piece has coordinates that are not finite")
    return points


def _image_side(area: float, scale: float) -> int:
    size = float(np.sqrt(area)) / scale
    return next((side for limit, side in SIDES if size <= limit), LARGEST_SIDE)


def _coordinates(surfaces: tuple[Surface, ...], side: int) -> tuple[UvAsset | None, FloatArray, tuple[int, int]]:
    if check_coordinates(surfaces).usable:
        return None, np.concatenate([s.uvs[0].astype(np.float64)[s.faces] for s in surfaces]), (side, side)
    asset, (width, height) = unwrap(surfaces, side)
    corners = np.concatenate([p.uv.astype(np.float64)[p.faces] for p in asset.primitives])
    longer = max(width, height)
    # Multiples of four suit every texture compressor.
    size = tuple(max((extent * side // longer + 3) // 4 * 4, 4) for extent in (width, height))
    return asset, corners, (size[0], size[1])


def _field(
    texels: Texels,
    points: FloatArray,
    corners: FloatArray,
    size: tuple[int, int],
    *,
    spec: MaterialSpec,
    seed: int,
    scale: float,
) -> Field:
    flat = points.reshape(-1, 3)
    low, high = flat.min(axis=0), flat.max(axis=0)
    extent = high - low
    area = triangle_areas(points)
    a, b = (corners[:, 1] - corners[:, 0]) * size, (corners[:, 2] - corners[:, 0]) * size
    flat_area = 0.5 * math.fsum(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]))
    total = math.fsum(area)
    texel = float(np.sqrt(total / flat_area)) if flat_area > 0 and total > 0 else float(extent.max()) or 1.0
    cell = max(min(spec.period * scale, CELL_OF_PART * float(np.sqrt(total / 6.0))), CELL_TEXELS * texel)
    draw = generator_for(seed, "texture", spec.name)
    shift = draw.integers(0, 1 << 16, size=3) / 1024.0
    axes = sorted(range(3), key=lambda axis: (-float(extent[axis]), axis))
    cross = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    length = np.maximum(2.0 * area, np.finfo(np.float64).tiny)
    return Field(
        points=(texels.points - 0.5 * (low + high)) / cell + shift,
        normals=(cross / length[:, None])[texels.faces],
        texel=texel / cell,
        axes=(axes[0], axes[1], axes[2]),
        seed=int(draw.integers(0, 1 << 40)),
    )


def _colorize(layers: Layers, spec: MaterialSpec) -> NDArray[np.uint8]:
    base, over = (_palette(p)[_steps(tone, TONES)] for p, tone in ((spec.base, layers.base), (spec.over, layers.over)))
    cover = (_steps(layers.cover, COVERS) / (COVERS - 1.0))[:, None]
    return np.asarray(np.floor(base + (over - base) * cover + 0.5), dtype=np.uint8)


def _steps(values: FloatArray, count: int) -> NDArray[np.int64]:
    return np.asarray(np.floor(np.clip(values, 0.0, 1.0) * (count - 1) + 0.5), dtype=np.int64)


def _palette(colors: str) -> FloatArray:
    """TONES colours (TONES, 3) in [0, 255] along the given ones."""
    keys = np.asarray([color_of(text) for text in colors.split()]) * 255.0
    place = np.arange(TONES) / (TONES - 1.0) * (len(keys) - 1)
    left = np.minimum(np.floor(place).astype(np.int64), max(len(keys) - 2, 0))
    right = np.minimum(left + 1, len(keys) - 1)
    return np.asarray(keys[left] + (keys[right] - keys[left]) * (place - left)[:, None])


def _compose(texels: Texels, colors: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """Image (height, width, 3): colours, gutter, and the mean colour beyond."""
    mean = (colors.sum(axis=0, dtype=np.int64) // max(len(colors), 1)).astype(np.uint8)
    source = find_gutter(texels.place, width, height, GUTTER)
    pixels = np.where((source >= 0)[:, None], colors[np.maximum(source, 0)], mean)
    return pixels.reshape(height, width, 3)
