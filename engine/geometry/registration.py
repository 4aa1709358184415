"""Fitting a similarity to pairs of points: in closed form, and one step towards a surface.

Sums run in the order of the pairs inside compiled loops, so that the same pairs give the same bits on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from engine.geometry.jacobi import eigen_symmetric
from engine.geometry.similarity import similarity, transform_points
from engine.surfaces import FloatArray
from schemas.errors import GeometryError

UNKNOWNS = 7
DAMPING = 1e-5
"""Of a step, for each pair and squared unit of length: directions that nothing holds do not move."""


class Pose(NamedTuple):
    """A similarity: scale, then rotation, then translation."""

    scale: float
    wxyz: FloatArray
    """(4,) float64: unit quaternion of the rotation."""
    translation: FloatArray
    """(3,) float64."""

    @property
    def rotation(self) -> FloatArray:
        """The rotation as (3, 3)."""
        w, x, y, z = (float(value) for value in self.wxyz)
        return np.array(
            [
                [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
                [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
                [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
            ]
        )

    @property
    def matrix(self) -> FloatArray:
        """The pose as (4, 4)."""
        return similarity(self.scale, self.rotation, self.translation)

    def apply(self, points: FloatArray) -> FloatArray:
        """Points (N, 3) under the pose."""
        return transform_points(self.matrix, points)

    def undo(self, points: FloatArray) -> FloatArray:
        """Points (N, 3) before the pose."""
        back = similarity(1.0 / self.scale, self.rotation.T, np.zeros(3))
        return transform_points(back, points - self.translation)


@njit(cache=True, nogil=True)
def _sum_pairs(
    p: FloatArray, q: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, float, float]:
    """Both means (3,), the sums of products about them (3, 3), and both sums of squares about them, all weighted."""
    mean_p, mean_q, total = np.zeros(3), np.zeros(3), 0.0
    for i in range(len(p)):
        total += weights[i]
        for k in range(3):
            mean_p[k] += weights[i] * p[i, k]
            mean_q[k] += weights[i] * q[i, k]
    for k in range(3):
        mean_p[k] /= total
        mean_q[k] /= total
    products = np.zeros((3, 3))
    square_p = square_q = 0.0
    for i in range(len(p)):
        for k in range(3):
            a = p[i, k] - mean_p[k]
            square_p += weights[i] * a * a
            b = q[i, k] - mean_q[k]
            square_q += weights[i] * b * b
            for m in range(3):
                products[k, m] += weights[i] * a * (q[i, m] - mean_q[m])
    return mean_p, mean_q, products, square_p, square_q


def fit_pairs(p: FloatArray, q: FloatArray, weights: FloatArray, scale: float | None = None) -> Pose:
    """Fit the similarity that carries points p (N, 3) onto their partners q (N, 3), by weights (N,) above 0.

    Horn's closed form: the rotation is the eigenvector of a symmetric 4x4 matrix, and the scale the ratio of the two
    root mean square radii, which pairs that are wrong do not shrink. A given `scale` is kept.

    Raises:
        GeometryError: there is no pair, or the points of one side all coincide.

    """
    if len(p) == 0 or len(p) != len(q):
        raise GeometryError(f"similarity of pairs: {len(p)} points and {len(q)} partners")
    mean_p, mean_q, s, square_p, square_q = _sum_pairs(p, q, weights)
    if not (square_p > 0.0 and square_q > 0.0 and np.isfinite(square_p) and np.isfinite(square_q)):
        raise GeometryError(f"similarity of pairs: squared radii {square_p:g} and {square_q:g}, need more than 0")
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = s.tolist()
    horn = np.array(
        [
            [xx + yy + zz, yz - zy, zx - xz, xy - yx],
            [yz - zy, xx - yy - zz, xy + yx, zx + xz],
            [zx - xz, xy + yx, yy - xx - zz, yz + zy],
            [xy - yx, zx + xz, yz + zy, zz - xx - yy],
        ]
    )
    _, vectors = eigen_symmetric(horn, 4)
    own = float(np.sqrt(square_q / square_p)) if scale is None else scale
    turned = Pose(own, normalize_wxyz(vectors[:, 0]), np.zeros(3))
    return turned._replace(translation=mean_q - turned.apply(mean_p[None])[0])


@njit(cache=True, nogil=True)
def _fill_system(x: FloatArray, q: FloatArray, normals: FloatArray, weights: FloatArray, table: FloatArray) -> None:
    """Add the weighted normal equations of n.(x + w x x + t + s x - q) = 0 to a table (7, 8)."""
    row = np.zeros(8)
    for i in range(len(x)):
        nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
        px, py, pz = x[i, 0], x[i, 1], x[i, 2]
        row[0], row[1], row[2] = py * nz - pz * ny, pz * nx - px * nz, px * ny - py * nx
        row[3], row[4], row[5] = nx, ny, nz
        row[6] = nx * px + ny * py + nz * pz
        row[7] = nx * (q[i, 0] - px) + ny * (q[i, 1] - py) + nz * (q[i, 2] - pz)
        for k in range(7):
            for m in range(8):
                table[k, m] += weights[i] * row[k] * row[m]


@njit(cache=True, nogil=True)
def _solve(table: FloatArray) -> FloatArray:
    """Solve a positive definite system (n, n + 1) by elimination."""
    n = len(table)
    for k in range(n):
        for i in range(k + 1, n):
            factor = table[i, k] / table[k, k]
            for m in range(k, n + 1):
                table[i, m] -= factor * table[k, m]
    solution = np.zeros(n)
    for k in range(n - 1, -1, -1):
        rest = table[k, n]
        for m in range(k + 1, n):
            rest -= table[k, m] * solution[m]
        solution[k] = rest / table[k, k]
    return solution


def step_onto_planes(pose: Pose, p: FloatArray, q: FloatArray, normals: FloatArray, weights: FloatArray) -> Pose:
    """Better a pose by one Gauss-Newton step that brings points p (N, 3) onto planes through q with `normals`.

    Points slide freely along their planes. The target's frame should have its origin amid the points and lengths near
    1. The smallest turn is not that of a matrix but of a quaternion, so what comes out is a similarity again.
    """
    table = np.zeros((UNKNOWNS, UNKNOWNS + 1))
    _fill_system(pose.apply(p), q, normals, weights, table)
    for k in range(UNKNOWNS):
        table[k, k] += DAMPING * len(p)
    step = _solve(table)
    w, x, y, z = (float(value) for value in pose.wxyz)
    a, b, c = (float(value) / 2.0 for value in step[:3])
    turned = np.array(
        [w - a * x - b * y - c * z, x + a * w + b * z - c * y, y - a * z + b * w + c * x, z + a * y - b * x + c * w]
    )
    growth = 1.0 + float(step[6])
    small = Pose(growth, normalize_wxyz(np.array([1.0, a, b, c])), np.asarray(step[3:6]))
    return Pose(pose.scale * growth, normalize_wxyz(turned), small.apply(pose.translation[None])[0])


def normalize_wxyz(wxyz: FloatArray) -> FloatArray:
    """A quaternion (4,) at length 1."""
    w, x, y, z = (float(value) for value in wxyz)
    return np.asarray(wxyz / float(np.sqrt(w * w + x * x + y * y + z * z)))
