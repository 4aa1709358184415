"""The tables of the protocol, from a book of scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from evaluator.aggregate import Sample, is_finite, measure_mean, pair_differences
from evaluator.book import ORACLE, Column, ScoreBook, TurnAt, TurnTest, is_completed, is_judged, is_op
from evaluator.catalogue import BY_NAME, split_way
from evaluator.tables.table import EMPTY, Cell, Heading, Row, Table, cell_of, mark_best
from schemas.operation import OPS
from schemas.rollout import GROUND_TRUTH_ENDING, Usage
from schemas.score import REGIONS, RegionName, Undefined, ViewSet

INTERVAL_SEED = 0
MOST_TURNS = 12
"""Turn indices of the table by turn."""
LENGTHS = (("3", 3, 3), ("4-6", 4, 6), ("7-10", 7, 10), ("11+", 11, 10**9))
FOLLOWING = (
    Column("instruction_following"),
    Column("instruction_following_0"),
    Column("if_net"),
    Column("keep_edit"),
)
"""IF never stands alone: what it cannot see stands beside it."""
CONSISTENCY = (Column("consistency_previous"), Column("consistency_initial"), Column("consistency_delta_previous"))
TARGET = ("iou", "chamfer", "f_score_001", "hd95", "normal_consistency", "psnr", "ssim", "lpips_alex", "dinov2_vitb14")
EXTENDED = (
    *(Column(f"{name}{way}") for name in ("chamfer", "f_score_001", "hd95") for way in ("", "_sampled", "_floor")),
    Column("f_score_002"),
    Column("hd95_untouched", "unchanged"),
    Column("normal_consistency_untouched", "unchanged"),
)


@dataclass(frozen=True, slots=True)
class Cohort:
    """Which chains a table is over."""

    name: str
    chains: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}: {len(self.chains)} chain{'' if len(self.chains) == 1 else 's'}"


def choose_cohort(book: ScoreBook, name: str, listed: Sequence[str] = ()) -> Cohort:
    """All chains, those every method completed (`matched`), or a list (`listed`)."""
    if name == "matched":
        return Cohort("chains that every method completed", book.completed_by_all())
    if name == "listed":
        return Cohort("listed chains", tuple(chain for chain in book.chains if chain in set(listed)))
    return Cohort("all chains", book.chains)


def build_tables(book: ScoreBook, cohort: Cohort) -> list[Table]:
    """Every table of the protocol for which there are scores."""
    matched = choose_cohort(book, "matched")
    found = [
        build_coverage(book, cohort),
        *(build_main(book, cohort, region) for region in REGIONS),
        build_following(book, cohort),
        *(build_by_operation(book, cohort, column) for column in (*FOLLOWING, *CONSISTENCY[:2])),
        *(build_by_turn(book, matched, column) for column in BY_TURN),
        *(build_by_length(book, cohort, column) for column in END_STATE),
        build_defined(book, cohort),
        build_extended(book, cohort),
        *build_views(book, cohort),
        build_retexture(book, cohort),
        build_cost(book, cohort),
        *build_inputs(book, cohort),
    ]
    return [mark_best(table) for table in found if any(cell != EMPTY for row in table.rows for cell in row.cells)]


def build_coverage(book: ScoreBook, cohort: Cohort) -> Table:
    """What was attempted and what came of it: the failure ledger."""
    names = ("chains", "completed", "unresolved", "turns", "delivered", "failed", "blocked", "scored", "IF defined")
    rows = []
    for method in book.methods:
        records = list(book.of(method, cohort.chains))
        turns = [turn for record in records for turn in record.turns]
        scheduled = len(turns)
        status = Counter(turn.status for turn in turns)
        places = book.turns(method, cohort.chains)
        defined = sum(is_finite(row.value) for row in book.samples(places, FOLLOWING[0]))
        counts = (
            len(records),
            sum(map(is_completed, records)),
            sum(record.unresolved for record in records),
            scheduled,
            status["delivered"],
            status["failed"],
            status["blocked"],
            sum(bool(place.turn.scores) for place in places),
            defined,
        )
        rows.append(_row(method, [Cell(str(count), float(count)) for count in counts]))
    caption = f"{cohort}. Failed turns block the rest of their chain and have no scores; no penalty stands in for them."
    return Table("coverage", "Coverage", caption, tuple(Heading(name) for name in names), tuple(rows))


def build_main(book: ScoreBook, cohort: Cohort, region: RegionName) -> Table:
    """Similarity to the target in one region."""
    names = {"edit": "E", "unchanged": "U", "whole": "W"}
    columns = [Column(name, region, views) for name in TARGET for views in (_views_of(name),)]
    title = f"Similarity to the target, region {names[region]} ({region})"
    return _table(book, cohort, f"main_{region}", title, columns)


def build_following(book: ScoreBook, cohort: Cohort) -> Table:
    """Instruction following and content consistency, with what keeps them honest."""
    columns = [*FOLLOWING, *CONSISTENCY, Column("drift", "unchanged", "all")]
    return _table(book, cohort, "following", "Instruction following and content consistency", columns)


def build_by_operation(book: ScoreBook, cohort: Cohort, column: Column) -> Table:
    """One score by operation."""
    tests = [(op, is_op(op)) for op in OPS]
    metric = BY_NAME[column.metric]
    name, title = f"by_operation_{column.metric}", f"{metric.symbol} by operation"
    return _split_table(book, cohort, name, title, column, tests)


BY_TURN = (Column("instruction_following"), Column("consistency_initial"), Column("f_score_001"))
END_STATE = (Column("f_score_001"), Column("iou"), Column("consistency_initial"))


def build_by_turn(book: ScoreBook, cohort: Cohort, column: Column) -> Table:
    """One score turn by turn, on the matched cohort: later turns are over longer chains only."""
    longest = max(
        (len(record.turns) for method in book.methods for record in book.of(method, cohort.chains)), default=0
    )
    tests = [(str(turn), is_turn(turn)) for turn in range(1, min(longest, MOST_TURNS) + 1)]
    metric = BY_NAME[column.metric]
    return _split_table(book, cohort, f"by_turn_{column.metric}", f"{metric.symbol} by turn", column, tests)


def build_by_length(book: ScoreBook, cohort: Cohort, column: Column) -> Table:
    """One score of the last turn, by the length of the chain; chains that were not completed have no end state."""
    tests = [(name, is_end(low, high)) for name, low, high in LENGTHS]
    metric = BY_NAME[column.metric]
    name, title = f"end_state_{column.metric}", f"{metric.symbol} of the end state by chain length"
    return _split_table(book, cohort, name, title, column, tests)


def build_defined(book: ScoreBook, cohort: Cohort) -> Table:
    """On how many turns IF is defined, by operation, and why not."""
    headings = [Heading(f"{op} {word}") for op in OPS[:3] for word in ("defined", "of")]
    headings.append(Heading("most frequent reason"))
    rows = []
    for method in book.methods:
        cells, reasons = [], Counter[str]()
        for op in OPS[:3]:
            values = [row.value for row in book.samples(book.turns(method, cohort.chains, is_op(op)), FOLLOWING[0])]
            reasons.update(_kind_of(value) for value in values if isinstance(value, Undefined))
            defined = sum(map(is_finite, values))
            cells += [Cell(str(defined), float(defined)), Cell(str(len(values)), float(len(values)))]
        often = min(reasons.items(), key=lambda entry: (-entry[1], entry[0]), default=None)
        cells.append(Cell(f"{often[0]} ({often[1]})") if often else EMPTY)
        rows.append(_row(method, cells))
    caption = f"{cohort}. A turn without IF is left out of its mean; IF0 counts it as 0 where the oracle is defined."
    return Table("defined", "Turns on which IF is defined", caption, tuple(headings), tuple(rows))


def build_extended(book: ScoreBook, cohort: Cohort) -> Table:
    """Geometry measured three ways, and where no turn should have touched anything."""
    return _table(book, cohort, "geometry", "Extended geometry", EXTENDED)


def build_views(book: ScoreBook, cohort: Cohort) -> Iterator[Table]:
    """Picture scores for the conditioning view and the held-out views, by region."""
    for region in REGIONS:
        columns = [
            Column(name, region, views)
            for name in ("psnr", "ssim", "lpips_alex", "dinov2_vitb14")
            for views in ("conditioning", "held_out")
        ]
        yield _table(book, cohort, f"views_{region}", f"Views, region {region}", columns)


def build_retexture(book: ScoreBook, cohort: Cohort) -> Table:
    """Turns that change a look only."""
    columns = [
        Column("retexture_change_ratio", "edit", "all"),
        Column("retexture_residual", "edit", "all"),
        Column("retexture_residual_no_edit", "edit", "all"),
        Column("retexture_similarity", "edit", "conditioning"),
        Column("keep_edit"),
        Column("iou"),
    ]
    return _table(book, cohort, "retexture", "Retexture turns", columns, is_op("retexture"))


def build_cost(book: ScoreBook, cohort: Cohort) -> Table:
    """What a delivered turn cost: median and 90th percentile, over the turns that say."""
    fields = [name for name in Usage.model_fields if name != "schema_version"]
    headings = [Heading(f"{name.replace('_', ' ')} {word}", "lower") for name in fields for word in ("median", "p90")]
    rows = []
    for method in book.methods:
        cells: list[Cell] = []
        used = [place.turn.usage for place in book.turns(method, cohort.chains) if place.turn.usage]
        for name in fields:
            known = [float(value) for value in (getattr(usage, name) for usage in used) if value is not None]
            if not known:
                cells += [EMPTY, EMPTY]
                continue
            high = float(np.quantile(known, 0.9))
            note = f"n={len(known)}"
            cells += [Cell(f"{median(known):.6g}", median(known), note), Cell(f"{high:.6g}", high, note)]
        rows.append(_row(method, cells))
    return Table("cost", "Cost of a delivered turn", str(cohort), tuple(headings), tuple(rows))


def build_inputs(book: ScoreBook, cohort: Cohort) -> Iterator[Table]:
    """The same method on its own states and on the true ones, paired turn by turn: `NAME` and `NAME@ground-truth`."""
    columns = (*FOLLOWING, *CONSISTENCY[:2], Column("iou"), Column("f_score_001"))
    rows = []
    for method in book.methods:
        other = method + GROUND_TRUTH_ENDING
        if other not in book.methods:
            continue
        cells = []
        for column in columns:
            pairs = [
                [
                    (place.key, Sample(place.record.host, value))
                    for place in book.turns(name, cohort.chains)
                    if (value := book.value(place, column)) is not None
                ]
                for name in (other, method)
            ]
            mean = measure_mean(pair_differences(*pairs), interval_seed=INTERVAL_SEED)
            cells.append(cell_of(mean, BY_NAME[column.metric].digits))
        rows.append(_row(method, cells))
    if rows:
        caption = f"{cohort}. Difference true input - own input, over turns that both have."
        headings = tuple(Heading(BY_NAME[column.metric].symbol) for column in columns)
        yield Table("inputs", "Ground-truth input against own input, paired", caption, headings, tuple(rows))


def _table(
    book: ScoreBook,
    cohort: Cohort,
    name: str,
    title: str,
    columns: Sequence[Column],
    test: TurnTest = lambda _: True,
) -> Table:
    """Means of some columns, one row a method."""
    rows = []
    theirs = book.turns(ORACLE, cohort.chains, test)
    for method in book.methods:
        places = book.turns(method, cohort.chains, test)
        rows.append(_row(method, [_cell(book, places, theirs, column) for column in columns]))
    headings = tuple(_heading(column) for column in columns)
    return Table(
        name, title, f"{cohort}. n = turns with a number / turns with one for the oracle.", headings, tuple(rows)
    )


def _split_table(
    book: ScoreBook,
    cohort: Cohort,
    name: str,
    title: str,
    column: Column,
    tests: Sequence[tuple[str, TurnTest]],
) -> Table:
    """Means of one column on several sets of turns, one row a method."""
    rows = []
    for method in book.methods:
        cells = []
        for _, test in tests:
            places, theirs = (book.turns(who, cohort.chains, test) for who in (method, ORACLE))
            cells.append(_cell(book, places, theirs, column))
        rows.append(_row(method, cells))
    better = BY_NAME[column.metric].better
    headings = tuple(Heading(word, better) for word, _ in tests)
    return Table(name, title, str(cohort), headings, tuple(rows))


def _cell(book: ScoreBook, places: Sequence[TurnAt], theirs: Sequence[TurnAt], column: Column) -> Cell:
    samples = book.samples(places, column)
    if not samples:
        return EMPTY
    mean = measure_mean(samples, interval_seed=INTERVAL_SEED)
    oracle = sum(is_finite(row.value) for row in book.samples(theirs, column)) if theirs else None
    return cell_of(mean, _digits(column), oracle)


def _row(method: str, cells: Sequence[Cell]) -> Row:
    return Row(method, tuple(cells), not is_judged(method))


def _heading(column: Column) -> Heading:
    plain, ending = split_way(column.metric)
    metric = BY_NAME.get(plain)
    if metric is None:
        return Heading(column.metric.replace("_", " "))
    views = "" if column.views in {None, "all"} else f" {column.views}".replace("_", " ")
    return Heading(metric.symbol + ending.replace("_", " ") + views, metric.better)


def _digits(column: Column) -> int:
    plain, _ = split_way(column.metric)
    return BY_NAME[plain].digits if plain in BY_NAME else 3


def _views_of(name: str) -> ViewSet | None:
    return "all" if name in {"psnr", "ssim", "lpips_alex", "dinov2_vitb14"} else None


def is_turn(number: int) -> TurnTest:
    """Whether a turn is the one with this number."""
    return lambda place: place.turn.turn == number


def is_end(low: int, high: int) -> TurnTest:
    """Whether a turn is the last of a completed chain with `low` to `high` turns."""

    def test(place: TurnAt) -> bool:
        length = len(place.record.turns)
        return place.turn.turn == length and low <= length <= high and is_completed(place.record)

    return test


def _kind_of(value: Undefined) -> str:
    """A reason without its numbers."""
    return "".join("n" if char.isdigit() else char for char in value.reason)
