"""The closed-form pose: yaw, scale, position."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from placement_scenes import box_mesh, library_part, placed_box, table_state

from engine.placement.mounts import SlotMount, measure_slot_mount
from engine.placement.pose import (
    choose_orientation,
    choose_scale,
    natural_log,
    place_box,
    rotate,
    round_shift,
    write_pose,
)
from schemas.base import check_similarity
from schemas.part import ContactFrame, DirectionClass, Kind, Symmetry
from schemas.placement import Limits, Rejection

D = 4.0
LIMITS = Limits()
IDENTITY_YAW_BOX = np.array([[-1.0, 0.0, -0.5], [1.0, 1.0, 0.5]])


def mount(
    kind: Kind = "rest",
    direction: DirectionClass = "up",
    normal: tuple[float, float, float] = (0.0, 1.0, 0.0),
    embed: float = 0.0,
    radius: float = 0.0,
    *,
    floor: bool = False,
) -> SlotMount:
    """A slot 2 x 1 x 1 around (0, 0.5, 0)."""
    frame = ContactFrame(
        kind=kind, parent="top", direction=direction, origin=(0.0, 0.0, 0.0), normal=normal, radius=radius, embed=embed
    )
    parent = placed_box((1.0, 1.0, 1.0), (0.0, -0.5, 0.0))
    return SlotMount("slot", frame, (parent,), IDENTITY_YAW_BOX, IDENTITY_YAW_BOX, floor)


@given(st.floats(1e-6, 1e6))
def test_the_logarithm_is_the_logarithm(value: float) -> None:
    """Exact operations give the library's value to 1e-12."""
    assert natural_log(value) == pytest.approx(math.log(value), abs=1e-12, rel=1e-12)


@pytest.mark.parametrize(("size", "yaw"), [((2.0, 1.0, 1.0), 0), ((1.0, 1.0, 2.0), 90), ((4.0, 2.0, 2.0), 0)])
def test_the_yaw_follows_the_extents(size: tuple[float, float, float], yaw: int) -> None:
    """A part lying the other way is turned by 90 degrees; size does not matter."""
    part = library_part(box_mesh(size))
    found = choose_orientation(mount(), part.record.mounts[0], None, D)
    assert (found.yaw, found.shape_cost) == (yaw, pytest.approx(0.0, abs=1e-9))


def test_a_left_arm_becomes_a_right_arm_by_a_half_turn() -> None:
    """Opposite horizontal normals outweigh the authored orientation."""
    part = library_part(box_mesh((2.0, 1.0, 1.0)), kind="socket", direction="side", normal=(-1.0, 0.0, 0.0))
    host = mount("socket", "side", (1.0, 0.0, 0.0))
    assert choose_orientation(host, part.record.mounts[0], None, D).yaw == 180
    assert choose_orientation(mount("through", "side", (1.0, 0.0, 0.0)), part.record.mounts[0], None, D).yaw == 0


def test_round_parts_must_share_their_axis() -> None:
    """A lying barrel is not replaced by a standing one, and one lying across is turned."""
    host = mount()
    lying = SlotMount(**{**_fields(host), "round_axis": np.array([1.0, 0.0, 0.0])})
    standing = Symmetry(axis=(0.0, 1.0, 0.0), order=8)
    across = Symmetry(axis=(0.0, 0.0, 1.0), order=8)
    cube = library_part(box_mesh((1.0, 1.0, 1.0))).record.mounts[0]
    assert choose_orientation(lying, cube, standing, D).shape_cost == float("inf")
    assert choose_orientation(lying, cube, across, D).yaw == 90
    assert choose_orientation(host, cube, standing, D).yaw == 0


def _fields(value: SlotMount) -> dict[str, object]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def test_scale_is_the_radius_ratio_clamped_around_the_size_ratio() -> None:
    """r_h / r_c in [.85 S, 1.18 S]; without radii the size ratio itself."""
    part = library_part(box_mesh((1.0, 0.5, 0.5)), radius=0.5, object_share=0.5)
    best = part.record.mounts[0]
    diagonal = math.sqrt(6.0)

    def scale(radius: float) -> float | Rejection:
        host = mount("socket", "side", (1.0, 0.0, 0.0), radius=radius)
        orientation = choose_orientation(host, best, None, D)
        return choose_scale(host, best, orientation, diagonal, D, LIMITS)

    assert scale(0.0) == pytest.approx(2.0)
    assert scale(1.05) == pytest.approx(2.1)
    assert scale(5.0) == pytest.approx(1.18 * 2.0, rel=1e-6)
    assert scale(0.1) == pytest.approx(0.85 * 2.0, rel=1e-6)


