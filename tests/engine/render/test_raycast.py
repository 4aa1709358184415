"""Pictures: coverage, ids, depth, materials, and that equal input gives equal bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from render_shapes import box, card, encoded, front_camera, piece, textured, unlit

from engine.framing import camera_of, frame_states
from engine.render import raycast
from engine.render.raycast import hash_picture, render, render_ids, update_picture
from engine.render.scene import PieceCache, RenderPiece, build_scene, world_points
from engine.render.visible import find_visible_pixels
from engine.srgb import decode_table, encode_srgb
from engine.surfaces import Material, Surface, TextureSlot

RED, GREEN, BLUE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def picture_of(*pieces: RenderPiece, size: int = 16, supersample: int = 1) -> np.ndarray:
    """Render from the front."""
    return render(build_scene(pieces), front_camera(), size, supersample)


def test_a_card_covers_exactly_its_pixels() -> None:
    """A card over the middle half of the frame covers the middle half of the pixels, and nothing else."""
    picture = picture_of(piece("s", card(unlit(1, 0, 0), low=-0.5, high=0.5)))
    expected = np.zeros((16, 16, 4), dtype=np.uint8)
    expected[4:12, 4:12] = (255, 0, 0, 255)
    assert (picture == expected).all()


def test_supersampling_gives_coverage() -> None:
    """An edge through the middle of a pixel gives half coverage and the full colour."""
    picture = picture_of(piece("s", card(unlit(0, 1, 0), low=-0.5, high=0.5)), size=6, supersample=4)
    assert picture[3, :, 3].tolist() == [0, 128, 255, 255, 128, 0]
    assert picture[3, 1].tolist() == [0, 255, 0, 128]


def test_ids_and_depth() -> None:
    """The nearer card hides the farther one; depth is along the camera's axis, also off the centre."""
    scene = build_scene([piece("far", card()), piece("near", card(z=1.0, low=-0.25, high=0.25))])
    ids = render_ids(scene, front_camera(), 24)
    assert set(np.unique(ids.slots)) == {0, 1}
    assert (ids.slots == 1).sum() == 64
    assert np.allclose(ids.depth[ids.slots == 0], 4.0, rtol=1e-15)
    assert np.allclose(ids.depth[ids.slots == 1], 3.0, rtol=1e-15)


def test_empty_scene() -> None:
    """Nothing gives an empty picture."""
    assert not picture_of().any()
    assert (render_ids(build_scene([]), front_camera(), 4).slots == -1).all()


def test_alpha_modes() -> None:
    """OPAQUE ignores alpha, MASK cuts at its limit, BLEND covers in part."""
    modes = {
        "opaque": unlit(1, 0, 0, 0.0),
        "below": unlit(1, 0, 0, 0.49, alpha_mode="MASK"),
        "at": unlit(1, 0, 0, 0.5, alpha_mode="MASK"),
        "blend": unlit(1, 0, 0, 0.5, alpha_mode="BLEND"),
        "clear": unlit(1, 0, 0, 0.0, alpha_mode="BLEND"),
    }
    found = {name: picture_of(piece("s", card(material)))[8, 8].tolist() for name, material in modes.items()}
    assert found == {
        "opaque": [255, 0, 0, 255],
        "below": [0, 0, 0, 0],
        "at": [255, 0, 0, 255],
        "blend": [255, 0, 0, 128],
        "clear": [0, 0, 0, 0],
    }


@pytest.mark.parametrize("together", [True, False])
def test_layers_are_laid_in_depth_order(*, together: bool) -> None:
    """Red glass before blue glass before green: the same whether layers belong to one piece or to three."""
    red, blue = unlit(*RED, 0.5, alpha_mode="BLEND"), unlit(*BLUE, 0.25, alpha_mode="BLEND")
    surfaces = [card(unlit(*GREEN)), card(red, z=0.2, low=-2, high=2), card(blue, z=0.1, low=-2, high=2)]
    pieces = [piece("s", *surfaces)] if together else [piece(f"s{i}", s) for i, s in enumerate(surfaces)]
    light = decode_table()[picture_of(*pieces)[8, 8, :3]]
    assert light == pytest.approx([0.5, 0.75 * 0.5, 0.25 * 0.5], abs=0.004)


