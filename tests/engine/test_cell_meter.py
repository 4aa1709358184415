"""Cells that an edit would change, on small scenes: buried and tiny parts, and a replacement of the same cells."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cells.edits import count_edit_cells
from engine.cells.lattice import Cells, ChainFrame, voxelise
from engine.cells.meter import CellMeter
from engine.geometry.overlap import Placed, build_solid, place_solid
from engine.placement.state import StateGeometry, build_state
from schemas.base import Matrix4
from schemas.chain import EditCells
from schemas.part import PartRef
from tests.chain_examples import add, chain_of, desk

Box = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Least corner and size."""
_CORNERS = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
_QUADS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_FACES = np.array([(quad[0], quad[a], quad[a + 1]) for quad in _QUADS for a in (1, 2)])

BOARD: Box = ((0.0, 0.0, 0.0), (60.5, 1.0, 60.5))
"""As long as the frame, so that a cell is a unit wide."""
BLOCK: Box = ((20.2, 0.5, 20.2), (10.0, 6.0, 10.0))
INLAY: Box = ((40.2, 0.2, 40.2), (6.0, 0.5, 6.0))
"""Within the board's own cells."""
PIN: Box = ((10.2, 0.9, 50.2), (0.2, 1.9, 0.2))
"""Stands out of the board by a cell or two."""


def box(given: Box) -> Placed:
    """A box where it is given."""
    low, size = np.array(given[0]), np.array(given[1])
    return place_solid(build_solid(low + _CORNERS * size, _FACES), np.eye(4))


def scene(**pieces: Box) -> StateGeometry:
    """A state on the board."""
    placed = {slot: (box(given),) for slot, given in {"top": BOARD, **pieces}.items()}
    return build_state(placed, 86.0, 0.0, "top")


def meter() -> CellMeter:
    """A meter of a chain on the board."""
    whole = box(BOARD)

    def place(_: PartRef, __: Matrix4) -> Placed:
        return whole

    return CellMeter(desk(), place)


def cells_of(placed: Placed, frame: ChainFrame) -> Cells:
    """The cells of one box."""
    corners = placed.bvh.corners.reshape(-1, 3)
    return voxelise((corners, np.arange(len(corners)).reshape(-1, 3)), frame)


@pytest.mark.parametrize("slot", ["block", "inlay", "pin"])
def test_a_removal_loses_what_nothing_else_fills(slot: str) -> None:
    """The counts are those of whole states; a buried part leaves no cell behind, a tiny one too few."""
    state, counter = scene(block=BLOCK, inlay=INLAY, pin=PIN), meter()
    before = {name: cells_of(parts[0], counter.frame) for name, parts in state.pieces.items()}
    after = {name: cells for name, cells in before.items() if name != slot}
    counts = counter.count_edit(state, slot, ())
    assert counts == count_edit_cells(before, after)
    assert counts.gained == 0
    assert {"block": counts.lost > 200, "inlay": counts.lost == 0, "pin": 0 < counts.lost < 8}[slot]
    assert counter.find_removal_shortage(state, slot) == {"block": 0, "inlay": 2, "pin": 2}[slot]


@pytest.mark.parametrize(
    "new", [BLOCK, ((20.2, 0.5, 20.2), (12.0, 6.0, 10.0)), ((44.0, 0.5, 4.0), (5.0, 9.0, 5.0)), INLAY]
)
def test_a_replacement_is_counted_on_both_sides(new: Box) -> None:
    """As if both states were filled: the old part's own cells again, a longer part, another place, a buried one."""
    state, counter, piece = scene(block=BLOCK, pin=PIN), meter(), box(new)
    before = {name: cells_of(parts[0], counter.frame) for name, parts in state.pieces.items()}
    after = {**before, "block": cells_of(piece, counter.frame)}
    assert counter.count_edit(state, "block", (piece,)) == count_edit_cells(before, after)


def test_a_replacement_by_the_same_cells_changes_none() -> None:
    """Another part that fills exactly what the old one filled cannot be scored, however it looks."""
    state, counter = scene(block=BLOCK), meter()
    assert counter.count_edit(state, "block", (box(BLOCK),)) == EditCells(gained=0, lost=0)


def test_a_piece_of_two_parts_counts_shared_cells_once() -> None:
    """Two halves of a block that meet change what the whole block does, added or taken away."""
    low, (width, height, depth) = BLOCK
    halves = tuple(box(((low[0] + k * 0.5 * width, *low[1:]), (0.5 * width, height, depth))) for k in (0, 1))
    state, counter = scene(), meter()
    added = counter.count_edit(state, "block", halves)
    cells = [cells_of(placed, counter.frame) for placed in halves]
    own = set(np.concatenate(cells).tolist()) - set(cells_of(state.pieces["top"][0], counter.frame).tolist())
    assert added == EditCells(gained=len(own), lost=0)
    with_halves = build_state({"top": state.pieces["top"], "block": halves}, 86.0, 0.0, "top")
    assert counter.count_edit(with_halves, "block", ()) == EditCells(gained=0, lost=len(own))


def test_the_frame_holds_all_states_so_far() -> None:
    """A part that came makes the frame larger and cells wider, so that the same edit changes fewer of them."""
    state, whole = scene(block=BLOCK), box(BOARD)
    far = box(((0.0, 0.0, 0.0), (121.0, 1.0, 60.5)))

    def place(ref: PartRef, _: Matrix4) -> Placed:
        return far if ref.object_id == "shop" else whole

    counter = CellMeter(desk(), place)
    near = counter.count_edit(state, "block", ())
    counter.start_turn(chain_of(add("cup", "top")))
    assert counter.frame.side == 121.0
    assert 8 < counter.count_edit(state, "block", ()).lost < near.lost / 2
    counter.start_turn(chain_of())
    assert counter.count_edit(state, "block", ()) == near
