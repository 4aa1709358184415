"""How many cells of a chain's frame an edit must change to be scored by them, and on which side."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from schemas.chain import EditCells
from schemas.operation import OpName

LEAST_CELLS: Final = 8
"""Fewest cells by which anything is scored: to add, to take away, or to keep within an edit region."""
ENOUGH_CELLS: Final = 32
"""Cells on each needed side from which the builder does not look for a better edit."""


class NeededSides(NamedTuple):
    """The sides on which an edit is scored."""

    gained: bool
    lost: bool


NEEDED_SIDES: Final[dict[OpName, NeededSides]] = {
    "add": NeededSides(gained=True, lost=False),
    "remove": NeededSides(gained=False, lost=True),
    "replace": NeededSides(gained=True, lost=True),
    "retexture": NeededSides(gained=False, lost=False),
}
"""A look changes no cell."""


Shortage = Literal[0, 1, 2]
"""How few cells an edit changes: 0 enough on every needed side, 1 fewer than that, 2 too few to be scored."""


def find_shortage(operation: OpName, cells: EditCells) -> Shortage:
    """How far an edit falls short of the cells it is scored by, on the needed side that has fewest."""
    needed = [
        count for count, is_needed in zip((cells.gained, cells.lost), NEEDED_SIDES[operation], strict=True) if is_needed
    ]
    fewest = min(needed, default=ENOUGH_CELLS)
    if fewest < LEAST_CELLS:
        return 2
    return 1 if fewest < ENOUGH_CELLS else 0
