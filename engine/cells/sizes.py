"""How large the frame of a chain and the array around it are, in cells."""

from __future__ import annotations

from typing import Final, Literal

FRAME_CELLS: Final = 64
"""Cells along a side of a chain's frame."""
MARGIN_CELLS: Final = 16
"""Cells of the work array on each side of the frame."""
WORK_CELLS: Final = FRAME_CELLS + 2 * MARGIN_CELLS

FrameRule = Literal["padded", "tight"]
"""`padded`: 60.5 cells across the longest side; `tight`: 64, the literal reading."""
