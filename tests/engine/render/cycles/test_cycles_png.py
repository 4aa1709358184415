"""PNG files without what is not the picture."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from engine.render.cycles.png_file import strip_png


def write_png(**words: str) -> bytes:
    """Write a small picture with texts in its file."""
    info = PngImagePlugin.PngInfo()
    for name, text in words.items():
        info.add_text(name, text)
    buffer = io.BytesIO()
    pixels = np.arange(5 * 7 * 4, dtype=np.uint8).reshape(5, 7, 4)
    Image.fromarray(pixels).save(buffer, "PNG", pnginfo=info, dpi=(72, 72))
    return buffer.getvalue()


def test_only_the_picture_stays() -> None:
    """Files that differ in texts alone become one, with the pixels they had."""
    first, second = strip_png(write_png(total_time="00:01.2")), strip_png(write_png(total_time="00:01.3", date="now"))
    assert first == second
    with Image.open(io.BytesIO(first)) as image:
        assert np.array(image).reshape(-1).tolist() == list(range(140))
        assert image.info == {}


@pytest.mark.parametrize(
    ("data", "problem"),
    [(b"", "no PNG"), (b"JFIF", "no PNG"), (write_png()[:-5], "cut short"), (write_png()[:40], "cut")],
)
def test_broken_files_are_refused(data: bytes, problem: str) -> None:
    """What is no PNG, or only the beginning of one, is refused."""
    with pytest.raises(ValueError, match=problem):
        strip_png(data)
