"""Reading is strict: what is not sound is refused by name, nothing crashes or leaves its folder."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from gltf_samples import CUBE_FACES, CUBE_POINTS, Sample, pack_glb, png, textured_cube
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.gltf.budget import Budget
from engine.gltf.compose import ComposedPiece, PieceSource, compose_state
from engine.gltf.document import Document, read_document
from engine.gltf.parts import list_part_nodes, read_part
from schemas.codec import canonical
from schemas.errors import EngineError, GltfError

FILE = Path("memory.glb")


def read(sample: Sample, **budget: int) -> Document:
    """Read a sample from memory."""
    return read_document(FILE, data=sample.glb(), budget=Budget(**budget))


def refuse(sample: Sample, words: str, **budget: int) -> None:
    """The sample must be refused with these words, and the file named."""
    with pytest.raises(GltfError, match=words) as caught:
        read_part(read(sample, **budget), None)
    assert str(FILE) in str(caught.value)


def write_gltf(folder: Path, buffer_uri: str, **more: Any) -> Path:
    """A .gltf with one external buffer of 12 bytes."""
    document = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": 12, "uri": buffer_uri}], **more}
    path = folder / "scene.gltf"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    "uri",
    [
        "../x.bin",
        "a/../../x.bin",
        "%2e%2e/x.bin",
        "/etc/hostname",
        "file:///etc/hostname",
        "http://h/x.bin",
        "..\\x.bin",
        "C:x.bin",
        "x.bin\x00",
        "",
    ],
)
def test_uri_must_stay_inside_the_folder(tmp_path: Path, uri: str) -> None:
    """Absolute paths, parents, schemes, backslashes and control characters are refused before anything is opened."""
    (tmp_path / "x.bin").write_bytes(bytes(12))
    folder = tmp_path / "in"
    folder.mkdir()
    with pytest.raises(GltfError, match="not allowed"):
        read_document(write_gltf(folder, uri))


def test_symlink_out_of_the_root_is_refused(tmp_path: Path) -> None:
    """A link inside the folder that leads outside is refused; with the outer folder as root it is allowed."""
    (tmp_path / "secret.bin").write_bytes(bytes(12))
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    path = write_gltf(folder, "link.bin")
    with pytest.raises(GltfError, match="outside"):
        read_document(path)
    assert read_document(path, root=tmp_path).buffers[0].nbytes == 12


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A named pipe would block for ever and is refused."""
    os.mkfifo(tmp_path / "pipe.bin")
    with pytest.raises(GltfError, match="not a regular file"):
        read_document(write_gltf(tmp_path, "pipe.bin"))
    with pytest.raises(GltfError, match="not a regular file"):
        read_document(tmp_path / "pipe.bin")


def test_hash_covers_external_files(tmp_path: Path) -> None:
    """The hash of a file with a buffer beside it is that of the canonical list, and changes with the buffer."""
    path = write_gltf(tmp_path, "a%20b.bin")
    (tmp_path / "a b.bin").write_bytes(bytes(12))
    document = read_document(path)
    entries = [["a b.bin", hashlib.sha256(bytes(12)).hexdigest()]]
    entries.append(["scene.gltf", hashlib.sha256(path.read_bytes()).hexdigest()])
    assert document.sha256 == hashlib.sha256(canonical(sorted(entries))).hexdigest()
    assert document.files == (tmp_path / "a b.bin",)
    (tmp_path / "a b.bin").write_bytes(b"\x01" * 12)
    assert read_document(path).sha256 != document.sha256


def test_self_contained_hash_is_that_of_the_bytes() -> None:
    """A GLB's hash is what sha256sum prints, and a data URI adds no file."""
    data = textured_cube().glb()
    assert read_document(FILE, data=data).sha256 == hashlib.sha256(data).hexdigest()
    uri = "data:application/octet-stream;base64," + base64.b64encode(bytes(12)).decode()
    text = json.dumps({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 12, "uri": uri}]}).encode()
    document = read_document(Path("a.gltf"), data=text)
    assert document.files == ()
    assert document.sha256 == hashlib.sha256(text).hexdigest()


