"""Counts over chains: what `engine stats` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from chains.edit_cells import ENOUGH_CELLS, Shortage, find_shortage
from chains.turn_shares import TurnCounts
from schemas.chain import FAMILIES, PURPOSES, Chain, Turn
from schemas.operation import OPS, Add, OpName, Replace

PLACING: tuple[OpName, ...] = ("add", "replace")
"""Operations that place a part."""
MODES = ("strict", "pull", "baseline")


@dataclass
class _Counts:
    """What is counted, chain by chain."""

    lengths: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    visible: list[float] = field(default_factory=list)
    coverage: list[float] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    families: Counter[str] = field(default_factory=Counter)
    ops: dict[str, Counter[str]] = field(default_factory=lambda: {family: Counter() for family in FAMILIES})
    """By family."""
    purposes: Counter[str] = field(default_factory=Counter)
    modes: dict[str, Counter[str]] = field(default_factory=lambda: {op: Counter() for op in PLACING})
    """How placements were accepted, by operation."""
    rejections: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)
    shortages: dict[str, Counter[Shortage]] = field(default_factory=lambda: {op: Counter() for op in OPS})
    """How few cells the turns change that say so, by operation."""
    repeated: int = 0
    turns: TurnCounts = field(default_factory=TurnCounts)

    def take(self, chain: Chain) -> None:
        """Count one more chain."""
        self.turns.take(chain)
        self.families[chain.family] += 1
        self.lengths.append(len(chain.turns))
        self.hosts.add(chain.host.object_id)
        own = {slot.id for slot in chain.host.slots}
        self.coverage.append(round(len({turn.operation.slot for turn in chain.turns} & own) / len(own), 4))
        self.repeated += _count_repeats(chain)
        for turn in chain.turns:
            self.ops[chain.family][turn.operation.op] += 1
            self._take_turn(turn)

    def _take_turn(self, turn: Turn) -> None:
        operation = turn.operation
        self.words.append(len(turn.instruction.split()))
        if turn.visible is not None:
            self.visible.append(turn.visible)
        self.rejections.update({entry.check: entry.count for entry in turn.rejected})
        if turn.purpose is not None:
            self.purposes[turn.purpose] += 1
        if turn.cells is not None:
            self.shortages[operation.op][find_shortage(operation.op, turn.cells)] += 1
        if isinstance(operation, Add | Replace):
            if turn.returns is None:
                self.parts[str(operation.part)] += 1
            if operation.placement.report is not None:
                self.modes[operation.op][operation.placement.report.mode] += 1


def summarise(chains: Iterable[Chain]) -> dict[str, Any]:
    """Counts of chains, edits, families, operations, lengths, words, hosts and parts used, as a plain document."""
    counts = _Counts()
    for chain in chains:
        counts.take(chain)
    by_op = sum(counts.ops.values(), Counter[str]())
    modes = sum(counts.modes.values(), Counter[str]())
    return {
        "chains": len(counts.lengths),
        "edits": sum(counts.lengths),
        "hosts": len(counts.hosts),
        "by_family": {family: counts.families[family] for family in FAMILIES},
        "by_op": {op: by_op[op] for op in OPS},
        "by_purpose": {purpose: counts.purposes[purpose] for purpose in PURPOSES},
        "by_interpenetration": dict(sorted(modes.items())),
        "interpenetration_shares": {
            name: {mode: round(found[mode] / found.total(), 3) for mode in MODES}
            for name, found in (("all", modes), *counts.modes.items())
            if found
        },
        "shares": {
            family: {op: round(found[op] / max(1, found.total()), 3) for op in OPS}
            for family, found in counts.ops.items()
            if found
        },
        "shares_by_turn": {
            family: [
                {"turn": row.turn, "chains": row.chains, **{entry.op: entry.share for entry in row.ops}}
                for row in counts.turns.turns_of(family)
            ]
            for family in counts.turns.families()
        },
        "length": _spread(counts.lengths),
        "words": _spread(counts.words),
        "visible": _spread(counts.visible),
        "coverage": _spread(counts.coverage),
        "cells": {
            op: {"turns": found.total(), "unscorable": found[2], f"below_{ENOUGH_CELLS}": found[1] + found[2]}
            for op, found in counts.shortages.items()
            if found
        },
        "repeated_edits": counts.repeated,
        "parts_used": len(counts.parts),
        "part_uses_most": max(counts.parts.values(), default=0),
        "rejections": dict(sorted(counts.rejections.items())),
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
