"""What both model backends share: finding a model, hashing its weights, and making int8 rows of its vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from library_index.content import digest_bytes, digest_path
from library_index.ports import ModelChoice
from schemas.codec import canonical
from schemas.errors import HashMismatchError, MissingExtraError, ModelError

TOKENS = 64
"""Every text is padded, or cut, to this many tokens: the bits of a row then depend on nothing but its own text."""
MAX_CHARACTERS = 2000
"""Longer texts are cut before they are split into tokens; 64 tokens are hardly ever more than 400 characters."""
QUANTISATION = 127
FloatRow = NDArray[np.float32]


def need_model(choice: ModelChoice, embedder: str) -> str:
    """Name or path of the chosen model. Raises ModelError that names the ways to give it."""
    if not choice.name:
        raise ModelError(
            f"embedder {embedder!r} needs a model: give --model NAME_OR_PATH, set ENGINE_MODEL, or write "
            "`model = ...` into engine.toml"
        )
    return choice.name


def digest_weights(folder: Path) -> str:
    """SHA-256 of the weights of a model folder: of its one safetensors file, else of the list of them all.

    The list is the canonical JSON of [path relative to the folder, SHA-256], sorted. Raises ModelError when there are
    none: other formats can run code when they are read.
    """
    files = sorted(folder.rglob("*.safetensors"))
    if not files:
        raise ModelError(f"{folder}: holds no .safetensors file; other kinds of weights are not read")
    hashes = [[path.relative_to(folder).as_posix(), digest_path(path)] for path in files]
    return hashes[0][1] if len(hashes) == 1 else digest_bytes(canonical(sorted(hashes)))


def check_weights(what: str, actual: str, expected: str | None) -> None:
    """Raise HashMismatchError when weights are not those that were asked for; None asks for none in particular."""
    if expected is not None and actual != expected:
        raise HashMismatchError(f"{what}: the weights have sha256 {actual[:12]}, asked for was {expected[:12]}")


def embed_each(
    texts: Sequence[str], dimensions: int, run: Callable[[str], NDArray[np.float32]], model: str
) -> NDArray[np.int8]:
    """(N, dimensions) int8 rows of texts, each run through the model by itself; blank texts give rows of zeros.

    One text a run, always of the same shape: there is no batch a row could depend on. Raises ModelError when a vector
    is not finite or not of unit length.
    """
    rows = np.zeros((len(texts), dimensions), dtype=np.int8)
    for row, text in enumerate(texts):
        plain = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        if plain.strip():
            rows[row] = quantise(run(plain), dimensions, model)
    return rows


def quantise(vector: FloatRow, dimensions: int, model: str) -> NDArray[np.int8]:
    """rint(127 x) of one unit vector (dimensions,). Raises ModelError when it is none."""
    if vector.shape != (dimensions,) or not np.isfinite(vector).all():
        raise ModelError(f"model {model}: gave a vector of shape {vector.shape} or with numbers that are not finite")
    length = float(np.sqrt((vector.astype(np.float64) ** 2).sum()))
    if not length > 0.0:
        raise ModelError(f"model {model}: gave a vector of length {length:g}")
    unit = vector.astype(np.float64) / length
    row: NDArray[np.int8] = np.rint(QUANTISATION * unit).astype(np.int8)
    return row


def missing_extra(embedder: str, error: ImportError, extra: str = "embed") -> MissingExtraError:
    """The error for an embedder whose packages are not installed."""
    return MissingExtraError(
        f"embedder {embedder!r} needs the extra `{extra}` (pip install 'part-edit-chains[{extra}]'): {error}"
    )
