"""`engine verify`: every chain below a path, every turn, every hash."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.arguments import PATH, executor_options

if TYPE_CHECKING:
    from library_index.executors import ExecutorKind


@click.command()
@click.argument("path", type=PATH)
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--workers", type=int, help="Worker processes.")
@executor_options
@click.option(
    "--strict",
    is_flag=True,
    help="Also refuse edits that take a support from under its attachments, false returns and references, and broken "
    "histories.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def verify(
    path: Path,
    library: Path | None,
    workers: int | None,
    executor: ExecutorKind,
    address: str | None,
    *,
    strict: bool,
    as_json: bool,
) -> None:
    """Replay every turn of every chain below PATH and compare parts, states and content with the log.

    Exit 4 on any mismatch, 2 when a file or part is missing or refused.
    """
    from chains.files import list_chains
    from engine.reporting import Progress, print_json
    from engine.settings import need_library, read_settings
    from engine.verify import verify_files
    from library_index.executors import ExecutorChoice
    from library_index.library import open_library

    found = list_chains(path)
    library_path = need_library(library)
    _ = open_library(library_path).source_root  # refused once, not once for every chain
    progress = Progress("verified", len(found))
    results = []
    count = read_settings(workers=workers).workers
    where = ExecutorChoice(executor, address)
    for result in verify_files(found, library_path, workers=count, executor=where, strict=strict):
        progress.advance(result.chain)
        results.append(result)
    progress.close()
    mismatches = [mismatch for result in results for mismatch in result.mismatches]
    turns = sum(result.turns for result in results)
    if as_json:
        print_json(
            {
                "chains": len(results),
                "turns": turns,
                "mismatches": [
                    {"chain": entry.chain, "turn": entry.turn, "message": entry.message} for entry in mismatches
                ],
            }
        )
    else:
        click.echo(f"{len(results)} chains, {turns} turns, {len(mismatches)} mismatches")
    for entry in mismatches:
        click.echo(f"engine: {entry.message}", err=True)
    if mismatches:
        codes = {entry.exit_code for entry in mismatches}
        sys.exit(4 if 4 in codes else max(codes))
