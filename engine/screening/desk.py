"""Where turns are brought before a screener."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chains.state import State
from engine.chat.client import ServerSettings
from engine.screening.protocol import (
    PROMPT_VERSION,
    Question,
    QuestionPictures,
    QuestionRecord,
    Screener,
    load_screener,
)
from engine.screening.recorded import RecordedScreener
from schemas.base import Value
from schemas.chain import Screening, Turn
from schemas.operation import GROUND, Add, Operation, Replace


class ScreenerChoice(Value):
    """Which screener a build asks: what decides its answers, without the address."""

    name: str
    model: str
    prompt_version: str = PROMPT_VERSION


@dataclass(frozen=True, slots=True)
class ScreeningDesk:
    """A screener and the model it asks."""

    model: str
    screener: Screener

    def ask(
        self, host: str, before: State, after: State, turn: Turn, draw: Callable[[], QuestionPictures]
    ) -> Screening:
        """Bring one turn before the screener. Raises as `Screener.screen`."""
        slot = turn.operation.slot
        question = Question(
            record=QuestionRecord(
                before_sha256=before.sha256,
                after_sha256=after.sha256,
                operation=without_report(turn.operation),
                instruction=turn.instruction,
                model=self.model,
            ),
            host=host,
            edited=after.by_slot[slot].label,
            where=_where(before, turn),
            draw=draw,
        )
        answer = self.screener.screen(question)
        return Screening(
            model=self.model, verdict=answer.verdict, reason=answer.reason, question_sha256=question.sha256
        )


def open_desk(choice: ScreenerChoice, url: str, key: str, folder: Path) -> ScreeningDesk:
    """A screener whose answers are kept in `folder`. Raises UnknownPluginError and SettingsError."""
    asked = load_screener(choice.name, ServerSettings(url=url, model=choice.model, key=key))
    return ScreeningDesk(choice.model, RecordedScreener(folder, asked))


def without_report(operation: Operation) -> Operation:
    """An operation without what was measured on it: that may differ in the last digit on another processor."""
    if not isinstance(operation, Add | Replace):
        return operation
    return operation.model_copy(update={"placement": operation.placement.model_copy(update={"report": None})})


def _where(before: State, turn: Turn) -> str:
    operation = turn.operation
    if not isinstance(operation, Add):
        return f"it was the {before.by_slot[operation.slot].label}"
    if operation.attach_to == GROUND:
        return "on the ground beside the object"
    return f"on the {before.by_slot[operation.attach_to].label}"
