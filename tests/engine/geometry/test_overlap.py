"""Interpenetration against closed forms, exact booleans and the shared placement cases."""

from __future__ import annotations

import json
from pathlib import Path

import manifold3d
import numpy as np
import pytest
from geometry_meshes import Mesh, arrays_of_file, ball, box, cylinder, rotation_between, shuffled, soup

from engine.geometry.bounds import diagonal
from engine.geometry.components import connected_pieces
from engine.geometry.contacts import contact_pairs
from engine.geometry.distance import measure_gap
from engine.geometry.overlap import Placed, build_solid, measure_overlap, place_solid
from engine.geometry.similarity import YAW, as_matrix, similarity, transform_points, unit

IDENTITY = np.eye(4)


def _placed(mesh: Mesh, matrix: np.ndarray = IDENTITY) -> Placed:
    return place_solid(build_solid(*mesh), matrix)


def _manifold(mesh: Mesh) -> manifold3d.Manifold:
    return manifold3d.Manifold(
        manifold3d.Mesh(mesh[0].astype(np.float32), np.ascontiguousarray(mesh[1].astype(np.uint32)))
    )


@pytest.mark.parametrize("share", [0.0, 0.001, 0.005, 0.015, 0.0195, 0.0205, 0.05, 0.5, 1.0])
def test_a_box_sunk_by_a_known_share(share: float) -> None:
    """A box sunk into a plate by a share of its height has that fraction, on the right side of the limit."""
    plate = _placed(box((4, 1, 4), (0, -0.5, 0)))
    part = _placed(box((0.5, 1.0, 0.5)), similarity(0.8, YAW[90], np.array([0.3, 0.8 * (0.5 - share), 0.1])))
    overlap = measure_overlap(part, [plate])
    assert overlap.fraction == pytest.approx(share, abs=3e-4)
    assert not overlap.contained
    assert (overlap.fraction < 0.02) == (share < 0.02)


def test_against_exact_booleans() -> None:
    """On random poses the fraction is within 0.015 of the boolean's, 0.0007 near the limit, 0.001 where refined."""
    rng = np.random.default_rng(3)
    shapes = [ball(3), cylinder(0.5, 1.4, 40), box((0.7, 1.0, 1.2))]
    near_limit = 0
    for k in range(40):
        a, b = shapes[int(rng.integers(3))], shapes[int(rng.integers(3))]
        pose = similarity(
            float(rng.uniform(0.5, 1.2)),
            rotation_between(rng.normal(size=3), rng.normal(size=3)),
            unit(rng.normal(size=3)) * rng.uniform(0.7, 1.6),
        )
        exact = (_manifold((transform_points(pose, a[0]), a[1])) ^ _manifold(b)).volume()
        part = _placed(a, pose)
        volume = part.solid.volume * np.linalg.det(pose[:3, :3])
        overlap = measure_overlap(part, [_placed(b)])
        near = exact / volume < 0.04
        near_limit += 0.002 < exact / volume < 0.04
        assert overlap.fraction == pytest.approx(exact / volume, abs=7e-4 if near else 1.5e-2)
        if k % 8 == 0:
            refined = measure_overlap(part, [_placed(b)], limit=exact / volume)
            assert refined.fraction == pytest.approx(exact / volume, abs=1e-3)
    assert near_limit >= 4


def test_several_neighbours_count_once() -> None:
    """What lies inside two neighbours at once is not counted twice, and their order does not matter."""
    part = _placed(box())
    left, right = _placed(box((1, 2, 2), (-0.75, 0, 0))), _placed(box((1, 2, 2), (-0.65, 0, 0)))
    far = _placed(box((1, 1, 1), (9, 0, 0)))
    overlap = measure_overlap(part, [left, far, right])
    assert overlap.fraction == pytest.approx(0.35, abs=1e-3)
    assert measure_overlap(part, [right, left]) == overlap


def test_opposite_orientations_do_not_cancel() -> None:
    """Neighbours stored inside out, or as both sides of each face, still are solid."""
    vertices, faces = box((2, 2, 2))
    part = _placed(box())
    for stored in (faces[:, ::-1], np.concatenate([faces, faces[:, ::-1]])):
        assert measure_overlap(part, [_placed((vertices, stored))]).fraction == pytest.approx(1.0)
    inverted = _placed((box()[0], box()[1][:, ::-1]), similarity(1.0, YAW[0], np.array([0.0, 1.5, 0.0])))
    assert measure_overlap(inverted, [_placed((vertices, faces))]).fraction == pytest.approx(0.0, abs=1e-3)


def test_disjoint_boxes_are_not_measured() -> None:
    """Without neighbours, or far from them, the fraction is 0 and says why."""
    assert measure_overlap(_placed(box()), []) == (0.0, "disjoint", False)
    assert measure_overlap(_placed(box()), [_placed(box((1, 1, 1), (3, 0, 0)))]) == (0.0, "disjoint", False)


def test_a_sheet_is_measured_by_its_surface() -> None:
    """A sheet half inside a block has surface fraction one half; flush on its face it has none."""
    sheet = (np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]), np.array([[0, 2, 1], [0, 3, 2]]))
    block = _placed(box((1, 1, 1), (0.0, 0.0, 0.5)))
    through = measure_overlap(_placed(sheet), [block])
    assert through.measure == "surface"
    assert through.fraction == pytest.approx(0.5, abs=3e-3)
    flush = measure_overlap(_placed(sheet, similarity(1.0, YAW[0], np.array([0.0, 0.5, 0.0]))), [block])
    assert flush == (0.0, "surface", False)


