"""The edit mask of a turn: the one file that a method may be given that follows from the target.

It is E_k of the scores: the cells of the edited parts before and after the turn, grown by one, and the pixels of the
conditioning view in which one of them shows, with their margin.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cells.lattice import ChainFrame, Grid
from engine.cells.sizes import FRAME_CELLS, MARGIN_CELLS
from engine.framing import Camera
from engine.gltf.plain import write_plain_glb
from engine.pictures.pieces import StatePieces
from engine.render.coverage import SUPERSAMPLE
from engine.render.png import encode_png
from engine.render.regions import DILATE_PX, find_edit_region
from engine.render.scene import build_scene
from evaluator.redraw import redraw_cells
from evaluator.states import ChainStates
from schemas.base import Matrix4
from schemas.method import EditMask

INSIDE = 255


class MaskWriter:
    """Writes the masks of one chain, turn after turn."""

    def __init__(self, states: ChainStates, pieces: StatePieces, camera: Camera, size: int) -> None:
        self._states = states
        self._pieces = pieces
        self._camera = camera
        self._size = size

    def write(self, folder: Path, turn: int) -> EditMask:
        """Write mesh, grid and picture of a turn into a folder. Raises what `ChainStates` raises, and OSError."""
        grid = crop_to_frame(self._states.regions(turn).edit)
        frame = self._states.frame
        mask = EditMask(cells_from_world=cells_from_world(frame))
        buffer = io.BytesIO()
        np.save(buffer, grid, allow_pickle=False)
        (folder / mask.grid).write_bytes(buffer.getvalue())
        cells = np.flatnonzero(self._states.regions(turn).edit).astype(np.int32)
        (folder / mask.mesh).write_bytes(write_plain_glb(*redraw_cells(cells, frame)))
        (folder / mask.picture).write_bytes(encode_png(self._draw(turn)))
        return mask

    def _draw(self, turn: int) -> NDArray[np.uint8]:
        """The region in the conditioning view: (H, W) uint8."""
        before, after = (
            build_scene(self._pieces.of(number, self._states.states[number])) for number in (turn - 1, turn)
        )
        slot = self._states.chain.turns[turn - 1].operation.slot
        region = find_edit_region(
            before, after, {slot}, self._camera, self._size, supersample=SUPERSAMPLE, dilate_px=DILATE_PX
        )
        return np.where(region.dilated, np.uint8(INSIDE), np.uint8(0))


def crop_to_frame(grid: Grid) -> Grid:
    """The 64 cells of the frame of a work array: no edit region of a chain's own frame reaches beyond."""
    inner = slice(MARGIN_CELLS, MARGIN_CELLS + FRAME_CELLS)
    return np.ascontiguousarray(grid[inner, inner, inner])


def cells_from_world(frame: ChainFrame) -> Matrix4:
    """World coordinates to cells of a frame: (x - c) / h + the middle."""
    scale = 1.0 / frame.pitch
    x, y, z = (frame.center_cell - place * scale for place in frame.center)
    return (scale, 0.0, 0.0, x, 0.0, scale, 0.0, y, 0.0, 0.0, scale, z, 0.0, 0.0, 0.0, 1.0)
