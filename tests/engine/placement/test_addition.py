"""Standing parts on free faces and on the ground."""

from __future__ import annotations

import math

import numpy as np
import pytest
from placement_scenes import box_mesh, library_part, placed_box, prism_mesh, seen, table_state

from engine.geometry.overlap import Placed, place_solid
from engine.geometry.similarity import as_matrix
from engine.placement import addition
from engine.placement.addition import find_free_spots, fit_addition, measure_support, prefilter_addition
from engine.placement.replacement import LibraryPart
from engine.placement.state import StateGeometry, build_state, find_nearest
from schemas.placement import CheckName, Limits, Placement, Rejection

LIMITS = Limits()


def vase() -> LibraryPart:
    """A standing prism of a tenth of its object."""
    return library_part(prism_mesh(12, 0.3, 1.0), object_share=0.15)


def stand(state: StateGeometry, result: Placement | Rejection, part: LibraryPart) -> Placed:
    """The placed part; fails with the rejection."""
    assert isinstance(result, Placement), result
    assert state.diagonal > 0.0
    return place_solid(part.solid, as_matrix(result.world_from_part))


def test_free_spots_avoid_what_stands_on_the_table() -> None:
    """The widest free disc of the top keeps away from the cube and from the edge."""
    state = table_state()
    spots = find_free_spots(state, "top", LIMITS)
    assert spots
    radii = [spot.spot.radius for spot in spots]
    assert radii == sorted(radii, reverse=True)
    for spot in spots:
        x, y, z = spot.spot.center
        assert y == pytest.approx(1.0, abs=1e-9)
        outside = math.hypot(max(abs(x - 0.3) - 0.2, 0.0), max(abs(z - 0.2) - 0.2, 0.0))
        room = min(1.0 - abs(x), 1.0 - abs(z), outside)
        assert spot.spot.radius <= room + 0.02 * state.diagonal


def test_a_vase_comes_to_stand_on_the_table() -> None:
    """It touches the top, overlaps nothing, is upright, has the right size, and its report is full."""
    state, part = table_state(), vase()
    result = fit_addition(state, "top", "vase", part, LIMITS, seen)
    placed = stand(state, result, part)
    assert isinstance(result, Placement)
    assert placed.bounds[0, 1] == pytest.approx(1.0, abs=1e-5)
    others = [other for _, other in state.parts]
    nearest = find_nearest(placed, others)
    assert nearest is not None
    assert nearest.gap <= state.diagonal * 2.0**-19
    size = float(np.sqrt(((placed.bounds[1] - placed.bounds[0]) ** 2).sum())) / state.diagonal
    assert 0.12 <= size <= 0.30
    report, contact = result.report, result.contact
    assert report is not None
    assert contact is not None
    assert (contact.kind, contact.parent, contact.direction) == ("rest", "top", "up")
    assert report.support == pytest.approx(1.0)
    assert (report.mode, report.baseline, report.slot_scale) == ("strict", None, None)
    assert 0.75 <= report.own_scale <= 2.0
    assert report.clearance_rel == 0.08


def test_a_wide_base_over_a_narrow_post_is_not_supported() -> None:
    """Less than half of the base on the face."""
    post = placed_box((0.5, 1.0, 0.5), (0.0, 0.5, 0.0))
    tray = place_solid(
        library_part(box_mesh((1.0, 0.1, 1.0))).solid, as_matrix([1, 0, 0, 0, 0, 1, 0, 1.05, 0, 0, 1, 0, 0, 0, 0, 1])
    )
    assert measure_support(tray, post, 2.0) == pytest.approx(0.25, abs=0.06)


def test_on_the_ground_a_part_stands_close_beside_the_object_and_touches_nothing() -> None:
    """Its underside is the state's lowest point; the parent is the ground; the state stays one piece."""
    state, part = table_state(), vase()
    result = fit_addition(state, "ground", "vase", part, LIMITS, seen)
    placed = stand(state, result, part)
    assert isinstance(result, Placement)
    assert placed.bounds[0, 1] == pytest.approx(state.ground, abs=1e-5)
    nearest = find_nearest(placed, [other for _, other in state.parts])
    assert nearest is not None
    assert 0.0 < nearest.gap <= 0.25 * state.diagonal
    assert result.contact is not None
    assert result.contact.parent == "ground"
    assert result.report is not None
    assert (result.report.connected_before, result.report.connected_after) == (1, 1)
    after = state.with_piece("vase", [placed], grounded=True)
    assert fit_addition(after, "ground", "other", part, LIMITS, seen) != result


def test_parts_that_do_not_rest_or_would_tip_are_refused_by_their_row() -> None:
    """Only stable resting parts stand on faces."""
    tipping = library_part(box_mesh(), stability=0.04)
    hanging = library_part(box_mesh(), kind="socket", direction="side", normal=(1.0, 0.0, 0.0))
    for part, check in (
        (tipping, "stability"),
        (hanging, "class"),
        (library_part(box_mesh(), loose_gap=0.5), "debris"),
    ):
        rejection = prefilter_addition(part.record, LIMITS)
        assert rejection is not None
        assert rejection.check == check
    assert prefilter_addition(vase().record, LIMITS) is None


@pytest.mark.parametrize(
    ("checks", "last"),
    [
        (("floor", "gap", "connected"), "floor"),
        (("gap", "frame", "frame"), "gap"),
        (("interpenetration", "frame", "support"), "interpenetration"),
    ],
)
def test_the_closest_miss_is_the_one_that_got_farthest(
    checks: tuple[CheckName, ...], last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several spots that fail, the one is told that failed the latest check, wherever it stands among them."""
    state = table_state()
    spots = find_free_spots(state, "top", LIMITS)[:1] * len(checks)
    answers = iter([Rejection(check=check, measured=1.0, limit=0.0) for check in checks] * 2)
    monkeypatch.setattr(addition, "_judge", lambda *_, **__: next(answers))
    result = fit_addition(state, "top", "vase", vase(), LIMITS, seen, spots)
    assert isinstance(result, Rejection)
    assert result.check == last


def test_without_room_the_reason_is_the_room() -> None:
    """A face full of things has no spot; a part that would be tiny is refused by size."""
    base = placed_box((1.0, 0.2, 1.0), (0.0, 0.1, 0.0))
    crate = placed_box((0.96, 1.0, 0.96), (0.0, 0.7, 0.0))
    full = build_state({"base": [base], "crate": [crate]}, 1.85, 0.0, "base")
    rejection = fit_addition(full, "base", "vase", vase(), LIMITS, seen)
    assert isinstance(rejection, Rejection)
    assert rejection.check == "clearance"
    tower = placed_box((0.3, 3.0, 0.3), (0.0, 1.5, 0.0))
    state = build_state({"tower": [tower]}, 3.03, 0.0, "tower")
    small = fit_addition(state, "tower", "plate", library_part(box_mesh((1.0, 0.05, 1.0))), LIMITS, seen)
    assert isinstance(small, Rejection)
    assert small.check == "size"
