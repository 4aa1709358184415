"""Stored queries of an index, found by part and purpose."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from library_index.content import digest_path
from library_index.queries import PART_PURPOSES, QueryPurpose, QueryRow
from library_index.rows import QUERIES_FILE, QUERY_VECTORS_FILE, RowFile, check_index_file
from schemas.codec import decode
from schemas.errors import HashMismatchError, InputError
from schemas.part import LibraryManifest


class StoredQuery(NamedTuple):
    """What to look for, in words and as a vector."""

    text: str
    vector: NDArray[np.int8]
    """(dimensions,) int8, of the index's own embedder."""


class QueryRows:
    """Queries by number: of each object first `beside`, then `add`, `kind` and `replace` of each of its parts."""

    def __init__(self, folder: Path, manifest: LibraryManifest) -> None:
        """Check the hashes of both files.

        Raises InputError for an index of an earlier release, without queries, and HashMismatchError for damaged files.
        """
        if manifest.queries_sha256 is None or manifest.query_vectors_sha256 is None:
            raise InputError(
                f"{folder}: the index holds no query vectors, it was built by an earlier release: "
                "run `engine library build` again"
            )
        self._rows = RowFile(folder / QUERIES_FILE, manifest.queries_sha256)
        self._vectors_path = folder / QUERY_VECTORS_FILE
        check_index_file(self._vectors_path, manifest.query_vectors_sha256, digest_path(self._vectors_path))
        self._shape = (manifest.objects + len(PART_PURPOSES) * manifest.parts, manifest.dimensions)
        size = self._vectors_path.stat().st_size
        if len(self._rows) != self._shape[0] or size != self._shape[0] * self._shape[1]:
            raise HashMismatchError(
                f"{folder}: {len(self._rows)} queries and {size} bytes of vectors, "
                f"the manifest says {self._shape[0]} x {self._shape[1]}"
            )

    def __len__(self) -> int:
        return len(self._rows)

    def text(self, number: int) -> str:
        """Words of a query."""
        return self._read(number).text

    @property
    def vectors(self) -> NDArray[np.int8]:
        """(queries, dimensions) int8, mapped from disk."""
        if not self._shape[0]:
            return np.zeros(self._shape, dtype=np.int8)
        mapped: NDArray[np.int8] = np.memmap(self._vectors_path, dtype=np.int8, mode="r", shape=self._shape)
        return mapped

    def kinds(self, object_rows: NDArray[np.int64]) -> NDArray[np.int8]:
        """(parts, dimensions) int8: the vectors of the head nouns of all parts; `object_rows` is (parts,)."""
        places = np.arange(len(object_rows), dtype=np.int64)
        numbers = object_rows + 1 + len(PART_PURPOSES) * places + PART_PURPOSES.index("kind")
        rows: NDArray[np.int8] = self.vectors[numbers]
        return rows

    def at(self, object_row: int, first_part_row: int, part_row: int, purpose: QueryPurpose) -> StoredQuery:
        """Query of a part: its row, that of the first part of its object, and that of the object in `objects`."""
        number = query_number(object_row, first_part_row, part_row, purpose)
        vector: NDArray[np.int8] = np.array(self.vectors[number])
        return StoredQuery(self.text(number), vector)

    def _read(self, number: int) -> QueryRow:
        return decode(QueryRow, self._rows[number], f"{self._rows.path}, line {number + 1}")


def query_number(object_row: int, first_part_row: int, part_row: int, purpose: QueryPurpose) -> int:
    """Row of a query; see QueryRows for the order."""
    if purpose == "beside":
        return object_row + len(PART_PURPOSES) * first_part_row
    return object_row + 1 + len(PART_PURPOSES) * part_row + PART_PURPOSES.index(purpose)
