"""What a sentence may say of earlier turns."""

from __future__ import annotations

import pytest

from chains.lint import LintContext, lint_chain, lint_sentence, read_context, read_history
from chains.state import apply, initial_state
from schemas.chain import Chain, Turn
from schemas.operation import Operation, Retexture, TextureRef
from schemas.placement import Limits
from tests.chain_examples import add, desk, remove, replace

LIGHT = TextureRef(image="d" * 64)
TURNS: tuple[Operation, ...] = (
    add("add01", "top").model_copy(update={"label": "red vase"}),
    replace("shade").model_copy(update={"label": "green shade"}),
    Retexture(slot="leg", material="glossy red paint", label="glossy red leg", texture=LIGHT),
    add("add04", "top").model_copy(update={"label": "brass bell"}),
)
"""A vase, a new shade, a painted leg, and last a bell."""


def rules(sentence: str, operation: Operation, turns: tuple[Operation, ...] = TURNS) -> list[str]:
    """The rules that a sentence breaks after some turns."""
    state = initial_state(desk())
    for turn, done in enumerate(turns, start=1):
        state = apply(state, done, turn)
    context = read_context(desk(), state, operation, (operation.slot,), read_history(desk(), state, turns))
    return [finding.rule for finding in lint_sentence(sentence, context)]


@pytest.mark.parametrize(
    ("sentence", "operation"),
    [
        ("Remove the bell you just added.", remove("add04")),
        ("Remove the bell that you've just added.", remove("add04")),
        ("Take away the bell that was just added.", remove("add04")),
        ("Get rid of the vase you added earlier.", remove("add01")),
        ("Take away the vase you put on the top earlier.", remove("add01")),
        ("Get rid of the vase that was placed on the top before.", remove("add01")),
        ("Remove the new shade.", remove("shade")),
        ("Remove the shade you replaced earlier.", remove("shade")),
        ("Take away the leg you painted earlier.", remove("leg")),
        ("Put a red cup on the new shade.", add("add05", "shade").model_copy(update={"label": "red cup"})),
        ("Remove the leg painted glossy red.", remove("leg")),
        ("Remove the lamp that was placed on the top.", remove("lamp")),
        ("Remove the lamp placed before the shade.", remove("lamp")),
        ("Remove the bell you added last.", remove("add04")),
    ],
)
def test_true_words_about_the_past_may_stand(sentence: str, operation: Operation) -> None:
    """By what the turns did, in whatever words."""
    assert rules(sentence, operation) == []


@pytest.mark.parametrize(
    ("sentence", "operation"),
    [
        ("Remove the vase you just added.", remove("add01")),
        ("Remove the vase you added a moment ago.", remove("add01")),
        ("Remove the vase you added last.", remove("add01")),
        ("Remove the lamp you added earlier.", remove("lamp")),
        ("Remove the lamp that was added before.", remove("lamp")),
        ("Remove the bell you just painted.", remove("add04")),
        ("Remove the shade you added earlier.", remove("shade")),
        ("Take away the vase you put on the lamp earlier.", remove("add01")),
        ("Remove the new lamp.", remove("lamp")),
        ("Remove the new leg.", remove("leg")),
        ("Take away the lamp you changed earlier.", remove("lamp")),
    ],
)
def test_false_words_about_the_past_are_found(sentence: str, operation: Operation) -> None:
    """Another turn, another edit, another piece, another support."""
    assert rules(sentence, operation) == ["stale-name"]


def test_the_past_tells_twins_apart() -> None:
    """Of two vases one was just added; with both added earlier the words fit either."""
    other = add("add05", "top").model_copy(update={"label": "blue vase"})
    turns = (*TURNS, other)
    assert rules("Remove the vase you just added.", remove("add05"), turns) == []
    assert rules("Remove the vase.", remove("add05"), turns) == ["ambiguous-twin"]
    both = (*turns, remove("lamp"))
    assert rules("Remove the vase you added earlier.", remove("add05"), both) == ["ambiguous-twin"]


def test_what_was_taken_away_can_be_spoken_of() -> None:
    """Where it comes back; not as something just removed when that is longer ago."""
    turns = (*TURNS, remove("lamp"))
    back = add("lamp", "top")
    assert rules("Put the lamp you just removed back on the top.", back, turns) == []
    assert rules("Put the lamp you removed earlier back on the top.", back, (*turns, remove("leg"))) == []
    assert rules("Put the lamp you just removed back on the top.", back, (*turns, remove("leg"))) == ["stale-name"]


def test_an_unknown_past_is_not_judged() -> None:
    """A sentence without a chain may speak of anything."""
    context = LintContext(labels={"a": "red vase", "b": "roof"})
    assert lint_sentence("Remove the vase you just added.", context) == ()
    assert lint_sentence("Put the vase on the new roof.", context) == ()


def test_a_chain_is_judged_turn_by_turn() -> None:
    """The same words are true in the turn after the add and false in the next."""
    said = ("Put a red vase on the top.", "Paint the vase you just added green.", "Remove the vase you just added.")
    paint = Retexture(slot="add01", material="plain green paint", label="plain green vase", texture=LIGHT)
    operations: tuple[Operation, ...] = (TURNS[0], paint, remove("add01"))
    chain = Chain(
        id="X/desk_s0",
        family="X",
        seed=0,
        host=desk(),
        limits=Limits(),
        turns=tuple(
            Turn(index=index, operation=operation, instruction=text, named_slots=(operation.slot,))
            for index, (operation, text) in enumerate(zip(operations, said, strict=True), start=1)
        ),
    )
    assert [(entry.turn, entry.finding.rule, entry.finding.words) for entry in lint_chain(chain)] == [
        (3, "stale-name", "vase you just added")
    ]
