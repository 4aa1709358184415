"""`engine library`: import parts, check, search and show them."""

# a command imports what it needs when it runs, so that --help stays quick

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.arguments import PATH, model_options
from schemas.errors import HashMismatchError, InputError, PartNotFoundError
from schemas.events import UnitDone
from schemas.part import PartRecord

if TYPE_CHECKING:
    from library_index.library import Library

FOLDER = PATH
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
LAYOUT_NAMES = ("auto", "partverse", "partverse-xl", "folder")


@click.group()
def library() -> None:
    """Import part libraries and look into them."""


@library.command()
@click.argument("source", type=FOLDER)
@click.option("--out", type=FOLDER, required=True, help="Folder of the index.")
@click.option(
    "--layout", type=click.Choice(LAYOUT_NAMES), default="auto", show_default=True, help="How the parts lie on disk."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Worker processes; the index does not depend on it.",
)
@click.option("--name", default=None, help="Id of the library; by default made of the source folder's name.")
@model_options
@click.option(
    "--embed-batch", type=click.IntRange(1), default=512, show_default=True, help="Captions embedded at a time."
)
@JSON_OPTION
def build(
    source: Path,
    out: Path,
    *,
    layout: str,
    workers: int,
    name: str | None,
    embedder: str | None,
    model: str | None,
    model_sha256: str | None,
    embed_batch: int,
    as_json: bool,
) -> None:
    """Index the parts below SOURCE; unchanged objects are not measured again.

    Without --embedder, vectors that SOURCE ships beside its parts are used, else the lexical embedder `hashing`.
    """
    from engine.models import choose_embedder
    from engine.placement.survey import PlacementSurveyor
    from engine.settings import read_settings
    from library_index.build import build_library

    chosen = choose_embedder(source, read_settings(embedder=embedder, model=model, model_sha256=model_sha256))
    manifest = build_library(
        source,
        out,
        layout=layout,
        surveyor=PlacementSurveyor(),
        embedder=chosen.embedder,
        workers=workers,
        library_id=name,
        embed_batch=embed_batch,
        progress=_show_progress,
    )
    click.echo(chosen.reason, err=True)
    report = {
        "library": manifest.library,
        "layout": manifest.layout,
        "hosts": manifest.hosts,
        "objects": manifest.objects,
        "parts": manifest.parts,
        "library_sha256": manifest.library_sha256,
        "embedder": manifest.embedder,
        "embedder_sha256": manifest.embedder_sha256,
        "model": manifest.model,
        "skipped": [entry.model_dump(mode="json") for entry in manifest.skipped],
    }
    if as_json:
        _print_json(report)
    else:
        click.echo(
            f"{manifest.library} ({manifest.layout}): {manifest.hosts} hosts, {manifest.parts} parts, "
            f"{len(manifest.skipped)} skipped; captions by {manifest.embedder}"
        )
        for entry in manifest.skipped:
            click.echo(f"skipped {entry.file}: {entry.reason}")
    if not manifest.parts:
        raise InputError(f"{source}: no part could be imported, {len(manifest.skipped)} files were skipped")


@library.command()
@click.argument("index", type=FOLDER)
@JSON_OPTION
def verify(index: Path, *, as_json: bool) -> None:
    """Read every part file of INDEX and compare its hash."""
    from library_index.library import open_library
    from library_index.verify import find_problems

    opened = open_library(index)
    problems = list(find_problems(opened))
    if as_json:
        _print_json({"parts": opened.manifest.parts, "problems": [problem._asdict() for problem in problems]})
    else:
        for problem in problems:
            click.echo(f"{problem.problem} {problem.part} ({problem.file}): {problem.detail}")
        click.echo(f"{opened.manifest.parts} parts checked, {len(problems)} problems")
    counts = Counter(problem.problem for problem in problems)
    if counts["mismatch"]:
        raise HashMismatchError(f"{index}: {counts['mismatch']} of {opened.manifest.parts} parts have other content")
    if counts["missing"]:
        raise PartNotFoundError(f"{index}: files of {counts['missing']} of {opened.manifest.parts} parts are missing")


@library.command()
@click.argument("index", type=FOLDER)
@JSON_OPTION
def info(index: Path, *, as_json: bool) -> None:
    """Say what INDEX holds."""
    from library_index.library import open_library

    opened = open_library(index)
    rows = [opened.parts.at(row) for row in range(len(opened.parts))]
    objects = list(opened.objects.values())
    warnings = Counter(warning for row in rows for warning in row.warnings)
    report: dict[str, Any] = {
        **opened.manifest.model_dump(mode="json", exclude={"skipped"}),
        "source": opened.source_root.as_posix(),
        "size_bytes": sum(_size_of(opened, row) for row in _first_of_files(rows)),
        "triangles": sum(row.triangles for row in rows),
        "caption_sources": dict(sorted(Counter(row.caption_source for row in rows).items())),
        "categories": dict(sorted(Counter(entry.category or "unknown" for entry in objects).items())),
        "mounts": dict(sorted(Counter(_mount_name(row) for row in rows).items())),
        "skipped": len(opened.manifest.skipped),
        "warnings": dict(sorted(warnings.items())),
    }
    if as_json:
        _print_json(report)
        return
    for key, value in report.items():
        if isinstance(value, dict):
            click.echo(f"{key}:")
            for name, count in value.items():
                click.echo(f"  {count:>8}  {name}")
        else:
            click.echo(f"{key}: {value}")


