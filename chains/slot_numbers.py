"""Numbers for the slots of a chain: what stands for them in pictures, the same in every state."""

from __future__ import annotations

from schemas.base import SlotId
from schemas.chain import Chain
from schemas.errors import InputError
from schemas.operation import Add

MAX_NUMBER = 65535


def number_slots(chain: Chain) -> dict[SlotId, int]:
    """Numbers from 1: the host's slots in their order, then added ones by turn; what comes back keeps its own.

    Raises InputError when there are more slots than a 16-bit picture can tell apart.
    """
    numbers: dict[SlotId, int] = {}
    added = [turn.operation.slot for turn in chain.turns if isinstance(turn.operation, Add)]
    for slot in (*(slot.id for slot in chain.host.slots), *added):
        numbers.setdefault(slot, len(numbers) + 1)
    if len(numbers) > MAX_NUMBER:
        raise InputError(f"{chain.id}: {len(numbers)} slots, limit {MAX_NUMBER} in pictures of slots")
    return numbers
