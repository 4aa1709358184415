"""A folder of tables and plots from a folder of scores.

```
OUT/tables.md tables.html tables/<name>.tex plots/<name>.svg scores.parquet
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chains.storage import write_atomic
from evaluator.aggregate import Mean, measure_mean
from evaluator.book import Column, ScoreBook
from evaluator.catalogue import BY_NAME
from evaluator.tables.build import (
    BY_TURN,
    END_STATE,
    INTERVAL_SEED,
    LENGTHS,
    MOST_TURNS,
    Cohort,
    build_tables,
    choose_cohort,
    is_end,
    is_turn,
)
from evaluator.tables.curves import Curve, draw_curves
from evaluator.tables.grids import DrawnGrid
from evaluator.tables.page import write_page
from evaluator.tables.table import Table
from evaluator.tables.write import write_latex, write_markdown
from schemas.rollout import REFERENCES

TABLES_MD, TABLES_HTML = "tables.md", "tables.html"


@dataclass(frozen=True, slots=True)
class Plot:
    """One plot."""

    name: str
    caption: str
    svg: str


def write_report(
    out: Path,
    book: ScoreBook,
    cohort: Cohort,
    title: str,
    facts: Sequence[str],
    grids: Sequence[DrawnGrid] = (),
) -> list[Table]:
    """Write all tables in three formats and all plots; the page shows the grids, which lie in the folder already.

    Raises OutputError when the folder cannot be written.
    """
    tables = build_tables(book, cohort)
    plots = draw_plots(book, cohort)
    head = [f"# {title}", "", *facts, ""]
    write_atomic(out / TABLES_MD, "\n".join([*head, *map(write_markdown, tables)]).encode())
    shown = [(grid.caption, grid.path.relative_to(out).as_posix()) for grid in grids]
    page = write_page(title, facts, tables, [(plot.caption, plot.svg) for plot in plots], shown)
    write_atomic(out / TABLES_HTML, page.encode())
    for table in tables:
        write_atomic(out / "tables" / f"{table.name}.tex", write_latex(table).encode())
    for plot in plots:
        write_atomic(out / "plots" / f"{plot.name}.svg", plot.svg.encode())
    return tables


def draw_plots(book: ScoreBook, cohort: Cohort) -> list[Plot]:
    """Curves by turn on the matched cohort, and end states by length of the chain."""
    matched = choose_cohort(book, "matched")
    longest = max(
        (len(record.turns) for method in book.methods for record in book.of(method, matched.chains)), default=0
    )
    found = []
    for column in BY_TURN:
        turns = range(1, min(longest, MOST_TURNS) + 1)
        curves = [
            Curve(
                method,
                tuple(_mean(book, method, matched, column, turn=turn) for turn in turns),
                method in REFERENCES,
            )
            for method in book.methods
        ]
        symbol = BY_NAME[column.metric].symbol
        svg = draw_curves(f"{symbol} by turn", "turn", [str(turn) for turn in turns], curves)
        found.append(Plot(f"by_turn_{column.metric}", f"{symbol} by turn, {matched}", svg))
    for column in END_STATE:
        curves = [
            Curve(
                method,
                tuple(_mean(book, method, cohort, column, length=(low, high)) for _, low, high in LENGTHS),
                method in REFERENCES,
            )
            for method in book.methods
        ]
        symbol = BY_NAME[column.metric].symbol
        svg = draw_curves(f"{symbol} of the end state", "turns of the chain", [name for name, *_ in LENGTHS], curves)
        found.append(Plot(f"end_state_{column.metric}", f"{symbol} of the end state, {cohort}", svg))
    return [plot for plot in found if "<circle" in plot.svg]


def _mean(
    book: ScoreBook,
    method: str,
    cohort: Cohort,
    column: Column,
    *,
    turn: int | None = None,
    length: tuple[int, int] | None = None,
) -> Mean | None:
    test = is_turn(turn) if turn is not None else is_end(*(length or (1, 1)))
    samples = book.samples(book.turns(method, cohort.chains, test), column)
    return measure_mean(samples, interval_seed=INTERVAL_SEED) if samples else None
