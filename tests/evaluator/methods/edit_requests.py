"""Requests as a method finds them in its folder, laid out without a runner."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.cells.lattice import ChainFrame, Grid
from engine.gltf.unnamed import strip_names
from evaluator.protocol import VoxelOptions
from evaluator.rollout.contract import TurnInput
from evaluator.rollout.mask import cells_from_world, crop_to_frame
from evaluator.states import ChainStates
from schemas.method import INPUT_FILE, MASK_GRID_FILE, Access, EditMask, EditRequest
from schemas.operation import OpName


class ChainRequests:
    """The requests of one chain; ask for turns in order."""

    def __init__(self, path: Path, library: Path, folder: Path) -> None:
        self.states = ChainStates(path, library, VoxelOptions())
        self._folder = folder

    def true_state(self, turn: int) -> bytes:
        """The true state after a turn as a method sees it: without names."""
        return strip_names(self.states.replayer.turn(turn).glb)

    def give(self, turn: int, state: bytes, access: tuple[Access, ...]) -> TurnInput:
        """The request to edit `state` as a turn says, in a folder of its own. Cameras and pictures are left out."""
        entry = self.states.chain.turns[turn - 1]
        return lay_request(
            self._folder / f"turn_{turn:03d}",
            state,
            instruction=entry.instruction,
            operation=entry.operation.op if "operation" in access else None,
            region=(self.states.regions(turn).edit, self.states.frame) if "edit_mask" in access else None,
        )


def lay_request(
    folder: Path,
    state: bytes,
    *,
    instruction: str = "Do something.",
    operation: OpName | None = None,
    region: tuple[Grid, ChainFrame] | None = None,
) -> TurnInput:
    """A request in a folder; of the edit mask, a grid (96, 96, 96) bool and its frame, only `mask.npy` is written."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / INPUT_FILE).write_bytes(state)
    mask = None
    if region is not None:
        grid, frame = region
        np.save(folder / MASK_GRID_FILE, crop_to_frame(grid), allow_pickle=False)
        mask = EditMask(cells_from_world=cells_from_world(frame))
    return TurnInput(folder, EditRequest(instruction=instruction, operation=operation, edit_mask=mask))
