"""The method's program as the keeper sees it: its first process, its pipes, and the end of what it printed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal

LOG_BYTES = CHUNK_BYTES = 1 << 16
DRAINED_CHUNKS = 64
"""More than a pipe holds."""
OOM_SCORE = b"500"
"""When the system is out of memory, the method goes before the runner."""
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


class Terms:
    """What is run, and what it may have."""

    def __init__(
        self,
        command: list[str],
        mode: str,
        home: str,
        environment: dict[str, str],
        seconds: float,
        memory_mib: int,
        file_mib: int,
    ) -> None:
        self.command, self.served, self.home, self.environment = command, mode == "served", home, environment
        self.seconds, self.memory_mib, self.file_bytes = seconds, memory_mib, file_mib << 20


class Program:
    """The method's first process, its pipes, and the end of what it printed."""

    def __init__(self, terms: Terms, arguments: list[str]) -> None:
        """Start it. Raises OSError when that fails."""
        self.status: int | None = None
        self.answered = False
        self._awaited = False
        self._outbox = b""
        self._log = bytearray()
        null = os.open(os.devnull, os.O_RDWR)
        self._prints, prints = os.pipe()
        reads, self._gives = os.pipe() if terms.served else (null, null)
        self._answers, answers = os.pipe() if terms.served else (self._prints, prints)
        fault, faults = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            become_method(terms, arguments, (reads, answers, prints), faults)
        for descriptor in sorted({null, reads, answers, prints, faults}):
            os.close(descriptor)
        self._open = {self._prints, self._answers} | ({self._gives} if terms.served else set())
        for descriptor in self._open:
            os.set_blocking(descriptor, False)
        report = os.read(fault, CHUNK_BYTES).decode("utf-8", "replace")
        os.close(fault)
        if report:
            self.close()
            raise OSError(int(report.partition(" ")[0]), report.partition(" ")[2])

    def ask(self, path: str) -> None:
        """Have a served program read the path of a request; what it printed before is no answer to it."""
        self.exchange_all()
        self._awaited, self.answered = True, False
        self._outbox += path.encode("utf-8", "surrogateescape") + b"\n"

    def wanted(self) -> dict[int, int]:
        """The pipes to wait for, and what for."""
        reading = dict.fromkeys(self._open & {self._prints, self._answers}, select.POLLIN)
        return reading | ({self._gives: select.POLLOUT} if self._outbox else {})

    def exchange(self, ready: set[int]) -> None:
        """Read at most a chunk of each pipe that is ready, and write what the program is to read."""
        if self._outbox and self._gives in ready:
            try:
                self._outbox = self._outbox[os.write(self._gives, self._outbox) :]
            except BlockingIOError:
                pass
            except BrokenPipeError:
                self._outbox = b""
        for descriptor in sorted(self._open & ready & {self._prints, self._answers}):
            try:
                chunk = os.read(descriptor, CHUNK_BYTES)
            except BlockingIOError:
                continue
            if not chunk:
                self._open.remove(descriptor)
                os.close(descriptor)
            if self._awaited and descriptor == self._answers:
                _, ending, chunk = chunk.partition(b"\n")
                self.answered, self._awaited = bool(ending), not ending
            self._log += chunk
            del self._log[:-LOG_BYTES]

    def exchange_all(self) -> None:
        """Read at most a chunk of each pipe, without waiting."""
        self.exchange(set(self._open))

    def take_log(self) -> str:
        """What it printed since this was asked last, but for answers."""
        self.exchange_all()
        text = self._log.decode("utf-8", "replace")
        self._log.clear()
        return text

    def close(self) -> None:
        """Read what is left in the pipes, and close them."""
        for _ in range(DRAINED_CHUNKS):
            self.exchange_all()
        for descriptor in self._open:
            os.close(descriptor)
        self._open.clear()


def become_method(terms: Terms, arguments: list[str], streams: tuple[int, int, int], faults: int) -> None:
    """Turn the forked child into the program; what prevents that is written to `faults`. Never returns."""
    try:
        os.setsid()
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        size = terms.file_bytes if hard == resource.RLIM_INFINITY else min(terms.file_bytes, hard)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, and what is ignored stays so
            signal.signal(ignored, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), OOM_SCORE)
        os.chdir(terms.home)
        os.execvpe(terms.command[0], [*terms.command, *arguments], terms.environment)  # noqa: S606  # its purpose
    except OSError as error:
        os.write(faults, f"{error.errno} {error.strerror}".encode())
    finally:
        os._exit(127)
