"""Analytic meshes for the geometry tests, as (vertices, faces)."""

from __future__ import annotations

from pathlib import Path

import fcl
import numpy as np
import trimesh
from numpy.typing import ArrayLike

from engine.geometry.similarity import compose, similarity, unit
from engine.surfaces import FloatArray, IntArray

Mesh = tuple[FloatArray, IntArray]


def arrays(mesh: trimesh.Trimesh) -> Mesh:
    """Take plain arrays out of a trimesh mesh."""
    return np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)


def box(size: tuple[float, float, float] = (1.0, 1.0, 1.0), centre: tuple[float, float, float] = (0, 0, 0)) -> Mesh:
    """Make a closed box, outward."""
    vertices, faces = arrays(trimesh.creation.box(size))
    return vertices + np.array(centre), faces


def ball(subdivisions: int = 3, radius: float = 1.0) -> Mesh:
    """Make an icosphere."""
    return arrays(trimesh.creation.icosphere(subdivisions=subdivisions, radius=radius))


def cylinder(radius: float, height: float, sections: int = 64) -> Mesh:
    """Make a closed cylinder about Z."""
    return arrays(trimesh.creation.cylinder(radius=radius, height=height, sections=sections))


def soup(*meshes: Mesh) -> Mesh:
    """Join meshes without merging anything."""
    offsets = np.cumsum([0, *(len(v) for v, _ in meshes[:-1])])
    return np.concatenate([v for v, _ in meshes]), np.concatenate(
        [f + o for (_, f), o in zip(meshes, offsets, strict=True)]
    )


def arrays_of_file(path: Path) -> Mesh:
    """Read all triangles of a glTF file as one soup, in world coordinates."""
    return soup(*(arrays(mesh) for mesh in trimesh.load_scene(path, process=False).dump()))


def shuffled(mesh: Mesh, seed: int = 0) -> Mesh:
    """Store the same surface with other vertex numbers, face order and first corners."""
    rng = np.random.default_rng(seed)
    vertices, faces = mesh
    place = rng.permutation(len(vertices))
    moved = np.zeros_like(vertices)
    moved[place] = vertices
    faces = place[faces][rng.permutation(len(faces))]
    roll = (rng.integers(0, 3, len(faces))[:, None] + np.arange(3)) % 3
    return moved, np.take_along_axis(faces, roll, axis=1)


def fcl_object(mesh: Mesh) -> fcl.CollisionObject:
    """Hand a mesh to the independent collision library."""
    vertices, faces = mesh
    assert len(faces) > 0, "the library crashes on no faces"
    model = fcl.BVHModel()
    model.beginModel(len(vertices), len(faces))
    model.addSubModel(vertices, faces)
    model.endModel()
    return fcl.CollisionObject(model)


def fcl_distance(a: Mesh, b: Mesh) -> float:
    """Measure the distance of two meshes independently; 0 when they cross."""
    return max(0.0, float(fcl.distance(fcl_object(a), fcl_object(b), fcl.DistanceRequest(), fcl.DistanceResult())))


def fcl_collide(a: Mesh, b: Mesh) -> bool:
    """Tell independently whether two surfaces touch."""
    return bool(fcl.collide(fcl_object(a), fcl_object(b), fcl.CollisionRequest(), fcl.CollisionResult()))


def rotation_between(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the smallest rotation (3, 3) that turns direction `a` into direction `b`, by square roots alone.

    Opposite directions give a half turn about the vertical where `a` is not itself nearly vertical, else about an axis
    near X.
    """
    start, end = unit(a), unit(b)
    if (start * end).sum() >= 0.0:
        return _turn_of_acute(start, end)
    axis = np.cross(start, end)
    if (axis * axis).sum() < 1e-20:
        seed = np.array([0.0, 1.0, 0.0]) if abs(start[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
        axis = seed
    # The cross product of nearly opposite directions is rounding; upright on `start` it still makes an exact half turn.
    axis = unit(axis)
    axis = unit(axis - (axis * start).sum() * start)
    half_turn = 2.0 * axis[:, None] * axis[None, :] - np.eye(3)
    return compose(_padded(_turn_of_acute(-start, end)), _padded(half_turn))[:3, :3].copy()


def _turn_of_acute(start: FloatArray, end: FloatArray) -> FloatArray:
    """Rodrigues' formula for unit vectors at most a right angle apart."""
    x, y, z = np.cross(start, end)
    cosine = float((start * end).sum())
    axis = np.array([x, y, z])
    crossed = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(cosine * np.eye(3) + crossed + axis[:, None] * axis[None, :] / (1.0 + cosine))


def _padded(rotation: FloatArray) -> FloatArray:
    return similarity(1.0, rotation, np.zeros(3))
