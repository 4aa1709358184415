"""Which cells of a lattice a surface meets, decided in integers.

Definition: geometry notes, section 7. A cell is 2048 units; coordinates are rounded to odd units, so no corner lies on
a cell plane. The separating-axis test of triangle and cell, 13 axes, then runs in int64 without rounding.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from engine.geometry.clean import check_soup
from engine.surfaces import BoolArray, FloatArray, IntArray
from schemas.errors import GeometryError

UNITS: Final = 2048
HALF: Final = UNITS // 2
_FAR: Final = 300
"""Cells beyond which coordinates could overflow; triangles that reach farther are clipped first."""
_MARGIN: Final = 4
_NEAR, _CROSSES, _APART = 0, 1, 2


@njit(cache=True, nogil=True)
def _reach(corners: FloatArray, shape: IntArray) -> IntArray:
    """Sort triangles, in cells: _NEAR the lattice, far but _CROSSES it perhaps, or _APART from it."""
    reach = np.full(len(corners), _NEAR)
    for f in range(len(corners)):
        for k in range(3):
            low = min(corners[f, 0, k], corners[f, 1, k], corners[f, 2, k])
            high = max(corners[f, 0, k], corners[f, 1, k], corners[f, 2, k])
            if high < -1.0 or low > shape[k] + 1.0:
                reach[f] = _APART
                break
            if low < -_FAR or high > _FAR:
                reach[f] = _CROSSES
    return reach


@njit(cache=True, nogil=True)
def _edge_separates(t: IntArray, k: int, x: int, y: int, z: int) -> bool:
    """Tell whether one of the three axes along edge k, crossed with the lattice axes, parts triangle and cell."""
    e, third = (k + 1) % 3, (k + 2) % 3
    ux, uy, uz = t[e, 0] - t[k, 0], t[e, 1] - t[k, 1], t[e, 2] - t[k, 2]
    px, py, pz = t[k, 0] - x, t[k, 1] - y, t[k, 2] - z
    qx, qy, qz = t[third, 0] - x, t[third, 1] - y, t[third, 2] - z
    p, q = uy * pz - uz * py, uy * qz - uz * qy
    reach = HALF * (abs(uy) + abs(uz))
    if min(p, q) > reach or max(p, q) < -reach:
        return True
    p, q = uz * px - ux * pz, uz * qx - ux * qz
    reach = HALF * (abs(uz) + abs(ux))
    if min(p, q) > reach or max(p, q) < -reach:
        return True
    p, q = ux * py - uy * px, ux * qy - uy * qx
    reach = HALF * (abs(ux) + abs(uy))
    parted: bool = min(p, q) > reach or max(p, q) < -reach
    return parted


@njit(cache=True, nogil=True)
def _mark_triangle(t: IntArray, low: IntArray, high: IntArray, normal: IntArray, grid: BoolArray) -> None:
    """Mark the cells within low..high (inclusive) that a triangle meets, column by column along its steepest axis."""
    d = 0
    for k in range(1, 3):
        if abs(normal[k]) > abs(normal[d]):
            d = k
    a, b = (d + 1) % 3, (d + 2) % 3
    reach = HALF * (abs(normal[0]) + abs(normal[1]) + abs(normal[2]))
    cell = np.zeros(3, dtype=np.int64)
    for i in range(low[a], high[a] + 1):
        for j in range(low[b], high[b] + 1):
            first, last = low[d], high[d]
            if normal[d] != 0:
                # The plane leaves only these cells of the column: |offset + n_d (centre - t_d)| <= reach.
                offset = normal[a] * (i * UNITS + HALF - t[0, a]) + normal[b] * (j * UNITS + HALF - t[0, b])
                sign = 1 if normal[d] > 0 else -1
                steep = sign * normal[d]
                lowest = -((reach + sign * offset) // steep) + t[0, d] - HALF
                highest = (reach - sign * offset) // steep + t[0, d] - HALF
                first, last = max(first, -((-lowest) // UNITS)), min(last, highest // UNITS)
            cell[a], cell[b] = i, j
            for k in range(first, last + 1):
                cell[d] = k
                if grid[cell[0], cell[1], cell[2]]:
                    continue
                x, y, z = cell[0] * UNITS + HALF, cell[1] * UNITS + HALF, cell[2] * UNITS + HALF
                if not (
                    _edge_separates(t, 0, x, y, z) or _edge_separates(t, 1, x, y, z) or _edge_separates(t, 2, x, y, z)
                ):
                    grid[cell[0], cell[1], cell[2]] = True


@njit(cache=True, nogil=True)
def _mark(triangles: IntArray, grid: BoolArray) -> None:
    low = np.zeros(3, dtype=np.int64)
    high = np.zeros(3, dtype=np.int64)
    normal = np.zeros(3, dtype=np.int64)
    for f in range(len(triangles)):
        t = triangles[f]
        empty = False
        single = True
        for k in range(3):
            low[k] = min(t[0, k], t[1, k], t[2, k]) // UNITS
            high[k] = max(t[0, k], t[1, k], t[2, k]) // UNITS
            single = single and low[k] == high[k]
            low[k], high[k] = max(low[k], 0), min(high[k], grid.shape[k] - 1)
            empty = empty or low[k] > high[k]
        if empty:
            continue
        if single:
            grid[low[0], low[1], low[2]] = True
            continue
        for k in range(3):
            p, q = (k + 1) % 3, (k + 2) % 3
            normal[k] = (t[1, p] - t[0, p]) * (t[2, q] - t[0, q]) - (t[1, q] - t[0, q]) * (t[2, p] - t[0, p])
        _mark_triangle(t, low, high, normal, grid)


def voxelise_surface(
    vertices: FloatArray, faces: IntArray, origin: ArrayLike, cell: float, shape: tuple[int, int, int]
) -> BoolArray:
    """Mark every cell of a lattice that the surface meets: a bool array of `shape`.

    Cell (i, j, k) spans `origin` + (i, j, k) `cell` to the next. What lies outside the lattice is left out. The order
    of faces, merging of vertices and splitting a mesh into parts change no cell.

    Raises:
        GeometryError: the mesh is empty or not finite, the cell is not above 0, or the shape exceeds 256 cells a side.

    """
    check_soup(vertices, faces)
    if not (cell > 0.0 and np.isfinite(cell)) or min(shape) < 1 or max(shape) > _FAR - 2 * _MARGIN:
        raise GeometryError(f"voxels: cell {cell} and shape {shape}, needs a positive size and 1 to 292 cells a side")
    with np.errstate(all="ignore"):  # a vertex that no face uses may be anything
        scaled = (np.asarray(vertices, dtype=np.float64) - np.asarray(origin, dtype=np.float64)) / cell
    corners = np.ascontiguousarray(scaled[faces])
    reach = _reach(corners, np.array(shape, dtype=np.int64))
    pieces = [corners[reach == _NEAR], *(_clipped(t, shape) for t in corners[reach == _CROSSES])]
    grid = np.zeros(shape, dtype=np.bool_)
    _mark(np.ascontiguousarray(2 * np.rint(HALF * np.concatenate(pieces)).astype(np.int64) + 1), grid)
    return grid


def _clipped(triangle: FloatArray, shape: tuple[int, int, int]) -> FloatArray:
    """Cut a triangle (3, 3), in cells, to the lattice with a margin; a fan of triangles (T, 3, 3)."""
    polygon = list(triangle)
    for axis in range(3):
        for sign, limit in ((1.0, shape[axis] + float(_MARGIN)), (-1.0, float(_MARGIN))):
            kept = []
            for k, end in enumerate(polygon):
                start = polygon[k - 1]
                before, after = limit - sign * start[axis], limit - sign * end[axis]
                if (before < 0.0) != (after < 0.0):
                    kept.append(start + before / (before - after) * (end - start))
                if after >= 0.0:
                    kept.append(end)
            polygon = kept
    if len(polygon) < 3:
        return np.zeros((0, 3, 3))
    return np.array([[polygon[0], polygon[k], polygon[k + 1]] for k in range(1, len(polygon) - 1)])
