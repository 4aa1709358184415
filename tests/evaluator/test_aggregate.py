"""Means count what they leave out, and their intervals resample hosts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from evaluator.aggregate import Sample, measure_interval, measure_mean, pair_differences
from schemas.score import Undefined

NOTHING = Undefined(reason="3 cells to add, 8 are needed")


def test_a_mean_is_over_finite_numbers_and_counts_the_rest() -> None:
    """Undefined and infinite values are counted, not averaged in."""
    mean = measure_mean([Sample("a", value) for value in (0.25, NOTHING, "inf", 0.75, 0.5, NOTHING)])
    assert (mean.value, mean.n, mean.undefined, mean.infinite) == (0.5, 3, 2, 1)
    none = measure_mean([Sample("a", NOTHING)])
    assert (none.value, none.n, none.undefined) == (None, 0, 1)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.randoms())
def test_a_mean_does_not_depend_on_the_order_of_turns(values: list[float], order: object) -> None:
    """The sum is rounded once, whatever the order."""
    shuffled = list(values)
    order.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    one, two = (measure_mean([Sample("a", value) for value in row]) for row in (values, shuffled))
    assert one == two
    assert one.value == math.fsum(values) / len(values)


def test_intervals_agree_with_scipy_where_every_host_has_one_turn() -> None:
    """With one turn a host it is the usual percentile bootstrap."""
    values = np.random.default_rng(5).random(40)
    low, high = measure_interval([(f"h{k}", float(value)) for k, value in enumerate(values)], 3)
    other = bootstrap(
        (values,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(8)
    ).confidence_interval
    assert low == pytest.approx(other.low, abs=0.006)
    assert high == pytest.approx(other.high, abs=0.006)


def test_turns_of_one_host_are_not_independent() -> None:
    """Four copies of every turn leave the interval as it is; four times as many hosts narrow it to about half."""
    generator = np.random.default_rng(11)
    values = [float(value) for value in generator.random(30)]
    rows = [(f"h{k}", value) for k, value in enumerate(values)]
    low, high = measure_interval(rows, 1)
    copied = measure_interval([row for row in rows for _ in range(4)], 1)
    assert copied == pytest.approx((low, high), abs=1e-12)
    more = measure_interval([(f"{host}{k}", value) for host, value in rows for k in range(4)], 1)
    assert 0.4 < (more[1] - more[0]) / (high - low) < 0.6
    assert measure_interval([("only", 0.25), ("only", 0.75)], 1) == (0.5, 0.5)


def test_the_same_seed_gives_the_same_interval_and_another_another() -> None:
    """Intervals are repeatable to the last bit."""
    rows = [(f"h{k}", float(value)) for k, value in enumerate(np.random.default_rng(2).random(25))]
    assert measure_interval(rows, 4) == measure_interval(rows, 4)
    assert measure_interval(rows, 4) != measure_interval(rows, 5)


def test_pairs_are_turns_that_both_have() -> None:
    """A turn that one of the two leaves undefined is in no difference."""
    one = [(("c", 1), Sample("a", 0.5)), (("c", 2), Sample("a", NOTHING)), (("d", 1), Sample("b", 1.0))]
    other = [(("c", 1), Sample("a", 0.25)), (("c", 2), Sample("a", 0.5)), (("d", 1), Sample("b", "inf"))]
    assert pair_differences(one, other) == [Sample("a", 0.25)]
