"""Add: a library part on a free face of a piece, or on the ground beside the object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chains.edit_cells import Shortage, find_shortage
from chains.sentences import word_add, word_add_ground, word_landmark
from chains.state import State
from chains.wording import kind_of
from engine.geometry.overlap import Placed
from engine.labels import is_taken
from engine.operations.fronts import NOTHING_SAID, SaidFront, say_front
from engine.operations.instructions import Draft, choose_draft, draw_reference
from engine.operations.landmarks import find_landmark, find_told_sides
from engine.operations.places import SURFACES, find_unclear, is_one_thing
from engine.operations.proposal import Proposal, refuse_unsuitable
from engine.operations.relations import FoundRelation, find_between, find_neighbour, find_overhang, place_by_object
from engine.operations.watching import ChangeWatch, check_change
from engine.placement.addition import fit_addition, prefilter_addition
from engine.render.difference import ViewChange
from engine.workbench import Workbench
from schemas.operation import GROUND, Add
from schemas.part import PartRecord
from schemas.placement import Placement, Rejection

MAX_FITS = 4
"""Candidates whose geometry is tried on one support."""


class _Fitted(NamedTuple):
    """A candidate that passed every check."""

    shortage: Shortage
    """How far the cells that it fills fall short."""
    record: PartRecord
    placement: Placement
    change: ViewChange


def propose_add(bench: Workbench, state: State, support: str, turn: int) -> Iterator[Proposal | Rejection]:
    """Stand a retrieved part on a free spot of `support`, or on the ground; what fills too few cells comes last."""
    geometry = bench.geometry(state)
    spots = bench.spots(state, support)
    if spots is not None and not spots:
        yield Rejection(check="clearance", measured=0.0, limit=1.0, detail=f"no free spot on {support}")
        return
    slot = _new_slot(state, turn)
    tried = 0
    small: list[_Fitted] = []
    watch = ChangeWatch(bench, slot)
    for record in bench.find_additions(state, support, turn):
        if tried >= MAX_FITS:
            break
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
            placed = bench.placed(record.ref, result.world_from_part)
            shortage = find_shortage("add", bench.cells.count_edit(geometry, slot, (placed,)))
            fitted = _Fitted(shortage, record, result, watch.last)
            if shortage:
                small.append(fitted)
            else:
                yield _proposal(bench, state, support, turn, fitted)
    for fitted in sorted(small, key=lambda entry: entry.shortage):
        yield _proposal(bench, state, support, turn, fitted)


def _new_slot(state: State, turn: int) -> str:
    """`add03`: unique, since a turn adds once."""
    name = f"add{turn:02d}"
    while name in state.by_slot:
        name += "b"
    return name


def _proposal(bench: Workbench, state: State, support: str, turn: int, found: _Fitted) -> Proposal:
    slot, record, placement = _new_slot(state, turn), found.record, found.placement
    phrase = bench.phrase(record)
    operation = Add(slot=slot, label=phrase, attach_to=support, part=record.ref, placement=placement)
    placed = bench.placed(record.ref, placement.world_from_part)
    drafts = _draft_on_ground if support == GROUND else _draft_on_support
    draft = choose_draft(bench, state, operation, drafts(bench, state, operation, record, placed, turn))
    return Proposal(
        operation=operation,
        instruction=draft.sentence,
        named_slots=draft.named_slots,
        change=found.change,
        refers_to=draft.refers_to,
        retrieval=bench.retrieval(support, "add"),
        shortage=found.shortage,
    )


def _draft_on_ground(
    bench: Workbench, state: State, operation: Add, record: PartRecord, placed: Placed, turn: int
) -> list[Draft]:
    """What stands on the ground, by what hangs over it, by what it stands between or beside, or by the object."""
    geometry, slot, phrase = bench.geometry(state), operation.slot, operation.label
    unclear = find_unclear(bench, state)
    misleading = [name for name in unclear if bench.is_misleading(state, name)]
    found = [
        find_overhang(geometry, state, placed, unclear),
        find_between(geometry, state, placed, unclear=unclear, on_ground=True),
        find_neighbour(geometry, state, placed, without=misleading, on_ground=True),
        place_by_object(bench.host.name, geometry, state, placed, without=misleading),
    ]
    front = say_front(bench, state, record, placed, unclear)
    drafts = []
    for near in found:
        if near is not None:
            for said in dict.fromkeys((front, NOTHING_SAID)):
                words = _say_facing(said, near)
                sentence = word_add_ground(bench.draws(turn, "add", slot), phrase, near.relation, words)
                drafts.append(Draft(sentence, _name_once(slot, *near.slots, *said.slots)))
    return drafts


def _draft_on_support(
    bench: Workbench, state: State, operation: Add, record: PartRecord, placed: Placed, turn: int
) -> list[Draft]:
    """What stands on a piece: the piece or the turn that brought it, the place on it, and what is near."""
    geometry, support, slot, phrase = bench.geometry(state), operation.attach_to, operation.slot, operation.label
    unclear = find_unclear(bench, state)
    misleading = [name for name in unclear if bench.is_misleading(state, name)]
    # What carries the support may reach up beside it: a cargo bed around a crate.
    below = (support, *filter(None, [state.by_slot[support].attach_to]))
    between = find_between(geometry, state, placed, below, unclear)
    over = find_overhang(geometry, state, placed, (support, *unclear))
    beside = find_neighbour(geometry, state, placed, without=(*below, *misleading))
    near = between or over or beside
    name = state.by_slot[support].label
    reference = draw_reference(bench, state, support, turn)
    landmark = _say_landmark(bench, state, operation, placed, is_near=near is not None)
    front = say_front(bench, state, record, placed, unclear)
    names: list[tuple[str, int | None]] = [(reference.phrase, reference.turn)] if reference else []
    drafts = []
    for said, past in [*names, (name, None)]:
        for place, tail, looks in (
            ("" if near and front.words else landmark, near, front),
            (landmark, near, NOTHING_SAID),
            ("", near, NOTHING_SAID),
            ("", beside, NOTHING_SAID),
        ):
            words = _say_facing(looks, tail)
            relation = tail.relation if tail else None
            sentence = word_add(bench.draws(turn, "add", slot), phrase, said, relation, place, words)
            named = _name_once(slot, support, *(tail.slots if tail else ()), *looks.slots)
            drafts.append(Draft(sentence, named, past))
    return [*drafts, Draft(word_add(bench.draws(turn, "add", slot), phrase, name, None), (slot, support))]


def _say_facing(front: SaidFront, near: FoundRelation | None) -> str:
    """Which way a front looks; at `it` where that is the one thing it was just said to be near."""
    is_said = near is not None and front.slots == near.slots and len(near.slots) == 1
    return "facing it" if is_said else front.words


def _name_once(*slots: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(slots))


def _say_landmark(bench: Workbench, state: State, operation: Add, placed: Placed, *, is_near: bool) -> str:
    """`in the middle`, `at the left end`, `at the end` where a neighbour tells which; empty where nothing is clear."""
    support = operation.attach_to
    if not is_one_thing(state.by_slot[support].label):
        return ""
    parts = bench.geometry(state).piece(support)
    landmark = find_landmark(parts, placed, bench.facing, bench.host.diagonal)
    is_surface = kind_of(state.by_slot[support].label) in SURFACES
    if landmark is None or (not is_surface and (is_near or landmark.place == "corner")):
        return ""
    told = find_told_sides([slot.label for slot in bench.host.slots])
    sides = landmark.sides if told.issuperset(landmark.sides) else ()
    return word_landmark(landmark.place, sides, is_near=is_near, is_surface=is_surface)
