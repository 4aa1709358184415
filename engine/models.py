"""Which embedder a command works with: the one asked for, the vectors a source ships, or that of an index."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from engine.settings import Settings
from library_index.embedding import DEFAULT_EMBEDDER, check_embedder, load_embedder, takes_model
from library_index.ports import Embedder, ModelChoice
from library_index.shipped import find_shipped
from schemas.errors import SettingsError
from schemas.part import LibraryManifest


class ChosenEmbedder(NamedTuple):
    """An embedder and why it was taken, for people."""

    embedder: Embedder
    reason: str


def choose_embedder(source: Path, settings: Settings) -> ChosenEmbedder:
    """Embedder for an index of `source`: the one asked for, else the vectors the source ships, else the lexical one.

    Raises as load_embedder and find_shipped do, and SettingsError for a model without an embedder that takes one.
    """
    if settings.embedder is not None:
        embedder = load_asked(settings, settings.embedder)
        named = f", model {embedder.model!r}, weights {embedder.sha256[:12]}" if embedder.model else ""
        return ChosenEmbedder(embedder, f"captions by {embedder.name}{named}")
    if settings.model is not None:
        raise SettingsError(f"model {settings.model!r} is given without an embedder: add --embedder sentence or onnx")
    shipped = find_shipped(source)
    if shipped is not None:
        reason = f"captions by vectors shipped with {source}: model {shipped.model!r}, weights {shipped.sha256[:12]}"
        return ChosenEmbedder(shipped, reason)
    return ChosenEmbedder(
        load_embedder(DEFAULT_EMBEDDER), "captions by their words alone (embedder hashing); see --embedder"
    )


def find_query_embedder(manifest: LibraryManifest, settings: Settings) -> Embedder | None:
    """Embedder for questions to an index; None when a model made it and none is given.

    Raises HashMismatchError when the one asked for is not the index's.
    """
    if settings.embedder is None and settings.model is not None:
        raise SettingsError(f"model {settings.model!r} is given without an embedder: add --embedder sentence or onnx")
    name = settings.embedder or (manifest.embedder if manifest.model is None else None)
    if name is None:
        return None
    embedder = load_asked(settings, name)
    check_embedder(embedder, manifest.embedder, manifest.embedder_sha256)
    return embedder


def load_asked(settings: Settings, name: str) -> Embedder:
    """Make the embedder of that name with the model of the settings. Raises as load_embedder, and SettingsError."""
    if settings.model is not None and not takes_model(name):
        raise SettingsError(f"embedder {name!r} takes no model, and model {settings.model!r} is given")
    return load_embedder(name, ModelChoice(settings.model, settings.model_sha256))
