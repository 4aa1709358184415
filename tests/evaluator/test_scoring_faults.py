"""Runs and score folders as they should not be: wrong records, wrong chains, names that are paths, other inputs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from chains.files import list_chains, read_chain
from engine.cli import engine
from engine.surfaces import FloatArray
from evaluator.book import ScoreBook, read_book
from evaluator.metrics.networks.weights import WeightsChoice
from evaluator.outputs import find_outcomes
from evaluator.protocol import PictureOptions, Protocol
from evaluator.scoring import ScoreOrder, score_run, scores_path
from schemas.codec import decode, encode, read_record
from schemas.errors import InputError, SchemaError
from schemas.rollout import ROLLOUT_FILE, RolloutRecord, Usage
from schemas.score import ChainScores
from tests.box_chains import deliver_states

SIZE = 32


class _Network:
    """Finds no difference anywhere."""

    sha256 = "d" * 64
    higher_is_better = False

    def measure_map(self, *_: object) -> FloatArray:
        """Zeros, the size of the pictures."""
        return np.zeros((SIZE, SIZE))


def _deliver_late(index: Path, path: Path, run: Path, **facts: object) -> RolloutRecord:
    """Deliver, after each turn, the true state before it: nothing of the turn is done."""
    chain = deliver_states(index, path, run, lambda turn: turn - 1)
    record = find_outcomes(run, chain).model_copy(update={"method": "late", **facts})
    (run / chain.id / ROLLOUT_FILE).write_bytes(encode(record))
    return record


def _read(out: Path, method: str, path: Path) -> ChainScores:
    return read_record(ChainScores, scores_path(out, method, read_chain(path).id))


def _values(record: ChainScores, metric: str) -> list[object]:
    return [row.value for turn in record.turns for row in turn.scores if row.metric == metric and not row.views]


def test_a_method_that_was_given_the_true_states_is_measured_against_them(
    index: Path, chains: Path, tmp_path: Path
) -> None:
    """Returning what it was given, it changed nothing: like the no-op in turn 1 in every turn, in a row of its own."""
    path, out = list_chains(chains)[0], tmp_path / "scores"
    for name, kind in (("own", "own"), ("given", "ground-truth")):
        _deliver_late(index, path, tmp_path / name, input=kind)
        (row,) = score_run([path], ScoreOrder(tmp_path / name, index, out, Protocol()))
        assert not row.failure
    given, own = _read(out, "late@ground-truth", path), _read(out, "late", path)
    assert (given.input, own.input) == ("ground-truth", "own")
    assert set(_values(given, "consistency_previous")) == {1}
    assert set(_values(own, "consistency_previous")) != {1}
    assert all(value == 0 for value in _values(given, "instruction_following") if isinstance(value, float | int))
    assert _values(given, "iou") == _values(own, "iou")
    assert read_book(out).methods[:2] == ("late", "late@ground-truth")


def test_scores_of_networks_are_kept_too(
    index: Path, chains: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run with the same weights measures nothing again."""
    path = list_chains(chains)[0]
    _deliver_late(index, path, tmp_path / "run")
    weights = WeightsChoice(tmp_path / "weights")
    monkeypatch.setattr("evaluator.scoring.find_weights", lambda *_: weights)
    monkeypatch.setattr("evaluator.scoring.load_map_metric", lambda *_: _Network())
    order = ScoreOrder(
        tmp_path / "run", index, tmp_path / "scores", Protocol(pictures=PictureOptions(res=SIZE)), weights=weights.path
    )
    (first,) = score_run([path], order)
    (again,) = score_run([path], order)
    assert (first.kept, again.scored) == (0, 0)
    assert again.kept == first.scored > 0


def test_kept_scores_tell_the_cost_that_the_record_tells_now(index: Path, chains: Path, tmp_path: Path) -> None:
    """Costs are no part of what is measured, so they are always the record's."""
    path, out = list_chains(chains)[0], tmp_path / "scores"
    record = _deliver_late(index, path, tmp_path / "run")
    order = ScoreOrder(tmp_path / "run", index, out, Protocol(), references=False)
    list(score_run([path], order))
    turns = tuple(entry.model_copy(update={"usage": Usage(seconds=2.5)}) for entry in record.turns)
    place = tmp_path / "run" / record.chain / ROLLOUT_FILE
    place.write_bytes(encode(record.model_copy(update={"turns": turns})))
    (row,) = score_run([path], order)
    assert (row.scored, row.kept) == (0, len(turns))
    assert {entry.usage for entry in _read(out, "late", path).turns} == {Usage(seconds=2.5)}


