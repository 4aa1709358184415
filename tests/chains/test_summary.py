"""Counts over chains."""

from __future__ import annotations

from chains.summary import summarise
from engine.commands.stats import format_summary
from schemas.base import IDENTITY_POSE
from schemas.placement import Placement
from tests.chain_examples import add, chain_of, remove, replace, report, retexture


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


def test_coverage_counts_the_hosts_own_slots_and_repeats_all() -> None:
    """Two of four slots edited, one of them twice, and an added piece that is edited again."""
    chain = chain_of(add("cup", "top"), retexture("leg"), replace("leg"), remove("cup"), retexture("top"))
    summary = summarise([chain])
    assert summary["coverage"] == {"min": 0.5, "median": 0.5, "max": 0.5}
    assert summary["repeated_edits"] == 2


def test_nothing_counts_as_nothing() -> None:
    """No chains give zeros and no spreads."""
    summary = summarise([])
    assert summary["chains"] == 0
    assert summary["length"] is None


def placed_by(mode: str) -> Placement:
    """A placement that was accepted in some mode."""
    return Placement(world_from_part=IDENTITY_POSE, report=report(mode=mode))


def test_modes_have_shares_over_all_and_by_operation() -> None:
    """Placements without a report count nowhere."""
    edits = [
        replace("leg").model_copy(update={"placement": placed_by(mode)})
        for mode in ("strict", "strict", "pull", "baseline")
    ]
    added = add("cup", "top").model_copy(update={"placement": placed_by("strict")})
    summary = summarise([chain_of(*edits, added, add("jar", "top"), remove("cup"))])
    assert summary["by_interpenetration"] == {"baseline": 1, "pull": 1, "strict": 3}
    assert summary["interpenetration_shares"] == {
        "all": {"strict": 0.6, "pull": 0.2, "baseline": 0.2},
        "add": {"strict": 1.0, "pull": 0.0, "baseline": 0.0},
        "replace": {"strict": 0.5, "pull": 0.25, "baseline": 0.25},
    }
    text = format_summary(summary)
    assert "  replace  strict 0.500  pull 0.250  baseline 0.250" in text
    assert summarise([])["interpenetration_shares"] == {}
