"""Recorded answers: nothing is asked twice, and nothing recorded is believed blindly."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.screening.protocol import Answer, Question, QuestionPictures, QuestionRecord
from engine.screening.recorded import RecordedScreener
from schemas.errors import HashMismatchError, SchemaError, ScreeningError
from schemas.operation import Remove


def question(instruction: str = "Remove the lamp.", model: str = "eye-1", prompt: str = "1") -> Question:
    """A question that must not be drawn."""

    def draw() -> QuestionPictures:
        raise AssertionError("nobody needs the pictures")

    record = QuestionRecord(
        before_sha256="0" * 64,
        after_sha256="1" * 64,
        operation=Remove(slot="lamp"),
        instruction=instruction,
        model=model,
        prompt_version=prompt,
    )
    return Question(record=record, host="table", edited="lamp", where="", draw=draw)


class Counting:
    """Says a new reason each time."""

    def __init__(self) -> None:
        self.asked = 0

    def screen(self, _: Question) -> Answer:
        """Reject, and count."""
        self.asked += 1
        return Answer(verdict="reject", reason=f"reason {self.asked}")


class Silent:
    """A server that is off."""

    def screen(self, _: Question) -> Answer:
        """Raise."""
        raise ScreeningError("the server is off")


def test_an_answer_is_asked_for_once(tmp_path: Path) -> None:
    """The second time the record answers, also when the server is off."""
    counting = Counting()
    first = RecordedScreener(tmp_path, counting).screen(question())
    assert RecordedScreener(tmp_path, counting).screen(question()) == first
    assert RecordedScreener(tmp_path, Silent()).screen(question()) == first
    assert counting.asked == 1
    assert [path.name for path in tmp_path.iterdir()] == [f"{question().sha256}.json"]


def test_every_part_of_a_question_counts(tmp_path: Path) -> None:
    """Other words, another model or another prompt is another question."""
    counting = Counting()
    screener = RecordedScreener(tmp_path, counting)
    for other in (question(), question("Take the lamp away."), question(model="eye-2"), question(prompt="2")):
        screener.screen(other)
    assert counting.asked == 4


def test_a_failure_leaves_no_record(tmp_path: Path) -> None:
    """An error is passed on and not kept as an answer."""
    with pytest.raises(ScreeningError):
        RecordedScreener(tmp_path, Silent()).screen(question())
    assert list(tmp_path.iterdir()) == []


def test_the_first_of_two_answers_counts_for_both(tmp_path: Path) -> None:
    """When two workers ask the same at once, the one that is later takes the answer that is there."""
    counting = Counting()

    class Overtaken:
        """Asks while somebody else is faster."""

        def screen(self, asked: Question) -> Answer:
            """Let the other be first."""
            RecordedScreener(tmp_path, counting).screen(asked)
            return Answer(verdict="fit", reason="too late")

    assert RecordedScreener(tmp_path, Overtaken()).screen(question()).reason == "reason 1"


def test_a_damaged_or_foreign_record_is_an_error(tmp_path: Path) -> None:
    """A record that cannot be read, or that answers another question, is neither believed nor replaced."""
    counting = Counting()
    screener = RecordedScreener(tmp_path, counting)
    screener.screen(question())
    path, other = (tmp_path / f"{entry.sha256}.json" for entry in (question(), question("Another.")))
    other.write_bytes(path.read_bytes())
    with pytest.raises(HashMismatchError, match="answers another question"):
        screener.screen(question("Another."))
    path.write_bytes(b'{"answer":')
    with pytest.raises(SchemaError, match="not JSON"):
        screener.screen(question())
    assert counting.asked == 1
