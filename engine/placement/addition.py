"""Stand a library part on a free face of a slot, or on the ground beside the object (PLACEMENT 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.bounds import box_distance
from engine.geometry.curve import curve_length, intersection_segments
from engine.geometry.landing import MIN_RADIUS, LandingSpot, landing_spots
from engine.geometry.overlap import Placed, Solid, measure_overlap, place_solid
from engine.geometry.patches import FLAT_REL, free_patches
from engine.geometry.similarity import scale_of, transform_vectors
from engine.geometry.stability import LEAST_STABILITY
from engine.geometry.sweep import sweep_to_contact
from engine.placement import checks
from engine.placement.beside import find_ground_places, stand_upright
from engine.placement.contact import UP, build_frame, ground_frame, measure_pair, unit
from engine.placement.hold import check_foot, measure_support
from engine.placement.pose import round_shift, write_pose
from engine.placement.replacement import LibraryPart, VisibleMeasure
from engine.placement.state import StateGeometry
from schemas.operation import GROUND
from schemas.part import ContactFrame, PartRecord
from schemas.placement import LEAST_SUPPORT, CheckName, CheckReport, Limits, Placement, Rejection

FACE_UP = 0.85
"""Least vertical component of a landing face's normal."""
RADIUS_STEPS = 1e5
"""Radii and distances that differ by less than this part of D count as equal."""
FILL = 0.85
"""Share of a spot's free radius that the footprint may take."""
LARGEST_REL = 0.30
OBSTRUCTED = frozenset({"clearance", "interpenetration"})
"""Refusals that a spot with more room above it may cure."""
SMALLEST_REL = 0.12
CUT_REL = 1e-6
"""Length of the curve in which an added part may cross another, over D: rounding."""


@dataclass(frozen=True, slots=True)
class FreeSpot:
    """A place where something can stand: on one part of a slot."""

    slot: str
    part: Placed
    spot: LandingSpot


@dataclass(frozen=True, slots=True)
class _Landing:
    """A part that stands somewhere, before the checks."""

    placed: Placed
    scale: float
    sweep_rel: float
    clearance_rel: float
    support: float


def find_free_spots(
    state: StateGeometry, slot: str, limits: Limits, clearance_rel: float | None = None
) -> tuple[FreeSpot, ...]:
    """Free upward faces of the parts in `slot`, largest free radius first.

    A spot has free height above it against all parts (`clearance_rel` D, the limit unless given), lies inside none,
    and sees enough of the sky.
    """
    height = limits.clearance_rel if clearance_rel is None else clearance_rel
    found: list[FreeSpot] = []
    places: list[int] = []
    everything = [placed for _, placed in state.parts]
    for part in state.piece(slot):
        others = [placed for placed in everything if placed is not part]
        for patch in free_patches(part.solid.mesh, state.diagonal / scale_of(part.matrix)):
            normal = unit(transform_vectors(part.matrix, patch.normal), fallback=UP)
            if not normal[1] > FACE_UP:
                continue
            spots = landing_spots(patch, part, others, state.diagonal, clearance_rel=height)
            found.extend(FreeSpot(slot, part, spot) for spot in spots)
            places.extend(range(len(spots)))
    centres = np.array([0.5 * (placed.bounds[0] + placed.bounds[1]) for placed in everything])

    def rank(i: int) -> tuple[int, int, int, int]:
        """Radius, place on its face, then the one farthest from the last parts: no order of faces decides."""
        offsets = centres - found[i].spot.center
        apart = np.sqrt((offsets * offsets).sum(axis=1)) * np.arange(1, len(centres) + 1)
        steps = RADIUS_STEPS / state.diagonal
        return (-round(found[i].spot.radius * steps), places[i], -round(float(apart.mean()) * steps), i)

    return tuple(found[i] for i in sorted(range(len(found)), key=rank))


def prefilter_addition(record: PartRecord, limits: Limits, *, max_triangles: int | None = None) -> Rejection | None:
    """Turn a part away from its manifest row alone: it must rest upright in its own object, stable, in one piece."""
    if not record.mounts:
        return Rejection(check="frame", measured=None, limit=None, detail="the part has no measured mount")
    best = record.mounts[0]
    if best.frame.kind != "rest":
        detail = f"the part is mounted as {best.frame.kind}, only resting parts stand on faces"
        return Rejection(check="class", measured=None, limit=None, detail=detail)
    over = (
        None
        if max_triangles is None
        else checks.check_at_most("triangles", float(record.triangles), float(max_triangles))
    )
    return checks.first_rejection(
        (
            over,
            checks.check_at_least("stability", best.stability, LEAST_STABILITY, "margin over height"),
            checks.check_debris(record.loose_gap, limits),
        )
    )