@library.command()
@click.argument("index", type=FOLDER)
@click.argument("text")
@click.option("--k", type=click.IntRange(1), default=10, show_default=True, help="How many parts.")
@click.option("--distinct", is_flag=True, help="Leave out captions that say nearly the same.")
@model_options
@JSON_OPTION
def search(
    index: Path,
    text: str,
    *,
    k: int,
    distinct: bool,
    embedder: str | None,
    model: str | None,
    model_sha256: str | None,
    as_json: bool,
) -> None:
    """Find the parts of INDEX whose captions are nearest to TEXT.

    An index made by a model is asked by the same model, given by --embedder and --model or by the settings. When none
    is given, the lexical embedder answers over the captions, and says so.
    """
    from engine.models import find_query_embedder
    from engine.settings import read_settings
    from library_index.library import open_library
    from library_index.search import drop_near_duplicates, search_words
    from library_index.search import search as find_parts

    opened = open_library(index)
    asked = find_query_embedder(
        opened.manifest, read_settings(embedder=embedder, model=model, model_sha256=model_sha256)
    )
    limit = max(opened.manifest.parts, 1) if distinct else k
    if asked is None:
        click.echo(
            f"the vectors are of model {opened.manifest.model!r}, and no model is given (--embedder, --model): "
            "the lexical embedder answers over the captions",
            err=True,
        )
        hits = search_words(opened, text, limit)
    else:
        hits = find_parts(opened, text, limit, embedder=asked)
    if distinct:
        chosen = drop_near_duplicates(opened, hits)
        hits = tuple(hit for _, hit in zip(range(k), chosen, strict=False))
    if as_json:
        _print_json(
            {
                "query": text,
                "embedder": "hashing" if asked is None else asked.name,
                "hits": [
                    {"part": str(hit.record.ref), "score": hit.score, "caption": hit.record.caption} for hit in hits
                ],
            }
        )
        return
    for hit in hits:
        click.echo(f"{hit.score:.3f}  {hit.record.ref}  {hit.record.caption}")


@library.command()
@click.argument("index", type=FOLDER)
@JSON_OPTION
def licences(index: Path, *, as_json: bool) -> None:
    """List licences and authors in INDEX with the number of parts."""
    from library_index.library import open_library

    opened = open_library(index)
    counts = Counter((row.licence or "unknown", row.author or "unknown") for row in opened.parts.values())
    rows = [{"licence": licence, "author": author, "parts": n} for (licence, author), n in sorted(counts.items())]
    if as_json:
        _print_json({"licences": rows})
        return
    for row in rows:
        click.echo(f"{row['licence']:<16} {row['parts']:>8}  {row['author']}")


@library.command()
@click.argument("index", type=FOLDER)
@click.argument("part")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Also draw how the part is mounted.")
@JSON_OPTION
def show(index: Path, part: str, png: Path | None, *, as_json: bool) -> None:
    """Print the record of PART of INDEX, written as OBJECT/PART."""
    from library_index.captions import clean_caption
    from library_index.library import open_library
    from library_index.mount_lines import describe_mounts

    opened = open_library(index)
    record = _find_by_name(opened, part)
    owner = opened.objects[record.ref.object_id]
    if png is not None:
        from engine.pictures.frames import draw_part

        draw_part(opened, record, png)
    if as_json:
        _print_json(record.model_dump(mode="json"))
        return
    phrase = clean_caption(record.caption, owner.name)
    width, height, depth = (high - low for low, high in zip(*record.bounds, strict=True))
    click.echo(f"{record.ref}  {phrase.phrase}  [{owner.name}]")
    click.echo(f"caption: {record.caption} ({record.caption_source})")
    click.echo(f"file: {record.file}{f'#{record.node}' if record.node else ''}, {record.size_bytes} bytes")
    click.echo(f"sha256: {record.ref.sha256}")
    click.echo(f"size: {width:.4g} x {height:.4g} x {depth:.4g}, {record.triangles} triangles")
    click.echo(f"materials: {record.materials}, textured: {record.textured}, closed: {record.closed}")
    for line in describe_mounts(record):
        click.echo(line)
    click.echo(f"licence: {record.licence or 'unknown'}, author: {record.author or 'unknown'}")
    for warning in record.warnings:
        click.echo(f"warning: {warning}")


def _find_by_name(opened: Library, name: str) -> PartRecord:
    """Find OBJECT/PART; both may hold slashes, the longest object id wins."""
    steps = name.split("/")
    for cut in range(len(steps) - 1, 0, -1):
        record = opened.parts.get(("/".join(steps[:cut]), "/".join(steps[cut:])))
        if record is not None:
            return record
    raise PartNotFoundError(f"part {name} is not in library {opened.manifest.library}; write OBJECT/PART")


def _first_of_files(rows: list[PartRecord]) -> list[PartRecord]:
    return list({row.file: row for row in rows}.values())


def _size_of(opened: Library, record: PartRecord) -> int:
    path = opened.path_of(record)
    try:
        return path.stat().st_size
    except OSError as error:
        raise PartNotFoundError(f"part {record.ref}: {path} cannot be read: {error.strerror}") from error


def _mount_name(row: PartRecord) -> str:
    return f"{row.mounts[0].frame.kind} {row.mounts[0].frame.direction}" if row.mounts else "none"


def _print_json(document: Any) -> None:
    click.echo(json.dumps(document, ensure_ascii=False, sort_keys=True))


def _show_progress(event: UnitDone) -> None:
    """Report on stderr after every tenth of the work."""
    if event.done == event.total or event.done * 10 // event.total > (event.done - 1) * 10 // event.total:
        click.echo(f"{event.job}: {event.done} of {event.total} objects", err=True)
