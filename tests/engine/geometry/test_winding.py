"""Inside and outside against the exact winding number and closed forms."""

from __future__ import annotations

import igl
import numpy as np
import pytest
from geometry_meshes import ball, box, soup

from engine.geometry.winding import build_winding
from schemas.errors import GeometryError


def test_closed_shapes_are_classified_without_error() -> None:
    """Random points in and around a box and a ball: none on the wrong side."""
    rng = np.random.default_rng(0)
    points = rng.uniform(-1.2, 1.2, (4000, 3))
    inside_box = (np.abs(points) < 0.5).all(axis=1)
    assert np.array_equal(build_winding(*box()).winding(points) > 0.5, inside_box)
    radius = np.linalg.norm(points, axis=1)
    clear = np.abs(radius - 1.0) > 0.01
    assert np.array_equal(build_winding(*ball(4)).winding(points)[clear] > 0.5, (radius < 1.0)[clear])


def test_open_meshes_follow_the_exact_number() -> None:
    """On an open box with a stray sheet the tree stays within 0.02 of the exact winding number."""
    vertices, faces = soup((box()[0], box()[1][2:]), ball(2, 0.2))
    points = np.random.default_rng(1).uniform(-1, 1, (500, 3))
    exact = igl.winding_number(vertices, faces, points)
    np.testing.assert_allclose(build_winding(vertices, faces).winding(points), exact, atol=0.02)


def test_nothing_unsafe_reaches_the_library() -> None:
    """No faces, a bad index and a query that is not a number are errors; no queries are no work."""
    with pytest.raises(GeometryError):
        build_winding(np.eye(3), np.zeros((0, 3), dtype=np.int64))
    with pytest.raises(GeometryError):
        build_winding(np.eye(3), np.array([[0, 1, 3]]))
    tree = build_winding(*box())
    with pytest.raises(GeometryError):
        tree.winding(np.array([[np.nan, 0, 0]]))
    assert tree.winding(np.zeros((0, 3))).shape == (0,)
