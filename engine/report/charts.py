"""Plots of a report as SVG: columns, rows, and shares turn by turn.

Every mark carries the place of its number in `report.json` (`data-json`, a JSON pointer) and the number itself
(`data-value`). Colours are told apart by people who confuse red and green, and no meaning rests on colour alone: series
differ in hatching or shape, and values are written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from engine.report.svg import (
    GLYPH_PX,
    GRID,
    INK,
    SMALL_GLYPH_PX,
    SMALL_PX,
    SOFT,
    Attributes,
    Scale,
    draw_upright_text,
    draw_value_axis,
    element,
    grouped,
    picture,
    plain,
    round_ticks,
    shorten,
    text,
)

BLUE, ORANGE, PALE = "#0072b2", "#d55e00", "#dfe2e7"
FILLS = (BLUE, "url(#hatch)", PALE)
"""Of series in order: solid, hatched, pale with a border."""
HATCH = (
    "<defs><pattern id='hatch' width='6' height='6' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>"
    f"<rect width='6' height='6' fill='#fff'/><rect width='3' height='6' fill='{ORANGE}'/></pattern></defs>"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One number of a plot and where it stands in the JSON."""

    pointer: str
    value: float


@dataclass(frozen=True, slots=True)
class Group:
    """The marks that share one label, one for each series."""

    label: str
    marks: tuple[Mark, ...]

    @property
    def total(self) -> float:
        """Sum of the marks."""
        return sum(mark.value for mark in self.marks)


def draw_columns(
    title: str, groups: Sequence[Group], x_title: str, y_title: str, *, width: float = 520.0, height: float = 250.0
) -> str:
    """Upright columns of one series, as for a histogram; every column has its number on top where it fits."""
    left, right, top, bottom = 56.0, width - 10.0, 20.0, height - 44.0
    ticks = round_ticks(max((group.total for group in groups), default=0.0))
    scale = Scale(0.0, ticks[-1], bottom, top)
    pitch = (right - left) / max(1, len(groups))
    every = _label_step([group.label for group in groups], pitch)
    parts = list(draw_value_axis(ticks, scale, left, right))
    for place, group in enumerate(groups):
        middle = left + (place + 0.5) * pitch
        mark = group.marks[0]
        y = scale.at(mark.value)
        box: Attributes = {
            "x": middle - 0.42 * pitch,
            "y": y,
            "width": 0.84 * pitch,
            "height": bottom - y,
            "fill": BLUE,
        }
        parts.append(_with_data("rect", mark, group.label, **box))
        written = grouped(mark.value)
        if mark.value and len(written) * SMALL_GLYPH_PX <= pitch + 4:
            parts.append(text(written, middle, y - 4, anchor="middle", size=SMALL_PX))
        if place % every == 0:
            parts.append(text(group.label, middle, bottom + 16, anchor="middle", fill=SOFT, size=SMALL_PX))
    parts.append(element("line", x1=left, x2=right, y1=bottom, y2=bottom, stroke=INK))
    parts.append(text(x_title, (left + right) / 2, height - 8, anchor="middle", fill=SOFT))
    parts.append(draw_upright_text(y_title, 14, (top + bottom) / 2))
    return picture(width, height, title, parts)


def draw_rows(
    title: str, groups: Sequence[Group], x_title: str, series: Sequence[str] = (), *, width: float = 520.0
) -> str:
    """Level bars with their labels on the left and their numbers on the right; several series are stacked."""
    row, legend = 22.0, 26.0 if series else 0.0
    longest = max((len(group.label) for group in groups), default=0)
    left = min(190.0, longest * GLYPH_PX + 14.0)
    right, top = width - 64.0 - (34.0 * (len(series) - 1) if len(series) > 1 else 0.0), legend + 6.0
    bottom = top + row * len(groups)
    ticks = round_ticks(max((group.total for group in groups), default=0.0))
    scale = Scale(0.0, ticks[-1], left, right)
    parts = [HATCH] if len(series) > 1 else []
    parts.extend(_draw_legend(series, left))
    for tick in ticks:
        x = scale.at(tick)
        parts.append(element("line", x1=x, x2=x, y1=top, y2=bottom, stroke=GRID))
        parts.append(text(grouped(tick), x, bottom + 15, anchor="middle", fill=SOFT, size=SMALL_PX))
    for place, group in enumerate(groups):
        y = top + row * place
        parts.append(text(shorten(group.label, left - 10), left - 8, y + 15, anchor="end"))
        start = 0.0
        for fill, mark in zip(FILLS, group.marks, strict=False):
            x, end = scale.at(start), scale.at(start + mark.value)
            box: Attributes = {"x": x, "y": y + 3, "width": end - x, "height": row - 6, "fill": fill}
            border: Attributes = (
                {} if fill == BLUE or not mark.value else {"stroke": ORANGE if fill == FILLS[1] else SOFT}
            )
            parts.append(_with_data("rect", mark, group.label, **box, **border))
            start += mark.value
        parts.append(text(_write_values(group), scale.at(start) + 6, y + 15, size=SMALL_PX))
    parts.append(element("line", x1=left, x2=left, y1=top, y2=bottom, stroke=INK))
    parts.append(text(x_title, (left + right) / 2, bottom + 33, anchor="middle", fill=SOFT))
    return picture(width, bottom + 42, title, parts)


def _write_values(group: Group) -> str:
    values = " + ".join(grouped(mark.value) for mark in group.marks if mark.value)
    return values or "0"


def _draw_legend(series: Sequence[str], left: float) -> list[str]:
    parts = []
    x = left
    for fill, name in zip(FILLS, series, strict=False):
        border = ORANGE if fill == FILLS[1] else SOFT
        parts.append(element("rect", x=x, y=4.0, width=14.0, height=12.0, fill=fill, stroke=border))
        parts.append(text(name, x + 20, 14))
        x += 34 + len(name) * GLYPH_PX
    return parts


def _label_step(labels: Sequence[str], pitch: float) -> int:
    """Every how many labels one is written, so that they do not run into each other."""
    widest = max((len(label) for label in labels), default=1) * SMALL_GLYPH_PX + 5
    return max(1, -int(-widest // pitch))


def _with_data(tag: str, mark: Mark, label: str, **attributes: str | float) -> str:
    """An element that says which number it shows, also to a pointer that rests on it."""
    data: Attributes = {"data_json": mark.pointer, "data_value": plain(mark.value)}
    return element(tag, element("title", f"{escape(label)}: {grouped(mark.value)}"), **data, **attributes)
