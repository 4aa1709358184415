"""Contact frames of pairs with known geometry."""

from __future__ import annotations

import numpy as np
import pytest
from placement_scenes import placed_box, placed_prism, tube_mesh, turned

from engine.geometry.overlap import build_solid, place_solid
from engine.geometry.similarity import YAW
from engine.placement.contact import build_frame, classify_direction, ground_frame, is_carried, is_leg, measure_pair

PLATE = placed_box((4.0, 0.5, 4.0), (0.0, -0.25, 0.0))
D = 6.0


def test_a_cylinder_on_a_plate_is_planar_with_the_discs_radius() -> None:
    """A flush disc contact has normal +Y, its centre as origin and 0.975 R as radius."""
    contact = measure_pair(placed_prism(64, 0.3, 1.0, (0.4, 0.5, -0.2)), PLATE, D)
    assert contact is not None
    assert contact.kind == "planar"
    assert contact.normal == pytest.approx([0.0, 1.0, 0.0], abs=1e-12)
    assert contact.origin == pytest.approx([0.4, 0.0, -0.2], abs=0.01)
    assert contact.radius == pytest.approx(0.975 * 0.3, abs=0.015)
    assert contact.size == pytest.approx(np.sqrt(np.pi) * 0.3, rel=0.05)


@pytest.mark.parametrize("depth", [0.1, 0.3])
def test_a_cylinder_sunk_into_a_plate_is_a_socket_along_its_axis(depth: float) -> None:
    """The ejection vector of a sunk cylinder points out of the plate; the curve gives radius and centre."""
    part = placed_prism(64, 0.3, 1.0, (0.4, 0.5 - depth, -0.2))
    contact = measure_pair(part, PLATE, D)
    assert contact is not None
    assert contact.kind == "socket"
    assert contact.normal == pytest.approx([0.0, 1.0, 0.0], abs=0.05)
    assert contact.origin == pytest.approx([0.4, 0.0, -0.2], abs=0.01)
    assert contact.radius == pytest.approx(0.3, abs=0.01)
    assert contact.size == pytest.approx(2.0 * np.pi * 0.3 / 4.0, rel=0.01)
    frame = build_frame(contact, part, "plate")
    assert frame.embed == pytest.approx(depth, abs=0.02)
    assert (frame.kind, frame.direction, frame.parent) == ("socket", "up", "plate")


def test_a_bar_through_a_wall_is_through_and_points_between_the_box_centres() -> None:
    """No direction frees a bar that sticks out on both sides."""
    wall = placed_box((0.4, 2.0, 2.0), (0.0, 1.0, 0.0))
    contact = measure_pair(placed_box((3.0, 0.2, 0.2), (0.2, 1.0, 0.0)), wall, D)
    assert contact is not None
    assert contact.kind == "through"
    assert contact.normal == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)
    assert contact.residual < 0.15


def test_a_peg_in_an_exact_hole_is_axial() -> None:
    """Mating normals all around an axis make an axial mate along it, with the hole's radius."""
    peg = placed_prism(48, 0.3, 1.0, (0.0, 0.2, 0.0))
    sleeve = place_solid(build_solid(*tube_mesh(48, 0.3, 0.6, 0.5)), np.eye(4))
    contact = measure_pair(peg, sleeve, D)
    assert contact is not None
    assert contact.kind == "axial"
    assert contact.normal == pytest.approx([0.0, 1.0, 0.0], abs=1e-3)
    assert contact.radius == pytest.approx(0.3, abs=0.01)
    assert contact.origin == pytest.approx([0.0, 0.0, 0.0], abs=0.02)


def test_parts_further_apart_than_the_tolerance_have_no_contact() -> None:
    """A gap of 0.011 D is no contact, one of 0.009 D is, with its exact size."""
    above = placed_box((0.5, 0.5, 0.5), (0.0, 0.25 + 0.011 * D, 0.0))
    assert measure_pair(above, PLATE, D) is None
    near = measure_pair(placed_box((0.5, 0.5, 0.5), (0.0, 0.25 + 0.009 * D, 0.0)), PLATE, D)
    assert near is not None
    assert near.gap == pytest.approx(0.009 * D, abs=1e-12)
    assert near.normal == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)


