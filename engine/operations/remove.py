"""Remove: the piece in a slot goes."""

from __future__ import annotations

from collections.abc import Iterator

from chains.state import State
from chains.wording import word_remove
from engine.operations.proposal import Proposal
from engine.placement.state import find_hanging_slots
from engine.workbench import Workbench
from schemas.operation import Remove
from schemas.placement import Rejection


def propose_remove(bench: Workbench, state: State, slot: str, turn: int) -> Iterator[Proposal | Rejection]:
    """Take a piece away when nothing hangs from it, the rest stays as connected as it was, and it is seen to go."""
    geometry = bench.geometry(state)
    hanging = find_hanging_slots(geometry).get(slot, ())
    if hanging:
        yield Rejection(
            check="connected", measured=float(len(hanging)), limit=0.0, detail=f"{hanging[0]} hangs from it"
        )
        return
    after = geometry.without(slot)
    pieces_before, pieces_after = geometry.count_pieces(), after.count_pieces()
    if pieces_after > pieces_before:
        yield Rejection(check="connected", measured=float(pieces_after), limit=float(pieces_before))
        return
    visible = bench.visible(geometry, after, slot)
    if visible < bench.limits.visible:
        yield Rejection(check="visible", measured=visible, limit=bench.limits.visible)
        return
    label = state.by_slot[slot].label
    yield Proposal(
        operation=Remove(slot=slot),
        instruction=word_remove(bench.draws(turn, "remove", slot), label, None),
        named_slots=(slot,),
        visible=visible,
    )
