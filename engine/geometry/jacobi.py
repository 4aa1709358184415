"""Eigenvectors of small symmetric matrices by Jacobi rotations: no LAPACK, so the same bits everywhere."""

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
    for k in range(len(a)):
        kp, kq = a[k, p], a[k, q]
        a[k, p], a[k, q] = c * kp - s * kq, s * kp + c * kq
    for k in range(len(a)):
        pk, qk = a[p, k], a[q, k]
        a[p, k], a[q, k] = c * pk - s * qk, s * pk + c * qk
    a[p, q] = a[q, p] = 0.0
    for k in range(len(a)):
        kp, kq = vectors[k, p], vectors[k, q]
        vectors[k, p], vectors[k, q] = c * kp - s * kq, s * kp + c * kq


@njit(cache=True, nogil=True)
def _diagonalise(a: FloatArray, vectors: FloatArray) -> None:
    for _ in range(40):
        rest = 0.0
        for p in range(len(a)):
            for q in range(p + 1, len(a)):
                rest += abs(a[p, q])
        if rest == 0.0:
            return
        for p in range(len(a)):
            for q in range(p + 1, len(a)):
                _rotate(a, vectors, p, q)


def eigen_symmetric3(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return eigenvalues (3,), largest first, and unit eigenvectors as the columns of (3, 3): see `eigen_symmetric`."""
    return eigen_symmetric(matrix, 3)


def eigen_symmetric(matrix: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Return eigenvalues (n,), largest first, and unit eigenvectors as the columns of (n, n).

    Of each vector the entry of largest size is positive. Only the mean of the two triangles of `matrix` counts.

    Raises:
        GeometryError: an entry is not finite.

    """
    a = np.array(matrix, dtype=np.float64)
    if a.shape != (n, n) or not np.isfinite(a).all():
        raise GeometryError(f"eigenvectors: needs a finite ({n}, {n}) matrix, got {a.tolist()}")
    largest = float(np.abs(a).max()) or 1.0
    # At size 1 the squares inside the rotations can neither overflow nor vanish.
    a = (a + a.T) / 2.0 / largest
    vectors = np.eye(n)
    _diagonalise(a, vectors)
    values = np.array([a[k, k] for k in range(n)]) * largest
    order: IntArray = np.argsort(-values, kind="stable")
    vectors = vectors[:, order]
    leading = np.argmax(np.abs(vectors), axis=0)
    return values[order], vectors * np.where(vectors[leading, np.arange(n)] < 0.0, -1.0, 1.0)
