"""`engine build`: chains from a library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from engine.arguments import PATH, executor_options
from schemas.chain import FAMILIES, Family
from schemas.errors import InputError

if TYPE_CHECKING:
    from engine.screening.desk import ScreenerChoice
    from library_index.executors import ExecutorKind
    from schemas.part import Host
    from schemas.plan import BuildPlan


@click.command()
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--out", type=PATH, required=True, help="Folder for the chains.")
@click.option("--slots", type=PATH, help="Slot registry; without it slots are proposed.")
@click.option("--chains", type=click.IntRange(min=1), help="Stop after this many; default: each family on each host.")
@click.option("--families", default=",".join(FAMILIES), show_default=True, help="As A,G or, with numbers, A=141,G=85.")
@click.option("--plan", type=PATH, help="Build what this file of `engine plan` says, in its order.")
@click.option("--hosts", help="Object ids, comma-separated; default: all hosts.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Other seeds give other chains.")
@click.option("--workers", type=int, help="Worker processes; the chains do not depend on it.")
@executor_options
@click.option(
    "--interpenetration",
    type=click.Choice(["strict", "baseline"]),
    default="strict",
    show_default=True,
    help="`baseline` also accepts parts that reach into their neighbours as far as the old part did.",
)
@click.option("--rules", type=PATH, help="Rules of suitability, a TOML file; default: those of the package.")
@click.option("--screener", help="Ask this screener about every edit that passed all checks: `openai`.")
@click.option("--screen-url", help="Its address, as http://127.0.0.1:8000/v1; the key is ENGINE_SCREEN_KEY.")
@click.option("--screen-model", help="The model it is to ask.")
@click.option("--times", is_flag=True, help="Keep how long it took in OUT/run.json, for `engine report`.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def build(
    library: Path | None,
    out: Path,
    slots: Path | None,
    chains: int | None,
    families: str,
    plan: Path | None,
    hosts: str | None,
    seed: int,
    workers: int | None,
    executor: ExecutorKind,
    address: str | None,
    interpenetration: Literal["strict", "baseline"],
    rules: Path | None,
    screener: str | None,
    screen_url: str | None,
    screen_model: str | None,
    *,
    times: bool,
    as_json: bool,
) -> None:
    """Assemble chains of edits from a library into OUT. The same command goes on after an interruption."""
    from chains.files import chain_path, read_chain
    from chains.storage import writer_lock
    from chains.summary import summarise
    from engine.build_progress import BuildProgress
    from engine.building import BuildOrder, build_chains
    from engine.commands.stats import format_summary
    from engine.reporting import print_json
    from engine.run_log import RunLog
    from engine.settings import need_library, read_settings
    from library_index.executors import ExecutorChoice
    from schemas.codec import read_record
    from schemas.placement import Limits
    from schemas.plan import BuildPlan

    if plan is not None and chains is not None:
        raise InputError("--chains and --plan: a plan says itself how many chains there are")
    library_path = need_library(library)
    settings = read_settings(workers=workers)
    with writer_lock(out):
        followed = read_record(BuildPlan, plan) if plan else None
        names, counts = count_planned(followed) if followed else choose_families(families, chains)
        found = find_hosts(library_path, slots, hosts)
        order = BuildOrder(
            library=library_path.resolve(),
            out=out.resolve(),
            hosts=found,
            families=names,
            counts=counts,
            seed=seed,
            limits=Limits(mode=interpenetration),
            chains=chains,
            plan=followed,
            workers=settings.workers,
            executor=ExecutorChoice(executor, address),
            rules=rules or settings.rules,
            screener=_choose_screener(screener, screen_url, screen_model),
            screen_url=screen_url or "",
        )
        planned = len(found) * len(order.families)
        log = RunLog(order.out, order.workers, kept=times)
        progress = BuildProgress(order.out, chains or sum((counts or {}).values()) or planned, log)
        for event in build_chains(order, log):
            progress.take(event)
        progress.close()
    built, abandoned = progress.built, progress.abandoned
    summary = summarise(read_chain(chain_path(out, chain_id)) for chain_id in built)
    if as_json:
        rows = [{"host": entry.host, "family": entry.family, "reason": entry.reason} for entry in abandoned]
        print_json({**summary, "abandoned": rows})
    else:
        for line in format_summary(summary):
            click.echo(line)
        click.echo(f"abandoned {len(abandoned)}")
    if not built:
        raise InputError(f"no chain could be built from {library_path}")


def _choose_screener(name: str | None, url: str | None, model: str | None) -> ScreenerChoice | None:
    """The screener that was asked for, tried out as far as that goes without a request."""
    from engine.chat.client import ServerSettings
    from engine.screening.desk import ScreenerChoice
    from engine.screening.protocol import load_screener

    if name is None:
        if url or model:
            raise InputError("--screen-url and --screen-model need --screener")
        return None
    if not url or not model:
        raise InputError("--screener needs --screen-url and --screen-model")
    load_screener(name, ServerSettings(url=url, model=model))
    return ScreenerChoice(name=name, model=model)


def choose_families(text: str, chains: int | None) -> tuple[tuple[Family, ...], dict[Family, int] | None]:
    """Families of `A,G`, and of `A=141,G=85` how many chains of each. Raises InputError for anything else."""
    asked: dict[str, str | None] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, equals, number = entry.partition("=")
        asked[name.strip()] = number.strip() if equals else None
    unknown = [name for name in asked if name not in FAMILIES]
    if unknown or not asked:
        raise InputError(
            f"--families: unknown family {unknown[0] if unknown else ''!r}; known are {','.join(FAMILIES)}"
        )
    names = tuple(family for family in FAMILIES if family in asked)
    if all(number is None for number in asked.values()):
        return names, None
    if chains is not None:
        raise InputError("--chains and numbers in --families: one of them says how many chains there are")
    counts: dict[Family, int] = {}
    for family in names:
        number = asked[family] or ""
        if not (number.isascii() and number.isdigit() and 0 < int(number) <= 10**6):
            raise InputError(f"--families: {family} needs a number of chains as {family}=40, found {number!r:.40}")
        counts[family] = int(number)
    return names, counts


def count_planned(plan: BuildPlan) -> tuple[tuple[Family, ...], dict[Family, int]]:
    """Families of a plan and how many chains of each it has."""
    counts = Counter(entry.family for entry in plan.chains)
    return tuple(family for family in FAMILIES if family in counts), dict(counts)


def find_hosts(library: Path, slots: Path | None, asked: str | None) -> Sequence[Host]:
    """Hosts from the registry, or proposed now; those that were asked for."""
    from engine.slots.propose import propose_registry
    from engine.slots.validity import check_registry
    from library_index.library import open_library
    from schemas.codec import read_record
    from schemas.part import SlotRegistry

    opened = open_library(library)
    registry = read_record(SlotRegistry, slots) if slots else propose_registry(opened)
    if registry.library_sha256 != opened.manifest.library_sha256:
        raise InputError(f"{slots}: the registry was made for another library (run `engine slots propose` again)")
    if slots:
        check_registry(registry, opened)
    found = {entry.host.object_id: entry.host for entry in registry.hosts}
    if asked is None:
        names = sorted(found)
    else:
        names = [name.strip() for name in asked.split(",") if name.strip()]
        missing = [name for name in names if name not in found]
        if missing:
            reasons = {entry.object_id: entry.reason for entry in registry.rejected}
            raise InputError(f"--hosts: {missing[0]!r} is not a host ({reasons.get(missing[0], 'not in the library')})")
    if not names:
        raise InputError(f"{library}: no object of this library can carry chains")
    return [found[name] for name in names]
