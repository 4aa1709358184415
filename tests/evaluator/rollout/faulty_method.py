"""Programs that misbehave as told: `python faulty_method.py FAULT [ARGUMENTS] REQUEST`, or without a request, served.

Each of their processes that lives on adds a line with its id to `pids` in its working folder.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable

MIB = 1 << 20


def note() -> None:
    """Say that this process runs."""
    with open("pids", "a") as file:  # noqa: PTH123  # starts faster without pathlib
        file.write(f"{os.getpid()}\n")


def wait_for_notes(count: int) -> None:
    """Wait until so many processes have said that they run."""
    while not os.path.exists("pids") or len(open("pids").readlines()) < count:  # noqa: PTH110, PTH123, SIM115
        time.sleep(0.002)


def fork(act: Callable[[], None]) -> None:
    """Have a child act, and never come back."""
    if os.fork() == 0:
        act()
        os._exit(0)


def sleep() -> None:
    """Be there, and do nothing."""
    note()
    time.sleep(600)


def ignore() -> None:
    """Be there, and take no hint."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sleep()


def hold(mib: str) -> None:
    """Have memory, and say so once it is full."""
    held = bytearray(b"x") * (int(mib) * MIB)
    sleep()
    sys.exit(len(held))


def fill(parts: str, mib: str) -> None:
    """Hold memory in several processes."""
    for _ in range(int(parts) - 1):
        fork(lambda: hold(mib))
    hold(mib)


def share(mib: str) -> None:
    """Have four forked children see the same memory for a while."""
    held = bytearray(b"x") * (int(mib) * MIB)
    for _ in range(4):
        fork(sleep)
    wait_for_notes(4)
    time.sleep(0.6)  # for the keeper to look a few times
    sys.exit(len(held) == 0)


def die_full(mib: str) -> None:
    """Be killed with memory in hand, as the system does when it has no more."""
    held = bytearray(b"x") * (int(mib) * MIB)
    time.sleep(1.0)  # for the keeper to look a few times, on a busy machine too
    os.kill(os.getpid(), signal.SIGKILL)
    sys.exit(len(held))


def flood(mib: str) -> None:
    """Print a lot."""
    for _ in range(int(mib)):
        os.write(1, b"x" * MIB)
    os.write(2, "\nthe end: \N{SNOWMAN}\n".encode())


def flood_lines() -> None:
    """Print lines, and never read."""
    note()
    while True:
        os.write(1, b"line\n")


def leave_daemon(streams: str) -> None:
    """Leave a daemon that writes a file for ever, in a session of its own, with or without the pipes."""

    def live() -> None:
        os.setsid()
        fork(write)

    def write() -> None:
        if streams == "closed":
            os.closerange(0, 3)
        note()
        while True:
            with open("written", "a") as file:  # noqa: PTH123
                file.write("x")

    fork(live)
    wait_for_notes(1)


def leave_children() -> None:
    """Leave children that take no hint, one of them with the pipes closed, and a chain of sessions."""

    def deeper() -> None:
        os.setsid()
        fork(ignore)
        ignore()

    fork(ignore)
    fork(deeper)
    os.closerange(0, 3)
    wait_for_notes(3)


def multiply() -> None:
    """Fork for ever, in three lines of processes."""
    note()
    for _ in range(3):
        fork(go_on)
    time.sleep(600)


def go_on() -> None:
    """Fork, end, and be gone before anybody looks."""
    while True:
        if os.fork():
            os._exit(0)
        time.sleep(0.001)


def spy() -> None:
    """Write down all that can be seen from here."""
    parent = os.getppid()
    with open(f"/proc/{parent}/stat", "rb") as file:  # noqa: PTH123
        guard = int(file.read().rpartition(b")")[2].split()[1])
    seen = {
        "environment": dict(os.environ),  # noqa: TID251  # what is looked for
        "arguments": sys.argv[1:],
        "open": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],  # noqa: PTH208
        "streams": [os.readlink(f"/proc/self/fd/{number}").partition(":")[0] for number in range(3)],  # noqa: PTH115
        "folder": os.getcwd(),  # noqa: PTH109
        "core": resource.getrlimit(resource.RLIMIT_CORE),
        "file": resource.getrlimit(resource.RLIMIT_FSIZE),
        "session": os.getsid(0) == os.getpid(),
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "above": [
            open(f"/proc/{pid}/{name}", "rb").read().decode()  # noqa: PTH123, SIM115
            for pid in (parent, guard)
            for name in ("environ", "cmdline")
        ],
    }
    with open("seen.json", "w") as file_out:  # noqa: PTH123
        json.dump(seen, file_out)


def write_much(mib: str) -> None:
    """Write a file of some size."""
    with open("large", "wb") as file:  # noqa: PTH123
        file.writelines([b"x" * MIB] * int(mib))


def serve(kind: str) -> None:
    """Answer requests, with a fault."""
    note()
    for number, line in enumerate(sys.stdin, start=1):
        os.write(2, f"request {number}: {line}".encode())
        if kind == "last words":
            os.write(1, b"done\n")
            sys.exit(5)
        if kind == "quits":
            sys.exit(0)
        if kind == "half":
            os.write(1, b"x" * 200_000)
            continue
        if kind == "crashes" and number == 2:
            os.write(2, b"out of ideas\n")
            os.abort()
        if kind == "grows":
            os.write(1, b"done\n")
            hold("200")
        if kind == "forks" and number == 1:
            fork(ignore)
            wait_for_notes(2)
        os.write(1, {"garbage": b"\x00\xff{[\n", "talks": b"done\nas I said\n"}.get(kind, b"done\n"))


FAULTS: dict[str, Callable[..., object]] = {
    "sleep": sleep,
    "ignore": ignore,
    "exit": lambda code: sys.exit(int(code)),
    "segfault": lambda: ctypes.string_at(0),
    "raise": lambda: dict[str, str]()["no such part"],
    "signal": lambda number: os.kill(os.getpid(), int(number)),
    "fill": fill,
    "share": share,
    "die-full": die_full,
    "flood": flood,
    "flood-lines": flood_lines,
    "daemon": leave_daemon,
    "children": leave_children,
    "multiply": multiply,
    "spy": spy,
    "write": write_much,
}

if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        FAULTS[sys.argv[1]](*sys.argv[2:-1])
