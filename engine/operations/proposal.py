"""What an operation module proposes."""

from __future__ import annotations

from dataclasses import dataclass

from chains.edit_cells import Shortage
from engine.render.difference import ViewChange
from library_index.suitability import Verdict
from schemas.base import SlotId
from schemas.chain import Purpose, Retrieval
from schemas.operation import Operation
from schemas.placement import Rejection


@dataclass(frozen=True, slots=True)
class Proposal:
    """An operation that passed every check, with the words for it."""

    operation: Operation
    instruction: str
    named_slots: tuple[SlotId, ...]
    """The edited slot first, then what the instruction names."""
    change: ViewChange
    """What the edit does to the default view that shows most of it."""
    purpose: Purpose | None = None
    returns: int | None = None
    """For a piece that comes back, the turn that took it away."""
    refers_to: int | None = None
    """The earlier turn that the instruction speaks of."""
    retrieval: Retrieval | None = None
    """What was looked for, where a library part was."""
    shortage: Shortage = 0
    """How far the cells that it changes fall short, where another slot may do better."""


def refuse_unsuitable(verdict: Verdict) -> Rejection:
    """The rejection of a candidate that the rules of suitability refuse."""
    return Rejection(
        check="suitability", measured=verdict.score, limit=verdict.limit, detail=f"{verdict.rule}: {verdict.reason}"
    )
