"""Connected pieces of a graph, by union-find."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit

from engine.surfaces import IntArray


@njit(cache=True, nogil=True)
def find_root(parent: IntArray, node: int) -> int:
    """Return the root of `node` in a union-find forest; halves the path on the way."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@njit(cache=True, nogil=True)
def _label(n: int, edges: IntArray) -> IntArray:
    parent = np.arange(n)
    for k in range(len(edges)):
        a, b = find_root(parent, edges[k, 0]), find_root(parent, edges[k, 1])
        if a < b:
            parent[b] = a
        else:
            parent[a] = b
    labels = np.full(n, -1, dtype=np.int64)
    found = 0
    for node in range(n):
        root = find_root(parent, node)
        if labels[root] < 0:
            labels[root] = found
            found += 1
        labels[node] = labels[root]
    return labels


def piece_labels(n: int, edges: Sequence[tuple[int, int]] | IntArray) -> IntArray:
    """Return the piece of each of `n` nodes, (n,) int64, pieces numbered by their lowest node."""
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    if len(pairs) and (pairs.min() < 0 or pairs.max() >= n):
        raise IndexError(f"edges: a node is outside 0..{n - 1}")
    labels: IntArray = _label(n, pairs)
    return labels


def connected_pieces(n: int, edges: Sequence[tuple[int, int]] | IntArray) -> int:
    """How many connected pieces `n` nodes form under `edges`."""
    return int(piece_labels(n, edges).max()) + 1 if n else 0
