"""Instruction following, content consistency and overlap with the target, on the cells of a chain.

Definition: metric notes, sections 3 to 5. Every score is a ratio of two counts of cells, or has no value and says by
which rule. All take place against the method's own previous output.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from chains.edit_cells import LEAST_CELLS, NEEDED_SIDES
from engine.cells.lattice import Grid
from evaluator.protocol import QUARTER, IfRule, VoxelOptions
from evaluator.regions import TruthCells, dilate_cells
from schemas.operation import OpName
from schemas.score import Measure, Undefined


class TurnCells(NamedTuple):
    """What one turn of one method is scored from; grids (96, 96, 96) bool."""

    operation: OpName
    truth: TruthCells
    own_before: Grid
    """The method's own previous output; S_0 at turn 1."""
    own: Grid
    """Its output of this turn."""


class CellCounts(NamedTuple):
    """Numbers of cells behind the scores."""

    to_add: int
    """|A|: cells of the named parts' target that the own previous output lacks."""
    added: int
    """Of these, in the output."""
    to_remove: int
    """|D|: cells of the own previous output in E that the target has not."""
    removed: int
    """Of these, no more in the output."""
    target_added: int
    """|V(S_k) without V(S_{k-1})|: a quarter of it must be left to add."""
    target_removed: int
    """|V(S_{k-1}) without V(S_k)|."""
    edit: int
    """|E|."""
    free: int
    """|B|: cells of E that neither the target nor the own previous output fills."""
    filled: int
    """Of these, in the output."""
    to_keep: int
    """|K|: cells of E that the own previous output fills and an unnamed part of the target too."""
    kept: int
    """Of these, in the output."""
    own: int
    own_before: int
    target: int


class VoxelScores(NamedTuple):
    """All scores of one turn on cells."""

    instruction_following: Measure
    """IF."""
    if_plus: Measure
    """IF+: share of the cells to add that were added."""
    if_minus: Measure
    """IF-: share of the cells to take away that were taken away."""
    if_net: Measure
    """IF of the net sides."""
    if_net_plus: Measure
    """IF+ less the share of the free cells of E that were filled, at least 0."""
    if_net_minus: Measure
    """IF- less the share of the cells of E to keep that were lost, at least 0."""
    if_plus_jaccard: Measure
    """Cells added rightly over these to add and those filled wrongly."""
    keep_edit: Measure
    """keep_E: share of the cells of E to keep that were kept."""
    consistency_previous: Measure
    """CC_prev: overlap with the own previous output outside E."""
    consistency_initial: Measure
    """CC_0: overlap with the host outside every E so far."""
    consistency_delta_previous: Measure
    """CC_delta_prev: overlap with the own previous output away from cells that the target changes; finds resets."""
    iou_whole: Measure
    iou_edit: Measure
    """Overlap with the target in E."""
    iou_unchanged: Measure
    """Overlap with the target in U."""
    counts: CellCounts


def score_cells(turn: TurnCells, options: VoxelOptions | None = None) -> VoxelScores:
    """Score one turn on its cells."""
    options = options or VoxelOptions()
    truth, own, own_before = turn.truth, turn.own, turn.own_before
    counts = count_cells(turn)
    plus, minus = _measure_sides(counts)
    false_share = counts.filled / counts.free if counts.free else 0.0
    lost_share = (counts.to_keep - counts.kept) / counts.to_keep if counts.to_keep >= LEAST_CELLS else 0.0
    net_plus, net_minus = _less(plus, false_share), _less(minus, lost_share)
    stable = ~dilate_cells(truth.target ^ truth.target_before)
    return VoxelScores(
        instruction_following=_combine(turn.operation, plus, minus, options),
        if_plus=plus,
        if_minus=minus,
        if_net=_combine(turn.operation, net_plus, net_minus, options),
        if_net_plus=net_plus,
        if_net_minus=net_minus,
        if_plus_jaccard=counts.added / (counts.to_add + counts.filled) if isinstance(plus, float) else plus,
        keep_edit=_measure_keep(counts),
        consistency_previous=measure_iou(own, own_before, ~truth.edit),
        consistency_initial=measure_iou(own, truth.initial, ~truth.edited),
        consistency_delta_previous=measure_iou(own, own_before, stable),
        iou_whole=measure_iou(own, truth.target),
        iou_edit=measure_iou(own, truth.target, truth.edit),
        iou_unchanged=measure_iou(own, truth.target, ~truth.edit),
        counts=counts,
    )


