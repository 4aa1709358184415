"""Passes of a view: extents that are known, glass, occlusion, and agreement with the pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from render_shapes import box, card, encoded, front_camera, piece, unlit

from engine.framing import Camera, camera_of, frame_states
from engine.render import coverage, passes
from engine.render.passes import NOTHING, ViewPasses, render_passes
from engine.render.raycast import render, render_ids
from engine.render.scene import RenderPiece, RenderScene, build_scene, world_points
from engine.surfaces import Material, TextureSlot

PANE = unlit(1, 0, 0, 0.5, alpha_mode="BLEND")


def passes_of(*pieces: RenderPiece, size: int = 16) -> ViewPasses:
    """Passes from the front."""
    return render_passes(build_scene(pieces), front_camera(), size)


def busy_scene(*, reverse: bool = False) -> tuple[RenderScene, Camera]:
    """Boxes through one another, panes of glass before and inside them, and a leaf with a cut-out image."""
    image = np.full((8, 8, 4), 255, dtype=np.uint8)
    image[::2, 1::2, 3] = 0
    leaf = replace(unlit(1, 1, 1), base_color=TextureSlot(encoded(image), nearest=True), alpha_mode="MASK")
    pieces = [piece(f"box{i}", box((-1, -1, -1), (1, 1, 1)), shift=(i * 0.7, i % 3 * 0.4, i * 0.3)) for i in range(5)]
    pieces += [piece(f"pane{i}", card(PANE, z=i - 1.5, low=-2, high=2), card(PANE, z=i - 1.3)) for i in range(4)]
    pieces.append(piece("leaf", card(leaf, z=2.5, low=-1, high=2)))
    rig = frame_states([points for item in pieces for points in world_points(item)])
    return build_scene(pieces[::-1] if reverse else pieces), camera_of(rig, 0)


def test_known_extents_of_a_card_before_another() -> None:
    """A card over the middle half hides a full one exactly there; alone, each has all its pixels."""
    found = passes_of(piece("wall", card()), piece("dot", card(z=1.0, low=-0.375, high=0.375)))
    expected = np.ones((16, 16), dtype=np.int32)
    expected[4:12, 4:12] = 0
    assert found.slots == ("dot", "wall")
    assert (found.ids == expected).all()
    assert found.amodal[1].expand(16).all()
    assert (found.amodal[0].expand(16) == (expected == 0)).all()
    assert (found.amodal[0].top, found.amodal[0].left, found.amodal[0].pixels) == (4, 4, 64)
    assert np.allclose(found.depth, np.where(expected == 0, 3.0, 4.0), rtol=1e-15)
    assert (found.normals == (0.0, 0.0, 1.0)).all()
    assert (found.alpha == 255).all()


def test_a_hidden_cube_is_in_no_visible_pixel_and_keeps_its_own_mask() -> None:
    """Of two cubes on one line the far one shows nothing, and alone it would show in its known square."""
    near, far = box((-0.5, -0.5, 0.5), (0.5, 0.5, 1.5)), box((-0.25, -0.25, -1.0), (0.25, 0.25, 0.0))
    found = passes_of(piece("near", near), piece("far", far), size=64)
    assert not found.visible(found.slots.index("far")).any()
    # The front face, at depth 4, spans a quarter of the frame.
    square = np.zeros((64, 64), dtype=bool)
    square[24:40, 24:40] = True
    assert (found.amodal[found.slots.index("far")].expand(64) == square).all()


def test_glass_is_what_is_seen_and_leaves_coverage_to_what_is_behind() -> None:
    """A half pane has the id, the depth and the mask; coverage is half before nothing and whole before a wall."""
    found = passes_of(piece("glass", card(PANE, z=1.0, low=-0.75, high=0.75)), piece("wall", card(low=0.0, high=1.0)))
    assert (found.ids == 0).all()
    assert (found.depth == 3.0).all()
    assert (found.alpha[:8, 8:] == 255).all()
    assert (found.alpha[8:, :8] == 128).all()
    assert found.amodal[1].pixels == 64


def test_clear_surfaces_are_not_there() -> None:
    """Fully clear glass and the holes of a cut-out are in no pass."""
    image = np.full((2, 2, 4), 255, dtype=np.uint8)
    image[0, 0, 3] = 0
    leaf = replace(unlit(1, 1, 1), base_color=TextureSlot(encoded(image), nearest=True), alpha_mode="MASK")
    found = passes_of(
        piece("air", card(unlit(1, 1, 1, 0.0, alpha_mode="BLEND"), z=2.0, low=-2, high=2)),
        piece("leaf", card(leaf, z=1.0, low=-0.75, high=0.75)),
    )
    hole = np.zeros((16, 16), dtype=bool)
    hole[:8, :8] = True
    assert ((found.ids == NOTHING) == hole).all()
    assert (np.isinf(found.depth) == hole).all()
    assert ((found.normals == 0.0).all(axis=-1) == hole).all()
    assert ((found.alpha == 0) == hole).all()
    assert found.amodal[0].pixels == 0


def test_the_nearest_of_equal_depths_is_the_lowest() -> None:
    """Coincident cards: the first slot has the id, both have the mask."""
    found = passes_of(piece("b", card()), piece("a", card()))
    assert (found.ids == 0).all()
    assert found.amodal[0].pixels == found.amodal[1].pixels == 256


def test_normals_face_the_camera_and_follow_the_normal_texture() -> None:
    """A card turned away shows its near side; more red in its normal texture tilts it to the image's right."""
    surface = card()
    away = replace(surface, faces=surface.faces[:, ::-1])
    assert (passes_of(piece("s", away)).normals == (0.0, 0.0, 1.0)).all()
    image = encoded(np.full((2, 2, 3), (255, 128, 128), dtype=np.uint8))
    bent = passes_of(piece("s", replace(surface, material=Material(normal_texture=TextureSlot(image))))).normals
    assert np.allclose(bent, (1.0, 0.0, 0.0), atol=1e-12)
    curved = replace(surface, normals=np.array([[0, 0, 1], [0.6, 0, 0.8], [0.6, 0, 0.8], [0, 0, 1]], dtype=np.float64))
    smooth = passes_of(piece("s", curved)).normals
    assert np.allclose((smooth * smooth).sum(axis=-1), 1.0, rtol=1e-12)
    assert (np.diff(smooth[8, :, 0]) > 0).all()


