"""Samples belong to triangles: invariances, additivity, density, spread and the cap."""

from __future__ import annotations

import math

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from surface_meshes import Mesh, arrays, joined, random_soup, square, stored_otherwise, unit_frame

from engine.surfaces import FloatArray
from evaluator.metrics.sampling import (
    LATTICE_STEPS,
    NEEDLE_WIDTH,
    SECOND,
    FramedSurface,
    SurfaceSamples,
    find_density,
    frame_surface,
    sample_framed,
)
from schemas.errors import GeometryError

SEEDS = st.integers(0, 2**32 - 1)


def _sorted_rows(*points: FloatArray) -> FloatArray:
    rows = np.concatenate(points)
    return rows[np.lexsort(rows.T)]


def _bytes_of(surface: FramedSurface, samples: SurfaceSamples) -> list[bytes]:
    return [
        array.tobytes() for array in (surface.corners, surface.doubled, surface.normals, surface.seeds, *samples[:3])
    ]


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_storage_of_the_mesh_changes_no_bit(seed: int) -> None:
    """Face order, rolled or turned corners, split vertices and unused ones leave surface and samples as they are."""
    mesh = random_soup(seed)
    one, other = unit_frame(mesh), unit_frame(stored_otherwise(mesh, seed))
    assert _bytes_of(one, sample_framed(one, 900.0)) == _bytes_of(other, sample_framed(other, 900.0))


@given(SEEDS, SEEDS)
@settings(max_examples=60, deadline=None)
def test_samples_of_parts_add_up(seed: int, other: int) -> None:
    """The samples of two meshes together are those of each, as a multiset, though one may lie far off."""
    a, b = random_soup(seed), random_soup(other)
    b = b[0] * 3.0 + np.array([10.0, 0.0, 0.0]) * (other % 3), b[1]
    whole = sample_framed(unit_frame(joined(a, b)), 700.0)
    parts = [sample_framed(unit_frame(mesh), 700.0) for mesh in (a, b)]
    assert np.array_equal(_sorted_rows(whole.points), _sorted_rows(*(part.points for part in parts)))
    assert np.array_equal(_sorted_rows(abs(whole.normals)), _sorted_rows(*(abs(part.normals) for part in parts)))


@given(SEEDS, st.floats(0.0, 1e4))
@settings(max_examples=60, deadline=None)
def test_each_triangle_gets_its_share(seed: int, density: float) -> None:
    """A triangle gets the number of samples next below or above density times area, all of them on it."""
    surface = unit_frame(random_soup(seed, most=10))
    samples = sample_framed(surface, density)
    counts = np.bincount(samples.faces, minlength=len(surface.doubled))
    wanted = samples.density * surface.doubled / 2.0
    edges = np.sqrt(((surface.corners - np.roll(surface.corners, 1, axis=1)) ** 2).sum(axis=2)).max(axis=1)
    needles = surface.doubled <= NEEDLE_WIDTH * edges
    assert (np.abs(counts - wanted)[~needles] < 1.0 + 1e-9 * wanted[~needles]).all()
    assert not counts[needles].any()
    a, b, c = surface.corners[samples.faces].transpose(1, 0, 2)
    pieces = [np.cross(q - samples.points, r - samples.points) for q, r in ((a, b), (b, c), (c, a))]
    area = sum(np.sqrt((piece**2).sum(axis=1)) for piece in pieces)
    assert area == pytest.approx(surface.doubled[samples.faces], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("steps", [1, 8, 150])
def test_samples_are_uniform(steps: int) -> None:
    """On a square of 2, 128 or 45,000 triangles every cell of an 8 x 8 board gets its share, within chance."""
    surface = unit_frame(square(steps))
    samples = sample_framed(surface, find_density(surface))
    assert len(samples.points) == pytest.approx(20_000, abs=2 if steps == 1 else 500)
    board, _, _ = np.histogram2d(samples.points[:, 0], samples.points[:, 1], bins=8, range=[[-0.5, 0.5]] * 2)
    expected = len(samples.points) / 64
    chi_squared = ((board - expected) ** 2 / expected).sum()
    assert chi_squared < 103.4  # 63 degrees of freedom, 0.1 %


def test_lone_samples_lie_anywhere_in_their_triangles() -> None:
    """Where triangles get one sample at most, its two coordinates within the triangle are uniform and independent."""
    surface = unit_frame(square(100))
    samples = sample_framed(surface, 6000.0)
    assert np.bincount(samples.faces).max() == 1
    corners = surface.corners[samples.faces]
    opposite = [np.cross(corners[:, k] - samples.points, corners[:, 0] - samples.points)[:, 2] for k in (1, 2)]
    at_c, at_b = (np.abs(piece) / surface.doubled[samples.faces] for piece in opposite)
    along, across = (at_b + at_c) ** 2, at_c / (at_b + at_c)
    board, _, _ = np.histogram2d(along, across, bins=4, range=[[0.0, 1.0]] * 2)
    expected = len(samples.points) / 16
    assert ((board - expected) ** 2 / expected).sum() < 37.7  # 15 degrees of freedom, 0.1 %


def test_one_triangle_is_sampled_evenly() -> None:
    """Within a large triangle points keep apart as a sequence of low discrepancy does, not as chance would."""
    surface = unit_frame((np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]])))
    points = sample_framed(surface, 4000.0).points
    gaps = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2) + 9.0 * np.eye(len(points))).min(axis=1)
    by_chance = 0.5 / math.sqrt(4000.0)
    assert np.median(gaps) > 1.2 * by_chance


