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
@click.option("--title", default="Scores", show_default=True)
def table(scores: Path, out: Path, methods: str | None, cohort: str, chain_list: Path | None, title: str) -> None:
    """Write Markdown, LaTeX and HTML tables and SVG plots of the scores below SCORES."""
    from evaluator.book import read_book
    from evaluator.protocol import Protocol
    from evaluator.scoring import PROTOCOL_FILE
    from evaluator.tables.build import choose_cohort
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
    made = write_report(out, book, choose_cohort(book, cohort, listed), title, facts)
    click.echo(f"{len(made)} tables of {len(book.methods)} methods on {len(book.chains)} chains in {out}")
