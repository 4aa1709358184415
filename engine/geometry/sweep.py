"""Exact first contact of a surface that moves along a straight line.

Definition: geometry notes, section 2. With the direction turned to +Z, the contact of two triangles begins and ends
over a corner of one in the projection of the other, or over a crossing of projected edges; the travel is the height
between them there. A walk over both trees keeps the smallest travel that is not negative.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from engine.geometry.bvh import Bvh, moved_bvh
from engine.geometry.distance import STACK_ROWS, measure_gap
from engine.geometry.similarity import similarity, unit
from engine.geometry.triangles import box_size
from engine.surfaces import FloatArray
from schemas.errors import GeometryError

_PARALLEL = 1e-12
"""Sine below which two projected edges count as parallel."""
_ON_EDGE = 1e-13
"""Distance from a projected edge, over its length, within which a corner lies on it."""


class SweepResult(NamedTuple):
    """Where a moving surface first touches a fixed one."""

    status: Literal["hit", "no_contact", "starts_in_contact"]
    travel: float
    """The way to the first contact; inf without contact, nan when it starts in contact."""


@njit(cache=True, nogil=True)
def _corners_over(a: FloatArray, i: int, b: FloatArray, j: int, sign: float, span: FloatArray) -> None:
    """Widen `span` by the heights of corners of triangle j over the inside of triangle i, times `sign`."""
    ux, uy, uz = a[i, 1, 0] - a[i, 0, 0], a[i, 1, 1] - a[i, 0, 1], a[i, 1, 2] - a[i, 0, 2]
    vx, vy, vz = a[i, 2, 0] - a[i, 0, 0], a[i, 2, 1] - a[i, 0, 1], a[i, 2, 2] - a[i, 0, 2]
    area = ux * vy - uy * vx
    if area == 0.0:
        return
    for c in range(3):
        px, py = b[j, c, 0] - a[i, 0, 0], b[j, c, 1] - a[i, 0, 1]
        s = (px * vy - py * vx) / area
        t = (ux * py - uy * px) / area
        if s >= 0.0 and t >= 0.0 and s + t <= 1.0:
            height = sign * (b[j, c, 2] - (a[i, 0, 2] + s * uz + t * vz))
            span[0], span[1] = min(span[0], height), max(span[1], height)


@njit(cache=True, nogil=True)
def _end_over(x: float, y: float, z: float, a: FloatArray, i: int, k: int, sign: float, span: FloatArray) -> None:
    """Widen `span` by the height of a point over edge k of triangle i, where it projects onto that edge."""
    e = (k + 1) % 3
    ux, uy, uz = a[i, e, 0] - a[i, k, 0], a[i, e, 1] - a[i, k, 1], a[i, e, 2] - a[i, k, 2]
    px, py = x - a[i, k, 0], y - a[i, k, 1]
    length = ux * ux + uy * uy
    t = (px * ux + py * uy) / length if length > 0.0 else 0.0
    t = min(max(t, 0.0), 1.0)
    dx, dy = px - t * ux, py - t * uy
    reach = length + x * x + y * y
    if dx * dx + dy * dy > _ON_EDGE * _ON_EDGE * reach:
        return
    height = sign * (z - (a[i, k, 2] + t * uz))
    span[0], span[1] = min(span[0], height), max(span[1], height)


@njit(cache=True, nogil=True)
def _edges_over(a: FloatArray, i: int, k: int, b: FloatArray, j: int, m: int, span: FloatArray) -> None:
    """Widen `span` by the height of edge m of triangle j over edge k of triangle i, where their projections cross."""
    e, g = (k + 1) % 3, (m + 1) % 3
    ux, uy, uz = a[i, e, 0] - a[i, k, 0], a[i, e, 1] - a[i, k, 1], a[i, e, 2] - a[i, k, 2]
    vx, vy, vz = b[j, g, 0] - b[j, m, 0], b[j, g, 1] - b[j, m, 1], b[j, g, 2] - b[j, m, 2]
    rx, ry = b[j, m, 0] - a[i, k, 0], b[j, m, 1] - a[i, k, 1]
    cross = ux * vy - uy * vx
    if cross * cross <= _PARALLEL * _PARALLEL * (ux * ux + uy * uy) * (vx * vx + vy * vy):
        _end_over(b[j, m, 0], b[j, m, 1], b[j, m, 2], a, i, k, 1.0, span)
        _end_over(b[j, g, 0], b[j, g, 1], b[j, g, 2], a, i, k, 1.0, span)
        _end_over(a[i, k, 0], a[i, k, 1], a[i, k, 2], b, j, m, -1.0, span)
        _end_over(a[i, e, 0], a[i, e, 1], a[i, e, 2], b, j, m, -1.0, span)
        return
    s = (rx * vy - ry * vx) / cross
    t = (rx * uy - ry * ux) / cross
    if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
        height = (b[j, m, 2] + t * vz) - (a[i, k, 2] + s * uz)
        span[0], span[1] = min(span[0], height), max(span[1], height)


@njit(cache=True, nogil=True)
def _triangle_travel(a: FloatArray, i: int, b: FloatArray, j: int) -> float:
    """Return the way triangle i goes up to touch triangle j; inf when it never does or is past it."""
    for k in range(2):
        if min(a[i, 0, k], a[i, 1, k], a[i, 2, k]) > max(b[j, 0, k], b[j, 1, k], b[j, 2, k]):
            return np.inf
        if min(b[j, 0, k], b[j, 1, k], b[j, 2, k]) > max(a[i, 0, k], a[i, 1, k], a[i, 2, k]):
            return np.inf
    span = np.array([np.inf, -np.inf])
    _corners_over(a, i, b, j, 1.0, span)
    _corners_over(b, j, a, i, -1.0, span)
    for k in range(3):
        for m in range(3):
            _edges_over(a, i, k, b, j, m, span)
    if span[1] < 0.0:
        return np.inf
    travel: float = max(span[0], 0.0)
    return travel


@njit(cache=True, nogil=True)
def _lowest_travel(a: FloatArray, i: int, b: FloatArray, j: int) -> float:
    """Return a lower bound of the travel between what lies in two boxes."""
    for k in range(2):
        if a[i, 0, k] > b[j, 1, k] or b[j, 0, k] > a[i, 1, k]:
            return np.inf
    if b[j, 1, 2] < a[i, 0, 2]:
        return np.inf
    travel: float = max(b[j, 0, 2] - a[i, 1, 2], 0.0)
    return travel


@njit(cache=True, nogil=True)
def _walk(a: FloatArray, boxes_a: FloatArray, b: FloatArray, boxes_b: FloatArray, best: float) -> float:
    leaves_a, leaves_b = (len(boxes_a) + 1) // 2, (len(boxes_b) + 1) // 2
    stack = np.zeros((STACK_ROWS, 2), dtype=np.int64)
    lower = np.zeros(STACK_ROWS)
    lower[0] = _lowest_travel(boxes_a, 0, boxes_b, 0)
    top = 1
    while top > 0:
        top -= 1
        if lower[top] >= best:
            continue
        i, j = stack[top, 0], stack[top, 1]
        a_is_leaf, b_is_leaf = i >= leaves_a - 1, j >= leaves_b - 1
        if a_is_leaf and b_is_leaf:
            leaf_a, leaf_b = i - leaves_a + 1, j - leaves_b + 1
            for f in range(leaf_a * len(a) // leaves_a, (leaf_a + 1) * len(a) // leaves_a):
                for g in range(leaf_b * len(b) // leaves_b, (leaf_b + 1) * len(b) // leaves_b):
                    best = min(best, _triangle_travel(a, f, b, g))
            continue
        if b_is_leaf or (not a_is_leaf and box_size(boxes_a, i) >= box_size(boxes_b, j)):
            i1, i2, j1, j2 = 2 * i + 1, 2 * i + 2, j, j
        else:
            i1, i2, j1, j2 = i, i, 2 * j + 1, 2 * j + 2
        first, second = _lowest_travel(boxes_a, i1, boxes_b, j1), _lowest_travel(boxes_a, i2, boxes_b, j2)
        if first < second:
            i1, i2, j1, j2, first, second = i2, i1, j2, j1, second, first
        stack[top, 0], stack[top, 1], lower[top] = i1, j1, first
        stack[top + 1, 0], stack[top + 1, 1], lower[top + 1] = i2, j2, second
        top += 2
    return best


def sweep_to_contact(moving: Bvh, fixed: Bvh, direction: ArrayLike, limit: float = np.inf) -> SweepResult:
    """Find how far `moving` travels along `direction` (3,) until it first touches `fixed`, at most `limit`.

    The direction is normalised here. A contact at exactly `limit` counts.

    Raises:
        GeometryError: the direction is zero or not finite, or the limit is negative or not a number.

    """
    if not limit >= 0.0:
        raise GeometryError(f"sweep: the limit is {limit}, needs a number of at least 0")
    if measure_gap(moving, fixed, bound=0.0).distance == 0.0:
        return SweepResult("starts_in_contact", np.nan)
    turn = similarity(1.0, _upright(unit(direction)), np.zeros(3))
    a, b = moved_bvh(moving, turn), moved_bvh(fixed, turn)
    travel = float(_walk(a.corners, a.boxes, b.corners, b.boxes, float(np.nextafter(limit, np.inf))))
    return SweepResult("hit", travel) if travel <= limit and travel < np.inf else SweepResult("no_contact", np.inf)


def _upright(direction: FloatArray) -> FloatArray:
    """Return a rotation (3, 3) that takes `direction` to +Z; only swaps and signs when it lies along an axis."""
    seed = np.zeros(3)
    seed[int(np.argmin(np.abs(direction)))] = 1.0
    side = unit(np.cross(seed, direction))
    return np.stack([side, np.cross(direction, side), direction])
