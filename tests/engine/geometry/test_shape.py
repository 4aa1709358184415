"""Principal axes, mirror differences, resting faces, and the angles they are turned by."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.geometry.angles import degrees_between, rotation_onto
from engine.geometry.clean import clean_mesh
from engine.geometry.shape import find_resting_face, measure_axes, measure_mirror
from engine.surfaces import FloatArray, IntArray

UNIT = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda v: sum(x * x for x in v) > 0.01)
_FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
     [1, 5, 7], [1, 7, 3]], dtype=np.int64)  # fmt: skip


def slab(size: tuple[float, float, float]) -> tuple[FloatArray, IntArray]:
    """Closed box around the origin."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return corners * np.array(size), _FACES.copy()


def about_z(points: FloatArray, degrees: float) -> FloatArray:
    """Points turned about Z."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return points @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


@given(UNIT, UNIT)
@example((0.0, 0.5, 1e-6), (0.0, -1.0, 0.0))
@example((0.0, 0.5, 2e-5), (1e-9, -1.0, 0.0))
def test_angles_and_shortest_rotations_agree(one: tuple[float, ...], two: tuple[float, ...]) -> None:
    """The rotation brings one vector onto the other, keeps lengths and handedness, and turns by the angle."""
    a, b = (np.array(v) / math.sqrt(sum(x * x for x in v)) for v in (one, two))
    rotation = rotation_onto(a, b)
    assert rotation @ a == pytest.approx(b, abs=1e-6)
    assert np.linalg.det(rotation) == pytest.approx(1.0, abs=1e-6)
    expected = math.degrees(math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b)))
    assert degrees_between(a, b) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("axis", np.vstack([np.eye(3), -np.eye(3)]).tolist())
def test_opposite_vectors_are_a_proper_half_turn(axis: list[float]) -> None:
    """Never a mirror: the determinant is 1 and the turn is its own inverse."""
    vector = np.array(axis)
    rotation = rotation_onto(vector, -vector)
    assert rotation @ vector == pytest.approx(-vector, abs=1e-12)
    assert np.linalg.det(rotation) == pytest.approx(1.0, abs=1e-12)
    assert rotation @ rotation == pytest.approx(np.eye(3), abs=1e-12)


@pytest.mark.parametrize("degrees", [0.0, 17.0, 40.0])
def test_axes_of_a_turned_slab_are_the_slab_s(degrees: float) -> None:
    """Exact integrals: axes and extents of a box, however it is turned and cut into triangles."""
    points, faces = slab((3.0, 1.0, 0.2))
    found = measure_axes(clean_mesh(about_z(points, degrees), faces))
    long = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0.0])
    assert abs(float(found.axes[0] @ long)) == pytest.approx(1.0, abs=1e-9)
    assert found.axes[2] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    assert found.extents == pytest.approx([3.0, 1.0, 0.2], abs=1e-9)


def test_the_order_of_faces_changes_no_bit() -> None:
    """Permuted faces and vertices give the same axes, extents and mirror differences."""
    points, faces = slab((3.0, 1.0, 0.2))
    order = np.random.default_rng(3).permutation(len(points))
    inverse = np.argsort(order)
    one = clean_mesh(about_z(points, 23.0), faces)
    two = clean_mesh(about_z(points, 23.0)[order], inverse[faces][::-1])
    assert np.array_equal(measure_axes(one).axes, measure_axes(two).axes)
    assert np.array_equal(measure_mirror(one), measure_mirror(two))


def test_a_mirror_difference_is_seen_on_its_axis_alone() -> None:
    """A wedge along X is its own mirror image in Y and Z."""
    points, faces = slab((1.0, 1.0, 1.0))
    points[points[:, 0] > 0.0, 1:] *= 0.3
    found = measure_mirror(clean_mesh(points, faces))
    assert found[0] > 0.05
    assert found[1:] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_a_leaning_plate_lies_face_up() -> None:
    """It tips over as it leans; its back, which looks down, becomes the underside."""
    points, faces = slab((0.1, 1.0, 1.0))
    leaning = about_z(points, 20.0)
    found = find_resting_face(clean_mesh(leaning, faces))
    assert found is not None
    assert found.down == pytest.approx([-math.cos(math.radians(20.0)), -math.sin(math.radians(20.0)), 0.0], abs=1e-9)
    assert np.sort(found.extents) == pytest.approx([0.1, 1.0, 1.0], abs=1e-9)
    assert found.extents[1] == pytest.approx(0.1, abs=1e-9)


def test_what_stands_keeps_its_underside() -> None:
    """A firm part rests as it was made."""
    found = find_resting_face(clean_mesh(*slab((1.0, 0.6, 0.8))))
    assert found is not None
    assert found.down.tolist() == [0.0, -1.0, 0.0]
