"""Small shapes for tests of pictures: cards, boxes, images, cameras."""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.framing import Camera
from engine.render.scene import RenderPiece
from engine.surfaces import ImageData, Material, Surface, TextureSlot

WHITE = Material(unlit=True)
BOX_FACES = np.array(
    [
        *([0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4]),
        *([2, 3, 7], [2, 7, 6], [1, 2, 6], [1, 6, 5], [3, 0, 4], [3, 4, 7]),
    ]
)


def unlit(r: float, g: float, b: float, a: float = 1.0, **more: Any) -> Material:
    """Make a material whose colour comes out as it is."""
    return replace(Material(base_color_factor=(r, g, b, a), unlit=True), **more)


def card(material: Material = WHITE, z: float = 0.0, low: float = -1.0, high: float = 1.0) -> Surface:
    """Make a square in the plane z, facing +Z, with texture coordinates that put an image upright on it."""
    positions = np.array([[low, low, z], [high, low, z], [high, high, z], [low, high, z]])
    uv = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], dtype=np.float32)
    return Surface(positions, np.array([[0, 1, 2], [0, 2, 3]]), None, (uv,), None, material)


def box(low: tuple[float, float, float], high: tuple[float, float, float], material: Material = WHITE) -> Surface:
    """Make an axis-aligned closed box."""
    (a, b, c), (d, e, f) = low, high
    positions = np.array(
        [[a, b, c], [d, b, c], [d, e, c], [a, e, c], [a, b, f], [d, b, f], [d, e, f], [a, e, f]], dtype=np.float64
    )
    return Surface(positions, BOX_FACES, None, (), None, material)


def piece(slot: str, *surfaces: Surface, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> RenderPiece:
    """Make a piece moved by `shift`."""
    matrix = np.eye(4)
    matrix[:3, 3] = shift
    return RenderPiece(slot, surfaces, matrix)


def front_camera(distance: float = 4.0, half: float = 1.0) -> Camera:
    """Look along -Z at the origin; the plane z = 0 fills the frame from -half to half."""
    return Camera((0.0, 0.0, distance), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0), half / distance)


def encoded(pixels: NDArray[Any] | Image.Image, kind: str = "PNG", **options: Any) -> ImageData:
    """Encode an image file of an array or a Pillow image."""
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    buffer = io.BytesIO()
    image.save(buffer, format=kind, **options)
    data = buffer.getvalue()
    return ImageData(hashlib.sha256(data).hexdigest(), f"image/{kind.lower()}", data)


def textured(image: ImageData, **slot: Any) -> Material:
    """Make an unlit material with a base colour image."""
    return Material(unlit=True, base_color=TextureSlot(image, **slot))
