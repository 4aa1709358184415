"""References to earlier edits: what may be said of a piece, and what strict verification holds against a log."""

from __future__ import annotations

import pytest

from chains.references import PastEdit, Reference, check_references, find_references, read_edits
from chains.state import State, apply, initial_state, states_of
from schemas.chain import Chain, Turn
from schemas.errors import OperationError
from schemas.operation import Operation, Retexture, TextureRef
from schemas.placement import Limits
from tests.chain_examples import add, desk, remove, replace, retexture

VASE = add("add01", "top").model_copy(update={"label": "cobalt blue vase with red tulips"})
PAINT = Retexture(
    slot="add01", material="glossy red paint", label="glossy red vase", texture=TextureRef(image="d" * 64)
)


def after(*operations: Operation) -> tuple[State, tuple[PastEdit, ...]]:
    """The desk after some turns, and what they did."""
    state = initial_state(desk())
    for turn, operation in enumerate(operations, start=1):
        state = apply(state, operation, turn)
    return state, read_edits(desk(), operations)


def test_what_was_just_added_is_called_so() -> None:
    """By its bare noun; `just` in the turn after, `earlier` with its support later."""
    assert find_references(*after(VASE), "add01") == (Reference("vase you just added", 1),)
    assert find_references(*after(VASE, remove("leg")), "add01") == (
        Reference("vase you added earlier", 1),
        Reference("vase you put on the top earlier", 1),
    )


def test_what_was_replaced_is_new() -> None:
    """Also after it was painted, when the painting is the last that was done to it."""
    shade = replace("shade").model_copy(update={"label": "green glass shade"})
    assert find_references(*after(shade), "shade") == (Reference("new shade", 1),)
    paint = PAINT.model_copy(update={"slot": "shade", "label": "glossy red shade"})
    assert find_references(*after(shade, paint), "shade") == (
        Reference("shade you just painted", 2),
        Reference("new shade", 1),
    )


def test_what_came_back_was_put_back() -> None:
    """An add into a slot of the host, or of an earlier add, returns what was taken away."""
    assert find_references(*after(remove("shade"), add("shade", "lamp")), "shade") == (
        Reference("shade you just put back", 2),
    )
    assert find_references(*after(VASE, remove("add01"), VASE, remove("leg")), "add01") == (
        Reference("vase you put back earlier", 3),
    )


def test_nothing_is_said_of_what_could_be_another_piece() -> None:
    """Two vases, a look that is no paint, a piece that nobody edited."""
    other = add("add02", "top").model_copy(update={"label": "round vase"})
    assert find_references(*after(VASE, other), "add01") == ()
    assert find_references(*after(retexture("leg")), "leg") == ()
    assert find_references(*after(VASE), "leg") == ()


def chain_of(*turns: tuple[Operation, int | None]) -> Chain:
    """A chain on the desk whose turns speak of earlier ones."""
    return Chain(
        id="X/desk_s0",
        family="X",
        seed=0,
        host=desk(),
        limits=Limits(),
        turns=tuple(
            Turn(index=index, operation=operation, instruction="Do it.", refers_to=past)
            for index, (operation, past) in enumerate(turns, start=1)
        ),
    )


def check(chain: Chain) -> None:
    """Check the references of a chain against its states."""
    check_references(chain, [state for _, state in states_of(chain)])


def test_true_references_pass() -> None:
    """To what edited the slot, and to what brought the support of an add."""
    check(chain_of((VASE, None), (add("add02", "add01"), 1), (PAINT, 1), (remove("add02"), 2)))


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        (((VASE, None), (remove("leg"), 1)), "turn 2 remove 'leg': refers to turn 1, which edited slot 'add01'"),
        (((VASE, None), (add("add02", "leg"), 1)), "turn 2 add 'add02': refers to turn 1, which edited slot 'add01'"),
        (
            ((remove("shade"), None), (add("shade", "lamp"), 1)),
            "turn 2 add 'shade': refers to turn 1, of which nothing stands in slot 'shade'",
        ),
    ],
)
def test_false_references_are_refused(turns: tuple[tuple[Operation, int | None], ...], words: str) -> None:
    """To an edit of something else, and to a removal."""
    with pytest.raises(OperationError) as refused:
        check(chain_of(*turns))
    assert str(refused.value) == words


def test_a_turn_speaks_of_earlier_turns_only() -> None:
    """Not of itself and not of what is to come."""
    with pytest.raises(ValueError, match="turn 1 cannot speak of turn 1"):
        chain_of((VASE, 1))
