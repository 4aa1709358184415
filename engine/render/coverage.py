"""Coverage of a picture's pixels without its colours: the alpha of the supersampled picture, to the byte.

Shading is most of a picture's cost, and most sub-pixels are decided by the first solid piece: later pieces are only
asked about sub-pixels that are still empty, or that a translucent layer makes depend on depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.framing import Camera
from engine.render.casting import Hits, Raster, Window, cast_pixels, cast_window, find_window, points_of
from engine.render.materials import measure_alpha
from engine.render.raycast import BAND_SUBPIXELS, order_layers
from engine.render.scene import PreparedPiece, RenderScene
from engine.surfaces import FloatArray, IntArray

SUPERSAMPLE = 4
"""Rays on a side of a pixel whose average is its coverage: those of the picture that is scored."""


def measure_coverage(
    scene: RenderScene, camera: Camera, size: int, supersample: int = SUPERSAMPLE
) -> NDArray[np.uint8]:
    """(size, size) uint8: what `render` with the same arguments gives as alpha.

    Raises InputError when a texture cannot be decoded.
    """
    raster = Raster(camera, size * supersample)
    pieces = [(piece, window) for piece in scene.pieces if (window := find_window(piece, raster)) is not None]
    rows = max(1, BAND_SUBPIXELS // (raster.width * supersample)) * supersample
    bands = []
    for top in range(0, raster.width, rows):
        covered = _cover_band(pieces, raster, top, min(top + rows, raster.width))
        bands.append(_average(covered, size, supersample))
    return np.concatenate(bands)


class _Layers(NamedTuple):
    """Translucent hits of one piece in a band."""

    hits: Hits
    piece: PreparedPiece
    owner: int


def _cover_band(pieces: Sequence[tuple[PreparedPiece, Window]], raster: Raster, top: int, bottom: int) -> FloatArray:
    """(rows * width,) coverage of the sub-pixels from row `top` to before `bottom`."""
    start, count = top * raster.width, (bottom - top) * raster.width
    depth, open_ = np.full(count, np.inf), np.ones(count, dtype=bool)
    layers = []
    inside = [
        (index, piece, window._replace(top=max(window.top, top), bottom=min(window.bottom, bottom)))
        for index, (piece, window) in enumerate(pieces)
        if window.top < bottom and window.bottom > top
    ]
    for index, piece, window in inside:
        if piece.layered.any():
            solid, translucent = cast_window(piece, raster, window)
            _note_solid(solid, start, depth, open_)
            layers.append(_Layers(translucent, piece, index))
    # A sub-pixel under a layer stays open: which layers count depends on the nearest solid hit.
    layered = np.zeros(count, dtype=bool)
    for layer in layers:
        layered[layer.hits.pixel - start] = True
    for _, piece, window in inside:
        if not piece.layered.any():
            asked = (open_ | layered).reshape(-1, raster.width)
            asked = asked[window.top - top : window.bottom - top, window.left : window.right]
            row, column = np.nonzero(asked)
            pixel = (row + window.top) * raster.width + column + window.left
            _note_solid(cast_pixels(piece, raster, pixel).solid, start, depth, open_)
    return _lay_coverage(layers, raster, start, depth)


def _note_solid(solid: Hits, start: int, depth: FloatArray, open_: NDArray[np.bool_]) -> None:
    """Enter solid hits, at most one a sub-pixel, into the nearest depths of a band."""
    local = solid.pixel - start
    depth[local] = np.minimum(depth[local], solid.depth)
    open_[local] = False


def _lay_coverage(layers: Sequence[_Layers], raster: Raster, start: int, depth: FloatArray) -> FloatArray:
    """Coverage of solid hits at `depth` with the layers in front of them, by the picture's own sums."""
    coverage = np.where(np.isfinite(depth), 1.0, 0.0)
    pixels: list[IntArray] = []
    depths, owners, alphas = [], [], []
    for hits, piece, owner in layers:
        seen = hits.take(hits.depth < depth[hits.pixel - start])
        pixels.append(seen.pixel - start)
        depths.append(seen.depth)
        owners.append(np.full(len(seen.pixel), owner))
        alphas.append(measure_alpha(piece, points_of(seen, raster)))
    if not sum(map(len, pixels)):
        return coverage
    pixel, alpha = np.concatenate(pixels), np.concatenate(alphas)
    order, rank = order_layers(pixel, np.concatenate(depths), np.concatenate(owners))
    pixel, alpha = pixel[order], alpha[order]
    for step in range(int(rank.max()) + 1):
        where, a = pixel[rank == step], alpha[rank == step]
        coverage[where] = a + coverage[where] * (1.0 - a)
    return coverage


def _average(coverage: FloatArray, size: int, supersample: int) -> NDArray[np.uint8]:
    """(rows, size) uint8 of the mean over each pixel, summed in the picture's order."""
    cells = coverage.reshape(-1, supersample, size, supersample)
    share = np.zeros((len(cells), size))
    for j in range(supersample):
        for i in range(supersample):
            share += cells[:, j, :, i]
    return np.asarray(np.rint(share * (255.0 / (supersample * supersample))), dtype=np.uint8)
