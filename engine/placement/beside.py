"""Where on the ground a part stands beside the object: close to it, and where most of the default views see it.

Eight directions around the object are compared by what the part itself looks like from there, not by the world's axes:
an object that is turned with its part gets the same answer, turned.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.geometry.angles import turn_of_degrees
from engine.geometry.bvh import Bvh, build_bvh
from engine.geometry.overlap import Placed, Solid, place_solid
from engine.geometry.rays import cast_rays
from engine.geometry.similarity import YAW, similarity
from engine.geometry.sweep import sweep_to_contact
from engine.placement.pose import round_shift
from engine.placement.state import StateGeometry
from engine.surfaces import FloatArray

BESIDE_REL = (0.02, 0.06, 0.12, 0.20)
"""Distances from the object that are tried on the ground."""
FAR_REL = 0.8
"""Way that a part comes which meets nothing, from D away."""
DISTANCE_STEPS = 1e6
"""Distances from the object's middle that differ by less than this part of D count as equal."""
PROBE = 0.37
"""The part is looked at in 27 points of its box: its middle and this share of its sides to either side of it."""
AZIMUTHS = (35.0, 55.0, 125.0, 145.0, 215.0, 235.0, 305.0, 325.0)
ELEVATION = 25.0
"""The default views in degrees and their mirror images, so that a mirrored object gets the mirrored answer."""
_BOX_CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
_BOX_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_BOX_FACES = np.array([[q[0], q[a], q[b]] for q in _BOX_SIDES for a, b in ((1, 2), (2, 3))], dtype=np.int64)
_DIAGONAL = 0.70710678118654757
DIRECTIONS = (
    (1.0, 0.0),
    (-_DIAGONAL, _DIAGONAL),
    (_DIAGONAL, -_DIAGONAL),
    (-1.0, 0.0),
    (0.0, 1.0),
    (_DIAGONAL, _DIAGONAL),
    (0.0, -1.0),
    (-_DIAGONAL, -_DIAGONAL),
)
"""(x, z) around the object, in the order in which ties are broken."""


@dataclass(frozen=True, slots=True)
class GroundPlace:
    """A direction in which a part can stand beside the object."""

    poses: tuple[FloatArray, ...]
    """(4, 4) each, nearest to the object first."""
    seen: int
    """Pairs of a point of the part and a view between which nothing of the object stands."""
    distance: int
    """From the middle of the object's box to the part's foot, in steps of D / 1e6."""
    spread: int
    """The same from the mean of the middles of all parts: tells apart the sides of a symmetric outline."""
    apart: tuple[int, ...]
    """The same from the middle of each part, by slot: tells apart the sides of what is symmetric but for its names."""


def stand_upright(solid: Solid, scale: float, foot: FloatArray, host_diagonal: float) -> Placed:
    """The part upright at `scale` with the middle of its box's underside at `foot` (3,), on the translation grid."""
    low, high = solid.bounds * scale
    base = np.array([0.5 * (low[0] + high[0]), low[1], 0.5 * (low[2] + high[2])])
    return place_solid(solid, similarity(scale, YAW[0], round_shift(foot - base, host_diagonal)))


def find_ground_places(state: StateGeometry, solid: Solid, scale: float) -> tuple[GroundPlace, ...]:
    """Places beside the object for a part of a given scale, the one that most views see first, then the nearest.

    The part comes from outside towards the object's middle and stops at small distances from its outline (not only
    from its box), so that it stands beside the object, not across the room, and not under a table top or a crown.
    """
    places = [_place_in(state, solid, scale, np.array([x, 0.0, z])) for x, z in DIRECTIONS]
    return tuple(sorted(places, key=lambda place: (-place.seen, place.distance, place.spread, place.apart)))


