"""References to earlier edits: `the vase you just added`, `the new roof`, `the chair you painted earlier`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chains.sentences import is_paint
from chains.state import State
from chains.wording import bare_noun, covers
from schemas.base import SlotId
from schemas.chain import Chain
from schemas.errors import OperationError
from schemas.operation import GROUND, Add, Operation, OpName, Remove, Retexture
from schemas.part import Host


class PastEdit(NamedTuple):
    """What an earlier turn did, as far as people speak of it."""

    turn: int
    op: OpName
    slot: SlotId
    label: str = ""
    """What the piece is called since; for a removal, what it was called."""
    support: SlotId | None = None
    """What an added piece was put on; null for other edits."""
    returned: bool = False
    """Whether an add brought back what was taken away."""
    material: str = ""
    """The look that a retexture gave."""


class Reference(NamedTuple):
    """A piece by what an earlier turn did to it, without its article."""

    phrase: str
    turn: int


def read_edits(host: Host, operations: Iterable[Operation]) -> tuple[PastEdit, ...]:
    """What the turns of a chain did, the first first; the last is the turn just made."""
    labels = {slot.id: slot.label for slot in host.slots}
    edits = []
    for turn, operation in enumerate(operations, start=1):
        slot = operation.slot
        is_known = slot in labels
        if not isinstance(operation, Remove) and operation.label:
            labels[slot] = operation.label
        edit = PastEdit(turn, operation.op, slot, labels.get(slot, ""))
        if isinstance(operation, Add):
            edit = edit._replace(support=operation.attach_to, returned=is_known)
        elif isinstance(operation, Retexture):
            edit = edit._replace(material=operation.material)
        edits.append(edit)
    return tuple(edits)


def find_references(state: State, edits: Sequence[PastEdit], slot: SlotId) -> tuple[Reference, ...]:
    """Every way to speak of what stands in a slot by the turn that edited it last, or that replaced it.

    None when nothing did, or when the bare noun could mean another piece. `just` is the turn before and no other.
    """
    mine = [edit for edit in edits if edit.slot == slot]
    labels = [piece.label for piece in state.pieces]
    noun = bare_noun(state.by_slot[slot].label)
    if not mine or sum(covers(noun, label) for label in labels) != 1 or not covers(noun, state.by_slot[slot].label):
        return ()
    last = mine[-1]
    just = last.turn == len(edits)
    found = [Reference(f"{noun} {said}", last.turn) for said in _say_past(state, last, just=just)]
    replaced = next((edit for edit in reversed(mine) if edit.op in {"add", "replace"}), None)
    if replaced is not None and replaced.op == "replace" and not noun.startswith("new "):
        found.append(Reference(f"new {noun}", replaced.turn))
    return tuple(found)


def _say_past(state: State, edit: PastEdit, *, just: bool) -> list[str]:
    """Clauses after the noun that are true of an edit: `you just added`, `you put on the porch earlier`."""
    if edit.op == "add" and edit.returned:
        return ["you just put back" if just else "you put back earlier"]
    if edit.op == "add":
        support = state.by_slot.get(edit.support or GROUND)
        said = ["you just added" if just else "you added earlier"]
        if support is not None and not just and sum(covers(support.label, piece.label) for piece in state.pieces) == 1:
            said.append(f"you put on the {support.label} earlier")
        return said
    if edit.op == "retexture" and is_paint(edit.material):
        return ["you just painted" if just else "you painted earlier"]
    return []


def check_references(chain: Chain, states: Sequence[State]) -> None:
    """Refuse a turn that says it speaks of an earlier one which did not edit its slot or its support (strict).

    `states[k]` is the state after turn k. Raises OperationError naming turn and slot.
    """
    for turn in chain.turns:
        if turn.refers_to is None:
            continue
        operation, past = turn.operation, chain.turns[turn.refers_to - 1].operation
        spoken = {operation.slot, operation.attach_to} if isinstance(operation, Add) else {operation.slot}
        where = f"turn {turn.index} {operation.op} {operation.slot!r}: refers to turn {turn.refers_to}"
        if past.slot not in spoken:
            raise OperationError(f"{where}, which edited slot {past.slot!r}")
        if isinstance(past, Remove) or past.slot not in states[turn.index - 1].by_slot:
            raise OperationError(f"{where}, of which nothing stands in slot {past.slot!r}")
