"""Which way a candidate is turned: up stays up, front stays front, the left side is not the right one.

Of the four yaws the one whose box and contact normal agree best with the old part's is taken, the authored one
preferred. Only two things leave upright: a part that leaned where it came from lies on its resting face, and a long
part that is let in at a slant follows the old one's long axis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.geometry.angles import degrees_between, rotation_onto
from engine.geometry.shape import NEARLY_UPRIGHT
from engine.geometry.similarity import YAW
from engine.geometry.stability import LEAST_STABILITY
from engine.placement import checks
from engine.placement.contact import UP
from engine.placement.mates.protocol import Offered, find_opening
from engine.placement.mounts import ROUND_ORDER, SlotMount, is_flat, is_long
from engine.placement.pose import VERTICAL, YAWS, Yaw, natural_log, rotate
from engine.surfaces import FloatArray
from schemas.part import PartRecord, Symmetry
from schemas.placement import Rejection

SHAPE_LIMIT = 1.6
"""Largest sum of differences of the log extent ratios from their median."""
YAW_COST: dict[Yaw, float] = {0: 0.0, 90: 0.35, 180: 0.25, 270: 0.35}
ALIGNED = 0.7
"""Cosine from which two axes of round parts count as the same."""
FRONT_ALIKE = 0.04
"""Mirror difference up to which nobody can tell the front of a part from its back."""
LEAST_AGREEMENT = 0.3
"""Least cosine of the two contact normals after the turn, where both are horizontal."""
ON_EDGE = 0.08
THIN_REL = 0.002
TILT_RANGE_DEG = (8.0, 45.0)
"""A long part is tilted along the old one's axis between these angles: less is noise, more is another way to sit."""


@dataclass(frozen=True, slots=True)
class Posture:
    """A candidate as it will be turned, and what that costs."""

    offered: Offered
    yaw: Yaw
    tilt_deg: float
    shape_cost: float
    cost: float


def choose_posture(seat: SlotMount, record: PartRecord, host_diagonal: float) -> Posture | Rejection:
    """The posture of a candidate in a slot, from its row alone.

    cost = sum_i |l_i - median(l)|, l_i = ln(old extent_i / new extent_i), + (1 - cosine of the two contact normals)
    when both are horizontal, + (0, .35, .25, .35) for the yaws. The first term alone is the shape cost.
    Rejections: class (it belongs on another side, or is round about another axis), stability, shape.
    """
    if seat.ring is not None and seat.is_worn and record.mounts[0].opening is None:
        detail = "the old part surrounds its parent, this one has no opening"
        return Rejection(check="class", measured=None, limit=None, detail=detail)
    lying = _lie_down(seat, record)
    if isinstance(lying, Rejection):
        return lying
    symmetry = record.symmetry if np.array_equal(lying.rotation, YAW[0]) else None
    found = [
        posture
        for yaw in _distinct_yaws(symmetry)
        if (posture := _turned(seat, lying, yaw, symmetry, host_diagonal)) is not None
    ]
    if not found:
        return Rejection(check="class", measured=None, limit=None, detail="its front would look the wrong way")
    best = min(found, key=lambda posture: (posture.cost, YAWS.index(posture.yaw)))
    if not best.shape_cost < float("inf"):
        return Rejection(check="class", measured=None, limit=None, detail="it is round about another axis")
    agreement = _agreement(seat, best.offered)
    if agreement is not None and agreement < LEAST_AGREEMENT and not _is_round(symmetry):
        detail = "it belongs on another side: cosine of the contact normals"
        return Rejection(check="class", measured=agreement, limit=LEAST_AGREEMENT, detail=detail)
    best = _follow(seat, record, best)
    refused = checks.check_at_most("shape", best.shape_cost, SHAPE_LIMIT, "sum of log extent ratios")
    return best if refused is None else refused


