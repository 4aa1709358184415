"""`engine render`: pictures of the states of chains."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from engine.arguments import PATH, executor_options, parse_numbers

if TYPE_CHECKING:
    from library_index.executors import ExecutorKind
    from schemas.pictures import ImageKind


@click.command()
@click.argument("path", type=PATH)
@click.option("--out", type=PATH, required=True, help="Folder for the pictures.")
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--turns", default="all", show_default=True, help="Turns as 0,3-5 (0 is the host), or `all`.")
@click.option("--views", default="0-3", show_default=True, help="Views of the rig, as 0-3 or 0,2.")
@click.option(
    "--image",
    type=click.Choice(["metric", "conditioning", "both", "none"]),
    default="metric",
    show_default=True,
    help="Ray-cast pictures for scores, Cycles pictures for methods and people (extra `blender`), or both.",
)
@click.option("--readouts", is_flag=True, help="Also ids, masks, depth, normals and coverage, checked by other rays.")
@click.option("--res", type=click.IntRange(16, 4096), help="Pixels on a side; else the rig's.")
@click.option("--limit-s", type=click.IntRange(1, 86_400), default=600, show_default=True, help="Cycles, a state.")
@click.option("--workers", type=int, help="Worker processes.")
@executor_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def render(
    path: Path,
    out: Path,
    library: Path | None,
    turns: str,
    views: str,
    image: Literal["metric", "conditioning", "both", "none"],
    res: int | None,
    limit_s: int,
    workers: int | None,
    executor: ExecutorKind,
    address: str | None,
    *,
    readouts: bool,
    as_json: bool,
) -> None:
    """Draw the states of each chain below PATH, with the region that each turn's edit may change.

    What is there already stays when it shows the same states with the same cameras and settings, so a run that was
    stopped goes on. A state that fails costs itself alone; the exit code is then that of the worst failure.
    """
    from chains.files import list_chains
    from engine.pictures.runs import RenderOrder, plan_runs, render_runs
    from engine.pictures.states import PictureChoice
    from engine.reporting import Progress, print_json, say_on_stderr
    from engine.settings import need_library, read_settings
    from library_index.executors import ExecutorChoice
    from schemas.pictures import IMAGE_KINDS

    kinds: frozenset[ImageKind] = frozenset(kind for kind in IMAGE_KINDS if image in {kind, "both"})
    order = RenderOrder(
        library=need_library(library),
        out=out,
        choice=PictureChoice(kinds, parse_numbers("--views", views, 64), res, readout=readouts),
        turns=None if turns == "all" else parse_numbers("--turns", turns, 10_000),
        workers=read_settings(workers=workers).workers,
        executor=ExecutorChoice(executor, address),
        limit_s=limit_s,
    )
    runs = plan_runs(list_chains(path), order.turns)
    progress = Progress("drawn", sum(len(run.turns) for run in runs))
    done = []
    for result in render_runs(runs, order):
        progress.advance(result.chain, result.drawn + result.kept + len(result.failures))
        done.append(result)
    progress.close()
    failures = [failure for result in done for failure in result.failures]
    counts = {"drawn": sum(r.drawn for r in done), "kept": sum(r.kept for r in done), "failed": len(failures)}
    if as_json:
        rows = [{"chain": f.chain, "turn": f.turn, "message": f.message} for f in failures]
        print_json({**counts, "failures": rows})
    else:
        click.echo(", ".join(f"{count} states {what}" for what, count in counts.items()))
    for failure in failures:
        say_on_stderr(f"{failure.chain}: turn {failure.turn}: {failure.message}")
    if failures:
        sys.exit(max(failure.exit_code for failure in failures))
