"""What a lone part is mounted on: a solid that its file may describe, so that its contact can be measured.

A part that comes without an object says nothing of the side it is fastened by: a door alone looks like a slab that
stands on its edge. A glTF file may tell: `asset.extras.mounted_on` holds `vertices`, an array of points in the file's
world, and `faces`, an array of index triples, of the wall, axle or hand the part was modelled against. The solid is
measured against and never drawn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.gltf.document import Document
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GltfError

SEAT_KEY = "mounted_on"
MOST_TRIPLES = 4096


class SeatMesh(NamedTuple):
    """The surface of what a part is mounted on, in the file's world."""

    vertices: FloatArray
    """(V, 3) float64, finite."""
    faces: IntArray
    """(F, 3) int64, in range."""


def read_seat(document: Document) -> SeatMesh | None:
    """What the file's part is mounted on, None where the file names nothing.

    Raises GltfError for a description of the wrong shape.
    """
    extras = document.json.get("asset", {}).get("extras")
    described = extras.get(SEAT_KEY) if isinstance(extras, dict) else None
    if described is None:
        return None
    if not isinstance(described, dict):
        raise GltfError(document.path, f"asset.extras.{SEAT_KEY}: must be an object of vertices and faces")
    vertices = _read_triples(document, described, "vertices")
    faces = _read_triples(document, described, "faces")
    if not np.isfinite(vertices).all():
        raise GltfError(document.path, f"asset.extras.{SEAT_KEY}.vertices: must be finite")
    corners: IntArray = faces.astype(np.int64)
    if (corners != faces).any() or corners.min() < 0 or corners.max() >= len(vertices):
        raise GltfError(document.path, f"asset.extras.{SEAT_KEY}.faces: must be indices below {len(vertices)}")
    return SeatMesh(vertices, corners)


def _read_triples(document: Document, described: dict[str, Any], key: str) -> FloatArray:
    """(N, 3) float64 numbers of one array of triples."""
    rows = described.get(key)
    where = f"asset.extras.{SEAT_KEY}.{key}"
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_TRIPLES:
        raise GltfError(document.path, f"{where}: must be an array of 1 to {MOST_TRIPLES} triples")
    if not all(isinstance(row, list) and len(row) == 3 and all(_is_number(value) for value in row) for row in rows):
        raise GltfError(document.path, f"{where}: must be an array of three numbers each")
    return np.asarray(rows, dtype=np.float64)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