def _lie_down(seat: SlotMount, record: PartRecord) -> Offered | Rejection:
    """The part as authored, or on its resting face where it would tip over and the old part stood.

    A cactus that leaned out of its pot is set upright; a flat thing lies down where no flat one stood (where one did,
    its plane is followed). What stands nowhere takes no place where something stood.
    """
    mount, resting, shape = record.mounts[0], record.resting, record.shape
    upright = Offered(mount, YAW[0], np.array(mount.extents), find_opening(record))
    stood = seat.frame.kind == "rest" and seat.is_firm
    if stood and mount.frame.kind != "rest":
        return checks.check_at_least("stability", mount.stability, LEAST_STABILITY, "it would tip over") or upright
    if not stood or mount.stability >= LEAST_STABILITY or shape is None:
        return upright
    if is_flat(shape.extents) and seat.spans is not None and is_flat(seat.spans):
        return upright
    if resting is None or (resting.down[1] > -NEARLY_UPRIGHT and not is_flat(shape.extents)):
        return checks.check_at_least("stability", mount.stability, LEAST_STABILITY, "it would tip over") or upright
    return replace(upright, rotation=rotation_onto(np.array(resting.down), -UP), extents=np.array(resting.extents))


def _distinct_yaws(symmetry: Symmetry | None) -> tuple[Yaw, ...]:
    """The yaws that differ for a part: a turn by its own symmetry is no turn."""
    if symmetry is None or abs(symmetry.axis[1]) < 1.0:
        return YAWS
    return tuple(yaw for yaw in YAWS if all((yaw - other) * symmetry.order % 360 for other in YAWS if other < yaw))


def _is_round(symmetry: Symmetry | None) -> bool:
    """Whether all yaws are one."""
    return len(_distinct_yaws(symmetry)) == 1


def _turned(
    seat: SlotMount, lying: Offered, yaw: Yaw, symmetry: Symmetry | None, host_diagonal: float
) -> Posture | None:
    """One yaw and its cost; None when it would turn the part's front away."""
    rotation = np.stack([rotate(yaw, lying.rotation[:, k]) for k in range(3)], axis=1)
    extents = lying.extents[[2, 1, 0]] if yaw in {90, 270} else lying.extents
    offered = replace(lying, rotation=rotation, extents=extents)
    agreement = None if _is_round(symmetry) else _agreement(seat, offered)
    if symmetry is not None and yaw != 0 and not _keeps_front(seat, yaw, symmetry, agreement):
        return None
    shape = _shape_cost(seat, extents, host_diagonal)
    if seat.round_axis is not None and symmetry is not None and symmetry.order >= ROUND_ORDER:
        aligned = abs(float((rotate(yaw, np.array(symmetry.axis)) * seat.round_axis).sum()))
        shape = shape if aligned > ALIGNED else float("inf")
    cost = shape + YAW_COST[yaw] + (0.0 if agreement is None else 1.0 - agreement)
    return Posture(offered, yaw, _tilt_of(lying.rotation), shape, cost)


def _agreement(seat: SlotMount, part: Offered) -> float | None:
    """Cosine of the two contact normals; None unless both are horizontal and say which way the part faces."""
    sides = seat.frame.direction == part.mount.frame.direction == "side"
    if not sides or "through" in {seat.frame.kind, part.mount.frame.kind}:
        return None
    return float((part.normal * np.array(seat.frame.normal)).sum())


def _keeps_front(seat: SlotMount, yaw: Yaw, symmetry: Symmetry, agreement: float | None) -> bool:
    """Whether a turn leaves the front where a person would look for it.

    A window goes from the front wall to a side wall by a quarter turn and to the back by a half turn: the contact
    normal leads. A right arm on the left side has its front at the back then, so its two faces must look alike. A part
    that sits on top or below has no side to lead it: it turns only if it looks alike both ways.
    """
    across = [k for k in (0, 2) if symmetry.mirror[k] > FRONT_ALIKE]
    if agreement is None:
        return not across
    if yaw != 180:
        return True
    along = 0 if abs(seat.frame.normal[0]) >= abs(seat.frame.normal[2]) else 2
    return all(k == along for k in across)


