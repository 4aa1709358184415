"""Exact nearest neighbours among points: a complete binary tree of boxes, walked from the last answer.

Squared distances are `dx*dx + dy*dy + dz*dz` in float64 and a box is left out only when its own bound, rounded the same
way, is larger; rounding is monotone, so every answer equals that of trying all points, to the bit, on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import njit

from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

LEAF_POINTS: Final = 8
_STACK: Final = 64


@dataclass(frozen=True, slots=True)
class PointTree:
    """Points in tree order with the boxes of a complete binary tree; arrays are not to be written to.

    Node i has the children 2i+1 and 2i+2; leaf k of L holds points [k N / L, (k+1) N / L).
    """

    points: FloatArray
    """(N, 3) float64, in tree order: neighbours in the array are neighbours in space."""
    order: IntArray
    """(N,) int64: the caller's point behind each point in tree order."""
    boxes: FloatArray
    """(2 L - 1, 6) float64: lower then upper corner of every node, root first."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """For each query its nearest point."""

    squared: FloatArray
    """(M,) float64: squared distances."""
    index: IntArray
    """(M,) int64: the caller's index of the point; of equally near ones the lowest."""


def build_point_tree(points: FloatArray) -> PointTree:
    """Build the tree over points (N, 3).

    Raises:
        GeometryError: there is no point, or one is not finite.

    """
    own = _as_points(points, "points")
    if len(own) == 0:
        raise GeometryError("nearest points: there is no point to find")
    leaves = 1
    while leaves * LEAF_POINTS < len(own):
        leaves *= 2
    order = _split(own, leaves)
    ordered = np.ascontiguousarray(own[order])
    return PointTree(points=ordered, order=order, boxes=_fit_boxes(ordered, leaves))


def find_nearest(tree: PointTree, queries: FloatArray) -> Nearest:
    """Find the nearest of the tree's points for each of `queries` (M, 3).

    Raises:
        GeometryError: a query is not finite.

    """
    wanted = _as_points(queries, "queries")
    squared, rows = np.zeros(len(wanted)), np.zeros(len(wanted), dtype=np.int64)
    _walk_all(wanted, tree.points, tree.order, tree.boxes, squared, rows)
    return Nearest(squared, tree.order[rows])


def _as_points(points: FloatArray, name: str) -> FloatArray:
    own = np.array(points, dtype=np.float64, order="C").reshape(-1, 3)
    if not np.isfinite(own).all():
        raise GeometryError(f"nearest points: {int((~np.isfinite(own)).any(axis=1).sum())} {name} are not finite")
    return own


@njit(cache=True, nogil=True)
def _split(points: FloatArray, leaves: int) -> IntArray:
    """Halve the points along their longest side until every leaf has its share; return them in leaf order."""
    n = len(points)
    order = np.arange(n)
    # A span of leaves is the unit that is halved, so the cuts are those of `PointTree`.
    stack = np.zeros((_STACK, 2), dtype=np.int64)
    stack[0, 1] = leaves
    depth = 1
    while depth > 0:
        depth -= 1
        first_leaf, last_leaf = stack[depth, 0], stack[depth, 1]
        if last_leaf - first_leaf < 2:
            continue
        start, stop = first_leaf * n // leaves, last_leaf * n // leaves
        axis, widest = 0, -1.0
        for k in range(3):
            low, high = np.inf, -np.inf
            for i in range(start, stop):
                value = points[order[i], k]
                low, high = min(low, value), max(high, value)
            if high - low > widest:
                axis, widest = k, high - low
        part = order[start:stop].copy()
        keys = np.zeros(stop - start)
        for i in range(stop - start):
            keys[i] = points[part[i], axis]
        order[start:stop] = part[np.argsort(keys, kind="stable")]
        middle = (first_leaf + last_leaf) // 2
        stack[depth, 0], stack[depth, 1] = first_leaf, middle
        stack[depth + 1, 0], stack[depth + 1, 1] = middle, last_leaf
        depth += 2
    return order


