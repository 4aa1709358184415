"""Rays against an independent tracer and closed forms."""

from __future__ import annotations

import time

import numpy as np
import pytest
import trimesh
from geometry_meshes import ball, box, soup
from numpy.typing import NDArray

from engine.geometry.bvh import build_bvh
from engine.geometry.rays import cast_rays
from engine.surfaces import FloatArray
from schemas.errors import GeometryError


def test_against_an_independent_tracer() -> None:
    """First faces equal those of a brute single-mesh tracer, distances to single precision."""
    meshes = [ball(3), box((0.5, 3.0, 0.5), (0.2, 0.1, 0.4)), box((3, 0.1, 3), (0, -1.2, 0))]
    rng = np.random.default_rng(0)
    origins = rng.normal(size=(800, 3)) * 2.5
    directions = rng.normal(size=(800, 3)) - origins
    reached, faces_met = cast_rays(build_bvh(*soup(*meshes)), origins, directions, any_hit=False)
    joined = trimesh.Trimesh(*soup(*meshes), process=False)
    tracer = trimesh.ray.ray_triangle.RayMeshIntersector(joined)
    points, rays, faces = tracer.intersects_location(origins, directions, multiple_hits=True)
    distance = np.full(800, np.inf)
    np.minimum.at(distance, rays, np.linalg.norm(points - origins[rays], axis=1))
    measured = reached * np.linalg.norm(directions, axis=1)
    assert np.array_equal(np.isfinite(measured), np.isfinite(distance))
    met = np.isfinite(distance)
    assert 100 < met.sum() < 700
    np.testing.assert_allclose(measured[met], distance[met], rtol=1e-9)
    found = set(zip(np.flatnonzero(met).tolist(), faces_met[met].tolist(), strict=True))
    assert found <= set(zip(rays.tolist(), faces.tolist(), strict=True))
    assert (faces_met[~met] == -1).all()


def test_no_ray_slips_through_a_seam() -> None:
    """Rays exactly at edges and corners of a closed box always hit; parallel ones beside it never do."""
    grid = np.linspace(-0.5, 0.5, 11)
    x, z = (a.ravel() for a in np.meshgrid(grid, grid))
    bvh = build_bvh(*box())
    origins = np.stack([x, np.full_like(x, 4.0), z], axis=1)
    down = np.array([[0.0, -2.0, 0.0]])

    def blocked(starts: FloatArray, direction: FloatArray, reach: float = np.inf) -> NDArray[np.bool_]:
        return cast_rays(bvh, starts, direction, max_distance=reach, any_hit=True)[1] >= 0

    assert (cast_rays(bvh, origins, down, any_hit=False)[0] == 1.75).all()
    assert blocked(origins, down, 1.75).all()
    assert not blocked(origins, down, 1.7).any()
    assert not blocked(origins, -down).any()
    assert not blocked(origins + np.array([1.1, 0, 0]), down).any()


def test_coincident_faces_answer_with_the_lowest_number() -> None:
    """Thousands of equal faces neither hang nor make the answer depend on the tree."""
    faces = np.tile(np.array([[0, 1, 2]]), (20_000, 1))
    bvh = build_bvh(*soup((np.eye(3) * 3, faces), (np.eye(3) * 3, faces)))
    started = time.perf_counter()
    _, met = cast_rays(bvh, np.zeros((50, 3)), np.ones((1, 3)), any_hit=False)
    assert time.perf_counter() - started < 5.0
    assert (met == 0).all()


def test_nonsense_is_refused() -> None:
    """A zero direction and a ray that is not a number are errors."""
    bvh = build_bvh(*box())
    for origin, direction in (([0.0, 0, 0], [0.0, 0, 0]), ([np.nan, 0, 0], [1.0, 0, 0])):
        with pytest.raises(GeometryError):
            cast_rays(bvh, np.array([origin]), np.array([direction]), any_hit=False)
