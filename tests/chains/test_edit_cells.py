"""Cells that turns change: what is enough, what is told of it, and what must not touch it."""

from __future__ import annotations

from collections import Counter

import pytest

from chains.edit_cells import Shortage, find_shortage
from chains.explain import explain_turn
from chains.plan import plan_turn
from chains.revise import revise_words
from chains.state import initial_state
from chains.summary import summarise
from engine.commands.stats import format_summary
from schemas.chain import Chain, EditCells
from schemas.codec import decode, digest, encode
from schemas.errors import InputError
from schemas.operation import Operation, OpName
from tests.chain_examples import add, chain_of, desk, remove, replace, retexture


def with_cells(*turns: tuple[Operation, tuple[int, int] | None]) -> Chain:
    """A chain whose turns say how many cells they gain and lose."""
    chain = chain_of(*(operation for operation, _ in turns))
    counts = [None if cells is None else EditCells(gained=cells[0], lost=cells[1]) for _, cells in turns]
    entries = [turn.model_copy(update={"cells": found}) for turn, found in zip(chain.turns, counts, strict=True)]
    return chain.model_copy(update={"turns": tuple(entries)})


@pytest.mark.parametrize(
    ("op", "gained", "lost", "expected"),
    [
        ("add", 32, 0, 0),
        ("add", 31, 500, 1),
        ("add", 7, 500, 2),
        ("remove", 0, 32, 0),
        ("remove", 500, 8, 1),
        ("remove", 500, 7, 2),
        ("replace", 32, 32, 0),
        ("replace", 31, 32, 1),
        ("replace", 8, 500, 1),
        ("replace", 500, 7, 2),
        ("retexture", 0, 0, 0),
    ],
)
def test_only_the_needed_sides_count(op: OpName, gained: int, lost: int, expected: Shortage) -> None:
    """An add needs cells to gain, a removal cells to lose, a replacement both, a new look none."""
    assert find_shortage(op, EditCells(gained=gained, lost=lost)) == expected


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ((40, 7), "40 gained, 7 lost: unscorable, fewer than 8"),
        ((12, 40), "12 gained, 40 lost: fewer than 32"),
        ((40, 41), "40 gained, 41 lost"),
    ],
)
def test_a_turn_is_explained_with_its_cells(cells: tuple[int, int], told: str) -> None:
    """Both counts, and in words what is wrong with them; a turn that does not know says nothing."""
    known, unknown = with_cells((replace("leg"), cells)), chain_of(replace("leg"))
    assert dict(explain_turn(known, known.turns[0]).facts)["cells"] == told
    assert "cells" not in dict(explain_turn(unknown, unknown.turns[0]).facts)


def test_short_turns_are_counted_by_operation() -> None:
    """Those that cannot be scored are also below 32; turns without counts are left out."""
    chain = with_cells(
        (add("cup", "top"), (100, 0)),
        (replace("leg"), (40, 7)),
        (replace("leg", "e"), (40, 31)),
        (replace("leg", "f"), None),
        (remove("cup"), (0, 8)),
        (retexture("top"), None),
    )
    summary = summarise([chain])
    assert summary["cells"] == {
        "add": {"turns": 1, "unscorable": 0, "below_32": 0},
        "remove": {"turns": 1, "unscorable": 0, "below_32": 1},
        "replace": {"turns": 2, "unscorable": 1, "below_32": 2},
    }
    assert "cells    replace  turns 2  unscorable 1  below 32 2" in format_summary(summary)
    assert summarise([chain_of(replace("leg"))])["cells"] == {}


def test_a_chain_without_counts_keeps_its_bytes() -> None:
    """A turn that does not know its cells writes no field for them, so hashes of older files hold."""
    chain = chain_of(replace("leg"), remove("lamp"))
    assert b"cells" not in encode(chain)
    counted = with_cells((replace("leg"), (40, 41)), (remove("lamp"), (0, 9)))
    assert decode(Chain, encode(counted), "x") == counted
    assert digest(counted) != digest(chain)
    assert decode(Chain, encode(chain), "x").turns[0].cells is None


@pytest.mark.parametrize("other", [None, EditCells(gained=1, lost=2)])
def test_a_revision_of_words_cannot_change_counts(other: EditCells | None) -> None:
    """Neither another count nor none at all passes for other words."""
    chain = with_cells((remove("lamp"), (0, 9)))
    turn = chain.turns[0].model_copy(update={"instruction": "Remove the lamp.", "cells": other})
    with pytest.raises(InputError, match="cannot change 'cells'"):
        revise_words(chain, turn, author="anna", reason="clearer", at_utc="2026-11-30T12:00:00Z")


@pytest.mark.parametrize("op", ["remove", "replace"])
def test_slots_with_enough_cells_are_tried_first(op: OpName) -> None:
    """Those that cannot be scored come last; which operations are tried, and on what, stays as it was."""
    state, shortages = initial_state(desk()), {"leg": 2, "lamp": 1, "shade": 0}
    firsts: Counter[str] = Counter()
    for seed in range(40):
        plain = [intent for intent in plan_turn(state, (), "X", seed) if intent.purpose is None]
        sorted_by = plan_turn(state, (), "X", seed, find_shortage=lambda slot: shortages[slot])  # type: ignore[arg-type, return-value]
        intents = [intent for intent in sorted_by if intent.purpose is None]
        assert [intent.op for intent in intents] == [intent.op for intent in plain]
        assert set(intents) == set(plain)
        tried = [shortages[intent.slot] for intent in intents if intent.op == op]
        assert tried == sorted(tried)
        firsts[next(intent.slot for intent in plain if intent.op == op)] += 1
    assert len(firsts) > 1, "without counts the order is drawn"
