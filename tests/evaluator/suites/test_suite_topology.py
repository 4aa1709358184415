"""Betti numbers: known surfaces, and random complexes against GUDHI and against a brute-force rank."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import gudhi
import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from suite_shapes import Soup, ball, block, grid_surface, join, soup_of, unwelded

from engine.geometry.clean import clean_mesh
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.surfaces import IntArray
from evaluator.suites.topology import BettiNumbers, compare_betti, measure_betti, measure_complex
from schemas.errors import GeometryError
from schemas.score import Undefined

UNIT = block((0, 0, 0), (1, 1, 1))


def _without_lid(soup: Soup) -> Soup:
    vertices, faces = soup
    return vertices, faces[~(vertices[faces][..., 2] == 1.0).all(axis=1)]


def _other_diagonal(soup: Soup) -> Soup:
    """The box with x reversed about its middle: its faces are cut along the other diagonals."""
    vertices, faces = soup
    return vertices * [-1.0, 1.0, 1.0] + [2 * vertices[:, 0].mean(), 0.0, 0.0], faces[:, ::-1].copy()


NEXT = block((1, 0, 0), (2, 1, 1))
KNOWN: dict[str, tuple[Soup, tuple[int, int, int]]] = {
    "sphere": (ball(2), (1, 0, 1)),
    "torus": (grid_surface(7, 9), (1, 2, 1)),
    "torus by trimesh": (soup_of(trimesh.creation.torus(1.0, 0.3)), (1, 2, 1)),
    "Klein bottle": (grid_surface(7, 9, twist=True), (1, 2, 1)),
    "open tube": (grid_surface(8, 5, closed=False), (1, 1, 0)),
    "box": (UNIT, (1, 0, 1)),
    "box with unwelded faces": (unwelded(UNIT), (1, 0, 1)),
    "box without lid": (_without_lid(UNIT), (1, 0, 0)),
    "two boxes apart": (join(UNIT, block((3, 0, 0), (4, 1, 1))), (2, 0, 2)),
    "two boxes sharing an edge": (join(UNIT, block((1, 1, 0), (2, 2, 1))), (1, 0, 2)),
    "two boxes sharing a corner": (join(UNIT, block((1, 1, 1), (2, 2, 2))), (1, 0, 2)),
    "two boxes that pass through each other": (join(UNIT, block((0.5, 0.5, 0.5), (2, 2, 2))), (2, 0, 2)),
    "box inside a box": (join(UNIT, block((0.2, 0.2, 0.2), (0.8, 0.8, 0.8))), (2, 0, 2)),
}


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_known_surfaces(name: str) -> None:
    """Each known surface has its known numbers, in whatever order its faces come."""
    (vertices, faces), wanted = KNOWN[name]
    assert measure_betti(vertices, faces) == BettiNumbers(*wanted)
    shuffled = faces[np.random.default_rng(5).permutation(len(faces))]
    assert measure_betti(vertices, shuffled[:, [1, 2, 0]]) == BettiNumbers(*wanted)


def test_shared_face_counts_by_its_triangulations() -> None:
    """Boxes that share a face have 2 voids, or 3 where its triangulations differ: welding is not a union."""
    numbers = {measure_betti(*join(UNIT, other)) for other in (NEXT, _other_diagonal(NEXT))}
    assert numbers == {BettiNumbers(1, 0, 2), BettiNumbers(1, 0, 3)}


def _by_gudhi(n: int, faces: IntArray) -> tuple[int, ...]:
    tree = gudhi.SimplexTree()
    for simplex in [*([v] for v in range(n)), *faces.tolist()]:
        tree.insert(simplex)
    tree.compute_persistence(homology_coeff_field=2, min_persistence=-1, persistence_dim_max=True)
    numbers = tree.betti_numbers()
    return tuple(numbers + [0] * (3 - len(numbers)))


def _by_rank(n: int, faces: IntArray) -> tuple[int, ...]:
    """Both boundary matrices written out and eliminated over Z2."""
    edges = sorted({pair for face in faces.tolist() for pair in combinations(sorted(face), 2)})
    number = {edge: k for k, edge in enumerate(edges)}
    first = np.zeros((n, len(edges)), dtype=bool)
    second = np.zeros((len(edges), len(faces)), dtype=bool)
    for edge, k in number.items():
        first[list(edge), k] = True
    for k, face in enumerate(faces.tolist()):
        second[[number[pair] for pair in combinations(sorted(face), 2)], k] = True
    r1, r2 = _rank(first), _rank(second)
    return n - r1, len(edges) - r1 - r2, len(faces) - r2


def _rank(matrix: np.ndarray) -> int:
    rows = matrix.copy()
    rank = 0
    for column in range(rows.shape[1]):
        lead = np.flatnonzero(rows[rank:, column])
        if len(lead):
            rows[[rank, rank + lead[0]]] = rows[[rank + lead[0], rank]]
            others = np.flatnonzero(rows[:, column])
            rows[others[others != rank]] ^= rows[rank]
            rank += 1
    return rank


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(3, 11), share=st.floats(0.02, 1.0))
def test_random_complexes_against_two_oracles(seed: int, n: int, share: float) -> None:
    """Random triangles, mostly not manifold: GUDHI and the written-out ranks say the same."""
    rng = np.random.default_rng(seed)
    triangles = np.array(list(combinations(range(n), 3)), dtype=np.int64)
    faces = triangles[rng.random(len(triangles)) < share]
    found = measure_complex(n, faces[rng.permutation(len(faces))])
    assert tuple(found) == _by_rank(n, faces)
    assert tuple(found) == _by_gudhi(n, faces)


def test_blocks_of_a_lattice_against_gudhi() -> None:
    """27 boxes with shared faces, edges and corners, welded: the same numbers as GUDHI and a right Euler number."""
    boxes = [block((i, j, k), (i + 1, j + 1, k + 1)) for i in range(3) for j in range(3) for k in range(3)]
    vertices, faces = join(*boxes)
    found = measure_betti(vertices, faces)
    places, inverse = np.unique(vertices, axis=0, return_inverse=True)
    welded = np.unique(np.sort(inverse.reshape(-1)[faces], axis=1), axis=0)
    assert tuple(found) == _by_gudhi(len(places), welded)
    edges = {pair for face in welded.tolist() for pair in combinations(face, 2)}
    assert found.b0 - found.b1 + found.b2 == len(places) - len(edges) + len(welded)


def test_real_objects_against_gudhi(data_dir: Path) -> None:
    """Whole real objects, welded, with open, closed and non-manifold pieces: the same numbers as GUDHI."""
    files = sorted((data_dir / "partverse_dev" / "normalized_glbs").glob("*.glb"))[::9]
    assert len(files) > 8
    for file in files:
        soup = read_part(read_document(file), None).merged()
        mesh = clean_mesh(*soup)
        assert tuple(measure_betti(*soup)) == _by_gudhi(len(mesh.vertices), mesh.faces), file.name


def test_errors_against_a_target() -> None:
    """Torus against sphere is 0.5; a number that the target has 0 of is undefined alone, counted in the sum."""
    sphere, torus = BettiNumbers(1, 0, 1), BettiNumbers(1, 2, 1)
    errors = compare_betti(sphere, torus)
    assert errors.total == 0.5
    assert errors.each == (0.0, 1.0, 0.0)
    assert errors.differences == (0, -2, 0)
    back = compare_betti(torus, sphere)
    assert back.total == 1.0
    assert isinstance(back.each[1], Undefined)
    assert compare_betti(BettiNumbers(0, 0, 0), torus).total == 1.0
    assert isinstance(compare_betti(sphere, BettiNumbers(0, 0, 0)).total, Undefined)


def test_empty_surface_is_refused() -> None:
    """A soup without area has no numbers."""
    with pytest.raises(GeometryError, match="0 vertices"):
        measure_betti(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
