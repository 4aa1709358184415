"""Replace: the slot's piece is swapped for a library part on the same contact."""

from __future__ import annotations

from collections.abc import Iterator

from chains.state import State
from chains.wording import inherited_label, word_replace
from engine.operations.proposal import Proposal
from engine.placement.mounts import measure_slot_mount
from engine.placement.replacement import fit_replacement, prefilter
from engine.placement.state import find_hanging_slots
from engine.workbench import Workbench
from schemas.operation import Replace
from schemas.part import PartRecord
from schemas.placement import Placement, Rejection

MAX_FITS = 6
"""Candidates whose geometry is tried for one slot."""
_MODE_ORDER = ("strict", "pull", "baseline")


def propose_replace(bench: Workbench, state: State, slot: str, turn: int) -> Iterator[Proposal | Rejection]:
    """Fit up to six retrieved candidates; take strict before pulled before baseline, then in the order of retrieval."""
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
    fitted: list[tuple[int, int, PartRecord, Placement]] = []
    tried = 0
    for record in bench.find_replacements(state, slot, turn):
        if tried >= MAX_FITS:
            break
        refused = prefilter(
            record, mount, bench.limits, diagonal, bench.host.diagonal, max_triangles=bench.max_triangles
        )
        if refused is not None:
            yield refused
            continue
        label = inherited_label(state.by_slot[slot].label, bench.phrase(record))
        if bench.is_taken(state, label, slot):
            yield Rejection(check="duplicate", measured=None, limit=None, detail=f"{label!r} names another piece")
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
            lambda before, after: bench.visible(before, after, slot),
            mount,
        )
        if isinstance(result, Rejection):
            yield result
            continue
        mode = result.report.mode if result.report else "strict"
        fitted.append((_MODE_ORDER.index(mode), tried, record, result))
        if mode == "strict":
            break
    for _, _, record, placement in sorted(fitted, key=lambda entry: entry[:2]):
        yield _proposal(bench, state, slot, turn, record, placement)


def _proposal(
    bench: Workbench, state: State, slot: str, turn: int, record: PartRecord, placement: Placement
) -> Proposal:
    old = state.by_slot[slot].label
    phrase = bench.phrase(record)
    return Proposal(
        operation=Replace(slot=slot, label=inherited_label(old, phrase), part=record.ref, placement=placement),
        instruction=word_replace(bench.draws(turn, "replace", slot), old, phrase),
        named_slots=(slot,),
        visible=placement.report.visible if placement.report else 0.0,
        retrieval=bench.retrieval(slot, "replace"),
    )
