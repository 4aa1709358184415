"""Eigenvectors against the usual libraries."""

from __future__ import annotations

import numpy as np
import pytest

from engine.geometry.jacobi import eigen_symmetric, eigen_symmetric3
from schemas.errors import GeometryError


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1.0, 1e150])
def test_against_the_linear_algebra_library(scale: float) -> None:
    """Values and the matrix they rebuild agree, also when values are equal or the matrix has rank one."""
    rng = np.random.default_rng(0)
    for k in range(60):
        half = rng.normal(size=(3, 3 if k % 3 else 1))
        matrix = half @ half.T * scale
        if k % 7 == 0:
            matrix = np.diag([2.0, 2.0, 1.0]) * scale
        values, vectors = eigen_symmetric3(matrix)
        np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[::-1], atol=1e-14 * np.abs(matrix).max())
        np.testing.assert_allclose(vectors @ vectors.T, np.eye(3), atol=1e-14)
        np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=3e-15 * np.abs(matrix).max() * 10)
        leading = np.abs(vectors).argmax(axis=0)
        assert (vectors[leading, range(3)] > 0.0).all()


def test_zero_and_nonsense() -> None:
    """The zero matrix has the axes as eigenvectors; nan and a wrong shape are refused."""
    values, vectors = eigen_symmetric3(np.zeros((3, 3)))
    assert values.tolist() == [0, 0, 0]
    assert np.array_equal(vectors, np.eye(3))
    for bad in (np.full((3, 3), np.nan), np.eye(2)):
        with pytest.raises(GeometryError):
            eigen_symmetric3(bad)


def test_four_by_four() -> None:
    """Larger matrices too: what Horn's fit of a rotation needs."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        half = rng.normal(size=(4, 4))
        matrix = half + half.T
        values, vectors = eigen_symmetric(matrix, 4)
        np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[::-1], atol=1e-13)
        np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=1e-13)
    with pytest.raises(GeometryError, match="4, 4"):
        eigen_symmetric(np.eye(3), 4)
