"""Chamfer over 24 rotations: published golden numbers, scipy as oracle, and what must not change a score."""

from __future__ import annotations

import time
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from suite_shapes import Soup, ball, block, join, mirrored, soup_of, three_bars, unwelded

from engine.geometry.point_tree import PointTree, build_point_tree, find_nearest
from engine.surfaces import FloatArray
from evaluator.suites.chamfer import ChamferRules, draw_cloud, draw_points, fit_unit_sphere, measure_chamfer
from evaluator.suites.chamfer import measure_rotations as distances_of
from evaluator.suites.rotations import AXIS_ROTATIONS, IDENTITY, quarter_turns
from schemas.errors import GeometryError

INDEPENDENT = ChamferRules(sampling="independent")
BRICK = block((-0.5, -1.0, -1.5), (0.5, 1.0, 1.5))


def _turned_about_x(soup: Soup) -> Soup:
    vertices, faces = soup
    return np.stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]], axis=1), faces


def _peer_cloud(soup: Soup, seed: int) -> PointTree:
    """A cloud as the golden numbers were made: points drawn one by one by trimesh."""
    mesh = trimesh.Trimesh(*soup, process=False)
    return build_point_tree(fit_unit_sphere(np.asarray(trimesh.sample.sample_surface(mesh, 8192, seed=seed)[0])))


def _read(path: Path) -> Soup:
    """All triangles of a glTF file, by trimesh."""
    return join(*(soup_of(mesh) for mesh in trimesh.load_scene(path, process=False).dump()))


def _oracle(a: FloatArray, b: FloatArray) -> float:
    return float((cKDTree(b).query(a)[0] ** 2).mean() + (cKDTree(a).query(b)[0] ** 2).mean())


