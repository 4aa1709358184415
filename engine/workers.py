"""Work split into independent units over worker processes, results in the order of the units.

A unit's result depends only on its arguments; a worker that dies costs its unit one retry and then the run an error
that names the unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from library_index.pool import UnitResult, WorkerPool
from schemas.errors import WorkerError

U = TypeVar("U")
R = TypeVar("R")


class Pool(Generic[U, R]):
    """Runs `function(unit)` for many units: in this process when `workers` is 1, else in spawned ones."""

    def __init__(self, function: Callable[[U], R], workers: int) -> None:
        self._function = function
        self._spawned: WorkerPool[U, R] | None = WorkerPool(function, workers) if workers > 1 else None

    def __enter__(self) -> Pool[U, R]:
        return self

    def __exit__(self, *_: object) -> None:
        if self._spawned is not None:
            self._spawned.close()

    def run(self, units: Sequence[U]) -> Iterator[R]:
        """Results in the order of `units`.

        Raises the error a unit raised, and WorkerError when a unit kills its worker twice.
        """
        if self._spawned is None:
            yield from map(self._function, units)
            return
        early: dict[int, UnitResult[R]] = {}
        following = 0
        for result in self._spawned.run(units):
            early[result.index] = result
            while following in early:
                yield _value_of(early.pop(following), units[following])
                following += 1


def _value_of(result: UnitResult[R], unit: object) -> R:
    if result.error is not None:
        raise result.error
    if result.failure is not None:
        raise WorkerError(f"{unit}: {result.failure}")
    return result.value  # type: ignore[return-value]  # neither error nor failure: the function's own value
