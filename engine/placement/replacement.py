"""Fit a library part into the place of a slot's piece (PLACEMENT 3): closed form, no search by sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.geometry.bounds import bounds_of
from engine.geometry.overlap import Placed, Solid, place_solid
from engine.geometry.similarity import similarity, transform_points, transform_vectors
from engine.geometry.sweep import sweep_to_contact
from engine.placement import checks
from engine.placement.hold import (
    check_ends,
    check_foot,
    check_held,
    find_twin_legs,
    measure_new_frame,
    measure_overhang,
    measure_protrusion_ratio,
    measure_supports,
    measure_thickness_ratio,
)
from engine.placement.interpenetration import Accepted, list_pulls, resolve_overlap
from engine.placement.mates.choose import choose_mate
from engine.placement.mates.protocol import Mate
from engine.placement.mounts import SlotMount, measure_slot_mount
from engine.placement.pose import align_frames, choose_scale, round_shift, write_pose
from engine.placement.posture import Posture, choose_posture
from engine.placement.state import StateGeometry
from engine.surfaces import FloatArray
from schemas.part import PartRecord
from schemas.placement import CheckReport, Limits, Placement, Rejection

EMBEDDED = frozenset({"socket", "planar", "point", "near", "axial"})
LEG_THICKNESS, TWIN_THICKNESS = 2.1, 1.85
"""How many times as thick as the old leg a new one may be, or the old one as it; and the nearest of its twins."""
OVERHANG_REL = 0.015
"""A thing may reach this many D further over the edge of what it rests on than the old one did."""
PROTRUSION = 2.0
"""How many times as far a part may stand out of its parent as the old one, or the old one as it."""
TOUCHING_REL = 0.0005
"""A gap nobody can see is not closed: the sweep would carry the part through what it hardly misses."""
LEG_SHORT_REL = 0.006
"""A leg may end this many D above the old one."""

Alignment = Literal["upright", "exact"]
"""Upright: one of four yaws and box faces. Exact: contact frames brought together, a reviewer's choice."""

VisibleMeasure = Callable[[StateGeometry, StateGeometry], float]
"""Share of the object's pixels that change between two states, best of the default views."""


