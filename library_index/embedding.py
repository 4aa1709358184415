"""Finding embedders by name, and writing their vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from library_index.ports import Embedder, ModelChoice
from library_index.rows import HashedWriter
from schemas.errors import HashMismatchError, UnknownPluginError
from schemas.plugins import find_plugin

GROUP = "library_index.embedders"
DEFAULT_EMBEDDER = "hashing"
NO_MODEL = ModelChoice()
MAX_DIMENSIONS = 1040
"""Dot products of int8 vectors of this length stay below 2^24, where float32 is exact: 127 * 127 * 1040 < 2^24."""


def load_embedder(name: str = DEFAULT_EMBEDDER, choice: ModelChoice = NO_MODEL) -> Embedder:
    """Make the installed embedder of that name, with the chosen model when it takes one.

    Raises UnknownPluginError with the nearest known name, MissingExtraError or ModelError when an embedder that takes
    a model has not what it needs, HashMismatchError when the model's weights are others than chosen.
    """
    kind = find_embedder(name)
    embedder: Embedder = kind(choice) if takes_model(name) else kind()
    return embedder


def takes_model(name: str) -> bool:
    """Whether the installed embedder of that name needs a model. Raises UnknownPluginError."""
    return bool(getattr(find_embedder(name), "takes_model", False))


def find_embedder(name: str) -> Callable[..., Embedder]:
    """Load the installed class of that name. Raises UnknownPluginError with the nearest known name."""
    kind: Callable[..., Embedder] = find_plugin(GROUP, name, "embedder")
    return kind


class VectorFile:
    """Rows of vectors being written, embedded in batches of distinct texts; rows do not depend on the batch."""

    def __init__(self, embedder: Embedder, file: HashedWriter, batch: int) -> None:
        self._embedder = embedder
        self._file = file
        self._batch = batch
        self._texts: list[str] = []

    def add(self, text: str) -> None:
        """Append the row of one text."""
        self._texts.append(text)
        if len(self._texts) >= self._batch:
            self.finish()

    def finish(self) -> None:
        """Write the rows that wait."""
        if self._texts:
            self._file.write(embed_distinct(self._embedder, self._texts).tobytes())
            self._texts.clear()


def embed_distinct(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.int8]:
    """Like `embed_checked`, each text once however often it is there: twins share their captions."""
    distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    vectors = embed_checked(embedder, list(distinct))
    rows: NDArray[np.int8] = vectors[[distinct[text] for text in texts]]
    return rows


def embed_checked(embedder: Embedder, texts: list[str]) -> NDArray[np.int8]:
    """Embed texts and check the port's promise on shape, type and length.

    Returns (N, dimensions) int8. Raises UnknownPluginError when the embedder does not keep it.
    """
    vectors = embedder.embed(texts)
    expected = (len(texts), embedder.dimensions)
    is_small = embedder.dimensions <= MAX_DIMENSIONS and not (vectors == np.iinfo(np.int8).min).any()
    if vectors.dtype != np.int8 or vectors.shape != expected or not is_small:
        raise UnknownPluginError(
            f"embedder {embedder.name!r} returned {vectors.dtype} of shape {vectors.shape}, "
            f"asked was int8 in -127..127 of shape {expected} with at most {MAX_DIMENSIONS} dimensions"
        )
    return vectors


def check_embedder(embedder: Embedder, name: str, sha256: str) -> None:
    """Raise HashMismatchError when an embedder has other weights, or another definition, than that of an index.

    The hash decides, not the name: one model answers by whichever backend is at hand.
    """
    if embedder.sha256 != sha256:
        raise HashMismatchError(
            f"the index was made with embedder {name!r} ({sha256[:12]}), "
            f"at hand is {embedder.name!r} ({embedder.sha256[:12]}): run the build again"
        )
