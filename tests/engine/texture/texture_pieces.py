"""Pieces for the texture tests: small ones by hand, real ones read by trimesh as an independent reader."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import trimesh
from numpy.typing import NDArray
from PIL import Image

from engine.surfaces import Float32Array, FloatArray, IntArray, Material, Surface


def pixels_of(png: bytes) -> NDArray[np.uint8]:
    """Decode the (H, W, 3) sRGB pixels of a baked image with Pillow."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)


def mean_color(png: bytes) -> tuple[float, float, float]:
    """Average the sRGB colour over all pixels of a baked image."""
    red, green, blue = (float(value) for value in pixels_of(png).reshape(-1, 3).mean(axis=0) / 255.0)
    return red, green, blue


def make_surface(positions: FloatArray, faces: IntArray, uv: Float32Array | None = None) -> Surface:
    """Make a read-only surface with a plain material."""
    points, corners = np.array(positions, dtype=np.float64), np.array(faces, dtype=np.int64).reshape(-1, 3)
    points.setflags(write=False)
    corners.setflags(write=False)
    return Surface(points, corners, None, () if uv is None else (np.asarray(uv, dtype=np.float32),), None, Material())


def make_box(size: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Surface:
    """Make a closed box of twelve triangles with shared vertices."""
    box = trimesh.creation.box(extents=size)
    return make_surface(box.vertices, box.faces)


def make_ball(subdivisions: int = 3) -> Surface:
    """Make an icosphere of radius 1."""
    ball = trimesh.creation.icosphere(subdivisions=subdivisions)
    return make_surface(ball.vertices, ball.faces)


def make_square(uv_size: float = 1.0, *, copies: int = 1) -> Surface:
    """Make a unit square in the XY plane whose coordinates fill `uv_size` of the image, `copies` times on top."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    flat = np.concatenate([np.column_stack([corners, np.full(4, float(k))]) for k in range(copies)])
    faces = np.concatenate([np.array([[0, 1, 2], [0, 2, 3]]) + 4 * k for k in range(copies)])
    return make_surface(flat, faces, np.tile(corners, (copies, 1)) * uv_size)


def read_surfaces(path: Path) -> tuple[Surface, ...]:
    """Read the triangle meshes of a GLB with their node transforms applied."""
    scene = trimesh.load(path, process=False, force="scene")
    surfaces = []
    for node in scene.graph.nodes_geometry:
        matrix, geometry = scene.graph[node]
        mesh = scene.geometry[geometry]
        uv = getattr(mesh.visual, "uv", None)
        flipped = None if uv is None else np.column_stack([uv[:, 0], 1.0 - uv[:, 1]])
        surfaces.append(make_surface(trimesh.transform_points(mesh.vertices, matrix), mesh.faces, flipped))
    return tuple(surfaces)


def triangle_multiset(positions: FloatArray, faces: IntArray) -> FloatArray:
    """List the triangles (F, 9) as sorted rows: equal for equal multisets, whatever the vertex numbering."""
    rows = positions[faces].reshape(len(faces), 9)
    return rows[np.lexsort(rows.T[::-1])]
