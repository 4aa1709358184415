"""AbsRel after scale and shift: an oracle by linear algebra, invariances, and pixels that do not count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.suites.depth import fit_scale_shift, measure_abs_rel
from schemas.errors import InputError
from schemas.score import Undefined


def _pair(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    true = rng.uniform(1.0, 9.0, (12, 15))
    return 0.4 * true + rng.normal(0.0, 0.3, true.shape) - 0.7, true


@given(seed=st.integers(0, 10_000))
def test_alignment_equals_least_squares(seed: int) -> None:
    """Scale, shift and AbsRel are those that a solver of linear least squares gives."""
    own, true = _pair(seed)
    scores = measure_abs_rel(own, true)
    design = np.stack([own.reshape(-1), np.ones(own.size)], axis=1)
    scale, shift = np.linalg.lstsq(design, true.reshape(-1), rcond=None)[0]
    assert scores.scale == pytest.approx(scale, rel=1e-9)
    assert scores.shift == pytest.approx(shift, rel=1e-9)
    assert scores.abs_rel == pytest.approx(np.mean(np.abs(scale * own + shift - true) / true), rel=1e-9)
    assert scores.pixels == own.size


@given(seed=st.integers(0, 1000), scale=st.floats(0.01, 100.0), shift=st.floats(-50.0, 50.0))
def test_scale_and_shift_of_the_own_depth_do_not_matter(seed: int, scale: float, shift: float) -> None:
    """A depth in other units and from another zero scores the same; the true depth so changed scores 0."""
    own, true = _pair(seed)
    assert measure_abs_rel(own * scale + shift, true).abs_rel == pytest.approx(measure_abs_rel(own, true).abs_rel, 1e-6)
    assert measure_abs_rel(true * scale + shift, true).abs_rel == pytest.approx(0.0, abs=1e-10)


def test_pixels_without_both_depths_do_not_count() -> None:
    """Sky, holes, depths that are not positive and pixels outside the region leave scale and error as they were."""
    own, true = _pair(4)
    region = np.ones(true.shape, dtype=bool)
    region[0] = False
    wanted = measure_abs_rel(own[1:].copy(), true[1:].copy())
    own[0], true[0] = 1e9, 1.0
    assert measure_abs_rel(own, true, region) == wanted
    true[0, 0::3], true[0, 1::3], true[0, 2::3] = np.inf, 0.0, np.nan
    assert measure_abs_rel(own, true) == wanted
    own[0], true[0] = np.inf, 2.0
    assert measure_abs_rel(own, true) == wanted


def test_degenerate_depths() -> None:
    """A constant depth is aligned by shift alone; fewer than two pixels have no score; sizes must agree."""
    assert fit_scale_shift(np.full(3, 2.0), np.array([1.0, 2.0, 6.0])) == (0.0, 3.0)
    assert measure_abs_rel(np.full((1, 2), 5.0), np.array([[1.0, 3.0]])).abs_rel == pytest.approx((1 + 1 / 3) / 2)
    lone = measure_abs_rel(np.array([[1.0, np.nan]]), np.array([[1.0, 1.0]]))
    assert isinstance(lone.abs_rel, Undefined)
    assert lone.pixels == 1
    with pytest.raises(InputError, match="one size"):
        measure_abs_rel(np.ones((2, 2)), np.ones((2, 3)))
