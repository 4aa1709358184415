"""What long jobs report while they run."""

from __future__ import annotations

from typing import Literal

from schemas.base import Value


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


class UnitDone(Value):
    """One unit of a long job is done: `done` of `total`."""

    event: Literal["unit_done"] = "unit_done"
    job: str
    unit: str
    done: int
    total: int
