"""Composition passes bytes through, places by nodes, and is a function of the pieces alone."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh
from gltf_samples import CUBE_POINTS, POSED, REST, Sample, moved, png, read_glb_json, textured_cube

from engine.gltf.compose import ComposedPiece, PieceSource, compose_state
from engine.gltf.document import Document, read_document
from engine.gltf.parts import list_part_nodes, read_part
from engine.surfaces import PartModel
from schemas.errors import EngineError, GltfError, InputError

STATE = Path("state.glb")


def read(sample: Sample) -> Document:
    """Read a sample from memory."""
    return read_document(Path("memory.glb"), data=sample.glb())


def piece(slot: str, document: Document, *nodes: str | None, pose: tuple[float, ...] = REST) -> ComposedPiece:
    """A piece of one document's parts; the whole scene when none are named."""
    return ComposedPiece(slot, pose, tuple(PieceSource(document, node) for node in nodes or (None,)))


def reread(state: bytes) -> Document:
    """Read a state."""
    return read_document(STATE, data=state)


def assert_same(first: PartModel, second: PartModel) -> None:
    """Two parts hold the same values, bit for bit."""
    assert len(first.surfaces) == len(second.surfaces)
    for one, other in zip(first.surfaces, second.surfaces, strict=True):
        assert one.positions.tobytes() == other.positions.tobytes()
        assert one.faces.tobytes() == other.faces.tobytes()
        assert one.material.digest == other.material.digest
        assert (one.normals is None) == (other.normals is None)
        if one.normals is not None and other.normals is not None:
            assert one.normals.tobytes() == other.normals.tobytes()
        assert [uv.tobytes() for uv in one.uvs] == [uv.tobytes() for uv in other.uvs]
        assert (one.colors is None) == (other.colors is None)
        if one.colors is not None and other.colors is not None:
            assert one.colors.tobytes() == other.colors.tobytes()


def test_every_view_goes_in_untouched() -> None:
    """The bytes of every buffer view, image included, lie in the state once, aligned to four."""
    sample = textured_cube()
    document = read(sample)
    state_json, binary = read_glb_json(compose_state([piece("a", document), piece("b", document, pose=POSED)]))
    views = [binary[v.get("byteOffset", 0) :][: v["byteLength"]] for v in state_json["bufferViews"]]
    assert all(view.get("byteOffset", 0) % 4 == 0 for view in state_json["bufferViews"])
    source = [bytes(document.view(index)) for index in range(len(sample.json["bufferViews"]))]
    assert sorted(views) == sorted(set(source))
    assert png() in views
    assert len(state_json["meshes"]) == len(state_json["materials"]) == len(state_json["images"]) == 1


def test_views_that_differ_only_inside_stay_apart() -> None:
    """Views of equal length and equal ends are one view only if every byte is equal."""
    samples = []
    for middle in (1.0, 2.0, 3.0, 2.0, 1.0):
        points = np.zeros((48, 3), "<f4")
        points[24] = middle
        sample = Sample()
        samples.append(sample.scene(sample.node(mesh=sample.mesh(points, None), name="blob")))
    state = compose_state([piece(f"s{number}", read(sample)) for number, sample in enumerate(samples)])
    state_json, _ = read_glb_json(state)
    assert len(state_json["bufferViews"]) == 3
    found = [surface.positions.max() for surface in read_part(reread(state), None).surfaces]
    assert found == [1.0, 2.0, 3.0, 2.0, 1.0]


def test_slots_carry_their_pose_column_by_column() -> None:
    """Slot nodes are sorted, the pose is a column-major matrix, the identity is left out."""
    document = read(textured_cube())
    state_json, _ = read_glb_json(compose_state([piece("b", document, pose=POSED), piece("a", document)]))
    slots = [state_json["nodes"][index] for index in state_json["scenes"][0]["nodes"]]
    assert [slot["name"] for slot in slots] == ["slot_a", "slot_b"]
    assert "matrix" not in slots[0]
    assert slots[1]["matrix"] == np.array(POSED).reshape(4, 4).T.reshape(-1).tolist()


