"""What a folder of chains holds and how its build went, as `engine report` writes it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from schemas.base import SCHEMA_VERSION, Finite, Identifier, Sha256, Value
from schemas.chain import Family, RejectionCount
from schemas.operation import OpName

SHARE_BAND = 0.05
"""How far a share may lie from its target: five points."""
REPORTED_TURNS = 12
"""Turn indices whose shares are reported."""


class Spread(Value):
    """Smallest, middle and largest of some values."""

    min: Finite
    median: Finite
    max: Finite


class Bin(Value):
    """Values from `low` up to, but not including, `high`; the last bin of shares includes 1."""

    low: Finite
    high: Finite
    count: int


class Histogram(Value):
    """How values are spread."""

    values: int
    """How many were recorded."""
    unrecorded: int = 0
    """How many turns say nothing, as in foreign logs."""
    spread: Spread | None
    """Null without values."""
    bins: Annotated[tuple[Bin, ...], Field(strict=False)]


class OpShare(Value):
    """How often one operation occurs, against what its family aims at."""

    op: OpName
    count: int
    share: Finite | None
    """Of all turns looked at; null without turns."""
    target: Finite
    within: bool | None
    """Whether the share lies within five points of the target; null without turns."""


class OpCount(Value):
    """How often one operation occurs in all families together."""

    op: OpName
    count: int


class TurnShares(Value):
    """The operations of one turn index over all chains of a family that are long enough."""

    turn: int = Field(ge=1)
    chains: int
    ops: Annotated[tuple[OpShare, ...], Field(strict=False)]


class FamilyReport(Value):
    """One family: what was asked for, what was reached, and its operations turn by turn."""

    family: Family
    asked: int | None
    """Chains the build was to make; null when its settings are not there."""
    chains: int
    missing: int | None
    """Chains asked for and not reached; null when nobody knows what was asked."""
    abandoned: int | None
    """Null when the build has not recorded it."""
    ended_early: int | None
    """Chains with fewer turns than the build aimed at; null when no chain says what that was."""
    edits: int
    length: Spread | None
    ops: Annotated[tuple[OpShare, ...], Field(strict=False)]
    turns: Annotated[tuple[TurnShares, ...], Field(strict=False)]


class CategoryCount(Value):
    """Hosts of one category."""

    category: str | None
    """Null: hosts without one."""
    hosts: int
    chains: int


class ModeCounts(Value):
    """How placements of one operation were accepted."""

    op: OpName
    strict: int
    pull: int
    baseline: int
    unrecorded: int
    """Without a report, as in foreign logs."""


class CheckCount(Value):
    """Candidates that one check turned away."""

    check: str
    before_turns: int
    """While turns were looked for that were made in the end."""
    at_ends: int
    """In the failing turn of chains that ended early and were kept."""
    at_abandoned: int
    """In the last, failing turn of chains that were given up."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.before_turns + self.at_ends + self.at_abandoned


class Supports(Value):
    """Turns that serve the edit of a support, and turns that bring back what the chain added and took away."""

    detach: int
    reattach: int
    returned: int
    chains: int
    """Chains with such turns."""


class PartUse(Value):
    """One library part and how often chains put it in."""

    part: str
    """`object/part`."""
    label: str
    """As the first chain calls it."""
    uses: int


class UseCount(Value):
    """How many parts were used exactly so often."""

    uses: int
    parts: int


class PartsReport(Value):
    """Library parts that were added or put in; a piece that only comes back is no further use."""

    different: int
    uses: int
    most: int
    by_uses: Annotated[tuple[UseCount, ...], Field(strict=False)]
    most_used: Annotated[tuple[PartUse, ...], Field(strict=False)]


class BuildFacts(Value):
    """What decided the chains, as far as the folder says."""

    library_sha256: Sha256
    seed: int
    hosts: int
    """Hosts the build was given."""
    interpenetration: str
    screener: str | None


class RunFacts(Value):
    """What the build recorded of its own time."""

    started_utc: str
    ended_utc: str | None
    sessions: int
    wall_s: Finite
    workers: int
    turns: int
    turns_per_minute: Finite
    tried: int
    """Chains that were begun: accepted, abandoned, or surplus."""
    surplus: int
    chain_seconds: Spread | None
    slowest_chain: str | None


class SheetFile(Value):
    """One contact sheet beside the report."""

    chain: Identifier
    host: str
    turns: int
    file: str
    """Relative to the report, with `/`."""


class AbandonedChain(Value):
    """A chain that was given up, and why."""

    family: str
    host: str
    name: str | None
    """As other chains on the host call it; null when there are none."""
    reason: str
    rejected: Annotated[tuple[RejectionCount, ...], Field(strict=False)] = ()
    """Candidates turned away in the turn that failed; empty in folders of earlier releases."""


class RunReport(Value):
    """A folder of chains in numbers. Holds no time but what the build recorded."""

    schema_version: str = SCHEMA_VERSION
    chains: int
    edits: int
    hosts: int
    """Hosts that carry a chain."""
    share_band: Finite = SHARE_BAND
    build: BuildFacts | None
    """Null for chains that no build of this release left."""
    run: RunFacts | None
    families: Annotated[tuple[FamilyReport, ...], Field(strict=False)]
    ops: Annotated[tuple[OpCount, ...], Field(strict=False)]
    length: Histogram
    words: Histogram
    visible: Histogram
    categories: Annotated[tuple[CategoryCount, ...], Field(strict=False)]
    interpenetration: Annotated[tuple[ModeCounts, ...], Field(strict=False)]
    rejections: Annotated[tuple[CheckCount, ...], Field(strict=False)]
    """Most frequent first."""
    supports: Supports
    parts: PartsReport
    abandoned: Annotated[tuple[AbandonedChain, ...] | None, Field(strict=False)]
    """Null when the folder does not say, or not yet: builds write their reasons when they are complete."""
    sheets: Annotated[tuple[SheetFile, ...], Field(strict=False)]
