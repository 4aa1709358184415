"""Qualitative grids: what a seed draws, every method beside the truth, errors that are those of the scores."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from chains.files import list_chains, read_chain
from engine.cli import engine
from engine.replay import Replayer
from evaluator.book import ScoreBook, read_book
from evaluator.metrics.image import measure_drift
from evaluator.metrics.pictures import lay_on_black
from evaluator.outputs import find_outcomes, output_path, read_rollout
from evaluator.protocol import PictureOptions, Protocol
from evaluator.scoring import PROTOCOL_FILE, scores_path
from evaluator.tables.error_map import (
    STOPS,
    WHOLE,
    average_errors,
    color_errors,
    draw_scale,
    fit_square,
    measure_errors,
)
from evaluator.tables.grids import GridOrder, choose_chains, choose_turns, compose_grid, draw_grids
from schemas.codec import digest, encode
from schemas.errors import InputError
from schemas.rollout import ROLLOUT_FILE, RolloutRecord
from schemas.score import ChainScores, TurnScore
from tests.box_chains import build_on_table, index_boxes

SMALL = Protocol(pictures=PictureOptions(res=48, supersample=1))
METHODS = ("late", "noop", "oracle", "regeneration", "true")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of furniture made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("boxes"))


@pytest.fixture(scope="module")
def chains(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two chains."""
    return build_on_table(index, tmp_path_factory.mktemp("chains"), ("M", "R"))


