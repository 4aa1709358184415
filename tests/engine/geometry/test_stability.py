"""Standing parts: closed forms for boxes, cones and leaning ones."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_meshes import ball, box, cylinder, rotation_between, soup
from scipy.spatial import ConvexHull

from engine.geometry.clean import clean_mesh
from engine.geometry.stability import area_centroid, convex_hull, measure_stability


def test_boxes_stand_by_half_their_width_over_height() -> None:
    """The margin of a box is half its narrower side over its height, for any of the faces it may rest on."""
    mesh = clean_mesh(*box((1, 2, 4), (5, 5, 5)))
    assert measure_stability(mesh) == pytest.approx(0.25)
    assert measure_stability(mesh, down=(1, 0, 0)) == pytest.approx(1.0)
    assert measure_stability(mesh, down=(0, 0, 7)) == pytest.approx(0.125)


def test_a_part_that_leans_over_its_base_is_negative() -> None:
    """A post with a long arm tips: its centroid lies outside the base by a known distance."""
    mesh = clean_mesh(*soup(box((0.2, 1, 0.2), (0, 0.5, 0)), box((4, 0.2, 0.2), (2.1, 1.1, 0))))
    centroid = area_centroid(mesh.vertices, mesh.faces)
    assert measure_stability(mesh) == pytest.approx(-(centroid[0] - 0.1) / 1.2)
    assert measure_stability(mesh) < -1.0


def test_points_and_edges_carry_nothing() -> None:
    """A box on its corner, a box on its edge and a cone on its tip have no margin."""
    vertices, faces = box()
    corner = clean_mesh(vertices @ rotation_between([1, 1, 1], [0, 1, 0]).T, faces)
    edge = clean_mesh(vertices @ rotation_between([1, 1, 0], [0, 1, 0]).T, faces)
    assert measure_stability(corner) <= 0.0
    assert measure_stability(edge) <= 0.0
    assert 0.0 < measure_stability(clean_mesh(*ball(4))) < 0.2
    assert measure_stability(clean_mesh(*cylinder(0.5, 1.0)), down=(0, 0, -1)) == pytest.approx(0.5, rel=2e-3)


def test_a_sheet_that_lies_flat_stands_well() -> None:
    """A part of no height is measured as if it had a hundredth of its diagonal."""
    sheet = clean_mesh(np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]), np.array([[0, 2, 1], [0, 3, 2]]))
    assert measure_stability(sheet) == pytest.approx(0.5 / (0.01 * np.sqrt(2.0)))


def test_hull_against_an_independent_one() -> None:
    """The corners equal those of the oracle on random and on gridded points."""
    rng = np.random.default_rng(0)
    for k in range(20):
        points = rng.normal(size=(30, 2)) if k % 2 else rng.integers(0, 4, (30, 2)).astype(float)
        expected = points[ConvexHull(points).vertices]
        found = convex_hull(points)
        assert {tuple(p) for p in found} == {tuple(p) for p in expected}
        assert np.cross(np.roll(found, -1, axis=0) - found, np.roll(found, -2, axis=0) - found).min() > 0.0
