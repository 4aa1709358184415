"""Curves of a score over turns or lengths of chains, one line a method with its 95 % band, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from engine.report.svg import GRID, INK, SMALL_PX, SOFT, Scale, element, number, picture, plain, text
from evaluator.aggregate import Mean

WIDTH, HEIGHT = 620.0, 320.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 150.0, 30.0, 46.0
COLORS = ("#2f6fb0", "#d1722e", "#3f8f5b", "#9a4fa3", "#b03a48", "#6b6f2a")
REFERENCE_COLOR = "#8a919c"
DASHES = ("5 3", "2 3", "8 3 2 3")
BAND_OPACITY = 0.16
KEY_STEP = 18.0
LEAST_SPAN = 1e-6


@dataclass(frozen=True, slots=True)
class Curve:
    """One method's means along the axis; a missing mean leaves a gap."""

    name: str
    means: tuple[Mean | None, ...]
    reference: bool = False


def draw_curves(title: str, axis: str, ticks: Sequence[str], curves: Sequence[Curve]) -> str:
    """Draw curves over labelled places of an axis, with bands where an interval is known."""
    values = [
        value
        for curve in curves
        for mean in curve.means
        if mean is not None
        for value in (mean.value, mean.low, mean.high)
        if value is not None
    ]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if low >= 0.0 and high <= 1.0:
        low, high = 0.0, 1.0
    elif high - low < LEAST_SPAN:
        low, high = low - 0.5, high + 0.5
    across = Scale(-0.3, len(ticks) - 0.7, LEFT, WIDTH - RIGHT)
    up = Scale(low, high, HEIGHT - BOTTOM, TOP)
    parts = [text(title, LEFT, 16, size=13.0)]
    for step in range(5):
        value = low + (high - low) * step / 4.0
        y = up.at(value)
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, stroke=GRID))
        parts.append(text(f"{value:.3g}", LEFT - 6, y + 4, anchor="end", fill=SOFT, size=SMALL_PX))
    for place, label in enumerate(ticks):
        parts.append(text(label, across.at(place), HEIGHT - BOTTOM + 16, anchor="middle", size=SMALL_PX))
    parts.append(text(axis, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, anchor="middle", fill=SOFT, size=SMALL_PX))
    own = references = 0
    for row, curve in enumerate(curves):
        if curve.reference:
            color, dash = REFERENCE_COLOR, DASHES[references % len(DASHES)]
            references += 1
        else:
            color, dash = COLORS[own % len(COLORS)], ("", *DASHES)[own // len(COLORS) % (1 + len(DASHES))]
            own += 1
        parts.extend(_draw_curve(curve, across, up, color, dash))
        parts.extend(_draw_key(curve.name, TOP + 10 + KEY_STEP * row, color, dash))
    return picture(WIDTH, max(HEIGHT, TOP + 10 + KEY_STEP * len(curves)), title, parts)


def _draw_curve(curve: Curve, across: Scale, up: Scale, color: str, dash: str) -> list[str]:
    parts = []
    for run in _runs(curve.means):
        upper = [(across.at(place), up.at(mean.high)) for place, mean in run if mean.high is not None]
        lower = [(across.at(place), up.at(mean.low)) for place, mean in run if mean.low is not None]
        if len(upper) > 1 and not curve.reference:
            outline = " ".join(f"{number(x)},{number(y)}" for x, y in [*upper, *reversed(lower)])
            parts.append(element("polygon", points=outline, fill=color, fill_opacity=BAND_OPACITY))
        line = " ".join(f"{number(across.at(place))},{number(up.at(mean.value or 0.0))}" for place, mean in run)
        look = {"stroke_dasharray": dash} if dash else {}
        parts.append(element("polyline", points=line, fill="none", stroke=color, stroke_width=1.8, **look))
        for place, mean in run:
            value = mean.value or 0.0
            words = element("title", escape(f"{curve.name}: {value:.4g}, n={mean.n}"))
            at = {"cx": across.at(place), "cy": up.at(value)}
            parts.append(element("circle", words, r=2.8, fill=color, data_value=plain(value), **at))
    return parts


def _runs(means: Sequence[Mean | None]) -> list[list[tuple[int, Mean]]]:
    """Stretches of places that have a number."""
    runs: list[list[tuple[int, Mean]]] = [[]]
    for place, mean in enumerate(means):
        if mean is None or mean.value is None:
            runs.append([])
        else:
            runs[-1].append((place, mean))
    return [run for run in runs if run]


def _draw_key(name: str, y: float, color: str, dash: str) -> list[str]:
    x = WIDTH - RIGHT + 12
    look = {"stroke_dasharray": dash} if dash else {}
    return [
        element("line", x1=x, x2=x + 20, y1=y, y2=y, stroke=color, stroke_width=1.8, **look),
        text(name if len(name) <= 17 else f"{name[:16]}\u2026", x + 26, y + 4, fill=INK, size=SMALL_PX),
    ]
