"""Answers of rewriters kept beside the chains, and rewriters that have nothing else."""

from __future__ import annotations

from pathlib import Path

from engine.chat.recorded import AnswerFolder, AnswerRecord
from engine.rewriting.protocol import Question, Reply, Rewriter
from schemas.errors import RewritingError


class RewritingRecord(AnswerRecord):
    """One question and its answer."""

    question: Question
    answer: Reply


class RecordedRewriter:
    """Answers from a folder first, from another rewriter else, and keeps what that one says."""

    def __init__(self, folder: Path, rewriter: Rewriter) -> None:
        self._answers = AnswerFolder(folder, RewritingRecord)
        self._rewriter = rewriter

    def rewrite(self, question: Question) -> Reply:
        """Answer as `Rewriter.rewrite`. Raises SchemaError and HashMismatchError for records as AnswerFolder."""
        record = self._answers.find(question.sha256)
        if record is None:
            answer = self._rewriter.rewrite(question)
            record = self._answers.keep(RewritingRecord(question=question, answer=answer))
        return record.answer


class ReplayedRewriter:
    """Answers from a folder and asks nobody."""

    def __init__(self, folder: Path) -> None:
        self._answers = AnswerFolder(folder, RewritingRecord)

    def rewrite(self, question: Question) -> Reply:
        """The recorded answer. Raises RewritingError when there is none, else as RecordedRewriter."""
        record = self._answers.find(question.sha256)
        if record is None:
            raise RewritingError(
                f"{self._answers.folder}: no answer of {question.model} to {question.draft!r:.120} "
                f"(question {question.sha256[:12]}, {len(question.refused)} answers refused before)"
            )
        return record.answer
