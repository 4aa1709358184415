"""The content hash is a function of what a consumer sees, and of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gltf_samples import CUBE_FACES, POSED, REST, Sample, png, textured_cube

from engine.gltf.compose import ComposedPiece, PieceSource, TextureOverride, UvAsset
from engine.gltf.digest import ContentDigester
from engine.gltf.document import Document, read_document
from engine.gltf.parts import read_part
from engine.gltf.unwrap_asset import PrimitiveUv
from engine.surfaces import PartModel
from schemas.errors import InputError


def read(sample: Sample) -> Document:
    """Read a sample from memory."""
    return read_document(Path("memory.glb"), data=sample.glb())


def digest_content(pieces: Sequence[ComposedPiece]) -> str:
    """Hash one state by a digester of its own."""
    return ContentDigester().digest_state(pieces)


def piece_of(sample: Sample) -> ComposedPiece:
    """The sample's scene at rest in slot a."""
    return ComposedPiece("a", REST, (PieceSource(read(sample)),))


def test_layout_of_the_file_does_not_matter() -> None:
    """Other index widths, names, views and node splits of the same geometry have the same content hash."""
    plain = textured_cube()
    other = textured_cube("renamed")
    other.view(b"padding!")
    primitive = other.json["meshes"][0]["primitives"][0]
    primitive["indices"] = other.accessor(CUBE_FACES.reshape(-1).astype("<u4"))
    other.json["materials"][0]["name"] = "other"
    other.json["nodes"].append({"children": [0], "name": "above"})
    other.scene(1)
    assert digest_content([piece_of(plain)]) == digest_content([piece_of(other)])


def test_everything_seen_changes_it() -> None:
    """Pose, slot, geometry, UVs, colours, factors, image bytes, sampler and texture override all change the hash."""
    base = textured_cube()
    piece = piece_of(base)
    found = [digest_content([piece]), digest_content([replace(piece, world_from_part=POSED)])]
    found.append(digest_content([replace(piece, slot="b")]))
    for color, size in (((1, 2, 3), 4), ((200, 40, 40), 8)):
        found.append(digest_content([replace(piece, texture=TextureOverride(png(color, size=size)))]))
    found.append(digest_content([replace(piece, texture=TextureOverride(png(), roughness=0.5))]))
    corners = CUBE_FACES.reshape(-1).astype(np.uint32)
    faces = np.arange(36, dtype=np.uint32).reshape(-1, 3)
    uv = UvAsset((PrimitiveUv(corners, faces, np.zeros((36, 2), np.float32)),))
    found.append(digest_content([replace(piece, texture=TextureOverride(png(), uv))]))
    for attribute in ("POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0"):
        changed = textured_cube()
        accessor = changed.json["meshes"][0]["primitives"][0]["attributes"][attribute]
        changed.binary[changed.json["bufferViews"][accessor]["byteOffset"] + 3] ^= 0x40
        found.append(digest_content([piece_of(changed)]))
    for key, value in (("metallicFactor", 0.5), ("baseColorFactor", [1, 1, 1, 0.5])):
        changed = textured_cube()
        changed.json["materials"][0]["pbrMetallicRoughness"][key] = value
        found.append(digest_content([piece_of(changed)]))
    changed = textured_cube()
    changed.json["samplers"][0]["wrapS"] = 10497
    found.append(digest_content([piece_of(changed)]))
    assert len(set(found)) == len(found)


def test_memory_is_used_and_does_not_change_the_hash() -> None:
    """A digester decodes a part once, forgets over its limit, and gives the same hashes as a fresh one."""
    calls: list[str | None] = []

    def load(document: Document, node: str | None) -> PartModel:
        calls.append(node)
        return read_part(document, node)

    first, second = piece_of(textured_cube()), replace(piece_of(textured_cube("x", translation=[2, 0, 0])), slot="b")
    digester = ContentDigester(load)
    assert digester.digest_state([first, second]) == digest_content([second, first])
    assert digester.digest_state([first, replace(second, world_from_part=POSED)]) == digest_content(
        [first, replace(second, world_from_part=POSED)]
    )
    assert len(calls) == 2
    small = ContentDigester(load, model_bytes=1)
    states = [[first], [second], [replace(first, world_from_part=POSED)]]
    assert [small.digest_state(state) for state in states] == [digest_content(state) for state in states]
    assert len(calls) == 5


def test_a_slot_twice_is_refused() -> None:
    """Two pieces in one slot have no hash."""
    piece = piece_of(textured_cube())
    with pytest.raises(InputError, match="twice"):
        digest_content([piece, piece])


def test_known_value() -> None:
    """The hash of one small state, written down: it may change only with a new major version."""
    sample = Sample()
    state = ComposedPiece("a", POSED, (PieceSource(read(sample.scene(sample.node(mesh=sample.mesh())))),))
    assert digest_content([state]) == "3c539504b71a6812555c437ca1db985b3a75c9cdb1b01fb4333eff5796631e08"