@dataclass(frozen=True, slots=True)
class LibraryPart:
    """A library part ready to be placed: its manifest row and its measured solid, in part coordinates."""

    record: PartRecord
    solid: Solid


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A pose under test and what moved it there."""

    placed: Placed
    scale: float
    sweep_rel: float = 0.0
    pull_rel: float = 0.0


@dataclass(frozen=True, slots=True)
class _Task:
    """Everything that stays the same while one candidate is tried in one slot."""

    before: StateGeometry
    rest: StateGeometry
    slot: str
    slot_diagonal: float
    mount: SlotMount
    record: PartRecord
    limits: Limits
    alignment: Alignment
    posture: Posture
    mate: Mate

    @property
    def normal(self) -> FloatArray:
        return np.array(self.mount.frame.normal)

    @property
    def movable(self) -> bool:
        """Whether the part may be pulled out along the normal."""
        return self.mate.is_movable


def prefilter(
    record: PartRecord,
    mount: SlotMount,
    limits: Limits,
    slot_diagonal: float,
    host_diagonal: float,
    *,
    max_triangles: int | None = None,
) -> Rejection | None:
    """Turn a candidate away from its manifest row alone, before any mesh is loaded.

    Class, shape, size and own scale as in the fit itself, triangles, debris, and that its mount could be measured.
    `slot_diagonal` is the slot's at turn 0, `host_diagonal` is D.
    """
    if not record.mounts:
        return Rejection(check="frame", measured=None, limit=None, detail="the part has no measured mount")
    best = record.mounts[0]
    if best.frame.direction != mount.frame.direction:
        detail = f"the part sits {best.frame.direction}, the slot {mount.frame.direction}"
        return Rejection(check="class", measured=None, limit=None, detail=detail)
    if max_triangles is not None and record.triangles > max_triangles:
        return checks.check_at_most("triangles", float(record.triangles), float(max_triangles))
    if max(best.extents) <= 0.0:
        return Rejection(check="geometry", measured=None, limit=None, detail="the part has no extent")
    posture = choose_posture(mount, record, host_diagonal)
    if isinstance(posture, Rejection):
        return posture
    scale = choose_scale(mount, posture.offered, choose_mate(mount, record), slot_diagonal, host_diagonal, limits)
    return checks.check_debris(record.loose_gap, limits) or (scale if isinstance(scale, Rejection) else None)


def fit_replacement(
    state: StateGeometry,
    slot: str,
    slot_diagonal: float,
    part: LibraryPart,
    limits: Limits,
    visible: VisibleMeasure,
    mount: SlotMount | None = None,
    *,
    alignment: Alignment = "upright",
) -> Placement | Rejection:
    """Put `part` into `slot` in place of the piece that is there.

    Args:
        state: the state before the turn, with the old piece in its slot.
        slot: a filled slot other than the core; what hangs from it must have gone before.
        slot_diagonal: diagonal of the slot at turn 0.
        part: the candidate.
        limits: the chain's limits; `mode` decides whether a baseline pose may be accepted.
        visible: measures the visible change between two states; called last.
        mount: the slot's mount in `state` when it is known already.
        alignment: how the start pose is made; everything after it is the same.

    Returns:
        The placement with its report, or the first check that failed: any of CheckName.

    """
    found = measure_slot_mount(state, slot) if mount is None else mount
    if isinstance(found, Rejection):
        return found
    refused = prefilter(part.record, found, limits, slot_diagonal, state.diagonal)
    if refused is not None:
        return refused
    posture = choose_posture(found, part.record, state.diagonal)
    if isinstance(posture, Rejection):
        return posture
    mate = choose_mate(found, part.record)
    rest = state.without(slot)
    task = _Task(state, rest, slot, slot_diagonal, found, part.record, limits, alignment, posture, mate)
    attempt = _start_pose(task, part.solid)
    if isinstance(attempt, _Attempt):
        attempt = _close_gap(task, attempt)
    if isinstance(attempt, Rejection):
        return attempt
    accepted = _check_boxes(task, attempt) or _resolve_overlap(task, attempt)
    return accepted if isinstance(accepted, Rejection) else _finish(task, accepted, visible)


def _start_pose(task: _Task, solid: Solid) -> _Attempt | Rejection:
    """Posture, scale and position; the shift is rounded before anything is measured."""
    diagonal, offered = task.before.diagonal, task.posture.offered
    scale = choose_scale(task.mount, offered, task.mate, task.slot_diagonal, diagonal, task.limits)
    if isinstance(scale, Rejection):
        return scale
    if task.alignment == "exact":
        return _Attempt(_aligned(task, solid, scale), scale)
    turned = similarity(scale, offered.rotation, np.zeros(3))
    box = _turned_box(solid, turned, is_tilted=task.posture.tilt_deg > 0.0)
    shift = task.mate.place(task.mount, offered, box, scale, diagonal)
    turned[:3, 3] = round_shift(shift, diagonal)
    return _Attempt(place_solid(solid, turned), scale)


def _turned_box(solid: Solid, turned: FloatArray, *, is_tilted: bool) -> FloatArray:
    """(2, 3) box of a solid turned and scaled about the origin; of a tilted one by its vertices."""
    if is_tilted:
        return bounds_of(transform_points(turned, solid.mesh.vertices), solid.mesh.faces)
    ends = transform_vectors(turned, np.asarray(solid.bounds, dtype=np.float64))
    return np.array([ends.min(axis=0), ends.max(axis=0)])


def _aligned(task: _Task, solid: Solid, scale: float) -> Placed:
    """The part with its contact frame on the slot's: normals, up directions and origins coincide."""
    host, own = task.mount.frame, task.record.mounts[0].frame
    rotation = align_frames(host, own)
    turned = transform_points(similarity(scale, rotation, np.zeros(3)), np.array([own.origin]))[0]
    return place_solid(
        solid, similarity(scale, rotation, round_shift(np.array(host.origin) - turned, task.before.diagonal))
    )


