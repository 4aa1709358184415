"""Cameras: one bounding sphere for all states of a chain, and the views around it.

The rig is the published one: a perspective camera with a 50 mm lens on a 36 mm square sensor, at the distance where the
sphere just fits the frame (R / sin(fov/2)), four views 90 degrees apart at 25 degrees of elevation.

Azimuth 0 looks at the object's front from +Z (glTF axes, Y up) and grows counter-clockwise seen from above, so 90 looks
from +X. The default view 0 (35 degrees) sees the front and the +X side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import NamedTuple

import numpy as np

from engine.geometry.angles import turn_of_degrees
from engine.surfaces import FloatArray
from schemas.chain import Rig
from schemas.errors import InputError

Point = tuple[float, float, float]

SUPPORT_TOLERANCE = 1e-12
MAX_SUPPORT_STEPS = 1000
FARTHEST = 1e30
"""No camera stands farther out on an axis: single precision, in which rays are cast, ends soon after."""
WIDEST, NARROWEST = 1e12, 1e-12
"""Bounds of the tangent of half the field of view."""


class Sphere(NamedTuple):
    """A ball in world coordinates."""

    center: Point
    radius: float


@dataclass(frozen=True, slots=True)
class Camera:
    """A perspective camera with a square frame, in world coordinates.

    A point p lies at depth d = (p - position).forward; it meets the frame at x = (p - position).right / (d tan_half)
    and y = (p - position).up / (d tan_half), both in [-1, 1] inside the picture.
    """

    position: Point
    right: Point
    up: Point
    forward: Point
    tan_half: float
    """Tangent of half the field of view."""


def enclosing_sphere(clouds: Iterable[FloatArray]) -> Sphere:
    """Find the smallest sphere around all points of all (N, 3) clouds, world units.

    The farthest point joins the support until none lies outside: exact but for rounding. Raises InputError when there
    is no point or one is not finite.
    """
    points = np.concatenate([np.zeros((0, 3)), *(np.asarray(cloud, dtype=np.float64) for cloud in clouds)])
    if len(points) == 0:
        raise InputError("framing: no state has a vertex")
    if not np.isfinite(points).all():
        raise InputError("framing: a vertex is not finite")
    low, high = points.min(axis=0), points.max(axis=0)
    origin = (low + high) * 0.5
    unit = float((high - low).max()) or 1.0
    # In a unit frame, so that neither far nor tiny objects lose digits.
    local = (points - origin) / unit
    sphere = Sphere((0.0, 0.0, 0.0), -1.0)
    support: list[Point] = []
    for _ in range(MAX_SUPPORT_STEPS):
        offset = local - np.array(sphere.center)
        squares = offset[:, 0] * offset[:, 0] + offset[:, 1] * offset[:, 1] + offset[:, 2] * offset[:, 2]
        largest = squares.max()
        if sqrt(float(largest)) <= sphere.radius * (1.0 + SUPPORT_TOLERANCE) + SUPPORT_TOLERANCE:
            break
        # Of equally far points the lowest by coordinates: their order must not decide the last bits of a camera.
        x, y, z = min(local[squares == largest].tolist())
        grown, support = _smallest_of([*support, (x, y, z)])
        if grown.radius <= sphere.radius:
            break
        sphere = grown
    center = tuple(float(o + c * unit) for o, c in zip(origin.tolist(), sphere.center, strict=True))
    return Sphere((center[0], center[1], center[2]), sphere.radius * unit)


def frame_states(states: Iterable[FloatArray], resolution_px: int = 512) -> Rig:
    """Fit the rig of a chain to the (N, 3) world vertices of its states; one array for each state or piece.

    Raises InputError when there are no vertices.
    """
    sphere = enclosing_sphere(states)
    return Rig(center=sphere.center, radius=sphere.radius, resolution_px=resolution_px)


def rig_of_sphere(sphere: Sphere) -> Rig:
    """Put the default rig around a sphere."""
    return Rig(center=sphere.center, radius=sphere.radius)


def camera_of(rig: Rig, view: int) -> Camera:
    """Place the camera of one of the rig's views. Raises InputError when the rig has no such view."""
    if not 0 <= view < len(rig.azimuths_deg):
        raise InputError(f"framing: view {view} does not exist, the rig has {len(rig.azimuths_deg)}")
    return orbit_camera(rig, rig.azimuths_deg[view], rig.elevation_deg)


