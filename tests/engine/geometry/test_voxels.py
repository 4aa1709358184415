"""Voxels against an integer test in plain numpy, dense samples, and the known counts of the shared case."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh
from geometry_meshes import Mesh, arrays, arrays_of_file, ball, box, rotation_between, shuffled, soup

from engine.geometry.voxels import voxelise_surface
from schemas.errors import GeometryError

N = 24
ORIGIN, CELL = np.array([-1.3, -1.2, -1.25]), 2.5 / 24


def _oracle(mesh: Mesh, shape: tuple[int, int, int]) -> np.ndarray:
    """All cells against each triangle over all 13 axes, in Python's integers by way of numpy objects."""
    q = 2 * np.rint(1024 * ((mesh[0] - ORIGIN) / CELL)).astype(np.int64) + 1
    centres = np.stack(np.meshgrid(*(np.arange(n) for n in shape), indexing="ij"), axis=-1).reshape(-1, 3) * 2048 + 1024
    hit = np.zeros(len(centres), dtype=bool)
    for triangle in q[mesh[1]]:
        edges = np.roll(triangle, -1, axis=0) - triangle
        axes = [*np.eye(3, dtype=np.int64), np.cross(edges[0], edges[1])]
        axes += [np.cross(edge, unit) for edge in edges for unit in np.eye(3, dtype=np.int64)]
        apart = np.zeros(len(centres), dtype=bool)
        for axis in axes:
            spread = triangle @ axis
            middle = centres @ axis
            reach = 1024 * np.abs(axis).sum()
            apart |= (spread.max() < middle - reach) | (spread.min() > middle + reach)
        hit |= ~apart
    return hit.reshape(shape)


def _turned(mesh: Mesh, seed: int) -> Mesh:
    rng = np.random.default_rng(seed)
    return mesh[0] @ rotation_between(rng.normal(size=3), rng.normal(size=3)).T + 0.1 * rng.normal(size=3), mesh[1]


@pytest.mark.parametrize("seed", range(3))
def test_equal_to_the_plain_integer_test(seed: int) -> None:
    """Turned boxes, balls, needles and lines mark the same cells as the oracle, also beyond the lattice."""
    rng = np.random.default_rng(100 + seed)
    needles = rng.normal(size=(20, 3, 3))
    needles[:10, 2] = needles[:10, 1] + 1e-3
    needles[10:13, 2] = needles[10:13, 1]
    mesh = soup(
        _turned(box((1.0, 0.6, 1.4)), seed),
        _turned(ball(1, 0.8), seed),
        (needles.reshape(-1, 3), np.arange(60).reshape(-1, 3)),
    )
    shape = (N, N - 3, N + 2)
    assert np.array_equal(voxelise_surface(*mesh, ORIGIN, CELL, shape), _oracle(mesh, shape))


def test_every_sampled_cell_is_marked() -> None:
    """No point of the surface lies in an unmarked cell."""
    vertices, faces = _turned(ball(4, 0.9), 1)
    grid = voxelise_surface(vertices, faces, ORIGIN, CELL, (N, N, N))
    rng = np.random.default_rng(0)
    weights = rng.dirichlet([1, 1, 1], 200_000)
    points = (vertices[faces[rng.integers(0, len(faces), 200_000)]] * weights[:, :, None]).sum(axis=1)
    i, j, k = np.floor((points - ORIGIN) / CELL).astype(int).T
    assert grid[i, j, k].all()


def test_union_order_and_subdivision_change_no_cell() -> None:
    """Parts joined or apart, shuffled storage and unmerged corners mark the same cells."""
    a, b = _turned(box((1, 1, 1)), 5), _turned(ball(2, 0.7), 6)
    joined = voxelise_surface(*soup(a, b), ORIGIN, CELL, (N, N, N))
    apart = [voxelise_surface(*mesh, ORIGIN, CELL, (N, N, N)) for mesh in (a, b)]
    assert np.array_equal(joined, apart[0] | apart[1])
    assert np.array_equal(joined, voxelise_surface(*shuffled(soup(a, b)), ORIGIN, CELL, (N, N, N)))
    plane = box((1, 1, 1), (0.01, 0.02, 0.03))
    finer = arrays(trimesh.Trimesh(*plane, process=False).subdivide())
    assert np.array_equal(
        voxelise_surface(*plane, ORIGIN, CELL, (N, N, N)), voxelise_surface(*finer, ORIGIN, CELL, (N, N, N))
    )


def test_what_reaches_far_beyond_the_lattice_is_cut_to_it() -> None:
    """A triangle of a million cells marks the plane within the lattice and nothing else."""
    y = ORIGIN[1] + 10.5 * CELL
    sheet = np.array([[-1e6, y, -1e6], [3e6, y, -1e6], [-1e6, y, 3e6]])
    grid = voxelise_surface(sheet, np.array([[0, 1, 2]]), ORIGIN, CELL, (N, N, N))
    assert grid[:, 10, :].all()
    assert grid.sum() == N * N
    away = voxelise_surface(sheet + np.array([0, 99.0, 0]), np.array([[0, 1, 2]]), ORIGIN, CELL, (N, N, N))
    assert not away.any()


def test_nonsense_is_refused() -> None:
    """A cell of no size and a lattice beyond the integer range are errors; a stray nan vertex is not."""
    mesh = box()
    for cell, shape in ((0.0, (4, 4, 4)), (np.nan, (4, 4, 4)), (1.0, (4, 4, 1000)), (1.0, (0, 4, 4))):
        with pytest.raises(GeometryError):
            voxelise_surface(*mesh, ORIGIN, cell, shape)
    stray = (np.concatenate([mesh[0], [[np.nan, np.inf, 1e308]]]), mesh[1])
    assert np.array_equal(
        voxelise_surface(*stray, ORIGIN, CELL, (N, N, N)), voxelise_surface(*mesh, ORIGIN, CELL, (N, N, N))
    )


def test_counts_of_the_shared_case(cases_dir: Path) -> None:
    """A body of 31 cells and a hat of 11 have exactly the known numbers of surface cells."""
    folder = cases_dir / "E09-voxel-count"
    frame = json.loads((folder / "frame.json").read_text(encoding="utf-8"))
    checks = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["checks"]
    n = frame["grid"]
    for name, counts in checks.items():
        mesh = arrays_of_file(folder / name)
        grid = voxelise_surface(*mesh, frame["origin"], frame["side"] / n, (n, n, n))
        assert int(grid.sum()) == counts["surface"]
