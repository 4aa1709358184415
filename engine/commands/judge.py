"""`engine judge`: what judges ticked on the pages of `engine sheet --judge`, summed up."""

from __future__ import annotations

from pathlib import Path

import click

from engine.arguments import PATH


@click.command()
@click.argument("ticks", type=PATH, nargs=-1, required=True)
@click.option("--pages", type=PATH, help="Folder of the pages and their turns.json; else that of the first file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def judge(ticks: tuple[Path, ...], pages: Path | None, *, as_json: bool) -> None:
    """Sum up filled TICKS files, one a judge: right turns, by operation and kind, and how the judges agree.

    The report is Markdown. Every drawn turn must have a verdict: `looks right` alone, or one or more faults.
    """
    from chains.judgement import read_judgement, summarise_judgement
    from chains.judgement_report import write_report
    from engine.reporting import print_json

    summary = summarise_judgement(read_judgement(ticks, pages))
    if as_json:
        print_json(summary)
    else:
        for line in write_report(summary):
            click.echo(line)
