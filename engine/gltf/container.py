"""The binary container of glTF 2.0: splitting a GLB into its chunks and joining one."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import GltfError

MAGIC = b"glTF"
CHUNK_JSON = 0x4E4F534A
CHUNK_BIN = 0x004E4942
HEADER = struct.Struct("<4sII")
CHUNK = struct.Struct("<II")
_ALIGNMENT = 4
_POINTER_WORDS = b"git-lfs"


@dataclass(frozen=True, slots=True)
class Container:
    """The JSON text and, in a GLB, the binary chunk of a file."""

    json_text: memoryview
    binary: memoryview | None
    warnings: tuple[str, ...] = ()


def split_container(data: bytes, path: Path) -> Container:
    """Find the JSON and the binary chunk of a GLB or .gltf file.

    Unknown chunks after the JSON are skipped, as the format asks. Raises GltfError for an empty, truncated, wrongly
    padded or foreign file.
    """
    if not data:
        raise GltfError(path, "empty file, 0 bytes")
    if data[:4] == MAGIC:
        return _split_glb(memoryview(data), path)
    head = data[:256].removeprefix(b"\xef\xbb\xbf").lstrip()
    if head[:1] == b"{":
        return Container(memoryview(data), None)
    if _POINTER_WORDS in head:
        raise GltfError(path, "is the text of a large-file pointer (LFS), not a GLB; fetch the file itself")
    raise GltfError(path, f"not a GLB and not glTF JSON: magic is {bytes(data[:4])!r}, expected {MAGIC!r}")


def _split_glb(view: memoryview, path: Path) -> Container:
    if len(view) < HEADER.size:
        raise GltfError(path, f"truncated: a GLB header is {HEADER.size} bytes, the file has {len(view)}")
    _, version, length = HEADER.unpack_from(view)
    if version != 2:  # the format's version
        raise GltfError(path, f"GLB version {version} is not supported, only 2")
    if length > len(view):
        raise GltfError(path, f"truncated: the header says length {length} bytes, the file has {len(view)}")
    warnings = [] if length == len(view) else [f"{len(view) - length} bytes after the end of the GLB are ignored"]
    json_text: memoryview | None = None
    binary: memoryview | None = None
    start = HEADER.size
    while start < length:
        body, kind = _chunk_at(view, start, length, path)
        if json_text is None:
            if kind != CHUNK_JSON:
                raise GltfError(path, f"the first chunk has type {kind:#010x}, it must be JSON")
            json_text = body
        elif kind == CHUNK_BIN and binary is None:
            binary = body
        start += CHUNK.size + len(body)
    if json_text is None:
        raise GltfError(path, "truncated: a GLB without a JSON chunk")
    return Container(json_text, binary, tuple(warnings))


def _chunk_at(view: memoryview, start: int, length: int, path: Path) -> tuple[memoryview, int]:
    if start + CHUNK.size > length:
        raise GltfError(path, f"truncated: a chunk header at byte {start} does not fit into {length} bytes")
    size, kind = CHUNK.unpack_from(view, start)
    if size % _ALIGNMENT:
        raise GltfError(path, f"chunk length {size} at byte {start} is not a multiple of 4 (missing padding)")
    if start + CHUNK.size + size > length:
        raise GltfError(path, f"truncated: chunk at byte {start} says {size} bytes, {length - start - 8} are left")
    return view[start + CHUNK.size : start + CHUNK.size + size], kind


def join_glb(json_text: bytes, chunks: Sequence[bytes | memoryview]) -> bytes:
    """Write one GLB of a JSON text and the pieces of its only buffer; every byte is copied once.

    The pieces are laid end to end: their sum must be a multiple of 4.
    """
    text = json_text + b" " * (-len(json_text) % _ALIGNMENT)
    size = sum(len(chunk) for chunk in chunks)
    total = HEADER.size + CHUNK.size + len(text) + (CHUNK.size + size if size else 0)
    head = [HEADER.pack(MAGIC, 2, total), CHUNK.pack(len(text), CHUNK_JSON), text]
    if size:
        head.append(CHUNK.pack(size, CHUNK_BIN))
    return b"".join([*head, *chunks])