def test_legs_take_the_height_ratio() -> None:
    """A leg must reach the floor: heights decide, within [.65, 1.35] of the size ratio."""
    part = library_part(
        box_mesh((1.0, 0.8, 1.0)), kind="socket", direction="down", normal=(0.0, -1.0, 0.0), object_share=0.4
    )
    host = mount("socket", "down", (0.0, -1.0, 0.0), floor=True)
    best = part.record.mounts[0]
    scale = choose_scale(host, best, choose_orientation(host, best, None, D), math.sqrt(6.0), D, LIMITS)
    assert scale == pytest.approx(1.0 / 0.8)


@pytest.mark.parametrize(("share", "check"), [(0.05, "scale"), (0.98, "scale"), (0.3, None)])
def test_a_part_far_from_its_own_size_is_refused(share: float, check: str | None) -> None:
    """The part's share of its source object bounds what the slot may make of it."""
    part = library_part(box_mesh((1.0, 0.5, 0.5)), object_share=share)
    best = part.record.mounts[0]
    result = choose_scale(mount(), best, choose_orientation(mount(), best, None, D), math.sqrt(6.0), D, LIMITS)
    assert (result.check if isinstance(result, Rejection) else None) == check


def test_a_slot_that_has_shrunk_is_held_to_its_first_diagonal() -> None:
    """Sizes refer to turn 0, else parts shrink along the chain."""
    part = library_part(box_mesh((1.0, 0.5, 0.5)), object_share=0.3)
    best = part.record.mounts[0]
    orientation = choose_orientation(mount(), best, None, D)
    grown = choose_scale(mount(), best, orientation, 1.4 * math.sqrt(6.0), D, LIMITS)
    assert isinstance(grown, float)
    assert grown * math.sqrt(1.5) / (1.4 * math.sqrt(6.0)) >= 0.65
    refused = choose_scale(mount(), best, orientation, 3.0 * math.sqrt(6.0), D, LIMITS)
    assert isinstance(refused, Rejection)
    assert refused.check == "size"


def test_faces_towards_the_parent_coincide_and_embeds_are_equalised() -> None:
    """The part moves out by the difference of the embed depths, at rest it does not."""
    new_box = np.array([[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]])
    side = mount("socket", "side", (1.0, 0.0, 0.0), embed=0.3)
    shallow = library_part(box_mesh(), kind="socket", direction="side", normal=(1.0, 0.0, 0.0), embed=0.1)
    shift = place_box(side, shallow.record.mounts[0], new_box, 1.0, D)
    assert shift == pytest.approx([-1.0 + 0.5 + (0.3 - 0.1), 0.5, 0.0])
    flush = library_part(box_mesh(), kind="socket", direction="side", normal=(1.0, 0.0, 0.0), embed=0.0)
    assert place_box(side, flush.record.mounts[0], new_box, 1.0, D)[0] == pytest.approx(-0.5 + 0.3 - 0.005 * D)
    rest = place_box(mount(), flush.record.mounts[0], new_box, 1.0, D)
    assert rest == pytest.approx([0.0, 0.5, 0.0])
    through = place_box(mount("through", "side", (1.0, 0.0, 0.0)), flush.record.mounts[0], new_box, 1.0, D)
    assert through == pytest.approx([0.0, 0.5, 0.0])


@given(st.lists(st.floats(-3.0, 3.0), min_size=3, max_size=3))
def test_rounded_shifts_lie_on_the_grid_near_the_shift(values: list[float]) -> None:
    """Multiples of 2^-20 D, half a step away at most; rounding twice changes nothing."""
    shift = np.array(values)
    rounded = round_shift(shift, D)
    assert np.abs(rounded - shift).max() <= 0.5 * D * 2.0**-20
    assert np.array_equal(round_shift(rounded, D), rounded)


def test_written_poses_are_similarities_without_negative_zeros() -> None:
    """The sixteen numbers pass the record's own check."""
    matrix = np.array([[-0.0, 0.0, 2.0, 1.0], [0.0, 2.0, 0.0, -0.0], [-2.0, 0.0, 0.0, 3.0], [0.0, 0.0, 0.0, 1.0]])
    pose = write_pose(matrix)
    assert check_similarity(pose) == pose
    assert not any(str(value) == "-0.0" for value in pose)
    assert rotate(90, np.array([1.0, 2.0, 3.0])) == pytest.approx([3.0, 2.0, -1.0])


def test_slot_mounts_of_a_table() -> None:
    """Legs hang from the top and reach the floor; the cube rests; the parent is the top."""
    state = table_state()
    leg = measure_slot_mount(state, "leg_a")
    cube = measure_slot_mount(state, "cube")
    assert isinstance(leg, SlotMount)
    assert isinstance(cube, SlotMount)
    assert (leg.frame.direction, leg.is_leg, leg.frame.parent) == ("down", True, "top")
    assert (cube.frame.kind, cube.frame.direction, cube.is_leg) == ("rest", "up", False)
    assert cube.anchor == pytest.approx(cube.bounds)
