"""Scores: measured numbers, each for a turn, a region and some views, or why there is none."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import SCHEMA_VERSION, Finite, Identifier, Sha256, Value
from schemas.chain import Family
from schemas.operation import OpName
from schemas.rollout import InputKind, MethodName, TurnStatus, Usage


class Undefined(Value):
    """A number that has no meaning here, and why: `4 cells to add, 8 are needed`. Never counted as 0 or 1."""

    reason: str


Measure = Finite | Literal["inf"] | Undefined
"""One score: a number; `inf` where two images are the same and PSNR has no bound; or undefined."""
RegionName = Literal["edit", "unchanged", "whole"]
"""E: the cells or pixels of the parts an instruction names, before and after, and a margin. U: all others. W: both."""
REGIONS: tuple[RegionName, ...] = ("edit", "unchanged", "whole")
ViewSet = Literal["all", "conditioning", "held_out"]
"""The four views, view 0, or views 1 to 3."""


class Score(Value):
    """One number of one turn."""

    metric: str
    region: RegionName = "whole"
    views: ViewSet | None = None
    """Null for what is measured in space."""
    value: Measure


class Count(Value):
    """How many cells, points or pixels something was measured on."""

    name: str
    count: int


class TurnScore(Value):
    """Everything measured on one turn of one method."""

    turn: int = Field(ge=1)
    op: OpName
    status: TurnStatus
    reason: str = ""
    """Why it failed."""
    key: Sha256 | None = None
    """Hash of everything that decides the scores of this turn; null unless delivered."""
    scores: Annotated[tuple[Score, ...], Field(strict=False)] = ()
    """Sorted by metric, region and views; empty unless delivered."""
    counts: Annotated[tuple[Count, ...], Field(strict=False)] = ()
    warnings: Annotated[tuple[str, ...], Field(strict=False)] = ()
    usage: Usage | None = None


class AbsentColumn(Value):
    """A metric that this run could not measure, and why: its weights are not there."""

    metric: str
    reason: str


class ChainScores(Value):
    """One method on one chain, as `<family>/<chain>.json`."""

    schema_version: str = SCHEMA_VERSION
    method: MethodName
    chain: Identifier
    family: Family
    host: Identifier
    input: InputKind
    chain_sha256: Sha256
    """Of the chain's canonical bytes."""
    protocol_sha256: Sha256
    """Hash of the options the scores were computed with; they lie in `protocol.json`."""
    unresolved: bool = False
    non_metallic: bool = False
    turns: Annotated[tuple[TurnScore, ...], Field(strict=False)]
    absent: Annotated[tuple[AbsentColumn, ...], Field(strict=False)] = ()
