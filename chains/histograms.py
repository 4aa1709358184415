"""Histograms: whole numbers in equal bins, shares in bins that widen."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from schemas.report import Bin, Histogram, Spread

MOST_BINS = 30
SHARE_EDGES = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
"""Visible change spreads over two decades: equal bins would put nearly all of it into one."""


def measure_spread(values: Sequence[float]) -> Spread | None:
    """Smallest, middle and largest; None without values."""
    return Spread(min=min(values), median=median(values), max=max(values)) if values else None


def count_whole(values: Sequence[int]) -> Histogram:
    """Whole numbers from the smallest to the largest, at most thirty bins of 1, 2, 5, 10, 20, ... numbers each."""
    if not values:
        return Histogram(values=0, spread=None, bins=())
    width = _bin_width(max(values) - min(values) + 1)
    first = min(values) // width * width
    edges = [float(edge) for edge in range(first, max(values) + width + 1, width)]
    return Histogram(values=len(values), spread=measure_spread(values), bins=_fill(values, edges))


def count_shares(values: Sequence[float], unrecorded: int = 0) -> Histogram:
    """Shares between 0 and 1 in fixed bins; what reaches beyond 1 counts in the last."""
    bins = _fill(values, SHARE_EDGES) if values else ()
    return Histogram(values=len(values), unrecorded=unrecorded, spread=measure_spread(values), bins=bins)


def _bin_width(numbers: int) -> int:
    decade = 1
    while True:
        for step in (1, 2, 5):
            if numbers <= step * decade * MOST_BINS:
                return step * decade
        decade *= 10


def _fill(values: Sequence[float], edges: Sequence[float]) -> tuple[Bin, ...]:
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[min(max(bisect_right(edges, value) - 1, 0), len(counts) - 1)] += 1
    rows = [Bin(low=low, high=high, count=count) for (low, high), count in zip(pairwise(edges), counts, strict=True)]
    while rows and rows[-1].count == 0:
        rows.pop()
    return tuple(rows)
