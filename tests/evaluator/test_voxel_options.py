"""The named options of the metrics on cells, and what a turn's ground truth leaves to be scored."""

from __future__ import annotations

import numpy as np
import pytest
from cell_sets import SetState, SetTurn, block, grid_of, piece_of, score_outputs
from pydantic import ValidationError

from engine.cells.lattice import fill_grid
from evaluator.metrics.voxel import combine_sides, measure_iou, measure_truth
from evaluator.protocol import VoxelOptions
from evaluator.regions import find_truth_cells
from schemas.score import Undefined

HOST = block((20, 40), (20, 21), (20, 40))
HAT = block((28, 32), (21, 25), (28, 32))
STRAY = block((27, 33), (25, 26), (27, 33))
WITH_HAT, BARE = SetState({"host": HOST, "hat": HAT}), SetState({"host": HOST})
ADD, TOUCH = SetTurn("add", "hat", BARE, WITH_HAT), SetTurn("retexture", "host", BARE, BARE)


def test_stray_geometry_counts_on_add_turns_only_if_asked() -> None:
    """Strays of the method's own make a side to take away; by default adding does not need it."""
    outputs = [HOST | STRAY, HOST | STRAY | HAT]
    scores = score_outputs([TOUCH, ADD], outputs)[1]
    assert (scores.if_plus, scores.if_minus, scores.instruction_following) == (1.0, 0.0, 1.0)
    other = score_outputs([TOUCH, ADD], outputs, VoxelOptions(if_sides="defined"))[1]
    assert (other.if_plus, other.if_minus, other.instruction_following) == (1.0, 0.0, 0.0)


def test_no_defined_side_is_no_score_under_either_option() -> None:
    """A turn that has neither side has no score, and both reasons."""
    tiny = SetState({"host": HOST, "hat": block((28, 29), (21, 24), (28, 29))})
    turn = SetTurn("replace", "hat", tiny, SetState({"host": HOST, "hat": block((28, 31), (21, 22), (28, 29))}))
    for sides in ("operation", "defined"):
        options = VoxelOptions.model_validate({"if_sides": sides})
        (scores,) = score_outputs([turn], [turn.after.cells], options)
        reason = "2 cells to add, 8 are needed; 2 cells to remove, 8 are needed"
        assert scores.instruction_following == scores.if_net == Undefined(reason=reason)


def test_retexture_has_no_score_under_either_option() -> None:
    """Whatever a method breaks on a retexture turn shows in keep_E, not in IF."""
    turn = SetTurn("retexture", "hat", WITH_HAT, WITH_HAT)
    for sides in ("operation", "defined"):
        options = VoxelOptions.model_validate({"if_sides": sides})
        (scores,) = score_outputs([turn], [HOST | frozenset(sorted(HAT)[16:])], options)
        assert scores.instruction_following == Undefined(reason="a retexture turn changes no cell")
        assert scores.counts.to_keep == 36 + 64
        assert scores.keep_edit == 0.84


def test_wider_regions() -> None:
    """The region grows with `dilate`: what lies two cells off belongs to it, and CC does not see it."""
    output = HOST | HAT | block((34, 35), (22, 24), (28, 32))
    (narrow,) = score_outputs([ADD], [output])
    (wide,) = score_outputs([ADD], [output], VoxelOptions(dilate=3))
    (none,) = score_outputs([ADD], [output], VoxelOptions(dilate=0))
    assert (narrow.counts.edit, wide.counts.edit, none.counts.edit) == (216, 1000, 64)
    # Of the host 36 cells lie within the region; of the stray all 8 lie outside.
    assert narrow.consistency_previous == 364 / 372
    assert wide.consistency_previous == 1.0
    assert wide.counts.filled == 8
    assert none.counts.free == 0
    assert none.if_net == 1.0


@pytest.mark.parametrize(
    ("rule", "expected"), [("harmonic", 0.375), ("min", 0.25), ("product", 0.1875), ("geometric", 0.4330127018922193)]
)
def test_rules(rule: str, expected: float) -> None:
    """One quarter and three quarters under each rule; 0 and anything is 0."""
    options = VoxelOptions.model_validate({"if_rule": rule})
    assert combine_sides(0.25, 0.75, options.if_rule) == expected
    assert combine_sides(0.0, 0.0, options.if_rule) == combine_sides(1.0, 0.0, options.if_rule) == 0.0
    assert combine_sides(1.0, 1.0, options.if_rule) == 1.0


@pytest.mark.parametrize("wrong", [{"if_rule": "mean"}, {"if_sides": "both"}, {"frame": "loose"}, {"dilate": -1}])
def test_options_that_are_not_there(wrong: dict[str, object]) -> None:
    """Unknown rules are refused, the arithmetic mean among them."""
    with pytest.raises(ValidationError):
        VoxelOptions.model_validate(wrong)


def test_overlap_of_nothing() -> None:
    """No cell in either grid: undefined, not 1; also when all cells lie outside the region."""
    nothing = Undefined(reason="no cell is filled in either")
    hat = grid_of(HAT)
    assert measure_iou(fill_grid([]), fill_grid([])) == nothing
    assert measure_iou(hat, hat, ~hat) == nothing
    assert measure_iou(hat, hat) == 1.0
    only = SetTurn("remove", "hat", SetState({"hat": HAT}), SetState({"hut": HAT}))
    (scores,) = score_outputs([only], [HAT])
    assert scores.consistency_previous == scores.consistency_initial == nothing


@pytest.mark.parametrize("height", [1, 2])
def test_what_the_ground_truth_leaves_to_score(height: int) -> None:
    """A hat of 6 cells cannot be scored, one of 12 can; nobody warns of a retexture turn."""
    hat = block((28, 31), (21, 21 + height), (28, 30))
    before, after = {"host": piece_of(HOST)}, {"host": piece_of(HOST), "hat": piece_of(hat)}
    truth = find_truth_cells(before, after, ("hat",), fill_grid(before.values()), None)
    sides = measure_truth("add", truth)
    assert (sides.to_add, sides.to_remove) == (6 * height, 0)
    assert sides.is_unscorable == (height == 1)
    reason = Undefined(reason="6 cells to add, 8 are needed")
    assert sides.score == (reason if height == 1 else 1.0)
    same = find_truth_cells(after, after, ("hat",), fill_grid(after.values()), None)
    assert not measure_truth("retexture", same).is_unscorable
    assert not np.any(same.target ^ same.target_before)
