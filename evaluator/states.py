"""The ground truth of one chain in space: soups, cells and regions of its states, each made once."""

from __future__ import annotations

from pathlib import Path

from chains.state import State, states_of
from engine.cells.lattice import Cells, ChainFrame, Soup, fill_grid
from engine.cells.pieces import PieceCells
from engine.replay import Replayer
from evaluator.protocol import VoxelOptions
from evaluator.regions import TruthCells, find_truth_cells, named_slots_of
from schemas.base import Sha256
from schemas.chain import Chain
from schemas.codec import digest


class ChainStates:
    """Soups, cells and regions of the ground-truth states of one chain file.

    Geometry comes from the parts by the log, as in replay; looks play no role here. Ask for turns in order: the regions
    of a turn need those before it, and what only earlier turns needed is dropped. Raises what Replayer raises, and
    ReplayError when a state is not the logged one.
    """

    def __init__(self, path: Path, library: Path, voxel: VoxelOptions) -> None:
        self.replayer = Replayer(path, library)
        self.chain: Chain = self.replayer.chain
        self.chain_sha256: Sha256 = digest(self.chain)
        self._voxel = voxel
        self.states: tuple[State, ...] = tuple(state for _, state in states_of(self.chain))
        for turn, state in enumerate(self.states):
            self.replayer.check_state(turn, state)
        self._pieces = PieceCells(self.replayer.assembler, self.states, str(path), voxel.frame)
        self._regions: dict[int, TruthCells] = {}

    @property
    def frame(self) -> ChainFrame:
        """The one frame of the chain, around all its states."""
        return self._pieces.frame

    def soup(self, turn: int) -> Soup:
        """All triangles of the state after a turn, world coordinates."""
        return self._pieces.soup(turn)

    def cells(self, turn: int) -> dict[str, Cells]:
        """The cells of each piece after a turn, by slot."""
        return self._pieces.cells(turn)

    def regions(self, turn: int) -> TruthCells:
        """Targets and regions of a turn, from 1, as grids."""
        for number in range(max(self._regions, default=0) + 1, turn + 1):
            earlier = self._regions.get(number - 1)
            self._regions[number] = find_truth_cells(
                self.cells(number - 1),
                self.cells(number),
                named_slots_of(self.chain.turns[number - 1].operation),
                earlier.initial if earlier else fill_grid(self.cells(0).values()),
                earlier.edited if earlier else None,
                self._voxel.dilate,
            )
            # A turn needs the regions of the one before it, no others: each is seven grids of a megabyte.
            self._regions.pop(number - 2, None)
        return self._regions[turn]
