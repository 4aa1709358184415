"""Worker processes that die, hang or fail."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path

import pytest

from library_index.executors import run_costly_first
from library_index.pool import WorkerPool
from schemas.errors import OutputError, WorkerError


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
    with WorkerPool(act, 2) as pool:
        results = list(pool.run([(word, str(tmp_path / "mark")) for word in words]))
    assert {words[r.index]: r.value or r.failure for r in results} == {
        "a": "A",
        "die": "its worker died (exit code 9), 2 times",
        "b": "B",
        "die once": "DIE ONCE",
        "c": "C",
    }
    assert len(results) == len(words)


def note(unit: tuple[str, str]) -> str:
    """Write down in which order units were begun."""
    word, place = unit
    with Path(place).open("a") as log:
        log.write(word)
    return act((word, ""))


@pytest.mark.parametrize("size", [0, 2])
def test_costly_units_are_begun_first_and_answered_in_their_place(tmp_path: Path, size: int) -> None:
    """Whatever is done first, results come in the order of the units, a lost one among them."""
    words = ["a", "die" if size else "b", "c", "d"]
    with WorkerPool(note, size) as pool:
        results = list(run_costly_first(pool, [(word, str(tmp_path / "log")) for word in words], [1.0, 3.0, 2.0, 3.0]))
    assert [result.index for result in results] == [0, 1, 2, 3]
    assert [result.value for result in results] == ["A", None if size else "B", "C", "D"]
    assert (results[1].failure is None) == (size == 0)
    if size == 0:
        assert (tmp_path / "log").read_text() == "bdca"


def test_a_hanging_unit_is_ended() -> None:
    """A unit over its time is killed and reported, and the others are done meanwhile."""
    start = time.monotonic()
    with WorkerPool(act, 2, unit_limit_s=1.5) as pool:
        results = list(pool.run([("hang", ""), ("a", ""), ("b", "")]))
    assert {r.index: r.value or r.failure for r in results} == {
        0: "took longer than 1.5 s, 2 times",
        1: "A",
        2: "B",
    }
    assert time.monotonic() - start < 20


def test_an_output_failure_ends_the_run() -> None:
    """An ordered run raises what a unit raised, as it is."""
    with pytest.raises(OutputError, match="cannot write there: No space left"), WorkerPool(act, 1) as pool:
        list(pool.run_in_order([("disk full", "there"), ("a", "")]))


def test_nothing_to_do_and_no_processes() -> None:
    """No units need no worker; zero workers work in this process."""
    with WorkerPool(act, 4) as pool:
        assert list(pool.run([])) == []
    with WorkerPool(act, 0) as pool:
        assert [result.value for result in pool.run([("a", ""), ("b", "")])] == ["A", "B"]


def test_order_is_kept_and_a_lost_unit_ends_an_ordered_run() -> None:
    """Results come in the order of the units over several runs of one pool; a unit without result is named."""
    with WorkerPool(act, 2, unit_limit_s=1.5) as pool:
        for _ in range(2):
            assert list(pool.run_in_order([(word, "") for word in "abcdef"])) == list("ABCDEF")
        with pytest.raises(WorkerError, match=r"hang.*took longer"):
            list(pool.run_in_order([("a", ""), ("hang", "")]))


def test_a_run_after_a_refusal_loses_nothing() -> None:
    """A pool whose ordered run was ended by an error, still held by whoever caught it, answers the next run in full."""
    with WorkerPool(act, 2) as pool:
        with pytest.raises(OutputError) as caught:
            list(pool.run_in_order([("disk full", "there"), ("a", "")]))
        following = pool.run_in_order([(word, "") for word in "abcdef"])
        first = next(following)
        del caught
        gc.collect()
        assert [first, *following] == list("ABCDEF")
        ended = pool.run_in_order([("a", ""), ("hang", "")])
        assert next(ended) == "A"
        pool.close()
        with pytest.raises(WorkerError, match=r"hang.*was given up"):
            next(ended)
