"""Units for workers of a Ray cluster, and a cluster in a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from schemas.errors import OutputError

CLUSTER = """
import logging, sys, tempfile
logging.getLogger("ray").setLevel(logging.ERROR)
from ray.cluster_utils import Cluster
node = {"num_cpus": 1, "object_store_memory": 80 << 20}
with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
    head = {**node, "include_dashboard": False, "temp_dir": folder}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    second = cluster.add_node(**node)
    print(cluster.address, flush=True)
    for word in sys.stdin:
        if word == "lose\\n":
            cluster.remove_node(second, allow_graceful=False)
        else:
            second = cluster.add_node(**node)
        print("done", flush=True)
    cluster.shutdown()
"""


def act(unit: tuple[str, str]) -> str:
    """Do what the unit says."""
    word, place = unit
    if word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "die once" and not Path(place).exists():
        Path(place).write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "hang":
        time.sleep(60)
    if word == "disk full":
        raise OutputError(f"cannot write {place}: No space left on device")
    if word == "fault":
        raise ZeroDivisionError(place)
    if word == "slow":
        time.sleep(0.7)
    if word == "span":
        start = time.monotonic()
        time.sleep(0.2)
        return f"{start} {time.monotonic()}"
    if word == "process":
        time.sleep(0.1)
        return str(os.getpid())
    if word == "relative":
        return Path(place).read_text()
    return word.upper()


@dataclass(frozen=True, slots=True)
class RayCluster:
    """Two nodes with one processor each, in processes of their own."""

    address: str
    process: subprocess.Popen[str]

    def lose_node(self) -> None:
        """Kill the second node with all that runs there."""
        self._tell("lose")

    def add_node(self) -> None:
        """Start another second node."""
        self._tell("add")

    def _tell(self, word: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"


@contextlib.contextmanager
def start_cluster() -> Iterator[RayCluster]:
    """Start a cluster that asks for the token of this user, which this process shows while the cluster runs."""
    import ray  # noqa: F401  # before its settings are read again
    from ray._raylet import Config  # type: ignore[attr-defined]  # compiled

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        Config.initialize("")
        with subprocess.Popen(
            [sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                yield RayCluster(process.stdout.readline().strip(), process)
            finally:
                process.stdin.close()
                process.wait(timeout=60)
