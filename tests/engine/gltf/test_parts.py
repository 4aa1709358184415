"""Which nodes are parts, what they are called, and where their vertices stand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import trimesh
from gltf_samples import CUBE_FACES, CUBE_POINTS, Sample, moved, png, signed_volume, textured_cube
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from engine.gltf.document import Document, read_document
from engine.gltf.parts import list_part_nodes, read_part
from engine.gltf.scene import scan_scene
from schemas.base import Identifier
from schemas.errors import GltfError, PartNotFoundError

IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)


def read(sample: Sample) -> Document:
    """Read a sample from memory."""
    return read_document(Path("memory.glb"), data=sample.glb())


def test_parts_are_mesh_nodes_of_the_default_scene_depth_first() -> None:
    """Shared meshes are parts of their own, orphans and other scenes are not, order is that of the file."""
    sample = Sample()
    mesh = sample.mesh()
    child, parent, orphan = (sample.node(mesh=mesh, name=name) for name in ("child", "parent", "orphan"))
    sample.json["nodes"][parent]["children"] = [child]
    group = sample.node(children=[sample.node(mesh=mesh, name="first"), parent])
    sample.json["scenes"] = [{"nodes": [orphan]}, {"nodes": [group]}]
    sample.json["scene"] = 1
    assert [part.id for part in list_part_nodes(read(sample))] == ["first", "parent", "child"]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=300), min_size=1, max_size=6))
def test_ids_are_unique_valid_and_stable_for_any_names(names: list[str]) -> None:
    """Any names give distinct identifiers that are file names too; the names come back unchanged."""
    sample = Sample()
    mesh = sample.mesh()
    sample.scene(*[sample.node(mesh=mesh, name=name) for name in names])
    parts = list_part_nodes(read(sample))
    assert [part.name for part in parts] == names
    ids = [part.id for part in parts]
    assert len(set(ids)) == len(ids)
    for text in ids:
        assert IDENTIFIER.validate_python(text) == text
        assert "/" not in text
        assert len(text.encode()) < 140
    assert ids == [part.id for part in list_part_nodes(read(sample))]


def test_ids_of_duplicate_and_missing_names() -> None:
    """The second of a name gets #2; a node without a name is called by its index."""
    sample = Sample()
    mesh = sample.mesh()
    sample.scene(*[sample.node(mesh=mesh, **({"name": name} if name else {})) for name in ("leg", "leg", "", "leg#2")])
    assert [part.id for part in list_part_nodes(read(sample))] == ["leg", "leg#2", "node2", "leg_2"]
    with pytest.raises(PartNotFoundError, match=r"no part 'arm'.*leg"):
        read_part(read(sample), "arm")


@st.composite
def transforms(draw: st.DrawFn) -> dict[str, list[float]]:
    """A node's transform as TRS or as a matrix."""
    number = st.floats(-4, 4, width=32)
    scale = st.sampled_from([-2.0, -0.5, 0.25, 1.0, 3.0])
    if draw(st.booleans()):
        rows = draw(st.lists(number, min_size=12, max_size=12))
        return {"matrix": [v for c in range(4) for v in (*rows[3 * c : 3 * c + 3], 1.0 if c == 3 else 0.0)]}
    axis = np.array(draw(st.tuples(number, number, number)))
    length = math.sqrt(float((axis * axis).sum())) or 1.0
    half = draw(st.floats(0, 3)) / 2
    quaternion = [*(axis / length * math.sin(half)).tolist(), math.cos(half)]
    unit = np.array(quaternion) / math.sqrt(sum(v * v for v in quaternion))
    return {
        "translation": list(draw(st.tuples(number, number, number))),
        "rotation": unit.tolist(),
        "scale": list(draw(st.tuples(scale, scale, scale))),
    }


def _oracle_matrix(fields: dict[str, list[float]]) -> np.ndarray:
    if "matrix" in fields:
        return np.array(fields["matrix"]).reshape(4, 4).T
    x, y, z, w = fields["rotation"]
    turn = trimesh.transformations.quaternion_matrix([w, x, y, z])
    move = trimesh.transformations.translation_matrix(fields["translation"])
    return move @ turn @ np.diag([*fields["scale"], 1.0])


