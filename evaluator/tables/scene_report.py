"""A run of the scene suite as a Markdown table."""

from __future__ import annotations

from evaluator.suites.compat import Quirk
from evaluator.suites.scene_records import SceneCase, SceneReport
from evaluator.tables.table import Cell, Heading, Row, Table
from evaluator.tables.write import write_markdown
from schemas.score import Measure, Undefined

DIGITS = 4
HEADINGS = (
    Heading("overall", "higher"),
    Heading("reconstruction", "higher"),
    Heading("appearance", "higher"),
    Heading("valid"),
    Heading("views"),
    Heading("slots seen"),
)


def write_scene_report(report: SceneReport, quirks: tuple[Quirk, ...] = ()) -> str:
    """Write the figures of a run, the switches of its preset, and a table of its cases."""
    files = "scene file, GLB and renders load" if report.validity_asked == "all" else "GLB and renders load"
    lines = [
        "# Scene suite",
        "",
        f"- overall: {_say(report.overall)} over all {report.attempted} cases, 0 for one that is not valid",
        f"- valid ({files}): {report.valid} of {report.attempted}",
        f"- reconstruction: {_say(report.reconstruction)} over valid cases, measured on {report.reconstruction_cases}",
        f"- appearance: {_say(report.appearance)} over valid cases, measured on {report.appearance_cases}",
    ]
    drawn = "drawn from scene.glb through the true cameras" if report.drawn else "as delivered"
    lines.append(f"- depth and pictures of outputs: {drawn}")
    if report.validity_asked != "all":
        lines.append("- **scene files were not asked for**: validity is that of the other files alone")
    if report.without_truth:
        lines.append(f"- outputs without a truth, not scored: {', '.join(report.without_truth)}")
    lines.extend(f"- {report.compat}: `{quirk.switch}` is {quirk.preset}, ours {quirk.own}" for quirk in quirks)
    for case in report.cases:
        reasons = [*case.problems, *_list_reasons(case)]
        lines.extend(f"- {case.name}: {reason}" for reason in dict.fromkeys(reasons))
    rules = report.rules
    caption = (
        f"Points match within {rules.tolerance:g} of the {rules.tolerance_depth} depth; "
        f"pixels are alike within {rules.hit_limit} of 255."
    )
    table = Table("scenes", "Cases", caption, HEADINGS, tuple(map(_row, report.cases)), first="case")
    return "\n".join([*lines, "", write_markdown(table)])


def _list_reasons(case: SceneCase) -> list[str]:
    """Why views have no value, in the order of views."""
    values = [(view.view, value) for view in case.views for value in (view.reconstruction, view.appearance)]
    return [f"view {view}: {value.reason}" for view, value in values if isinstance(value, Undefined)]


def _row(case: SceneCase) -> Row:
    seen = {entry.slot for view in case.views for entry in view.objects}
    all_slots = seen | {slot for view in case.views for slot in view.unseen}
    measured = sum(not isinstance(view.reconstruction, Undefined) for view in case.views)
    words = (
        "no" if case.problems else "yes",
        f"{measured} of {len(case.views)}",
        f"{len(seen)} of {len(all_slots)}" if all_slots else "-",
    )
    values = (case.overall, case.reconstruction, case.appearance)
    cells = [Cell(_say(value), None if isinstance(value, Undefined | str) else float(value)) for value in values]
    return Row(case.name, (*cells, *map(Cell, words)))


def _say(value: Measure) -> str:
    return "-" if isinstance(value, Undefined) else value if isinstance(value, str) else f"{value:.{DIGITS}f}"
