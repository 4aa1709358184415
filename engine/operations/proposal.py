"""What an operation module proposes."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.base import SlotId
from schemas.chain import Retrieval
from schemas.operation import Operation


@dataclass(frozen=True, slots=True)
class Proposal:
    """An operation that passed every check, with the words for it."""

    operation: Operation
    instruction: str
    named_slots: tuple[SlotId, ...]
    """The edited slot first, then what the instruction names."""
    visible: float
    """Share of the object's pixels that change, best of the default views."""
    retrieval: Retrieval | None = None
    """What was looked for, where a library part was."""
