"""A file under one more transform: what our reader sees is moved, nothing else changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_samples import CUBE_POINTS, POSED, Sample, read_glb_json, textured_cube

from engine.geometry.similarity import as_matrix, transform_points
from engine.gltf.document import read_document
from engine.gltf.moved import move_glb
from engine.gltf.parts import list_part_nodes, read_part
from schemas.base import Matrix4
from schemas.errors import EngineError, GeometryError, GltfError

PLACE: Matrix4 = (0.0, 0.0, 1.5, 3.0, 0.0, 1.5, 0.0, -2.0, -1.5, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 1.0)
"""A quarter turn about Y, scale 1.5, a shift."""


def assert_moved(before: bytes, after: bytes, tolerance: float = 1e-12) -> None:
    """Every surface lies where the matrix carries it, with the same faces, coordinates, colours and look."""
    one, other = (read_part(read_document(Path("a.glb"), data=data), None) for data in (before, after))
    assert len(one.surfaces) == len(other.surfaces)
    for was, now in zip(one.surfaces, other.surfaces, strict=True):
        expected = transform_points(as_matrix(PLACE), was.positions)
        bad = ~np.isfinite(expected)
        extent = max(float(np.abs(expected[~bad]).max(initial=0.0)), 1.0)
        np.testing.assert_allclose(now.positions[~bad], expected[~bad], rtol=0.0, atol=tolerance * extent)
        assert now.faces.tobytes() == was.faces.tobytes()
        assert now.material.digest == was.material.digest
        assert [uv.tobytes() for uv in now.uvs] == [uv.tobytes() for uv in was.uvs]
        assert (now.normals is None) == (was.normals is None)
        if now.normals is not None and was.normals is not None:
            turn = as_matrix(PLACE)[:3, :3] / 1.5
            np.testing.assert_allclose(now.normals, was.normals @ turn.T, atol=1e-6)


def test_one_more_node_and_nothing_else() -> None:
    """The JSON differs by one root that carries the matrix, column by column; the binary chunk is the same."""
    data = textured_cube().glb()
    result = move_glb(data, PLACE)
    before, binary = read_glb_json(data)
    after, moved_binary = read_glb_json(result)
    assert moved_binary == binary
    column_major = [PLACE[4 * row + column] for column in range(4) for row in range(4)]
    assert after["nodes"] == [*before["nodes"], {"children": before["scenes"][0]["nodes"], "matrix": column_major}]
    assert after["scenes"] == [{**before["scenes"][0], "nodes": [len(before["nodes"])]}]
    assert {**after, "nodes": 0, "scenes": 0} == {**before, "nodes": 0, "scenes": 0}
    assert_moved(data, result)


def test_awkward_files(cases_dir: Path) -> None:
    """Nested, mirrored, sheared, skinned, sparse, quantised, two-scene and scene-less files move as one."""
    count = 0
    for file in sorted(cases_dir.glob("[GMN][0-9]*/**/*.glb")):
        data = file.read_bytes()
        try:
            document = read_document(file, data=data)
            read_part(document, None)
        except EngineError:
            continue
        if document.files or file.parent.name.startswith("G16"):  # numbers near the end of single precision
            continue
        result = move_glb(data, PLACE)
        assert_moved(data, result, 1e-6)
        names = [part.name for part in list_part_nodes(read_document(file, data=result))]
        assert names == [part.name for part in list_part_nodes(document)], file.parent.name
        count += 1
    assert count >= 25


def _skinned(*, joint_in_scene: bool) -> Sample:
    """A cube that follows one joint, which hangs beside it or from no scene."""
    sample = Sample()
    joint = sample.node(translation=[0.0, 2.0, 0.0], name="joint")
    attributes = {
        "JOINTS_0": sample.accessor(np.zeros((8, 4), "<u2")),
        "WEIGHTS_0": sample.accessor(np.tile(np.array([[1, 0, 0, 0]], "<f4"), (8, 1))),
    }
    skin = sample.append("skins", {"joints": [joint]})
    body = sample.node(mesh=sample.mesh(CUBE_POINTS, attributes=attributes), skin=skin, translation=[9.0, 9.0, 9.0])
    return sample.scene(body, joint) if joint_in_scene else sample.scene(body)


@pytest.mark.parametrize("joint_in_scene", [True, False])
def test_a_skinned_mesh_moves_with_its_joints(*, joint_in_scene: bool) -> None:
    """Its own transform does not count; its joints move even where no scene lists them."""
    data = _skinned(joint_in_scene=joint_in_scene).glb()
    assert read_part(read_document(Path("a.glb"), data=data), None).surfaces[0].positions[:, 1].min() == 2.0
    assert_moved(data, move_glb(data, PLACE), 1e-6)


def test_other_scenes_keep_what_they_show() -> None:
    """Roots that two scenes share are moved one by one; a root of the other scene alone stays."""
    sample = Sample()
    mesh = sample.mesh()
    first, second, third = (sample.node(mesh=mesh, name=name) for name in ("a", "b", "c"))
    sample.json["scenes"] = [{"nodes": [second, third]}, {"nodes": [first, second]}]
    sample.json["scene"] = 1
    data = sample.glb()
    result = move_glb(data, PLACE)
    after, _ = read_glb_json(result)
    assert after["scenes"] == [{"nodes": [4, 2]}, {"nodes": [3, 4]}]
    assert [after["nodes"][node]["children"] for node in (3, 4)] == [[0], [1]]
    assert_moved(data, result)


def test_a_file_without_a_scene_and_an_empty_scene() -> None:
    """All roots move when there is no scene; with nothing to move the file says the same."""
    sample = Sample()
    sample.node(mesh=sample.mesh(), name="alone", translation=[1.0, 2.0, 3.0], scale=[1.0, 1.0, -2.0])
    data = sample.glb()
    assert_moved(data, move_glb(data, PLACE))
    empty = Sample()
    empty.json["scenes"] = [{}]
    assert read_glb_json(move_glb(empty.glb(), PLACE))[0] == read_glb_json(empty.glb())[0]


def test_moves_are_composed() -> None:
    """Moving twice is moving by the product."""
    data = textured_cube().glb()
    twice = read_part(read_document(Path("a.glb"), data=move_glb(move_glb(data, PLACE), POSED)), None)
    once = read_part(read_document(Path("a.glb"), data=data), None)
    expected = transform_points(as_matrix(POSED) @ as_matrix(PLACE), once.surfaces[0].positions)
    np.testing.assert_allclose(twice.surfaces[0].positions, expected, atol=1e-12)


def test_refusals() -> None:
    """A sheared matrix, bytes that are no glTF and a file that needs another one are refused by name."""
    with pytest.raises(GeometryError, match="sheared"):
        move_glb(textured_cube().glb(), (*PLACE[:5], 2.0, *PLACE[6:]))
    with pytest.raises(GltfError, match="magic"):
        move_glb(b"nonsense", PLACE)
    sample = textured_cube()
    sample.json["images"][0] = {"uri": "missing.png"}
    with pytest.raises(GltfError, match=r"missing\.png not found"):
        move_glb(sample.glb(), PLACE)
