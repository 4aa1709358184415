"""The map of structural similarity of two pictures: Gaussian window of 11 pixels, sigma 1.5.

Definition: Wang et al. 2004 on each colour channel, data range 1, K1 0.01, K2 0.03, moments weighted by the window
(population covariance), pictures mirrored beyond their border with the border pixel repeated; then the mean of the
three channels. The map is made on the whole picture, so that a region may be smaller than the window.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from engine.surfaces import FloatArray, IntArray
from evaluator.metrics.pictures import FULL, Levels

RADIUS: Final = 5
# exp(-d² / 4.5) for d = 0..5, written out: exp differs in the last bit between math libraries.
_BELL: Final = (
    1.0,
    0.8007374029168081,
    0.41111229050718745,
    0.1353352832366127,
    0.028565500784550377,
    0.0038659201394728076,
)
_C1: Final = 0.01 * 0.01
_C2: Final = 0.03 * 0.03


def measure_ssim_map(first: Levels, second: Levels) -> FloatArray:
    """Similarity of every pixel of two pictures on black, levels (H, W, 3) in 0..FULL; (H, W), exactly 1 where equal.

    A pixel is compared with all pixels up to 5 rows and columns away.
    """
    height, width = first.shape[:2]
    bell = np.array([_BELL[abs(d)] for d in range(-RADIUS, RADIUS + 1)])
    weights = bell / np.sum(bell)
    rows, columns = _mirror(height), _mirror(width)
    total = np.zeros((height, width))
    for channel in range(3):
        x = np.ascontiguousarray(first[..., channel]) / FULL
        y = np.ascontiguousarray(second[..., channel]) / FULL
        _add_similarity(x, y, weights, rows, columns, total)
    return np.asarray(total / 3.0)


def _mirror(size: int) -> IntArray:
    """Which pixel stands at -RADIUS..size+RADIUS-1 when the border pixel is repeated: d c b a | a b c d | d c b a."""
    place = np.arange(-RADIUS, size + RADIUS, dtype=np.int64) % (2 * size)
    return np.minimum(place, 2 * size - 1 - place)


@njit(cache=True, nogil=True)
def _add_similarity(
    x: FloatArray, y: FloatArray, weights: FloatArray, rows: IntArray, columns: IntArray, total: FloatArray
) -> None:
    """Add the similarity of one channel to `total`; every sum runs in one order, tap by tap."""
    height, width = x.shape
    down = np.zeros((5, width))
    wide = np.zeros((5, len(columns)))
    mean = np.zeros((5, width))
    for i in range(height):
        down[:] = 0.0
        for tap in range(len(weights)):
            weight, row = weights[tap], rows[i + tap]
            for j in range(width):
                a, b = x[row, j], y[row, j]
                down[0, j] += weight * a
                down[1, j] += weight * b
                down[2, j] += weight * (a * a)
                down[3, j] += weight * (b * b)
                down[4, j] += weight * (a * b)
        mean[:] = 0.0
        for moment in range(5):
            for j in range(len(columns)):
                wide[moment, j] = down[moment, columns[j]]
            for tap in range(len(weights)):
                weight = weights[tap]
                for j in range(width):
                    mean[moment, j] += weight * wide[moment, j + tap]
        for j in range(width):
            a, b = mean[0, j], mean[1, j]
            spread = (mean[2, j] - a * a) + (mean[3, j] - b * b)
            shared = mean[4, j] - a * b
            total[i, j] += ((2.0 * a * b + _C1) * (2.0 * shared + _C2)) / ((a * a + b * b + _C1) * (spread + _C2))
