"""Counts over chains."""

from __future__ import annotations

from chains.summary import summarise
from tests.chain_examples import add, chain_of, remove, replace, retexture


def test_counts_add_up() -> None:
    """Edits by operation and family, hosts, parts and the most used part."""
    one = chain_of(add("cup", "top"), replace("leg"), remove("cup"), retexture("top"))
    two = chain_of(replace("leg")).model_copy(update={"family": "P"})
    summary = summarise([one, two])
    assert summary["chains"] == 2
    assert summary["edits"] == 5
    assert summary["hosts"] == 1
    assert summary["by_family"] == {"A": 0, "R": 0, "P": 1, "M": 0, "G": 1, "X": 0}
    assert summary["by_op"] == {"add": 1, "remove": 1, "replace": 2, "retexture": 1}
    assert summary["shares"]["G"] == {"add": 0.25, "remove": 0.25, "replace": 0.25, "retexture": 0.25}
    assert summary["parts_used"] == 2
    assert summary["part_uses_most"] == 2
    assert summary["length"] == {"min": 1, "median": 2.5, "max": 4}


def test_nothing_counts_as_nothing() -> None:
    """No chains give zeros and no spreads."""
    summary = summarise([])
    assert summary["chains"] == 0
    assert summary["length"] is None
