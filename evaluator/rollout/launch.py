"""How a method's process is started, and how it ended: the two values between the runner and the process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from schemas.method import MethodLimits, Mode

EndKind = Literal["done", "crashed", "late", "memory", "killed"]
"""Done: it exited with 0, or answered. Crashed: another exit code, or a signal that programs send themselves.

Late, memory: it went over a limit and was ended. Killed: somebody else ended it (SIGKILL, SIGTERM), a fault of the
machine, not of the method.
"""


@dataclass(frozen=True, slots=True)
class Launch:
    """A program and what it may have."""

    command: tuple[str, ...]
    mode: Mode
    home: Path
    """Its own folder: working directory, HOME, and above TMPDIR. Requests lie in folders below it."""
    environment: Mapping[str, str]
    """All of its environment besides HOME and TMPDIR."""
    limits: MethodLimits


@dataclass(frozen=True, slots=True)
class Ending:
    """What became of one request."""

    kind: EndKind
    detail: str
    """`exit code 3`, `signal 11`, `600 s`, `8192 MiB`; empty when done."""
    seconds: float
    """Wall time of the request."""
    peak_mib: float
    """The most memory that all its processes held together, as far as it was seen."""
    log: str
    """The end of what it printed to stdout and stderr during the request, at most 64 KiB; a served program's answers
    left out."""
