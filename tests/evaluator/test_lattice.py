"""The frame and the lattice: quantisation, unions of pieces, and what moving, scaling and turning an object changes."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from pathlib import Path

import numpy as np
import pytest
import trimesh
from cell_sets import cells_of_grid, voxelise_pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from real_parts import RealHost, join, read_real_hosts

from engine.cells.lattice import (
    SHAPE,
    ChainFrame,
    Grid,
    Soup,
    fill_grid,
    measure_chain_frame,
    measure_soup_box,
    voxelise,
)
from engine.cells.sizes import MARGIN_CELLS, WORK_CELLS
from engine.geometry.voxels import voxelise_surface
from evaluator.beyond import measure_beyond
from schemas.errors import GeometryError

UNIT = ChainFrame((32.0, 32.0, 32.0), 64.0, "tight")
"""World coordinates are cells of the frame."""
coordinates = st.integers(-(17 << 12), 81 << 12).map(lambda k: k / (1 << 12))


def _soup(corners: np.ndarray) -> Soup:
    """Triangles (T, 3, 3) as a soup."""
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


def _grid(soup: Soup, frame: ChainFrame | None = None) -> Grid:
    """The cells of a soup, in its own frame unless given."""
    return fill_grid([voxelise(soup, frame or measure_chain_frame([measure_soup_box(soup)]))])


@given(st.tuples(coordinates, coordinates, coordinates))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_points_fall_to_odd_multiples(point: tuple[float, float, float]) -> None:
    """A point marks the cell of its coordinates rounded to odd multiples of 1/2048 of a cell, ties to even."""
    expected = [floor((2 * round(Fraction(k) * 1024) + 1) * Fraction(1, 2048)) + MARGIN_CELLS for k in point]
    met = np.argwhere(_grid(_soup(np.array([[point] * 3])), UNIT)).tolist()
    assert met == ([expected] if all(0 <= k < WORK_CELLS for k in expected) else [])


@given(st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=3, max_size=12))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_window_changes_no_cell(points: list[tuple[float, float, float]]) -> None:
    """Voxelising within the box of a mesh, or mesh by mesh, marks the cells of the whole array."""
    triangles = np.array([points[k : k + 3] for k in range(len(points) - 2)])
    whole = voxelise_surface(*_soup(triangles), np.full(3, -float(MARGIN_CELLS)), 1.0, SHAPE)
    assert np.array_equal(_grid(_soup(triangles), UNIT), whole)
    apart = voxelise_pieces({str(k): _soup(triangle[None]) for k, triangle in enumerate(triangles)}, UNIT)
    assert np.array_equal(fill_grid(apart.values()), whole)


@pytest.fixture(scope="module")
def real_hosts(data_dir: Path) -> list[RealHost]:
    """Thirty real hosts."""
    return read_real_hosts(data_dir, 30, range(2, 40))


def test_cells_of_real_hosts_are_the_union_of_their_parts(real_hosts: list[RealHost]) -> None:
    """V(A u B) = V(A) u V(B) on every host, shuffled too, and all of it lies within the frame, faces excepted."""
    for host in real_hosts:
        frame = measure_chain_frame([measure_soup_box(part) for part in host.parts.values()])
        pieces = voxelise_pieces(host.parts, frame)
        whole = fill_grid(pieces.values())
        vertices, faces = host.whole
        order = np.random.default_rng(1).permutation(len(faces))
        assert np.array_equal(whole, _grid((vertices, np.roll(faces[order], 1, axis=1)), frame))
        assert np.array_equal(whole, fill_grid([cells_of_grid(whole)]))
        low, high = np.argwhere(whole).min(axis=0) - MARGIN_CELLS, np.argwhere(whole).max(axis=0) - MARGIN_CELLS
        assert low.min() == 1
        assert high.max() == 61
        assert all(not cells.flags.writeable and np.all(np.diff(cells) > 0) for cells in pieces.values())


def test_moving_and_scaling_real_hosts_changes_no_cell(real_hosts: list[RealHost]) -> None:
    """An object moved by many times its size and scaled from metres to inches and back has the same cells."""
    for host in real_hosts:
        vertices, faces = host.whole
        side = float(np.ptp(vertices, axis=0).max())
        still = _grid((vertices, faces))
        for scale, shift in ((1.0, (3.7, -11.1, 0.3)), (39.3701, (100.0, -2.0, 7.7)), (1.0 / 3.0, (0.0, 1e3, 0.0))):
            moved = vertices * scale + np.array(shift) * side * scale
            assert np.array_equal(_grid((moved, faces)), still), (host.name, scale)


def test_turning_real_hosts_changes_few_cells(real_hosts: list[RealHost]) -> None:
    """Quarter turns about each axis turn the cells: mean overlap at least 0.99 over real hosts."""
    overlaps = []
    for host in real_hosts:
        vertices, faces = host.whole
        still = np.argwhere(_grid((vertices, faces)))
        for axis in range(3):
            across, upward = (axis + 1) % 3, (axis + 2) % 3
            turned, cells = vertices.copy(), still.copy()
            turned[:, across], turned[:, upward] = -vertices[:, upward], vertices[:, across]
            # g = (x - c) / h + 31.5 becomes 63 - g, so cell i of the frame becomes 62 - i.
            cells[:, across], cells[:, upward] = 62 + 2 * MARGIN_CELLS - still[:, upward], still[:, across]
            expected = np.zeros(SHAPE, dtype=bool)
            expected[tuple(cells.T)] = True
            grid = _grid((turned, faces))
            overlaps.append((grid & expected).sum() / (grid | expected).sum())
    assert len(overlaps) >= 60
    assert np.mean(overlaps) >= 0.99


def test_frames_that_cannot_be_are_refused() -> None:
    """No box, boxes of no extent and boxes that are not finite are errors, and so are soups that cannot be read."""
    point = np.zeros(3)
    with pytest.raises(GeometryError, match="no state has a box"):
        measure_chain_frame([])
    with pytest.raises(GeometryError, match="side 0"):
        measure_chain_frame([(point, point)])
    with pytest.raises(GeometryError, match="needs finite numbers"):
        measure_chain_frame([(point, point + np.inf)])
    with pytest.raises(GeometryError, match=r"mesh: a face index is outside 0\.\.0"):
        voxelise((np.zeros((1, 3)), np.array([[0, 0, 1]])), UNIT)
    with pytest.raises(GeometryError, match="1 vertices are not finite"):
        voxelise((np.array([[0.0, 0.0, np.nan]]), np.array([[0, 0, 0]])), UNIT)
    assert len(voxelise((np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)), UNIT)) == 0


def test_frame_of_several_boxes() -> None:
    """The frame is the cube about the box over all states, and maps world to cells and back."""
    frame = measure_chain_frame([(np.array([1.0, 2, 3]), np.array([2.0, 3, 4])), (np.zeros(3), np.array([4.0, 1, 8]))])
    assert frame == ChainFrame((2.0, 1.5, 4.0), 8.0)
    corners = frame.to_work(np.array([[2.0, 1.5, 0.0], [2.0, 1.5, 8.0]])) - MARGIN_CELLS
    assert np.allclose(corners, [[31.5, 31.5, 1.25], [31.5, 31.5, 61.75]], atol=1e-13)
    assert np.allclose(frame.to_world(corners), [[2.0, 1.5, 0.0], [2.0, 1.5, 8.0]], atol=1e-13)


@given(st.lists(st.tuples(*(st.integers(-1600, 2000).map(lambda k: k / 8),) * 3), min_size=3, max_size=9))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_area_beyond_the_work_array(points: list[tuple[float, float, float]]) -> None:
    """The area beyond is what another library leaves when it cuts the mesh with the six planes of the array."""
    triangles = np.array([points[k : k + 3] for k in range(len(points) - 2)])
    whole = trimesh.triangles.area(triangles).sum()
    vertices, faces = _soup(triangles)
    for axis in range(3):
        for sign, plane in ((1.0, -16.0), (-1.0, 80.0)):
            normal, origin = sign * np.eye(3)[axis], plane * np.eye(3)[axis]
            vertices, faces, _ = trimesh.intersections.slice_faces_plane(vertices, faces, normal, origin)
    beyond = measure_beyond(_soup(triangles), UNIT)
    inside = trimesh.triangles.area(vertices[faces]).sum() if len(faces) else 0.0
    assert beyond.area * 64.0**2 == pytest.approx(whole - inside, abs=1e-6 * (1.0 + whole))
    assert beyond.share == pytest.approx(beyond.area * 64.0**2 / whole if whole else 0.0, abs=1e-12)
    assert beyond.size_ratio == pytest.approx(np.ptp(triangles.reshape(-1, 3), axis=0).max() / 64.0, rel=1e-9)


def test_nothing_of_an_object_lies_beyond_its_own_frame(real_hosts: list[RealHost]) -> None:
    """A real host in its own frame has nothing beyond; a hundred times as large, nearly all and the size says so."""
    vertices, faces = real_hosts[0].whole
    frame = measure_chain_frame([measure_soup_box((vertices, faces))])
    assert measure_beyond((vertices, faces), frame) == (0.0, 0.0, 1.0)
    large = measure_beyond((vertices * 100.0, faces), frame, frame.side)
    assert large.size_ratio == pytest.approx(100.0, rel=1e-12)
    assert large.share > 0.9
    enormous = measure_beyond((vertices * 1e35, faces), frame)
    assert np.isfinite(enormous).all()
    order = np.random.default_rng(0).permutation(len(faces))
    assert measure_beyond((vertices * 100.0, faces[order]), frame, frame.side) == large


def test_two_objects_side_by_side_are_one_soup(real_hosts: list[RealHost]) -> None:
    """Triangles far beyond the array are cut alike whatever mesh they belong to."""
    near, far = real_hosts[0].whole, real_hosts[1].whole
    frame = measure_chain_frame([measure_soup_box(near)])
    far = (far[0] * 40.0, far[1])
    assert np.array_equal(_grid(join(near, far), frame), _grid(near, frame) | _grid(far, frame))
