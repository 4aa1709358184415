"""Workers of a Ray cluster for independent units, with the promises of `library_index.pool`."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from library_index.pool import ATTEMPTS, UnitResult, put_in_order
from library_index.ray_session import RaySession, find_ray
from library_index.ray_worker import RayWorker, describe_home
from schemas.errors import WorkerError

U = TypeVar("U")
R = TypeVar("R")
START_LIMIT_S = 300.0
"""How long to wait for the first worker: a busy cluster has to come to it."""
POLL_S = 0.5


@dataclass(slots=True, eq=False)
class _Seat:
    """A place for one worker: an actor, and what it was last asked."""

    actor: Any
    answer: Any
    """Reference to what it is working at; None when it waits for a unit."""
    started: float
    unit: int | None = None
    """None with an answer outstanding: it is still settling in."""


class RayPool(Generic[U, R]):
    """At most `size` workers, on whatever nodes have room, that stay for several runs.

    Without `address` a cluster of our own starts with the first run and ends with `close`. Raises MissingExtraError
    when Ray is not installed.
    """

    def __init__(
        self, task: Callable[[U], R], size: int, *, address: str | None = None, unit_limit_s: float = 900.0
    ) -> None:
        find_ray()
        self._task = task
        self._size = max(1, size)
        self._limit_s = unit_limit_s
        self._session = RaySession(address, self._size)
        self._seats: list[_Seat] = []
        self._units: Sequence[U] = ()
        self._waiting: deque[int] = deque()
        self._attempts: list[int] = []
        self._lost_starts = 0
        """In a row: a cluster where none can start is given up, one that loses nodes is not."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the workers and leave the cluster; a run that is under way ends."""
        self._waiting.clear()
        try:
            for seat in list(self._seats):
                self._drop(seat)
        finally:
            self._seats.clear()
            self._session.close()

    def run(self, units: Sequence[U]) -> Generator[UnitResult[R]]:
        """Yield a result per unit, in order of completion.

        Raises WorkerError when there is no cluster, or none of its nodes can start a worker that works as this process.
        """
        if not units:
            return
        self._session.open()
        self._units = units
        self._waiting = deque(range(len(units)))
        self._attempts = [0] * len(units)
        try:
            while self._waiting or any(seat.unit is not None for seat in self._seats):
                self._feed()
                yield from self._collect()
        except BaseException:
            self.close()
            raise

    def run_in_order(self, units: Sequence[U]) -> Iterator[R]:
        """Yield the value of each unit in the order of the units.

        Raises the error a unit raised, and WorkerError when a unit killed its worker twice or took too long.
        """
        return put_in_order(self.run(units), units)

    def _start(self) -> _Seat:
        import ray
        from ray import cloudpickle

        kind = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(RayWorker)
        actor = kind.options(scheduling_strategy="SPREAD").remote()
        return _Seat(actor, actor.settle.remote(describe_home(), cloudpickle.dumps(self._task)), time.monotonic())

    def _feed(self) -> None:
        """Fill free seats: as many workers as there is work, one unit each."""
        busy = sum(seat.unit is not None for seat in self._seats)
        while len(self._seats) < min(self._size, busy + len(self._waiting)):
            self._seats.append(self._start())
        for seat in self._seats:
            if seat.answer is None and self._waiting:
                seat.unit = self._waiting.popleft()
                self._attempts[seat.unit] += 1
                seat.started = time.monotonic()
                seat.answer = seat.actor.answer.remote(self._units[seat.unit])

    def _collect(self) -> Iterator[UnitResult[R]]:
        import ray

        working = {seat.answer: seat for seat in self._seats if seat.answer is not None}
        done, _ = ray.wait(list(working), num_returns=1, timeout=POLL_S)
        for answer in done:
            yield from self._take(working[answer])
        now = time.monotonic()
        for seat in list(self._seats):
            if seat.unit is not None and now - seat.started > self._limit_s:
                yield from self._lose(seat, f"took longer than {self._limit_s:g} s")
        if all(seat.answer is not None and seat.unit is None for seat in self._seats):
            self._check_starting(now)

    def _take(self, seat: _Seat) -> Iterator[UnitResult[R]]:
        """The result of a seat whose answer is there, or what became of its worker."""
        from ray import get
        from ray.exceptions import RayError, RayTaskError

        try:
            value, error = get(seat.answer)
        except RayTaskError as failed:
            yield from self._lose(seat, f"its worker failed ({failed.cause!r:.300})")
            return
        except RayError as lost:
            detail = "its worker died" if seat.unit is not None else f"{type(lost).__name__}: {lost!s:.300}"
            yield from self._lose(seat, detail)
            return
        index, seat.unit, seat.answer = seat.unit, None, None
        if index is not None:
            yield UnitResult(index, value, None, error)
        elif error is not None:
            raise error
        else:
            self._lost_starts = 0

    def _lose(self, seat: _Seat, reason: str) -> Iterator[UnitResult[R]]:
        """Give the unit of a lost worker to another one, or report it. Raises WorkerError when workers cannot start."""
        index = seat.unit
        self._drop(seat)
        if index is None:
            self._lost_starts += 1
            if self._lost_starts >= ATTEMPTS * self._size:
                raise WorkerError(f"no Ray worker could start: {reason}, {self._lost_starts} times")
        elif self._attempts[index] < ATTEMPTS:
            self._waiting.append(index)
        else:
            yield UnitResult(index, None, f"{reason}, {ATTEMPTS} times")

    def _check_starting(self, now: float) -> None:
        """Raise WorkerError when all workers have been waiting for a place for too long."""
        if self._seats and now - min(seat.started for seat in self._seats) > START_LIMIT_S:
            raise WorkerError(
                f"no Ray worker could start within {START_LIMIT_S:g} s: each needs one free processor of the cluster"
            )

    def _drop(self, seat: _Seat) -> None:
        import ray

        ray.kill(seat.actor)
        self._seats.remove(seat)
