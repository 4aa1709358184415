"""Other rays than those of the pictures: float64, the project's own hierarchy, the camera's definition.

What they share with the pictures: the triangles of a piece in world coordinates, and what is transparent in a material.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from engine.framing import Camera
from engine.geometry.bvh import Bvh, build_bvh
from engine.geometry.rays import cast_rays
from engine.render.casting import CLEAR_ALPHA, MAX_LAYERS, STEP_PAST
from engine.render.materials import SurfacePoints, measure_alpha
from engine.render.scene import PreparedPiece, RenderScene
from engine.surfaces import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class WitnessPiece:
    """One piece with a hierarchy over all its finite triangles, repeats and degenerate ones included."""

    piece: PreparedPiece
    tree: Bvh | None
    """None when there is no triangle."""
    triangles: IntArray
    """The piece's triangle behind each face of the hierarchy."""


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """The pieces of a state in the order of its scene; built once for all views."""

    pieces: tuple[WitnessPiece, ...]
    radius: float
    """Half the diagonal of the box around all pieces, world units."""

    def look(self, camera: Camera, size: int, pixel: IntArray, shift: tuple[float, float] = (0.0, 0.0)) -> FloatArray:
        """(N, P) depth of each piece's first surface that is not fully clear, as if alone; infinite where none is.

        Rays go through the centres of pixels (N,), row * size + column, moved right and down by `shift` in pixels.
        Raises InputError when a texture cannot be decoded.
        """
        direction = _directions(camera, size, pixel, shift)
        width = 2.0 * camera.tan_half / size
        columns = [_first_depths(piece, camera, direction, width) for piece in self.pieces]
        return np.stack(columns, axis=1) if columns else np.zeros((len(pixel), 0))


def build_witness(scene: RenderScene) -> Witness:
    """Build the hierarchies of a scene's pieces."""
    pieces = tuple(_build_piece(piece) for piece in scene.pieces)
    boxes = [piece.tree.bounds for piece in pieces if piece.tree is not None]
    if not boxes:
        return Witness(pieces, 0.0)
    sides = np.max([box[1] for box in boxes], axis=0) - np.min([box[0] for box in boxes], axis=0)
    return Witness(pieces, 0.5 * sqrt(sum(float(side * side) for side in sides)))


def _build_piece(piece: PreparedPiece) -> WitnessPiece:
    finite = np.flatnonzero(np.isfinite(piece.corners).all(axis=(1, 2)))
    if len(finite) == 0:
        return WitnessPiece(piece, None, finite)
    faces = np.arange(3 * len(finite), dtype=np.int64).reshape(-1, 3)
    return WitnessPiece(piece, build_bvh(piece.corners[finite].reshape(-1, 3), faces), finite)


def _directions(camera: Camera, size: int, pixel: IntArray, shift: tuple[float, float]) -> FloatArray:
    """(N, 3) directions that advance one unit of depth."""
    across = (2.0 * (pixel % size + 0.5 + shift[0]) / size - 1.0) * camera.tan_half
    upward = (1.0 - 2.0 * (pixel // size + 0.5 + shift[1]) / size) * camera.tan_half
    return np.asarray(
        np.array(camera.forward) + across[:, None] * np.array(camera.right) + upward[:, None] * np.array(camera.up)
    )


def _first_depths(piece: WitnessPiece, camera: Camera, direction: FloatArray, width: float) -> FloatArray:
    """(N,) depth of the first surface that is not fully clear; `width` is that of a pixel at depth 1."""
    depth = np.full(len(direction), np.inf)
    if piece.tree is None:
        return depth
    position = np.array(camera.position)
    ray, start = np.arange(len(direction)), np.zeros(len(direction))
    for _ in range(MAX_LAYERS):
        distance, face = cast_rays(
            piece.tree, position + direction[ray] * start[:, None], direction[ray], any_hit=False
        )
        met = face >= 0
        ray, reached = ray[met], start[met] + distance[met]
        triangle = piece.triangles[face[met]]
        seen = _is_seen(piece.piece, triangle, position + direction[ray] * reached[:, None], reached * width)
        depth[ray[seen]] = reached[seen]
        ray, start = ray[~seen], reached[~seen] + STEP_PAST / piece.piece.scale
        if len(ray) == 0:
            break
    return depth


def _is_seen(piece: PreparedPiece, triangle: IntArray, point: FloatArray, footprint: FloatArray) -> BoolArray:
    """(N,) whether points on triangles of a piece are not fully clear."""
    seen = np.ones(len(triangle), dtype=bool)
    asked = np.flatnonzero(piece.layered[triangle])
    if len(asked):
        some = triangle[asked]
        u, v = _corner_weights(piece.corners[some], piece.face_normals[some], point[asked])
        seen[asked] = measure_alpha(piece, SurfacePoints(some, u, v, footprint[asked])) >= CLEAR_ALPHA
    return seen


def _corner_weights(corners: FloatArray, normal: FloatArray, point: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(N,) weights of the second and third corner: areas against them, over the whole."""
    first, second, to = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], point - corners[:, 0]
    whole = _triple(first, second, normal)
    safe = np.where(whole == 0.0, 1.0, whole)
    return np.clip(_triple(to, second, normal) / safe, 0.0, 1.0), np.clip(_triple(first, to, normal) / safe, 0.0, 1.0)


def _triple(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """(N,) determinants of rows."""
    return np.asarray(
        (a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]) * c[:, 0]
        + (a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]) * c[:, 1]
        + (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) * c[:, 2]
    )
