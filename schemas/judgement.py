"""What people say about drawn turns: which turns were drawn, and the ticks of one judge."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from schemas.base import SCHEMA_VERSION, Identifier, Value
from schemas.operation import OpName

Verdict = Literal[
    "looks right",
    "wrong part",
    "orientation or mounting",
    "scale",
    "floating",
    "buried",
    "broken dependency",
    "ambiguous or untrue instruction",
    "gives away the source",
    "other",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
RIGHT: Verdict = "looks right"
"""The one verdict that stands alone."""


class DrawnTurn(Value):
    """One turn of a judging page: what the page itself does not say."""

    number: int = Field(ge=1)
    """As printed on the page."""
    chain: Identifier
    turn: int = Field(ge=1)
    op: OpName
    page: str
    """File name of the picture."""


class DrawnTurns(Value):
    """The key to a folder of judging pages, kept apart from the pictures so that they give nothing away."""

    schema_version: str = SCHEMA_VERSION
    seed: int = Field(ge=0)
    turns: Annotated[tuple[DrawnTurn, ...], Field(strict=False)]

    @model_validator(mode="after")
    def _check_numbers(self) -> DrawnTurns:
        for position, turn in enumerate(self.turns, start=1):
            if turn.number != position:
                raise ValueError(f"turns[{position - 1}] has number {turn.number}, must be {position}")
        return self


class Tick(Value):
    """What one judge says about one turn."""

    number: int = Field(ge=1)
    verdicts: Annotated[tuple[Verdict, ...], Field(strict=False)] = ()
    """Empty as long as the turn is not judged; `looks right` alone, or one or more faults, the worst first."""
    note: str = ""

    @model_validator(mode="after")
    def _check_verdicts(self) -> Tick:
        if RIGHT in self.verdicts and len(self.verdicts) > 1:
            raise ValueError(f"number {self.number}: {RIGHT!r} stands alone, found {list(self.verdicts)}")
        if len(set(self.verdicts)) != len(self.verdicts):
            raise ValueError(f"number {self.number}: a verdict is given twice in {list(self.verdicts)}")
        return self


class Ticks(Value):
    """One judge's ticks for a folder of judging pages."""

    schema_version: str = SCHEMA_VERSION
    judge: str = ""
    """How the judge is called in summaries; empty in the template."""
    ticks: Annotated[tuple[Tick, ...], Field(strict=False)]
