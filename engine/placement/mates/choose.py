"""Which mate is solved: evidence of the slot first, then of the candidate."""

from __future__ import annotations

from engine.placement.mates.axial import Axial
from engine.placement.mates.embedded import Embedded
from engine.placement.mates.protocol import Mate, find_opening
from engine.placement.mates.rest import Leg, Rest
from engine.placement.mates.through import Through
from engine.placement.mounts import SlotMount
from schemas.part import PartRecord


def choose_mate(seat: SlotMount, part: PartRecord) -> Mate:
    """A leg holds up before all else; then openings on both sides, bars, things at rest, and what is let in.

    A part surrounds only where the old one did and it did itself; a bar is fitted by its length even when it is only
    let in at its ends.
    """
    if seat.is_leg:
        return Leg(seat.frame.kind)
    if seat.ring is not None and find_opening(part) is not None:
        return Axial()
    if seat.ends is not None or seat.frame.kind == "through":
        return Through(seat)
    if seat.frame.kind == "rest":
        return Rest(is_slice=seat.is_covered)
    return Embedded(seat.frame.kind)
