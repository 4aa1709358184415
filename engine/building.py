"""Building many chains: waves of independent chains over worker processes, resumable at any moment.

A worker keeps its chain under `OUT/.partial/` after every turn; the parent writes finished chains, in the order of the
schedule. A killed run therefore loses at most the turn in progress, and the same command goes on where it stopped.
"""

from __future__ import annotations

import shutil
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import Field

from chains.balance import TurnLedger, find_wish
from chains.files import ASSETS, SCREENING, SUMMARY_FILE, TOOLCHAIN_FILE, chain_path, read_chain, write_chain
from chains.plan import Wish, plan_length
from chains.planning import jobs_of_plan
from chains.schedule import ChainJob, Quota, count_uses, may_use, schedule_jobs, waves
from chains.storage import write_atomic
from engine.assemble import Assembler
from engine.build import Abandoned, build_chain, new_chain
from engine.retrieval import Retriever
from engine.run_log import RunLog, UnitClock, read_seconds
from engine.screening.desk import ScreenerChoice, open_desk
from engine.settings import read_settings
from engine.texture.bake import BakeTexturer
from engine.toolchain import tool_versions
from engine.workbench import SharedParts, Workbench
from library_index.executors import LOCAL, ExecutorChoice, open_pool, run_costly_first
from library_index.library import open_library
from library_index.pool import UnitResult
from library_index.rules import read_rules
from library_index.store import PartStore
from library_index.suitability import Suitability
from schemas.base import SCHEMA_VERSION, Identifier, Sha256, Value
from schemas.chain import Chain, Family
from schemas.codec import canonical, digest, encode, read_record
from schemas.errors import InputError
from schemas.events import ChainAbandoned, ChainBuilt
from schemas.part import Host, PartRef
from schemas.placement import Limits
from schemas.plan import BuildPlan

PARTIAL = ".partial"
UNIT_LIMIT_S = 3600.0
"""A chain that takes longer is a fault: its worker is killed."""
SETTINGS_FILE = ".build.json"


class BuildSettings(Value):
    """What decides the chains of a folder; a run with other settings may not go on in it."""

    schema_version: str = SCHEMA_VERSION
    library_sha256: Sha256
    hosts_sha256: Sha256
    families: tuple[Family, ...] = Field(strict=False)
    hosts: tuple[Identifier, ...] = Field(strict=False)
    seed: int
    limits: Limits
    chains: int | None
    rules_sha256: Sha256 | None = None
    """Hash of the rules of suitability; null in folders from before there were any."""
    screener: ScreenerChoice | None = None
    counts: tuple[int, ...] | None = Field(default=None, strict=False)
    """Chains wanted of each of the families; null when they were not given one by one."""
    plan_sha256: Sha256 | None = None
    """Hash of the plan that is followed; null without one."""


class BuildSummary(Value):
    """What a build reports."""

    schema_version: str = SCHEMA_VERSION
    chains: tuple[Identifier, ...] = Field(strict=False)
    abandoned: tuple[ChainAbandoned, ...] = Field(strict=False)


@dataclass(frozen=True, slots=True)
class RulesRef:
    """Which rules of suitability a build uses."""

    path: Path | None
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class BuildUnit:
    """One chain for one worker, with the use counts it may know of."""

    job: ChainJob
    library: Path
    out: Path
    limits: Limits
    uses: Counter[str]
    ledger: TurnLedger
    rules: RulesRef
    screener: ScreenerChoice | None = None
    screen_url: str = ""

    def __str__(self) -> str:
        return self.job.chain_id


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """A whole build."""

    library: Path
    out: Path
    hosts: Sequence[Host]
    families: tuple[Family, ...]
    seed: int
    limits: Limits
    chains: int | None = None
    """Stop after this many accepted chains, families evenly; None tries every family on every host once."""
    workers: int = 1
    executor: ExecutorChoice = LOCAL
    """Where they run."""
    rules: Path | None = None
    """Rules of suitability; None takes those that come with the package."""
    counts: Mapping[Family, int] | None = None
    """Accepted chains wanted by family; None leaves it to `chains`."""
    plan: BuildPlan | None = None
    """What to build, in its order; None: families on hosts by the seed."""
    screener: ScreenerChoice | None = None
    """Who looks at turns that passed every check; None: nobody."""
    screen_url: str = ""


