"""Replacing a slot's piece: what is accepted, how it sits, and what is refused for what reason."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from placement_scenes import box_mesh, library_part, placed_box, seen, table_state

from engine.geometry.overlap import place_solid
from engine.geometry.similarity import as_matrix
from engine.placement.hold import find_loose_bar
from engine.placement.mounts import Ends, SlotMount, find_held, find_parent, measure_slot_mount
from engine.placement.replacement import LibraryPart, fit_replacement, prefilter
from engine.placement.state import StateGeometry, build_state
from schemas.placement import Limits, Placement, Rejection

STRICT, BASELINE = Limits(), Limits(mode="baseline")
CUBE_DIAGONAL = 0.4 * math.sqrt(3.0)
LEG_DIAGONAL = math.sqrt(0.04 + 0.81 + 0.04)


def cube_like(size: tuple[float, float, float], **changes: object) -> LibraryPart:
    """A resting candidate whose own share fits the table's cube."""
    return library_part(box_mesh(size), object_share=0.25, **changes)  # type: ignore[arg-type]


def accepted(result: Placement | Rejection) -> Placement:
    """The placement; fails with the rejection."""
    assert isinstance(result, Placement), result
    return result


def test_a_resting_part_stands_where_the_old_one_stood() -> None:
    """The underside lies on the table to the grid's step, centred on the old box, and every value is reported."""
    state = table_state()
    part = cube_like((1.0, 1.0, 1.2))
    placement = accepted(fit_replacement(state, "cube", CUBE_DIAGONAL, part, STRICT, seen))
    bounds = place_solid(part.solid, as_matrix(placement.world_from_part)).bounds
    assert bounds[0, 1] == pytest.approx(1.0, abs=state.diagonal * 2.0**-19)
    assert 0.5 * (bounds[0] + bounds[1])[[0, 2]] == pytest.approx([0.3, 0.2], abs=1e-5)
    report = placement.report
    assert report is not None
    assert report.mode == "strict"
    assert (report.connected_before, report.connected_after) == (1, 1)
    assert report.gap_rel < 0.01
    assert report.primary_gap_rel < 0.01
    assert report.interpenetration < 0.02
    assert 0.65 <= (report.slot_scale or 0.0) <= 1.35
    assert report.visible == 0.5
    assert placement.contact is not None
    assert (placement.contact.kind, placement.contact.parent) == ("rest", "top")


@given(st.floats(0.05, 20.0), st.floats(0.8, 1.25), st.floats(0.8, 1.25))
@settings(max_examples=15, deadline=None)
def test_the_units_of_the_part_file_do_not_matter(unit: float, width: float, depth: float) -> None:
    """A part in other units is scaled to the same place."""
    state = table_state()
    one = accepted(fit_replacement(state, "cube", CUBE_DIAGONAL, cube_like((width, 1.0, depth)), STRICT, seen))
    scaled = cube_like((width * unit, unit, depth * unit))
    two = accepted(fit_replacement(state, "cube", CUBE_DIAGONAL, scaled, STRICT, seen))
    assert one.report is not None
    assert two.report is not None
    assert two.report.own_scale == pytest.approx(one.report.own_scale, rel=1e-9)
    assert two.world_from_part[3] == pytest.approx(one.world_from_part[3], abs=1e-5)


def test_translations_lie_on_the_grid() -> None:
    """Shifts are multiples of 2^-20 D before anything is checked."""
    state = table_state()
    placement = accepted(fit_replacement(state, "cube", CUBE_DIAGONAL, cube_like((1.0, 1.1, 0.9)), STRICT, seen))
    for index in (3, 7, 11):
        steps = placement.world_from_part[index] / (state.diagonal * 2.0**-20)
        assert steps == pytest.approx(round(steps), abs=1e-6)


def leg_candidate(size: tuple[float, float, float], share: float = 0.3) -> LibraryPart:
    """A leg let into something above it."""
    return library_part(
        box_mesh(size), kind="socket", direction="down", normal=(0.0, -1.0, 0.0), embed=0.05, object_share=share
    )


