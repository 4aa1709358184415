"""The run report's numbers, counted from chains and from what their build left beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from chains.histograms import count_shares, count_whole, measure_spread
from chains.summary import PLACING
from chains.turn_shares import TurnCounts
from schemas.chain import FAMILIES, Chain, Family, Turn
from schemas.events import ChainAbandoned
from schemas.operation import OPS, Add, OpName, Replace
from schemas.report import (
    AbandonedChain,
    BuildFacts,
    CategoryCount,
    CheckCount,
    FamilyReport,
    ModeCounts,
    OpCount,
    PartsReport,
    PartUse,
    RunFacts,
    RunReport,
    SheetFile,
    Supports,
    UseCount,
)
from schemas.run import RunRecord

MOST_USED_LISTED = 10


@dataclass(frozen=True, slots=True)
class BuildTrace:
    """What a build left beside its chains; everything may be missing."""

    facts: BuildFacts | None = None
    asked: Mapping[Family, int] = field(default_factory=dict)
    """Chains it was to make of each family; empty when its settings are missing."""
    abandoned: tuple[ChainAbandoned, ...] | None = None
    run: RunRecord | None = None


class _Counts:
    """Everything counted in one pass over the chains."""

    def __init__(self) -> None:
        self.turns = TurnCounts()
        self.lengths: dict[Family, list[int]] = {family: [] for family in FAMILIES}
        self.words: list[int] = []
        self.visible: list[float] = []
        self.not_seen = 0
        self.ops: Counter[OpName] = Counter()
        self.purposes: Counter[str] = Counter()
        self.with_purpose = 0
        self.rejected: Counter[str] = Counter()
        self.ended_early: dict[Family, list[bool]] = {}
        self.at_ends: Counter[str] = Counter()
        self.names: dict[str, str] = {}
        self.categories: dict[str, str | None] = {}
        self.chains_on: Counter[str] = Counter()
        self.parts: Counter[str] = Counter()
        self.labels: dict[str, str] = {}
        self.modes: dict[OpName, Counter[str]] = {op: Counter() for op in PLACING}

    def take(self, chain: Chain) -> None:
        self.turns.take(chain)
        self.lengths[chain.family].append(len(chain.turns))
        if chain.aimed_turns is not None:
            self.ended_early.setdefault(chain.family, []).append(len(chain.turns) < chain.aimed_turns)
        self.at_ends.update({entry.check: entry.count for entry in chain.ended_by})
        self.names.setdefault(chain.host.object_id, chain.host.name)
        self.categories.setdefault(chain.host.object_id, chain.host.category)
        self.chains_on[chain.host.object_id] += 1
        self.with_purpose += any(turn.purpose is not None for turn in chain.turns)
        for turn in chain.turns:
            self._take_turn(turn)

    def _take_turn(self, turn: Turn) -> None:
        operation = turn.operation
        self.ops[operation.op] += 1
        self.words.append(len(turn.instruction.split()))
        if turn.visible is None:
            self.not_seen += 1
        else:
            self.visible.append(turn.visible)
        if turn.purpose is not None:
            self.purposes[turn.purpose] += 1
        for entry in turn.rejected:
            self.rejected[entry.check] += entry.count
        if isinstance(operation, Add | Replace):
            report = operation.placement.report
            self.modes[operation.op][report.mode if report else "unrecorded"] += 1
            if turn.returns is None:
                self.parts[str(operation.part)] += 1
                self.labels.setdefault(str(operation.part), operation.label)


def count_report(chains: Iterable[Chain], trace: BuildTrace, sheets: Sequence[SheetFile] = ()) -> RunReport:
    """Count chains, read one by one, into a report; `trace` is what their build left, `sheets` what was drawn."""
    counts = _Counts()
    for chain in chains:
        counts.take(chain)
    lengths = [length for family in FAMILIES for length in counts.lengths[family]]
    return RunReport(
        chains=len(lengths),
        edits=sum(lengths),
        hosts=len(counts.categories),
        build=trace.facts,
        run=_run_facts(trace.run) if trace.run else None,
        families=_families(counts, trace),
        ops=tuple(OpCount(op=op, count=counts.ops[op]) for op in OPS),
        length=count_whole(lengths),
        words=count_whole(counts.words),
        visible=count_shares(counts.visible, counts.not_seen),
        categories=_categories(counts),
        interpenetration=tuple(
            ModeCounts(
                op=op,
                strict=modes["strict"],
                pull=modes["pull"],
                baseline=modes["baseline"],
                unrecorded=modes["unrecorded"],
            )
            for op, modes in counts.modes.items()
        ),
        rejections=rank_rejections(counts.rejected, counts.at_ends, trace.abandoned or ()),
        supports=Supports(
            detach=counts.purposes["detach"],
            reattach=counts.purposes["reattach"],
            returned=counts.purposes["return"],
            chains=counts.with_purpose,
        ),
        parts=_parts(counts),
        abandoned=None if trace.abandoned is None else tuple(_name(entry, counts.names) for entry in trace.abandoned),
        sheets=tuple(sheets),
    )


def rank_rejections(
    before_turns: Mapping[str, int], at_ends: Mapping[str, int], abandoned: Iterable[ChainAbandoned]
) -> tuple[CheckCount, ...]:
    """Candidates turned away by each check, the most frequent first; ties by name."""
    at_abandoned: Counter[str] = Counter()
    for entry in abandoned:
        for row in entry.rejected:
            at_abandoned[row.check] += row.count
    every = Counter(before_turns) + Counter(at_ends) + at_abandoned
    return tuple(
        CheckCount(
            check=check,
            before_turns=before_turns.get(check, 0),
            at_ends=at_ends.get(check, 0),
            at_abandoned=at_abandoned[check],
        )
        for check, _ in sorted(every.items(), key=lambda entry: (-entry[1], entry[0]))
    )


def _name(entry: ChainAbandoned, names: Mapping[str, str]) -> AbandonedChain:
    return AbandonedChain(
        family=entry.family,
        host=entry.host,
        name=names.get(entry.host),
        reason=entry.reason,
        rejected=entry.rejected,
    )


def _families(counts: _Counts, trace: BuildTrace) -> tuple[FamilyReport, ...]:
    """Families that were asked for, reached or tried."""
    given_up = _count_abandoned(trace)
    rows = []
    for family in FAMILIES:
        lengths = counts.lengths[family]
        if not lengths and family not in trace.asked and not (given_up and given_up[family]):
            continue
        asked = trace.asked.get(family)
        rows.append(
            FamilyReport(
                family=family,
                asked=asked,
                chains=len(lengths),
                missing=None if asked is None else max(0, asked - len(lengths)),
                abandoned=None if given_up is None else given_up[family],
                ended_early=sum(counts.ended_early[family]) if family in counts.ended_early else None,
                edits=sum(lengths),
                length=measure_spread(lengths),
                ops=counts.turns.shares_of(family),
                turns=counts.turns.turns_of(family),
            )
        )
    return tuple(rows)


def _count_abandoned(trace: BuildTrace) -> Counter[str] | None:
    """Abandoned chains by family: as the build summed up, or, while it is not complete, as it has noted so far."""
    if trace.abandoned is not None:
        return Counter(entry.family for entry in trace.abandoned)
    if trace.run is not None:
        return Counter(row.chain.partition("/")[0] for row in trace.run.chains if row.outcome == "abandoned")
    return None


def _categories(counts: _Counts) -> tuple[CategoryCount, ...]:
    hosts = Counter(counts.categories.values())
    chains: Counter[str | None] = Counter()
    for host, count in counts.chains_on.items():
        chains[counts.categories[host]] += count
    ranked = sorted(hosts.items(), key=lambda entry: (-entry[1], entry[0] is None, entry[0] or ""))
    return tuple(CategoryCount(category=name, hosts=count, chains=chains[name]) for name, count in ranked)


def _parts(counts: _Counts) -> PartsReport:
    ranked = sorted(counts.parts.items(), key=lambda entry: (-entry[1], entry[0]))
    by_uses = Counter(counts.parts.values())
    return PartsReport(
        different=len(ranked),
        uses=counts.parts.total(),
        most=ranked[0][1] if ranked else 0,
        by_uses=tuple(UseCount(uses=uses, parts=by_uses[uses]) for uses in sorted(by_uses)),
        most_used=tuple(
            PartUse(part=part, label=counts.labels[part], uses=uses) for part, uses in ranked[:MOST_USED_LISTED]
        ),
    )


def _run_facts(run: RunRecord) -> RunFacts:
    accepted = [entry for entry in run.chains if entry.outcome == "accepted"]
    slowest = min(accepted, key=lambda entry: (-entry.seconds, entry.chain), default=None)
    return RunFacts(
        started_utc=run.started_utc,
        ended_utc=run.ended_utc,
        sessions=run.sessions,
        wall_s=run.wall_s,
        workers=run.workers,
        turns=run.turns,
        turns_per_minute=round(run.turns_per_minute, 2),
        tried=len(run.chains),
        surplus=sum(entry.outcome == "surplus" for entry in run.chains),
        chain_seconds=measure_spread([entry.seconds for entry in accepted]),
        slowest_chain=slowest.chain if slowest else None,
    )
