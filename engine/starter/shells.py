"""Closed triangle shells with texture coordinates, and the ways to move and shape them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.starter.outlines import length_of
from engine.starter.trigonometry import cosine_sine
from engine.surfaces import FloatArray, IntArray

Axis = Literal["x", "y", "z"]
AXIS_PAIRS: dict[Axis, tuple[int, int]] = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}


@dataclass(frozen=True, slots=True)
class Shell:
    """One closed, outward facing triangle shell. Y is up; lengths are the modeller's own units."""

    vertices: FloatArray
    """(V, 3) float64."""
    faces: IntArray
    """(F, 3) int64."""
    uvs: FloatArray
    """(F, 3, 2) float64 per corner, in units of length; v grows downwards."""
    period: float = 0.0
    """Length of u after which the surface closes on itself, 0 when it does not."""

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Shell:
        """The shell shifted by (x, y, z)."""
        return replace(self, vertices=self.vertices + np.asarray([[x, y, z]]))

    def scaled(self, x: float, y: float, z: float) -> Shell:
        """The shell stretched about the origin; a mirrored shell is turned inside out again to face outward."""
        vertices = self.vertices * np.asarray([[x, y, z]])
        if x * y * z < 0:
            return replace(self, vertices=vertices, faces=self.faces[:, ::-1], uvs=self.uvs[:, ::-1])
        return replace(self, vertices=vertices)

    def turned(self, axis: Axis, turns: float) -> Shell:
        """The shell turned about an axis through the origin, right-handed, in full turns."""
        cosine, sine = (float(v[0]) for v in cosine_sine(np.asarray([turns])))
        a, b = AXIS_PAIRS[axis]
        vertices = self.vertices.copy()
        vertices[:, a] = self.vertices[:, a] * cosine - self.vertices[:, b] * sine
        vertices[:, b] = self.vertices[:, a] * sine + self.vertices[:, b] * cosine
        return replace(self, vertices=vertices)

    def shaped(self, shape: Callable[[FloatArray], FloatArray]) -> Shell:
        """The shell with its vertices, (V, 3), replaced by a function of them that keeps their order."""
        return replace(self, vertices=shape(self.vertices))

    def swapped_uvs(self) -> Shell:
        """The shell with its texture turned by a quarter."""
        return replace(self, uvs=self.uvs[:, :, ::-1], period=0.0)

    def boxed_uvs(self) -> Shell:
        """The shell with its texture projected along the axis each face looks along most, upright on the sides."""
        corners = self.vertices[self.faces]
        normal = np.abs(cross_products(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
        facing = np.argmax(normal, axis=1)
        planes = [(2, 1, -1.0), (0, 2, 1.0), (0, 1, -1.0)]
        mapped = [np.stack([corners[:, :, u], sign * corners[:, :, v]], axis=2) for u, v, sign in planes]
        return replace(self, uvs=np.choose(facing[:, None, None], mapped), period=0.0)


def signed_volume(vertices: FloatArray, faces: IntArray) -> float:
    """Volume of a closed shell, positive when it faces outward."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    cross = cross_products(b, c)
    parts = a[:, 0] * cross[:, 0] + a[:, 1] * cross[:, 1] + a[:, 2] * cross[:, 2]
    return float(np.cumsum(parts)[-1]) / 6.0


def cross_products(a: FloatArray, b: FloatArray) -> FloatArray:
    """(N, 3) cross products, elementwise."""
    return np.stack(
        [
            a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1],
            a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
            a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0],
        ],
        axis=1,
    )


def outward(vertices: FloatArray, faces: IntArray, uvs: FloatArray, period: float = 0.0) -> Shell:
    """A shell from a closed surface whose winding may be either way round."""
    if signed_volume(vertices, faces) < 0:
        faces, uvs = faces[:, ::-1], uvs[:, ::-1]
    return Shell(vertices, np.ascontiguousarray(faces), np.ascontiguousarray(uvs), period)


def corner_normals(vertices: FloatArray, faces: IntArray, crease: float) -> FloatArray:
    """(F, 3, 3) unit normals: at each corner the area-weighted mean of the faces within the crease.

    crease: cosine of the angle up to which two faces at a vertex are shaded as one surface.
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = cross_products(b - a, c - a)
    unit = area / np.maximum(length_of(area), 1e-30)[:, None]
    corner_vertex = faces.reshape(-1)
    order = np.argsort(corner_vertex, kind="stable")
    counts = np.bincount(corner_vertex, minlength=len(vertices))
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)[:-1]])
    repeats = counts[corner_vertex[order]]
    first = np.repeat(order, repeats)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    second = order[np.repeat(starts[corner_vertex[order]], repeats) + offset]
    f, g = first // 3, second // 3
    agree = unit[f, 0] * unit[g, 0] + unit[f, 1] * unit[g, 1] + unit[f, 2] * unit[g, 2] > crease
    agree |= f == g
    sums: FloatArray = np.stack(
        [np.bincount(first[agree], weights=area[g[agree], k], minlength=3 * len(faces)) for k in range(3)], axis=1
    )
    sums = sums / np.maximum(length_of(sums), 1e-30)[:, None]
    return sums.reshape(-1, 3, 3)
