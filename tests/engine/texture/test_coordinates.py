"""Which existing coordinates may carry an image."""

from __future__ import annotations

import numpy as np
import pytest
from texture_pieces import make_box, make_square, make_surface

from engine.surfaces import Surface
from engine.texture.coordinates import check_coordinates


def test_one_to_one_square_is_usable() -> None:
    """A square that fills its image is used as it is."""
    assert check_coordinates((make_square(),)) == (True, "")


def _uneven() -> Surface:
    left = make_square()
    points = np.concatenate([left.positions, left.positions * [2.0, 2.0, 1.0] + [2.0, 0.0, 0.0]])
    uv = np.concatenate([left.uvs[0] * [0.5, 1.0], left.uvs[0] * [0.5, 0.06] + [0.5, 0.0]])
    return make_surface(points, np.concatenate([left.faces, left.faces + 4]), uv)


@pytest.mark.parametrize(
    ("surface", "reason"),
    [
        (make_square(copies=2), "overlaps"),
        (make_square(0.01), "covered"),
        (make_square(1.5), "beyond"),
        (make_box(), "no texture coordinates"),
        (_uneven(), "density"),
    ],
)
def test_unusable_coordinates_say_why(surface: Surface, reason: str) -> None:
    """Overlap, a palette pixel, repeats, absence and uneven density are each told apart."""
    report = check_coordinates((surface,))
    assert not report.usable
    assert reason in report.reason


def test_collapsed_area_is_found_beside_a_good_square() -> None:
    """A second square whose coordinates are one point makes the coordinates unusable."""
    good = make_square()
    bad = make_surface(good.positions, good.faces, np.full((4, 2), 0.5))
    assert "collapsed" in check_coordinates((good, bad)).reason


def test_surfaces_share_one_image() -> None:
    """Two surfaces, each usable alone, are not usable together when they lie on the same texels."""
    assert "overlaps" in check_coordinates((make_square(), make_square())).reason
