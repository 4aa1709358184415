"""The ledger of a chain: what is done stays done, whoever is killed when."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from evaluator.outputs import read_rollout
from evaluator.rollout.ledger import ChainLedger, ChainRun
from schemas.codec import digest, read_record
from schemas.errors import InputError
from schemas.rollout import OUTPUT_FILE, PROGRESS_FILE, ROLLOUT_FILE, RUN_FILE, RolloutRecord, TurnOutcome
from tests.chain_examples import add, chain_of, remove

CHAIN = chain_of(add("cup", "top"), remove("cup"), add("jug", "top"))


def _run(session: int = 1, *, remembers: bool = False, sha256: str | None = None) -> ChainRun:
    return ChainRun(
        CHAIN.id, sha256 or digest(CHAIN), 3, "mine", "own", non_metallic=False, session=session, remembers=remembers
    )


def _deliver(ledger: ChainLedger, turn: int, data: bytes = b"state") -> None:
    """Write an output and note it as delivered."""
    ledger.folder.mkdir(parents=True, exist_ok=True)
    (ledger.folder / OUTPUT_FILE.format(turn=turn)).write_bytes(data)
    ledger.add(TurnOutcome(turn=turn, status="delivered", output_sha256=hashlib.sha256(data).hexdigest()))


def test_a_later_session_goes_on_after_the_last_turn_that_is_done(tmp_path: Path) -> None:
    """Two turns of a session that was cut off are kept, and the record is that of an undisturbed run."""
    first, undisturbed = ChainLedger(tmp_path / "cut", _run()), ChainLedger(tmp_path / "whole", _run())
    for ledger in (first, undisturbed):
        assert ledger.begin()
        _deliver(ledger, 1)
        _deliver(ledger, 2)
    second = ChainLedger(tmp_path / "cut", _run(session=2))
    assert second.find_record() is None
    assert second.begin()
    assert [entry.turn for entry in second.turns] == [1, 2]
    assert second.read_output(2) == b"state"
    for ledger in (second, undisturbed):
        _deliver(ledger, 3)
        ledger.finish()
    records = [(tmp_path / name / ROLLOUT_FILE).read_bytes() for name in ("cut", "whole")]
    assert records[0] == records[1]
    assert not (tmp_path / "cut" / PROGRESS_FILE).exists()
    assert second.find_record() == read_record(RolloutRecord, tmp_path / "cut" / ROLLOUT_FILE)


def test_a_chain_that_another_worker_of_the_session_lost_begins_again(tmp_path: Path) -> None:
    """That is a fault of the machine: outputs go, reruns count, the fourth loss leaves the chain unresolved."""
    ledger = ChainLedger(tmp_path, _run())
    assert ledger.begin()
    _deliver(ledger, 1)
    for reruns in (1, 2, 3):
        taken = ChainLedger(tmp_path, _run())
        assert taken.begin()
        assert (taken.reruns, taken.turns) == (reruns, ())
        assert not list(tmp_path.glob("*.glb"))
        _deliver(taken, 1)
    last = ChainLedger(tmp_path, _run())
    assert not last.begin()
    record = last.finish(unresolved=True)
    assert record.unresolved
    assert (record.reruns, record.turns) == (3, ())
    assert not list(tmp_path.glob("*.glb"))


def test_a_program_that_remembers_begins_a_cut_off_chain_again(tmp_path: Path) -> None:
    """What it knew of the earlier turns is lost with its process, so none of them is kept."""
    ledger = ChainLedger(tmp_path, _run(remembers=True))
    assert ledger.begin()
    _deliver(ledger, 1)
    later = ChainLedger(tmp_path, _run(session=2, remembers=True))
    assert later.begin()
    assert (later.reruns, later.turns) == (1, ())


def test_turns_after_a_failed_one_are_blocked(tmp_path: Path) -> None:
    """The record has every turn of the chain."""
    ledger = ChainLedger(tmp_path, _run())
    assert ledger.begin()
    _deliver(ledger, 1)
    assert not ledger.is_failed
    ledger.add(TurnOutcome(turn=2, status="failed", reason="crashed: exit code 1"))
    assert ledger.is_failed
    assert [entry.status for entry in ledger.finish().turns] == ["delivered", "failed", "blocked"]


@pytest.mark.parametrize("data", [b"other", None])
def test_outputs_that_somebody_changed_are_not_gone_on_with(tmp_path: Path, data: bytes | None) -> None:
    """The next session says which file is not what was delivered."""
    ledger = ChainLedger(tmp_path, _run())
    assert ledger.begin()
    _deliver(ledger, 1)
    output = tmp_path / OUTPUT_FILE.format(turn=1)
    output.unlink()
    if data is not None:
        output.write_bytes(data)
    with pytest.raises(InputError, match=r"turn_001\.glb"):
        ChainLedger(tmp_path, _run(session=2)).begin()


def test_another_version_of_the_chain_is_refused(tmp_path: Path) -> None:
    """Neither a record nor a progress of it is gone on with."""
    ledger = ChainLedger(tmp_path, _run())
    assert ledger.begin()
    other = ChainLedger(tmp_path, _run(session=2, sha256="0" * 64))
    with pytest.raises(InputError, match="--fresh"):
        other.begin()
    ledger.add(TurnOutcome(turn=1, status="failed", reason="missing: output.glb"))
    ledger.finish()
    with pytest.raises(InputError, match="--fresh"):
        other.find_record()


def test_scores_wait_for_a_chain_that_is_not_done(tmp_path: Path) -> None:
    """In a folder of a rollout a chain without a record is no chain of failures."""
    (tmp_path / RUN_FILE).write_text("{}")
    with pytest.raises(InputError, match="not finished"):
        read_rollout(tmp_path, CHAIN)


@pytest.mark.parametrize(("turns", "message"), [((2,), "must be turn 1"), ((1, 2, 3, 4), "has 4 turns, the chain 3")])
def test_progress_that_cannot_be_is_refused(tmp_path: Path, turns: tuple[int, ...], message: str) -> None:
    """A file that somebody has edited or damaged is an error that says what to do, not a crash or a longer chain."""
    ledger = ChainLedger(tmp_path, _run())
    assert ledger.begin()
    for turn in range(1, 5):
        _deliver(ledger, turn)
    document = json.loads((tmp_path / PROGRESS_FILE).read_text())
    document["turns"] = [document["turns"][turn - 1] for turn in turns]
    (tmp_path / PROGRESS_FILE).write_text(json.dumps(document))
    with pytest.raises(InputError, match=message) as caught:
        ChainLedger(tmp_path, _run(session=2)).begin()
    assert f"delete the folder {tmp_path} to run the chain again" in str(caught.value)
