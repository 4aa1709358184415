"""Exact distances: between two meshes, and from points to a mesh.

Definition: geometry notes, sections 1 and 6. The distance is that of the surfaces; a mesh inside another one without
touching it has a gap above 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from engine.geometry.bvh import Bvh
from engine.geometry.triangles import box_gap, box_size, point_box_gap, point_gap, triangle_gap
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

STACK_ROWS = 256
"""A walk over two trees of 2^21 leaves needs 43 rows."""
TOUCHING = 2.0**-50
"""Distances below this share of the largest coordinate are what rounding leaves of 0."""


class Gap(NamedTuple):
    """The exact distance of two surfaces and where it is reached."""

    distance: float
    """0 when they touch or cross, inf when farther apart than asked for."""
    point_a: FloatArray
    """(3,) on the first surface; nan when the distance is inf."""
    point_b: FloatArray
    """(3,) on the second surface."""


class Closest(NamedTuple):
    """The nearest point of a surface for every query point."""

    distance: FloatArray
    """(N,), inf when farther than asked for."""
    point: FloatArray
    """(N, 3), nan when the distance is inf."""
    face: IntArray
    """(N,) int64, -1 when the distance is inf."""


@njit(cache=True, nogil=True)
def _walk_pairs(
    a: FloatArray, boxes_a: FloatArray, b: FloatArray, boxes_b: FloatArray, best: float, found: FloatArray
) -> float:
    leaves_a, leaves_b = (len(boxes_a) + 1) // 2, (len(boxes_b) + 1) // 2
    stack = np.zeros((STACK_ROWS, 2), dtype=np.int64)
    lower = np.zeros(STACK_ROWS)
    lower[0] = box_gap(boxes_a, 0, boxes_b, 0)
    top = 1
    while top > 0:
        top -= 1
        if lower[top] >= best:
            continue
        i, j = stack[top, 0], stack[top, 1]
        a_is_leaf, b_is_leaf = i >= leaves_a - 1, j >= leaves_b - 1
        if a_is_leaf and b_is_leaf:
            best = _measure_leaves(a, boxes_a, i, b, boxes_b, j, best, found)
            continue
        if b_is_leaf or (not a_is_leaf and box_size(boxes_a, i) >= box_size(boxes_b, j)):
            i1, i2, j1, j2 = 2 * i + 1, 2 * i + 2, j, j
        else:
            i1, i2, j1, j2 = i, i, 2 * j + 1, 2 * j + 2
        first, second = box_gap(boxes_a, i1, boxes_b, j1), box_gap(boxes_a, i2, boxes_b, j2)
        if first < second:
            i1, i2, j1, j2, first, second = i2, i1, j2, j1, second, first
        stack[top, 0], stack[top, 1], lower[top] = i1, j1, first
        stack[top + 1, 0], stack[top + 1, 1], lower[top + 1] = i2, j2, second
        top += 2
    return best


@njit(cache=True, nogil=True)
def _measure_leaves(
    a: FloatArray,
    boxes_a: FloatArray,
    i: int,
    b: FloatArray,
    boxes_b: FloatArray,
    j: int,
    best: float,
    found: FloatArray,
) -> float:
    leaves_a, leaves_b = (len(boxes_a) + 1) // 2, (len(boxes_b) + 1) // 2
    leaf_a, leaf_b = i - leaves_a + 1, j - leaves_b + 1
    for f in range(leaf_a * len(a) // leaves_a, (leaf_a + 1) * len(a) // leaves_a):
        for g in range(leaf_b * len(b) // leaves_b, (leaf_b + 1) * len(b) // leaves_b):
            apart = 0.0
            for k in range(3):
                gap = max(
                    min(a[f, 0, k], a[f, 1, k], a[f, 2, k]) - max(b[g, 0, k], b[g, 1, k], b[g, 2, k]),
                    min(b[g, 0, k], b[g, 1, k], b[g, 2, k]) - max(a[f, 0, k], a[f, 1, k], a[f, 2, k]),
                    0.0,
                )
                apart += gap * gap
            if apart < best:
                best = triangle_gap(a, f, b, g, best, found)
    return best


# Inlined: a call for every point costs half as much again.
@njit(cache=True, nogil=True, inline="always")
def find_nearest_triangle(
    x: float,
    y: float,
    z: float,
    corners: FloatArray,
    boxes: FloatArray,
    best: float,
    found: FloatArray,
    stack: IntArray,
    lower: FloatArray,
) -> tuple[float, int]:
    """Find the triangle nearest to a point and closer than `best`, squared: its squared distance and row in tree order.

    Returns `best` and -1 when there is none. corners (F, 3, 3), boxes (2 L - 1, 2, 3): a tree; found (3,) becomes the
    nearest point; stack, lower: scratch of `STACK_ROWS` entries.
    """
    leaves = (len(boxes) + 1) // 2
    row = -1
    stack[0], lower[0] = 0, point_box_gap(x, y, z, boxes, 0)
    top = 1
    while top > 0:
        top -= 1
        if lower[top] >= best:
            continue
        node = stack[top]
        if node >= leaves - 1:
            leaf = node - leaves + 1
            for f in range(leaf * len(corners) // leaves, (leaf + 1) * len(corners) // leaves):
                closer = point_gap(x, y, z, corners, f, best, found)
                if closer < best:
                    best, row = closer, f
            continue
        near, far = 2 * node + 1, 2 * node + 2
        to_near, to_far = point_box_gap(x, y, z, boxes, near), point_box_gap(x, y, z, boxes, far)
        if to_far < to_near:
            near, far, to_near, to_far = far, near, to_far, to_near
        if to_far < best:
            stack[top], lower[top] = far, to_far
            top += 1
        if to_near < best:
            stack[top], lower[top] = near, to_near
            top += 1
    return best, row


@njit(cache=True, nogil=True)
def _walk_points(
    points: FloatArray, a: FloatArray, boxes: FloatArray, bound: float, squared: FloatArray, nearest: FloatArray
) -> IntArray:
    faces = np.full(len(points), -1, dtype=np.int64)
    stack, lower = np.zeros(STACK_ROWS, dtype=np.int64), np.zeros(STACK_ROWS)
    for n in range(len(points)):
        squared[n], faces[n] = find_nearest_triangle(
            points[n, 0], points[n, 1], points[n, 2], a, boxes, bound, nearest[n], stack, lower
        )
    return faces


def measure_gap(a: Bvh, b: Bvh, bound: float = np.inf) -> Gap:
    """Measure the exact triangle-triangle distance of two surfaces.

    A distance of exactly `bound` is still found. With any bound above the true distance the answer is the same. What
    rounding leaves of a touch, below 2^-50 of the largest coordinate, reads as 0 under every bound.

    Raises:
        GeometryError: the bound is negative or not a number.

    """
    found = np.full((2, 3), np.nan)
    touching = TOUCHING * max(float(np.abs(a.boxes[0]).max()), float(np.abs(b.boxes[0]).max()))
    opening = max(_opening(bound), _opening(touching))
    distance = float(np.sqrt(_walk_pairs(a.corners, a.boxes, b.corners, b.boxes, opening, found)))
    if distance <= touching:
        distance = 0.0
    if np.isnan(found[0, 0]) or distance > bound:
        return Gap(np.inf, np.full(3, np.nan), np.full(3, np.nan))
    return Gap(distance, found[0], found[1])


def closest_points(bvh: Bvh, points: FloatArray, bound: float = np.inf) -> Closest:
    """Find the exact nearest point of a surface for each of `points` (N, 3), no farther than `bound`.

    Raises:
        GeometryError: a point is not finite, or the bound is negative or not a number.

    """
    queries = np.array(points, dtype=np.float64, order="C").reshape(-1, 3)
    if not np.isfinite(queries).all():
        raise GeometryError("closest points: a query point is not finite")
    squared = np.zeros(len(queries))
    nearest = np.full((len(queries), 3), np.nan)
    rows = _walk_points(queries, bvh.corners, bvh.boxes, _opening(bound), squared, nearest)
    distance = np.sqrt(squared)
    missed = (rows < 0) | (distance > bound)
    distance[missed] = np.inf
    nearest[missed] = np.nan
    return Closest(distance, nearest, np.where(missed, -1, bvh.order[rows]))


def _opening(bound: float) -> float:
    """Return the squared bound with room for rounding, so that a distance equal to the bound is not cut off."""
    if not bound >= 0.0:
        raise GeometryError(f"distance: the bound is {bound}, needs a number of at least 0")
    return float(bound * bound * (1.0 + 1e-12) + 1e-300)
