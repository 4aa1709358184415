"""The four checks and the other gates, each as: measured value against its limit, or a typed rejection.

The limits of the four checks (frame, gap, connected, interpenetration) and of the primary gap are strict; the others
hold at equality.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.geometry.bounds import box_iou, diagonal
from engine.geometry.overlap import Overlap, Placed
from engine.placement.state import StateGeometry, find_nearest
from engine.surfaces import FloatArray
from schemas.base import Vec3
from schemas.placement import CheckName, Limits, Rejection

PLACE_PAD_REL = 0.01
WHOLE_OBJECT = 0.999
"""A part with at least this share of its object's diagonal is its whole object."""


@dataclass(frozen=True, slots=True)
class Distances:
    """Gaps of a placed part over D: to the nearest part, to its parent, and the slot of the nearest part."""

    gap_rel: float
    primary_gap_rel: float
    nearest_slot: str


def measure_distances(
    placed: Placed, state: StateGeometry, parent: Iterable[Placed], *, on_ground: bool = False
) -> Distances:
    """Exact gaps of a part that is not in `state` to the parts of `state` and to its parent.

    On the ground the plane at the state's lowest point is the parent and counts among the nearest.
    """
    parts = state.parts
    nearest = find_nearest(placed, [other for _, other in parts])
    gap = float("inf") if nearest is None else nearest.gap
    name = "" if nearest is None else parts[nearest.index][0][0]
    if on_ground:
        ground_gap = abs(float(placed.bounds[0][1]) - state.ground)
        primary = ground_gap
        if ground_gap < gap:
            gap, name = ground_gap, "ground"
    else:
        to_parent = find_nearest(placed, list(parent))
        primary = float("inf") if to_parent is None else to_parent.gap
    return Distances(gap / state.diagonal, primary / state.diagonal, name)


def check_below(check: CheckName, measured: float, limit: float, detail: str = "") -> Rejection | None:
    """Reject unless `measured` < `limit`; NaN never passes."""
    return None if measured < limit else _reject(check, measured, limit, detail)


def check_at_most(check: CheckName, measured: float, limit: float, detail: str = "") -> Rejection | None:
    """Reject unless `measured` <= `limit`; NaN never passes."""
    return None if measured <= limit else _reject(check, measured, limit, detail)


def check_at_least(check: CheckName, measured: float, limit: float, detail: str = "") -> Rejection | None:
    """Reject unless `measured` >= `limit`; NaN never passes."""
    return None if measured >= limit else _reject(check, measured, limit, detail)


def check_within(check: CheckName, measured: float, low: float, high: float, detail: str = "") -> Rejection | None:
    """Reject unless low <= measured <= high."""
    return check_at_least(check, measured, low, detail) or check_at_most(check, measured, high, detail)


def check_gaps(distances: Distances, limits: Limits) -> Rejection | None:
    """Check 2 and the primary gate: nearest part and parent both nearer than 0.01 D."""
    return check_below("gap", distances.gap_rel, limits.gap_rel, "distance to the nearest part, over D") or check_below(
        "primary", distances.primary_gap_rel, limits.gap_rel, "distance to the parent part, over D"
    )


def check_connected(before: int, after: int, initial: int) -> Rejection | None:
    """Check 3: no more connected pieces than before, and one where the host had one."""
    return check_at_most("connected", float(after), float(1 if initial <= 1 else before), "connected pieces")


def check_overlap(overlap: Overlap, baseline: float | None, limits: Limits) -> Rejection | None:
    """Check 4: less than 0.02 of the part inside others, or in baseline mode no more than the old piece had + 0.02."""
    strict = check_below("interpenetration", overlap.fraction, limits.interpenetration, f"by {overlap.measure}")
    if strict is None or limits.mode == "strict" or baseline is None:
        return strict
    allowed = limits.allowed_overlap(baseline)
    return check_at_most("interpenetration", overlap.fraction, allowed, f"by {overlap.measure}, baseline {baseline:g}")


def measure_place_iou(new: FloatArray, old: FloatArray, host_diagonal: float) -> float:
    """Intersection over union of two boxes, each padded by 0.01 D."""
    return float(box_iou(new, old, PLACE_PAD_REL * host_diagonal))


def measure_floor_rel(new: FloatArray, state: StateGeometry, old: FloatArray | None) -> float:
    """How far the part reaches below the lower of the old part's and the host's floor, over D; positive is below."""
    allowed = state.floor if old is None else min(float(old[0, 1]), state.floor)
    return (allowed - float(new[0, 1])) / state.diagonal


def measure_axis_ratio(new: FloatArray, old: FloatArray, host_diagonal: float) -> float:
    """Largest factor between the new and old box along one axis.

    Extents below 0.01 D count as 0.01 D: the ratio of two sheets' thicknesses says nothing.
    """
    thin = PLACE_PAD_REL * host_diagonal
    a = np.maximum(new[1] - new[0], thin)
    b = np.maximum(old[1] - old[0], thin)
    return float(np.maximum(a / b, b / a).max())


def measure_own_scale(new_diagonal: float, scale: float, object_share: float, host_diagonal: float) -> float:
    """Size against the part's own share of its source object times D.

    A part that is its whole object has no share; there the raw scale is the measure.
    """
    if object_share >= WHOLE_OBJECT or object_share <= 0.0:
        return scale
    return new_diagonal / (object_share * host_diagonal)


def check_slot_scale(new_diagonal: float, slot_diagonal: float, limits: Limits) -> Rejection | None:
    """Diagonal against the slot's diagonal at turn 0."""
    ratio = new_diagonal / slot_diagonal if slot_diagonal > 0.0 else float("inf")
    return check_within("size", ratio, limits.slot_scale_min, limits.slot_scale_max, "diagonal over the slot's")


def check_own_scale(own_scale: float, limits: Limits) -> Rejection | None:
    """Size against the part's own: never outside [0.75, 2]."""
    return check_within("scale", own_scale, limits.scale_min, limits.scale_max, "size over the part's own")


def check_debris(loose_gap: float, limits: Limits) -> Rejection | None:
    """Loose pieces of the part lie at most 0.02 of its diagonal from the rest."""
    return check_at_most("debris", loose_gap, limits.debris_rel, "largest gap between loose pieces, over the diagonal")


def diagonal_of(bounds: tuple[Vec3, Vec3] | FloatArray) -> float:
    """Diagonal of a (2, 3) box."""
    return float(diagonal(np.asarray(bounds, dtype=np.float64)))


def _reject(check: CheckName, measured: float, limit: float, detail: str) -> Rejection:
    finite = measured if np.isfinite(measured) else None
    return Rejection(check=check, measured=finite, limit=limit, detail=detail)


def first_rejection(results: Iterable[Rejection | None]) -> Rejection | None:
    """The first rejection of lazily evaluated checks, or None when all pass."""
    return next((result for result in results if result is not None), None)
