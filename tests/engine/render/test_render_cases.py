"""Files with a known look: the renderer together with the glTF reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.framing import camera_of, frame_states
from engine.gltf.document import read_document
from engine.gltf.parts import list_part_nodes, read_part
from engine.render.probe import render_alpha_at, render_color_at, sample_base_color
from engine.render.raycast import render_ids
from engine.render.scene import RenderPiece, build_scene, prepare_piece, world_points
from engine.srgb import encode_srgb


def read_pieces(path: Path) -> dict[str, RenderPiece]:
    """One piece for each part of a file, by name."""
    document = read_document(path)
    return {
        node.name: RenderPiece(node.id, read_part(document, node.id).surfaces) for node in list_part_nodes(document)
    }


def expected(cases_dir: Path, case: str) -> dict[str, Any]:
    """Read the checks of a case."""
    checks: dict[str, Any] = json.loads((cases_dir / case / "expected.json").read_text())["checks"]
    return checks


def test_texture_transform(cases_dir: Path) -> None:
    """The transform picks the image's green quarter everywhere."""
    (card,) = read_pieces(cases_dir / "M01-texture-transform" / "part.glb").values()
    for check in expected(cases_dir, "M01-texture-transform")["colour_at"]:
        color = sample_base_color(card.surfaces[0], tuple(check["point"]))
        assert encode_srgb(np.array(color[:3])).tolist() == check["srgb8"]


def test_alpha_modes(cases_dir: Path) -> None:
    """Seen from above: opaque covers, masked is gone, blended covers half; the opaque one is red."""
    checks = expected(cases_dir, "M02-alpha-modes")
    pieces = read_pieces(cases_dir / "M02-alpha-modes" / "host.glb")
    for part in checks["parts"]:
        low, high = np.array(part["bounds"])
        x, y, z = ((low + high) / 2).tolist()
        coverage = render_alpha_at(list(pieces.values()), (x, y, z))
        assert coverage == pytest.approx(checks["render_alpha_at_centre"][part["name"]], abs=checks["alpha_tolerance"])
    red, green, blue, _ = render_color_at(list(pieces.values()), (0.5, 0.0, 0.5), (0.0, 1.0, 0.0))
    assert red > 3 * max(green, blue)


def test_both_sides_show(cases_dir: Path) -> None:
    """Squares seen from behind are there whether or not they are marked double-sided."""
    pieces = list(read_pieces(cases_dir / "M03-double-sided" / "host.glb").values())
    assert [render_alpha_at(pieces, (x, 0.0, 0.5)) for x in (0.5, 2.5)] == [1.0, 1.0]


def test_factor_times_texture(cases_dir: Path) -> None:
    """The base colour is factor times texture in linear light."""
    checks = expected(cases_dir, "M05-factor-times-texture")
    (card,) = read_pieces(cases_dir / "M05-factor-times-texture" / "part.glb").values()
    color = sample_base_color(card.surfaces[0], (0.4, 0.6, 0.0))
    assert color[:3] == pytest.approx(checks["base_colour_linear"], abs=checks["colour_tolerance"])


def test_default_metal_is_not_black(cases_dir: Path) -> None:
    """A part without metallicFactor is metal by the format's default and still visible."""
    (part,) = read_pieces(cases_dir / "M06-metallic-default" / "part.glb").values()
    assert part.surfaces[0].material.metallic == 1.0
    color = sample_base_color(part.surfaces[0], (0.5, 0.5, 1.0))
    seen = render_color_at([part], (0.5, 0.5, 1.0), (0.0, 0.0, 1.0))
    assert max(seen[:3]) > 0.5 * max(encode_srgb(np.array(color[:3])).tolist())


def test_vertex_colours_without_material(cases_dir: Path) -> None:
    """COLOR_0 alone colours the part, in the probe and in the picture."""
    (part,) = read_pieces(cases_dir / "G18-vertex-colours-only" / "part.glb").values()
    for check in expected(cases_dir, "G18-vertex-colours-only")["vertex_colour_at"]:
        color = sample_base_color(part.surfaces[0], tuple(check["point"]))
        assert color[:3] == pytest.approx(check["rgb_linear"], abs=1e-6)
    left = render_color_at([part], (0.0, 0.5, 0.5), (-1.0, 0.0, 0.0))
    right = render_color_at([part], (1.0, 0.5, 0.5), (1.0, 0.0, 0.0))
    assert left[0] > 3 * left[1]
    assert right[1] > 3 * right[0]


def test_doubled_faces_are_met_once(cases_dir: Path) -> None:
    """Faces doubled for two-sidedness leave one surface."""
    (part,) = read_pieces(cases_dir / "G21-double-sided-duplicates" / "part.glb").values()
    prepared = prepare_piece(part)
    assert (len(prepared.corners), len(prepared.ray_triangles)) == (24, 12)


@pytest.mark.parametrize("name", ["huge_scale_stool", "tiny_scale_stool", "far_from_origin_stool"])
def test_scale_and_place_do_not_matter(data_dir: Path, name: str) -> None:
    """The same stool, huge, tiny or far away, has the same silhouette but for a few edge pixels.

    Far away its file keeps fewer digits, which moves edges.
    """
    folder = data_dir / "raw_glb" / "derived"
    pictures = []
    for file in ("huge_scale_stool", name):
        pieces = list(read_pieces(folder / f"{file}.glb").values())
        rig = frame_states([points for piece in pieces for points in world_points(piece)])
        pictures.append(render_ids(build_scene(pieces), camera_of(rig, 0), 128).slots >= 0)
    assert (pictures[0] != pictures[1]).sum() <= 16
    assert pictures[0].sum() > 4000


@pytest.mark.parametrize(
    ("card", "wrong"),
    [
        ("Rotation", ("Not Supported", "Error")),
        ("Scale", ("Not Supported",)),
        ("All", ()),
    ],
)
def test_arrows_of_the_transform_sample(data_dir: Path, card: str, wrong: tuple[str, ...]) -> None:
    """In the format's own sample the dark arrow points at the mark that stands for a right rotation and scale."""
    pieces = read_pieces(data_dir / "raw_glb" / "source" / "texture_transform_test" / "TextureTransformTest.gltf")
    box = {name: prepare_piece(piece).box for name, piece in pieces.items()}
    (x0, y0, z), (x1, y1, _) = box[card].tolist()
    grid = [(x0 + (x1 - x0) * i / 40, y0 + (y1 - y0) * j / 40, z) for i in range(41) for j in range(41)]
    dark = np.array([p for p in grid if max(sample_base_color(pieces[card].surfaces[0], p)[:3]) < 0.15])
    assert 20 < len(dark) < 400

    def distance(mark: str) -> float:
        return float(np.sqrt(((dark - box[mark].mean(axis=0))[:, :2] ** 2).sum(axis=1)).min())

    assert distance(f"{card} - Correct") < 0.17
    assert all(distance(f"{card} - {mark}") > 0.2 for mark in wrong)


def test_offsets_of_the_transform_sample(data_dir: Path) -> None:
    """The three upper cards of the sample show their tick images: green, blue and cyan."""
    pieces = read_pieces(data_dir / "raw_glb" / "source" / "texture_transform_test" / "TextureTransformTest.gltf")
    found = []
    for name in ("Offset U", "Offset V", "Offset UV"):
        low = prepare_piece(pieces[name]).box[0] + [0.1, 0.1, 0.0]
        color = sample_base_color(pieces[name].surfaces[0], tuple(low.tolist()))
        found.append(["low" if c < 0.1 else "high" for c in color[:3]])
    assert found == [["low", "high", "low"], ["low", "low", "high"], ["low", "high", "high"]]
