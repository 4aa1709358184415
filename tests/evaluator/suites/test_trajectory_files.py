"""Trajectories from a file: a written-out run, distances, and files that are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli import engine
from evaluator.suites.trajectory_files import TrajectoryReport, score_trajectory_file
from schemas.codec import encode, read_record
from schemas.errors import InputError, SchemaError
from schemas.score import Undefined
from schemas.trajectory import TrajectoryCase, TrajectoryLog, TrajectoryVersion

BROKEN = Undefined(reason="does not load")


def _case(name: str, *scores: float | Undefined, budget: float | None = None) -> TrajectoryCase:
    versions = tuple(TrajectoryVersion(seconds=10.0 * k, score=score) for k, score in enumerate(scores, start=1))
    return TrajectoryCase(name=name, versions=versions, budget_seconds=budget)


def _write(path: Path, log: TrajectoryLog) -> Path:
    path.write_bytes(encode(log))
    return path


RUN = TrajectoryLog(
    failed=0.0,
    cases=(
        _case("b", BROKEN, 0.25, 0.5, 0.375, 0.625, 0.5, budget=100.0),
        _case("a", 0.5, BROKEN, budget=40.0),
        _case("hopeless", BROKEN),
        _case("empty"),
    ),
)


def test_a_written_out_run(tmp_path: Path) -> None:
    """First versions at 20 of 100 s and 10 of 40 s; 3 of 5 followers are worse; regrets 0.125 and 0.5."""
    report = score_trajectory_file(_write(tmp_path / "log.json", RUN))
    assert [case.name for case in report.cases] == ["b", "a", "hopeless", "empty"]
    first, second, hopeless, empty = report.cases
    assert (first.first_evaluable_seconds, first.first_evaluable_share) == (20.0, 0.2)
    assert (first.lowered, first.followers, first.best, first.best_version, first.regret) == (2, 4, 0.625, 4, 0.125)
    assert (second.lowered, second.followers, second.final, second.regret) == (1, 1, 0.0, 0.5)
    assert hopeless.best == Undefined(reason="none of 1 versions can be evaluated")
    assert (empty.versions, empty.best_version) == (0, None)
    summary = report.summary
    assert (summary.cases, summary.without_evaluable, summary.regret_cases) == (4, 2, 2)
    assert (summary.first_evaluable_seconds, summary.first_evaluable_share) == (15.0, 0.225)
    assert (summary.lowered, summary.followers, summary.lowered_share, summary.regret) == (3, 5, 0.6, 0.3125)


def test_distances_and_unknown_ends(tmp_path: Path) -> None:
    """For distances lower is better; without a score for failures, a broken end has no regret and leaves the mean."""
    log = TrajectoryLog(higher_is_better=False, cases=(_case("a", 0.5, 0.25, 0.75), _case("b", 0.5, BROKEN)))
    report = score_trajectory_file(_write(tmp_path / "log.json", log))
    assert (report.cases[0].best, report.cases[0].regret) == (0.25, 0.5)
    assert isinstance(report.cases[1].regret, Undefined)
    assert (report.summary.regret, report.summary.regret_cases) == (0.5, 1)


def test_the_command_keeps_and_prints_the_figures(tmp_path: Path) -> None:
    """The file reads back as it was measured; what is undefined prints as a dash."""
    path = _write(tmp_path / "log.json", RUN)
    done = CliRunner().invoke(engine, ["suite", "trajectories", str(path), "--out", str(tmp_path / "out.json")])
    assert done.exit_code == 0, done.output
    assert read_record(TrajectoryReport, tmp_path / "out.json") == score_trajectory_file(path)
    assert "regret              0.3125\n" in done.output
    assert "4 cases, 2 without an evaluable version" in done.output
    _write(path, TrajectoryLog(cases=(_case("hopeless", BROKEN),)))
    done = CliRunner().invoke(engine, ["suite", "trajectories", str(path), "--out", str(tmp_path / "out.json")])
    assert "regret              -\n" in done.output


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ([{"name": "a", "versions": [{"seconds": 5, "score": 1}, {"seconds": 4, "score": 1}]}], r"times must rise"),
        ([{"name": "a"}, {"name": "a"}], "two cases are called 'a'"),
        ([{"name": "a", "budget_seconds": 0}], r"budget_seconds"),
        ([{"name": "a", "versions": [{"seconds": -1, "score": 1}]}], r"versions\[0\].seconds"),
        ([{"name": "a", "versions": [{"seconds": 1, "score": "inf"}]}], r"score"),
        ([], "cases"),
    ],
)
def test_files_that_are_no_logs_are_refused(tmp_path: Path, cases: list[object], said: str) -> None:
    """Falling times, two cases of one name, an empty budget and scores that are no numbers are named."""
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"schema_version": "1.0", "cases": cases}))
    with pytest.raises(SchemaError, match=said):
        score_trajectory_file(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """No file, no figures."""
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        score_trajectory_file(tmp_path / "none.json")
