"""Sine and cosine without the C library."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.angles import turn_of_degrees, turn_of_radians


@given(st.floats(-1000, 1000))
def test_radians_agree_with_the_c_library(angle: float) -> None:
    """Both values stay within a few units in the last place."""
    turn = turn_of_radians(angle)
    assert abs(turn.cos - math.cos(angle)) < 2e-13
    assert abs(turn.sin - math.sin(angle)) < 2e-13


def test_quarter_turns_are_exact() -> None:
    """Multiples of 90 degrees give exact zeros and ones."""
    found = [tuple(turn_of_degrees(90.0 * k)) for k in range(-4, 5)]
    assert found == [(1, 0), (0, 1), (-1, 0), (0, -1)] * 2 + [(1, 0)]


def test_degrees_agree_with_the_c_library() -> None:
    """The default views' angles are right to the last digits."""
    for angle in (25.0, 35.0, 125.0, 215.0, 305.0, -40.0):
        assert math.isclose(turn_of_degrees(angle).sin, math.sin(math.radians(angle)), abs_tol=1e-15)
