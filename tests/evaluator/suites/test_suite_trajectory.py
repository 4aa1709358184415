"""Trajectories: a written-out example, versions that break, costs that are not known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.suites.trajectory import Version, measure_trajectory, summarize_trajectories, total_usage
from schemas.errors import InputError
from schemas.score import Undefined

BROKEN = Undefined(reason="does not load")


def _versions(*scores: float | Undefined) -> list[Version]:
    return [Version(10.0 * (k + 1), score) for k, score in enumerate(scores)]


def test_written_out_example() -> None:
    """First evaluable at 20 of 100 s; of four followers two are worse than the one before; 0.125 below its own best."""
    found = measure_trajectory(_versions(BROKEN, 0.25, 0.5, 0.375, 0.625, 0.5), budget_seconds=100.0)
    assert (found.versions, found.evaluable) == (6, 5)
    assert (found.first_evaluable_seconds, found.first_evaluable_share) == (20.0, 0.2)
    assert (found.lowered, found.followers, found.lowered_share) == (2, 4, 0.5)
    assert (found.best, found.best_version, found.final, found.regret) == (0.625, 4, 0.5, 0.125)


def test_a_distance_is_better_when_it_is_lower() -> None:
    """For distances a rise is a loss; best and final stay in the distance's own sign."""
    found = measure_trajectory(_versions(0.5, 0.25, 0.75), higher_is_better=False)
    assert (found.lowered, found.best, found.best_version, found.final, found.regret) == (1, 0.25, 1, 0.75, 0.5)
    assert isinstance(found.first_evaluable_share, Undefined)


def test_versions_that_break() -> None:
    """Breaking what could be evaluated is a loss, mending it or failing again none; a broken end costs the score."""
    found = measure_trajectory(_versions(0.5, BROKEN, BROKEN, 0.25), failed=0.0)
    assert (found.lowered, found.followers, found.regret) == (1, 3, 0.25)
    end = measure_trajectory(_versions(0.5, 0.75, BROKEN), failed=0.0)
    assert (end.lowered, end.final, end.regret) == (1, 0.0, 0.75)
    distance = measure_trajectory(_versions(0.5, BROKEN), failed=1.0, higher_is_better=False)
    assert (distance.final, distance.regret) == (1.0, 0.5)
    unknown = measure_trajectory(_versions(0.5, BROKEN))
    assert isinstance(unknown.final, Undefined)
    assert isinstance(unknown.regret, Undefined)


def test_nothing_evaluable() -> None:
    """Without any evaluable version nothing is defined; a single version has nothing to lower."""
    for versions in ([], _versions(BROKEN)):
        found = measure_trajectory(versions)
        assert all(isinstance(value, Undefined) for value in (found.best, found.regret, found.lowered_share))
        assert isinstance(found.first_evaluable_seconds, Undefined)
        assert found.best_version is None
    alone = measure_trajectory(_versions(0.5))
    assert isinstance(alone.lowered_share, Undefined)
    assert alone.regret == 0.0


def test_run_pools_versions_and_averages_cases() -> None:
    """Shares are over all versions of a run, times are medians, regrets means; hopeless cases are counted apart."""
    cases = [
        measure_trajectory(_versions(0.5, 0.25, 0.375), 100.0),
        measure_trajectory(_versions(BROKEN, BROKEN, 0.5), 100.0),
        measure_trajectory(_versions(BROKEN)),
        measure_trajectory(_versions(0.25, 0.5, 0.75, BROKEN)),
    ]
    found = summarize_trajectories(cases)
    assert (found.cases, found.without_evaluable) == (4, 1)
    assert (found.first_evaluable_seconds, found.first_evaluable_share) == (10.0, 0.2)
    assert (found.lowered, found.followers, found.lowered_share) == (2, 5, 0.4)
    assert found.regret == 0.0625
    assert isinstance(summarize_trajectories([]).regret, Undefined)


@given(st.lists(st.one_of(st.floats(0.0, 1.0), st.just(BROKEN)), max_size=20))
def test_bounds(scores: list[float | Undefined]) -> None:
    """Regret is never negative; a rising row lowers nothing; what is lowered is among the followers."""
    found = measure_trajectory(_versions(*scores), failed=0.0)
    assert found.lowered <= found.followers <= max(0, len(scores) - 1)
    if isinstance(found.regret, float):
        assert 0.0 <= found.regret <= 1.0
    rising = sorted(score for score in scores if isinstance(score, float))
    assert measure_trajectory(_versions(*rising)).lowered == 0


def test_wrong_times_are_refused() -> None:
    """Times rise and budgets are positive."""
    with pytest.raises(InputError, match="must rise from 0"):
        measure_trajectory([Version(5.0, 0.5), Version(4.0, 0.5)])
    with pytest.raises(InputError, match="needs more than 0"):
        measure_trajectory([], budget_seconds=0.0)


def test_unknown_costs_stay_unknown() -> None:
    """The sum is over what is reported; a mean over all cases needs all of them."""
    part = total_usage([10.0, None, 30.0])
    assert (part.total, part.reported, part.cases, part.mean_reported) == (40.0, 2, 3, 20.0)
    assert isinstance(part.mean, Undefined)
    assert total_usage([1, 2]).mean == 1.5
    assert isinstance(total_usage([None]).mean_reported, Undefined)
