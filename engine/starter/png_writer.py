"""PNG files with a palette of 16 colours, stored without compression.

Compression libraries give other bytes in other builds; four bits a pixel are small enough without.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np

from engine.surfaces import IntArray

Rgb = tuple[int, int, int]
STORED_BLOCK = 65535


def encode_png(levels: IntArray, palette: Sequence[Rgb]) -> bytes:
    """A PNG of (H, W) levels 0..15 with an even width, coloured by 16 sRGB palette entries."""
    height, width = levels.shape
    packed = (levels[:, 0::2] << 4 | levels[:, 1::2]).astype(np.uint8)
    rows = np.concatenate([np.zeros((height, 1), dtype=np.uint8), packed], axis=1).tobytes()
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(channel for colour in palette for channel in colour)),
            _chunk(b"IDAT", _stored(rows)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _stored(data: bytes) -> bytes:
    """A zlib stream of stored blocks."""
    blocks = [b"\x78\x01"]
    for start in range(0, len(data), STORED_BLOCK):
        block = data[start : start + STORED_BLOCK]
        last = start + STORED_BLOCK >= len(data)
        blocks.append(struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF) + block)
    return b"".join([*blocks, struct.pack(">I", zlib.adler32(data))])