def build_chains(order: BuildOrder, log: RunLog | None = None) -> Iterator[ChainBuilt | ChainAbandoned]:
    """Build or go on building; yield one event per chain, in schedule order. The folder's lock must be held.

    Times go into `log`, which is saved however the build ends; without one they are not kept.
    """
    rules = RulesRef(order.rules, read_rules(order.rules).sha256)
    _check_settings(order, rules)
    if (order.out / SUMMARY_FILE).is_file():
        yield from _finished_before(order)
        return
    log = log or RunLog(order.out, order.workers, kept=False)
    try:
        yield from _build_waves(order, rules, log)
    except BaseException:
        log.save()
        raise


def _build_waves(order: BuildOrder, rules: RulesRef, log: RunLog) -> Iterator[ChainBuilt | ChainAbandoned]:
    """Build what is still wanted, wave by wave, and end with the summary."""
    log.save()
    toolchain = canonical(tool_versions()) + b"\n"
    write_atomic(order.out / TOOLCHAIN_FILE, toolchain)
    uses: Counter[str] = Counter()
    ledger = TurnLedger()
    accepted: list[str] = []
    abandoned: list[ChainAbandoned] = []
    quota = Quota(order.families, order.chains, order.counts)
    with open_pool(run_unit, order.executor, order.workers, unit_limit_s=UNIT_LIMIT_S) as pool:
        for wave in waves(_list_jobs(order, quota), quota):
            units = [
                BuildUnit(
                    job, order.library, order.out, order.limits, uses, ledger, rules, order.screener, order.screen_url
                )
                for job in wave
            ]
            finished: list[Chain] = []
            costs = [estimate_cost(unit.job) for unit in units]
            for unit, answer in zip(units, run_costly_first(pool, units, costs), strict=True):
                seconds = read_seconds(clock_path(order.out, unit.job.chain_id))
                result = _result_of(unit.job, answer)
                if isinstance(result, ChainAbandoned):
                    abandoned.append(result)
                    log.note(unit.job.chain_id, "abandoned", 0, seconds)
                    yield result
                    continue
                chain = read_chain(result)
                if not quota.wants(chain.family):
                    log.note(chain.id, "surplus", 0, seconds)
                else:
                    quota.take(chain.family)
                    write_chain(chain_path(order.out, chain.id), chain)
                    finished.append(chain)
                    accepted.append(chain.id)
                    log.note(chain.id, "accepted", len(chain.turns), seconds)
                    yield ChainBuilt(chain=chain.id, turns=len(chain.turns))
            uses = uses + count_uses(finished)
            ledger.take(finished)
    log.save(ended=True)
    summary = BuildSummary(chains=tuple(accepted), abandoned=tuple(abandoned))
    write_atomic(order.out / SUMMARY_FILE, encode(summary))
    shutil.rmtree(order.out / PARTIAL, ignore_errors=True)


def estimate_cost(job: ChainJob) -> float:
    """How long a chain may take against others: its turns times the slots that may be tried in each."""
    turns = len(job.ops) if job.ops else plan_length(job.seed, job.family, job.host.object_id)
    return float(turns * len(job.host.slots))


def _result_of(job: ChainJob, answer: UnitResult[Path | ChainAbandoned]) -> Path | ChainAbandoned:
    """What became of a chain; one that no worker survived is given up and costs no other chain anything.

    Raises the error that the chain itself raised.
    """
    if answer.error is not None:
        raise answer.error
    if answer.value is None:
        return ChainAbandoned(host=job.host.object_id, family=job.family, reason=f"no worker made it: {answer.failure}")
    return answer.value


def _list_jobs(order: BuildOrder, quota: Quota) -> Iterable[ChainJob]:
    if order.plan is None:
        return schedule_jobs(order.hosts, order.families, order.seed, quota.seeds)
    return list(jobs_of_plan(order.plan, order.hosts, open_library(order.library).manifest.library_sha256))


def _finished_before(order: BuildOrder) -> Iterator[ChainBuilt | ChainAbandoned]:
    """What a build that had already ended made."""
    summary = read_record(BuildSummary, order.out / SUMMARY_FILE)
    yield from summary.abandoned
    for chain_id in summary.chains:
        yield ChainBuilt(chain=chain_id, turns=len(read_chain(chain_path(order.out, chain_id)).turns))


def partial_path(out: Path, chain_id: str) -> Path:
    """Where a chain lies while it is made."""
    return out / PARTIAL / f"{chain_id.replace('/', '_')}.json"


