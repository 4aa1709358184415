"""Verified bytes of parts: read once, checked against the hash a chain records."""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from chains.storage import check_regular
from library_index.content import digest_bytes, digest_files, digest_path
from library_index.library import Library
from schemas.errors import InputError, PartHashError, PartNotFoundError
from schemas.part import PartRecord, PartRef

DEFAULT_CACHE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A part as it lies in its library, with bytes that match its reference."""

    path: Path
    root: Path
    """Folder that further files of the part may not lead out of."""
    node: str | None
    data: bytes = field(repr=False)
    main_sha256: str
    """Hash of `data`; it is the part's own hash unless the part needs further files."""
    record: PartRecord


class PartStore:
    """Reads parts of one library. Keeps recently read files up to a number of bytes; not shared between processes."""

    def __init__(self, library: Library, *, cache_bytes: int = DEFAULT_CACHE_BYTES) -> None:
        self._library = library
        self._root = library.source_root
        self._limit = cache_bytes
        self._held = 0
        self._recent: OrderedDict[str, tuple[bytes, str]] = OrderedDict()

    @property
    def library(self) -> Library:
        """The index behind the store."""
        return self._library

    def read(self, ref: PartRef) -> StoredPart:
        """Read a part's file and verify it, further files included.

        Raises PartNotFoundError when the part or a file is missing and PartHashError when its content is other than
        the reference says.
        """
        record = self._library.find(ref)
        path = self._library.path_of(record)
        data, main = self._read_file(record, path)
        others = {
            relative_uri(record.file, name): self._digest_other(record, self._library.confined(name))
            for name in record.files
        }
        actual = digest_files(path_name(record.file), main, others)
        if actual != ref.sha256:
            raise PartHashError(f"part {ref} ({path})", ref.sha256, actual)
        return StoredPart(path=path, root=self._root, node=record.node, data=data, main_sha256=main, record=record)

    def _read_file(self, record: PartRecord, path: Path) -> tuple[bytes, str]:
        """Bytes of the main file and their hash, from memory when it was read of late."""
        held = self._recent.get(record.file)
        if held is not None:
            self._recent.move_to_end(record.file)
            return held
        try:
            check_regular(path)
            data = path.read_bytes()
        except OSError as error:
            raise PartNotFoundError(f"part {record.ref}: {path} cannot be read: {error.strerror}") from error
        except InputError as error:
            raise PartNotFoundError(f"part {record.ref}: {error}") from error
        entry = (data, digest_bytes(data))
        if len(data) <= self._limit:
            self._recent[record.file] = entry
            self._held += len(data)
        while self._held > self._limit:
            _, (dropped, _) = self._recent.popitem(last=False)
            self._held -= len(dropped)
        return entry

    def _digest_other(self, record: PartRecord, path: Path) -> str:
        try:
            return digest_path(path)
        except InputError as error:
            raise PartNotFoundError(f"part {record.ref}: {error}") from error


def path_name(file: str) -> str:
    """Last segment of a path with `/`."""
    return file.rsplit("/", 1)[-1]


def relative_uri(main: str, other: str) -> str:
    """Path of another file as seen from the folder of the main file, both given below one root, with `/`."""
    return Path(os.path.relpath(other, os.path.dirname(main) or ".")).as_posix()  # noqa: PTH120  # no path on disk
