"""Rays through the sub-pixels of a picture, and what they meet on one piece.

Embree decides in float32 which triangle a ray meets; where it meets it is computed again in float64, so no value of
a picture comes from Embree's own arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.framing import Camera
from engine.render.materials import SurfacePoints, measure_alpha
from engine.render.scene import PreparedPiece
from engine.surfaces import BoolArray, FloatArray, IntArray

MAX_LAYERS = 16
"""Surfaces of one piece that a ray may pass before the rest is taken as empty."""
STEP_PAST = 1e-5
"""How far behind a hit the ray goes on, as a share of the piece's longest side."""
FINENESS = 512
"""Sub-pixels on a side of the picture at whose fineness textures say what a point's ray passes through."""
SOLID_ALPHA = 254.5 / 255.0
CLEAR_ALPHA = 0.5 / 255.0


class Raster(NamedTuple):
    """A camera and how many sub-pixels its picture has on a side; sub-pixel index = row * width + column."""

    camera: Camera
    width: int


class Window(NamedTuple):
    """Half-open sub-pixel ranges that hold a piece's picture, and a depth all of it lies behind."""

    left: int
    right: int
    top: int
    bottom: int
    near: float


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where rays meet a piece; all arrays have one entry for each hit."""

    pixel: IntArray
    """Sub-pixel index."""
    triangle: IntArray
    u: FloatArray
    """Weight of the triangle's second corner."""
    v: FloatArray
    """Weight of the third."""
    depth: FloatArray
    """Distance along the camera's forward axis, world units."""

    def take(self, chosen: NDArray[np.bool_] | IntArray) -> Hits:
        """Keep the chosen hits."""
        return Hits(self.pixel[chosen], self.triangle[chosen], self.u[chosen], self.v[chosen], self.depth[chosen])


class PieceHits(NamedTuple):
    """What the rays of a window meet on one piece."""

    solid: Hits
    """At most one a ray: the first that lets nothing through."""
    layers: Hits
    """Translucent ones in front of it, in no order."""


