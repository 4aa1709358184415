"""Put a piece that was taken off a support back onto what stands there now.

The piece keeps its size and its turn. Where it touched the old support is carried over by shares of the support's box:
a knob in the middle of a drawer front comes back in the middle. Along the contact's normal the first contact from
outside decides: it is found by an exact sweep on the old support and on the new one, and the piece goes as far past it
as it did before, so what rested rests and what was let in is let in as deep. When the piece could not come from outside
even then (a bottle among the walls of its crate), only a remaining gap is closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.overlap import Placed, measure_overlap, place_solid
from engine.geometry.similarity import as_matrix, scale_of
from engine.placement import checks
from engine.placement.attachment import Attachment, find_best_contact, find_first_contact, find_travel
from engine.placement.contact import PairContact, build_frame, classify_direction
from engine.placement.hold import measure_support
from engine.placement.interpenetration import Accepted, list_pulls, resolve_overlap
from engine.placement.pose import round_shift, write_pose
from engine.placement.replacement import VisibleMeasure
from engine.placement.state import StateGeometry, box_of
from engine.surfaces import FloatArray
from schemas.part import ContactFrame, PartRecord
from schemas.placement import LEAST_SUPPORT, CheckReport, Limits, Placement, Rejection

TOWARDS_MIDDLE = (0.0, 0.5, 1.0)
HELD_TOWARDS_MIDDLE = (0.0, 0.25)
"""Where the support's shape has changed under the piece, it moves this share of the way to the support's middle.

What rests may stand anywhere on it; a staff that is held in a hand may not wander up the arm.
"""
STEADY_SUPPORT = 0.75
"""Share of the base from which a resting piece is taken at once; below, and down to the limit, as a last choice."""
OVERHANG_REL = 0.02
"""A piece may reach this much further over the new support's edges than over the old one's."""


@dataclass(frozen=True, slots=True)
class _Pose:
    """A pose under test and what moved it there; lengths over D."""

    placed: Placed
    sweep_rel: float
    pull_rel: float = 0.0


@dataclass(frozen=True, slots=True)
class _Task:
    """What stays the same while the poses of one piece are tried."""

    state: StateGeometry
    attachment: Attachment
    record: PartRecord
    limits: Limits

    @property
    def support(self) -> tuple[Placed, ...]:
        return self.state.piece(self.attachment.support)


def fit_reattachment(
    state: StateGeometry, attachment: Attachment, record: PartRecord, limits: Limits, visible: VisibleMeasure
) -> Placement | Rejection:
    """Put the piece back onto what stands in the support's slot now, as large and as turned as it was.

    Args:
        state: the state before the turn, without the piece.
        attachment: how the piece sat, from `measure_attachment`.
        record: the manifest row of the piece's part.
        limits: the chain's limits; `sweep_rel` bounds how far along the normal the piece may end from the place that
            the change of the support's box gives it.
        visible: measures the visible change between two states; called last.

    Returns:
        The placement with its report at the first pose that passes every check (for a resting piece the first on which
        it rests steadily, if there is one), else the rejection of the pose that came furthest: debris, scale, size,
        frame, gap, primary, interpenetration, support, floor, connected, visible.

    """
    task = _Task(state, attachment, record, limits)
    refused = checks.first_rejection(
        (
            checks.check_debris(record.loose_gap, limits),
            checks.check_own_scale(_own_scale(task), limits),
            _check_room(task),
        )
    )
    if refused is not None:
        return refused
    misses: list[Rejection] = []
    unsteady: Placement | None = None
    for pose in _list_poses(task):
        result = pose if isinstance(pose, Rejection) else _judge(task, pose, visible)
        if isinstance(result, Rejection):
            misses.append(result)
        elif _is_steady(result):
            return result
        elif unsteady is None:
            unsteady = result
    if unsteady is None:
        return max(misses, key=_progress)
    # Later poses were measured since; whoever watches must have seen the one that is taken last.
    placed = place_solid(attachment.placed.solid, as_matrix(unsteady.world_from_part))
    visible(state, state.with_piece(attachment.slot, (placed,)))
    return unsteady


def _is_steady(placement: Placement) -> bool:
    """Whether a piece does not rest, or rests well without having been pulled up; better places are looked for else."""
    report = placement.report
    return report is None or report.support is None or (report.support >= STEADY_SUPPORT and report.mode == "strict")


_ORDER = ("gap", "primary", "interpenetration", "frame", "support", "floor", "connected", "visible")


def _progress(rejection: Rejection) -> int:
    """How far a rejected pose got, to report the closest miss."""
    return _ORDER.index(rejection.check) if rejection.check in _ORDER else -1


def _list_poses(task: _Task) -> Iterator[_Pose | Rejection]:
    """Poses in the order to try: the carried place first, then nearer to the support's middle; from outside first."""
    normal, diagonal = task.attachment.normal, task.state.diagonal
    bound = task.limits.sweep_rel
    for share in TOWARDS_MIDDLE if task.attachment.frame.kind == "rest" else HELD_TOWARDS_MIDDLE:
        start = _shifted(task, task.attachment.placed, _carry_over(task, share))
        if task.attachment.has_no_way:
            yield _Pose(start, 0.0)
            continue
        outer = find_first_contact(start, task.support, normal, diagonal)
        if outer is None:
            yield Rejection(check="gap", measured=None, limit=bound, detail="it would not meet the new support")
            continue
        way = (outer - task.attachment.depth) / diagonal
        if abs(way) <= bound:
            yield _Pose(_shifted(task, start, way * diagonal * normal), abs(way))
        else:
            yield Rejection(check="gap", measured=abs(way), limit=bound, detail="way to the new support, over D")
        closed = _close_gap(task, start)
        if closed is not None:
            yield closed