def test_an_embedded_leg_fails_strict_and_passes_against_its_baseline() -> None:
    """The old leg is 11 % inside the top; a like one is refused at 2 % and taken at 11 % + 2 %."""
    state = table_state()
    part = leg_candidate((0.22, 0.9, 0.2))
    refused = fit_replacement(state, "leg_a", LEG_DIAGONAL, part, STRICT, seen)
    assert isinstance(refused, Rejection)
    assert refused.check == "interpenetration"
    assert refused.measured == pytest.approx(1.0 / 9.0, abs=0.02)
    placement = accepted(fit_replacement(state, "leg_a", LEG_DIAGONAL, part, BASELINE, seen))
    assert placement.report is not None
    assert placement.report.mode == "baseline"
    assert placement.report.baseline == pytest.approx(1.0 / 9.0, abs=2e-3)


def test_a_leg_that_cannot_reach_the_floor_is_refused() -> None:
    """A short leg that may not be enlarged enough would hang in the air; one that may is stretched to the floor."""
    state = table_state()
    short = fit_replacement(state, "leg_a", LEG_DIAGONAL, leg_candidate((0.2, 0.5, 0.2), 0.14), BASELINE, seen)
    assert isinstance(short, Rejection)
    assert (short.check, short.detail) == ("floor", "the leg ends above the floor")
    part = leg_candidate((0.2, 0.5, 0.2))
    placement = accepted(fit_replacement(state, "leg_a", LEG_DIAGONAL, part, BASELINE, seen))
    bounds = place_solid(part.solid, as_matrix(placement.world_from_part)).bounds
    assert bounds[:, 1] == pytest.approx([0.0, 0.9], abs=1e-5)


def shelf_state() -> StateGeometry:
    """A wall with a knob let 0.1 into it; the knob is 0.4 deep."""
    wall = placed_box((0.5, 4.0, 4.0), (-0.25, 2.0, 0.0))
    knob = placed_box((0.4, 0.5, 0.5), (0.1, 2.0, 0.0))
    return build_state({"wall": [wall], "knob": [knob]}, 5.6, 0.0, "wall")


def knob_candidate(embed: float) -> LibraryPart:
    """A knob for the wall with a given own embed."""
    return library_part(
        box_mesh((0.4, 0.5, 0.5)),
        kind="socket",
        direction="side",
        normal=(1.0, 0.0, 0.0),
        embed=embed,
        object_share=0.14,
    )


def test_a_sunk_part_is_pulled_out_no_further_than_needed() -> None:
    """25 % inside at equal embed; the pull takes it out in steps until less than 2 % is left and it still touches."""
    state = shelf_state()
    part = knob_candidate(0.1)
    diagonal = math.sqrt(0.16 + 0.25 + 0.25)
    placement = accepted(fit_replacement(state, "knob", diagonal, part, STRICT, seen))
    report = placement.report
    assert report is not None
    assert report.mode == "pull"
    assert 0.0 < report.pull_rel <= 0.05
    assert report.interpenetration < 0.02
    assert report.gap_rel < 0.01
    before = report.pull_rel - 0.05 / 8.0
    inside = 0.1 - before * state.diagonal
    assert inside / 0.4 >= 0.02


def test_a_part_that_would_stand_out_too_far_is_refused_by_shape() -> None:
    """A plaque sunk but for a hair may not be replaced by its full thickness in front of the wall."""
    wall = placed_box((0.5, 4.0, 4.0), (-0.25, 2.0, 0.0))
    plaque = placed_box((0.24, 0.5, 0.5), (-0.10, 2.0, 0.0))
    state = build_state({"wall": [wall], "plaque": [plaque]}, 5.6, 0.0, "wall")
    part = library_part(
        box_mesh((0.24, 0.5, 0.5)), kind="socket", direction="side", normal=(1.0, 0.0, 0.0), object_share=0.13
    )
    rejection = fit_replacement(state, "plaque", math.sqrt(0.0576 + 0.5), part, STRICT, seen)
    assert isinstance(rejection, Rejection)
    assert (rejection.check, rejection.limit) == ("shape", 2.0)


