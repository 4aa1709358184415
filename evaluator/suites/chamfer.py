"""Chamfer distance between two objects of unknown place, size and axes: unit clouds, the best of 24 rotations.

Each surface is sampled by a stream that its own content names, so a score depends on the two surfaces alone and not on
the order of files, cases or faces. Target and reconstruction have streams of their own: an exact copy scores at the
noise floor, like any other perfect reconstruction, and the floor is measured beside the score.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple

import numpy as np
from pydantic import Field

from engine.geometry.clean import check_soup
from engine.geometry.point_tree import PointTree, build_point_tree, sum_nearest
from engine.geometry.sampling import canonical_corners, sample_surface
from engine.seeds import generator_for
from engine.surfaces import FloatArray, IntArray
from evaluator.suites.rotations import AXIS_ROTATIONS, IDENTITY, Axis, AxisRotation, quarter_turns
from schemas.base import Value
from schemas.errors import GeometryError

CLOUD_POINTS: Final = 8192
_SMALLEST_RADIUS: Final = 1e-9
"""A cloud that does not reach farther from its mean is left as it is."""
Sampling = Literal["stratified", "independent"]
Stream = Literal["target", "reconstruction", "floor 1", "floor 2", "floor 3", "floor 4"]
_FLOOR_STREAMS: Final[tuple[Stream, ...]] = ("floor 1", "floor 2", "floor 3", "floor 4")


class ChamferRules(Value):
    """How clouds are drawn and compared."""

    points: Annotated[int, Field(ge=1)] = CLOUD_POINTS
    sampling: Sampling = "stratified"
    """`independent`: every point drawn on its own, uniform in area, as the peers do."""
    upright_axis: Axis = "y"
    """The axis of `ChamferScores.upright`: glTF's up. The peers turn about the third axis of the file, `z`."""


OWN_CHAMFER_RULES: Final = ChamferRules()


class ChamferScores(NamedTuple):
    """Sums of the two mean squared nearest distances, in squares of the unit sphere's radius."""

    identity: float
    """Without turning."""
    upright: float
    """Least of the four turns about the up axis."""
    best: float
    """Least of the 24 rotations."""
    rotation: AxisRotation
    """The rotation of the target that gives `best`; of equal ones the first by label."""
    reached: int
    """Rotations whose distance is within `floor` of `best`: more than one where the shape has such symmetries."""
    floor: float
    """The target against other samplings of itself, not turned, mean of four: what a perfect reconstruction scores."""
    distances: tuple[float, ...]
    """For each of `AXIS_ROTATIONS`."""


def measure_chamfer(
    target: tuple[FloatArray, IntArray],
    reconstruction: tuple[FloatArray, IntArray],
    rules: ChamferRules = OWN_CHAMFER_RULES,
) -> ChamferScores:
    """Compare two triangle soups, each vertices (V, 3) and faces (F, 3), in any units.

    Raises:
        GeometryError: a soup is empty, not finite or without area.

    """
    wanted = draw_cloud(*target, "target", rules)
    own = draw_cloud(*reconstruction, "reconstruction", rules)
    distances = measure_rotations(wanted, own)
    copies = [draw_cloud(*target, stream, rules) for stream in _FLOOR_STREAMS]
    floor = sum(measure_rotations(wanted, copy, [IDENTITY])[0] for copy in copies) / len(copies)
    best = min(distances)
    return ChamferScores(
        identity=distances[AXIS_ROTATIONS.index(IDENTITY)],
        upright=min(distances[AXIS_ROTATIONS.index(turn)] for turn in quarter_turns(rules.upright_axis)),
        best=best,
        rotation=AXIS_ROTATIONS[distances.index(best)],
        reached=sum(distance <= best + floor for distance in distances),
        floor=floor,
        distances=distances,
    )


def draw_cloud(vertices: FloatArray, faces: IntArray, stream: Stream, rules: ChamferRules) -> PointTree:
    """Sample a surface (V, 3), (F, 3) by the named stream of its content; its points in the unit sphere, as a tree.

    Raises:
        GeometryError: the soup is empty, not finite or without area.

    """
    return build_point_tree(fit_unit_sphere(draw_points(vertices, faces, stream, rules.points, rules.sampling)))


def draw_points(vertices: FloatArray, faces: IntArray, stream: Stream, n: int, sampling: Sampling) -> FloatArray:
    """Sample `n` points (n, 3) of a surface by the named stream of its content; no order of faces or corners counts.

    Raises:
        GeometryError: the soup is empty, not finite or without area.

    """
    check_soup(vertices, faces)
    corners, _ = canonical_corners(vertices, faces)
    content = hashlib.sha256(np.ascontiguousarray(corners + 0.0, dtype="<f8").tobytes()).digest()
    seed = int.from_bytes(hashlib.sha256(content + f"chamfer {stream}".encode()).digest()[:8], "big")
    if sampling == "stratified":
        return sample_surface(vertices, faces, n, seed).points
    return _sample_independent(corners, n, seed)


def fit_unit_sphere(points: FloatArray) -> FloatArray:
    """Centre points (N, 3) on their mean and divide by the largest distance from it.

    Raises:
        GeometryError: there is no point, or one is not finite.

    """
    if len(points) == 0 or not np.isfinite(points).all():
        raise GeometryError(f"unit sphere: {len(points)} points, needs at least one, all finite")
    centred = points - points.sum(axis=0) / len(points)
    radius = float(np.sqrt((centred * centred).sum(axis=1).max()))
    return centred if radius < _SMALLEST_RADIUS else np.asarray(centred / radius)


def measure_rotations(
    target: PointTree, own: PointTree, rotations: Sequence[AxisRotation] = AXIS_ROTATIONS
) -> tuple[float, ...]:
    """The distance for each rotation of the target: both means of squared nearest distances, added.

    Neither tree is turned: asking for the turned target's points in the own tree, and for own points turned back in the
    target's, is the same, and signed permutations do not round.
    """
    return tuple(_mean_squared(target, r, own) + _mean_squared(own, r.inverse, target) for r in rotations)


def _mean_squared(queries: PointTree, rotation: AxisRotation, tree: PointTree) -> float:
    axes, signs = np.array(rotation.axes, dtype=np.int64), np.array(rotation.signs, dtype=np.float64)
    return float(sum_nearest(queries.points, axes, signs, tree.points, tree.order, tree.boxes)) / len(queries.points)


def _sample_independent(corners: FloatArray, n: int, seed: int) -> FloatArray:
    """Points uniform in area, each on its own; corners (F, 3, 3) in canonical order."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normals = np.cross(b - a, c - a)
    edges = np.cumsum(np.sqrt((normals * normals).sum(axis=1)))
    if not edges[-1] > 0.0:
        raise GeometryError(f"sampling: none of the {len(corners)} faces has area")
    draws = generator_for(seed, "independent").random((3, n))
    # The least face whose cumulated area exceeds the draw has area itself; rounding must not lead beyond the last.
    picked = np.minimum(np.searchsorted(edges, draws[0] * edges[-1], side="right"), np.searchsorted(edges, edges[-1]))
    root, second = np.sqrt(draws[1])[:, None], draws[2][:, None]
    return np.asarray((1.0 - root) * a[picked] + root * (1.0 - second) * b[picked] + root * second * c[picked])
