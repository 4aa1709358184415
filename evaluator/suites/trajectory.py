"""How a method came to its result: when something could be scored, how often it made things worse, what it lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evaluator.suites.measures import mean_of, median_of, number_of
from schemas.base import Value
from schemas.errors import InputError
from schemas.score import Measure, Undefined


class Version(NamedTuple):
    """One result a method left behind, in the order of making."""

    seconds: float
    """Since the start of the case."""
    score: Measure
    """Undefined when the version cannot be evaluated."""


class Trajectory(Value):
    """Diagnostics over the versions of one case."""

    versions: int
    evaluable: int
    first_evaluable_seconds: Measure
    first_evaluable_share: Measure
    """The same over the budget of the case."""
    lowered: int
    """Versions worse than the one before; one that can no longer be evaluated is worse than any that can."""
    followers: int
    """Versions that have an evaluable one somewhere before: only they can lower anything."""
    lowered_share: Measure
    best: Measure
    best_version: int | None
    """The first with the best score, from 0."""
    final: Measure
    """The last version's score; `failed` when it cannot be evaluated."""
    regret: Measure
    """How much worse than the best the case ended; never negative."""


class TrajectorySummary(Value):
    """Diagnostics over the cases of a run."""

    cases: int
    without_evaluable: int
    """Cases in which no version could be evaluated; they are in none of the figures below."""
    first_evaluable_seconds: Measure
    """Median."""
    first_evaluable_share: Measure
    """Median, over cases with a budget."""
    lowered: int
    followers: int
    lowered_share: Measure
    """Of all followers of all cases."""
    regret: Measure
    """Mean over cases that define it."""


class UsageTotal(NamedTuple):
    """One kind of cost over cases."""

    total: float
    reported: int
    """Cases that know it."""
    cases: int
    mean_reported: Measure
    """Over the cases that report it."""
    mean: Measure
    """Over all cases; undefined unless all report it."""


def measure_trajectory(
    versions: Sequence[Version],
    budget_seconds: float | None = None,
    failed: float | None = None,
    *,
    higher_is_better: bool = True,
) -> Trajectory:
    """Go through a case's versions in order.

    failed: what a final version that cannot be evaluated scores, in the unit of the scores; without it `final` and
        `regret` of such a case are undefined.

    Raises:
        InputError: times that fall or are negative, or a budget that is not positive.

    """
    times = [version.seconds for version in versions]
    if any(b < a for a, b in zip([0.0, *times], times, strict=False)):
        raise InputError(f"trajectory: times {times} must rise from 0")
    if budget_seconds is not None and not budget_seconds > 0.0:
        raise InputError(f"trajectory: the budget is {budget_seconds} s, needs more than 0")
    sign = 1.0 if higher_is_better else -1.0
    numbers = [number_of(version.score) for version in versions]
    scores = [None if number is None else sign * number for number in numbers]
    known = [k for k, score in enumerate(scores) if score is not None]
    if not known:
        none = Undefined(reason=f"none of {len(versions)} versions can be evaluated")
        return Trajectory(
            versions=len(versions),
            evaluable=0,
            first_evaluable_seconds=none,
            first_evaluable_share=none,
            lowered=0,
            followers=0,
            lowered_share=none,
            best=none,
            best_version=None,
            final=none,
            regret=none,
        )
    first = known[0]
    followers = scores[first + 1 :]
    lowered = sum(_is_lower(a, b) for a, b in zip(scores[first:], followers, strict=False))
    values = [score for score in scores if score is not None]
    best = max(values)
    final = scores[-1]
    if final is None and failed is not None:
        final = sign * failed
    no_final = Undefined(reason="the last version cannot be evaluated")
    return Trajectory(
        versions=len(versions),
        evaluable=len(known),
        first_evaluable_seconds=times[first],
        first_evaluable_share=times[first] / budget_seconds if budget_seconds else Undefined(reason="no budget known"),
        lowered=lowered,
        followers=len(followers),
        lowered_share=lowered / len(followers) if followers else Undefined(reason="one version, nothing follows it"),
        best=sign * best,
        best_version=scores.index(best),
        final=no_final if final is None else sign * final,
        regret=no_final if final is None else max(0.0, best - final),
    )


def summarize_trajectories(cases: Sequence[Trajectory]) -> TrajectorySummary:
    """Put the cases of a run together, in their order."""
    lowered, followers = sum(case.lowered for case in cases), sum(case.followers for case in cases)
    return TrajectorySummary(
        cases=len(cases),
        without_evaluable=sum(case.evaluable == 0 for case in cases),
        first_evaluable_seconds=median_of([case.first_evaluable_seconds for case in cases], "time"),
        first_evaluable_share=median_of([case.first_evaluable_share for case in cases], "share"),
        lowered=lowered,
        followers=followers,
        lowered_share=lowered / followers if followers else Undefined(reason="no version follows an evaluable one"),
        regret=mean_of([case.regret for case in cases], "regret"),
    )


def total_usage(values: Sequence[float | None]) -> UsageTotal:
    """Add up one kind of cost in the order of cases; unknown stays unknown."""
    known = [float(value) for value in values if value is not None]
    total = 0.0
    for value in known:
        total += value
    none = Undefined(reason=f"{len(known)} of {len(values)} cases report it")
    is_whole = bool(known) and len(known) == len(values)
    return UsageTotal(
        total, len(known), len(values), total / len(known) if known else none, total / len(known) if is_whole else none
    )


def _is_lower(before: float | None, after: float | None) -> bool:
    if before is None:
        return False
    return after is None or after < before