def test_cycle_two_parents_and_depth_are_refused() -> None:
    """A node graph that is no tree, or deeper than the budget, is refused without recursion."""
    for children in ([[1], [0]], [[1, 2], [2], []], [[0]]):
        sample = Sample()
        for row in children:
            sample.node(children=row)
        refuse(sample, "cycle")
    deep = Sample()
    for index in range(5000):
        deep.node(children=[index + 1])
    deep.node()
    refuse(deep.scene(0), "deeper than 1000")


def test_deep_hierarchy_within_the_budget_is_read_quickly() -> None:
    """Nine hundred levels are composed and re-read exactly."""
    sample = Sample()
    mesh = sample.mesh()
    for index in range(900):
        sample.node(children=[index + 1], translation=[0.5, 0.0, 0.0])
    sample.node(mesh=mesh, name="leaf")
    document = read(sample.scene(0))
    model = read_part(document, "leaf")
    assert model.surfaces[0].positions[:, 0].min() == 450.0
    state = compose_state(
        [ComposedPiece("a", (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0), (PieceSource(document),))]
    )
    again = read_part(read_document(FILE, data=state), None)
    assert (again.surfaces[0].positions == model.surfaces[0].positions).all()


def test_budgets_are_refusals_that_say_which() -> None:
    """Triangles count shared meshes at every node; nodes, elements, JSON and bytes have limits."""
    sample = Sample()
    mesh = sample.mesh()
    sample.scene(*[sample.node(mesh=mesh) for _ in range(10)])
    refuse(sample, "120 triangles in the scene, the budget is 100", max_triangles=100)
    refuse(sample, "10 nodes, the budget is 9", max_nodes=9)
    refuse(sample, "36 elements, the budget is 30", max_elements=30)
    refuse(sample, "the budget is 50", max_json_bytes=50)
    refuse(sample, "the budget is 60", max_bytes=60)


def test_image_bomb_is_refused_by_its_header() -> None:
    """A PNG that claims 60,000 x 60,000 pixels is refused without decoding it."""
    header = struct.pack(">II5B", 60_000, 60_000, 8, 6, 0, 0, 0)
    bomb = (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + b"IHDR"
        + header
        + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    )
    sample = Sample()
    sample.append("images", {"bufferView": sample.view(bomb), "mimeType": "image/png"})
    refuse(sample, "60000 x 60000 pixels, the budget is")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'{"asset":{"version":"2.0"},"scene":NaN}', "finite"),
        (b'{"asset":{"version":"2.0"},"x":1e999}', "not finite"),
        (b'{"asset":{"version":"2.0"},"asset":{}}', "duplicate key"),
        (b"[" * 100_000, "nested deeper|not GLB"),
        (b'{"a":' * 100_000, "nested deeper"),
        (b'{"asset":{"version":"1.0"}}', "version"),
        (b'{"asset":{"version":"2.0","minVersion":"2.1"}}', "version"),
        (b'{"asset":{"version":"2.0"},"nodes":[{"name":"\\ud800"}]}', "surrogate"),
        (b'{"asset":{"version":"2.0"},"nodes":{}}', "array"),
        (b"{}", "version"),
        (b"{", "not JSON"),
    ],
)
def test_json_is_read_strictly(text: bytes, words: str) -> None:
    """What Python's own reader would accept or die of is refused."""
    with pytest.raises(GltfError, match=words):
        read_document(FILE, data=pack_glb(text, b""))


def test_required_extensions_are_refused_by_name_and_optional_ones_warned_about() -> None:
    """The same unknown extension refuses when required and warns when optional."""
    sample = textured_cube()
    sample.json["extensionsUsed"] = ["ACME_magic"]
    assert any("ACME_magic" in warning for warning in read(sample).warnings)
    sample.json["extensionsRequired"] = ["ACME_magic"]
    refuse(sample, "ACME_magic is required")


