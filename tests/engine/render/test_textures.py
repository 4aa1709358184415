"""Decoding and sampling of images."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from PIL import Image
from render_shapes import encoded

from engine.gltf.images import decode_image
from engine.render.textures import TextureCache, build_pyramid, sample_texture
from engine.srgb import decode_table
from engine.surfaces import ImageData, TextureSlot
from schemas.errors import InputError

ROW = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]], dtype=np.uint8)
NAMES = {(1, 0, 0): "r", (0, 1, 0): "g", (0, 0, 1): "b", (1, 1, 1): "w"}
CENTRES = [(i + 0.5) / 4 for i in range(-6, 11)]


def sample_row(us: list[float], **slot: object) -> np.ndarray:
    """Colours along the four-texel row."""
    texture = TextureSlot(encoded(ROW), **slot)  # type: ignore[arg-type]
    uv = np.array([[u, 0.5] for u in us])
    return sample_texture(texture, uv, np.zeros(len(us), dtype=np.int64), is_color=True)


@pytest.mark.parametrize(
    ("wrap", "expected"), [(10497, "bwrgbwrgbwrgbwrgb"), (33071, "rrrrrrrgbwwwwwwww"), (33648, "bwwbgrrgbwwbgrrgb")]
)
@pytest.mark.parametrize("nearest", [False, True])
def test_wrap_modes(wrap: int, expected: str, *, nearest: bool) -> None:
    """Texel centres -6 to 10 of a four-texel row are repeated, clamped or mirrored."""
    found = sample_row(CENTRES, wrap_s=wrap, nearest=nearest)
    assert "".join(NAMES[tuple(np.rint(color[:3]).astype(int).tolist())] for color in found) == expected


def test_bilinear_mixes_in_linear_light() -> None:
    """Half way between red and green is half of each, not a darker sRGB mean."""
    assert sample_row([0.25])[0].tolist() == [0.5, 0.5, 0.0, 1.0]


def test_strange_coordinates_stay_inside() -> None:
    """Infinite, undefined and huge coordinates give some texel, never an error."""
    for wrap in (10497, 33071, 33648):
        found = sample_row([float("inf"), float("nan"), 1e300, -1e300, -1e-300], wrap_s=wrap)
        assert np.isfinite(found).all()


def test_data_images_are_read_as_stored() -> None:
    """Roughness 128 is 128 / 255, not its decoded light."""
    image = encoded(np.full((2, 2, 3), 128, dtype=np.uint8))
    slot = TextureSlot(image)
    assert sample_texture(slot, np.array([[0.3, 0.3]]), np.zeros(1, dtype=np.int64), is_color=False)[0, 0] == 128 / 255


@pytest.mark.parametrize(
    ("name", "image", "expected"),
    [
        ("grey", Image.fromarray(np.full((1, 1), 77, dtype=np.uint8)), (77, 77, 77, 255)),
        ("deep grey", Image.fromarray(np.full((1, 1), 77 * 257, dtype=np.uint16)), (77, 77, 77, 255)),
        ("grey and alpha", Image.new("LA", (1, 1), (9, 40)), (9, 9, 9, 40)),
        ("palette", Image.new("RGB", (1, 1), (10, 20, 30)).quantize(4), (10, 20, 30, 255)),
        ("one bit", Image.new("1", (1, 1), 1), (255, 255, 255, 255)),
    ],
)
def test_image_kinds(name: str, image: Image.Image, expected: tuple[int, ...]) -> None:
    """Every kind of PNG comes out as RGBA."""
    assert tuple(decode_image(encoded(image))[0, 0].tolist()) == expected, name


@pytest.mark.parametrize(("kind", "options"), [("JPEG", {"quality": 98}), ("WEBP", {"lossless": True})])
def test_other_formats(kind: str, options: dict[str, object]) -> None:
    """JPEG and WebP are decoded too."""
    pixels = decode_image(encoded(np.full((16, 16, 3), (200, 100, 50), dtype=np.uint8), kind, **options))
    assert np.abs(pixels[8, 8, :3].astype(int) - [200, 100, 50]).max() <= 2


def test_transparent_palette_keeps_its_hole() -> None:
    """A tRNS entry becomes alpha 0."""
    image = Image.new("P", (2, 1))
    image.putpalette([255, 0, 0, 0, 255, 0])
    image.putpixel((1, 0), 1)
    assert decode_image(encoded(image, transparency=1))[0, :, 3].tolist() == [255, 0]


def test_damaged_images_are_named() -> None:
    """The error says which image, by hash and kind."""
    good = encoded(ROW).data
    for data in (b"", b"not an image", good[:40]):
        digest = hashlib.sha256(data).hexdigest()
        with pytest.raises(InputError, match=digest[:12]):
            decode_image(ImageData(digest, "image/png", data))


def test_pyramids_average_light() -> None:
    """Each level is half the size; a black and white image ends in the grey of half the light."""
    board = np.zeros((4, 6, 4), dtype=np.uint8)
    board[..., 3] = 255
    board[:, ::2, :3] = 255
    pyramid = build_pyramid(board)
    assert list(zip(pyramid.widths, pyramid.heights, strict=True)) == [(6, 4), (3, 2), (2, 1), (1, 1)]
    assert abs(decode_table()[pyramid.texels[-1, 0]] - 0.5) < 0.01


def test_data_pyramids_average_what_is_stored() -> None:
    """Half of 0 and half of 255 is 128 for data; the same image as colour is another pyramid."""
    board = encoded(np.array([[[0, 0, 0], [255, 255, 255]]], dtype=np.uint8))
    cache = TextureCache()
    assert cache.find(board, is_color=False).texels[-1].tolist() == [128, 128, 128, 255]
    assert cache.find(board).texels[-1, 0] == 188


def test_cache_drops_the_least_recently_used() -> None:
    """Above the limit the oldest pyramid goes, the one in use stays."""
    images = [encoded(np.full((16, 16, 3), value, dtype=np.uint8)) for value in (1, 2, 3)]
    cache = TextureCache(limit_bytes=3000)
    first = cache.find(images[0])
    cache.find(images[1])
    assert cache.find(images[0]) is first
    cache.find(images[2])
    assert cache.find(images[0]) is first
