"""`engine table`: every table and plot of the protocol from scores."""

from __future__ import annotations

from pathlib import Path

import click

from engine.arguments import PATH


@click.command()
@click.argument("scores", type=PATH)
@click.option("--out", type=PATH, required=True, help="Folder for tables and plots.")
@click.option("--methods", help="Comma-separated; default: all. Reference rows are always there.")
@click.option(
    "--cohort",
    type=click.Choice(["all", "matched", "listed"]),
    default="all",
    show_default=True,
    help="All chains, those every method completed, or those of --chain-list.",
)
@click.option("--chain-list", type=PATH, help="Text file with one chain id a line, for --cohort listed.")
@click.option("--title", default="Scores", show_default=True, help="Head of the page.")
@click.option("--grids", type=click.IntRange(min=0), default=0, show_default=True, help="Chains to draw as grids.")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the chains, turns and views of grids.")
@click.option("--chains", type=PATH, help="For grids: the chains that were scored.")
@click.option("--run", "runs", type=PATH, multiple=True, help="For grids: a folder of outputs; may be repeated.")
@click.option("--library", type=PATH, help="For grids: library index; else ENGINE_LIBRARY or engine.toml.")
def table(
    scores: Path,
    out: Path,
    methods: str | None,
    cohort: str,
    chain_list: Path | None,
    title: str,
    grids: int,
    seed: int,
    chains: Path | None,
    runs: tuple[Path, ...],
    library: Path | None,
) -> None:
    """Write Markdown, LaTeX and HTML tables and SVG plots of the scores below SCORES.

    With --grids also pictures of the states of some chains, every method beside the truth, with the error of each
    pixel below; a seed chooses chains, turns and the held-out view.
    """
    from chains.files import list_chains
    from engine.settings import need_library
    from evaluator.book import read_book
    from evaluator.protocol import Protocol
    from evaluator.scoring import PROTOCOL_FILE
    from evaluator.tables.build import choose_cohort
    from evaluator.tables.grids import DrawnGrid, GridOrder, draw_grids
    from evaluator.tables.report import write_report
    from schemas.codec import digest, read_record
    from schemas.errors import InputError

    if (cohort == "listed") != (chain_list is not None):
        raise InputError("--cohort listed needs --chain-list, and no other cohort takes one")
    listed: list[str] = []
    if chain_list is not None:
        try:
            listed = chain_list.read_text("utf-8").split()
        except OSError as error:
            raise InputError(f"{chain_list}: cannot be read: {error.strerror}") from error
    book = read_book(scores, methods.split(",") if methods else None)
    missing = sorted(set(listed) - set(book.chains))
    if missing:
        raise InputError(f"{chain_list}: no scores of {missing[0]!r}")
    protocol = read_record(Protocol, scores / PROTOCOL_FILE)
    if digest(protocol) != book.protocol_sha256:
        raise InputError(
            f"{scores / PROTOCOL_FILE}: holds options {digest(protocol)[:12]}, the scores were made with "
            f"{book.protocol_sha256[:12]}"
        )
    options = {**protocol.voxel.model_dump(), **protocol.surface.model_dump()}
    facts = [
        f"Options: {', '.join(f'{name}={value}' for name, value in options.items())} ({protocol.version}).",
        "Means are over delivered turns with a number; intervals are 95 %, hosts resampled.",
    ]
    chosen = choose_cohort(book, cohort, listed)
    drawn: list[DrawnGrid] = []
    if grids:
        if chains is None:
            raise InputError("--grids needs --chains, and a --run for every method that is no reference")
        order = GridOrder(scores, runs, need_library(library), protocol, grids, seed)
        drawn = draw_grids(out, book, chosen.chains, list_chains(chains), order)
    made = write_report(out, book, chosen, title, facts, drawn)
    more = f", {len(drawn)} grid{'' if len(drawn) == 1 else 's'}" if drawn else ""
    click.echo(f"{len(made)} tables{more} of {len(book.methods)} methods on {len(book.chains)} chains in {out}")
