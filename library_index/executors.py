"""Where units of work run: worker processes of this machine, or workers of a Ray cluster."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Literal, Protocol, Self, TypeVar

from library_index.pool import UnitResult, WorkerPool, order_results, own_processes
from library_index.ray_pool import RayPool
from schemas.errors import InputError

U = TypeVar("U")
R = TypeVar("R")
U_contra = TypeVar("U_contra", contravariant=True)
ExecutorKind = Literal["local", "ray"]
UNIT_LIMIT_S = 900.0
_ADDRESS = re.compile(r"auto|[^\s:/]+:[0-9]{1,5}|\[[0-9a-fA-F:]+\]:[0-9]{1,5}")


class Pool(Protocol[U_contra, R]):
    """Workers that answer units of one task, each unit by itself, whatever became of the others.

    An EngineError that a unit raises is that unit's result. A unit whose worker died, or that took longer than the
    limit, is tried once more and then reported as a failure. No more units are under way than there are workers.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None:
        """End the workers, in the middle of a unit too."""

    def run(self, units: Sequence[U_contra]) -> Generator[UnitResult[R]]:
        """Yield a result per unit, in order of completion. Raises only when no worker can be started."""
        ...

    def run_in_order(self, units: Sequence[U_contra]) -> Iterator[R]:
        """Yield the value of each unit in the order of the units.

        Raises the error a unit raised, and WorkerError when a unit killed its worker twice or took too long.
        """
        ...


@dataclass(frozen=True, slots=True)
class ExecutorChoice:
    """Where workers run; no result depends on it. Raises InputError for an address that cannot be one."""

    kind: ExecutorKind = "local"
    address: str | None = None
    """Of a running Ray cluster, as `host:port`, or `auto` for the one of this machine; None starts one of our own."""

    def __post_init__(self) -> None:
        if self.address is None:
            return
        if self.kind != "ray":
            raise InputError("--address needs --executor ray")
        if not _ADDRESS.fullmatch(self.address):
            raise InputError(f"--address must be host:port or auto, found {self.address!r:.100}")


LOCAL = ExecutorChoice()


def run_as_done(pool: Pool[U, R], units: Sequence[U], costs: Sequence[float]) -> Generator[UnitResult[R]]:
    """Yield a result per unit in order of completion, while those that cost most are begun first.

    So no worker begins a long unit when the others have nothing left to do.
    """
    order = sorted(range(len(units)), key=lambda index: (-costs[index], index))
    with closing(pool.run([units[index] for index in order])) as results:
        for result in results:
            yield replace(result, index=order[result.index])


def run_costly_first(pool: Pool[U, R], units: Sequence[U], costs: Sequence[float]) -> Iterator[UnitResult[R]]:
    """Yield a result per unit in the order of the units, while those that cost most are begun first.

    Raises WorkerError when the workers were ended during the run.
    """
    yield from order_results(run_as_done(pool, units, costs), units)


def open_pool(
    task: Callable[[U], R], executor: ExecutorChoice, workers: int, *, unit_limit_s: float = UNIT_LIMIT_S
) -> Pool[U, R]:
    """A pool of `workers` for a task; task, units and results must be picklable.

    Processes start and clusters are joined when the first unit needs them. Raises MissingExtraError when Ray is asked
    for and not installed.
    """
    if executor.kind == "ray":
        return RayPool(task, workers, address=executor.address, unit_limit_s=unit_limit_s)
    return WorkerPool(task, own_processes(workers), unit_limit_s=unit_limit_s)
