"""Whether the coordinates a part came with can carry an image of their own."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.surfaces import FloatArray, Surface
from engine.texture.raster import measure_cover

COVER_SIDE = 256
OVERLAP_MAX = 0.02
"""Share of the covered texels that may belong to two triangles."""
FILL_MIN = 0.20
"""Share of the square that must be covered: parts on a palette cover a few texels."""
COLLAPSED_MAX = 0.01
"""Share of the area that may lie in triangles without a texel to themselves."""
DENSITY_SPREAD_MAX = 4.0
"""Between the sparse and the dense tenth of the area, in texels per length."""


class CoordinateReport(NamedTuple):
    """Why existing coordinates can or cannot be used."""

    usable: bool
    reason: str
    """Empty when usable."""


def check_coordinates(surfaces: tuple[Surface, ...]) -> CoordinateReport:
    """Judge TEXCOORD_0 of all surfaces together, as one image will serve them all.

    They must exist, be finite, lie in the unit square, cover at least FILL_MIN of it one to one, leave no
    area collapsed and keep an even density. Overlap is counted on an integer texel raster.
    """
    if any(not s.uvs for s in surfaces):
        return CoordinateReport(usable=False, reason="a primitive has no texture coordinates")
    corners = np.concatenate([s.uvs[0].astype(np.float64)[s.faces] for s in surfaces])
    if not np.isfinite(corners).all():
        return CoordinateReport(usable=False, reason="coordinates are not finite")
    low, high = float(corners.min()), float(corners.max())
    if low < 0.0 or high > 1.0:
        return CoordinateReport(usable=False, reason=f"coordinates reach from {low:.3g} to {high:.3g}, beyond [0, 1]")
    cover = measure_cover(corners, COVER_SIDE)
    covered, doubled = int((cover > 0).sum()), int((cover > 1).sum())
    if covered < FILL_MIN * COVER_SIDE * COVER_SIDE:
        share = covered / (COVER_SIDE * COVER_SIDE)
        return CoordinateReport(usable=False, reason=f"{share:.3f} of the image is covered, {FILL_MIN} is needed")
    if doubled > OVERLAP_MAX * covered:
        return CoordinateReport(usable=False, reason=f"{doubled / covered:.3f} overlaps, {OVERLAP_MAX} is allowed")
    return _check_density(corners, np.concatenate([s.positions[s.faces] for s in surfaces]))


def _check_density(corners: FloatArray, points: FloatArray) -> CoordinateReport:
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    flat = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) * 0.5 * COVER_SIDE * COVER_SIDE
    solid = triangle_areas(points)
    total = math.fsum(solid)
    lost = math.fsum(solid[flat < 0.25])
    if lost > COLLAPSED_MAX * total:
        return CoordinateReport(usable=False, reason=f"{lost / total:.3f} of the area is collapsed")
    kept = (flat >= 0.25) & (solid > 0.0)
    density = np.sqrt(flat[kept] / solid[kept])
    order = np.argsort(density, kind="stable")
    reached = np.cumsum(solid[kept][order])
    sparse, dense = (density[order][np.searchsorted(reached, share * reached[-1])] for share in (0.1, 0.9))
    if dense > DENSITY_SPREAD_MAX * sparse:
        return CoordinateReport(usable=False, reason=f"density varies {dense / sparse:.1f}-fold")
    return CoordinateReport(usable=True, reason="")


def triangle_areas(points: FloatArray) -> FloatArray:
    """Areas of triangles (F, 3, 3); (F,)."""
    cross = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    squared = cross * cross
    return np.asarray(0.5 * np.sqrt(squared[:, 0] + squared[:, 1] + squared[:, 2]))