def _moved(task: _Task, attempt: _Attempt, direction: FloatArray, travel: float) -> Placed:
    """The attempt's part shifted along `direction`, on the translation grid."""
    matrix = np.array(attempt.placed.matrix)
    matrix[:3, 3] = round_shift(matrix[:3, 3] + travel * direction, task.before.diagonal)
    return place_solid(attempt.placed.solid, matrix)


def _close_gap(task: _Task, attempt: _Attempt) -> _Attempt | Rejection:
    """Sweep towards the parent by at most 0.05 D when the part does not touch yet."""
    parent = task.mount.parent
    distances = checks.measure_distances(attempt.placed, task.rest, parent, on_ground=not parent)
    if distances.gap_rel <= TOUCHING_REL and distances.primary_gap_rel < task.limits.gap_rel:
        return attempt
    if not parent or distances.primary_gap_rel == 0.0:
        return checks.check_gaps(distances, task.limits) or attempt
    limit = task.limits.sweep_rel * task.before.diagonal
    swept = sweep_to_contact(attempt.placed.bvh, parent[0].bvh, -task.normal, limit)
    if swept.status != "hit" or not swept.travel <= limit:
        return checks.check_gaps(distances, task.limits) or attempt
    placed = _moved(task, attempt, -task.normal, swept.travel)
    moved = replace(attempt, placed=placed, sweep_rel=swept.travel / task.before.diagonal)
    return checks.check_gaps(checks.measure_distances(placed, task.rest, parent), task.limits) or moved


def _check_boxes(task: _Task, attempt: _Attempt) -> Rejection | None:
    """The gates that need boxes only: size, place, floor, shape, and that a leg reaches down as far as the old one."""
    new, limits, state = attempt.placed.bounds, task.limits, task.before
    rejection = checks.first_rejection(
        (
            checks.check_slot_scale(checks.diagonal_of(new), task.slot_diagonal, limits),
            checks.check_own_scale(_own_scale(task, attempt), limits),
            checks.check_at_least(
                "place", checks.measure_place_iou(new, task.mount.bounds, state.diagonal), limits.place_iou
            ),
            checks.check_at_most(
                "floor", checks.measure_floor_rel(new, state, task.mount.bounds), limits.floor_rel, "below the floor"
            ),
            checks.check_at_most(
                "shape", checks.measure_axis_ratio(new, task.mount.anchor, state.diagonal), limits.axis_ratio
            ),
        )
    )
    if rejection is None and task.mount.is_leg:
        refused = _check_leg(task, new)
        if refused is not None:
            return refused
        raised = (float(new[0, 1]) - float(task.mount.bounds[0, 1])) / state.diagonal
        return checks.check_at_most("floor", raised, LEG_SHORT_REL, "the leg ends above the floor")
    if rejection is None and task.mate.kind == "rest" and task.mount.parent and not task.mount.is_covered:
        over = measure_overhang(new, task.mount.parent[0].bounds) - measure_overhang(
            task.mount.bounds, task.mount.parent[0].bounds
        )
        return checks.check_at_most("support", over / state.diagonal, OVERHANG_REL, "how much further it hangs over")
    if rejection is None and task.mount.frame.kind in EMBEDDED:
        ratio = measure_protrusion_ratio(new, task.mount, state.diagonal)
        return checks.check_at_most("shape", ratio, PROTRUSION, "how far it stands out against the old part")
    return rejection


def _check_leg(task: _Task, new: FloatArray) -> Rejection | None:
    """Legs come in sets: one much thicker than the old one or than its twins looks wrong."""
    diagonal = task.before.diagonal
    thick = measure_thickness_ratio(new, task.mount.anchor, diagonal)
    twins = [
        measure_thickness_ratio(new, box, diagonal) for box in find_twin_legs(task.before, task.slot, task.mount.bounds)
    ]
    return checks.first_rejection(
        (
            checks.check_at_most("shape", thick, LEG_THICKNESS, "how much thicker or thinner the leg is"),
            checks.check_at_most("shape", min(twins, default=1.0), TWIN_THICKNESS, "than any of its twins"),
        )
    )


def _own_scale(task: _Task, attempt: _Attempt) -> float:
    mount = task.record.mounts[0]
    size = attempt.scale * float(np.sqrt((task.posture.offered.extents**2).sum()))
    return checks.measure_own_scale(size, attempt.scale, mount.object_share, task.before.diagonal)


