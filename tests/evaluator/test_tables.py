"""Tables: means with what stands behind them, references beside methods, the best marked as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli import engine
from evaluator.aggregate import Sample, measure_mean
from evaluator.book import Column, ScoreBook
from evaluator.catalogue import BY_NAME, METRICS, find_metric
from evaluator.protocol import Protocol, VoxelOptions
from evaluator.score import SCENE_WIDE
from evaluator.scoring import PROTOCOL_FILE, scores_path
from evaluator.tables.build import build_tables, choose_cohort
from evaluator.tables.curves import Curve, draw_curves
from evaluator.tables.report import write_report
from evaluator.tables.table import Table
from evaluator.tables.write import write_latex, write_markdown
from schemas.codec import digest, encode
from schemas.errors import InputError
from schemas.operation import OpName
from schemas.rollout import Usage
from schemas.score import ChainScores, Measure, Score, TurnScore, Undefined

OPS: tuple[OpName, ...] = ("add", "remove", "replace")
NONE = Undefined(reason="3 cells to add, 8 are needed")


def _turn(number: int, following: Measure, initial: float, *, failed: bool = False) -> TurnScore:
    op = OPS[number - 1]
    if failed:
        return TurnScore(turn=number, op=op, status="failed", reason="missing: turn.glb")
    scores = (
        Score(metric="consistency_initial", value=initial),
        Score(metric="f_score_001", value=initial),
        Score(metric="instruction_following", value=following),
        Score(metric="psnr", region="edit", views="all", value="inf" if following == 1.0 else 20.0),
    )
    return TurnScore(turn=number, op=op, status="delivered", key="a" * 64, scores=scores, usage=Usage(seconds=2.0))


def _record(method: str, chain: str, *turns: TurnScore) -> ChainScores:
    return ChainScores(
        method=method,
        chain=chain,
        family="G",
        host=chain.partition("/")[2],
        input="own",
        chain_sha256="b" * 64,
        protocol_sha256=digest(Protocol()),
        turns=turns,
    )


def _records() -> list[ChainScores]:
    perfect = [_turn(number, 1.0, 1.0) for number in (1, 2, 3)]
    still = [_turn(number, 0.0, 1.0) for number in (1, 2, 3)]
    rows = []
    for chain in ("G/one", "G/two"):
        rows.append(_record("oracle", chain, *perfect))
        rows.append(_record("noop", chain, *still))
        rows.append(_record("painter", chain, _turn(1, 0.5, 0.9), _turn(2, NONE, 0.8), _turn(3, 0.7, 0.7)))
    blocked = TurnScore(turn=3, op="replace", status="blocked")
    rows.append(_record("carver", "G/one", _turn(1, 0.25, 0.95), _turn(2, 0.5, 0.85), _turn(3, 0.6, 0.75)))
    rows.append(_record("carver", "G/two", _turn(1, 0.25, 0.95), _turn(2, 0.0, 1.0, failed=True), blocked))
    return rows


def _tables(cohort: str = "all") -> dict[str, Table]:
    book = ScoreBook(_records())
    return {table.name: table for table in build_tables(book, choose_cohort(book, cohort))}


def _row(table: Table, method: str) -> dict[str, str]:
    row = next(row for row in table.rows if row.name == method)
    return {heading.text: cell.text for heading, cell in zip(table.headings, row.cells, strict=True)}


def test_the_ledger_counts_every_turn() -> None:
    """Attempted, delivered, failed, blocked, scored, defined: nothing disappears."""
    carver = _row(_tables()["coverage"], "carver")
    assert carver == {
        "chains": "2",
        "completed": "1",
        "unresolved": "0",
        "turns": "6",
        "delivered": "4",
        "failed": "1",
        "blocked": "1",
        "scored": "4",
        "IF defined": "4",
    }
    assert _row(_tables()["coverage"], "painter")["IF defined"] == "4"


def test_a_mean_leaves_undefined_turns_out_and_if0_does_not() -> None:
    """IF is over four turns of six; IF0 counts the two that only the own state left undefined as 0."""
    table = _tables()["following"]
    row = next(row for row in table.rows if row.name == "painter")
    following, zero = row.cells[:2]
    assert (following.text, following.note) == ("0.600", "n=4/6")
    assert (zero.text, zero.note) == ("0.400", "n=6/6")
    psnr = next(row for row in _tables()["main_edit"].rows if row.name == "oracle").cells[5]
    assert (psnr.text, psnr.note) == ("-", "n=0/0, 6 inf")


def test_the_best_is_marked_as_printed_and_references_are_not() -> None:
    """The painter's IF is best; the oracle's higher one is no rival; equal prints are marked both."""
    table = _tables()["following"]
    best = {row.name for row in table.rows if row.cells[0].best}
    assert best == {"painter"}
    assert "**0.600**" in write_markdown(table)
    assert r"\textbf{0.600}" in write_latex(table)
    assert "*oracle*" in write_markdown(table)
    book = ScoreBook([record for record in _records() if record.method != "carver"])
    alone = {table.name: table for table in build_tables(book, choose_cohort(book, "all"))}
    assert not any(cell.best for table in alone.values() for row in table.rows for cell in row.cells)


@pytest.mark.parametrize("name", ["oracle-rollout", "noop-rollout", "painter@ground-truth"])
def test_baselines_that_were_run_and_true_inputs_do_not_compete(name: str) -> None:
    """However good their numbers, the best is still the painter's."""
    rows = [record.model_copy(update={"method": name}) for record in _records() if record.method == "oracle"]
    book = ScoreBook([*_records(), *rows])
    table = {table.name: table for table in build_tables(book, choose_cohort(book, "all"))}["following"]
    assert name in {row.name for row in table.rows}
    assert {row.name for row in table.rows if row.cells[0].best} == {"painter"}


