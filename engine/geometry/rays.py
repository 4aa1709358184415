"""Rays against meshes in float64.

A single-precision ray tracer answers differently where a ray grazes an edge, and hangs on thousands of coincident
faces; these rays decide which places are free to stand on, so they use the project's own hierarchy. Pictures, and the
share of pixels that an edit changes, are cast by engine.render.casting.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from engine.geometry.bvh import Bvh
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

_SEAM: Final = 1e-12
"""How far outside a triangle, in barycentric measure, a hit still counts; closes the seam between neighbours."""


@njit(cache=True, nogil=True)
def _enters(o: FloatArray, d: FloatArray, n: int, boxes: FloatArray, node: int, best: float) -> float:
    """Return where ray n enters a box, inf when it misses it or enters behind `best`."""
    near, far = 0.0, best
    for k in range(3):
        low, high = boxes[node, 0, k] - o[n, k], boxes[node, 1, k] - o[n, k]
        if d[n, k] == 0.0:
            if low > 0.0 or high < 0.0:
                return np.inf
            continue
        first, second = low / d[n, k], high / d[n, k]
        if first > second:
            first, second = second, first
        near, far = max(near, first), min(far, second)
    return near if near <= far * (1.0 + 1e-14) else np.inf


@njit(cache=True, nogil=True)
def _meets(o: FloatArray, d: FloatArray, n: int, a: FloatArray, f: int) -> float:
    """Return where ray n meets triangle f, inf when it does not."""
    ux, uy, uz = a[f, 1, 0] - a[f, 0, 0], a[f, 1, 1] - a[f, 0, 1], a[f, 1, 2] - a[f, 0, 2]
    vx, vy, vz = a[f, 2, 0] - a[f, 0, 0], a[f, 2, 1] - a[f, 0, 1], a[f, 2, 2] - a[f, 0, 2]
    px, py, pz = d[n, 1] * vz - d[n, 2] * vy, d[n, 2] * vx - d[n, 0] * vz, d[n, 0] * vy - d[n, 1] * vx
    volume = ux * px + uy * py + uz * pz
    if volume == 0.0:
        return np.inf
    rx, ry, rz = o[n, 0] - a[f, 0, 0], o[n, 1] - a[f, 0, 1], o[n, 2] - a[f, 0, 2]
    s = (rx * px + ry * py + rz * pz) / volume
    qx, qy, qz = ry * uz - rz * uy, rz * ux - rx * uz, rx * uy - ry * ux
    t = (d[n, 0] * qx + d[n, 1] * qy + d[n, 2] * qz) / volume
    if s < -_SEAM or t < -_SEAM or s + t > 1.0 + _SEAM:
        return np.inf
    along: float = (vx * qx + vy * qy + vz * qz) / volume
    return along


@njit(cache=True, nogil=True)
def _cast(
    o: FloatArray,
    d: FloatArray,
    a: FloatArray,
    boxes: FloatArray,
    order: IntArray,
    limit: float,
    any_hit: bool,  # noqa: FBT001 - a kernel takes its arguments by position
    distance: FloatArray,
) -> IntArray:
    leaves = (len(boxes) + 1) // 2
    hit = np.full(len(o), -1, dtype=np.int64)
    stack = np.zeros(256, dtype=np.int64)
    enters = np.zeros(256)
    for n in range(len(o)):
        best = limit
        stack[0], enters[0] = 0, _enters(o, d, n, boxes, 0, best)
        top = 1
        while top > 0 and not (any_hit and hit[n] >= 0):
            top -= 1
            if enters[top] > best or enters[top] == np.inf:
                continue
            node = stack[top]
            if node < leaves - 1:
                near, far = 2 * node + 1, 2 * node + 2
                to_near, to_far = _enters(o, d, n, boxes, near, best), _enters(o, d, n, boxes, far, best)
                if to_far < to_near:
                    near, far, to_near, to_far = far, near, to_far, to_near
                stack[top], enters[top] = far, to_far
                stack[top + 1], enters[top + 1] = near, to_near
                top += 2
                continue
            leaf = node - leaves + 1
            for f in range(leaf * len(a) // leaves, (leaf + 1) * len(a) // leaves):
                t = _meets(o, d, n, a, f)
                # Of faces met at once, the lowest number counts, whatever the tree looks like.
                if 0.0 <= t <= best and t < np.inf and (t < best or hit[n] < 0 or order[f] < hit[n]):
                    best = t
                    hit[n] = order[f]
        distance[n] = best if hit[n] >= 0 else np.inf
    return hit


def cast_rays(
    bvh: Bvh, origins: FloatArray, directions: FloatArray, *, max_distance: float = np.inf, any_hit: bool
) -> tuple[FloatArray, IntArray]:
    """Return for rays (N, 3), (N, 3) the distance (N,) and face (N,) of the first hit, or of any; inf and -1 for none.

    Raises:
        GeometryError: an origin or direction is not finite, or a direction is zero.

    """
    o = np.array(origins, dtype=np.float64, order="C").reshape(-1, 3)
    d = np.array(np.broadcast_to(np.asarray(directions, dtype=np.float64), o.shape), order="C")
    if not (np.isfinite(o).all() and np.isfinite(d).all()) or not d.any(axis=1).all():
        raise GeometryError("rays: an origin or a direction is not finite, or a direction is zero")
    distance = np.zeros(len(o))
    hit = _cast(o, d, bvh.corners, bvh.boxes, bvh.order, float(max_distance), any_hit, distance)
    return distance, hit
