"""Colours and coverage at points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from render_shapes import box, card, encoded, piece, textured, unlit

from engine.render.probe import render_alpha_at, render_color_at, sample_base_color
from engine.surfaces import Material

FOUR = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]], dtype=np.uint8)


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ((-0.5, 0.5, 0.0), (1, 0, 0)),
        ((0.5, 0.5, 0.3), (0, 1, 0)),
        ((-0.5, -0.5, -0.3), (0, 0, 1)),
        ((9, -9, 0), (1, 1, 1)),
    ],
)
def test_texture_at_the_nearest_point(point: tuple[float, float, float], expected: tuple[int, ...]) -> None:
    """On, in front of, behind and beside the card."""
    surface = card(textured(encoded(FOUR), nearest=True, wrap_s=33071, wrap_t=33071))
    assert sample_base_color(surface, point) == (*expected, 1.0)


def test_vertex_colours_at_corners() -> None:
    """Corner colours are read exactly, the middle of an edge is their mean."""
    colors = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 0, 1]], dtype=np.float32)
    surface = replace(card(Material()), colors=colors)
    assert sample_base_color(surface, (-1.0, -1.0, 0.0)) == (1, 0, 0, 1)
    assert sample_base_color(surface, (1.0, 1.0, 0.0)) == (0, 1, 0, 1)
    assert sample_base_color(surface, (0.0, -1.0, 0.0)) == (0.5, 0.5, 0, 1)


def test_alpha_is_not_judged() -> None:
    """The stored alpha comes back whatever the alpha mode."""
    assert sample_base_color(card(unlit(1, 1, 1, 0.25)), (0.0, 0.0, 0.0))[3] == 0.25


def test_a_surface_without_triangles_is_refused() -> None:
    """There is no nearest point."""
    empty = replace(card(), faces=np.zeros((0, 3), dtype=np.int64))
    with pytest.raises(ValueError, match="without triangles"):
        sample_base_color(empty, (0.0, 0.0, 0.0))


def test_looking_from_sides() -> None:
    """Each side of a box of two halves shows its own half; beside it is nothing."""
    pieces = [
        piece("left", box((-1, 0, 0), (0, 1, 1), unlit(1, 0, 0))),
        piece("right", box((0, 0, 0), (1, 1, 1), unlit(0, 0, 1, 0.5, alpha_mode="BLEND"))),
    ]
    assert render_color_at(pieces, (-1.0, 0.5, 0.5), (-1.0, 0.0, 0.0)) == (255, 0, 0, 255)
    assert render_alpha_at(pieces, (-0.5, 1.0, 0.5)) == 1.0
    assert render_alpha_at(pieces, (0.5, 1.0, 0.5)) == pytest.approx(0.75, abs=0.002)
    assert render_alpha_at(pieces, (1.5, 1.0, 0.5)) == 0.0
