"""Two surfaces in units of their own size, and how near one lies to the other: what an alignment looks at."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.cells.lattice import Soup
from engine.geometry.bvh import Bvh, build_bvh
from engine.geometry.distance import closest_points
from engine.geometry.point_tree import PointTree, build_point_tree, find_nearest
from engine.geometry.registration import Pose
from engine.geometry.sampling import sample_surface
from engine.geometry.similarity import similarity
from engine.surfaces import FloatArray
from schemas.errors import GeometryError


class Cloud(NamedTuple):
    """Points of a surface, and how to find the nearest of them."""

    points: FloatArray
    """(N, 3) float64."""
    normals: FloatArray
    """(N, 3) unit."""
    tree: PointTree


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One surface about its middle, in units of its root mean square radius; arrays are not to be written to."""

    middle: FloatArray
    """(3,) world: where the origin lies."""
    radius: float
    """World units of one unit."""
    clouds: tuple[Cloud, ...]
    bvh: Bvh
    face_normals: FloatArray
    """(F, 3) unit; 0 for a face without area."""

    @property
    def world_from_own(self) -> FloatArray:
        """(4, 4)."""
        return similarity(self.radius, np.eye(3), self.middle)

    @property
    def own_from_world(self) -> FloatArray:
        """(4, 4)."""
        return similarity(1.0 / self.radius, np.eye(3), -self.middle / self.radius)


class Pairs(NamedTuple):
    """N points of a moving side before its pose with their partners on a target, then N the other way round."""

    moving: FloatArray
    """(2 N, 3) in the moving side's frame."""
    target: FloatArray
    """(2 N, 3) in the target's frame."""
    distance: FloatArray
    """(2 N,) in the target's frame."""


def prepare_side(soup: Soup, name: str, count: int, strides: tuple[int, ...]) -> Side:
    """Measure a surface and spread that many points over it; every cloud takes one of so many.

    Raises:
        GeometryError: the surface has no area, is not finite, or its size cannot be measured.

    """
    vertices, faces = soup
    try:
        samples = sample_surface(vertices, faces, count, seed=0)
    except GeometryError as error:
        raise GeometryError(f"alignment: {name}: {error}") from error
    middle = np.array([mean_of(samples.points[:, k]) for k in range(3)])
    radius = math.sqrt(mean_of(_squared_lengths(samples.points - middle)))
    if not 0.0 < radius < math.inf:
        raise GeometryError(f"alignment: {name}: root mean square radius {radius:g}, needs a finite number above 0")
    points = (samples.points - middle) / radius
    placed = np.zeros_like(vertices, dtype=np.float64)
    used = np.unique(faces)
    placed[used] = (np.asarray(vertices, dtype=np.float64)[used] - middle) / radius
    return Side(
        middle=middle,
        radius=radius,
        # Samples follow the surface, so every so many-th of them are spread as evenly as all.
        clouds=tuple(_thin(points, samples.normals, stride) for stride in strides),
        bvh=build_bvh(placed, faces),
        face_normals=_measure_normals(placed[faces]),
    )


def pair_points(moving: Cloud, target: Cloud, pose: Pose) -> Pairs:
    """Pair every point of either cloud with the nearest of the other under a pose of the moving one."""
    forward = find_nearest(target.tree, pose.apply(moving.points))
    backward = find_nearest(moving.tree, pose.undo(target.points))
    return Pairs(
        np.concatenate([moving.points, moving.points[backward.index]]),
        np.concatenate([target.points[forward.index], target.points]),
        np.concatenate([np.sqrt(forward.squared), np.sqrt(backward.squared) * pose.scale]),
    )


def pair_surfaces(moving: Side, target: Side, pose: Pose, level: int) -> tuple[Pairs, FloatArray]:
    """Pair a cloud of either side with the nearest places of the other's surface, and tell their normals.

    The normals (2 N, 3) are the target's, unit.
    """
    own, other = moving.clouds[level].points, target.clouds[level].points
    forward = closest_points(target.bvh, pose.apply(own))
    backward = closest_points(moving.bvh, pose.undo(other))
    pairs = Pairs(
        np.concatenate([own, backward.point]),
        np.concatenate([forward.point, other]),
        np.concatenate([forward.distance, backward.distance * pose.scale]),
    )
    return pairs, np.concatenate([target.face_normals[forward.face], target.clouds[level].normals])


def measure_misfit(distance: FloatArray, reach: float, back: float = 1.0) -> float:
    """Mean squared distance of pairs (2 N,), which count ever less beyond `reach`, never more than its square.

    So a part that only one side has pulls little, and still tells one turn of an object from another. (The measure of
    Geman and McClure.) The second half, pairs sought from the target, counts `back` times.
    """
    squared = distance * distance
    limited = squared / (1.0 + squared / (reach * reach))
    half = len(distance) // 2
    return (mean_of(limited[:half]) + back * mean_of(limited[half:])) / (1.0 + back)


def weigh_pairs(distance: FloatArray, reach: float, back: float = 1.0) -> FloatArray:
    """Weights (2 N,), with which sums of squares fall where `measure_misfit` does."""
    nearness = 1.0 / (1.0 + distance * distance / (reach * reach))
    weights = nearness * nearness
    weights[len(distance) // 2 :] *= back
    return weights


def mean_of(values: FloatArray) -> float:
    """Mean of (N,), the sum rounded once: the same on every machine."""
    return math.fsum(values.tolist()) / len(values)


def _thin(points: FloatArray, normals: FloatArray, stride: int) -> Cloud:
    return Cloud(points[::stride], normals[::stride], build_point_tree(points[::stride]))


def _squared_lengths(vectors: FloatArray) -> FloatArray:
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    return np.asarray(x * x + y * y + z * z)


def _measure_normals(corners: FloatArray) -> FloatArray:
    crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.sqrt(_squared_lengths(crossed))[:, None]
    return np.asarray(crossed / np.where(length > 0.0, length, 1.0))
