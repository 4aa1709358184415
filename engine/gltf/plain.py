"""Bare triangles as a GLB: one node, one mesh, no material."""

from __future__ import annotations

import json

from engine.gltf.container import join_glb
from engine.gltf.fragments import PrimitiveSource, array_accessor
from engine.gltf.state_tables import StateTables
from engine.surfaces import FloatArray, IntArray

TRIANGLES = 4


def write_plain_glb(vertices: FloatArray, faces: IntArray) -> bytes:
    """The bytes of a GLB of vertices (V, 3), rounded to float32, and faces (F, 3)."""
    positions = array_accessor(vertices.astype("<f4"), "VEC3", bounds=True)
    indices = array_accessor(faces.reshape(-1).astype("<u4"), "SCALAR")
    primitive = PrimitiveSource((("POSITION", positions),), indices, TRIANGLES, None, {})
    tables = StateTables()
    node = tables.add_node({"mesh": tables.mesh((primitive,))})
    document = json.dumps(tables.document([node]), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return join_glb(document.encode(), tables.chunks)