def fit_addition(
    state: StateGeometry,
    attach_to: str,
    slot: str,
    part: LibraryPart,
    limits: Limits,
    visible: VisibleMeasure,
    spots: Sequence[FreeSpot] | None = None,
) -> Placement | Rejection:
    """Stand `part` on a free face of the slot `attach_to`, or beside the object on the ground (`attach_to: ground`).

    Args:
        state: the state before the turn.
        attach_to: a filled slot, or `ground`.
        slot: the new slot's name; must be empty.
        part: the candidate; stands upright as authored.
        limits: the chain's limits.
        visible: measures the visible change between two states; called last.
        spots: free spots of `attach_to` in this state when they are known already.

    Returns:
        The placement with its report on the first spot that passes every check, else the closest miss: the rejection
        of the last check any spot reached.

    """
    refused = prefilter_addition(part.record, limits)
    if refused is not None:
        return refused
    if attach_to == GROUND:
        return _fit_on_ground(state, slot, part, limits, visible)
    free = find_free_spots(state, attach_to, limits) if spots is None else spots
    result = _fit_on_spots(state, slot, part, limits, visible, free)
    if isinstance(result, Rejection) and result.check in OBSTRUCTED and free:
        # What hangs over the face higher than the clearance is in the way of this part: ask for all its height.
        higher = find_free_spots(state, attach_to, limits, LARGEST_REL)
        second = _fit_on_spots(state, slot, part, limits, visible, higher)
        result = second if isinstance(second, Placement) else result
    if result is None:
        return Rejection(check="clearance", measured=0.0, limit=MIN_RADIUS, detail=f"no free face on {attach_to}")
    return result


def _fit_on_spots(
    state: StateGeometry,
    slot: str,
    part: LibraryPart,
    limits: Limits,
    visible: VisibleMeasure,
    spots: Sequence[FreeSpot],
) -> Placement | Rejection | None:
    """The part on the first spot that passes every check, else the closest miss; None without spots."""
    misses: list[Rejection] = []
    for spot in spots:
        landing = _land(state, spot, part, limits)
        result = (
            landing
            if isinstance(landing, Rejection)
            else _judge(state, slot, landing, part, limits, visible, host=spot)
        )
        if isinstance(result, Placement):
            return result
        misses.append(result)
    return max(misses, key=_progress) if misses else None


_ORDER: tuple[CheckName, ...] = (
    "size",
    "scale",
    "clearance",
    "support",
    "frame",
    "gap",
    "primary",
    "interpenetration",
    "connected",
    "floor",
    "visible",
)
"""Checks as a standing part meets them. A cut through something is a lack of clearance like a low ceiling."""


def _progress(rejection: Rejection) -> int:
    """How far a rejected pose got, to report the closest miss."""
    return _ORDER.index(rejection.check) if rejection.check in _ORDER else -1


def _choose_scale(part: LibraryPart, radius: float, host_diagonal: float, limits: Limits) -> float | Rejection:
    """min(.85 r / footprint radius, .30 D / diagonal), within the part's own gate, at least .12 D large."""
    record = part.record
    diagonal = checks.diagonal_of(record.bounds)
    scale = min(FILL * radius / _footprint_radius(part.solid), LARGEST_REL * host_diagonal / diagonal)
    share = record.mounts[0].object_share
    own = host_diagonal * share / diagonal if 0.0 < share < checks.WHOLE_OBJECT else 1.0
    scale = min(scale, limits.scale_max * own * (1.0 - 1e-9))
    own_scale = checks.measure_own_scale(scale * diagonal, scale, share, host_diagonal)
    refused = checks.check_at_least(
        "size", scale * diagonal / host_diagonal, SMALLEST_REL, "diagonal over D"
    ) or checks.check_own_scale(own_scale, limits)
    return scale if refused is None else refused


def _footprint_radius(solid: Solid) -> float:
    """Largest horizontal distance of the part from its box's vertical axis."""
    centre = 0.5 * (solid.bounds[0] + solid.bounds[1])
    away = solid.mesh.vertices - centre
    return float(np.sqrt((away[:, 0] * away[:, 0] + away[:, 2] * away[:, 2]).max()))


def _land(state: StateGeometry, free: FreeSpot, part: LibraryPart, limits: Limits) -> _Landing | Rejection:
    """Drop the part onto the spot by an exact sweep against the face's part."""
    diagonal = state.diagonal
    scale = _choose_scale(part, free.spot.radius, diagonal, limits)
    if isinstance(scale, Rejection):
        return scale
    height = limits.clearance_rel * diagonal
    start = stand_upright(part.solid, scale, free.spot.center + height * UP, diagonal)
    swept = sweep_to_contact(start.bvh, free.part.bvh, -UP, 2.0 * height)
    if swept.status != "hit":
        detail = "the part does not come down on the face" if swept.status == "no_contact" else "no room to come down"
        return Rejection(check="clearance", measured=None, limit=limits.clearance_rel, detail=detail)
    matrix = np.array(start.matrix)
    matrix[:3, 3] = round_shift(matrix[:3, 3] - swept.travel * UP, diagonal)
    placed = place_solid(part.solid, matrix)
    support = measure_support(placed, free.part, diagonal)
    refused = checks.check_at_least(
        "support", support, LEAST_SUPPORT, "share of the base that rests on the face"
    ) or check_foot(placed)
    if refused is not None:
        return refused
    return _Landing(placed, scale, (swept.travel - height) / diagonal, limits.clearance_rel, support)


