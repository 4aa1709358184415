"""Pictures of a scene: colour with coverage, slot indices, depth. The same bytes on any machine.

Pieces are cast one by one and the nearest hit wins; on equal depth the lower slot index. Translucent hits in front of
the nearest solid one are laid over it from back to front.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.framing import Camera
from engine.render.casting import Hits, Raster, Window, cast_pixels, cast_window, find_window, no_hits
from engine.render.scene import PreparedPiece, RenderScene
from engine.render.shading import shade
from engine.srgb import encode_srgb
from engine.surfaces import FloatArray, IntArray

Picture = NDArray[np.uint8]
"""(H, W, 4) uint8: sRGB, coverage not multiplied in; empty pixels are all zero."""

Color8 = NDArray[np.uint8]
"""(N, 3) uint8 sRGB."""

BAND_SUBPIXELS = 1 << 19
"""Sub-pixels worked on at once; bounds memory and changes no value."""


@dataclass(frozen=True, slots=True, eq=False)
class IdImage:
    """What is seen at the pixel centres."""

    slots: NDArray[np.int32]
    """(H, W) index into RenderScene.slots, -1 where nothing is."""
    depth: FloatArray
    """(H, W) distance along the camera's forward axis, world units, infinite where nothing is."""


class PixelArea(NamedTuple):
    """Half-open pixel ranges of a picture."""

    left: int
    right: int
    top: int
    bottom: int


def render(scene: RenderScene, camera: Camera, size: int, supersample: int = 2) -> Picture:
    """Draw a square picture of `size` pixels, supersample x supersample rays a pixel, on a transparent background.

    Raises InputError when a texture cannot be decoded.
    """
    return render_area(scene, camera, size, supersample, PixelArea(0, size, 0, size))


