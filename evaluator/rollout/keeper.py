"""Keeps a method's processes: started by the runner as a process of its own, starts the method.

Two processes: the *guard* waits, and its child, the *keeper*, runs the method and speaks with the runner, a line of
JSON each way. Both are subreapers: what a method starts stays below them however often it forks and leaves its session.
When the runner dies, or one of the two, whoever is left ends all that is below.

To the keeper: what `Terms` takes, then `{"request": PATH}` for each turn. Back: the fields of `Ending`, or
`{"refused": REASON}` where the program cannot be started. End of input: end everything.
"""

from __future__ import annotations

import errno
import json
import math
import os
import select
import signal
import sys
import time

from evaluator.rollout.descendants import (
    NEAR_LIMIT,
    find_descendants,
    kill_descendants,
    measure_mib,
    reap_children,
)
from evaluator.rollout.program import CHUNK_BYTES, LIBC, Program, Terms

POLL_S, IDLE_S, GUARD_S = 0.05, 0.5, 0.2
SHARE_OF_TIME = 0.1
"""Of a processor, for looking at memory: on a machine with thousands of processes it is looked at less often."""
PR_SET_CHILD_SUBREAPER = 36
FLAGS, PF_EXITING = 6, 4
"""Where `stat` has a process's flags, and the one of a process that gives back what it held; zombies have it too."""
MACHINE_FAULTS = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
REQUESTS, ANSWERS = 0, 1
"""Descriptors of the runner's end."""


class LeftAloneError(Exception):
    """The runner or the guard is gone."""


