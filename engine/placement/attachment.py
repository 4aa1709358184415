"""How a piece sits on its support before it is taken away: what must be known to put it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chains.sentences import Seat
from engine.geometry.overlap import Placed, place_solid
from engine.geometry.sweep import sweep_to_contact
from engine.placement.contact import (
    FLOOR_REL,
    UP,
    PairContact,
    as_vec3,
    build_frame,
    is_carried,
    measure_pair,
    unit,
)
from engine.placement.state import StateGeometry, box_of
from engine.surfaces import FloatArray
from schemas.part import ContactFrame
from schemas.placement import Rejection

LEAST_HOLD = 0.5
"""What was let in stays let in this share as deep: pulled out further, a staff hangs under the fist that held it."""
SLIGHT_PULL_REL = 0.0125
"""A pull this short, over D, is not seen; it is allowed whatever the depth."""
AROUND = frozenset({"through", "axial"})
"""Kinds of contact without a side to come from."""
CLEAR_REL = 0.01
"""Room between piece and support, over D, where a sweep from outside begins."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """How a piece of one part sat on its support before it was taken away."""

    slot: str
    support: str
    placed: Placed
    frame: ContactFrame
    """Contact with the support, whatever else the piece touched."""
    support_box: FloatArray
    """(2, 3) box of the support as it was, world."""
    depth: float
    """How far the piece reached past its first contact from outside, along -normal, world units; negative: a gap."""
    baseline: float
    """Share of the piece inside its neighbours, as it stood."""
    diagonal: float
    """D."""
    stands: bool = False
    """Whether the piece stands on the floor itself; it keeps its height then."""

    @property
    def normal(self) -> FloatArray:
        """(3,) unit normal from support to piece."""
        return np.array(self.frame.normal)

    @property
    def most_pull(self) -> float:
        """How far the piece may be pulled out and is still held as it was, world units."""
        held = (1.0 - LEAST_HOLD) * self.depth
        return max(held, SLIGHT_PULL_REL * self.diagonal) if self.frame.kind == "socket" else float("inf")

    @property
    def has_no_way(self) -> bool:
        """Whether no direction leads onto the support: the piece goes around or through it, or is a leg under it."""
        return self.frame.kind in AROUND or (self.stands and self.frame.direction != "side")

    @property
    def seat(self) -> Seat:
        """How the piece sits, for words."""
        if self.frame.direction == "up":
            return "on top"
        return "beside" if self.stands and self.frame.direction == "side" else "held"


def measure_attachment(before: StateGeometry, slot: str, support: str) -> Attachment | Rejection:
    """How the piece in `slot` sits on the piece in `support`, in the state before it is taken away.

    Returns a `frame` rejection when the two do not touch, and a `geometry` rejection for a piece of several parts.
    """
    piece = before.piece(slot)
    if len(piece) != 1:
        detail = f"{len(piece)} parts stand in {slot}, one can be put back"
        return Rejection(check="geometry", measured=float(len(piece)), limit=1.0, detail=detail)
    placed = piece[0]
    found = find_best_contact(placed, before.piece(support), before.diagonal)
    if found is None:
        return Rejection(check="frame", measured=None, limit=None, detail=f"{slot} does not touch {support}")
    parent, contact = found
    carried = is_carried(contact, placed.bounds, parent.bounds, before.diagonal)
    frame = build_frame(contact, placed, support, carried=carried)
    stands = not carried and float(placed.bounds[0, 1]) <= before.ground + FLOOR_REL * before.diagonal
    if stands and frame.direction == "side":
        level = unit(np.array(frame.normal) * (1.0, 0.0, 1.0), fallback=UP)
        frame = frame.model_copy(update={"normal": as_vec3(level)})
    past = find_first_contact(placed, before.piece(support), np.array(frame.normal), before.diagonal)
    return Attachment(
        slot=slot,
        support=support,
        placed=placed,
        frame=frame,
        support_box=box_of(before.piece(support)),
        depth=0.0 if past is None else past,
        baseline=before.resting_overlap(slot, refined=True).fraction,
        diagonal=before.diagonal,
        stands=stands,
    )


def find_first_contact(placed: Placed, support: Sequence[Placed], normal: FloatArray, diagonal: float) -> float | None:
    """How far out along `normal` from where it is the piece first meets the support when it comes from outside.

    Negative when it would still have to go on from where it is; None when it passes by.
    """
    nearest = float((placed.bvh.corners * normal).sum(axis=2).min())
    furthest = max(float((part.bvh.corners * normal).sum(axis=2).max()) for part in support)
    out = max(furthest - nearest, 0.0) + CLEAR_REL * diagonal
    matrix = np.array(placed.matrix)
    matrix[:3, 3] += out * normal
    start = place_solid(placed.solid, matrix)
    way = find_travel(start, support, normal)
    return None if way is None else out - way


def find_travel(
    placed: Placed, support: Sequence[Placed], normal: FloatArray, limit: float = float("inf")
) -> float | None:
    """How far the piece goes along -normal until it meets the support, at most `limit`.

    None when it does not meet it, or touches it already.
    """
    travels = [sweep_to_contact(placed.bvh, part.bvh, -normal, limit) for part in support]
    if any(swept.status == "starts_in_contact" for swept in travels):
        return None
    return min((swept.travel for swept in travels if swept.status == "hit"), default=None)


def find_best_contact(placed: Placed, parts: Sequence[Placed], diagonal: float) -> tuple[Placed, PairContact] | None:
    """The part that the piece touches most and the contact; the first of equals; None without contact."""
    best: tuple[Placed, PairContact] | None = None
    for part in parts:
        contact = measure_pair(placed, part, diagonal)
        if contact is not None and (best is None or contact.size > best[1].size):
            best = part, contact
    return best
