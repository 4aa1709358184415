"""Remove: the piece in a slot goes."""

from __future__ import annotations

from collections.abc import Iterator

from chains.sentences import word_remove
from chains.state import State
from chains.wording import belongs_to
from engine.operations.instructions import choose_draft
from engine.operations.places import draft_change
from engine.operations.proposal import Proposal
from engine.operations.watching import check_change
from engine.placement.balance import measure_imbalance
from engine.placement.checks import check_debris
from engine.placement.hold import find_loose_bar, find_loose_wheel, find_touching
from engine.placement.mounts import measure_slot_mount
from engine.placement.state import StateGeometry, box_of, find_hanging_slots
from engine.workbench import Workbench
from schemas.operation import Remove
from schemas.placement import CONTACT_REL, Rejection

LAID_SHARE = 0.6
"""A piece lies over another when this share of its box seen from above does."""
LARGEST_IMBALANCE_REL = 0.05
"""How far the object's centroid may come to lie beside what it stands on."""


def propose_remove(bench: Workbench, state: State, slot: str, turn: int) -> Iterator[Proposal | Rejection]:
    """Take a piece away when nothing depends on it, the rest stays as connected as it was, and it is seen to go."""
    geometry = bench.geometry(state)
    refused = _check_dependents(bench, state, geometry, slot) or _check_rest(bench, state, geometry, slot)
    if refused is not None:
        yield refused
        return
    change = bench.change(geometry, geometry.without(slot), slot)
    unseen = check_change(change, bench.limits)
    if unseen is not None:
        yield unseen
        return
    operation = Remove(slot=slot)
    drafts = draft_change(
        bench,
        state,
        slot,
        turn,
        lambda label, place: word_remove(bench.draws(turn, "remove", slot), label, place),
        may_be_off=True,
    )
    draft = choose_draft(bench, state, operation, drafts)
    yield Proposal(
        operation=operation,
        instruction=draft.sentence,
        named_slots=draft.named_slots,
        change=change,
        refers_to=draft.refers_to,
    )


def _check_dependents(bench: Workbench, state: State, geometry: StateGeometry, slot: str) -> Rejection | None:
    """Nothing may hang from the piece, be named after it, be held by it at one end, or crumble without it."""
    hanging = find_hanging_slots(geometry).get(slot, ())
    if hanging:
        detail = f"{hanging[0]} hangs from it"
        return Rejection(check="connected", measured=float(len(hanging)), limit=0.0, detail=detail)
    label = state.by_slot[slot].label
    touching = find_touching(geometry, slot)
    named = next((name for name in touching if belongs_to(state.by_slot[name].label, label)), None)
    loose = named or find_loose_bar(geometry, slot) or find_loose_wheel(geometry, slot)
    if loose is not None:
        detail = f"{loose} belongs to it" if named else f"{loose} would be left without its hold"
        return Rejection(check="connected", measured=None, limit=None, detail=detail)
    above = next((name for name in touching if _lies_on(geometry, name, slot)), None)
    if above is not None:
        return Rejection(check="connected", measured=None, limit=None, detail=f"{above} lies on it")
    for name in find_touching(geometry, slot, with_core=True):
        for ref in state.by_slot[name].parts:
            refused = check_debris(bench.library.find(ref).loose_gap, bench.limits)
            if refused is not None:
                return refused.model_copy(update={"detail": f"the loose pieces of {name} would hang in the air"})
    return None


def _lies_on(geometry: StateGeometry, name: str, slot: str) -> bool:
    """Whether a piece that is carried from below lies over another, whatever else it touches: a plate in a stack."""
    above, below = box_of(geometry.piece(name)), box_of(geometry.piece(slot))
    if 0.5 * float(above[0, 1] + above[1, 1]) <= float(below[1, 1]):
        return False
    shared = [max(float(min(above[1, k], below[1, k]) - max(above[0, k], below[0, k])), 0.0) for k in (0, 2)]
    whole = [float(above[1, k] - above[0, k]) for k in (0, 2)]
    if shared[0] * shared[1] < LAID_SHARE * whole[0] * whole[1]:
        return False
    mount = measure_slot_mount(geometry, name)
    return not isinstance(mount, Rejection) and mount.frame.direction == "up"


def _check_rest(bench: Workbench, state: State, geometry: StateGeometry, slot: str) -> Rejection | None:
    """What stays must hold together by itself and still stand.

    Things beside the object do not hold it up: they are left out, unless one of them is what goes.
    """
    before = geometry
    for beside in sorted(bench.beside(state) - {slot}):
        before = before.without(beside)
    after = before.without(slot)
    pieces_before, pieces_after = before.count_pieces(), after.count_pieces(with_ground=bool(before.grounded))
    if pieces_after > pieces_before:
        return Rejection(check="connected", measured=float(pieces_after), limit=float(pieces_before))
    level = geometry.floor + CONTACT_REL * geometry.diagonal
    standing = {name for (name, _), placed in before.parts if placed.bounds[0][1] < level}
    if standing == {slot} and len(before.pieces) > 1:
        return Rejection(check="floor", measured=0.0, limit=1.0, detail="the object stands on it alone")
    leans = [
        measure_imbalance([placed for _, placed in stage.parts], geometry.floor, geometry.diagonal)
        for stage in (before, after)
    ]
    if leans[1] > max(LARGEST_IMBALANCE_REL, leans[0]):
        detail = "the object would fall over: its centroid beside what it stands on, over D"
        return Rejection(check="stability", measured=leans[1], limit=LARGEST_IMBALANCE_REL, detail=detail)
    return None
