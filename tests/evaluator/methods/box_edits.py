"""Requests on scenes made of boxes: a state, a mask around the boxes that an edit is about, and what comes back."""

from __future__ import annotations

from pathlib import Path

from engine.cells.lattice import ChainFrame, Grid, Soup, fill_grid, voxelise
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from evaluator.regions import dilate_cells
from evaluator.rollout.contract import TurnInput
from schemas.operation import OpName
from tests.box_library import Box, make_boxes
from tests.evaluator.methods.edit_requests import lay_request

FRAME = ChainFrame((0.8, 0.75, 0.5), 2.0)
"""Holds the table and what stands on it or beside it."""


def ask(folder: Path, state: bytes, operation: OpName, instruction: str, *boxes: Box) -> TurnInput:
    """Write a request into `folder`: the mask holds the cells of `boxes`, grown by one."""
    return lay_request(folder, state, instruction=instruction, operation=operation, region=(grow(*boxes), FRAME))


def soup_of(state: bytes) -> Soup:
    """All triangles of a state file."""
    return read_part(read_document(Path("state.glb"), data=state), None).merged()


def cells_of(state: bytes) -> Grid:
    """The cells of a state file."""
    return fill_grid([voxelise(soup_of(state), FRAME)])


def grow(*boxes: Box) -> Grid:
    """The cells of boxes, grown by one."""
    return dilate_cells(cells_of(make_boxes(boxes)))
