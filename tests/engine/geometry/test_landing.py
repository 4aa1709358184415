"""Landing spots on plates with posts, roofs and walls."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_meshes import Mesh, box, soup

from engine.geometry.landing import SKY, landing_spots
from engine.geometry.overlap import Placed, build_solid, place_solid
from engine.geometry.patches import Patch, free_patches
from engine.geometry.similarity import YAW, similarity, transform_points
from schemas.errors import GeometryError

D = 3.0


def _placed(mesh: Mesh, matrix: np.ndarray | None = None) -> Placed:
    return place_solid(build_solid(*mesh), np.eye(4) if matrix is None else matrix)


def _top(placed: Placed, scale: float = 1.0) -> Patch:
    return free_patches(placed.solid.mesh, D / scale, min_up=0.85)[0]


PLATE = box((2, 0.1, 2), (0, -0.05, 0))


def test_sky_directions_are_unit_upward_and_balanced() -> None:
    """Twenty-four unit vectors above the horizon whose horizontal parts cancel."""
    assert SKY.shape == (24, 3)
    np.testing.assert_allclose((SKY * SKY).sum(axis=1), 1.0, atol=1e-15)
    assert SKY[:, 1].min() > 0.16
    np.testing.assert_allclose(SKY.sum(axis=0), [0, 12, 0], atol=1e-14)


def test_the_middle_of_an_empty_plate() -> None:
    """The widest disc of a square plate is its inscribed circle, at its centre, under an open sky."""
    plate = _placed(PLATE)
    spot = landing_spots(_top(plate), plate, [], D)[0]
    np.testing.assert_allclose(spot.center, [0, 0, 0], atol=0.01 * D)
    assert spot.radius == pytest.approx(1.0, abs=0.01 * D)
    assert spot.sky == 1.0


def test_a_long_plate_is_taken_in_its_middle() -> None:
    """Of many equal discs on a bar the middle one comes first, and the others keep two radii away."""
    plate = _placed(box((2.5, 0.1, 0.5), (0, -0.05, 0)))
    spots = landing_spots(_top(plate), plate, [], D)
    assert len(spots) == 3
    np.testing.assert_allclose(spots[0].center, [0, 0, 0], atol=0.02 * D)
    for k, spot in enumerate(spots):
        for other in spots[:k]:
            assert np.linalg.norm(spot.center - other.center) > 1.9 * other.radius


def test_spots_keep_away_from_a_post_and_from_under_a_low_roof() -> None:
    """A post that stands on the plate and a roof lower than the clearance take their ground away."""
    plate = _placed(PLATE)
    post, roof = _placed(box((0.2, 1.0, 0.2), (0.5, 0.5, 0.5))), _placed(box((0.8, 0.1, 2), (-0.6, 0.2, 0)))
    spots = landing_spots(_top(plate), plate, [post, roof], D)
    assert spots
    for spot in spots:
        away = np.abs(spot.center[[0, 2]] - 0.5) - 0.1
        assert np.linalg.norm(np.maximum(away, 0.0)) >= spot.radius - 0.015 * D
        assert spot.center[0] - spot.radius >= -0.2 - 0.015 * D
        assert spot.center[1] == pytest.approx(0.0, abs=1e-12)


def test_a_sunken_post_counts_as_occupied() -> None:
    """Ground inside another part is not free although no ray from it meets a surface within the clearance."""
    plate = _placed(PLATE)
    block = _placed(box((1.9, 4, 1.9)))
    for spot in landing_spots(_top(plate), plate, [block], D):
        assert np.abs(spot.center[[0, 2]]).max() > 0.95


def test_the_inside_of_an_oven_sees_no_sky() -> None:
    """High enough to pass the clearance, but closed above and around: no spot."""
    plate = _placed(box((1, 0.1, 1), (0, -0.05, 0)))
    walls = soup(
        box((1.2, 0.1, 1.2), (0, 0.8, 0)),
        box((0.1, 1, 1.2), (0.6, 0.4, 0)),
        box((0.1, 1, 1.2), (-0.6, 0.4, 0)),
        box((1.2, 1, 0.1), (0, 0.4, 0.6)),
    )
    assert landing_spots(_top(plate), plate, [_placed(walls)], D) == ()
    assert landing_spots(_top(plate), plate, [], D) != ()


def test_a_small_patch_has_no_spot_and_own_geometry_counts() -> None:
    """A bar thinner than the least radius offers none; a post of the same part takes ground like any other."""
    bar = _placed(box((2, 0.1, 0.15)))
    assert landing_spots(_top(bar), bar, [], D) == ()
    both = _placed(soup(PLATE, box((0.4, 1.0, 0.4), (0, 0.6, 0))))
    spot = landing_spots(_top(both), both, [], D)[0]
    assert np.linalg.norm(spot.center) > 0.3


def test_spots_move_with_the_pose() -> None:
    """A scaled and turned part has its spots where the pose takes them."""
    mesh = soup(PLATE, box((0.3, 0.5, 0.3), (0.4, 0.25, -0.5)))
    pose = similarity(0.5, YAW[90], np.array([3.0, 1.0, -2.0]))
    still, moved = _placed(mesh), _placed(mesh, pose)
    expected = landing_spots(_top(still), still, [], D)[0]
    spot = landing_spots(_top(moved, 0.5), moved, [], 0.5 * D)[0]
    np.testing.assert_allclose(spot.center, transform_points(pose, expected.center[None])[0], atol=0.01 * D)
    assert spot.radius == pytest.approx(0.5 * expected.radius, abs=0.01 * D)
    for size in (0.0, 1e-4):
        with pytest.raises(GeometryError):
            landing_spots(_top(still), still, [], size)


@pytest.mark.parametrize("away", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
def test_of_two_equal_halves_the_one_away_from_the_rest_is_taken(away: tuple[float, float]) -> None:
    """A wall halves the plate; a quarter of a cell by which the middle of all parts is off decides, on every side."""
    plate = _placed(PLATE)
    across = np.array([0.2, 1.0, 2.0] if away[0] else [2.0, 1.0, 0.2])
    wall = _placed(box(across, (0, 0.5, 0)))
    step = 3 * 0.25 * 0.01 * D
    weight = _placed(box((0.2, 0.2, 0.2), (step * away[0], -1.0, step * away[1])))
    spot = landing_spots(_top(plate), plate, [wall, weight], D)[0]
    assert spot.center[0] * away[0] + spot.center[2] * away[1] < -0.3
