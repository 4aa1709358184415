"""`engine judge` from the shell: what it prints and what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from chains.judgement import write_key
from engine import cli
from schemas.codec import encode
from schemas.judgement import DrawnTurn, DrawnTurns, Tick, Ticks


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Two drawn turns and the ticks of two judges."""
    drawn = DrawnTurns(
        seed=1,
        turns=tuple(DrawnTurn(number=n, chain="A/c_s1", turn=n, op="add", page="judge_001.png") for n in (1, 2)),
    )
    write_key(tmp_path, drawn)
    for judge, second in (("ann", "floating"), ("bob", "looks right")):
        ticks = (Tick(number=1, verdicts=("looks right",)), Tick(number=2, verdicts=(second,)))  # type: ignore[arg-type]  # names above
        (tmp_path / f"{judge}.json").write_bytes(encode(Ticks(judge=judge, ticks=ticks)))
    return tmp_path


def run(*arguments: object) -> int:
    """Run the command line in this process; the exit code."""
    sys.argv = ["engine", *map(str, arguments)]
    try:
        cli.main()
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


@pytest.fixture(autouse=True)
def kept_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process's own arguments come back after each test."""
    monkeypatch.setattr(sys, "argv", list(sys.argv))


def test_two_judges_are_compared(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Markdown by default, the same numbers as one JSON document on demand."""
    files = (pages / "ann.json", pages / "bob.json")
    assert run("judge", *files) == 0
    text = capsys.readouterr().out
    assert "| right | 1 of 2 (50.0 %) | 2 of 2 (100.0 %) | 1 of 2 (50.0 %) |" in text
    assert "| 2 | judge_001.png | add | floating | looks right | A/c_s1 turn 2 |" in text
    assert run("judge", *files, "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert [judge["right"] for judge in summary["judges"]] == [1, 2]
    assert summary["agreement"][0]["kappa"] == 0.0


def test_an_unfilled_template_is_refused(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line that names file and field, exit code 2; no ticks file at all is a usage error."""
    assert run("judge", pages / "ticks.json") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "ticks.json: $.judge is empty" in error
    assert run("judge") == 2
