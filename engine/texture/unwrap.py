"""New texture coordinates for a whole piece: one xatlas atlas over all its primitives, geometry untouched."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xatlas

from engine.gltf.unwrap_asset import PrimitiveUv, UInt32Array, UvAsset
from engine.surface_order import OrderedSurface
from engine.surfaces import FloatArray, Surface
from schemas.errors import EngineError

PADDING = 6
"""Texels on either side of a chart in the packer's atlas, whose side exceeds the image's by up to a half or so."""


def unwrap(surfaces: tuple[Surface, ...], side: int) -> tuple[UvAsset, tuple[int, int]]:
    """Unwrap all surfaces into one atlas of about `side` texels; returns it with its (width, height) in packer texels.

    Faces keep their order and winding. Triangles without area are left out of the charts and get a coordinate inside
    the unit square. Raises EngineError when the packer returns other triangles than it was given.
    """
    atlas = xatlas.Atlas()
    origin, extent = _frame(surfaces)
    joined = []
    for surface in surfaces:
        # The packer's tolerances are absolute: in a unit box they mean the same for every part.
        unit = ((surface.positions[surface.faces.reshape(-1)] - origin) / extent).astype(np.float32)
        # Corners at one point are one vertex, in the order of their coordinates and not of the file.
        points, faces = np.unique(unit + np.float32(0.0), axis=0, return_inverse=True)
        joined.append(faces.reshape(-1, 3).astype(np.uint32))
        atlas.add_mesh(points, joined[-1])
    chart, pack = xatlas.ChartOptions(), xatlas.PackOptions()
    chart.max_iterations = 1
    pack.resolution = side
    pack.padding = PADDING
    pack.bilinear = True
    pack.rotate_charts = True
    pack.bruteForce = False
    pack.blockAlign = True
    atlas.generate(chart, pack)
    if atlas.atlas_count > 1:
        raise EngineError(f"unwrap: the packer made {atlas.atlas_count} atlases, one is needed")
    primitives = tuple(
        _primitive(atlas, index, surface, given)
        for index, (surface, given) in enumerate(zip(surfaces, joined, strict=True))
    )
    return UvAsset(primitives), (max(int(atlas.width), 1), max(int(atlas.height), 1))


def _frame(surfaces: tuple[Surface, ...]) -> tuple[FloatArray, float]:
    used = np.concatenate([s.positions[s.faces.reshape(-1)] for s in surfaces])
    low, high = used.min(axis=0), used.max(axis=0)
    extent = float((high - low).max())
    return low, extent if extent > 0 else 1.0


def _primitive(atlas: xatlas.Atlas, index: int, surface: Surface, given: UInt32Array) -> PrimitiveUv:
    vertex_map, faces, uv = atlas[index]
    faces = faces.reshape(-1, 3)
    if faces.shape != given.shape or not np.array_equal(vertex_map[faces], given):
        raise EngineError(f"unwrap: primitive {index}: the packer changed the triangles")
    inside = np.clip(np.nan_to_num(uv, nan=0.0), 0.0, 1.0).astype(np.float32)
    # One vertex for each stored vertex with each of the packer's places for it.
    pairs = surface.faces.reshape(-1) * len(inside) + faces.reshape(-1)
    distinct, corners = np.unique(pairs, return_inverse=True)
    return PrimitiveUv(
        vertex_map=(distinct // len(inside)).astype(np.uint32),
        faces=corners.reshape(-1, 3).astype(np.uint32),
        uv=inside[distinct % len(inside)],
    )


def store_unwrap(asset: UvAsset, ordered: Sequence[OrderedSurface]) -> UvAsset:
    """The unwrap of ordered surfaces, for the surfaces as they are stored."""
    stored = {}
    for primitive, (_, place, face, corner, _) in zip(asset.primitives, ordered, strict=True):
        faces = np.zeros_like(primitive.faces)
        faces[face[:, None], corner] = primitive.faces
        stored[place] = PrimitiveUv(primitive.vertex_map, faces, primitive.uv)
    return UvAsset(tuple(stored[place] for place in range(len(stored))))
