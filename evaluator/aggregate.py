"""Means over turns, with what they leave out, and their intervals.

A mean is over the turns that have a number; what is undefined or infinite is counted beside it and never enters as 0 or
1. Intervals resample hosts, not turns: chains on one host are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.seeds import generator_for
from schemas.score import Measure, Undefined

RESAMPLES = 10_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Sample:
    """The measured value of one turn and the host it was measured on."""

    host: str
    value: Measure


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and how many turns stand behind it."""

    value: float | None
    """None when no turn has a finite number."""
    n: int
    """Turns with a finite number."""
    undefined: int
    infinite: int
    """Turns whose value is `inf`: two images that are the same."""
    low: float | None = None
    """Ends of the 95 % interval; None without one."""
    high: float | None = None


def is_finite(value: Measure) -> bool:
    """Whether a value is a number."""
    return not isinstance(value, Undefined | str)


def measure_mean(samples: Iterable[Sample], *, interval_seed: int | None = None) -> Mean:
    """The mean of all finite values, rounded once; with `interval_seed` its interval over hosts as well."""
    rows = list(samples)
    finite = [(row.host, float(row.value)) for row in rows if not isinstance(row.value, Undefined | str)]
    undefined = sum(isinstance(row.value, Undefined) for row in rows)
    infinite = len(rows) - len(finite) - undefined
    if not finite:
        return Mean(None, 0, undefined, infinite)
    value = math.fsum(number for _, number in finite) / len(finite)
    if interval_seed is None:
        return Mean(value, len(finite), undefined, infinite)
    low, high = measure_interval(finite, interval_seed)
    return Mean(value, len(finite), undefined, infinite, low, high)


def measure_interval(
    rows: Sequence[tuple[str, float]], seed: int, resamples: int = RESAMPLES, level: float = LEVEL
) -> tuple[float, float]:
    """Ends of the percentile interval of a mean over turns, hosts drawn anew with all their turns.

    `rows` are (host, value), at least one. With a single host the interval is the mean itself.
    """
    hosts = sorted({host for host, _ in rows})
    sums = np.array([math.fsum(value for name, value in rows if name == host) for host in hosts])
    counts = np.array([sum(name == host for name, _ in rows) for host in hosts], dtype=np.int64)
    drawn = generator_for(seed, "bootstrap", str(len(hosts))).integers(0, len(hosts), size=(resamples, len(hosts)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    tail = 0.5 * (1.0 - level)
    low, high = np.quantile(means, [tail, 1.0 - tail])
    return float(low), float(high)


def pair_differences(one: Iterable[tuple[object, Sample]], other: Iterable[tuple[object, Sample]]) -> list[Sample]:
    """`one` - `other` for every key (a chain's turn) that both have a number for, in the order of `one`."""
    theirs = {key: sample for key, sample in other if is_finite(sample.value)}
    return [
        Sample(sample.host, float(sample.value) - float(theirs[key].value))  # type: ignore[arg-type]  # both are finite
        for key, sample in one
        if is_finite(sample.value) and key in theirs
    ]
