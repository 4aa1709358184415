"""Texels of an atlas: which triangle owns each, where it lies on the part, and the gutter around the charts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.surfaces import FloatArray, IntArray

SUBTEXELS = 256
"""Fixed-point steps per texel in the overlap raster."""


class Texels(NamedTuple):
    """The covered texels of an image in row order; row 0 is v = 0."""

    place: IntArray
    """(N,) row * width + column."""
    faces: IntArray
    """(N,) the owning triangle; the first in order where several cover a texel."""
    points: FloatArray
    """(N, 3) the middle of the texel in part coordinates."""


@njit(cache=True, nogil=True)
def _rasterize(corners: FloatArray, points: FloatArray, width: int, height: int) -> tuple[IntArray, FloatArray]:
    owner = np.full(width * height, -1, dtype=np.int64)
    where = np.zeros((width * height, 3))
    for f in range(len(corners)):
        ax, ay = corners[f, 0, 0] * width, corners[f, 0, 1] * height
        bx, by = corners[f, 1, 0] * width, corners[f, 1, 1] * height
        cx, cy = corners[f, 2, 0] * width, corners[f, 2, 1] * height
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area != 0.0:
            left = max(math.floor(min(ax, bx, cx) - 0.5), 0)
            right = min(math.floor(max(ax, bx, cx) + 0.5), width - 1)
            top = max(math.floor(min(ay, by, cy) - 0.5), 0)
            bottom = min(math.floor(max(ay, by, cy) + 0.5), height - 1)
            for row in range(top, bottom + 1):
                py = row + 0.5
                for column in range(left, right + 1):
                    px = column + 0.5
                    wa = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area
                    wb = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area
                    wc = 1.0 - wa - wb
                    texel = row * width + column
                    if wa >= 0.0 and wb >= 0.0 and wc >= 0.0 and owner[texel] < 0:
                        owner[texel] = f
                        for d in range(3):
                            where[texel, d] = wa * points[f, 0, d] + wb * points[f, 1, d] + wc * points[f, 2, d]
    # A triangle thinner than a texel may hold no texel centre: the one its own centre falls into is its colour.
    for f in range(len(corners)):
        column = math.floor((corners[f, 0, 0] + corners[f, 1, 0] + corners[f, 2, 0]) / 3.0 * width)
        row = math.floor((corners[f, 0, 1] + corners[f, 1, 1] + corners[f, 2, 1]) / 3.0 * height)
        texel = min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)
        if owner[texel] < 0:
            owner[texel] = f
            for d in range(3):
                where[texel, d] = (points[f, 0, d] + points[f, 1, d] + points[f, 2, d]) / 3.0
    return owner, where


@njit(cache=True, nogil=True)
def _edge(ax: int, ay: int, bx: int, by: int, px: int, py: int) -> int:  # numba takes no keywords
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


@njit(cache=True, nogil=True)
def _count_cover(corners: IntArray, side: int, step: int) -> NDArray[np.uint16]:
    count = np.zeros((side, side), dtype=np.uint16)
    for f in range(len(corners)):
        ax, ay = corners[f, 0, 0], corners[f, 0, 1]
        bx, by = corners[f, 1, 0], corners[f, 1, 1]
        cx, cy = corners[f, 2, 0], corners[f, 2, 1]
        area = _edge(ax, ay, bx, by, cx, cy)
        if area == 0:
            continue
        if area < 0:
            bx, by, cx, cy = cx, cy, bx, by
        # An edge keeps the texel centres on it only when it runs up, or left when level: neighbours share none.
        bias_a = 0 if (cy - by < 0 or (cy == by and cx < bx)) else 1
        bias_b = 0 if (ay - cy < 0 or (ay == cy and ax < cx)) else 1
        bias_c = 0 if (by - ay < 0 or (by == ay and bx < ax)) else 1
        left, right = max(min(ax, bx, cx) // step, 0), min(max(ax, bx, cx) // step, side - 1)
        top, bottom = max(min(ay, by, cy) // step, 0), min(max(ay, by, cy) // step, side - 1)
        for row in range(top, bottom + 1):
            py = row * step + step // 2
            for column in range(left, right + 1):
                px = column * step + step // 2
                inside = (
                    _edge(bx, by, cx, cy, px, py) >= bias_a
                    and _edge(cx, cy, ax, ay, px, py) >= bias_b
                    and _edge(ax, ay, bx, by, px, py) >= bias_c
                )
                if inside and count[row, column] < 65535:
                    count[row, column] += np.uint16(1)
    return count


@njit(cache=True, nogil=True)
def _dilate(source: IntArray, width: int, height: int, rounds: int) -> None:
    for _ in range(rounds):
        before = source.copy()
        for row in range(height):
            for column in range(width):
                if before[row * width + column] >= 0:
                    continue
                for step in range(8):
                    # The four edge neighbours come before the four corners.
                    dr = (0, 0, -1, 1, -1, -1, 1, 1)[step]
                    dc = (-1, 1, 0, 0, -1, 1, -1, 1)[step]
                    r, c = row + dr, column + dc
                    if 0 <= r < height and 0 <= c < width and before[r * width + c] >= 0:
                        source[row * width + column] = before[r * width + c]
                        break


def find_texels(corners: FloatArray, points: FloatArray, width: int, height: int) -> Texels:
    """Rasterise triangles with texture coordinates `corners` (F, 3, 2) and part coordinates `points` (F, 3, 3)."""
    owner, where = _rasterize(
        np.ascontiguousarray(corners, dtype=np.float64), np.ascontiguousarray(points, dtype=np.float64), width, height
    )
    place = np.flatnonzero(owner >= 0)
    return Texels(place, owner[place], where[place])


def measure_cover(corners: FloatArray, side: int) -> NDArray[np.uint16]:
    """How many triangles cover each texel centre of a (side, side) grid, in integers; shared edges count once.

    `corners` (F, 3, 2) in [0, 1] is rounded to 1/256 texel.
    """
    fixed = np.floor(corners * float(side * SUBTEXELS) + 0.5).astype(np.int64)
    return np.asarray(_count_cover(np.ascontiguousarray(fixed), side, SUBTEXELS))


def find_gutter(place: IntArray, width: int, height: int, rounds: int) -> IntArray:
    """Grow the covered texels by `rounds` texels: (width * height,) entry of `place` to copy from, -1 beyond."""
    source = np.full(width * height, -1, dtype=np.int64)
    source[place] = np.arange(len(place))
    _dilate(source, width, height, rounds)
    return source
