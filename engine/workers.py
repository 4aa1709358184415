"""Work split into independent units over worker processes.

A unit's result depends only on its arguments, results come back in the order of the units, and a worker that dies
costs its unit one retry and then the run an error that names the unit.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Generic, TypeVar

from schemas.errors import WorkerError

U = TypeVar("U")
R = TypeVar("R")


class Pool(Generic[U, R]):
    """Runs `function(unit)` for many units: in this process when `workers` is 1, else in spawned ones."""

    def __init__(self, function: Callable[[U], R], workers: int) -> None:
        self._function = function
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Pool[U, R]:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def run(self, units: Sequence[U]) -> Iterator[R]:
        """Results in the order of `units`. Raises WorkerError when a unit kills its worker twice."""
        if self._workers == 1:
            yield from map(self._function, units)
            return
        futures = [self._submit(unit) for unit in units]
        for unit, future in zip(units, futures, strict=True):
            try:
                yield future.result()
            except BrokenProcessPool:
                yield self._again(unit)

    def _again(self, unit: U) -> R:
        """One more try of one unit, alone in a new worker."""
        self._executor = None
        try:
            return self._submit(unit).result()
        except BrokenProcessPool as error:
            self._executor = None
            raise WorkerError(f"a worker died twice on {unit!r:.200}") from error

    def _submit(self, unit: U) -> Future[R]:
        if self._executor is None:
            self._executor = ProcessPoolExecutor(self._workers, mp_context=multiprocessing.get_context("spawn"))
        try:
            return self._executor.submit(self._function, unit)
        except BrokenProcessPool:
            self._executor = ProcessPoolExecutor(self._workers, mp_context=multiprocessing.get_context("spawn"))
            return self._executor.submit(self._function, unit)
