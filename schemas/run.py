"""How a build went: times and outcomes, written beside the chains and never hashed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import SCHEMA_VERSION, Finite, Identifier, Value

Outcome = Literal["accepted", "abandoned", "surplus"]
"""Surplus: complete, but its family had enough chains by then."""


class RunChain(Value):
    """One chain that was tried."""

    chain: Identifier
    outcome: Outcome
    turns: int = Field(ge=0)
    """Of the chain as accepted; 0 for the others."""
    seconds: Finite
    """Time of its worker over all sessions, what a kill cut off not counted."""


class RunRecord(Value):
    """The sessions of one build, from the first start to the last end."""

    schema_version: str = SCHEMA_VERSION
    started_utc: str
    """Start of the first session: `2026-01-31T12:00:00Z`."""
    ended_utc: str | None = None
    """Null while the build is not complete."""
    sessions: int = Field(ge=1)
    """How often the build was started; 1 without interruption."""
    wall_s: Finite
    """Of all sessions together, without the pauses between them."""
    workers: int = Field(ge=1)
    """Of the last session."""
    turns: int = Field(ge=0)
    """Accepted turns."""
    chains: Annotated[tuple[RunChain, ...], Field(strict=False)] = ()
    """In the order of the schedule."""

    @property
    def turns_per_minute(self) -> float:
        """Accepted turns a minute of wall time; 0 before any time has passed."""
        return 60.0 * self.turns / self.wall_s if self.wall_s > 0.0 else 0.0
