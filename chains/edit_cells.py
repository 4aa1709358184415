"""How many cells of a chain's frame an edit must change to be scored by them, and on which side."""

from __future__ import annotations

from typing import Final, NamedTuple

from schemas.operation import OpName

LEAST_CELLS: Final = 8
"""Fewest cells by which anything is scored: to add, to take away, or to keep within an edit region."""


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
