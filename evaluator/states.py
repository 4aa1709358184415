"""The ground truth of one chain in space: soups, cells and regions of its states, each made once."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np

from chains.state import Piece, State, states_of
from engine.assemble import naming
from engine.gltf.compose import compose_state
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.replay import Replayer
from evaluator.lattice import (
    Cells,
    ChainFrame,
    Soup,
    fill_grid,
    measure_chain_frame,
    measure_soup_box,
    voxelise,
)
from evaluator.protocol import VoxelOptions
from evaluator.regions import TruthCells, find_truth_cells, named_slots_of
from schemas.base import Sha256
from schemas.chain import Chain
from schemas.codec import digest

PieceKey = tuple[object, ...]


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
        self._path = path
        self._soups: dict[PieceKey, Soup] = {}
        self._cells: dict[PieceKey, Cells] = {}
        self._regions: dict[int, TruthCells] = {}

    @cached_property
    def frame(self) -> ChainFrame:
        """The one frame of the chain, around all its states."""
        stood = [(turn, piece) for turn, state in enumerate(self.states) for piece in state.pieces]
        boxes = [measure_soup_box(self._soup(turn, piece)) for turn, piece in stood]
        return measure_chain_frame(boxes, self._voxel.frame)

    def soup(self, turn: int) -> Soup:
        """All triangles of the state after a turn, world coordinates."""
        soups = [self._soup(turn, piece) for piece in self.states[turn].pieces]
        starts = np.cumsum([0, *(len(vertices) for vertices, _ in soups[:-1])])
        vertices = np.concatenate([vertices for vertices, _ in soups])
        return vertices, np.concatenate([faces + start for (_, faces), start in zip(soups, starts, strict=True)])

    def cells(self, turn: int) -> dict[str, Cells]:
        """The cells of each piece after a turn, by slot."""
        return {piece.slot: self._piece_cells(turn, piece) for piece in self.states[turn].pieces}

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

    def _soup(self, turn: int, piece: Piece) -> Soup:
        key = (piece.parts, piece.world_from_part)
        if key not in self._soups:
            # Read back from the file it makes: whoever delivers that file delivers these very numbers.
            bare = piece.model_copy(update={"texture": None})
            with naming(f"{self._path}: turn {turn}: slot {piece.slot!r}"):
                data = compose_state((self.replayer.assembler.compose_piece(bare),))
                self._soups[key] = read_part(read_document(self._path, data=data), None).merged()
        return self._soups[key]

    def _piece_cells(self, turn: int, piece: Piece) -> Cells:
        key = (piece.parts, piece.world_from_part)
        if key not in self._cells:
            self._cells[key] = voxelise(self._soup(turn, piece), self.frame)
        return self._cells[key]
