"""Whether an object stands by itself: its surface's centroid over the hull of what it stands on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.geometry.overlap import Placed
from engine.geometry.stability import convex_hull
from engine.surfaces import FloatArray
from schemas.placement import CONTACT_REL


def measure_imbalance(parts: Sequence[Placed], ground: float, diagonal: float) -> float:
    """How far the centroid lies outside the hull of what touches the ground, over D; 0 for what stands firmly.

    Seen from above; corners within 0.01 D above `ground` carry the object. Infinite when nothing does.
    """
    corners = np.concatenate([placed.bvh.corners for placed in parts])
    points = corners.reshape(-1, 3)
    base = points[points[:, 1] <= ground + CONTACT_REL * diagonal]
    if not len(base):
        return float("inf")
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.sqrt((normals * normals).sum(axis=1))
    centroid = (corners.mean(axis=1) * area[:, None]).sum(axis=0) / float(area.sum())
    return _outside(convex_hull(base[:, [0, 2]]), float(centroid[0]), float(centroid[2])) / diagonal


def _outside(hull: FloatArray, x: float, y: float) -> float:
    """Distance of a point from a convex polygon (H, 2), counter-clockwise; 0 inside."""
    edges = np.roll(hull, -1, axis=0) - hull
    away = np.array([x, y]) - hull
    turns = edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0]
    if len(hull) > 2 and bool((turns >= 0.0).all()):
        return 0.0
    squared = (edges * edges).sum(axis=1)
    share = (away * edges).sum(axis=1) / np.where(squared > 0.0, squared, 1.0)
    rest = away - np.clip(share, 0.0, 1.0)[:, None] * edges
    return float(np.sqrt((rest * rest).sum(axis=1).min()))
