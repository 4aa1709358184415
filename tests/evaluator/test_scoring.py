"""Runs scored from files: references as they must be, failures in the ledger, nothing measured twice."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from chains.files import list_chains, read_chain
from evaluator.outputs import output_path
from evaluator.parquet import write_parquet
from evaluator.protocol import Protocol, VoxelOptions
from evaluator.scoring import ScoredChain, ScoreOrder, list_scores, score_run, scores_path
from schemas.codec import encode, read_record
from schemas.errors import InputError
from schemas.rollout import ROLLOUT_FILE, RolloutRecord
from schemas.score import ChainScores, Measure, TurnScore, Undefined
from tests.box_chains import deliver_states


def _deliver(index: Path, chains: Path, run: Path, *, host_only: bool = False) -> None:
    """Write what an oracle, or a method that never does anything, would deliver."""
    for path in list_chains(chains):
        deliver_states(index, path, run, lambda turn: 0 if host_only else turn)


def _score(index: Path, chains: Path, run: Path, out: Path, **options: object) -> list[ScoredChain]:
    order = ScoreOrder(run, index, out, Protocol(), **options)  # type: ignore[arg-type]  # named options of the order
    return list(score_run(list_chains(chains), order))


def _read(out: Path, method: str, chains: Path) -> list[ChainScores]:
    return [read_record(ChainScores, scores_path(out, method, read_chain(p).id)) for p in list_chains(chains)]


def _value(turn: TurnScore, metric: str, region: str = "whole") -> Measure:
    (found,) = (row.value for row in turn.scores if row.metric == metric and row.region == region)
    return found


def test_true_states_score_as_the_oracle_and_the_host_as_the_no_op(index: Path, chains: Path, tmp_path: Path) -> None:
    """Files of replayed states get the oracle's numbers to the last bit: exactly 1; host files get the no-op's."""
    for name, reference in (("true", "oracle"), ("still", "noop")):
        run, out = tmp_path / name, tmp_path / f"{name}-scores"
        _deliver(index, chains, run, host_only=name == "still")
        assert not [row.failure for row in _score(index, chains, run, out) if row.failure]
        for ours, theirs in zip(_read(out, "unnamed", chains), _read(out, reference, chains), strict=True):
            assert [turn.scores for turn in ours.turns] == [turn.scores for turn in theirs.turns]
    defined = 0
    for record in _read(tmp_path / "true-scores", "oracle", chains):
        for turn in record.turns:
            following = _value(turn, "instruction_following")
            assert isinstance(following, Undefined) or following == 1.0
            defined += not isinstance(following, Undefined)
            assert isinstance(following, Undefined) or turn.op != "retexture"
            for metric in ("consistency_previous", "iou", "f_score_001"):
                assert _value(turn, metric) == 1.0
            initial = _value(turn, "consistency_initial")
            assert initial == Undefined(reason="no cell is filled in either") or initial == 1.0
            assert _value(turn, "chamfer") == pytest.approx(0.0, abs=1e-9)
    assert defined >= 4
    for record in _read(tmp_path / "still-scores", "noop", chains):
        for turn in record.turns:
            following = _value(turn, "instruction_following")
            assert isinstance(following, Undefined) or following == 0.0
            assert _value(turn, "consistency_previous") == 1.0


def test_the_no_op_beats_the_regeneration_on_the_whole_and_following_says_nothing_for_it(
    index: Path, chains: Path, tmp_path: Path
) -> None:
    """Whole-object F prefers doing nothing to redrawing everything; IF is 0 or undefined for the no-op."""
    _score(index, chains, tmp_path / "nowhere", tmp_path / "scores")
    for still, drawn in zip(
        _read(tmp_path / "scores", "noop", chains), _read(tmp_path / "scores", "regeneration", chains), strict=True
    ):
        for one, two in zip(still.turns, drawn.turns, strict=True):
            assert _value(one, "f_score_001") > _value(two, "f_score_001")  # type: ignore[operator]  # both defined


def test_a_failed_turn_has_a_reason_and_no_numbers(index: Path, chains: Path, tmp_path: Path) -> None:
    """A cut file fails its turn and blocks the rest; the turn before it and all other chains are scored."""
    run = tmp_path / "run"
    _deliver(index, chains, run)
    ids = [read_chain(path).id for path in list_chains(chains)]
    broken = output_path(run, ids[0], 2)
    broken.write_bytes(broken.read_bytes()[:-100])
    rows = _score(index, chains, run, tmp_path / "scores", references=False)
    assert not [row.failure for row in rows if row.failure]
    records = _read(tmp_path / "scores", "unnamed", chains)
    statuses = [turn.status for turn in records[0].turns]
    assert statuses == ["delivered", "failed", *["blocked"] * (len(statuses) - 2)]
    assert "turn_002.glb" in records[0].turns[1].reason
    assert [bool(turn.scores) for turn in records[0].turns] == [status == "delivered" for status in statuses]
    assert all(turn.scores for record in records[1:] for turn in record.turns)


def test_only_what_changed_is_scored_again(index: Path, chains: Path, tmp_path: Path) -> None:
    """A second run keeps everything; a new output in turn 2 costs that turn and the one that follows from it."""
    run, out = tmp_path / "run", tmp_path / "scores"
    _deliver(index, chains, run)
    first = _score(index, chains, run, out)
    before = {path: path.read_bytes() for path in out.rglob("*.json")}
    again = _score(index, chains, run, out)
    assert sum(row.scored for row in again) == 0
    assert sum(row.kept for row in again) == sum(row.scored for row in first)
    assert {path: path.read_bytes() for path in out.rglob("*.json")} == before
    ids = [read_chain(path).id for path in list_chains(chains)]
    output_path(run, ids[1], 2).write_bytes(output_path(run, ids[1], 1).read_bytes())
    changed = _score(index, chains, run, out)
    assert [row.scored for row in changed] == [0, 2, *[0] * (len(ids) - 2)]


def test_scores_do_not_depend_on_workers(index: Path, chains: Path, tmp_path: Path) -> None:
    """One, two and four workers write the same bytes."""
    found = []
    for workers in (1, 2, 4):
        out = tmp_path / f"scores{workers}"
        _score(index, chains, tmp_path / "nowhere", out, workers=workers)
        found.append({path.relative_to(out): path.read_bytes() for path in out.rglob("*.json")})
    assert found[0] == found[1] == found[2]
    assert len(found[0]) > 10


def test_options_are_not_mixed_and_names_are_not_stolen(index: Path, chains: Path, tmp_path: Path) -> None:
    """Other options in one folder are refused; a method that calls itself like a reference row fails its chains."""
    run, out = tmp_path / "run", tmp_path / "scores"
    _deliver(index, chains, run)
    path = list_chains(chains)[0]
    chain = read_chain(path)
    order = ScoreOrder(run, index, out, Protocol(), references=False)
    list(score_run([path], order))
    tight = ScoreOrder(run, index, out, Protocol(voxel=VoxelOptions(frame="tight")), references=False)
    with pytest.raises(InputError, match=r"other options: see protocol\.json"):
        list(score_run([path], tight))
    scored = read_record(ChainScores, scores_path(out, "unnamed", chain.id))
    turns = [
        {"turn": turn.turn, "status": "delivered", "output_sha256": _hash(output_path(run, chain.id, turn.turn))}
        for turn in scored.turns
    ]
    record = {"chain": chain.id, "chain_sha256": scored.chain_sha256, "method": "oracle", "turns": turns}
    record_path = run / chain.id / ROLLOUT_FILE
    record_path.write_bytes(encode(RolloutRecord.model_validate_json(json.dumps(record))))
    (row,) = score_run([path], order)
    assert "cannot be called 'oracle'" in row.failure
    assert row.exit_code == 2


def test_the_parquet_file_holds_every_number(index: Path, chains: Path, tmp_path: Path) -> None:
    """Its rows are those of the JSON records: numbers, reasons, and a row for a turn that was not delivered."""
    _score(index, chains, tmp_path / "nowhere", tmp_path / "scores")
    rows = write_parquet(tmp_path / "scores")
    table = pq.read_table(tmp_path / "scores" / "scores.parquet").to_pylist()
    records = [read_record(ChainScores, path) for path in list_scores(tmp_path / "scores")]
    turns = [(record, turn) for record in records for turn in record.turns]
    assert rows == len(table) == sum(max(1, len(turn.scores)) for _, turn in turns)
    failed = [row for row in table if row["status"] == "failed"]
    assert len(failed) == len(list_chains(chains))
    assert all(row["metric"] is None and "turn_001.glb" in row["reason"] for row in failed)
    found = {(row["method"], row["chain"], row["turn"], row["metric"], row["region"]): row["value"] for row in table}
    for record, turn in turns:
        for score in turn.scores:
            value = found[record.method, record.chain, turn.turn, score.metric, score.region]
            assert value == (None if isinstance(score.value, Undefined) else score.value)


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
