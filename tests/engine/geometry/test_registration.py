"""Similarities from pairs of points, and steps towards planes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry.registration import Pose, fit_pairs, normalize_wxyz, step_onto_planes
from schemas.errors import GeometryError

SEEDS = st.integers(0, 2**32 - 1)


def random_pose(rng: np.random.Generator) -> Pose:
    """Any turn, sizes from a tenth to ten, a shift of a few units."""
    wxyz = normalize_wxyz(rng.normal(size=4))
    return Pose(float(np.exp(rng.uniform(-2.3, 2.3))), wxyz, rng.normal(size=3) * 3.0)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_exact_pairs_give_the_pose_back(seed: int) -> None:
    """Pairs made by a pose are fitted by it, to rounding, whatever their weights; undoing it leads back."""
    rng = np.random.default_rng(seed)
    pose, points = random_pose(rng), rng.normal(size=(5, 3))
    found = fit_pairs(points, pose.apply(points), rng.uniform(0.1, 2.0, size=5))
    np.testing.assert_allclose(found.matrix, pose.matrix, atol=1e-10 * max(pose.scale, 1.0))
    np.testing.assert_allclose(pose.undo(pose.apply(points)), points, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_rotation_is_the_one_of_the_singular_value_decomposition(seed: int) -> None:
    """Under noise the rotation is the least squares one of the usual method, without mirrors."""
    rng = np.random.default_rng(seed)
    pose, points = random_pose(rng), rng.normal(size=(40, 3))
    partners = pose.apply(points) + rng.normal(size=(40, 3)) * pose.scale * 0.3
    u, _, vt = np.linalg.svd((partners - partners.mean(axis=0)).T @ (points - points.mean(axis=0)))
    expected = u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt
    found = fit_pairs(points, partners, np.ones(40))
    np.testing.assert_allclose(found.rotation, expected, atol=1e-9)
    np.testing.assert_allclose(found.rotation @ found.rotation.T, np.eye(3), atol=1e-14)


def test_a_given_scale_is_kept_and_weightless_pairs_do_not_count() -> None:
    """The size can be fixed, and pairs of almost no weight pull nothing."""
    rng = np.random.default_rng(3)
    pose, points = random_pose(rng), rng.normal(size=(30, 3))
    partners = pose.apply(points)
    assert fit_pairs(points, partners, np.ones(30), scale=0.75).scale == 0.75
    weights = np.where(np.arange(30) < 10, 1e-18, 1.0)
    partners[:10] += 100.0
    np.testing.assert_allclose(fit_pairs(points, partners, weights).matrix, pose.matrix, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_steps_onto_planes_converge_quadratically(seed: int) -> None:
    """From a few degrees away a handful of steps reach planes that hold every direction, and stay there."""
    rng = np.random.default_rng(seed)
    near = normalize_wxyz(np.array([1.0, 0.05, -0.04, 0.03]))
    truth, points = Pose(1.1, near, np.array([0.05, -0.02, 0.04])), rng.normal(size=(200, 3))
    normals = rng.normal(size=(200, 3))
    normals /= np.sqrt((normals * normals).sum(axis=1))[:, None]
    pose = Pose(1.0, np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3))
    for _ in range(8):
        pose = step_onto_planes(pose, points, truth.apply(points), normals, np.ones(200))
    np.testing.assert_allclose(pose.matrix, truth.matrix, atol=1e-9)
    np.testing.assert_allclose(pose.rotation @ pose.rotation.T, np.eye(3), atol=1e-14)


def test_directions_that_nothing_holds_do_not_move() -> None:
    """Points of one plane are lifted onto it and do not slide along it."""
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(size=(50, 2)), np.zeros((50, 1))], axis=1)
    points -= points.mean(axis=0)
    start = Pose(1.0, np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.1]))
    up = np.tile([0.0, 0.0, 1.0], (50, 1))
    pose = step_onto_planes(start, points, points, up, np.ones(50))
    assert abs(pose.translation[2]) < 1e-5
    np.testing.assert_allclose(pose.translation[:2], 0.0, atol=1e-12)
    np.testing.assert_allclose(pose.wxyz, [1.0, 0.0, 0.0, 0.0], atol=1e-6)


def test_pairs_that_say_nothing_are_refused() -> None:
    """No pairs, unequal numbers and coinciding points have no similarity."""
    for p, q in ((np.zeros((0, 3)), np.zeros((0, 3))), (np.eye(3), np.eye(3)[:2])):
        with pytest.raises(GeometryError, match="points and"):
            fit_pairs(p, q, np.ones(len(p)))
    with pytest.raises(GeometryError, match="squared radii"):
        fit_pairs(np.ones((4, 3)), np.eye(3)[[0, 1, 2, 0]], np.ones(4))