def _carry_over(task: _Task, share: float) -> FloatArray:
    """(3,) shift that takes the piece to the same shares of the new support's box.

    What counts across the normal is the middle of the piece where it lies within the old support, else the place of
    contact. There it moves `share` of the way to the box's middle, and the piece reaches no further over the
    support's edges than it did before.
    """
    attachment = task.attachment
    old, new = attachment.support_box, box_of(task.support)
    piece = attachment.placed.bounds
    along = int(np.argmax(np.abs(attachment.normal)))
    within = (piece[0] >= old[0]) & (piece[1] <= old[1]) & (np.arange(3) != along)
    origin = np.where(within, 0.5 * (piece[0] + piece[1]), np.array(attachment.frame.origin))
    extents = old[1] - old[0]
    shares = np.where(extents > 0.0, (origin - old[0]) / np.where(extents > 0.0, extents, 1.0), 0.5)
    place = new[0] + np.minimum(np.maximum(shares, 0.0), 1.0) * (new[1] - new[0])
    shift = place - origin
    for axis in range(3):
        if axis == along and not attachment.has_no_way:
            continue
        shift[axis] += share * (0.5 * (new[0, axis] + new[1, axis]) - place[axis])
        shift[axis] = _keep_over(piece[:, axis], old[:, axis], new[:, axis], float(shift[axis]))
    if attachment.stands:
        shift[1] = 0.0
    return np.asarray(shift)


def _check_room(task: _Task) -> Rejection | None:
    """Refuse a piece that is too wide for the new support and was not for the old one."""
    attachment = task.attachment
    if attachment.has_no_way:
        return None
    piece, old, new = attachment.placed.bounds, attachment.support_box, box_of(task.support)
    was = np.maximum(old[0] - piece[0], 0.0) + np.maximum(piece[1] - old[1], 0.0)
    is_now = np.maximum((piece[1] - piece[0]) - (new[1] - new[0]), 0.0)
    more = (is_now - was) / attachment.diagonal
    more[int(np.argmax(np.abs(attachment.normal)))] = 0.0
    if attachment.stands:
        more[1] = 0.0
    return checks.check_at_most(
        "size", float(more.max()), OVERHANG_REL, "more overhang than on the old support, over D"
    )


def _keep_over(piece: FloatArray, old: FloatArray, new: FloatArray, shift: float) -> float:
    """The shift nearest to `shift` with which the piece overhangs the new support no more than the old one.

    All intervals are (2,): low and high. A piece that cannot is put over the middle.
    """
    least = float(new[0] - max(old[0] - piece[0], 0.0) - piece[0])
    most = float(new[1] + max(piece[1] - old[1], 0.0) - piece[1])
    return min(max(shift, least), most) if least <= most else 0.5 * (least + most)


def _close_gap(task: _Task, start: Placed) -> _Pose | None:
    """The carried place itself, moved onto the support if it stands off it; None when that is too far away."""
    normal, diagonal = task.attachment.normal, task.state.diagonal
    if checks.measure_distances(start, task.state, task.support).primary_gap_rel == 0.0:
        return _Pose(start, 0.0)
    way = find_travel(start, task.support, normal, task.limits.sweep_rel * diagonal)
    return None if way is None else _Pose(_shifted(task, start, -way * normal), way / diagonal)


def _shifted(task: _Task, placed: Placed, shift: FloatArray) -> Placed:
    """The piece moved by `shift` (3,), on the translation grid."""
    matrix = np.array(placed.matrix)
    matrix[:3, 3] = round_shift(matrix[:3, 3] + shift, task.state.diagonal)
    return place_solid(placed.solid, matrix)


