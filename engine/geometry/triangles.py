"""Closest points of segments, points and triangles: the innermost kernels, in float64.

Triangles are named by an array of corners (F, 3, 3) and an index. Every answer is the distance between two points that
really lie on the two shapes, so rounding can only make it too large, by about 1e-16 of the coordinates. Triangles
without area work: they are answered by their edges.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.surfaces import FloatArray

_PARALLEL = 1e-26
"""Squared sine below which two segments count as parallel."""


@njit(cache=True, nogil=True)
def _clamp(value: float) -> float:
    return min(max(value, 0.0), 1.0)


@njit(cache=True, nogil=True)
def segment_gap(a: FloatArray, i: int, k: int, b: FloatArray, j: int, m: int) -> tuple[float, float, float]:
    """Measure edge k of triangle i against edge m of triangle j: squared distance and both edge parameters."""
    p, q = a[i, k], b[j, m]
    p_end, q_end = a[i, (k + 1) % 3], b[j, (m + 1) % 3]
    ux, uy, uz = p_end[0] - p[0], p_end[1] - p[1], p_end[2] - p[2]
    vx, vy, vz = q_end[0] - q[0], q_end[1] - q[1], q_end[2] - q[2]
    rx, ry, rz = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    uu = ux * ux + uy * uy + uz * uz
    vv = vx * vx + vy * vy + vz * vz
    uv = ux * vx + uy * vy + uz * vz
    ur = ux * rx + uy * ry + uz * rz
    vr = vx * rx + vy * ry + vz * rz
    # By cross products: the error grows with 1 / sine of the angle, by dot products with its square.
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    s = 0.0
    if nn > _PARALLEL * uu * vv:
        s = _clamp(((ry * vz - rz * vy) * nx + (rz * vx - rx * vz) * ny + (rx * vy - ry * vx) * nz) / nn)
    t = _clamp((s * uv - vr) / vv) if vv > 0.0 else 0.0
    s = _clamp((t * uv + ur) / uu) if uu > 0.0 else 0.0
    t = _clamp((s * uv - vr) / vv) if vv > 0.0 else 0.0
    dx, dy, dz = rx + t * vx - s * ux, ry + t * vy - s * uy, rz + t * vz - s * uz
    return dx * dx + dy * dy + dz * dz, s, t


@njit(cache=True, nogil=True)
def _face_gap(a: FloatArray, i: int, b: FloatArray, j: int, best: float, found: FloatArray, side: int) -> float:
    """Corners and edges of triangle j against the inside of triangle i; `found[side]` lies on triangle i."""
    o = a[i, 0]
    ux, uy, uz = a[i, 1, 0] - o[0], a[i, 1, 1] - o[1], a[i, 1, 2] - o[2]
    vx, vy, vz = a[i, 2, 0] - o[0], a[i, 2, 1] - o[1], a[i, 2, 2] - o[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    if nn == 0.0:
        return best
    heights = (
        (b[j, 0, 0] - o[0]) * nx + (b[j, 0, 1] - o[1]) * ny + (b[j, 0, 2] - o[2]) * nz,
        (b[j, 1, 0] - o[0]) * nx + (b[j, 1, 1] - o[1]) * ny + (b[j, 1, 2] - o[2]) * nz,
        (b[j, 2, 0] - o[0]) * nx + (b[j, 2, 1] - o[1]) * ny + (b[j, 2, 2] - o[2]) * nz,
    )
    for k in range(6):
        # 0..2: the corners themselves; 3..5: where edge k - 3 passes through the plane.
        c = k % 3
        px, py, pz = b[j, c, 0] - o[0], b[j, c, 1] - o[1], b[j, c, 2] - o[2]
        if k < 3:
            if heights[c] * heights[c] >= best * nn:
                continue
        else:
            after = (c + 1) % 3
            if not ((heights[c] < 0.0 < heights[after]) or (heights[after] < 0.0 < heights[c])):
                continue
            s = heights[c] / (heights[c] - heights[after])
            px += s * (b[j, after, 0] - b[j, c, 0])
            py += s * (b[j, after, 1] - b[j, c, 1])
            pz += s * (b[j, after, 2] - b[j, c, 2])
        v = ((py * vz - pz * vy) * nx + (pz * vx - px * vz) * ny + (px * vy - py * vx) * nz) / nn
        w = ((uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz) / nn
        if v < 0.0 or w < 0.0 or v + w > 1.0:
            continue
        dx, dy, dz = px - v * ux - w * vx, py - v * uy - w * vy, pz - v * uz - w * vz
        squared = dx * dx + dy * dy + dz * dz if k < 3 else 0.0
        if squared < best:
            best = squared
            found[1 - side, 0], found[1 - side, 1], found[1 - side, 2] = o[0] + px, o[1] + py, o[2] + pz
            found[side, 0], found[side, 1], found[side, 2] = o[0] + px - dx, o[1] + py - dy, o[2] + pz - dz
    return best


@njit(cache=True, nogil=True)
def triangle_gap(a: FloatArray, i: int, b: FloatArray, j: int, best: float, found: FloatArray) -> float:
    """Measure triangle i of `a` against triangle j of `b`, both solid: the squared distance, if below `best`.

    Returns the smaller of `best` and the squared distance; where that is new, `found` (2, 3) becomes the two points.
    """
    for k in range(3):
        for m in range(3):
            squared, s, t = segment_gap(a, i, k, b, j, m)
            if squared < best:
                best = squared
                for c in range(3):
                    found[0, c] = a[i, k, c] + s * (a[i, (k + 1) % 3, c] - a[i, k, c])
                    found[1, c] = b[j, m, c] + t * (b[j, (m + 1) % 3, c] - b[j, m, c])
    best = _face_gap(a, i, b, j, best, found, 0)
    return _face_gap(b, j, a, i, best, found, 1)


@njit(cache=True, nogil=True)
def point_gap(x: float, y: float, z: float, a: FloatArray, i: int, best: float, found: FloatArray) -> float:
    """Measure a point against triangle i: as `triangle_gap`, with `found` (3,) the point of the triangle."""
    ox, oy, oz = a[i, 0, 0], a[i, 0, 1], a[i, 0, 2]
    px, py, pz = x - ox, y - oy, z - oz
    ux, uy, uz = a[i, 1, 0] - ox, a[i, 1, 1] - oy, a[i, 1, 2] - oz
    vx, vy, vz = a[i, 2, 0] - ox, a[i, 2, 1] - oy, a[i, 2, 2] - oz
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    height = px * nx + py * ny + pz * nz
    if height * height > best * nn:
        return best
    if nn > 0.0:
        v = ((py * vz - pz * vy) * nx + (pz * vx - px * vz) * ny + (px * vy - py * vx) * nz) / nn
        w = ((uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz) / nn
        if v >= 0.0 and w >= 0.0 and v + w <= 1.0:
            qx, qy, qz = v * ux + w * vx, v * uy + w * vy, v * uz + w * vz
            squared = (px - qx) * (px - qx) + (py - qy) * (py - qy) + (pz - qz) * (pz - qz)
            if squared < best:
                best = squared
                found[0], found[1], found[2] = ox + qx, oy + qy, oz + qz
            return best
    for k in range(3):
        e = (k + 1) % 3
        ex, ey, ez = a[i, e, 0] - a[i, k, 0], a[i, e, 1] - a[i, k, 1], a[i, e, 2] - a[i, k, 2]
        rx, ry, rz = x - a[i, k, 0], y - a[i, k, 1], z - a[i, k, 2]
        ee = ex * ex + ey * ey + ez * ez
        t = _clamp((rx * ex + ry * ey + rz * ez) / ee) if ee > 0.0 else 0.0
        squared = (rx - t * ex) * (rx - t * ex) + (ry - t * ey) * (ry - t * ey) + (rz - t * ez) * (rz - t * ez)
        if squared < best:
            best = squared
            found[0], found[1], found[2] = a[i, k, 0] + t * ex, a[i, k, 1] + t * ey, a[i, k, 2] + t * ez
    return best


@njit(cache=True, nogil=True)
def box_gap(a: FloatArray, i: int, b: FloatArray, j: int) -> float:
    """Measure the squared distance of box i of `a` (N, 2, 3) and box j of `b`; 0 when they meet."""
    total = 0.0
    for k in range(3):
        gap = max(a[i, 0, k] - b[j, 1, k], b[j, 0, k] - a[i, 1, k], 0.0)
        total += gap * gap
    return total


@njit(cache=True, nogil=True)
def point_box_gap(x: float, y: float, z: float, boxes: FloatArray, i: int) -> float:
    """Measure the squared distance of a point and box i of `boxes` (N, 2, 3); 0 inside."""
    dx = max(boxes[i, 0, 0] - x, x - boxes[i, 1, 0], 0.0)
    dy = max(boxes[i, 0, 1] - y, y - boxes[i, 1, 1], 0.0)
    dz = max(boxes[i, 0, 2] - z, z - boxes[i, 1, 2], 0.0)
    squared: float = dx * dx + dy * dy + dz * dz
    return squared


@njit(cache=True, nogil=True)
def box_size(a: FloatArray, i: int) -> float:
    """Measure box i by the sum of its sides."""
    sides: float = (a[i, 1, 0] - a[i, 0, 0]) + (a[i, 1, 1] - a[i, 0, 1]) + (a[i, 1, 2] - a[i, 0, 2])
    return sides


@njit(cache=True, nogil=True)
def grown(table: FloatArray, used: int, rows: int) -> FloatArray:
    """Return a table of `rows` rows that begins with the first `used` rows of `table`."""
    copy = np.zeros((rows, table.shape[1]))
    for i in range(used):
        for k in range(table.shape[1]):
            copy[i, k] = table[i, k]
    return copy
