"""Sums, means and medians over scores, some of which are undefined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from schemas.score import Measure, Undefined


def number_of(value: Measure) -> float | None:
    """The score as a finite number; None where it is undefined or without bound."""
    return None if isinstance(value, Undefined | str) else float(value)


def list_numbers(values: Sequence[Measure]) -> list[float]:
    """The finite scores, in their order."""
    return [number for number in map(number_of, values) if number is not None]


def mean_of(values: Sequence[Measure], what: str = "value") -> Measure:
    """Mean of the finite scores, their sum rounded once; undefined when there is none."""
    numbers = list_numbers(values)
    if not numbers:
        return Undefined(reason=f"none of {len(values)} cases has a {what}" if values else f"no {what} at all")
    return math.fsum(numbers) / len(numbers)


def median_of(values: Sequence[Measure], what: str = "value") -> Measure:
    """Median of the finite scores; undefined when there is none."""
    numbers = list_numbers(values)
    if not numbers:
        return Undefined(reason=f"none of {len(values)} cases has a {what}" if values else f"no {what} at all")
    return float(median(numbers))
