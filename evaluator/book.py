"""All scores of a folder, to be asked by method, chain, turn, metric, region and views."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.aggregate import Sample, is_finite
from evaluator.scoring import list_scores
from schemas.codec import read_record
from schemas.errors import InputError
from schemas.operation import OpName
from schemas.rollout import GROUND_TRUTH_ENDING, REFERENCES, ROLLED_BASELINES
from schemas.score import ChainScores, Measure, RegionName, TurnScore, Undefined, ViewSet

ORACLE = "oracle"


@dataclass(frozen=True, slots=True)
class Column:
    """What a column of a table shows."""

    metric: str
    region: RegionName = "whole"
    views: ViewSet | None = None


@dataclass(frozen=True, slots=True)
class TurnAt:
    """One turn of one method: its place and its scores."""

    record: ChainScores
    turn: TurnScore

    @property
    def key(self) -> tuple[str, int]:
        """Chain and turn: the same for all methods."""
        return self.record.chain, self.turn.turn


TurnTest = Callable[[TurnAt], bool]


class ScoreBook:
    """Scores of several methods on several chains, all made with the same options.

    Raises InputError when two sets of options or two versions of a chain are mixed, or a method has a chain twice.
    """

    def __init__(self, records: Sequence[ChainScores]) -> None:
        protocols = sorted({record.protocol_sha256 for record in records})
        if len(protocols) > 1:
            raise InputError(f"scores made with {len(protocols)} sets of options cannot stand in one table")
        self.protocol_sha256 = next(iter(protocols), "")
        """Hash of the options that all scores were made with."""
        self.records: dict[tuple[str, str], ChainScores] = {}
        firsts: dict[str, ChainScores] = {}
        for record in records:
            first = firsts.setdefault(record.chain, record)
            if first.chain_sha256 != record.chain_sha256:
                raise InputError(
                    f"{record.chain}: {first.method} was scored on its version {first.chain_sha256[:12]}, "
                    f"{record.method} on {record.chain_sha256[:12]}: score both on one"
                )
            if (record.method, record.chain) in self.records:
                raise InputError(f"{record.method} on {record.chain} is there twice")
            self.records[record.method, record.chain] = record
        names = sorted({record.method for record in records})
        self.methods = (*(name for name in names if name not in REFERENCES), *(n for n in REFERENCES if n in names))
        """Methods by name, then the reference rows."""
        self.chains = tuple(sorted({record.chain for record in records}))
        self._values: dict[tuple[str, str, int], dict[tuple[str, str, str | None], Measure]] = {}

    def of(self, method: str, chains: Sequence[str] | None = None) -> Iterator[ChainScores]:
        """The records of a method, by chain."""
        for chain in self.chains if chains is None else chains:
            if (method, chain) in self.records:
                yield self.records[method, chain]

    def turns(self, method: str, chains: Sequence[str] | None = None, test: TurnTest = lambda _: True) -> list[TurnAt]:
        """Delivered turns of a method that pass a test, in the order of chains and turns."""
        return [
            place
            for record in self.of(method, chains)
            if not record.unresolved
            for turn in record.turns
            if turn.status == "delivered" and test(place := TurnAt(record, turn))
        ]

    def value(self, place: TurnAt, column: Column) -> Measure | None:
        """The score of a turn; None when it was not measured at all, as without pictures or weights."""
        key = (place.record.method, *place.key)
        if key not in self._values:
            self._values[key] = {(row.metric, row.region, row.views): row.value for row in place.turn.scores}
        if column.metric == "instruction_following_0":
            return self._following_0(place)
        return self._values[key].get((column.metric, column.region, column.views))

    def samples(self, places: Sequence[TurnAt], column: Column) -> list[Sample]:
        """Values of a column on some turns, with their hosts; turns on which it was not measured are left out."""
        rows = []
        for place in places:
            value = self.value(place, column)
            if value is not None:
                rows.append(Sample(place.record.host, value))
        return rows

    def completed_by_all(self) -> tuple[str, ...]:
        """Chains of which every method that is no reference delivered every turn: the matched cohort."""
        judged = [method for method in self.methods if method not in REFERENCES] or list(self.methods)
        return tuple(
            chain
            for chain in self.chains
            if all((method, chain) in self.records and is_completed(self.records[method, chain]) for method in judged)
        )

    def _following_0(self, place: TurnAt) -> Measure | None:
        """IF with 0 where only the own state leaves it undefined; None without an oracle to ask."""
        oracle = self.records.get((ORACLE, place.record.chain))
        if oracle is None:
            return None
        theirs = self.value(TurnAt(oracle, oracle.turns[place.turn.turn - 1]), Column("instruction_following"))
        own = self.value(place, Column("instruction_following"))
        if theirs is None or own is None or not is_finite(theirs):
            return Undefined(reason="the oracle is not defined") if own is not None else None
        return own if is_finite(own) else 0.0


def is_judged(method: str) -> bool:
    """Whether a row competes with others: no reference row, not one of them run as a method, no true input."""
    own_input = not method.endswith(GROUND_TRUTH_ENDING)
    return own_input and method not in REFERENCES and method not in ROLLED_BASELINES.values()


def is_completed(record: ChainScores) -> bool:
    """Whether every turn was delivered."""
    return not record.unresolved and all(turn.status == "delivered" for turn in record.turns)


def is_op(*ops: OpName) -> TurnTest:
    """Whether a turn is one of some operations."""
    return lambda place: place.turn.op in ops


def read_book(folder: Path, methods: Sequence[str] | None = None) -> ScoreBook:
    """Read all scores below a folder, or those of some methods and the references.

    Raises InputError when there is none, or an asked method is not among them.
    """
    records = [read_record(ChainScores, path) for path in list_scores(folder)]
    if methods is not None:
        missing = sorted(set(methods) - {record.method for record in records})
        if missing:
            known = ", ".join(sorted({record.method for record in records}))
            raise InputError(f"{folder}: no scores of {missing[0]!r}; there are {known}")
        records = [record for record in records if record.method in {*methods, *REFERENCES}]
    return ScoreBook(records)
