"""Times of builds: sessions add up, kills lose little, and no chain notices."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from chains.files import RUN_FILE, chain_path
from engine import run_log
from engine.build_progress import BuildProgress, describe_rejections
from engine.run_log import RunLog, UnitClock, read_seconds
from schemas.chain import RejectionCount
from schemas.codec import encode, read_record
from schemas.errors import SchemaError
from schemas.events import ChainAbandoned, ChainBuilt
from schemas.run import RunChain, RunRecord
from tests.chain_examples import chain_of, remove


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the run log, in the test's hands."""
    hand = Clock()
    monkeypatch.setattr(run_log, "time", hand)
    return hand


def read(folder: Path) -> RunRecord:
    """The record as it lies in the folder."""
    return read_record(RunRecord, folder / RUN_FILE)


def test_sessions_add_up(tmp_path: Path, clock: Clock) -> None:
    """Wall time without the pause; a session that is cut off early keeps what the one before it knew."""
    first = RunLog(tmp_path, 2)
    first.note("R/a_s1", "accepted", 4, 3.5)
    first.note("M/b_s1", "abandoned", 0, 1.0)
    clock.now += 10.0
    first.save()
    started = read(tmp_path).started_utc
    clock.now += 1000.0
    second = RunLog(tmp_path, 1)
    second.note("R/a_s1", "accepted", 4, 3.5)
    clock.now += 5.0
    second.save()
    assert read(tmp_path) == RunRecord(
        started_utc=started,
        sessions=2,
        wall_s=15.0,
        workers=1,
        turns=4,
        chains=(
            RunChain(chain="R/a_s1", outcome="accepted", turns=4, seconds=3.5),
            RunChain(chain="M/b_s1", outcome="abandoned", turns=0, seconds=1.0),
        ),
    )
    assert (second.turns_per_minute, second.count("abandoned")) == (16.0, 1)


def test_a_build_that_has_ended_takes_no_more_time(tmp_path: Path, clock: Clock) -> None:
    """Looking at a finished folder again changes neither its rate nor its record."""
    log = RunLog(tmp_path, 1)
    log.note("R/a_s1", "accepted", 3, 2.0)
    clock.now += 6.0
    log.save(ended=True)
    again = RunLog(tmp_path, 1)
    clock.now += 600.0
    assert again.wall_s == 6.0
    assert again.turns_per_minute == 30.0
    assert read(tmp_path).ended_utc is not None


def test_a_long_session_saves_itself(tmp_path: Path, clock: Clock) -> None:
    """A kill loses only what came after the last save."""
    log = RunLog(tmp_path, 1)
    log.note("R/a_s1", "accepted", 3, 2.0)
    assert not (tmp_path / RUN_FILE).exists()
    clock.now += run_log.SAVE_EVERY_S
    log.note("R/b_s1", "surplus", 0, 2.0)
    assert [row.chain for row in read(tmp_path).chains] == ["R/a_s1", "R/b_s1"]


def test_seconds_of_a_chain_add_up(tmp_path: Path, clock: Clock) -> None:
    """A chain that is gone on with starts from the seconds that were saved, not from what was cut off."""
    path = tmp_path / "chain.seconds"
    assert read_seconds(path) == 0.0
    one = UnitClock(path)
    clock.now += 2.0
    one.save()
    clock.now += 50.0
    other = UnitClock(path)
    clock.now += 3.0
    other.save()
    assert read_seconds(path) == 5.0


@pytest.mark.parametrize("content", ['"two"', "true", "-1", "[3]"])
def test_seconds_that_are_none_are_refused(tmp_path: Path, content: str) -> None:
    """A file of another kind is named, not believed."""
    path = tmp_path / "chain.seconds"
    path.write_text(content)
    with pytest.raises(SchemaError, match=r"chain\.seconds.*expected seconds"):
        read_seconds(path)


def test_progress_tells_rate_and_reasons(tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """Every chain is printed with the rate so far; the end names the three most frequent reasons of rejection."""
    rows = tuple(RejectionCount(check=check, count=count) for check, count in (("gap", 5), ("size", 2), ("shape", 2)))
    chain = chain_of(remove("shade"))
    turn = chain.turns[0].model_copy(update={"rejected": (RejectionCount(check="scale", count=1),)})
    path = chain_path(tmp_path, chain.id)
    path.parent.mkdir()
    path.write_bytes(encode(chain.model_copy(update={"turns": (turn,)})))
    log = RunLog(tmp_path, 1)
    progress = BuildProgress(tmp_path, 2, log)
    log.note("R/lamp_s1", "abandoned", 0, 1.0)
    progress.take(ChainAbandoned(host="lamp", family="R", reason="only 0 turns", rejected=rows))
    clock.now += 4.0
    log.note(chain.id, "accepted", 1, 1.0)
    progress.take(ChainBuilt(chain=chain.id, turns=1))
    progress.close()
    assert capsys.readouterr().err.splitlines() == [
        "abandoned R on lamp: only 0 turns",
        "built: 1/2 G/desk_s1 1 turns, 15.0 turns/min, 1 abandoned",
        "built 1 chains with 1 turns in 4 s: 15.0 turns/min, 1 abandoned",
        "10 candidates rejected, most often by gap 5 (50%), shape 2 (20%), size 2 (20%)",
    ]
    assert describe_rejections(Counter(), Counter(), []) == ""
