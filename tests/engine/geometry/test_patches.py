"""Flat patches of known meshes."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from geometry_meshes import Mesh, arrays, ball, box, cylinder, shuffled

from engine.geometry.clean import clean_mesh
from engine.geometry.patches import free_patches
from schemas.errors import GeometryError


def _subdivided_box(times: int) -> Mesh:
    mesh = trimesh.creation.box((1, 2, 3))
    for _ in range(times):
        mesh = mesh.subdivide()
    return arrays(mesh)


@pytest.mark.parametrize("times", [0, 3])
def test_a_box_has_six_patches_of_exact_area(times: int) -> None:
    """However finely it is cut, sorted by area, each with its exact normal and centre."""
    patches = free_patches(clean_mesh(*_subdivided_box(times)), np.sqrt(14.0))
    assert [round(patch.area, 12) for patch in patches] == [6, 6, 3, 3, 2, 2]
    for patch in patches:
        assert np.sort(np.abs(patch.normal)).tolist() == pytest.approx([0, 0, 1], abs=1e-15)
        np.testing.assert_allclose(patch.origin, patch.normal * np.array([0.5, 1.0, 1.5]), atol=1e-14)
    assert sorted(np.concatenate([patch.faces for patch in patches])) == list(range(12 * 4**times))


def test_upward_filter_minimum_area_and_units() -> None:
    """Only the top faces up; a small face is dropped; the result scales with the units."""
    mesh = clean_mesh(*box((1, 0.002, 1)))
    assert len(free_patches(mesh, np.sqrt(2.0))) == 2
    (top,) = free_patches(mesh, np.sqrt(2.0), min_up=0.85)
    assert top.normal.tolist() == [0.0, 1.0, 0.0]
    large = clean_mesh(*box((1000, 2, 1000)))
    assert len(free_patches(large, 1000 * np.sqrt(2.0))) == 2
    with pytest.raises(GeometryError):
        free_patches(mesh, 0.0)


def test_round_shapes_have_caps_only() -> None:
    """A cylinder of thin facets has its two caps, a ball only crumbs of its facets."""
    patches = free_patches(clean_mesh(*cylinder(0.5, 1.0, 128)), np.sqrt(3.0))
    assert [len(patch.faces) for patch in patches[:2]] == [128, 128]
    assert all(patch.area < 0.1 for patch in patches[2:])
    assert all(patch.area < 0.05 for patch in free_patches(clean_mesh(*ball(4)), 3.4))


def test_a_tilted_neighbour_and_a_raised_one_stay_out() -> None:
    """A roof of ten degrees is two patches at five degrees and one at fifteen; a step is never crossed."""
    rise = np.tan(np.radians(5.0))
    roof = np.array([[-1, 0, 0], [0, rise, 0], [1, 0, 0], [-1, 0, 1], [0, rise, 1], [1, 0, 1]], dtype=float)
    faces = np.array([[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]])
    mesh = clean_mesh(roof, faces)
    assert len(free_patches(mesh, 2.0)) == 2
    assert len(free_patches(mesh, 2.0, angle_deg=15.0)) == 2
    assert len(free_patches(mesh, 2.0, angle_deg=15.0, height_rel=0.2)) == 1


def test_storage_order_does_not_matter() -> None:
    """Shuffled storage gives the same patches, to the bit."""
    expected = free_patches(clean_mesh(*_subdivided_box(2)), 3.7)
    other = free_patches(clean_mesh(*shuffled(_subdivided_box(2))), 3.7)
    assert [p.faces.tolist() for p in other] == [p.faces.tolist() for p in expected]
    assert [p.origin.tobytes() for p in other] == [p.origin.tobytes() for p in expected]