def _fit_on_ground(
    state: StateGeometry, slot: str, part: LibraryPart, limits: Limits, visible: VisibleMeasure
) -> Placement | Rejection:
    """Stand the part on the ground plane close beside the object where it meets nothing."""
    scale = _choose_scale(part, float("inf"), state.diagonal, limits)
    if isinstance(scale, Rejection):
        return scale
    misses: list[Rejection] = []
    for place in find_ground_places(state, part.solid, scale):
        for matrix in place.poses:
            landing = _Landing(place_solid(part.solid, matrix), scale, 0.0, limits.clearance_rel, 1.0)
            result = _judge(state, slot, landing, part, limits, visible, host=None)
            if isinstance(result, Placement):
                return result
            misses.append(result)
    return max(misses, key=_progress)


def _judge(
    state: StateGeometry,
    slot: str,
    landing: _Landing,
    part: LibraryPart,
    limits: Limits,
    visible: VisibleMeasure,
    host: FreeSpot | None,
) -> Placement | Rejection:
    """All checks on a standing part; `host` is None on the ground."""
    placed = landing.placed
    parent = () if host is None else (host.part,)
    distances = checks.measure_distances(placed, state, parent, on_ground=host is None)
    overlap = measure_overlap(placed, [other for _, other in state.parts], limits.interpenetration)
    frame = _standing_frame(placed, host, state.diagonal)
    if isinstance(frame, Rejection):
        return frame
    refused = (
        checks.check_gaps(distances, limits)
        or checks.check_overlap(overlap, None, limits)
        or _check_uncut(placed, state, parent)
    )
    if refused is not None:
        return refused
    on_ground = host is None or bool(state.grounded)
    after = state.with_piece(slot, (placed,), grounded=host is None)
    before_pieces, after_pieces = state.count_pieces(with_ground=on_ground), after.count_pieces()
    floor_rel = (state.ground - float(placed.bounds[0][1])) / state.diagonal
    refused = checks.first_rejection(
        (
            checks.check_connected(before_pieces, after_pieces, state.initial_pieces),
            checks.check_at_most("floor", floor_rel, limits.floor_rel, "below the floor"),
        )
    )
    if refused is not None:
        return refused
    seen = visible(state, after)
    refused = checks.check_at_least("visible", seen, limits.visible, "share of the object's pixels that change")
    if refused is not None:
        return refused
    share = part.record.mounts[0].object_share
    size = checks.diagonal_of(placed.bounds)
    report = CheckReport(
        gap_rel=distances.gap_rel,
        primary_gap_rel=distances.primary_gap_rel,
        interpenetration=overlap.fraction,
        measure=overlap.measure,
        contained=overlap.contained,
        mode="strict",
        sweep_rel=abs(landing.sweep_rel),
        connected_before=before_pieces,
        connected_after=after_pieces,
        own_scale=checks.measure_own_scale(size, landing.scale, share, state.diagonal),
        floor_rel=floor_rel,
        loose_gap=part.record.loose_gap,
        support=landing.support,
        clearance_rel=landing.clearance_rel,
        visible=seen,
    )
    return Placement(world_from_part=write_pose(placed.matrix), contact=frame, report=report)


def _check_uncut(placed: Placed, state: StateGeometry, parent: tuple[Placed, ...]) -> Rejection | None:
    """A free-standing part crosses the surface of nothing, however thin: a sheet holds no volume to overlap with."""
    raised = np.array(placed.matrix)
    # Parts that lie flush with the face, like planks of one floor, are not crossed.
    raised[:3, 3] += FLAT_REL * state.diagonal * UP
    lifted = place_solid(placed.solid, raised)
    for (slot, _), other in state.parts:
        if any(other is own for own in parent) or box_distance(lifted.bounds, other.bounds) > 0.0:
            continue
        length = curve_length(intersection_segments(lifted.bvh, other.bvh)) / state.diagonal
        refused = checks.check_at_most("clearance", length, CUT_REL, f"it cuts through {slot}")
        if refused is not None:
            return refused
    return None


def _standing_frame(placed: Placed, host: FreeSpot | None, diagonal: float) -> ContactFrame | Rejection:
    """Check 1 for a standing part: rest on the face's slot, or on the ground."""
    if host is None:
        return ground_frame(placed)
    contact = measure_pair(placed, host.part, diagonal)
    if contact is None:
        return Rejection(check="frame", measured=None, limit=None, detail="the part does not meet the face")
    return build_frame(contact, placed, host.slot, carried=True)
