"""Answers of screeners kept beside the chains."""

from __future__ import annotations

from pathlib import Path

from engine.chat.recorded import AnswerFolder, AnswerRecord
from engine.screening.protocol import Answer, Question, QuestionRecord, Screener


class ScreeningRecord(AnswerRecord):
    """One question and its answer."""

    question: QuestionRecord
    answer: Answer


class RecordedScreener:
    """Answers from a folder first, from another screener else, and keeps what that one says."""

    def __init__(self, folder: Path, screener: Screener) -> None:
        self._answers = AnswerFolder(folder, ScreeningRecord)
        self._screener = screener

    def screen(self, question: Question) -> Answer:
        """Answer as `Screener.screen`. Raises SchemaError and HashMismatchError for records as AnswerFolder."""
        record = self._answers.find(question.sha256)
        if record is None:
            answer = self._screener.screen(question)
            record = self._answers.keep(ScreeningRecord(question=question.record, answer=answer))
        return record.answer
