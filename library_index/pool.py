"""Worker processes for independent units: a dying worker costs its unit, which is tried once more and then reported."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic, TypeVar

from schemas.errors import EngineError, WorkerError

U = TypeVar("U")
R = TypeVar("R")
ATTEMPTS = 2
"""A unit whose worker died is given to a fresh worker once."""


@dataclass(frozen=True, slots=True)
class UnitResult(Generic[R]):
    """What became of one unit: its value, the error it raised, or why its workers died."""

    index: int
    value: R | None
    failure: str | None
    error: EngineError | None = None


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    connection: Connection
    unit: int | None = None
    started: float = 0.0


def own_processes(workers: int) -> int:
    """How many processes to start for `workers` at work: none for one, since this process can do it."""
    return 0 if workers <= 1 else workers


class WorkerPool(Generic[U, R]):
    """Processes that answer units of one task and stay for several runs. They end with this process, however it ends.

    `task` and the units must be picklable; `size` 0 runs them in this process.
    """

    def __init__(self, task: Callable[[U], R], size: int, *, unit_limit_s: float = 900.0) -> None:
        self._task = task
        self._size = size
        self._limit_s = unit_limit_s
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        self._units: Sequence[U] = ()
        self._waiting: deque[int] = deque()
        self._attempts: list[int] = []

    def __enter__(self) -> WorkerPool[U, R]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the workers; a run that is under way ends."""
        self._waiting.clear()
        for worker in self._workers:
            worker.process.kill()
            worker.process.join()
            worker.connection.close()
        self._workers.clear()

    def run(self, units: Sequence[U]) -> Generator[UnitResult[R]]:
        """Yield a result per unit, in order of completion. Raises only when no worker can be started."""
        if self._size <= 0:
            for index, unit in enumerate(units):
                value, error = answer_unit(self._task, unit)
                yield UnitResult(index, value, None, error)
            return
        self._units = units
        self._waiting = deque(range(len(units)))
        self._attempts = [0] * len(units)
        while len(self._workers) < min(self._size, len(units)):
            self._workers.append(self._start())
        try:
            while self._waiting or any(worker.unit is not None for worker in self._workers):
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

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._task), daemon=True)
        # a worker must not hear Ctrl-C: this process ends it. The blocked signal is inherited
        resource_tracker.ensure_running()  # its own start would unblock the signal again
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        return _Worker(process, ours)

    def _feed(self) -> None:
        for place, worker in enumerate(self._workers):
            while worker.unit is None and self._waiting:
                index = self._waiting[0]
                try:
                    worker.connection.send(self._units[index])
                except (BrokenPipeError, ConnectionResetError):
                    worker = self._replace(place)  # noqa: PLW2901  # it died while idle
                    continue
                self._waiting.popleft()
                self._attempts[index] += 1
                worker.unit, worker.started = index, time.monotonic()

    def _collect(self) -> Iterator[UnitResult[R]]:
        busy = {worker.connection: place for place, worker in enumerate(self._workers) if worker.unit is not None}
        for connection in wait(list(busy), timeout=0.5):
            assert isinstance(connection, Connection)  # noqa: S101  # only our pipes were passed in
            worker = self._workers[busy[connection]]
            try:
                value, error = connection.recv()
            except (EOFError, ConnectionResetError):
                worker.process.join()
                yield from self._lose(busy[connection], f"its worker died (exit code {worker.process.exitcode})")
                continue
            index, worker.unit = worker.unit, None
            if index is not None:
                yield UnitResult(index, value, None, error)
        for place, worker in enumerate(self._workers):
            if worker.unit is not None and time.monotonic() - worker.started > self._limit_s:
                yield from self._lose(place, f"took longer than {self._limit_s:g} s")

    def _lose(self, place: int, reason: str) -> Iterator[UnitResult[R]]:
        """Give the unit of a lost worker to a new one, or report it."""
        index = self._workers[place].unit
        self._replace(place)
        if index is None:
            return
        if self._attempts[index] < ATTEMPTS:
            self._waiting.append(index)
        else:
            yield UnitResult(index, None, f"{reason}, {ATTEMPTS} times")

    def _replace(self, place: int) -> _Worker:
        old = self._workers[place]
        old.process.kill()
        old.process.join()
        old.connection.close()
        self._workers[place] = self._start()
        return self._workers[place]


def answer_unit(task: Callable[[U], R], unit: U) -> tuple[R | None, EngineError | None]:
    """The value of one unit, or the error it raised; whatever else it raises passes through."""
    try:
        return task(unit), None
    except EngineError as error:
        return None, error


def put_in_order(results: Generator[UnitResult[R]], units: Sequence[U]) -> Iterator[R]:
    """Yield the values of results that come in any order in the order of their units.

    Raises the error a unit raised, and WorkerError, which names the unit, when it has neither value nor error. However
    it ends, `results` are closed first: their workers are free for another run.
    """
    for result in order_results(results, units):
        yield _value_of(result, units[result.index])


def order_results(results: Generator[UnitResult[R]], units: Sequence[U]) -> Generator[UnitResult[R]]:
    """Yield results that come in any order in the order of their units, and close them however it ends.

    Raises WorkerError, which names the unit, for one without a result.
    """
    early: dict[int, UnitResult[R]] = {}
    following = 0
    with closing(results):
        for result in results:
            early[result.index] = result
            while following in early:
                yield early.pop(following)
                following += 1
    if following < len(units):
        raise WorkerError(f"{units[following]!s:.200}: was given up: the workers were ended during the run")


def _value_of(result: UnitResult[R], unit: object) -> R:
    if result.error is not None:
        raise result.error
    if result.failure is not None:
        raise WorkerError(f"{unit!s:.200}: {result.failure}")
    return result.value  # type: ignore[return-value]  # neither error nor failure: the task's own value


def _serve(connection: Connection, task: Callable[[U], R]) -> None:
    """Answer units until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            unit = connection.recv()
        except (EOFError, ConnectionResetError):
            return
        answer = answer_unit(task, unit)
        try:
            connection.send(answer)
        except BrokenPipeError:
            return


def _end_with_parent() -> None:
    """End this process when its parent has ended, also in the middle of a unit."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
