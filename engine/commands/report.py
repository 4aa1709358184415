"""`engine report`: a folder of chains as numbers, plots and contact sheets."""

from __future__ import annotations

from pathlib import Path

import click

from engine.arguments import PATH


@click.command()
@click.argument("path", type=PATH)
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml. Needed for sheets only.")
@click.option("--out", type=PATH, required=True, help="Folder for report.json, report.html and the contact sheets.")
@click.option(
    "--sheets",
    type=click.IntRange(min=0),
    default=6,
    show_default=True,
    help="Contact sheets of this many random chains, all families in turn; 0 draws none and needs no library.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Which chains --sheets takes.")
@click.option("--workers", type=int, help="Worker processes.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
def report(
    path: Path, library: Path | None, out: Path, sheets: int, seed: int, workers: int | None, *, as_json: bool
) -> None:
    """Report on the chains below PATH: families, operation shares by turn, lengths, words, rejections, time.

    The page is one file without scripts, the pictures lie beside it. What the build left in PATH (settings, abandoned
    chains, times) is used where it is there; report.json holds no other time.
    """
    from chains.files import list_chains
    from chains.storage import writer_lock
    from engine.report.writing import PAGE_FILE, ReportMaker, ReportOrder
    from engine.reporting import Progress, print_json
    from engine.settings import need_library, read_settings

    found = list_chains(path)
    library_path = need_library(library) if sheets else None
    with writer_lock(out):
        processes = read_settings(workers=workers).workers
        maker = ReportMaker(ReportOrder(path, found, out, library_path, sheets, seed, processes))
        progress = Progress("drawn", len(maker.chosen))
        for picture in maker.draw():
            progress.advance(picture.name)
        progress.close()
        written = maker.write()
    if as_json:
        print_json(written.model_dump(mode="json"))
    else:
        click.echo(f"{written.chains} chains, {written.edits} turns: {out / PAGE_FILE}")
