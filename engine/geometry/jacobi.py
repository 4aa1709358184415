"""Eigenvectors of a symmetric 3x3 matrix by Jacobi rotations: no LAPACK, so the same bits everywhere."""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError


@njit(cache=True, nogil=True)
def _rotate(a: FloatArray, vectors: FloatArray, p: int, q: int) -> None:
    """Make a[p, q] zero by a rotation in the plane of axes p and q."""
    if a[p, q] == 0.0:
        return
    theta = (a[q, q] - a[p, p]) / (2.0 * a[p, q])
    t = 1.0 / (abs(theta) + np.sqrt(theta * theta + 1.0))
    if theta < 0.0:
        t = -t
    c = 1.0 / np.sqrt(t * t + 1.0)
    s = t * c
    for k in range(3):
        kp, kq = a[k, p], a[k, q]
        a[k, p], a[k, q] = c * kp - s * kq, s * kp + c * kq
    for k in range(3):
        pk, qk = a[p, k], a[q, k]
        a[p, k], a[q, k] = c * pk - s * qk, s * pk + c * qk
    a[p, q] = a[q, p] = 0.0
    for k in range(3):
        kp, kq = vectors[k, p], vectors[k, q]
        vectors[k, p], vectors[k, q] = c * kp - s * kq, s * kp + c * kq


@njit(cache=True, nogil=True)
def _diagonalise(a: FloatArray, vectors: FloatArray) -> None:
    for _ in range(40):
        if abs(a[0, 1]) + abs(a[0, 2]) + abs(a[1, 2]) == 0.0:
            return
        _rotate(a, vectors, 0, 1)
        _rotate(a, vectors, 0, 2)
        _rotate(a, vectors, 1, 2)


def eigen_symmetric3(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return eigenvalues (3,), largest first, and unit eigenvectors as the columns of (3, 3).

    Of each vector the entry of largest size is positive. Only the mean of the two triangles of `matrix` counts.

    Raises:
        GeometryError: an entry is not finite.

    """
    a = np.array(matrix, dtype=np.float64)
    if a.shape != (3, 3) or not np.isfinite(a).all():
        raise GeometryError(f"eigenvectors: needs a finite (3, 3) matrix, got {a.tolist()}")
    largest = float(np.abs(a).max()) or 1.0
    # At size 1 the squares inside the rotations can neither overflow nor vanish.
    a = (a + a.T) / 2.0 / largest
    vectors = np.eye(3)
    _diagonalise(a, vectors)
    values = np.array([a[0, 0], a[1, 1], a[2, 2]]) * largest
    order: IntArray = np.argsort(-values, kind="stable")
    vectors = vectors[:, order]
    leading = np.argmax(np.abs(vectors), axis=0)
    return values[order], vectors * np.where(vectors[leading, np.arange(3)] < 0.0, -1.0, 1.0)
