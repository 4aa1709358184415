"""Bounding spheres and cameras."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.framing import Camera, aim_camera, camera_of, enclosing_sphere, frame_states
from schemas.errors import InputError

POINTS = st.lists(st.tuples(*[st.floats(-10, 10, allow_subnormal=False)] * 3), min_size=1, max_size=30)


def project(camera: Camera, point: tuple[float, float, float]) -> tuple[float, float, float]:
    """Frame x, frame y and depth of a point, by the written rule."""
    offset = np.array(point) - np.array(camera.position)
    depth = float(np.sum(offset * np.array(camera.forward)))
    scale = depth * camera.tan_half
    return float(np.sum(offset * camera.right)) / scale, float(np.sum(offset * camera.up)) / scale, depth


@settings(deadline=None, max_examples=60)
@given(POINTS)
def test_sphere_is_the_smallest(points: list[tuple[float, float, float]]) -> None:
    """It holds every point, and points on its border lie in no open half of it, so none is smaller."""
    cloud = np.array(points)
    sphere = enclosing_sphere([cloud])
    offset = cloud - np.array(sphere.center)
    distance = np.sqrt((offset * offset).sum(axis=1))
    assert distance.max() <= sphere.radius * (1 + 1e-9) + 1e-9
    border = offset[distance >= sphere.radius * (1 - 1e-6)]
    directions = np.random.default_rng(0).normal(size=(300, 3))
    directions /= np.sqrt((directions**2).sum(axis=1))[:, None]
    assert (border[None] * directions[:, None]).sum(axis=2).max(axis=1).min() >= -1e-3 * sphere.radius - 1e-9


def test_sphere_of_a_cube_is_exact_far_away_and_tiny() -> None:
    """Scale and distance from the origin cost no digits beyond rounding."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)
    assert enclosing_sphere([corners]).radius == pytest.approx(math.sqrt(0.75), rel=1e-15)
    assert enclosing_sphere([corners * 1e-6]).radius == pytest.approx(math.sqrt(0.75) * 1e-6, rel=1e-12)
    assert enclosing_sphere([corners + 1e6]).radius == pytest.approx(math.sqrt(0.75), rel=1e-9)


def test_sphere_does_not_depend_on_the_order_of_points() -> None:
    """Many equally far points, in any order, give the same bits."""
    random = np.random.default_rng(3)
    quarter = random.normal(size=(30, 3))
    cloud = np.concatenate([quarter * [x, y, 1.0] for x in (1.0, -1.0) for y in (1.0, -1.0)])
    spheres = {enclosing_sphere([random.permutation(cloud)]) for _ in range(20)}
    assert len(spheres) == 1


def test_sphere_spans_all_states() -> None:
    """Two states apart are framed together."""
    sphere = enclosing_sphere([np.zeros((1, 3)), np.array([[4.0, 0.0, 0.0]])])
    assert sphere == ((2.0, 0.0, 0.0), 2.0)


def test_no_vertices_is_refused() -> None:
    """An empty chain names its problem, and so does a point that is nowhere."""
    with pytest.raises(InputError, match="no state has a vertex"):
        enclosing_sphere([])
    with pytest.raises(InputError, match="not finite"):
        enclosing_sphere([np.array([[0.0, math.nan, 0.0]])])


def test_view_zero_sees_the_front_and_plus_x() -> None:
    """+Z comes nearest, +X lies to the right and nearer than -X, +Y is up."""
    rig = frame_states([np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])])
    camera = camera_of(rig, 0)
    front, side = project(camera, (0, 0, 1)), project(camera, (1, 0, 0))
    assert front[2] < side[2] < project(camera, (-1, 0, 0))[2] < project(camera, (0, 0, -1))[2]
    assert side[0] > 0 > front[0]
    assert project(camera, (0, 1, 0))[1] > 0 > project(camera, (0, -1, 0))[1]
    assert project(camera, (0, 0, 0))[:2] == pytest.approx((0, 0), abs=1e-12)


def test_views_go_counter_clockwise_seen_from_above() -> None:
    """View 1 stands where 90 more degrees lead: from +Z towards +X, that is behind +X."""
    rig = frame_states([np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])])
    first, second = camera_of(rig, 0), camera_of(rig, 1)
    assert first.position[2] > 0
    assert first.position[0] > 0
    assert second.position[0] > 0 > second.position[2]
    assert second.position[0] == pytest.approx(first.position[2])


def test_the_sphere_touches_the_frame() -> None:
    """The cone of the field of view is tangent to the sphere: its distance is R / sin(fov / 2)."""
    rig = frame_states([np.array([[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]])])
    camera = camera_of(rig, 2)
    distance = math.dist(camera.position, rig.center)
    assert distance == pytest.approx(3.0 / math.sin(math.atan(18 / 50)), rel=1e-14)
    for a, b in ((camera.right, camera.up), (camera.up, camera.forward), (camera.forward, camera.right)):
        assert sum(x * y for x, y in zip(a, b, strict=True)) == pytest.approx(0, abs=1e-15)


def test_aiming_centres_the_point() -> None:
    """What stood at (x, y) of the frame stands in the middle, and the frame is narrower."""
    rig = frame_states([np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])])
    camera = camera_of(rig, 0)
    x, y, _ = project(camera, (0.5, 0.8, -0.2))
    aimed = aim_camera(camera, x, y, 0.25)
    assert project(aimed, (0.5, 0.8, -0.2))[:2] == pytest.approx((0, 0), abs=1e-12)
    assert aimed.tan_half == camera.tan_half * 0.25


def test_a_missing_view_is_refused() -> None:
    """The message says how many views there are."""
    rig = frame_states([np.zeros((1, 3))])
    with pytest.raises(InputError, match="view 4 does not exist, the rig has 4"):
        camera_of(rig, 4)
