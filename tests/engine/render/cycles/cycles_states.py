"""States for tests of path-traced pictures: boxes whose materials, attributes and images the test chooses."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.framing import Camera, camera_of, frame_states
from engine.gltf.container import join_glb
from engine.gltf.document import read_document
from engine.gltf.parts import list_part_nodes, read_part
from engine.render.scene import RenderPiece, world_points
from tests.box_library import make_boxes

CUBE = ("cube", (-0.5, -0.5, -0.5), (1.0, 1.0, 1.0))
FRONT = Camera((0.0, 0.0, 4.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0), 0.25)
"""Sees of the cube one face, which covers more than half of the frame."""


def make_cube(material: dict[str, Any] | None, *, image: bytes | None = None, **changes: Any) -> bytes:
    """Make a cube around the origin with a material of its own, None for none; `image` is texture 0.

    `changes` replace whole tables of the document; `primitive` adds to the cube's only primitive.
    """
    glb = make_boxes((CUBE,))
    (length,) = struct.unpack("<I", glb[12:16])
    document, binary = json.loads(glb[20 : 20 + length]), glb[20 + length + 8 :]
    primitive = document["meshes"][0]["primitives"][0]
    del document["materials"], primitive["material"]
    if material is not None:
        document["materials"] = [material]
        primitive["material"] = 0
    if image is not None:
        document["images"] = [{"uri": "data:image/png;base64," + base64.b64encode(image).decode()}]
        document["textures"] = [{"source": 0}]
    primitive.update(changes.pop("primitive", {}))
    document.update(changes)
    return join_glb(json.dumps(document).encode(), [binary])


def unlit(*color: float, **more: Any) -> dict[str, Any]:
    """Make a material that shows its colour as it is."""
    return {
        "pbrMetallicRoughness": {"baseColorFactor": list(color)},
        "extensions": {"KHR_materials_unlit": {}},
        **more,
    }


def read_pieces(path: Path) -> list[RenderPiece]:
    """One piece for each part of a file."""
    document = read_document(path)
    return [RenderPiece(node.id, read_part(document, node.id).surfaces) for node in list_part_nodes(document)]


def cameras_around(pieces: list[RenderPiece]) -> list[Camera]:
    """Place the four cameras of the rig."""
    rig = frame_states([points for piece in pieces for points in world_points(piece)])
    return [camera_of(rig, view) for view in range(4)]


def read_pixels(path: Path) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 of a PNG."""
    with Image.open(path) as image:
        return np.array(image)
