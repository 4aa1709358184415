"""A table: rows of cells, each a number with what stands behind it; the best value of a column is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluator.aggregate import Mean
from evaluator.catalogue import Better


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    text: str
    value: float | None = None
    """The number in it, to be compared; None for words and for nothing."""
    note: str = ""
    """How many turns stand behind it, what was left out."""
    interval: str = ""
    best: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a column."""

    text: str
    better: Better = "neither"


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its name in front; reference rows are never the best."""

    name: str
    cells: tuple[Cell, ...]
    reference: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A whole table."""

    name: str
    """For files: `main`."""
    title: str
    caption: str
    """Cohort, options, and how to read it."""
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]
    first: str = "method"


EMPTY = Cell("-")


def cell_of(mean: Mean, digits: int, oracle_n: int | None = None, scale: float = 1.0) -> Cell:
    """A mean as a cell: its number, n (and the oracle's n), and what is infinite; a dash without a number."""
    behind = f"n={mean.n}" if oracle_n is None else f"n={mean.n}/{oracle_n}"
    if mean.infinite:
        behind += f", {mean.infinite} inf"
    if mean.value is None:
        return replace(EMPTY, note=behind)
    interval = ""
    if mean.low is not None and mean.high is not None:
        interval = f"[{scale * mean.low:.{digits}f}, {scale * mean.high:.{digits}f}]"
    return Cell(f"{scale * mean.value:.{digits}f}", mean.value, behind, interval)


def mark_best(table: Table) -> Table:
    """The table with the best value of every column marked, ties all of them, reference rows never.

    Compared as printed: nobody is better by a digit that is not shown. Nothing is marked with a single method.
    """
    judged = [row for row in table.rows if not row.reference]
    if len(judged) < 2:
        return table
    best: list[float | None] = []
    for column, heading in enumerate(table.headings):
        shown = [float(row.cells[column].text) for row in judged if row.cells[column].value is not None]
        choose = {"higher": max, "lower": min}.get(heading.better)
        best.append(choose(shown) if choose and shown else None)
    return replace(table, rows=tuple(_mark(row, best) for row in table.rows))


def _mark(row: Row, best: Sequence[float | None]) -> Row:
    if row.reference:
        return row
    cells = tuple(
        replace(cell, best=wanted is not None and cell.value is not None and float(cell.text) == wanted)
        for cell, wanted in zip(row.cells, best, strict=True)
    )
    return replace(row, cells=cells)