def test_glass_over_nothing_keeps_its_colour() -> None:
    """Two half panes over an empty ground cover three quarters; colour is not darkened by the ground."""
    pane = unlit(*RED, 0.5, alpha_mode="BLEND")
    picture = picture_of(piece("s", card(pane), card(pane, z=0.1, low=-2, high=2)))
    assert picture[8, 8].tolist() == [255, 0, 0, 191]


def test_masked_texture_opens_the_view() -> None:
    """Where the cut-out is, the part behind is seen."""
    image = np.zeros((2, 2, 4), dtype=np.uint8)
    image[...] = (255, 0, 0, 255)
    image[0, 0, 3] = 0
    leaf = replace(textured(encoded(image), nearest=True), alpha_mode="MASK")
    scene = build_scene([piece("back", card(unlit(*BLUE), z=-0.1, low=-2, high=2)), piece("leaf", card(leaf))])
    picture = render(scene, front_camera(), 16, 1)
    assert picture[4, 4].tolist() == [0, 0, 255, 255]
    assert picture[4, 12].tolist() == picture[12, 4].tolist() == [255, 0, 0, 255]
    assert render_ids(scene, front_camera(), 16).slots[4, [4, 12]].tolist() == [0, 1]


def test_both_sides_are_seen_and_lit_alike() -> None:
    """A face turned away from the camera looks like one turned towards it, doubleSided or not."""
    surface = card(Material(base_color_factor=(0.5, 0.5, 0.5, 1), metallic=0))
    turned = replace(surface, faces=surface.faces[:, ::-1])
    both = [picture_of(piece("s", s)) for s in (surface, turned)]
    marked = replace(surface, material=replace(surface.material, double_sided=True))
    assert (both[0] == both[1]).all()
    assert (both[0] == picture_of(piece("s", marked))).all()
    assert both[0][8, 8, 3] == 255


def test_image_stands_upright() -> None:
    """The image's first row is at the top, its first column at the left."""
    image = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]], dtype=np.uint8)
    picture = picture_of(piece("s", card(textured(encoded(image), nearest=True))))
    assert [picture[y, x, :3].tolist() for y, x in ((4, 4), (4, 12), (12, 4), (12, 12))] == image.reshape(4, 3).tolist()


def test_factor_texture_and_vertex_colour_multiply() -> None:
    """Base colour is the product of the three, in linear light."""
    image = encoded(np.full((2, 2, 3), 188, dtype=np.uint8))
    colors = np.full((4, 4), 0.5, dtype=np.float32)
    surface = replace(card(replace(textured(image), base_color_factor=(1, 0.5, 0.25, 1))), colors=colors)
    light = decode_table()[188] * 0.5 * np.array([1, 0.5, 0.25])
    assert picture_of(piece("s", surface))[8, 8, :3].tolist() == encode_srgb(light).tolist()


def test_second_texture_coordinates() -> None:
    """TEXCOORD_1 is read when the texture asks for it; a texture without coordinates counts as white."""
    image = np.array([[[255, 0, 0], [0, 255, 0]]], dtype=np.uint8)
    surface = card(textured(encoded(image), uv_set=1, nearest=True))
    other = replace(surface, uvs=(surface.uvs[0], np.full((4, 2), 0.75, dtype=np.float32)))
    assert picture_of(piece("s", other))[8, 4, :3].tolist() == [0, 255, 0]
    assert picture_of(piece("s", surface))[8, 4, :3].tolist() == [255, 255, 255]


def test_emission_is_added() -> None:
    """A black part with an emissive factor glows in that colour."""
    material = Material(base_color_factor=(0, 0, 0, 1), metallic=1.0, emissive=(0.0, 0.5, 0.0))
    r, g, b, _ = picture_of(piece("s", card(material)))[8, 8].tolist()
    assert g > 150
    assert r == b < 60


