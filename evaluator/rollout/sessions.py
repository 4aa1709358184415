"""What a folder of outputs says of itself, and the sessions that work on it: begun, ended, put aside."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from chains.storage import write_atomic
from engine.toolchain import tool_versions
from evaluator.rollout.order import RolloutOrder
from schemas.codec import encode, read_record
from schemas.errors import InputError, OutputError
from schemas.rollout import RUN_FILE
from schemas.rollout_run import RolloutRun, RolloutSession, RolloutSettings

EARLIER = ".earlier"
"""Where `--fresh` puts what a folder held."""


def read_run(folder: Path) -> RolloutRun | None:
    """What a folder of outputs says of itself; None where no rollout was begun. Raises SchemaError."""
    path = folder / RUN_FILE
    return read_record(RolloutRun, path) if path.is_file() else None


def open_session(order: RolloutOrder, chains: int) -> RolloutRun:
    """Note that a session on so many chains begins.

    Raises InputError when the folder was begun with other settings, OutputError when it cannot be written.
    """
    earlier = read_run(order.out)
    if earlier is not None:
        _check_settings(order.out / RUN_FILE, earlier.settings, order.settings)
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


def close_session(out: Path, run: RolloutRun) -> None:
    """Note that the last session of a run has ended. Raises OutputError when the folder cannot be written."""
    last = run.sessions[-1].model_copy(update={"ended_utc": _now()})
    write_atomic(out / RUN_FILE, encode(run.model_copy(update={"sessions": (*run.sessions[:-1], last)})))


def put_aside(order: RolloutOrder, chains: Sequence[Path]) -> None:
    """Move everything a rollout's folder holds into a numbered folder within it.

    Raises InputError for a folder in which no rollout was begun, or in which the library or a chain lies, OutputError
    when it cannot be moved.
    """
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
        numbers = [int(path.name) for path in sorted(aside.iterdir()) if path.name.isdecimal()]
        target = aside / f"{max(numbers, default=0) + 1:03d}"
        target.mkdir()
        for path in held:
            path.rename(target / path.name)
    except OSError as error:
        raise OutputError(f"cannot put {out} aside: {error.strerror or error}") from error


def _check_settings(path: Path, earlier: RolloutSettings, asked: RolloutSettings) -> None:
    """Refuse other settings than a folder was begun with, by the first that differs. Raises InputError."""
    for name in RolloutSettings.model_fields:
        was, now = getattr(earlier, name), getattr(asked, name)
        if was != now:
            raise InputError(
                f"{path}: was begun with {name} {str(was)!r:.300}, not {str(now)!r:.300}: "
                "run into another folder, or give --fresh to put the outputs aside"
            )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
