"""Fragments: components of a surface so small that they are debris."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.geometry.labels import piece_labels
from engine.surfaces import FloatArray, IntArray
from evaluator.metrics.sampling import FramedSurface

FRAGMENT_SHARE: Final = 0.005
"""A component with less than this share of the area is a fragment."""
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(32)


@njit(cache=True, nogil=True)
def _weld(points: FloatArray, words: NDArray[np.uint64]) -> IntArray:
    """Number points (N, 3), whose bits are `words`, so that equal ones share the number of the first."""
    slots = 1
    while slots < 2 * len(points):
        slots *= 2
    table = np.full(slots, -1, dtype=np.int64)
    first = np.zeros(len(points), dtype=np.int64)
    for n in range(len(points)):
        state = np.uint64(0)
        for k in range(3):
            state = (state ^ words[n, k]) * _GOLDEN
            state ^= state >> _SHIFT
        slot = np.int64(state & np.uint64(slots - 1))
        while True:
            m = table[slot]
            if m < 0:
                table[slot] = n
                first[n] = n
                break
            if points[m, 0] == points[n, 0] and points[m, 1] == points[n, 1] and points[m, 2] == points[n, 2]:
                first[n] = m
                break
            slot = (slot + 1) & (slots - 1)
    return first


def measure_components(surface: FramedSurface) -> FloatArray:
    """Measure the area in L^2 of each component, (C,), in the order of their first faces.

    Triangles belong together when a corner of one lies exactly where a corner of the other does.
    """
    points = surface.corners.reshape(-1, 3)
    corners = _weld(points, points.view(np.uint64)).reshape(-1, 3)
    labels = piece_labels(len(points), np.concatenate([corners[:, :2], corners[:, 1:]]))
    _, component = np.unique(labels[corners[:, 0]], return_inverse=True)
    areas: FloatArray = np.bincount(component, weights=surface.doubled) / 2.0
    return areas


def count_fragments(surface: FramedSurface) -> int:
    """Count the components with less than `FRAGMENT_SHARE` of the surface's area."""
    if not len(surface.corners):
        return 0
    areas = measure_components(surface)
    return int((areas < FRAGMENT_SHARE * surface.area).sum())
