"""What an index asks for: texts made of rows alone, stored with their vectors, found by part and purpose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from header_surveyor import HeaderSurveyor
from tiny_library import make_partverse

from chains.storage import write_atomic
from library_index.build import build_library
from library_index.embedders.hashing import HashingEmbedder
from library_index.library import Library, open_library
from library_index.queries import PART_PURPOSES, describe_part, write_queries
from library_index.rows import MANIFEST_FILE, QUERIES_FILE, QUERY_VECTORS_FILE
from schemas.codec import encode
from schemas.errors import HashMismatchError, InputError, PartNotFoundError
from schemas.part import ContactFrame, MountRecord, ObjectRecord, PartRecord


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Build and open the tiny library."""
    source = make_partverse(tmp_path / "source")
    build_library(source, tmp_path / "lib", surveyor=HeaderSurveyor(), embedder=HashingEmbedder(), workers=0)
    return open_library(tmp_path / "lib")


def part(library: Library, key: tuple[str, str], caption: str, parent: str, share: float = 0.5) -> PartRecord:
    """A record with another caption, resting on top of a parent."""
    frame = ContactFrame(
        kind="rest", parent=parent, direction="up", origin=(0, 0, 0), normal=(0, 1, 0), radius=0.1, embed=0.0
    )
    mount = MountRecord(frame=frame, extents=(1, 1, 1), reaches_floor=False, stability=0.5, object_share=share)
    record = library.parts["chair", "0"]
    ref = record.ref.model_copy(update={"object_id": key[0], "part_id": key[1]})
    return record.model_copy(update={"ref": ref, "caption": caption, "mounts": (mount,)})


def texts_of(owner: ObjectRecord, records: list[PartRecord]) -> dict[tuple[str | None, str], str]:
    """Texts by part and purpose."""
    return {(row.part_id, row.purpose): row.text for row in write_queries(owner, records)}


def test_queries_say_what_belongs_there(library: Library) -> None:
    """Support, object, category and the neighbours that stand there are named, largest first, each once."""
    owner = library.objects["chair"].model_copy(update={"name": "tea table"})
    records = [
        part(library, ("chair", "0"), "A round oak top of the tea table.", "ground"),
        part(library, ("chair", "1"), "A white cup at the left of the tea table.", "0", 0.2),
        part(library, ("chair", "10"), "A blue teapot with a lid.", "0", 0.3),
    ]
    assert texts_of(owner, records) == {
        (None, "beside"): "blue teapot, white cup beside the tea table, furniture",
        ("0", "add"): "blue teapot, white cup on the oak top, tea table, furniture",
        ("0", "kind"): "top",
        ("0", "replace"): "round oak top, tea table, furniture",
        ("1", "add"): "blue teapot on the cup, tea table, furniture",
        ("1", "kind"): "cup",
        ("1", "replace"): "white cup on the oak top, tea table, furniture",
        ("10", "add"): "white cup on the teapot, tea table, furniture",
        ("10", "kind"): "teapot",
        ("10", "replace"): "blue teapot with a lid on the oak top, tea table, furniture",
    }
    assert describe_part(records[2], owner) == "blue teapot with a lid, tea table"


def test_only_things_that_stand_by_themselves_are_neighbours(library: Library) -> None:
    """What belongs on a seat is not asked by its backrest; equal sizes are named in the order of words."""
    owner = library.objects["chair"].model_copy(update={"name": "bench"})
    seat = part(library, ("chair", "0"), "A seat of the bench.", "ground")
    others = ("A carved backrest.", "A blue cushion.", "An amber bottle.")
    records = [part(library, ("chair", str(k)), text, "0", 0.3 + k / 1e4) for k, text in enumerate(others, start=1)]
    texts = [
        texts_of(owner, [seat, *order])["0", "add"]
        for order in (records, records[::-1], [record.model_copy(update={"mounts": ()}) for record in records])
    ]
    asked = "amber bottle, blue cushion on the seat, bench, furniture"
    assert texts == [asked, asked, "something on the seat, bench, furniture"]


def test_an_object_is_not_named_twice_and_a_nameless_one_not_at_all(library: Library) -> None:
    """A vase that is its own object, without category and neighbours, asks in few words."""
    record = part(library, ("rock", "0"), "A tall blue vase.", "ground")
    owner = library.objects["rock"].model_copy(update={"name": "blue vase"})
    assert describe_part(record, owner) == "tall blue vase"
    assert texts_of(owner, [record]) == {
        (None, "beside"): "something beside the blue vase",
        ("0", "add"): "something on the vase",
        ("0", "kind"): "vase",
        ("0", "replace"): "tall blue vase",
    }
    nameless = owner.model_copy(update={"name": "object"})
    assert describe_part(record, nameless) == "tall blue vase"


def test_every_stored_vector_is_that_of_its_text(library: Library) -> None:
    """All purposes of all parts are found, with their own text, embedded as any other text."""
    embedder = HashingEmbedder()
    expected = {
        (object_id, *key): text
        for object_id, owner in library.objects.items()
        for key, text in texts_of(owner, [library.parts[object_id, p] for p in owner.parts]).items()
    }
    found = {}
    for object_id, part_id in library.parts:
        ref = library.parts[object_id, part_id].ref
        for purpose in ("beside", *PART_PURPOSES):
            query = library.find_query(ref, purpose)
            found[object_id, None if purpose == "beside" else part_id, purpose] = query.text
            assert np.array_equal(query.vector, embedder.embed([query.text])[0])
    assert found == expected
    assert len(library.queries) == 3 + 3 * 6
    kinds = library.queries.kinds(library.columns.objects)
    heads = ["seat", "leg", "cushion", "shade", "stand", "stone"]
    assert np.array_equal(kinds, embedder.embed(heads))
    with pytest.raises(PartNotFoundError, match="rock/7 is not in library"):
        library.find_query(library.parts["rock", "0"].ref.model_copy(update={"part_id": "7"}), "add")


def test_an_index_without_queries_says_build_again(library: Library) -> None:
    """An index of an earlier release opens, and names the remedy when it is asked for a query."""
    old = library.manifest.model_copy(update={"queries_sha256": None, "query_vectors_sha256": None})
    write_atomic(library.path / MANIFEST_FILE, encode(old))
    opened = open_library(library.path)
    assert len(opened.parts) == 6
    with pytest.raises(InputError, match="run `engine library build` again"):
        opened.find_query(opened.parts["rock", "0"].ref, "add")


@pytest.mark.parametrize("name", [QUERIES_FILE, QUERY_VECTORS_FILE])
def test_damaged_queries_are_refused(library: Library, name: str) -> None:
    """Texts and vectors are compared with the manifest before one is used."""
    data = (library.path / name).read_bytes()
    (library.path / name).write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])
    with pytest.raises(HashMismatchError, match="index is damaged"):
        library.find_query(library.parts["rock", "0"].ref, "add")
