"""Detach and re-attach: the turns around the edit of a support (`chains.agenda` plans them)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chains.agenda import find_attachments
from chains.sentences import word_detach, word_reattach
from chains.state import State, apply
from engine.labels import is_taken
from engine.operations.instructions import is_well_said
from engine.operations.proposal import Proposal
from engine.operations.remove import propose_remove
from engine.operations.replace import propose_replace
from engine.operations.watching import ChangeWatch, check_change
from engine.placement.attachment import Attachment, measure_attachment
from engine.placement.reattachment import fit_reattachment
from engine.render.difference import ViewChange
from engine.workbench import Workbench
from schemas.base import SlotId
from schemas.errors import OperationError
from schemas.operation import Add, Operation, OpName
from schemas.placement import Placement, Rejection


@dataclass(frozen=True, slots=True)
class Detached:
    """A piece that was taken away: the turn that did it and the state before that turn."""

    turn: int
    before: State
    slot: SlotId


def find_detached(bench: Workbench, turns: Sequence[int]) -> tuple[Detached, ...]:
    """What these turns of the chain so far took away."""
    return tuple(Detached(turn, bench.state_before(turn), bench.edited_slot(turn)) for turn in turns)


def propose_detach(bench: Workbench, state: State, slot: str, turn: int) -> Iterator[Proposal | Rejection]:
    """Take an attachment off its support; it must be able to come back by its contact with the support."""
    support = _support_of(state, slot)
    if bench.is_misleading(state, support):
        yield _miscounted(state, support)
        return
    attachment = measure_attachment(bench.geometry(state), slot, support)
    if isinstance(attachment, Rejection):
        yield attachment
        return
    for proposal in propose_remove(bench, state, slot, turn):
        if isinstance(proposal, Rejection):
            yield proposal
            continue
        labels = state.by_slot[slot].label, state.by_slot[support].label
        sentence = word_detach(bench.draws(turn, "detach", slot), *labels, attachment.seat)
        yield replace(proposal, instruction=sentence, named_slots=(slot, support), purpose="detach", refers_to=None)


def propose_reattach(bench: Workbench, state: State, gone: Detached, turn: int) -> Iterator[Proposal | Rejection]:
    """Put a piece back: the same part with the same name and look, in its own slot, on what its support is now."""
    piece = gone.before.by_slot[gone.slot]
    support = _support_of(gone.before, gone.slot)
    if gone.slot in state.by_slot or is_taken(state, piece.label, gone.slot):
        yield Rejection(check="duplicate", measured=None, limit=None, detail=f"{piece.label!r} names another piece")
        return
    attachment = measure_attachment(bench.geometry(gone.before), gone.slot, support)
    if isinstance(attachment, Rejection):
        yield attachment
        return
    look = None if piece.texture is None else bench.assembler.shown_surfaces(piece)
    watch = ChangeWatch(bench, gone.slot, look)
    placement = fit_reattachment(
        bench.geometry(state), attachment, bench.library.find(piece.parts[0]), bench.limits, watch
    )
    refused = placement if isinstance(placement, Rejection) else check_change(watch.last, bench.limits)
    if refused is not None:
        yield refused
    elif isinstance(placement, Placement):
        yield _put_back(bench, state, gone, turn, attachment, placement, watch.last)


def _put_back(
    bench: Workbench,
    state: State,
    gone: Detached,
    turn: int,
    attachment: Attachment,
    placement: Placement,
    change: ViewChange,
) -> Proposal:
    piece, support = gone.before.by_slot[gone.slot], attachment.support
    is_new = state.by_slot[support].parts != gone.before.by_slot[support].parts
    return Proposal(
        operation=Add(
            slot=gone.slot,
            label=piece.label,
            attach_to=support,
            part=piece.parts[0],
            placement=placement,
            texture=piece.texture,
        ),
        instruction=word_reattach(
            bench.draws(turn, "reattach", gone.slot),
            piece.label,
            state.by_slot[support].label,
            attachment.seat,
            new=is_new,
        ),
        named_slots=(gone.slot, support),
        change=change,
        purpose="reattach",
        returns=gone.turn,
    )


def propose_new_support(
    bench: Workbench, state: State, support: str, away: Sequence[Detached], turn: int
) -> Iterator[Proposal | Rejection]:
    """Replacements of a support on which at least one of the detached pieces can be put back."""
    for proposal in propose_replace(bench, state, support, turn, every=True):
        if isinstance(proposal, Rejection):
            yield proposal
            continue
        refused = _check_returns(bench, apply(state, proposal.operation, turn), away, turn + 1)
        yield proposal if refused is None else refused


def _check_returns(bench: Workbench, state: State, away: Sequence[Detached], turn: int) -> Rejection | None:
    """None when one of the pieces can be put back, else why the last one cannot."""
    refused: Rejection | None = None
    for gone in away:
        for answer in propose_reattach(bench, state, gone, turn):
            if isinstance(answer, Proposal):
                return None
            refused = answer
    return refused


def rehearse(bench: Workbench, state: State, support: str, op: OpName, turn: int) -> Rejection | None:
    """Go through a whole agenda without making a turn; the first thing in its way, or None when it can begin.

    Everything an agenda does is drawn and measured as it will be in its turns, so what was rehearsed will happen,
    unless a screener, which is not asked here, turns the new support away.
    """
    away: list[Detached] = []
    done = list(bench.operations())
    for slot in find_attachments(state, support):
        answer = _first_sound(bench, state, done, propose_detach(bench, state, slot, turn))
        if isinstance(answer, Rejection):
            return answer
        done.append(answer.operation)
        away.insert(0, Detached(turn, state, slot))
        state = apply(state, answer.operation, turn)
        turn += 1
    if bench.is_misleading(state, support):
        return _miscounted(state, support)
    edits = (
        propose_remove(bench, state, support, turn)
        if op == "remove"
        else propose_new_support(bench, state, support, away, turn)
    )
    answer = _first_sound(bench, state, done, edits)
    return answer if isinstance(answer, Rejection) else None


def _first_sound(
    bench: Workbench, state: State, done: Sequence[Operation], answers: Iterator[Proposal | Rejection]
) -> Proposal | Rejection:
    """The first proposal whose sentence is sound; without one, the last rejection. `done` led to `state`."""
    refused = Rejection(check="frame", measured=None, limit=None, detail="nothing to try")
    for answer in answers:
        if isinstance(answer, Rejection):
            refused = answer
        elif is_well_said(bench.host, state, answer, done):
            return answer
    return refused


def _miscounted(state: State, slot: str) -> Rejection:
    detail = f"{state.by_slot[slot].label!r} counts missing twins"
    return Rejection(check="duplicate", measured=None, limit=None, detail=detail)


def _support_of(state: State, slot: str) -> SlotId:
    """The slot a piece hangs from; the planner only asks for pieces that have one."""
    support = state.by_slot[slot].attach_to
    if support is None or support not in state.by_slot:
        raise OperationError(f"slot {slot!r} hangs from no slot, nothing can be taken off or put back")
    return support
