"""A retextured piece in a composed state, read back by another reader."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import trimesh
from texture_pieces import triangle_multiset

from engine.gltf.compose import compose_state
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.gltf.pieces import ComposedPiece, PieceSource, TextureOverride
from engine.gltf.unwrap_asset import UvAsset
from engine.surfaces import FloatArray
from engine.texture.bake import BakeTexturer
from engine.texture.materials import MATERIALS, color_distance, measure_surface_color
from schemas.base import IDENTITY_POSE


def _override(path: Path, material: str) -> tuple[PieceSource, TextureOverride]:
    source = PieceSource(read_document(path))
    asset = BakeTexturer().texture(read_part(source.document, None).surfaces, material, 5, 3.4)
    # The asset goes through its bytes, as it does between a build and a replay.
    uv = None if asset.uv is None else UvAsset.decode(asset.uv.encode())
    return source, TextureOverride(
        asset.image_png, uv, asset.base_color_factor, asset.metallic, asset.roughness, asset.double_sided
    )


def _read_triangles(data: bytes) -> FloatArray:
    scene = trimesh.load(io.BytesIO(data), file_type="glb", process=False, force="scene")
    rows = []
    for node in scene.graph.nodes_geometry:
        matrix, geometry = scene.graph[node]
        mesh = scene.geometry[geometry]
        if isinstance(mesh, trimesh.Trimesh):
            rows.append(trimesh.transform_points(mesh.vertices, matrix)[mesh.faces])
    triangles = np.concatenate(rows)
    return triangle_multiset(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))


def _check_same_triangles(path: Path, material: str) -> None:
    source, override = _override(path, material)
    plain = compose_state([ComposedPiece("a", IDENTITY_POSE, (source,))])
    baked = compose_state([ComposedPiece("a", IDENTITY_POSE, (source,), override)])
    assert plain != baked
    assert np.array_equal(_read_triangles(plain), _read_triangles(baked))
    new = read_part(read_document(path, data=baked), None)
    assert all(s.material.base_color is not None for s in new.surfaces)
    color = measure_surface_color(new.surfaces)
    assert color is not None
    assert color_distance(color, MATERIALS[material].mean_color) < 0.35


def test_retextured_parts_have_the_same_triangles(data_dir: Path) -> None:
    """Composed with and without the new look, real parts have equal triangle multisets, and the new colour shows."""
    paths = sorted(data_dir.glob("partverse_dev/textured_part_glbs/*/*.glb"))[::30]
    names = list(MATERIALS)
    for n, path in enumerate(paths):
        _check_same_triangles(path, names[(7 * n) % len(names)])


@pytest.mark.parametrize(
    "name",
    [
        "degenerate_duplicate_flipped_faces_table",
        "far_from_origin_stool",
        "huge_scale_stool",
        "tiny_scale_stool",
        "mirrored_sword_shield",
        "no_uv_no_material_keyring",
        "ubyte_colour_two_uv_no_normals",
    ],
)
def test_awkward_files_have_the_same_triangles(data_dir: Path, name: str) -> None:
    """Degenerate faces, mirrored nodes, other units and missing coordinates change nothing of that."""
    path = data_dir / "raw_glb" / "derived" / f"{name}.glb"
    if not path.is_file():
        pytest.skip(f"{path.name} is absent")
    _check_same_triangles(path, "red_polka_dots")
