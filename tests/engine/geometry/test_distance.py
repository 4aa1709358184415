"""Exact gaps against analytic beds, an independent library and dense brute force."""

from __future__ import annotations

import time

import numpy as np
import pytest
from geometry_meshes import Mesh, ball, box, cylinder, fcl_distance, rotation_between, shuffled

from engine.geometry.bvh import build_bvh, moved_bvh
from engine.geometry.distance import closest_points, measure_gap
from engine.geometry.similarity import YAW, similarity, transform_points
from schemas.errors import GeometryError


def _soup(rng: np.random.Generator, kind: int) -> Mesh:
    n = int(rng.integers(1, 10))
    corners = rng.random((n, 3, 3))
    if kind == 1:  # many touching, coplanar and degenerate
        corners = np.round(corners * 4) / 4
    elif kind == 2:  # needles
        corners[:, 2] = corners[:, 1] + 1e-7 * rng.random((n, 3))
    elif kind == 3:  # points and lines
        corners[::2, 1] = corners[::2, 0]
        corners[::3, 2] = corners[::3, 0]
    corners += rng.choice([0.0, 0.4, 1.2]) * rng.random(3)
    return corners.reshape(-1, 3), np.arange(3 * n).reshape(-1, 3)


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_fuzz_against_an_independent_library(kind: int) -> None:
    """On random soups the gap equals that of the oracle, and its two points are that far apart."""
    rng = np.random.default_rng(10 + kind)
    for _ in range(150):
        a, b = _soup(rng, kind), _soup(rng, kind)
        gap = measure_gap(build_bvh(*a), build_bvh(*b))
        assert gap.distance == pytest.approx(fcl_distance(a, b), abs=1e-9 if kind == 2 else 1e-13)
        assert np.linalg.norm(gap.point_a - gap.point_b) == pytest.approx(gap.distance, abs=1e-13)
        back = measure_gap(build_bvh(*b), build_bvh(*a))
        assert back.distance == pytest.approx(gap.distance, abs=1e-14)


def _dense(mesh: Mesh, steps: int = 24) -> np.ndarray:
    grid = [(i / steps, j / steps) for i in range(steps + 1) for j in range(steps + 1 - i)]
    u, v = np.array(grid).T[:, :, None]
    return np.concatenate([a + u * (b - a) + v * (c - a) for a, b, c in mesh[0][mesh[1]]])


def test_degenerate_triangles_against_dense_points() -> None:
    """Points and lines in a mesh are measured too: never above a dense sampling, never far below it."""
    rng = np.random.default_rng(20)
    for _ in range(25):
        a, b = _soup(rng, 3), _soup(rng, 3)
        gap = measure_gap(build_bvh(*a), build_bvh(*b)).distance
        dense = np.sqrt(((_dense(a)[:, None] - _dense(b)[None]) ** 2).sum(axis=2)).min()
        assert gap <= dense + 1e-12
        assert dense - gap < 0.06


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-6, 1e-3, 0.1, 2.5])
@pytest.mark.parametrize("turn", [False, True])
def test_boxes_with_known_gap(gap: float, *, turn: bool) -> None:
    """Two boxes a known gap apart, also turned out of the axes together."""
    matrix = similarity(1.0, rotation_between([1, 2, 3], [-2, 0.5, 1]) if turn else YAW[0], np.array([5.0, -3.0, 2.0]))
    a = moved_bvh(build_bvh(*box()), matrix)
    b = moved_bvh(build_bvh(*box((0.3, 1.0, 0.3), (0.1, 1.0 + gap, 0.0))), matrix)
    assert measure_gap(a, b).distance == pytest.approx(gap, abs=4e-15)


def test_known_shapes() -> None:
    """Crossed edges, corner to corner, nested, crossing, and a peg in an exact hole."""
    unit = build_bvh(*box())
    crossed = moved_bvh(unit, similarity(1.0, rotation_between([1, 0, 1], [0, 0, 1]), np.zeros(3)))
    tilted = moved_bvh(crossed, similarity(1.0, rotation_between([0, 1, 0], [0, 0, 1]), np.array([3.0, 0.0, 0.0])))
    assert measure_gap(unit, tilted).distance > 0.0
    corner = build_bvh(*box((1, 1, 1), (2, 2, 2)))
    assert measure_gap(unit, corner).distance == pytest.approx(np.sqrt(3.0), rel=1e-15)
    assert measure_gap(unit, build_bvh(*box((0.5, 0.5, 0.5)))).distance == pytest.approx(0.25)
    assert measure_gap(unit, build_bvh(*box((0.5, 0.5, 3.0)))).distance == 0.0
    pierced = build_bvh(np.array([[0.0, 0, -2], [0.01, 0, 2], [0, 0.01, 2]]), np.array([[0, 1, 2]]))
    assert measure_gap(unit, pierced).distance == 0.0
    peg, hole = cylinder(0.3, 1.0), cylinder(0.3, 0.5)
    side = np.abs(hole[0][hole[1]][:, :, 2]).sum(axis=1) > 0
    tube = (hole[0], hole[1][side & (np.ptp(hole[0][hole[1]][:, :, 2], axis=1) > 0)])
    assert measure_gap(build_bvh(*peg), build_bvh(*tube)).distance == 0.0


