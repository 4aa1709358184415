"""What glTF needs beyond engine.geometry.similarity: node transforms, and normals under any affine matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.similarity import determinant, transform_points
from engine.surfaces import FloatArray


def matrix_from_trs(translation: Sequence[float], rotation: Sequence[float], scale: Sequence[float]) -> FloatArray:
    """(4, 4) translation x rotation x scale; `rotation` is a quaternion x, y, z, w taken as it is."""
    x, y, z, w = rotation
    sx, sy, sz = scale
    return np.array(
        [
            [(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y - z * w) * sy, 2 * (x * z + y * w) * sz, translation[0]],
            [2 * (x * y + z * w) * sx, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z - x * w) * sz, translation[1]],
            [2 * (x * z - y * w) * sx, 2 * (y * z + x * w) * sy, (1 - 2 * (x * x + y * y)) * sz, translation[2]],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def transform_normals(matrix: FloatArray, normals: NDArray[np.float64]) -> FloatArray:
    """(N, 3) unit normals under the inverse transpose of an affine matrix; zero stays zero.

    The cofactor matrix stands for the inverse transpose, times the sign of the determinant: so a mirrored node keeps
    normals on the outside, and a flattened one needs no division.
    """
    cofactor = np.zeros((4, 4))
    for i in range(3):
        for j in range(3):
            a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
            cofactor[i, j] = matrix[a, c] * matrix[b, d] - matrix[a, d] * matrix[b, c]
    sign = -1.0 if determinant(matrix) < 0 else 1.0
    return unit_rows(transform_points(cofactor * sign, normals))


def unit_rows(vectors: NDArray[np.float64]) -> FloatArray:
    """Rows scaled to length 1; rows without a length stay zero."""
    largest = np.max(np.abs(vectors), axis=1, keepdims=True, initial=0.0)
    scaled = vectors / np.where(largest > 0, largest, 1.0)
    length = np.sqrt(scaled[:, 0] * scaled[:, 0] + scaled[:, 1] * scaled[:, 1] + scaled[:, 2] * scaled[:, 2])
    rows: FloatArray = scaled / np.where(length > 0, length, 1.0)[:, None]
    return rows
