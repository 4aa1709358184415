"""Connectivity of a triangle soup joined by equal positions, and plain measures of it.

For reports on files: exact equality of coordinates, no tolerance. Checks on placements use the cleaned meshes of
engine.geometry instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from engine.surfaces import FloatArray, IntArray

FLAT_HEIGHT = 1e-10
"""A face whose height is below this share of its longest edge counts as having no area."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A soup after joining equal positions and dropping faces without area."""

    positions: FloatArray
    """(V, 3) distinct positions."""
    faces: IntArray
    """(F, 3) faces with area, in file order."""
    areas: FloatArray
    """(F,) area of each."""


def join_positions(positions: FloatArray, faces: IntArray) -> Joined:
    """Join equal positions, then drop faces with two equal corners or no height."""
    order = np.lexsort((positions[:, 2], positions[:, 1], positions[:, 0]))
    ordered = positions[order]
    first = np.ones(len(ordered), bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    inverse = np.zeros(len(positions), np.int64)
    inverse[order] = np.cumsum(first) - 1
    distinct, corners = ordered[first], inverse[faces]
    areas, longest = measure_faces(distinct, corners)
    kept = 2.0 * areas > FLAT_HEIGHT * longest * longest
    return Joined(distinct, corners[kept], areas[kept])


def measure_faces(positions: FloatArray, faces: IntArray) -> tuple[FloatArray, FloatArray]:
    """Area (F,) and longest edge (F,) of every face."""
    a, b, c = (positions[faces[:, corner]] for corner in range(3))
    cross = cross_rows(b - a, c - a)
    edges = np.stack([row_lengths(b - a), row_lengths(c - b), row_lengths(a - c)], axis=1)
    return row_lengths(cross) / 2.0, edges.max(axis=1, initial=0.0)


def cross_rows(first: FloatArray, second: FloatArray) -> FloatArray:
    """Cross product of rows, (N, 3)."""
    (ax, ay, az), (bx, by, bz) = first.T, second.T
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)


def row_lengths(vectors: FloatArray) -> FloatArray:
    """Length of every row, (N,)."""
    lengths: FloatArray = np.sqrt(
        vectors[:, 0] * vectors[:, 0] + vectors[:, 1] * vectors[:, 1] + vectors[:, 2] * vectors[:, 2]
    )
    return lengths


def count_boundary_edges(faces: IntArray) -> int:
    """Number of undirected edges that exactly one face has."""
    if not len(faces):
        return 0
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    keys = edges[:, 0] * (int(faces.max()) + 1) + edges[:, 1]
    counts = np.unique(keys, return_counts=True)[1]
    return int((counts == 1).sum())


def label_components(joined: Joined) -> tuple[int, NDArray[np.int32]]:
    """Number of connected groups of faces, and the group (F,) of each face, numbered by first face."""
    count = len(joined.positions)
    pairs = np.concatenate([joined.faces[:, [0, 1]], joined.faces[:, [1, 2]]])
    graph = coo_array((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    labels = connected_components(graph, directed=False)[1][joined.faces[:, 0]]
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first, kind="stable"), kind="stable")
    return len(first), rank[inverse].astype(np.int32)


def first_occurrences(faces: IntArray) -> NDArray[np.bool_]:
    """(F,) mask of the first face of each set of three corners, whatever their order."""
    corners = np.sort(faces, axis=1)
    order = np.lexsort((np.arange(len(faces)), corners[:, 2], corners[:, 1], corners[:, 0]))
    ordered = corners[order]
    first = np.ones(len(faces), bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    mask = np.zeros(len(faces), bool)
    mask[order[first]] = True
    return mask


def signed_volume(positions: FloatArray, faces: IntArray) -> float:
    """Sum of the signed tetrahedra about the centre of the box, positive for outward faces."""
    if not len(faces):
        return 0.0
    corners = positions[faces]
    centre = (corners.min(axis=(0, 1)) + corners.max(axis=(0, 1))) / 2.0
    a, b, c = (corners[:, corner] - centre for corner in range(3))
    cross = cross_rows(b, c)
    return float((a[:, 0] * cross[:, 0] + a[:, 1] * cross[:, 1] + a[:, 2] * cross[:, 2]).sum() / 6.0)
