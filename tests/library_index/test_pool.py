"""Worker processes that die, hang or fail."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from library_index.pool import run_units
from schemas.errors import OutputError


def act(unit: tuple[str, str]) -> str:
    """Do what the unit says."""
    word, place = unit
    if word == "die":
        os._exit(9)
    if word == "die once" and not Path(place).exists():
        Path(place).write_text("")
        os._exit(9)
    if word == "hang":
        time.sleep(60)
    if word == "disk full":
        raise OutputError(f"cannot write {place}: No space left on device")
    return word.upper()


def test_losses_are_retried_once_then_reported(tmp_path: Path) -> None:
    """Every unit has one result: good ones their value, lost ones the reason."""
    words = ["a", "die", "b", "die once", "c"]
    results = list(run_units(act, [(word, str(tmp_path / "mark")) for word in words], 2))
    assert {words[r.index]: r.value or r.failure for r in results} == {
        "a": "A",
        "die": "its worker died (exit code 9), 2 times",
        "b": "B",
        "die once": "DIE ONCE",
        "c": "C",
    }
    assert len(results) == len(words)


def test_a_hanging_unit_is_ended() -> None:
    """A unit over its time is killed and reported, and the others are done meanwhile."""
    start = time.monotonic()
    results = list(run_units(act, [("hang", ""), ("a", ""), ("b", "")], 2, unit_limit_s=1.5))
    assert {r.index: r.value or r.failure for r in results} == {
        0: "took longer than 1.5 s, 2 times",
        1: "A",
        2: "B",
    }
    assert time.monotonic() - start < 20


def test_an_output_failure_ends_the_run() -> None:
    """What concerns the output, not the unit, is raised as it is."""
    with pytest.raises(OutputError, match="cannot write there: No space left"):
        list(run_units(act, [("disk full", "there"), ("a", "")], 1))


def test_nothing_to_do_and_no_processes() -> None:
    """No units need no worker; zero workers work in this process."""
    assert list(run_units(act, [], 4)) == []
    assert [r.value for r in run_units(act, [("a", ""), ("b", "")], 0)] == ["A", "B"]