def test_every_truncation_is_refused() -> None:
    """No prefix of a good file is accepted, and none raises anything but a refusal."""
    data = textured_cube().glb()
    read_document(FILE, data=data)
    for size in range(0, len(data), 7):
        with pytest.raises(GltfError):
            read_document(FILE, data=data[:size])


def _places(value: Any, keys: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [keys] if keys else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        found += _places(inner, (*keys, key))
    return found


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_damaged_json_is_read_or_refused_never_crashes(data: st.DataObject) -> None:
    """Any one value of the JSON replaced by a wrong one gives a result or a refusal, in load and in compose."""
    sample = textured_cube(rotation=[0.0, 0.0, 0.0, 1.0])
    sample.json["skins"] = [{"joints": [0]}]
    places = _places(sample.json)
    keys = data.draw(st.sampled_from(places))
    holder: Any = sample.json
    for key in keys[:-1]:
        holder = holder[key]
    wrong = st.sampled_from([None, -1, 0, 1, 7, 10**6, 2**60, 10**400, 0.5, "x", [], {}, [0], {"index": 9}, True])
    holder[keys[-1]] = data.draw(wrong)
    try:
        document = read_document(FILE, data=sample.glb())
        read_part(document, None)
        compose_state(
            [ComposedPiece("a", (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0), (PieceSource(document),))]
        )
    except EngineError as error:
        assert str(error)  # noqa: PT017  # either outcome is right; nothing else may be raised


def test_overruns_name_accessor_and_view() -> None:
    """An accessor past its view, and a view past its buffer, are refused by number."""
    sample = textured_cube()
    sample.json["accessors"][0]["count"] = 9
    refuse(sample, r"accessor 0: ends at byte 108, bufferView 0 has 96")
    sample = textured_cube()
    sample.json["bufferViews"][2]["byteLength"] = 10**6
    refuse(sample, r"bufferViews\[2\]: ends at byte")


def test_index_out_of_range_names_part_and_value() -> None:
    """A face index beyond the vertices is refused when the part is decoded."""
    sample = Sample()
    faces = CUBE_FACES.copy()
    faces[3, 1] = 99
    refuse(sample.scene(sample.node(name="lid", mesh=sample.mesh(faces=faces))), "part 'lid': vertex index 99")


def test_non_finite_vertex_is_refused_only_where_a_face_uses_it() -> None:
    """A NaN vertex of a face is refused by part and number; one that no face uses is harmless."""
    points = CUBE_POINTS.copy()
    points[7, 2] = float("nan")
    sample = Sample()
    mesh = sample.append("meshes", {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]})
    sample.append(
        "accessors", {"bufferView": sample.view(points.tobytes()), "componentType": 5126, "count": 8, "type": "VEC3"}
    )
    sample.accessor(CUBE_FACES.reshape(-1))
    sample.scene(sample.node(name="lid", mesh=mesh))
    refuse(sample, "part 'lid': vertex 7 is not finite")
    sample.accessor(CUBE_FACES[(CUBE_FACES != 7).all(axis=1)].reshape(-1))
    sample.json["meshes"][0]["primitives"][0]["indices"] = 2
    assert len(read_part(read(sample), "lid").surfaces[0].faces) > 0


def test_missing_texture_file_is_refused_by_name(tmp_path: Path) -> None:
    """A texture that is not there is never a silent white material."""
    (tmp_path / "x.bin").write_bytes(bytes(12))
    with pytest.raises(GltfError, match=r"albedo\.png not found"):
        read_document(write_gltf(tmp_path, "x.bin", images=[{"uri": "albedo.png"}]))
    (tmp_path / "albedo.png").write_bytes(png())
    assert list_part_nodes(read_document(tmp_path / "scene.gltf")) == ()