def test_passes_agree_with_the_pictures() -> None:
    """Ids and depth are those of the id image, coverage is the supersampled picture's alpha, to the byte."""
    scene, camera = busy_scene()
    found, ids = render_passes(scene, camera, 96), render_ids(scene, camera, 96)
    assert (found.alpha == render(scene, camera, 96, 4)[..., 3]).all()
    assert (found.ids == ids.slots).all()
    assert (found.depth == ids.depth).all()
    assert len(np.unique(found.alpha)) > 20
    for slot, mask in enumerate(found.amodal):
        alone = render_passes(RenderScene((scene.pieces[slot],)), camera, 96)
        assert (mask.expand(96) == (alone.ids == 0)).all()
        assert not (found.visible(slot) & ~mask.expand(96)).any()


def test_order_and_bands_change_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces in another order, and work on few rows at a time, give the same passes."""
    scene, camera = busy_scene()
    plain = render_passes(scene, camera, 64)
    other, _ = busy_scene(reverse=True)
    monkeypatch.setattr(passes, "BAND_SUBPIXELS", 100)
    monkeypatch.setattr(coverage, "BAND_SUBPIXELS", 3000)
    found = render_passes(other, camera, 64)
    for name in ("ids", "depth", "normals", "alpha"):
        assert getattr(found, name).tobytes() == getattr(plain, name).tobytes(), name
    for one, two in zip(plain.amodal, found.amodal, strict=True):
        assert (one.top, one.left, one.inside.tobytes()) == (two.top, two.left, two.inside.tobytes())


def test_an_empty_state_and_an_empty_piece() -> None:
    """Nothing is seen of nothing."""
    empty = passes_of()
    assert (empty.ids == NOTHING).all()
    assert not empty.alpha.any()
    found = passes_of(RenderPiece("bare", ()), piece("s", card()))
    assert (found.ids == 1).all()
    assert found.amodal[0].pixels == 0
