"""What the contacts of a part say about the mate it needs: openings, ends, and what lies above it.

The same measures are taken on a slot of a state and on a library part in its own object, so that a mate is chosen from
evidence on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.overlap import Placed
from engine.placement.contact import PairContact
from engine.surfaces import FloatArray

BAR_RATIO = 2.5
"""A bar is at least this many times as long as it is wide."""
END_SHARE = 0.25
"""Contacts this near to an end of a bar, in lengths of it, hold that end."""
HOLD_SHARE = 0.15
"""Contacts smaller than this share of the largest hold nothing."""
RING_KINDS = frozenset({"socket", "axial", "through", "planar"})
RING_SHARE = 0.5
"""Inner over outer radius from which a contact is a ring."""
WIDEST_PARENT = 1.5
"""A parent wider than this many diameters of the ring is not surrounded: the part is a peg in it."""
LEAST_REACH = 0.35
"""How far the parent goes on beyond the ring into the part, in its radii: less is a neck in a head."""
LARGEST_OFFSET = 0.5
"""How far the ring's centre may lie from the part's, in radii: a bar that ends in a leg is not worn by it."""
LEAST_OVERHANG = 1.02
"""The part must be wider than the ring it surrounds its parent with."""


@dataclass(frozen=True, slots=True)
class Ends:
    """What holds a bar at its low and at its high end along its longest axis."""

    axis: int
    low: tuple[Placed, ...]
    high: tuple[Placed, ...]
    low_at: FloatArray
    """(3,) middle of the contacts at the low end."""
    high_at: FloatArray


@dataclass(frozen=True, slots=True)
class Ring:
    """An opening that surrounds a parent: its centre (3,), its radius, and the axis (3,) through it."""

    origin: FloatArray
    radius: float
    axis: FloatArray


def find_ends(box: FloatArray, around: Sequence[tuple[Placed, PairContact]]) -> Ends | None:
    """What holds the two ends of a bar with the (2, 3) box, or None when it is no bar or is held at one end only."""
    extents = box[1] - box[0]
    axis = int(np.argmax(extents))
    others = [float(extents[k]) for k in range(3) if k != axis]
    if not around or float(extents[axis]) < BAR_RATIO * max(others):
        return None
    largest = max(contact.size for _, contact in around)
    ends: tuple[list[Placed], list[Placed]] = ([], [])
    places: tuple[list[FloatArray], list[FloatArray]] = ([], [])
    for placed, contact in around:
        if contact.size < HOLD_SHARE * largest:
            continue
        along = (float(contact.origin[axis]) - float(box[0, axis])) / float(extents[axis])
        if END_SHARE < along < 1.0 - END_SHARE:
            continue
        side = 0 if along <= END_SHARE else 1
        ends[side].append(placed)
        places[side].append(contact.origin)
    if not ends[0] or not ends[1]:
        return None
    low, high = (np.asarray(np.mean(np.array(side), axis=0)) for side in places)
    return Ends(axis, tuple(ends[0]), tuple(ends[1]), low, high)


def find_ring(contact: PairContact, part: FloatArray, parent: FloatArray) -> Ring | None:
    """The opening with which a part surrounds its parent: a hat on a head, a hoop around a keg, a shade on a lamp.

    The contact must be a ring, the parent no wider than it by much, and the part wider. part, parent: (2, 3) boxes.
    """
    if contact.kind not in RING_KINDS or contact.inner_radius < RING_SHARE * contact.radius or contact.radius <= 0.0:
        return None
    axis = int(np.argmin(contact.box[1] - contact.box[0]))
    across = [k for k in range(3) if k != axis]
    if not _is_surrounded(contact, parent, axis, across):
        return None
    centre = 0.5 * (part[0] + part[1])
    narrow = min(float(part[1, k] - part[0, k]) for k in across) < LEAST_OVERHANG * 2.0 * contact.inner_radius
    aside = any(abs(float(contact.origin[k] - centre[k])) > LARGEST_OFFSET * contact.radius for k in across)
    return None if narrow or aside else Ring(contact.origin, contact.radius, np.eye(3)[axis])


def _is_surrounded(contact: PairContact, parent: FloatArray, axis: int, across: Sequence[int]) -> bool:
    """Whether a parent with the (2, 3) box fits the ring and goes on beyond it into the part."""
    if max(float(parent[1, k] - parent[0, k]) for k in across) > WIDEST_PARENT * 2.0 * contact.radius:
        return False
    is_outward = float(contact.normal[axis]) >= 0.0
    reach = float(parent[1 if is_outward else 0, axis] - contact.origin[axis]) * (1.0 if is_outward else -1.0)
    return reach >= LEAST_REACH * contact.radius
