"""Patterns, palettes and PNG bytes."""

from __future__ import annotations

import io
from functools import partial

import numpy as np
import pytest
from PIL import Image

from engine.starter import patterns
from engine.starter.noise import cells, layered_noise, value_noise
from engine.starter.paints import Paint, plain, rgb, shades
from engine.starter.png_writer import encode_png

PATTERNS = {
    "speckle": patterns.speckle, "wood": patterns.wood, "bricks": patterns.bricks, "stones": patterns.stones,
    "shingles": patterns.shingles, "straw": patterns.straw, "panels": patterns.panels, "brushed": patterns.brushed,
    "weave": patterns.weave, "stripes": patterns.stripes, "checks": patterns.checks, "dots": patterns.dots,
    "fur": partial(patterns.fur, spots=120), "leaves": patterns.leaves, "tread": patterns.tread,
    "glass": patterns.glass, "banded": patterns.banded, "pages": patterns.pages, "lands": patterns.lands,
    "screen": patterns.screen,
}  # fmt: skip
SEAMED = {"glass", "pages", "screen", "banded", "straw"}
"""Patterns with a border that is meant to be seen."""


def test_png_is_read_back_by_another_library() -> None:
    """Pillow reads the same size and the palette's colours at every pixel."""
    levels = np.arange(64, dtype=np.int64).reshape(8, 8) % 16
    palette = [(16 * k, 255 - 16 * k, k) for k in range(16)]
    image = Image.open(io.BytesIO(encode_png(levels, palette)))
    image.load()
    assert image.size == (8, 8)
    assert np.array_equal(np.asarray(image.convert("RGB")), np.asarray(palette, dtype=np.uint8)[levels])


def test_large_png_spans_several_blocks() -> None:
    """More pixels than one stored block holds are still one valid image."""
    levels = np.tile(np.arange(16, dtype=np.int64), (512, 40))
    image = Image.open(io.BytesIO(encode_png(levels, [(k, k, k) for k in range(16)])))
    assert np.array_equal(np.asarray(image.convert("L")), levels)


@pytest.mark.parametrize("name", sorted(PATTERNS))
@pytest.mark.parametrize("size", [64, 128])
def test_patterns_are_palette_levels_with_contrast(name: str, size: int) -> None:
    """Every pattern gives integers 0..15 of the asked size, is not flat, and depends on nothing but its seed."""
    levels = PATTERNS[name](size, 5)
    assert levels.shape == (size, size)
    assert np.issubdtype(levels.dtype, np.integer)
    assert 0 <= levels.min() < levels.max() <= 15
    assert levels.std() > 0.4
    assert np.array_equal(levels, PATTERNS[name](size, 5))


@pytest.mark.parametrize("name", sorted(set(PATTERNS) - SEAMED))
def test_patterns_repeat_without_a_seam(name: str) -> None:
    """The step over the border is like the steps inside, so that a repeated texture shows no line of its own."""
    levels = PATTERNS[name](128, 3).astype(np.float64)
    for axis in (0, 1):
        inside = np.abs(np.diff(levels, axis=axis)).mean(axis=1 - axis)
        border = np.abs(np.take(levels, 0, axis=axis) - np.take(levels, -1, axis=axis)).mean()
        assert border <= inside.max() * 1.25 + 0.5


def test_noise_is_seamless_and_covers_its_range() -> None:
    """Shifting by a whole tile changes nothing and neighbours differ little."""
    noise = value_noise(128, 4, 8, 11)
    assert noise.min() >= 0
    assert noise.max() <= 255
    assert np.abs(noise - np.roll(noise, 1, axis=1)).max() < 24
    assert np.ptp(layered_noise(128, 4, 4, 1)) > 90


def test_cells_measure_true_distances() -> None:
    """The first distance is never above the second, and each is that of a real point nearby."""
    nearest, second, name = cells(64, 8, 9)
    assert (nearest <= second).all()
    assert nearest.max() < 64 * 16 // 8 * 2
    assert len(np.unique(name)) > 20


def test_shades_run_from_dark_to_light_through_the_base() -> None:
    """Brightness rises along the shades, and the middle one is the base colour."""
    base = rgb("a3642e")
    ramp = shades(base, 12)
    assert ramp[6] == base
    assert [sum(c) for c in ramp] == sorted(sum(c) for c in ramp)


def test_a_paint_is_its_pattern_in_its_colours() -> None:
    """Equal paints have equal bytes; another seed has others."""
    paint = plain("cream", "efe2c6", 1.0)
    assert paint.png() == Paint(**{f: getattr(paint, f) for f in paint.__slots__}).png()
    assert paint.png() != plain("cream", "efe2c6", 1.0, seed=2).png()
