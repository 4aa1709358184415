"""Chains: a host, its turns and their history."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from schemas.base import SCHEMA_VERSION, Finite, Identifier, Sha256, SlotId, Value, Vec3
from schemas.operation import Add, Operation, Remove
from schemas.part import Host
from schemas.placement import Limits

Family = Literal["A", "R", "P", "M", "G", "X"]
"""A mostly add, R only remove, P only replace, M only retexture, G geometry mix, X geometry and material mix."""
FAMILIES: tuple[Family, ...] = ("A", "R", "P", "M", "G", "X")
Purpose = Literal["detach", "reattach", "return"]
"""Detach: a removal that frees a support to be replaced or removed. Reattach: the piece comes back onto it.

Return: a piece that an earlier turn added and another took away comes back exactly as it stood.
"""
PURPOSES: tuple[Purpose, ...] = ("detach", "reattach", "return")


SearchMode = Literal["quarters", "dense"]
"""Candidate directions every 90 or every 15 degrees."""


class DirectionValue(Value):
    """How well one direction shows the edits of a chain."""

    azimuth_deg: Finite
    value: Finite
    """The share of its worst turn; 0 without turns."""
    worst_turn: int | None = None
    turns: Annotated[tuple[Finite, ...], Field(strict=False)]
    """Estimated share of the frame in which each turn's edit shows."""


class CameraSearch(Value):
    """What the direction of view 0 was chosen from."""

    mode: SearchMode
    points: int
    """Surface points looked at of each edited piece."""
    directions: Annotated[tuple[DirectionValue, ...], Field(strict=False)]
    """The default direction first."""


DEFAULT_AZIMUTH_DEG = 35.0
DEFAULT_RESOLUTION_PX = 512


class Rig(Value):
    """The cameras of a chain; view 0 conditions, the others are held out. Angles in degrees, glTF axes."""

    center: Vec3
    radius: Finite = Field(ge=0.0)
    azimuths_deg: Annotated[tuple[Finite, ...], Field(min_length=1, strict=False)] = (
        DEFAULT_AZIMUTH_DEG,
        125.0,
        215.0,
        305.0,
    )
    elevation_deg: Finite = 25.0
    focal_mm: Finite = Field(default=50.0, gt=0.0)
    sensor_mm: Finite = Field(default=36.0, gt=0.0)
    resolution_px: int = Field(default=DEFAULT_RESOLUTION_PX, ge=1, le=4096)
    search: CameraSearch | None = None
    """Null when the default direction was taken without a search."""


class RejectionCount(Value):
    """How many candidates one check turned away."""

    check: str
    count: int


ScreenVerdict = Literal["fit", "reject"]


class Screening(Value):
    """What a screener that looked at pictures of an accepted turn said."""

    model: str
    verdict: ScreenVerdict
    reason: str
    question_sha256: Sha256
    """Hash of states, operation, instruction, model and prompt version; names the record in `screening/`."""


RewriteOutcome = Literal["taken", "refused"]


class Rewriting(Value):
    """What became of the draft when a rewriter was asked to say it better."""

    model: str
    question_sha256: Sha256
    """Hash of the first question; names its record in `rewriting/`. Later questions tell what was refused."""
    outcome: RewriteOutcome
    """Taken: the instruction is the rewriter's. Refused: it is the draft."""
    attempts: int = Field(ge=1)
    """Answers that were looked at, the last one included."""
    reasons: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """What was held against the last answer; empty when it was taken."""
    zh_reason: str | None = None
    """Why the Chinese sentence was dropped; null when it was kept or none was wanted."""


class Retrieval(Value):
    """What was looked for when a turn's part was found; never computed again."""

    text: str
    """What belongs there, in words."""
    embedder: str
    embedder_sha256: Sha256
    """Hash of the weights or the definition that made the vector."""
    vector: str = Field(pattern=r"^[A-Za-z0-9+/]*={0,2}$")
    """Base64 of the text's vector: one signed byte a dimension."""


class EditCells(Value):
    """What a turn changes of the cells that the ground truth fills, in the chain's frame of 64 cells a side."""

    gained: int = Field(ge=0)
    """Cells that the state after the turn fills and the one before does not."""
    lost: int = Field(ge=0)
    """Cells that the state before the turn fills and the one after does not."""