def test_a_ball_that_dips_into_a_plate_is_no_sheet() -> None:
    """A solid that shares little of the common box is still measured by volume."""
    plate = _placed(box((4, 1, 4), (0, -0.5, 0)))
    depth = 0.04
    overlap = measure_overlap(_placed(ball(4), similarity(1.0, YAW[0], np.array([0.0, 1.0 - depth, 0.0]))), [plate])
    assert overlap.measure == "volume"
    assert overlap.fraction == pytest.approx(depth**2 * (3 - depth) / 4, abs=2e-4)


def test_a_lid_dropped_through_the_mouth_is_contained() -> None:
    """Inside an open pot without crossing it: a high fraction, told apart from crossing."""
    vertices, faces = box((2, 2, 2))
    lid_faces = (vertices[faces][:, :, 1] == 1.0).all(axis=1)
    pot = _placed((vertices, faces[~lid_faces]))
    inside = measure_overlap(_placed(box((0.5, 0.5, 0.5), (0, -0.5, 0))), [pot])
    assert inside.fraction > 0.9
    assert inside.contained
    crossing = measure_overlap(_placed(box((0.5, 0.5, 0.5), (0, -1.0, 0))), [pot])
    assert crossing.fraction > 0.3
    assert not crossing.contained
    closed = measure_overlap(_placed(box((0.5, 0.5, 0.5))), [_placed((vertices, faces))])
    assert closed == (1.0, "volume", False)


def test_volume_of_open_and_closed_parts() -> None:
    """Closed parts have their signed volume, scaled poses keep fractions, sheets have volume 0."""
    assert build_solid(*box((1, 2, 3))).volume == pytest.approx(6.0)
    tube = cylinder(0.5, 2.0, 48)
    ends = np.ptp(tube[0][tube[1]][:, :, 2], axis=1) == 0
    one_end = tube[1][~(ends & (tube[0][tube[1]][:, 0, 2] > 0))]
    assert build_solid(tube[0], one_end).volume == pytest.approx(np.pi / 2, rel=0.15)
    sheet = build_solid(np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1]]), np.array([[0, 1, 2]]))
    assert sheet.volume == 0.0


def test_storage_order_does_not_change_the_fraction() -> None:
    """Shuffled vertices and faces give the same fraction to the bit."""
    pose = similarity(0.9, rotation_between([0, 1, 0], [1, 2, 0]), np.array([0.5, 0.6, 0.0]))
    expected = measure_overlap(_placed(ball(3), pose), [_placed(box())])
    assert measure_overlap(_placed(shuffled(ball(3)), pose), [_placed(shuffled(box()))]) == expected


def test_contact_pairs_are_exact_inclusive_and_sorted() -> None:
    """A row of boxes with known gaps: the tolerance decides which touch, also at the very tolerance."""
    row = [_placed(box((1, 1, 1), (x, 0, 0))) for x in (0.0, 1.0, 2.25, 3.75)]
    assert contact_pairs(row, 0.0) == [(0, 1, 0.0)]
    assert contact_pairs(row, 0.25) == [(0, 1, 0.0), (1, 2, 0.25)]
    assert contact_pairs(row, 0.5) == [(0, 1, 0.0), (1, 2, 0.25), (2, 3, 0.5)]
    assert contact_pairs([], 1.0) == []
    corner = [_placed(box()), _placed(box((1, 1, 1), (1.1, 1.1, 0)))]
    assert contact_pairs(corner, 0.12) == []


PLACEMENTS = [f"P{k:02d}" for k in range(1, 13)]


@pytest.mark.parametrize("case", PLACEMENTS)
def test_placement_cases(cases_dir: Path, case: str) -> None:
    """Gap, fraction and pieces of the shared placement cases are as computed there."""
    folder = next(cases_dir.glob(f"{case}-*"))
    checks = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["checks"]
    pose = as_matrix(json.loads((folder / "placement.json").read_text(encoding="utf-8"))["pose_row_major"])
    host_mesh = arrays_of_file(folder / "host.glb")
    host, part = _placed(host_mesh), _placed(arrays_of_file(folder / "part.glb"), pose)
    size = diagonal(host.bounds)
    overlap = measure_overlap(part, [host])
    gap = measure_gap(part.bvh, host.bvh).distance
    assert 0.0 <= overlap.fraction <= 1.0
    if "gap" in checks and not checks.get("fraction_of_part_volume"):
        assert gap == pytest.approx(checks["gap"], abs=1e-5 * size)
    if "fraction_of_part_volume" in checks:
        assert overlap.fraction == pytest.approx(checks["fraction_of_part_volume"], abs=1e-3)
    if case == "P10":
        assert overlap.fraction > 0.2
    if case == "P08":
        assert overlap == (0.0, "surface", False)
    if "connected_pieces_after" in checks:
        pairs = contact_pairs([host, part], 0.01 * size)
        assert connected_pieces(2, [(i, j) for i, j, _ in pairs]) == checks["connected_pieces_after"]


def test_parts_of_many_shells_are_one_part() -> None:
    """The union of two shells of a neighbour is what counts, not their sum of windings."""
    neighbour = _placed(soup(box((2, 2, 2), (-1, 0, 0)), box((2, 2, 2), (0.5, 0, 0))))
    assert measure_overlap(_placed(box()), [neighbour]).fraction == pytest.approx(1.0)
