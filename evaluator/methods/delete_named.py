"""The editor that can only remove: it takes away what the turn names and leaves every other state as it is.

The edit mask holds the cells of the named parts, grown by one cell. Shrunk by one cell again it is little more than
those cells: gaps narrower than three cells are filled, nothing else is added. A piece of the state belongs to the
named parts when its own cells lie there. The mask as given would not do: it swallows small neighbours whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from engine.cells.lattice import CELL_FRAME, Cells, Grid, voxelise
from engine.cells.sizes import FRAME_CELLS, MARGIN_CELLS, WORK_CELLS
from engine.geometry.similarity import as_matrix, transform_points
from engine.gltf.document import read_document
from evaluator.methods.loose_pieces import compose_pieces, split_pieces
from evaluator.methods.options import refuse_options
from evaluator.regions import dilate_cells
from evaluator.rollout.contract import TurnInput, TurnOutput
from schemas.errors import InputError
from schemas.method import Access, EditMask

WITHIN: Final = 0.95
"""Share of a piece's cells that the shrunk mask must hold; not 1, for rounding may lift a vertex into the next cell."""
HALF: Final = 0.5
"""Share in the mask as given from which a piece may be taken when none lies within the shrunk one: of a slot whose part
the true chain replaced, this state still holds the old part, which lies roughly there."""


class DeleteNamed:
    """Removes the named parts on removal turns; any other turn, and a removal of what is not there, changes nothing."""

    access: ClassVar[tuple[Access, ...]] = ("operation", "edit_mask")

    def __init__(self, options: Mapping[str, str]) -> None:
        refuse_options("delete-named", options)

    def edit(self, given: TurnInput) -> TurnOutput:
        """Remove what the turn names. Raises InputError without an edit mask, GltfError for a state it cannot read."""
        if given.request.operation != "remove":
            return TurnOutput(given.glb)
        if given.request.edit_mask is None:
            raise InputError("delete-named: the request has no edit mask")
        document = read_document(given.folder / given.request.input, data=given.glb)
        pieces = split_pieces(document)
        cells_from_world = as_matrix(given.request.edit_mask.cells_from_world)
        cells = [voxelise((transform_points(cells_from_world, p.vertices), p.faces), CELL_FRAME) for p in pieces]
        gone = choose_pieces(cells, read_region(given.folder, given.request.edit_mask))
        kept = [piece for index, piece in enumerate(pieces) if index not in gone]
        if not gone or not kept:
            return TurnOutput(given.glb)
        return TurnOutput(compose_pieces(document, kept))


def read_region(folder: Path, mask: EditMask) -> Grid:
    """The mask's cells in the work array (96, 96, 96) bool. Raises InputError for an array of another kind."""
    path = folder / mask.grid
    grid = np.load(path, allow_pickle=False)
    if grid.shape != (FRAME_CELLS,) * 3 or grid.dtype != np.bool_:
        raise InputError(f"{path}: an array {grid.shape} {grid.dtype}, must be ({FRAME_CELLS},) * 3 bool")
    region = np.zeros((WORK_CELLS,) * 3, dtype=np.bool_)
    inside = slice(MARGIN_CELLS, MARGIN_CELLS + FRAME_CELLS)
    region[inside, inside, inside] = grid
    return region


def choose_pieces(cells: Sequence[Cells], region: Grid) -> frozenset[int]:
    """Which pieces, given by their cells, are the named parts: indices; empty when none is.

    region: (96, 96, 96) bool, the named parts grown by one cell.
    """
    shrunk = ~dilate_cells(~region)
    held = [_count(piece, shrunk) for piece in cells]
    gone = frozenset(index for index, piece in enumerate(cells) if len(piece) and held[index] >= WITHIN * len(piece))
    if gone:
        return gone
    near = [index for index, piece in enumerate(cells) if len(piece) and _count(piece, region) >= HALF * len(piece)]
    # Tiny neighbours may lie in the mask whole: what fills most of it is what stands in the named part's place.
    return frozenset(sorted(near, key=lambda index: (-held[index], index))[:1])


def _count(cells: Cells, grid: Grid) -> int:
    """How many of a piece's cells a grid holds."""
    return int(np.count_nonzero(grid.reshape(-1)[cells]))