@settings(max_examples=60, deadline=None)
@given(st.lists(transforms(), min_size=1, max_size=5))
def test_world_positions_are_those_of_the_whole_chain(chain: list[dict[str, list[float]]]) -> None:
    """Nested TRS and matrices, sheared and mirrored, agree with an independent product of matrices."""
    sample = Sample()
    node = sample.node(name="leaf", mesh=sample.mesh(), **chain[-1])
    for fields in reversed(chain[:-1]):
        node = sample.node(children=[node], **fields)
    surface = read_part(read(sample.scene(node)), "leaf").surfaces[0]
    world = np.eye(4)
    for fields in chain:
        world = world @ _oracle_matrix(fields)
    expected = np.c_[CUBE_POINTS, np.ones(8)] @ world.T
    scale = 1.0 + np.abs(world).max()
    assert np.allclose(surface.positions, expected[:, :3], rtol=0, atol=1e-9 * scale)
    determinant = np.linalg.det(world[:3, :3])
    if abs(determinant) > 1e-6:
        assert signed_volume(surface.positions, surface.faces) == pytest.approx(abs(determinant), rel=1e-6)


def test_normals_go_by_the_inverse_transpose() -> None:
    """Under an uneven scale the normal of a slanted plane stays perpendicular to it."""
    sample = Sample()
    points = np.array([[0, 0, 0], [1, 0, 1], [0, 1, 0]], "<f4")
    normal = np.tile(np.array([[-1, 0, 1]], "<f4") / np.float32(math.sqrt(2)), (3, 1))
    mesh = sample.mesh(points, None, attributes={"NORMAL": sample.accessor(normal)})
    for scale, expected in (([3, 1, 1], [-1, 0, 3]), ([-3, 1, 1], [1, 0, 3])):
        sample.json["nodes"] = [{"mesh": mesh, "name": "slope", "scale": scale}]
        surface = read_part(read(sample.scene(0)), "slope").surfaces[0]
        assert surface.normals is not None
        assert np.allclose(surface.normals, np.array(expected) / math.sqrt(10))
        edges = surface.positions[1:] - surface.positions[0]
        assert np.allclose(edges @ surface.normals[0], 0)
        corners = surface.positions[surface.faces[0]]
        facing = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        assert facing @ surface.normals[0] > 0


def test_skin_stands_as_its_joints_give_it() -> None:
    """Joint transform times inverse bind matrix, weighted; the mesh node's own transform is ignored."""
    sample = Sample()
    weights = np.zeros((8, 4), "<f4")
    weights[:, 0] = CUBE_POINTS[:, 0]
    weights[:, 1] = 1 - CUBE_POINTS[:, 0]
    joints = np.tile(np.array([[0, 1, 0, 0]], "|u1"), (8, 1))
    attributes = {"JOINTS_0": sample.accessor(joints), "WEIGHTS_0": sample.accessor(weights)}
    shift = np.eye(4)
    shift[3, 1] = -1.0
    bind = sample.accessor(np.stack([shift, np.eye(4)]).reshape(2, 16).astype("<f4"))
    mesh = sample.mesh(attributes=attributes)
    lifted, still = sample.node(translation=[0, 5, 0]), sample.node(translation=[7, 0, 0])
    sample.append("skins", {"joints": [lifted, still], "inverseBindMatrices": bind})
    node = sample.node(name="skinned", mesh=mesh, skin=0, translation=[100, 100, 100])
    surface = read_part(read(sample.scene(lifted, still, node)), None).surfaces[0]
    expected = np.where(CUBE_POINTS[:, :1] == 1, moved(0, 4, 0), moved(7, 0, 0))
    assert (surface.positions == expected).all()
    sample.json["skins"][0]["joints"] = [lifted]
    with pytest.raises(GltfError, match="joint 1 is out of range"):
        read_part(read(sample), None)


