"""Path-traced pictures: the same bytes under all conditions, the ray caster's outlines, and materials as they are."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from cycles_states import FRONT, cameras_around, make_cube, read_pieces, read_pixels, unlit
from numpy.typing import NDArray
from PIL import Image

from engine.render.cycles.client import CyclesRenderer, WorkerLimits
from engine.render.raycast import hash_picture, render
from engine.render.scene import build_scene
from engine.srgb import encode_srgb
from schemas.errors import RenderError
from schemas.pictures import CyclesSettings
from tests.box_library import HOSTS, make_boxes

pytestmark = [
    pytest.mark.bpy,
    pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="the blender extra is not installed"),
]

QUICK = CyclesSettings(samples=8, denoise=False)
TABLE = make_boxes(HOSTS["table"])


@pytest.fixture(scope="module")
def quick() -> Iterator[CyclesRenderer]:
    """One worker for all tests that do not ask for another."""
    with CyclesRenderer(QUICK) as renderer:
        yield renderer


def look(renderer: CyclesRenderer, glb: bytes, folder: Path, size: int = 32) -> NDArray[np.uint8]:
    """The picture of a state from the front."""
    (image,) = renderer.render(glb, [FRONT], size, [folder / "view.png"])
    pixels = read_pixels(image.path)
    assert hash_picture(pixels) == image.sha256
    return pixels


def middle(renderer: CyclesRenderer, glb: bytes, folder: Path) -> tuple[float, ...]:
    """Mean red, green, blue and alpha of the middle of the cube's front face."""
    return tuple(look(renderer, glb, folder)[12:20, 12:20].reshape(-1, 4).mean(axis=0).tolist())


def test_the_same_bytes_in_any_process_with_any_threads_after_any_states(tmp_path: Path) -> None:
    """With the real settings two views are the same files from fresh workers, 1 and 2 threads, and after others."""
    path = tmp_path / "table.glb"
    path.write_bytes(TABLE)
    cameras = cameras_around(read_pieces(path))[:2]
    found = []
    for threads, others in ((1, 0), (2, 2)):
        with CyclesRenderer(limits=WorkerLimits(threads=threads)) as renderer:
            for other in range(others):
                look(renderer, make_cube(unlit(1, 0, other, 1)), tmp_path, 24)
            for again in range(2 if others else 1):
                out = [tmp_path / f"{threads}_{again}_{view}.png" for view in range(2)]
                images = renderer.render(TABLE, cameras, 64, out)
                found.append([(image.sha256, image.path.read_bytes()) for image in images])
    assert found[0] == found[1] == found[2]
    assert found[0][0] != found[0][1]


def test_outlines_are_those_of_the_ray_caster(tmp_path: Path) -> None:
    """From all four sides the covered pixels are those the ray caster covers; left, right, up and down are right."""
    path = tmp_path / "table.glb"
    path.write_bytes(TABLE)
    pieces = read_pieces(path)
    cameras = cameras_around(pieces)
    with CyclesRenderer(CyclesSettings(samples=16, denoise=False)) as renderer:
        images = renderer.render(TABLE, cameras, 256, [tmp_path / f"{view}.png" for view in range(4)])
    scene = build_scene(pieces)
    for camera, image in zip(cameras, images, strict=True):
        covered = read_pixels(image.path)[..., 3] > 127
        expected = render(scene, camera, 256, 1)[..., 3] > 127
        assert (covered & expected).sum() >= 0.995 * (covered | expected).sum()
        for turned in (expected[:, ::-1], expected[::-1]):
            assert (covered & turned).sum() < 0.95 * (covered | turned).sum()


def test_a_second_object_has_the_ray_casters_outline(quick: CyclesRenderer, data_dir: Path, tmp_path: Path) -> None:
    """So has a real object with mirrored nodes."""
    path = data_dir / "raw_glb" / "derived" / "mirrored_sword_shield.glb"
    pieces = read_pieces(path)
    camera = cameras_around(pieces)[0]
    (image,) = quick.render(path.read_bytes(), [camera], 512, [tmp_path / "view.png"])
    covered = read_pixels(image.path)[..., 3] > 127
    expected = render(build_scene(pieces), camera, 512, 1)[..., 3] > 127
    assert (covered & expected).sum() >= 0.995 * (covered | expected).sum()


def test_the_background_is_nothing(quick: CyclesRenderer, tmp_path: Path) -> None:
    """Pixels beside the object are zero in all four channels, pixels on it are fully covered."""
    pixels = look(quick, make_cube(unlit(0.5, 0.5, 0.5, 1)), tmp_path)
    assert not pixels[:3].any()
    assert (pixels[12:20, 12:20, 3] == 255).all()


