"""New texture coordinates for a whole piece: one xatlas atlas over all its primitives, geometry untouched."""

from __future__ import annotations

import numpy as np
import xatlas

from engine.gltf.unwrap_asset import PrimitiveUv, UvAsset
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
    for surface in surfaces:
        # The packer's tolerances are absolute: in a unit box they mean the same for every part.
        unit = np.zeros(surface.positions.shape, dtype=np.float32)
        used = np.unique(surface.faces)  # the others may hold anything
        unit[used] = (surface.positions[used] - origin) / extent
        atlas.add_mesh(unit, np.ascontiguousarray(surface.faces, dtype=np.uint32))
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
    primitives = tuple(_primitive(atlas, index, surface) for index, surface in enumerate(surfaces))
    return UvAsset(primitives), (max(int(atlas.width), 1), max(int(atlas.height), 1))


def _frame(surfaces: tuple[Surface, ...]) -> tuple[FloatArray, float]:
    used = np.concatenate([s.positions[s.faces.reshape(-1)] for s in surfaces])
    low, high = used.min(axis=0), used.max(axis=0)
    extent = float((high - low).max())
    return low, extent if extent > 0 else 1.0


def _primitive(atlas: xatlas.Atlas, index: int, surface: Surface) -> PrimitiveUv:
    vertex_map, faces, uv = atlas[index]
    faces = faces.reshape(-1, 3)
    if faces.shape != surface.faces.shape or not np.array_equal(vertex_map[faces], surface.faces):
        raise EngineError(f"unwrap: primitive {index}: the packer changed the triangles")
    inside = np.clip(np.nan_to_num(uv, nan=0.0), 0.0, 1.0).astype(np.float32)
    return PrimitiveUv(vertex_map.astype(np.uint32), faces.astype(np.uint32), inside)
