"""Checking every part file of an index against its recorded hash."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from library_index.content import digest_files, digest_path
from library_index.library import Library
from library_index.store import path_name, relative_uri
from schemas.errors import InputError
from schemas.part import PartRecord


class PartProblem(NamedTuple):
    """A part that is not what the index says."""

    part: str
    file: str
    problem: Literal["missing", "mismatch"]
    detail: str


def find_problems(library: Library) -> Iterator[PartProblem]:
    """Yield the parts whose files are missing or changed, in the order of parts; every file is read in full."""
    last: tuple[str, str] = ("", "")
    for row in range(len(library.parts)):
        record = library.parts.at(row)
        try:
            main = last[1] if last[0] == record.file else digest_path(library.path_of(record))
            last = (record.file, main)
            actual = digest_files(path_name(record.file), main, _digest_others(library, record))
        except InputError as error:
            yield PartProblem(str(record.ref), record.file, "missing", str(error))
            continue
        if actual != record.ref.sha256:
            detail = f"sha256 is {actual[:12]}, the index says {record.ref.sha256[:12]}"
            yield PartProblem(str(record.ref), record.file, "mismatch", detail)


def _digest_others(library: Library, record: PartRecord) -> dict[str, str]:
    return {relative_uri(record.file, name): digest_path(library.confined(name)) for name in record.files}