class Turn(Value):
    """One edit and what it must lead to."""

    index: int = Field(ge=1)
    operation: Operation
    instruction: str
    instruction_draft: str | None = None
    """The builder's sentence when another took its place; null while it is the instruction."""
    instruction_zh: str | None = None
    """The instruction in Chinese; never required."""
    rewriting: Rewriting | None = None
    """Null when no rewriter was asked."""
    named_slots: Annotated[tuple[SlotId, ...], Field(strict=False)] = ()
    """Slots the instruction speaks of, the edited one first."""
    purpose: Purpose | None = None
    """What the turn is for when it serves the edit of a support or undoes a removal; null for an edit of its own."""
    returns: int | None = Field(default=None, ge=1)
    """For a piece that comes back, the turn that took it away; null otherwise."""
    refers_to: int | None = Field(default=None, ge=1)
    """The earlier turn that the instruction speaks of: `the vase you just added`; null where it speaks of none."""
    rejected: Annotated[tuple[RejectionCount, ...], Field(strict=False)] = ()
    retrieval: Retrieval | None = None
    """The question whose answers the part of an add or a replace was chosen from; null for other turns and logs."""
    visible: Finite | None = None
    """Share of the object's pixels that look different, best of the four views; null in foreign logs."""
    covered: Finite | None = None
    """Share of the object's pixels in which the edited slot shows before or after, in that view."""
    cells: EditCells | None = Field(default=None, exclude_if=lambda cells: cells is None)
    """Known once the chain is complete; left out for new looks, which change none, and in logs from before."""
    screening: Screening | None = None
    """Null when no screener was asked."""
    state_sha256: Sha256 | None = None
    """Hash of the symbolic state after the turn; null in foreign logs."""
    content_sha256: Sha256 | None = None
    """Hash of geometry and materials after the turn; null in foreign logs."""

    @model_validator(mode="after")
    def _check_purpose(self) -> Turn:
        if self.purpose == "detach" and not isinstance(self.operation, Remove):
            raise ValueError(f"a turn that detaches is a remove, not {self.operation.op}")
        comes_back = self.purpose in {"reattach", "return"}
        if comes_back and not isinstance(self.operation, Add):
            raise ValueError(f"a turn that puts a piece back is an add, not {self.operation.op}")
        if comes_back != (self.returns is not None):
            raise ValueError("a turn that puts a piece back, and no other, says in 'returns' which turn took it away")
        if self.returns is not None and self.returns >= self.index:
            raise ValueError(f"turn {self.index} cannot return what turn {self.returns} takes away")
        if self.refers_to is not None and self.refers_to >= self.index:
            raise ValueError(f"turn {self.index} cannot speak of turn {self.refers_to}, which is not before it")
        return self

    @model_validator(mode="after")
    def _check_rewriting(self) -> Turn:
        if self.rewriting is not None and self.rewriting.outcome == "taken" and self.instruction_draft is None:
            raise ValueError("a turn whose rewriting was taken keeps its draft in 'instruction_draft'")
        return self


class Revision(Value):
    """One entry of the append-only history."""

    turn: int
    author: str
    reason: str
    at_utc: str
    before_sha256: Sha256
    """Hash of the turn's entry before, without fields that are null; see chains.revise."""
    after_sha256: Sha256
    patch: tuple[dict[str, Any], ...] = Field(strict=False, default=())
    """JSON Patch (RFC 6902) operations on the turn's entry."""


class Provenance(Value):
    """Where a part that the chain uses came from."""

    object_id: Identifier
    licence: str | None = None
    author: str | None = None
    source: str | None = None


class Chain(Value):
    """A sequence of edits with an exact target after every turn."""

    schema_version: str = SCHEMA_VERSION
    id: Identifier
    """`<family>/<first 8 of host id>_s<seed>`."""
    family: Family
    seed: int = Field(ge=0)
    host: Host
    library_sha256: Sha256 | None = None
    limits: Limits
    rig: Rig | None = None
    initial_state_sha256: Sha256 | None = None
    initial_content_sha256: Sha256 | None = None
    turns: Annotated[tuple[Turn, ...], Field(strict=False)]
    aimed_turns: int | None = Field(default=None, ge=1)
    """How many turns the build aimed at; null in foreign logs."""
    ended_by: Annotated[tuple[RejectionCount, ...], Field(strict=False)] = ()
    """Candidates turned away in the turn that failed, where the chain ended early; the most frequent check first."""
    revisions: Annotated[tuple[Revision, ...], Field(strict=False)] = ()
    provenance: Annotated[tuple[Provenance, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _check_order(self) -> Chain:
        for position, turn in enumerate(self.turns, start=1):
            if turn.index != position:
                earlier = "appears twice" if turn.index < position else "is out of order"
                raise ValueError(f"turn number {turn.index} {earlier}: turns[{position - 1}] must be turn {position}")
        return self
