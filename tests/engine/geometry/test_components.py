"""Pieces of graphs and loose shells of meshes."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from geometry_meshes import arrays_of_file, ball, box, fcl_distance, shuffled, soup
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from engine.geometry.bounds import bounds_of, diagonal
from engine.geometry.clean import clean_mesh
from engine.geometry.components import connected_pieces, measure_loose_gap, piece_labels


def test_pieces_against_an_independent_graph_library() -> None:
    """On random graphs the labels partition the nodes as the oracle does, numbered by lowest node."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        n = int(rng.integers(1, 30))
        edges = [(int(a), int(b)) for a, b in rng.integers(0, n, (int(rng.integers(0, 25)), 2))]
        rows, columns = np.array(edges, dtype=int).reshape(-1, 2).T
        found, oracle = connected_components(
            coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, n)), directed=False
        )
        expected = sorted(np.flatnonzero(oracle == k).tolist() for k in range(found))
        labels = piece_labels(n, edges)
        assert [np.flatnonzero(labels == k).tolist() for k in range(found)] == expected
        assert connected_pieces(n, edges) == found
    assert connected_pieces(0, []) == 0
    with pytest.raises(IndexError):
        connected_pieces(2, [(0, 2)])


@pytest.mark.parametrize("seed", range(6))
def test_loose_gap_is_the_longest_link_of_the_spanning_tree(seed: int) -> None:
    """Against a spanning tree over all pairs of shells, measured by the independent library."""
    rng = np.random.default_rng(seed)
    shells = [(mesh[0] + rng.normal(size=3), mesh[1]) for mesh in (ball(2, 0.3), box((0.2, 0.3, 0.1))) * 4]
    # The oracle takes 0 for "no edge", so every gap is one longer there.
    gaps = [[1.0 + fcl_distance(a, b) if i < j else 0.0 for j, b in enumerate(shells)] for i, a in enumerate(shells)]
    longest = float(minimum_spanning_tree(np.array(gaps)).data.max()) - 1.0
    mesh = soup(*shells)
    measured = measure_loose_gap(clean_mesh(*mesh))
    assert measured == pytest.approx(longest / diagonal(bounds_of(*mesh)), abs=1e-12)
    assert measure_loose_gap(clean_mesh(*shuffled(mesh))) == measured


def test_one_shell_and_touching_shells_are_not_loose() -> None:
    """A single shell, and two that share a face plane, have gap 0."""
    assert measure_loose_gap(clean_mesh(*ball(2))) == 0.0
    assert measure_loose_gap(clean_mesh(*soup(box(), box((0.5, 1, 0.5), (0.0, 1.0, 0.0))))) == 0.0


def test_debris_cases(cases_dir: Path) -> None:
    """Crumbs far from the main piece show, and a nested shell has its known gap."""
    nested = clean_mesh(*arrays_of_file(cases_dir / "G25-nested-shells" / "part.glb"))
    assert measure_loose_gap(nested) == pytest.approx(0.75 / np.sqrt(12.0), rel=1e-12)
    assert measure_loose_gap(clean_mesh(*arrays_of_file(cases_dir / "G23-floating-debris" / "part.glb"))) > 0.02


def test_hundreds_of_shells_are_quick() -> None:
    """Five hundred crumbs around a ball of 20,000 faces take well under two seconds."""
    rng = np.random.default_rng(9)
    mesh = clean_mesh(*soup(ball(5), *(box((0.02, 0.02, 0.02), tuple(c)) for c in rng.normal(size=(500, 3)))))
    measure_loose_gap(clean_mesh(*soup(box(), box((1, 1, 1), (3, 0, 0)))))
    started = time.perf_counter()
    assert 0.0 < measure_loose_gap(mesh) < 0.3
    assert time.perf_counter() - started < 2.0
