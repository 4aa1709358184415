"""Folding operations into states."""

from __future__ import annotations

import pytest

from chains.state import apply, initial_state, state_at, states_of
from schemas.errors import InputError, OperationError
from schemas.operation import Operation
from tests.chain_examples import add, chain_of, desk, remove, replace, retexture


def test_add_then_remove_gives_the_same_pieces_and_hash() -> None:
    """What was there before an add is there after its removal, bit for bit."""
    start = initial_state(desk())
    there = apply(start, add("cup", "top"), 1)
    back = apply(there, remove("cup"), 2)
    assert there.sha256 != start.sha256
    assert back.pieces == start.pieces
    assert back.sha256 == start.sha256


def test_unnamed_slots_are_the_same_objects() -> None:
    """A turn leaves every piece it does not name untouched."""
    start = initial_state(desk())
    after = apply(start, replace("leg"), 1)
    for slot in ("top", "lamp", "shade"):
        assert after.by_slot[slot] is start.by_slot[slot]
    assert after.by_slot["leg"].label == "new leg"
    assert after.by_slot["leg"].attach_to == "top"


def test_a_replaced_piece_loses_the_old_look() -> None:
    """Retexture belongs to the piece, not to the slot."""
    state = apply(initial_state(desk()), retexture("leg"), 1)
    assert state.by_slot["leg"].texture is not None
    assert apply(state, replace("leg"), 2).by_slot["leg"].texture is None


def test_state_at_equals_folding_step_by_step() -> None:
    """Any state is the same whether folded at once or on the way."""
    chain = chain_of(add("cup", "top"), replace("leg"), retexture("top"), remove("cup"))
    for turn, state in states_of(chain):
        assert state_at(chain, turn).sha256 == state.sha256


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        ((add("leg", "top"),), r"turn 1 add: slot 'leg' is taken"),
        ((remove("cup"),), r"turn 1 remove: slot 'cup' does not exist"),
        ((add("cup", "top"), remove("cup"), retexture("cup")), r"turn 3 retexture: slot 'cup' was removed in turn 2"),
        ((remove("shade"), add("fly", "shade")), r"turn 2 add 'fly': support 'shade' was removed in turn 1"),
        ((replace("wheel"),), r"turn 1 replace: slot 'wheel' does not exist"),
    ],
)
def test_what_cannot_be_applied_names_turn_and_slot(operations: tuple[Operation, ...], message: str) -> None:
    """An operation on a missing or taken slot says which turn, which slot and why."""
    chain = chain_of(*operations)
    with pytest.raises(OperationError, match=message):
        state_at(chain, len(operations))


@pytest.mark.parametrize("turn", [-1, 2, 99])
def test_a_turn_out_of_range_names_the_range(turn: int) -> None:
    """Asking for a turn that is not there says which ones are."""
    with pytest.raises(InputError, match=r"0\.\.1"):
        state_at(chain_of(remove("leg")), turn)
