"""Cosine and sine from products and sums alone, so that every machine gives the same bits."""

from __future__ import annotations

import numpy as np

from engine.surfaces import FloatArray

TWO_PI = 6.283185307179586
SNAP = float(1 << 24)
"""Results are rounded to 1 / SNAP, which also makes the quarter turns exact."""


def cosine_sine(turns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Cosine and sine of angles given in full turns; same shape as the input."""
    reduced = turns - np.rint(turns)
    quadrant = np.rint(4.0 * reduced)
    x = TWO_PI * (reduced - quadrant / 4.0)
    square = x * x
    cosine = np.ones_like(x)
    sine = np.ones_like(x)
    for k in range(8, 0, -1):
        cosine = 1.0 - cosine * square / (2 * k * (2 * k - 1))
        sine = 1.0 - sine * square / (2 * k * (2 * k + 1))
    sine = sine * x
    which = quadrant.astype(np.int64) % 4
    cosine, sine = (
        np.choose(which, (cosine, -sine, -cosine, sine)),
        np.choose(which, (sine, cosine, -sine, -cosine)),
    )
    return np.rint(cosine * SNAP) / SNAP, np.rint(sine * SNAP) / SNAP


def circle(count: int, start_turns: float = 0.0) -> FloatArray:
    """(count, 2) points of the unit circle, counter-clockwise."""
    cosine, sine = cosine_sine(start_turns + np.arange(count, dtype=np.float64) / count)
    return np.stack([cosine, sine], axis=1)