class Keeper:
    """Runs a program for each request, or one for all of them."""

    def __init__(self, guard: int) -> None:
        self._guard = guard
        self._woken, wakes = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        self._inbox = b""
        self._program: Program | None = None
        self._over: tuple[str, str] | None = None
        self._held_mib = self._held_before_mib = self._peak_mib = self._look_at = 0.0

    def run(self) -> None:
        """Answer requests. Raises LeftAloneError or BrokenPipeError when nobody asks any more."""
        self._terms = Terms(**json.loads(self._read_line()))
        while True:
            answer = json.dumps(self._edit(json.loads(self._read_line())["request"])).encode() + b"\n"
            while answer:
                answer = answer[os.write(ANSWERS, answer) :]

    def _read_line(self) -> bytes:
        while b"\n" not in self._inbox:
            self._wait(math.inf, IDLE_S)
            if self._program is not None and self._over is None:
                reason = self._find_end(self._program, math.inf)
                self._over = self._end(self._program, reason) if reason else None
        line, _, self._inbox = self._inbox.partition(b"\n")
        return line

    def _edit(self, path: str) -> dict[str, object]:
        """Run one request; returns what is told of it."""
        started = time.monotonic()
        if self._over is not None:
            return self._report(self._over, 0.0)
        self._peak_mib, self._look_at = 0.0, started + POLL_S
        try:
            program = self._program or self._start(path)
        except OSError as error:
            reason = f"cannot be started: {error.strerror}"
            if error.errno in MACHINE_FAULTS:
                return self._report(("killed", reason), 0.0)
            return {"refused": f"{self._terms.command[0]}: {reason}"}
        if self._terms.served:
            program.ask(path)
        deadline = started + self._terms.seconds
        while (end := self._find_end(program, deadline)) is None:
            self._wait(deadline, POLL_S)
        seconds = time.monotonic() - started
        if end == "answer":
            program.answered = False
            self._look(program, POLL_S)
            return self._report(("done", ""), seconds)
        outcome = self._end(program, end)
        self._over = outcome if self._terms.served else None
        return self._report(outcome, seconds)

    def _start(self, path: str) -> Program:
        self._held_mib = self._held_before_mib = 0.0
        self._program = Program(self._terms, [] if self._terms.served else [path])
        return self._program

    def _report(self, outcome: tuple[str, str], seconds: float) -> dict[str, object]:
        """The fields of an `Ending`."""
        log = self._program.take_log() if self._program is not None else ""
        if not self._terms.served:
            self._program = None
        kind, detail = outcome
        return {"kind": kind, "detail": detail, "seconds": seconds, "peak_mib": self._peak_mib, "log": log}

    def _find_end(self, program: Program, deadline: float) -> str | None:
        """Why the request is over, if it is."""
        if program.status is not None:
            program.exchange_all()
        if program.answered:
            return "answer"
        if program.status is not None:
            return "exit"
        if self._held_mib > self._terms.memory_mib:
            return "memory"
        return "late" if time.monotonic() >= deadline else None

    def _end(self, program: Program, reason: str) -> tuple[str, str]:
        """End all processes; kind and detail of what happened."""
        ended = kill_descendants()
        program.close()
        if not ended:
            return "killed", "its processes do not end"
        if reason == "late":
            return "late", f"{self._terms.seconds:g} s"
        if reason == "memory":
            return "memory", f"{self._terms.memory_mib} MiB"
        code = os.waitstatus_to_exitcode(program.status or 0)
        # Of one that the kernel ends for want of memory, the last look may see but what is left.
        held_mib = max(self._held_mib, self._held_before_mib)
        if code == -signal.SIGKILL and held_mib > NEAR_LIMIT * self._terms.memory_mib:
            return "memory", f"{self._terms.memory_mib} MiB"
        return judge_exit(code, served=self._terms.served)

    def _wait(self, deadline: float, pause_s: float) -> None:
        """Sleep until something happens, but at most for the pause: read, write, reap, and look at memory."""
        program = self._program if self._over is None else None
        watched = {REQUESTS: select.POLLIN, self._guard: select.POLLIN, self._woken: select.POLLIN}
        poller = select.poll()
        for descriptor, events in (watched | (program.wanted() if program else {})).items():
            poller.register(descriptor, events)
        now = time.monotonic()
        until = min(deadline, self._look_at if program else math.inf, now + pause_s)
        ready = {descriptor for descriptor, _ in poller.poll(max(0.0, until - now) * 1000)}
        if self._guard in ready:
            raise LeftAloneError
        if REQUESTS in ready:
            chunk = os.read(REQUESTS, CHUNK_BYTES)
            if not chunk:
                raise LeftAloneError
            self._inbox += chunk
        if self._woken in ready:
            os.read(self._woken, CHUNK_BYTES)
        for pid, status, peak_mib in reap_children() or ():
            if program is not None and pid == program.pid:
                program.status = status
                self._peak_mib = max(self._peak_mib, peak_mib)
        if program is not None:
            program.exchange(ready)
            if program.status is None and time.monotonic() >= self._look_at:
                self._look(program, pause_s)

    def _look(self, program: Program, pause_s: float) -> None:
        """Measure the memory of all processes, unless the first is just ending: what it held is what counts then."""
        begun = time.process_time()
        processes = find_descendants(os.getpid())
        first = processes.get(program.pid)
        if first is not None and not int(first[FLAGS]) & PF_EXITING:
            self._held_before_mib = self._held_mib
            self._held_mib = measure_mib(processes, self._terms.memory_mib)
            self._peak_mib = max(self._peak_mib, self._held_mib)
        self._look_at = time.monotonic() + max(pause_s, (time.process_time() - begun) / SHARE_OF_TIME)


def judge_exit(code: int, *, served: bool) -> tuple[str, str]:
    """Kind and detail for an exit code, negative for a signal, of a program that nobody here has ended."""
    if code == 0 and not served:
        return "done", ""
    if code >= 0:
        return "crashed", f"exit code {code}" + (", without an answer" if code == 0 else "")
    return "killed" if -code in {signal.SIGKILL, signal.SIGTERM} else "crashed", f"signal {-code}"


def main() -> None:
    """Be the guard, and have a child that is the keeper; the argument is the id of the runner."""
    runner = int(sys.argv[1])
    guarded, keeper_lives = os.pipe()
    guard, guard_lives = os.pipe()
    keeper = os.fork()
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        if keeper:
            for descriptor in (REQUESTS, ANSWERS, keeper_lives, guard):
                os.close(descriptor)
            poller = select.poll()
            poller.register(guarded)
            while os.getppid() == runner and not poller.poll(GUARD_S * 1000):
                pass
        else:
            os.close(guarded)
            os.close(guard_lives)
            Keeper(guard).run()
    except (LeftAloneError, BrokenPipeError):
        pass
    finally:
        kill_descendants()
