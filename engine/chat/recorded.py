"""Answers kept beside the chains, so that nothing is asked twice and a repetition needs no server."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

from chains.storage import write_once
from schemas.base import SCHEMA_VERSION, Sha256, Value
from schemas.codec import digest, encode, read_record
from schemas.errors import HashMismatchError


class AnswerRecord(Value):
    """One question; those who ask add what was answered."""

    schema_version: str = SCHEMA_VERSION
    question: Value


R = TypeVar("R", bound=AnswerRecord)


class AnswerFolder(Generic[R]):
    """Records of one kind, each in a file named by the hash of its question."""

    def __init__(self, folder: Path, kind: type[R]) -> None:
        self.folder = folder
        self._kind = kind

    def find(self, question_sha256: Sha256) -> R | None:
        """The record of a question; None where there is none.

        Raises SchemaError for a damaged record and HashMismatchError for one that answers another question; neither
        is asked again, since people may have written it.
        """
        path = self._path(question_sha256)
        if not path.is_file():
            return None
        record = read_record(self._kind, path)
        actual = digest(record.question)
        if actual != question_sha256:
            raise HashMismatchError(f"{path}: answers another question ({actual[:12]})")
        return record

    def keep(self, record: R) -> R:
        """Write a record and return the one that counts: another worker may have asked the same meanwhile."""
        sha256 = digest(record.question)
        write_once(self._path(sha256), encode(record))
        return self.find(sha256) or record

    def _path(self, question_sha256: Sha256) -> Path:
        return self.folder / f"{question_sha256}.json"
