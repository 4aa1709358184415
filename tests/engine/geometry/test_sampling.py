"""Surface samples: on the surface, even, and blind to storage order."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_meshes import ball, box, shuffled

from engine.geometry.bvh import build_bvh
from engine.geometry.distance import closest_points
from engine.geometry.sampling import sample_surface
from schemas.errors import GeometryError


def test_storage_order_changes_nothing() -> None:
    """Shuffled vertices, faces and corners give the same points to the bit."""
    mesh = ball(3)
    expected = sample_surface(*mesh, 1000, 5)
    for seed in (1, 2):
        other = sample_surface(*shuffled(mesh, seed), 1000, 5)
        assert other.points.tobytes() == expected.points.tobytes()
        assert other.normals.tobytes() == expected.normals.tobytes()
    assert sample_surface(*mesh, 1000, 6).points.tobytes() != expected.points.tobytes()


def test_nearly_equal_faces_keep_one_order() -> None:
    """Also faces that differ by less than the sorting grid give the same points in any storage."""
    vertices, faces = ball(1)
    near = (np.concatenate([vertices, vertices + 1e-9]), np.concatenate([faces, faces + len(vertices)]))
    expected = sample_surface(*near, 300, 1)
    assert sample_surface(*shuffled(near, 4), 300, 1).points.tobytes() == expected.points.tobytes()


def test_samples_lie_on_their_face_and_share_the_area() -> None:
    """Points lie on the surface, normals are those of the named face, counts follow area to one sample."""
    vertices, faces = box((1.0, 2.0, 4.0))
    samples = sample_surface(vertices, faces, 2800, 0)
    assert closest_points(build_bvh(vertices, faces), samples.points).distance.max() < 1e-14
    assert samples.area_each * 2800 == pytest.approx(28.0)
    counts = np.bincount(samples.faces, minlength=12)
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    assert np.abs(counts - areas / 2 / samples.area_each).max() <= 2
    np.testing.assert_allclose(samples.normals, normals[samples.faces] / areas[samples.faces][:, None], atol=1e-14)


def test_faces_without_area_get_no_samples_and_no_area_is_an_error() -> None:
    """A degenerate face is never picked; a mesh of them is refused."""
    vertices, faces = box()
    with_line = np.concatenate([faces, [[0, 1, 1]]])
    assert 12 not in sample_surface(vertices, with_line, 500, 0).faces
    with pytest.raises(GeometryError, match="area"):
        sample_surface(vertices, np.array([[0, 1, 1]]), 10, 0)
