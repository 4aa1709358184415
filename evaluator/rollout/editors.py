"""Who answers the requests of a chain: a method's process, or the oracle."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from evaluator.rollout.launch import Ending, Launch
from evaluator.rollout.method_choice import HOST, ORACLE
from evaluator.rollout.process import MethodProcess
from evaluator.states import ChainStates
from schemas.errors import InputError
from schemas.method import OUTPUT_FILE, MethodManifest

INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS")
"""Variables that every program gets where they are set; others by name in its manifest."""


class Editor(Protocol):
    """Whoever answers requests."""

    def edit(self, folder: Path) -> Ending:
        """Answer the request in a folder."""
        ...


class OracleEditor:
    """Answers with the true states, from a turn on; for tests of everything around it."""

    def __init__(self, states: ChainStates, turn: int) -> None:
        self._states = states
        self._turn = turn

    def edit(self, folder: Path) -> Ending:
        """Write the target of the next turn."""
        (folder / OUTPUT_FILE).write_bytes(self._states.replayer.turn(self._turn).glb)
        self._turn += 1
        return Ending("done", "", 0.0, 0.0, "")


@contextmanager
def open_editor(method: MethodManifest, home: Path, states: ChainStates, turn: int) -> Iterator[Editor]:
    """A fresh editor for a chain from a turn on; `home` is its own folder, where requests are laid out too.

    Raises InputError for a command that no system can run or a variable that nobody has set.
    """
    if method.plugin == ORACLE:
        yield OracleEditor(states, turn)
        return
    launch = Launch(find_command(method), method.mode, home, choose_environment(method), method.limits)
    with MethodProcess(launch) as process:
        yield process


def find_command(method: MethodManifest) -> tuple[str, ...]:
    """The command line of a method's process."""
    return method.command if method.command is not None else (*HOST, str(method.plugin))


def choose_environment(method: MethodManifest) -> dict[str, str]:
    """The variables that a method inherits. Raises InputError for one that it names and nobody has set."""
    everything: Mapping[str, str] = os.environ  # noqa: TID251  # handed on, not read
    missing = [name for name in method.environment if name not in everything]
    if missing:
        raise InputError(f"method {method.name!r} needs the variable {missing[0]}, which is not set")
    return {name: everything[name] for name in (*INHERITED, *method.environment) if name in everything}
