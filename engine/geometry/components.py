"""Connected pieces, and how far the loosest piece of a mesh lies from the rest of it."""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.geometry.bounds import diagonal
from engine.geometry.bvh import build_bvh
from engine.geometry.clean import CleanMesh
from engine.geometry.distance import STACK_ROWS
from engine.geometry.labels import connected_pieces, find_root, piece_labels
from engine.geometry.triangles import triangle_gap
from engine.surfaces import FloatArray, IntArray

__all__ = ["connected_pieces", "measure_loose_gap", "piece_labels"]


@njit(cache=True, nogil=True)
def _label_nodes(group: IntArray, leaves: int) -> IntArray:
    """Return the group of every node of the tree, -1 where it holds several."""
    n = len(group)
    nodes = np.full(2 * leaves - 1, -1, dtype=np.int64)
    for leaf in range(leaves):
        first, last = leaf * n // leaves, (leaf + 1) * n // leaves
        label = group[first] if first < last else -1
        for f in range(first, last):
            if group[f] != label:
                label = -1
        nodes[leaves - 1 + leaf] = label
    for node in range(leaves - 2, -1, -1):
        if nodes[2 * node + 1] == nodes[2 * node + 2]:
            nodes[node] = nodes[2 * node + 1]
    return nodes


@njit(cache=True, nogil=True)
def _face_box_gap(a: FloatArray, f: int, boxes: FloatArray, node: int) -> float:
    total = 0.0
    for k in range(3):
        low = min(a[f, 0, k], a[f, 1, k], a[f, 2, k])
        high = max(a[f, 0, k], a[f, 1, k], a[f, 2, k])
        gap = max(boxes[node, 0, k] - high, low - boxes[node, 1, k], 0.0)
        total += gap * gap
    return total


@njit(cache=True, nogil=True)
def _nearest_groups(a: FloatArray, boxes: FloatArray, group: IntArray, largest: int, best: FloatArray) -> IntArray:
    """Find for every group but the largest the nearest other group; its squared gap goes into `best`."""
    leaves = (len(boxes) + 1) // 2
    nodes = _label_nodes(group, leaves)
    nearest = np.full(len(best), -1, dtype=np.int64)
    found = np.zeros((2, 3))
    stack = np.zeros(STACK_ROWS, dtype=np.int64)
    for f in range(len(a)):
        own = group[f]
        if own == largest or best[own] == 0.0:
            continue
        stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            if nodes[node] == own or _face_box_gap(a, f, boxes, node) >= best[own]:
                continue
            if node < leaves - 1:
                left, right = 2 * node + 1, 2 * node + 2
                if _face_box_gap(a, f, boxes, left) < _face_box_gap(a, f, boxes, right):
                    left, right = right, left
                stack[top], stack[top + 1] = left, right
                top += 2
                continue
            leaf = node - leaves + 1
            for g in range(leaf * len(a) // leaves, (leaf + 1) * len(a) // leaves):
                if group[g] != own:
                    closer = triangle_gap(a, f, a, g, best[own], found)
                    if closer < best[own]:
                        best[own] = closer
                        nearest[own] = group[g]
    return nearest


@njit(cache=True, nogil=True)
def _widest_link(a: FloatArray, boxes: FloatArray, shell: IntArray, shells: int) -> float:
    """Return the largest squared gap in the minimum spanning tree of the shells (Boruvka's rounds)."""
    parent = np.arange(shells)
    widest = 0.0
    left = shells
    while left > 1:
        group = np.zeros(len(a), dtype=np.int64)
        sizes = np.zeros(shells, dtype=np.int64)
        for f in range(len(a)):
            group[f] = find_root(parent, shell[f])
            sizes[group[f]] += 1
        best = np.full(shells, np.inf)
        nearest = _nearest_groups(a, boxes, group, int(np.argmax(sizes)), best)
        for k in range(shells):
            if nearest[k] >= 0:
                one, other = find_root(parent, k), find_root(parent, nearest[k])
                if one != other:
                    parent[max(one, other)] = min(one, other)
                    widest = max(widest, best[k])
                    left -= 1
    return widest


def measure_loose_gap(mesh: CleanMesh) -> float:
    """Measure how far the loosest group of shells lies from the rest of the mesh, over the mesh's diagonal.

    It is the longest link of the minimum spanning tree of the exact gaps between shells: 0 for one shell, and unmoved
    by how debris clusters.
    """
    if mesh.shells == 1:
        return 0.0
    bvh = build_bvh(mesh.vertices, mesh.faces)
    widest = _widest_link(bvh.corners, bvh.boxes, mesh.shell_of_face[bvh.order], mesh.shells)
    return float(np.sqrt(widest)) / diagonal(bvh.bounds)
