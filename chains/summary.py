"""Counts over chains: what `engine stats` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import median
from typing import Any

from chains.turn_shares import TurnCounts
from schemas.chain import FAMILIES, PURPOSES, Chain
from schemas.operation import OPS, Add, OpName, Replace

PLACING: tuple[OpName, ...] = ("add", "replace")
"""Operations that place a part."""
MODES = ("strict", "pull", "baseline")


def summarise(chains: Iterable[Chain]) -> dict[str, Any]:
    """Counts of chains, edits, families, operations, lengths, words, hosts and parts used, as a plain document."""
    lengths: list[int] = []
    words: list[int] = []
    visible: list[float] = []
    hosts: set[str] = set()
    by_family: Counter[str] = Counter()
    by_op: Counter[str] = Counter()
    by_purpose: Counter[str] = Counter()
    by_mode: dict[str, Counter[str]] = {op: Counter() for op in PLACING}
    by_rejection: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    coverage: list[float] = []
    repeated = 0
    shares: dict[str, Counter[str]] = {family: Counter() for family in FAMILIES}
    turns = TurnCounts()
    for chain in chains:
        turns.take(chain)
        by_family[chain.family] += 1
        lengths.append(len(chain.turns))
        hosts.add(chain.host.object_id)
        own = {slot.id for slot in chain.host.slots}
        coverage.append(round(len({turn.operation.slot for turn in chain.turns} & own) / len(own), 4))
        repeated += _count_repeats(chain)
        for turn in chain.turns:
            operation = turn.operation
            by_op[operation.op] += 1
            shares[chain.family][operation.op] += 1
            words.append(len(turn.instruction.split()))
            if turn.visible is not None:
                visible.append(turn.visible)
            by_rejection.update({entry.check: entry.count for entry in turn.rejected})
            if turn.purpose is not None:
                by_purpose[turn.purpose] += 1
            if isinstance(operation, Add | Replace):
                if turn.returns is None:
                    parts[str(operation.part)] += 1
                if operation.placement.report is not None:
                    by_mode[operation.op][operation.placement.report.mode] += 1
    modes = sum(by_mode.values(), Counter[str]())
    return {
        "chains": len(lengths),
        "edits": sum(lengths),
        "hosts": len(hosts),
        "by_family": {family: by_family[family] for family in FAMILIES},
        "by_op": {op: by_op[op] for op in OPS},
        "by_purpose": {purpose: by_purpose[purpose] for purpose in PURPOSES},
        "by_interpenetration": dict(sorted(modes.items())),
        "interpenetration_shares": {
            name: {mode: round(counts[mode] / counts.total(), 3) for mode in MODES}
            for name, counts in (("all", modes), *by_mode.items())
            if counts
        },
        "shares": {
            family: {op: round(shares[family][op] / max(1, sum(shares[family].values())), 3) for op in OPS}
            for family in FAMILIES
            if shares[family]
        },
        "shares_by_turn": {
            family: [
                {"turn": row.turn, "chains": row.chains, **{entry.op: entry.share for entry in row.ops}}
                for row in turns.turns_of(family)
            ]
            for family in turns.families()
        },
        "length": _spread(lengths),
        "words": _spread(words),
        "visible": _spread(visible),
        "coverage": _spread(coverage),
        "repeated_edits": repeated,
        "parts_used": len(parts),
        "part_uses_most": max(parts.values(), default=0),
        "rejections": dict(sorted(by_rejection.items())),
    }


def _count_repeats(chain: Chain) -> int:
    """Turns that edit a slot which an earlier turn edited, without those that only serve a support."""
    own = [turn.operation.slot for turn in chain.turns if turn.purpose is None]
    return len(own) - len(set(own))


def _spread(values: list[int] | list[float]) -> dict[str, float] | None:
    """Minimum, median and maximum; None without values."""
    if not values:
        return None
    return {"min": min(values), "median": median(values), "max": max(values)}
