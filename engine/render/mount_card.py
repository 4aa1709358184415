"""One part of a library as a picture: in its object, alone with its contact frame, and on its resting face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from engine.framing import Camera
from engine.geometry.angles import rotation_onto, turn_of_degrees
from engine.geometry.bounds import diagonal
from engine.render.contour import Stroke, draw_contour
from engine.render.page import CARD, INK, PAPER, SOFT_INK, Color, draw_card, draw_text, type_of, wrap_text, write_page
from engine.render.scene import RenderPiece, build_scene
from engine.render.sheet import SUPERSAMPLE, Studio, frame_sphere
from engine.render.visible import find_visible_pixels, measure_change_by_view
from engine.surfaces import FloatArray
from library_index.mount_lines import describe_mounts
from schemas.base import Vec3
from schemas.part import PartRecord

PICTURE_PX = 420
MARGIN_PX = 24
NORMAL: Color = (214, 54, 56)
SUPPORT: Color = (38, 104, 214)
OPENING: Color = (30, 150, 84)
ENDS: Color = (142, 68, 196)
ARROW_REL = 0.35
"""Length of the normal's arrow over the part's diagonal."""
RING_STEPS = 48


@dataclass(frozen=True, slots=True)
class _Overlay:
    """Draws world points and lines onto a picture."""

    draw: ImageDraw.ImageDraw
    camera: Camera
    size: int

    def at(self, point: Sequence[float] | FloatArray) -> tuple[float, float]:
        away = [float(p - q) for p, q in zip(point, self.camera.position, strict=True)]
        across, up, depth = (
            sum(a * b for a, b in zip(away, axis, strict=True))
            for axis in (self.camera.right, self.camera.up, self.camera.forward)
        )
        reach = max(depth, 1e-9) * self.camera.tan_half
        return 0.5 * self.size * (1.0 + across / reach), 0.5 * self.size * (1.0 - up / reach)

    def line(self, points: Sequence[Sequence[float] | FloatArray], color: Color, width: int = 3) -> None:
        seen = [self.at(point) for point in points]
        self.draw.line(seen, fill=CARD, width=width + 3, joint="curve")
        self.draw.line(seen, fill=color, width=width, joint="curve")

    def mark(self, point: Sequence[float] | FloatArray, color: Color) -> None:
        x, y = self.at(point)
        self.draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill=color, outline=CARD, width=2)


def draw_mount_card(whole: Sequence[RenderPiece], record: PartRecord, path: Path) -> None:
    """Write a PNG of a part: `whole` holds the pieces of its object, each under its part id.

    Left the part outlined in its object; in the middle alone, with the normal of its best mount (red), the support
    rectangle (blue), the opening (green) and the ends of a bar (purple); right on its resting face. Raises InputError
    for images that cannot be decoded, OutputError.
    """
    name = record.ref.part_id
    part = next(piece for piece in whole if piece.slot == name)
    panels = [("in its object", _draw_in_object(whole, name)), ("how it is mounted", _draw_mounted(part, record))]
    resting = _draw_resting(part, record)
    if resting is not None:
        panels.append(("at rest by itself", resting))
    width = MARGIN_PX + len(panels) * (PICTURE_PX + MARGIN_PX)
    text = wrap_text("\n".join(describe_mounts(record)).replace("\n", "   |   "), width - 2 * MARGIN_PX, 14)
    page = Image.new("RGB", (width, 3 * MARGIN_PX + 70 + PICTURE_PX + text.height), PAPER)
    draw = ImageDraw.Draw(page)
    draw.text((MARGIN_PX, MARGIN_PX - 6), f"{record.ref}", fill=INK, font=type_of(20))
    draw_text(draw, (MARGIN_PX, MARGIN_PX + 22), wrap_text(record.caption, width - 2 * MARGIN_PX, 14, 1), SOFT_INK)
    top = MARGIN_PX + 70
    for column, (caption, picture) in enumerate(panels):
        left = MARGIN_PX + column * (PICTURE_PX + MARGIN_PX)
        draw_card(draw, (left - 6, top - 24, left + PICTURE_PX + 6, top + PICTURE_PX + 6))
        draw.text((left, top - 21), caption, fill=SOFT_INK, font=type_of(13))
        page.paste(picture, (left, top))
    draw_text(draw, (MARGIN_PX, top + PICTURE_PX + MARGIN_PX), text)
    write_page(page, path)


def _draw_in_object(whole: Sequence[RenderPiece], name: str) -> Image.Image:
    studio = Studio(frame_sphere([whole]), PICTURE_PX)
    others = [piece for piece in whole if piece.slot != name]
    shares = measure_change_by_view(others, whole, name, studio.sphere, studio.views)
    camera = studio.camera(max(range(len(shares)), key=lambda view: (shares[view], -view)))
    picture = studio.draw_plain(whole, camera)
    mask = find_visible_pixels(build_scene(whole, studio.prepared), name, camera, PICTURE_PX * SUPERSAMPLE)
    return Image.fromarray(draw_contour(picture, mask, Stroke(SUPPORT)))


def _draw_mounted(part: RenderPiece, record: PartRecord) -> Image.Image:
    studio = Studio(frame_sphere([[part]]), PICTURE_PX)
    camera = studio.camera(0)
    image = Image.fromarray(studio.draw_plain([part], camera))
    if not record.mounts:
        return image
    overlay = _Overlay(ImageDraw.Draw(image), camera, PICTURE_PX)
    mount = record.mounts[0]
    low, high = (np.array(corner) for corner in record.bounds)
    length = ARROW_REL * diagonal(np.array([low, high]))
    if mount.support is not None:
        for edge in _box_edges(mount.support):
            overlay.line(edge, SUPPORT, 2)
    if mount.opening is not None:
        overlay.line(_circle(mount.opening.origin, mount.opening.radius, mount.frame.normal), OPENING)
    for end in mount.ends or ():
        overlay.mark(end, ENDS)
    origin, normal = np.array(mount.frame.origin), np.array(mount.frame.normal)
    overlay.line([origin, origin + length * normal], NORMAL, 4)
    overlay.mark(origin, NORMAL)
    return image


def _draw_resting(part: RenderPiece, record: PartRecord) -> Image.Image | None:
    if record.resting is None:
        return None
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_onto(np.array(record.resting.down), np.array([0.0, -1.0, 0.0]))
    lying = RenderPiece(part.slot, part.surfaces, matrix)
    studio = Studio(frame_sphere([[lying]]), PICTURE_PX)
    return Image.fromarray(studio.draw_plain([lying], studio.camera(0)))


def _box_edges(box: tuple[Vec3, Vec3]) -> list[list[list[float]]]:
    corners = [[box[i][0], box[j][1], box[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    pairs = [(a, a + step) for step in (1, 2, 4) for a in range(8) if not a & step]
    return [[corners[a], corners[b]] for a, b in pairs]


def _circle(origin: Vec3, radius: float, normal: Vec3) -> list[FloatArray]:
    turn = rotation_onto(np.array([0.0, 1.0, 0.0]), np.array(normal))
    around = [turn_of_degrees(360.0 * step / RING_STEPS) for step in range(RING_STEPS + 1)]
    return [np.array(origin) + radius * (turn[:, 0] * c + turn[:, 2] * s) for c, s in around]
