"""Triangles and cells of the pieces of a chain's states, each made once, in the one frame around all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from chains.state import Piece, State
from engine.assemble import Assembler, naming
from engine.cells.lattice import Cells, ChainFrame, Soup, measure_chain_frame, measure_soup_box, voxelise
from engine.cells.sizes import FrameRule
from engine.gltf.compose import compose_state
from engine.gltf.document import read_document
from engine.gltf.parts import read_part

PieceKey = tuple[object, ...]


class PieceCells:
    """Geometry of all states of one chain. Looks play no role: a piece that only changes its look is made once.

    `states[k]` is the state after turn k; `where` names the chain in errors. Raises InputError, PartHashError or
    PartNotFoundError when a part cannot be read.
    """

    def __init__(self, assembler: Assembler, states: Sequence[State], where: str, rule: FrameRule = "padded") -> None:
        self.states = tuple(states)
        self._assembler = assembler
        self._where = where
        self._rule: FrameRule = rule
        self._soups: dict[PieceKey, Soup] = {}
        self._cells: dict[PieceKey, Cells] = {}

    @cached_property
    def frame(self) -> ChainFrame:
        """The one frame of the chain, around all its states."""
        stood = [(turn, piece) for turn, state in enumerate(self.states) for piece in state.pieces]
        return measure_chain_frame([measure_soup_box(self._soup(turn, piece)) for turn, piece in stood], self._rule)

    def soup(self, turn: int) -> Soup:
        """All triangles of the state after a turn, world coordinates."""
        soups = [self._soup(turn, piece) for piece in self.states[turn].pieces]
        starts = np.cumsum([0, *(len(vertices) for vertices, _ in soups[:-1])])
        vertices = np.concatenate([vertices for vertices, _ in soups])
        return vertices, np.concatenate([faces + start for (_, faces), start in zip(soups, starts, strict=True)])

    def cells(self, turn: int) -> dict[str, Cells]:
        """The cells of each piece after a turn, by slot."""
        return {piece.slot: self._piece_cells(turn, piece) for piece in self.states[turn].pieces}

    def _soup(self, turn: int, piece: Piece) -> Soup:
        key = (piece.parts, piece.world_from_part)
        if key not in self._soups:
            # Read back from the file it makes: whoever delivers that file delivers these very numbers.
            bare = piece.model_copy(update={"texture": None})
            with naming(f"{self._where}: turn {turn}: slot {piece.slot!r}"):
                data = compose_state((self._assembler.compose_piece(bare),))
                self._soups[key] = read_part(read_document(Path(self._where), data=data), None).merged()
        return self._soups[key]

    def _piece_cells(self, turn: int, piece: Piece) -> Cells:
        key = (piece.parts, piece.world_from_part)
        if key not in self._cells:
            self._cells[key] = voxelise(self._soup(turn, piece), self.frame)
        return self._cells[key]
