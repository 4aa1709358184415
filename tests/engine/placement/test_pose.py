"""The closed-form pose: yaw, scale, position."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from placement_scenes import box_mesh, library_part, placed_box, table_state

from engine.placement.evidence import Ring
from engine.placement.mates.choose import choose_mate
from engine.placement.mates.protocol import Offered
from engine.placement.mounts import SlotMount, measure_slot_mount
from engine.placement.pose import choose_scale, natural_log, rotate, round_shift, write_pose
from engine.placement.posture import Posture, choose_posture
from engine.placement.replacement import LibraryPart
from engine.surfaces import FloatArray
from schemas.base import check_similarity
from schemas.part import ContactFrame, DirectionClass, Kind, RestingFace, Shape, Symmetry
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


def turned(host: SlotMount, part: LibraryPart, **changes: object) -> Posture:
    """The posture of a candidate whose row is changed first; fails with the rejection."""
    found = choose_posture(host, part.record.model_copy(update=changes), D)
    assert isinstance(found, Posture), found
    return found


def scale_in(host: SlotMount, part: LibraryPart, slot_diagonal: float) -> float | Rejection:
    """The scale of a candidate in a slot."""
    mate = choose_mate(host, part.record)
    return choose_scale(host, turned(host, part).offered, mate, slot_diagonal, D, LIMITS)


@pytest.mark.parametrize(("size", "yaw"), [((2.0, 1.0, 1.0), 0), ((1.0, 1.0, 2.0), 90), ((4.0, 2.0, 2.0), 0)])
def test_the_yaw_follows_the_extents(size: tuple[float, float, float], yaw: int) -> None:
    """A part lying the other way is turned by 90 degrees; size does not matter."""
    found = turned(mount(), library_part(box_mesh(size)))
    assert (found.yaw, found.shape_cost) == (yaw, pytest.approx(0.0, abs=1e-9))


def test_a_plain_left_arm_becomes_a_right_arm_by_a_half_turn() -> None:
    """Opposite horizontal normals outweigh the authored orientation, where front and back look alike."""
    part = library_part(box_mesh((2.0, 1.0, 1.0)), kind="socket", direction="side", normal=(-1.0, 0.0, 0.0))
    host = mount("socket", "side", (1.0, 0.0, 0.0))
    assert turned(host, part).yaw == 180
    plain = Symmetry(axis=(0.0, 1.0, 0.0), order=1, mirror=(0.2, 0.2, 0.01))
    assert turned(host, part, symmetry=plain).yaw == 180
    handed = part.record.model_copy(update={"symmetry": plain.model_copy(update={"mirror": (0.01, 0.01, 0.1)})})
    refused = choose_posture(host, handed, D)
    assert isinstance(refused, Rejection)
    assert (refused.check, refused.limit) == ("class", 0.3)


def test_what_sits_on_top_turns_only_where_it_has_no_front() -> None:
    """A cap that is wider than deep is not worn sideways; a plank is turned."""
    part = library_part(box_mesh((1.0, 1.0, 2.0)), kind="socket", normal=(0.0, 1.0, 0.0))
    host = mount("socket")
    plank = Symmetry(axis=(0.0, 1.0, 0.0), order=2, mirror=(0.0, 0.0, 0.0))
    cap = Symmetry(axis=(0.0, 1.0, 0.0), order=1, mirror=(0.0, 0.2, 0.1))
    assert turned(host, part, symmetry=plank).yaw == 90
    assert turned(host, part, symmetry=cap).yaw == 0


@pytest.mark.parametrize(("order", "yaw"), [(1, 180), (2, 0), (4, 0), (360, 0)])
def test_symmetric_parts_get_no_meaningless_twist(order: int, yaw: int) -> None:
    """A half turn that is a symmetry of the part is not taken, whatever the normals say."""
    part = library_part(box_mesh((2.0, 1.0, 1.0)), kind="socket", direction="side", normal=(-1.0, 0.0, 0.0))
    host = mount("socket", "side", (1.0, 0.0, 0.0))
    symmetry = Symmetry(axis=(0.0, 1.0, 0.0), order=order, mirror=(0.0, 0.0, 0.0))
    found = choose_posture(host, part.record.model_copy(update={"symmetry": symmetry}), D)
    if order == 2:
        assert isinstance(found, Rejection)
    else:
        assert isinstance(found, Posture)
        assert found.yaw == yaw


def test_round_parts_must_share_their_axis() -> None:
    """A lying barrel is not replaced by a standing one, and one lying across is turned."""
    host = mount()
    lying = replace(host, round_axis=np.array([1.0, 0.0, 0.0]))
    alike = (0.0, 0.0, 0.0)
    standing = Symmetry(axis=(0.0, 1.0, 0.0), order=8, mirror=alike)
    across = Symmetry(axis=(0.0, 0.0, 1.0), order=8, mirror=alike)
    cube = library_part(box_mesh((1.0, 1.0, 1.0)))
    refused = choose_posture(lying, cube.record.model_copy(update={"symmetry": standing}), D)
    assert isinstance(refused, Rejection)
    assert refused.check == "class"
    assert turned(lying, cube, symmetry=across).yaw == 90
    assert turned(host, cube, symmetry=standing).yaw == 0


def test_scale_is_the_ratio_of_sizes_whatever_the_radii() -> None:
    """How wide a contact is says nothing about size, unless a pin sits in a hole."""
    part = library_part(box_mesh((1.0, 0.5, 0.5)), radius=0.5, object_share=0.5)
    assert scale_in(mount(radius=5.0), part, math.sqrt(6.0)) == pytest.approx(2.0)
    pin = library_part(
        box_mesh((1.0, 0.5, 0.5)), kind="axial", direction="side", normal=(1.0, 0.0, 0.0), radius=0.5, object_share=0.5
    )

    def pinned(radius: float) -> float | Rejection:
        return scale_in(mount("axial", "side", (1.0, 0.0, 0.0), radius=radius), pin, math.sqrt(6.0))

    assert pinned(1.05) == pytest.approx(2.1)
    assert pinned(5.0) == pytest.approx(1.18 * 2.0, rel=1e-6)
    assert pinned(0.1) == pytest.approx(0.85 * 2.0, rel=1e-6)


def test_legs_take_the_height_ratio() -> None:
    """A leg must reach the floor: heights decide, within [.65, 1.35] of the size ratio."""
    part = library_part(
        box_mesh((1.0, 0.8, 1.0)), kind="socket", direction="down", normal=(0.0, -1.0, 0.0), object_share=0.4
    )
    host = mount("socket", "down", (0.0, -1.0, 0.0), floor=True)
    assert scale_in(host, part, math.sqrt(6.0)) == pytest.approx(1.0 / 0.8)


@pytest.mark.parametrize(("share", "check"), [(0.05, "scale"), (0.98, "scale"), (0.3, None)])
def test_a_part_far_from_its_own_size_is_refused(share: float, check: str | None) -> None:
    """The part's share of its source object bounds what the slot may make of it."""
    result = scale_in(mount(), library_part(box_mesh((1.0, 0.5, 0.5)), object_share=share), math.sqrt(6.0))
    assert (result.check if isinstance(result, Rejection) else None) == check


