"""States as sets of cells on the unbounded lattice, and the metrics on them by counting sets: written differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

import numpy as np

from engine.cells.lattice import SHAPE, Cells, ChainFrame, Grid, Soup, fill_grid, voxelise
from engine.cells.sizes import MARGIN_CELLS
from evaluator.metrics.voxel import TurnCells, VoxelScores, score_cells
from evaluator.protocol import VoxelOptions
from evaluator.regions import find_truth_cells
from schemas.operation import OpName
from schemas.score import Measure, Undefined

CellSet = frozenset[tuple[int, int, int]]
NOTHING: CellSet = frozenset()
SHIFTS = [shift for shift in product((-1, 0, 1), repeat=3) if shift != (0, 0, 0)]


def block(x: tuple[int, int], y: tuple[int, int], z: tuple[int, int]) -> CellSet:
    """Cells of three half-open ranges."""
    return frozenset(product(range(*x), range(*y), range(*z)))


def shifted(cells: CellSet, shift: tuple[int, int, int]) -> CellSet:
    """The same cells elsewhere."""
    return frozenset((x + shift[0], y + shift[1], z + shift[2]) for x, y, z in cells)


def grown(cells: CellSet) -> CellSet:
    """The cells and their 26 neighbours."""
    return cells.union(*(shifted(cells, shift) for shift in SHIFTS)) if cells else cells


def grid_of(cells: CellSet) -> Grid:
    """The cells in the work array, which must hold them all."""
    grid = np.zeros(SHAPE, dtype=np.bool_)
    for cell in cells:
        assert all(0 <= k + MARGIN_CELLS < SHAPE[0] for k in cell)
        grid[tuple(k + MARGIN_CELLS for k in cell)] = True
    return grid


def cells_of_grid(grid: Grid) -> Cells:
    """The marked cells of a grid as indices of the work array."""
    return np.flatnonzero(grid).astype(np.int32)


def voxelise_pieces(pieces: Mapping[str, Soup], frame: ChainFrame) -> dict[str, Cells]:
    """The cells of each piece of a state, by slot."""
    return {slot: voxelise(soup, frame) for slot, soup in pieces.items()}


def piece_of(cells: CellSet) -> Cells:
    """The cells as indices of the work array."""
    return cells_of_grid(grid_of(cells))


@dataclass(frozen=True)
class SetState:
    """One state: the cells of each slot."""

    pieces: dict[str, CellSet] = field(default_factory=dict)

    @property
    def cells(self) -> CellSet:
        """Cells of the whole state."""
        return NOTHING.union(*self.pieces.values())

    def of(self, slot: str) -> CellSet:
        """Cells of a slot; none where it is absent."""
        return self.pieces.get(slot, NOTHING)

    def without(self, slot: str) -> CellSet:
        """Cells of all other slots."""
        return NOTHING.union(*(cells for name, cells in self.pieces.items() if name != slot))


@dataclass(frozen=True)
class SetTurn:
    """One turn of a chain of set states."""

    operation: OpName
    slot: str
    before: SetState
    after: SetState

    @property
    def edit(self) -> CellSet:
        """E of the turn."""
        return grown(self.before.of(self.slot) | self.after.of(self.slot))


def score_outputs(
    turns: list[SetTurn], outputs: list[CellSet], options: VoxelOptions | None = None
) -> list[VoxelScores]:
    """Score a method's outputs after each turn with the evaluator; the first own state is the host."""
    options = options or VoxelOptions()
    own = initial = grid_of(turns[0].before.cells)
    edited, scores = None, []
    for turn, output in zip(turns, outputs, strict=True):
        before = {slot: piece_of(cells) for slot, cells in turn.before.pieces.items()}
        after = {slot: piece_of(cells) for slot, cells in turn.after.pieces.items()}
        truth = find_truth_cells(before, after, (turn.slot,), initial, edited, options.dilate)
        edited, own_before, own = truth.edited, own, fill_grid([piece_of(output)])
        scores.append(score_cells(TurnCells(turn.operation, truth, own_before, own), options))
    return scores


def count_scores(turns: list[SetTurn], outputs: list[CellSet]) -> list[dict[str, float | None]]:
    """The same scores by sets on the unbounded lattice and fractions, default options; None where undefined."""
    own, scores, edited = turns[0].before.cells, [], NOTHING
    for turn, output in zip(turns, outputs, strict=True):
        edited |= turn.edit
        scores.append(_count_turn(turn, own, output, turns[0].before.cells, edited))
        own = output
    return scores


def _count_turn(
    turn: SetTurn, own: CellSet, output: CellSet, initial: CellSet, edited: CellSet
) -> dict[str, float | None]:
    target, edit = turn.after.cells, turn.edit
    add, remove = turn.after.of(turn.slot) - own, (own & edit) - target
    plus = _side(add, add & output, target - turn.before.cells)
    minus = _side(remove, remove - output, turn.before.cells - target)
    free = edit - target - own
    keep = own & edit & (target if turn.operation == "retexture" else turn.after.without(turn.slot))
    filled = Fraction(len(free & output), len(free)) if free else Fraction(0)
    lost = Fraction(len(keep - output), len(keep)) if len(keep) >= 8 else Fraction(0)
    net_plus = None if plus is None else max(Fraction(0), plus - filled)
    net_minus = None if minus is None else max(Fraction(0), minus - lost)
    changed = grown(target ^ turn.before.cells)
    jaccard = None if plus is None else Fraction(len(add & output), len(add) + len(free & output))
    values = {
        "instruction_following": _joined(turn.operation, plus, minus),
        "if_plus": plus,
        "if_minus": minus,
        "if_net": _joined(turn.operation, net_plus, net_minus),
        "if_net_plus": net_plus,
        "if_net_minus": net_minus,
        "if_plus_jaccard": jaccard,
        "keep_edit": Fraction(len(keep & output), len(keep)) if len(keep) >= 8 else None,
        "consistency_previous": _iou(output - edit, own - edit),
        "consistency_initial": _iou(output - edited, initial - edited),
        "consistency_delta_previous": _iou(output - changed, own - changed),
        "iou_whole": _iou(output, target),
        "iou_edit": _iou(output & edit, target & edit),
        "iou_unchanged": _iou(output - edit, target - edit),
    }
    return {name: None if value is None else float(value) for name, value in values.items()}


def _side(asked: CellSet, done: CellSet, changed: CellSet) -> Fraction | None:
    return Fraction(len(done), len(asked)) if len(asked) >= 8 and 4 * len(asked) >= len(changed) else None


def _iou(a: CellSet, b: CellSet) -> Fraction | None:
    return Fraction(len(a & b), len(a | b)) if a | b else None


def _joined(operation: str, plus: Fraction | None, minus: Fraction | None) -> Fraction | None:
    if operation in {"add", "remove"}:
        return plus if operation == "add" else minus
    if operation == "retexture" or plus is None or minus is None:
        return None
    return 2 / (1 / plus + 1 / minus) if plus and minus else Fraction(0)


def value_of(measure: Measure) -> float | None:
    """A score as a number; None where undefined."""
    return None if isinstance(measure, Undefined) else float(measure)
