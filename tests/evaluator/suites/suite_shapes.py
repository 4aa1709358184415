"""Shapes with known distances and known Betti numbers."""

from __future__ import annotations

import numpy as np
import trimesh

from engine.surfaces import FloatArray, IntArray

Soup = tuple[FloatArray, IntArray]


def soup_of(mesh: trimesh.Trimesh) -> Soup:
    """Arrays of a trimesh mesh."""
    return np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)


def join(*soups: Soup) -> Soup:
    """All triangles in one soup; nothing is welded."""
    offsets = np.cumsum([0, *(len(vertices) for vertices, _ in soups[:-1])])
    return (
        np.concatenate([vertices for vertices, _ in soups]),
        np.concatenate([faces + offset for (_, faces), offset in zip(soups, offsets, strict=True)]),
    )


def block(low: tuple[float, float, float], high: tuple[float, float, float]) -> Soup:
    """A box of 12 triangles."""
    return soup_of(trimesh.creation.box(bounds=[low, high]))


def ball(subdivisions: int = 3) -> Soup:
    """A geodesic unit sphere."""
    return soup_of(trimesh.creation.icosphere(subdivisions=subdivisions))


def three_bars() -> Soup:
    """A path of three bars along x, y and z: no rotation takes it to its mirror image."""
    return join(
        block((0, 0, 0), (4, 1, 1)),
        block((3, 0, 0), (4, 2, 1)),
        block((3, 1, 0), (4, 2, 3)),
    )


def mirrored(soup: Soup) -> Soup:
    """The soup with x reversed, wound outward again."""
    vertices, faces = soup
    return vertices * [-1.0, 1.0, 1.0], faces[:, ::-1].copy()


def unwelded(soup: Soup) -> Soup:
    """Every face with corners of its own."""
    vertices, faces = soup
    return vertices[faces].reshape(-1, 3), np.arange(3 * len(faces), dtype=np.int64).reshape(-1, 3)


def grid_surface(across: int, along: int, *, twist: bool = False, closed: bool = True) -> Soup:
    """A square of cells glued at its ends to a tube and, `closed`, to a torus; with `twist` to a Klein bottle.

    Positions only tell the vertices apart: the surface may pass through itself.
    """
    number = {}
    faces = []
    for i in range(across):
        for j in range(along):
            corners = [_glue(i + a, j + b, across, along, twist=twist, closed=closed) for a, b in _CORNERS]
            p, q, r, s = (number.setdefault(corner, len(number)) for corner in corners)
            faces += [(p, q, r), (p, r, s)]
    places = np.array([(i, j, (i * 37 + j * 11) % 17) for i, j in number], dtype=np.float64)
    return places, np.array(faces, dtype=np.int64)


_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def _glue(i: int, j: int, across: int, along: int, *, twist: bool, closed: bool) -> tuple[int, int]:
    if closed and j == along:
        i, j = (-i if twist else i), 0
    return i % across, j
