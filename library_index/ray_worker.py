"""What a worker of a Ray cluster does: make itself at home as a process started here would be, then answer units."""

from __future__ import annotations

import os
import platform
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Generic, TypeVar

from library_index.pool import answer_unit
from schemas.errors import EngineError, WorkerError

U = TypeVar("U")
R = TypeVar("R")
DISTRIBUTION = "part-edit-chains"


@dataclass(frozen=True, slots=True)
class Home:
    """What a worker takes over from the process it works for."""

    folder: str
    """Working folder: paths that were given relative mean the same there."""
    search_path: tuple[str, ...]
    """Where that process finds modules; what the worker has of its own goes first."""
    versions: tuple[tuple[str, str], ...]
    """(package, version) of what decides results."""


def describe_home() -> Home:
    """The home of this process."""
    return Home(os.getcwd(), tuple(entry for entry in sys.path if entry), read_versions())  # noqa: PTH109  # as text


def read_versions() -> tuple[tuple[str, str], ...]:
    """(package, version) of Python, this project and what it needs; `absent` where one is not installed."""
    try:
        needed = [entry for entry in requires(DISTRIBUTION) or [] if "extra ==" not in entry]
    except PackageNotFoundError:
        needed = []
    names = [DISTRIBUTION, *sorted(re.split(r"[^A-Za-z0-9._-]", entry, maxsplit=1)[0] for entry in needed)]
    return (("python", platform.python_version()), *((name, _version(name)) for name in names))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


class RayWorker(Generic[U, R]):
    """The actor: one process, one unit at a time, what it keeps between units lives as long as it."""

    def __init__(self) -> None:
        self._task: Callable[[U], R] | None = None
        threading.Thread(target=_end_with_parent, daemon=True).start()

    def settle(self, home: Home, task: bytes) -> tuple[None, EngineError | None]:
        """Move in and unpack the task; an error when this node cannot give the same results."""
        from ray import cloudpickle

        problem = find_difference(home, platform.node())
        if problem is not None:
            return None, WorkerError(problem)
        try:
            os.chdir(home.folder)
        except OSError as error:
            return None, WorkerError(
                f"node {platform.node()}: cannot enter {home.folder}: {error.strerror}; it must be in a folder that "
                "all nodes share"
            )
        sys.path.extend(entry for entry in home.search_path if entry not in sys.path)
        self._task = cloudpickle.loads(task)
        return None, None

    def answer(self, unit: U) -> tuple[R | None, EngineError | None]:
        """The value of a unit, or the error it raised."""
        assert self._task is not None  # noqa: S101  # the pool sends units to settled workers only
        return answer_unit(self._task, unit)


def _end_with_parent() -> None:
    """End this process when that of its node has ended, also in the middle of a unit."""
    parent, pause = os.getppid(), threading.Event()
    while os.getppid() == parent:
        pause.wait(0.5)
    os._exit(1)


def find_difference(home: Home, node: str) -> str | None:
    """Why this process would not give the results of a process at `home`: the first package of another version."""
    ours = dict(read_versions())
    for package, wanted in home.versions:
        found = ours.get(package, "absent")
        if found != wanted:
            return f"node {node}: {package} is {found}, needed is {wanted}: results could differ"
    return None
