"""New UV coordinates of a piece, as a small binary asset.

Layout, little-endian: 8 bytes magic, uint32 version, uint32 number of primitives; then per primitive uint32 vertex
count W, uint32 triangle count F, W uint32 vertex map, 3 F uint32 faces, 2 W float32 coordinates.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError

MAGIC = b"PECUVMAP"
VERSION = 1
_HEAD = struct.Struct("<8sII")
_COUNTS = struct.Struct("<II")
MAX_ELEMENTS = 12_000_000
UInt32Array = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class PrimitiveUv:
    """New vertices of one primitive, each a copy of an old one with its own coordinates."""

    vertex_map: UInt32Array
    """(W,) old vertex of each new vertex."""
    faces: UInt32Array
    """(F, 3) new vertices; `vertex_map[faces]` are the surface's faces, row by row."""
    uv: NDArray[np.float32]
    """(W, 2) glTF texture coordinates."""

    def __post_init__(self) -> None:
        if self.vertex_map.ndim != 1 or self.faces.ndim != 2 or self.faces.shape[1] != 3:
            raise InputError(f"UV asset: expected (W,) and (F, 3), got {self.vertex_map.shape} and {self.faces.shape}")
        if self.uv.shape != (len(self.vertex_map), 2):
            raise InputError(f"UV asset: expected uv ({len(self.vertex_map)}, 2), got {self.uv.shape}")
        if self.faces.size and int(self.faces.max()) >= len(self.vertex_map):
            raise InputError(f"UV asset: face corner {int(self.faces.max())} of {len(self.vertex_map)} vertices")
        if not np.isfinite(self.uv).all():
            raise InputError("UV asset: a coordinate is not finite")


@dataclass(frozen=True)
class UvAsset:
    """New coordinates of a whole piece, one entry per surface in the order of its parts' surfaces."""

    primitives: tuple[PrimitiveUv, ...]

    def encode(self) -> bytes:
        """The asset's bytes: a function of its arrays alone."""
        chunks = [_HEAD.pack(MAGIC, VERSION, len(self.primitives))]
        for primitive in self.primitives:
            chunks.append(_COUNTS.pack(len(primitive.vertex_map), len(primitive.faces)))
            chunks += [
                np.ascontiguousarray(primitive.vertex_map, "<u4").tobytes(),
                np.ascontiguousarray(primitive.faces, "<u4").tobytes(),
                np.ascontiguousarray(primitive.uv, "<f4").tobytes(),
            ]
        return b"".join(chunks)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the encoded asset."""
        return hashlib.sha256(self.encode()).hexdigest()

    @classmethod
    def decode(cls, data: bytes) -> UvAsset:
        """Read an asset. Raises InputError when the magic, a count or the length is wrong."""
        if len(data) < _HEAD.size:
            raise InputError(f"UV asset: {len(data)} bytes, a header has {_HEAD.size}")
        magic, version, count = _HEAD.unpack_from(data)
        if magic != MAGIC or version != VERSION:
            raise InputError(f"UV asset: found {magic!r} version {version}, expected {MAGIC!r} version {VERSION}")
        at = _HEAD.size
        primitives: list[PrimitiveUv] = []
        for _ in range(count):
            primitive, at = _decode_primitive(data, at)
            primitives.append(primitive)
        if at != len(data):
            raise InputError(f"UV asset: {len(data) - at} bytes after the last primitive")
        return cls(tuple(primitives))


def _decode_primitive(data: bytes, at: int) -> tuple[PrimitiveUv, int]:
    if at + _COUNTS.size > len(data):
        raise InputError(f"UV asset: truncated at byte {at} of {len(data)}")
    vertices, faces = _COUNTS.unpack_from(data, at)
    at += _COUNTS.size
    size = 4 * vertices + 12 * faces + 8 * vertices
    if max(vertices, faces) > MAX_ELEMENTS or at + size > len(data):
        raise InputError(f"UV asset: {vertices} vertices and {faces} faces do not fit into {len(data) - at} bytes")
    mapped = np.frombuffer(data, "<u4", vertices, at)
    corners = np.frombuffer(data, "<u4", 3 * faces, at + 4 * vertices).reshape(-1, 3)
    uv = np.frombuffer(data, "<f4", 2 * vertices, at + 4 * vertices + 12 * faces).reshape(-1, 2)
    return PrimitiveUv(mapped, corners, uv), at + size
