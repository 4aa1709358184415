"""Flat patches of a surface, by region growing.

Definition: geometry notes, section 5. The plane of the seed stays fixed; a neighbour joins when its normal is within
the angle and all its corners within the height of that plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import njit

from engine.geometry.angles import turn_of_degrees
from engine.geometry.clean import CleanMesh
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

FLAT_REL: Final = 0.002
"""Height, in host diagonals, within which a patch counts as flat."""
MIN_SIDE: Final = 0.04
"""A patch has at least the area of a square of this side, in host diagonals."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A nearly flat, connected piece of a mesh, in the mesh's coordinates."""

    normal: FloatArray
    """(3,) unit, the mean over the area."""
    origin: FloatArray
    """(3,) centroid of the area."""
    area: float
    faces: IntArray
    """(N,) int64, ascending."""


@njit(cache=True, nogil=True)
def _grow(
    corners: FloatArray,
    normals: FloatArray,
    seeds: IntArray,
    edge_of: IntArray,
    starts: IntArray,
    members: IntArray,
    cosine: float,
    height: float,
) -> IntArray:
    """Return the patch of each face, numbered by seed; -1 for faces without area."""
    n = len(corners)
    patch = np.full(n, -1, dtype=np.int64)
    queue = np.zeros(n, dtype=np.int64)
    found = 0
    for k in range(len(seeds)):
        seed = seeds[k]
        if patch[seed] >= 0:
            continue
        nx, ny, nz = normals[seed, 0], normals[seed, 1], normals[seed, 2]
        ox, oy, oz = corners[seed, 0, 0], corners[seed, 0, 1], corners[seed, 0, 2]
        patch[seed] = found
        queue[0] = seed
        head, tail = 0, 1
        while head < tail:
            face = queue[head]
            head += 1
            for e in range(3):
                edge = edge_of[face, e]
                for m in range(starts[edge], starts[edge + 1]):
                    other = members[m]
                    if patch[other] >= 0:
                        continue
                    if normals[other, 0] * nx + normals[other, 1] * ny + normals[other, 2] * nz < cosine:
                        continue
                    away = 0.0
                    for c in range(3):
                        x, y, z = corners[other, c, 0] - ox, corners[other, c, 1] - oy, corners[other, c, 2] - oz
                        away = max(away, abs(x * nx + y * ny + z * nz))
                    if away <= height:
                        patch[other] = found
                        queue[tail] = other
                        tail += 1
        found += 1
    return patch


def free_patches(
    mesh: CleanMesh,
    host_diagonal: float,
    min_up: float | None = None,
    angle_deg: float = 5.0,
    height_rel: float = FLAT_REL,
) -> tuple[Patch, ...]:
    """Find the flat patches of a mesh, largest first.

    `host_diagonal` is in the mesh's own units (divide by the scale of its pose). With `min_up`, only patches whose
    normal has at least that Y component; `height_rel` is in host diagonals.

    Raises:
        GeometryError: the diagonal is not above 0.

    """
    if not host_diagonal > 0.0:
        raise GeometryError(f"patches: the host's diagonal is {host_diagonal}, needs to be above 0")
    corners = np.ascontiguousarray(mesh.vertices[mesh.faces])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    doubled = np.sqrt((normals * normals).sum(axis=1))
    normals = normals / np.where(doubled > 0.0, doubled, 1.0)[:, None]
    order: IntArray = np.argsort(-doubled, kind="stable")
    seeds = order[doubled[order] > 0.0]
    edge_of, starts, members = _edge_table(mesh.faces)
    cosine = turn_of_degrees(angle_deg).cos
    labels = _grow(corners, normals, seeds, edge_of, starts, members, cosine, height_rel * host_diagonal)
    patches = [
        _patch_of(corners, normals, doubled, faces)
        for faces in _groups(labels)
        if float(doubled[faces].sum()) / 2.0 >= (MIN_SIDE * host_diagonal) * (MIN_SIDE * host_diagonal)
    ]
    wanted = [patch for patch in patches if min_up is None or patch.normal[1] >= min_up]
    return tuple(sorted(wanted, key=lambda patch: (-patch.area, int(patch.faces[0]))))


def _edge_table(faces: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the edges (F, 3) of each face, and the faces at each edge as row starts and members."""
    ends = np.sort(np.stack([faces, faces[:, [1, 2, 0]]], axis=2).reshape(-1, 2), axis=1)
    keys = ends[:, 0] * (int(faces.max()) + 1) + ends[:, 1]
    unique, edge = np.unique(keys, return_inverse=True)
    edge = edge.reshape(-1).astype(np.int64)
    members: IntArray = np.argsort(edge, kind="stable") // 3
    starts = np.concatenate([[0], np.cumsum(np.bincount(edge, minlength=len(unique)))]).astype(np.int64)
    return np.ascontiguousarray(edge.reshape(-1, 3)), starts, np.ascontiguousarray(members)


def _groups(labels: IntArray) -> list[IntArray]:
    order = np.argsort(labels, kind="stable")
    order = order[labels[order] >= 0]
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


def _patch_of(corners: FloatArray, normals: FloatArray, doubled: FloatArray, faces: IntArray) -> Patch:
    weight = doubled[faces]
    normal = (normals[faces] * weight[:, None]).sum(axis=0)
    middles = corners[faces].sum(axis=1) / 3.0
    return Patch(
        normal=normal / np.sqrt((normal * normal).sum()),
        origin=(middles * weight[:, None]).sum(axis=0) / weight.sum(),
        area=float(weight.sum()) / 2.0,
        faces=np.sort(faces),
    )
