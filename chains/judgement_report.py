"""A summary of ticks as Markdown, fit for the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from schemas.judgement import RIGHT, VERDICTS
from schemas.operation import OPS

LONGEST_CELL = 200


def write_report(summary: dict[str, Any]) -> list[str]:
    """Lines of Markdown for what `summarise_judgement` found."""
    return [
        *_counts(summary),
        "",
        *_kinds(summary),
        *(line for found in summary["agreement"] for line in _agreement(found)),
        *_not_right(summary),
    ]


def _counts(summary: dict[str, Any]) -> Iterator[str]:
    judges = summary["judges"]
    yield from _table_head(["", *(judge["judge"] for judge in judges), *(["all"] if len(judges) > 1 else [])])
    judged = summary["judged"]
    everyone = [_share(summary["right_to_all"], judged)] if len(judges) > 1 else []
    yield _row(["right", *(_share(judge["right"], judged) for judge in judges), *everyone])
    for op in OPS:
        counts = [judge["by_op"].get(op) for judge in judges]
        if counts[0] is not None:
            cells = [f"{count['right']} of {count['judged']}" for count in counts if count is not None]
            yield _row([op, *cells, *([""] if len(judges) > 1 else [])])


def _kinds(summary: dict[str, Any]) -> Iterator[str]:
    judges = summary["judges"]
    found = [verdict for verdict in VERDICTS if any(verdict in judge["by_verdict"] for judge in judges)]
    faults = [verdict for verdict in found if verdict != RIGHT]
    if faults:
        yield from _table_head(["not right", *(judge["judge"] for judge in judges)])
        for verdict in faults:
            yield _row([verdict, *(str(judge["by_verdict"].get(verdict, 0)) for judge in judges)])
        yield ""


def _agreement(found: dict[str, Any]) -> Iterator[str]:
    one, two = found["judges"]
    kappa = found["kappa"]
    said = "not defined, both called every turn the same" if kappa is None else f"{kappa:.3f}"
    yield f"Cohen's kappa of {_cell(one)} and {_cell(two)}: {said}."
    yield ""
    yield from _table_head(["", f"{two}: right", f"{two}: not right"])
    yield _row([f"{one}: right", str(found["both_right"]), str(found["only_first_right"])])
    yield _row([f"{one}: not right", str(found["only_second_right"]), str(found["both_not_right"])])
    yield ""


def _not_right(summary: dict[str, Any]) -> Iterator[str]:
    if not summary["not_right"]:
        yield "Nothing was found wrong."
        return
    judges = [judge["judge"] for judge in summary["judges"]]
    yield from _table_head(["turn", "page", "operation", *judges, "chain"])
    for entry in summary["not_right"]:
        said = [", ".join(one["verdicts"]) + (f": {one['note']}" if one["note"] else "") for one in entry["said"]]
        yield _row([str(entry["number"]), entry["page"], entry["op"], *said, f"{entry['chain']} turn {entry['turn']}"])


def _share(count: int, whole: int) -> str:
    return f"{count} of {whole} ({100.0 * count / whole:.1f} %)" if whole else "0 of 0"


def _table_head(cells: Sequence[str]) -> Iterator[str]:
    yield _row(cells)
    yield "|" + "---|" * len(cells)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    """One line without signs that would end the cell."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
    return plain if len(plain) <= LONGEST_CELL else f"{plain[: LONGEST_CELL - 3]}..."
