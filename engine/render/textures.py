"""Images as 8-bit pyramids, cached by content, sampled without filtering surprises."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.gltf.images import decode_image
from engine.srgb import decode_table, encode_srgb
from engine.surfaces import FloatArray, ImageData, IntArray, TextureSlot

CACHE_BYTES = 384 << 20
REPEAT, CLAMP, MIRROR = 10497, 33071, 33648


@dataclass(frozen=True, slots=True, eq=False)
class Pyramid:
    """An image and its halvings in one flat array, (P, 4) uint8 as stored in the file (sRGB or plain numbers)."""

    texels: NDArray[np.uint8]
    starts: IntArray
    widths: IntArray
    heights: IntArray


class TextureCache:
    """Pyramids by image hash; the least recently used go when the cache outgrows its limit."""

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit = limit_bytes
        self._size = 0
        self._pyramids: OrderedDict[tuple[str, bool], Pyramid] = OrderedDict()

    def find(self, image: ImageData, *, is_color: bool = True) -> Pyramid:
        """Find the pyramid of an image, decoded on first use. Raises InputError when it cannot be decoded."""
        key = (image.sha256, is_color)
        found = self._pyramids.get(key)
        if found is not None:
            self._pyramids.move_to_end(key)
            return found
        pyramid = build_pyramid(decode_image(image), is_color=is_color)
        self._pyramids[key] = pyramid
        self._size += pyramid.texels.nbytes
        while self._size > self._limit and len(self._pyramids) > 1:
            _, dropped = self._pyramids.popitem(last=False)
            self._size -= dropped.texels.nbytes
        return pyramid


TEXTURES = TextureCache()


def build_pyramid(pixels: NDArray[np.uint8], *, is_color: bool = True) -> Pyramid:
    """Halve an (H, W, 4) image down to one texel, averaging 2 x 2 texels: colours in linear light, data as stored."""
    levels = [pixels]
    while levels[-1].shape[0] > 1 or levels[-1].shape[1] > 1:
        last = levels[-1]
        # An odd last row or column is doubled so that it keeps its share.
        rows = np.minimum(np.arange((last.shape[0] + 1) // 2)[:, None] * 2 + [0, 1], last.shape[0] - 1)
        columns = np.minimum(np.arange((last.shape[1] + 1) // 2)[:, None] * 2 + [0, 1], last.shape[1] - 1)
        quads = [last[rows[:, i]][:, columns[:, j]] for i in (0, 1) for j in (0, 1)]
        whole = [quad.astype(np.uint16) for quad in quads]
        half = ((whole[0] + whole[1] + whole[2] + whole[3] + 2) // 4).astype(np.uint8)
        if is_color:
            light = [decode_table()[quad[..., :3]] for quad in quads]
            half[..., :3] = encode_srgb((light[0] + light[1] + light[2] + light[3]) * 0.25)
        levels.append(half)
    texels = np.concatenate([level.reshape(-1, 4) for level in levels])
    texels.setflags(write=False)
    sizes = [level.shape[0] * level.shape[1] for level in levels]
    return Pyramid(
        texels=texels,
        starts=np.cumsum([0, *sizes[:-1]], dtype=np.int64),
        widths=np.array([level.shape[1] for level in levels], dtype=np.int64),
        heights=np.array([level.shape[0] for level in levels], dtype=np.int64),
    )


def sample_texture(slot: TextureSlot, uv: FloatArray, level: IntArray, *, is_color: bool) -> FloatArray:
    """(N, 4) values at (N, 2) texture coordinates (v down, transform already applied), bilinear within one level.

    `level` (N,) picks the pyramid's level and is clamped to it; nearest samplers always read level 0. Colours come out
    in linear light, other data as stored / 255; alpha always as stored / 255.
    """
    pyramid = TEXTURES.find(slot.image, is_color=is_color)
    level = np.zeros_like(level) if slot.nearest else np.clip(level, 0, len(pyramid.starts) - 1)
    widths, heights, starts = pyramid.widths[level], pyramid.heights[level], pyramid.starts[level]
    decode = decode_table() if is_color else np.arange(256) / 255.0
    x0, x1, fx = _taps(uv[:, 0], widths, slot.wrap_s, nearest=slot.nearest)
    y0, y1, fy = _taps(uv[:, 1], heights, slot.wrap_t, nearest=slot.nearest)

    def read(x: IntArray, y: IntArray) -> FloatArray:
        texels = pyramid.texels[starts + y * widths + x]
        values = decode[texels]
        values[:, 3] = texels[:, 3] / 255.0
        return np.asarray(values)

    if slot.nearest:
        return read(x0, y0)
    fx, fy = fx[:, None], fy[:, None]
    top = read(x0, y0) * (1.0 - fx) + read(x1, y0) * fx
    bottom = read(x0, y1) * (1.0 - fx) + read(x1, y1) * fx
    return np.asarray(top * (1.0 - fy) + bottom * fy)


def _taps(u: FloatArray, size: IntArray, wrap: int, *, nearest: bool) -> tuple[IntArray, IntArray, FloatArray]:
    """Find the two texels a coordinate lies between, and how far it is towards the second."""
    u = np.where(np.isfinite(u), u, 0.0)
    if wrap == CLAMP:
        u = np.clip(u, 0.0, 1.0)
    elif wrap == MIRROR:
        u = u - 2.0 * np.floor(u * 0.5)
    else:
        u = u - np.floor(u)
    place = u * size if nearest else u * size - 0.5
    lower = np.floor(place)
    first = lower.astype(np.int64)
    return _wrap(first, size, wrap), _wrap(first + 1, size, wrap), place - lower


def _wrap(index: IntArray, size: IntArray, wrap: int) -> IntArray:
    if wrap == CLAMP:
        return np.asarray(np.clip(index, 0, size - 1))
    if wrap == MIRROR:
        index = np.mod(index, 2 * size)
        return np.where(index >= size, 2 * size - 1 - index, index)
    return np.asarray(np.mod(index, size))
