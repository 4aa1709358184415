"""Surface scores against known answers, other libraries and brute force."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import NearestNeighbors
from surface_meshes import Mesh, arrays, joined, random_soup, read_file, square, stored_otherwise, unit_frame

from engine.geometry.distance import closest_points
from engine.surfaces import BoolArray, FloatArray
from evaluator.metrics.nearest import link_exactly, prepare_surface
from evaluator.metrics.sampling import FramedSurface, SurfaceSamples, frame_surface, sample_framed
from evaluator.metrics.surface import (
    CellRegion,
    RegionFigures,
    SurfaceFigures,
    SurfaceScores,
    measure_surface,
    prepare_target,
)
from schemas.score import Undefined

SEEDS = st.integers(0, 2**32 - 1)
EMPTY: Mesh = (np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))


def _nowhere(points: FloatArray) -> BoolArray:
    return np.zeros(len(points), dtype=np.bool_)


def _right(points: FloatArray) -> BoolArray:
    return points[:, 0] > 0.1


def _score(output: Mesh, target: Mesh, samples: int = 2000) -> SurfaceScores:
    return measure_surface(unit_frame(output), prepare_target(unit_frame(target), samples), _right, _right)


def _figures(region: RegionFigures) -> dict[str, SurfaceFigures]:
    return {"exact": region.exact, "sampled": region.sampled, "floor": region.floor}


def test_plane_moved_along_its_normal() -> None:
    """A square moved by d: all distances are d, so CD = 100 d, HD95 = d, and F is 1 below its threshold only."""
    target = prepare_target(unit_frame(square()))
    for d in (1 / 128, 0.01, 1 / 64, 1 / 32):
        moved = square()[0] + np.array([0.0, 0.0, d]), square()[1]
        whole = measure_surface(unit_frame(moved), target, _nowhere).whole
        assert whole.exact.chamfer == pytest.approx(100.0 * d, rel=1e-13)
        assert whole.exact.hd95 == pytest.approx(d, rel=1e-13)
        assert (whole.exact.f_score_001, whole.exact.f_score_002) == (float(d < 0.01), float(d < 0.02))
        assert whole.exact.normal_consistency == whole.sampled.normal_consistency == 1.0
        assert isinstance(whole.sampled.chamfer, float)
        assert whole.sampled.chamfer > 100.0 * d


def test_plane_moved_along_itself() -> None:
    """A unit square moved by s in its plane: a strip of width s is off, so CD = 100 s^2 / 2, P = R = 1 - s + t."""
    target = prepare_target(unit_frame(square(40)))
    moved = square(40)[0] + np.array([0.1, 0.0, 0.0]), square(40)[1]
    exact = measure_surface(unit_frame(moved), target, _nowhere).whole.exact
    assert exact.chamfer == pytest.approx(100.0 * 0.1**2 / 2.0, rel=0.03)
    assert exact.precision_001 == pytest.approx(0.91, abs=0.005)
    assert exact.recall_002 == pytest.approx(0.92, abs=0.005)
    assert exact.hd95 == pytest.approx(0.05, abs=0.003)
    assert exact.normal_consistency == 1.0


def test_plane_turned_by_a_known_angle() -> None:
    """A square turned about one of its axes has NC = the cosine, both ways, exact and sampled."""
    x, y, z = square()[0].T
    turned = np.stack([x, 0.8 * y - 0.6 * z, 0.6 * y + 0.8 * z], axis=1), square()[1]
    whole = _score(turned, square()).whole
    assert whole.exact.normal_consistency == pytest.approx(0.8, rel=1e-14)
    assert whole.sampled.normal_consistency == pytest.approx(0.8, rel=1e-14)


def test_best_aligned_face_at_an_edge_counts() -> None:
    """Where the nearest point lies on the edge of a step, samples parallel to either face find themselves aligned."""
    step = (
        np.array([[-1.0, -1, 0], [0, -1, 0], [0, 1, 0], [-1, 1, 0], [0, -1, -1], [0, 1, -1]]),
        np.array([[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]),
    )
    target = prepare_surface(unit_frame(step), 100.0)
    for normal_axis in (0, 2):
        sheet = square()[0][:, np.roll([0, 1, 2], normal_axis + 1)] * 0.1 + np.array([0.3, 0.0, 0.3])
        links = link_exactly(sample_framed(unit_frame((sheet, square()[1])), 1e4), target)
        assert (links.cosine == 1.0).all()
        assert (links.distance > 0.3).all()


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_identity_is_exact(seed: int) -> None:
    """A mesh scored against itself, stored in another way: distances 0, F and NC 1, in every region that it reaches."""
    mesh = random_soup(seed)
    scores = _score(stored_otherwise(mesh, seed), mesh, samples=500)
    assert scores.fragments_delta == 0
    assert scores.untouched is not None
    for region in (scores.edit, scores.unchanged, scores.whole, scores.untouched):
        assert region.samples_output == region.samples_target
        for figures in (region.exact, region.sampled):
            if region.samples_target:
                assert figures == SurfaceFigures(0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0)
            else:
                assert isinstance(figures.chamfer, Undefined)
    assert scores.edit.samples_target + scores.unchanged.samples_target == scores.whole.samples_target


@given(SEEDS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_storage_changes_no_bit_of_a_score(seed: int, other: int) -> None:
    """How either mesh is stored, or put together from parts, shows in no figure."""
    a, b = random_soup(seed), random_soup(other)
    again = _score(stored_otherwise(a, other), stored_otherwise(b, seed), samples=500)
    assert _score(a, b, samples=500) == again
    half = len(a[1]) // 2
    if half:
        pieces = joined((a[0], a[1][half:]), (a[0], a[1][:half]))
        assert _score(pieces, b, samples=500) == again


def _brute_force(output: FramedSurface, target: FramedSurface, density: float, kind: str) -> dict[str, Any]:
    """Figures of region `_right`, with other libraries and plain loops."""
    chosen, distances, cosines = [], [], []
    for own, other in ((output, target), (target, output)):
        samples, others = sample_framed(own, density), sample_framed(other, density)
        if kind == "exact":
            far, cosine = _all_triangles(other, samples)
        else:
            search = NearestNeighbors(n_neighbors=1, algorithm="brute").fit(others.points)
            far, index = (found[:, 0] for found in search.kneighbors(samples.points))
            cosine = np.array([abs(sum(p * q)) for p, q in zip(samples.normals, others.normals[index], strict=True)])
        inside = [k for k, point in enumerate(samples.points) if point[0] > 0.1]
        chosen.append(inside)
        distances.append([float(far[k]) for k in inside])
        cosines.append([float(cosine[k]) for k in inside])
    precision, recall = (sum(d < 0.02 for d in side) / len(side) for side in distances)
    ranked = sorted(distances[0] + distances[1])
    place = 0.95 * (len(ranked) - 1)
    low, part = ranked[int(place)], place - int(place)
    return {
        "chamfer": 50.0 * sum(sum(side) / len(side) for side in distances),
        "f_score_002": 2.0 / (1.0 / precision + 1.0 / recall) if precision and recall else 0.0,
        "hd95": low + part * (ranked[min(int(place) + 1, len(ranked) - 1)] - low),
        "normal_consistency": 0.5 * sum(sum(side) / len(side) for side in cosines),
    }


def _all_triangles(surface: FramedSurface, samples: SurfaceSamples) -> tuple[FloatArray, FloatArray]:
    """Distance and best cosine of the nearest triangles of all, by trimesh, for each sample."""
    far, cosine = np.zeros(len(samples.points)), np.zeros(len(samples.points))
    for k, (point, line) in enumerate(zip(samples.points, samples.normals, strict=True)):
        nearest = trimesh.triangles.closest_point(surface.corners, np.repeat(point[None], len(surface.corners), axis=0))
        distances = np.linalg.norm(nearest - point, axis=1)
        far[k] = distances.min()
        cosine[k] = np.abs(surface.normals[distances <= far[k] + 1e-9] @ line).max()
    return far, cosine


@pytest.mark.parametrize("seed", range(4))
def test_against_other_libraries(seed: int) -> None:
    """CD, F, HD95 and NC equal those from trimesh's closest points and scikit-learn's neighbours."""
    ball = arrays(trimesh.creation.icosphere(subdivisions=2, radius=0.4))
    bumpy = ball[0] * (1.0 + 0.1 * np.random.default_rng(seed).random((len(ball[0]), 1))), ball[1]
    pairs = [(bumpy, ball), (random_soup(seed, 20), joined(ball, random_soup(seed + 9, 5)))]
    for output, target in pairs:
        framed = unit_frame(output), unit_frame(target)
        prepared = prepare_target(framed[1], 1500)
        region = measure_surface(framed[0], prepared, _right).edit
        for kind, figures in (("exact", region.exact), ("sampled", region.sampled)):
            for name, value in _brute_force(*framed, prepared.density, kind).items():
                assert getattr(figures, name) == pytest.approx(value, rel=1e-6, abs=1e-7), (kind, name)


@given(SEEDS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_distances_are_those_of_the_engine(seed: int, other: int) -> None:
    """Distances to a surface are those of the engine's own search, which starts anew for every point, to the bit."""
    samples = sample_framed(unit_frame(random_soup(seed)), 500.0)
    target = prepare_surface(unit_frame(random_soup(other)), 1.0)
    assert target.bvh is not None
    expected = closest_points(target.bvh, samples.points).distance
    assert np.array_equal(link_exactly(samples, target).distance, np.where(expected <= 1e-9, 0.0, expected))


