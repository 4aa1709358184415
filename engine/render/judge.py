"""Judging pages: drawn turns before, after and close up, with boxes to tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from engine.framing import Camera, aim_camera
from engine.render.contour import draw_contour
from engine.render.page import (
    BORDER,
    CARD,
    INK,
    OPERATION_COLORS,
    PAPER,
    SOFT_INK,
    draw_card,
    draw_pill,
    draw_text,
    type_of,
    wrap_text,
    write_page,
)
from engine.render.scene import RenderPiece
from engine.render.sheet import SheetFrame, Studio, frame_sphere, stroke_of

PICTURE_PX = 300
NOTES_PX = 330
MARGIN_PX = 24
GAP_PX = 14
PAD_PX = 14
CAPTION_PX = 22
CLOSE_UP_ROOM = 1.7
CLOSE_UP_SHARE = 0.16
"""A close-up never shows less than this share of the frame: smaller, one no longer sees where the part hangs."""

VERDICTS = (
    "looks right",
    "wrong part",
    "orientation or mounting",
    "scale",
    "floating",
    "buried",
    "broken dependency",
    "ambiguous or untrue instruction",
    "gives away the source",
    "other",
)


@dataclass(frozen=True, slots=True, eq=False)
class JudgeCase:
    """One turn to judge."""

    chain_id: str
    before: tuple[RenderPiece, ...]
    frame: SheetFrame


def draw_judge_cell(case: JudgeCase, number: int) -> Image.Image:
    """Draw one turn: before, after with the part outlined, a close-up without outline, the text, and boxes to tick.

    Raises InputError when neither state has geometry or a texture cannot be decoded.
    """
    pictures = _three_pictures(case)
    width = 2 * PAD_PX + 3 * (PICTURE_PX + GAP_PX) + NOTES_PX
    cell = Image.new("RGB", (width, 2 * PAD_PX + CAPTION_PX + PICTURE_PX), CARD)
    draw = ImageDraw.Draw(cell)
    for column, (caption, picture) in enumerate(zip(("before", "after", "close-up"), pictures, strict=True)):
        left = PAD_PX + column * (PICTURE_PX + GAP_PX)
        draw.text((left, PAD_PX - 2), caption, fill=SOFT_INK, font=type_of(13))
        cell.paste(Image.fromarray(picture), (left, PAD_PX + CAPTION_PX))
    _write_notes(draw, PAD_PX + 3 * (PICTURE_PX + GAP_PX), case, number)
    return cell


def draw_judge_pages(
    cases: Sequence[JudgeCase], title: str, folder: Path, *, rows_per_page: int = 4
) -> tuple[Path, ...]:
    """Write the cases as numbered PNG pages `judge_001.png` ... into `folder`, in order. Raises as draw_judge_cell."""
    paths = []
    count = -(-len(cases) // rows_per_page)
    for page_number in range(1, count + 1):
        start = (page_number - 1) * rows_per_page
        cells = [
            draw_judge_cell(case, number)
            for number, case in enumerate(cases[start : start + rows_per_page], start=start + 1)
        ]
        path = folder / f"judge_{page_number:03d}.png"
        write_page(_join_cells(cells, f"{title}, page {page_number} of {count}"), path)
        paths.append(path)
    return tuple(paths)


def _three_pictures(case: JudgeCase) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    frame = case.frame
    studio = Studio(frame_sphere([case.before, frame.pieces]), PICTURE_PX)
    camera = studio.camera(studio.choose_view(case.before, frame))
    after = studio.draw_plain(frame.pieces, camera)
    mask = studio.find_edit(case.before, frame, camera)
    close_up = after
    if mask is not None and frame.op is not None and mask.any():
        after = draw_contour(after, mask, stroke_of(frame.op))
        close_up = studio.draw_plain(frame.pieces, _close_camera(camera, mask))
    return studio.draw_plain(case.before, camera), after, close_up


def _close_camera(camera: Camera, mask: NDArray[np.bool_]) -> Camera:
    """Aim at the middle of a mask, with some room around it."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    side = mask.shape[0]
    left, right, top, bottom = int(columns[0]), int(columns[-1]) + 1, int(rows[0]), int(rows[-1]) + 1
    share = max(CLOSE_UP_SHARE, min(1.0, CLOSE_UP_ROOM * max(right - left, bottom - top) / side))
    return aim_camera(camera, (left + right) / side - 1.0, 1.0 - (top + bottom) / side, share)


def _write_notes(draw: ImageDraw.ImageDraw, left: int, case: JudgeCase, number: int) -> None:
    frame = case.frame
    draw.text((left, PAD_PX - 4), f"{number}", fill=INK, font=type_of(20))
    where = wrap_text(f"{case.chain_id}, turn {frame.index}", NOTES_PX - 44, 13, 1)
    draw_text(draw, (left + 44, PAD_PX + 2), where, SOFT_INK)
    top = PAD_PX + 28
    if frame.op is not None:
        draw_pill(draw, (left, top), frame.op, OPERATION_COLORS[frame.op])
    top += 32
    text = wrap_text(frame.instruction, NOTES_PX, 15, 4)
    draw_text(draw, (left, top), text)
    first = PAD_PX + CAPTION_PX + PICTURE_PX - len(VERDICTS) * 19
    for row, verdict in enumerate(VERDICTS):
        y = max(first, top + text.height + 8) + row * 19
        draw.rectangle((left, y, left + 12, y + 12), outline=SOFT_INK, fill=CARD)
        draw.text((left + 22, y - 2), verdict, fill=INK, font=type_of(13))


def _join_cells(cells: Sequence[Image.Image], title: str) -> Image.Image:
    width = cells[0].width + 2 * MARGIN_PX
    head = MARGIN_PX + 36
    height = head + sum(cell.height + GAP_PX for cell in cells) + MARGIN_PX - GAP_PX
    page = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(page)
    draw_text(draw, (MARGIN_PX, MARGIN_PX - 4), wrap_text(title, width - 2 * MARGIN_PX, 20, 1))
    top = head
    for cell in cells:
        draw_card(draw, (MARGIN_PX - 1, top - 1, MARGIN_PX + cell.width, top + cell.height))
        page.paste(cell.crop((6, 6, cell.width - 6, cell.height - 6)), (MARGIN_PX + 6, top + 6))
        draw.line((MARGIN_PX + 10, top + cell.height, MARGIN_PX + cell.width - 10, top + cell.height), fill=BORDER)
        top += cell.height + GAP_PX
    return page
