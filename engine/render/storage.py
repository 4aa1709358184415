"""Surfaces in an order of their own, whatever the order they are stored in.

Which of two triangles a ray meets on their common edge, and the last bits of where it meets them, depend on the order
of triangles and corners. Such a bit decides which of two faces in one plane is seen. So triangles are sorted, and each
begins with a certain corner, by keys mixed from the values at the corners alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.surfaces import Surface

Keys = NDArray[np.uint64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def order_surfaces(surfaces: Iterable[Surface]) -> tuple[Surface, ...]:
    """Surfaces with faces, corners and the surfaces themselves in an order that does not depend on their storage.

    Vertices stay where they are. Surfaces go by material, then by content. Faces that are equal in every value stay
    in their order, which no picture can tell.
    """
    ordered = [_order_faces(surface) for surface in surfaces]
    ordered.sort(key=lambda entry: entry[1:])
    return tuple(entry[0] for entry in ordered)


def _order_faces(surface: Surface) -> tuple[Surface, str, int]:
    """Order one surface; with its material's digest and a key of all its faces."""
    keys = _vertex_keys(surface)[surface.faces]
    roll = (np.argmin(keys, axis=1)[:, None] + np.arange(3)) % 3
    keys = np.take_along_axis(keys, roll, axis=1)
    whole = _mix(keys.T)
    order = np.argsort(whole, kind="stable")
    faces = np.take_along_axis(surface.faces, roll, axis=1)[order]
    faces.setflags(write=False)
    return replace(surface, faces=faces), surface.material.digest, int(whole.sum(dtype=np.uint64))


def _vertex_keys(surface: Surface) -> Keys:
    """(V,) keys of all values at the vertices."""
    columns = [*_bits(surface.positions, np.uint64)]
    if surface.normals is not None:
        columns.extend(_bits(surface.normals, np.uint64))
    for values in (*surface.uvs, surface.colors):
        if values is not None:
            columns.extend(_bits(values, np.uint32))
    return _mix(columns)


def _bits(values: NDArray[np.floating], kind: type[np.unsignedinteger]) -> Keys:
    """(C, V) bits of (V, C) numbers; both zeros are one number."""
    return np.asarray(np.ascontiguousarray(values.T + values.dtype.type(0.0)).view(kind).astype(np.uint64))


def _mix(columns: Iterable[Keys]) -> Keys:
    """One key for each row of the columns; different rows get different keys but by a chance of 2^-64."""
    mixed = np.uint64(0)
    for column in columns:
        mixed = (mixed ^ column) * _FACTOR
        mixed = mixed ^ (mixed >> _HALF)
    return np.asarray(mixed, dtype=np.uint64)
