"""Texel rasters on squares whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from texture_pieces import make_square

from engine.surfaces import FloatArray, Surface
from engine.texture.raster import find_gutter, find_texels, measure_cover


def _corners(surface: Surface) -> FloatArray:
    return surface.uvs[0].astype(np.float64)[surface.faces]


def test_texels_of_a_square_lie_at_their_middles() -> None:
    """With coordinates equal to positions every texel is covered once, at ((column + 0.5) / w, (row + 0.5) / h)."""
    square = make_square()
    texels = find_texels(_corners(square), square.positions[square.faces], 8, 4)
    assert texels.place.tolist() == list(range(32))
    row, column = np.divmod(texels.place, 8)
    expected = np.column_stack([(column + 0.5) / 8, (row + 0.5) / 4, np.zeros(32)])
    assert np.abs(texels.points - expected).max() < 1e-12
    assert set(texels.faces.tolist()) == {0, 1}


def test_a_triangle_between_texel_middles_still_gets_a_texel() -> None:
    """A triangle smaller than a texel owns the texel its centre falls into."""
    tiny = np.array([[[0.51, 0.51], [0.52, 0.51], [0.51, 0.52]]])
    texels = find_texels(tiny, np.ones((1, 3, 3)), 4, 4)
    assert texels.place.tolist() == [10]
    assert texels.points.tolist() == [[1.0, 1.0, 1.0]]


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_cover_counts_triangles_and_shared_edges_once(copies: int) -> None:
    """The diagonal passes through texel middles and belongs to one triangle only; copies count once each."""
    cover = measure_cover(_corners(make_square(copies=copies)), 16)
    assert (cover == copies).all()


def test_cover_does_not_depend_on_winding() -> None:
    """A mirrored chart covers the same texels."""
    corners = np.random.default_rng(0).random((20, 3, 2))
    assert np.array_equal(measure_cover(corners, 64), measure_cover(corners[:, ::-1], 64))


def test_gutter_grows_by_its_rounds_and_copies_a_neighbour() -> None:
    """From one texel, three rounds reach a 7 x 7 block and nothing else."""
    source = find_gutter(np.array([5 * 12 + 6]), 12, 12, 3).reshape(12, 12)
    expected = np.full((12, 12), -1)
    expected[2:9, 3:10] = 0
    assert np.array_equal(source, expected)
