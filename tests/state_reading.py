"""State files as trimesh reads them, slot by slot: an independent way to what the engine wrote."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import fcl
import numpy as np
import trimesh
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
SLOT_PREFIX = "slot_"


@dataclass(frozen=True)
class ReadSlot:
    """What lies below one slot's node."""

    matrix: FloatArray
    """(4, 4) of the slot's node."""
    parts: tuple[FloatArray, ...]
    """World triangles (T, 3, 3) of each node below it: one node a part."""
    looks: tuple[bytes, ...]
    """Hash of the texture coordinates, factors and images of each of these parts."""

    @property
    def triangles(self) -> FloatArray:
        """(T, 3, 3) world triangles of the whole slot."""
        return np.concatenate(self.parts)

    @property
    def diagonal(self) -> float:
        """Diagonal of the slot's world box."""
        corners = self.triangles.reshape(-1, 3)
        return float(np.linalg.norm(corners.max(axis=0) - corners.min(axis=0)))

    @property
    def geometry_digest(self) -> str:
        """Hash of the multiset of world triangles, each turned so that its least corner comes first."""
        triangles = self.triangles
        order = np.lexsort((triangles[:, :, 2], triangles[:, :, 1], triangles[:, :, 0]), axis=1)[:, 0]
        turned = np.stack([triangles[np.arange(len(triangles)), (order + k) % 3] for k in range(3)], axis=1)
        rows = turned.reshape(-1, 9)
        return hashlib.sha256(rows[np.lexsort(rows.T[::-1])].tobytes()).hexdigest()

    @property
    def content_digest(self) -> str:
        """Hash of everything that was read, whatever the order and names of the parts."""
        pairs = zip(self.parts, self.looks, strict=True)
        rows = sorted(hashlib.sha256(triangles.tobytes() + look).digest() for triangles, look in pairs)
        return hashlib.sha256(b"".join([self.matrix.tobytes(), *rows])).hexdigest()


def read_slots(file: Path) -> dict[str, ReadSlot]:
    """Slots of a state file by name."""
    scene = trimesh.load(file, process=False)
    children: dict[str, list[str]] = {}
    for child, parent in scene.graph.transforms.parents.items():
        children.setdefault(parent, []).append(child)
    found = {}
    for name in scene.graph.nodes:
        if name.startswith(SLOT_PREFIX):
            trees = [_walk(top, children) for top in sorted(children.get(name, []))]
            read = [_read_part(scene, nodes) for nodes in trees]
            found[name.removeprefix(SLOT_PREFIX)] = ReadSlot(
                matrix=scene.graph[name][0],
                parts=tuple(triangles for triangles, _ in read if len(triangles)),
                looks=tuple(look for triangles, look in read if len(triangles)),
            )
    return found


def measure_distance(a: FloatArray, b: FloatArray) -> float:
    """Distance of two triangle soups (T, 3, 3) by FCL; 0 when they cross."""
    result = fcl.DistanceResult()
    fcl.distance(_collision_object(a), _collision_object(b), fcl.DistanceRequest(), result)
    return max(float(result.min_distance), 0.0)


def count_pieces(parts: list[FloatArray], reach: float) -> int:
    """Connected pieces of soups of which two belong together when they are at most `reach` apart."""
    owner = list(range(len(parts)))
    for i, a in enumerate(parts):
        for j, b in enumerate(parts[:i]):
            if owner[i] != owner[j] and box_distance(a, b) <= reach and measure_distance(a, b) <= reach:
                old, new = owner[i], owner[j]
                owner = [new if name == old else name for name in owner]
    return len(set(owner))


def is_inside(points: FloatArray, triangles: FloatArray) -> NDArray[np.bool_]:
    """Whether points (N, 3) have a winding number above one half about a soup, by the solid angles of its triangles."""
    total = np.zeros(len(points))
    for triangle in triangles:
        a, b, c = (corner - points for corner in triangle)
        la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        volume = (a * np.cross(b, c)).sum(axis=1)
        edges = la * lb * lc + (a * b).sum(axis=1) * lc + (b * c).sum(axis=1) * la + (c * a).sum(axis=1) * lb
        total += 2.0 * np.arctan2(volume, edges)
    return np.asarray(np.abs(total) > 2.0 * np.pi)


def box_distance(a: FloatArray, b: FloatArray) -> float:
    """Distance of the boxes of two soups: never more than that of the soups."""
    apart = np.maximum(a.min(axis=(0, 1)) - b.max(axis=(0, 1)), b.min(axis=(0, 1)) - a.max(axis=(0, 1)))
    return float(np.linalg.norm(np.maximum(apart, 0.0)))


def _collision_object(triangles: FloatArray) -> fcl.CollisionObject:
    model = fcl.BVHModel()
    model.beginModel(len(triangles), 3 * len(triangles))
    model.addSubModel(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
    model.endModel()
    return fcl.CollisionObject(model)


def _walk(top: str, children: dict[str, list[str]]) -> list[str]:
    found, stack = [], [top]
    while stack:
        name = stack.pop()
        found.append(name)
        stack += sorted(children.get(name, []), reverse=True)
    return found


def _read_part(scene: trimesh.Scene, nodes: list[str]) -> tuple[FloatArray, bytes]:
    """World triangles and look of all meshes of a part, in an order of their own: the loader names them at random."""
    meshes = [(_triangles(scene, node), _look(scene, node)) for node in nodes if scene.graph[node][1] is not None]
    meshes.sort(key=lambda mesh: hashlib.sha256(mesh[0].tobytes()).digest())
    triangles = np.concatenate([np.zeros((0, 3, 3)), *(mesh[0] for mesh in meshes)])
    return triangles, b"".join(mesh[1] for mesh in meshes)


def _triangles(scene: trimesh.Scene, node: str) -> FloatArray:
    matrix, name = scene.graph[node]
    mesh = scene.geometry[name]
    moved = (mesh.vertices[:, None, :] * matrix[None, :3, :3]).sum(axis=2) + matrix[:3, 3]
    return np.asarray(moved[mesh.faces], dtype=np.float64)


def _look(scene: trimesh.Scene, node: str) -> bytes:
    visual = scene.geometry[scene.graph[node][1]].visual
    material = getattr(visual, "material", None)
    uv = getattr(visual, "uv", None)
    image = getattr(material, "baseColorTexture", None)
    factors = [getattr(material, key, None) for key in ("baseColorFactor", "metallicFactor", "roughnessFactor")]
    digest = hashlib.sha256(repr(factors).encode())
    digest.update(b"" if uv is None else np.asarray(uv).tobytes())
    digest.update(b"" if image is None else image.convert("RGBA").tobytes())
    return digest.digest()