def test_exchanging_part_and_parent_turns_the_normal() -> None:
    """The contact seen from the other side is the flipped one."""
    part = placed_prism(32, 0.3, 1.0, (0.1, 0.35, 0.2))
    one, two = measure_pair(part, PLATE, D), measure_pair(PLATE, part, D)
    assert one is not None
    assert two is not None
    assert two.flipped().normal == pytest.approx(one.normal, abs=1e-9)
    assert two.origin == pytest.approx(one.origin, abs=1e-9)
    assert two.size == pytest.approx(one.size, rel=1e-9)


@pytest.mark.parametrize("yaw", [90, 180, 270])
def test_the_contact_turns_with_the_scene(yaw: int) -> None:
    """Turning both parts about +Y turns origin and normal and keeps the rest."""
    wall = placed_box((1.0, 2.0, 2.0), (-0.5, 1.0, 0.0))
    part = placed_prism(32, 0.2, 1.0, (0.4, 1.2, 0.3), axis=0)
    one = measure_pair(part, wall, D)
    two = measure_pair(turned(part, YAW[yaw], (0.0, 0.0, 0.0)), turned(wall, YAW[yaw], (0.0, 0.0, 0.0)), D)
    assert one is not None
    assert two is not None
    assert two.kind == one.kind == "socket"
    expected = [sum(YAW[yaw][i][j] * one.normal[j] for j in range(3)) for i in range(3)]
    assert two.normal == pytest.approx(expected, abs=0.1)
    assert two.size == pytest.approx(one.size, rel=1e-6)


def test_a_cube_on_a_table_is_carried_and_rests_upright() -> None:
    """A carried part rests along +Y with no embed, whatever its surfaces say."""
    cube = placed_box((0.5, 0.5, 0.5), (0.3, 0.25, 0.3))
    contact = measure_pair(cube, PLATE, D)
    assert contact is not None
    assert is_carried(contact, cube.bounds, PLATE.bounds, D)
    frame = build_frame(contact, cube, "plate", carried=True)
    assert (frame.kind, frame.direction, frame.normal, frame.embed) == ("rest", "up", (0.0, 1.0, 0.0), 0.0)
    assert not is_carried(contact.flipped(), PLATE.bounds, cube.bounds, D)


def test_a_leg_hangs_downwards_even_when_let_in_from_the_side() -> None:
    """A part that stands on the floor under its parent is a leg: normal -Y."""
    top = placed_box((2.0, 0.2, 2.0), (0.0, 1.0, 0.0))
    leg = placed_box((0.2, 1.05, 0.2), (1.05, 0.525, 0.0))
    contact = measure_pair(leg, top, D)
    assert contact is not None
    assert is_leg(contact, leg.bounds, top.bounds, 0.0, D)
    assert build_frame(contact, leg, "top", leg=True).direction == "down"
    assert not is_leg(contact, leg.bounds, top.bounds, -1.0, D)


@pytest.mark.parametrize(
    ("normal", "expected"), [((0.0, 0.71, 0.7), "up"), ((0.0, -0.71, 0.7), "down"), ((0.8, 0.6, 0.0), "side")]
)
def test_direction_classes_split_at_seven_tenths(normal: tuple[float, float, float], expected: str) -> None:
    """Up above 0.7, down below -0.7, side between."""
    assert classify_direction(np.array(normal)) == expected


def test_a_part_on_the_floor_rests_at_the_middle_of_its_underside() -> None:
    """The ground frame lies under the box's centre, with the base's radius."""
    frame = ground_frame(placed_box((0.6, 0.4, 0.8), (1.0, 0.2, 2.0)))
    assert frame.parent == "ground"
    assert frame.origin == pytest.approx((1.0, 0.0, 2.0))
    assert frame.radius == pytest.approx(0.5)