def count_cells(turn: TurnCells) -> CellCounts:
    """Count the cells of one turn that its scores are made of."""
    truth, own, own_before = turn.truth, turn.own, turn.own_before
    to_add = truth.named & ~own_before
    within = own_before & truth.edit
    to_remove = within & ~truth.target
    free = truth.edit & ~(truth.target | own_before)
    to_keep = within & (truth.target if turn.operation == "retexture" else truth.unnamed)
    return CellCounts(
        to_add=_count(to_add),
        added=_count(to_add & own),
        to_remove=_count(to_remove),
        removed=_count(to_remove & ~own),
        target_added=_count(truth.target & ~truth.target_before),
        target_removed=_count(truth.target_before & ~truth.target),
        edit=_count(truth.edit),
        free=_count(free),
        filled=_count(free & own),
        to_keep=_count(to_keep),
        kept=_count(to_keep & own),
        own=_count(own),
        own_before=_count(own_before),
        target=_count(truth.target),
    )


def measure_iou(a: Grid, b: Grid, region: Grid | None = None) -> Measure:
    """Cells in both grids over cells in either, within a region. No cells in either: undefined, not 1."""
    either, both = a | b, a & b
    if region is not None:
        either, both = either & region, both & region
    union = _count(either)
    return _count(both) / union if union else Undefined(reason="no cell is filled in either")


class TruthSides(NamedTuple):
    """What a turn leaves to add and to take away when the own previous output is the ground truth."""

    to_add: int
    """|A|."""
    to_remove: int
    """|D|."""
    score: Measure
    """IF of the ground truth itself: 1, or undefined and why."""
    is_unscorable: bool
    """A geometry turn that even the ground truth cannot be scored on: its parts are tiny, or buried in others."""


def measure_truth(operation: OpName, truth: TruthCells, options: VoxelOptions | None = None) -> TruthSides:
    """Measure how much of a turn can be scored at all: the ground truth followed from the ground truth."""
    scores = score_cells(TurnCells(operation, truth, truth.target_before, truth.target), options)
    score = scores.instruction_following
    is_unscorable = operation != "retexture" and isinstance(score, Undefined)
    return TruthSides(scores.counts.to_add, scores.counts.to_remove, score, is_unscorable)


def _measure_sides(counts: CellCounts) -> tuple[Measure, Measure]:
    plus = _find_fault(counts.to_add, counts.target_added, "add")
    minus = _find_fault(counts.to_remove, counts.target_removed, "remove")
    return (
        Undefined(reason=plus) if plus else counts.added / counts.to_add,
        Undefined(reason=minus) if minus else counts.removed / counts.to_remove,
    )


def _find_fault(cells: int, changed: int, verb: str) -> str | None:
    """Say why a side with so many cells is not defined; None when it is."""
    if cells < LEAST_CELLS:
        return f"{cells} cells to {verb}, {LEAST_CELLS} are needed"
    if QUARTER * cells < changed:
        return f"{cells} cells to {verb}, a quarter of the {changed} that the target changes is needed"
    return None


def _measure_keep(counts: CellCounts) -> Measure:
    if counts.to_keep < LEAST_CELLS:
        return Undefined(reason=f"{counts.to_keep} cells to keep, {LEAST_CELLS} are needed")
    return counts.kept / counts.to_keep


def _less(side: Measure, share: float) -> Measure:
    return max(0.0, side - share) if isinstance(side, float) else side


def _combine(operation: OpName, plus: Measure, minus: Measure, options: VoxelOptions) -> Measure:
    if operation == "retexture":
        return Undefined(reason="a retexture turn changes no cell")
    if options.if_sides == "operation":
        asked = [side for side, needed in zip((plus, minus), NEEDED_SIDES[operation], strict=True) if needed]
        missing = [side.reason for side in asked if isinstance(side, Undefined)]
    else:
        asked = [side for side in (plus, minus) if isinstance(side, float)]
        missing = [] if asked else [side.reason for side in (plus, minus) if isinstance(side, Undefined)]
    if missing:
        return Undefined(reason="; ".join(missing))
    values = [side for side in asked if isinstance(side, float)]
    return values[0] if len(values) == 1 else combine_sides(values[0], values[1], options.if_rule)


def combine_sides(plus: float, minus: float, rule: IfRule) -> float:
    """Combine the two sides of a replacement, each in 0..1."""
    match rule:
        case "harmonic":
            return 2.0 * plus * minus / (plus + minus) if plus + minus > 0.0 else 0.0
        case "min":
            return min(plus, minus)
        case "product":
            return plus * minus
        case "geometric":
            return sqrt(plus * minus)


def _count(grid: Grid) -> int:
    return int(np.count_nonzero(grid))
