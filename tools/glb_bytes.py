"""GLB files taken apart and put together at the level of their chunks."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

NUMBERS = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def split_glb(data: bytes) -> tuple[dict[str, Any], bytes]:
    """JSON and binary chunk of a GLB."""
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + length])
    start = 20 + length + 8
    return document, data[start : start + struct.unpack_from("<I", data, start - 8)[0]]


def pack_glb(document: dict[str, Any], blob: bytes) -> bytes:
    """A GLB of JSON and binary chunk."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    blob += b"\0" * (-len(blob) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob


def place_glb(data: bytes, matrix: NDArray[np.float64]) -> bytes:
    """The whole scene under one more node with a (4, 4) matrix; parts keep their names."""
    document, blob = split_glb(data)
    scene = document["scenes"][document.get("scene", 0)]
    document["nodes"].append({"matrix": matrix.T.reshape(-1).tolist(), "children": scene["nodes"]})
    scene["nodes"] = [len(document["nodes"]) - 1]
    return pack_glb(document, blob)


def read_rows(document: dict[str, Any], blob: bytes, number: int) -> NDArray[Any]:
    """Rows of a tightly packed accessor. Raises ValueError for an interleaved one."""
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    kind, width = np.dtype(NUMBERS[accessor["componentType"]]), WIDTHS[accessor["type"]]
    if view.get("byteStride", width * kind.itemsize) != width * kind.itemsize:
        raise ValueError(f"accessor {number} is interleaved")
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return np.frombuffer(blob, kind, accessor["count"] * width, start).reshape(-1, width)


class BlobWriter:
    """A growing binary chunk and the views of it."""

    def __init__(self, document: dict[str, Any], blob: bytes) -> None:
        self._document = document
        self._pieces = bytearray()
        self._views: list[dict[str, int]] = []
        for view in document.get("bufferViews", []):
            self.append(np.frombuffer(blob, np.uint8, view["byteLength"], view.get("byteOffset", 0)))

    def append(self, rows: NDArray[Any]) -> int:
        """Store an array; the number of its view."""
        self._pieces.extend(b"\0" * (-len(self._pieces) % 4))
        self._views.append({"buffer": 0, "byteOffset": len(self._pieces), "byteLength": rows.nbytes})
        self._pieces.extend(rows.tobytes())
        return len(self._views) - 1

    def replace(self, number: int, rows: NDArray[Any]) -> int:
        """A copy of an accessor with other rows; its number. Indices become 32 bits wide."""
        accessors = self._document["accessors"]
        old = accessors[number]
        found = {**old, "bufferView": self.append(rows), "byteOffset": 0, "count": len(rows)}
        if old["type"] == "SCALAR":
            found |= {"componentType": 5125, "count": rows.size}
        accessors.append(found)
        return len(accessors) - 1

    def pack(self) -> bytes:
        """The file."""
        self._document["bufferViews"], self._document["buffers"] = self._views, [{"byteLength": len(self._pieces)}]
        return pack_glb(self._document, bytes(self._pieces))
