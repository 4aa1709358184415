"""Rendering many states: runs of turns over worker processes, resumable, one bad state costing itself alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chains.files import read_chain
from chains.storage import make_folder, writer_lock
from engine.render.cycles.client import CyclesRenderer, WorkerLimits
from engine.render.cycles.worker_process import find_bpy
from engine.state_pictures import PictureChoice, StatePainter
from library_index.library import open_library
from library_index.pool import UnitResult, WorkerPool, own_processes
from schemas.errors import EngineError, InputError, WorkerError

RUN_STATES = 8
"""States one process draws in a row: enough that most are drawn as a change of the one before."""
SPARE_S = 120.0
"""Time for whatever else is drawn of a state."""
SCRATCH = ".engine-scratch"
"""In the folder of pictures: temporary files of Cycles, cleared away before and after every run."""


@dataclass(frozen=True, slots=True)
class StateRun:
    """Some states of one chain file, in order."""

    path: Path
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
    limit_s: float = 600.0
    """For the conditioning images of one state."""


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
        runs.extend(StateRun(path, asked[start : start + RUN_STATES]) for start in range(0, len(asked), RUN_STATES))
    return runs


def render_runs(runs: Sequence[StateRun], order: RenderOrder) -> Iterator[DrawnRun]:
    """Draw runs into the order's folder, over its workers; yield what became of each, in order of completion.

    What is there already, drawn of the same states with the same settings, stays. Raises LockedError when another
    process writes there, OutputError when nobody can, InputError without an index, and MissingExtraError where Cycles
    is asked for and not installed.
    """
    open_library(order.library)
    if "conditioning" in order.choice.kinds:
        find_bpy()
    with writer_lock(order.out):
        scratch = order.out / SCRATCH
        shutil.rmtree(scratch, ignore_errors=True)
        make_folder(scratch)
        try:
            limit_s = (order.limit_s + SPARE_S) * RUN_STATES
            with WorkerPool(
                partial(_draw_run, order=order), own_processes(order.workers), unit_limit_s=limit_s
            ) as pool:
                for result in pool.run(runs):
                    yield result.value or _give_up(runs[result.index], result)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _give_up(run: StateRun, result: UnitResult[DrawnRun]) -> DrawnRun:
    """A run that could not be begun, or whose worker died twice."""
    if result.error is not None:
        message, code = str(result.error), result.error.exit_code
    else:
        message, code = f"{run}: {result.failure}", WorkerError.exit_code
    return DrawnRun(str(run.path), 0, 0, tuple(StateFailure(str(run.path), turn, message, code) for turn in run.turns))


def _open_cycles(order: RenderOrder) -> CyclesRenderer:
    """A renderer whose threads and files are its share of the run's."""
    threads = max(1, (os.cpu_count() or 1) // max(1, order.workers))
    limits = WorkerLimits(threads=threads, state_s=order.limit_s)
    return CyclesRenderer(order.choice.conditioning, limits, folder=order.out / SCRATCH)


def _draw_run(run: StateRun, order: RenderOrder) -> DrawnRun:
    drawn, failures = 0, []
    with ExitStack() as stack:
        cycles = None
        if "conditioning" in order.choice.kinds:
            cycles = stack.enter_context(_open_cycles(order))
        painter = StatePainter(run.path, order.library, order.out, order.choice, cycles)
        wanted = [turn for turn in run.turns if not painter.is_drawn(turn)]
        for turn in wanted:
            try:
                painter.draw(turn)
                drawn += 1
            except EngineError as error:
                failures.append(StateFailure(painter.chain.id, turn, str(error), error.exit_code))
    return DrawnRun(painter.chain.id, drawn, len(run.turns) - len(wanted), tuple(failures))
