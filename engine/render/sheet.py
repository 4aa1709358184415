"""Contact sheets: a chain at a glance, one picture a state with the edited part outlined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from engine.framing import Camera, Sphere, camera_of, enclosing_sphere, rig_of_sphere
from engine.render.contour import Stroke, draw_contour
from engine.render.page import (
    HOST_COLOR,
    OPERATION_COLORS,
    PAPER,
    SOFT_INK,
    TextBlock,
    draw_card,
    draw_pill,
    draw_text,
    lay_on_stage,
    wrap_text,
    write_page,
)
from engine.render.raycast import render
from engine.render.scene import PieceCache, RenderPiece, build_scene, world_points
from engine.render.visible import VisibilityCache, find_visible_pixels, measure_change_by_view
from schemas.operation import OpName

Page = NDArray[np.uint8]

CELL_PX = 360
MARGIN_PX = 24
GAP_PX = 14
PAD_PX = 14
TITLE_PX = 22
TEXT_PX = 15
MAX_COLUMNS = 5
SUPERSAMPLE = 2
HOME_VIEW_SHARE = 0.6
"""View 0 stays as long as it shows this share of what the best view shows: a sheet that seldom turns reads better."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetFrame:
    """One state of a chain."""

    pieces: tuple[RenderPiece, ...]
    edited: str | None
    """Slot the turn edits; None for the host."""
    instruction: str
    op: OpName | None
    index: int
    """Turn number; 0 is the host."""


def draw_sheet(
    frames: Sequence[SheetFrame], title: str, out: Path, *, subtitle: str = "", cell_px: int = CELL_PX
) -> None:
    """Draw all states of a chain as one PNG, in order, at most five in a row.

    Added parts are outlined in green, replaced ones in blue, retextured ones in purple, removed ones in dashed red
    where they were. All pictures share one framing. Raises InputError when no frame has geometry or a texture cannot
    be decoded, OutputError when the file cannot be written.
    """
    studio = Studio(frame_sphere([frame.pieces for frame in frames]), cell_px)
    texts = [wrap_text(frame.instruction, cell_px - 2, TEXT_PX, max_lines=5) for frame in frames]
    columns = choose_columns(len(frames))
    rows = [range(start, min(start + columns, len(frames))) for start in range(0, len(frames), columns)]
    heights = [card_height(cell_px, [texts[i] for i in row]) for row in rows]
    head = MARGIN_PX + TITLE_PX + (TEXT_PX + 10 if subtitle else 0) + 18
    width = 2 * MARGIN_PX + columns * (cell_px + 2 * PAD_PX) + (columns - 1) * GAP_PX
    page = Image.new("RGB", (width, head + sum(heights) + (len(rows) - 1) * GAP_PX + MARGIN_PX), PAPER)
    draw = ImageDraw.Draw(page)
    draw_text(draw, (MARGIN_PX, MARGIN_PX - 4), wrap_text(title, width - 2 * MARGIN_PX, TITLE_PX, 1))
    if subtitle:
        below = wrap_text(subtitle, width - 2 * MARGIN_PX, TEXT_PX, 1)
        draw_text(draw, (MARGIN_PX, MARGIN_PX + TITLE_PX + 8), below, SOFT_INK)
    top = head
    for row, height in zip(rows, heights, strict=True):
        for column, i in enumerate(row):
            left = MARGIN_PX + column * (cell_px + 2 * PAD_PX + GAP_PX)
            draw_card(draw, (left, top, left + cell_px + 2 * PAD_PX - 1, top + height - 1))
            before = frames[i - 1].pieces if i else ()
            page.paste(Image.fromarray(studio.draw_state(before, frames[i])), (left + PAD_PX, top + PAD_PX))
            draw_caption(draw, (left + PAD_PX, top + PAD_PX + cell_px + 6), frames[i], texts[i])
        top += height + GAP_PX
    write_page(page, out)