def ray_directions(raster: Raster, pixel: IntArray) -> FloatArray:
    """(N, 3) of the rays through sub-pixel centres, scaled to advance one unit of depth."""
    return np.asarray(_row_part(raster, pixel // raster.width) + _column_part(raster, pixel % raster.width))


def _row_part(raster: Raster, row: IntArray) -> FloatArray:
    upward = ((raster.width - 1) - row * 2) * (raster.camera.tan_half / raster.width)
    return np.asarray(np.array(raster.camera.forward) + upward[:, None] * np.array(raster.camera.up))


def _column_part(raster: Raster, column: IntArray) -> FloatArray:
    across = (column * 2 + (1 - raster.width)) * (raster.camera.tan_half / raster.width)
    return np.asarray(across[:, None] * np.array(raster.camera.right))


def find_window(piece: PreparedPiece, raster: Raster) -> Window | None:
    """Find the part of the picture a piece can show in; None when it shows nowhere."""
    if piece.rays is None:
        return None
    camera, width = raster
    ends = [[float(piece.box[i, axis]) - camera.position[axis] for i in (0, 1)] for axis in range(3)]
    corners = [(x, y, z) for x in ends[0] for y in ends[1] for z in ends[2]]
    depths = [sum(c * f for c, f in zip(corner, camera.forward, strict=True)) for corner in corners]
    if max(depths) <= 0:
        return None
    margin = STEP_PAST / piece.scale
    if min(depths) <= margin:
        # The piece reaches behind the camera: nothing can be left out.
        return Window(0, width, 0, width, 0.0)
    across, down = [], []
    for corner, depth in zip(corners, depths, strict=True):
        half = depth * camera.tan_half
        across.append((sum(c * r for c, r in zip(corner, camera.right, strict=True)) / half + 1) * 0.5 * width)
        down.append((1 - sum(c * u for c, u in zip(corner, camera.up, strict=True)) / half) * 0.5 * width)
    window = Window(
        left=max(0, int(max(min(across), 0.0)) - 1),
        right=min(width, int(min(max(across), float(width))) + 2),
        top=max(0, int(max(min(down), 0.0)) - 1),
        bottom=min(width, int(min(max(down), float(width))) + 2),
        near=min(depths) - margin,
    )
    return window if window.left < window.right and window.top < window.bottom else None


def overlap_of(window: Window, other: Window) -> Window | None:
    """Find what two windows share, at the first one's depth; None when they are apart."""
    shared = Window(
        max(window.left, other.left),
        min(window.right, other.right),
        max(window.top, other.top),
        min(window.bottom, other.bottom),
        window.near,
    )
    return shared if shared.left < shared.right and shared.top < shared.bottom else None


def cast_window(piece: PreparedPiece, raster: Raster, window: Window) -> PieceHits:
    """Everything the rays of a window see of one piece, up to the first hit that lets nothing through."""
    rows, columns = np.arange(window.top, window.bottom), np.arange(window.left, window.right)
    pixel = np.asarray((rows[:, None] * raster.width + columns[None, :]).reshape(-1), dtype=np.int64)
    # The same sums as in ray_directions, over the grid at once.
    direction = (_row_part(raster, rows)[:, None] + _column_part(raster, columns)[None]).reshape(-1, 3)
    return _cast_rays(piece, raster, pixel, direction, window.near, lambda passed: ray_directions(raster, passed))


def cast_pixels(piece: PreparedPiece, raster: Raster, pixel: IntArray) -> PieceHits:
    """The same for chosen sub-pixels (N,): hit for hit what `cast_window` finds there."""
    window = find_window(piece, raster)
    if window is None or len(pixel) == 0:
        return PieceHits(no_hits(), no_hits())
    return _cast_rays(
        piece, raster, pixel, ray_directions(raster, pixel), window.near, lambda passed: ray_directions(raster, passed)
    )


def find_seen(pieces: Sequence[PreparedPiece], camera: Camera, points: FloatArray, slack: float) -> BoolArray:
    """Which of (N, 3) world points in front of a camera no solid surface hides.

    A surface at most `slack` world units in front of a point is taken for the one it lies on.

    Raises InputError when a texture that decides what is transparent cannot be decoded.
    """
    offset = points - np.array(camera.position)
    forward = camera.forward
    depth = offset[:, 0] * forward[0] + offset[:, 1] * forward[1] + offset[:, 2] * forward[2]
    direction = offset / depth[:, None]
    ray = np.arange(len(points))
    raster = Raster(camera, FINENESS)
    nearest = np.full(len(points), np.inf)
    for piece in pieces:
        window = find_window(piece, raster)
        if window is not None:
            hits = _cast_rays(piece, raster, ray, direction, window.near, lambda passed: direction[passed]).solid
            nearest[hits.pixel] = np.minimum(nearest[hits.pixel], hits.depth)
    return np.asarray(nearest >= depth - slack)


def no_hits() -> Hits:
    """Nothing met."""
    none = np.zeros(0, dtype=np.int64)
    return Hits(none, none, np.zeros(0), np.zeros(0), np.zeros(0))


def _cast_rays(
    piece: PreparedPiece,
    raster: Raster,
    pixel: IntArray,
    direction: FloatArray,
    near: float,
    direct: Callable[[IntArray], FloatArray],
) -> PieceHits:
    """What rays numbered `pixel` meet behind a depth; `direct` gives the (N, 3) directions of rays by number."""
    hits = _first_hits(piece, raster, pixel, direction, near)
    if not piece.layered.any():
        return PieceHits(hits, hits.take(np.zeros(0, dtype=np.int64)))
    solids, layers = [], []
    step = STEP_PAST / piece.scale
    for _ in range(MAX_LAYERS):
        solid, translucent = _tell_apart(piece, raster, hits)
        solids.append(hits.take(solid))
        layers.append(hits.take(translucent))
        passed = hits.take(~solid)
        if len(passed.pixel) == 0:
            break
        direction = direct(passed.pixel)
        hits = _first_hits(piece, raster, passed.pixel, direction, passed.depth[:, None] + step)
    return PieceHits(join_hits(solids), join_hits(layers))


def points_of(hits: Hits, raster: Raster) -> SurfacePoints:
    """Where materials are asked for, with the world width of a sub-pixel at each hit's depth."""
    footprint = hits.depth * (2.0 * raster.camera.tan_half / raster.width)
    return SurfacePoints(hits.triangle, hits.u, hits.v, footprint)


def _tell_apart(piece: PreparedPiece, raster: Raster, hits: Hits) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which hits stop the ray, and which tint it; the rest is as if not there."""
    solid = ~piece.layered[hits.triangle]
    translucent = np.zeros(len(solid), dtype=bool)
    asked = np.flatnonzero(~solid)
    if len(asked):
        some = hits.take(asked)
        alpha = measure_alpha(piece, points_of(some, raster))
        solid[asked] = alpha >= SOLID_ALPHA
        translucent[asked] = (alpha < SOLID_ALPHA) & (alpha >= CLEAR_ALPHA)
    return solid, translucent


def _first_hits(
    piece: PreparedPiece, raster: Raster, pixel: IntArray, direction: FloatArray, start: FloatArray | float
) -> Hits:
    """First triangles behind a depth (one, or (N, 1)) on the rays of `pixel` (N,) with `direction` (N, 3)."""
    eye = (np.array(raster.camera.position) - piece.origin) * piece.scale
    begin = direction * (start * piece.scale) + eye
    primitives = piece.rays.run(begin.astype(np.float32), direction.astype(np.float32))
    met = np.flatnonzero(primitives >= 0)
    triangle = piece.ray_triangles[primitives[met]]
    u, v, depth = _meet(piece.corners[triangle], raster.camera, direction[met])
    return Hits(pixel[met], triangle, u, v, depth)


def _meet(corners: FloatArray, camera: Camera, direction: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Corner weights and depth at which rays from the camera meet their (N, 3, 3) triangles, kept inside them."""
    dx, dy, dz = direction[:, 0], direction[:, 1], direction[:, 2]
    ax, ay, az = (corners[:, 0, i] - camera.position[i] for i in range(3))
    bx, by, bz = (corners[:, 1, i] - corners[:, 0, i] for i in range(3))
    cx, cy, cz = (corners[:, 2, i] - corners[:, 0, i] for i in range(3))
    px, py, pz = dy * cz - dz * cy, dz * cx - dx * cz, dx * cy - dy * cx
    area = bx * px + by * py + bz * pz
    inverse = np.divide(1.0, area, out=np.zeros_like(area), where=area != 0)
    qx, qy, qz = az * by - ay * bz, ax * bz - az * bx, ay * bx - ax * by
    u = np.clip(-(ax * px + ay * py + az * pz) * inverse, 0.0, 1.0)
    v = np.clip((dx * qx + dy * qy + dz * qz) * inverse, 0.0, 1.0)
    over = np.maximum(u + v, 1.0)
    u, v = u / over, v / over
    x, y, z = ax + u * bx + v * cx, ay + u * by + v * cy, az + u * bz + v * cz
    forward = camera.forward
    return u, v, x * forward[0] + y * forward[1] + z * forward[2]


def join_hits(parts: Sequence[Hits]) -> Hits:
    """All hits of one or more parts, in their order."""
    return Hits(
        np.concatenate([part.pixel for part in parts]),
        np.concatenate([part.triangle for part in parts]),
        np.concatenate([part.u for part in parts]),
        np.concatenate([part.v for part in parts]),
        np.concatenate([part.depth for part in parts]),
    )
