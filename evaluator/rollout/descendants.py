"""All processes below this one: found, measured and ended, however often they forked and left their session.

Meant for a subreaper: orphans below it become its children. Uses the standard library alone, and little of it: the
keeper starts once for every chain.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time

END_S = 10.0
"""How long to try to end what does not: a process that waits for a broken disk, or forks faster than it is found."""
LONGEST_PAUSE_S = 0.05
NEAR_LIMIT = 0.9
"""From this share of the memory limit on, pages that processes share count once; finding out costs more."""
PAGE_MIB = resource.getpagesize() / (1 << 20)


def find_descendants(root: int) -> dict[int, list[bytes]]:
    """Every process below `root`, with what its `/proc/PID/stat` says after the name: state, parent, group, ..."""
    stats: dict[int, list[bytes]] = {}
    children: dict[int, list[int]] = {}
    for pid in list_processes():
        if text := read_proc(f"/proc/{pid}/stat"):
            stats[pid] = text.rpartition(b")")[2].split()
            children.setdefault(int(stats[pid][1]), []).append(pid)
    found: dict[int, list[bytes]] = {}
    queue = [root]
    while queue:
        for child in children.get(queue.pop(), ()):
            if child not in found:
                found[child] = stats[child]
                queue.append(child)
    return found


def read_proc(path: str, limit_bytes: int = 4096) -> bytes:
    """The beginning of a file of /proc; empty when its process has ended or is not ours to read."""
    descriptor = -1
    try:
        descriptor = os.open(path, os.O_RDONLY)
        return os.read(descriptor, limit_bytes)
    except OSError:
        return b""
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def measure_mib(processes: dict[int, list[bytes]], limit_mib: float) -> float:
    """Memory that processes hold together: their resident pages; near the limit, where readable, their shares."""
    held = {pid: int(fields[21]) * PAGE_MIB for pid, fields in processes.items()}
    if sum(held.values()) > NEAR_LIMIT * limit_mib:
        for pid in held:
            for line in read_proc(f"/proc/{pid}/smaps_rollup").splitlines():
                if line.startswith(b"Pss:"):
                    held[pid] = int(line.split()[1]) / 1024
    return sum(held.values())


def reap_children() -> list[tuple[int, int, float]] | None:
    """Id, status and peak in MiB of each child that has ended; None when there is no child at all."""
    reaped: list[tuple[int, int, float]] = []
    try:
        while True:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if pid == 0:
                return reaped
            reaped.append((pid, status, usage.ru_maxrss / 1024))
    except ChildProcessError:
        return reaped or None


def kill_descendants() -> bool:
    """Kill until there is no child: orphans become children, so that nothing is left. False: something does not end."""
    deadline, pause, own = time.monotonic() + END_S, 0.001, os.getpgrp()
    while reap_children() is not None:
        if time.monotonic() > deadline:
            return False
        for pid, fields in find_descendants(os.getpid()).items():
            group = int(fields[2])
            with contextlib.suppress(OSError):
                if group in {-1, 0, 1, own}:
                    os.kill(pid, signal.SIGKILL)
                else:
                    os.killpg(group, signal.SIGKILL)  # all at once: none of them can fork meanwhile
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)
    return True


def kill_strays(tags: set[bytes]) -> None:
    """Kill every process that was started with all these `NAME=value` in its environment, and what it forked.

    For what has no keeper any more. One that has been given another environment, or has written over its own, is not
    found.
    """
    deadline = time.monotonic() + END_S
    while strays := [pid for pid in list_processes() if tags <= read_environment(pid)]:
        for pid in strays:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            return
        time.sleep(LONGEST_PAUSE_S / 10)


def read_environment(pid: int) -> set[bytes]:
    """Each `NAME=value` that a process was started with, up to a MiB of them."""
    return set(read_proc(f"/proc/{pid}/environ", 1 << 20).split(b"\0"))


def list_processes() -> list[int]:
    """Ids of all processes of the system."""
    return sorted(int(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208  # pathlib loads slowly
