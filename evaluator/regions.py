"""The cells that an edit may change, and those that it must leave alone.

Definition: metric notes, section 2. Regions come from the named parts, never from differences of cells. Both live on
the unbounded lattice: E is grown there, U is every other cell; a grid of E is whole because E must end within the work
array, which is checked, and of U only the part within it is ever asked for, since no surface is marked elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from engine.cells.lattice import Cells, Grid, fill_grid
from engine.cells.sizes import WORK_CELLS
from schemas.errors import GeometryError
from schemas.operation import Operation


class TruthCells(NamedTuple):
    """The ground truth of one turn as grids (96, 96, 96) bool; the same for every method."""

    target: Grid
    """V(S_k)."""
    target_before: Grid
    """V(S_{k-1})."""
    named: Grid
    """V(S_k[M_k]): the parts that the turn names, where they are after it."""
    named_before: Grid
    """V(S_{k-1}[M_k])."""
    unnamed: Grid
    """V(S_k without M_k)."""
    initial: Grid
    """V(S_0)."""
    edit: Grid
    """E_k."""
    edited: Grid
    """The union of E_j over j <= k; U_{0:k} is what lies outside. A part that comes back stays in it."""


def named_slots_of(operation: Operation) -> tuple[str, ...]:
    """M_k: the slots that an operation touches. A part that its sentence mentions to say where is not among them."""
    return (operation.slot,)


def find_truth_cells(
    before: Mapping[str, Cells],
    after: Mapping[str, Cells],
    named: Collection[str],
    initial: Grid,
    edited_before: Grid | None,
    dilate: int = 1,
) -> TruthCells:
    """Lay out one turn from the cells of its two ground-truth states, by slot.

    `edited_before` is the `edited` of the turn before; None at turn 1. Raises GeometryError when a named slot is in
    neither state, or a region reaches the border of the work array (only with a frame that was handed in).
    """
    missing = sorted(set(named) - {*before, *after})
    if missing:
        raise GeometryError(f"edit region: slot {missing[0]!r} is in neither state")
    shown = fill_grid(cells for slot, cells in after.items() if slot in named)
    shown_before = fill_grid(cells for slot, cells in before.items() if slot in named)
    edit = find_edit_region(shown_before, shown, dilate)
    edited = edit if edited_before is None else edit | edited_before
    edited.flags.writeable = False
    return TruthCells(
        target=fill_grid(after.values()),
        target_before=fill_grid(before.values()),
        named=shown,
        named_before=shown_before,
        unnamed=fill_grid(cells for slot, cells in after.items() if slot not in named),
        initial=initial,
        edit=edit,
        edited=edited,
    )


def find_edit_region(named_before: Grid, named: Grid, dilate: int = 1) -> Grid:
    """E_k: the named parts before and after, grown by `dilate` cells in all 26 directions; read-only.

    Raises GeometryError when it would leave the work array.
    """
    parts = named_before | named
    for axis in range(3):
        met = np.flatnonzero(parts.any(axis=tuple(k for k in range(3) if k != axis)))
        if len(met) and (met[0] < dilate or met[-1] >= WORK_CELLS - dilate):
            raise GeometryError(
                f"edit region: the named parts reach cell {met[0]} to {met[-1]} of {WORK_CELLS} on axis {axis} and are "
                f"grown by {dilate}; the frame handed in must hold the ground truth"
            )
    return dilate_cells(parts, dilate)


def dilate_cells(grid: Grid, steps: int = 1) -> Grid:
    """The cells of a grid and all within `steps` cells of one, diagonally too; what leaves the array is lost."""
    grown = grid.copy()
    for axis in range(3):
        lane = np.moveaxis(grown, axis, 0)
        for _ in range(steps):
            still = lane.copy()
            lane[1:] |= still[:-1]
            lane[:-1] |= still[1:]
    grown.flags.writeable = False
    return grown
