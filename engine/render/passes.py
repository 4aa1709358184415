"""What a view holds beside its colours: ids, depth, normals, coverage, and where each piece would be seen alone.

The passes of the pixel centres come from one cast of each piece, so they cannot disagree with one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.framing import Camera
from engine.render.casting import Hits, PieceHits, Raster, Window, cast_window, find_window, join_hits
from engine.render.coverage import measure_coverage
from engine.render.raycast import BAND_SUBPIXELS
from engine.render.scene import PreparedPiece, RenderScene
from engine.render.shading import measure_normals
from engine.surfaces import BoolArray, FloatArray, IntArray

NOTHING = -1
"""Id of a pixel in which no piece is seen."""


@dataclass(frozen=True, slots=True, eq=False)
class SlotMask:
    """Pixels of one slot, kept only for the rows and columns that hold any."""

    top: int
    left: int
    inside: BoolArray
    """(h, w) from row `top` and column `left` on; (0, 0) when there is no pixel."""

    @property
    def pixels(self) -> int:
        """How many pixels the mask has."""
        return int(np.count_nonzero(self.inside))

    def expand(self, size: int) -> BoolArray:
        """The mask as a (size, size) picture."""
        full = np.zeros((size, size), dtype=bool)
        height, width = self.inside.shape
        full[self.top : self.top + height, self.left : self.left + width] = self.inside
        return full


@dataclass(frozen=True, slots=True, eq=False)
class ViewPasses:
    """Passes of one view of a state; (H, W) pictures with row 0 at the top, values of pixel centres."""

    slots: tuple[str, ...]
    """Names by id: those of the scene, sorted."""
    ids: NDArray[np.int32]
    """(H, W) index into `slots` of the piece whose first surface that is not fully clear is nearest; of equally near
    ones the lowest. `NOTHING` where there is none."""
    depth: FloatArray
    """(H, W) of that surface along the camera's forward axis, world units; infinite where nothing is."""
    normals: FloatArray
    """(H, W, 3) unit normal, world axes, that the surface is shaded with, normal textures included, on the side of
    the face that the camera sees; zero where nothing is."""
    alpha: NDArray[np.uint8]
    """(H, W) coverage: alpha of the picture that is scored."""
    amodal: tuple[SlotMask, ...]
    """For each slot where it would be seen if it stood alone."""

    @property
    def size(self) -> int:
        """Pixels on a side."""
        return len(self.ids)

    def visible(self, slot: int) -> BoolArray:
        """(H, W) pixels in which a slot, by id, is seen."""
        return np.asarray(self.ids == slot)


def render_passes(scene: RenderScene, camera: Camera, size: int, alpha: NDArray[np.uint8] | None = None) -> ViewPasses:
    """Cast every piece once through the pixel centres, and once through the sub-pixels for coverage.

    `alpha` (size, size) is the coverage where it is known from a picture of as many sub-pixels; it is not cast then.
    Raises InputError when a texture cannot be decoded.
    """
    raster = Raster(camera, size)
    seen = _Seen.nothing(size)
    amodal = tuple(_cast_piece(index, piece, raster, seen) for index, piece in enumerate(scene.pieces))
    shape = (size, size)
    return ViewPasses(
        slots=scene.slots,
        ids=seen.ids.reshape(shape),
        depth=seen.depth.reshape(shape),
        normals=_measure_seen_normals(scene, raster, seen).reshape(size, size, 3),
        alpha=measure_coverage(scene, camera, size) if alpha is None else alpha,
        amodal=amodal,
    )


class _Seen(NamedTuple):
    """The nearest hit of every pixel so far; all arrays (H * W,), written in place."""

    ids: NDArray[np.int32]
    depth: FloatArray
    triangle: IntArray
    u: FloatArray
    v: FloatArray

    @classmethod
    def nothing(cls, size: int) -> _Seen:
        """A frame in which nothing is seen yet."""
        count = size * size
        return cls(
            np.full(count, NOTHING, dtype=np.int32),
            np.full(count, np.inf),
            np.zeros(count, dtype=np.int64),
            np.zeros(count),
            np.zeros(count),
        )

    def take(self, pixel: IntArray) -> Hits:
        """The hits of chosen pixels."""
        return Hits(pixel, self.triangle[pixel], self.u[pixel], self.v[pixel], self.depth[pixel])

    def enter(self, index: int, hits: Hits) -> None:
        """Keep those hits of a piece, at most one a pixel, that are nearer than what was seen before."""
        nearer = hits.take(hits.depth < self.depth[hits.pixel])
        self.ids[nearer.pixel] = index
        self.depth[nearer.pixel] = nearer.depth
        self.triangle[nearer.pixel] = nearer.triangle
        self.u[nearer.pixel], self.v[nearer.pixel] = nearer.u, nearer.v


def _cast_piece(index: int, piece: PreparedPiece, raster: Raster, seen: _Seen) -> SlotMask:
    """Enter a piece into the frame; return where it would be seen alone."""
    window = find_window(piece, raster)
    if window is None:
        return crop_mask(np.zeros((0, 0), dtype=bool))
    alone = np.zeros((window.bottom - window.top, raster.width), dtype=bool)
    rows = max(1, BAND_SUBPIXELS // raster.width)
    for top in range(window.top, window.bottom, rows):
        band = window._replace(top=top, bottom=min(top + rows, window.bottom))
        hits = find_first_surfaces(cast_window(piece, raster, band))
        seen.enter(index, hits)
        alone.reshape(-1)[hits.pixel - window.top * raster.width] = True
    return crop_mask(alone, window)


def find_first_surfaces(hits: PieceHits) -> Hits:
    """The nearest hit of each ray on a piece, translucent or not; of equally near ones the solid one."""
    if len(hits.layers.pixel) == 0:
        return hits.solid
    both = join_hits(hits)
    order = np.lexsort((both.depth, both.pixel))
    pixel = both.pixel[order]
    return both.take(order[np.concatenate([[True], pixel[1:] != pixel[:-1]])])


def crop_mask(picture: BoolArray, window: Window | None = None) -> SlotMask:
    """The mask of a picture, (H, W), or of its rows from `window.top` on, cut to the pixels it has."""
    rows, columns = np.flatnonzero(picture.any(axis=1)), np.flatnonzero(picture.any(axis=0))
    if len(rows) == 0:
        return SlotMask(0, 0, np.zeros((0, 0), dtype=bool))
    inside = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()
    return SlotMask(int(rows[0]) + (window.top if window else 0), int(columns[0]), inside)


def _measure_seen_normals(scene: RenderScene, raster: Raster, seen: _Seen) -> FloatArray:
    """(H * W, 3) shading normals of what is seen."""
    normals = np.zeros((len(seen.ids), 3))
    for index, piece in enumerate(scene.pieces):
        own = np.flatnonzero(seen.ids == index)
        for first in range(0, len(own), BAND_SUBPIXELS):
            pixel = own[first : first + BAND_SUBPIXELS]
            normals[pixel] = measure_normals(piece, raster, seen.take(pixel))
    return normals
