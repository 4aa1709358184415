"""`engine build`: chains from a library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from engine.arguments import PATH, executor_options
from schemas.chain import FAMILIES, Family
from schemas.errors import InputError
from schemas.events import ChainAbandoned

if TYPE_CHECKING:
    from engine.screening.desk import ScreenerChoice
    from library_index.executors import ExecutorKind
    from schemas.part import Host


@click.command()
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--out", type=PATH, required=True, help="Folder for the chains.")
@click.option("--slots", type=PATH, help="Slot registry; without it slots are proposed.")
@click.option("--chains", type=click.IntRange(min=1), help="Stop after this many; default: each family on each host.")
@click.option("--families", default=",".join(FAMILIES), show_default=True, help="Families, comma-separated.")
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def build(
    library: Path | None,
    out: Path,
    slots: Path | None,
    chains: int | None,
    families: str,
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
    as_json: bool,
) -> None:
    """Assemble chains of edits from a library into OUT. The same command goes on after an interruption."""
    from chains.files import chain_path, read_chain
    from chains.storage import writer_lock
    from chains.summary import summarise
    from engine.building import BuildOrder, build_chains
    from engine.commands.stats import format_summary
    from engine.reporting import Progress, print_json
    from engine.settings import need_library, read_settings
    from library_index.executors import ExecutorChoice
    from schemas.placement import Limits

    library_path = need_library(library)
    settings = read_settings(workers=workers)
    with writer_lock(out):
        found = _hosts(library_path, slots, hosts)
        order = BuildOrder(
            library=library_path.resolve(),
            out=out.resolve(),
            hosts=found,
            families=_families(families),
            seed=seed,
            limits=Limits(mode=interpenetration),
            chains=chains,
            workers=settings.workers,
            executor=ExecutorChoice(executor, address),
            rules=rules or settings.rules,
            screener=_choose_screener(screener, screen_url, screen_model),
            screen_url=screen_url or "",
        )
        progress = Progress("built", chains or len(found) * len(order.families))
        abandoned: list[ChainAbandoned] = []
        built: list[str] = []
        for event in build_chains(order):
            if isinstance(event, ChainAbandoned):
                abandoned.append(event)
                click.echo(f"abandoned {event.family} on {event.host}: {event.reason}", err=True)
            else:
                built.append(event.chain)
                progress.advance(f"{event.chain} {event.turns} turns")
        progress.close()
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
    from engine.screening.desk import ScreenerChoice
    from engine.screening.protocol import ScreenerSettings, load_screener

    if name is None:
        if url or model:
            raise InputError("--screen-url and --screen-model need --screener")
        return None
    if not url or not model:
        raise InputError("--screener needs --screen-url and --screen-model")
    load_screener(name, ScreenerSettings(url=url, model=model))
    return ScreenerChoice(name=name, model=model)


def _families(text: str) -> tuple[Family, ...]:
    asked = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in asked if name not in FAMILIES]
    if unknown or not asked:
        raise InputError(
            f"--families: unknown family {unknown[0] if unknown else ''!r}; known are {','.join(FAMILIES)}"
        )
    return tuple(family for family in FAMILIES if family in asked)


def _hosts(library: Path, slots: Path | None, asked: str | None) -> Sequence[Host]:
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
