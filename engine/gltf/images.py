"""Encoded images: their kind and size from the header, and their pixels."""

from __future__ import annotations

import io
import struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from engine.surfaces import ImageData
from schemas.errors import InputError

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
KTX2_SIGNATURE = b"\xabKTX 20\xbb\r\n\x1a\n"
_JPEG_START = b"\xff\xd8\xff"
_JPEG_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
_PILLOW_FORMATS = ("PNG", "JPEG", "WEBP")


class ImageHeader(NamedTuple):
    """What the first bytes of an image say; width and height are 0 when the kind is not decoded."""

    mime: str
    width: int
    height: int


def read_header(data: bytes | memoryview) -> ImageHeader | None:
    """Kind and size of a PNG, JPEG, WebP or KTX2 image; None when the bytes are no such image."""
    head = bytes(data[:32])
    if head.startswith(PNG_SIGNATURE) and len(head) >= 24:
        return ImageHeader("image/png", *struct.unpack_from(">II", head, 16))
    if head.startswith(_JPEG_START):
        return _jpeg_header(data)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return _webp_header(head)
    if head.startswith(KTX2_SIGNATURE):
        return ImageHeader("image/ktx2", 0, 0)
    return None


def _jpeg_header(data: bytes | memoryview) -> ImageHeader | None:
    """Walk the markers up to the frame header."""
    at, size = 2, len(data)
    while at + 9 < size:
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_BARE:
            at += 2
        elif marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return ImageHeader("image/jpeg", width, height)
        else:
            at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return None


def _webp_header(head: bytes) -> ImageHeader | None:
    if len(head) < 30:
        return None
    kind = head[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", head, 26)
        return ImageHeader("image/webp", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", head, 21)[0]
        return ImageHeader("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8X":
        width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (24, 27))
        return ImageHeader("image/webp", width, height)
    return None


def decode_image(image: ImageData) -> NDArray[np.uint8]:
    """Pixels of an image: (height, width, 4) uint8 RGBA as stored, row 0 at the top, alpha 255 when there is none.

    16-bit channels keep their high byte; grey becomes three equal channels; colour profiles are ignored, as glTF
    asks. Raises InputError when the bytes are damaged. The pixel budget is checked when the document is read.
    """
    try:
        with Image.open(io.BytesIO(image.data), formats=_PILLOW_FORMATS) as opened:
            opened.load()
            pixels = _eight_bit(opened)
    except UnidentifiedImageError as error:  # its own message holds an address in memory
        raise InputError(
            f"image {image.sha256[:12]} ({image.mime}) cannot be decoded: not an image of a known kind"
        ) from error
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        raise InputError(f"image {image.sha256[:12]} ({image.mime}) cannot be decoded: {error}") from error
    pixels.setflags(write=False)
    return pixels


def _eight_bit(opened: Image.Image) -> NDArray[np.uint8]:
    if opened.mode.startswith("I;16") or opened.mode == "I":
        grey = (np.asarray(opened).astype(np.uint32) >> 8).astype(np.uint8)
        alpha = np.full_like(grey, 255)
        return np.stack([grey, grey, grey, alpha], axis=-1)
    return np.array(opened.convert("RGBA"), dtype=np.uint8)