def test_morph_targets_stand_at_their_default_weights() -> None:
    """The node's weights win over the mesh's; zero weights leave the stored positions."""
    sample = Sample()
    up = np.tile(np.array([[0, 2, 0]], "<f4"), (8, 1))
    mesh = sample.mesh(targets=[{"POSITION": sample.accessor(up)}])
    node = sample.node(name="blob", mesh=mesh, translation=[1, 0, 0])
    sample.scene(node)
    for holder, weight, lift in ((None, 0.0, 0.0), ("meshes", 0.5, 1.0), ("nodes", 0.25, 0.5)):
        if holder:
            sample.json[holder][0]["weights"] = [weight]
        surface = read_part(read(sample), "blob").surfaces[0]
        assert (surface.positions == moved(1, lift, 0)).all()


def test_points_and_lines_are_ignored_by_name() -> None:
    """A node without triangles is no part and is reported; a mesh's own lines are left out with a warning."""
    sample = Sample()
    sample.scene(sample.node(name="dots", mesh=sample.mesh(mode=0)), sample.node(name="both", mesh=sample.mesh()))
    sample.json["meshes"][1]["primitives"].append({"attributes": {"POSITION": 0}, "mode": 1})
    document = read(sample)
    assert scan_scene(document).ignored == (("dots", "has points or lines only"),)
    model = read_part(document, "both")
    assert len(model.surfaces) == 1
    assert any("1 primitives are no triangles" in warning for warning in model.warnings)


def test_attributes_and_material_of_a_surface() -> None:
    """UVs, colours, texture, transform and flags arrive as stored; arrays are read-only."""
    sample = textured_cube()
    info = sample.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
    info["extensions"] = {
        "KHR_texture_transform": {"offset": [0.5, 0.25], "scale": [2, 3], "rotation": 1.5, "texCoord": 1}
    }
    surface = read_part(read(sample), "cube").surfaces[0]
    assert (surface.uvs[0] == CUBE_POINTS[:, :2]).all()
    assert surface.colors is not None
    assert surface.colors.tolist() == [[np.float32(128 / 255)] * 4] * 8
    slot = surface.material.base_color
    assert slot is not None
    assert (slot.offset, slot.scale, slot.rotation, slot.uv_set) == ((0.5, 0.25), (2.0, 3.0), 1.5, 1)
    assert (slot.wrap_s, slot.wrap_t, slot.image.data) == (33071, 10497, png())
    assert (surface.material.double_sided, surface.material.metallic, surface.material.roughness) == (True, 0.0, 1.0)
    assert not surface.positions.flags.writeable
    assert not surface.faces.flags.writeable


def test_specular_glossiness_is_shown_and_warned_about() -> None:
    """The diffuse colour becomes the base colour, never a silent white."""
    sample = textured_cube()
    diffuse = {"diffuseFactor": [0.9, 0.1, 0.1, 1.0], "glossinessFactor": 0.25}
    sample.json["materials"] = [{"extensions": {"KHR_materials_pbrSpecularGlossiness": diffuse}}]
    sample.json["extensionsRequired"] = ["KHR_materials_pbrSpecularGlossiness"]
    model = read_part(read(sample), None)
    material = model.surfaces[0].material
    assert (material.base_color_factor, material.metallic, material.roughness) == ((0.9, 0.1, 0.1, 1.0), 0.0, 0.75)
    assert any("KHR_materials_pbrSpecularGlossiness" in warning for warning in model.warnings)


def test_optional_ktx2_falls_back_with_a_warning() -> None:
    """A texture with a KTX2 source and a plain one uses the plain one; without a fallback the file is refused."""
    sample = textured_cube()
    sample.json["textures"][0]["extensions"] = {"KHR_texture_basisu": {"source": 0}}
    sample.json["extensionsUsed"] = ["KHR_texture_basisu"]
    model = read_part(read(sample), None)
    assert model.surfaces[0].material.base_color is not None
    assert any("KHR_texture_basisu" in warning for warning in model.warnings)
    del sample.json["textures"][0]["source"]
    with pytest.raises(GltfError, match="KHR_texture_basisu has no fallback"):
        read(sample)


def test_faces_of_a_mirrored_node_are_turned() -> None:
    """A mirror keeps the solid's volume positive."""
    sample = textured_cube(scale=[-1, 1, 1])
    surface = read_part(read(sample), "cube").surfaces[0]
    assert signed_volume(surface.positions, surface.faces) == pytest.approx(1.0)
    assert sorted(map(sorted, surface.faces.tolist())) == sorted(map(sorted, CUBE_FACES.tolist()))
