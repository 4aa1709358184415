"""`engine sheet`: chains as pictures anyone can judge."""

from __future__ import annotations

from pathlib import Path

import click

from engine.arguments import PATH
from schemas.errors import InputError


@click.command()
@click.argument("path", type=PATH)
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--out", type=PATH, required=True, help="Folder for the pictures.")
@click.option("--judge", is_flag=True, help="Draw random turns, five pictures each, to be ticked.")
@click.option("--n", "count", type=click.IntRange(min=1), help="Sheets of this many random chains, or turns to judge.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Which ones --n takes.")
@click.option("--workers", type=int, help="Worker processes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def sheet(
    path: Path,
    library: Path | None,
    out: Path,
    count: int | None,
    seed: int,
    workers: int | None,
    *,
    judge: bool,
    as_json: bool,
) -> None:
    """Draw host and every turn side by side, the edited part outlined, for each chain below PATH.

    With --judge the pages say nothing about the chains; turns.json beside them does, and ticks.json waits for verdicts.
    """
    from chains.draws import Draws
    from chains.files import list_chains
    from chains.judgement import clear_pages, write_key
    from chains.storage import writer_lock
    from engine.pictures.frames import draw_judge_pages, draw_sheets, draw_turns, key_turns, share_pages
    from engine.reporting import Progress, print_json
    from engine.settings import need_library, read_settings

    library_path = need_library(library)
    found = list_chains(path)
    pictures = []
    with writer_lock(out):
        processes = read_settings(workers=workers).workers
        if judge:
            if count is None:
                raise InputError("--judge needs --n: how many turns to draw")
            turns = draw_turns(found, count, seed)
            clear_pages(out)
            progress = Progress("drawn", len(share_pages(turns)))
            for picture in draw_judge_pages(turns, library_path, out, processes):
                pictures.append(picture)
                progress.advance(picture.name)
            progress.close()
            write_key(out, key_turns(turns, seed))
        else:
            chosen = sorted(Draws(seed, "sheets").shuffled(found)[:count]) if count else found
            progress = Progress("drawn", len(chosen))
            for picture in draw_sheets(chosen, library_path, out, processes):
                pictures.append(picture)
                progress.advance(picture.name)
            progress.close()
    if as_json:
        print_json({"pictures": [str(picture) for picture in pictures]})
    else:
        click.echo(f"{len(pictures)} pictures in {out}")