def render_area(scene: RenderScene, camera: Camera, size: int, supersample: int, area: PixelArea) -> Picture:
    """Draw what `render` draws in an area, bit for bit, and nothing else: (rows, columns, 4) uint8."""
    raster = Raster(camera, size * supersample)
    columns = (area.left * supersample, area.right * supersample)
    windows = [_cut_columns(find_window(piece, raster), *columns) for piece in scene.pieces]
    rows = max(1, BAND_SUBPIXELS // (raster.width * supersample)) * supersample
    bands = [np.zeros((0, size, 4), dtype=np.uint8)]
    for top in range(area.top * supersample, area.bottom * supersample, rows):
        band = _render_band(scene, raster, windows, top, min(top + rows, area.bottom * supersample))
        bands.append(_resolve(band, size, supersample))
    return np.concatenate(bands)[:, area.left : area.right]


def update_picture(
    picture: Picture, before: RenderScene, after: RenderScene, camera: Camera, supersample: int = 2
) -> Picture:
    """The picture of `after`, given that of `before` at the same camera: only what pieces that changed touch is drawn.

    Pieces are told apart by identity, so both scenes must come from one cache; the result is what `render` draws.
    """
    size = len(picture)
    raster = Raster(camera, size * supersample)
    kept = {id(piece) for piece in before.pieces} & {id(piece) for piece in after.pieces}
    changed = [piece for scene in (before, after) for piece in scene.pieces if id(piece) not in kept]
    windows = [window for window in (find_window(piece, raster) for piece in changed) if window is not None]
    if not windows:
        return picture
    area = PixelArea(
        min(window.left for window in windows) // supersample,
        -(-max(window.right for window in windows) // supersample),
        min(window.top for window in windows) // supersample,
        -(-max(window.bottom for window in windows) // supersample),
    )
    drawn = picture.copy()
    drawn[area.top : area.bottom, area.left : area.right] = render_area(after, camera, size, supersample, area)
    return drawn


def _cut_columns(window: Window | None, left: int, right: int) -> Window | None:
    """What of a window lies in a range of sub-pixel columns."""
    if window is None or window.right <= left or window.left >= right:
        return None
    return window._replace(left=max(window.left, left), right=min(window.right, right))


def render_ids(scene: RenderScene, camera: Camera, size: int) -> IdImage:
    """Slot index and depth at each pixel centre: the first hit that is not fully clear."""
    raster = Raster(camera, size)
    slots = np.full(size * size, -1, dtype=np.int32)
    depth = np.full(size * size, np.inf)
    for index, piece in enumerate(scene.pieces):
        window = find_window(piece, raster)
        if window is None:
            continue
        for hits in cast_window(piece, raster, window):
            # Several layers may share a pixel: the nearest must be written last.
            order = np.argsort(-hits.depth, kind="stable")
            pixel, distance = hits.pixel[order], hits.depth[order]
            nearer = distance < depth[pixel]
            depth[pixel[nearer]] = distance[nearer]
            slots[pixel[nearer]] = index
    return IdImage(slots.reshape(size, size), depth.reshape(size, size))


def hash_picture(picture: Picture) -> str:
    """SHA-256 of the size and the decoded pixels; files of the same picture may differ in compression."""
    head = "x".join(map(str, picture.shape)).encode()
    return hashlib.sha256(head + b"\n" + np.ascontiguousarray(picture).tobytes()).hexdigest()


class _Band(NamedTuple):
    """Sub-pixels drawn together, in some order."""

    depth: FloatArray
    """(N,) of the nearest solid hit."""
    light: FloatArray
    """(N, 3) linear RGB times coverage."""
    coverage: FloatArray
    """(N,)."""


def draw_pixels(
    pieces: Sequence[PreparedPiece], raster: Raster, pixel: IntArray, asked: Sequence[IntArray]
) -> tuple[Color8, FloatArray]:
    """Colours of chosen sub-pixels, without averaging: (N, 3) uint8 sRGB and (N,) coverage in [0, 1].

    `pixel` (N,) holds different sub-pixel indices; `asked[i]`, a part of them, says where piece i can be seen at all,
    so that no ray is cast in vain. On equal depth the earlier piece is seen. Raises InputError when a texture cannot
    be decoded.
    """
    place = np.zeros(raster.width * raster.width, dtype=np.int64)
    place[pixel] = np.arange(len(pixel))
    found = []
    for piece, some in zip(pieces, asked, strict=True):
        solid, layers = cast_pixels(piece, raster, some)
        found.append((solid, place[solid.pixel], layers, place[layers.pixel]))
    band = _draw_hits(pieces, raster, len(pixel), found)
    share = np.where(band.coverage > 0.0, band.coverage, 1.0)
    return encode_srgb(band.light / share[:, None]), band.coverage


def _render_band(scene: RenderScene, raster: Raster, windows: list[Window | None], top: int, bottom: int) -> _Band:
    start, count = top * raster.width, (bottom - top) * raster.width
    found = []
    for piece, window in zip(scene.pieces, windows, strict=True):
        solid, layers = no_hits(), no_hits()
        if window is not None and window.top < bottom and window.bottom > top:
            rows = window._replace(top=max(window.top, top), bottom=min(window.bottom, bottom))
            solid, layers = cast_window(piece, raster, rows)
        found.append((solid, solid.pixel - start, layers, layers.pixel - start))
    return _draw_hits(scene.pieces, raster, count, found)


def _draw_hits(
    pieces: Sequence[PreparedPiece],
    raster: Raster,
    count: int,
    found: Sequence[tuple[Hits, IntArray, Hits, IntArray]],
) -> _Band:
    """Shade what is seen; `found` has each piece's solid hits and layers, each with their places among the `count`."""
    band = _Band(np.full(count, np.inf), np.zeros((count, 3)), np.zeros(count))
    owner = np.full(count, -1, dtype=np.int64)
    nearest = []
    for index, (solid, local, _, _) in enumerate(found):
        nearer = solid.depth < band.depth[local]
        nearest.append((solid.take(nearer), local[nearer]))
        band.depth[local[nearer]] = nearest[index][0].depth
        owner[local[nearer]] = index
    for index, (hits, local) in enumerate(nearest):
        seen = owner[local] == index
        if seen.any():
            band.light[local[seen]], _ = shade(pieces[index], raster, hits.take(seen))
            band.coverage[local[seen]] = 1.0
    _lay_over(pieces, raster, [(hits, local) for _, _, hits, local in found], band)
    return band


def _lay_over(
    pieces: Sequence[PreparedPiece], raster: Raster, layers: Sequence[tuple[Hits, IntArray]], band: _Band
) -> None:
    """Lay translucent hits over a band in place, the farthest first."""
    depth, light, coverage = band
    pixels, depths, owners, colors, alphas = [], [], [], [], []
    for index, (hits, local) in enumerate(layers):
        ahead = hits.depth < depth[local]
        if ahead.any():
            seen = hits.take(ahead)
            color, alpha = shade(pieces[index], raster, seen)
            pixels.append(local[ahead])
            depths.append(seen.depth)
            owners.append(np.full(len(alpha), index))
            colors.append(color)
            alphas.append(alpha)
    if not pixels:
        return
    pixel, color, alpha = np.concatenate(pixels), np.concatenate(colors), np.concatenate(alphas)
    order, rank = order_layers(pixel, np.concatenate(depths), np.concatenate(owners))
    pixel, color, alpha = pixel[order], color[order], alpha[order]
    for step in range(int(rank.max()) + 1):
        chosen = rank == step
        where, a = pixel[chosen], alpha[chosen]
        light[where] = color[chosen] * a[:, None] + light[where] * (1.0 - a)[:, None]
        coverage[where] = a + coverage[where] * (1.0 - a)


def order_layers(pixel: IntArray, depth: FloatArray, owner: IntArray) -> tuple[IntArray, IntArray]:
    """The order in which N layers of sub-pixels are laid, and the rank of each in its sub-pixel, in that order.

    The farthest first, of equally far ones the later piece's. Layers of one rank touch different sub-pixels, so that
    they can be laid at once.
    """
    order = np.lexsort((-owner, -depth, pixel))
    pixel = pixel[order]
    first = np.flatnonzero(np.concatenate([[True], pixel[1:] != pixel[:-1]]))
    return order, np.arange(len(pixel)) - np.repeat(first, np.diff(np.concatenate([first, [len(pixel)]])))


def _resolve(band: _Band, size: int, supersample: int) -> Picture:
    """Average sub-pixels in linear light and encode; (rows, size, 4) uint8."""
    light = band.light.reshape(-1, supersample, size, supersample, 3)
    coverage = band.coverage.reshape(-1, supersample, size, supersample)
    color, share = np.zeros((len(light), size, 3)), np.zeros((len(light), size))
    for j in range(supersample):
        for i in range(supersample):
            color += light[:, j, :, i]
            share += coverage[:, j, :, i]
    covered = np.nonzero(share)
    picture = np.zeros((len(light), size, 4), dtype=np.uint8)
    picture[(*covered, slice(0, 3))] = encode_srgb(color[covered] / share[covered][:, None])
    picture[..., 3] = np.rint(share * (255.0 / (supersample * supersample))).astype(np.uint8)
    picture[picture[..., 3] == 0] = 0
    return picture
