"""An index, opened: rows are read when asked for, and its files are checked against its manifest."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from library_index.columns import PartColumns, read_columns
from library_index.content import digest_path
from library_index.queries import QueryPurpose
from library_index.query_rows import QueryRows, StoredQuery
from library_index.rows import MANIFEST_FILE, OBJECTS_FILE, PARTS_FILE, VECTORS_FILE, RowFile, check_index_file
from library_index.source import read_source
from schemas.codec import decode, read_record
from schemas.errors import HashMismatchError, InputError, PartHashError, PartNotFoundError
from schemas.part import LibraryManifest, ObjectRecord, PartRecord, PartRef

PartKey = tuple[str, str]
_CACHED_ROWS = 8192
_REF = re.compile(rb'"ref":\{"library":"(?:[^"\\]|\\.)*","object_id":"((?:[^"\\]|\\.)*)","part_id":"((?:[^"\\]|\\.)*)"')
"""A part reference in canonical JSON; inside a text its quotes would be escaped."""


class PartRows(Mapping[PartKey, PartRecord]):
    """Part records by (object id, part id), in the order of ids; found by bisection, decoded when asked for."""

    def __init__(self, rows: RowFile) -> None:
        self._rows = rows
        self._read = lru_cache(maxsize=_CACHED_ROWS)(self._decode)
        self._key_at = lru_cache(maxsize=_CACHED_ROWS)(self._decode_key)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[PartKey]:
        return (self._decode_key(row) for row in range(len(self._rows)))

    def __getitem__(self, key: PartKey) -> PartRecord:
        row = self.find_row(key)
        if row is None:
            raise KeyError(key)
        return self._read(row)

    def at(self, row: int) -> PartRecord:
        """Read the record of one row."""
        return self._read(row)

    def lines(self) -> Iterator[bytes]:
        """Yield the rows as JSON."""
        return (self._rows[row] for row in range(len(self._rows)))

    def find_row(self, key: PartKey) -> int | None:
        """Row of a part, or None."""
        row = self.first_row(key)
        return row if row < len(self._rows) and self._key_at(row) == key else None

    def first_row(self, key: tuple[str, ...]) -> int:
        """First row whose key is not below `key`."""
        return bisect_left(range(len(self._rows)), key, key=self._key_at)

    def _decode_key(self, row: int) -> PartKey:
        """The ids alone, out of the canonical row: a fiftieth of the work of a whole record."""
        found = reference_in(self._rows[row])
        if found is None:
            raise HashMismatchError(f"{self._rows.path}, line {row + 1}: the row has no part reference")
        return found

    def _decode(self, row: int) -> PartRecord:
        return decode(PartRecord, self._rows[row], f"{self._rows.path}, line {row + 1}")


class ObjectRows(Mapping[str, ObjectRecord]):
    """Object records by object id, in the order of ids; found by bisection, decoded when asked for."""

    def __init__(self, rows: RowFile) -> None:
        self._rows = rows
        self._read = lru_cache(maxsize=_CACHED_ROWS)(self._decode)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[str]:
        return (self._decode(row).object_id for row in range(len(self._rows)))

    def __getitem__(self, object_id: str) -> ObjectRecord:
        row = self.find_row(object_id)
        if row is None:
            raise KeyError(object_id)
        return self._read(row)

    def find_row(self, object_id: str) -> int | None:
        """Row of an object, or None."""
        row = bisect_left(range(len(self._rows)), object_id, key=lambda place: self._read(place).object_id)
        return row if row < len(self._rows) and self._read(row).object_id == object_id else None

    def lines(self) -> Iterator[bytes]:
        """Yield the rows as JSON."""
        return (self._rows[row] for row in range(len(self._rows)))

    def _decode(self, row: int) -> ObjectRecord:
        return decode(ObjectRecord, self._rows[row], f"{self._rows.path}, line {row + 1}")


class Library:
    """See `open_library`."""

    def __init__(self, path: Path, manifest: LibraryManifest, parts: RowFile, objects: RowFile) -> None:
        self.path = path
        self.manifest = manifest
        self.parts = PartRows(parts)
        self.objects = ObjectRows(objects)

    @cached_property
    def source_root(self) -> Path:
        """Find the folder of the part files. Raises InputError when it is not there."""
        return read_source(self.path)

    @property
    def vectors(self) -> NDArray[np.int8]:
        """(parts, dimensions) int8, mapped from disk, in the order of `parts`."""
        shape = (self.manifest.parts, self.manifest.dimensions)
        if not self.manifest.parts:
            return np.zeros(shape, dtype=np.int8)
        mapped: NDArray[np.int8] = np.memmap(self.path / VECTORS_FILE, dtype=np.int8, mode="r", shape=shape)
        return mapped

    @cached_property
    def columns(self) -> PartColumns:
        """What filters look at, read once from all rows."""
        return read_columns(self.parts.lines(), self.objects.lines())

    @cached_property
    def queries(self) -> QueryRows:
        """The stored queries. Raises InputError for an index without, HashMismatchError for damaged files."""
        return QueryRows(self.path, self.manifest)

    def find_query(self, ref: PartRef, purpose: QueryPurpose) -> StoredQuery:
        """What belongs in the place of a part, on it, or beside its object, in words and as a vector.

        Raises PartNotFoundError when the part is not in the index, and the errors of `queries`.
        """
        part_row = self.parts.find_row((ref.object_id, ref.part_id))
        object_row = self.objects.find_row(ref.object_id)
        if part_row is None or object_row is None:
            raise PartNotFoundError(f"part {ref} is not in library {self.manifest.library} ({self.path})")
        return self.queries.at(object_row, self.parts.first_row((ref.object_id,)), part_row, purpose)

    def records_of(self, object_id: str) -> tuple[PartRecord, ...]:
        """All parts of one object in the order of its record. Raises PartNotFoundError."""
        record = self.objects.get(object_id)
        if record is None:
            raise PartNotFoundError(f"object {object_id} is not in library {self.manifest.library} ({self.path})")
        return tuple(self.parts[object_id, part_id] for part_id in record.parts)

    def find(self, ref: PartRef) -> PartRecord:
        """Find the record of a part, whatever the library is called now: identity and content decide.

        Raises PartNotFoundError when it is not there and PartHashError when it is, with other content.
        """
        record = self.parts.get((ref.object_id, ref.part_id))
        if record is None:
            raise PartNotFoundError(f"part {ref} is not in library {self.manifest.library} ({self.path})")
        if record.ref.sha256 != ref.sha256:
            raise PartHashError(f"part {ref}", ref.sha256, record.ref.sha256)
        return record

    def path_of(self, record: PartRecord) -> Path:
        """Locate the part's file. Raises PartNotFoundError when the record's path leads out of the source folder."""
        return self.confined(record.file)

    def confined(self, name: str) -> Path:
        """Locate a file below the source folder by its relative name, symbolic links included.

        Raises PartNotFoundError when the name leads out of the folder.
        """
        root = self.source_root
        try:
            path = (root / name).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise PartNotFoundError(f"{name:.200}: cannot be found below the source folder {root}: {error}") from error
        if not path.is_relative_to(root):
            raise PartNotFoundError(f"{name}: leads out of the source folder {root}")
        return path


def open_library(path: Path) -> Library:
    """Open an index folder.

    Raises InputError when it is not an index, SchemaError for a damaged manifest, HashMismatchError when a file of
    the index is not the one the manifest describes.
    """
    try:
        folder = path.resolve()
        is_index = (folder / MANIFEST_FILE).is_file()
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: cannot be a folder: {getattr(error, 'strerror', None) or error}") from error
    if not is_index:
        raise InputError(f"{path}: is not a library index (no {MANIFEST_FILE}); make one with `engine library build`")
    manifest = read_record(LibraryManifest, folder / MANIFEST_FILE)
    parts = RowFile(folder / PARTS_FILE, manifest.parts_sha256)
    objects = RowFile(folder / OBJECTS_FILE, manifest.objects_sha256)
    check_index_file(folder / VECTORS_FILE, manifest.vectors_sha256, digest_path(folder / VECTORS_FILE))
    size = (folder / VECTORS_FILE).stat().st_size
    if size != manifest.parts * manifest.dimensions:
        raise HashMismatchError(
            f"{folder / VECTORS_FILE}: {size} bytes, the manifest says {manifest.parts} x {manifest.dimensions}"
        )
    if (len(parts), len(objects)) != (manifest.parts, manifest.objects):
        raise HashMismatchError(
            f"{folder}: {len(parts)} part and {len(objects)} object rows, "
            f"the manifest says {manifest.parts} and {manifest.objects}"
        )
    return Library(folder, manifest, parts, objects)


def reference_in(row: bytes) -> PartKey | None:
    """Object and part id of a canonical part row, without reading the rest; None when there is no reference."""
    found = _REF.search(row)
    return (_text(found[1]), _text(found[2])) if found else None


def _text(data: bytes) -> str:
    """A JSON text without its quotes, decoded."""
    return str(json.loads(b'"' + data + b'"')) if b"\\" in data else data.decode()