def test_streams_are_independent() -> None:
    """The second sampling shares no point with the first and lies as near to it as chance has it."""
    surface = unit_frame(square(60))
    first, second = (sample_framed(surface, 20_000.0, stream) for stream in ("reference", SECOND))
    assert not {tuple(p) for p in first.points} & {tuple(p) for p in second.points}
    drawn = [np.bincount(samples.faces, minlength=len(surface.doubled)) for samples in (first, second)]
    assert abs(np.corrcoef(*drawn)[0, 1]) < 0.05


def test_samples_survive_single_precision() -> None:
    """Positions written as float32 keep at least 95 % of the triangles' points, to within the rounding."""
    mesh = arrays(trimesh.creation.icosphere(subdivisions=5, radius=0.5))
    surface, rounded = unit_frame(mesh), unit_frame((mesh[0].astype(np.float32).astype(np.float64), mesh[1]))
    samples, others = sample_framed(surface, 6000.0), sample_framed(rounded, 6000.0)
    known = {tuple(p) for p in np.rint(samples.points * 1e5)}
    assert np.mean([tuple(p) in known for p in np.rint(others.points * 1e5)]) > 0.95


def test_lattice_belongs_to_the_frame() -> None:
    """In the frame's units nothing depends on where the frame lies or how large it is, if numbers round alike."""
    mesh = random_soup(3)
    surface = unit_frame(mesh)
    moved = frame_surface(mesh[0] * 8.0 + np.array([2.0, -4.0, 16.0]), mesh[1], (2.0, -4.0, 16.0), 8.0)
    assert np.array_equal(surface.seeds, moved.seeds)
    assert sample_framed(moved, 500.0).points == pytest.approx(sample_framed(surface, 500.0).points, abs=1e-14)
    shifted = frame_surface(mesh[0] + 3.0 / LATTICE_STEPS, mesh[1], (0.0, 0.0, 0.0), 1.0)
    assert not (surface.seeds == shifted.seeds).any()


def test_large_surfaces_are_capped() -> None:
    """A surface that asks for more than the cap gets nearly the cap, never more, and says so."""
    surface = unit_frame(square(40, side=100.0))
    samples = sample_framed(surface, 1000.0, cap=5000)
    assert samples.capped
    assert 4900 <= len(samples.points) <= 5000
    assert samples.density == pytest.approx(0.5, rel=0.02)
    free = sample_framed(surface, 0.4, cap=5000)
    assert not free.capped
    assert free.density == 0.4
    enormous = sample_framed(unit_frame((square(40)[0] * 1e30, square(40)[1])), 1e4)
    assert enormous.capped
    assert 0.97 * 200_000 < len(enormous.points) <= 200_000


def test_faces_without_area_are_no_surface() -> None:
    """Points and lines are left out; a mesh of nothing else, or of nothing, is empty and has no density."""
    line: Mesh = (np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([[0, 1, 2], [0, 0, 1], [1, 1, 1]]))
    assert len(unit_frame(line).corners) == 0
    empty = unit_frame((np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)))
    assert len(sample_framed(empty, 1e4).points) == 0
    assert len(unit_frame(joined(square(), line)).corners) == 32
    with pytest.raises(GeometryError, match="no area, so there is no density"):
        find_density(unit_frame(line))


def test_bad_frames_and_meshes_are_refused() -> None:
    """A side of 0, a corner that is not finite, and triangles beyond all measure are errors that say so."""
    mesh = square(1)
    with pytest.raises(GeometryError, match=r"side 0\.0, needs a number above 0"):
        frame_surface(*mesh, (0, 0, 0), 0.0)
    with pytest.raises(GeometryError, match="not finite"):
        unit_frame((mesh[0] * np.nan, mesh[1]))
    with pytest.raises(GeometryError, match="too large to measure"):
        frame_surface(mesh[0] * 1e39, mesh[1], (0, 0, 0), 1e-50)
