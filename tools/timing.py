"""Two ways of doing a job, timed in turn: medians and their ratio are what counts, milliseconds belong to a machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from library_index.pool import WorkerPool, own_processes

Job = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: seconds of ours and of the other way, and what the ratio means."""

    name: str
    ours: list[float]
    other: list[float] | None
    target: str

    def document(self) -> dict[str, object]:
        """Medians in milliseconds, the ratio, the target."""
        ours = statistics.median(self.ours) * 1e3
        other = statistics.median(self.other) * 1e3 if self.other else None
        return {
            "job": self.name,
            "ours_ms": round(ours, 3),
            "p90_ms": round(float(np.quantile(self.ours, 0.9)) * 1e3, 3),
            "other_ms": round(other, 3) if other is not None else None,
            "ours_over_other": round(ours / other, 4) if other else None,
            "runs": len(self.ours),
            "target": self.target,
        }


def alternate(ours: Job, other: Job | None, runs: int) -> tuple[list[float], list[float] | None]:
    """Time both jobs in turn, after one untimed run of each."""
    ours()
    if other:
        other()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for job, bucket in ((ours, times[0]), (other, times[1])):
            if job is None:
                continue
            start = time.perf_counter()
            job()
            bucket.append(time.perf_counter() - start)
    return times[0], times[1] if other else None


def spin(seconds_of_work: float) -> float:
    """A fixed amount of arithmetic."""
    total = 0.0
    for step in range(int(seconds_of_work * 12_000_000)):
        total += step * 0.5
    return total


def time_spin(workers: int) -> float:
    """Seconds in which worker processes do eight shares of pure arithmetic: what the machine gives so many of them."""
    start = time.perf_counter()
    with WorkerPool(spin, own_processes(workers)) as pool:
        list(pool.run_in_order([1.0] * 8))
    return time.perf_counter() - start