def test_unlit_colours_come_out_as_they_are(quick: CyclesRenderer, tmp_path: Path) -> None:
    """Neither light nor tone mapping touches an unlit colour."""
    color = (0.8, 0.2, 0.05)
    red, green, blue, alpha = middle(quick, make_cube(unlit(*color, 1)), tmp_path)
    expected = encode_srgb(np.array(color)).tolist()
    assert [red, green, blue] == pytest.approx(expected, abs=1.0)
    assert alpha == 255.0


@pytest.mark.parametrize(
    ("mode", "factor", "expected"),
    [
        ({}, 0.0, 255.0),
        ({"alphaMode": "MASK"}, 0.49, 0.0),
        ({"alphaMode": "MASK", "alphaCutoff": 0.4}, 0.49, 255.0),
        # Front and back of the cube lie over each other: 1 - 0.5 * 0.5.
        ({"alphaMode": "BLEND"}, 0.5, 191.0),
    ],
)
def test_alpha_modes(
    quick: CyclesRenderer, tmp_path: Path, mode: dict[str, object], factor: float, expected: float
) -> None:
    """OPAQUE ignores alpha, MASK cuts at its limit, BLEND covers in part."""
    *_, alpha = middle(quick, make_cube(unlit(1, 1, 1, factor, **mode)), tmp_path)
    assert alpha == pytest.approx(expected, abs=8.0)


def test_vertex_colours_show(quick: CyclesRenderer, tmp_path: Path) -> None:
    """COLOR_0 multiplies the base colour, with a material and without one."""
    corner_colors = {"primitive": {"attributes": {"POSITION": 0, "COLOR_0": 0, "TEXCOORD_0": 1}}}
    material = {"pbrMetallicRoughness": {"metallicFactor": 0.0}, "extensions": {"KHR_materials_unlit": {}}}
    for chosen in (material, None):
        pixels = look(quick, make_cube(chosen, **corner_colors), tmp_path).astype(float)
        left, right = pixels[14:18, 9:12].mean(axis=(0, 1)), pixels[14:18, 20:23].mean(axis=(0, 1))
        low, high = pixels[20:23, 14:18].mean(axis=(0, 1)), pixels[9:12, 14:18].mean(axis=(0, 1))
        assert right[0] > left[0] + 40
        assert high[1] > low[1] + 40
        assert abs(right[2] - left[2]) < 10


def test_inner_sides_show(quick: CyclesRenderer, tmp_path: Path) -> None:
    """A single-sided cube is seen from inside as from outside."""
    glb = make_cube(unlit(0, 1, 0, 1), nodes=[{"mesh": 0, "translation": [-2.0, -2.0, 2.0], "scale": [4.0, 4.0, 4.0]}])
    assert middle(quick, glb, tmp_path) == pytest.approx((0.0, 255.0, 0.0, 255.0), abs=1.0)


