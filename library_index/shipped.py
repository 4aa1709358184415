"""Vectors that a source folder ships beside its parts, so that indexing it needs no model.

```
SRC/caption_vectors/head.json     model, hash of its weights, dimensions, hashes of the two other files
SRC/caption_vectors/texts.jsonl   one JSON text a line, sorted, each once
SRC/caption_vectors/vectors.i8    texts x dimensions signed bytes
```
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from chains.storage import check_regular, write_atomic
from library_index.content import digest_bytes
from library_index.library import Library
from library_index.queries import describe_part
from schemas.base import SCHEMA_VERSION, Sha256, Value
from schemas.codec import canonical, encode, read_record
from schemas.errors import HashMismatchError, InputError

SHIPPED_FOLDER = "caption_vectors"
HEAD_FILE, TEXTS_FILE, ROWS_FILE = "head.json", "texts.jsonl", "vectors.i8"
SHIPPED_FILES = (HEAD_FILE, TEXTS_FILE, ROWS_FILE)


class ShippedVectors(Value):
    """Head of shipped vectors."""

    schema_version: str = SCHEMA_VERSION
    model: str
    weights_sha256: Sha256
    dimensions: int = Field(ge=1)
    texts: int = Field(ge=0)
    texts_sha256: Sha256
    vectors_sha256: Sha256


class ShippedEmbedder:
    """Looks rows up that a model made before; `name` is `shipped`, `sha256` that of the model's weights."""

    name = "shipped"

    def __init__(self, folder: Path) -> None:
        """Open the folder `caption_vectors` of a source.

        Raises InputError or SchemaError when it cannot be read, HashMismatchError when a file is not the one its head
        describes.
        """
        self._folder = folder
        head = read_record(ShippedVectors, folder / HEAD_FILE)
        self._texts_data = _read_checked(folder / TEXTS_FILE, head.texts_sha256)
        data = _read_checked(folder / ROWS_FILE, head.vectors_sha256)
        if len(data) != head.texts * head.dimensions or self._texts_data.count(b"\n") != head.texts:
            raise HashMismatchError(
                f"{folder}: the files do not hold {head.texts} texts of {head.dimensions} dimensions"
            )
        self.model = head.model
        self.sha256 = head.weights_sha256
        self.dimensions = head.dimensions
        self._vectors = np.frombuffer(data, dtype=np.int8).reshape(head.texts, head.dimensions)

    def embed(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """(N, dimensions) int8. Raises InputError for a text that was not shipped."""
        missing = [text for text in texts if text not in self._rows]
        if missing:
            raise InputError(
                f"{self._folder}: {len(missing)} of {len(texts)} texts have no shipped vector, "
                f"first {missing[0]!r:.200}; the vectors are of other captions: make them again "
                "(`engine embedder ship`), or ask for an embedder (--embedder)"
            )
        rows: NDArray[np.int8] = self._vectors[[self._rows[text] for text in texts]]
        return rows

    @cached_property
    def _rows(self) -> dict[str, int]:
        lines = self._texts_data.split(b"\n")[:-1]
        return {str(json.loads(line)): row for row, line in enumerate(lines)}


def find_shipped(source: Path) -> ShippedEmbedder | None:
    """The vectors a source folder ships, or None. Raises as ShippedEmbedder for a folder that is there but broken."""
    folder = source / SHIPPED_FOLDER
    return ShippedEmbedder(folder) if (folder / HEAD_FILE).is_file() else None


def write_shipped(library: Library, source: Path) -> ShippedVectors:
    """Write the vectors of all texts of an index into the folder `caption_vectors` of `source`.

    Raises InputError for an index whose vectors are of no model.
    """
    manifest = library.manifest
    if manifest.model is None:
        raise InputError(
            f"{library.path}: its vectors are of the embedder {manifest.embedder!r}, which everyone has; "
            "only vectors of a model are worth shipping"
        )
    rows = dict(_texts_with_rows(library))
    texts = sorted(rows)
    lines = b"".join(canonical(text) + b"\n" for text in texts)
    vectors = b"".join(rows[text].tobytes() for text in texts)
    head = ShippedVectors(
        model=manifest.model,
        weights_sha256=manifest.embedder_sha256,
        dimensions=manifest.dimensions,
        texts=len(texts),
        texts_sha256=digest_bytes(lines),
        vectors_sha256=digest_bytes(vectors),
    )
    folder = source / SHIPPED_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in ((TEXTS_FILE, lines), (ROWS_FILE, vectors), (HEAD_FILE, encode(head))):
        write_atomic(folder / name, data)
    return head


def _texts_with_rows(library: Library) -> Iterator[tuple[str, NDArray[np.int8]]]:
    vectors, queries = library.vectors, library.queries
    for row in range(len(library.parts)):
        record = library.parts.at(row)
        yield describe_part(record, library.objects[record.ref.object_id]), vectors[row]
    for number in range(len(queries)):
        yield queries.text(number), queries.vectors[number]


def _read_checked(path: Path, expected: str) -> bytes:
    try:
        check_regular(path)
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if (actual := digest_bytes(data)) != expected:
        raise HashMismatchError(f"{path}: sha256 is {actual[:12]}, {HEAD_FILE} says {expected[:12]}")
    return data
