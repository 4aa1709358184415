"""The region of an edit as a method is given it, on the chain's lattice; a cell is 1 there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from engine.cells.lattice import CELL_FRAME, Cells, Grid, Soup, fill_grid, voxelise
from engine.cells.sizes import FRAME_CELLS, MARGIN_CELLS, WORK_CELLS
from engine.geometry.similarity import as_matrix, invert, transform_points
from engine.surfaces import FloatArray
from evaluator.regions import dilate_cells
from schemas.errors import InputError
from schemas.method import EditMask


@dataclass(frozen=True, eq=False)
class EditRegion:
    """Cells that an edit may change, and the way from the world to them."""

    inside: Grid
    """(96, 96, 96) bool, the work array: the edited parts before and after, grown by a cell in all 26 directions."""
    cells_from_world: FloatArray
    """(4, 4) float64: cell (i, j, k) of the frame spans i to i + 1 and so on."""

    @cached_property
    def world_from_cells(self) -> FloatArray:
        """(4, 4) float64."""
        return invert(self.cells_from_world)

    @cached_property
    def shrunk(self) -> Grid:
        """The region without its outermost layer: what the parts fill, and gaps narrower than three cells.

        The region itself where nothing is left.
        """
        core = shrink_cells(self.inside)
        return core if core.any() else self.inside

    def to_cells(self, soup: Soup) -> Soup:
        """A surface in world coordinates in those of the cells."""
        return transform_points(self.cells_from_world, soup[0]), soup[1]

    def mark(self, soups: Iterable[Soup]) -> Grid:
        """The cells that surfaces in world coordinates meet. Raises GeometryError for one that is not finite."""
        return fill_grid(find_cells(self.to_cells(soup)) for soup in soups)


def read_edit_region(folder: Path, mask: EditMask) -> EditRegion:
    """Read the region of a request in a folder. Raises InputError for an array of another kind."""
    path = folder / mask.grid
    grid = np.load(path, allow_pickle=False)
    if grid.shape != (FRAME_CELLS,) * 3 or grid.dtype != np.bool_:
        raise InputError(f"{path}: an array {grid.shape} {grid.dtype}, must be ({FRAME_CELLS},) * 3 bool")
    inside = np.zeros((WORK_CELLS,) * 3, dtype=np.bool_)
    frame = slice(MARGIN_CELLS, MARGIN_CELLS + FRAME_CELLS)
    inside[frame, frame, frame] = grid
    return EditRegion(inside, as_matrix(mask.cells_from_world))


def shrink_cells(grid: Grid) -> Grid:
    """The cells of a grid (96, 96, 96) all of whose 26 neighbours are in it too; beyond the array all are."""
    return np.asarray(~dilate_cells(~grid))


def find_cells(soup: Soup) -> Cells:
    """The cells that a surface in cell coordinates meets."""
    return voxelise(soup, CELL_FRAME)


def count_marked(grid: Grid, cells: Cells) -> int:
    """How many of the cells are marked in a grid."""
    return int(np.count_nonzero(grid.reshape(-1)[cells]))


def measure_cells_box(grid: Grid) -> FloatArray:
    """The likely box (2, 3), in cells, of a surface that meets these cells and no others.

    It ends, on average, in the middle of the outermost ones.
    """
    filled = np.argwhere(grid).astype(np.float64) - MARGIN_CELLS
    return np.stack([filled.min(axis=0) + 0.5, filled.max(axis=0) + 0.5])
