"""A stripped file looks the same and says nothing: neither by words nor by the order of what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gltf_samples import CUBE_POINTS, POSED, REST, Sample, read_glb_json, textured_cube

from engine.gltf.compose import ComposedPiece, PieceSource, compose_state
from engine.gltf.document import read_document
from engine.gltf.parts import list_part_nodes, read_part
from engine.gltf.placed import walk_arrays
from engine.gltf.unnamed import WORDS, strip_names
from schemas.errors import GltfError
from tests.awkward_states import write_awkward_states

GIVEAWAY = "rusty sword"
FORMAT_WORDS = WORDS | {"2.0", "image/png", "image/jpeg", "image/webp", "image/ktx2", "application/octet-stream"}


def surfaces_of(data: bytes) -> list[list[tuple[str, bytes]]]:
    """What a consumer sees, in an order that does not depend on that of the file."""
    model = read_part(read_document(Path("memory.glb"), data=data), None)
    return sorted(list(walk_arrays(surface)) for surface in model.surfaces)


def walk_texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text in JSON with the key that holds it."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from walk_texts(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from walk_texts(each, key)
    elif isinstance(value, str):
        yield key, value


def state_of(**slots: Sample) -> bytes:
    """A state with one whole sample in each slot, every second one posed."""
    return compose_state(
        [
            ComposedPiece(slot, POSED if n % 2 else REST, (PieceSource(read_document(Path("m.glb"), data=each.glb())),))
            for n, (slot, each) in enumerate(slots.items())
        ]
    )


def talkative() -> Sample:
    """A cube that says what it is in every place the format has for words, and in some it has not."""
    sample = textured_cube(GIVEAWAY)
    for table in ("nodes", "meshes", "materials", "textures", "images", "samplers", "accessors", "bufferViews"):
        for row in sample.json.get(table, []):
            row |= {"name": GIVEAWAY, "extras": {"is": GIVEAWAY}}
    for mesh in sample.json["meshes"]:
        for primitive in mesh["primitives"]:
            primitive["extras"] = [GIVEAWAY]
            primitive["attributes"]["_RUSTY_SWORD"] = sample.accessor(CUBE_POINTS[:, :1].copy())
    sample.json["asset"] |= {"generator": GIVEAWAY, "copyright": GIVEAWAY, "extras": GIVEAWAY}
    sample.json["materials"][0]["note"] = GIVEAWAY
    sample.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}, "name": GIVEAWAY}]
    sample.json["extensions"] = {"KHR_xmp_json_ld": {"packets": [{"dc:title": GIVEAWAY}]}}
    sample.json["extensionsUsed"] = ["KHR_xmp_json_ld"]
    sample.json["scenes"][0] |= {"name": GIVEAWAY, "extras": {"is": GIVEAWAY}}
    return sample


def test_no_word_is_left() -> None:
    """Names, extras, attributes of applications and texts of unknown keys are gone; the format's own words stay."""
    result = strip_names(talkative().glb())
    assert b"sword" not in result.lower()
    document, _ = read_glb_json(result)
    assert document["asset"] == {"version": "2.0"}
    texts = list(walk_texts(document))
    assert [text for key, text in texts if key == "name"] == ["part_000"]
    assert {text for key, text in texts if key != "name"} <= FORMAT_WORDS
    plain = textured_cube(GIVEAWAY)
    assert [each[:-1] for each in surfaces_of(result)] == [each[:-1] for each in surfaces_of(plain.glb())]


def test_awkward_states_look_the_same(cases_dir: Path, tmp_path: Path) -> None:
    """Arrays and material digests of every awkward state are the same bytes, and stripping again changes nothing."""
    cases = [case for case in sorted(cases_dir.glob("[GMN][0-9]*")) if case.name != "N11-500-parts"]
    states = [file for case in cases for file in sorted(write_awkward_states(case, tmp_path / case.name).iterdir())]
    assert len(states) >= 90
    for file in states:
        data = file.read_bytes()
        result = strip_names(data)
        assert surfaces_of(result) == surfaces_of(data), file.name
        assert strip_names(result) == result, file.name
        texts = list(walk_texts(read_glb_json(result)[0]))
        assert all(text.startswith("part_") for key, text in texts if key == "name"), file.name
        assert {text for key, text in texts if key not in {"name", "extensionsUsed", "extensionsRequired"}} <= (
            FORMAT_WORDS
        ), file.name


def test_awkward_sources_look_the_same(cases_dir: Path) -> None:
    """So do files that our composer did not write: skinned, morphed, sparse, with two scenes."""
    count = 0
    for file in sorted(cases_dir.glob("[GN][0-9]*/**/*.glb")):
        try:
            expected = surfaces_of(file.read_bytes())
            result = strip_names(file.read_bytes())
        except GltfError:
            continue
        assert surfaces_of(result) == expected, file.parent.name
        count += 1
    assert count >= 20


def test_names_of_slots_decide_nothing() -> None:
    """The same parts under other slot names, and so in another order, give the same bytes."""
    first, second = textured_cube("a"), Sample()
    second.scene(second.node(mesh=second.mesh(CUBE_POINTS * 2), name="b"))
    third = Sample()
    third.scene(third.node(mesh=third.mesh(CUBE_POINTS + 1), translation=[0.0, 3.0, 0.0]))
    one = strip_names(state_of(anchor=first, blade=second, cap=third))
    other = strip_names(state_of(zeta=first, alpha=second, mast=third))
    assert one == other
    document, _ = read_glb_json(one)
    assert [document["nodes"][root]["name"] for root in document["scenes"][0]["nodes"]] == [
        "part_000",
        "part_001",
        "part_002",
    ]
    ids = [part.id for part in list_part_nodes(read_document(Path("m.glb"), data=one))]
    assert not any(name in " ".join(ids) for name in ("anchor", "blade", "cap"))


def test_what_is_there_decides_the_order() -> None:
    """Another place or another colour of a part is another digest; equal parts keep their order."""
    twins = json.loads(json.dumps(read_glb_json(strip_names(state_of(a=textured_cube(), c=textured_cube())))[0]))
    roots = [twins["nodes"][root] for root in twins["scenes"][0]["nodes"]]
    assert len({root["name"] for root in roots}) == 2
    assert len(twins["meshes"]) == 1


def test_refusals() -> None:
    """Bytes that are no glTF, and a file that needs another one, are refused by name."""
    with pytest.raises(GltfError, match="magic"):
        strip_names(b"nonsense")
    sample = textured_cube()
    sample.json["images"][0] = {"uri": "missing.png"}
    with pytest.raises(GltfError, match=r"missing\.png not found"):
        strip_names(sample.glb())
