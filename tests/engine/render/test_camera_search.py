"""The estimate of what a direction shows of an edit, and the direction it chooses."""

from __future__ import annotations

import numpy as np
import pytest
from render_shapes import box, piece, unlit

from engine.framing import camera_of, frame_states, orbit_camera
from engine.geometry.similarity import similarity
from engine.pictures.camera_search import EditedTurn, estimate_turn, list_directions, search_camera
from engine.render.casting import find_seen
from engine.render.raycast import render
from engine.render.scene import PieceCache, RenderPiece, build_scene, prepare_piece, world_points
from engine.surfaces import Material
from schemas.chain import Rig

RIG = Rig(center=(0.0, 0.0, 0.0), radius=2.0)
CAMERAS = [orbit_camera(RIG, azimuth, RIG.elevation_deg) for azimuth in list_directions("quarters")]
BODY = piece("body", box((-1, -1, -1), (1, 1, 1)))
FRONT, BACK = (
    piece("knob", box((-0.2, -0.2, 1), (0.2, 0.2, 1.2))),
    piece("knob", box((-0.2, -0.2, -1.2), (0.2, 0.2, -1))),
)


def _estimate(turn: EditedTurn) -> tuple[float, ...]:
    return estimate_turn(turn, CAMERAS, RIG, PieceCache())


def test_candidates_begin_with_the_default_and_go_round() -> None:
    """Four quarters, or 24 steps of 15 degrees, 35 degrees first."""
    assert list_directions("quarters") == (35.0, 125.0, 215.0, 305.0)
    dense = list_directions("dense")
    assert (dense[0], len(set(dense))) == (35.0, 24)
    assert set(list_directions("quarters")) < set(dense)


def test_a_small_ball_shows_its_disc() -> None:
    """An unhidden small cube from anywhere: the share of the picture its silhouette covers in a fine drawing."""
    ball = piece("ball", box((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)))
    found = _estimate(EditedTurn("ball", (), (ball,)))
    for camera, share in zip(CAMERAS, found, strict=True):
        counted = float((render(build_scene([ball]), camera, 512, 1)[..., 3] > 0).mean())
        assert share == pytest.approx(counted, rel=0.03)


def test_what_is_hidden_does_not_count() -> None:
    """A knob at the back shows from behind, nothing of it from the front, and a knob inside from nowhere."""
    found = _estimate(EditedTurn("knob", (BODY,), (BODY, BACK)))
    assert found[0] == found[3] == 0.0
    assert min(found[1:3]) > 0.001
    inside = piece("knob", box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))
    assert _estimate(EditedTurn("knob", (BODY,), (BODY, inside))) == (0.0, 0.0, 0.0, 0.0)


def test_what_stands_behind_glass_counts() -> None:
    """A translucent body hides nothing, an opaque one of the same shape does."""
    glass = RenderPiece("body", (box((-1, -1, -1), (1, 1, 1), unlit(0, 0, 1, 0.3, alpha_mode="BLEND")),))
    inside = piece("knob", box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))
    alone = _estimate(EditedTurn("knob", (), (inside,)))
    assert _estimate(EditedTurn("knob", (glass,), (glass, inside))) == alone


def test_a_removed_piece_is_looked_at_where_it_was() -> None:
    """Removing shows as much as adding, and a replacement as much as the larger of the two."""
    added = _estimate(EditedTurn("knob", (BODY,), (BODY, FRONT)))
    assert _estimate(EditedTurn("knob", (BODY, FRONT), (BODY,))) == added
    larger = piece("knob", box((-0.4, -0.4, 1), (0.4, 0.4, 1.2)))
    replaced = _estimate(EditedTurn("knob", (BODY, FRONT), (BODY, larger)))
    assert replaced == _estimate(EditedTurn("knob", (BODY,), (BODY, larger)))


def test_the_direction_shows_the_worst_turn_best() -> None:
    """Edits at the back turn view 0 there, the others follow at right angles, and the record says why."""
    states = [(BODY,), (BODY, BACK)]
    rig = frame_states([points for item in states[1] for points in world_points(item)])
    found = search_camera(rig, [EditedTurn("knob", *states)])
    assert found.search is not None
    values = [direction.value for direction in found.search.directions]
    best = found.search.directions[int(np.argmax(values))]
    assert found.azimuths_deg == tuple((best.azimuth_deg + 90.0 * k) % 360.0 for k in range(4))
    assert found.azimuths_deg[0] in {125.0, 215.0}
    assert best.worst_turn == 1
    front = search_camera(rig, [EditedTurn("knob", *states), EditedTurn("body", (BODY,), (BODY,))])
    assert front.azimuths_deg == found.azimuths_deg


def test_the_default_stays_unless_another_is_clearly_better() -> None:
    """A cube looks alike from all quarters, so nothing turns; without turns nothing is searched for either."""
    assert search_camera(RIG, [EditedTurn("body", (), (BODY,))]).azimuths_deg[0] == 35.0
    rig = search_camera(RIG, [])
    assert rig.azimuths_deg == RIG.azimuths_deg
    assert rig.search is not None
    assert [direction.worst_turn for direction in rig.search.directions] == [None] * 4


def test_points_are_seen_as_pixels_are() -> None:
    """Points on the faces of two boxes against what the ray to each meets first, by hand."""
    far = prepare_piece(piece("far", box((-1, -1, -3), (1, 1, -2))))
    near = prepare_piece(piece("near", box((-1, -1, -1), (0, 1, 1))))
    camera = camera_of(Rig(center=(0.0, 0.0, 0.0), radius=4.0, azimuths_deg=(0.0,), elevation_deg=0.0), 0)
    points = np.array([[-0.5, 0.0, 1.0], [-0.5, 0.0, -1.0], [-0.5, 0.0, -2.0], [0.5, 0.0, -2.0], [0.5, 0.0, -3.0]])
    assert find_seen([far, near], camera, points, 1e-4).tolist() == [True, False, False, True, False]


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_units_and_place_do_not_matter(scale: float) -> None:
    """The same object in other units, elsewhere, has the same estimates to rounding."""
    matrix = similarity(scale, np.eye(3), np.array([3.0, -2.0, 5.0]) * scale)
    material = Material(base_color_factor=(0.8, 0.3, 0.2, 1))
    parts = {"body": box((-1, -1, -1), (1, 1, 1), material), "knob": box((-0.2, -0.2, 1), (0.2, 0.2, 1.2), material)}
    found = []
    for pose in (np.eye(4), matrix):
        body, knob = (RenderPiece(slot, (surface,), pose) for slot, surface in parts.items())
        rig = frame_states([points for item in (body, knob) for points in world_points(item)])
        cameras = [orbit_camera(rig, azimuth, 25.0) for azimuth in list_directions("quarters")]
        found.append(estimate_turn(EditedTurn("knob", (body,), (body, knob)), cameras, rig, PieceCache()))
    np.testing.assert_allclose(found[1], found[0], rtol=0.01, atol=1e-4)
