"""A run of the object suite as a Markdown table."""

from __future__ import annotations

from evaluator.suites.compat import Quirk
from evaluator.suites.object_files import ObjectCase, ObjectReport
from evaluator.tables.table import EMPTY, Cell, Heading, Row, Table
from evaluator.tables.write import write_markdown
from schemas.score import Measure, Undefined

DIGITS = 5
HEADINGS = (
    Heading("Chamfer, best of 24", "lower"),
    Heading("upright", "lower"),
    Heading("as it stands", "lower"),
    Heading("floor"),
    Heading("turned"),
    Heading("Betti error", "lower"),
    Heading("Betti"),
    Heading("target's"),
)


def write_object_report(report: ObjectReport, quirks: tuple[Quirk, ...] = ()) -> str:
    """Write the figures of a run, the switches of its preset, and a table of its cases."""
    charged = "-" if report.penalty is None else f"{report.penalty:g}"
    each = ", ".join(_say(value) for value in report.topology_each)
    distance = (
        f"{_say(report.distance)} over all cases, {charged} for one without; "
        f"{_say(report.distance_defined)} over those with one; noise floor {_say(report.floor)}"
    )
    lines = [
        "# Object suite",
        "",
        f"- cases: {report.attempted}, with a distance: {report.defined}",
        f"- Chamfer distance ({report.rules.headline}): {distance}",
        f"- Betti error, median: {_say(report.topology)} over {report.topology_cases} cases; b0, b1, b2: {each}",
    ]
    if report.without_target:
        lines.append(f"- outputs without a target, not scored: {', '.join(report.without_target)}")
    lines.extend(f"- {report.compat}: `{quirk.switch}` is {quirk.preset}, ours {quirk.own}" for quirk in quirks)
    caption = f"{report.rules.chamfer.points} points a surface, {report.rules.chamfer.sampling}; squared unit radii."
    table = Table("objects", "Cases", caption, HEADINGS, tuple(map(_row, report.cases)), first="file")
    return "\n".join([*lines, "", write_markdown(table)])


def _row(case: ObjectCase) -> Row:
    if isinstance(case.best, Undefined):
        first = Cell("-", note=case.best.reason)
        return Row(case.name, (first, *[EMPTY] * (len(HEADINGS) - 2), Cell(_numbers(case.target_betti))))
    values = (case.best, case.upright, case.identity, case.floor)
    cells = [Cell(_say(value), float(value)) for value in values if not isinstance(value, Undefined | str)]
    words = (case.rotation or "-", _say(case.topology), _numbers(case.betti), _numbers(case.target_betti))
    return Row(case.name, (*cells, *map(Cell, words)))


def _numbers(betti: tuple[int, int, int] | None) -> str:
    return "-" if betti is None else " ".join(map(str, betti))


def _say(value: Measure) -> str:
    return "-" if isinstance(value, Undefined) else value if isinstance(value, str) else f"{value:.{DIGITS}f}"
