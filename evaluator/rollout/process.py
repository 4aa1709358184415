"""A method's process as the runner sees it: asked for one edit after another, with an ending for each."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import evaluator
from chains.storage import make_folder
from evaluator.rollout.descendants import END_S, kill_strays
from evaluator.rollout.launch import Ending, Launch
from schemas.errors import InputError, WorkerError
from schemas.method import REQUEST_FILE

TEMPORARY_FOLDER = "tmp"
SLACK_S = 30.0
"""Beyond all limits, before a keeper that says nothing is given up: a busy machine is no fault."""
LONGEST_POLL_S = 3600.0
"""`poll` takes no more than 24 days."""
_ROOT = Path(evaluator.__file__).resolve().parent.parent
_KEEPER = "import sys; sys.path.append(sys.argv.pop()); from evaluator.rollout.keeper import main; main()"
_CHUNK_BYTES = 1 << 16


class _KeeperLostError(Exception):
    """The keeper died, or says what no keeper says."""


class MethodProcess:
    """A method's program for one chain, in its own folder, with limits, below a keeper that ends all it started.

    Mode `once`: every edit runs the command with the path of `request.json` as its last argument; it is done when it
    exits with 0. Mode `served`: the command runs from the first edit on, reads one path a line from stdin and answers
    each with one line on stdout. **The first line that it prints to stdout after a request is the answer, whatever it
    says**, so a served program logs to stderr. What it prints to stdout at other times is part of the log.
    """

    def __init__(self, launch: Launch) -> None:
        """Make the folder TMPDIR, and end what an earlier run may have left running in this home.

        Raises InputError for a command that no system can run, OutputError when the folder cannot be made.
        """
        home = str(launch.home.absolute())
        folders = {"HOME": home, "TMPDIR": str(Path(home) / TEMPORARY_FOLDER)}
        self._name = launch.command[0]
        self._served = launch.mode == "served"
        self._patience_s = launch.limits.seconds + END_S + SLACK_S
        self._terms = {
            "command": launch.command,
            "mode": launch.mode,
            "home": home,
            "environment": {**launch.environment, **folders},
            **launch.limits.model_dump(mode="json"),
        }
        self._tags = {os.fsencode(f"{name}={value}") for name, value in folders.items()}
        if sys.platform != "linux":
            raise InputError(f"{self._name}: cannot be started: methods run on Linux only")
        for text in (*launch.command, *launch.environment, *launch.environment.values(), home):
            if "\0" in text:
                raise InputError(f"{self._name!r}: cannot be started: {text!r} holds a zero byte")
        make_folder(Path(folders["TMPDIR"]))
        kill_strays(self._tags)
        self._keeper: _Keeper | None = None
        self._over: Ending | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def keeper_pid(self) -> int | None:
        """The process that all others of the method are below, while there is one."""
        return None if self._keeper is None else self._keeper.pid

    def edit(self, folder: Path) -> Ending:
        """Have the method answer the request in a folder; `seconds` leave the start of the keeper out.

        Nothing of a `once` program runs on when this returns. A served program that did not end as `done` is over, and
        is not started again. Raises InputError when the command cannot be started, WorkerError when it is over.
        """
        path = str((folder / REQUEST_FILE).absolute())
        if "\n" in path or "\0" in path:
            raise InputError(f"{path!r}: a request is named in one line")
        if self._over is not None:
            raise WorkerError(f"{self._name}: has ended ({self._over.kind}: {self._over.detail})")
        asked = time.monotonic()
        try:
            keeper = self._keeper = self._keeper or _Keeper(self._terms)
            asked = time.monotonic()
            answer = keeper.ask({"request": path}, self._patience_s)
            ending = None if "refused" in answer else Ending(**answer)
        except (_KeeperLostError, OSError, TypeError) as error:
            seconds = time.monotonic() - asked
            self.close()
            kill_strays(self._tags)
            answer, ending = {}, Ending("killed", f"the keeper is gone: {error}", seconds, 0.0, "")
        if ending is None:
            self.close()
            raise InputError(str(answer["refused"]))
        if self._served and ending.kind != "done":
            self.close()
            self._over = ending
        return ending

    def close(self) -> None:
        """End everything; harmless when it has ended before."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.end()


class _Keeper:
    """The other end of the pipe: `evaluator.rollout.keeper` as a process."""

    def __init__(self, terms: Mapping[str, Any]) -> None:
        """Start it and say what it is to run. Raises OSError."""
        self._process = subprocess.Popen(  # noqa: S603  # our own module
            # `-X utf8`: the same names of files as here, whatever language the method is to speak.
            [sys.executable, "-I", "-S", "-X", "utf8", "-c", _KEEPER, str(os.getpid()), str(_ROOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd="/",
            env=terms["environment"],  # the method's: it can read that of its parent
            start_new_session=True,
        )
        try:
            self._write(terms)
        except OSError:
            self.end()
            raise

    @property
    def pid(self) -> int:
        """Of the guard, which is above all others."""
        return self._process.pid

    def ask(self, request: Mapping[str, Any], patience_s: float) -> dict[str, Any]:
        """Its answer to a request. Raises OSError or _KeeperLostError."""
        self._write(request)
        deadline = time.monotonic() + patience_s
        answer = b""
        while not answer.endswith(b"\n"):
            chunk = self._read(deadline)
            if chunk is None:
                raise _KeeperLostError(f"it says nothing for {patience_s:g} s")
            if not chunk:
                raise _KeeperLostError("it was ended from outside")
            answer += chunk
        try:
            document = json.loads(answer)
        except ValueError as error:
            raise _KeeperLostError(f"it says {answer[:80]!r}") from error
        if not isinstance(document, dict):
            raise _KeeperLostError(f"it says {answer[:80]!r}")
        return document

    def end(self) -> None:
        """Have it end everything; by force when it does not."""
        requests, answers = self._pipes()
        requests.close()
        deadline = time.monotonic() + 2 * END_S
        while self._read(deadline):
            pass  # until the keeper is gone; the guard goes last, unless it was ended from outside
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()
        answers.close()

    def _write(self, document: Mapping[str, Any]) -> None:
        data = json.dumps(document).encode() + b"\n"
        while data:
            data = data[os.write(self._pipes()[0].fileno(), data) :]

    def _read(self, deadline: float) -> bytes | None:
        """What it says next; empty when it is gone, None when nothing comes in time."""
        answers = self._pipes()[1]
        poller = select.poll()
        poller.register(answers, select.POLLIN)
        while not poller.poll(min(max(0.0, deadline - time.monotonic()), LONGEST_POLL_S) * 1000):
            if time.monotonic() >= deadline:
                return None
        return os.read(answers.fileno(), _CHUNK_BYTES)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process.stdin is None or self._process.stdout is None:
            raise _KeeperLostError("it has no pipes")
        return self._process.stdin, self._process.stdout
