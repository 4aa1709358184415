"""Text and stages."""

from __future__ import annotations

import numpy as np

from engine.render.page import lay_on_stage, measure_text, wrap_text

TEXT = "Put a small brass lamp on the left end of the shelf, beside the books"


def test_wrapping_keeps_words_and_width() -> None:
    """No line is too wide, no word is lost, lines are as full as can be."""
    block = wrap_text(TEXT, 160, 15)
    assert " ".join(block.lines) == TEXT
    assert all(measure_text(line, 15) <= 160 for line in block.lines)
    for line, following in zip(block.lines, block.lines[1:], strict=False):
        assert measure_text(f"{line} {following.split()[0]}", 15) > 160
    assert block.height == len(block.lines) * block.line_height


def test_long_words_are_cut_and_long_texts_end_in_an_ellipsis() -> None:
    """Nothing runs out of its card."""
    block = wrap_text("x" * 200 + " " + TEXT, 160, 15, max_lines=3)
    assert len(block.lines) == 3
    assert block.lines[-1].endswith("...")
    assert all(measure_text(line, 15) <= 160 for line in block.lines)
    assert wrap_text("", 100, 15).lines == ("",)


def test_accents_are_written_plainly() -> None:
    """The typeface has no accents; they are dropped, dashes become hyphens, control characters spaces."""
    assert wrap_text("A café\u2014crème brûlée\x00 3\u00d74\n\tend", 900, 15).lines == (
        "A cafe - creme brulee 3x4 end",
    )


def test_stage_shows_through() -> None:
    """Coverage mixes the picture with the ground."""
    picture = np.array([[[200, 0, 0, 255], [200, 0, 0, 51], [0, 0, 0, 0]]], dtype=np.uint8)
    assert lay_on_stage(picture, (100, 100, 100)).tolist() == [[[200, 0, 0], [120, 80, 80], [100, 100, 100]]]
