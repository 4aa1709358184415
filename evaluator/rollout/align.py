"""Laying the output of an image-to-3D program onto a target: any place, size and turn about the vertical is undone.

Turns every 15 degrees are tried on few points; those that come to different poses and look best are fitted by iterated
closest points, both ways, and end on the surfaces themselves. Far pairs count little: a part that only one of the two
has pulls nothing out of place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

import numpy as np

from engine.cells.lattice import Soup, measure_soup_box
from engine.geometry.angles import turn_of_degrees
from engine.geometry.registration import Pose, fit_pairs, step_onto_planes
from engine.geometry.similarity import compose
from engine.surfaces import FloatArray
from evaluator.rollout.closeness import (
    Pairs,
    Side,
    mean_of,
    measure_misfit,
    pair_points,
    pair_surfaces,
    prepare_side,
    weigh_pairs,
)
from schemas.base import Matrix4, check_similarity


class _Level(NamedTuple):
    """One pass over the poses that are still in question; lengths are root mean square radii of the target."""

    stride: int
    """One of so many points is looked at."""
    steps: int
    """At most, for each pose."""
    reach: float
    """Beyond it pairs count ever less when poses are compared."""
    settled: float
    """A step that moves nothing by more ends a search."""
    kept: int
    """Poses that go on, at most."""
    worse: float
    """Those whose misfit is so many times the best do not."""
    on_surfaces: bool


POINTS: Final = 4800
"""Of either side."""
LEVELS: Final = (
    _Level(16, 8, 0.4, 1e-2, 20, 1.5, on_surfaces=False),
    _Level(16, 6, 0.15, 1e-3, 6, 2.0, on_surfaces=True),
    _Level(8, 7, 0.1, 1e-3, 4, 1.25, on_surfaces=True),
    _Level(4, 3, 0.1, 1e-5, 2, 1.1, on_surfaces=True),
    _Level(2, 16, 0.1, 1e-5, 2, 1.1, on_surfaces=True),
)
"""All turns by few points, which tell apart poses, not turns of round things; those by few points on the surfaces; then
ever fewer by more points."""
FIRST_ON_SURFACES: Final = 1
YAW_STEP_DEG: Final = 15
MEDIANS, LEAST_REACH = 3.0, 1e-3
"""In a fit the reach is so many medians of the distances."""
BACK: Final = 0.1
"""On the surfaces, what a pair sought from the target counts against one sought from the output. Outputs are shells of
two walls, or outer walls alone: each of their points belongs to the target, but a point of the target takes whichever
wall is nearer, and holds the output to it."""
SAME_POSE: Final = 0.05
"""Poses that differ by less everywhere are one."""
SCALE_ROOM: Final = 2.0
"""The fitted size stays within this factor of the one that boxes or radii say."""
TIE: Final = 1e-9
"""Misfits count in whole steps of this; of equal ones the smaller turn wins."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """How an output comes to lie on a target."""

    world_from_output: Matrix4
    """A similarity, row by row: from the coordinates of the output to those of the target."""
    residual_rel: float
    """Root mean square distance of the surfaces, from both sides, over the diagonal of the target's box."""
    yaw_deg: float
    """Turn about +Y that the winning search began with."""
    iterations: int
    """Steps that search took."""


class _Track(NamedTuple):
    """One search."""

    yaw_deg: int
    first_scale: float
    pose: Pose
    misfit: float = math.inf
    residual: float = math.inf
    steps: int = 0


def align_onto(moving: Soup, target: Soup) -> Alignment:
    """Lay one surface onto another; neither is told which points belong together.

    moving, target: triangles, Y up. The same triangles give the same bits in any process. An object that looks the same
    from several sides may be laid on in any of these turns.

    Raises:
        GeometryError: a soup has no area, is not finite, or is so large or small that its size cannot be measured.

    """
    strides = tuple(level.stride for level in LEVELS)
    own, other = prepare_side(moving, "output", POINTS, strides), prepare_side(target, "target", POINTS, strides)
    tracks = _find_starts(own, other)
    for number in range(len(LEVELS)):
        tracks = _search_level(own, other, tracks, number)
    rivals = [_turn_quarters(tracks[0], quarters) for quarters in (1, 2, 3)]
    for number in range(FIRST_ON_SURFACES, len(LEVELS)):
        rivals = _search_level(own, other, rivals, number)
    winner = _pick_distinct(own, [tracks[0], *rivals], LEVELS[-1])[0]
    matrix = compose(other.world_from_own, compose(winner.pose.matrix, own.own_from_world))
    low, high = measure_soup_box(target)
    return Alignment(
        world_from_output=cast("Matrix4", check_similarity(tuple(matrix.reshape(-1).tolist()))),
        residual_rel=winner.residual * other.radius / _length(high - low),
        yaw_deg=float(winner.yaw_deg),
        iterations=winner.steps,
    )


def _search_level(own: Side, other: Side, tracks: list[_Track], number: int) -> list[_Track]:
    """Search from some poses with the points of one level; the best that came of it."""
    search = _search_surfaces if LEVELS[number].on_surfaces else _search_points
    return _pick_distinct(own, [search(own, other, track, number) for track in tracks], LEVELS[number])


