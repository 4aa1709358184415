"""PNG files of nothing but the picture: Blender writes render times into them, which no two runs share."""

from __future__ import annotations

import struct

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PICTURE_CHUNKS = frozenset({b"IHDR", b"IDAT", b"IEND"})
"""All that 8-bit RGBA needs."""


def strip_png(data: bytes) -> bytes:
    """The file without its other chunks, pixels untouched. Raises ValueError when it is no whole PNG."""
    if not data.startswith(SIGNATURE):
        raise ValueError(f"no PNG: it begins with {data[:8]!r}")
    kept, place, kind = [SIGNATURE], len(SIGNATURE), b""
    while place + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        following = place + 12 + length
        if kind in PICTURE_CHUNKS:
            kept.append(data[place:following])
        place = following
        if kind == b"IEND":
            break
    if kind != b"IEND" or place > len(data):
        raise ValueError(f"the PNG is cut short: {len(data)} bytes, the last chunk {kind!r} ends at {place}")
    return b"".join(kept)
