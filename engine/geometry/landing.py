"""Free discs on a patch where a new part may stand.

Definition: placement notes, section 5. The patch is rastered at 0.01 D about the middle of its box, so that the cells
move with it; a cell is free when its centre lies on the patch, no surface of any part enters the column over it within
the clearance (however thin it is), and it is not inside another part. Peaks of the distance to what is not free are
landing spots, kept when they are wide enough and see enough of the sky.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from engine.geometry.overlap import Placed, inside_placed
from engine.geometry.patches import FLAT_REL, Patch
from engine.geometry.rays import cast_rays
from engine.geometry.similarity import transform_points, transform_vectors, unit
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

CELL: Final = 0.01
"""Raster pitch, in host diagonals."""
LIFT: Final = FLAT_REL
"""Height over the patch, in host diagonals, from which rays start: the height within which a patch counts as flat."""
CELL_LIMIT: Final = 4_000_000
MIDDLE_STEPS: Final = 1e4
"""Distances that differ by less than this part of a cell count as equal."""
MIN_RADIUS: Final = 0.03
MIN_SKY: Final = 0.4


class LandingSpot(NamedTuple):
    """A free disc on a patch."""

    center: FloatArray
    """(3,) in the world, on the patch."""
    radius: float
    sky: float
    """Share of upward rays from just above the centre that meet nothing."""


def _sky_directions() -> FloatArray:
    """Return 24 unit directions (24, 3) around +Y: three rings of equal solid angle, eight each."""
    straight = [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, 0.0), (-1.0, -1.0), (0.0, -1.0), (1.0, -1.0)]
    between = [(2.0, 1.0), (1.0, 2.0), (-1.0, 2.0), (-2.0, 1.0), (-2.0, -1.0), (-1.0, -2.0), (1.0, -2.0), (2.0, -1.0)]
    rings = ((1.0 / 6.0, straight), (3.0 / 6.0, between), (5.0 / 6.0, straight))
    directions = []
    for height, azimuths in rings:
        for x, z in azimuths:
            flat = np.sqrt((1.0 - height * height) / (x * x + z * z))
            directions.append([x * flat, height, z * flat])
    return np.array(directions)


SKY: Final = _sky_directions()


@njit(cache=True, nogil=True)
def _raster(triangles: FloatArray, rows: int, columns: int) -> FloatArray:
    """Return the height of the patch at each cell centre, nan off the patch; triangles (F, 3, 3) in cells."""
    heights = np.full((rows, columns), np.nan)
    for f in range(len(triangles)):
        t = triangles[f]
        ux, uy, vx, vy = t[1, 0] - t[0, 0], t[1, 1] - t[0, 1], t[2, 0] - t[0, 0], t[2, 1] - t[0, 1]
        area = ux * vy - uy * vx
        if area == 0.0:
            continue
        first_row = max(int(np.floor(min(t[0, 0], t[1, 0], t[2, 0]))), 0)
        last_row = min(int(np.floor(max(t[0, 0], t[1, 0], t[2, 0]))), rows - 1)
        first_column = max(int(np.floor(min(t[0, 1], t[1, 1], t[2, 1]))), 0)
        last_column = min(int(np.floor(max(t[0, 1], t[1, 1], t[2, 1]))), columns - 1)
        for r in range(first_row, last_row + 1):
            for c in range(first_column, last_column + 1):
                px, py = r + 0.5 - t[0, 0], c + 0.5 - t[0, 1]
                s, w = (px * vy - py * vx) / area, (ux * py - uy * px) / area
                if s >= 0.0 and w >= 0.0 and s + w <= 1.0:
                    height = t[0, 2] + s * (t[1, 2] - t[0, 2]) + w * (t[2, 2] - t[0, 2])
                    if not heights[r, c] >= height:
                        heights[r, c] = height
    return heights


@njit(cache=True, nogil=True)
def _clip(polygon: FloatArray, n: int, level: float, sign: float, out: FloatArray) -> int:
    """Write into `out` what of a polygon (n, 3) lies where sign * height >= sign * level; the number of corners."""
    count = 0
    for i in range(n):
        a, b = polygon[i], polygon[(i + 1) % n]
        da, db = sign * (a[2] - level), sign * (b[2] - level)
        if da >= 0.0:
            out[count] = a
            count += 1
        if (da > 0.0 and db < 0.0) or (da < 0.0 and db > 0.0):
            out[count] = a + (da / (da - db)) * (b - a)
            count += 1
    return count


@njit(cache=True, nogil=True)
def _misses(polygon: FloatArray, n: int, row: int, column: int) -> bool:
    """Whether the line along an edge of a convex polygon parts it from a cell."""
    for i in range(n):
        j = (i + 1) % n
        nx, ny = polygon[j, 1] - polygon[i, 1], polygon[i, 0] - polygon[j, 0]
        lowest, highest = np.inf, -np.inf
        for k in range(n):
            along = polygon[k, 0] * nx + polygon[k, 1] * ny
            lowest, highest = min(lowest, along), max(highest, along)
        middle = (row + 0.5) * nx + (column + 0.5) * ny
        half = 0.5 * (abs(nx) + abs(ny))
        if lowest > middle + half or highest < middle - half:
            return True
    return False


@njit(cache=True, nogil=True)
def _mark(triangles: FloatArray, low: float, high: float, marked: NDArray[np.bool_]) -> None:
    """Mark each cell whose column between two heights a triangle enters; triangles (F, 3, 3) in cells."""
    one, two = np.zeros((8, 3)), np.zeros((8, 3))
    for f in range(len(triangles)):
        n = _clip(triangles[f], 3, low, 1.0, one)
        n = _clip(one, n, high, -1.0, two)
        if n == 0:
            continue
        first_row, last_row = int(np.floor(two[:n, 0].min())), int(np.floor(two[:n, 0].max()))
        first_column, last_column = int(np.floor(two[:n, 1].min())), int(np.floor(two[:n, 1].max()))
        for r in range(max(first_row, 0), min(last_row, marked.shape[0] - 1) + 1):
            for c in range(max(first_column, 0), min(last_column, marked.shape[1] - 1) + 1):
                if not marked[r, c] and not _misses(two, n, r, c):
                    marked[r, c] = True


def landing_spots(
    patch: Patch,
    patch_mesh: Placed,
    others: Sequence[Placed],
    host_diagonal: float,
    clearance_rel: float = 0.08,
    max_spots: int = 3,
) -> tuple[LandingSpot, ...]:
    """Find up to `max_spots` free discs on a patch of a placed part, widest first, two radii apart.

    The patch is in the coordinates of `patch_mesh.solid.mesh`; `others` are all other parts of the state.

    Raises:
        GeometryError: the diagonal is not above 0, or so small that the patch has too many cells.

    """
    if not host_diagonal > 0.0:
        raise GeometryError(f"landing: the host's diagonal is {host_diagonal}, needs to be above 0")
    cell = CELL * host_diagonal
    normal = unit(transform_vectors(patch_mesh.matrix, patch.normal))
    axes = _plane_axes(normal)
    mesh = patch_mesh.solid.mesh
    corners = transform_points(patch_mesh.matrix, mesh.vertices[mesh.faces[patch.faces]])
    flat = transform_vectors(_as_rows(axes), corners) / cell
    first, last = flat.reshape(-1, 3).min(axis=0), flat.reshape(-1, 3).max(axis=0)
    # The middle of the patch's box is the middle of a cell: no choice depends on where the object stands.
    rows, columns = (2 * int(np.floor(0.5 * float(span))) + 1 for span in (last - first)[:2])
    if rows * columns > CELL_LIMIT:
        raise GeometryError(f"landing: the patch spans {rows} x {columns} cells of {cell}, limit {CELL_LIMIT}")
    low = (0.5 * (first + last) - 0.5 * np.array([rows, columns, 0.0])) * np.array([1.0, 1.0, 0.0])
    heights = _raster(np.ascontiguousarray(flat - low), rows, columns)
    on_patch = np.argwhere(~np.isnan(heights))
    if len(on_patch) == 0:
        return ()
    local = np.concatenate([on_patch + 0.5 + low[:2], heights[~np.isnan(heights)][:, None]], axis=1) * cell
    points = local[:, 0:1] * axes[0] + local[:, 1:2] * axes[1] + local[:, 2:3] * axes[2]
    parts = [patch_mesh, *others]
    level = float(np.nanmin(heights)), float(np.nanmax(heights))
    slab = (level[0] * cell + LIFT * host_diagonal, level[1] * cell + clearance_rel * host_diagonal)
    clear = _clear_points(points, normal, patch_mesh, others, host_diagonal, clearance_rel)
    clear &= ~_obstructed(parts, axes, low, cell, slab, heights.shape)[on_patch[:, 0], on_patch[:, 1]]
    free = np.zeros((rows + 2, columns + 2), dtype=bool)
    free[on_patch[:, 0] + 1, on_patch[:, 1] + 1] = clear
    index = np.full(free.shape, -1, dtype=np.int64)
    index[on_patch[:, 0] + 1, on_patch[:, 1] + 1] = np.arange(len(points))
    spots: list[LandingSpot] = []
    centres = np.array([0.5 * (part.bounds[0] + part.bounds[1]) for part in parts])
    middles = transform_vectors(_as_rows(axes), centres) / cell - low
    # A cell of margin stands before the raster: what is at x there is at x + 1 in `free`.
    for row, column, radius in _peaks(free, MIN_RADIUS / CELL, middles[:, :2] + 1.0):
        centre = points[index[row, column]]
        sky = _sky_share(centre + LIFT * host_diagonal * normal, parts)
        if sky > MIN_SKY:
            spots.append(LandingSpot(centre, radius * cell, sky))
        if len(spots) == max_spots:
            break
    return tuple(spots)


def _plane_axes(normal: FloatArray) -> FloatArray:
    seed = np.zeros(3)
    seed[int(np.argmin(np.abs(normal)))] = 1.0
    first = unit(seed - (seed * normal).sum() * normal)
    return np.stack([first, np.cross(normal, first), normal])


def _as_rows(axes: FloatArray) -> FloatArray:
    matrix = np.eye(4)
    matrix[:3, :3] = axes
    return matrix


def _clear_points(
    points: FloatArray,
    normal: FloatArray,
    patch_mesh: Placed,
    others: Sequence[Placed],
    host_diagonal: float,
    clearance_rel: float,
) -> NDArray[np.bool_]:
    starts = points + LIFT * host_diagonal * normal
    reach = clearance_rel * host_diagonal
    low = np.minimum(starts, starts + reach * normal).min(axis=0)
    high = np.maximum(starts, starts + reach * normal).max(axis=0)
    clear = np.ones(len(points), dtype=bool)
    for part in [patch_mesh, *others]:
        if not ((part.bounds[0] <= high).all() and (low <= part.bounds[1]).all()):
            continue
        rest = np.flatnonzero(clear)
        clear[rest] = cast_rays(part.bvh, starts[rest], normal, max_distance=reach, any_hit=True)[1] < 0
        if part is not patch_mesh:
            rest = np.flatnonzero(clear)
            clear[rest] = ~inside_placed(part, starts[rest])
    return clear


def _obstructed(
    parts: Sequence[Placed],
    axes: FloatArray,
    low: FloatArray,
    cell: float,
    slab: tuple[float, float],
    shape: tuple[int, ...],
) -> NDArray[np.bool_]:
    """Cells whose column within the slab (heights along the normal, world units) is entered by a surface."""
    marked = np.zeros(shape, dtype=np.bool_)
    rows = _as_rows(axes)
    for part in parts:
        box = np.array([[x, y, z] for x in part.bounds[:, 0] for y in part.bounds[:, 1] for z in part.bounds[:, 2]])
        along = transform_vectors(rows, box) / cell - low
        near, far = along.min(axis=0), along.max(axis=0)
        if far[2] * cell < slab[0] or near[2] * cell > slab[1] or (far[:2] < 0.0).any() or (near[:2] > shape).any():
            continue
        corners = transform_vectors(rows, part.bvh.corners) / cell - low
        _mark(np.ascontiguousarray(corners), slab[0] / cell, slab[1] / cell, marked)
    return marked


def _peaks(free: NDArray[np.bool_], min_radius: float, middles: FloatArray) -> list[tuple[int, int, float]]:
    """Return free cells by falling radius (in cells), none within two radii of an earlier one.

    Of equal peaks the one nearest to the middle of what is free wins, then the one farthest from the mean of the
    `middles` (P, 2) of all parts, then the one farthest from the last parts, then the first in row order: the axes
    decide only where the object is symmetric, whatever its parts are called.
    """
    cells = np.argwhere(free)
    if len(cells) == 0:
        return []
    reach = np.asarray(distance_transform_edt(free), dtype=np.float64)[free] - 0.5
    # In whole numbers, so that ties are ties: count times the offset from the mean.
    offset = (len(cells) * cells - cells.sum(axis=0)).astype(np.float64)
    away = cells + 0.5 - middles.mean(axis=0)
    steps = np.rint(np.sqrt((away * away).sum(axis=1)) * MIDDLE_STEPS)
    by_part = np.zeros(len(cells))
    for place, middle in enumerate(middles, start=1):
        apart = cells + 0.5 - middle
        by_part += place * np.sqrt((apart * apart).sum(axis=1))
    by_part = np.rint(by_part / len(middles) * MIDDLE_STEPS)
    order: IntArray = np.lexsort((np.arange(len(cells)), -by_part, -steps, (offset * offset).sum(axis=1), -reach))
    open_cells = reach > min_radius
    peaks = []
    for k in order:
        if open_cells[k]:
            row, column = (int(v) for v in cells[k])
            peaks.append((row, column, float(reach[k])))
            step = cells - cells[k]
            open_cells &= (step * step).sum(axis=1) > 4.0 * reach[k] * reach[k]
    return peaks


def _sky_share(point: FloatArray, parts: Sequence[Placed]) -> float:
    open_rays: IntArray = np.arange(len(SKY))
    for part in parts:
        origins = np.broadcast_to(point, (len(open_rays), 3))
        open_rays = open_rays[cast_rays(part.bvh, origins, SKY[open_rays], any_hit=True)[1] < 0]
        if len(open_rays) == 0:
            break
    return len(open_rays) / len(SKY)
