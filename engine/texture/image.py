"""Colours and images: palettes in sRGB, PNG bytes that are always the same."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from engine.srgb import decode_table

Color = tuple[float, float, float]
"""sRGB, each in [0, 1]."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COMPRESSION = 7


def color_of(text: str) -> Color:
    """Read the colour written as `#rrggbb`."""
    value = int(text.removeprefix("#"), 16)
    return ((value >> 16) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0)


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """Write an 8-bit RGB PNG of `pixels` (H, W, 3): unfiltered rows, one zlib level, no ancillary chunks."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), _COMPRESSION)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def linear_to_srgb(value: float) -> float:
    """Find the sRGB code, as a fraction of 255, nearest to a linear value in [0, 1]."""
    return float(np.abs(decode_table() - value).argmin()) / 255.0
