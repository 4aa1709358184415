"""Rays against an independent tracer and closed forms."""

from __future__ import annotations

import time

import numpy as np
import pytest
import trimesh
from geometry_meshes import ball, box, soup

from engine.geometry.rays import RayScene
from schemas.errors import GeometryError


def test_against_an_independent_tracer() -> None:
    """First faces equal those of a brute single-mesh tracer, distances to single precision."""
    meshes = [ball(3), box((0.5, 3.0, 0.5), (0.2, 0.1, 0.4)), box((3, 0.1, 3), (0, -1.2, 0))]
    rng = np.random.default_rng(0)
    origins = rng.normal(size=(800, 3)) * 2.5
    directions = rng.normal(size=(800, 3)) - origins
    hits = RayScene(meshes).first_hits(origins, directions)
    joined = trimesh.Trimesh(*soup(*meshes), process=False)
    tracer = trimesh.ray.ray_triangle.RayMeshIntersector(joined)
    points, rays, faces = tracer.intersects_location(origins, directions, multiple_hits=True)
    distance = np.full(800, np.inf)
    np.minimum.at(distance, rays, np.linalg.norm(points - origins[rays], axis=1))
    measured = hits.distance * np.linalg.norm(directions, axis=1)
    assert np.array_equal(np.isfinite(measured), np.isfinite(distance))
    met = np.isfinite(distance)
    assert 100 < met.sum() < 700
    np.testing.assert_allclose(measured[met], distance[met], rtol=1e-9)
    starts = np.array([0, *np.cumsum([len(f) for _, f in meshes])])
    found = set(zip(np.flatnonzero(met).tolist(), (starts[hits.geometry] + hits.face)[met].tolist(), strict=True))
    assert found <= set(zip(rays.tolist(), faces.tolist(), strict=True))
    assert (hits.geometry[~met] == -1).all()
    assert (hits.face[~met] == -1).all()


def test_no_ray_slips_through_a_seam() -> None:
    """Rays exactly at edges and corners of a closed box always hit; parallel ones beside it never do."""
    grid = np.linspace(-0.5, 0.5, 11)
    x, z = (a.ravel() for a in np.meshgrid(grid, grid))
    scene = RayScene([box()])
    origins = np.stack([x, np.full_like(x, 4.0), z], axis=1)
    down = np.array([[0.0, -2.0, 0.0]])
    hits = scene.first_hits(origins, down)
    assert (hits.distance == 1.75).all()
    assert scene.occluded(origins, down, max_distance=1.75).all()
    assert not scene.occluded(origins, down, max_distance=1.7).any()
    assert not scene.occluded(origins, -down).any()
    assert not scene.occluded(origins + np.array([1.1, 0, 0]), down).any()


def test_coincident_faces_answer_with_the_lowest_number() -> None:
    """Thousands of equal faces neither hang nor make the answer depend on the tree."""
    faces = np.tile(np.array([[0, 1, 2]]), (20_000, 1))
    scene = RayScene([(np.eye(3) * 3, faces), (np.eye(3) * 3, faces)])
    started = time.perf_counter()
    hits = scene.first_hits(np.zeros((50, 3)), np.ones((1, 3)))
    assert time.perf_counter() - started < 5.0
    assert (hits.geometry == 0).all()
    assert (hits.face == 0).all()


def test_nonsense_is_refused() -> None:
    """No mesh, a zero direction and a ray that is not a number are errors."""
    with pytest.raises(GeometryError):
        RayScene([])
    scene = RayScene([box()])
    for origin, direction in (([0.0, 0, 0], [0.0, 0, 0]), ([np.nan, 0, 0], [1.0, 0, 0])):
        with pytest.raises(GeometryError):
            scene.first_hits(np.array([origin]), np.array([direction]))
