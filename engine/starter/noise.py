"""Seamless noise from integer arithmetic: the same values on every machine."""

from __future__ import annotations

import numpy as np

from engine.surfaces import IntArray

MASK = (1 << 32) - 1


def hashed(x: IntArray, y: IntArray, seed: int) -> IntArray:
    """A value in 0..255 for each pair of integers."""
    h = (x.astype(np.uint64) * 374761393 + y.astype(np.uint64) * 668265263 + (seed & 0xFFFF) * 2246822519) & MASK
    h = ((h ^ (h >> 13)) * 1274126177) & MASK
    h = ((h ^ (h >> 16)) * 2654435761) & MASK
    return ((h >> 15) & 255).astype(np.int64)


def grid(size: int) -> tuple[IntArray, IntArray]:
    """Column and row number of every pixel, each (size, size)."""
    line = np.arange(size, dtype=np.int64)
    return np.broadcast_to(line[None, :], (size, size)), np.broadcast_to(line[:, None], (size, size))


def value_noise(size: int, across: int, down: int, seed: int) -> IntArray:
    """(size, size) smooth noise in 0..255 that repeats at its borders, with across x down lattice cells."""
    x, y = grid(size)
    fx, fy = x * across * 256 // size, y * down * 256 // size
    ix, iy, tx, ty = fx >> 8, fy >> 8, fx & 255, fy & 255
    tx, ty = tx * tx * (768 - 2 * tx) >> 16, ty * ty * (768 - 2 * ty) >> 16
    jx, jy = (ix + 1) % across, (iy + 1) % down
    top = hashed(ix, iy, seed) * (256 - tx) + hashed(jx, iy, seed) * tx
    low = hashed(ix, jy, seed) * (256 - tx) + hashed(jx, jy, seed) * tx
    return np.asarray((top * (256 - ty) + low * ty) >> 16)


def layered_noise(size: int, across: int, down: int, seed: int, layers: int = 3) -> IntArray:
    """(size, size) noise in 0..255: each further layer has twice the cells and half the weight."""
    total = np.zeros((size, size), dtype=np.int64)
    weights = 0
    for k in range(layers):
        cells = (min(across << k, size), min(down << k, size))
        total += value_noise(size, *cells, seed + 17 * k) << (layers - k)
        weights += 1 << (layers - k)
    return total // weights


def cells(size: int, count: int, seed: int) -> tuple[IntArray, IntArray, IntArray]:
    """Seamless cells around count x count jittered points.

    Returns the distance to the nearest point, the distance to the second nearest (both in 1/16 pixel) and a hash in
    0..255 of the nearest point, each (size, size).
    """
    x, y = grid(size)
    pitch = size // count
    column, row = x // pitch, y // pitch
    nearest = np.full((size, size), 1 << 40, dtype=np.int64)
    second = nearest.copy()
    name = np.zeros((size, size), dtype=np.int64)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            cx, cy = (column + dx) % count, (row + dy) % count
            px = (column + dx) * pitch * 16 + pitch * (2 + hashed(cx, cy, seed) * 12 // 256)
            py = (row + dy) * pitch * 16 + pitch * (2 + hashed(cx, cy, seed + 1) * 12 // 256)
            distance = (x * 16 - px) * (x * 16 - px) + (y * 16 - py) * (y * 16 - py)
            closer = distance < nearest
            second = np.where(closer, nearest, np.minimum(second, distance))
            name = np.where(closer, hashed(cx, cy, seed + 2), name)
            nearest = np.where(closer, distance, nearest)
    return _root(nearest), _root(second), name


def _root(values: IntArray) -> IntArray:
    return np.asarray(np.floor(np.sqrt(values.astype(np.float64))), dtype=np.int64)
