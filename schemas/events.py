"""What long jobs report while they run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Value
from schemas.chain import RejectionCount


class ChainBuilt(Value):
    """A chain is complete."""

    event: Literal["chain_built"] = "chain_built"
    chain: str
    turns: int


class ChainAbandoned(Value):
    """A host could not carry a chain of a family."""

    event: Literal["chain_abandoned"] = "chain_abandoned"
    host: str
    family: str
    reason: str
    rejected: Annotated[tuple[RejectionCount, ...], Field(strict=False)] = ()
    """Candidates turned away in the turn that failed, by check, the most frequent first."""


class UnitDone(Value):
    """One unit of a long job is done: `done` of `total`."""

    event: Literal["unit_done"] = "unit_done"
    job: str
    unit: str
    done: int
    total: int
