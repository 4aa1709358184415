"""Add: a library part on a free face of a piece, or on the ground beside the object."""

from __future__ import annotations

from collections.abc import Iterator

from chains.sentences import word_add, word_add_ground
from chains.state import State
from engine.labels import is_taken
from engine.operations.proposal import Proposal, refuse_unsuitable
from engine.operations.relations import find_neighbour, place_by_object
from engine.operations.watching import ChangeWatch, check_change
from engine.placement.addition import fit_addition, prefilter_addition
from engine.render.difference import ViewChange
from engine.workbench import Workbench
from schemas.operation import GROUND, Add
from schemas.part import PartRecord
from schemas.placement import Placement, Rejection

MAX_FITS = 4
"""Candidates whose geometry is tried on one support."""


def propose_add(bench: Workbench, state: State, support: str, turn: int) -> Iterator[Proposal | Rejection]:
    """Stand a retrieved part on a free spot of `support`, or on the ground."""
    geometry = bench.geometry(state)
    spots = bench.spots(state, support)
    if spots is not None and not spots:
        yield Rejection(check="clearance", measured=0.0, limit=1.0, detail=f"no free spot on {support}")
        return
    slot = _new_slot(state, turn)
    tried = 0
    watch = ChangeWatch(bench, slot)
    for record in bench.find_additions(state, support, turn):
        if tried >= MAX_FITS:
            return
        verdict = bench.judge_addition(state, support, record)
        if verdict.refused:
            yield refuse_unsuitable(verdict)
            continue
        unfit = prefilter_addition(record, bench.limits, max_triangles=bench.max_triangles)
        if unfit is not None:
            yield unfit
            continue
        label = bench.phrase(record)
        if is_taken(state, label, slot):
            yield Rejection(check="duplicate", measured=None, limit=None, detail=f"{label!r} names another piece")
            continue
        tried += 1
        result = fit_addition(
            geometry,
            support,
            slot,
            bench.library_part(record),
            bench.limits,
            watch,
            spots,
        )
        refused = result if isinstance(result, Rejection) else check_change(watch.last, bench.limits)
        if refused is not None:
            yield refused
        elif isinstance(result, Placement):
            yield _proposal(bench, state, support, turn, record, result, watch.last)


def _new_slot(state: State, turn: int) -> str:
    """`add03`: unique, since a turn adds once."""
    name = f"add{turn:02d}"
    while name in state.by_slot:
        name += "b"
    return name


def _proposal(
    bench: Workbench,
    state: State,
    support: str,
    turn: int,
    record: PartRecord,
    placement: Placement,
    change: ViewChange,
) -> Proposal:
    slot = _new_slot(state, turn)
    phrase = bench.phrase(record)
    operation = Add(slot=slot, label=phrase, attach_to=support, part=record.ref, placement=placement)
    geometry = bench.geometry(state)
    placed = bench.placed(record.ref, placement.world_from_part)
    draws = bench.draws(turn, "add", slot)
    unclear = [name for name in state.by_slot if bench.is_misleading(state, name)]
    near = find_neighbour(geometry, state, placed, without=(support, *unclear), on_ground=support == GROUND)
    if support == GROUND:
        near = near or place_by_object(bench.host.name, geometry, state, placed, without=unclear)
        sentence = word_add_ground(draws, phrase, near.relation)
    else:
        sentence = word_add(draws, phrase, state.by_slot[support].label, near.relation if near else None)
    named = (slot, *(() if support == GROUND else (support,)), *((near.slot,) if near and near.slot else ()))
    return Proposal(
        operation=operation,
        instruction=sentence,
        named_slots=named,
        change=change,
        retrieval=bench.retrieval(support, "add"),
    )
