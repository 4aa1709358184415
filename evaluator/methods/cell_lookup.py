"""Places of the work array looked up among the cells of a surface."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.cells.lattice import Cells
from engine.cells.sizes import WORK_CELLS
from engine.surfaces import BoolArray, IntArray


class Lookup(NamedTuple):
    """Where M places are among N cells."""

    cell: IntArray
    """(M,) which of the cells; any where it is none."""
    found: BoolArray
    """(M,) whether it is one of the cells."""


def flatten_places(places: IntArray) -> IntArray:
    """Flat (row-major) indices of places (..., 3) of the work array, as cells are counted."""
    return np.asarray((places[..., 0] * WORK_CELLS + places[..., 1]) * WORK_CELLS + places[..., 2])


def look_up(cells: Cells, flat: IntArray) -> Lookup:
    """Look flat indices (M,) up among cells (N,), at least one."""
    index = np.minimum(np.searchsorted(cells, flat), len(cells) - 1)
    return Lookup(index, cells[index] == flat)
