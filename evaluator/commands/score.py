"""`engine score`: what a method's outputs are worth, turn by turn and region by region."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.arguments import PATH, executor_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cells.sizes import FrameRule
    from evaluator.protocol import IfRule, IfSides
    from evaluator.scoring import ScoredChain
    from library_index.executors import ExecutorKind


@click.command()
@click.argument("run", type=PATH)
@click.option("--chains", "chains", type=PATH, required=True, help="The chains the method was run on.")
@click.option("--out", type=PATH, required=True, help="Folder for the scores.")
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option(
    "--frame",
    type=click.Choice(["padded", "tight"]),
    default="padded",
    show_default=True,
    help="60.5 cells across the longest side, or 64.",
)
@click.option("--dilate", type=click.IntRange(0, 16), default=1, show_default=True, help="Cells around an edit region.")
@click.option(
    "--if-sides",
    type=click.Choice(["operation", "defined"]),
    default="operation",
    show_default=True,
    help="Sides of IF that count: those the operation needs, or all that are defined.",
)
@click.option(
    "--if-rule",
    type=click.Choice(["harmonic", "min", "product", "geometric"]),
    default="harmonic",
    show_default=True,
    help="How the two sides of a replacement are combined.",
)
@click.option("--samples", type=click.IntRange(100, 200_000), default=20_000, show_default=True, help="Of the target.")
@click.option("--images/--no-images", default=True, help="Draw and compare pictures; most of the time goes there.")
@click.option("--res", type=click.IntRange(32, 4096), default=512, show_default=True, help="Pixels a side.")
@click.option("--weights", type=PATH, help="Folder of weights for LPIPS and DINOv2: lpips_alex, dinov2_vitb14.")
@click.option("--references/--no-references", default=True, help="Also score no-op, oracle and no-edit regeneration.")
@click.option("--workers", type=int, help="Worker processes; the scores do not depend on them.")
@executor_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def score(
    run: Path,
    chains: Path,
    out: Path,
    library: Path | None,
    frame: FrameRule,
    dilate: int,
    if_sides: IfSides,
    if_rule: IfRule,
    samples: int,
    res: int,
    weights: Path | None,
    workers: int | None,
    executor: ExecutorKind,
    address: str | None,
    *,
    images: bool,
    references: bool,
    as_json: bool,
) -> None:
    """Score the outputs below RUN against the chains they were made for.

    Outputs lie as RUN/<family>/<chain>/turn_001.glb; a missing or broken one is a failed turn and blocks the rest.
    What was scored before, of the same states, outputs and options, is not scored again. Exit 1 or more when a chain
    could not be scored; the others are.
    """
    from chains.files import list_chains
    from engine.reporting import Progress
    from engine.settings import need_library, read_settings
    from evaluator.protocol import PictureOptions, Protocol, SurfaceOptions, VoxelOptions
    from evaluator.scoring import ScoreOrder, score_run
    from library_index.executors import ExecutorChoice
    from schemas.errors import InputError

    for folder in (run, weights):
        if folder is not None and not folder.is_dir():
            raise InputError(f"{folder}: no such folder")
    paths = list_chains(chains)
    protocol = Protocol(
        voxel=VoxelOptions(frame=frame, dilate=dilate, if_sides=if_sides, if_rule=if_rule),
        surface=SurfaceOptions(samples=samples),
        pictures=PictureOptions(res=res) if images else None,
    )
    order = ScoreOrder(
        run=run,
        library=need_library(library),
        out=out,
        protocol=protocol,
        references=references,
        weights=weights,
        workers=read_settings(workers=workers).workers,
        executor=ExecutorChoice(executor, address),
    )
    progress = Progress("scored", len(paths))
    results = []
    for result in score_run(paths, order):
        progress.advance(f"{result.chain} {result.scored} turns, {result.kept} kept")
        results.append(result)
    progress.close()
    if any(not result.failure for result in results):
        _write_rows(out)
    _report(results, as_json=as_json)


def _write_rows(out: Path) -> None:
    """Write the Parquet file, or say that the records have to do without it."""
    from evaluator.parquet import write_parquet
    from schemas.errors import MissingExtraError

    try:
        write_parquet(out)
    except MissingExtraError as error:
        click.echo(f"engine: {error}; the JSON records are complete", err=True)


def _report(results: Sequence[ScoredChain], *, as_json: bool) -> None:
    """Say what was scored; exit with the gravest code when a chain could not be."""
    from engine.reporting import print_json, say_on_stderr

    failures = sorted((result for result in results if result.failure), key=lambda result: result.chain)
    chains = len(results) - len(failures)
    scored, kept = sum(result.scored for result in results), sum(result.kept for result in results)
    if as_json:
        rows = [{"chain": entry.chain, "message": entry.failure} for entry in failures]
        print_json({"chains": chains, "scored": scored, "kept": kept, "failures": rows})
    else:
        click.echo(f"{chains} chains, {scored} turns scored, {kept} kept, {len(failures)} failed")
    for entry in failures:
        say_on_stderr(entry.failure)
    if failures:
        sys.exit(max(entry.exit_code for entry in failures))
