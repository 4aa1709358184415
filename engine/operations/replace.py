"""Replace: the slot's piece is swapped for a library part on the same contact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chains.edit_cells import Shortage, find_shortage
from chains.sentences import word_replace
from chains.state import State
from chains.wording import inherited_label, says_nothing_new
from engine.labels import is_taken
from engine.operations.instructions import choose_draft
from engine.operations.places import draft_change
from engine.operations.proposal import Proposal, refuse_unsuitable
from engine.operations.watching import ChangeWatch, check_change
from engine.placement.mounts import SlotMount, measure_slot_mount
from engine.placement.replacement import fit_replacement, prefilter
from engine.placement.state import find_hanging_slots
from engine.render.difference import ViewChange
from engine.workbench import Workbench
from schemas.operation import Replace
from schemas.part import PartRecord
from schemas.placement import Placement, Rejection

MAX_FITS = 6
"""Candidates whose geometry is tried for one slot."""
_MODE_ORDER = ("strict", "pull", "baseline")


class _Fitted(NamedTuple):
    """A candidate that passed every check."""

    mode: int
    """Place in `_MODE_ORDER`."""
    shortage: Shortage
    """How far the cells that it changes fall short."""
    rank: int
    """Place in the order of retrieval."""
    record: PartRecord
    placement: Placement
    change: ViewChange


def propose_replace(
    bench: Workbench, state: State, slot: str, turn: int, *, every: bool = False
) -> Iterator[Proposal | Rejection]:
    """Fit up to six retrieved candidates; take strict before pulled before baseline, then in the order of retrieval.

    Of each kind those come first that change enough cells, and what could not be scored comes last of all. The first
    strict one that changes enough ends the search, unless `every` candidate may be needed.
    """
    geometry = bench.geometry(state)
    hanging = find_hanging_slots(geometry).get(slot, ())
    if hanging:
        yield Rejection(
            check="connected", measured=float(len(hanging)), limit=0.0, detail=f"{hanging[0]} hangs from it"
        )
        return
    mount = measure_slot_mount(geometry, slot)
    if isinstance(mount, Rejection):
        yield mount
        return
    fitted: list[_Fitted] = []
    watch = ChangeWatch(bench, slot)
    tried = 0
    for record in bench.find_replacements(state, slot, turn):
        if tried >= MAX_FITS:
            break
        refused = _refuse_unfit(bench, state, slot, record, mount)
        if refused is not None:
            yield refused
            continue
        tried += 1
        part = bench.library_part(record)
        result = fit_replacement(geometry, slot, bench.slot_diagonal(slot), part, bench.limits, watch, mount)
        if isinstance(result, Rejection):
            yield result
            continue
        unseen = check_change(watch.last, bench.limits)
        if unseen is not None:
            yield unseen
            continue
        mode = result.report.mode if result.report else "strict"
        placed = bench.placed(record.ref, result.world_from_part)
        shortage = find_shortage("replace", bench.cells.count_edit(geometry, slot, (placed,)))
        fitted.append(_Fitted(_MODE_ORDER.index(mode), shortage, tried, record, result, watch.last))
        if mode == "strict" and shortage == 0 and not every:
            break
    for found in sorted(fitted, key=lambda entry: (entry.shortage == 2, entry.mode, entry.shortage, entry.rank)):
        yield _proposal(bench, state, slot, turn, found)


def _refuse_unfit(bench: Workbench, state: State, slot: str, record: PartRecord, mount: SlotMount) -> Rejection | None:
    """Why a candidate is not even tried: it does not belong, cannot fit, or would not be told from what is there."""
    verdict = bench.judge_replacement(state, slot, record)
    if verdict.refused:
        return refuse_unsuitable(verdict)
    refused = prefilter(
        record,
        mount,
        bench.limits,
        bench.slot_diagonal(slot),
        bench.host.diagonal,
        max_triangles=bench.max_triangles,
    )
    if refused is not None:
        return refused
    old, phrase = state.by_slot[slot], bench.phrase(record)
    label = inherited_label(old.label, phrase)
    if is_taken(state, label, slot):
        return Rejection(check="duplicate", measured=None, limit=None, detail=f"{label!r} names another piece")
    if says_nothing_new(old.label, phrase):
        detail = f"{phrase!r} may be said of the old piece as well"
        return Rejection(check="duplicate", measured=None, limit=None, detail=detail)
    if bench.looks_alike(old, record):
        return Rejection(check="duplicate", measured=None, limit=None, detail="it looks like what it would replace")
    return None


def _proposal(bench: Workbench, state: State, slot: str, turn: int, found: _Fitted) -> Proposal:
    old = state.by_slot[slot].label
    phrase = bench.phrase(found.record)
    operation = Replace(slot=slot, label=inherited_label(old, phrase), part=found.record.ref, placement=found.placement)
    drafts = draft_change(
        bench,
        state,
        slot,
        turn,
        lambda label, place: word_replace(bench.draws(turn, "replace", slot), label, phrase, place),
    )
    draft = choose_draft(bench, state, operation, drafts)
    return Proposal(
        operation=operation,
        instruction=draft.sentence,
        named_slots=draft.named_slots,
        change=found.change,
        refers_to=draft.refers_to,
        retrieval=bench.retrieval(slot, "replace"),
        shortage=found.shortage,
    )
