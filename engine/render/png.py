"""Pictures as PNG files."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def encode_png(picture: NDArray[np.uint8] | NDArray[np.uint16]) -> bytes:
    """(H, W) grey of 8 or 16 bits, or (H, W, 4) RGBA of 8 bits; the same bytes for the same pixels."""
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, format="PNG", compress_level=6)
    return buffer.getvalue()
