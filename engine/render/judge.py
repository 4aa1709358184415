"""Judging pages: drawn turns as rows of pictures, with boxes to tick.

A row says its number, the operation and the instruction, and nothing else: who judges must not know the chain, what
was measured, or where a part came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from engine.render.judge_views import JudgeCase, draw_views
from engine.render.page import (
    CARD,
    INK,
    OPERATION_COLORS,
    PAPER,
    SOFT_INK,
    draw_card,
    draw_pill,
    draw_text,
    measure_text,
    type_of,
    wrap_text,
    write_page,
)
from schemas.judgement import VERDICTS

ROWS_PER_PAGE = 4
PICTURE_PX = 356
MARGIN_PX = 20
GAP_PX = 10
PAD_PX = 14
HEAD_PX = 46
TEXT_PX, SMALL_TEXT_PX = 20, 16
"""An instruction that does not fit one line is written smaller on two."""
CAPTION_PX = 20
BOXES_PX = 30
CAPTIONS = ("before", "after, outlined", "close-up before", "close-up after", "close-up from another side")
ASIDE_OF_REMOVAL = "close-up before, from another side"


def draw_judge_cell(case: JudgeCase, number: int) -> Image.Image:
    """Draw one turn: number, operation and instruction above five pictures, boxes to tick below.

    Raises InputError when neither state has geometry or a texture cannot be decoded.
    """
    columns = len(CAPTIONS)
    width = 2 * PAD_PX + columns * PICTURE_PX + (columns - 1) * GAP_PX
    cell = Image.new("RGB", (width, 2 * PAD_PX + HEAD_PX + CAPTION_PX + PICTURE_PX + BOXES_PX), CARD)
    draw = ImageDraw.Draw(cell)
    _write_head(draw, case, number, width)
    captions = list(CAPTIONS)
    if case.frame.op == "remove":
        captions[-1] = ASIDE_OF_REMOVAL
    top = PAD_PX + HEAD_PX
    for column, (caption, picture) in enumerate(zip(captions, draw_views(case, PICTURE_PX), strict=True)):
        left = PAD_PX + column * (PICTURE_PX + GAP_PX)
        draw.text((left, top), caption, fill=SOFT_INK, font=type_of(13))
        cell.paste(Image.fromarray(picture), (left, top + CAPTION_PX))
    _write_boxes(draw, top + CAPTION_PX + PICTURE_PX + 12)
    return cell


def draw_judge_page(
    cases: Sequence[JudgeCase], first: int, title: str, folder: Path, *, rows_per_page: int = ROWS_PER_PAGE
) -> Path:
    """Write one page of cases, numbered from `first`, as the PNG that `page_name` says. Raises as draw_judge_cell."""
    cells = [draw_judge_cell(case, number) for number, case in enumerate(cases, start=first)]
    path = folder / page_name(first, rows_per_page)
    write_page(_join_cells(cells, title), path)
    return path


def page_name(number: int, rows_per_page: int = ROWS_PER_PAGE) -> str:
    """File name of the page on which a case (from 1) is drawn."""
    return f"judge_{(number - 1) // rows_per_page + 1:03d}.png"


def _write_head(draw: ImageDraw.ImageDraw, case: JudgeCase, number: int, width: int) -> None:
    draw.text((PAD_PX, PAD_PX), f"{number}", fill=INK, font=type_of(24))
    left = PAD_PX + max(48, measure_text(f"{number}", 24) + 14)
    if case.frame.op is not None:
        left = draw_pill(draw, (left, PAD_PX + 2), case.frame.op, OPERATION_COLORS[case.frame.op], 15) + 16
    room = width - PAD_PX - left
    text = wrap_text(case.frame.instruction, room, TEXT_PX)
    if len(text.lines) > 1:
        text = wrap_text(case.frame.instruction, room, SMALL_TEXT_PX, 2)
    draw_text(draw, (left, PAD_PX + 3 if len(text.lines) == 1 else PAD_PX - 4), text)


def _write_boxes(draw: ImageDraw.ImageDraw, top: int) -> None:
    left = PAD_PX
    for verdict in VERDICTS:
        draw.rectangle((left, top, left + 14, top + 14), outline=SOFT_INK, fill=CARD)
        draw.text((left + 22, top - 1), verdict, fill=INK, font=type_of(14))
        left += 22 + measure_text(verdict, 14) + 30


def _join_cells(cells: Sequence[Image.Image], title: str) -> Image.Image:
    width = cells[0].width + 2 * MARGIN_PX
    head = MARGIN_PX + 32
    height = head + sum(cell.height + GAP_PX for cell in cells) + MARGIN_PX - GAP_PX
    page = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(page)
    draw_text(draw, (MARGIN_PX, MARGIN_PX - 4), wrap_text(title, width - 2 * MARGIN_PX, 20, 1))
    top = head
    for cell in cells:
        draw_card(draw, (MARGIN_PX - 1, top - 1, MARGIN_PX + cell.width, top + cell.height))
        page.paste(cell.crop((6, 6, cell.width - 6, cell.height - 6)), (MARGIN_PX + 6, top + 6))
        top += cell.height + GAP_PX
    return page
