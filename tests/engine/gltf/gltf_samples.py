"""Small glTF files built by hand for the tests; independent of the composer."""

from __future__ import annotations

import io
import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

CODES = {"<i1": 5120, "|i1": 5120, "|u1": 5121, "<i2": 5122, "<u2": 5123, "<u4": 5125, "<f4": 5126}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
REST = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
POSED = (0.0, -2.0, 0.0, 0.5, 2.0, 0.0, 0.0, -0.25, 0.0, 0.0, 2.0, 0.125, 0.0, 0.0, 0.0, 1.0)
"""A quarter turn about z, scale 2, a shift."""

CUBE_POINTS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype="<f4")
CUBE_FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
     [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]],
    dtype="<u2",
)  # fmt: skip


class Sample:
    """A glTF document under construction."""

    def __init__(self) -> None:
        self.json: dict[str, Any] = {"asset": {"version": "2.0"}}
        self.binary = bytearray()

    def append(self, table: str, row: dict[str, Any]) -> int:
        """Add a row to a top-level table."""
        rows = self.json.setdefault(table, [])
        rows.append(row)
        return len(rows) - 1

    def view(self, data: bytes, **more: Any) -> int:
        """Add a buffer view."""
        self.binary += b"\0" * (-len(self.binary) % 4)
        row = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **more}
        self.binary += data
        return self.append("bufferViews", row)

    def accessor(self, values: NDArray[Any], **more: Any) -> int:
        """Add a tightly packed accessor."""
        rows = values.reshape(len(values), -1)
        kind = KINDS[rows.shape[1]]
        row = {"bufferView": self.view(rows.tobytes()), "componentType": CODES[values.dtype.str], "count": len(rows)}
        if kind == "VEC3" and values.dtype == np.float32 and len(rows):
            row |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        return self.append("accessors", {**row, "type": kind, **more})

    def mesh(self, points: NDArray[Any] = CUBE_POINTS, faces: NDArray[Any] | None = CUBE_FACES, **more: Any) -> int:
        """Add a mesh of one primitive; `attributes` adds to POSITION."""
        attributes = {"POSITION": self.accessor(points), **more.pop("attributes", {})}
        primitive = {"attributes": attributes, **more}
        if faces is not None:
            primitive["indices"] = self.accessor(faces.reshape(-1))
        return self.append("meshes", {"primitives": [primitive]})

    def node(self, **fields: Any) -> int:
        """Add a node."""
        return self.append("nodes", fields)

    def scene(self, *roots: int) -> Sample:
        """Set the default scene."""
        self.json["scenes"] = [{"nodes": list(roots)}]
        self.json["scene"] = 0
        return self

    def image(self, color: tuple[int, ...] = (200, 40, 40), mode: str = "RGB", size: int = 4) -> int:
        """Add a PNG of one colour."""
        return self.append("images", {"bufferView": self.view(png(color, mode, size)), "mimeType": "image/png"})

    def material(self, **more: Any) -> int:
        """Add a material whose base colour is a texture of its own."""
        texture = self.append(
            "textures", {"source": self.image(), "sampler": self.append("samplers", {"wrapS": 33071})}
        )
        pbr = {"baseColorTexture": {"index": texture}, "metallicFactor": 0.0}
        return self.append("materials", {"pbrMetallicRoughness": pbr, **more})

    def glb(self) -> bytes:
        """The file's bytes."""
        document = dict(self.json)
        if self.binary:
            document["buffers"] = [{"byteLength": len(self.binary)}]
        return pack_glb(json.dumps(document).encode(), bytes(self.binary))


def pack_glb(text: bytes, binary: bytes) -> bytes:
    """A GLB of a JSON text and a binary chunk."""
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    if binary:
        chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def read_glb_json(data: bytes) -> tuple[dict[str, Any], bytes]:
    """JSON and binary chunk of a GLB, read by hand."""
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size]), data[20 + size + 8 :]


def png(color: tuple[int, ...] = (200, 40, 40), mode: str = "RGB", size: int = 4) -> bytes:
    """A PNG of one colour."""
    out = io.BytesIO()
    Image.new(mode, (size, size), color).save(out, "PNG")
    return out.getvalue()


def moved(x: float, y: float, z: float) -> NDArray[np.float64]:
    """The cube's corners after a shift."""
    return CUBE_POINTS + np.array([x, y, z])


def textured_cube(name: str = "cube", **node: Any) -> Sample:
    """One cube with normals, UVs, colours and a textured material."""
    sample = Sample()
    normals = np.tile(np.array([[0.0, 0.0, 1.0]], "<f4"), (8, 1))
    attributes = {
        "NORMAL": sample.accessor(normals),
        "TEXCOORD_0": sample.accessor(np.ascontiguousarray(CUBE_POINTS[:, :2])),
        "COLOR_0": sample.accessor(np.full((8, 4), 128, "|u1"), normalized=True),
    }
    mesh = sample.mesh(attributes=attributes, material=sample.material(name="skin", doubleSided=True))
    return sample.scene(sample.node(name=name, mesh=mesh, **node))


def signed_volume(positions: NDArray[np.float64], faces: NDArray[np.int64]) -> float:
    """Volume of a closed soup by the divergence theorem."""
    a, b, c = (positions[faces[:, corner]] for corner in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6.0)