def _resolve_overlap(task: _Task, attempt: _Attempt) -> Accepted[_Attempt] | Rejection:
    """The interpenetration check with its pulls; the old piece's own overlap is the baseline."""
    others = tuple(placed for _, placed in task.rest.parts)
    return resolve_overlap(
        attempt,
        _list_pulled(task, attempt),
        others,
        task.limits,
        lambda: task.before.resting_overlap(task.slot, refined=True).fraction,
    )


def _list_pulled(task: _Task, attempt: _Attempt) -> Iterator[_Attempt]:
    """The attempt pulled out along the slot's normal step by step, while it still touches and fits its box."""
    if not task.movable:
        return
    for pull in list_pulls(task.limits):
        placed = _moved(task, attempt, task.normal, pull * task.before.diagonal)
        pulled = replace(attempt, placed=placed, pull_rel=pull)
        distances = checks.measure_distances(placed, task.rest, task.mount.parent, on_ground=not task.mount.parent)
        if checks.check_gaps(distances, task.limits) or _check_boxes(task, pulled):
            return
        yield pulled


def _finish(task: _Task, accepted: Accepted[_Attempt], visible: VisibleMeasure) -> Placement | Rejection:
    """The remaining checks on the accepted pose, and the full report."""
    attempt, limits, state = accepted.pose, task.limits, task.before
    placed, parent = attempt.placed, task.mount.parent
    frame = measure_new_frame(placed, task.mount, state.diagonal)
    if isinstance(frame, Rejection):
        return frame
    rests = task.mount.frame.kind == task.mate.kind == "rest" and bool(parent)
    supports = measure_supports(placed, state.piece(task.slot), parent[0], state.diagonal) if rests else None
    loose = check_ends(placed, task.mount, state.diagonal, limits) or (
        supports.check() or check_foot(placed) if supports else None
    )
    if loose is not None:
        return loose
    grounded = task.slot in state.grounded
    after = task.rest.with_piece(task.slot, (placed,), grounded=grounded)
    distances = checks.measure_distances(placed, task.rest, parent, on_ground=not parent)
    before_pieces, after_pieces = state.count_pieces(), after.count_pieces()
    refused = checks.first_rejection(
        (
            checks.check_gaps(distances, limits),
            checks.check_connected(before_pieces, after_pieces, state.initial_pieces),
            check_held(state, after, task.slot),
        )
    )
    if refused is not None:
        return refused
    seen = visible(state, after)
    refused = checks.check_at_least("visible", seen, limits.visible, "share of the object's pixels that change")
    if refused is not None:
        return refused
    new = placed.bounds
    report = CheckReport(
        gap_rel=distances.gap_rel,
        primary_gap_rel=distances.primary_gap_rel,
        interpenetration=accepted.overlap.fraction,
        measure=accepted.overlap.measure,
        contained=accepted.overlap.contained,
        baseline=state.resting_overlap(task.slot, refined=accepted.mode == "baseline").fraction,
        mode=accepted.mode,
        pull_rel=attempt.pull_rel,
        sweep_rel=attempt.sweep_rel,
        connected_before=before_pieces,
        connected_after=after_pieces,
        slot_scale=checks.diagonal_of(new) / task.slot_diagonal,
        own_scale=_own_scale(task, attempt),
        place_iou=checks.measure_place_iou(new, task.mount.bounds, state.diagonal),
        floor_rel=checks.measure_floor_rel(new, state, task.mount.bounds),
        axis_ratio=checks.measure_axis_ratio(new, task.mount.anchor, state.diagonal),
        loose_gap=task.record.loose_gap,
        support=None if supports is None else supports.new,
        support_before=None if supports is None else supports.old,
        mate=task.mate.kind,
        residuals=task.mate.measure(task.mount, task.posture.offered, placed, state.diagonal),
        yaw_deg=task.posture.yaw,
        tilt_deg=task.posture.tilt_deg,
        visible=seen,
    )
    return Placement(world_from_part=write_pose(placed.matrix), contact=frame, report=report)


__all__ = [
    "LibraryPart",
    "VisibleMeasure",
    "fit_replacement",
    "prefilter",
]