def test_normal_textures_bend_towards_red_and_green() -> None:
    """More red tilts a face to the image's right, more green to its top, whichever way the image lies on the part."""

    def brightness(r: int, g: int, surface: Surface) -> int:
        image = encoded(np.full((4, 4, 3), (r, g, 230), dtype=np.uint8))
        material = replace(
            Material(metallic=0.0, base_color_factor=(0.4, 0.4, 0.4, 1)), normal_texture=TextureSlot(image)
        )
        return int(picture_of(piece("s", replace(surface, material=material)))[8, 8, 1])

    plain = card()
    # The key lamp stands at the upper left.
    assert brightness(128, 200, plain) > brightness(128, 128, plain) > brightness(128, 56, plain)
    assert brightness(56, 128, plain) > brightness(200, 128, plain)
    for uvs in (1 - plain.uvs[0], plain.uvs[0] * np.float32(-1)):
        turned = replace(plain, uvs=(uvs,))
        assert brightness(128, 56, turned) == brightness(128, 200, plain)
    mirrored = replace(plain, uvs=(plain.uvs[0] * np.array([-1, 1], dtype=np.float32),))
    assert brightness(200, 128, mirrored) > brightness(56, 128, mirrored)
    assert brightness(128, 200, mirrored) > brightness(128, 56, mirrored)
    assert brightness(128, 128, plain) == int(
        picture_of(piece("s", card(replace(Material(metallic=0.0), base_color_factor=(0.4, 0.4, 0.4, 1)))))[8, 8, 1]
    )


@pytest.mark.parametrize("roughness", [0.0, 0.3, 1.0])
def test_metals_are_not_black(roughness: float) -> None:
    """A metal box without lamps in sight mirrors the sky: it keeps its hue and is never darker than a third."""
    material = Material(base_color_factor=(1, 0.7, 0.3, 1), metallic=1.0, roughness=roughness)
    cube = piece("s", box((-1, -1, -1), (1, 1, 1), material))
    camera = camera_of(frame_states(world_points(cube)), 2)
    picture = render(build_scene([cube]), camera, 32, 1)
    seen = picture[picture[..., 3] == 255][:, :3].astype(int)
    assert len(seen) > 200
    assert seen[:, 0].min() > 85
    assert (seen[:, 0] >= seen[:, 1]).all()
    assert (seen[:, 1] >= seen[:, 2]).all()