def orbit_camera(rig: Rig, azimuth_deg: float, elevation_deg: float) -> Camera:
    """Place a camera on the rig's orbit, looking at its centre; at +-90 degrees azimuth says where right is.

    Raises InputError when it would stand beyond FARTHEST, or its field of view is out of bounds.
    """
    azimuth, elevation = turn_of_degrees(azimuth_deg), turn_of_degrees(elevation_deg)
    outward = (elevation.cos * azimuth.sin, elevation.sin, elevation.cos * azimuth.cos)
    half, focal = rig.sensor_mm * 0.5, rig.focal_mm
    distance = max(rig.radius, 1e-30) * sqrt(half * half + focal * focal) / half
    center = rig.center
    position = (
        center[0] + outward[0] * distance,
        center[1] + outward[1] * distance,
        center[2] + outward[2] * distance,
    )
    # From above, so that what is not a number fails too.
    if not all(abs(place) <= FARTHEST for place in position):
        raise InputError(f"framing: the camera would stand at {position}, the limit is {FARTHEST:g} on each axis")
    if not NARROWEST <= half / focal <= WIDEST:
        what = f"a sensor of {rig.sensor_mm:g} mm behind {focal:g} mm has a half angle of tangent {half / focal:g}"
        raise InputError(f"framing: the camera cannot see: {what}, limits {NARROWEST:g} and {WIDEST:g}")
    return Camera(
        position=position,
        right=(azimuth.cos, 0.0, -azimuth.sin),
        up=(-elevation.sin * azimuth.sin, elevation.cos, -elevation.sin * azimuth.cos),
        forward=(-outward[0], -outward[1], -outward[2]),
        tan_half=half / focal,
    )


def aim_camera(camera: Camera, x: float, y: float, share: float) -> Camera:
    """Turn a camera to the point (x, y) of its frame, each in [-1, 1], and narrow its frame to `share` of the side."""
    ahead, right, up = camera.forward, camera.right, camera.up
    across, upward = x * camera.tan_half, y * camera.tan_half
    towards = _unit(
        (
            ahead[0] + right[0] * across + up[0] * upward,
            ahead[1] + right[1] * across + up[1] * upward,
            ahead[2] + right[2] * across + up[2] * upward,
        )
    )
    aside = _unit(_cross(towards, up))
    return Camera(camera.position, aside, _cross(aside, towards), towards, camera.tan_half * share)


def _smallest_of(points: Sequence[Point]) -> tuple[Sphere, list[Point]]:
    """Smallest sphere of at most five points, and the up to four of them it rests on."""
    best: tuple[Sphere, list[Point]] | None = None
    for size in range(1, min(4, len(points)) + 1):
        for subset in combinations(points, size):
            sphere = _circumsphere(subset)
            if sphere is None or (best is not None and sphere.radius >= best[0].radius):
                continue
            limit = sphere.radius * (1.0 + SUPPORT_TOLERANCE) + SUPPORT_TOLERANCE
            if all(_distance(sphere.center, point) <= limit for point in points):
                best = (sphere, list(subset))
    if best is None:
        # Only rounding can end here: five points so flat that no subset passes. Widen the widest pair.
        a, b = max(combinations(points, 2), key=lambda pair: _distance(*pair))
        middle = ((a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5, (a[2] + b[2]) * 0.5)
        return Sphere(middle, max(_distance(middle, point) for point in points)), [a, b]
    return best


def _circumsphere(points: Sequence[Point]) -> Sphere | None:
    """Sphere through one to four points with its centre in their plane; None when they are degenerate."""
    first = points[0]
    edges = [(p[0] - first[0], p[1] - first[1], p[2] - first[2]) for p in points[1:]]
    gram = [[_dot(a, b) for b in edges] for a in edges]
    weights = _solve(gram, [row[i] * 0.5 for i, row in enumerate(gram)])
    if weights is None:
        return None
    shift = [sum(w * edge[axis] for w, edge in zip(weights, edges, strict=True)) for axis in range(3)]
    center = (first[0] + shift[0], first[1] + shift[1], first[2] + shift[2])
    return Sphere(center, max(_distance(center, point) for point in points))


def _solve(matrix: list[list[float]], right: list[float]) -> list[float] | None:
    """Gaussian elimination with pivoting for up to three unknowns; None when singular."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(n):
        pivot = max(range(column, n), key=lambda r: (abs(rows[r][column]), -r))
        if abs(rows[pivot][column]) < 1e-18:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for r in range(n):
            if r != column:
                factor = rows[r][column] / rows[column][column]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[column], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(a: Point) -> Point:
    length = sqrt(_dot(a, a))
    return (a[0] / length, a[1] / length, a[2] / length)


def _distance(a: Point, b: Point) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return sqrt(x * x + y * y + z * z)
