"""Programs to run as methods, a home for each, and looks at what is left of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evaluator.rollout.launch import Launch
from schemas.method import MethodLimits, Mode

FAULTY = Path(__file__).with_name("faulty_method.py")
PATIENCE_S = 60.0
"""How long a test waits for what must happen; a busy machine is no failure."""


def make_launch(home: Path, *command: str, mode: Mode = "once", **limits: Any) -> Launch:
    """A program in a home, with limits that only what a test is about can reach."""
    home.mkdir(exist_ok=True)
    allowed = MethodLimits(**{"seconds": PATIENCE_S, "memory_mib": 4096, "file_mib": 64, **limits})
    return Launch(command, mode, home, {"PATH": "/usr/bin:/bin", "ASKED": "yes"}, allowed)


def launch_fault(home: Path, *fault: str, mode: Mode = "once", **limits: Any) -> Launch:
    """One of the faulty programs."""
    return make_launch(home, sys.executable, "-I", "-S", str(FAULTY), *fault, mode=mode, **limits)


def launch_served(home: Path, kind: str, **limits: Any) -> Launch:
    """One of the faulty programs that are served."""
    return launch_fault(home, "serve", kind, mode="served", **limits)


def noted(home: Path) -> list[int]:
    """Ids of the processes that said that they run."""
    path = home / "pids"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that waits for its parent to notice its end does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def find_alive(home: Path) -> list[int]:
    """Those of the processes that said so which still run."""
    return [pid for pid in noted(home) if is_alive(pid)]


def find_children(parent: int) -> dict[int, str]:
    """Ids and states of the processes whose parent is this one."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == parent:
            found[int(path.parent.name)] = fields[0]
    return found


def wait_until(condition: Callable[[], object]) -> None:
    """Wait for a condition. Fails when it does not come true."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.005)
