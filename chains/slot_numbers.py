"""Numbers for the slots of a chain: what stands for them in pictures, the same in every state."""

from __future__ import annotations

from schemas.base import SlotId
from schemas.chain import Chain
from schemas.operation import Add


def number_slots(chain: Chain) -> dict[SlotId, int]:
    """Numbers from 1: the host's slots in their order, then added ones by turn; what comes back keeps its own."""
    numbers: dict[SlotId, int] = {}
    added = [turn.operation.slot for turn in chain.turns if isinstance(turn.operation, Add)]
    for slot in (*(slot.id for slot in chain.host.slots), *added):
        numbers.setdefault(slot, len(numbers) + 1)
    return numbers