def _turn_quarters(track: _Track, quarters: int) -> _Track:
    """A search that begins where another ended, the output turned in place: its first points may have told too little.

    Most objects look much the same from four sides, and the few points of the first levels mistake one for another.
    """
    half = turn_of_degrees(45.0 * quarters)
    w, x, y, z = (float(value) for value in track.pose.wxyz)
    turned = [
        w * half.cos - y * half.sin,
        x * half.cos - z * half.sin,
        w * half.sin + y * half.cos,
        x * half.sin + z * half.cos,
    ]
    yaw = (track.yaw_deg + 90 * quarters) % 360
    return track._replace(yaw_deg=yaw, pose=track.pose._replace(wxyz=np.array(turned)), misfit=math.inf)


def _find_starts(own: Side, other: Side) -> list[_Track]:
    """Every turn, once with equal radii about the means and once with equal boxes about their middles."""
    starts = []
    target = other.clouds[1].points
    low, high = target.min(axis=0), target.max(axis=0)
    for yaw in range(0, 360, YAW_STEP_DEG):
        half = turn_of_degrees(yaw / 2.0)
        turned = Pose(1.0, np.array([half.cos, 0.0, half.sin, 0.0]), np.zeros(3))
        starts.append(_Track(yaw, 1.0, turned))
        points = turned.apply(own.clouds[1].points)
        own_low, own_high = points.min(axis=0), points.max(axis=0)
        scale = _length(high - low) / _length(own_high - own_low)
        translation = (low + high) / 2.0 - (own_low + own_high) / 2.0 * scale
        starts.append(_Track(yaw, scale, turned._replace(scale=scale, translation=translation)))
    return starts


def _search_points(own: Side, other: Side, track: _Track, level: int) -> _Track:
    """Fit to the nearest points of the clouds of a level again and again, until nothing moves."""
    pose, steps = track.pose, 0
    pairs = pair_points(own.clouds[level], other.clouds[level], pose)
    for _ in range(LEVELS[level].steps):
        better = _bounded(pairs, weigh_pairs(pairs.distance, _fitting_reach(pairs)), track.first_scale)
        moved, pose, steps = _measure_move(own, pose, better), better, steps + 1
        pairs = pair_points(own.clouds[level], other.clouds[level], pose)
        if moved < LEVELS[level].settled:
            break
    return track._replace(
        pose=pose, misfit=measure_misfit(pairs.distance, LEVELS[level].reach), steps=track.steps + steps
    )


def _search_surfaces(own: Side, other: Side, track: _Track, level: int) -> _Track:
    """Slide along the nearest places of the surfaces as long as that brings them closer."""
    pose, steps = track.pose, 0
    pairs, normals = pair_surfaces(own, other, pose, level)
    for _ in range(LEVELS[level].steps):
        reach = _fitting_reach(pairs)
        weights = weigh_pairs(pairs.distance, reach, BACK)
        limit = measure_misfit(pairs.distance, reach, BACK)
        # Planes hold less than points but lead there sooner; where they lead astray, the points themselves may not.
        for better in (
            step_onto_planes(pose, pairs.moving, pairs.target, normals, weights),
            _bounded(pairs, weights, track.first_scale),
        ):
            found, found_normals = pair_surfaces(own, other, better, level)
            if measure_misfit(found.distance, reach, BACK) < limit and _is_sized(better, track.first_scale):
                break
        else:
            break
        moved, pose, steps = _measure_move(own, pose, better), better, steps + 1
        pairs, normals = found, found_normals
        if moved < LEVELS[level].settled:
            break
    return track._replace(
        pose=pose,
        misfit=measure_misfit(pairs.distance, LEVELS[level].reach),
        residual=math.sqrt(mean_of(pairs.distance * pairs.distance)),
        steps=track.steps + steps,
    )


def _fitting_reach(pairs: Pairs) -> float:
    return max(MEDIANS * float(np.median(pairs.distance)), LEAST_REACH)


def _is_sized(pose: Pose, first_scale: float) -> bool:
    return first_scale / SCALE_ROOM <= pose.scale <= first_scale * SCALE_ROOM


def _bounded(pairs: Pairs, weights: FloatArray, first_scale: float) -> Pose:
    """The pose that fits the pairs, at the nearest allowed size if its own is out of bounds."""
    pose = fit_pairs(pairs.moving, pairs.target, weights)
    if _is_sized(pose, first_scale):
        return pose
    allowed = min(max(pose.scale, first_scale / SCALE_ROOM), first_scale * SCALE_ROOM)
    return fit_pairs(pairs.moving, pairs.target, weights, allowed)


def _pick_distinct(own: Side, tracks: list[_Track], level: _Level) -> list[_Track]:
    """The best searches, one for each pose they came to."""
    picked: list[_Track] = []
    for track in sorted(tracks, key=lambda track: (math.floor(track.misfit / TIE), track.yaw_deg)):
        if len(picked) == level.kept or (picked and track.misfit > level.worse * picked[0].misfit):
            break
        if all(_measure_move(own, track.pose, other.pose) > SAME_POSE for other in picked):
            picked.append(track)
    return picked


def _measure_move(own: Side, a: Pose, b: Pose) -> float:
    """How far apart two poses put a corner of the moving side's box, at most."""
    ends = own.bvh.bounds
    corners = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    return max(_length(apart) for apart in a.apply(corners) - b.apply(corners))


def _length(vector: FloatArray) -> float:
    x, y, z = (float(value) for value in vector)
    return math.sqrt(x * x + y * y + z * z)
