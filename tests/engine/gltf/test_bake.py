"""Baked states hold world-space vertices and no transforms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from gltf_samples import CUBE_POINTS, POSED, Sample, read_glb_json, signed_volume, textured_cube

from engine.gltf.compose import ComposedPiece, PieceSource, bake_state, compose_state
from engine.gltf.document import Document, read_document
from engine.gltf.parts import read_part
from engine.gltf.placed import read_piece
from schemas.errors import EngineError


def read(sample: Sample) -> Document:
    """Read a sample from memory."""
    return read_document(Path("memory.glb"), data=sample.glb())


@pytest.mark.parametrize("mode", [4, 5, 6])
def test_mirrored_lists_strips_and_fans_keep_their_outside(mode: int) -> None:
    """A mirrored node's triangles are turned in whatever mode they come; the solid stays positive."""
    sample = Sample()
    faces = None if mode != 4 else np.arange(36, dtype="<u2").reshape(-1, 3)
    points = textured_points() if mode == 4 else CUBE_POINTS
    document = read(sample.scene(sample.node(mesh=sample.mesh(points, faces, mode=mode), scale=[-1, 1, 1])))
    piece = ComposedPiece("a", POSED, (PieceSource(document),))
    baked = read_part(read_document(Path("s.glb"), data=bake_state([piece])), None).surfaces[0]
    expected = read_piece(piece).surfaces[0]
    assert baked.faces.tolist() == expected.faces.tolist()
    assert baked.positions.astype("f4").tobytes() == expected.positions.astype("f4").tobytes()
    if mode == 4:
        assert signed_volume(baked.positions, baked.faces) == pytest.approx(8.0)


def textured_points() -> np.ndarray:
    """36 corners of the unit cube, face by face."""
    surface = read_part(read(textured_cube()), None).surfaces[0]
    return surface.positions[surface.faces].reshape(-1, 3).astype("<f4")


def test_no_transform_is_left_and_a_plain_reader_agrees(tmp_path: Path) -> None:
    """No node has a transform; a reader that ignores nodes finds the world positions; normals and tangents are unit."""
    sample = textured_cube(scale=[2, 1, 1], translation=[1, 0, 0])
    tangents = np.tile(np.array([[1, 0, 0, -1]], "<f4"), (8, 1))
    sample.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] = sample.accessor(tangents)
    piece = ComposedPiece("a", POSED, (PieceSource(read(sample)),))
    data = bake_state([piece])
    state_json, _ = read_glb_json(data)
    assert not any({"matrix", "translation", "rotation", "scale"} & set(node) for node in state_json["nodes"])
    path = tmp_path / "state.glb"
    path.write_bytes(data)
    mesh = next(iter(trimesh.load_scene(path, process=False).geometry.values()))
    expected = np.c_[CUBE_POINTS * [2, 1, 1] + [1, 0, 0], np.ones(8)] @ np.array(POSED).reshape(4, 4).T
    assert np.allclose(mesh.vertices, expected[:, :3])
    assert np.allclose(mesh.vertex_normals, [0, 0, 1])
    accessor = state_json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"]
    view = state_json["bufferViews"][state_json["accessors"][accessor]["bufferView"]]
    _, binary = read_glb_json(data)
    stored = np.frombuffer(binary, "<f4", 32, view.get("byteOffset", 0)).reshape(8, 4)
    assert np.allclose(stored, [0, 1, 0, -1], atol=1e-7)


def test_real_files_bake_to_where_they_compose(data_dir: Path) -> None:
    """Every raw file that loads bakes to the float32 rounding of its composed positions."""
    seen = 0
    for file in sorted((data_dir / "raw_glb").rglob("*.gl[bt]*")):
        try:
            document = read_document(file)
        except EngineError:
            continue
        seen += 1
        piece = ComposedPiece("a", POSED, (PieceSource(document),))
        baked = read_part(read_document(Path("s.glb"), data=bake_state([piece])), None)
        composed = read_part(read_document(Path("s.glb"), data=compose_state([piece])), None)
        for one, other in zip(baked.surfaces, composed.surfaces, strict=True):
            span = float(np.abs(other.positions).max())
            assert np.allclose(one.positions, other.positions, rtol=0, atol=2e-7 * span)
            assert one.faces.tobytes() == other.faces.tobytes()
            assert [uv.tobytes() for uv in one.uvs] == [uv.tobytes() for uv in other.uvs]
    assert seen >= 20