def test_floor_is_a_second_sampling_of_the_target() -> None:
    """The floor does not look at the output, is about half the sample spacing, and 0 for no sampled figure."""
    target = prepare_target(unit_frame(square(100)), 20_000)
    floors = [
        measure_surface(unit_frame(output), target, _right).whole.floor
        for output in (square(100), random_soup(1), EMPTY)
    ]
    assert floors[0] == floors[1] == floors[2]
    spacing = (1.0 / 20_000) ** 0.5
    assert floors[0].chamfer == pytest.approx(100.0 * 0.5 * spacing, rel=0.2)
    assert floors[0].normal_consistency == 1.0


def test_one_side_empty() -> None:
    """Nothing from the output in a region: F 0, precision and distances undefined, recall as measured, counted."""
    left_only = square()[0] * 0.5 - np.array([0.25, 0.0, 0.0]), square()[1]
    scores = _score(left_only, square())
    assert scores.edit.one_sided
    assert not scores.whole.one_sided
    assert (scores.edit.samples_output, scores.edit.exact.f_score_001) == (0, 0.0)
    assert scores.edit.exact.chamfer == Undefined(reason="edit region: no samples of the output")
    assert scores.edit.exact.precision_001 == Undefined(reason="edit region: no samples of the output")
    assert scores.edit.exact.recall_001 == 0.0
    reverse = _score(square(), left_only).edit
    assert reverse.one_sided
    assert reverse.exact.hd95 == Undefined(reason="edit region: no samples of the target")
    assert reverse.floor.hd95 == Undefined(reason="noise floor, edit region: no samples on either side")
    far_left = left_only[0] - np.array([1.0, 0.0, 0.0]), left_only[1]
    neither = _score(far_left, left_only).edit
    assert not neither.one_sided
    assert neither.exact.f_score_001 == Undefined(reason="edit region: no samples on either side")


