"""The look of a qualitative grid: methods down, turns across, each picture above the map of its errors."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw

from engine.render.contour import Stroke, draw_contour
from engine.render.page import (
    HOST_COLOR,
    INK,
    OPERATION_COLORS,
    PAPER,
    SOFT_INK,
    STAGE,
    TextBlock,
    draw_card,
    draw_pill,
    draw_text,
    lay_on_stage,
    wrap_text,
)
from engine.surfaces import BoolArray
from evaluator.metrics.pictures import Picture
from evaluator.tables.error_map import (
    SCALE_END,
    MeanErrors,
    Page,
    average_errors,
    color_errors,
    draw_scale,
    fit_square,
    measure_errors,
)
from schemas.operation import OpName

CELL_PX = 256
GAP_PX = 8
PAD_PX = 14
MARGIN_PX = 24
LINE_PX = 20
TITLE_PX = 22
TEXT_PX = 15
SMALL_PX = 13
FINE = 2
"""An outline is found on a grid so many times finer than its cell."""
ON_ERRORS: tuple[int, int, int] = (70, 214, 255)
"""Outline of the edit region on the dark map."""


@dataclass(frozen=True, slots=True, eq=False)
class GridView:
    """One view of one turn of one method."""

    own: Picture
    """(H, H, 4) uint8."""
    target: Picture | None = None
    """What it is compared with; None for the truth itself."""


@dataclass(frozen=True, slots=True, eq=False)
class GridTurn:
    """One turn of one method: its views, or why there are none."""

    views: tuple[GridView, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class GridColumn:
    """What a turn asks for, and where its edit may show."""

    turn: int
    op: OpName
    instruction: str
    regions: tuple[BoolArray, ...]
    """For each view, (H, H) bool: the edited region with its margin."""


@dataclass(frozen=True, slots=True, eq=False)
class GridRow:
    """A method and its turns, one for each column."""

    name: str
    note: str
    turns: tuple[GridTurn, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GridSheet:
    """Everything on one grid; the first row is the truth."""

    title: str
    subtitle: str
    views: tuple[str, ...]
    """What each picture of a turn shows: `view 0, conditioning`."""
    host: Picture
    """The state before turn 1 in the first view."""
    columns: tuple[GridColumn, ...]
    rows: tuple[GridRow, ...]


def draw_grid(sheet: GridSheet) -> bytes:
    """Draw a grid as a PNG; the same bytes for the same sheet."""
    group = len(sheet.views) * CELL_PX + (len(sheet.views) - 1) * GAP_PX
    texts = [wrap_text(column.instruction, group, TEXT_PX, max_lines=4) for column in sheet.columns]
    head = 34 + max(text.height for text in texts) + LINE_PX + 6
    top = MARGIN_PX + TITLE_PX + LINE_PX + 24
    heights = [_row_height(row) for row in sheet.rows]
    lefts = [MARGIN_PX + CELL_PX + 3 * PAD_PX + number * (group + 2 * PAD_PX) for number in range(len(texts))]
    width = lefts[-1] + group + PAD_PX + MARGIN_PX
    image = Image.new("RGB", (width, top + head + sum(heights) + (len(heights) - 1) * GAP_PX + MARGIN_PX), PAPER)
    draw = ImageDraw.Draw(image)
    draw_text(draw, (MARGIN_PX, MARGIN_PX - 4), wrap_text(sheet.title, width - 2 * MARGIN_PX, TITLE_PX, 1))
    below = wrap_text(sheet.subtitle, width - 2 * MARGIN_PX, TEXT_PX, 1)
    draw_text(draw, (MARGIN_PX, MARGIN_PX + TITLE_PX + 6), below, SOFT_INK)
    _draw_legend(image, draw, (MARGIN_PX + PAD_PX, top + 2))
    for column, text, left in zip(sheet.columns, texts, lefts, strict=True):
        _draw_head(draw, (left, top), column, text)
        for number, name in enumerate(sheet.views):
            at = (left + number * (CELL_PX + GAP_PX), top + head - LINE_PX - 4)
            draw_text(draw, at, wrap_text(name, CELL_PX, SMALL_PX, 1), SOFT_INK)
    y = top + head
    for row, height in zip(sheet.rows, heights, strict=True):
        draw_card(draw, (MARGIN_PX, y, width - MARGIN_PX - 1, y + height - 1))
        _draw_name(draw, (MARGIN_PX + PAD_PX, y + PAD_PX), row)
        if row is sheet.rows[0]:
            _draw_host(image, draw, (MARGIN_PX + PAD_PX, y + PAD_PX), sheet.host)
        for column, turn, left in zip(sheet.columns, row.turns, lefts, strict=True):
            _draw_turn(image, draw, (left, y + PAD_PX), column, turn)
        y += height + GAP_PX
    buffer = BytesIO()
    image.save(buffer, format="PNG", compress_level=6)
    return buffer.getvalue()


def _row_height(row: GridRow) -> int:
    """A card: pictures, and below them the maps with a line of numbers where the row is compared."""
    compared = any(view.target is not None for turn in row.turns for view in turn.views)
    return 2 * PAD_PX + CELL_PX + (GAP_PX + CELL_PX + LINE_PX if compared else 0)


def _draw_legend(image: Image.Image, draw: ImageDraw.ImageDraw, at: tuple[int, int]) -> None:
    """The scale of the maps, in the corner above the names."""
    draw_text(draw, at, wrap_text("error of a pixel, mean over R, G, B", CELL_PX, SMALL_PX, 1), SOFT_INK)
    image.paste(Image.fromarray(draw_scale(CELL_PX - 40, 12)), (at[0], at[1] + LINE_PX))
    for share, text in ((0.0, "0"), (0.5, f"{SCALE_END / 2:g}"), (1.0, f"{SCALE_END:g} or more")):
        x = at[0] + round(share * (CELL_PX - 40)) - (10 if share == 0.5 else 56 if share == 1.0 else 0)
        draw_text(draw, (x, at[1] + LINE_PX + 14), wrap_text(text, CELL_PX, SMALL_PX, 1), SOFT_INK)


def _draw_head(draw: ImageDraw.ImageDraw, at: tuple[int, int], column: GridColumn, text: TextBlock) -> None:
    draw_pill(draw, at, f"{column.turn}  {column.op}", OPERATION_COLORS[column.op])
    draw_text(draw, (at[0], at[1] + 30), text)


def _draw_name(draw: ImageDraw.ImageDraw, at: tuple[int, int], row: GridRow) -> None:
    """The row's name and its note; in the first row the host takes the place below."""
    name = wrap_text(row.name, CELL_PX, TITLE_PX - 4, 2)
    draw_text(draw, at, name, INK)
    if row.note:
        draw_text(draw, (at[0], at[1] + name.height + 2), wrap_text(row.note, CELL_PX, SMALL_PX, 5), SOFT_INK)


