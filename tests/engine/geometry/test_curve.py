"""Crossing curves of known length and shape."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_meshes import ball, box, cylinder

from engine.geometry.bvh import build_bvh
from engine.geometry.curve import curve_length, intersection_segments


def test_a_post_through_a_plate_leaves_two_rectangles() -> None:
    """Box through box: the outline of the post, once per side, every end on both surfaces."""
    post, plate = box((0.4, 3.0, 0.2), (0.05, 0, 0.03)), box((2, 0.5, 2))
    segments = intersection_segments(build_bvh(*post), build_bvh(*plate))
    assert curve_length(segments) == pytest.approx(2 * 1.2, abs=1e-12)
    np.testing.assert_allclose(np.abs(segments[:, :, 1]), 0.25, atol=1e-15)
    on_post = (np.abs(np.abs(segments[:, :, 0] - 0.05) - 0.2) < 1e-12) | (
        np.abs(np.abs(segments[:, :, 2] - 0.03) - 0.1) < 1e-12
    )
    assert on_post.all()


def test_two_balls_cross_in_a_circle() -> None:
    """The curve of two fine balls is a circle of the known radius in the middle plane."""
    mesh = ball(5)
    segments = intersection_segments(build_bvh(*mesh), build_bvh(mesh[0] + np.array([1.2, 0.01, 0.02]), mesh[1]))
    assert curve_length(segments) == pytest.approx(2 * np.pi * 0.8, rel=2e-3)
    assert np.abs(segments[:, :, 0].mean() - 0.6) < 5e-3


def test_apart_or_inside_there_is_no_curve() -> None:
    """Surfaces that do not meet have no segments, nested or apart."""
    for other in (box((0.5, 0.5, 0.5)), box((1, 1, 1), (3, 0, 0))):
        segments = intersection_segments(build_bvh(*box()), build_bvh(*other))
        assert segments.shape == (0, 2, 3)
        assert curve_length(segments) == 0.0


def test_sunk_cylinder_has_one_ring() -> None:
    """A cylinder sunk into a plate crosses it in its outline, centred on its axis."""
    segments = intersection_segments(build_bvh(*cylinder(0.3, 1.0)), build_bvh(*box((2, 2, 1), (0, 0, -0.7))))
    assert curve_length(segments) == pytest.approx(64 * 2 * 0.3 * np.sin(np.pi / 64), rel=1e-9)
    middles = segments.mean(axis=1)
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    np.testing.assert_allclose((middles * lengths[:, None]).sum(axis=0) / lengths.sum(), [0, 0, -0.2], atol=1e-12)
