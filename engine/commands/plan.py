"""`engine plan`: what a build would aim at, as a file to read and edit."""

from __future__ import annotations

from pathlib import Path

import click

from engine.arguments import PATH
from schemas.chain import FAMILIES


@click.command()
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--slots", type=PATH, help="Slot registry; without it slots are proposed.")
@click.option("--chains", type=click.IntRange(min=1), help="This many; default: each family on each host.")
@click.option("--families", default=",".join(FAMILIES), show_default=True, help="As A,G or, with numbers, A=141,G=85.")
@click.option("--hosts", help="Object ids, comma-separated; default: all hosts.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Other seeds give other plans.")
@click.option("--out", type=PATH, help="Write the plan to this file, for `engine build --plan`.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as one JSON document.")
def plan(
    library: Path | None,
    slots: Path | None,
    chains: int | None,
    families: str,
    hosts: str | None,
    seed: int,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Print which chains would be built on which hosts, and what each turn is meant to be.

    A turn whose operation cannot be done there becomes another one of its family; a host that cannot carry its chain is
    abandoned. Edited or not, the file is built in its order by `engine build --plan`.
    """
    from chains.planning import make_plan
    from chains.schedule import Quota
    from chains.storage import write_atomic
    from engine.commands.build import choose_families, find_hosts
    from engine.reporting import print_json
    from engine.settings import need_library
    from library_index.library import open_library
    from schemas.codec import encode

    library_path = need_library(library)
    names, counts = choose_families(families, chains)
    found = find_hosts(library_path, slots, hosts)
    made = make_plan(found, seed, Quota(names, chains, counts), open_library(library_path).manifest.library_sha256)
    if out is not None:
        write_atomic(out, encode(made))
    if as_json:
        print_json(made.model_dump(mode="json"))
        return
    for entry in made.chains:
        click.echo(f"{entry.chain}  {entry.name}: {len(entry.ops)} turns: {' '.join(entry.ops)}")
    click.echo(f"{len(made.chains)} chains, {sum(len(entry.ops) for entry in made.chains)} turns")
