"""One door to the four operations."""

from __future__ import annotations

from collections.abc import Iterator

from chains.plan import Intent, support_op
from chains.state import State
from engine.labels import holds_namesake
from engine.operations.add import propose_add
from engine.operations.attachments import (
    find_detached,
    propose_detach,
    propose_new_support,
    propose_reattach,
    rehearse,
)
from engine.operations.proposal import Proposal
from engine.operations.remove import propose_remove
from engine.operations.replace import propose_replace
from engine.operations.retexture import propose_retexture
from engine.operations.returning import propose_return
from engine.workbench import Workbench
from schemas.operation import GROUND
from schemas.placement import Rejection


def propose(bench: Workbench, state: State, intent: Intent, turn: int) -> Iterator[Proposal | Rejection]:
    """Proposals for an intent, best first, and the rejections met on the way."""
    if intent.purpose in {"reattach", "return"}:
        (gone,) = find_detached(bench, intent.returns)
        put_back = propose_reattach if intent.purpose == "reattach" else propose_return
        return put_back(bench, state, gone, turn)
    if intent.slot != GROUND and bench.is_misleading(state, intent.slot):
        label = state.by_slot[intent.slot].label
        detail = f"{label!r} says a place that is not true, or counts missing twins"
        return iter((Rejection(check="duplicate", measured=None, limit=None, detail=detail),))
    if intent.op != "add" and holds_namesake(state, intent.slot, lambda ref: bench.phrase(bench.library.find(ref))):
        detail = f"{state.by_slot[intent.slot].label!r} holds a thing of which another slot has one too"
        return iter((Rejection(check="duplicate", measured=None, limit=None, detail=detail),))
    return _propose_operation(bench, state, intent, turn)


def _propose_operation(bench: Workbench, state: State, intent: Intent, turn: int) -> Iterator[Proposal | Rejection]:
    match intent.op:
        case "add":
            return propose_add(bench, state, intent.slot, turn)
        case "remove" if intent.purpose == "detach":
            return _detach(bench, state, intent, turn)
        case "remove":
            return propose_remove(bench, state, intent.slot, turn)
        case "replace" if intent.returns:
            return propose_new_support(bench, state, intent.slot, find_detached(bench, intent.returns), turn)
        case "replace":
            return propose_replace(bench, state, intent.slot, turn)
        case "retexture":
            return propose_retexture(bench, state, intent.slot, turn)


def _detach(bench: Workbench, state: State, intent: Intent, turn: int) -> Iterator[Proposal | Rejection]:
    """Detach an attachment; at the start of an agenda only after the whole of it was rehearsed."""
    support, op = state.by_slot[intent.slot].attach_to, support_op(bench.family)
    if intent.starts and support is not None and op is not None:
        refused = rehearse(bench, state, support, op, turn)
        if refused is not None:
            yield refused
            return
    yield from propose_detach(bench, state, intent.slot, turn)
