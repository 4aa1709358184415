"""Agendas: the turns around the edit of a support, so that what hangs from it is never left in the air.

An agenda detaches every attachment in a turn of its own, then replaces or removes the support, then puts the
attachments back one by one on the new support, in the opposite order. Nothing is remembered beside the log: what an
agenda has done and what is left of it is read from the purposes of the last turns, so a chain goes on anywhere.

It is over when a turn that does not belong to it comes between, or when it has nothing left to do. A piece that could
not be put back is passed over: once a later one is back, or another turn was made, it is not tried again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chains.state import RemovedPiece, State
from chains.support import dependents
from schemas.base import SlotId
from schemas.chain import Chain, Turn
from schemas.errors import OperationError
from schemas.operation import GROUND, Add, Remove, Replace

MOST_ATTACHMENTS = 2
"""Supports that carry more than this stay as they are: a chain about taking things off is no chain about an object."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """What is left to do around one support."""

    support: SlotId
    hanging: tuple[SlotId, ...]
    """Attachments still to be detached, those that hang last first."""
    away: tuple[RemovedPiece, ...]
    """Attachments that were detached and may come back, the one to put back first first."""
    support_done: bool
    """Whether the support was replaced, or is left as it is since an attachment was put back on it."""


def find_attachments(state: State, support: SlotId) -> tuple[SlotId, ...]:
    """The attachments an agenda would detach from `support`, in that order; empty when it can have no agenda.

    The support is not the core, and one or two single parts hang from it, each of them directly.
    """
    if state.by_slot[support].core:
        return ()
    found = dependents(state, support)
    direct = set(found) == set(state.hanging_from(support))
    single = all(len(state.by_slot[slot].parts) == 1 for slot in found)
    return found if direct and single and len(found) <= MOST_ATTACHMENTS else ()


def find_agenda(state: State, turns: Sequence[Turn]) -> Agenda | None:
    """The agenda that the last turns are about and that has something left to do; None when there is none.

    `state` is the state after `turns`.
    """
    end = len(turns)
    while end and turns[end - 1].purpose == "reattach":
        end -= 1
    back = [turn.returns for turn in turns[end:] if turn.returns is not None]
    edit = None
    if end and turns[end - 1].purpose is None and isinstance(turns[end - 1].operation, Remove | Replace):
        end -= 1
        edit = turns[end].operation
    removals = {removed.turn: removed for removed in state.removed}
    detached: list[RemovedPiece] = []
    while end and turns[end - 1].purpose == "detach":
        removed = removals[turns[end - 1].index]
        if detached and removed.piece.attach_to != detached[0].piece.attach_to:
            break
        detached.append(removed)
        end -= 1
    support = detached[0].piece.attach_to if detached else None
    if support is None or support not in state.by_slot or (edit is not None and edit.slot != support):
        return None
    support_done = edit is not None or bool(back)
    away = tuple(removed for removed in detached if not back or removed.turn < min(back))
    if support_done and not away:
        return None
    return Agenda(support, () if support_done else dependents(state, support), away, support_done)


def had_agenda(state: State, turns: Sequence[Turn], support: SlotId) -> bool:
    """Whether something was detached from `support` before."""
    detaching = {turn.index for turn in turns if turn.purpose == "detach"}
    return any(removed.turn in detaching and removed.piece.attach_to == support for removed in state.removed)


def check_agendas(chain: Chain, states: Sequence[State]) -> None:
    """Refuse a turn that says it detaches or re-attaches and does something else (strict verification).

    A detached piece hung from a slot. A re-attached one was detached before, comes back once, into its own slot, as
    the same part with the same name and look, and hangs from the same slot as before.
    `states[k]` is the state after turn k. Raises OperationError naming turn and slot.
    """
    detached: dict[int, RemovedPiece] = {}
    for turn in chain.turns:
        slot = turn.operation.slot
        if turn.purpose == "detach":
            piece = states[turn.index - 1].by_slot[slot]
            if piece.attach_to in {None, GROUND}:
                raise OperationError(f"turn {turn.index} detach: slot {slot!r} hangs from no slot")
            detached[turn.index] = RemovedPiece(turn.index, piece)
        elif turn.purpose == "reattach" and turn.returns is not None:
            gone = detached.pop(turn.returns, None)
            if gone is None:
                raise OperationError(
                    f"turn {turn.index} reattach {slot!r}: turn {turn.returns} detached nothing that is still away"
                )
            _check_return(turn, gone)


def _check_return(turn: Turn, gone: RemovedPiece) -> None:
    """Refuse a re-attachment that is not the piece that was taken away."""
    operation = turn.operation
    if not isinstance(operation, Add):
        raise OperationError(f"turn {turn.index} reattach: is no add but {operation.op}")
    old = gone.piece
    pairs = (
        ("slot", operation.slot, old.slot),
        ("part", str(operation.part), " + ".join(str(part) for part in old.parts)),
        ("part's sha256", operation.part.sha256, old.parts[0].sha256),
        ("label", operation.label, old.label),
        ("support", operation.attach_to, old.attach_to),
        ("look", operation.texture, old.texture),
    )
    for name, found, expected in pairs:
        if found != expected:
            raise OperationError(
                f"turn {turn.index} reattach {operation.slot!r}: {name} is {found!s}, "
                f"turn {gone.turn} took away {expected!s}"
            )