@njit(cache=True, nogil=True)
def _fit_boxes(points: FloatArray, leaves: int) -> FloatArray:
    n = len(points)
    boxes = np.zeros((2 * leaves - 1, 6))
    for leaf in range(leaves):
        node = leaves - 1 + leaf
        for k in range(3):
            low, high = np.inf, -np.inf
            for i in range(leaf * n // leaves, (leaf + 1) * n // leaves):
                low, high = min(low, points[i, k]), max(high, points[i, k])
            boxes[node, k], boxes[node, 3 + k] = low, high
    for node in range(leaves - 2, -1, -1):
        for k in range(3):
            boxes[node, k] = min(boxes[2 * node + 1, k], boxes[2 * node + 2, k])
            boxes[node, 3 + k] = max(boxes[2 * node + 1, 3 + k], boxes[2 * node + 2, 3 + k])
    return boxes


@njit(cache=True, nogil=True)
def _box_bound(boxes: FloatArray, node: int, x: float, y: float, z: float) -> float:
    """Squared distance to a box, rounded no higher than that to any point in it."""
    dx = max(boxes[node, 0] - x, x - boxes[node, 3], 0.0)
    dy = max(boxes[node, 1] - y, y - boxes[node, 4], 0.0)
    dz = max(boxes[node, 2] - z, z - boxes[node, 5], 0.0)
    squared: float = dx * dx + dy * dy + dz * dz
    return squared


@njit(cache=True, nogil=True)
def walk_nearest(
    x: float,
    y: float,
    z: float,
    points: FloatArray,
    order: IntArray,
    boxes: FloatArray,
    guess: int,
    stack: IntArray,
    bounds: FloatArray,
) -> tuple[float, int]:
    """Squared distance and row, in tree order, of the point nearest to (x, y, z).

    guess: the row to begin with; a near one makes the walk short. stack, bounds: scratch of `_STACK` entries.
    """
    n, leaves = len(points), (len(boxes) + 1) // 2
    dx, dy, dz = x - points[guess, 0], y - points[guess, 1], z - points[guess, 2]
    best, row = dx * dx + dy * dy + dz * dz, guess
    node, depth = 0, 0
    while True:
        # Down to a leaf, nearer child first; the other waits on the stack.
        while node < leaves - 1:
            left, right = 2 * node + 1, 2 * node + 2
            a, b = _box_bound(boxes, left, x, y, z), _box_bound(boxes, right, x, y, z)
            if b < a:
                left, right, a, b = right, left, b, a
            if a > best:
                break
            if b <= best:
                stack[depth], bounds[depth] = right, b
                depth += 1
            node = left
        else:
            leaf = node - leaves + 1
            for i in range(leaf * n // leaves, (leaf + 1) * n // leaves):
                dx, dy, dz = x - points[i, 0], y - points[i, 1], z - points[i, 2]
                squared = dx * dx + dy * dy + dz * dz
                if squared < best or (squared == best and order[i] < order[row]):
                    best, row = squared, i
        while depth > 0 and bounds[depth - 1] > best:
            depth -= 1
        if depth == 0:
            return best, row
        depth -= 1
        node = stack[depth]


@njit(cache=True, nogil=True)
def _walk_all(
    queries: FloatArray, points: FloatArray, order: IntArray, boxes: FloatArray, squared: FloatArray, rows: IntArray
) -> None:
    stack, bounds = np.zeros(_STACK, dtype=np.int64), np.zeros(_STACK)
    row = 0
    for i in range(len(queries)):
        squared[i], row = walk_nearest(
            queries[i, 0], queries[i, 1], queries[i, 2], points, order, boxes, row, stack, bounds
        )
        rows[i] = row


@njit(cache=True, nogil=True)
def sum_nearest(
    queries: FloatArray, axes: IntArray, signs: FloatArray, points: FloatArray, order: IntArray, boxes: FloatArray
) -> float:
    """Sum over queries, in their order, of the squared distance to the nearest point.

    Coordinate k of a query is taken as `signs[k] * query[axes[k]]`: a turn by a signed permutation, without rounding.
    """
    stack, bounds = np.zeros(_STACK, dtype=np.int64), np.zeros(_STACK)
    row, total = 0, 0.0
    for i in range(len(queries)):
        squared, row = walk_nearest(
            signs[0] * queries[i, axes[0]],
            signs[1] * queries[i, axes[1]],
            signs[2] * queries[i, axes[2]],
            points,
            order,
            boxes,
            row,
            stack,
            bounds,
        )
        total += squared
    return total
