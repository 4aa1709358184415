"""Requests on scenes made of boxes: a state, a mask around the boxes that an edit is about, and what comes back."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.cells.lattice import ChainFrame, Grid, Soup, fill_grid, voxelise
from engine.geometry.similarity import similarity
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from evaluator.regions import dilate_cells
from evaluator.rollout.contract import TurnInput
from schemas.method import MASK_GRID_FILE, EditMask, EditRequest
from schemas.operation import OpName
from tests.box_library import Box, make_boxes

FRAME = ChainFrame((0.8, 0.75, 0.5), 2.0)
"""Holds the table and what stands on it or beside it."""


def ask(folder: Path, state: bytes, operation: OpName, instruction: str, *boxes: Box) -> TurnInput:
    """Write a request into `folder`: the mask holds the cells of `boxes`, grown by one."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "input.glb").write_bytes(state)
    np.save(folder / MASK_GRID_FILE, grow(*boxes)[16:80, 16:80, 16:80])
    origin = 31.5 - np.array(FRAME.center) / FRAME.pitch
    matrix = similarity(1.0 / FRAME.pitch, np.eye(3), origin)
    mask = EditMask(cells_from_world=tuple(matrix.reshape(-1).tolist()))
    return TurnInput(folder, EditRequest(instruction=instruction, operation=operation, edit_mask=mask))


def soup_of(state: bytes) -> Soup:
    """All triangles of a state file."""
    return read_part(read_document(Path("state.glb"), data=state), None).merged()


def cells_of(state: bytes) -> Grid:
    """The cells of a state file."""
    return fill_grid([voxelise(soup_of(state), FRAME)])


def grow(*boxes: Box) -> Grid:
    """The cells of boxes, grown by one."""
    return dilate_cells(cells_of(make_boxes(boxes)))
