"""Meshes for the tests of surface scores, as (vertices, faces), and real hosts with their parts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import trimesh

from engine.surfaces import FloatArray, IntArray
from evaluator.metrics.sampling import FramedSurface, frame_surface

Mesh = tuple[FloatArray, IntArray]


def arrays(mesh: trimesh.Trimesh) -> Mesh:
    """Take plain arrays out of a trimesh mesh."""
    return np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)


def joined(*meshes: Mesh) -> Mesh:
    """Put meshes side by side without merging anything."""
    offsets = np.cumsum([0, *(len(v) for v, _ in meshes[:-1])])
    faces = [f + o for (_, f), o in zip(meshes, offsets, strict=True)]
    return np.concatenate([v for v, _ in meshes]), np.concatenate(faces)


def read_file(path: Path) -> Mesh:
    """Read all triangles of a glTF file as one soup, in world coordinates."""
    return joined(*(arrays(mesh) for mesh in trimesh.load_scene(path, process=False).dump()))


def stored_otherwise(mesh: Mesh, seed: int) -> Mesh:
    """Store the same triangles unwelded, with unused vertices, in another face order, rolled and some turned over."""
    rng = np.random.default_rng(seed)
    vertices, faces = mesh
    corners = vertices[faces][rng.permutation(len(faces))]
    roll = (rng.integers(0, 3, len(faces))[:, None] + np.arange(3)) % 3
    corners = np.take_along_axis(corners, roll[:, :, None], axis=1)
    turned = rng.random(len(faces)) < 0.5
    corners[turned] = corners[turned][:, ::-1]
    points = np.concatenate([rng.random((5, 3)), corners.reshape(-1, 3)])
    place = rng.permutation(len(points))
    stored = np.zeros_like(points)
    stored[place] = points
    return stored, place[5 + np.arange(3 * len(faces))].reshape(-1, 3)


def random_soup(seed: int, most: int = 40) -> Mesh:
    """Make a soup in the cube [-0.5, 0.5]^3: scattered, or touching and coplanar with copies, or with needles."""
    rng = np.random.default_rng(seed)
    corners = rng.random((int(rng.integers(1, most + 1)), 3, 3)) - 0.5
    kind = rng.integers(3)
    if kind == 1:
        corners = np.round(corners * 4.0) / 4.0
        corners[0] = [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]]  # one has area for certain
        corners = np.concatenate([corners, corners[: len(corners) // 2]])
    elif kind == 2:
        corners[::2, 2] = corners[::2, 1] + 10.0 ** rng.uniform(-9.0, -4.0) * rng.random((len(corners[::2]), 3))
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


def square(steps: int = 4, side: float = 1.0) -> Mesh:
    """Make a square in the plane z = 0 about the origin, of 2 steps^2 triangles."""
    line = np.arange(steps + 1) / steps * side - side / 2.0
    x, y = np.meshgrid(line, line, indexing="ij")
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    corner = (np.arange(steps)[:, None] * (steps + 1) + np.arange(steps)).ravel()
    a, b, c, d = corner, corner + steps + 1, corner + steps + 2, corner + 1
    return vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def unit_frame(mesh: Mesh) -> FramedSurface:
    """Bring a mesh into the frame at the origin with side 1: frame units are its own."""
    return frame_surface(*mesh, (0.0, 0.0, 0.0), 1.0)


@dataclass(frozen=True)
class RealHost:
    """A part-segmented object in a frame of its own."""

    name: str
    mesh: Mesh
    labels: IntArray
    """(F,) the part of each face."""
    center: FloatArray
    side: float

    def framed(self, mesh: Mesh) -> FramedSurface:
        """Bring a mesh into the host's frame."""
        return frame_surface(*mesh, self.center, self.side)

    def without(self, part: int) -> Mesh:
        """Leave a part out."""
        return self.mesh[0], self.mesh[1][self.labels != part]

    def part(self, part: int) -> Mesh:
        """Return a part alone."""
        return self.mesh[0], self.mesh[1][self.labels == part]

    def parts_with_shares(self) -> list[tuple[int, float]]:
        """Return the parts with their share of the area."""
        areas = [(int(k), self.framed(self.part(k)).area) for k in np.unique(self.labels)]
        return [(k, area / sum(a for _, a in areas)) for k, area in areas]


@cache
def real_hosts(data_dir: Path) -> tuple[RealHost, ...]:
    """Read all hosts of the shared data, in the order of their names."""
    hosts = []
    for folder in sorted((data_dir / "partverse_dev" / "anno_infos").iterdir()):
        scene = trimesh.load_scene(folder / f"{folder.name}_segmented.glb", process=False, skip_materials=True)
        vertices, faces = joined(*(arrays(mesh) for mesh in scene.dump()))
        table = json.loads((folder / f"{folder.name}_face2label.json").read_text(encoding="utf-8"))
        labels = np.array([table[str(k)] for k in range(len(faces))])
        used = vertices[faces].reshape(-1, 3)
        low, high = used.min(axis=0), used.max(axis=0)
        hosts.append(RealHost(folder.name, (vertices, faces), labels, (low + high) / 2.0, float((high - low).max())))
    return tuple(hosts)
