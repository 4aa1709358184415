"""Surfaces in an order of their own, whatever the order they are stored in.

The last bits of where a ray meets a triangle, and the charts of an unwrap, depend on the order of triangles and
corners; one such bit decides which of two faces in one plane is seen. So vertices are ranked by where they lie in the
box of their piece, then by their other values: the units of a file do not matter either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.surfaces import FloatArray, IntArray, Surface

Keys = NDArray[np.uint64]

CELL_BITS = 21
"""Bits for each coordinate of a vertex in the box; what shares a cell is told apart by its exact values."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class OrderedSurface(NamedTuple):
    """A surface in its own order, and how it was stored."""

    surface: Surface
    """Its vertices are where they were."""
    place: int
    """Its place among the given surfaces."""
    face: IntArray
    """(F,) the stored face behind each."""
    corner: IntArray
    """(F, 3) the stored corner of that face behind each."""
    key: tuple[str, int, int]
    """What surfaces are sorted by: the digest of the material, a number for all cells, one for all values."""


class _Box(NamedTuple):
    low: FloatArray
    side: float


def order_surfaces(surfaces: Sequence[Surface]) -> tuple[OrderedSurface, ...]:
    """Surfaces with faces, corners and the surfaces themselves in an order that does not depend on their storage.

    Faces keep their winding. Of faces or surfaces that are equal in every value the first stays the first, which no
    picture can tell.
    """
    box = _box_of(surfaces)
    ordered = (_order_faces(surface, place, box) for place, surface in enumerate(surfaces))
    return tuple(sorted(ordered, key=lambda entry: entry.key))


def _box_of(surfaces: Sequence[Surface]) -> _Box:
    """The cube around the finite vertices that faces use."""
    clouds = [surface.positions[surface.faces.reshape(-1)] for surface in surfaces]
    points = np.concatenate([np.zeros((0, 3)), *clouds])
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) == 0:
        return _Box(np.zeros(3), 1.0)
    low = points.min(axis=0)
    return _Box(low, float((points.max(axis=0) - low).max()) or 1.0)


def _order_faces(surface: Surface, place: int, box: _Box) -> OrderedSurface:
    keys = _vertex_keys(surface, box)
    ranks = _rank_rows(keys)[surface.faces]
    # The next corner decides between equal ones.
    first = np.argmin(ranks * len(surface.positions) + np.roll(ranks, -1, axis=1), axis=1)
    corner = (first[:, None] + np.arange(3)) % 3
    ranks = np.take_along_axis(ranks, corner, axis=1)
    face: IntArray = np.lexsort((ranks[:, 2], ranks[:, 1], ranks[:, 0]))
    corner = corner[face]
    faces = np.take_along_axis(surface.faces[face], corner, axis=1)
    faces.setflags(write=False)
    cells, values = (int(_mix(rows[faces].T).sum(dtype=np.uint64)) for rows in (keys[0], _mix(keys)))
    return OrderedSurface(replace(surface, faces=faces), place, face, corner, (surface.material.digest, cells, values))


def _vertex_keys(surface: Surface, box: _Box) -> tuple[Keys, Keys, Keys]:
    """(V,) each: the cell, a key of all values but the position, a key of the exact position."""
    most = (1 << CELL_BITS) - 1
    # Vertices that no face uses may hold anything.
    with np.errstate(invalid="ignore", over="ignore"):
        places = np.rint((surface.positions - box.low) / box.side * most)
    cells = np.where(np.isfinite(places), np.clip(places, 0, most), 0.0).astype(np.uint64)
    bits = np.uint64(CELL_BITS)
    cell = (((cells[:, 0] << bits) | cells[:, 1]) << bits) | cells[:, 2]
    columns = [np.zeros(len(cell), dtype=np.uint64)]
    if surface.normals is not None:
        columns.extend(_bits(surface.normals))
    for values in (*surface.uvs, surface.colors):
        if values is not None:
            columns.extend(_bits(values.astype(np.float64)))
    return cell, _mix(columns), _mix(_bits(surface.positions))


def _rank_rows(keys: tuple[Keys, Keys, Keys]) -> IntArray:
    """(V,) place of each row of keys among the different rows."""
    order = np.lexsort(keys[::-1])
    grows = np.zeros(len(order), dtype=bool)
    for key in keys:
        grows[1:] |= key[order[1:]] != key[order[:-1]]
    ranks = np.zeros(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(grows)
    return ranks


def _bits(values: FloatArray) -> Keys:
    """(C, V) bits of (V, C) numbers; both zeros are one number."""
    return np.ascontiguousarray(values.T + 0.0).view(np.uint64)


def _mix(columns: Iterable[Keys]) -> Keys:
    """One key for each row of the columns; different rows get different keys but by a chance of 2^-64."""
    mixed: Keys = np.zeros(1, dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * _FACTOR
        mixed = mixed ^ (mixed >> _HALF)
    return mixed
