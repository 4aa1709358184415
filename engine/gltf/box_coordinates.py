"""Texture coordinates for surfaces that came without any, when a look brings an image and no unwrap.

Each triangle is seen along the axis it faces most, in the box of its surface: the image lies once on each side of the
box, upright and unstretched. A function of the surface alone, elementwise in float64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.gltf.unwrap_asset import PrimitiveUv
from engine.surfaces import Surface

_ACROSS = np.array([2, 0, 0])
_UP = np.array([1, 2, 1])
"""Axes of the image for a triangle that faces X, Y or Z."""


def project_missing(surfaces: Sequence[Surface]) -> tuple[PrimitiveUv | None, ...]:
    """New coordinates for the surfaces without TEXCOORD_0, None for those that have their own."""
    return tuple(None if surface.uvs else project_box(surface) for surface in surfaces)


def project_box(surface: Surface) -> PrimitiveUv:
    """Coordinates in [0, 1] by the axis each triangle faces most, X before Y before Z; corners become vertices."""
    corners = surface.positions[surface.faces]
    count = len(corners)
    low = corners.min(axis=(0, 1)) if count else np.zeros(3)
    extent = float((corners.max(axis=(0, 1)) - low).max()) if count else 0.0
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    facing = np.argmax(np.abs(np.cross(a, b)), axis=1)
    unit = (corners - low) / (extent if extent > 0.0 else 1.0)
    rows = np.arange(count)[:, None]
    places = np.arange(3)[None, :]
    across = unit[rows, places, _ACROSS[facing][:, None]]
    up = unit[rows, places, _UP[facing][:, None]]
    uv = np.stack([across, 1.0 - up], axis=-1).reshape(-1, 2).astype(np.float32)
    return PrimitiveUv(
        vertex_map=surface.faces.reshape(-1).astype(np.uint32),
        faces=np.arange(3 * count, dtype=np.uint32).reshape(-1, 3),
        uv=np.clip(uv, np.float32(0.0), np.float32(1.0)),
    )
