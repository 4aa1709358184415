"""Values of maps in regions, on pixels and on patches."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.surfaces import FloatArray
from evaluator.metrics.networks.weights import MissingWeights
from evaluator.metrics.perceptual import find_patches, measure_retexture_similarity, score_view_by_network
from evaluator.metrics.pictures import ByRegion, OnBlack, lay_on_black
from schemas.errors import InputError
from schemas.score import Undefined

BLACK = lay_on_black(np.zeros((64, 64, 3), dtype=np.uint8))


class Ramp:
    """A network whose map is known: 0, 1, 2, ... row by row."""

    name: ClassVar[str] = "ramp"
    kind: ClassVar[Literal["map"]] = "map"
    needs: ClassVar[str] = "nothing"
    unavailable: ClassVar[str | None] = None
    higher_is_better: ClassVar[bool] = True
    sha256 = "0" * 64

    def __init__(self, side: int) -> None:
        self.side = side

    def measure_map(self, own: OnBlack, target: OnBlack) -> FloatArray:
        """(side, side) float64."""
        assert own.alpha.shape == target.alpha.shape
        return np.arange(self.side * self.side, dtype=np.float64).reshape(self.side, self.side)


def test_a_map_of_pixels_is_averaged_over_each_region() -> None:
    """E is the first two rows of 64, U the rest."""
    edit = np.zeros((64, 64), dtype=bool)
    edit[:2] = True
    found = score_view_by_network(Ramp(64), BLACK, BLACK, edit)
    assert found == (63.5, (128 + 4095) / 2, 4095 / 2)


def test_a_patch_belongs_to_the_region_that_holds_half_of_it() -> None:
    """On a grid of 16 patches of 4 pixels: 7 of a patch's 16 pixels are too few, 8 are enough for both E and U."""
    edit = np.zeros((64, 64), dtype=bool)
    edit[:8, :32] = True
    edit[32:34, 4:8] = True
    edit[40:42, 4:8] = True
    edit[41, 7] = False
    found = score_view_by_network(Ramp(16), BLACK, BLACK, edit)
    inside = [row * 16 + column for row in range(2) for column in range(8)] + [8 * 16 + 1]
    outside = [place for place in range(256) if place not in inside] + [8 * 16 + 1]
    assert found.edit == pytest.approx(sum(inside) / len(inside), rel=1e-14)
    assert found.unchanged == pytest.approx(sum(outside) / len(outside), rel=1e-14)
    assert found.whole == 127.5


def test_a_region_between_the_patches_has_no_value() -> None:
    """60 pixels in a line hold half of no patch; fewer than 50 pixels are too few before that."""
    edit = np.zeros((64, 64), dtype=bool)
    edit[3, :60] = True
    found = score_view_by_network(Ramp(16), BLACK, BLACK, edit)
    assert found.edit == Undefined(reason="none of 256 patches lies at least half in this region")
    assert found.unchanged == 127.5
    edit[3, 40:] = False
    few = score_view_by_network(Ramp(16), BLACK, BLACK, edit).edit
    assert few == Undefined(reason="the edited region has 40 pixels in this view, 50 are needed")


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_patches_are_decided_by_exact_areas(height: int, width: int, rows: int, columns: int, seed: int) -> None:
    """Against a count of fine squares of which every pixel and every patch is made; E and U cover the grid."""
    region = np.random.default_rng(seed).random((height, width)) < 0.5
    fine = np.kron(region, np.ones((rows, columns), dtype=bool))
    counts = fine.reshape(rows, height, columns, width).sum(axis=(1, 3))
    inside, outside = find_patches(region, rows, columns), find_patches(~region, rows, columns)
    assert (inside == (2 * counts >= height * width)).all()
    assert (inside | outside).all()
    assert (inside & outside == (2 * counts == height * width)).all()


def test_a_missing_network_is_a_reason_everywhere() -> None:
    """No number takes its place."""
    absent = MissingWeights(reason="weights not available: ramp needs nothing")
    found = score_view_by_network(absent, BLACK, BLACK, np.ones((64, 64), dtype=bool))
    assert found == (absent, absent, absent)
    with pytest.raises(InputError, match="network scores: sizes differ"):
        score_view_by_network(absent, BLACK, BLACK, np.ones((32, 32), dtype=bool))


def test_new_looks_have_a_column_of_the_conditioning_view() -> None:
    """The value of view 0 in E; other turns have none and say so."""
    views = [ByRegion[float | Undefined](0.25, 0.5, 0.75), ByRegion[float | Undefined](0.1, 0.1, 0.1)]
    assert measure_retexture_similarity("retexture", views) == 0.25
    assert measure_retexture_similarity("add", views) == Undefined(reason="a column of retexture turns, this is add")
    with pytest.raises(InputError, match="no views"):
        measure_retexture_similarity("retexture", [])
