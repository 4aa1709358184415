"""Units for workers of a Ray cluster, and a cluster in a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.errors import OutputError

CLUSTER = """
import logging, sys, tempfile
logging.getLogger("ray").setLevel(logging.ERROR)
import ray
with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
    ray.init(address="local", num_cpus=2, num_gpus=0, object_store_memory=100 << 20, include_dashboard=False,
             log_to_driver=False, configure_logging=False, _temp_dir=folder)
    print(ray.get_runtime_context().gcs_address, flush=True)
    sys.stdin.read()
    ray.shutdown()
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
        return str(os.getpid())
    if word == "relative":
        return Path(place).read_text()
    return word.upper()


@contextlib.contextmanager
def ray_cluster() -> Iterator[str]:
    """Start a cluster with two processors that asks for the token of this user; its address.

    While it runs, this process shows the token to clusters it joins.
    """
    import ray  # noqa: F401  # before its settings are read again
    from ray._raylet import Config  # type: ignore[attr-defined]  # compiled

    with (
        pytest.MonkeyPatch.context() as patch,
        subprocess.Popen(
            [sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        patch.setenv("RAY_AUTH_MODE", "token")
        Config.initialize("")
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()
            process.wait(timeout=30)
