"""`engine embedder`: models behind caption vectors."""

from __future__ import annotations

import json
from pathlib import Path

import click

from engine.arguments import PATH
from schemas.base import Value


@click.group()
def embedder() -> None:
    """Export models and ship vectors, so that others need no model."""


@embedder.command()
@click.argument("model")
@click.option("--out", type=PATH, required=True, help="Folder of the exported model.")
@click.option("--name", default=None, help="Name to record; by default that of MODEL.")
@click.option("--model-sha256", default=None, help="Hash the model's weights must have.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def export(model: str, out: Path, *, name: str | None, model_sha256: str | None, as_json: bool) -> None:
    """Export MODEL, a sentence model by name or path, for `--embedder onnx`.

    The exported model gives the same vectors without torch, three times as fast.
    """
    from engine.settings import read_settings
    from library_index.embedders.export import export_model
    from library_index.ports import ModelChoice

    asked = read_settings(model=model, model_sha256=model_sha256)
    head = export_model(ModelChoice(asked.model, asked.model_sha256), out, name)
    _report(head, f"{head.model}, {head.dimensions} dimensions, weights {head.weights_sha256}: in {out}", as_json)


@embedder.command()
@click.argument("index", type=PATH)
@click.option("--out", type=PATH, default=None, help="Source folder to write into; by default that of INDEX.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def ship(index: Path, *, out: Path | None, as_json: bool) -> None:
    """Write the vectors of INDEX beside the parts, so that whoever indexes them needs no model."""
    from library_index.library import open_library
    from library_index.shipped import SHIPPED_FOLDER, write_shipped

    opened = open_library(index)
    target = out or opened.source_root
    head = write_shipped(opened, target)
    _report(head, f"{head.texts} texts by {head.model}: in {target / SHIPPED_FOLDER}", as_json)


def _report(head: Value, line: str, as_json: bool) -> None:  # noqa: FBT001  # one caller, one meaning
    click.echo(json.dumps(head.model_dump(mode="json"), sort_keys=True) if as_json else line)
