"""The numbers of a pose: scale, frames brought together, rounding (PLACEMENT 3.2 - 3.4).

Boxes are (2, 3) arrays. Only sums, products, quotients and square roots are used, also for the logarithm of extent
ratios, so that no choice depends on the machine's maths library.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from engine.geometry.similarity import YAW
from engine.placement.checks import WHOLE_OBJECT, diagonal_of
from engine.placement.mates.protocol import Mate, Offered
from engine.placement.mounts import SlotMount
from engine.surfaces import FloatArray
from schemas.base import Matrix4
from schemas.part import ContactFrame
from schemas.placement import Limits, Rejection

Yaw = Literal[0, 90, 180, 270]
YAWS: tuple[Yaw, ...] = (0, 90, 180, 270)
VERTICAL = 0.95
"""Vertical component from which a unit normal counts as vertical: no up direction is left in its plane."""
GRID = 2.0**-20
"""Translations are rounded to this fraction of D before they are checked."""


def natural_log(value: float) -> float:
    """Logarithm from exact operations only (halving and a short odd series), equal on every machine.

    Accurate to 1e-12 over the range of extent ratios; `value` must be positive.
    """
    mantissa, exponent = np.frexp(value)
    m, e = float(mantissa), int(exponent)
    if m < 0.7071067811865476:
        m, e = 2.0 * m, e - 1
    t = (m - 1.0) / (m + 1.0)
    squared = t * t
    total, power = 0.0, t
    for k in range(1, 24, 2):
        total += power / k
        power *= squared
    return 2.0 * total + e * 0.6931471805599453


def choose_scale(
    seat: SlotMount, part: Offered, mate: Mate, slot_diagonal: float, host_diagonal: float, limits: Limits
) -> float | Rejection:
    """Scale of the candidate: what the mate wants, within its band around the ratio of sizes.

    Sizes refer to the slot's diagonal at turn 0, so that parts neither shrink nor grow along a chain. The result is
    kept inside the slot's gate and the part's own gate; when these leave nothing of the band, the closest miss is
    returned.
    """
    diagonal = float(np.sqrt((part.extents * part.extents).sum()))
    whole = diagonal_of(seat.bounds)
    anchored = slot_diagonal / whole if whole > 0.0 else 0.0
    if part.spans is not None and seat.spans is not None:
        size_ratio = anchored * float(np.sqrt((seat.spans * seat.spans).sum() / (part.spans * part.spans).sum()))
    else:
        size_ratio = anchored * diagonal_of(seat.anchor) / diagonal
    low, high = mate.band[0] * size_ratio, mate.band[1] * size_ratio
    wanted = mate.wanted_scale(seat, part)
    slot_low, slot_high = (k * slot_diagonal / diagonal for k in (limits.slot_scale_min, limits.slot_scale_max))
    share = part.mount.object_share
    own = host_diagonal * share / diagonal if 0.0 < share < WHOLE_OBJECT else 1.0
    own_low, own_high = limits.scale_min * own, limits.scale_max * own
    if max(low, own_low) > min(high, own_high):
        nearest = high if own_low > high else low
        limit = limits.scale_min if own_low > high else limits.scale_max
        return Rejection(check="scale", measured=nearest / own, limit=limit, detail="size over the part's own")
    low, high = max(low, own_low), min(high, own_high)
    if max(low, slot_low) > min(high, slot_high):
        nearest = high if slot_low > high else low
        limit = limits.slot_scale_min if slot_low > high else limits.slot_scale_max
        measured = nearest * diagonal / slot_diagonal if slot_diagonal > 0.0 else None
        return Rejection(check="size", measured=measured, limit=limit, detail="diagonal over the slot's at turn 0")
    # A hair inside the limits, so that rounding in the check itself cannot turn a clamped scale away.
    margin = 1e-9
    low, high = max(low, slot_low) * (1.0 + margin), min(high, slot_high) * (1.0 - margin)
    scale = max(min(size_ratio if wanted is None else wanted, high), low)
    if wanted is not None and mate.slack is not None and abs(scale / wanted - 1.0) > mate.slack:
        detail = "nearest allowed scale over the one at which the openings fit"
        return Rejection(check="size", measured=scale / wanted, limit=1.0, detail=detail)
    return scale


def align_frames(host: ContactFrame, candidate: ContactFrame) -> FloatArray:
    """(3, 3) rotation that brings the candidate's normal and up direction onto the host's exactly.

    For slanted sockets, at a reviewer's wish: on real assets the upright pose is right three times as often.
    """
    one, two = _frame_axes(host), _frame_axes(candidate)
    return np.array([[float(sum(one[k, i] * two[k, j] for k in range(3))) for j in range(3)] for i in range(3)])


def _frame_axes(frame: ContactFrame) -> FloatArray:
    """Rows: normal, up (world Y made perpendicular to it, or Z for vertical normals), and their cross product."""
    normal = np.array(frame.normal)
    up = np.array([0.0, 0.0, 1.0]) if abs(float(normal[1])) > VERTICAL else np.array([0.0, 1.0, 0.0])
    up = up - float((up * normal).sum()) * normal
    up = up / np.sqrt(float((up * up).sum()))
    return np.stack([normal, up, np.cross(normal, up)])


def rotate(yaw: Yaw, vectors: FloatArray) -> FloatArray:
    """Vectors (..., 3) turned about +Y, exactly."""
    rows = YAW[yaw]
    return np.stack([sum(rows[i][j] * vectors[..., j] for j in range(3)) for i in range(3)], axis=-1)


def round_shift(shift: FloatArray, host_diagonal: float) -> FloatArray:
    """A translation rounded to 2^-20 D."""
    step = GRID * host_diagonal
    return np.asarray(np.rint(shift / step) * step)


def write_pose(matrix: FloatArray) -> Matrix4:
    """Sixteen plain floats, row by row, without negative zeros; the last row exactly 0 0 0 1."""
    r = [[float(matrix[i, j]) + 0.0 for j in range(4)] for i in range(3)]
    return (*_row(r[0]), *_row(r[1]), *_row(r[2]), 0.0, 0.0, 0.0, 1.0)


def _row(values: list[float]) -> tuple[float, float, float, float]:
    a, b, c, d = values
    return a, b, c, d
