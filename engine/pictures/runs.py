"""Rendering many states: runs of turns over worker processes, resumable, one bad state costing itself alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chains.files import read_chain
from chains.storage import make_folder, writer_lock
from engine.pictures.states import PictureChoice, StatePainter
from engine.render.cycles.client import CyclesRenderer, WorkerLimits
from engine.render.cycles.worker_process import find_bpy
from library_index.executors import LOCAL, ExecutorChoice, Pool, open_pool
from library_index.library import open_library
from library_index.pool import UnitResult
from schemas.errors import EngineError, InputError, WorkerError

RUN_STATES = 8
"""States one process draws in a row: enough that most are drawn as a change of the one before."""
SPARE_S = 120.0
"""Time for whatever is drawn of a state besides conditioning images."""
SCRATCH = ".engine-scratch"
"""In the folder of pictures: temporary files of Cycles, cleared away before and after every run."""


@dataclass(frozen=True, slots=True)
class StateRun:
    """Some states of one chain file, in order."""

    path: Path
    chain: str
    turns: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.path} turns {self.turns[0]}-{self.turns[-1]}"


@dataclass(frozen=True, slots=True)
class StateFailure:
    """A state that could not be drawn, and why."""

    chain: str
    turn: int
    message: str
    exit_code: int


@dataclass(frozen=True, slots=True)
class DrawnRun:
    """What became of a run."""

    chain: str
    drawn: int
    kept: int
    """States whose pictures were there already."""
    failures: tuple[StateFailure, ...]


@dataclass(frozen=True, slots=True)
class RenderOrder:
    """A whole render."""

    library: Path
    out: Path
    choice: PictureChoice
    turns: tuple[int, ...] | None = None
    """None: all states."""
    workers: int = 1
    executor: ExecutorChoice = LOCAL
    """Where they run."""
    limit_s: float = 600.0
    """For the conditioning images of one state."""
    cycles_threads: int | None = None
    """Of each worker; None: its share of the processors. Changes no pixel."""


def plan_runs(paths: Sequence[Path], turns: tuple[int, ...] | None) -> list[StateRun]:
    """Share the states of chain files out.

    Raises InputError when a chain has none of the turns, or two files hold chains of one name: they would draw over
    each other.
    """
    runs: list[StateRun] = []
    known: dict[str, Path] = {}
    for path in paths:
        chain = read_chain(path)
        if chain.id in known:
            raise InputError(f"{path}: {chain.id} is also the chain of {known[chain.id]}")
        known[chain.id] = path
        every = range(len(chain.turns) + 1)
        asked = tuple(every) if turns is None else tuple(turn for turn in turns if turn in every)
        if not asked:
            raise InputError(f"{path}: has turns 0 to {len(chain.turns)}, none of those asked for")
        starts = range(0, len(asked), RUN_STATES)
        runs.extend(StateRun(path, chain.id, asked[start : start + RUN_STATES]) for start in starts)
    return runs


def render_runs(runs: Sequence[StateRun], order: RenderOrder) -> Iterator[DrawnRun]:
    """Draw runs into the order's folder, over its workers; yield what became of each, in order of completion.

    What is there already, drawn of the same states with the same settings, stays. The states of a run whose worker died
    twice or was late are tried one by one. Raises LockedError when another process writes there, OutputError when
    nobody can, InputError without an index, and MissingExtraError where Cycles is asked for and not installed.
    """
    open_library(order.library)
    drawn_by_cycles = "conditioning" in order.choice.kinds
    if drawn_by_cycles:
        find_bpy()
    with writer_lock(order.out):
        shutil.rmtree(order.out / SCRATCH, ignore_errors=True)
        make_folder(order.out / SCRATCH)
        limit_s = (SPARE_S + (order.limit_s if drawn_by_cycles else 0.0)) * RUN_STATES
        try:
            task = partial(_draw_run, order=order)
            with open_pool(task, order.executor, order.workers, unit_limit_s=limit_s) as pool:
                yield from draw_all(pool, runs)
        finally:
            _CYCLES.close()
            shutil.rmtree(order.out / SCRATCH, ignore_errors=True)


def draw_all(pool: Pool[StateRun, DrawnRun], runs: Sequence[StateRun]) -> Iterator[DrawnRun]:
    """Draw runs, and once more state by state those whose workers died or were late."""
    lost: list[StateRun] = []
    for result in pool.run(runs):
        run = runs[result.index]
        if result.value is not None:
            yield result.value
        elif result.error is None and len(run.turns) > 1:
            lost.extend(StateRun(run.path, run.chain, (turn,)) for turn in run.turns)
        else:
            yield _give_up(run, result)
    if lost:
        yield from draw_all(pool, lost)


def _give_up(run: StateRun, result: UnitResult[DrawnRun]) -> DrawnRun:
    """A run that could not be begun, or a state whose worker died twice."""
    if result.error is not None:
        message, code = str(result.error), result.error.exit_code
    else:
        message, code = f"{run}: {result.failure}", WorkerError.exit_code
    return DrawnRun(run.chain, 0, 0, tuple(StateFailure(run.chain, turn, message, code) for turn in run.turns))


class _CyclesOfProcess:
    """The renderer that this process keeps for all its runs of one order."""

    def __init__(self) -> None:
        self._order: RenderOrder | None = None
        self._renderer: CyclesRenderer | None = None

    def open(self, order: RenderOrder) -> CyclesRenderer:
        """The renderer of an order; its threads are a worker's share of the processors."""
        if self._renderer is None or self._order != order:
            self.close()
            threads = order.cycles_threads or max(1, len(os.sched_getaffinity(0)) // max(1, order.workers))
            limits = WorkerLimits(threads=threads, state_s=order.limit_s)
            self._renderer = CyclesRenderer(order.choice.conditioning, limits, folder=order.out / SCRATCH)
            self._order = order
        return self._renderer

    def close(self) -> None:
        """End it, if there is one; a renderer of a worker process ends with that."""
        if self._renderer is not None:
            self._renderer.close()
        self._renderer = self._order = None


_CYCLES = _CyclesOfProcess()


def _draw_run(run: StateRun, order: RenderOrder) -> DrawnRun:
    cycles = _CYCLES.open(order) if "conditioning" in order.choice.kinds else None
    painter = StatePainter(run.path, order.library, order.out, order.choice, cycles)
    drawn, failures = 0, []
    wanted = [turn for turn in run.turns if not painter.is_drawn(turn)]
    for turn in wanted:
        try:
            painter.draw(turn)
            drawn += 1
        except EngineError as error:
            failures.append(StateFailure(run.chain, turn, str(error), error.exit_code))
    return DrawnRun(run.chain, drawn, len(run.turns) - len(wanted), tuple(failures))
