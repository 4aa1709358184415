"""A whole rollout: chains over worker processes, resumable at any moment, one bad chain costing itself alone."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from chains.files import read_chain
from chains.storage import write_atomic, writer_lock
from engine.render.cycles.worker_process import find_bpy
from engine.toolchain import tool_versions
from evaluator.rollout.homes import remove_tree
from evaluator.rollout.ledger import ChainLedger
from evaluator.rollout.runner import SCRATCH_PREFIX, RolledChain, RolloutOrder, RolloutUnit, describe_run, roll_chain
from library_index.executors import open_pool, run_as_done
from library_index.library import open_library
from library_index.pool import UnitResult
from schemas.codec import digest, encode, read_record
from schemas.errors import EngineError, InputError, OutputError
from schemas.rollout import RUN_FILE
from schemas.rollout_run import RolloutRun, RolloutSession, RolloutSettings

EARLIER = ".earlier"
"""Where `--fresh` puts what a folder held."""
SPARE_S = 900.0
"""Of a turn's time for all that the runner itself does."""
TRIES = 4
"""Of a chain: the first and three reruns."""


@dataclass(frozen=True, slots=True)
class _Planned:
    """The chains of a rollout, those that can be read and those that cannot."""

    units: list[RolloutUnit]
    turns: list[int]


def roll_out(paths: Sequence[Path], order: RolloutOrder, *, fresh: bool = False) -> Iterator[RolledChain]:
    """Run a method on chains, in order of completion; chains that are done already stay, others go on.

    With `fresh` what the folder holds is put aside first. Raises InputError when the folder was begun with other
    settings, or two chains have one name, LockedError when another process works there, OutputError when nobody can,
    and MissingExtraError where Cycles is asked for and not installed.
    """
    open_library(order.library)
    if order.settings.picture == "conditioning":
        find_bpy()
    planned = _plan(paths, order)
    with writer_lock(order.out):
        if fresh:
            _put_aside(order, paths)
        run = _open_session(order, len(paths))
        scratch = f"{SCRATCH_PREFIX}{hashlib.sha256(os.fsencode(order.out.resolve())).hexdigest()[:12]}-"
        _clear(scratch)
        ready = replace(order, session=len(run.sessions), scratch=scratch)
        planned = replace(planned, units=[RolloutUnit(unit.path, ready) for unit in planned.units])
        try:
            yield from _run_all(planned, ready)
        finally:
            _clear(scratch)
        _close_session(order.out, run)


def _run_all(planned: _Planned, order: RolloutOrder) -> Iterator[RolledChain]:
    limits = order.settings.method.limits
    limit_s = TRIES * (max(planned.turns, default=0) + 1) * (limits.seconds + SPARE_S)
    with open_pool(roll_chain, order.executor, order.workers, unit_limit_s=limit_s) as pool:
        costs = [float(turns) for turns in planned.turns]
        for answer in run_as_done(pool, planned.units, costs):
            yield answer.value or _give_up(planned.units[answer.index], answer)


def _give_up(unit: RolloutUnit, answer: UnitResult[RolledChain]) -> RolledChain:
    """A chain without a record: it could not be begun, or every worker that took it died."""
    if answer.error is not None:
        return RolledChain(str(unit.path), None, failure=str(answer.error), exit_code=answer.error.exit_code)
    chain = read_chain(unit.path)
    run = describe_run(unit.order, chain.id, digest(chain), len(chain.turns))
    record = ChainLedger(unit.order.out / chain.id, run).finish(unresolved=True)
    return RolledChain(chain.id, record, notes=(f"{answer.failure}: unresolved",))


def _plan(paths: Sequence[Path], order: RolloutOrder) -> _Planned:
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
    return _Planned([RolloutUnit(path, order) for path in paths], turns)


def read_run(folder: Path) -> RolloutRun | None:
    """What a folder of outputs says of itself; None where no rollout was begun."""
    path = folder / RUN_FILE
    return read_record(RolloutRun, path) if path.is_file() else None


def _open_session(order: RolloutOrder, chains: int) -> RolloutRun:
    """Note that a session begins. Raises InputError when the folder was begun with other settings."""
    earlier = read_run(order.out)
    if earlier is not None:
        changed = [
            name
            for name in RolloutSettings.model_fields
            if getattr(earlier.settings, name) != getattr(order.settings, name)
        ]
        if changed:
            was, now = (getattr(entry.settings, changed[0]) for entry in (earlier, order))
            raise InputError(
                f"{order.out / RUN_FILE}: was begun with {changed[0]} {str(was)!r:.300}, not {str(now)!r:.300}: "
                "run into another folder, or give --fresh to put the outputs aside"
            )
    session = RolloutSession(
        started_utc=_now(),
        workers=order.workers,
        chains=chains,
        versions=tuple(sorted(tool_versions().items())),
    )
    sessions = (*(earlier.sessions if earlier else ()), session)
    run = RolloutRun(settings=order.settings, sessions=sessions)
    write_atomic(order.out / RUN_FILE, encode(run))
    return run


def _close_session(out: Path, run: RolloutRun) -> None:
    last = run.sessions[-1].model_copy(update={"ended_utc": _now()})
    write_atomic(out / RUN_FILE, encode(run.model_copy(update={"sessions": (*run.sessions[:-1], last)})))


def _put_aside(order: RolloutOrder, chains: Sequence[Path]) -> None:
    """Move everything a folder of outputs holds into a numbered folder within it; nobody's folder but a rollout's."""
    out = order.out
    held = [path for path in sorted(out.iterdir()) if not path.name.startswith(".")]
    if not held:
        return
    if not os.path.lexists(out / RUN_FILE):
        raise InputError(f"{out}: is not put aside, since no rollout was begun there: give another --out")
    for path in (order.library, *chains):
        if out.resolve() in (path.resolve(), *path.resolve().parents):
            raise InputError(f"{out}: is not put aside, since {path} lies there: give another --out")
    try:
        aside = out / EARLIER
        aside.mkdir(exist_ok=True)
        numbers = [int(path.name) for path in aside.iterdir() if path.name.isdecimal()]
        target = aside / f"{max(numbers, default=0) + 1:03d}"
        target.mkdir()
        for path in held:
            path.rename(target / path.name)
    except OSError as error:
        raise OutputError(f"cannot put {out} aside: {error.strerror or error}") from error


def _clear(scratch: str) -> None:
    """Delete folders of methods that earlier sessions of the same rollout on this machine left."""
    for path in Path(tempfile.gettempdir()).glob(f"{scratch}*"):
        remove_tree(path)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
