"""A connection to a Ray cluster that leaves this process as it was: its environment, signals, hooks and output."""

from __future__ import annotations

import importlib.util
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from schemas.errors import MissingExtraError, WorkerError

OBJECT_STORE_BYTES = 128 << 20
"""Of a cluster of our own. Units and results are small: what is large lies in files."""
CONNECT_LIMIT_S = 10.0


def find_ray() -> None:
    """Check that the extra is installed, without loading it. Raises MissingExtraError."""
    if importlib.util.find_spec("ray") is None:
        raise MissingExtraError("--executor ray needs the extra `ray` (pip install 'part-edit-chains[ray]')")


class RaySession:
    """One connection of this process, to the cluster at `address` or to one of its own with `workers` processors."""

    def __init__(self, address: str | None, workers: int) -> None:
        self._address = address
        self._workers = workers
        self._open: ExitStack | None = None

    def open(self) -> None:
        """Connect, unless connected. Raises WorkerError when there is no cluster, or this process is in another."""
        if self._open is not None:
            return
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True)))
            stack.enter_context(_unchanged_process())
            import ray  # changes the environment already

            if ray.is_initialized():
                raise WorkerError("this process is already connected to a Ray cluster")
            stack.enter_context(_silent_ray())
            stack.callback(ray.shutdown)
            self._connect(folder)
            self._open = stack.pop_all()

    def close(self) -> None:
        """Disconnect; a cluster of our own ends."""
        if self._open is not None:
            stack, self._open = self._open, None
            stack.close()

    def _connect(self, folder: Path) -> None:
        import ray
        from ray.exceptions import RayError

        # An empty working folder: Ray would else put ours first on the search path of workers, where a folder of
        # chains called `chains` hides the package of that name.
        empty = folder / "empty"
        empty.mkdir()
        options: dict[str, object] = {
            "runtime_env": {"working_dir": str(empty)},
            "log_to_driver": False,
            "configure_logging": False,
            "logging_level": logging.ERROR,
        }
        if self._address is None:
            options |= {
                "num_cpus": self._workers,
                "num_gpus": 0,
                "object_store_memory": OBJECT_STORE_BYTES,
                "include_dashboard": False,
                "_temp_dir": str(folder),
                # no processes for tasks that nobody will send: a worker is started for each place
                "_system_config": {"prestart_worker_first_driver": False, "enable_worker_prestart": False},
            }
        elif self._address != "auto":
            _check_listening(self._address)
        try:
            ray.init(address=self._address or "local", **options)
        except (RayError, RuntimeError, ValueError, OSError) as error:
            problem = f"{str(error).strip():.500}"
            if self._address is None:
                raise WorkerError(f"a Ray cluster could not be started: {problem}") from error
            raise WorkerError(
                f"--address {self._address}: {problem} (a cluster that asks for a token needs RAY_AUTH_MODE=token here)"
            ) from error


def _check_listening(address: str) -> None:
    """Raise WorkerError when nobody listens there: Ray itself waits for minutes, or ends the process."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_LIMIT_S).close()
    except (OSError, OverflowError) as error:
        raise WorkerError(f"--address {address}: no Ray cluster answers: {error}") from error


@contextmanager
def _unchanged_process() -> Iterator[None]:
    """Undo what Ray sets in this process: environment, handler of SIGTERM, hook for exceptions."""
    environment = dict(os.environ)  # noqa: TID251  # put back as it was, not read
    hook = sys.excepthook
    in_main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGTERM) if in_main else None
    try:
        yield
    finally:
        sys.excepthook = hook
        if handler is not None:
            signal.signal(signal.SIGTERM, handler)
        for name in sorted(set(os.environ) - set(environment)):  # noqa: TID251
            del os.environ[name]  # noqa: TID251
        os.environ.update(environment)  # noqa: TID251


@contextmanager
def _silent_ray() -> Iterator[None]:
    """Keep Ray off our output: it writes deaths of workers to stdout, where results go. The pool reports them."""
    from ray._private import worker

    logger = logging.getLogger("ray")
    level, printing = logger.level, worker._worker_logs_enabled  # noqa: SLF001  # Ray has no public switch
    logger.setLevel(logging.ERROR)
    worker._worker_logs_enabled = False  # noqa: SLF001
    try:
        yield
    finally:
        worker._worker_logs_enabled = printing  # noqa: SLF001
        logger.setLevel(level)