def test_a_small_gap_is_closed_by_a_sweep() -> None:
    """A plate hovering 0.03 D above the table comes down; its sweep is reported."""
    table = placed_box((4.0, 0.4, 4.0), (0.0, 0.2, 0.0))
    post = placed_box((0.2, 1.0, 0.2), (0.0, 0.9, 0.0))
    lamp = placed_box((1.0, 0.4, 1.0), (0.0, 1.6, 0.0))
    state = build_state({"table": [table], "post": [post], "lamp": [lamp]}, 6.0, 0.0, "table")
    part = library_part(box_mesh((1.0, 0.4, 1.0)), object_share=0.24)
    placement = accepted(fit_replacement(state, "lamp", math.sqrt(2.16), part, STRICT, seen))
    assert placement.report is not None
    assert placement.report.gap_rel <= 1e-5


def test_a_bar_must_be_held_at_both_ends() -> None:
    """Length decides the scale of a bar between two posts, and one that is too short is refused."""
    base = placed_box((4.0, 0.4, 1.0), (0.0, 0.2, 0.0))
    left, right = (placed_box((0.3, 2.0, 0.3), (x, 1.4, 0.0)) for x in (1.5, -1.5))
    bar = placed_box((2.7, 0.2, 0.2), (0.0, 1.4, 0.0))
    state = build_state({"base": [base], "left": [left], "right": [right], "bar": [bar]}, 5.0, 0.0, "base")
    mount = measure_slot_mount(state, "bar")
    assert isinstance(mount, SlotMount)
    assert isinstance(mount.ends, Ends)
    assert (mount.ends.axis, len(mount.ends.low), len(mount.ends.high)) == (0, 1, 1)
    direction = mount.frame.direction

    def try_bar(size: tuple[float, float, float]) -> Placement | Rejection:
        part = library_part(
            box_mesh(size), kind=mount.frame.kind, direction=direction, normal=mount.frame.normal, object_share=0.5
        )
        return fit_replacement(state, "bar", math.sqrt(2.7**2 + 0.08), part, BASELINE, seen)

    good = accepted(try_bar((2.7, 0.25, 0.2)))
    assert good.world_from_part[0] == pytest.approx(1.0, rel=1e-6)
    short = try_bar((2.0, 0.9, 0.2))
    assert isinstance(short, Rejection)


def test_what_the_old_piece_held_must_touch_the_new_one() -> None:
    """A bell on a rod, also touching the wall, may not be left in the air by a shorter rod."""
    base = placed_box((4.0, 0.4, 4.0), (0.0, 0.2, 0.0))
    wall = placed_box((0.4, 3.0, 3.0), (-1.0, 1.9, 0.0))
    block = placed_box((1.0, 1.2, 1.0), (0.0, 1.0, 0.0))
    bell = placed_box((1.2, 0.3, 0.4), (-0.2, 1.75, 0.0))
    state = build_state({"base": [base], "wall": [wall], "block": [block], "bell": [bell]}, 6.0, 0.0, "base")
    assert find_held(state, "block") == ("bell",)
    assert find_parent(state, "block") == "base"
    diagonal = math.sqrt(3.44)

    def replace_by(size: tuple[float, float, float]) -> Placement | Rejection:
        return fit_replacement(state, "block", diagonal, library_part(box_mesh(size), object_share=0.35), STRICT, seen)

    accepted(replace_by((1.0, 1.2, 0.95)))
    rejection = replace_by((1.0, 0.6, 1.0))
    assert isinstance(rejection, Rejection)
    assert (rejection.check, rejection.detail) == ("connected", "bell loses its hold")


def test_candidates_are_refused_by_their_row_alone() -> None:
    """Class, shape, debris, triangles and missing mounts need no mesh."""
    state = table_state()
    mount = measure_slot_mount(state, "cube")
    assert isinstance(mount, SlotMount)

    def check(part: LibraryPart, **options: int) -> str | None:
        result = prefilter(part.record, mount, STRICT, CUBE_DIAGONAL, state.diagonal, **options)
        return None if result is None else result.check

    assert check(cube_like((1.0, 1.0, 1.0))) is None
    assert check(cube_like((1.0, 1.0, 1.0), kind="socket", direction="side")) == "class"
    assert check(cube_like((6.0, 1.0, 0.3))) == "shape"
    assert check(cube_like((1.0, 1.0, 1.0), loose_gap=0.021)) == "debris"
    assert check(cube_like((1.0, 1.0, 1.0)), max_triangles=11) == "triangles"
    bare = cube_like((1.0, 1.0, 1.0))
    empty = LibraryPart(bare.record.model_copy(update={"mounts": ()}), bare.solid)
    assert check(empty) == "frame"


