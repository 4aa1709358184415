"""The look of pages: colours, type, wrapped text, pills and cards."""

from __future__ import annotations

import io
import unicodedata
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from chains.storage import write_atomic
from schemas.operation import OpName

Color = tuple[int, int, int]

PAPER: Color = (244, 245, 247)
CARD: Color = (255, 255, 255)
STAGE: Color = (240, 242, 246)
BORDER: Color = (223, 226, 231)
INK: Color = (31, 35, 42)
SOFT_INK: Color = (110, 117, 128)

OPERATION_COLORS: dict[OpName, Color] = {
    "add": (30, 150, 84),
    "remove": (214, 54, 56),
    "replace": (38, 104, 214),
    "retexture": (142, 68, 196),
}
HOST_COLOR: Color = (96, 104, 116)


_PLAIN = str.maketrans(
    {"\u2014": " - ", "\u2013": "-", "\u00d7": "x", "\u2026": "...", "\u00df": "ss", "\u00e6": "ae", "\u00f8": "o"}
)


class TextBlock(NamedTuple):
    """Wrapped text."""

    lines: tuple[str, ...]
    size: int
    line_height: int

    @property
    def height(self) -> int:
        """Height in pixels."""
        return len(self.lines) * self.line_height


@cache
def type_of(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own typeface, which needs no file of the machine."""
    return ImageFont.load_default(size=size)


def measure_text(text: str, size: int) -> int:
    """Width of one line in pixels, rounded up."""
    return int(-(-type_of(size).getlength(text) // 1))


def wrap_text(text: str, width: int, size: int, max_lines: int = 0) -> TextBlock:
    """Break text at spaces (and inside words wider than a line) to a width in pixels.

    With `max_lines` the last line ends in an ellipsis when text is left over.
    """
    lines: list[str] = []
    line = ""
    for word in _pieces(text, width, size):
        longer = f"{line} {word}" if line else word
        if line and measure_text(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if max_lines and len(lines) > max_lines:
        last = lines[max_lines - 1]
        while last and measure_text(last + "...", size) > width:
            last = last[:-1].rstrip()
        lines = [*lines[: max_lines - 1], last + "..."]
    return TextBlock(tuple(lines), size, round(size * 1.36))


def plain_letters(text: str) -> str:
    """Write accents and dashes in the letters the typeface has; letters of other scripts stay and show as boxes."""
    spread = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(c if c.isprintable() else " " for c in spread if not unicodedata.combining(c))


def draw_text(draw: ImageDraw.ImageDraw, at: tuple[int, int], block: TextBlock, color: Color = INK) -> None:
    """Draw wrapped text with its upper left corner at `at`."""
    for number, line in enumerate(block.lines):
        draw.text((at[0], at[1] + number * block.line_height), line, fill=color, font=type_of(block.size))


def draw_pill(draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, color: Color, size: int = 13) -> int:
    """Draw a rounded label; returns the x where it ends."""
    width, height = measure_text(text, size) + size + 6, size + 10
    draw.rounded_rectangle((at[0], at[1], at[0] + width, at[1] + height), radius=height // 2, fill=color)
    draw.text((at[0] + width / 2, at[1] + height / 2), text, fill=CARD, font=type_of(size), anchor="mm")
    return at[0] + width


def draw_card(draw: ImageDraw.ImageDraw, box: tuple[int, int, int, int]) -> None:
    """Draw a white card with a hairline border."""
    draw.rounded_rectangle(box, radius=10, fill=CARD, outline=BORDER, width=1)


def lay_on_stage(picture: NDArray[np.uint8], background: Color = STAGE) -> NDArray[np.uint8]:
    """(H, W, 3) of an RGBA picture over a plain colour."""
    alpha = picture[..., 3:].astype(np.uint32)
    ground = np.array(background, dtype=np.uint32)
    mixed = picture[..., :3].astype(np.uint32) * alpha + ground * (255 - alpha)
    return np.asarray((mixed + 127) // 255, dtype=np.uint8)


def write_page(image: Image.Image, path: Path) -> None:
    """Write a PNG atomically. Raises OutputError."""
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", compress_level=6)
    write_atomic(path, buffer.getvalue())


def _pieces(text: str, width: int, size: int) -> list[str]:
    """Words of a text; a word wider than a line is cut."""
    pieces: list[str] = []
    for word in plain_letters(text).split():
        rest = word
        while measure_text(rest, size) > width and len(rest) > 1:
            end = len(rest)
            while end > 1 and measure_text(rest[:end], size) > width:
                end -= 1
            pieces.append(rest[:end])
            rest = rest[end:]
        pieces.append(rest)
    return pieces
