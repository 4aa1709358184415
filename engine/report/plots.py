"""The plots of a report: which of its numbers each one shows."""

from __future__ import annotations

from engine.report.charts import Group, Mark, draw_columns, draw_rows
from engine.report.share_chart import draw_family_shares
from schemas.report import Bin, Histogram, RunReport

ROWS_SHOWN = 16
"""Rows of a plot; tables and the JSON hold the rest."""


def plot_families(report: RunReport) -> str:
    """Draw chains by family, and what is missing of those that were asked for."""
    groups = []
    for place, family in enumerate(report.families):
        marks = [Mark(f"/families/{place}/chains", family.chains)]
        if family.missing:
            marks.append(Mark(f"/families/{place}/missing", family.missing))
        groups.append(Group(family.family, tuple(marks)))
    series = ("reached", "asked for, not reached") if any(family.missing for family in report.families) else ()
    return draw_rows("Chains by family", groups, "chains", series)


def plot_ops(report: RunReport) -> str:
    """Draw how often each operation occurs."""
    groups = [Group(row.op, (Mark(f"/ops/{place}/count", row.count),)) for place, row in enumerate(report.ops)]
    return draw_rows("Turns by operation", groups, "turns")


def plot_shares(report: RunReport) -> list[tuple[str, str]]:
    """Draw shares turn by turn of every family that mixes operations, each with the family's letter."""
    return [
        (family.family, draw_family_shares(family, f"/families/{place}", report.share_band))
        for place, family in enumerate(report.families)
        if family.turns and (sum(row.target > 0.0 for row in family.ops) > 1 or not all(r.within for r in family.ops))
    ]


def plot_lengths(report: RunReport) -> str:
    """Draw how many turns chains have."""
    return _draw_histogram("Length of chains", report.length, "/length", "turns of a chain", "chains")


def plot_words(report: RunReport) -> str:
    """Draw how many words instructions have."""
    return _draw_histogram("Words of instructions", report.words, "/words", "words of an instruction", "turns")


def plot_visible(report: RunReport) -> str:
    """Draw how much of the object's picture changes with a turn."""
    return _draw_histogram(
        "Visible change",
        report.visible,
        "/visible",
        "% of the object's pixels that look different, best of four views",
        "turns",
        percent=True,
    )


def plot_categories(report: RunReport) -> str:
    """Draw hosts by category."""
    groups = [
        Group(row.category or "(none)", (Mark(f"/categories/{place}/hosts", row.hosts),))
        for place, row in enumerate(report.categories[:ROWS_SHOWN])
    ]
    return draw_rows("Hosts by category", groups, "hosts")


def plot_modes(report: RunReport) -> str:
    """Draw how placements were accepted."""
    groups = [
        Group(
            row.op,
            tuple(
                Mark(f"/interpenetration/{place}/{mode}", count)
                for mode, count in (("strict", row.strict), ("pull", row.pull), ("baseline", row.baseline))
            ),
        )
        for place, row in enumerate(report.interpenetration)
    ]
    return draw_rows("Placements by mode", groups, "placements", ("strict", "pull", "baseline"))


def plot_rejections(report: RunReport) -> str:
    """Draw candidates turned away by check."""
    series: tuple[str, ...] = (
        "before turns that were made",
        "where chains ended early",
        "in chains that were abandoned",
    )
    if not any(row.at_ends or row.at_abandoned for row in report.rejections):
        series = ()
    groups = []
    for place, row in enumerate(report.rejections):
        marks = [Mark(f"/rejections/{place}/before_turns", row.before_turns)]
        if series:
            marks.append(Mark(f"/rejections/{place}/at_ends", row.at_ends))
            marks.append(Mark(f"/rejections/{place}/at_abandoned", row.at_abandoned))
        groups.append(Group(row.check, tuple(marks)))
    return draw_rows("Candidates rejected by check", groups, "candidates", series, width=1060.0)


def plot_uses(report: RunReport) -> str:
    """Draw how many parts were used how often."""
    groups = [
        Group(f"{row.uses}", (Mark(f"/parts/by_uses/{place}/parts", row.parts),))
        for place, row in enumerate(report.parts.by_uses)
    ]
    return draw_columns("Uses of parts", groups, "times a part was used", "parts")


def _draw_histogram(
    title: str, found: Histogram, pointer: str, x_title: str, y_title: str, *, percent: bool = False
) -> str:
    groups = [
        Group(_label_bin(row, percent=percent), (Mark(f"{pointer}/bins/{place}/count", row.count),))
        for place, row in enumerate(found.bins)
    ]
    return draw_columns(title, groups, x_title, y_title)


def _label_bin(row: Bin, *, percent: bool) -> str:
    if percent:
        return f"{100 * row.low:g}\u2013{100 * row.high:g}"
    first, last = int(row.low), int(row.high) - 1
    return str(first) if first == last else f"{first}\u2013{last}"
