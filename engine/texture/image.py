"""Colours and images: palettes in sRGB, PNG bytes that are always the same, mean colours."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from engine.surfaces import FloatArray
from schemas.errors import InputError

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


def decode_image(data: bytes) -> NDArray[np.uint8]:
    """Decode the (H, W, 4) sRGB pixels of an encoded image. Raises InputError when it cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the pixel budget was checked on reading
            with Image.open(io.BytesIO(data)) as image:
                return np.asarray(image.convert("RGBA"), dtype=np.uint8)
    except UnidentifiedImageError as problem:  # its own message holds an address in memory
        raise InputError(f"image of {len(data)} bytes: cannot be decoded: not an image of a known kind") from problem
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError) as problem:
        raise InputError(f"image of {len(data)} bytes: cannot be decoded: {problem}") from problem


def mean_color(image: bytes) -> Color:
    """Average the sRGB colour over all pixels of an encoded image."""
    pixels = decode_image(image)[:, :, :3].reshape(-1, 3)
    total = pixels.sum(axis=0, dtype=np.int64)
    return tuple(float(v) / (255.0 * len(pixels)) for v in total)  # type: ignore[return-value]


@cache
def _linear_table() -> FloatArray:
    code = np.arange(256) / 255.0
    base = (code + 0.055) / 1.055
    # base ** 2.4 is base squared times the fifth root of base squared; Newton steps need no power function.
    square = base * base
    root = np.ones_like(square)
    for _ in range(60):
        fourth = root * root * root * root
        root = root - (root * fourth - square) / (5.0 * fourth)
    return np.where(code <= 0.04045, code / 12.92, square * root)


def linear_to_srgb(value: float) -> float:
    """Find the sRGB code, as a fraction of 255, nearest to a linear value in [0, 1]."""
    return float(np.abs(_linear_table() - value).argmin()) / 255.0
