"""A little SVG: elements as text, rounded numbers, axes with round ticks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

FONT = "font-family='system-ui, Helvetica, Arial, sans-serif'"
Attributes = dict[str, str | float]
INK, SOFT, GRID = "#1f232a", "#59616d", "#dfe2e7"
TEXT_PX, SMALL_PX = 12.0, 11.0
GLYPH_PX, SMALL_GLYPH_PX = 6.6, 6.1
"""Width of a letter in either size, on the safe side: fonts of readers differ."""


def number(value: float) -> str:
    """A coordinate to a hundredth of a pixel, without trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def plain(value: float) -> str:
    """A value for programs: whole numbers in full, others to six digits."""
    return str(int(value)) if value == int(value) else f"{value:g}"


def grouped(value: float) -> str:
    """A value for people: `12,480`."""
    return f"{int(value):,}" if value == int(value) else f"{value:g}"


def element(tag: str, content: str = "", **attributes: str | float) -> str:
    """One element; `_` in the names of attributes stands for `-`, a trailing one for nothing."""
    words = [
        f'{name.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for name, value in attributes.items()
    ]
    head = " ".join([tag, *words])
    return f"<{head}>{content}</{tag}>" if content else f"<{head}/>"


def text(content: str, x: float, y: float, *, anchor: str = "start", fill: str = INK, size: float = TEXT_PX) -> str:
    """A line of text with its base line at `y`."""
    return element("text", escape(content), x=x, y=y, text_anchor=anchor, fill=fill, font_size=size)


def picture(width: float, height: float, title: str, parts: list[str]) -> str:
    """A whole picture with a name for readers that cannot see it."""
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' role='img' width='{number(width)}' height='{number(height)}' "
        f"viewBox='0 0 {number(width)} {number(height)}' {FONT}>"
    )
    return "\n".join([head, element("title", escape(title)), *parts, "</svg>"])


def shorten(words: str, width: float) -> str:
    """Words that fit into a width in pixels, the rest as dots."""
    room = int(width / GLYPH_PX)
    return words if len(words) <= room else f"{words[: max(1, room - 1)].rstrip()}\u2026"


def round_ticks(most: float, steps: int = 5) -> list[float]:
    """Zero and multiples of 1, 2 or 5 times a power of ten up to the first that reaches `most`: at most `steps` + 1."""
    if most <= 0:
        return [0.0, 1.0]
    decade = 1.0
    while True:
        for factor in (1, 2, 5):
            step = factor * decade
            if step * steps >= most:
                count = int(most / step) + (0 if most / step == int(most / step) else 1)
                return [step * index for index in range(count + 1)]
        decade *= 10.0


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear map from values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a value."""
        return self.start + (value - self.low) * (self.end - self.start) / (self.high - self.low)


def draw_value_axis(ticks: list[float], scale: Scale, left: float, right: float) -> Iterator[str]:
    """Grid lines from `left` to `right` at the ticks of an upright axis, numbered on the left."""
    for tick in ticks:
        y = scale.at(tick)
        yield element("line", x1=left, x2=right, y1=y, y2=y, stroke=GRID)
        yield text(grouped(tick), left - 6, y + 4, anchor="end", fill=SOFT, size=SMALL_PX)


def draw_upright_text(content: str, x: float, y: float) -> str:
    """The name of an upright axis, read from below, centred on `y`."""
    turned = f"rotate(-90 {number(x)} {number(y)})"
    return element(
        "text", escape(content), x=x, y=y, text_anchor="middle", fill=SOFT, font_size=TEXT_PX, transform=turned
    )
