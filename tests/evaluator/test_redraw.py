"""Objects drawn anew from their cells, and what the metrics on cells say of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from cell_sets import CellSet, block, cells_of_grid, piece_of, value_of
from real_parts import RealChain, make_chain, read_real_hosts

from engine.cells.lattice import Cells, ChainFrame, Grid, Soup, fill_grid, voxelise
from engine.cells.sizes import MARGIN_CELLS
from evaluator.metrics.voxel import TurnCells, score_cells
from evaluator.redraw import redraw_cells
from schemas.errors import GeometryError

FRAME = ChainFrame((1.0, -2.0, 0.5), 3.0)
SHAPES: dict[str, CellSet] = {
    "one cell": block((3, 4), (5, 6), (7, 8)),
    "table": block((0, 4), (6, 7), (0, 4)).union(
        *(block((x, x + 1), (0, 6), (z, z + 1)) for x in (0, 3) for z in (0, 3))
    ),
    "shell": block((10, 20), (10, 20), (10, 20)) - block((11, 19), (11, 19), (11, 19)),
    "corner of the array": block((-16, -14), (78, 80), (-16, -15)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_boundary_of_the_cubes(name: str) -> None:
    """The drawn surface is closed and faces outward: its volume and area are those of the cubes, its corners theirs."""
    cells = SHAPES[name]
    vertices, faces = redraw_cells(piece_of(cells), FRAME)
    mesh = trimesh.Trimesh(vertices, faces, process=False)
    bare = sum((x + dx, y + dy, z + dz) not in cells for x, y, z in cells for dx, dy, dz in _SIX)
    assert mesh.volume == pytest.approx(len(cells) * FRAME.pitch**3, rel=1e-9)
    assert mesh.area == pytest.approx(bare * FRAME.pitch**2, rel=1e-9)
    assert len(faces) == 2 * bare
    whole = FRAME.to_work(vertices)
    assert np.allclose(whole, np.rint(whole), atol=1e-9)
    assert len(np.unique(np.rint(whole), axis=0)) == len(vertices)


_SIX = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def test_nothing_cannot_be_drawn() -> None:
    """No cells are an error."""
    with pytest.raises(GeometryError, match="no cells to draw"):
        redraw_cells(piece_of(frozenset()), FRAME)


@pytest.fixture(scope="module")
def chains(data_dir: Path) -> list[RealChain]:
    """Five chains on real hosts."""
    hosts = read_real_hosts(data_dir, 5)
    return [make_chain(host, hosts, 7, 6) for host in hosts]


def test_redrawing_without_editing_is_chance(chains: list[RealChain]) -> None:
    """A host drawn anew and never edited is found out by CC and IF_net, though its IF is often above 0."""
    chance, net = [], []
    for chain in chains:
        drawn = _grid(redraw_cells(cells_of_grid(chain.initial), chain.frame), chain.frame)
        own = chain.initial
        for turn in chain.turns:
            scores = score_cells(TurnCells(turn.operation, turn.truth, own, drawn))
            assert isinstance(scores.consistency_initial, float)
            assert scores.consistency_initial < 0.7
            if own is chain.initial:
                assert scores.consistency_previous == scores.consistency_initial
            first = score_cells(TurnCells(turn.operation, turn.truth, turn.truth.target_before, drawn))
            chance.append(value_of(first.instruction_following))
            net.append(value_of(first.if_net))
            own = drawn
    defined = [(a, b) for a, b in zip(chance, net, strict=True) if a is not None and b is not None]
    assert len(defined) >= 15
    assert np.mean([a for a, _ in defined]) > 0.1
    assert np.mean([b for _, b in defined]) < np.mean([a for a, _ in defined])


def test_a_target_built_of_cubes_follows_the_instruction(chains: list[RealChain]) -> None:
    """A method that builds every target of loose cubes has IF 1 where the no-op has 0: IF says nothing of quality."""
    seen = 0
    for chain in chains:
        for turn in chain.turns:
            before, target = turn.truth.target_before, turn.truth.target
            built = _grid(_loose_cubes(cells_of_grid(target), chain.frame), chain.frame)
            assert np.array_equal(built, target)
            scores = score_cells(TurnCells(turn.operation, turn.truth, before, built))
            idle = score_cells(TurnCells(turn.operation, turn.truth, before, before))
            answers = value_of(scores.instruction_following), value_of(idle.instruction_following)
            assert answers in {(1.0, 0.0), (None, None)}
            seen += answers == (1.0, 0.0)
    assert seen >= 15


def _grid(soup: Soup, frame: ChainFrame) -> Grid:
    return fill_grid([voxelise(soup, frame)])


def _loose_cubes(cells: Cells, frame: ChainFrame) -> Soup:
    """A cube of half a cell's side in the middle of each cell."""
    cube = trimesh.creation.box((0.5, 0.5, 0.5))
    middles = np.stack(np.unravel_index(cells, (96, 96, 96)), axis=1) - MARGIN_CELLS + 0.5
    vertices = (middles[:, None, :] + np.array(cube.vertices)[None]).reshape(-1, 3)
    faces = (np.array(cube.faces)[None] + 8 * np.arange(len(cells))[:, None, None]).reshape(-1, 3)
    return frame.to_world(vertices), faces
