"""Answers kept beside the chains, so that a rebuild asks nothing twice and needs no server."""

from __future__ import annotations

from pathlib import Path

from chains.storage import write_once
from engine.screening.protocol import Answer, Question, QuestionRecord, Screener
from schemas.base import SCHEMA_VERSION, Value
from schemas.codec import digest, encode, read_record
from schemas.errors import HashMismatchError


class ScreeningRecord(Value):
    """One question and its answer."""

    schema_version: str = SCHEMA_VERSION
    question: QuestionRecord
    answer: Answer


class RecordedScreener:
    """Answers from a folder first, from another screener else, and keeps what that one says."""

    def __init__(self, folder: Path, screener: Screener) -> None:
        self._folder = folder
        self._screener = screener

    def screen(self, question: Question) -> Answer:
        """Answer as `Screener.screen`.

        Raises SchemaError for a damaged record and HashMismatchError for one that answers another question; neither
        is asked again, since people may have written it.
        """
        path = self._folder / f"{question.sha256}.json"
        if not path.is_file():
            answer = self._screener.screen(question)
            # another worker may have asked the same meanwhile: the first answer counts for both
            write_once(path, encode(ScreeningRecord(question=question.record, answer=answer)))
        record = read_record(ScreeningRecord, path)
        actual = digest(record.question)
        if actual != question.sha256:
            raise HashMismatchError(f"{path}: answers another question ({actual[:12]})")
        return record.answer
