"""Trajectories from a file: how each case came to its result, and the figures of the run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from evaluator.suites.measures import list_numbers
from evaluator.suites.trajectory import (
    Trajectory,
    TrajectorySummary,
    Version,
    measure_trajectory,
    summarize_trajectories,
)
from schemas.base import SCHEMA_VERSION, Finite, Sha256, Value
from schemas.codec import digest, read_record
from schemas.trajectory import TrajectoryCase, TrajectoryLog


class TrajectoryFigures(Trajectory):
    """One case."""

    name: str


class TrajectoryMeans(TrajectorySummary):
    """The run."""

    regret_cases: int
    """Cases that define a regret."""


class TrajectoryReport(Value):
    """Diagnostics of a file of trajectories."""

    schema_version: str = SCHEMA_VERSION
    log_sha256: Sha256
    """Of the canonical bytes of what was read."""
    higher_is_better: bool
    failed: Finite | None
    summary: TrajectoryMeans
    cases: Annotated[tuple[TrajectoryFigures, ...], Field(strict=False)]
    """In the order of the file."""


def score_trajectory_file(path: Path) -> TrajectoryReport:
    """Measure the cases of a file.

    Raises SchemaError, naming the place, for a file that is no log or in which times fall or names repeat; InputError
    when it cannot be read.
    """
    log = read_record(TrajectoryLog, path)
    measured = [_measure(case, log) for case in log.cases]
    return TrajectoryReport(
        log_sha256=digest(log),
        higher_is_better=log.higher_is_better,
        failed=log.failed,
        summary=_summarize(summarize_trajectories(measured), measured),
        cases=tuple(_record(case.name, found) for case, found in zip(log.cases, measured, strict=True)),
    )


def _measure(case: TrajectoryCase, log: TrajectoryLog) -> Trajectory:
    versions = [Version(version.seconds, version.score) for version in case.versions]
    return measure_trajectory(versions, case.budget_seconds, log.failed, higher_is_better=log.higher_is_better)


def _record(name: str, found: Trajectory) -> TrajectoryFigures:
    return TrajectoryFigures(name=name, **dict(found))


def _summarize(found: TrajectorySummary, measured: list[Trajectory]) -> TrajectoryMeans:
    return TrajectoryMeans(**dict(found), regret_cases=len(list_numbers([case.regret for case in measured])))
