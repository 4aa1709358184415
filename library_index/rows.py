"""Files of canonical JSON lines and of fixed-width rows: written in one pass, read by row without loading the rest."""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from chains.storage import open_atomic
from schemas.errors import HashMismatchError, InputError

MANIFEST_FILE, PARTS_FILE, OBJECTS_FILE = "manifest.json", "parts.jsonl", "objects.jsonl"
VECTORS_FILE = "vectors.i8"
QUERIES_FILE, QUERY_VECTORS_FILE = "queries.jsonl", "queries.i8"
_SCAN_BYTES = 1 << 24


class HashedWriter:
    """A file being written, with the SHA-256 of what went in."""

    def __init__(self, file: BinaryIO | None) -> None:
        """Write to `file`, or only hash when it is None."""
        self._file = file
        self._hasher = hashlib.sha256()

    def write(self, data: bytes) -> None:
        """Append bytes."""
        if self._file is not None:
            self._file.write(data)
        self._hasher.update(data)

    @property
    def sha256(self) -> str:
        """Hash of everything written so far."""
        return self._hasher.hexdigest()


@contextlib.contextmanager
def open_hashed(path: Path) -> Iterator[HashedWriter]:
    """Write a large file piece by piece, complete or not at all, hashed on the way. Raises OutputError."""
    with open_atomic(path) as file:
        yield HashedWriter(file)


class RowFile:
    """A read-only file of lines, reached by row number through an offset table (8 bytes a row in memory)."""

    def __init__(self, path: Path, expected_sha256: str) -> None:
        """Map `path` and check its hash.

        Raises InputError when it cannot be read and HashMismatchError when its bytes are not the expected ones.
        """
        self.path = path
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                self._data: mmap.mmap | bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        self._offsets = self._scan(expected_sha256)

    def _scan(self, expected_sha256: str) -> NDArray[np.int64]:
        """Hash the file and find the line starts in the same pass."""
        hasher = hashlib.sha256()
        starts = [np.zeros(1, dtype=np.int64)]
        for begin in range(0, len(self._data), _SCAN_BYTES):
            block = self._data[begin : begin + _SCAN_BYTES]
            hasher.update(block)
            ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == 10)
            starts.append(ends.astype(np.int64) + (begin + 1))
        check_index_file(self.path, expected_sha256, hasher.hexdigest())
        return np.concatenate(starts)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, row: int) -> bytes:
        """Read the line of one row, without its line feed."""
        return bytes(self._data[int(self._offsets[row]) : int(self._offsets[row + 1]) - 1])


def check_index_file(path: Path, expected_sha256: str, actual_sha256: str) -> None:
    """Raise HashMismatchError when a file of the index is not the one its manifest describes."""
    if actual_sha256 != expected_sha256:
        raise HashMismatchError(
            f"{path}: sha256 is {actual_sha256[:12]}, the manifest says {expected_sha256[:12]}; "
            "the index is damaged or a build was cut short: run the build again"
        )
