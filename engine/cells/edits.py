"""How many cells the turns of a chain change, between their true states."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from chains.state import states_of
from engine.assemble import Assembler
from engine.cells.lattice import Cells, fill_grid
from engine.cells.pieces import PieceCells
from schemas.chain import Chain, EditCells
from schemas.operation import Retexture


def count_edit_cells(before: Mapping[str, Cells], after: Mapping[str, Cells]) -> EditCells:
    """Count the cells that two states, by slot, do not share. What a piece shares with others is never counted."""
    old, new = fill_grid(before.values()), fill_grid(after.values())
    return EditCells(gained=int(np.count_nonzero(new & ~old)), lost=int(np.count_nonzero(old & ~new)))


def count_turn_cells(chain: Chain, assembler: Assembler) -> Chain:
    """The chain with the cells that each of its turns changes, in the frame of all its states.

    Counted anew whatever the turns said; turns that only give a new look have none. Raises InputError, PartHashError
    or PartNotFoundError when a part cannot be read.
    """
    if all(isinstance(turn.operation, Retexture) for turn in chain.turns):
        return _with_cells(chain, [None] * len(chain.turns))
    pieces = PieceCells(assembler, [state for _, state in states_of(chain)], chain.id)
    counts = [
        None
        if isinstance(turn.operation, Retexture)
        else count_edit_cells(pieces.cells(turn.index - 1), pieces.cells(turn.index))
        for turn in chain.turns
    ]
    return _with_cells(chain, counts)


def _with_cells(chain: Chain, counts: list[EditCells | None]) -> Chain:
    turns = [turn.model_copy(update={"cells": cells}) for turn, cells in zip(chain.turns, counts, strict=True)]
    return chain.model_copy(update={"turns": tuple(turns)})
