"""Whether a part stands by itself: its centroid over the hull of what it rests on."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from engine.geometry.bounds import bounds_of, diagonal
from engine.geometry.clean import CleanMesh
from engine.geometry.similarity import unit
from engine.surfaces import FloatArray, IntArray

BASE_SHARE: Final = 0.03
"""Vertices within this share of the height above the lowest one carry the part."""
LEAST_STABILITY: Final = 0.05
"""Parts that stand less firmly are not put anywhere by themselves."""
_FLAT: Final = 0.01
"""Parts lower than this share of their diagonal are measured as if they were that high."""


def measure_stability(mesh: CleanMesh, down: ArrayLike = (0.0, -1.0, 0.0)) -> float:
    """Measure how far inside its base the surface's centroid stands, over the part's height.

    Definition: placement notes, section 5. The base is the convex hull of the vertices in the lowest 3 % of the height,
    seen along `down`; a negative value means that the part tips over.
    """
    up = -unit(down)
    seed = np.zeros(3)
    seed[int(np.argmin(np.abs(up)))] = 1.0
    side = unit(np.cross(seed, up))
    other = np.cross(up, side)
    heights = _along(mesh.vertices, up)
    lowest, height = float(heights.min()), float(heights.max() - heights.min())
    height = max(height, _FLAT * diagonal(bounds_of(mesh.vertices, mesh.faces)))
    base = mesh.vertices[heights <= lowest + BASE_SHARE * height]
    hull = convex_hull(np.stack([_along(base, side), _along(base, other)], axis=1))
    centre = area_centroid(mesh.vertices, mesh.faces)[None]
    return _margin(hull, float(_along(centre, side)[0]), float(_along(centre, other)[0])) / height


def area_centroid(vertices: FloatArray, faces: IntArray) -> FloatArray:
    """Return the centroid (3,) of a surface, weighted by area."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    weight = np.sqrt((normal * normal).sum(axis=1))[:, None]
    origin = vertices[faces[0, 0]]
    centroid: FloatArray = origin + (((a + b + c) / 3.0 - origin) * weight).sum(axis=0) / weight.sum()
    return centroid


def convex_hull(points: FloatArray) -> FloatArray:
    """Return the corners (H, 2) of the convex hull of points (N, 2), counter-clockwise, none of them between others."""
    ordered = np.unique(points, axis=0).tolist()
    if len(ordered) < 3:
        return np.array(ordered)
    chains: list[list[list[float]]] = []
    for row in (ordered, ordered[::-1]):
        chain: list[list[float]] = []
        for point in row:
            while len(chain) >= 2 and _turn(chain[-2], chain[-1], point) <= 0.0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return np.array(chains[0] + chains[1])


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _along(points: FloatArray, axis: FloatArray) -> FloatArray:
    values: FloatArray = points[:, 0] * axis[0] + points[:, 1] * axis[1] + points[:, 2] * axis[2]
    return values


def _margin(hull: FloatArray, x: float, y: float) -> float:
    """Return the distance of a point from the hull's edge: positive inside, negative outside."""
    ends = np.roll(hull, -1, axis=0)
    edges = ends - hull
    to_point = np.array([x, y]) - hull
    squared = (edges * edges).sum(axis=1)
    share = (to_point * edges).sum(axis=1) / np.where(squared > 0.0, squared, 1.0)
    rest = to_point - np.clip(share, 0.0, 1.0)[:, None] * edges
    distance = float(np.sqrt((rest * rest).sum(axis=1).min()))
    turns = edges[:, 0] * to_point[:, 1] - edges[:, 1] * to_point[:, 0]
    return distance if len(hull) > 2 and bool((turns > 0.0).all()) else -distance
