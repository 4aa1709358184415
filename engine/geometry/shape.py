"""What a part looks like whatever way its box is turned: long axis, mirror symmetry, the face it lies on best.

Moments are exact integrals over the triangles in their canonical order, so equal surfaces give equal bits.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.geometry.angles import rotation_onto
from engine.geometry.bounds import bounds_of, diagonal
from engine.geometry.bvh import Bvh, build_bvh
from engine.geometry.clean import CleanMesh
from engine.geometry.distance import closest_points
from engine.geometry.jacobi import eigen_symmetric3
from engine.geometry.sampling import canonical_corners, sample_surface
from engine.geometry.similarity import transform_vectors
from engine.geometry.stability import LEAST_STABILITY, measure_stability
from engine.surfaces import FloatArray

MIRROR_SAMPLES, MIRROR_SEED = 512, 29
MIRROR_QUANTILE: Final = 0.9
MIRROR_BOUND: Final = 0.25
"""Samples further than this share of the diagonal from the mirrored surface are not measured any further."""
NEARLY_UPRIGHT: Final = 0.7
DOWN: Final = np.array([0.0, -1.0, 0.0])


class PrincipalAxes(NamedTuple):
    """Axes of the surface's spread, largest first."""

    axes: FloatArray
    """(3, 3): one unit vector a row."""
    extents: FloatArray
    """(3,) extents of the mesh along them."""


class Resting(NamedTuple):
    """A face to lie on."""

    down: FloatArray
    """(3,) unit vector out of the face, part coordinates."""
    extents: FloatArray
    """(3,) box after the shortest turn of `down` to -Y."""
    stability: float


def measure_axes(mesh: CleanMesh) -> PrincipalAxes:
    """Principal axes of the area distribution and the mesh's extents along them."""
    corners, _ = canonical_corners(mesh.vertices, mesh.faces)
    corners = corners - corners[0, 0]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.sqrt((normals * normals).sum(axis=1))
    total = float(area.sum())
    sums = corners.sum(axis=1)
    mean = (sums * area[:, None]).sum(axis=0) / (3.0 * total)
    covariance = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            corner_products = (corners[:, :, i] * corners[:, :, j]).sum(axis=1)
            moment = (area * (corner_products + sums[:, i] * sums[:, j])).sum() / (12.0 * total)
            covariance[i, j] = moment - mean[i] * mean[j]
    _, vectors = eigen_symmetric3(covariance)
    axes = np.ascontiguousarray(vectors.T)
    along = [
        axis[0] * mesh.vertices[:, 0] + axis[1] * mesh.vertices[:, 1] + axis[2] * mesh.vertices[:, 2] for axis in axes
    ]
    return PrincipalAxes(axes, np.array([float(values.max() - values.min()) for values in along]))


def measure_mirror(mesh: CleanMesh) -> FloatArray:
    """(3,) how far the surface is from its mirror image along X, Y and Z through its box centre, over the diagonal.

    The 90 % quantile over samples, so that a buckle does not make a belt lopsided; at most 0.25.
    """
    bounds = bounds_of(mesh.vertices, mesh.faces)
    size, centre = diagonal(bounds), 0.5 * (bounds[0] + bounds[1])
    samples = sample_surface(mesh.vertices, mesh.faces, MIRROR_SAMPLES, MIRROR_SEED)
    bvh = build_bvh(mesh.vertices, mesh.faces)
    return np.array([_mirror_distance(bvh, samples.points, centre, axis, size) for axis in range(3)])


def _mirror_distance(bvh: Bvh, points: FloatArray, centre: FloatArray, axis: int, size: float) -> float:
    mirrored = points.copy()
    mirrored[:, axis] = 2.0 * centre[axis] - mirrored[:, axis]
    distance = closest_points(bvh, mirrored, bound=MIRROR_BOUND * size).distance
    distance = np.minimum(np.sort(distance), MIRROR_BOUND * size)
    return float(distance[int(MIRROR_QUANTILE * len(distance))]) / size


def find_resting_face(mesh: CleanMesh) -> Resting | None:
    """The authored underside when the part stands on it, else the side of its box or principal axes it lies on best.

    A side within 45 degrees of the authored underside comes first, then the firmest; among equally firm ones the
    nearest to the authored underside: a plate that leaned back lies face up.
    None when the part stands nowhere.
    """
    axes = measure_axes(mesh).axes
    sides = [sign * axis for axis in (*np.eye(3)[[1, 0, 2]], *axes) for sign in (-1.0, 1.0)]
    best: tuple[tuple[bool, float, float], Resting] | None = None
    for side in sides:
        stability = measure_stability(mesh, side)
        if stability < LEAST_STABILITY:
            continue
        found = Resting(side, _extents_on(mesh, side), stability)
        if side is sides[0]:
            return found
        # Firmness in coarse steps: a plate is as firm on either face.
        key = (float(side[1]) <= -NEARLY_UPRIGHT, round(min(stability, 1.0), 1), -float(side[1]))
        if best is None or key > best[0]:
            best = (key, found)
    return None if best is None else best[1]


def _extents_on(mesh: CleanMesh, down: FloatArray) -> FloatArray:
    turned = np.eye(4)
    turned[:3, :3] = rotation_onto(down, DOWN)
    box = bounds_of(transform_vectors(turned, mesh.vertices), mesh.faces)
    return np.asarray(box[1] - box[0])