def busy_pieces() -> list[RenderPiece]:
    """Crossing boxes with lit, textured, cut-out and glass materials."""
    board = np.zeros((64, 64, 4), dtype=np.uint8)
    board[..., :3] = np.random.default_rng(3).integers(0, 256, (64, 64, 3))
    board[..., 3] = np.indices((64, 64)).sum(axis=0) % 2 * 255
    texture = encoded(board)
    materials = [
        Material(base_color_factor=(0.8, 0.3, 0.2, 1), metallic=0.0, roughness=0.4),
        Material(base_color_factor=(0.9, 0.8, 0.4, 1), metallic=1.0, roughness=0.2),
        Material(base_color_factor=(0.3, 0.6, 0.9, 0.4), metallic=0.0, alpha_mode="BLEND"),
    ]
    boxes = [
        piece(f"box{i}", box((-1, -1, -1), (1, 1, 1), materials[i % 3]), shift=(0.9 * (i % 3), 0.7 * (i // 3), 0.3 * i))
        for i in range(7)
    ]
    leaf = replace(textured(texture), alpha_mode="MASK", unlit=False)
    return [*boxes, piece("leaf", card(leaf, z=3.0, low=-2, high=3))]


def render_busy(pieces: list[RenderPiece], size: int = 96, supersample: int = 2) -> np.ndarray:
    """Render busy pieces, framed by all of them."""
    rig = frame_states([points for item in busy_pieces() for points in world_points(item)])
    return render(build_scene(pieces), camera_of(rig, 0), size, supersample)


def test_an_edit_changes_no_other_pixel() -> None:
    """Without one box, every pixel in which the box does not show keeps its bytes."""
    pieces = busy_pieces()
    whole, less = (
        render_busy(pieces, supersample=1),
        render_busy([p for p in pieces if p.slot != "box4"], supersample=1),
    )
    rig = frame_states([points for item in pieces for points in world_points(item)])
    mask = find_visible_pixels(build_scene(pieces), "box4", camera_of(rig, 0), 96)
    changed = (whole != less).any(axis=-1)
    assert changed.sum() > 100
    assert not (changed & ~mask).any()


@pytest.mark.parametrize("supersample", [1, 4])
def test_an_updated_picture_is_the_picture_drawn_anew(supersample: int) -> None:
    """Taking away, moving, adding and re-looking pieces one after another: equal to a full draw, every byte."""
    cache = PieceCache()
    pieces = busy_pieces()
    rig = frame_states([points for item in pieces for points in world_points(item)])
    camera = camera_of(rig, 1)
    moved = RenderPiece(pieces[2].slot, pieces[2].surfaces, np.array(pieces[2].matrix) + 0.05 * np.eye(4, k=3))
    states = [
        pieces,
        pieces[1:],
        [*pieces[1:2], moved, *pieces[3:]],
        [*pieces[:2], moved, *pieces[3:]],
        [piece("box0", box((-0.4, -0.4, -0.4), (0.3, 0.3, 0.9))), *pieces[3:]],
    ]
    scene = build_scene(states[0], cache)
    picture = render(scene, camera, 96, supersample)
    for state in states[1:]:
        following = build_scene(state, cache)
        updated = update_picture(picture, scene, following, camera, supersample)
        assert (updated == render(following, camera, 96, supersample)).all()
        assert (updated != picture).any()
        scene, picture = following, updated
    assert update_picture(picture, scene, scene, camera, supersample) is picture


def test_bands_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Working on a few rows at a time gives the same bytes."""
    whole = render_busy(busy_pieces())
    monkeypatch.setattr(raycast, "BAND_SUBPIXELS", 1)
    assert (render_busy(busy_pieces()) == whole).all()


@pytest.mark.parametrize(("scale", "shift"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e5)])
def test_size_and_distance_from_the_origin_do_not_matter(scale: float, shift: float) -> None:
    """Tiny, huge and far objects look like the plain one but for pixels on an edge."""

    def moved(surface: Surface) -> Surface:
        return replace(surface, positions=surface.positions * scale + shift)

    plain = [piece("a", box((-1, -1, -1), (1, 1, 1))), piece("b", box((0, 0.5, 0), (2, 2, 2)))]
    other = [RenderPiece(item.slot, tuple(moved(s) for s in item.surfaces)) for item in plain]
    found = []
    for pieces in (plain, other):
        rig = frame_states([points for item in pieces for points in world_points(item)])
        found.append(render_ids(build_scene(pieces), camera_of(rig, 0), 128).slots)
    assert (found[0] != found[1]).sum() <= 4
    assert set(np.unique(found[1])) == {-1, 0, 1}


def test_a_camera_inside_a_piece_still_sees() -> None:
    """Inside a box every pixel shows its wall."""
    room = piece("room", box((-10, -10, -10), (10, 10, 10), unlit(*GREEN)))
    assert (picture_of(room)[..., 1] == 255).all()


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:]
from test_raycast import busy_pieces, render_busy, hash_picture
print(hash_picture(render_busy(busy_pieces()[::-1])))
"""


def test_processes_agree_to_the_byte() -> None:
    """Other hash seeds, thread counts, BLAS kernels and orders of pieces give the same picture."""
    here = str(Path(__file__).parent)
    expected = hash_picture(render_busy(busy_pieces()))
    for seed, threads, core in (("1", "1", "Prescott"), ("77", "2", "Haswell")):
        environment = {
            **os.environ,  # noqa: TID251  # the child needs the parent's paths
            "PYTHONHASHSEED": seed,
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_CORETYPE": core,
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, here], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == expected
