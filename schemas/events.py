"""What long jobs report while they run."""

from __future__ import annotations

from typing import Literal

from schemas.base import Value
from schemas.placement import Rejection


class CandidateRejected(Value):
    """A candidate failed a check."""

    event: Literal["candidate_rejected"] = "candidate_rejected"
    chain: str
    turn: int
    part: str
    rejection: Rejection


class TurnBuilt(Value):
    """A turn was accepted and written."""

    event: Literal["turn_built"] = "turn_built"
    chain: str
    turn: int
    op: str
    slot: str


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


Event = CandidateRejected | TurnBuilt | ChainBuilt | ChainAbandoned | UnitDone
