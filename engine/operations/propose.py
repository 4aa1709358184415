"""One door to the four operations."""

from __future__ import annotations

from collections.abc import Iterator

from chains.plan import Intent
from chains.state import State
from engine.operations.add import propose_add
from engine.operations.proposal import Proposal
from engine.operations.remove import propose_remove
from engine.operations.replace import propose_replace
from engine.operations.retexture import propose_retexture
from engine.workbench import Workbench
from schemas.operation import GROUND
from schemas.placement import Rejection


def propose(bench: Workbench, state: State, intent: Intent, turn: int) -> Iterator[Proposal | Rejection]:
    """Proposals for an intent, best first, and the rejections met on the way."""
    if intent.slot != GROUND and bench.is_misleading(state, intent.slot):
        label = state.by_slot[intent.slot].label
        return iter(
            (Rejection(check="duplicate", measured=None, limit=None, detail=f"{label!r} counts missing twins"),)
        )
    match intent.op:
        case "add":
            return propose_add(bench, state, intent.slot, turn)
        case "remove":
            return propose_remove(bench, state, intent.slot, turn)
        case "replace":
            return propose_replace(bench, state, intent.slot, turn)
        case "retexture":
            return propose_retexture(bench, state, intent.slot, turn)
