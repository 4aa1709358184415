"""The port every screener fills: pictures and words of an edit in, fit or reject out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from engine.chat.client import ServerSettings
from schemas.base import SCHEMA_VERSION, Sha256, Value
from schemas.chain import ScreenVerdict
from schemas.codec import digest
from schemas.operation import Operation
from schemas.plugins import find_plugin

GROUP = "engine.screeners"
PROMPT_VERSION = "1"
"""Changes with every word of the prompt and with what the pictures show: answers to other prompts do not count."""


class QuestionRecord(Value):
    """What a question is about, without pictures: the hashed part."""

    schema_version: str = SCHEMA_VERSION
    before_sha256: Sha256
    """Symbolic state before the edit."""
    after_sha256: Sha256
    """Symbolic state after it."""
    operation: Operation
    """Without the report of its checks."""
    instruction: str
    model: str
    prompt_version: str = PROMPT_VERSION


@dataclass(frozen=True, slots=True)
class QuestionPictures:
    """PNG files of one edit, all of the same size."""

    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    """The edited part outlined."""
    close_up: bytes = field(repr=False)
    """After, without outline, near the edited part."""


@dataclass(frozen=True, slots=True)
class Question:
    """One edit to judge. Pictures are drawn when a screener asks for them: a recorded answer needs none."""

    record: QuestionRecord
    host: str
    """What the whole object is called."""
    edited: str
    """What the edited piece is called after the edit."""
    where: str
    """What it stands on, or what it takes the place of; empty where there is nothing to say."""
    draw: Callable[[], QuestionPictures] = field(repr=False)

    @property
    def sha256(self) -> str:
        """Hash of the canonical content."""
        return digest(self.record)


class Answer(Value):
    """What a screener says."""

    verdict: ScreenVerdict
    reason: str


class Screener(Protocol):
    """Says whether an edit looks right."""

    def screen(self, question: Question) -> Answer:
        """Look at one edit.

        Raises ScreeningError when no answer of the agreed form could be had: never a verdict then.
        """
        ...


def load_screener(name: str, settings: ServerSettings) -> Screener:
    """Make the installed screener of that name. Raises UnknownPluginError with the nearest known name."""
    screener: Screener = find_plugin(GROUP, name, "screener")(settings)
    return screener
