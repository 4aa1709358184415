"""Scores: a measured number, or why there is none."""

from __future__ import annotations

from typing import Literal

from schemas.base import Finite, Value


class Undefined(Value):
    """A number that has no meaning here, and why: `4 cells to add, 8 are needed`. Never counted as 0 or 1."""

    reason: str


Measure = Finite | Literal["inf"] | Undefined
"""One score: a number; `inf` where two images are the same and PSNR has no bound; or undefined."""