@pytest.fixture(scope="module")
def runs(index: Path, chains: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of two methods: `true` delivers the targets, `late` those of the turn before."""
    folder = tmp_path_factory.mktemp("runs")
    for path in list_chains(chains):
        replayer = Replayer(path, index)
        chain = replayer.chain
        for method, delay in (("true", 0), ("late", 1)):
            for turn in chain.turns:
                target = output_path(folder / method, chain.id, turn.index)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(replayer.turn(turn.index - delay).glb)
            _record(folder / method, path, method)
    return folder


def _record(run: Path, chain_path: Path, method: str) -> None:
    """Write what became of the turns as a record of a method."""
    chain = read_chain(chain_path)
    (run / chain.id / ROLLOUT_FILE).unlink(missing_ok=True)
    found = find_outcomes(run, chain).model_copy(update={"method": method})
    (run / chain.id / ROLLOUT_FILE).write_bytes(encode(RolloutRecord.model_validate(found.model_dump())))


def _write_scores(folder: Path, chains: Path, protocol: Protocol = SMALL) -> ScoreBook:
    """Scores without numbers: grids ask only which methods there are."""
    for path in list_chains(chains):
        chain = read_chain(path)
        turns = tuple(
            TurnScore(turn=turn.index, op=turn.operation.op, status="delivered", key="a" * 64) for turn in chain.turns
        )
        for method in METHODS:
            record = ChainScores(
                method=method,
                chain=chain.id,
                family=chain.family,
                host=chain.host.object_id,
                input="own",
                chain_sha256=digest(chain),
                protocol_sha256=digest(protocol),
                turns=turns,
            )
            target = scores_path(folder, method, chain.id)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(encode(record))
    (folder / PROTOCOL_FILE).write_bytes(encode(protocol))
    return read_book(folder)


def _order(scores: Path, runs: Path, index: Path, seed: int = 0) -> GridOrder:
    return GridOrder(scores, (runs / "true", runs / "late"), index, SMALL, 1, seed)


def test_a_grid_shows_what_each_method_made_beside_its_target(
    index: Path, chains: Path, runs: Path, tmp_path: Path
) -> None:
    """Delivered truth has no error in any pixel; late states differ from the target inside E and nowhere else."""
    book = _write_scores(tmp_path, chains)
    for path in list_chains(chains):
        sheet = compose_grid(path, book, _order(tmp_path, runs, index))
        assert [row.name for row in sheet.rows] == ["truth", "late", "true", "noop", "regeneration"]
        rows = {row.name: row for row in sheet.rows}
        wrong = 0
        for number, column in enumerate(sheet.columns):
            for view, region in enumerate(column.regions):
                target = rows["truth"].turns[number].views[view].own
                for name in ("true", "late", "noop", "regeneration"):
                    shown = rows[name].turns[number].views[view]
                    assert shown.target is not None
                    assert np.array_equal(shown.target, target)
                    errors = measure_errors(shown.own, target)
                    if name == "true":
                        assert not errors.any()
                    if name == "late":
                        assert not errors[~region].any()
                        wrong += int(np.count_nonzero(errors))
        assert wrong > 0


def test_the_same_seed_draws_the_same_bytes(index: Path, chains: Path, runs: Path, tmp_path: Path) -> None:
    """Pictures found and pictures drawn make one file; another seed shows other turns, and the grid says which."""
    book = _write_scores(tmp_path, chains)
    paths = list_chains(chains)
    order = _order(tmp_path, runs, index)
    first = draw_grids(tmp_path / "one", book, book.chains, paths, order)
    again = draw_grids(tmp_path / "two", book, book.chains, paths, order)
    assert [grid.path.read_bytes() for grid in first] == [grid.path.read_bytes() for grid in again]
    assert len(first) == 1
    choice = choose_turns(first[0].chain, len(read_chain(paths[0]).turns), 0)
    assert f"turns {', '.join(map(str, choice.turns))} of" in first[0].caption
    assert "seed 0" in first[0].caption
    with Image.open(first[0].path) as image:
        assert image.width > 4 * 256
        assert image.height > 9 * 256


@given(st.lists(st.integers(0, 10**6), unique=True, min_size=1, max_size=12), st.integers(0, 99))
def test_more_chains_reshuffle_none(numbers: list[int], seed: int) -> None:
    """Whatever is drawn of all chains is drawn of any part of them that holds it."""
    ids = [f"G/{number}" for number in numbers]
    drawn = choose_chains(ids, 3, seed)
    assert drawn == sorted(drawn)
    assert choose_chains([*drawn, *ids[::2]][: len(drawn)], 3, seed) == drawn
    assert set(choose_chains(ids[1:], 3, seed)) >= set(drawn) - {ids[0]}
    choice = choose_turns(ids[0], len(ids), seed)
    assert len(choice.turns) == min(4, len(ids))
    assert list(choice.turns) == sorted(set(choice.turns) & set(range(1, len(ids) + 1)))
    assert choice.held_out in {1, 2, 3}


def test_a_turn_that_was_not_delivered_says_why(index: Path, chains: Path, runs: Path, tmp_path: Path) -> None:
    """A missing file and the turns behind it stand in the grid in words."""
    book = _write_scores(tmp_path, chains)
    path = list_chains(chains)[0]
    chain = read_chain(path)
    run = tmp_path / "broken"
    for turn in chain.turns:
        target = output_path(run, chain.id, turn.index)
        target.parent.mkdir(parents=True, exist_ok=True)
        if turn.index != 1:
            target.write_bytes(output_path(runs / "true", chain.id, turn.index).read_bytes())
    _record(run, path, "true")
    order = GridOrder(tmp_path, (run, runs / "late"), index, SMALL, 1)
    sheet = compose_grid(path, book, order)
    row = next(row for row in sheet.rows if row.name == "true")
    assert not any(turn.views for turn in row.turns)
    assert [turn.missing for turn in row.turns] == [
        "failed: missing: turn_001.glb" if column.turn == 1 else "blocked by an earlier failure"
        for column in sheet.columns
    ]


def test_states_that_are_nowhere_or_twice_are_refused(index: Path, chains: Path, runs: Path, tmp_path: Path) -> None:
    """A method without a run, one in two runs, chains without scores and scores without pictures are named."""
    book = _write_scores(tmp_path, chains)
    paths = list_chains(chains)
    only = GridOrder(tmp_path, (runs / "true",), index, SMALL, 1)
    with pytest.raises(InputError, match="states of 'late' are in none of 1 runs"):
        compose_grid(paths[0], book, only)
    twice = GridOrder(tmp_path, (runs / "true", runs / "late", runs / "late"), index, SMALL, 1)
    with pytest.raises(InputError, match=r"'late' on .* is also in"):
        compose_grid(paths[0], book, twice)
    with pytest.raises(InputError, match="none of the 2 chains given is among the 0"):
        draw_grids(tmp_path, book, [], paths, only)
    with pytest.raises(InputError, match="without pictures"):
        compose_grid(paths[0], book, GridOrder(tmp_path, (), index, Protocol(), 1))


def test_a_run_on_true_states_stands_beside_the_method_s_own(
    index: Path, chains: Path, runs: Path, tmp_path: Path
) -> None:
    """Both runs are of one method; the rows of the grid bear the two names that their scores bear."""
    given = tmp_path / "given"
    shutil.copytree(runs / "late", given)
    path = list_chains(chains)[0]
    record = read_rollout(given, read_chain(path)).model_copy(update={"input": "ground-truth"})
    (given / record.chain / ROLLOUT_FILE).write_bytes(encode(record))
    book = _write_scores(tmp_path / "scores", chains)
    rows = [entry for entry in book.records.values() if entry.method == "late" and entry.chain == record.chain]
    both = ScoreBook(
        [*book.records.values(), *(row.model_copy(update={"method": "late@ground-truth"}) for row in rows)]
    )
    order = GridOrder(tmp_path / "scores", (runs / "true", runs / "late", given), index, SMALL, 1, 0)
    grid = compose_grid(path, both, order)
    assert [row.name for row in grid.rows][1:3] == ["late", "late@ground-truth"]


def test_the_command_draws_grids_and_shows_them(index: Path, chains: Path, runs: Path, tmp_path: Path) -> None:
    """`--grids` writes a file a chain and a figure of it in the page; without --chains it is refused."""
    scores, out = tmp_path / "scores", tmp_path / "report"
    book = _write_scores(scores, chains)
    words = ["table", str(scores), "--out", str(out), "--grids", "5", "--library", str(index)]
    assert "needs --chains" in str(CliRunner().invoke(engine, words).exception)
    words += ["--chains", str(chains), "--run", str(runs / "true"), "--run", str(runs / "late")]
    done = CliRunner().invoke(engine, words)
    assert done.exit_code == 0, done.output
    assert "2 grids" in done.output
    page = (out / "tables.html").read_text("utf-8")
    for chain in book.chains:
        assert (out / "grids" / f"{chain}.png").is_file()
        assert f'src="grids/{chain}.png"' in page


def test_errors_are_those_that_drift_averages() -> None:
    """Black against white is 1; the mean outside E is the drift of the same two pictures."""
    black = np.zeros((8, 8, 4), dtype=np.uint8)
    white = np.full((8, 8, 4), 255, dtype=np.uint8)
    assert (measure_errors(black, white) == WHOLE).all()
    assert not measure_errors(white, white).any()
    random = np.random.default_rng(3)
    one, two = (random.integers(0, 256, (16, 16, 4), dtype=np.uint8) for _ in range(2))
    edit = random.random((16, 16)) < 0.4
    means = average_errors(measure_errors(one, two), edit)
    assert means.unchanged == measure_drift(lay_on_black(one), lay_on_black(two), edit).unchanged
    assert means.edit == measure_drift(lay_on_black(one), lay_on_black(two), ~edit).unchanged
    assert average_errors(measure_errors(one, two), np.zeros_like(edit)).edit is None
    with pytest.raises(InputError, match="sizes differ"):
        measure_errors(one, black)


def test_the_scale_grows_lighter_and_ends_in_its_last_colour() -> None:
    """0 and the end have the outer colours, everything larger that of the end, and no step grows darker."""
    ends = color_errors(np.array([0, WHOLE // 2 + 1, WHOLE]))
    assert [tuple(color) for color in ends.tolist()] == [STOPS[0], STOPS[-1], STOPS[-1]]
    bar = draw_scale(200, 3)
    assert bar.shape == (3, 200, 3)
    lightness = bar[0].astype(np.int64) @ np.array([2, 7, 1])
    assert (np.diff(lightness) >= 0).all()


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 9))
def test_fitting_takes_means_and_repeats(length: int, size: int, seed: int) -> None:
    """Every cell is the rounded mean of its own block, or the value that lies there when it grows."""
    values = np.random.default_rng(seed).integers(0, WHOLE, (length, length, 2))
    fitted = fit_square(values, size)
    edges = [i * length // size for i in range(size + 1)]
    for row in range(size):
        for column in range(size):
            block = values[
                edges[row] : max(edges[row + 1], edges[row] + 1),
                edges[column] : max(edges[column + 1], edges[column] + 1),
            ].reshape(-1, 2)
            assert np.abs(fitted[row, column] - block.mean(axis=0)).max() <= 0.5
    assert np.array_equal(fit_square(values[..., 0], size), fitted[..., 0])
