"""The worked examples of the metric notes, to the printed digits."""

from __future__ import annotations

import numpy as np
import pytest
from cell_sets import SetState, SetTurn, block, score_outputs, shifted, value_of

from engine.cells.lattice import ChainFrame, fill_grid, measure_chain_frame, measure_soup_box, voxelise
from engine.cells.sizes import MARGIN_CELLS
from evaluator.protocol import VoxelOptions
from schemas.score import Undefined

H = block((20, 40), (20, 21), (20, 40))
T = block((28, 32), (21, 25), (28, 32))
Q = block((30, 38), (21, 25), (28, 32))
BARE, WITH_HAT = SetState({"host": H}), SetState({"host": H, "hat": T})
ADD = SetTurn("add", "hat", BARE, WITH_HAT)
REMOVE = SetTurn("remove", "hat", WITH_HAT, BARE)
REPLACE = SetTurn("replace", "hat", WITH_HAT, SetState({"host": H, "hat": Q}))
CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
CUBE_FACES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)


def test_hat() -> None:
    """G1: what is taken off and put back: the no-op has no score when it comes back, a late method none either."""
    noop = score_outputs([REMOVE, ADD], [H | T, H | T])
    oracle = score_outputs([REMOVE, ADD], [H, H | T])
    late = score_outputs([REMOVE, ADD], [H | T, H])
    first = noop[0].counts
    assert (first.edit, first.to_remove, first.to_keep, first.free) == (216, 64, 36, 116)
    assert noop[0].instruction_following == 0.0
    assert noop[1].instruction_following == Undefined(reason="0 cells to add, 8 are needed")
    assert [turn.consistency_previous for turn in noop] == [1.0, 1.0]
    assert [turn.consistency_initial for turn in noop] == [1.0, 1.0]
    assert [turn.instruction_following for turn in oracle] == [1.0, 1.0]
    assert [value_of(turn.instruction_following) for turn in late] == [0.0, None]


def test_add_one_cell_aside() -> None:
    """G2: an output one cell aside, in the middle and at the border of the frame."""
    (scores,) = score_outputs([ADD], [H | shifted(T, (1, 0, 0))])
    counts = scores.counts
    assert (counts.added, counts.to_add, counts.filled, counts.free) == (48, 64, 16, 116)
    assert (scores.instruction_following, scores.if_plus) == (0.75, 0.75)
    assert scores.if_net == pytest.approx(0.75 - 4 / 29, abs=1e-15)
    assert round(float(scores.if_net_plus), 4) == 0.6121
    assert (scores.if_plus_jaccard, scores.consistency_previous) == (0.6, 1.0)
    host, hat = block((44, 64), (20, 21), (20, 40)), block((60, 64), (21, 25), (28, 32))
    border = SetTurn("add", "hat", SetState({"host": host}), SetState({"host": host, "hat": hat}))
    (scores,) = score_outputs([border], [host | shifted(hat, (1, 0, 0))])
    assert (scores.if_plus, scores.consistency_previous) == (0.75, 1.0)


def test_replace() -> None:
    """G3: replacements that only delete, fill a box, or add a half, under every rule."""
    (deleted,) = score_outputs([REPLACE], [H])
    counts = deleted.counts
    sizes = (counts.to_add, counts.to_remove, counts.edit, counts.free, counts.to_keep)
    assert sizes == (96, 32, 432, 200, 72)
    assert (deleted.if_plus, deleted.if_minus, deleted.instruction_following) == (0.0, 1.0, 0.0)
    half = H | block((34, 38), (21, 25), (28, 32))
    expected = {"harmonic": 0.8, "min": 0.6667, "product": 0.6667, "geometric": 0.8165}
    for rule, value in expected.items():
        (scores,) = score_outputs([REPLACE], [half], VoxelOptions.model_validate({"if_rule": rule}))
        assert (scores.if_plus, scores.if_minus) == (2 / 3, 1.0)
        assert round(float(scores.instruction_following), 4) == value
    (filled,) = score_outputs([REPLACE], [H | block((28, 38), (21, 25), (28, 32))])
    assert (filled.if_plus, filled.if_minus, filled.instruction_following) == (1.0, 0.0, 0.0)


