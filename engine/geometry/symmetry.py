"""Rotational symmetry of a part about the axes of its box.

A turn is a symmetry when every one of a fixed set of surface samples, turned about the area centroid, lies on the
surface again within half a percent of the diagonal.
"""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from engine.geometry.angles import turn_of_degrees
from engine.geometry.bounds import diagonal
from engine.geometry.bvh import Bvh, build_bvh
from engine.geometry.clean import CleanMesh
from engine.geometry.distance import closest_points
from engine.geometry.sampling import sample_surface
from engine.geometry.stability import area_centroid
from engine.surfaces import FloatArray

ROUND: Final = 360
"""The order that stands for any angle."""
TOLERANCE: Final = 0.005
SAMPLES, SAMPLE_SEED = 1024, 26
_ROUND_TURNS: Final = (137.50776, 52.51964, 97.31259, 11.07113)
"""Degrees without a common divisor: a part that survives them all has no preferred angle."""
_PRIMES: Final = (2, 3, 5, 7, 11, 13)
_LARGEST: Final = 90


def measure_symmetry(mesh: CleanMesh) -> tuple[FloatArray, int]:
    """Find the axis (3,) of highest rotational order and that order; ties go to Y, then X, then Z.

    The order is 1 without symmetry and 360 for a round part. Facets finer than the tolerance count as round.
    """
    samples = sample_surface(mesh.vertices, mesh.faces, SAMPLES, SAMPLE_SEED)
    centre = area_centroid(mesh.vertices, mesh.faces)
    bvh = build_bvh(mesh.vertices, mesh.faces)
    points = samples.points - centre
    best_axis, best_order = 1, 1
    for axis in (1, 0, 2):
        order = _order_about(bvh, points, centre, axis)
        if order > best_order:
            best_axis, best_order = axis, order
    return np.eye(3)[best_axis], best_order


def _order_about(bvh: Bvh, points: FloatArray, centre: FloatArray, axis: int) -> int:
    if all(_survives(bvh, points, centre, axis, degrees) for degrees in _ROUND_TURNS):
        return ROUND
    powers = []
    for prime in _PRIMES:
        power = prime
        while power <= _LARGEST and _has_order(bvh, points, centre, axis, power):
            power *= prime
        powers.append(power // prime)
    order = prod(powers)
    # Within the tolerance a decagon nearly survives other turns too; only an order that holds as a whole counts.
    return order if order <= _LARGEST and _has_order(bvh, points, centre, axis, order) else max(powers)


def _has_order(bvh: Bvh, points: FloatArray, centre: FloatArray, axis: int, order: int) -> bool:
    """Tell whether every multiple of the turn by 360 / order degrees is a symmetry (turns back follow)."""
    return all(_survives(bvh, points, centre, axis, 360.0 * k / order) for k in range(1, order // 2 + 1))


def _survives(bvh: Bvh, points: FloatArray, centre: FloatArray, axis: int, degrees: float) -> bool:
    cosine, sine = turn_of_degrees(degrees)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    turned = points.copy()
    turned[:, first] = cosine * points[:, first] - sine * points[:, second]
    turned[:, second] = sine * points[:, first] + cosine * points[:, second]
    closest = closest_points(bvh, turned + centre, bound=TOLERANCE * diagonal(bvh.bounds))
    return bool((closest.face >= 0).all())
