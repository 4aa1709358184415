"""Bytes of parts are what their references say, or an error."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from header_surveyor import HeaderSurveyor
from tiny_library import make_glb, make_partverse

from library_index.build import build_library
from library_index.content import digest_files
from library_index.embedders.hashing import HashingEmbedder
from library_index.library import open_library
from library_index.ports import ObjectSurvey, PartFile
from library_index.store import PartStore
from library_index.verify import find_problems
from schemas.errors import PartHashError, PartNotFoundError


class SidecarSurveyor(HeaderSurveyor):
    """Every part needs the file `shared/skin.png` beside its folder."""

    def survey(self, parts: Sequence[PartFile], root: Path) -> ObjectSurvey:
        """Measure as the header surveyor does, with one further file per part."""
        found = super().survey(parts, root)
        changed = []
        for part, file in zip(found.parts, parts, strict=True):
            skin = file.path.parent / ".." / "shared" / "skin.png"
            others = {"../shared/skin.png": hashlib.sha256(skin.read_bytes()).hexdigest()}
            sha256 = digest_files(file.path.name, part.sha256, others)
            changed.append(part.model_copy(update={"files": (str(skin),), "sha256": sha256}))
        return found.model_copy(update={"parts": tuple(changed)})


def open_store(tmp_path: Path, **options: int) -> PartStore:
    """Build the tiny library and open its store."""
    source = make_partverse(tmp_path / "source")
    build_library(source, tmp_path / "lib", surveyor=HeaderSurveyor(), embedder=HashingEmbedder(), workers=0)
    return PartStore(open_library(tmp_path / "lib"), **options)


def test_parts_come_back_byte_for_byte(tmp_path: Path) -> None:
    """Every part's bytes are those of its file, and their SHA-256 is the reference's."""
    store = open_store(tmp_path)
    for record in store.library.parts.values():
        part = store.read(record.ref)
        assert hashlib.sha256(part.data).hexdigest() == record.ref.sha256 == part.main_sha256
        assert part.data == (tmp_path / "source" / record.file).read_bytes()
        assert part.node is None
        assert part.root == tmp_path / "source"


def test_changed_and_missing_files_are_told_apart(tmp_path: Path) -> None:
    """A changed file is a hash mismatch naming the part, a missing one is not found; `verify` lists both."""
    store = open_store(tmp_path)
    base = tmp_path / "source" / "textured_part_glbs"
    (base / "lamp" / "1.glb").write_bytes(make_glb(size=77.0))
    (base / "rock" / "0.glb").unlink()
    lamp, rock = (store.library.parts[key].ref for key in (("lamp", "1"), ("rock", "0")))
    with pytest.raises(PartHashError, match=rf"part lamp/1 .*the log says {lamp.sha256[:12]}"):
        store.read(lamp)
    with pytest.raises(PartNotFoundError, match=r"part rock/0: .*No such file"):
        store.read(rock)
    problems = [(found.part, found.problem) for found in find_problems(store.library)]
    assert problems == [("lamp/1", "mismatch"), ("rock/0", "missing")]


def test_a_file_is_read_once_while_it_fits(tmp_path: Path) -> None:
    """Within the memory limit a second read touches no file; beyond it the oldest goes."""
    store = open_store(tmp_path)
    ref = store.library.parts["rock", "0"].ref
    first = store.read(ref)
    first.path.unlink()
    assert store.read(ref).data is first.data
    small = PartStore(store.library, cache_bytes=len(first.data) * 2)
    seat, leg, cushion = (store.library.parts["chair", label].ref for label in ("0", "1", "10"))
    kept = small.read(seat)
    for other in (leg, cushion):
        small.read(other)
    kept.path.unlink()
    with pytest.raises(PartNotFoundError):
        small.read(seat)


def test_further_files_count(tmp_path: Path) -> None:
    """A part's hash covers the files it needs: a change in one is a mismatch, its loss a missing part."""
    source = make_partverse(tmp_path / "source")
    skin = source / "textured_part_glbs" / "shared" / "skin.png"
    skin.parent.mkdir()
    skin.write_bytes(b"skin")
    build_library(source, tmp_path / "lib", surveyor=SidecarSurveyor(), embedder=HashingEmbedder(), workers=0)
    library = open_library(tmp_path / "lib")
    record = library.parts["rock", "0"]
    assert record.files == ("textured_part_glbs/shared/skin.png",)
    main = hashlib.sha256((source / record.file).read_bytes()).hexdigest()
    listing = [["../shared/skin.png", hashlib.sha256(b"skin").hexdigest()], ["0.glb", main]]
    assert record.ref.sha256 == hashlib.sha256(json.dumps(listing, separators=(",", ":")).encode()).hexdigest()
    assert PartStore(library).read(record.ref).main_sha256 == main
    skin.write_bytes(b"scar")
    with pytest.raises(PartHashError):
        PartStore(library).read(record.ref)
    before = library.manifest.library_sha256
    build_library(source, tmp_path / "lib", surveyor=SidecarSurveyor(), embedder=HashingEmbedder(), workers=0)
    assert open_library(tmp_path / "lib").manifest.library_sha256 != before
    skin.unlink()
    with pytest.raises(PartNotFoundError, match="skin"):
        PartStore(library).read(record.ref)


def test_a_link_swapped_in_later_is_not_followed_out(tmp_path: Path) -> None:
    """A part file replaced by a link out of the source is not read."""
    store = open_store(tmp_path)
    record = store.library.parts["rock", "0"]
    path = store.library.path_of(record)
    secret = tmp_path / "secret"
    secret.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(secret)
    with pytest.raises(PartNotFoundError, match="leads out of the source folder"):
        store.read(record.ref)