@dataclass(frozen=True, slots=True, eq=False)
class Studio:
    """One framing, one picture size, and the pieces already prepared: what the pictures of a page share."""

    sphere: Sphere
    size: int
    """Pixels on a side."""
    prepared: PieceCache = field(default_factory=PieceCache)
    views: VisibilityCache = field(default_factory=VisibilityCache)

    def draw_state(self, before: Sequence[RenderPiece], frame: SheetFrame) -> Page:
        """Draw a state, from the view that shows its edit, with the edited part outlined; (size, size, 3) uint8."""
        camera = self.camera(self.choose_view(before, frame))
        picture = self.draw_plain(frame.pieces, camera)
        mask = self.find_edit(before, frame, camera)
        return picture if mask is None or frame.op is None else draw_contour(picture, mask, stroke_of(frame.op))

    def camera(self, view: int) -> Camera:
        """Place the camera of a default view."""
        return camera_of(rig_of_sphere(self.sphere), view)

    def draw_plain(self, pieces: Sequence[RenderPiece], camera: Camera) -> Page:
        """Draw pieces on the stage's plain ground; (size, size, 3) uint8."""
        return lay_on_stage(render(build_scene(pieces, self.prepared), camera, self.size, SUPERSAMPLE))

    def find_edit(self, before: Sequence[RenderPiece], frame: SheetFrame, camera: Camera) -> NDArray[np.bool_] | None:
        """Where the edited part shows (for remove: showed), on a grid of SUPERSAMPLE x size; None for a host."""
        if frame.edited is None:
            return None
        shown = before if frame.op == "remove" else frame.pieces
        return find_visible_pixels(build_scene(shown, self.prepared), frame.edited, camera, self.size * SUPERSAMPLE)

    def choose_view(self, before: Sequence[RenderPiece], frame: SheetFrame) -> int:
        """Choose the default view that shows the edit best; view 0 unless another shows far more."""
        if frame.edited is None:
            return 0
        shares = measure_change_by_view(before, frame.pieces, frame.edited, self.sphere, self.views)
        best = max(range(len(shares)), key=lambda view: (shares[view], -view))
        return 0 if shares[0] >= HOME_VIEW_SHARE * shares[best] else best


def frame_sphere(states: Sequence[Sequence[RenderPiece]]) -> Sphere:
    """Frame all states at once; a piece that stays counts once. Raises InputError when none has geometry."""
    seen: dict[int, list[bytes]] = {}
    clouds = []
    for state in states:
        for piece in state:
            placed = piece.matrix.tobytes()
            # Surfaces live as long as `states`, so their identity is safe here.
            places = seen.setdefault(id(piece.surfaces), [])
            if placed not in places:
                places.append(placed)
                clouds.extend(world_points(piece))
    return enclosing_sphere(clouds)


def stroke_of(op: OpName) -> Stroke:
    """Choose how an operation's part is outlined."""
    if op == "remove":
        return Stroke(OPERATION_COLORS[op], dashed=True, fill=0.10)
    return Stroke(OPERATION_COLORS[op])


def choose_columns(count: int) -> int:
    """Choose columns so that the last row is as full as can be, at most five and wider than tall."""
    if count <= MAX_COLUMNS:
        return max(count, 1)
    candidates = range(MAX_COLUMNS, 2, -1)
    return min(candidates, key=lambda columns: (-count % columns, -columns))


def card_height(cell_px: int, texts: Sequence[TextBlock]) -> int:
    """Height of the cards of a row."""
    return cell_px + 2 * PAD_PX + 34 + max((text.height for text in texts), default=0)


def draw_caption(draw: ImageDraw.ImageDraw, at: tuple[int, int], frame: SheetFrame, text: TextBlock) -> None:
    """Draw the turn's pill and the instruction below it."""
    label = f"{frame.index}  {frame.op}" if frame.op else "host"
    draw_pill(draw, at, label, OPERATION_COLORS[frame.op] if frame.op else HOST_COLOR)
    draw_text(draw, (at[0], at[1] + 30), text)
