"""Intersection over union of boxes and of run-length masks, with COCO's rule for crowds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from engine.surfaces import BoolArray, FloatArray, IntArray
from schemas.errors import InputError
from schemas.readout import RunLengths


class Box(NamedTuple):
    """Left, top, width, height in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        """Width times height."""
        return self.width * self.height


def measure_box_overlaps(own: Sequence[Box], truth: Sequence[Box], is_crowd: BoolArray) -> FloatArray:
    """Overlaps (own, truth) of boxes; a crowd is not asked for its union but for the own box's area."""
    if not own or not truth:
        return np.zeros((len(own), len(truth)))
    a, b = np.array(own, dtype=np.float64), np.array(truth, dtype=np.float64)
    width = np.minimum(a[:, None, 0] + a[:, None, 2], b[None, :, 0] + b[None, :, 2])
    width = np.maximum(width - np.maximum(a[:, None, 0], b[None, :, 0]), 0.0)
    height = np.minimum(a[:, None, 1] + a[:, None, 3], b[None, :, 1] + b[None, :, 3])
    height = np.maximum(height - np.maximum(a[:, None, 1], b[None, :, 1]), 0.0)
    return _divide(width * height, a[:, 2] * a[:, 3], b[:, 2] * b[:, 3], is_crowd)


def measure_mask_overlaps(own: Sequence[RunLengths], truth: Sequence[RunLengths], is_crowd: BoolArray) -> FloatArray:
    """Overlaps (own, truth) of masks, counted on their runs.

    Raises:
        InputError: masks of different sizes.

    """
    sizes = {mask.size for mask in (*own, *truth)}
    if len(sizes) > 1:
        raise InputError(f"mask overlaps: masks of sizes {sorted(sizes)} in one image")
    if not own or not truth:
        return np.zeros((len(own), len(truth)))
    a, b = [_spans(mask) for mask in own], [_spans(mask) for mask in truth]
    shared = np.array([[_shared_pixels(p, q) for q in b] for p in a], dtype=np.float64)
    pixels_a, pixels_b = (np.array([float((s[:, 1] - s[:, 0]).sum()) for s in side]) for side in (a, b))
    return _divide(shared, pixels_a, pixels_b, is_crowd)


def count_pixels(mask: RunLengths) -> int:
    """Pixels inside the mask."""
    return sum(mask.counts[1::2])


def _spans(mask: RunLengths) -> IntArray:
    """Runs inside, (R, 2): first pixel and the one after the last, column by column."""
    ends = np.cumsum(np.array([0, *mask.counts], dtype=np.int64))
    starts = ends[1:-1:2]
    return np.ascontiguousarray(np.stack([starts, ends[2::2]], axis=1))


@njit(cache=True, nogil=True)
def _shared_pixels(a: IntArray, b: IntArray) -> int:
    i, j, total = 0, 0, 0
    while i < len(a) and j < len(b):
        total += max(0, min(a[i, 1], b[j, 1]) - max(a[i, 0], b[j, 0]))
        if a[i, 1] < b[j, 1]:
            i += 1
        else:
            j += 1
    return total


def _divide(shared: FloatArray, own: FloatArray, truth: FloatArray, is_crowd: BoolArray) -> FloatArray:
    whole = np.where(is_crowd[None, :], own[:, None], own[:, None] + truth[None, :] - shared)
    return np.asarray(np.where(whole > 0.0, shared / np.where(whole > 0.0, whole, 1.0), 0.0))
