"""Which objects and part files a source folder holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_library import make_glb, make_partverse

from library_index.layout import LINK_ESCAPES, detect_layout, scan_source
from schemas.errors import InputError


def test_partverse_parts_are_in_numeric_order(tmp_path: Path) -> None:
    """Labels sort by value, objects by id, and nothing is skipped."""
    scan = scan_source(make_partverse(tmp_path))
    assert [(o.object_id, [p.part_id for p in o.parts]) for o in scan.objects] == [
        ("chair", ["0", "1", "10"]),
        ("lamp", ["0", "1"]),
        ("rock", ["0"]),
    ]
    assert scan.layout == "partverse"
    assert scan.skipped == ()


def test_the_xl_layout_is_told_by_its_tables(tmp_path: Path) -> None:
    """One of the csv files beside the parts makes it PartVerse-XL."""
    make_partverse(tmp_path)
    (tmp_path / "train.csv").write_text("part_id\n")
    assert detect_layout(tmp_path) == "partverse-xl"


def test_what_is_not_a_part_is_reported(tmp_path: Path) -> None:
    """Stray files, empty folders and links out of the source are listed with the reason; hidden files are not."""
    outside = tmp_path / "outside.glb"
    outside.write_bytes(make_glb())
    root = make_partverse(tmp_path / "source")
    base = root / "textured_part_glbs"
    (base / "chair" / "notes.txt").write_text("x")
    (base / "chair" / ".DS_Store").write_text("x")
    (base / "chair" / "2.glb").symlink_to(outside)
    (base / "chair" / "3.glb").symlink_to(base / "chair" / "nowhere.glb")
    (base / "empty").mkdir()
    (base / "stray.glb").write_bytes(b"")
    scan = scan_source(root)
    assert {entry.file: entry.reason for entry in scan.skipped} == {
        "textured_part_glbs/chair/notes.txt": "not a .glb or .gltf file",
        "textured_part_glbs/chair/2.glb": LINK_ESCAPES,
        "textured_part_glbs/chair/3.glb": "a symbolic link that leads nowhere",
        "textured_part_glbs/empty": "no usable part file in the folder",
        "textured_part_glbs/stray.glb": "not a folder of parts",
    }
    assert [part.part_id for part in scan.objects[0].parts] == ["0", "1", "10"]


def test_objects_of_a_folder_are_named_by_path(tmp_path: Path) -> None:
    """Ids are paths without suffix; names that would clash keep it, whatever else they then meet."""
    for name in ("a.glb", "a.gltf", "a.glb.glb", "sub/b.GLB", "sub/c.txt", ".hidden/d.glb"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(make_glb())
    scan = scan_source(tmp_path)
    assert [o.object_id for o in scan.objects] == ["a.glb", "a.glb.glb", "a.gltf", "sub/b"]
    assert scan.skipped == ()


def test_a_folder_reports_names_that_cannot_be_ids(tmp_path: Path) -> None:
    """A name that is not UTF-8 or holds a colon is skipped by name, and links to folders are not followed."""
    (tmp_path / "good.glb").write_bytes(make_glb())
    (tmp_path / "c:d.glb").write_bytes(make_glb())
    (tmp_path / "caf\udce9.glb").write_bytes(make_glb())
    (tmp_path / "loop").symlink_to(tmp_path)
    scan = scan_source(tmp_path)
    assert [o.object_id for o in scan.objects] == ["good"]
    assert [entry.file for entry in scan.skipped] == ["c:d.glb", "caf\\xe9.glb", "loop"]


def test_bad_sources_are_refused_in_one_line(tmp_path: Path) -> None:
    """A missing folder, a file, an empty folder and a wrong layout each say what is wrong."""
    file = tmp_path / "file.glb"
    file.write_bytes(make_glb())
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="nowhere: cannot be read: No such file"):
        scan_source(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is a file, a library source is a folder"):
        scan_source(file)
    with pytest.raises(InputError, match=r"empty: no \.glb or \.gltf file found"):
        scan_source(tmp_path / "empty")
    with pytest.raises(InputError, match="has no folder textured_part_glbs"):
        scan_source(tmp_path, "partverse")
    with pytest.raises(InputError, match="unknown layout 'zip'"):
        scan_source(tmp_path, "zip")


def test_the_development_data_is_listed_in_full(data_dir: Path) -> None:
    """91 objects with 1,173 parts, and the XL sample beside it."""
    scan = scan_source(data_dir / "partverse_dev")
    assert (len(scan.objects), sum(len(o.parts) for o in scan.objects), scan.skipped) == (91, 1173, ())
    assert scan_source(data_dir / "partverse_xl_dev").layout == "partverse-xl"