def test_faces_that_lie_on_each_other_are_lit(quick: CyclesRenderer, tmp_path: Path) -> None:
    """A cube that is there twice, once inside out, is as bright as one cube."""
    material = {"pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 1.0}}
    once = [{"mesh": 0, "translation": [-0.5] * 3}]
    back = {"mesh": 0, "translation": [0.5, -0.5, -0.5], "scale": [-1.0, 1.0, 1.0]}
    scenes = [{"nodes": [0, 1]}]
    single = middle(quick, make_cube(material, nodes=once), tmp_path)
    double = middle(quick, make_cube(material, nodes=[*once, back], scenes=scenes), tmp_path)
    assert min(single) > 150.0
    assert double == pytest.approx(single, abs=6.0)


def test_undecodable_images_are_left_out(
    quick: CyclesRenderer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An image that nobody can read gives the bare factor, not magenta, and is named."""
    textured = {
        "pbrMetallicRoughness": {"baseColorFactor": [0.0, 1.0, 0.0, 1.0], "baseColorTexture": {"index": 0}},
        "extensions": {"KHR_materials_unlit": {}},
    }
    broken = middle(quick, make_cube(textured, image=b"\x89PNG\r\n\x1a\n but no more"), tmp_path)
    assert broken == pytest.approx((0.0, 255.0, 0.0, 255.0), abs=1.0)
    assert "cannot be decoded" in caplog.text
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4), (255, 128, 0)).save(buffer, "PNG")
    caplog.clear()
    sound = middle(quick, make_cube(textured, image=buffer.getvalue()), tmp_path)
    assert sound == pytest.approx((0.0, 128.0, 0.0, 255.0), abs=1.0)
    assert not caplog.text


def test_emission_shines(quick: CyclesRenderer, tmp_path: Path) -> None:
    """An emitting black cube is as bright as it says."""
    material = {
        "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0.0, "roughnessFactor": 1.0},
        "emissiveFactor": [1.0, 0.0, 0.0],
    }
    red, green, _, _ = middle(quick, make_cube(material), tmp_path)
    assert red >= 254.0
    assert green < 80.0


def test_glass_lets_the_background_through(quick: CyclesRenderer, tmp_path: Path) -> None:
    """Full transmission gives partial coverage; without the extension the cube is solid."""
    glass = {
        "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.0},
        "extensions": {"KHR_materials_transmission": {"transmissionFactor": 1.0}},
    }
    *_, through = middle(quick, make_cube(glass), tmp_path)
    *_, solid = middle(quick, make_cube({**glass, "extensions": {}}), tmp_path)
    assert through < 128.0
    assert solid == 255.0


def test_non_metallic_takes_the_metal_away(quick: CyclesRenderer, tmp_path: Path) -> None:
    """A metal drawn non-metallic is the same picture as the material without metal, whole image and all."""
    metal = {"pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.5, 0.2, 1.0], "roughnessFactor": 0.3}}
    plastic = {"pbrMetallicRoughness": {**metal["pbrMetallicRoughness"], "metallicFactor": 0.0}}
    with CyclesRenderer(QUICK.model_copy(update={"non_metallic": True})) as without:
        stripped = look(without, make_cube(metal), tmp_path)
    assert (stripped == look(quick, make_cube(plastic), tmp_path)).all()
    assert (stripped != look(quick, make_cube(metal), tmp_path)).any()


def test_the_default_material_is_that_of_the_format(quick: CyclesRenderer, tmp_path: Path) -> None:
    """Faces without a material look like white, metallic 1, roughness 1, not like Blender's grey."""
    said = {"pbrMetallicRoughness": {"metallicFactor": 1.0, "roughnessFactor": 1.0}}
    assert (look(quick, make_cube(None), tmp_path) == look(quick, make_cube(said), tmp_path)).all()


def test_far_tiny_and_huge_states_look_alike(quick: CyclesRenderer, tmp_path: Path) -> None:
    """Distance from the origin and scale change no more than the last bits of a few pixels."""
    seen = []
    awkward = ((2.0**-16, 0.0), (2.0**-26, 0.0), (2.0**-26, 2.0**-20), (2.0**16, 0.0), (2.0**40, 0.0), (1.0, 2.0**17))
    for scale, shift in ((1.0, 0.0), *awkward):
        node = {"mesh": 0, "translation": [shift - 0.5 * scale] * 3, "scale": [scale] * 3}
        glb = make_cube({"pbrMetallicRoughness": {"metallicFactor": 0.0}}, nodes=[node])
        position = (shift + scale, shift + scale, shift + 4.0 * scale)
        camera = FRONT.__class__(position, FRONT.right, FRONT.up, FRONT.forward, 0.45)
        (image,) = quick.render(glb, [camera], 48, [tmp_path / "view.png"])
        seen.append(read_pixels(image.path).astype(int))
    assert (seen[0][..., 3] > 127).sum() > 100
    for other in seen[1:]:
        assert (np.abs(other - seen[0]).max(axis=-1) > 8).mean() < 0.01


@pytest.mark.parametrize("glb", [b"", b"glTF and nothing more", make_cube(None, meshes=[]), make_cube(None, nodes=[])])
def test_a_bad_state_is_refused_and_the_worker_lives_on(quick: CyclesRenderer, tmp_path: Path, glb: bytes) -> None:
    """Garbage, a broken document and an empty scene name the place; no file appears; the same worker goes on."""
    before = quick.worker_pid
    with pytest.raises(RenderError, match=r"bad\.png: reading: "):
        quick.render(glb, [FRONT], 16, [tmp_path / "bad.png"])
    assert not list(tmp_path.iterdir())
    assert middle(quick, make_cube(unlit(1, 1, 1, 1)), tmp_path)[3] == 255.0
    assert before in {None, quick.worker_pid}


def test_sheared_matrices_are_refused(quick: CyclesRenderer, tmp_path: Path) -> None:
    """A matrix that Blender cannot hold is refused with its node; turned and unevenly scaled ones are drawn."""
    sheared = [1.0, 0.0, 0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.5, -0.5, -0.5, 1.0]
    with pytest.raises(RenderError, match=r"nodes\[0\] is sheared: a cosine of 0\.0995\d+ .*, limit 0\.0001; bake the"):
        quick.render(make_cube(None, nodes=[{"mesh": 0, "matrix": sheared}]), [FRONT], 16, [tmp_path / "view.png"])
    turned = [0.0, 2.0, 0.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.5, -1.0, -0.5, 1.0]
    material = unlit(1, 0, 0, 1)
    assert middle(quick, make_cube(material, nodes=[{"mesh": 0, "matrix": turned}]), tmp_path)[3] == 255.0


def test_a_camera_that_sees_nothing_is_refused(quick: CyclesRenderer, tmp_path: Path) -> None:
    """A camera with the whole object behind it is a mistake of the caller's, told as one."""
    away = FRONT.__class__((0.0, 0.0, 4.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 0.25)
    with pytest.raises(
        RenderError, match=r"camera: the whole object lies behind it, the farthest point at depth -3\.5"
    ):
        quick.render(make_cube(None), [away], 16, [tmp_path / "view.png"])
