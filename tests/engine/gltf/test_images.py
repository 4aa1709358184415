"""Image headers and pixels agree with Pillow; damage is refused."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import numpy as np
import pytest
from gltf_samples import png
from PIL import Image

from engine.gltf.images import decode_image, read_header
from engine.surfaces import ImageData
from schemas.errors import InputError

OPTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("PNG", "RGB", {}),
    ("JPEG", "RGB", {}),
    ("JPEG", "L", {"progressive": True}),
    ("WEBP", "RGB", {}),
    ("WEBP", "RGB", {"lossless": True}),
    ("WEBP", "RGBA", {"lossless": True, "exif": b"Exif\x00\x00"}),
]


def image_of(data: bytes) -> ImageData:
    """Wrap encoded bytes."""
    return ImageData(hashlib.sha256(data).hexdigest(), "", data)


@pytest.mark.parametrize(("kind", "mode", "options"), OPTIONS)
@pytest.mark.parametrize("size", [(1, 1), (37, 5), (300, 1025)])
def test_headers_say_what_pillow_says(kind: str, mode: str, options: dict[str, Any], size: tuple[int, int]) -> None:
    """Kind and size from the header equal those of the decoded image."""
    out = io.BytesIO()
    Image.new(mode, size, 77 if mode == "L" else (77, 10, 200, 255)[: len(mode)]).save(out, kind, **options)
    header = read_header(out.getvalue())
    assert header == (f"image/{kind.lower()}", *size)
    assert decode_image(image_of(out.getvalue())).shape == (size[1], size[0], 4)


def test_sixteen_bit_and_grey_images_become_eight_bit_rgba() -> None:
    """16-bit grey keeps its high byte, grey has three equal channels, alpha is 255 where there is none."""
    out = io.BytesIO()
    Image.fromarray(np.array([[0x12FF, 0xFF00]], np.uint16)).save(out, "PNG")
    assert decode_image(image_of(out.getvalue())).tolist() == [[[0x12] * 3 + [255], [0xFF] * 3 + [255]]]
    assert decode_image(image_of(png((9,), "L", 1))).tolist() == [[[9, 9, 9, 255]]]
    assert decode_image(image_of(png((1, 2, 3, 4), "RGBA", 1))).tolist() == [[[1, 2, 3, 4]]]


@pytest.mark.parametrize("data", [b"", b"GIF89a", png()[:40], b"\xff\xd8\xff\xff\xff", b"RIFF\0\0\0\0WEBPVP8 "])
def test_damaged_images_have_no_pixels(data: bytes) -> None:
    """Foreign and cut images are refused when decoded, and never crash the header reader."""
    header = read_header(data)
    assert header is None or header.mime == "image/png"
    with pytest.raises(InputError, match="cannot be decoded"):
        decode_image(image_of(data))
