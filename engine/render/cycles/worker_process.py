"""One worker process as its parent sees it: started, spoken to, killed, with a folder that goes when it goes."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from engine.render.cycles.protocol import (
    Ready,
    Refused,
    Rendered,
    RenderRequest,
    Unavailable,
    read_answer,
    write_line,
)
from schemas.errors import MissingExtraError, OutputError, WorkerError

WORKER = (sys.executable, "-m", "engine.render.cycles.worker")
LOG_LINES = 200
"""Of the worker's last words, kept for the message about its death."""
SHOWN_LINES = 12
LONGEST_LINE = 400
LONGEST_ANSWER = 1 << 20
_MEDDLING = re.compile("BLENDER_|CYCLES_|OIDN_|OCIO$|PYTHON(OPTIMIZE|WARNINGS|INSPECT)$")
"""Variables that name other scripts, kernels, devices or colours; Blender's importer needs its assertions."""
REMEDY = "pip install 'part-edit-chains[blender]'"


class BrokenWorkerError(Exception):
    """The worker died or said what no worker says; another one may do better."""


def find_bpy() -> None:
    """Check that the extra is installed, without loading it. Raises MissingExtraError."""
    if importlib.util.find_spec("bpy") is None:
        raise MissingExtraError(f"Cycles pictures need the extra 'blender': {REMEDY}")


class WorkerProcess:
    """A running worker. Whoever starts one must `kill` it, whatever it does."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="engine-cycles-", dir=folder)
        except OSError as error:
            raise OutputError(f"cannot write into {error.filename}: {error.strerror}") from error
        self.folder = Path(self._folder.name)
        """Its temporary files; nobody else's."""
        self._log: deque[str] = deque(maxlen=LOG_LINES)
        self._answers: queue.Queue[bytes] = queue.Queue()
        try:
            self._process = subprocess.Popen(  # noqa: S603  # our own module, or what a test puts in its place
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(self.folder),
                start_new_session=True,
            )
        except OSError as error:
            self._folder.cleanup()
            raise WorkerError(f"the Cycles worker cannot be started: {error}") from error
        self._readers = [
            threading.Thread(target=self._collect_answers, daemon=True),
            threading.Thread(target=self._collect_log, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        """Process id, and id of its process group."""
        return self._process.pid

    def wait_until_ready(self, limit_s: float) -> None:
        """Hear that the worker can render. Raises MissingExtraError, WorkerError (too late) or BrokenWorkerError."""
        answer = self._hear(time.monotonic() + limit_s, f"starting timed out after {limit_s:g} s")
        if isinstance(answer, Unavailable):
            raise MissingExtraError(
                f"bpy cannot be loaded: {answer.reason}; a library it names comes with the system packages listed in "
                f"packages.txt, bpy itself with: {REMEDY}"
            )
        if not isinstance(answer, Ready):
            raise BrokenWorkerError(f"began with {answer.kind!r} instead of 'ready'")

    def ask(self, request: RenderRequest, limit_s: float) -> Rendered | Refused:
        """Have a state rendered. Raises WorkerError (too late) or BrokenWorkerError."""
        if self._process.stdin is None:
            raise BrokenWorkerError("has no input")
        try:
            self._process.stdin.write(write_line(request))
            self._process.stdin.flush()
        except OSError as error:
            raise BrokenWorkerError(self._describe_end()) from error
        answer = self._hear(time.monotonic() + limit_s, f"a state timed out after {limit_s:g} s")
        if not isinstance(answer, Rendered | Refused) or answer.id != request.id:
            raise BrokenWorkerError(f"answered request {request.id} with {str(answer)[:200]!r}")
        return answer

    def kill(self) -> None:
        """End the process with all it started, and delete its folder; harmless when it has ended before."""
        self._end_group()
        for reader in self._readers:
            reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):  # a request that it never read is flushed to nobody
                    stream.close()
        self._folder.cleanup()

    def read_log(self) -> str:
        """The last lines of what it printed, in one line."""
        return " | ".join(list(self._log)[-SHOWN_LINES:]) or "it printed nothing"

    def _end_group(self) -> None:
        # Until it is waited for, its number cannot be given to a stranger, dead or not.
        if self._process.returncode is None:
            os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()

    def _hear(self, deadline: float, lateness: str) -> Ready | Unavailable | Rendered | Refused:
        try:
            line = self._answers.get(timeout=min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX))
        except queue.Empty:
            raise WorkerError(f"Cycles worker: {lateness}; its last words: {self.read_log()}") from None
        if not line:
            raise BrokenWorkerError(self._describe_end())
        try:
            return read_answer(line)
        except ValidationError as error:
            raise BrokenWorkerError(f"printed {line[:200]!r} in place of an answer") from error

    def _describe_end(self) -> str:
        self._end_group()
        for reader in self._readers:
            reader.join()
        return f"died (exit code {self._process.returncode}); its last words: {self.read_log()}"

    def _collect_answers(self) -> None:
        if self._process.stdout is not None:
            while line := self._process.stdout.readline(LONGEST_ANSWER):
                self._answers.put(line)
        self._answers.put(b"")

    def _collect_log(self) -> None:
        if self._process.stderr is not None:
            while line := self._process.stderr.readline(LONGEST_LINE):
                text = line.decode("utf-8", "replace").strip()
                if text:
                    self._log.append(text)


def _environment(folder: Path) -> dict[str, str]:
    """The environment of this process, but with its own folders, and without what could change a pixel."""
    everything = os.environ.items()  # noqa: TID251  # handed on, not read
    inherited = {name: value for name, value in everything if not _MEDDLING.match(name)}
    return inherited | {"TMPDIR": str(folder), "BLENDER_USER_RESOURCES": str(folder)}