def test_an_independent_reader_finds_the_pieces_where_they_belong(tmp_path: Path) -> None:
    """An independent library places the posed cube where the pose says, with its texture."""
    path = tmp_path / "state.glb"
    path.write_bytes(compose_state([piece("a", read(textured_cube(translation=[1, 2, 3])), pose=POSED)]))
    mesh = trimesh.load_scene(path, process=False).dump()[0]
    expected = np.c_[moved(1, 2, 3), np.ones(8)] @ np.array(POSED).reshape(4, 4).T
    assert np.allclose(mesh.vertices, expected[:, :3])
    assert mesh.visual.material.baseColorTexture.size == (4, 4)


def test_order_of_pieces_does_not_matter_and_slots_are_unique() -> None:
    """The state is a function of the set of pieces; a slot given twice is refused."""
    first, second = read(textured_cube()), read(textured_cube("other", translation=[3, 0, 0]))
    pieces = [piece("a", first), piece("b", second), piece("c", first, pose=POSED)]
    assert compose_state(pieces) == compose_state(pieces[::-1])
    with pytest.raises(InputError, match="slot 'a' is given twice"):
        compose_state([pieces[0], pieces[0]])


def test_empty_state_is_a_scene_without_nodes() -> None:
    """A state without pieces is a valid file with nothing in it."""
    document = reread(compose_state([]))
    assert list_part_nodes(document) == ()
    assert read_part(document, None).surfaces == ()


def test_part_keeps_its_ancestors_and_drops_other_parts() -> None:
    """A sheared chain survives as authored; siblings and mesh children that are other parts stay out."""
    sample = Sample()
    mesh = sample.mesh()
    child, sibling = sample.node(mesh=mesh, name="child"), sample.node(mesh=mesh, name="sibling")
    turn = [0.0, 0.0, 0.3826834323650898, 0.9238795325112867]
    parent = sample.node(mesh=mesh, name="parent", rotation=turn, children=[child])
    document = read(sample.scene(sample.node(scale=[3, 1, 1], children=[parent, sibling], name="root")))
    for name in ("parent", "child", "sibling"):
        state = reread(compose_state([piece("a", document, name)]))
        assert [part.name for part in list_part_nodes(state)] == [name]
        assert_same(read_part(document, name), read_part(state, None))
    state_json, _ = read_glb_json(compose_state([piece("a", document, "child")]))
    assert [node.get("name") for node in state_json["nodes"]] == ["slot_a", "root", "parent", "child"]
    assert state_json["nodes"][2]["rotation"] == turn


def test_retained_extensions_are_declared() -> None:
    """Used extensions are listed, required ones stay required, unknown material extensions are left out by name."""
    sample = textured_cube()
    clearcoat = {"clearcoatFactor": 1, "clearcoatTexture": {"index": 0}}
    sample.json["materials"][0]["extensions"] = {"KHR_materials_clearcoat": clearcoat, "ACME_paint": {"index": 3}}
    info = sample.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
    info["extensions"] = {"KHR_texture_transform": {"scale": [2, 2]}}
    sample.json["extensionsUsed"] = ["KHR_materials_clearcoat", "KHR_texture_transform", "ACME_paint"]
    sample.json["extensionsRequired"] = ["KHR_texture_transform"]
    document = read(sample)
    state_json, _ = read_glb_json(compose_state([piece("a", document)]))
    assert state_json["extensionsUsed"] == ["KHR_materials_clearcoat", "KHR_texture_transform"]
    assert state_json["extensionsRequired"] == ["KHR_texture_transform"]
    assert state_json["materials"][0]["extensions"] == {"KHR_materials_clearcoat": clearcoat}
    assert any("ACME_paint" in warning for warning in read_part(document, None).warnings)