def test_the_matched_cohort_is_what_every_method_completed() -> None:
    """Curves by turn are over one set of chains; end states are those of completed chains."""
    book = ScoreBook(_records())
    assert book.completed_by_all() == ("G/one",)
    by_turn = _tables()["by_turn_consistency_initial"]
    assert _row(by_turn, "painter") == {"1": "0.900", "2": "0.800", "3": "0.700"}
    assert "1 chain" in by_turn.caption
    ends = _tables()["end_state_f_score_001"]
    row = next(row for row in ends.rows if row.name == "carver")
    assert (row.cells[0].text, row.cells[0].note) == ("0.750", "n=1/2")


def test_a_table_says_why_turns_are_undefined() -> None:
    """Reasons are counted without their numbers."""
    painter = _row(_tables()["defined"], "painter")
    assert painter["remove defined"] == "0"
    assert painter["remove of"] == "2"
    assert painter["most frequent reason"] == "n cells to add, n are needed (2)"


def test_scores_of_other_options_do_not_mix() -> None:
    """Two protocols, or one chain twice, are refused."""
    one, *rest = _records()
    with pytest.raises(InputError, match="2 sets of options"):
        ScoreBook([one.model_copy(update={"protocol_sha256": "c" * 64}), *rest])
    with pytest.raises(InputError, match="is there twice"):
        ScoreBook([one, one])


def test_curves_have_a_mark_for_every_mean_and_gaps_where_there_is_none() -> None:
    """Each known mean is one circle with its value; a gap splits the line."""
    book = ScoreBook(_records())
    places = book.turns("painter")
    mean = measure_mean(book.samples(places, Column("f_score_001")), interval_seed=0)
    svg = draw_curves("F", "turn", ["1", "2", "3"], [Curve("painter", (mean, None, mean))])
    assert svg.count("<circle") == 2
    assert svg.count("<polyline") == 2
    assert re.search(r'data-value="0\.8"', svg)


