"""`engine starter`: write the built-in library."""

from __future__ import annotations

import json
from pathlib import Path

import click

from engine.arguments import PATH


@click.command()
@click.option("--out", type=PATH, required=True, help="Folder to write into.")
@click.option("--check", is_flag=True, help="Compare the files with the digests kept beside the generator.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON on standard output.")
def starter(out: Path, *, check: bool, as_json: bool) -> None:
    """Generate the starter library: textured, captioned parts in the PartVerse layout.

    Running it again leaves unchanged files alone.
    """
    from engine.starter.library import check_digests, generate_starter_library  # numpy only when used

    report = generate_starter_library(out)
    compared = check_digests(out) if check else None
    if as_json:
        document = report._asdict() if compared is None else {**report._asdict(), "compared": compared}
        click.echo(json.dumps(document, sort_keys=True))
        return
    click.echo(
        f"{report.objects} objects, {report.parts} parts, median {report.triangles_median:g} triangles, "
        f"{report.textured_share:.0%} textured, {report.bytes / 1e6:.1f} MB in {out}"
    )
    if compared is not None:
        click.echo(f"{compared} files have the expected bytes")