def test_skinned_and_morphed_parts_become_static() -> None:
    """New positions are what the joints and weights give; joints, weights, targets and skins are gone."""
    sample = Sample()
    weights = np.tile(np.array([[1, 0, 0, 0]], "<f4"), (8, 1))
    joints = {"JOINTS_0": sample.accessor(np.zeros((8, 4), "|u1")), "WEIGHTS_0": sample.accessor(weights)}
    mesh = sample.mesh(attributes=joints)
    morph = sample.mesh(targets=[{"POSITION": sample.accessor(CUBE_POINTS)}])
    sample.json["meshes"][morph]["weights"] = [0.5]
    joint = sample.node(translation=[0, 5, 0])
    sample.append("skins", {"joints": [joint]})
    nodes = [
        sample.node(mesh=mesh, skin=0, name="skinned", translation=[100, 0, 0]),
        sample.node(mesh=morph, name="blob"),
    ]
    document = read(sample.scene(joint, *nodes))
    state = compose_state([piece("a", document)])
    state_json, _ = read_glb_json(state)
    assert "skins" not in state_json
    primitives = [primitive for mesh in state_json["meshes"] for primitive in mesh["primitives"]]
    assert all(set(primitive["attributes"]) == {"POSITION"} and "targets" not in primitive for primitive in primitives)
    found = {
        part.name: read_part(reread(state), part.id).surfaces[0].positions for part in list_part_nodes(reread(state))
    }
    assert (found["skinned"] == moved(0, 5, 0)).all()
    assert (found["blob"] == CUBE_POINTS * 1.5).all()


def test_bytes_do_not_depend_on_the_process() -> None:
    """Other hash seeds and thread counts in fresh processes give the same file."""
    code = (
        "import hashlib;from test_compose import *;d=read(textured_cube());"
        "print(hashlib.sha256(compose_state([piece('a', d), piece('b', d, 'cube', pose=POSED)])).hexdigest())"
    )
    found = set()
    for seed, threads in (("0", "1"), ("17", "2")):
        environment = {
            **os.environ,  # noqa: TID251  # the child needs the rest of it
            "PYTHONHASHSEED": seed,
            "OMP_NUM_THREADS": threads,
        }
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, env=environment, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
        found.add(done.stdout.strip())
    document = read(textured_cube())
    state = compose_state([piece("a", document), piece("b", document, "cube", pose=POSED)])
    assert found == {hashlib.sha256(state).hexdigest()}


def _sound_files(folder: Path) -> list[Path]:
    return sorted(file for ending in ("*.glb", "*.gltf") for file in folder.rglob(ending))


def test_awkward_files_survive_composition_bit_for_bit(data_dir: Path, cases_dir: Path) -> None:
    """Every raw file and case that loads is composed whole and part by part, and reads back with the same values."""
    seen = 0
    files = [
        *_sound_files(data_dir / "raw_glb"),
        *(f for g in "LGNM" for d in sorted(cases_dir.glob(f"{g}*")) for f in _sound_files(d)),
    ]
    for file in files:
        try:
            document = read_document(file)
            whole = read_part(document, None)
        except EngineError as error:
            assert isinstance(error, GltfError)  # noqa: PT017  # what is refused is none of this test's business
            continue
        seen += 1
        assert_same(whole, read_part(reread(compose_state([piece("a", document)])), None))
        parts = list_part_nodes(document)[:20]
        state = reread(compose_state([piece(f"s{index:03}", document, part.id) for index, part in enumerate(parts)]))
        for part, again in zip(parts, list_part_nodes(state), strict=True):
            assert_same(read_part(document, part.id), read_part(state, again.id))
    assert seen >= 60


def test_real_hosts_survive_composition_bit_for_bit(data_dir: Path) -> None:
    """All parts of every real host, composed into one state, read back with the same positions and materials."""
    hosts = sorted((data_dir / "partverse_dev" / "textured_part_glbs").iterdir())
    assert len(hosts) >= 60
    for host in hosts:
        documents = [read_document(file) for file in sorted(host.glob("*.glb"))]
        state = reread(compose_state([piece(f"s{index:03}", document) for index, document in enumerate(documents)]))
        again = iter(read_part(state, None).surfaces)
        for document in documents:
            surfaces = read_part(document, None).surfaces
            assert_same(PartModel(surfaces), PartModel(tuple(next(again) for _ in surfaces)))
        assert next(again, None) is None
