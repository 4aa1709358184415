"""The baked look as a whole."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from texture_pieces import make_ball, make_box, make_square, make_surface, mean_color, pixels_of, read_surfaces

from engine.surfaces import FloatArray, Surface
from engine.texture.bake import GUTTER, BakeTexturer
from engine.texture.materials import MATERIALS, color_distance
from engine.texture.protocol import TextureAsset, Texturer
from engine.texture.raster import find_gutter, find_texels
from schemas.errors import InputError

_PROBE = """
import hashlib, sys
import numpy as np
sys.path.insert(0, {folder!r})
from texture_pieces import make_surface
from engine.texture.bake import BakeTexturer
from engine.texture.materials import MATERIALS
arrays = np.load({data!r})
pieces = tuple(make_surface(arrays[f"p{{n}}"], arrays[f"f{{n}}"]) for n in range(2))
total = hashlib.sha256()
for name in MATERIALS:
    asset = BakeTexturer().texture(pieces, name, 3, 40.0)
    total.update(asset.image_png)
    for primitive in asset.uv.primitives:
        for array in (primitive.vertex_map, primitive.faces, primitive.uv):
            total.update(array.tobytes())
print(total.hexdigest())
"""


def test_bytes_do_not_depend_on_the_process(tmp_path: Path) -> None:
    """Processes with other hash seeds, thread counts and BLAS kernels bake every material to the same bytes."""
    ball, box, data = make_ball(1), make_box((0.4, 2.0, 0.5)), tmp_path / "pieces.npz"
    # The shapes come from a file: trimesh itself rounds differently under another BLAS.
    np.savez(data, p0=ball.positions, f0=ball.faces, p1=box.positions, f1=box.faces)
    script = _PROBE.format(folder=str(Path(__file__).parent), data=str(data))
    seen = set()
    for hash_seed, threads, core in (("0", "1", "Haswell"), ("4711", "4", "Prescott")):
        variables = {"PYTHONHASHSEED": hash_seed, "OMP_NUM_THREADS": threads, "OPENBLAS_CORETYPE": core}
        done = subprocess.run([sys.executable, "-c", script], env=variables, capture_output=True, text=True, check=True)
        seen.add(done.stdout)
    assert len(seen) == 1


def _corners(surfaces: tuple[Surface, ...], asset: TextureAsset) -> FloatArray:
    if asset.uv is None:
        return np.concatenate([s.uvs[0].astype(np.float64)[s.faces] for s in surfaces])
    return np.concatenate([p.uv.astype(np.float64)[p.faces] for p in asset.uv.primitives])


@pytest.mark.parametrize("surface", [make_ball(), make_box((1.0, 0.2, 0.6))], ids=["ball", "box"])
def test_bilinear_samples_never_meet_the_background(surface: Surface) -> None:
    """The four texels around any point of the surface are covered or gutter."""
    asset = BakeTexturer().texture((surface,), "oak_wood", 1, 4.0)
    height, width = pixels_of(asset.image_png).shape[:2]
    corners = _corners((surface,), asset)
    place = find_texels(corners, surface.positions[surface.faces], width, height).place
    filled = (find_gutter(place, width, height, GUTTER) >= 0).reshape(height, width)
    rng = np.random.default_rng(0)
    weights = rng.dirichlet([0.4, 0.4, 0.4], size=20000)
    uv = (corners[rng.integers(len(corners), size=20000)] * weights[:, :, None]).sum(axis=1)
    x, y = uv[:, 0] * width - 0.5, uv[:, 1] * height - 0.5
    for dx in (0, 1):
        for dy in (0, 1):
            column = np.clip(np.floor(x).astype(int) + dx, 0, width - 1)
            row = np.clip(np.floor(y).astype(int) + dy, 0, height - 1)
            assert filled[row, column].all()


def test_edges_show_no_seam() -> None:
    """Along the edges of a ball both sides, on whatever charts they lie, show nearly the same colour."""
    ball = make_ball()
    asset = BakeTexturer().texture((ball,), "white_marble", 2, 4.0)
    pixels = pixels_of(asset.image_png).astype(np.float64)
    corners = _corners((ball,), asset)
    sides: dict[tuple[int, int], list[FloatArray]] = {}
    for f, face in enumerate(ball.faces):
        for k in range(3):
            edge = (int(min(face[k], face[k - 2])), int(max(face[k], face[k - 2])))
            middle = 0.5 * (corners[f, k] + corners[f, k - 2]) * (pixels.shape[1], pixels.shape[0])
            column, row = np.minimum(middle.astype(int), (pixels.shape[1] - 1, pixels.shape[0] - 1))
            sides.setdefault(edge, []).append(pixels[row, column])
    jumps = np.array([np.abs(a - b).max() for a, b in sides.values()])
    random_pairs = np.abs(np.diff([a for a, _ in sides.values()], axis=0)).max(axis=1)
    assert jumps.mean() < 0.25 * random_pairs.mean()
    assert np.percentile(jumps, 95) < 24


def test_usable_coordinates_are_kept_and_others_replaced() -> None:
    """A square that fills its image needs no unwrap; the same square on one palette pixel gets one."""
    texturer = BakeTexturer()
    assert texturer.texture((make_square(),), "red_brick", 1, 2.0).uv is None
    fresh = texturer.texture((make_square(0.01),), "red_brick", 1, 2.0).uv
    assert fresh is not None
    assert np.array_equal(fresh.primitives[0].vertex_map[fresh.primitives[0].faces], make_square().faces)


def test_own_coordinates_put_the_pattern_where_it_belongs() -> None:
    """On a square with coordinates equal to positions, stripes across X are columns of the image."""
    wide = make_surface(make_square().positions * [1.2, 1.0, 1.0], make_square().faces, make_square().uvs[0])
    pixels = pixels_of(BakeTexturer().texture((wide,), "red_white_stripes", 1, 2.0).image_png)[:, :, 1]
    red = pixels < 128
    assert (red == red[0]).mean() > 0.99
    assert 0.4 < red.mean() < 0.6


def test_seed_and_material_change_the_image_and_nothing_else() -> None:
    """Another seed gives another image over the same coordinates."""
    first, same, other = (BakeTexturer().texture((make_ball(2),), "dark walnut wood", s, 3.0) for s in (1, 1, 2))
    assert first.image_png == same.image_png != other.image_png
    assert first.uv is not None
    assert other.uv is not None
    assert np.array_equal(first.uv.primitives[0].uv, other.uv.primitives[0].uv)


def test_scale_of_the_units_does_not_matter() -> None:
    """A part and its host eight times as large give the same pixels."""
    box = make_box((1.0, 0.5, 0.25))
    large = make_surface(box.positions * 8.0, box.faces)
    images = [BakeTexturer().texture((s,), "red_brick", 1, d).image_png for s, d in ((box, 3.0), (large, 24.0))]
    assert images[0] == images[1]


def test_order_of_storage_does_not_matter() -> None:
    """Triangles, corners, vertices and surfaces in another order give the same pixels at the same places."""
    random = np.random.default_rng(2)
    ball, box = make_ball(2), make_box((3.0, 0.5, 0.25))
    order = random.permutation(len(ball.positions))
    faces = np.roll(random.permutation(np.argsort(order)[ball.faces]), 1, axis=1)
    other = make_surface(ball.positions[order], faces)
    one, two = (BakeTexturer().texture(each, "red_brick", 1, 2.0) for each in ((ball, box), (box, other)))
    assert one.image_png == two.image_png
    assert one.uv is not None
    assert two.uv is not None
    assert np.array_equal(two.uv.primitives[1].vertex_map[two.uv.primitives[1].faces], faces)
    places = [
        {
            (*point, *uv)
            for point, uv in zip(ball_now.positions[found.vertex_map].tolist(), found.uv.tolist(), strict=True)
        }
        for ball_now, found in ((ball, one.uv.primitives[0]), (other, two.uv.primitives[1]))
    ]
    assert places[0] == places[1]


def test_real_parts_are_small_quick_and_changed(data_dir: Path) -> None:
    """Images of development parts stay below 200 kB; a compiled bake takes below 0.4 s of processor in the median."""
    paths = sorted(data_dir.glob("partverse_dev/textured_part_glbs/*/*.glb"))[::40]
    names = list(MATERIALS)
    sizes, seconds = [], []
    BakeTexturer().texture((make_ball(1),), "granite", 1, 2.0)
    for n, path in enumerate(paths):
        surfaces = read_surfaces(path)
        before = [hashlib.sha256(s.positions.tobytes() + s.faces.tobytes()).digest() for s in surfaces]
        start = time.process_time()
        asset = BakeTexturer().texture(surfaces, names[n % len(names)], n, 3.4)
        seconds.append(time.process_time() - start)
        sizes.append(len(asset.image_png))
        assert max(pixels_of(asset.image_png).shape[:2]) in {256, 384, 512}
        mean = MATERIALS[names[n % len(names)]].mean_color
        assert color_distance(mean_color(asset.image_png), mean) < 0.3
        assert before == [hashlib.sha256(s.positions.tobytes() + s.faces.tobytes()).digest() for s in surfaces]
    assert max(sizes) <= 200_000
    assert np.median(seconds) < 0.4


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf")])
def test_useless_scale_is_refused(scale: float) -> None:
    """A host without a positive, finite diagonal raises InputError."""
    with pytest.raises(InputError, match="scale"):
        BakeTexturer().texture((make_box(),), "oak_wood", 1, scale)


def test_pieces_without_area_or_triangles() -> None:
    """No triangles and coordinates that are not finite are refused; triangles without area are textured."""
    texturer = BakeTexturer()
    with pytest.raises(InputError, match="no triangles"):
        texturer.texture((make_surface(np.zeros((0, 3)), np.zeros((0, 3))),), "oak_wood", 1, 1.0)
    with pytest.raises(InputError, match="not finite"):
        texturer.texture((make_surface(np.full((3, 3), np.nan), np.array([[0, 1, 2]])),), "oak_wood", 1, 1.0)
    line = make_surface(np.outer(np.arange(3.0), np.ones(3)), np.array([[0, 1, 2]]))
    flat = texturer.texture((line,), "oak_wood", 1, 1.0)
    assert min(pixels_of(flat.image_png).shape[:2]) >= 4


def test_the_texturer_is_an_installed_plugin() -> None:
    """The entry point `bake` of the group `engine.texturers` is this class, and it fills the port."""
    (found,) = metadata.entry_points(group="engine.texturers", name="bake")
    assert found.load() is BakeTexturer
    texturer: Texturer = BakeTexturer()
    assert texturer.texture((make_box(),), "red paint", 0, 1.0).roughness == MATERIALS["red_paint"].roughness


def test_concurrent_bakes_agree() -> None:
    """Four threads baking the same ball at once get the bytes one gets alone."""
    texturer = BakeTexturer()
    alone = texturer.texture((make_ball(2),), "red_brick", 4, 3.0)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: texturer.texture((make_ball(2),), "red_brick", 4, 3.0), range(8)))
    assert {asset.image_png for asset in together} == {alone.image_png}
    assert {asset.uv.encode() for asset in together if asset.uv} == {alone.uv.encode() if alone.uv else b""}
