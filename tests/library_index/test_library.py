"""Opening an index: rows on demand, and every kind of damage named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from header_surveyor import HeaderSurveyor
from tiny_library import make_partverse

from library_index.build import build_library
from library_index.embedders.hashing import HashingEmbedder
from library_index.library import Library, open_library, reference_in
from schemas.codec import canonical
from schemas.errors import HashMismatchError, InputError, PartHashError, PartNotFoundError, SchemaError


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Build the tiny library and return its index folder."""
    out = tmp_path / "lib"
    source = make_partverse(tmp_path / "source")
    build_library(source, out, surveyor=HeaderSurveyor(), embedder=HashingEmbedder(), workers=0)
    return out


@pytest.fixture
def library(index: Path) -> Library:
    """Open the tiny library."""
    return open_library(index)


def test_lookups_agree_with_iteration(library: Library) -> None:
    """Every key found by walking is found by bisection, with its own record and row; others are not."""
    assert [library.parts[key].ref.key[1:] for key in library.parts] == list(library.parts)
    assert [library.parts.find_row(key) for key in library.parts] == list(range(6))
    assert [library.objects[key].object_id for key in library.objects] == ["chair", "lamp", "rock"]
    assert ("chair", "2") not in library.parts
    assert ("zebra", "0") not in library.parts
    assert "zebra" not in library.objects
    assert len(library.parts) == 6
    assert [record.ref.part_id for record in library.records_of("chair")] == ["0", "1", "10"]


def test_find_names_what_is_missing_or_different(library: Library) -> None:
    """A reference is found by identity and content; a foreign library id does not matter."""
    ref = library.parts["lamp", "1"].ref
    assert library.find(ref.model_copy(update={"library": "renamed"})).ref == ref
    with pytest.raises(PartNotFoundError, match="part lamp/7 is not in library"):
        library.find(ref.model_copy(update={"part_id": "7"}))
    with pytest.raises(PartHashError, match=r"part lamp/1: sha256 is .*, the log says 000000000000"):
        library.find(ref.model_copy(update={"sha256": "0" * 64}))
    with pytest.raises(PartNotFoundError, match="object zebra is not in library"):
        library.records_of("zebra")


def test_vectors_are_in_the_order_of_parts(library: Library) -> None:
    """Row i embeds the caption of part i."""
    embedder = HashingEmbedder()
    assert library.vectors.shape == (6, 384)
    expected = embedder.embed(["white lamp shade"])[0]
    assert np.array_equal(library.vectors[3], expected)


def test_paths_lead_to_the_source_and_never_out(library: Library, tmp_path: Path) -> None:
    """A record's file lies in the source; a record with `..` is refused."""
    record = library.parts["rock", "0"]
    assert library.path_of(record) == tmp_path / "source" / "textured_part_glbs" / "rock" / "0.glb"
    with pytest.raises(PartNotFoundError, match="leads out of the source folder"):
        library.path_of(record.model_copy(update={"file": "../secret.glb"}))


def test_index_and_source_may_move_together(index: Path, tmp_path: Path) -> None:
    """Beside its source an index holds no absolute path; without the source it says so."""
    moved = tmp_path / "moved"
    moved.mkdir()
    (tmp_path / "source").rename(moved / "source")
    index.rename(moved / "lib")
    assert str(tmp_path) not in (moved / "lib" / "source.json").read_text()
    assert open_library(moved / "lib").source_root == moved / "source"
    (moved / "source").rename(moved / "gone")
    with pytest.raises(InputError, match="source folder is not there any more"):
        _ = open_library(moved / "lib").source_root


@pytest.mark.parametrize("name", ["parts.jsonl", "objects.jsonl", "vectors.i8"])
def test_a_changed_file_is_noticed(index: Path, name: str) -> None:
    """One flipped byte in a file of the index is a hash mismatch that names the file."""
    data = bytearray((index / name).read_bytes())
    data[len(data) // 2] ^= 1
    (index / name).write_bytes(bytes(data))
    with pytest.raises(HashMismatchError, match=rf"{name}: sha256 is .* run the build again"):
        open_library(index)
    (index / name).unlink()
    with pytest.raises(InputError, match=rf"{name}: cannot be read"):
        open_library(index)


def test_damaged_manifests_are_refused(index: Path, tmp_path: Path) -> None:
    """No manifest, broken JSON, a missing field and a newer version each have their message."""
    with pytest.raises(InputError, match="is not a library index"):
        open_library(tmp_path)
    manifest = index / "manifest.json"
    text = manifest.read_text()
    manifest.write_text(text[:50])
    with pytest.raises(SchemaError, match="not JSON"):
        open_library(index)
    manifest.write_text(text.replace('"hosts":', '"guests":'))
    with pytest.raises(SchemaError, match="hosts"):
        open_library(index)
    manifest.write_text(text.replace('"schema_version":"1.0"', '"schema_version":"9.0"'))
    with pytest.raises(SchemaError, match=r"found version 9\.0"):
        open_library(index)


def test_ids_are_read_out_of_a_row_whatever_they_hold() -> None:
    """Quotes, other scripts and a caption that looks like a reference do not mislead."""
    row = canonical(
        {
            "caption": '"ref":{"library":"x","object_id":"wrong","part_id":"wrong"}',
            "ref": {"library": 'l"1', "object_id": 'a "né" 灯', "part_id": "0/1", "sha256": "0" * 64},
        }
    )
    found = reference_in(row)
    assert found == ('a "né" 灯', "0/1")
    assert reference_in(b"{}") is None
