"""Finding embedders by name."""

from __future__ import annotations

import difflib
from importlib.metadata import entry_points

import numpy as np
from numpy.typing import NDArray

from library_index.ports import Embedder
from schemas.errors import HashMismatchError, UnknownPluginError

GROUP = "library_index.embedders"
DEFAULT_EMBEDDER = "hashing"
MAX_DIMENSIONS = 1040
"""Dot products of int8 vectors of this length stay below 2^24, where float32 is exact: 127 * 127 * 1040 < 2^24."""


def load_embedder(name: str = DEFAULT_EMBEDDER) -> Embedder:
    """Make the installed embedder of that name. Raises UnknownPluginError with the nearest known name."""
    points = {point.name: point for point in entry_points(group=GROUP)}
    if name not in points:
        near = difflib.get_close_matches(name, sorted(points), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownPluginError(f"no embedder {name!r}; installed are {', '.join(sorted(points)) or 'none'}{hint}")
    embedder: Embedder = points[name].load()()
    return embedder


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
    """Raise HashMismatchError when an embedder is not the one an index was made with."""
    if embedder.name != name or embedder.sha256 != sha256:
        raise HashMismatchError(
            f"the index was made with embedder {name!r} ({sha256[:12]}), "
            f"at hand is {embedder.name!r} ({embedder.sha256[:12]}): run the build again"
        )
