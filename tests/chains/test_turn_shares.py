"""Operation shares turn by turn."""

from __future__ import annotations

from collections import Counter

import pytest

from chains.plan import SHARES
from chains.summary import summarise
from chains.turn_shares import TurnCounts, measure_shares
from engine.commands.stats import format_summary
from schemas.chain import Chain, Family
from schemas.operation import OPS, OpName
from schemas.report import OpShare
from tests.chain_examples import add, chain_of, remove, replace, retexture


def three_chains() -> list[Chain]:
    """Chains of family G that go on for three, two and one turns."""
    return [
        chain_of(add("cup", "top"), remove("cup"), replace("leg")),
        chain_of(add("jar", "top"), replace("leg")),
        chain_of(remove("shade")),
    ]


def count(chains: list[Chain]) -> TurnCounts:
    """The counts of some chains."""
    counts = TurnCounts()
    for chain in chains:
        counts.take(chain)
    return counts


def test_each_turn_counts_the_chains_that_reach_it() -> None:
    """Two of three chains begin with an add; of the two that have a second turn one removes and one replaces."""
    rows = count(three_chains()).turns_of("G")
    assert [(row.turn, row.chains) for row in rows] == [(1, 3), (2, 2), (3, 1)]
    assert [[op.count for op in row.ops] for row in rows] == [[2, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]]
    assert [op.share for op in rows[0].ops] == [0.6667, 0.3333, 0.0, 0.0]
    assert [op.target for op in rows[0].ops] == list(SHARES["G"])
    assert [op.within for op in rows[0].ops] == [False, True, False, True]


def test_later_turns_are_cut_off_and_other_families_apart() -> None:
    """At most the turns asked for; a family without chains has no row."""
    counts = count(three_chains())
    assert [row.turn for row in counts.turns_of("G", most=2)] == [1, 2]
    assert counts.turns_of("A") == ()
    assert counts.families() == ["G"]
    assert [op.count for op in counts.shares_of("G")] == [2, 2, 2, 0]


@pytest.mark.parametrize(
    ("adds", "removes", "within"), [(20, 80, True), (30, 70, True), (19, 81, False), (31, 69, False)]
)
def test_the_border_belongs_to_the_band(adds: int, removes: int, within: bool) -> None:  # noqa: FBT001  # parametrised
    """A share exactly five points from its target is within; one point more is not."""
    family: Family = "X"
    shares = measure_shares(Counter[OpName]({"add": adds, "remove": removes}), family)
    assert shares[0] == OpShare(op="add", count=adds, share=adds / 100, target=0.25, within=within)


def test_stats_print_and_give_shares_by_turn() -> None:
    """The JSON has one row a turn with its chains and shares; the text has percents in columns."""
    summary = summarise(three_chains())
    assert summary["shares_by_turn"] == {
        "G": [
            {"turn": 1, "chains": 3, "add": 0.6667, "remove": 0.3333, "replace": 0.0, "retexture": 0.0},
            {"turn": 2, "chains": 2, "add": 0.0, "remove": 0.5, "replace": 0.5, "retexture": 0.0},
            {"turn": 3, "chains": 1, "add": 0.0, "remove": 0.0, "replace": 1.0, "retexture": 0.0},
        ]
    }
    lines = format_summary(summary)
    start = lines.index("by turn G      1    2    3")
    assert lines[start + 1 : start + 5] == [
        "    chains     3    2    1",
        "  add         67    0    0",
        "  remove      33   50    0",
        "  replace      0   50  100",
    ]
    assert not any(line.startswith("  retexture") for line in lines)
    assert summarise([chain_of(retexture("top"))])["shares_by_turn"]["G"][0]["retexture"] == 1.0
    assert set(OPS) < set(summary["shares_by_turn"]["G"][0])