def test_crossed_edges_of_boxes() -> None:
    """Two boxes that face each other edge on edge at a right angle: no vertex is near, the gap is known."""
    eighth = rotation_between([0, 1, 1], [0, 0, 1])
    a = moved_bvh(build_bvh(*box()), similarity(1.0, eighth, np.zeros(3)))
    other = rotation_between([1, 0, 1], [0, 0, 1])
    b = moved_bvh(build_bvh(*box()), similarity(1.0, other, np.array([0.0, 0.0, np.sqrt(2.0) + 0.125])))
    assert measure_gap(a, b).distance == pytest.approx(0.125, abs=1e-14)


def test_bound_is_inclusive_and_changes_no_value() -> None:
    """A bound equal to the distance still finds it, a smaller one says inf."""
    a, b = build_bvh(*ball(2)), build_bvh(*(ball(2)[0] + np.array([2.7, 0.4, 0.1]), ball(2)[1]))
    exact = measure_gap(a, b).distance
    assert measure_gap(a, b, bound=exact).distance == exact
    assert measure_gap(a, b, bound=1.0).distance == exact
    short = measure_gap(a, b, bound=exact * (1 - 1e-9))
    assert short.distance == np.inf
    assert np.isnan(short.point_a).all()
    for bound in (-1.0, np.nan):
        with pytest.raises(GeometryError):
            measure_gap(a, b, bound=bound)


def test_nan_never_reaches_the_kernels() -> None:
    """A mesh with a vertex that is not a number is refused where the hierarchy is built."""
    vertices, faces = box()
    vertices[3, 1] = np.nan
    with pytest.raises(GeometryError, match="finite"):
        build_bvh(vertices, faces)
    with pytest.raises(GeometryError):
        build_bvh(*box()[:1], np.zeros((0, 3), dtype=np.int64))
    with pytest.raises(GeometryError, match="finite"):
        closest_points(build_bvh(*box()), np.array([[np.nan, 0.0, 0.0]]))


def test_fifty_thousand_identical_faces_do_not_hang() -> None:
    """Coincident faces, which hang other libraries, are only slow to split."""
    faces = np.tile(np.array([[0, 1, 2]]), (50_000, 1))
    a = build_bvh(np.eye(3), faces)
    b = build_bvh(np.eye(3) + 1.0, np.array([[0, 1, 2]]))
    measure_gap(b, b)  # what compiling takes is not asked here
    started = time.process_time()
    assert measure_gap(a, b).distance == pytest.approx(np.sqrt(3.0))
    assert time.process_time() - started < 5.0


def test_closest_points_against_brute_force() -> None:
    """Nearest points equal the minimum over all faces; the bound only hides what is farther."""
    rng = np.random.default_rng(30)
    for kind in (0, 1, 3):
        vertices, faces = _soup(rng, kind)
        bvh = build_bvh(vertices, faces)
        points = rng.random((60, 3)) * 2 - 0.5
        closest = closest_points(bvh, points)
        np.testing.assert_allclose(np.linalg.norm(closest.point - points, axis=1), closest.distance, atol=1e-14)
        for p, d in zip(points, closest.distance, strict=True):
            single = [
                closest_points(build_bvh(vertices, faces[k : k + 1]), p[None]).distance[0] for k in range(len(faces))
            ]
            assert d == min(single)
        dense = np.sqrt(((points[:, None] - _dense((vertices, faces))[None]) ** 2).sum(axis=2)).min(axis=1)
        assert (closest.distance <= dense + 1e-12).all()
        assert (dense - closest.distance < 0.06).all()
        near = closest_points(bvh, points, bound=0.3)
        assert np.array_equal(near.face >= 0, closest.distance <= 0.3)
        assert np.array_equal(near.distance[near.face >= 0], closest.distance[near.face >= 0])


def test_closest_point_of_a_ball_is_radial() -> None:
    """From far away the nearest point of a fine ball is the one towards the query, on the named face."""
    vertices, faces = ball(4)
    points = 3.0 * np.eye(3)
    closest = closest_points(build_bvh(vertices, faces), points)
    np.testing.assert_allclose(closest.distance, 2.0, atol=3e-3)
    assert (np.abs(vertices[faces[closest.face]].mean(axis=1) - np.eye(3)) < 0.1).all()


def test_gap_does_not_depend_on_pose_history_or_order() -> None:
    """A moved hierarchy answers as one built from moved corners; shuffled storage gives the same gap."""
    mesh, other = ball(3), box((0.4, 0.2, 0.9))
    matrix = similarity(0.7, rotation_between([0, 1, 0], [1, 1, 0]), np.array([1.9, 0.3, 0.2]))
    fixed = build_bvh(*mesh)
    moved = moved_bvh(build_bvh(*other), matrix)
    rebuilt = build_bvh(transform_points(matrix, other[0]), other[1])
    expected = measure_gap(moved, fixed).distance
    assert measure_gap(rebuilt, fixed).distance == expected
    assert measure_gap(moved, build_bvh(*shuffled(mesh))).distance == pytest.approx(expected, abs=1e-15)
    assert expected == pytest.approx(fcl_distance((transform_points(matrix, other[0]), other[1]), mesh), abs=1e-13)
