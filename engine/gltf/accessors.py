"""Decoding accessors: all component types, strides, sparse replacement, normalised integers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.gltf.document import Document
from engine.gltf.fields import Json
from engine.gltf.structure import COMPONENTS, packed_bytes

DTYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_SCALES = {5120: 127.0, 5121: 255.0, 5122: 32767.0, 5123: 65535.0}


def read_raw(document: Document, index: int) -> NDArray[Any]:
    """Stored values of an accessor, (count, components) in their own type, sparse replacements applied.

    Matrices come column by column, as stored. Raises GltfError for a sparse index out of range.
    """
    accessor = document.json["accessors"][index]
    count, kind = accessor["count"], accessor["type"]
    dtype = np.dtype(DTYPES[accessor["componentType"]])
    values = _read(document, accessor, count, dtype, kind)
    sparse = accessor.get("sparse")
    if sparse and sparse["count"]:
        index_type = np.dtype(DTYPES[sparse["indices"]["componentType"]])
        places = _read(document, sparse["indices"], sparse["count"], index_type, "SCALAR")[:, 0]
        if int(places.max()) >= count:
            document.fields.refuse(f"accessor {index}.sparse", f"index {int(places.max())} is out of range {count}")
        values = values.copy()
        values[places] = _read(document, sparse["values"], sparse["count"], dtype, kind)
    return values


def _read(document: Document, holder: Json, count: int, dtype: np.dtype[Any], kind: str) -> NDArray[Any]:
    if "bufferView" not in holder:
        return strided(None, 0, 0, count=count, dtype=dtype, kind=kind)
    stride = document.json["bufferViews"][holder["bufferView"]].get("byteStride", 0)
    return strided(
        document.view(holder["bufferView"]), holder.get("byteOffset", 0), stride, count=count, dtype=dtype, kind=kind
    )


def strided(
    data: bytes | memoryview | None, start: int, stride: int, *, count: int, dtype: np.dtype[Any], kind: str
) -> NDArray[Any]:
    """(count, components) values at `start` of a buffer view, without copying; zeros where there is no view.

    `stride` 0 means tightly packed. The caller has checked that the elements lie inside.
    """
    if data is None or count == 0:
        return np.zeros((count, COMPONENTS[kind]), dtype)
    columns = {"MAT2": 2, "MAT3": 3}.get(kind)
    size = packed_bytes(kind, dtype.itemsize)
    step = stride or size
    if columns is None:
        return np.ndarray((count, COMPONENTS[kind]), dtype, data, start, (step, dtype.itemsize))
    block: NDArray[Any] = np.ndarray(
        (count, columns, columns), dtype, data, start, (step, size // columns, dtype.itemsize)
    )
    return block.reshape(count, columns * columns)


def normalise(raw: NDArray[Any], component_type: int, *, scaled: bool) -> NDArray[np.float64]:
    """Stored values as float64; normalised integers become [0, 1] or [-1, 1] as the format defines them."""
    scale = _SCALES.get(component_type) if scaled else None
    values = raw.astype(np.float64)
    return values if scale is None else np.maximum(values / scale, -1.0)


def read_values(document: Document, index: int) -> NDArray[np.float64]:
    """Values of an accessor as (count, components) float64; normalised integers as the format defines them."""
    accessor = document.json["accessors"][index]
    return normalise(read_raw(document, index), accessor["componentType"], scaled=accessor.get("normalized", False))


def read_float32(document: Document, index: int) -> NDArray[np.float32]:
    """Values of an accessor as (count, components) float32."""
    if document.json["accessors"][index]["componentType"] == 5126:  # FLOAT
        return np.ascontiguousarray(read_raw(document, index))
    return read_values(document, index).astype(np.float32)


def read_faces(document: Document, primitive: Json, vertices: int, where: str) -> NDArray[np.int64]:
    """(F, 3) corners of a triangle primitive: lists, strips and fans, with or without indices.

    Strips keep the first triangle's facing; restart values do not exist in glTF. Incomplete trailing corners are
    dropped. Raises GltfError for an index that is not below `vertices`.
    """
    if "indices" in primitive:
        corners = read_raw(document, primitive["indices"])[:, 0].astype(np.int64)
    else:
        corners = np.arange(vertices, dtype=np.int64)
    if len(corners) and int(corners.max()) >= vertices:
        worst = int(corners.max())
        document.fields.refuse(where, f"vertex index {worst} is out of range: there are {vertices} vertices")
    return assemble_triangles(corners, primitive.get("mode", 4))


def assemble_triangles(corners: NDArray[np.int64], mode: int) -> NDArray[np.int64]:
    """(F, 3) triangles of a corner list in mode 4 (list), 5 (strip) or 6 (fan)."""
    if mode == 4:  # TRIANGLES
        return corners[: len(corners) // 3 * 3].reshape(-1, 3)
    count = max(len(corners) - 2, 0)
    if mode == 6:  # TRIANGLE_FAN
        return np.stack([corners[1 : count + 1], corners[2 : count + 2], np.repeat(corners[:1], count)], axis=1)
    odd = np.arange(count) % 2
    step = np.arange(count)
    return np.stack([corners[step], corners[step + 1 + odd], corners[step + 2 - odd]], axis=1)
