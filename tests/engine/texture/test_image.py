"""PNG bytes and colours against Pillow and the published curve."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from engine.texture.image import encode_png, linear_to_srgb


def test_png_is_read_back_by_pillow_pixel_for_pixel() -> None:
    """Another decoder sees the same RGB pixels, and equal pixels give equal bytes."""
    pixels = np.random.default_rng(0).integers(0, 256, size=(13, 7, 3)).astype(np.uint8)
    data = encode_png(pixels)
    with Image.open(io.BytesIO(data)) as image:
        assert image.mode == "RGB"
        assert np.array_equal(np.asarray(image), pixels)
    assert encode_png(pixels.copy()) == data


def test_linear_to_srgb_follows_the_curve() -> None:
    """The table without power functions is the sRGB curve to half a code."""
    for value in np.linspace(0, 1, 101):
        curve = 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        assert abs(linear_to_srgb(float(value)) - curve) <= 0.51 / 255
