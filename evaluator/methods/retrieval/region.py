"""The region of an edit as a method is given it: cells that may change, on the chain's lattice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bounds import bounds_of
from engine.geometry.similarity import as_matrix, invert, transform_points
from engine.geometry.voxels import voxelise_surface
from engine.surfaces import BoolArray, FloatArray, IntArray
from schemas.errors import InputError
from schemas.method import EditMask

CellIndices = NDArray[np.int64]
"""(N, 3) cells as whole numbers of the lattice; none are negative or beyond it unless a surface leaves the grid."""
MARGIN = 16
"""Cells around the grid in which a surface is still followed."""


@dataclass(frozen=True, eq=False)
class EditRegion:
    """Cells that an edit may change, and the way from the world to them."""

    inside: BoolArray
    """(X, Y, Z) bool: the edited parts before and after, grown by a cell in all 26 directions."""
    cells_from_world: FloatArray
    """(4, 4) float64: cell (i, j, k) spans i to i + 1 and so on."""

    @cached_property
    def world_from_cells(self) -> FloatArray:
        """(4, 4) float64."""
        return invert(self.cells_from_world)

    @cached_property
    def shrunk(self) -> BoolArray:
        """The region without its outermost layer: what the parts fill, and gaps narrower than two cells.

        The region itself where nothing is left.
        """
        kept = np.pad(self.inside, 1)
        for axis in range(3):
            lane = np.moveaxis(kept, axis, 0)
            still = lane.copy()
            lane[1:] &= still[:-1]
            lane[:-1] &= still[1:]
        core = kept[1:-1, 1:-1, 1:-1]
        return core if core.any() else self.inside

    def find_cells(self, vertices: FloatArray, faces: IntArray) -> CellIndices:
        """The cells that a surface in world coordinates meets, see `find_cells`. Raises GeometryError."""
        return find_cells(transform_points(self.cells_from_world, vertices), faces, self.inside.shape)

    def may_meet(self, vertices: FloatArray, faces: IntArray) -> bool:
        """Whether the box of a surface in world coordinates meets that of the region."""
        filled = np.argwhere(self.inside)
        if len(filled) == 0:
            return False
        low, high = bounds_of(transform_points(self.cells_from_world, vertices), faces)
        return bool((high >= filled.min(axis=0)).all() and (low <= filled.max(axis=0) + 1.0).all())

    def count_inside(self, cells: CellIndices) -> int:
        """How many of the cells belong to the region."""
        return count_marked(self.inside, cells)


def read_region(folder: Path, mask: EditMask) -> EditRegion:
    """Read the region of a request that lies in `folder`. Raises InputError for a file that is no grid of cells."""
    path = folder / mask.grid
    try:
        grid = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: is no array of NumPy's format: {error}") from error
    if not isinstance(grid, np.ndarray) or grid.ndim != 3 or grid.dtype != np.bool_:
        raise InputError(f"{path}: needs a grid (X, Y, Z) of bool")
    return EditRegion(grid, as_matrix(mask.cells_from_world))


def find_cells(vertices: FloatArray, faces: IntArray, shape: tuple[int, ...]) -> CellIndices:
    """The cells that a surface meets; `vertices` (V, 3) in cells of a grid of that shape, and up to 16 cells beyond it.

    Raises GeometryError when the surface is empty or not finite.
    """
    low, high = bounds_of(vertices, faces)
    first = np.clip(np.floor(low), -MARGIN, np.array(shape) + MARGIN - 1)
    last = np.clip(np.floor(high) + 1.0, first, np.array(shape) + MARGIN - 1)
    x, y, z = (last - first).astype(np.int64) + 1
    # Whole numbers taken off coordinates of this size round nothing: a window moves no vertex.
    window = voxelise_surface(vertices - first, faces, np.zeros(3), 1.0, (int(x), int(y), int(z)))
    return np.asarray(np.argwhere(window) + first.astype(np.int64), dtype=np.int64)


def count_marked(grid: BoolArray, cells: CellIndices) -> int:
    """How many of the cells are marked in a grid; cells beyond it are not."""
    within = ((cells >= 0) & (cells < np.array(grid.shape))).all(axis=1)
    x, y, z = cells[within].T
    return int(np.count_nonzero(grid[x, y, z]))


def mark_cells(shape: tuple[int, ...], cells: CellIndices) -> BoolArray:
    """A grid of that shape with these cells marked; those beyond it are left out."""
    grid = np.zeros(shape, dtype=np.bool_)
    within = ((cells >= 0) & (cells < np.array(shape))).all(axis=1)
    x, y, z = cells[within].T
    grid[x, y, z] = True
    return grid
