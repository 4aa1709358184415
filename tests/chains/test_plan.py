"""Plans: seeded, pure in the pure families, never a support."""

from __future__ import annotations

from statistics import median

import pytest

from chains.draws import Draws
from chains.plan import MIN_TURNS, SHARES, plan_length, plan_turn
from chains.state import initial_state, state_at
from chains.support import is_free
from schemas.chain import FAMILIES, Family
from tests.chain_examples import add, chain_of, desk, replace, retexture


@pytest.mark.parametrize(("family", "middle"), [("P", 7), ("M", 6), ("A", 9), ("G", 10)])
def test_lengths_have_their_median_and_stay_in_range(family: Family, middle: int) -> None:
    """Over many hosts the aim has a median above what is reached, since chains end early."""
    lengths = [plan_length(7, family, f"host{index}") for index in range(2000)]
    assert median(lengths) == middle
    assert min(lengths) >= MIN_TURNS
    assert max(lengths) == 30


@pytest.mark.parametrize("family", FAMILIES)
def test_a_plan_holds_only_the_familys_operations_on_allowed_slots(family: Family) -> None:
    """Pure families stay pure, and only free slots are removed or replaced."""
    state = initial_state(desk())
    for seed in range(50):
        intents = plan_turn(state, (), family, seed)
        assert intents
        for intent in intents:
            assert dict(zip(("add", "remove", "replace", "retexture"), SHARES[family], strict=True))[intent.op] > 0
            if intent.op in {"remove", "replace"}:
                assert is_free(state, intent.slot)


def test_a_plan_depends_on_nothing_but_its_inputs() -> None:
    """The same seed plans the same, another seed plans otherwise."""
    state = initial_state(desk())
    assert plan_turn(state, (), "X", 1) == plan_turn(state, (), "X", 1)
    assert any(plan_turn(state, (), "X", 1) != plan_turn(state, (), "X", seed) for seed in range(2, 8))


def test_a_repaired_turn_leaves_the_draws_of_later_turns_alone() -> None:
    """With another part and name in turn 2, what is planned for turn 4 stays the same, in the same order."""
    made, repaired = (chain_of(add("vase", "top"), replace("leg", digit), retexture("lamp")) for digit in ("c", "e"))
    assert made.turns != repaired.turns
    for seed in range(30):
        plans = [plan_turn(state_at(chain, 3), chain.turns, "X", seed, 4) for chain in (made, repaired)]
        assert plans[0] == plans[1]


def test_draws_are_even_and_fixed() -> None:
    """The stream is pinned, so that old seeds keep their plans, and it is uniform."""
    pinned = Draws(1, "pin")
    assert [pinned.below(1000) for _ in range(5)] == [896, 793, 935, 698, 410]
    assert Draws(1, "pin").shuffled("abcdef") == ["b", "a", "c", "e", "d", "f"]
    draws = Draws(3, "even")
    counts = [0] * 10
    for _ in range(10_000):
        counts[draws.below(10)] += 1
    assert min(counts) > 900
    assert max(counts) < 1100
