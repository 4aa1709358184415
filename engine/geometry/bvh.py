"""A bounding volume hierarchy over triangles: the structure that distance, sweep and curve walk.

Triangles are ordered along a Morton curve and cut into equal leaves of a complete binary tree, so that node i has the
children 2i+1 and 2i+2 and leaf k holds triangles [k F / L, (k+1) F / L). Nothing but the boxes depends on the pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from engine.geometry.clean import check_soup
from engine.geometry.similarity import transform_points
from engine.surfaces import FloatArray, IntArray

LEAF_FACES = 4


@dataclass(frozen=True, slots=True)
class Bvh:
    """Triangles in Morton order with the boxes of a complete binary tree; arrays are not to be written to."""

    corners: FloatArray
    """(F, 3, 3) float64: the corners of each triangle, in tree order."""
    boxes: FloatArray
    """(2 L - 1, 2, 3) float64: lower and upper corner of every node, root first."""
    order: IntArray
    """(F,) int64: the caller's face behind each triangle in tree order."""

    @property
    def bounds(self) -> FloatArray:
        """The box (2, 3) of all triangles."""
        root: FloatArray = self.boxes[0].copy()
        return root


@njit(cache=True, nogil=True)
def _spread(value: int) -> int:
    value &= 0x1FFFFF
    value = (value | (value << 32)) & 0x1F00000000FFFF
    value = (value | (value << 16)) & 0x1F0000FF0000FF
    value = (value | (value << 8)) & 0x100F00F00F00F00F
    value = (value | (value << 4)) & 0x10C30C30C30C30C3
    return (value | (value << 2)) & 0x1249249249249249


@njit(cache=True, nogil=True)
def _morton_codes(corners: FloatArray) -> IntArray:
    n = len(corners)
    middles = np.zeros((n, 3))
    low = np.full(3, np.inf)
    high = np.full(3, -np.inf)
    for f in range(n):
        for k in range(3):
            lowest = min(corners[f, 0, k], corners[f, 1, k], corners[f, 2, k])
            highest = max(corners[f, 0, k], corners[f, 1, k], corners[f, 2, k])
            middles[f, k] = 0.5 * lowest + 0.5 * highest
            low[k] = min(low[k], middles[f, k])
            high[k] = max(high[k], middles[f, k])
    side = max(high[0] - low[0], high[1] - low[1], high[2] - low[2])
    factor = 2097151.0 / side if side > 0.0 else 0.0
    codes = np.zeros(n, dtype=np.int64)
    for f in range(n):
        for k in range(3):
            codes[f] |= _spread(int((middles[f, k] - low[k]) * factor)) << k
    return codes


@njit(cache=True, nogil=True)
def _fit_boxes(corners: FloatArray, leaves: int) -> FloatArray:
    n = len(corners)
    boxes = np.zeros((2 * leaves - 1, 2, 3))
    for leaf in range(leaves):
        node = leaves - 1 + leaf
        first = leaf * n // leaves
        last = (leaf + 1) * n // leaves
        for k in range(3):
            low, high = np.inf, -np.inf
            for f in range(first, last):
                for c in range(3):
                    low = min(low, corners[f, c, k])
                    high = max(high, corners[f, c, k])
            boxes[node, 0, k] = low
            boxes[node, 1, k] = high
    for node in range(leaves - 2, -1, -1):
        for k in range(3):
            boxes[node, 0, k] = min(boxes[2 * node + 1, 0, k], boxes[2 * node + 2, 0, k])
            boxes[node, 1, k] = max(boxes[2 * node + 1, 1, k], boxes[2 * node + 2, 1, k])
    return boxes


def build_bvh(vertices: FloatArray, faces: IntArray) -> Bvh:
    """Build the hierarchy over a triangle soup (V, 3), (F, 3); degenerate triangles are allowed.

    Raises:
        GeometryError: no faces, an index out of range, or a used vertex that is not finite.

    """
    check_soup(vertices, faces)
    corners = np.array(vertices, dtype=np.float64)[np.asarray(faces, dtype=np.int64)]
    order = np.argsort(_morton_codes(corners), kind="stable")
    corners = np.ascontiguousarray(corners[order])
    leaves = 1
    while leaves * LEAF_FACES < len(corners):
        leaves *= 2
    return Bvh(corners=corners, boxes=_fit_boxes(corners, leaves), order=order)


def moved_bvh(bvh: Bvh, matrix: FloatArray) -> Bvh:
    """Return the same hierarchy with every corner moved by `matrix` and the boxes fitted again."""
    corners = np.ascontiguousarray(transform_points(matrix, bvh.corners))
    return Bvh(corners=corners, boxes=_fit_boxes(corners, (len(bvh.boxes) + 1) // 2), order=bvh.order)
