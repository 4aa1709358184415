"""Which pieces of a state a turn names, told from the edit mask alone.

The edit mask holds the cells of the named parts, grown by one cell. Shrunk by one cell again it is little more than
those cells: gaps narrower than three cells are filled, nothing else is added. A piece of the state belongs to the
named parts when its own cells lie there. The mask as given would not do: it swallows small neighbours whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cells.lattice import Cells
from evaluator.methods.edit_region import EditRegion, count_marked, shrink_cells

WITHIN: Final = 0.95
"""Share of a piece's cells that the shrunk mask must hold; not 1, for rounding may lift a vertex into the next cell."""
HALF: Final = 0.5
"""Share in the mask as given from which a piece may be taken when none lies within the shrunk one: of a slot whose part
the true chain replaced, this state still holds the old part, which lies roughly there."""


def choose_named(pieces: Sequence[Cells], region: EditRegion) -> frozenset[int]:
    """Which pieces, given by their cells, are the named parts: indices; empty when none is."""
    shrunk = shrink_cells(region.inside)
    held = [count_marked(shrunk, cells) for cells in pieces]
    named = frozenset(index for index, cells in enumerate(pieces) if len(cells) and held[index] >= WITHIN * len(cells))
    if named:
        return named
    near = [
        index
        for index, cells in enumerate(pieces)
        if len(cells) and count_marked(region.inside, cells) >= HALF * len(cells)
    ]
    # Tiny neighbours may lie in the mask whole: what fills most of it is what stands in the named part's place.
    return frozenset(sorted(near, key=lambda index: (-held[index], index))[:1])
