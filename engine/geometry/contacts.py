"""Which parts of a state touch: pairs within a tolerance, with their exact gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.geometry.distance import measure_gap
from engine.geometry.overlap import Placed
from schemas.errors import GeometryError


class Pair(NamedTuple):
    """Two parts in contact, `i` below `j`."""

    i: int
    j: int
    gap: float


def contact_pairs(placed: Sequence[Placed], tolerance: float) -> list[Pair]:
    """Find all pairs no farther apart than `tolerance` (inclusive), sorted by their numbers.

    Raises:
        GeometryError: the tolerance is negative or not a number.

    """
    if not tolerance >= 0.0:
        raise GeometryError(f"contacts: the tolerance is {tolerance}, needs a number of at least 0")
    if not placed:
        return []
    boxes = np.stack([part.bounds for part in placed])
    reach = tolerance * (1.0 + 1e-12)
    pairs = []
    for i, part in enumerate(placed):
        apart = np.maximum(np.maximum(boxes[i + 1 :, 0] - boxes[i, 1], boxes[i, 0] - boxes[i + 1 :, 1]), 0.0)
        near = np.flatnonzero(np.sqrt((apart * apart).sum(axis=1)) <= reach)
        for j in (near + i + 1).tolist():
            gap = measure_gap(part.bvh, placed[j].bvh, bound=tolerance).distance
            if gap <= tolerance:
                pairs.append(Pair(i, j, gap))
    return pairs
