"""The port every rewriter fills: a draft and what is known of the edit in, a better sentence out."""

from __future__ import annotations

from typing import Annotated, Protocol

from pydantic import Field

from engine.chat.client import ServerSettings
from schemas.base import SCHEMA_VERSION, Sha256, Value
from schemas.chain import Purpose
from schemas.codec import digest
from schemas.operation import OpName
from schemas.plugins import find_plugin

GROUP = "engine.rewriters"
PROMPT_VERSION = "1"
"""Changes with every word of the prompt: answers to other prompts do not count."""


class PieceName(Value):
    """What a piece is called before the edit, and whether the draft speaks of it."""

    label: str
    named: bool


class RefusedAnswer(Value):
    """An earlier answer and what is held against it."""

    said: str
    reasons: Annotated[tuple[str, ...], Field(strict=False)]


class Question(Value):
    """One sentence to say better. Holds nothing of files, slots, parts or libraries, so that no answer can."""

    schema_version: str = SCHEMA_VERSION
    prompt_version: str = PROMPT_VERSION
    model: str
    host: str
    """What the whole object is called."""
    op: OpName
    purpose: Purpose | None = None
    draft: str
    pieces: Annotated[tuple[PieceName, ...], Field(strict=False)]
    """Every piece that stands before the edit, by label."""
    new: str | None = None
    """What the edited piece is called afterwards; null where nothing comes or changes its name."""
    material: str | None = None
    """The new look of a retexture, in words."""
    relations: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Where the draft says that things are: `on top of the crate`."""
    chinese: bool = False
    """Whether a Chinese sentence is wanted too."""
    refused: Annotated[tuple[RefusedAnswer, ...], Field(strict=False)] = ()
    """Earlier answers to this question, oldest first."""

    @property
    def sha256(self) -> Sha256:
        """Hash of the canonical content."""
        return digest(self)


class Reply(Value):
    """What a rewriter says."""

    english: str | None
    """Null when the answer was not of the agreed form."""
    chinese: str | None = None
    said: str | None = None
    """The beginning of an answer that was not of the agreed form."""
    at_utc: str
    """When it was said: a repetition from recorded answers gives the same history."""


class Rewriter(Protocol):
    """Says an instruction as a person would."""

    def rewrite(self, question: Question) -> Reply:
        """Answer one question. Raises RewritingError when nobody could be asked."""
        ...


def load_rewriter(name: str, settings: ServerSettings) -> Rewriter:
    """Make the installed rewriter of that name. Raises UnknownPluginError with the nearest known name."""
    rewriter: Rewriter = find_plugin(GROUP, name, "rewriter")(settings)
    return rewriter
