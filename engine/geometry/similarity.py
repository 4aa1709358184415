"""Poses as 4x4 matrices: composed, inverted and applied by explicit sums only.

Matrices are (4, 4) float64, acting on column points, last row (0, 0, 0, 1). Nothing here calls BLAS or a transcendental
function, so the same input gives the same bits on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from engine.surfaces import FloatArray
from schemas.errors import GeometryError

YAW: Final[dict[int, FloatArray]] = {
    0: np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    90: np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]),
    180: np.array([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]),
    270: np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
}
"""Turns about +Y by degrees, counter-clockwise seen from above; every entry is exact."""


def as_matrix(values: Sequence[float] | FloatArray) -> FloatArray:
    """Return the (4, 4) matrix of 16 row-major numbers (or of a (4, 4) array).

    Raises:
        GeometryError: not 16 finite numbers, or the last row is not (0, 0, 0, 1).

    """
    matrix = np.array(values, dtype=np.float64)
    if matrix.size != 16:
        raise GeometryError(f"matrix: {matrix.size} numbers, needs 16")
    matrix = matrix.reshape(4, 4)
    if not np.isfinite(matrix).all():
        raise GeometryError("matrix: holds a number that is not finite")
    if matrix[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
        raise GeometryError(f"matrix: last row is {matrix[3].tolist()}, needs [0, 0, 0, 1]")
    return matrix


def transform_vectors(matrix: FloatArray, vectors: ArrayLike) -> FloatArray:
    """Directions (N, 3) under the upper 3x3 block of `matrix`; no translation, no normalisation."""
    rows = np.asarray(vectors, dtype=np.float64)
    x, y, z = rows[..., 0], rows[..., 1], rows[..., 2]
    return np.stack([m[0] * x + m[1] * y + m[2] * z for m in matrix[:3]], axis=-1)


def transform_points(matrix: FloatArray, points: ArrayLike) -> FloatArray:
    """Points (N, 3) under `matrix`."""
    return transform_vectors(matrix, points) + matrix[:3, 3]


def compose(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the matrix that applies `b` first and `a` second."""
    product = a[:, 0:1] * b[0:1] + a[:, 1:2] * b[1:2] + a[:, 2:3] * b[2:3] + a[:, 3:4] * b[3:4]
    return np.asarray(product, dtype=np.float64)


def determinant(matrix: FloatArray) -> float:
    """Return the determinant of the upper 3x3 block: the factor of volumes, negative for mirrored poses."""
    (a, b, c), (d, e, f), (g, h, i) = (tuple(float(v) for v in row[:3]) for row in matrix[:3])
    return a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)


def invert(matrix: FloatArray) -> FloatArray:
    """Return the inverse by cofactors; exact for the four yaws and powers of two.

    Raises:
        GeometryError: the upper 3x3 block has no inverse.

    """
    (a, b, c), (d, e, f), (g, h, i) = (tuple(float(v) for v in row[:3]) for row in matrix[:3])
    cofactors = np.array(
        [
            [e * i - f * h, c * h - b * i, b * f - c * e],
            [f * g - d * i, a * i - c * g, c * d - a * f],
            [d * h - e * g, b * g - a * h, a * e - b * d],
        ]
    )
    factor = determinant(matrix)
    if factor == 0.0 or not np.isfinite(factor):
        raise GeometryError(f"matrix: determinant is {factor}, cannot be inverted")
    inverse = np.eye(4)
    inverse[:3, :3] = cofactors / factor
    inverse[:3, 3] = -transform_vectors(inverse, matrix[:3, 3])
    return inverse


def scale_of(matrix: FloatArray) -> float:
    """Return the scale of a similarity: the root mean square length of its three columns."""
    block = matrix[:3, :3]
    return float(np.sqrt((block * block).sum() / 3.0))


def similarity(scale: float, rotation: FloatArray, translation: ArrayLike) -> FloatArray:
    """Scale, then rotation (3, 3), then translation (3,), as one matrix."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation * scale
    matrix[:3, 3] = np.asarray(translation, dtype=np.float64)
    return matrix


def unit(vector: ArrayLike) -> FloatArray:
    """Return the vector (3,) at length 1.

    Raises:
        GeometryError: the vector is zero or not finite.

    """
    v = np.array(vector, dtype=np.float64)
    largest = float(np.max(np.abs(v)))
    if v.shape != (3,) or not np.isfinite(largest) or largest == 0.0:
        raise GeometryError(f"direction: {v.tolist()} has no direction")
    v = v / largest
    return np.asarray(v / np.sqrt((v * v).sum()), dtype=np.float64)
