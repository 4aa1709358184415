"""The gate that drafted sentences pass before they are used."""

from __future__ import annotations

import pytest

from chains.state import State, apply, initial_state
from engine.operations.instructions import is_well_said
from engine.operations.proposal import Proposal
from engine.render.difference import ViewChange
from schemas.operation import Operation
from tests.chain_examples import desk, remove, retexture


def is_taken(sentence: str, state: State, *operations: Operation) -> bool:
    """Whether a removal of the shade may be said so in a state."""
    change = ViewChange(covered=0.2, drawn=0.2)
    proposal = Proposal(operation=remove("shade"), instruction=sentence, named_slots=("shade",), change=change)
    return is_well_said(desk(), state, proposal, operations)


@pytest.mark.parametrize(
    "sentence",
    [
        "Remove slot 3.",
        "Move it along the x-axis.",
        "Remove the lamp or the shade.",
        "remove the shade",
        "Remove the add_03_shade.",
        "Remove the shade mesh.",
    ],
)
def test_what_readers_hold_against_it_is_refused(sentence: str) -> None:
    """Machine words, alternatives and fragments never become an instruction."""
    assert not is_taken(sentence, initial_state(desk()))
    assert is_taken("Remove the shade.", initial_state(desk()))


def test_twins_must_be_told_apart() -> None:
    """The same words are refused as soon as another piece is called so."""
    state = initial_state(desk())
    twins = tuple(
        piece.model_copy(update={"label": "shade"}) if piece.slot == "leg" else piece for piece in state.pieces
    )
    assert not is_taken("Remove the shade.", State(state.host, twins))


def test_history_counts() -> None:
    """A look that an earlier turn gave is what the piece is called by from then on."""
    paint = retexture("shade")
    state = apply(initial_state(desk()), paint, 1)
    assert is_taken("Remove the red shade.", state, paint)
    assert not is_taken("Remove the blue shade.", state, paint)
    assert is_taken("Remove the blue shade.", state)
