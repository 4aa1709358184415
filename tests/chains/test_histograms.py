"""Histograms."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chains.histograms import MOST_BINS, count_shares, count_whole
from schemas.report import Bin, Histogram, Spread


@given(st.lists(st.integers(0, 5000), min_size=1))
def test_whole_numbers_lie_in_the_bins_they_belong_to(values: list[int]) -> None:
    """Equal adjoining bins that hold every value, counted one by one; few enough to be drawn."""
    found = count_whole(values)
    assert [row.count for row in found.bins] == [
        sum(row.low <= value < row.high for value in values) for row in found.bins
    ]
    assert sum(row.count for row in found.bins) == found.values == len(values)
    assert all(one.high == other.low for one, other in pairwise(found.bins))
    assert len({row.high - row.low for row in found.bins}) == 1
    assert len(found.bins) <= MOST_BINS + 1
    assert found.bins[0].count and found.bins[-1].count  # noqa: PT018  # one claim: nothing empty at either end


def test_few_numbers_get_a_bin_each() -> None:
    """Lengths of chains from 3 to 6 are four columns."""
    found = count_whole([3, 3, 6])
    assert found.bins == (
        Bin(low=3, high=4, count=2),
        Bin(low=4, high=5, count=0),
        Bin(low=5, high=6, count=0),
        Bin(low=6, high=7, count=1),
    )
    assert found.spread == Spread(min=3, median=3, max=6)


@given(st.lists(st.floats(0.0, 1.0), min_size=1))
def test_shares_lie_in_the_bins_they_belong_to(values: list[float]) -> None:
    """Every share is counted once; 1 belongs to the last bin."""
    found = count_shares(values, unrecorded=2)
    expected = [sum(row.low <= v < row.high or v == 1.0 == row.high for v in values) for row in found.bins]
    assert [row.count for row in found.bins] == expected
    assert sum(expected) == len(values)
    assert found.unrecorded == 2


def test_nothing_has_no_bins() -> None:
    """Without values there is no spread and no bin."""
    assert count_whole([]) == Histogram(values=0, spread=None, bins=())
    assert count_shares([], 3) == Histogram(values=0, unrecorded=3, spread=None, bins=())
