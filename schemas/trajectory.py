"""What a method left behind on the way: the versions of each case with their times and scores, as one JSON file."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import Field, model_validator

from schemas.base import SCHEMA_VERSION, Finite, Value
from schemas.score import Undefined


class TrajectoryVersion(Value):
    """One result of a case."""

    seconds: Annotated[Finite, Field(ge=0.0)]
    """Since the start of the case."""
    score: Finite | Undefined
    """Undefined, with the reason, for a version that cannot be evaluated."""


class TrajectoryCase(Value):
    """One case from start to end."""

    name: Annotated[str, Field(min_length=1)]
    budget_seconds: Annotated[Finite, Field(gt=0.0)] | None = None
    """What the method was given; null when nothing was said."""
    versions: Annotated[tuple[TrajectoryVersion, ...], Field(strict=False)] = ()
    """In the order of making; none for a case that never came to a result."""

    @model_validator(mode="after")
    def _check_times(self) -> TrajectoryCase:
        times = [version.seconds for version in self.versions]
        for k, (before, after) in enumerate(pairwise(times), start=1):
            if after < before:
                raise ValueError(f"versions[{k}] is of {after:g} s, the one before of {before:g} s: times must rise")
        return self


class TrajectoryLog(Value):
    """The cases of a run."""

    schema_version: str = SCHEMA_VERSION
    higher_is_better: bool = True
    """False for distances."""
    failed: Finite | None = None
    """What a last version that cannot be evaluated scores; null: such a case has no final score and no regret."""
    cases: Annotated[tuple[TrajectoryCase, ...], Field(strict=False, min_length=1)]

    @model_validator(mode="after")
    def _check_names(self) -> TrajectoryLog:
        seen: set[str] = set()
        for case in self.cases:
            if case.name in seen:
                raise ValueError(f"two cases are called {case.name!r}")
            seen.add(case.name)
        return self
