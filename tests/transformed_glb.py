"""GLB files rewritten: the same parts moved, turned, scaled or mirrored, or stored in another order."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_NUMBERS = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


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


def place_glb(data: bytes, matrix: FloatArray) -> bytes:
    """The whole scene under one more node with a (4, 4) matrix; parts keep their names."""
    document, blob = split_glb(data)
    scene = document["scenes"][document.get("scene", 0)]
    document["nodes"].append({"matrix": matrix.T.reshape(-1).tolist(), "children": scene["nodes"]})
    scene["nodes"] = [len(document["nodes"]) - 1]
    return pack_glb(document, blob)


def shuffle_glb(data: bytes, seed: int) -> bytes:
    """The same surface with nodes, triangles, their corners and vertices stored in another order."""
    document, blob = split_glb(data)
    random = np.random.Generator(np.random.PCG64(seed))
    scene = document["scenes"][document.get("scene", 0)]
    scene["nodes"] = [scene["nodes"][k] for k in random.permutation(len(scene["nodes"]))]
    pieces, views = bytearray(), []

    def append(array: NDArray[Any]) -> int:
        pieces.extend(b"\0" * (-len(pieces) % 4))
        views.append({"buffer": 0, "byteOffset": len(pieces), "byteLength": array.nbytes})
        pieces.extend(array.tobytes())
        return len(views) - 1

    for view in document.get("bufferViews", []):
        append(np.frombuffer(blob, np.uint8, view["byteLength"], view.get("byteOffset", 0)))
    accessors = document["accessors"]
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            order = random.permutation(accessors[primitive["attributes"]["POSITION"]]["count"])
            place = np.argsort(order)
            for name, number in sorted(primitive["attributes"].items()):
                values = _read(document, blob, number)[order]
                primitive["attributes"][name] = _copy(accessors, number, append(values))
            faces = place[_read(document, blob, primitive["indices"]).reshape(-1, 3)]
            faces = np.stack([np.roll(face, random.integers(3)) for face in faces[random.permutation(len(faces))]])
            number = _copy(accessors, primitive["indices"], append(faces.astype(np.uint32)))
            accessors[number]["componentType"] = 5125
            primitive["indices"] = number
    document["bufferViews"], document["buffers"] = views, [{"byteLength": len(pieces)}]
    return pack_glb(document, bytes(pieces))


def _copy(accessors: list[dict[str, Any]], number: int, view: int) -> int:
    accessors.append({**accessors[number], "bufferView": view, "byteOffset": 0})
    return len(accessors) - 1


def _read(document: dict[str, Any], blob: bytes, number: int) -> NDArray[Any]:
    """Rows of a tightly packed accessor."""
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    kind, width = np.dtype(_NUMBERS[accessor["componentType"]]), _WIDTHS[accessor["type"]]
    assert view.get("byteStride", width * kind.itemsize) == width * kind.itemsize
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return np.frombuffer(blob, kind, accessor["count"] * width, start).reshape(-1, width)
