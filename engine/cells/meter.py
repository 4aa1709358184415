"""The cells that an edit would change, while a chain is built: measured on placed parts, each voxelised once.

The frame is that of the states so far, so later turns may make it larger and its cells wider; what is recorded in the
end is counted anew (`engine.cells.edits`). Cells of parts stay known while the frame and the part's pose stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from chains.edit_cells import Shortage, find_shortage
from chains.state import Piece, State, initial_state, states_of
from engine.cells.lattice import Cells, ChainFrame, measure_chain_frame, voxelise
from engine.cells.sizes import WORK_CELLS
from engine.geometry.overlap import Placed
from engine.placement.state import StateGeometry
from engine.surfaces import FloatArray
from schemas.base import Matrix4, SlotId
from schemas.chain import Chain, EditCells
from schemas.part import Host, PartRef


class _Filled(NamedTuple):
    """What one state fills."""

    state: StateGeometry
    by_slot: dict[SlotId, Cells]
    pieces: NDArray[np.uint16]
    """How many pieces fill each cell of the work array, flat."""


class CellMeter:
    """Counts the cells that edits of one chain would change. `place` puts a part where a pose puts it."""

    def __init__(self, host: Host, place: Callable[[PartRef, Matrix4], Placed]) -> None:
        self._states: tuple[State, ...] = (initial_state(host),)
        self._place = place
        self._boxes: dict[tuple[PartRef, Matrix4], FloatArray] = {}
        self._frame: ChainFrame | None = None
        self._frame_of_cells: ChainFrame | None = None
        self._cells: WeakKeyDictionary[Placed, Cells] = WeakKeyDictionary()
        self._filled: _Filled | None = None

    def start_turn(self, chain: Chain) -> None:
        """Measure from now on in the frame of all states of the chain so far."""
        self._states = tuple(state for _, state in states_of(chain))
        self._frame = self._filled = None

    @property
    def frame(self) -> ChainFrame:
        """The frame of all states so far. Raises GeometryError when they have no extent."""
        if self._frame is None:
            boxes = (
                self._find_box(ref, piece) for state in self._states for piece in state.pieces for ref in piece.parts
            )
            self._frame = measure_chain_frame((low, high) for low, high in boxes)
        return self._frame

    def count_edit(self, state: StateGeometry, slot: SlotId, piece: Sequence[Placed]) -> EditCells:
        """Count what `piece` in `slot` changes of a state, in place of what stands there now, if anything."""
        filled = self._fill(state)
        new = self._join(piece)
        old = filled.by_slot.get(slot, new[:0])
        lost = old[filled.pieces[old] == 1]
        gained = int(np.count_nonzero(filled.pieces[new] == 0))
        return EditCells(gained=gained, lost=len(np.setdiff1d(lost, new, assume_unique=True)))

    def find_removal_shortage(self, state: StateGeometry, slot: SlotId) -> Shortage:
        """How far taking away what stands in a slot falls short; whatever replaces it loses no more cells."""
        return find_shortage("remove", self.count_edit(state, slot, ()))

    def _fill(self, state: StateGeometry) -> _Filled:
        """Cells and counts of a state; those of the last one that was asked for are kept."""
        if self._filled is None or self._filled.state is not state:
            by_slot = {slot: self._join(piece) for slot, piece in state.pieces.items()}
            pieces = np.zeros(WORK_CELLS * WORK_CELLS * WORK_CELLS, dtype=np.uint16)
            for cells in by_slot.values():
                pieces[cells] += 1
            self._filled = _Filled(state, by_slot, pieces)
        return self._filled

    def _join(self, piece: Sequence[Placed]) -> Cells:
        """The cells of a piece, each once, ascending."""
        found = [self._voxelise(placed) for placed in piece]
        if len(found) == 1:
            return found[0]
        joined: Cells = np.unique(np.concatenate([np.zeros(0, dtype=np.int32), *found]))
        return joined

    def _voxelise(self, placed: Placed) -> Cells:
        if self._frame_of_cells != self.frame:
            self._cells.clear()
            self._frame_of_cells = self.frame
        found = self._cells.get(placed)
        if found is None:
            corners = placed.bvh.corners.reshape(-1, 3)
            faces = np.arange(len(corners), dtype=np.int64).reshape(-1, 3)
            found = self._cells[placed] = voxelise((corners, faces), self.frame)
        return found

    def _find_box(self, ref: PartRef, piece: Piece) -> FloatArray:
        """The box (2, 3) of a part of a piece, world; parts that went long ago are not placed again each turn."""
        key = (ref, piece.world_from_part)
        if key not in self._boxes:
            self._boxes[key] = self._place(*key).bounds
        return self._boxes[key]
