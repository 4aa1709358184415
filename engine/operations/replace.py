"""Replace: the slot's piece is swapped for a library part on the same contact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chains.sentences import word_replace
from chains.state import State
from chains.wording import inherited_label, says_nothing_new
from engine.labels import is_taken
from engine.operations.instructions import choose_draft
from engine.operations.places import draft_change
from engine.operations.proposal import Proposal, refuse_unsuitable
from engine.operations.watching import ChangeWatch, check_change
from engine.placement.mounts import measure_slot_mount
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
    rank: int
    """Place in the order of retrieval."""
    record: PartRecord
    placement: Placement
    change: ViewChange


def propose_replace(
    bench: Workbench, state: State, slot: str, turn: int, *, every: bool = False
) -> Iterator[Proposal | Rejection]:
    """Fit up to six retrieved candidates; take strict before pulled before baseline, then in the order of retrieval.

    The first strict one ends the search, unless `every` candidate may be needed.
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
    diagonal = bench.slot_diagonal(slot)
    fitted: list[_Fitted] = []
    watch = ChangeWatch(bench, slot)
    tried = 0
    for record in bench.find_replacements(state, slot, turn):
        if tried >= MAX_FITS:
            break
        verdict = bench.judge_replacement(state, slot, record)
        if verdict.refused:
            yield refuse_unsuitable(verdict)
            continue
        refused = prefilter(
            record, mount, bench.limits, diagonal, bench.host.diagonal, max_triangles=bench.max_triangles
        )
        if refused is not None:
            yield refused
            continue
        label = inherited_label(state.by_slot[slot].label, bench.phrase(record))
        if is_taken(state, label, slot):
            yield Rejection(check="duplicate", measured=None, limit=None, detail=f"{label!r} names another piece")
            continue
        if says_nothing_new(state.by_slot[slot].label, bench.phrase(record)):
            detail = f"{bench.phrase(record)!r} may be said of the old piece as well"
            yield Rejection(check="duplicate", measured=None, limit=None, detail=detail)
            continue
        if bench.looks_alike(state.by_slot[slot], record):
            yield Rejection(check="duplicate", measured=None, limit=None, detail="it looks like what it would replace")
            continue
        tried += 1
        result = fit_replacement(
            geometry,
            slot,
            diagonal,
            bench.library_part(record),
            bench.limits,
            watch,
            mount,
        )
        if isinstance(result, Rejection):
            yield result
            continue
        unseen = check_change(watch.last, bench.limits)
        if unseen is not None:
            yield unseen
            continue
        mode = result.report.mode if result.report else "strict"
        fitted.append(_Fitted(_MODE_ORDER.index(mode), tried, record, result, watch.last))
        if mode == "strict" and not every:
            break
    for found in sorted(fitted, key=lambda entry: (entry.mode, entry.rank)):
        yield _proposal(bench, state, slot, turn, found)


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
    )
