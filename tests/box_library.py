"""A tiny library of furniture made of boxes, as a folder of GLB files: no downloads, whole chains in seconds."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

Box = tuple[str, tuple[float, float, float], tuple[float, float, float]]
"""Name, least corner and size of a box."""

HOSTS: dict[str, tuple[Box, ...]] = {
    "table": (
        ("wooden table top", (0.0, 0.7, 0.0), (1.6, 0.1, 1.0)),
        ("front left wooden leg", (1.45, 0.0, 0.85), (0.1, 0.7, 0.1)),
        ("front right wooden leg", (0.05, 0.0, 0.85), (0.1, 0.7, 0.1)),
        ("back left wooden leg", (1.45, 0.0, 0.05), (0.1, 0.7, 0.1)),
        ("back right wooden leg", (0.05, 0.0, 0.05), (0.1, 0.7, 0.1)),
        ("red box", (0.3, 0.8, 0.3), (0.3, 0.25, 0.3)),
    ),
    "stool": (
        ("round blue seat", (0.0, 0.45, 0.0), (0.5, 0.08, 0.5)),
        ("left metal leg", (0.4, 0.0, 0.2), (0.08, 0.45, 0.08)),
        ("right metal leg", (0.02, 0.0, 0.2), (0.08, 0.45, 0.08)),
        ("yellow cushion", (0.05, 0.53, 0.05), (0.4, 0.1, 0.4)),
    ),
    "shelf": (
        ("stone base", (0.0, 0.0, 0.0), (1.2, 0.3, 0.6)),
        ("green crate", (0.1, 0.3, 0.1), (0.35, 0.3, 0.35)),
        ("white vase", (0.7, 0.3, 0.15), (0.2, 0.4, 0.2)),
        ("black lid", (0.72, 0.7, 0.17), (0.16, 0.06, 0.16)),
    ),
    "platform": (
        ("wide stone platform", (0.0, 0.0, 0.0), (2.0, 0.4, 1.6)),
        ("tall brown chest", (0.1, 0.4, 0.1), (0.4, 0.4, 0.4)),
        ("grey bucket", (1.5, 0.4, 0.1), (0.25, 0.3, 0.25)),
    ),
}
_CORNERS = [(x, y, z) for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)]
_QUADS = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3))
_UV = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def make_boxes(boxes: tuple[Box, ...]) -> bytes:
    """Make a GLB with one node per box; every box has texture coordinates and a colour of its own."""
    positions = [_CORNERS[corner] for quad in _QUADS for corner in quad]
    faces = [4 * quad + corner for quad in range(6) for corner in (0, 1, 2, 0, 2, 3)]
    blob = b"".join(struct.pack("<3f", *point) for point in positions)
    blob += b"".join(struct.pack("<2f", *uv) for _ in _QUADS for uv in _UV)
    blob += struct.pack(f"<{len(faces)}H", *faces)
    blob += b"\0" * (-len(blob) % 4)
    attributes = {"POSITION": 0, "TEXCOORD_0": 1}
    primitives = [{"attributes": attributes, "indices": 2, "material": number} for number in range(len(boxes))]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(boxes)))}],
        "nodes": [
            {"name": name, "mesh": number, "translation": list(low), "scale": list(size)}
            for number, (name, low, size) in enumerate(boxes)
        ],
        "meshes": [{"primitives": [primitive]} for primitive in primitives],
        "materials": [
            {"pbrMetallicRoughness": {"baseColorFactor": [0.2 + 0.1 * number, 0.5, 0.3, 1.0], "metallicFactor": 0.0}}
            for number in range(len(boxes))
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 24, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
            {"bufferView": 1, "componentType": 5126, "count": 24, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": len(faces), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 288},
            {"buffer": 0, "byteOffset": 288, "byteLength": 192},
            {"buffer": 0, "byteOffset": 480, "byteLength": 2 * len(faces)},
        ],
        "buffers": [{"byteLength": len(blob)}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob


def write_box_library(folder: Path, hosts: Mapping[str, tuple[Box, ...]] = HOSTS) -> Path:
    """Write one file per host into `folder`."""
    folder.mkdir(parents=True)
    for name, boxes in hosts.items():
        (folder / f"{name}.glb").write_bytes(make_boxes(boxes))
    return folder
