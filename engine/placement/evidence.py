"""What the contacts of a part say about the mate it needs: openings, ends, and what lies above it.

The same measures are taken on a slot of a state and on a library part in its own object, so that a mate is chosen from
evidence on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.overlap import Placed
from engine.placement.contact import Loop, PairContact
from engine.surfaces import FloatArray

BAR_RATIO = 2.5
"""A bar is at least this many times as long as it is wide."""
END_SHARE = 0.25
"""Contacts this near to an end of a bar, in lengths of it, hold that end."""
HOLD_SHARE = 0.15
"""Contacts smaller than this share of the largest hold nothing."""
RING_SHARE = 0.5
"""Inner over outer radius from which a contact is a ring."""
WIDEST_PARENT = 1.5
"""A parent wider than this many diameters of the ring is not surrounded: the part is a peg in it."""
LEAST_REACH = 0.2
"""How far the parent goes on beyond the middle of the ring into the part, in radii: less is a neck in a head."""
LARGEST_OFFSET = 0.5
"""How far the ring's centre may lie from the part's, in radii: a bar that ends in a leg is not worn by it."""
LEAST_OPENING = 0.3
EVEN_SIDES = 1.5
"""A bar merely passes through a part much wider than the ring and not as wide as long; a wheel may have a thin axle."""
CENTRED = 0.1
"""A ring's centre is the part's own within this many radii."""
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


def find_ends(
    box: FloatArray, around: Sequence[tuple[Placed, PairContact]], least_ratio: float = BAR_RATIO
) -> Ends | None:
    """What holds the two ends of a bar with the (2, 3) box, or None when it is no bar or is held at one end only.

    `least_ratio` is how many times as long as wide a bar is at least.
    """
    extents = box[1] - box[0]
    axis = int(np.argmax(extents))
    others = [float(extents[k]) for k in range(3) if k != axis]
    if not around or float(extents[axis]) < least_ratio * max(others):
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
    loop = contact.loop
    if loop is None or loop.evenness < RING_SHARE or loop.radius <= 0.0:
        return None
    across = [k for k in range(3) if k != loop.axis]
    is_outward = float(contact.normal[loop.axis]) >= 0.0
    if not _is_surrounded(loop, parent, across, is_outward=is_outward):
        return None
    centre = 0.5 * (part[0] + part[1])
    one, two = sorted(float(part[1, k] - part[0, k]) for k in across)
    is_hole = 2.0 * loop.radius < LEAST_OPENING * two and two > EVEN_SIDES * one
    narrow = one < LEAST_OVERHANG * 2.0 * loop.radius
    aside = any(abs(float(loop.origin[k] - centre[k])) > LARGEST_OFFSET * loop.radius for k in across)
    if is_hole or narrow or aside:
        return None
    # Samples scatter; where the two boxes meet and, if near, the middle of the part's own are exact.
    shared = np.array([np.maximum(part[0], parent[0]), np.minimum(part[1], parent[1])])
    origin = loop.origin.copy()
    for k in across:
        origin[k] = centre[k] if abs(float(origin[k] - centre[k])) < CENTRED * loop.radius else origin[k]
    is_low, is_high = loop.is_capped and not is_outward, loop.is_capped and is_outward
    ends = shared[:, loop.axis]
    origin[loop.axis] = ends[0] if is_low else ends[1] if is_high else 0.5 * (ends[0] + ends[1])
    return Ring(origin, loop.radius, np.eye(3)[loop.axis])


def _is_surrounded(loop: Loop, parent: FloatArray, across: Sequence[int], *, is_outward: bool) -> bool:
    """Whether a parent with the (2, 3) box fits the ring and goes on beyond its middle into the part."""
    if max(float(parent[1, k] - parent[0, k]) for k in across) > WIDEST_PARENT * 2.0 * loop.radius:
        return False
    reach = float(parent[1 if is_outward else 0, loop.axis] - loop.origin[loop.axis]) * (1.0 if is_outward else -1.0)
    return reach >= LEAST_REACH * loop.radius
