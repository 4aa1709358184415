"""What a regenerating method keeps of a state's looks: one colour for each cell its surface meets."""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np

from engine.cells.lattice import Cells, ChainFrame
from engine.render.materials import SurfacePoints, measure_base_color, mix_corners
from engine.render.scene import PreparedPiece, RenderPiece, prepare_piece
from engine.surfaces import BoolArray, FloatArray, PartModel
from engine.texture.coordinates import triangle_areas
from evaluator.methods.cell_lookup import flatten_places, look_up

POINTS_PER_CELL: Final = 4.0
"""Points on a surface as large as the side of a cell, at least one for each triangle."""
_R2: Final = (0.7548776662466927, 0.5698402909980532)
"""Steps of the R2 sequence: the powers of the inverse of the plastic number."""
_NEIGHBOURS: Final = tuple(
    int(flatten_places(np.array(step))) for step in product((-1, 0, 1), repeat=3) if step != (0, 0, 0)
)
"""What is added to a flat index to come to each of the 26 cells around it."""


def measure_cell_colors(model: PartModel, cells: Cells, frame: ChainFrame) -> FloatArray:
    """(N, 3) linear base colour of each cell: the mean over the surface in it; alpha, light and metal play no role.

    A cell that the surface only grazes has no point of its own and takes the mean of its neighbours. Raises InputError
    when a texture cannot be decoded.
    """
    piece = prepare_piece(RenderPiece("state", model.surfaces))
    points, weights = _spread_points(piece, frame.pitch)
    places = np.floor(frame.to_work(mix_corners(piece.corners[points.triangle], points.u, points.v))).astype(np.int64)
    # Rounding lifts few points over a cell plane, into a cell that is not marked: they count for none.
    index, found = look_up(cells, flatten_places(places))
    weights = np.where(found, weights, 0.0)
    colors = measure_base_color(piece, points)[:, :3]
    total = np.bincount(index, weights, len(cells))
    summed = np.stack([np.bincount(index, weights * colors[:, k], len(cells)) for k in range(3)], axis=1)
    known = total > 0.0
    mean = np.divide(summed, total[:, None], out=np.zeros_like(summed), where=known[:, None])
    return _fill_unknown(cells, mean, known)


def _spread_points(piece: PreparedPiece, pitch: float) -> tuple[SurfacePoints, FloatArray]:
    """Points spread evenly over all triangles, and the area each stands for, in cell sides squared."""
    area = triangle_areas(piece.corners / pitch)
    counts = np.ceil(area * POINTS_PER_CELL).astype(np.int64)
    triangle = np.repeat(np.arange(len(area)), counts)
    number = np.arange(len(triangle)) - np.repeat(np.cumsum(counts) - counts, counts)
    u, v = (np.mod(0.5 + number * step, 1.0) for step in _R2)
    # A parallelogram's far half is folded back onto the triangle.
    far = u + v > 1.0
    u, v = np.where(far, 1.0 - u, u), np.where(far, 1.0 - v, v)
    footprint = np.full(len(triangle), pitch / np.sqrt(POINTS_PER_CELL))
    return SurfacePoints(triangle, u, v, footprint), area[triangle] / counts[triangle]


def _fill_unknown(cells: Cells, colors: FloatArray, known: BoolArray) -> FloatArray:
    """Give cells without a colour the mean of their neighbours, ring after ring; else that of all cells."""
    average = colors[known].mean(axis=0) if known.any() else np.full(3, 0.5)
    colors, known = colors.copy(), known.copy()
    while not known.all():
        missing = np.flatnonzero(~known)
        total, count = np.zeros((len(missing), 3)), np.zeros(len(missing))
        for offset in _NEIGHBOURS:
            index, found = look_up(cells, cells[missing].astype(np.int64) + offset)
            met = found & known[index]
            total += np.where(met[:, None], colors[index], 0.0)
            count += met
        reached = count > 0
        if not reached.any():
            colors[missing] = average
            break
        colors[missing[reached]] = total[reached] / count[reached, None]
        known[missing[reached]] = True
    return colors
