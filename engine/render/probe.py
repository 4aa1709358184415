"""Colour and coverage at chosen points: what tests, inspection and texture checks ask."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

import numpy as np

from engine.framing import Camera, Point
from engine.render.materials import SurfacePoints, measure_base_color
from engine.render.raycast import render
from engine.render.scene import RenderPiece, build_scene, prepare_piece
from engine.surfaces import FloatArray, Surface


def sample_base_color(surface: Surface, point: Point) -> tuple[float, float, float, float]:
    """Sample the base colour (factor x texture x vertex colour) in linear RGBA where a surface is nearest to `point`.

    `point` is in part coordinates; of equally near triangles the first in the order of engine.surface_order counts.
    Alpha is not judged by the alpha mode. Raises ValueError when the surface has no triangle, InputError when its
    texture cannot be decoded.
    """
    piece = prepare_piece(RenderPiece("probe", (surface,)))
    if len(piece.corners) == 0:
        raise ValueError("cannot sample a surface without triangles")
    u, v, distance = _nearest_on_triangles(piece.corners, point)
    index = int(np.argmin(distance))
    place = np.array([index], dtype=np.int64)
    color = measure_base_color(piece, SurfacePoints(place, u[place], v[place], np.zeros(1)))[0]
    return (float(color[0]), float(color[1]), float(color[2]), float(color[3]))


def render_color_at(pieces: Sequence[RenderPiece], point: Point, towards: Point) -> tuple[int, int, int, int]:
    """RGBA (8 bit, sRGB) of the picture's pixel that looks at `point` from direction `towards`.

    The camera looks from far away along -towards, so neither perspective nor neighbouring pixels matter.
    """
    picture = render(build_scene(pieces), _camera_at(pieces, point, towards), size=1, supersample=1)
    r, g, b, a = picture[0, 0].tolist()
    return (r, g, b, a)


def render_alpha_at(pieces: Sequence[RenderPiece], point: Point, towards: Point = (0.0, 1.0, 0.0)) -> float:
    """Coverage in [0, 1] of the pixel that looks at `point`; by default from above."""
    return render_color_at(pieces, point, towards)[3] / 255.0


def _camera_at(pieces: Sequence[RenderPiece], point: Point, towards: Point) -> Camera:
    """Place a narrow camera that looks at a point from outside the state."""
    length = sqrt(sum(c * c for c in towards))
    back = (towards[0] / length, towards[1] / length, towards[2] / length)
    guide = (0.0, 1.0, 0.0) if abs(back[1]) < 0.9 else (0.0, 0.0, -1.0)
    right = _unit(_cross(guide, back))
    prepared = [piece for piece in build_scene(pieces).pieces if len(piece.ray_triangles)]
    boxes = [piece.box for piece in prepared]
    corners = [[float(box[i, axis]) for box in boxes for i in (0, 1)] for axis in range(3)]
    far = max((max(abs(c - point[axis]) for c in corners[axis]) for axis in range(3) if corners[axis]), default=1.0)
    distance = far * 8.0 or 1.0
    return Camera(
        position=(point[0] + back[0] * distance, point[1] + back[1] * distance, point[2] + back[2] * distance),
        right=right,
        up=_cross(back, right),
        forward=(-back[0], -back[1], -back[2]),
        tan_half=1e-4,
    )


def _nearest_on_triangles(corners: FloatArray, point: Point) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Corner weights u, v of the nearest point of each (T, 3, 3) triangle, and its distance: inside or on an edge."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    to = np.array(point) - a
    bb, bc, cc, tb, tc = _dot(ab, ab), _dot(ab, ac), _dot(ac, ac), _dot(to, ab), _dot(to, ac)
    area = bb * cc - bc * bc
    flat = area <= 0
    safe = np.where(flat, 1.0, area)
    u, v = (cc * tb - bc * tc) / safe, (bb * tc - bc * tb) / safe
    inside = ~flat & (u >= 0) & (v >= 0) & (u + v <= 1)
    along_b, along_c = _share(tb, bb), _share(tc, cc)
    side = _share(tc - tb + bb - bc, bb + cc - 2.0 * bc)
    best_u, best_v = np.where(inside, u, 0.0), np.where(inside, v, 0.0)
    best = np.where(inside, _distance(to, ab, ac, u, v), inf)
    for edge_u, edge_v in ((along_b, along_b * 0.0), (along_c * 0.0, along_c), (1.0 - side, side)):
        distance = _distance(to, ab, ac, edge_u, edge_v)
        nearer = distance < best
        best = np.where(nearer, distance, best)
        best_u, best_v = np.where(nearer, edge_u, best_u), np.where(nearer, edge_v, best_v)
    return best_u, best_v, best


def _share(along: FloatArray, whole: FloatArray) -> FloatArray:
    return np.asarray(np.clip(np.divide(along, whole, out=np.zeros_like(along), where=whole > 0), 0.0, 1.0))


def _distance(to: FloatArray, ab: FloatArray, ac: FloatArray, u: FloatArray, v: FloatArray) -> FloatArray:
    rest = to - ab * u[:, None] - ac * v[:, None]
    return np.asarray(np.sqrt(_dot(rest, rest)))


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2])


def _cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(a: Point) -> Point:
    length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    return (a[0] / length, a[1] / length, a[2] / length)
