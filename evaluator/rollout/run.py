"""A whole rollout: chains over worker processes, resumable at any moment, one bad chain costing itself alone."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from chains.files import read_chain
from chains.storage import writer_lock
from engine.render.cycles.worker_process import find_bpy
from evaluator.rollout.chain import roll_chain
from evaluator.rollout.homes import remove_tree
from evaluator.rollout.ledger import MOST_RERUNS, ChainLedger
from evaluator.rollout.order import SCRATCH_PREFIX, RolledChain, RolloutOrder, RolloutUnit, describe_run
from evaluator.rollout.sessions import close_session, open_session, put_aside
from library_index.executors import open_pool, run_as_done
from library_index.library import open_library
from library_index.pool import UnitResult
from schemas.codec import digest
from schemas.errors import EngineError, InputError

SPARE_S = 900.0
"""Of a turn's time for all that the runner itself does."""


def roll_out(paths: Sequence[Path], order: RolloutOrder, *, fresh: bool = False) -> Iterator[RolledChain]:
    """Run a method on chains, in order of completion; chains that are done already stay, others go on.

    With `fresh` what the folder holds is put aside first. Raises InputError when the folder was begun with other
    settings, or two chains have one name, LockedError when another process works there, OutputError when nobody can,
    and MissingExtraError where Cycles is asked for and not installed.
    """
    open_library(order.library)
    if order.settings.picture == "conditioning":
        find_bpy()
    turns = _count_turns(paths)
    with writer_lock(order.out):
        if fresh:
            put_aside(order, paths)
        run = open_session(order, len(paths))
        scratch = f"{SCRATCH_PREFIX}{hashlib.sha256(os.fsencode(order.out.resolve())).hexdigest()[:12]}-"
        _clear(scratch)
        ready = replace(order, session=len(run.sessions), scratch=scratch)
        try:
            yield from _run_all([RolloutUnit(path, ready) for path in paths], turns, ready)
        finally:
            _clear(scratch)
        close_session(order.out, run)


def _run_all(units: Sequence[RolloutUnit], turns: Sequence[int], order: RolloutOrder) -> Iterator[RolledChain]:
    limits = order.settings.method.limits
    limit_s = (1 + MOST_RERUNS) * (max(turns, default=0) + 1) * (limits.seconds + SPARE_S)
    with open_pool(roll_chain, order.executor, order.workers, unit_limit_s=limit_s) as pool:
        for answer in run_as_done(pool, units, [float(count) for count in turns]):
            yield answer.value or _give_up(units[answer.index], answer)


def _give_up(unit: RolloutUnit, answer: UnitResult[RolledChain]) -> RolledChain:
    """A chain without a record: it could not be begun, or every worker that took it died."""
    if answer.error is not None:
        return RolledChain(str(unit.path), None, failure=str(answer.error), exit_code=answer.error.exit_code)
    chain = read_chain(unit.path)
    run = describe_run(unit.order, chain.id, digest(chain), len(chain.turns))
    record = ChainLedger(unit.order.out / chain.id, run).finish(unresolved=True)
    return RolledChain(chain.id, record, notes=(f"{answer.failure}: unresolved",))


def _count_turns(paths: Sequence[Path]) -> list[int]:
    """The turns of each chain, 0 for one that cannot be read. Raises InputError when two chains have one name."""
    known: dict[str, Path] = {}
    turns = []
    for path in paths:
        try:
            chain = read_chain(path)
        except EngineError:
            turns.append(0)  # whoever runs it says why it cannot
            continue
        if chain.id in known:
            raise InputError(f"{path}: {chain.id} is also the chain of {known[chain.id]}")
        known[chain.id] = path
        turns.append(len(chain.turns))
    return turns


def _clear(scratch: str) -> None:
    """Delete folders of methods that earlier sessions of the same rollout on this machine left."""
    for path in sorted(Path(tempfile.gettempdir()).glob(f"{scratch}*")):
        remove_tree(path)