def test_untouched_region_lies_outside_what_was_touched() -> None:
    """The untouched region is the complement of the touched one, and absent when none is given."""
    target, output = prepare_target(unit_frame(square()), 2000), unit_frame(random_soup(2))
    assert measure_surface(output, target, _nowhere).untouched is None
    scores = measure_surface(output, target, lambda points: ~_right(points), _right)
    assert scores.untouched is not None
    assert scores.untouched.exact == scores.edit.exact
    assert scores.untouched.samples_output == scores.edit.samples_output != scores.unchanged.samples_output
    everywhere = measure_surface(output, target, _nowhere, lambda points: ~_nowhere(points)).untouched
    assert everywhere is not None
    assert everywhere.exact.hd95 == Undefined(reason="untouched region: no samples on either side")


def test_output_without_surface() -> None:
    """An empty output, or a speck too small for a sample, scores F 0 and no distance anywhere, without an error."""
    speck = square()[0] * 1e-7, square()[1]
    for output in (EMPTY, speck):
        scores = _score(output, square())
        assert scores.whole.one_sided
        for figures in (scores.whole.exact, scores.whole.sampled):
            assert (figures.f_score_001, figures.f_score_002, figures.recall_001) == (
                0.0,
                0.0,
                pytest.approx(0, abs=2e-3),
            )
            assert isinstance(figures.normal_consistency, Undefined)


def test_cells_tell_regions() -> None:
    """A region of cells answers as a loop over its definition does, at borders and far beyond the array too."""
    rng = np.random.default_rng(5)
    cells = rng.random((96, 96, 96)) < 0.5
    cells[0, 0, 0] = True
    points = np.concatenate([rng.random((500, 3)) * 1.8 - 0.9, [[1e30, 0, 0], [-1e300, 0, 0], [0, -0.78513, 0]]])
    found = CellRegion(cells)(points)
    for point, answer in zip(points, found, strict=True):
        index = [int(np.floor((x * 60.5 + 31.5) + 16)) for x in point]
        assert answer == (all(0 <= i < 96 for i in index) and bool(cells[tuple(index)]))
    assert found.any()
    # The literal reading: h = L / 64, the box spans the cells 0..63.
    tight = CellRegion(cells, cells_per_side=64.0, offset=32.0)
    assert tight(np.array([[-0.5, -0.5, 0.4999]])).tolist() == [cells[16, 16, 79]]


def test_case_output_equals_target(cases_dir: Path) -> None:
    """Case E01: the same mesh scores F 1 and CD 0; case E04: a hundred times larger it scores F 0."""
    case = cases_dir / "E01-output-equals-target"
    target = frame_surface(*read_file(case / "target.glb"), (32.0, 32.0, 32.0), 64.0)
    prepared = prepare_target(target)
    scores = measure_surface(
        frame_surface(*read_file(case / "output.glb"), (32.0, 32.0, 32.0), 64.0), prepared, _right, _right
    )
    for region in (scores.edit, scores.unchanged, scores.whole):
        assert region.exact == region.sampled == SurfaceFigures(0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0)
    case = cases_dir / "E04-output-in-other-scale"
    large = measure_surface(frame_surface(*read_file(case / "output.glb"), (32.0, 32.0, 32.0), 64.0), prepared, _right)
    assert large.whole.exact.f_score_001 == large.whole.sampled.f_score_001 == 0.0
    assert large.capped
    assert large.whole.samples_output <= 200_000


def test_threads_change_no_bit() -> None:
    """Eight targets scored by four threads at once equal those scored one after the other."""
    meshes = [random_soup(seed) for seed in range(9)]
    pairs = list(pairwise(meshes))
    alone = [_score(a, b) for a, b in pairs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda pair: _score(*pair), pairs)) == alone