def clock_path(out: Path, chain_id: str) -> Path:
    """Where the seconds spent on a chain lie while it is made."""
    return partial_path(out, chain_id).with_suffix(".seconds")


def run_unit(unit: BuildUnit) -> Path | ChainAbandoned:
    """Build one chain in this process, going on from what an earlier run left; return the file it lies in."""
    job = unit.job
    done = chain_path(unit.out, job.chain_id)
    if done.is_file():
        return done
    partial = partial_path(unit.out, job.chain_id)
    given_up = partial.with_suffix(".abandoned")
    if given_up.is_file():
        return read_record(ChainAbandoned, given_up)
    shared = open_shared_parts(unit.library, unit.out, unit.rules, unit.screener, unit.screen_url)

    def uses_of(ref: PartRef) -> int:
        return unit.uses[str(ref)]

    bench = Workbench(
        shared,
        job.host,
        job.family,
        job.seed,
        unit.limits,
        may_use=lambda ref: may_use(str(ref), job, unit.uses),
        uses=uses_of,
    )
    clock = UnitClock(clock_path(unit.out, job.chain_id))

    def keep(chain: Chain) -> None:
        write_chain(partial, chain)
        clock.save()

    start = read_chain(partial) if partial.is_file() else new_chain(bench, job.chain_id)
    built = build_chain(
        bench,
        start,
        len(job.ops) if job.ops else None,
        wishes=choose_ops(job, unit.ledger),
        keep=keep,
    )
    clock.save()
    if isinstance(built, Abandoned):
        abandoned = ChainAbandoned(
            host=job.host.object_id, family=job.family, reason=built.reason, rejected=built.rejected
        )
        write_atomic(given_up, encode(abandoned))
        return abandoned
    write_chain(partial, built)
    return partial


def choose_ops(job: ChainJob, ledger: TurnLedger) -> Callable[[int], Wish | None]:
    """Which operation a turn of a job should be: as planned, else by what the family's chains lack so far."""

    def wishes(turn: int) -> Wish | None:
        if job.ops is not None:
            return Wish(job.ops[turn - 1]) if turn <= len(job.ops) else None
        return find_wish(job.place, job.family, turn, ledger) if job.place else None

    return wishes


@lru_cache(maxsize=1)
def open_shared_parts(
    library_path: Path,
    out: Path,
    rules: RulesRef | None = None,
    screener: ScreenerChoice | None = None,
    screen_url: str = "",
) -> SharedParts:
    """What this process keeps between the chains of one folder: the opened library, its words, looks and solids.

    Raises InputError when the rules are no longer those that `rules` speaks of.
    """
    library = open_library(library_path)
    judge = Suitability(read_rules(rules.path if rules else None))
    if rules and judge.rules.sha256 != rules.sha256:
        raise InputError(f"{rules.path}: the rules changed while chains were being built with them")
    return SharedParts(
        library=library,
        assembler=Assembler(PartStore(library), out / ASSETS),
        retriever=Retriever(library, judge),
        judge=judge,
        texturer=BakeTexturer(),
        solids=OrderedDict(),
        screening=open_desk(screener, screen_url, read_settings().screen_key, out / SCREENING) if screener else None,
    )


def _check_settings(order: BuildOrder, rules: RulesRef) -> None:
    """Write the settings of a new folder, or refuse to mix two builds in one."""
    settings = BuildSettings(
        library_sha256=open_library(order.library).manifest.library_sha256,
        hosts_sha256=digest(_Hosts(hosts=tuple(sorted(order.hosts, key=lambda host: host.object_id)))),
        families=order.families,
        hosts=tuple(sorted(host.object_id for host in order.hosts)),
        seed=order.seed,
        limits=order.limits,
        chains=order.chains,
        rules_sha256=rules.sha256,
        screener=order.screener,
        counts=tuple(order.counts[family] for family in order.families) if order.counts else None,
        plan_sha256=digest(order.plan) if order.plan else None,
    )
    path = order.out / SETTINGS_FILE
    if path.is_file() and read_record(BuildSettings, path) != settings:
        raise InputError(
            f"{order.out} holds chains of another build "
            "(library, hosts, families, seed, limits, number, rules, screener or plan differ)"
        )
    write_atomic(path, encode(settings))


class _Hosts(Value):
    hosts: tuple[Host, ...]
