"""Checks compare as documented: strict or not, and never with NaN."""

from __future__ import annotations

import numpy as np
import pytest
from placement_scenes import placed_box, table_state

from engine.geometry.overlap import Overlap
from engine.placement import checks
from schemas.placement import Limits

LIMITS = Limits()
BASELINE = Limits(mode="baseline")


def test_strict_limits_refuse_equality_and_others_hold_it() -> None:
    """The gap must be below, the place may be at its limit."""
    assert checks.check_below("gap", 0.01, 0.01) is not None
    assert checks.check_below("gap", 0.0099999, 0.01) is None
    assert checks.check_at_most("floor", 0.02, 0.02) is None
    assert checks.check_at_least("place", 0.15, 0.15) is None


@pytest.mark.parametrize("check", [checks.check_below, checks.check_at_most, checks.check_at_least])
def test_nan_never_passes(check: object) -> None:
    """Not-a-number is a rejection without a measured value."""
    rejection = check("interpenetration", float("nan"), 0.02)  # type: ignore[operator]
    assert rejection is not None
    assert rejection.measured is None


def test_more_pieces_than_before_are_refused_and_one_must_stay_one() -> None:
    """A host of two pieces may keep two, a host of one may not become two."""
    assert checks.check_connected(2, 2, 2) is None
    assert checks.check_connected(2, 3, 2) is not None
    assert checks.check_connected(1, 2, 1) is not None
    assert checks.check_connected(1, 1, 1) is None


def test_baseline_mode_allows_the_old_overlap_and_a_little_more() -> None:
    """Strict mode knows no baseline; baseline mode allows f_old + 0.02."""
    deep = Overlap(0.30, "volume", contained=False)
    assert checks.check_overlap(deep, 0.29, LIMITS) is not None
    assert checks.check_overlap(deep, 0.29, BASELINE) is None
    assert checks.check_overlap(deep, 0.27, BASELINE) is not None
    rejection = checks.check_overlap(deep, None, BASELINE)
    assert rejection is not None
    assert (rejection.check, rejection.measured, rejection.limit) == ("interpenetration", 0.30, 0.02)


def test_place_is_the_overlap_of_padded_boxes() -> None:
    """Two unit cubes half a side apart: 0.5 / 1.5 without padding."""
    one = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    two = one + np.array([0.5, 0.0, 0.0])
    assert checks.measure_place_iou(one, two, 0.0) == pytest.approx(1.0 / 3.0)
    assert checks.measure_place_iou(one, one + 5.0, 1.0) == 0.0


def test_axis_ratio_looks_at_the_worst_axis_and_forgives_sheets() -> None:
    """Thicknesses below 0.01 D say nothing."""
    flat = np.array([[0.0, 0.0, 0.0], [1.0, 1e-6, 1.0]])
    flatter = np.array([[0.0, 0.0, 0.0], [2.0, 1e-3, 1.0]])
    assert checks.measure_axis_ratio(flatter, flat, 1.0) == pytest.approx(2.0)
    assert checks.measure_axis_ratio(flat, flatter, 1.0) == pytest.approx(2.0)


def test_own_scale_refers_to_the_share_or_for_whole_objects_to_the_raw_scale() -> None:
    """A part of a fifth of its object, placed at a tenth of D, is half its own size."""
    assert checks.measure_own_scale(0.4, 7.0, 0.2, 4.0) == pytest.approx(0.5)
    assert checks.measure_own_scale(0.4, 7.0, 1.0, 4.0) == 7.0
    rejection = checks.check_own_scale(3.0, LIMITS)
    assert rejection is not None
    assert (rejection.check, rejection.limit) == ("scale", 2.0)


def test_the_floor_is_the_lower_of_host_and_old_part() -> None:
    """Reaching below counts positive, in D."""
    state = table_state()
    new = np.array([[0.0, -0.1, 0.0], [1.0, 1.0, 1.0]])
    assert checks.measure_floor_rel(new, state, None) == pytest.approx(0.1 / state.diagonal)
    old = np.array([[0.0, -0.3, 0.0], [1.0, 1.0, 1.0]])
    assert checks.measure_floor_rel(new, state, old) == pytest.approx(-0.2 / state.diagonal)


def test_distances_name_the_nearest_slot_and_the_parent() -> None:
    """A cube 0.3 above the top and 0.1 beside the other cube."""
    state = table_state()
    placed = placed_box((0.2, 0.2, 0.2), (0.7, 1.4, 0.2))
    distances = checks.measure_distances(placed, state, state.piece("top"))
    assert distances.nearest_slot == "cube"
    assert distances.primary_gap_rel == pytest.approx(0.3 / state.diagonal)
    assert distances.gap_rel == pytest.approx(0.1 / state.diagonal)


def test_on_the_ground_the_floor_is_the_parent() -> None:
    """The plane at the lowest point counts as a part."""
    state = table_state()
    placed = placed_box((0.2, 0.2, 0.2), (3.0, 0.13, 0.0))
    distances = checks.measure_distances(placed, state, (), on_ground=True)
    assert distances.nearest_slot == "ground"
    assert distances.gap_rel == distances.primary_gap_rel == pytest.approx(0.03 / state.diagonal)