def test_golden_numbers() -> None:
    """The peers' figures for their own draws: brick on its side, cube against sphere."""
    brick = distances_of(_peer_cloud(BRICK, 0), _peer_cloud(_turned_about_x(BRICK), 1))
    assert brick[0] == pytest.approx(0.0457, abs=5e-5)
    assert min(brick) == pytest.approx(0.00056, abs=5e-6)
    assert sum(distance < 0.001 for distance in brick) == 4
    cube = block((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    assert min(distances_of(_peer_cloud(cube, 0), _peer_cloud(ball(5), 1))) == pytest.approx(0.1365, abs=5e-5)


@pytest.mark.parametrize(("rules", "ceiling"), [(ChamferRules(), 0.0004), (INDEPENDENT, 0.0007)])
def test_brick_on_its_side_is_found_by_its_four_symmetries(rules: ChamferRules, ceiling: float) -> None:
    """A brick turned about X costs 0.0457 as it stands and the noise floor after the search, by 4 of 24 rotations."""
    scores = measure_chamfer(BRICK, _turned_about_x(BRICK), rules)
    assert scores.identity == pytest.approx(0.0457, abs=5e-4)
    assert scores.best < ceiling
    assert scores.floor < ceiling
    assert scores.reached == 4
    assert scores.upright == pytest.approx(0.0457, abs=5e-4)
    assert measure_chamfer(BRICK, BRICK, rules).reached == 4


def test_cube_against_sphere_is_near_its_limit() -> None:
    """Stratified samples come within 2.5 % of the distance of the surfaces themselves, drawn ones within 12 %."""
    cube = block((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    steps = (np.arange(400) + 0.5) / 400 * 2.0 - 1.0
    u, v = np.meshgrid(steps, steps)
    face = np.stack([np.ones_like(u), u, v], axis=-1).reshape(-1, 3) / np.sqrt(3.0)
    there = (np.sqrt((face**2).sum(axis=1)) - 1.0) ** 2
    direction = face / np.sqrt((face**2).sum(axis=1))[:, None]
    # A face seen from the centre covers its directions unevenly: by area over distance cubed, times the face's depth.
    weight = (face**2).sum(axis=1) ** -1.5
    gap = np.maximum(np.abs(direction) - 1.0 / np.sqrt(3.0), 0.0)
    back = ((gap**2).sum(axis=1) * weight).sum() / weight.sum()
    limit = float(there.mean() + back)
    assert limit == pytest.approx(0.1521, abs=1e-4)
    assert measure_chamfer(cube, ball(5)).best == pytest.approx(limit, rel=0.025)
    assert measure_chamfer(cube, ball(5), INDEPENDENT).best == pytest.approx(limit, rel=0.12)


@pytest.mark.parametrize("rules", [ChamferRules(), INDEPENDENT])
def test_mirror_image_is_not_found(rules: ChamferRules) -> None:
    """A shape without mirror symmetry is at the floor against itself and far from it against its mirror image."""
    bars = three_bars()
    same, mirror = measure_chamfer(bars, bars, rules), measure_chamfer(bars, mirrored(bars), rules)
    assert same.best < 0.0004
    assert same.reached == 1
    assert same.rotation == IDENTITY
    assert mirror.best == pytest.approx(0.025, abs=0.004)
    assert mirror.best > 50 * mirror.floor


def test_rotations_are_the_proper_ones() -> None:
    """24 different matrices of determinant +1, closed under product, the identity first."""
    matrices = [np.array(rotation.matrix) for rotation in AXIS_ROTATIONS]
    assert len({m.tobytes() for m in matrices}) == 24
    assert all(round(np.linalg.det(m)) == 1 for m in matrices)
    assert all(any(np.array_equal(a @ b, m) for m in matrices) for a, b in product(matrices, repeat=2))
    assert np.array_equal(matrices[0], np.eye(3, dtype=np.int64))
    for rotation, matrix in zip(AXIS_ROTATIONS, matrices, strict=True):
        assert np.array_equal(np.array(rotation.inverse.matrix), matrix.T)
        points = np.arange(12.0).reshape(4, 3)
        assert np.array_equal(rotation.turn(points), points @ matrix.T)
    assert [r.label for r in quarter_turns("y")] == ["+x+y+z", "+z+y-x", "-x+y-z", "-z+y+x"]


def test_all_rotations_equal_an_oracle_that_turns_the_points() -> None:
    """The search agrees with scipy's trees over turned copies, for each of the 24."""
    rng = np.random.default_rng(7)
    a, b = fit_unit_sphere(rng.normal(size=(700, 3)) * [1, 2, 4]), fit_unit_sphere(rng.normal(size=(500, 3)))
    found = distances_of(build_point_tree(a), build_point_tree(b))
    wanted = [_oracle(a @ np.array(rotation.matrix).T, b) for rotation in AXIS_ROTATIONS]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 60), lattice=st.booleans())
def test_nearest_equals_trying_all(seed: int, n: int, lattice: bool) -> None:  # noqa: FBT001  # drawn by hypothesis
    """Distances to the bit and, of equally near points, the lowest index; lattices make many such ties."""
    rng = np.random.default_rng(seed)
    points, queries = (rng.integers(0, 4, (k, 3)).astype(float) if lattice else rng.random((k, 3)) for k in (n, 40))
    d = queries[:, None, :] - points[None, :, :]
    squared = d[..., 0] * d[..., 0] + d[..., 1] * d[..., 1] + d[..., 2] * d[..., 2]
    found = find_nearest(build_point_tree(points), queries)
    assert np.array_equal(found.squared, squared.min(axis=1))
    assert np.array_equal(found.index, squared.argmin(axis=1))


def test_storage_of_a_surface_changes_nothing() -> None:
    """Faces shuffled, corners rolled, vertices repeated: the same points to the bit."""
    vertices, faces = ball(2)
    rng = np.random.default_rng(3)
    rolled = np.stack([np.roll(face, rng.integers(3)) for face in faces[rng.permutation(len(faces))]])
    wanted = draw_cloud(vertices, faces, "target", ChamferRules()).points
    for other in ((vertices, rolled), unwelded((vertices, faces))):
        for rules in (ChamferRules(), INDEPENDENT):
            wanted = draw_cloud(vertices, faces, "target", rules).points
            assert np.array_equal(draw_cloud(*other, "target", rules).points, wanted)


def test_streams_differ_and_floor_is_not_beaten_by_a_copy() -> None:
    """A copy of the target gets no better than the floor allows: its samples are others."""
    scores = measure_chamfer(three_bars(), three_bars())
    assert 0.3 < scores.best / scores.floor < 3.0
    a, b = (draw_points(*three_bars(), stream, 100, "stratified") for stream in ("target", "reconstruction"))
    assert not np.array_equal(a, b)


def test_independent_points_are_uniform_in_area() -> None:
    """A slab's faces get their share of points; faces without area get none."""
    slab = block((0, 0, 0), (4, 2, 0.5))
    flat = np.array([[9.0, 9.0, 9.0]] * 3)
    with_sliver = join(slab, (flat, np.array([[0, 1, 2]], dtype=np.int64)))
    points = draw_points(*with_sliver, "target", 20_000, "independent")
    assert points.max() < 4.0 + 1e-9
    on_top = np.isclose(points[:, 2], 0.5).mean()
    assert on_top == pytest.approx(8 / 22, abs=0.01)
    assert points[np.isclose(points[:, 2], 0.5)][:, 0].mean() == pytest.approx(2.0, abs=0.05)


def test_place_and_size_are_taken_out() -> None:
    """A moved and scaled copy is at the floor."""
    vertices, faces = three_bars()
    assert measure_chamfer((vertices, faces), (vertices * 40.0 + [7.0, -3.0, 2.0], faces)).best < 0.0004


def test_search_on_real_parts_is_exact_and_fast(data_dir: Path) -> None:
    """Real parts of one object: an oracle that turns the points agrees, and a case takes well under a second."""
    files = sorted((data_dir / "partverse_dev").rglob("*.glb"), key=lambda f: (f.stat().st_size, f.name))[300:900:150]
    soups = [_read(file) for file in files]
    for target, own in pairwise(soups):
        start = time.process_time()
        scores = measure_chamfer(target, own)
        assert time.process_time() - start < 1.0
        a, b = (
            draw_cloud(*soup, stream, ChamferRules()) for soup, stream in ((target, "target"), (own, "reconstruction"))
        )
        turned = scores.rotation.turn(a.points)
        assert scores.best == pytest.approx(_oracle(turned, b.points), rel=1e-12)
        assert scores.best == min(scores.distances)


def test_turned_real_objects_are_found_at_the_floor(data_dir: Path) -> None:
    """Whole real objects lying on another side come out at the noise floor, by the rotation that was made."""
    made = AXIS_ROTATIONS[13]
    for file in sorted((data_dir / "partverse_dev" / "normalized_glbs").glob("*.glb"))[::20]:
        vertices, faces = _read(file)
        scores = measure_chamfer((vertices, faces), (made.turn(vertices) * 3.0 + [5.0, 0.0, -2.0], faces))
        assert scores.best < 2.0 * scores.floor
        assert scores.rotation == made or scores.reached > 1
        assert scores.distances[13] < 2.0 * scores.floor
        assert scores.identity > scores.best


def test_refusals_name_the_reason() -> None:
    """Empty and areless surfaces and points that are not finite are refused, not scored."""
    with pytest.raises(GeometryError, match="0 vertices and 0 faces"):
        measure_chamfer(BRICK, (np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)))
    with pytest.raises(GeometryError, match="area"):
        measure_chamfer((np.array([[0.0, 0, 0], [1, 1, 1], [2, 2, 2]]), np.array([[0, 1, 2]])), BRICK, INDEPENDENT)
    with pytest.raises(GeometryError, match="1 queries are not finite"):
        find_nearest(build_point_tree(np.zeros((1, 3))), np.array([[np.nan, 0.0, 0.0]]))
    with pytest.raises(GeometryError, match="no point"):
        build_point_tree(np.zeros((0, 3)))
    with pytest.raises(GeometryError, match="0 points"):
        fit_unit_sphere(np.zeros((0, 3)))


def test_cloud_of_one_point_is_left_as_it_is() -> None:
    """Points that all coincide are centred and not divided by nothing."""
    assert np.array_equal(fit_unit_sphere(np.full((5, 3), 2.5)), np.zeros((5, 3)))
