"""Limits, check reports, rejections and placements."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Finite, Similarity, Value
from schemas.part import ContactFrame, Kind

CONTACT_REL = 0.01
"""Gap over D within which two parts touch: when a library is measured, and by default in every placement."""
LEAST_SUPPORT = 0.5
"""Share of the base samples of a part that must rest on the face."""
SUPPORT_KEPT = 0.7
"""A replacement may rest on less, but on at least this share of what the old part rested on."""


def least_support(before: float | None) -> float:
    """The least support share of a part; `before` is that of the piece it replaces, None where there is none."""
    return LEAST_SUPPORT if before is None else min(LEAST_SUPPORT, SUPPORT_KEPT * before)


class Limits(Value):
    """Every limit a placement is held to; written into each chain. Lengths are fractions of D."""

    gap_rel: Finite = CONTACT_REL
    interpenetration: Finite = 0.02
    scale_min: Finite = 0.75
    """Least size of a part against its own share of its source object."""
    scale_max: Finite = 2.0
    slot_scale_min: Finite = 0.65
    """Least diagonal against the slot's diagonal at turn 0."""
    slot_scale_max: Finite = 1.35
    sweep_rel: Finite = 0.05
    pull_rel: Finite = 0.05
    place_iou: Finite = 0.15
    floor_rel: Finite = 0.02
    axis_ratio: Finite = 2.6
    debris_rel: Finite = 0.02
    """Loose pieces may lie this far from the rest, in diagonals of the part."""
    visible: Finite = 0.005
    """Least share of the object's pixels that must look different after a turn, best of the default views."""
    visible_share: Finite = 0.25
    """Least share that must look different of the pixels in which the edited slot shows, in that view."""
    clearance_rel: Finite = 0.08
    """Free height above a face for add."""
    mode: Literal["strict", "baseline"] = "strict"

    def allowed_overlap(self, baseline: float) -> float:
        """The largest overlap that baseline mode accepts when the old piece's own was `baseline`."""
        return max(self.interpenetration, baseline + self.interpenetration)


CheckName = Literal[
    "frame", "gap", "connected", "interpenetration",
    "primary", "place", "floor", "shape", "scale", "size", "class", "debris", "visible",
    "clearance", "support", "stability", "triangles", "licence", "duplicate", "suitability", "screen", "geometry",
]  # fmt: skip


class Rejection(Value):
    """Why one candidate was not taken."""

    check: CheckName
    measured: Finite | None
    """Null where the check is not a number."""
    limit: Finite | None
    detail: str = ""


class Residual(Value):
    """How far a mate's condition is from being met exactly by the accepted pose."""

    name: str
    value: Finite
    unit: Literal["rel", "deg", "ratio"]
    """`rel`: a length over D; `ratio`: 1 is exact."""


class CheckReport(Value):
    """What was measured on an accepted part, each against `Limits`."""

    gap_rel: Finite
    """Exact distance to the nearest other part, over D."""
    primary_gap_rel: Finite
    """Exact distance to the parent part, over D."""
    interpenetration: Finite
    measure: Literal["volume", "surface", "disjoint"]
    contained: bool = False
    """Overlap without any crossing of surfaces, in a host with a border: reviewers may overrule."""
    baseline: Finite | None = None
    """The same measure of the removed piece at rest in the same state; of a returning piece before it was taken away;
    null for any other add."""
    mode: Literal["strict", "pull", "baseline"]
    mate: Kind | None = None
    """The mate that was solved; null in logs of earlier versions."""
    residuals: tuple[Residual, ...] = Field(strict=False, default=())
    pull_rel: Finite = 0.0
    sweep_rel: Finite = 0.0
    connected_before: int
    connected_after: int
    slot_scale: Finite | None = None
    """Diagonal over the slot's diagonal at turn 0; null for add."""
    own_scale: Finite
    """Size over the part's own share of its source object, times D."""
    place_iou: Finite | None = None
    floor_rel: Finite
    """How far the part reaches below the lowest allowed height, over D; negative or zero is above."""
    axis_ratio: Finite | None = None
    loose_gap: Finite
    support: Finite | None = None
    """Of what rests: share of base samples within 0.01 D of the face it rests on."""
    support_before: Finite | None = None
    """The same of the piece that was replaced."""
    clearance_rel: Finite | None = None
    yaw_deg: Literal[0, 90, 180, 270] = 0
    tilt_deg: Finite = 0.0
    """Turn of the part away from its upright pose: onto a resting face, or along a slanted socket."""
    visible: Finite


class Placement(Value):
    """Where a part was put: a similarity and the evidence for it."""

    world_from_part: Similarity
    contact: ContactFrame | None = None
    report: CheckReport | None = Field(default=None)
    """Null in foreign logs."""
