"""Where on its support a thing stands: at the end of a long one, in the middle, or on a corner."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

import numpy as np

from chains.wording import claim_places
from engine.geometry.overlap import Placed
from engine.labels import Facing
from engine.placement.state import find_nearest
from engine.surfaces import FloatArray
from schemas.placement import CONTACT_REL

LONG = 2.0
"""A support has ends when it is this many times as long as it is wide."""
OUTER = 0.25
"""The outer quarter at either end, as a share of the length from the middle."""
CENTRAL = 0.08
"""In the middle is at most this share of a side away from it."""
SMALL = 0.35
"""A thing has a place on its support while it takes at most this share of the side."""
CORNER = 0.08
"""A surface has a corner when a vertex lies within this share of the sides of that of its box."""
FACE_REL = 0.02
"""The face that a thing stands on: vertices within this much of D of its foot."""
PlaceOn = Literal["end", "middle", "corner"]
_SIDES = (("right", "left"), ("", ""), ("back", "front"))
"""Words for the low and the high end of an axis, as the object is faced."""


class Landmark(NamedTuple):
    """A place on a support: `end` and (`left`,), `corner` and (`front`, `left`), `middle` and nothing."""

    place: PlaceOn
    sides: tuple[str, ...] = ()
    """The object's own."""


def find_landmark(support: Sequence[Placed], placed: Placed, facing: Facing, diagonal: float) -> Landmark | None:
    """Where on the parts of a support a thing stands; None when no such word is clearly true.

    Measured on the face that it stands on, along the axes that its object is faced by: lengths as seen from above.
    """
    seen = _see_face(support, placed, facing, diagonal)
    if seen is None:
        return None
    low, high = seen.min(axis=0), seen.max(axis=0)
    size = high - low
    box = facing.seen(placed.bounds)
    share = (box[1] - box[0])[[0, 2]] / size[[0, 2]]
    offset = (0.5 * (box[0] + box[1]) - 0.5 * (low + high))[[0, 2]] / size[[0, 2]]
    sides = tuple(_SIDES[axis][int(offset[k] > 0.0)] for k, axis in enumerate((0, 2)))
    along = 0 if size[0] >= size[2] else 1
    is_long = float(size[[0, 2]].max()) >= LONG * float(size[[0, 2]].min())
    if is_long and abs(float(offset[along])) >= OUTER and share[along] <= SMALL:
        return Landmark("end", (sides[along],))
    is_small = bool(share[along] <= SMALL) if is_long else bool((share <= SMALL).all())
    if is_small and bool((np.abs(offset) <= CENTRAL).all()):
        return Landmark("middle")
    if not is_long and is_small and bool((np.abs(offset) >= OUTER).all()) and _has_corners(seen, low, high):
        return Landmark("corner", (sides[1], sides[0]))
    return None


def _see_face(support: Sequence[Placed], placed: Placed, facing: Facing, diagonal: float) -> FloatArray | None:
    """(n, 3) vertices of the face that a thing stands on, left along +X and front along +Z; None without a face."""
    nearest = find_nearest(placed, support)
    if nearest is None or nearest.gap > CONTACT_REL * diagonal:
        return None
    points = support[nearest.index].bvh.corners.reshape(-1, 3)
    face = points[np.abs(points[:, 1] - float(placed.bounds[0][1])) <= FACE_REL * diagonal]
    if len(face) == 0:
        return None
    seen = np.stack(
        [facing.left_sign * face[:, facing.left_axis], face[:, 1], facing.front_sign * face[:, facing.front_axis]],
        axis=1,
    )
    return seen if float(np.ptp(seen, axis=0)[[0, 2]].min()) > 0.0 else None


def find_told_sides(labels: Collection[str]) -> frozenset[str]:
    """The sides of an object that its labels speak of; with one of a pair the other is known."""
    said = {claim.side for label in labels for claim in claim_places(label)[1]}
    return frozenset(side for pair in (("left", "right"), ("front", "back")) if said & set(pair) for side in pair)


def _has_corners(points: FloatArray, low: FloatArray, high: FloatArray) -> bool:
    """Whether a face reaches into all four corners of its box, seen from above: a round table top has none."""
    size = high - low
    for x in (low[0], high[0]):
        for z in (low[2], high[2]):
            away = np.maximum(np.abs(points[:, 0] - x) / size[0], np.abs(points[:, 2] - z) / size[2])
            if float(away.min()) > CORNER:
                return False
    return True