def test_sizes_refer_to_the_first_occupant() -> None:
    """A slot whose piece has shrunk gives the next one its first size back."""
    part = library_part(box_mesh((1.0, 0.5, 0.5)), object_share=0.4)
    grown = scale_in(mount(), part, 1.2 * math.sqrt(6.0))
    assert isinstance(grown, float)
    assert grown * math.sqrt(1.5) == pytest.approx(1.2 * math.sqrt(6.0))
    refused = scale_in(mount(), part, 3.0 * math.sqrt(6.0))
    assert isinstance(refused, Rejection)
    assert refused.check == "scale"


def test_an_opening_that_cannot_fit_is_refused() -> None:
    """A hat whose opening is three times too wide cannot be made to fit within the size limits."""
    host = replace(mount(), ring=Ring(np.zeros(3), 0.4, np.array([0.0, 1.0, 0.0])), is_worn=True)
    wide, right = (library_part(box_mesh((1.0, 0.5, 0.5)), object_share=0.5, opening=radius) for radius in (0.6, 0.21))
    assert scale_in(host, right, math.sqrt(6.0)) == pytest.approx(0.4 / 0.21)
    refused = scale_in(host, wide, math.sqrt(6.0))
    assert isinstance(refused, Rejection)
    assert (refused.check, refused.limit) == ("size", 1.0)
    bare = choose_posture(host, library_part(box_mesh()).record, D)
    assert isinstance(bare, Rejection)
    assert bare.check == "class"


def test_faces_towards_the_parent_coincide_and_embeds_are_equalised() -> None:
    """The part moves out by the difference of the embed depths, at rest it does not."""
    new_box = np.array([[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]])

    def shift(host: SlotMount, part: LibraryPart) -> FloatArray:
        offered = Offered(part.record.mounts[0], np.eye(3), np.ones(3), None)
        return choose_mate(host, part.record).place(host, offered, new_box, 1.0, D)

    side = mount("socket", "side", (1.0, 0.0, 0.0), embed=0.3)
    shallow = library_part(box_mesh(), kind="socket", direction="side", normal=(1.0, 0.0, 0.0), embed=0.1)
    assert shift(side, shallow) == pytest.approx([-1.0 + 0.5 + (0.3 - 0.1), 0.5, 0.0])
    flush = library_part(box_mesh(), kind="socket", direction="side", normal=(1.0, 0.0, 0.0), embed=0.0)
    assert shift(side, flush)[0] == pytest.approx(-0.5 + 0.3 - 0.005 * D)
    assert shift(mount(), flush) == pytest.approx([0.0, 0.5, 0.0])
    assert shift(mount("through", "side", (1.0, 0.0, 0.0)), flush) == pytest.approx([0.0, 0.5, 0.0])


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


def test_what_leaned_stands_up_where_something_stood() -> None:
    """A cactus that leaned out of its pot is turned onto its base; what stands nowhere is refused."""
    leaning = library_part(box_mesh((1.0, 1.2, 1.0)), stability=-0.1)
    slanted = (-0.2588190451025207, -0.9659258262890683, 0.0)
    resting = RestingFace(down=slanted, extents=(1.0, 1.2, 1.0), stability=0.3)
    shape = Shape(axis=(0.0, 1.0, 0.0), thin=(1.0, 0.0, 0.0), extents=(1.2, 1.0, 1.0))
    found = turned(mount(), leaning, resting=resting, shape=shape)
    assert found.tilt_deg == pytest.approx(15.0, abs=1e-9)
    assert found.offered.turned(np.array(slanted)) == pytest.approx([0.0, -1.0, 0.0], abs=1e-12)
    refused = choose_posture(mount(), leaning.record.model_copy(update={"shape": shape}), D)
    assert isinstance(refused, Rejection)
    assert refused.check == "stability"
