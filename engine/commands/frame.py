"""`engine frame`: fit the cameras of chains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.arguments import PATH, executor_options

if TYPE_CHECKING:
    from library_index.executors import ExecutorKind
    from schemas.chain import SearchMode


@click.command()
@click.argument("path", type=PATH)
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option(
    "--directions",
    type=click.Choice(["quarters", "dense"]),
    default="quarters",
    show_default=True,
    help="Candidates for view 0: every 90 or every 15 degrees.",
)
@click.option("--res", type=click.IntRange(min=16, max=4096), help="Pixels on a side; else what the chain has, or 512.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option("--workers", type=int, help="Worker processes.")
@executor_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def frame(
    path: Path,
    library: Path | None,
    directions: SearchMode,
    res: int | None,
    workers: int | None,
    executor: ExecutorKind,
    address: str | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Frame all states of each chain below PATH, choose the direction of view 0, and record both in the chain.

    View 0 looks from where the turn that shows worst shows most; the other views stay 90 degrees apart.
    """
    from chains.files import list_chains
    from engine.pictures.rigging import frame_files
    from engine.reporting import Progress, print_json
    from engine.settings import need_library, read_settings
    from library_index.executors import ExecutorChoice

    found = list_chains(path)
    progress = Progress("framed", len(found))
    rows = []
    processes = read_settings(workers=workers).workers
    where, library_path = ExecutorChoice(executor, address), need_library(library)
    for framed in frame_files(
        found, library_path, directions, res, write=not dry_run, workers=processes, executor=where
    ):
        progress.advance(framed.chain)
        rows.append(framed)
    progress.close()
    changed = sum(row.changed for row in rows)
    if as_json:
        print_json({"chains": [row.model_dump(mode="json") for row in rows]})
        return
    for row in rows:
        click.echo(
            f"{row.chain}  radius {row.radius:.4g}  view 0 at {row.azimuth_deg:g} degrees"
            f"  worst turn {row.value:.4f} of the frame (at {row.default_deg:g}: {row.default_value:.4f})"
        )
    click.echo(f"{len(rows)} chains, {changed} rigs {'would change' if dry_run else 'changed'}")
