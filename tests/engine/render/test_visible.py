"""Visible change and visibility of parts."""

from __future__ import annotations

import numpy as np
import pytest
from render_shapes import box, card, front_camera, piece, unlit

from engine.framing import Sphere, camera_of, enclosing_sphere, rig_of_sphere
from engine.render.raycast import render_ids
from engine.render.scene import RenderPiece, build_scene, world_points
from engine.render.visible import (
    VisibilityCache,
    find_visible_pixels,
    measure_change_by_view,
    measure_part_visibility,
    measure_visible_change,
)

GLASS = unlit(0, 0, 1, 0.3, alpha_mode="BLEND")
BODY = piece("body", box((-1, -1, -1), (1, 1, 1)))
HAT = piece("hat", box((-0.5, 1, -0.5), (0.5, 2, 0.5)))
INNER = piece("inner", box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))


def sphere_of(*pieces: RenderPiece) -> Sphere:
    """Find the sphere around pieces."""
    return enclosing_sphere([points for item in pieces for points in world_points(item)])


def test_change_equals_what_id_pictures_show() -> None:
    """For each operation: the share of pixels whose id is the edited slot in either state, as counted in pictures."""
    sphere = sphere_of(BODY, HAT)
    other_hat = piece("hat", box((-0.9, 1, -0.2), (0.9, 1.5, 0.2)))
    for before, after in (([BODY], [HAT, BODY]), ([BODY, HAT], [BODY]), ([BODY, HAT], [BODY, other_hat])):
        expected = []
        for view in range(4):
            camera = camera_of(rig_of_sphere(sphere), view)
            scenes = [build_scene(state) for state in (before, after)]
            ids = [render_ids(scene, camera, 192).slots for scene in scenes]
            names = [np.array([*scene.slots, ""])[image] for scene, image in zip(scenes, ids, strict=True)]
            changed, union = (names[0] == "hat") | (names[1] == "hat"), (names[0] != "") | (names[1] != "")
            expected.append(changed.sum() / union.sum())
        assert measure_change_by_view(before, after, "hat", sphere) == tuple(expected)
        assert measure_visible_change(before, after, "hat", sphere) == max(expected)


def test_retexture_counts_the_slot() -> None:
    """A new look changes the pixels that show the slot, nothing for a hidden one."""
    sphere = sphere_of(BODY)
    state = [BODY, INNER]
    assert measure_visible_change(state, state, "inner", sphere) == 0.0
    assert measure_visible_change(state, state, "body", sphere) == 1.0


def test_behind_glass_is_visible() -> None:
    """A part inside a glass body shows through it, and the body itself shows everywhere."""
    glass = RenderPiece("body", (box((-1, -1, -1), (1, 1, 1), GLASS),))
    sphere = sphere_of(BODY)
    assert measure_visible_change([glass], [glass, INNER], "inner", sphere) > 0.1
    assert measure_part_visibility([glass, INNER])["body"] == 1.0


def test_cache_changes_no_value_and_saves_the_rays() -> None:
    """With a shared cache the second candidate casts only its own piece."""
    sphere = sphere_of(BODY, HAT)
    cache = VisibilityCache()
    plain = measure_change_by_view([BODY], [BODY, HAT], "hat", sphere)
    assert measure_change_by_view([BODY], [BODY, HAT], "hat", sphere, cache) == plain
    body = cache.depths(BODY, camera_of(rig_of_sphere(sphere), 0))
    measure_change_by_view([BODY], [BODY, INNER], "inner", sphere, cache)
    assert cache.depths(BODY, camera_of(rig_of_sphere(sphere), 0)) is body


def test_part_visibility() -> None:
    """Every part's best view; hidden parts have nothing; keys are sorted."""
    shares = measure_part_visibility([HAT, INNER, BODY])
    assert list(shares) == ["body", "hat", "inner"]
    assert shares["inner"] == 0.0
    assert shares["body"] + shares["hat"] == pytest.approx(1.0, abs=0.1)


def test_equal_depth_shows_both() -> None:
    """Two coincident faces both count as shown."""
    twins = build_scene([piece("a", card()), piece("b", card())])
    assert find_visible_pixels(twins, "a", front_camera(), 8).all()
    assert find_visible_pixels(twins, "b", front_camera(), 8).all()
    assert not find_visible_pixels(twins, "c", front_camera(), 8).any()
