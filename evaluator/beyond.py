"""What of an output lies beyond the work array of a chain, and how its size compares with the target's."""

from __future__ import annotations

from math import fsum
from typing import Final, NamedTuple

import numpy as np

from engine.cells.lattice import ChainFrame, Soup, measure_soup_box
from engine.cells.sizes import WORK_CELLS
from engine.surfaces import BoolArray, FloatArray, IntArray

_MOST_CORNERS: Final = 9
"""Of a triangle cut by the six planes of a box."""


class Beyond(NamedTuple):
    """What is left out of an output when it is laid into the work array, and its size: `beyond_frame`."""

    area: float
    """Area beyond the work array, units of the frame's side squared."""
    share: float
    """The same as a share of the whole area; 0 when the surface has none."""
    size_ratio: float
    """Longest side of the output's box over the longest side of the target's, or of the frame."""


def measure_beyond(soup: Soup, frame: ChainFrame, target_side: float | None = None) -> Beyond:
    """Measure what of a surface lies beyond the work array, and its size against `target_side` (world units).

    Without a `target_side`, sizes are compared with the frame's. The order of faces does not change a bit.

    Raises:
        GeometryError: the mesh is empty, or a face uses a vertex that is not there or not finite.

    """
    vertices, faces = soup
    box = np.stack(measure_soup_box(soup))
    size_ratio = float((box[1] - box[0]).max()) / (frame.side if target_side is None else target_side)
    ends = frame.to_work(box)
    if ends.min() >= 0.0 and ends.max() <= WORK_CELLS:
        return Beyond(0.0, 0.0, size_ratio)
    with np.errstate(all="ignore"):  # a vertex that no face uses may be anything
        corners = frame.to_work(vertices)[faces]
    low, high = corners.min(axis=1), corners.max(axis=1)
    inside = ((low >= 0.0) & (high <= WORK_CELLS)).all(axis=1)
    apart = ((high < 0.0) | (low > WORK_CELLS)).any(axis=1)
    crossing = ~inside & ~apart
    areas = _fan_areas(corners, np.full(len(corners), 3))
    outside = np.where(inside, 0.0, areas)
    outside[crossing] = np.maximum(areas[crossing] - _fan_areas(*_cut_to_box(corners[crossing])), 0.0)
    side_cells = frame.side / frame.pitch
    beyond, whole = fsum(outside.tolist()), fsum(areas.tolist())
    return Beyond(
        area=beyond / side_cells / side_cells,
        share=beyond / whole if whole > 0.0 else 0.0,
        size_ratio=size_ratio,
    )


def _fan_areas(polygons: FloatArray, counts: IntArray) -> FloatArray:
    """Areas (N,) of flat convex polygons (N, M, 3), the first `counts` corners of each."""
    total = np.zeros(len(polygons))
    for k in range(1, polygons.shape[1] - 1):
        a, b = polygons[:, k] - polygons[:, 0], polygons[:, k + 1] - polygons[:, 0]
        normal = np.stack([a[:, i] * b[:, j] - a[:, j] * b[:, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=1)
        # Of enormous triangles the squares would leave the range of floats.
        largest = np.abs(normal).max(axis=1)
        scaled = normal / np.where(largest > 0.0, largest, 1.0)[:, None]
        square = scaled[:, 0] * scaled[:, 0] + scaled[:, 1] * scaled[:, 1] + scaled[:, 2] * scaled[:, 2]
        total += np.where(counts > k + 1, 0.5 * largest * np.sqrt(square), 0.0)
    return total


def _cut_to_box(triangles: FloatArray) -> tuple[FloatArray, IntArray]:
    """Cut triangles (N, 3, 3) to the work array: convex polygons (N, 9, 3) and their numbers of corners (N,)."""
    polygons = np.zeros((len(triangles), _MOST_CORNERS, 3))
    polygons[:, :3] = triangles
    counts = np.full(len(triangles), 3)
    for axis in range(3):
        for sign, limit in ((1.0, float(WORK_CELLS)), (-1.0, 0.0)):
            polygons, counts = _cut_to_plane(polygons, counts, limit - sign * polygons[:, :, axis])
    return polygons, counts


def _cut_to_plane(polygons: FloatArray, counts: IntArray, depth: FloatArray) -> tuple[FloatArray, IntArray]:
    """Keep what has a depth (N, 9) of at least 0 of each polygon."""
    rows = np.arange(len(polygons))
    kept = np.zeros_like(polygons)
    number = np.zeros(len(polygons), dtype=np.int64)

    def append(points: FloatArray, which: BoolArray) -> None:
        kept[rows[which], number[which]] = points[which]
        number[which] += 1

    for k in range(_MOST_CORNERS):
        is_corner = k < counts
        before = np.where(k == 0, counts - 1, k - 1).clip(0)
        start, start_depth = polygons[rows, before], depth[rows, before]
        end, end_depth = polygons[:, k], depth[:, k]
        crosses = is_corner & ((start_depth < 0.0) != (end_depth < 0.0))
        share = start_depth / np.where(crosses, start_depth - end_depth, 1.0)
        append(start + share[:, None] * (end - start), crosses)
        append(end, is_corner & (end_depth >= 0.0))
    return kept, number
