"""Whether what is left of an object stands."""

from __future__ import annotations

import pytest
from placement_scenes import placed_box

from engine.geometry.overlap import Placed
from engine.placement.balance import measure_imbalance

TOP = placed_box((2.0, 0.2, 2.0), (0.0, 1.0, 0.0))


def legs(*corners: tuple[float, float]) -> list[Placed]:
    """A square table top on legs 0.2 wide whose middles lie 0.9 from the middle."""
    return [TOP, *(placed_box((0.2, 0.9, 0.2), (0.9 * x, 0.45, 0.9 * z)) for x, z in corners)]


@pytest.mark.parametrize(
    ("corners", "outside"),
    [
        (((1, 1), (1, -1), (-1, 1), (-1, -1)), 0.0),
        (((1, 1), (1, -1), (-1, 1)), 0.0),
        (((1, 1), (-1, -1)), 0.0),
        (((1, 1), (1, -1)), 0.6),
        (((1, 1),), 0.9),
    ],
)
def test_a_table_stands_on_three_legs_not_on_two_of_a_side(
    corners: tuple[tuple[int, int], ...], outside: float
) -> None:
    """The centroid moves towards the legs that are left; beside all of them the table falls."""
    found = measure_imbalance(legs(*corners), 0.0, 1.0)
    if outside == 0.0:
        assert found == 0.0
    else:
        assert outside - 0.3 < found < outside + 0.2


def test_what_touches_no_ground_does_not_stand() -> None:
    """Nothing to stand on is infinitely bad."""
    assert measure_imbalance([TOP], 0.0, 1.0) == float("inf")


def test_only_ratios_matter() -> None:
    """Twice as large at twice the diagonal is the same."""
    one = measure_imbalance(legs((1, 1), (1, -1)), 0.0, 3.0)
    moved = [placed_box((0.4, 1.8, 0.4), (1.8, 0.9, 1.8)), placed_box((0.4, 1.8, 0.4), (1.8, 0.9, -1.8))]
    two = measure_imbalance([placed_box((4.0, 0.4, 4.0), (0.0, 2.0, 0.0)), *moved], 0.0, 6.0)
    assert one == pytest.approx(two, rel=1e-9)