def _draw_host(image: Image.Image, draw: ImageDraw.ImageDraw, at: tuple[int, int], host: Picture) -> None:
    size = CELL_PX - 2 * LINE_PX - 24
    left, top = at[0] + CELL_PX - size, at[1] + CELL_PX - size
    image.paste(Image.fromarray(_fit_picture(host, size)), (left, top))
    draw_pill(draw, (left, top), "host", HOST_COLOR)


def _draw_turn(
    image: Image.Image, draw: ImageDraw.ImageDraw, at: tuple[int, int], column: GridColumn, turn: GridTurn
) -> None:
    if not turn.views:
        width = len(column.regions) * (CELL_PX + GAP_PX) - GAP_PX
        draw.rectangle((at[0], at[1], at[0] + width - 1, at[1] + CELL_PX - 1), fill=STAGE)
        words = wrap_text(turn.missing, width - 2 * PAD_PX, TEXT_PX, 8)
        draw_text(draw, (at[0] + PAD_PX, at[1] + PAD_PX), words, SOFT_INK)
        return
    for number, (view, region) in enumerate(zip(turn.views, column.regions, strict=True)):
        left = at[0] + number * (CELL_PX + GAP_PX)
        mask = _fit_mask(region, CELL_PX * FINE)
        picture = draw_contour(_fit_picture(view.own, CELL_PX), mask, Stroke(OPERATION_COLORS[column.op], 2.0))
        image.paste(Image.fromarray(picture), (left, at[1]))
        if view.target is None:
            continue
        errors = measure_errors(view.own, view.target)
        drawn = color_errors(fit_square(errors, CELL_PX))
        drawn = draw_contour(drawn, mask, Stroke(ON_ERRORS, 1.2))
        image.paste(Image.fromarray(drawn), (left, at[1] + CELL_PX + GAP_PX))
        words = wrap_text(_say_errors(average_errors(errors, region)), CELL_PX, SMALL_PX, 1)
        draw_text(draw, (left, at[1] + 2 * CELL_PX + GAP_PX + 3), words, SOFT_INK)


def _say_errors(means: MeanErrors) -> str:
    """Means in both regions as they stand below a map."""
    edit, unchanged = ("-" if value is None else f"{value:.4f}" for value in means)
    return f"mean error: E {edit}, U {unchanged}"


def _fit_picture(picture: Picture, size: int) -> Page:
    return fit_square(lay_on_stage(picture).astype(np.int64), size).astype(np.uint8)


def _fit_mask(mask: BoolArray, size: int) -> BoolArray:
    return np.asarray(fit_square(mask.astype(np.int64) * 2, size) >= 1)