def test_exact_alignment_brings_the_frames_together() -> None:
    """A knob measured on an inclined wall is turned so that its normal is the slot's; the origins coincide."""
    state = shelf_state()
    slanted = library_part(
        box_mesh((0.4, 0.5, 0.5)),
        kind="socket",
        direction="side",
        normal=(0.8, 0.6, 0.0),
        object_share=0.14,
    )
    diagonal = math.sqrt(0.16 + 0.25 + 0.25)
    placement = accepted(
        fit_replacement(state, "knob", diagonal, slanted, Limits(interpenetration=0.6), seen, alignment="exact")
    )
    matrix = as_matrix(placement.world_from_part)
    scale = math.sqrt(float((matrix[:3, 0] ** 2).sum()))
    assert (matrix[:3, :3] / scale) @ np.array([0.8, 0.6, 0.0]) == pytest.approx([1.0, 0.0, 0.0], abs=0.06)
    origin = matrix[:3, :3] @ np.array([0.0, -0.25, 0.0]) + matrix[:3, 3]
    mount = measure_slot_mount(state, "knob")
    assert isinstance(mount, SlotMount)
    assert origin == pytest.approx(mount.frame.origin, abs=1e-5)


def test_an_invisible_change_is_refused_last() -> None:
    """Everything else passes; the share of pixels decides."""
    result = fit_replacement(
        table_state(), "cube", CUBE_DIAGONAL, cube_like((1.0, 1.0, 1.0)), STRICT, lambda _a, _b: 0.004
    )
    assert isinstance(result, Rejection)
    assert (result.check, result.measured, result.limit) == ("visible", 0.004, 0.005)


def test_a_piece_that_touches_nothing_has_no_frame() -> None:
    """A floating piece cannot be replaced."""
    state = table_state().with_piece("moon", (placed_box((0.2, 0.2, 0.2), (0.0, 4.0, 0.0)),))
    result = fit_replacement(state, "moon", 0.35, cube_like((1.0, 1.0, 1.0)), STRICT, seen)
    assert isinstance(result, Rejection)
    assert result.check == "frame"
    assert np.isfinite(state.diagonal)


def test_a_bar_may_not_lose_what_holds_one_end() -> None:
    """A crossbar between two legs must stay held at both ends; a stub on one leg has but one."""
    top = placed_box((3.0, 0.2, 1.0), (0.0, 2.1, 0.0))
    legs = {side: [placed_box((0.2, 2.0, 0.2), (x, 1.0, 0.0))] for side, x in (("left", -1.2), ("right", 1.2))}
    bar = placed_box((2.2, 0.2, 0.2), (0.0, 0.6, 0.0))
    stub = placed_box((0.8, 0.2, 0.2), (-0.7, 1.4, 0.0))
    state = build_state({"top": [top], **legs, "bar": [bar], "stub": [stub]}, 4.0, 0.0, "top")
    assert find_loose_bar(state, "right") == "bar"
    assert find_loose_bar(state, "left") == "bar"
    assert find_loose_bar(state, "stub") is None
    assert find_loose_bar(state.without("bar"), "left") is None


def test_a_wider_thing_does_not_hang_over_the_edge() -> None:
    """Near the table's edge a broad box would stick out; in the middle it has room."""
    table = table_state().without("cube")
    broad = cube_like((1.0, 0.6, 1.0))
    near_edge, middle = (
        table.with_piece("cube", (placed_box((0.25, 0.6, 0.25), (x, 1.3, 0.0)),)) for x in (0.875, 0.3)
    )
    refused = fit_replacement(near_edge, "cube", CUBE_DIAGONAL, broad, STRICT, seen)
    assert isinstance(refused, Rejection)
    assert (refused.check, refused.detail) == ("support", "how much further it hangs over")
    accepted(fit_replacement(middle, "cube", CUBE_DIAGONAL, broad, STRICT, seen))
