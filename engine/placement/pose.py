"""The closed-form pose of a replacement: yaw, scale and position (PLACEMENT 3.2 - 3.4).

Boxes are (2, 3) arrays. Only sums, products, quotients and square roots are used, also for the logarithm of extent
ratios, so that no choice depends on the machine's maths library.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.geometry.similarity import YAW
from engine.placement.checks import WHOLE_OBJECT, diagonal_of
from engine.placement.mounts import ROUND_ORDER, SlotMount
from engine.surfaces import FloatArray
from schemas.base import Matrix4
from schemas.part import ContactFrame, MountRecord, Symmetry
from schemas.placement import Limits, Rejection

Yaw = Literal[0, 90, 180, 270]
YAWS: tuple[Yaw, ...] = (0, 90, 180, 270)
SHAPE_LIMIT = 1.6
YAW_COST: dict[Yaw, float] = {0: 0.0, 90: 0.35, 180: 0.25, 270: 0.35}
SCALE_BAND = (0.85, 1.18)
LEG_BAND = (0.65, 1.35)
VERTICAL = 0.95
ALIGNED = 0.7
"""Cosine from which two axes of round parts count as the same."""
LEAST_EMBED_REL = 0.005
THIN_REL = 0.002
GRID = 2.0**-20
"""Translations are rounded to this fraction of D before they are checked."""


@dataclass(frozen=True, slots=True)
class Orientation:
    """One of the four yaws with its costs."""

    yaw: Yaw
    shape_cost: float
    cost: float


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


def choose_orientation(
    mount: SlotMount, candidate: MountRecord, symmetry: Symmetry | None, host_diagonal: float
) -> Orientation:
    """The yaw with the least cost; up stays up and the authored orientation is preferred.

    cost = sum_i |l_i - median(l)|, l_i = ln(old extent_i / new extent_i after the yaw), + (1 - cosine of the two
    normals) when both are horizontal, + (0, .35, .25, .35). The first term alone is the shape cost.
    """
    old = np.maximum(mount.anchor[1] - mount.anchor[0], THIN_REL * host_diagonal)
    ratio = diagonal_of(mount.anchor) / float(np.sqrt(sum(e * e for e in candidate.extents)))
    thin = THIN_REL * host_diagonal / ratio
    x, y, z = (max(extent, thin) for extent in candidate.extents)
    frame = candidate.frame
    horizontal = mount.frame.direction == "side" and frame.direction == "side"
    compare = horizontal and mount.frame.kind != "through" and frame.kind != "through"
    found = []
    for yaw in YAWS:
        turned = (z, y, x) if yaw in {90, 270} else (x, y, z)
        logs = sorted(natural_log(float(old[i]) / turned[i]) for i in range(3))
        shape_cost = (logs[1] - logs[0]) + (logs[2] - logs[1])
        if mount.round_axis is not None and symmetry is not None and symmetry.order >= ROUND_ORDER:
            axis = rotate(yaw, np.array(symmetry.axis))
            aligned = abs(float((axis * mount.round_axis).sum()))
            shape_cost = shape_cost if aligned > ALIGNED else float("inf")
        cost = shape_cost + YAW_COST[yaw]
        if compare:
            normal = rotate(yaw, np.array(frame.normal))
            cost += 1.0 - float((normal * np.array(mount.frame.normal)).sum())
        found.append(Orientation(yaw, shape_cost, cost))
    return min(found, key=lambda o: (o.cost, YAWS.index(o.yaw)))


def choose_scale(
    mount: SlotMount,
    candidate: MountRecord,
    orientation: Orientation,
    slot_diagonal: float,
    host_diagonal: float,
    limits: Limits,
) -> float | Rejection:
    """Scale of the candidate: mount ratio clamped around the size ratio; legs by height, bars by length.

    The result is kept inside the slot's gate (against its diagonal at turn 0) and the part's own gate; when these
    leave nothing of the band around the size ratio, the closest miss is returned.
    """
    extents = np.array(candidate.extents)
    diagonal = float(np.sqrt((extents * extents).sum()))
    size_ratio = diagonal_of(mount.anchor) / diagonal
    band = LEG_BAND if mount.is_leg else SCALE_BAND
    low, high = band[0] * size_ratio, band[1] * size_ratio
    wanted = _wanted_scale(mount, candidate, orientation, size_ratio)
    slot_low, slot_high = (k * slot_diagonal / diagonal for k in (limits.slot_scale_min, limits.slot_scale_max))
    share = candidate.object_share
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
    return max(min(wanted, high), low)


def _wanted_scale(mount: SlotMount, candidate: MountRecord, orientation: Orientation, size_ratio: float) -> float:
    """Height ratio for legs, length ratio for bars, else the ratio of the mounts' radii (or of sizes without radii)."""
    old = mount.anchor[1] - mount.anchor[0]
    x, y, z = candidate.extents
    new = np.array((z, y, x) if orientation.yaw in {90, 270} else (x, y, z))
    if mount.is_leg and new[1] > 0.0:
        return float(old[1] / new[1])
    if mount.frame.kind == "through" or mount.ends is not None:
        longest = int(np.argmax(old))
        if longest == int(np.argmax(new)):
            return float(old[longest] / new[longest])
        return size_ratio
    if mount.frame.radius > 0.0 and candidate.frame.radius > 0.0:
        return mount.frame.radius / candidate.frame.radius
    return size_ratio


def place_box(
    mount: SlotMount, candidate: MountRecord, new_box: FloatArray, scale: float, host_diagonal: float
) -> FloatArray:
    """(3,) shift that brings `new_box` (turned and scaled about the origin) onto the slot.

    Centres coincide; on the dominant axis of the slot's normal the faces towards the parent coincide, then the part
    moves out by the difference of the embed depths. Through parts are centred only; legs and resting parts keep
    their faces.
    """
    old = mount.anchor
    shift = np.asarray(0.5 * (old[0] + old[1]) - 0.5 * (new_box[0] + new_box[1]))
    frame = mount.frame
    if frame.kind == "through":
        return shift
    normal = np.array(frame.normal)
    axis = int(np.argmax(np.abs(normal)))
    side = 0 if normal[axis] > 0.0 else 1
    shift[axis] = old[side, axis] - new_box[side, axis]
    if frame.kind == "rest" or mount.is_leg:
        return shift
    embed = min(frame.embed, max(scale * candidate.frame.embed, LEAST_EMBED_REL * host_diagonal))
    shift[axis] += (frame.embed - embed) * (1.0 if normal[axis] > 0.0 else -1.0)
    return shift


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