def test_replace_by_what_covers_the_old() -> None:
    """G3: where nothing has to go, a replacement has no score."""
    covering = SetState({"host": H, "hat": block((28, 32), (21, 29), (28, 32))})
    turn = SetTurn("replace", "hat", WITH_HAT, covering)
    (scores,) = score_outputs([turn], [covering.cells])
    assert scores.counts.to_remove == 0
    assert scores.instruction_following == Undefined(reason="0 cells to remove, 8 are needed")
    (defined,) = score_outputs([turn], [covering.cells], VoxelOptions(if_sides="defined"))
    assert defined.instruction_following == defined.if_plus == 1.0


def test_eraser() -> None:
    """G4: erasing the whole region follows the instruction and keeps nothing of it."""
    (scores,) = score_outputs([REMOVE], [H - REMOVE.edit])
    assert (scores.instruction_following, scores.consistency_previous) == (1.0, 1.0)
    assert (scores.keep_edit, scores.if_net) == (0.0, 0.0)


@pytest.mark.parametrize("lacking", [12, 15, 16])
def test_quarter(lacking: int) -> None:
    """G4: an own state that has most of the hat already leaves too little to add."""
    own = H | frozenset(sorted(T)[lacking:])
    touch = SetTurn("retexture", "host", BARE, BARE)
    scores = score_outputs([touch, ADD], [own, H | T])[1]
    assert scores.counts.to_add == lacking
    reason = f"{lacking} cells to add, a quarter of the 64 that the target changes is needed"
    assert scores.instruction_following == (1.0 if lacking == 16 else Undefined(reason=reason))


def test_table_as_a_box() -> None:
    """G5: a full box for a table is found out by what it fills."""
    slab = block((28, 32), (28, 29), (28, 32))
    legs = [block((x, x + 1), (21, 28), (z, z + 1)) for x in (28, 31) for z in (28, 31)]
    table = slab.union(*legs)
    turn = SetTurn("add", "table", BARE, SetState({"host": H, "table": table}))
    box = block((28, 32), (21, 29), (28, 32))
    (scores,) = score_outputs([turn], [H | box])
    assert (len(table), len(box), scores.counts.free, scores.counts.filled) == (44, 128, 280, 84)
    assert (scores.if_plus, scores.consistency_previous) == (1.0, 1.0)
    assert scores.if_net == pytest.approx(0.7, abs=1e-15)
    assert scores.if_plus_jaccard == 0.34375


def test_cube() -> None:
    """G6: a cube fills 61 cells a side and no more; by the literal reading it leaves the frame."""
    box = measure_soup_box((CUBE, CUBE_FACES))
    cells = fill_grid([voxelise((CUBE, CUBE_FACES), measure_chain_frame([box]))])
    inner = slice(MARGIN_CELLS, MARGIN_CELLS + 64)
    assert cells.sum() == cells[inner, inner, inner].sum() == 61**3 - 59**3 == 21_602
    literal = fill_grid([voxelise((CUBE, CUBE_FACES), measure_chain_frame([box], "tight"))])
    assert literal.sum() == 65**3 - 63**3 == 24_578
    assert literal[inner, inner, inner].sum() == 64**3 - 63**3 == 12_097


def test_triangle() -> None:
    """G6: a triangle with corners on cell planes meets exactly the six cells above them."""
    frame = ChainFrame((32.0, 32.0, 32.0), 64.0, "tight")
    corners = np.array([[10.0, 10.0, 10.0], [12.0, 10.0, 10.0], [10.0, 12.0, 10.0]])
    met = np.argwhere(fill_grid([voxelise((corners, np.array([[0, 1, 2]])), frame)])) - MARGIN_CELLS
    expected = [(10, 10), (10, 11), (10, 12), (11, 10), (11, 11), (12, 10)]
    assert met.tolist() == [[x, y, 10] for x, y in expected]
