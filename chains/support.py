"""Which slots hold up which, and the order in which they may go."""

from __future__ import annotations

from collections.abc import Sequence

from chains.state import State
from schemas.base import SlotId
from schemas.chain import Chain
from schemas.errors import OperationError
from schemas.operation import Remove, Replace


def dependents(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """All slots that hang from `slot`, directly or through others, those that hang last first."""
    direct = state.hanging_from(slot)
    found: list[SlotId] = []
    for child in direct:
        found.extend(entry for entry in dependents(state, child) if entry not in found)
        found.append(child)
    return tuple(found)


def is_free(state: State, slot: SlotId) -> bool:
    """Whether a slot may be removed or replaced now: not the core, and nothing hangs from it."""
    return not state.by_slot[slot].core and not state.hanging_from(slot)


def check_supports(chain: Chain, states: Sequence[State]) -> None:
    """Refuse a chain that takes a core or a support away while something hangs from it (strict verification).

    `states[k]` is the state after turn k. Raises OperationError naming turn and slots.
    """
    for turn in chain.turns:
        operation = turn.operation
        if not isinstance(operation, Remove | Replace):
            continue
        before = states[turn.index - 1]
        if before.by_slot[operation.slot].core:
            raise OperationError(f"turn {turn.index} {operation.op}: slot {operation.slot!r} is the core")
        hanging = before.hanging_from(operation.slot)
        if hanging:
            raise OperationError(
                f"turn {turn.index} {operation.op}: slot {operation.slot!r} still supports {', '.join(hanging)}"
            )
