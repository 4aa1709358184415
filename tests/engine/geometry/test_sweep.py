"""First contacts: known travels, and an independent collision test on both sides of each."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from geometry_meshes import Mesh, ball, box, cylinder, fcl_collide, rotation_between

from engine.geometry.bvh import build_bvh, moved_bvh
from engine.geometry.distance import measure_gap
from engine.geometry.similarity import similarity, unit
from engine.geometry.sweep import sweep_to_contact
from schemas.errors import GeometryError


@pytest.mark.parametrize("gap", [1e-6, 1e-3, 0.25, 3.0])
def test_box_drops_on_plate(gap: float) -> None:
    """A box above a plate travels exactly its height over it; upwards it never meets it."""
    plate = build_bvh(*box((2, 0.1, 2)))
    part = build_bvh(*box((0.5, 0.5, 0.5), (0.2, 0.05 + 0.25 + gap, 0.3)))
    result = sweep_to_contact(part, plate, [0.0, -1.0, 0.0])
    assert result.status == "hit"
    assert result.travel == pytest.approx(gap, abs=1e-15)
    assert sweep_to_contact(part, plate, [0.0, 1.0, 0.0]) == ("no_contact", np.inf)


def test_limit_and_length_of_direction() -> None:
    """A contact at the limit counts, one beyond does not; the length of the direction does not matter."""
    plate, part = build_bvh(*box()), build_bvh(*box((1, 1, 1), (0, 2, 0)))
    assert sweep_to_contact(part, plate, [0, -7, 0], limit=1.0) == ("hit", 1.0)
    assert sweep_to_contact(part, plate, [0, -1e-9, 0], limit=0.999).status == "no_contact"


def test_touching_or_crossing_starts_in_contact() -> None:
    """Where the surfaces touch already there is no travel to speak of."""
    plate = build_bvh(*box())
    for height in (1.0, 0.7):
        result = sweep_to_contact(build_bvh(*box((0.5, 1, 0.5), (0, height, 0))), plate, [0, -1, 0])
        assert result.status == "starts_in_contact"
        assert np.isnan(result.travel)


def test_after_the_travel_the_parts_touch() -> None:
    """Moved by its travel a part has gap 0 and, swept again, starts in contact; pulled back a little it does not."""
    fixed = build_bvh(*ball(3))
    rng = np.random.default_rng(8)
    for _ in range(20):
        direction = unit(rng.normal(size=3))
        moving = moved_bvh(
            build_bvh(*ball(2, 0.5)), similarity(1.0, np.eye(3), -3.0 * direction + 0.3 * rng.normal(size=3))
        )
        travel = sweep_to_contact(moving, fixed, direction).travel
        end = moved_bvh(moving, similarity(1.0, np.eye(3), travel * direction))
        assert measure_gap(end, fixed, bound=0.0).distance == 0.0
        assert sweep_to_contact(end, fixed, direction).status == "starts_in_contact"
        back = moved_bvh(moving, similarity(1.0, np.eye(3), (travel - 1e-6) * direction))
        again = sweep_to_contact(back, fixed, direction)
        assert again.travel == pytest.approx(1e-6, abs=1e-14)


def test_directions_without_meaning_are_errors() -> None:
    """Zero, not a number, and a negative limit are refused."""
    a, b = build_bvh(*box()), build_bvh(*box((1, 1, 1), (0, 2, 0)))
    for direction in ([0, 0, 0], [np.nan, 0, 1], [np.inf, 0, 0]):
        with pytest.raises(GeometryError):
            sweep_to_contact(a, b, direction)
    with pytest.raises(GeometryError):
        sweep_to_contact(a, b, [0, 1, 0], limit=-1.0)


def test_edges_that_cross_in_the_air_meet_first() -> None:
    """Two boxes standing on edge, turned against each other: only their edges meet."""
    a = moved_bvh(build_bvh(*box()), similarity(1.0, rotation_between([0, 1, 1], [0, 0, 1]), np.zeros(3)))
    turned = similarity(1.0, rotation_between([1, 0, 1], [0, 0, 1]), np.array([0.0, 0.0, 5.0]))
    result = sweep_to_contact(moved_bvh(build_bvh(*box()), turned), a, [0, 0, -1])
    assert result.travel == pytest.approx(5.0 - np.sqrt(2.0), abs=1e-14)


def test_upright_sheets_meet_edge_on_edge() -> None:
    """Two sheets in one upright plane project to a line each and still meet."""
    sheet = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    result = sweep_to_contact(
        build_bvh(sheet + np.array([0.3, 4.0, 0.0]), faces), build_bvh(sheet, faces), [0.0, -1.0, 0.0]
    )
    assert result == ("hit", 3.0)


def test_inside_a_box_the_far_wall_is_met() -> None:
    """A part that starts within a hollow meets the wall ahead, not the one behind."""
    room, part = build_bvh(*box((4, 4, 4))), build_bvh(*box((1, 1, 1), (0.5, 0, 0)))
    assert sweep_to_contact(part, room, [1, 0, 0]) == ("hit", 1.0)
    assert sweep_to_contact(part, room, [-1, 0, 0]) == ("hit", 2.0)


def _fuzz_soup(rng: np.random.Generator, kind: int) -> Mesh:
    n = int(rng.integers(1, 6))
    corners = rng.random((n, 3, 3))
    if kind % 2:
        corners = np.round(corners * 3) / 3
    if kind % 5 == 0:
        corners[:, 2] = corners[:, 1]
    return corners.reshape(-1, 3), np.arange(3 * n).reshape(-1, 3)


def test_fuzz_of_aligned_and_degenerate_soups() -> None:
    """On grids, along axes and with lines for triangles: touching at the end, never before, never after a miss."""
    rng = np.random.default_rng(1)
    seen = Counter[str]()
    for k in range(600):
        offset = rng.normal(size=3) * 2
        if k % 2:
            offset = np.round(offset * 3) / 3
        direction = np.eye(3)[k % 3] * (-1) ** k if k % 4 == 0 else unit(rng.normal(size=3) * 0.3 - offset + 1e-9)
        moving, fixed = build_bvh(*_shifted(_fuzz_soup(rng, k), offset)), build_bvh(*_fuzz_soup(rng, k + 1))
        result = sweep_to_contact(moving, fixed, direction)
        seen[result.status] += 1
        if result.status == "starts_in_contact":
            continue
        longest = result.travel if result.status == "hit" else 8.0
        for travel in longest * rng.random(10) * (1.0 - 1e-7):
            assert measure_gap(moved_bvh(moving, similarity(1.0, np.eye(3), travel * direction)), fixed).distance > 0.0
        if result.status == "hit":
            end = moved_bvh(moving, similarity(1.0, np.eye(3), result.travel * direction))
            assert measure_gap(end, fixed).distance < 1e-12
    assert min(seen["hit"], seen["no_contact"]) > 100


def _shifted(mesh: Mesh, offset: np.ndarray) -> Mesh:
    return mesh[0] + offset, mesh[1]


def test_collision_on_both_sides_of_every_first_contact() -> None:
    """A hair before the travel the oracle sees no collision, a hair after it does; misses never collide."""
    rng = np.random.default_rng(5)
    shapes = [ball(2), box((0.5, 1.0, 0.7)), cylinder(0.4, 1.2, 24)]
    hits = 0
    for _ in range(60):
        moving, fixed = (
            (
                shapes[k][0] @ rotation_between(rng.normal(size=3), rng.normal(size=3)).T,
                shapes[k][1],
            )
            for k in rng.integers(0, 3, 2)
        )
        direction = unit(rng.normal(size=3))
        moving = _shifted(moving, -5.0 * direction + rng.normal(size=3) * 0.5)
        result = sweep_to_contact(build_bvh(*moving), build_bvh(*fixed), direction)
        if result.status == "no_contact":
            travels = np.linspace(2.0, 8.0, 40)
            assert not any(fcl_collide(_shifted(moving, t * direction), fixed) for t in travels)
            continue
        hits += 1
        assert not fcl_collide(_shifted(moving, (result.travel - 1e-7) * direction), fixed)
        assert fcl_collide(_shifted(moving, (result.travel + 1e-7) * direction), fixed)
    assert hits > 30
