"""Where a thing is said to stand against another."""

from __future__ import annotations

import numpy as np
import pytest

from engine.operations.relations import choose_preposition

THING = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])


@pytest.mark.parametrize(
    ("shift", "said"),
    [
        ((0.0, 0.0, 1.5), "in front of"),
        ((0.0, 0.0, -1.5), "behind"),
        ((0.4, 0.0, 1.5), "in front of"),
        ((0.8, 0.0, 1.5), "beside"),
        ((1.5, 0.0, 0.0), "beside"),
        ((1.2, 0.0, 1.5), "beside"),
    ],
)
def test_only_what_faces_a_thing_is_in_front_of_it(shift: tuple[float, float, float], said: str) -> None:
    """Off a corner is beside; half of the narrower width must overlap to be in front or behind."""
    assert choose_preposition(THING + np.array(shift), THING) == said
