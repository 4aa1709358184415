"""The curve in which two surfaces cross, as exact segments of triangle pairs."""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.geometry.bvh import Bvh
from engine.geometry.triangles import box_gap, box_size, grown
from engine.surfaces import FloatArray, IntArray

_LEVEL = 1e-14
"""Height over a plane, as a share of the coordinates, that is rounding of 0."""


@njit(cache=True, nogil=True)
def _pierce(a: FloatArray, i: int, b: FloatArray, j: int, points: FloatArray, n: int) -> int:
    """Append the points where edges of triangle j pass through triangle i; -1 when j lies in the plane of i."""
    o = a[i, 0]
    ux, uy, uz = a[i, 1, 0] - o[0], a[i, 1, 1] - o[1], a[i, 1, 2] - o[2]
    vx, vy, vz = a[i, 2, 0] - o[0], a[i, 2, 1] - o[1], a[i, 2, 2] - o[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    if nn == 0.0:
        return n
    heights = np.zeros(3)
    level = 0.0
    for c in range(3):
        px, py, pz = b[j, c, 0] - o[0], b[j, c, 1] - o[1], b[j, c, 2] - o[2]
        heights[c] = px * nx + py * ny + pz * nz
        level = max(level, abs(b[j, c, 0]), abs(b[j, c, 1]), abs(b[j, c, 2]))
    level = _LEVEL * level * np.sqrt(nn)
    if abs(heights[0]) <= level and abs(heights[1]) <= level and abs(heights[2]) <= level:
        return -1
    for c in range(3):
        e = (c + 1) % 3
        if (heights[c] > 0.0) == (heights[e] > 0.0):
            continue
        s = heights[c] / (heights[c] - heights[e])
        px = b[j, c, 0] + s * (b[j, e, 0] - b[j, c, 0]) - o[0]
        py = b[j, c, 1] + s * (b[j, e, 1] - b[j, c, 1]) - o[1]
        pz = b[j, c, 2] + s * (b[j, e, 2] - b[j, c, 2]) - o[2]
        v = ((py * vz - pz * vy) * nx + (pz * vx - px * vz) * ny + (px * vy - py * vx) * nz) / nn
        w = ((uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz) / nn
        if v >= 0.0 and w >= 0.0 and v + w <= 1.0:
            points[n, 0], points[n, 1], points[n, 2] = o[0] + px, o[1] + py, o[2] + pz
            n += 1
    return n


@njit(cache=True, nogil=True)
def _cross_triangles(a: FloatArray, i: int, b: FloatArray, j: int, points: FloatArray, row: FloatArray) -> bool:
    """Write into `row` (6,) the segment shared by two triangles; False when there is none of any length."""
    n = _pierce(a, i, b, j, points, 0)
    if n >= 0:
        n = _pierce(b, j, a, i, points, n)
    longest = 0.0
    for p in range(n):
        for q in range(p + 1, n):
            length = 0.0
            for k in range(3):
                length += (points[p, k] - points[q, k]) * (points[p, k] - points[q, k])
            if length > longest:
                longest = length
                for k in range(3):
                    row[k], row[3 + k] = points[p, k], points[q, k]
    return longest > 0.0


@njit(cache=True, nogil=True)
def _walk(a: FloatArray, boxes_a: FloatArray, b: FloatArray, boxes_b: FloatArray) -> FloatArray:
    leaves_a, leaves_b = (len(boxes_a) + 1) // 2, (len(boxes_b) + 1) // 2
    stack = np.zeros((256, 2), dtype=np.int64)
    points = np.zeros((8, 3))
    row = np.zeros(6)
    segments = np.zeros((256, 6))
    found = 0
    top = 1
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if box_gap(boxes_a, i, boxes_b, j) > 0.0:
            continue
        a_is_leaf, b_is_leaf = i >= leaves_a - 1, j >= leaves_b - 1
        if a_is_leaf and b_is_leaf:
            leaf_a, leaf_b = i - leaves_a + 1, j - leaves_b + 1
            for f in range(leaf_a * len(a) // leaves_a, (leaf_a + 1) * len(a) // leaves_a):
                for g in range(leaf_b * len(b) // leaves_b, (leaf_b + 1) * len(b) // leaves_b):
                    if _cross_triangles(a, f, b, g, points, row):
                        if found == len(segments):
                            segments = grown(segments, found, 2 * found)
                        for k in range(6):
                            segments[found, k] = row[k]
                        found += 1
            continue
        if b_is_leaf or (not a_is_leaf and box_size(boxes_a, i) >= box_size(boxes_b, j)):
            stack[top, 0], stack[top, 1] = 2 * i + 1, j
            stack[top + 1, 0], stack[top + 1, 1] = 2 * i + 2, j
        else:
            stack[top, 0], stack[top, 1] = i, 2 * j + 1
            stack[top + 1, 0], stack[top + 1, 1] = i, 2 * j + 2
        top += 2
    return grown(segments, found, found)


def intersection_segments(a: Bvh, b: Bvh) -> FloatArray:
    """Find the segments (S, 2, 3) of the curve in which two surfaces cross, sorted by their ends.

    Triangle pairs in one plane give none; faces that lie flush on each other may leave segments of their neighbours.
    """
    segments = _walk(a.corners, a.boxes, b.corners, b.boxes)
    order: IntArray = np.lexsort(tuple(segments[:, k] for k in range(5, -1, -1)))
    ordered: FloatArray = segments[order].reshape(-1, 2, 3)
    return ordered


def curve_length(segments: FloatArray) -> float:
    """Measure the total length of segments (S, 2, 3)."""
    steps = segments[:, 1] - segments[:, 0]
    return float(np.sqrt((steps * steps).sum(axis=1)).sum())
