"""Texture patterns as levels of a 16-colour palette.

Every pattern returns (size, size) integers: 0..11 are shades of the main colour from dark to light, 12..15 shades of
the accent colour (mortar, seams, spots). All arithmetic is on integers; all patterns repeat seamlessly.
"""

from __future__ import annotations

import numpy as np

from engine.starter.noise import cells, grid, hashed, layered_noise, value_noise
from engine.surfaces import IntArray

ACCENT = 12


def shade(values: IntArray) -> IntArray:
    """Main shades 0..11 from values about 0..255."""
    return np.asarray(np.clip(values * 12 >> 8, 0, 11))


def accent(values: IntArray) -> IntArray:
    """Accent shades 12..15 from values about 0..255."""
    return np.asarray(ACCENT + np.clip(values >> 6, 0, 3))


def speckle(size: int, seed: int, contrast: int = 90, across: int = 4) -> IntArray:
    """Soft clouds with a little grain: plaster, paint, skin, glaze."""
    x, y = grid(size)
    cloud = layered_noise(size, across, across, seed) - 128
    return shade(136 + cloud * contrast // 128 + (hashed(x, y, seed + 5) - 128) * 14 // 128)


def wood(size: int, seed: int, planks: int = 4) -> IntArray:
    """Boards running across (along u), with grain, seams and end joints."""
    x, y = grid(size)
    pitch = size // planks
    board, inside = y // pitch, y % pitch
    joint = hashed(board, board, seed + 3) * size // 256
    tone = (hashed(board, board * 0 + 1, seed) - 128) * 36 // 128
    swirl = value_noise(size, 2, 8, seed + 7)
    rings = ((inside * 6 + swirl * 3 // 4 + hashed(board, board * 0, seed)) % 48 - 24) * 2
    grain = (value_noise(size, 4, min(64, size), seed + 9) - 128) // 2
    level = shade(140 + tone + rings * 5 // 8 + grain)
    seam = (inside < 1 + size // 128) | ((x - joint) % size < 1 + size // 128)
    light = (inside == 1 + size // 128) & ~seam
    return np.where(seam, 0, np.where(light, np.minimum(level + 2, 11), level))


def bricks(size: int, seed: int, rows: int = 8, columns: int = 4) -> IntArray:
    """Courses of bricks in running bond, mortar in the accent colour."""
    x, y = grid(size)
    height, width = size // rows, size // columns
    row = y // height
    shifted = (x + (row % 2) * (width // 2)) % size
    column, ix, iy = shifted // width, shifted % width, y % height
    joint = max(1, size // 64)
    mortar = (ix < joint) | (iy < joint)
    tone = (hashed(column, row, seed) - 128) * 46 // 128
    level = shade(132 + tone + (layered_noise(size, 16, 16, seed + 4) - 128) // 3)
    level = np.where((iy >= height - joint) | (ix >= width - joint), level - 2, level)
    level = np.where(iy == joint, level + 2, level)
    return np.where(mortar, accent(layered_noise(size, 16, 16, seed + 6)), np.clip(level, 0, 11))


def stones(size: int, seed: int, count: int = 6) -> IntArray:
    """Rounded field stones set in mortar of the accent colour."""
    count = 8 if count > 6 else 4
    nearest, second, name = cells(size, count, seed)
    edge = (second - nearest) * 128 // size
    level = shade(
        120 + (name - 128) * 44 // 128 + np.minimum(edge, 90) // 2 + (layered_noise(size, 16, 16, seed) - 128) // 3
    )
    return np.where(edge < 18, accent(layered_noise(size, 16, 16, seed + 8)), level)


def shingles(size: int, seed: int, rows: int = 8, columns: int = 8) -> IntArray:
    """Overlapping rounded tiles; the lower end of each is lit, its upper end lies in shadow."""
    x, y = grid(size)
    height, width = size // rows, size // columns
    best = np.zeros((size, size), dtype=np.int64)
    done = np.zeros((size, size), dtype=np.bool_)
    for back in (1, 0):  # a tile hangs over the row below it
        row = (y // height - back) % rows
        depth = y % height + back * height
        shifted = (x + (row % 2) * (width // 2)) % size
        across = 2 * (shifted % width) - width + 1
        end = height + height // 2 - across * across * (height // 2) // (width * width)
        inside = (depth < end) & (np.abs(across) < width - 1) & ~done
        tone = (hashed(shifted // width, row, seed) - 128) * 40 // 128
        lit = depth * 90 // (height + height // 2)
        rim = np.where(depth >= end - max(2, size // 64), 34, 0)
        best = np.where(inside, 92 + tone + lit + rim, best)
        done |= inside
    return np.where(done, shade(best + (layered_noise(size, 16, 16, seed + 2) - 128) // 4), 0)


def straw(size: int, seed: int, bands: int = 2) -> IntArray:
    """Bundles of straw running down (along v), cut in bands."""
    _, y = grid(size)
    pitch = size // bands
    ragged = (y + value_noise(size, 32, 2, seed) // 16) % size
    fall = ragged % pitch * 70 // pitch
    strands = (value_noise(size, min(64, size), 4, seed + 1) - 128) * 3 // 4
    return shade(104 + fall + strands)


def panels(size: int, seed: int, plates: int = 2, rivets: int = 4) -> IntArray:
    """Painted sheet metal: plates with seams, rivets along them, faint brushing and worn edges in the accent."""
    x, y = grid(size)
    pitch = size // plates
    ix, iy = x % pitch, y % pitch
    edge = np.minimum(np.minimum(ix, pitch - 1 - ix), np.minimum(iy, pitch - 1 - iy))
    level = (
        138 + (layered_noise(size, 4, 4, seed) - 128) // 3 + (value_noise(size, 2, min(64, size), seed + 1) - 128) // 6
    )
    level = level + (hashed(x // pitch, y // pitch, seed + 2) - 128) // 8
    result = shade(level)
    worn = (edge < size // 20) & (layered_noise(size, 16, 16, seed + 3) > 172)
    result = np.where(worn, accent(layered_noise(size, 16, 16, seed + 4)), result)
    if rivets:
        inset, step = size // 16, pitch // rivets
        along = (np.abs(ix % step - step // 2), np.abs(iy % step - step // 2))
        off = (
            np.minimum(np.abs(iy - inset), np.abs(iy - (pitch - 1 - inset))),
            np.minimum(np.abs(ix - inset), np.abs(ix - (pitch - 1 - inset))),
        )
        for a, b in zip(along, off, strict=True):
            head = a * a + b * b <= (size // 52) * (size // 52)
            result = np.where(head, np.where(a * a + b * b <= 1, 11, 4), result)
    return np.where(
        edge < max(1, size // 128), 1, np.where(edge == max(1, size // 128), np.minimum(result + 2, 11), result)
    )


def brushed(size: int, seed: int) -> IntArray:
    """Brushed or polished metal: fine streaks along u over slow clouds."""
    streaks = (value_noise(size, 2, min(64, size), seed) - 128) // 2
    return shade(142 + streaks + (layered_noise(size, 2, 4, seed + 1) - 128) // 2)


def weave(size: int, seed: int, threads: int = 32) -> IntArray:
    """Cloth: threads over and under each other."""
    x, y = grid(size)
    pitch = size // threads
    over = ((x // pitch) + (y // pitch)) % 2
    along = np.where(over == 1, x % pitch, y % pitch)
    bulge = np.where((along == 0) | (along == pitch - 1), -16, 12)
    return shade(134 + bulge + over * 14 + (layered_noise(size, 4, 4, seed) - 128) // 3)


def stripes(size: int, seed: int, count: int = 4, *, upright: bool = False) -> IntArray:
    """Cloth or paint with even stripes in the accent colour, across or upright."""
    x, y = grid(size)
    run = x if upright else y
    lit = (run * 2 * count // size) % 2 == 1
    base = weave(size, seed)
    return np.where(lit, ACCENT + np.clip(base // 3, 0, 3), base)


def checks(size: int, seed: int, count: int = 4) -> IntArray:
    """Gingham: accent squares where two stripes cross, a mixed tone where one passes."""
    x, y = grid(size)
    one, two = (x * 2 * count // size) % 2, (y * 2 * count // size) % 2
    base = weave(size, seed)
    return np.where(one + two == 2, ACCENT + np.clip(base // 3, 0, 3), np.clip(base - 3 * (one + two), 0, 11))


def dots(size: int, seed: int, count: int = 4) -> IntArray:
    """Round dots of the accent colour in staggered rows."""
    x, y = grid(size)
    pitch = size // count
    row = y // pitch
    dx = (x + (row % 2) * (pitch // 2)) % pitch - pitch // 2
    dy = y % pitch - pitch // 2
    base = weave(size, seed)
    return np.where((dx * dx + dy * dy) * 11 < pitch * pitch, ACCENT + np.clip(base // 3, 0, 3), base)


def fur(size: int, seed: int, spots: int = 0) -> IntArray:
    """Short hair combed down; `spots` is the share in 1/256 covered with patches of the accent colour."""
    hair = (value_noise(size, min(64, size), 16, seed) - 128) // 3
    cloud = (layered_noise(size, 4, 4, seed + 1) - 128) // 3
    base = shade(136 + hair + cloud)
    if not spots:
        return base
    patch = layered_noise(size, 4, 4, seed + 11, 2) + hair // 6 > 255 - spots
    return np.where(patch, accent(128 + hair + cloud), base)


def leaves(size: int, seed: int, count: int = 16, bloom: int = 20) -> IntArray:
    """Foliage: many small leaves, each with its own tone; `bloom` of 256 in the accent colour."""
    nearest, second, name = cells(size, count, seed)
    edge = (second - nearest) * count // size
    level = 112 + (name - 128) * 62 // 128 + np.minimum(edge, 14) * 4
    return np.where(name > 255 - bloom, accent(level), shade(np.where(edge < 2, level - 60, level)))


def tread(size: int, seed: int, lugs: int = 8) -> IntArray:
    """Rubber with slanted grooves."""
    x, y = grid(size)
    pitch = size // lugs
    slant = (x + np.abs(y % (size // 2) - size // 4) // 2) % pitch
    return np.where(slant < pitch // 4, 1, speckle(size, seed, 40))


def glass(size: int, seed: int) -> IntArray:
    """A pane with slanted reflections."""
    x, y = grid(size)
    run = (x + y) % size * 256 // size
    band = ((run > 60) & (run < 110)) | ((run > 128) & (run < 146))
    base = 96 + (255 - y * 256 // size) // 3 + (layered_noise(size, 2, 2, seed) - 128) // 6
    return np.where(band, accent(np.asarray(255 - y * 160 // size)), shade(base))


def banded(size: int, seed: int, low: int = 100, high: int = 150) -> IntArray:
    """Glaze with one decorated band in the accent colour between two heights (in 1/256 of the tile, from the top)."""
    x, y = grid(size)
    height = y * 256 // size
    wave = np.abs(x * 8 % size * 2 - size) * 24 // size
    base = speckle(size, seed, 60)
    inside = (height > low) & (height < high)
    motif = np.abs(height - (low + high) // 2) < wave
    line = (np.abs(height - low + 6) < 4) | (np.abs(height - high - 6) < 4)
    return np.where(line | (inside & motif), ACCENT + np.clip(base // 3, 0, 3), base)


def pages(size: int, seed: int) -> IntArray:
    """The cut edge of a stack of paper."""
    x, y = grid(size)
    return shade(150 + (hashed(y * 0, y // 2, seed) - 128) // 2 + (hashed(x // 16, y // 2, seed + 1) - 128) // 6)


def lands(size: int, seed: int) -> IntArray:
    """A painted map: sea in the main colour, land in the accent, with a shore line."""
    height = layered_noise(size, 4, 4, seed, 4)
    sea = shade(70 + height // 2)
    return np.where(height > 140, accent((height - 140) * 5), np.where(height > 132, 11, sea))


def screen(size: int, seed: int, rows: int = 8) -> IntArray:
    """A display: dark, with glowing bars of uneven length."""
    x, y = grid(size)
    pitch = size // rows
    row = y // pitch
    long = 40 + hashed(row, row * 0 + 2, seed) * (size - 64) // 256
    bar = (y % pitch > pitch // 3) & (x > size // 10) & (x < size // 10 + long)
    return np.where(bar & (x % 8 < 6), accent(120 + 100 * (row % 2)), shade(60 + (y % 2) * 16))