def test_a_chain_that_cannot_be_read_does_not_stop_the_others(index: Path, chains: Path, tmp_path: Path) -> None:
    """It fails with its file's name, the others are scored, and the command ends with 2."""
    good = list_chains(chains)[0]
    folder = tmp_path / "chains"
    (folder / "G").mkdir(parents=True)
    (folder / "G" / "good.json").write_bytes(good.read_bytes())
    (folder / "G" / "bad.json").write_bytes(b"{}")
    (tmp_path / "run").mkdir()
    words = ["score", str(tmp_path / "run"), "--library", str(index), "--no-images", "--no-references"]
    words += ["--chains", str(folder), "--out", str(tmp_path / "scores")]
    done = CliRunner().invoke(engine, words)
    assert done.exit_code == 2
    assert "1 chains, 0 turns scored, 0 kept, 1 failed" in done.output
    assert "bad.json" in done.output
    assert _read(tmp_path / "scores", "unnamed", good).turns[0].status == "failed"


def test_a_run_of_which_no_chain_can_be_scored_says_why(index: Path, chains: Path, tmp_path: Path) -> None:
    """Not that there are no scores, but what is wrong with each chain."""
    path = list_chains(chains)[0]
    place = tmp_path / "run" / read_chain(path).id / ROLLOUT_FILE
    place.parent.mkdir(parents=True)
    place.write_bytes(b"{")
    words = ["score", str(tmp_path / "run"), "--library", str(index), "--no-images"]
    done = CliRunner().invoke(engine, [*words, "--chains", str(path), "--out", str(tmp_path / "scores")])
    assert done.exit_code == 2
    assert "0 chains, 0 turns scored, 0 kept, 1 failed" in done.output
    assert str(place) in done.output


def test_a_chain_whose_log_is_not_true_is_not_scored(index: Path, chains: Path, tmp_path: Path) -> None:
    """A state that is not the logged one fails its chain as it does in replay; a log without hashes is taken."""
    path = list_chains(chains)[0]
    chain = read_chain(path)
    wrong, bare = tmp_path / "wrong.json", tmp_path / "bare.json"
    for place, sha256 in ((wrong, "0" * 64), (bare, None)):
        turns = (*chain.turns[:-1], chain.turns[-1].model_copy(update={"state_sha256": sha256}))
        place.write_bytes(encode(chain.model_copy(update={"turns": turns})))
    (row,) = score_run([wrong], ScoreOrder(tmp_path, index, tmp_path / "wrong", Protocol()))
    assert "the log says 000000000000" in row.failure
    assert row.exit_code == 4
    (row,) = score_run([bare], ScoreOrder(tmp_path, index, tmp_path / "bare", Protocol()))
    assert not row.failure


def test_two_versions_of_a_chain_do_not_stand_in_one_table(index: Path, chains: Path, tmp_path: Path) -> None:
    """Methods that were scored before and after a chain was built anew are not compared."""
    path, out = list_chains(chains)[0], tmp_path / "scores"
    list(score_run([path], ScoreOrder(tmp_path, index, out, Protocol())))
    one, other = _read(out, "oracle", path), _read(out, "noop", path)
    assert ScoreBook([one, other]).chains == (one.chain,)
    with pytest.raises(InputError, match=f"{one.chain}: oracle was scored on its version {one.chain_sha256[:12]}"):
        ScoreBook([one, other.model_copy(update={"chain_sha256": "c" * 64})])


@pytest.mark.parametrize("name", ["a/b", ".hidden", "pictures", "m" * 201])
def test_a_method_is_not_called_like_a_path_or_a_folder_of_scores(name: str) -> None:
    """Its scores would lie where no table looks, or where pictures lie."""
    record = {"chain": "G/a", "chain_sha256": "a" * 64, "method": name, "turns": []}
    with pytest.raises(SchemaError, match="invalid method"):
        decode(RolloutRecord, json.dumps(record).encode(), "rollout.json")


def test_weights_that_are_asked_for_are_there(index: Path, chains: Path, tmp_path: Path) -> None:
    """A folder that is mistyped is no folder without weights."""
    (tmp_path / "run").mkdir()
    words = ["score", str(tmp_path / "run"), "--library", str(index), "--chains", str(chains)]
    words += ["--out", str(tmp_path / "scores"), "--weights", str(tmp_path / "wieghts")]
    done = CliRunner().invoke(engine, words)
    assert "wieghts: no such folder" in str(done.exception)
    assert not (tmp_path / "scores").exists()
