"""Poses: group laws and exact yaws."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_meshes import rotation_between

from engine.geometry.similarity import (
    YAW,
    as_matrix,
    compose,
    determinant,
    invert,
    scale_of,
    similarity,
    transform_points,
    transform_vectors,
    unit,
)
from schemas.errors import GeometryError


def _random_pose(rng: np.random.Generator) -> np.ndarray:
    turn = rotation_between(rng.normal(size=3), rng.normal(size=3))
    return similarity(float(rng.uniform(0.2, 4.0)), turn, rng.normal(size=3))


def test_yaws_are_exact_and_invert_exactly() -> None:
    """A quarter turn four times is the identity to the bit, and its inverse is the opposite turn."""
    quarter = similarity(1.0, YAW[90], np.zeros(3))
    assert compose(quarter, compose(quarter, compose(quarter, quarter))).tolist() == np.eye(4).tolist()
    assert np.array_equal(invert(quarter)[:3, :3], YAW[270])
    assert np.array_equal(compose(quarter, quarter)[:3, :3], YAW[180])
    assert transform_points(quarter, np.array([[0.0, 5.0, 1.0]])).tolist() == [[1.0, 5.0, 0.0]]


def test_group_laws_against_linear_algebra() -> None:
    """Composition, inverse and application agree with matrix algebra on random similarities."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b = _random_pose(rng), _random_pose(rng)
        points = rng.normal(size=(7, 3))
        np.testing.assert_allclose(compose(a, b), a @ b, atol=1e-13)
        np.testing.assert_allclose(compose(a, invert(a)), np.eye(4), atol=1e-12)
        np.testing.assert_allclose(transform_points(a, points), points @ a[:3, :3].T + a[:3, 3], atol=1e-13)
        np.testing.assert_allclose(transform_vectors(a, points), points @ a[:3, :3].T, atol=1e-13)
        assert determinant(a) == pytest.approx(np.linalg.det(a[:3, :3]), rel=1e-12)
        assert scale_of(compose(a, b)) == pytest.approx(scale_of(a) * scale_of(b), rel=1e-13)


def test_matrices_round_trip_and_refuse_nonsense() -> None:
    """Sixteen numbers survive both ways; wrong counts, nan, a projective row and no inverse are refused."""
    pose = _random_pose(np.random.default_rng(3))
    assert np.array_equal(as_matrix(pose.reshape(16).tolist()), pose)
    broken = pose.copy()
    broken[0, 0] = np.nan
    projective = pose.copy()
    projective[3, 0] = 1.0
    for values in ([1.0] * 15, broken, projective):
        with pytest.raises(GeometryError):
            as_matrix(values)
    with pytest.raises(GeometryError, match="inverted"):
        invert(similarity(0.0, YAW[0], np.zeros(3)))
    for nothing in ([0.0, 0.0, 0.0], [np.nan, 0.0, 1.0]):
        with pytest.raises(GeometryError):
            unit(nothing)