def _place_in(state: StateGeometry, solid: Solid, scale: float, outward: FloatArray) -> GroundPlace:
    diagonal, bounds = state.diagonal, state.bounds
    middle = 0.5 * (bounds[0] + bounds[1])
    start = _start_outside(state, solid, scale, outward)
    foot = np.array([middle[0], state.ground, middle[2]]) + start * outward
    far = stand_upright(solid, scale, foot, diagonal)
    met = _first_contact(state, _column_over(far, float(bounds[1, 1])), -outward)
    travel = FAR_REL * diagonal + (start - diagonal) if met is None else met
    poses = []
    for beside in BESIDE_REL:
        matrix = np.array(far.matrix)
        matrix[:3, 3] = round_shift(matrix[:3, 3] - (travel - beside * diagonal) * outward, diagonal)
        poses.append(matrix)
    # From where the part stands on the grid, which is not the same for all directions, nor in a scene that was moved.
    low, high = far.bounds
    offset = np.array([0.5 * (low[0] + high[0]) - middle[0], 0.0, 0.5 * (low[2] + high[2]) - middle[2]])
    away = float((offset * outward).sum()) - travel + BESIDE_REL[0] * diagonal
    centres = np.array([0.5 * (placed.bounds[0] + placed.bounds[1]) for _, placed in state.parts])
    spot = (middle + away * outward)[[0, 2]]
    offsets = spot - np.concatenate([centres.mean(axis=0, keepdims=True), centres])[:, [0, 2]]
    spread, *apart = np.sqrt(offsets[:, 0] * offsets[:, 0] + offsets[:, 1] * offsets[:, 1]).tolist()

    def count_steps(length: float) -> int:
        return round(length / diagonal * DISTANCE_STEPS)

    seen = _count_seen(state, place_solid(solid, poses[0]))
    return GroundPlace(tuple(poses), seen, count_steps(away), count_steps(spread), tuple(map(count_steps, apart)))


def _start_outside(state: StateGeometry, solid: Solid, scale: float, outward: FloatArray) -> float:
    """How far from the middle a part starts: D, and farther where the state has grown beyond its host at turn 0."""
    sizes = (state.bounds[1] - state.bounds[0]) + (solid.bounds[1] - solid.bounds[0]) * scale
    reach = float((0.5 * sizes * np.abs(outward)).sum()) + BESIDE_REL[-1] * state.diagonal
    return max(state.diagonal, reach)


def _column_over(placed: Placed, top: float) -> Bvh:
    """The part's box, carried on upwards to the height `top`: what hangs over it stops it too."""
    low, high = placed.bounds[0], np.maximum(placed.bounds[1], np.array([-np.inf, top, -np.inf]))
    return build_bvh(low + _BOX_CORNERS * (high - low), _BOX_FACES)


def _first_contact(state: StateGeometry, column: Bvh, direction: FloatArray) -> float | None:
    """How far a column that starts outside comes before it meets anything; None when it meets nothing."""
    first = np.inf
    for _, other in state.parts:
        # nearer finds bound the later searches
        swept = sweep_to_contact(column, other.bvh, direction, first)
        if swept.status == "hit":
            first = min(first, swept.travel)
    return float(first) if np.isfinite(first) else None


def _count_seen(state: StateGeometry, placed: Placed) -> int:
    """Of 27 points in the part's box and the views, the pairs with nothing of the state in between."""
    low, high = placed.bounds
    middle, half = 0.5 * (low + high), PROBE * (high - low)
    steps = np.array([[x, y, z] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0) for z in (-1.0, 0.0, 1.0)])
    points = middle + steps * half
    elevation = turn_of_degrees(ELEVATION)
    seen = 0
    for degrees in AZIMUTHS:
        azimuth = turn_of_degrees(degrees)
        towards = np.array([elevation.cos * azimuth.sin, elevation.sin, elevation.cos * azimuth.cos])
        is_open = np.arange(len(points))
        for _, other in state.parts:
            if len(is_open):
                hit = cast_rays(other.bvh, points[is_open], towards, any_hit=True)[1]
                is_open = is_open[hit < 0]
        seen += len(is_open)
    return seen
