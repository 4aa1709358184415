"""Axis-aligned boxes as (2, 3) arrays: lower corner, upper corner."""

from __future__ import annotations

import numpy as np

from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError


def bounds_of(vertices: FloatArray, faces: IntArray) -> FloatArray:
    """Return the box (2, 3) of the vertices that a face uses.

    Raises:
        GeometryError: there is no face, or a used vertex is not finite.

    """
    if len(faces) == 0:
        raise GeometryError("bounds: the mesh has no faces")
    is_used = np.zeros(len(vertices), dtype=bool)
    is_used[faces] = True
    used = vertices[is_used]
    box: FloatArray = np.stack([used.min(axis=0), used.max(axis=0)])
    if not np.isfinite(box).all():
        raise GeometryError("bounds: a used vertex is not finite")
    return box


def diagonal(bounds: FloatArray) -> float:
    """Return the length of the box diagonal."""
    extent = bounds[1] - bounds[0]
    return float(np.sqrt((extent * extent).sum()))


def merge_bounds(first: FloatArray, *others: FloatArray) -> FloatArray:
    """Return the smallest box around all given boxes."""
    boxes = np.stack([first, *others])
    return np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])


def box_iou(a: FloatArray, b: FloatArray, pad: float = 0.0) -> float:
    """Intersection over union of two boxes, each grown by `pad` on every side; 0 when both are flat."""
    low = np.maximum(a[0], b[0]) - pad
    high = np.minimum(a[1], b[1]) + pad
    shared = float(np.prod(np.maximum(high - low, 0.0)))
    union = sum(float(np.prod(box[1] - box[0] + 2.0 * pad)) for box in (a, b)) - shared
    return shared / union if union > 0.0 else 0.0


def box_distance(a: FloatArray, b: FloatArray) -> float:
    """Return the gap between two boxes, 0 when they meet."""
    gap = np.maximum(np.maximum(a[0] - b[1], b[0] - a[1]), 0.0)
    return float(np.sqrt((gap * gap).sum()))
