"""From samples to a surface: how far its nearest point is, and how far the normals there are turned.

Two answers: exact, to the triangles themselves, and to the nearest sample of the other surface, as usually published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numba import njit

from engine.geometry.bvh import Bvh, build_bvh
from engine.geometry.distance import STACK_ROWS, find_nearest_triangle
from engine.geometry.point_tree import PointTree, build_point_tree, find_nearest
from engine.geometry.triangles import point_box_gap, point_gap
from engine.surfaces import BoolArray, FloatArray, IntArray
from evaluator.metrics.sampling import FramedSurface, SurfaceSamples, sample_framed

EXACT_ZERO: Final = 1e-9
"""Distances up to here, in units of L, are what rounding leaves of 0, and are 0."""
_ALIGNED: Final = 1.0 - 1e-12
"""Cosines from here on are what rounding leaves of 1, and are 1."""


class Links(NamedTuple):
    """What each sample finds on the other surface: at a distance of inf, with a cosine of 0, where there is none."""

    distance: FloatArray
    """(N,) in units of L."""
    cosine: FloatArray
    """(N,) |cos| between the normals of the sample and of what it finds, 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledSurface:
    """A surface with its samples and what it takes to search both."""

    surface: FramedSurface
    samples: SurfaceSamples
    bvh: Bvh | None
    """None for an empty surface."""
    tree: PointTree | None
    """None where there is no sample."""


def prepare_surface(surface: FramedSurface, density: float) -> SampledSurface:
    """Sample a surface with `density` points per L^2 and build what searching it takes."""
    samples = sample_framed(surface, density)
    bvh = None
    if len(surface.corners):
        bvh = build_bvh(surface.corners.reshape(-1, 3), np.arange(3 * len(surface.corners)).reshape(-1, 3))
    return SampledSurface(surface, samples, bvh, build_tree(samples))


def build_tree(samples: SurfaceSamples) -> PointTree | None:
    """Build the search tree over samples; None without any."""
    return build_point_tree(samples.points) if len(samples.points) else None


@njit(cache=True, nogil=True)
def _find_triangles(points: FloatArray, corners: FloatArray, boxes: FloatArray, squared: FloatArray) -> IntArray:
    """Find the triangle nearest to each point, in tree order; its squared distance goes into `squared` (N,).

    The answer of one point is the first guess for the next, which mostly lies close by.
    """
    stack, lower, found = np.zeros(STACK_ROWS, dtype=np.int64), np.zeros(STACK_ROWS), np.zeros(3)
    nearest = np.zeros(len(points), dtype=np.int64)
    row = 0
    for n in range(len(points)):
        x, y, z = points[n, 0], points[n, 1], points[n, 2]
        guess = point_gap(x, y, z, corners, row, np.inf, found)
        squared[n], closer = find_nearest_triangle(x, y, z, corners, boxes, guess, found, stack, lower)
        if closer >= 0:
            row = closer
        nearest[n] = row
    return nearest


@njit(cache=True, nogil=True)
def _align(
    points: FloatArray,
    lines: FloatArray,
    reach: FloatArray,
    corners: FloatArray,
    boxes: FloatArray,
    normals: FloatArray,
    cosine: FloatArray,
) -> None:
    """Raise each cosine below 1 to that of the best aligned triangle closer than `reach` (N,), squared."""
    leaves = (len(boxes) + 1) // 2
    stack = np.zeros(STACK_ROWS, dtype=np.int64)
    found = np.zeros(3)
    for n in range(len(points)):
        if cosine[n] >= _ALIGNED:
            continue
        x, y, z = points[n, 0], points[n, 1], points[n, 2]
        stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            if point_box_gap(x, y, z, boxes, node) >= reach[n]:
                continue
            if node < leaves - 1:
                stack[top], stack[top + 1] = 2 * node + 1, 2 * node + 2
                top += 2
                continue
            leaf = node - leaves + 1
            for f in range(leaf * len(corners) // leaves, (leaf + 1) * len(corners) // leaves):
                turned = abs(lines[n, 0] * normals[f, 0] + lines[n, 1] * normals[f, 1] + lines[n, 2] * normals[f, 2])
                if turned > cosine[n] and point_gap(x, y, z, corners, f, reach[n], found) < reach[n]:
                    cosine[n] = turned


def link_exactly(samples: SurfaceSamples, other: SampledSurface) -> Links:
    """Link samples to the nearest point of the other surface, exactly.

    On an edge several triangles are equally near; of all within `EXACT_ZERO` of the nearest the best aligned one
    counts, so that rounding does not choose.
    """
    if other.bvh is None:
        return _unlinked(len(samples.points))
    squared = np.zeros(len(samples.points))
    rows = _find_triangles(samples.points, other.bvh.corners, other.bvh.boxes, squared)
    distance = np.sqrt(squared)
    normals = other.surface.normals[other.bvh.order]
    cosine = _cosines(samples.normals, normals[rows])
    reach = distance + EXACT_ZERO
    _align(
        samples.points,
        samples.normals,
        reach * reach,
        other.bvh.corners,
        other.bvh.boxes,
        normals,
        cosine,
    )
    return _settled(distance, cosine)


def link_to_samples(samples: SurfaceSamples, other: SurfaceSamples, tree: PointTree | None) -> Links:
    """Link samples to the nearest of the other surface's samples, whose `tree` is given."""
    if tree is None:
        return _unlinked(len(samples.points))
    nearest = find_nearest(tree, samples.points)
    return _settled(np.sqrt(nearest.squared), _cosines(samples.normals, other.normals[nearest.index]))


def _cosines(a: FloatArray, b: FloatArray) -> FloatArray:
    cosines: FloatArray = np.abs(a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2])
    return cosines


def _settled(distance: FloatArray, cosine: FloatArray) -> Links:
    return Links(np.where(distance <= EXACT_ZERO, 0.0, distance), np.where(cosine >= _ALIGNED, 1.0, cosine))


def select_links(links: Links, chosen: BoolArray) -> Links:
    """Return the links of the chosen samples (N,)."""
    return Links(links.distance[chosen], links.cosine[chosen])


def _unlinked(count: int) -> Links:
    return Links(np.full(count, np.inf), np.zeros(count))