def _shape_cost(seat: SlotMount, extents: FloatArray, host_diagonal: float) -> float:
    old = np.maximum(seat.anchor[1] - seat.anchor[0], THIN_REL * host_diagonal)
    ratio = checks.diagonal_of(seat.anchor) / float(np.sqrt((extents * extents).sum()))
    new = np.maximum(extents, THIN_REL * host_diagonal / ratio)
    return _spread_of_logs(old, new)


def _spread_of_logs(old: FloatArray, new: FloatArray) -> float:
    """Sum of the differences of ln(old / new) from their median."""
    logs = sorted(natural_log(float(old[i]) / float(new[i])) for i in range(3))
    return (logs[1] - logs[0]) + (logs[2] - logs[1])


def _follow(seat: SlotMount, record: PartRecord, posture: Posture) -> Posture:
    """A flat part at rest in the plane of the old one, or a long part that is let in along the old one's long axis."""
    shape = record.shape
    if shape is None or seat.axes is None or seat.spans is None or posture.tilt_deg > 0.0:
        return posture
    if seat.frame.kind == "rest":
        is_firm = seat.is_firm and record.mounts[0].stability >= LEAST_STABILITY
        flat = is_flat(seat.spans) and is_flat(shape.extents)
        if is_firm or not flat or record.mounts[0].frame.kind != "rest":
            return posture
        rotation = _plane_rotation(posture.offered.turned(np.array(shape.thin)), seat.axes[2])
        limits = (TILT_RANGE_DEG[0], 181.0)
    else:
        if not is_long(seat.spans) or not is_long(shape.extents):
            return posture
        own = posture.offered.turned(np.array(shape.axis))
        axis = seat.axes[0] if float((own * seat.axes[0]).sum()) >= 0.0 else -seat.axes[0]
        rotation = rotation_onto(own, axis)
        limits = TILT_RANGE_DEG
    angle = _turn_angle(rotation)
    if not limits[0] < angle < limits[1]:
        return posture
    turned = np.stack([(rotation * posture.offered.rotation[:, k]).sum(axis=1) for k in range(3)], axis=1)
    spans = np.array(shape.extents)
    old, new = (np.maximum(lengths, THIN_REL * _length(lengths)) for lengths in (seat.spans, spans))
    cost = _spread_of_logs(old, new)
    offered = replace(posture.offered, rotation=turned, spans=spans)
    return replace(posture, offered=offered, tilt_deg=angle, shape_cost=cost)


def _length(vector: FloatArray) -> float:
    return float(np.sqrt((vector * vector).sum()))


def _plane_rotation(own: FloatArray, old: FloatArray) -> FloatArray:
    """(3, 3) rotation that brings the plane with unit normal `own` into the one with normal `old`, its up side up.

    Faces that look up go on looking up; of two on edge the nearer sides go together. A plate that lies has no
    up side: it is turned the shortest way.
    """
    one, two = (normal if normal[1] >= 0.0 else -normal for normal in (own, old))
    if min(one[1], two[1]) < ON_EDGE and float((one * two).sum()) < 0.0:
        one = -one
    if max(one[1], two[1]) > VERTICAL:
        return rotation_onto(one, two)
    first, second = _plane_axes(one), _plane_axes(two)
    return np.array([[float((second[:, i] * first[:, j]).sum()) for j in range(3)] for i in range(3)])


def _plane_axes(normal: FloatArray) -> FloatArray:
    """Rows: the normal of a plane that does not lie flat, up in the plane, and their cross product."""
    up = UP - float(normal[1]) * normal
    up = up / np.sqrt(float((up * up).sum()))
    return np.stack([normal, up, np.cross(normal, up)])


def _turn_angle(rotation: FloatArray) -> float:
    """Angle of a rotation in degrees: of its trace, by the half angle."""
    trace = float(rotation[0, 0] + rotation[1, 1] + rotation[2, 2])
    cosine = min(max(0.5 * (trace - 1.0), -1.0), 1.0)
    sine = float(np.sqrt(1.0 - cosine * cosine))
    return degrees_between(np.array([1.0, 0.0, 0.0]), np.array([cosine, sine, 0.0]))


def _tilt_of(rotation: FloatArray) -> float:
    return _turn_angle(rotation) if rotation[1, 1] < 1.0 else 0.0
