"""Dark creases: soft shade where surfaces meet, so that the eye tells touching from floating.

Only for pictures people judge from. The shade looks at neighbouring pixels, so a picture that is to be scored never
has it: there a pixel changes only when what it shows changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.surfaces import FloatArray

RINGS = (2, 3, 4, 6, 8, 11, 14)
"""Distances in pixels at which neighbours are looked at."""
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
DARKEST = 0.55
"""Most light a crease takes away."""
STEEPNESS = 2.4
REACH = 4.0
"""A neighbour further in depth than this many ring distances belongs to something else and casts nothing."""


def shade_creases(picture: NDArray[np.uint8], depth: FloatArray, pixel_size: float) -> NDArray[np.uint8]:
    """Darken an opaque (H, W, 3) picture where its (H, W) depth is concave.

    `pixel_size` is the width of a pixel in units of depth at the object's distance; empty pixels have infinite depth.
    """
    light = np.asarray(1.0 - DARKEST * measure_creases(depth, pixel_size))
    return np.asarray(np.rint(picture * light[..., None]), dtype=np.uint8)


def measure_creases(depth: FloatArray, pixel_size: float) -> FloatArray:
    """(H, W) in [0, 1]: how much nearer than a pixel the two ends of a line through it lie, on average.

    On a plane the ends average to the pixel itself whatever its tilt; in a crease one end has come nearer. Where one
    end lies on something far in front nothing is counted, so a part that floats before a wall leaves it clean.
    """
    found = np.isfinite(depth)
    own = np.where(found, depth, 0.0)
    total = np.zeros(depth.shape)
    margin = max(RINGS)
    padded = np.pad(depth, margin, constant_values=np.inf)
    height, width = depth.shape
    for ring in RINGS:
        for rows, columns in DIRECTIONS:
            starts = [(margin + ring * rows * sign, margin + ring * columns * sign) for sign in (1, -1)]
            ends = [padded[top : top + height, left : left + width] for top, left in starts]
            scale = ring * pixel_size
            near = [np.isfinite(end) & (np.abs(end - own) <= REACH * scale) for end in ends]
            both = near[0] & near[1] & found
            middle = np.where(both, (np.where(both, ends[0], 0.0) + np.where(both, ends[1], 0.0)) * 0.5, own)
            total += np.clip((own - middle) / scale - 0.04, 0.0, 0.4)
    return np.clip(total * (STEEPNESS / (len(RINGS) * len(DIRECTIONS))), 0.0, 1.0)
