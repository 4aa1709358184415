"""Shares of operations turn by turn over many chains, and what later waves make up for."""

from __future__ import annotations

from collections import Counter

import pytest

from chains.balance import Place, TurnLedger, choose_op, find_place, find_wish
from chains.plan import LEAST_ADD_SHARE, SHARES, Wish, cut_to_shares, plan_turn
from chains.state import initial_state
from schemas.chain import FAMILIES, Chain, Family
from schemas.operation import OPS, OpName
from tests.chain_examples import add, chain_of, desk, remove


def _shares(ops: list[OpName]) -> list[float]:
    counts = Counter(ops)
    return [counts[op] / len(ops) for op in OPS]


@pytest.mark.parametrize("family", FAMILIES)
def test_each_turn_has_the_familys_shares(family: Family) -> None:
    """Over ten waves every turn index is within 5 points, over one of 60 within 2, and pure families are pure."""
    for turn in range(1, 31):
        places = [find_place(5, family, wave, rank, 6) for wave in range(10) for rank in range(6)]
        found = _shares([choose_op(place, family, turn) for place in places])
        assert max(abs(one - two) for one, two in zip(found, SHARES[family], strict=True)) <= 0.05
        if max(SHARES[family]) == 1.0:
            assert max(found) == 1.0
    alone = [choose_op(Place(rank, 60, 0.3), family, 7) for rank in range(60)]
    assert max(abs(a - b) for a, b in zip(_shares(alone), SHARES[family], strict=True)) <= 0.02


@pytest.mark.parametrize("family", ["A", "G", "X"])
def test_each_chain_has_them_too(family: Family) -> None:
    """Any 20 turns in a row of any chain have each operation to within two of its share."""
    for rank in range(7):
        ops = [choose_op(find_place(1, family, 0, rank, 7), family, turn) for turn in range(1, 31)]
        for start in range(10):
            for found, share in zip(_shares(ops[start : start + 20]), SHARES[family], strict=True):
                assert abs(found - share) <= 0.1


def _logged(ops: str) -> Chain:
    """A chain whose turns are adds (`a`) and removals of what was added last (`r`)."""
    operations, standing = [], []
    for number, op in enumerate(ops):
        if op == "a":
            standing.append(f"add{number}")
            operations.append(add(standing[-1], "top"))
        else:
            operations.append(remove(standing.pop()))
    return chain_of(*operations).model_copy(update={"family": "A"})


def test_later_waves_make_up_for_what_is_missing() -> None:
    """After ten chains that only added, the next ten add less and do more of the rest, within a limit."""
    ledger = TurnLedger([_logged("aaa")] * 10)
    shares = ledger.divide("A", 1, 10)
    assert shares[0] < SHARES["A"][0]
    assert shares[1] >= 2 * SHARES["A"][1]
    assert sum(shares) == pytest.approx(1.0)
    assert TurnLedger().divide("A", 1, 10) == pytest.approx(SHARES["A"])
    places = [find_place(3, "A", 1, rank, 10) for rank in range(10)]
    before, after = (sum(choose_op(place, "A", 1, book) == "add" for place in places) for book in (None, ledger))
    assert after < before


def test_a_turn_may_only_be_what_is_not_ahead() -> None:
    """After ten chains that only added, an eleventh that cannot do as it should may do the rest, but not add."""
    ledger = TurnLedger([_logged("aaaa")] * 10)
    for turn in (1, 4):
        assert [ledger.is_behind("A", turn, op) for op in OPS] == [False, True, True, False]
    wish = find_wish(Place(0, 4, 0.0), "A", 1, ledger)
    assert "add" not in wish.also
    assert wish.op not in wish.also
    assert [TurnLedger().is_behind("A", turn, "remove") for turn in (1, 4)] == [True, False]


def test_what_is_not_allowed_is_not_tried() -> None:
    """A plan with a wish holds its operation first and nothing but what it allows."""
    state = initial_state(desk())
    for seed in range(20):
        ops = [intent.op for intent in plan_turn(state, (), "X", seed, 5, Wish("retexture", ("remove",)))]
        assert set(ops) == {"retexture", "remove"}
        assert ops == sorted(ops, key=["retexture", "remove"].index)


@pytest.mark.parametrize(
    ("ops", "kept"), [("aaarr", 5), ("arar", 3), ("aaara", 5), ("aarar", 5), ("aarra", 5), ("aarr", 3)]
)
def test_a_chain_that_adds_too_little_is_cut(ops: str, kept: int) -> None:
    """The longest beginning with three adds in five; other families stay as they are."""
    chain = _logged(ops)
    cut = cut_to_shares(chain)
    adds = sum(turn.operation.op == "add" for turn in cut.turns)
    assert adds >= LEAST_ADD_SHARE * len(cut.turns)
    assert len(cut.turns) == kept
    other = chain.model_copy(update={"family": "G"})
    assert cut_to_shares(other) is other
