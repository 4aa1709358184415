"""The pieces of a chain's states as pictures want them: each prepared once, however long it stays."""

from __future__ import annotations

from chains.state import State
from engine.assemble import Assembler, naming
from engine.geometry.similarity import as_matrix
from engine.render.scene import RenderPiece


class StatePieces:
    """Render pieces of the states of one chain; a piece that stays is the same object, so that it is prepared once.

    One piece a slot, with the look it has in that state.
    """

    def __init__(self, assembler: Assembler, where: str) -> None:
        self._assembler = assembler
        self._where = where
        self._known: dict[tuple[object, ...], RenderPiece] = {}

    def of(self, number: int, state: State) -> tuple[RenderPiece, ...]:
        """Pieces of the state after turn `number`. Raises InputError, PartHashError or PartNotFoundError."""
        pieces = []
        for piece in state.pieces:
            key = (piece.slot, piece.parts, piece.world_from_part, piece.texture)
            if key not in self._known:
                with naming(f"{self._where}: turn {number}: slot {piece.slot!r}"):
                    surfaces = self._assembler.shown_surfaces(piece)
                self._known[key] = RenderPiece(piece.slot, surfaces, as_matrix(piece.world_from_part))
            pieces.append(self._known[key])
        return tuple(pieces)
