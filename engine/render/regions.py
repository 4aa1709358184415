"""The region of a picture that an edit may change: where the parts it names are seen, before or after, and a margin.

Regions come from the named parts, never from differences of pixels: what an edit must leave alone is then known before
anybody has drawn it. Everything is decided at the sub-pixels of the scored picture, so that no pixel outside the
region holds a trace of a named part.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np

from engine.framing import Camera
from engine.render.casting import Raster, Window, cast_pixels, find_window
from engine.render.coverage import SUPERSAMPLE
from engine.render.passes import find_first_surfaces
from engine.render.scene import PreparedPiece, RenderScene
from engine.surfaces import BoolArray, IntArray
from schemas.errors import InputError

DILATE_PX = 6.0
"""Margin of a region in pixels of a picture of REFERENCE_PX: one cell of the chain's grid."""
REFERENCE_PX = 512


@dataclass(frozen=True, slots=True, eq=False)
class EditRegion:
    """Where an edit may change a view; (H, W) pictures with row 0 at the top. The other pixels are to stay."""

    visible: BoolArray
    """Pixels in which a named part is seen in either state."""
    dilated: BoolArray
    """Pixels whose centre is no farther than the margin from the centre of a visible one."""


def find_edit_region(
    before: RenderScene,
    after: RenderScene,
    slots: Collection[str],
    camera: Camera,
    size: int,
    *,
    supersample: int = SUPERSAMPLE,
    dilate_px: float = DILATE_PX,
) -> EditRegion:
    """Find the region of an edit of `slots` in a view of `size` pixels.

    A slot may be missing in one of the states. The margin of `dilate_px` is scaled by size / REFERENCE_PX. Raises
    InputError when a slot is in neither state, the margin is negative, or a texture cannot be decoded.
    """
    missing = sorted(set(slots) - {*before.slots, *after.slots})
    if missing:
        raise InputError(f"edit region: slot {missing[0]!r} is in neither state")
    visible = np.zeros((size, size), dtype=bool)
    for scene in (before, after):
        for slot in sorted(set(slots) & set(scene.slots)):
            add_seen_pixels(scene, slot, camera, supersample, visible)
    return EditRegion(visible, dilate_mask(visible, Fraction(dilate_px) * size / REFERENCE_PX))


def add_seen_pixels(scene: RenderScene, slot: str, camera: Camera, supersample: int, seen: BoolArray) -> None:
    """Add to `seen`, (size, size), the pixels in which a slot of the scene is seen through any sub-pixel.

    Every layer up to the first surface that lets nothing through counts, so a part behind glass is seen. Only pixels
    that no earlier sub-pixel decided are cast again.
    """
    size = len(seen)
    raster = Raster(camera, size * supersample)
    own = scene.pieces[scene.slots.index(slot)]
    window = find_window(own, raster)
    if window is None:
        return
    others = [
        (piece, other)
        for piece in scene.pieces
        if piece is not own and (other := find_window(piece, raster)) is not None
    ]
    for down in range(supersample):
        for across in range(supersample):
            open_pixel = np.flatnonzero(~seen)
            row, column = open_pixel // size * supersample + down, open_pixel % size * supersample + across
            asked = (row * raster.width + column)[_inside(row, column, window)]
            shown = _find_shown(own, others, raster, asked)
            seen[shown // raster.width // supersample, shown % raster.width // supersample] = True


def _inside(row: IntArray, column: IntArray, window: Window) -> BoolArray:
    return np.asarray((row >= window.top) & (row < window.bottom) & (column >= window.left) & (column < window.right))


def _find_shown(
    own: PreparedPiece, others: Sequence[tuple[PreparedPiece, Window]], raster: Raster, asked: IntArray
) -> IntArray:
    """Those of the sub-pixels `asked` in which a piece is seen, others hiding it where they are solid and nearer."""
    first = find_first_surfaces(cast_pixels(own, raster, asked))
    pixel, depth = first.pixel, first.depth
    for piece, window in others:
        near = np.flatnonzero(_inside(pixel // raster.width, pixel % raster.width, window))
        if len(near) == 0:
            continue
        solid = cast_pixels(piece, raster, pixel[near]).solid
        place = near[np.searchsorted(pixel[near], solid.pixel)]
        kept = np.ones(len(pixel), dtype=bool)
        kept[place] = depth[place] <= solid.depth
        pixel, depth = pixel[kept], depth[kept]
    return pixel


def dilate_mask(mask: BoolArray, radius: Fraction) -> BoolArray:
    """The pixels of a mask (H, W) and all whose centre is no farther than `radius` pixels from one of theirs.

    Exact: distances are compared as squared integers. Raises InputError for a negative radius.
    """
    if radius < 0:
        raise InputError(f"edit region: the margin is {float(radius):g} px, it must not be negative")
    limit = int(radius * radius)
    grown = np.zeros_like(mask)
    height, width = mask.shape
    for down in range(min(isqrt(limit), height - 1) + 1):
        wide = _widen_rows(mask, min(isqrt(limit - down * down), width))
        grown[down:] |= wide[: height - down]
        grown[: height - down] |= wide[down:]
    return grown


def _widen_rows(mask: BoolArray, reach: int) -> BoolArray:
    """Pixels with one of the mask's within `reach` columns, by counting along the rows."""
    counts = np.zeros((mask.shape[0], mask.shape[1] + 2 * reach + 1), dtype=np.int64)
    counts[:, 1:] = np.cumsum(np.pad(mask, ((0, 0), (reach, reach))), axis=1)
    return np.asarray(counts[:, 2 * reach + 1 :] > counts[:, : -2 * reach - 1])
