"""`engine lint`: what a reader would hold against the instructions of chains."""

from __future__ import annotations

from pathlib import Path

import click

from engine.arguments import PATH


@click.command()
@click.argument("path", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def lint(path: Path, *, as_json: bool) -> None:
    """Check the instructions of every chain below PATH; exit 1 when there is something against one."""
    from chains.lint_report import lint_files
    from engine.reporting import print_json

    report = lint_files(path)
    if as_json:
        print_json(report.document())
    else:
        for line in report.lines():
            click.echo(line)
    if report.findings:
        raise SystemExit(1)