def test_the_command_writes_every_format(tmp_path: Path) -> None:
    """Markdown, HTML, LaTeX and SVG of all tables; an unknown chain or cohort is refused."""
    scores, out = tmp_path / "scores", tmp_path / "report"
    for record in _records():
        path = scores_path(scores, record.method, record.chain)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(record))
    (scores / PROTOCOL_FILE).write_bytes(encode(Protocol()))
    done = CliRunner().invoke(engine, ["table", str(scores), "--out", str(out)])
    assert done.exit_code == 0, done.output
    tables = _tables()
    assert {path.stem for path in (out / "tables").glob("*.tex")} == set(tables)
    page = (out / "tables.html").read_text("utf-8")
    assert all(f'id="{name}"' in page for name in tables)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert len(list((out / "plots").glob("*.svg"))) >= 3
    listed = tmp_path / "chains.txt"
    listed.write_text("G/none\n")
    words = ["table", str(scores), "--out", str(out), "--cohort", "listed"]
    assert "needs --chain-list" in str(CliRunner().invoke(engine, words).exception)
    assert "no scores of 'G/none'" in str(CliRunner().invoke(engine, [*words, "--chain-list", str(listed)]).exception)


def test_every_score_is_explained() -> None:
    """Each score on cells has an entry; names and symbols find it; an unknown word gets the closest."""
    assert set(SCENE_WIDE) <= set(BY_NAME)
    for metric in METRICS:
        assert find_metric(metric.name) == find_metric(metric.symbol) == metric
        assert metric.definition
        assert metric.defined
    assert find_metric("chamfer_floor") == BY_NAME["chamfer"]
    with pytest.raises(InputError, match="did you mean"):
        find_metric("instruction_folowing")
    done = CliRunner().invoke(engine, ["metrics", "explain", "IF"])
    assert "if_rule" in done.output
    assert "8 cells" in done.output


@pytest.mark.parametrize("name", ["[0pt]", "*", "<script>alert(1)</script>", r"a|b\c`d`", "100%_{#}~^&$"])
def test_a_name_stays_a_name_in_every_format(name: str, tmp_path: Path) -> None:
    """No markup of a method's name is read as markup, nor as an argument of the row above it."""
    records = [record.model_copy(update={"method": name}) for record in _records() if record.method == "painter"]
    book = ScoreBook([*_records(), *records])
    write_report(tmp_path, book, choose_cohort(book, "all"), "Scores", [])
    written = {path.suffix: path.read_text("utf-8") for path in sorted(tmp_path.rglob("*.*"))}
    assert len(written) == 4
    assert not any("<script" in text for text in written.values())
    table = (tmp_path / "tables" / "coverage.tex").read_text("utf-8")
    assert not re.search(r"^\s*[\[*]", table, re.MULTILINE)
    columns = len(_tables()["coverage"].headings)
    rows = [line for line in table.splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {columns}
    assert not any(re.search(r"(?<!\\)[%#$~^_]", row) for row in rows[1:])
    lines = [line for line in (tmp_path / "tables.md").read_text("utf-8").splitlines() if line.startswith("|")]
    bare = [re.sub(r"\\.", "", line) for line in lines]
    assert bare[0].count("|") == bare[len(book.methods)].count("|")


def test_scores_beside_other_options_are_refused(tmp_path: Path) -> None:
    """A table does not name options that its scores were not made with."""
    for record in _records():
        path = scores_path(tmp_path / "scores", record.method, record.chain)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(record))
    (tmp_path / "scores" / PROTOCOL_FILE).write_bytes(encode(Protocol(voxel=VoxelOptions(frame="tight"))))
    done = CliRunner().invoke(engine, ["table", str(tmp_path / "scores"), "--out", str(tmp_path / "report")])
    assert "the scores were made with" in str(done.exception)
    assert not (tmp_path / "report").exists()


def test_two_dozen_methods_are_told_apart() -> None:
    """Colours and dashes are not used twice, and the picture is high enough for all names."""
    mean = measure_mean([Sample("host", 0.5)])
    svg = draw_curves("F", "turn", ["1", "2"], [Curve(f"m{number}", (mean, mean)) for number in range(24)])
    lines = re.findall(r"<polyline[^>]*>", svg)
    looks = {re.sub(r'points="[^"]*"', "", line) for line in lines}
    assert len(lines) == len(looks) == 24
    height = float(re.findall(r"viewBox='0 0 [\d.]+ ([\d.]+)'", svg)[0])
    assert all(float(y) < height for y in re.findall(r'<text[^>]* y="([\d.]+)"', svg))