def _judge(task: _Task, pose: _Pose, visible: VisibleMeasure) -> Placement | Rejection:
    """All checks on one pose."""
    accepted = _resolve_overlap(task, pose)
    if isinstance(accepted, Rejection):
        return accepted
    state, limits, attachment = task.state, task.limits, task.attachment
    placed = accepted.pose.placed
    found = find_best_contact(placed, task.support, state.diagonal)
    if found is None:
        return Rejection(check="frame", measured=None, limit=None, detail="it does not meet the new support")
    parent, contact = found
    rests = attachment.frame.kind == "rest"
    share = measure_support(placed, parent, state.diagonal) if rests else None
    after = state.with_piece(attachment.slot, (placed,))
    before_pieces, after_pieces = state.count_pieces(), after.count_pieces()
    floor_rel = checks.measure_floor_rel(placed.bounds, state, attachment.placed.bounds)
    refused = checks.first_rejection(
        (
            None
            if share is None
            else checks.check_at_least("support", share, LEAST_SUPPORT, "share of the base that rests on the support"),
            checks.check_at_most("floor", floor_rel, limits.floor_rel, "below the floor"),
            checks.check_connected(before_pieces, after_pieces, state.initial_pieces),
        )
    )
    if refused is not None:
        return refused
    seen = visible(state, after)
    refused = checks.check_at_least("visible", seen, limits.visible, "share of the object's pixels that change")
    if refused is not None:
        return refused
    distances = checks.measure_distances(placed, state, task.support)
    report = CheckReport(
        gap_rel=distances.gap_rel,
        primary_gap_rel=distances.primary_gap_rel,
        interpenetration=accepted.overlap.fraction,
        measure=accepted.overlap.measure,
        contained=accepted.overlap.contained,
        baseline=attachment.baseline,
        mode=accepted.mode,
        pull_rel=accepted.pose.pull_rel,
        sweep_rel=accepted.pose.sweep_rel,
        connected_before=before_pieces,
        connected_after=after_pieces,
        own_scale=_own_scale(task),
        floor_rel=floor_rel,
        loose_gap=task.record.loose_gap,
        support=share,
        visible=seen,
    )
    frame = _new_frame(attachment, contact, placed)
    return Placement(world_from_part=write_pose(placed.matrix), contact=frame, report=report)


def _resolve_overlap(task: _Task, pose: _Pose) -> Accepted[_Pose] | Rejection:
    """The interpenetration check with its pulls, after the gaps; a piece that was pulled settles back."""
    others = [other for _, other in task.state.parts]
    refused = checks.check_gaps(checks.measure_distances(pose.placed, task.state, task.support), task.limits)
    if refused is not None:
        return refused
    accepted = resolve_overlap(pose, _list_pulled(task, pose), others, task.limits, lambda: task.attachment.baseline)
    if isinstance(accepted, Rejection) or accepted.mode != "pull":
        return accepted
    return _settle(task, accepted, others)


def _list_pulled(task: _Task, pose: _Pose) -> Iterator[_Pose]:
    """The pose pulled out along the normal step by step, while it still touches and holds."""
    attachment, diagonal = task.attachment, task.state.diagonal
    if attachment.has_no_way:
        return
    for pull in list_pulls(task.limits):
        placed = _shifted(task, pose.placed, pull * diagonal * attachment.normal)
        distances = checks.measure_distances(placed, task.state, task.support)
        if pull * diagonal > attachment.most_pull or checks.check_gaps(distances, task.limits) is not None:
            return
        yield _Pose(placed, pose.sweep_rel, pull)


def _settle(task: _Task, pulled: Accepted[_Pose], others: Sequence[Placed]) -> Accepted[_Pose]:
    """Take back what a step of the pull went too far: a piece that stands off its support goes back to touch it."""
    normal, diagonal = task.attachment.normal, task.state.diagonal
    pose = pulled.pose
    back = find_travel(pose.placed, task.support, normal, pose.pull_rel * diagonal)
    if back is None:
        return pulled
    placed = _shifted(task, pose.placed, -back * normal)
    overlap = measure_overlap(placed, others, task.limits.interpenetration)
    if not overlap.fraction < task.limits.interpenetration:
        return pulled
    return Accepted(_Pose(placed, pose.sweep_rel, pose.pull_rel - back / diagonal), overlap, "pull")


def _new_frame(attachment: Attachment, contact: PairContact, placed: Placed) -> ContactFrame:
    """The contact frame on the new support; what rested rests, and the pose's own normal stands against a vague one."""
    old = attachment.frame
    frame = build_frame(contact, placed, attachment.support, carried=old.kind == "rest")
    if frame.direction == old.direction:
        return frame
    return frame.model_copy(update={"normal": old.normal, "direction": classify_direction(attachment.normal)})


def _own_scale(task: _Task) -> float:
    placed, mounts = task.attachment.placed, task.record.mounts
    share = mounts[0].object_share if mounts else 0.0
    return checks.measure_own_scale(
        checks.diagonal_of(placed.bounds), scale_of(placed.matrix), share, task.state.diagonal
    )
