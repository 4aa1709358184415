"""Boxes as manifest rows hold them: plain numbers, no arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence

from schemas.base import Bounds, Vec3


def merge_boxes(boxes: Sequence[Bounds]) -> Bounds:
    """The smallest box around all given ones."""
    low = tuple(min(box[0][k] for box in boxes) for k in range(3))
    high = tuple(max(box[1][k] for box in boxes) for k in range(3))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def centre_of(box: Bounds) -> Vec3:
    """The middle of a box."""
    return (
        0.5 * (box[0][0] + box[1][0]),
        0.5 * (box[0][1] + box[1][1]),
        0.5 * (box[0][2] + box[1][2]),
    )


def diagonal_of(box: Bounds) -> float:
    """Length of the box's diagonal."""
    x, y, z = (box[1][k] - box[0][k] for k in range(3))
    return math.sqrt(x * x + y * y + z * z)
