"""The comparison of loaders sees what it claims to see."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.awkward_states import write_awkward_states
from tests.outside_tools import need_blender
from tools.compare_loaders import LOADERS, Blender, Bounds, compare_folder

ROOT = Path(__file__).resolve().parents[2]
POINTS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0), (0.0, 0.0, 9.0), (40.0, 0.0, 0.0))
TETRAHEDRON = (0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
"""Corners 4 and 5 of POINTS are used by no face."""


def _write(file: Path, faces: tuple[int, ...] = TETRAHEDRON, node: dict[str, Any] | None = None) -> None:
    """Write a GLB of one mesh over POINTS."""
    blob = b"".join(struct.pack("<3f", *point) for point in POINTS) + struct.pack(f"<{len(faces)}I", *faces)
    positions = {"bufferView": 0, "componentType": 5126, "count": len(POINTS), "type": "VEC3"}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "solid", "mesh": 0, **(node or {})}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {**positions, "min": [0, 0, 0], "max": [40, 2, 9]},
            {"bufferView": 1, "componentType": 5125, "count": len(faces), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 12 * len(POINTS)},
            {"buffer": 0, "byteOffset": 12 * len(POINTS), "byteLength": 4 * len(faces)},
        ],
        "buffers": [{"byteLength": len(blob)}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob))
    file.write_bytes(
        head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob
    )


def test_trimesh_agrees_on_used_vertices(tmp_path: Path) -> None:
    """Vertices that no face uses change no bound, and files in subfolders count."""
    (tmp_path / "deep").mkdir()
    _write(tmp_path / "plain.glb")
    _write(tmp_path / "deep" / "moved.glb", node={"translation": [5, 6, 7], "rotation": [0, 0.6, 0, 0.8]})
    report = compare_folder(tmp_path, ("trimesh",))
    assert report["mismatches"] == []
    assert report["compared"] == {"trimesh": 2}


def test_unreadable_files_are_mismatches(tmp_path: Path) -> None:
    """A file that our reader refuses is never passed over in silence, and the tool exits with 1."""
    _write(tmp_path / "good.glb")
    (tmp_path / "bad.glb").write_bytes(b"glTF and then nothing")
    command = [sys.executable, "-m", "tools.compare_loaders", str(tmp_path), "--loaders", "trimesh"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert [(row["file"], row["loader"]) for row in report["mismatches"]] == [("bad.glb", "ours")]
    assert report["compared"] == {"trimesh": 1}


def test_nothing_to_compare_is_no_success(tmp_path: Path) -> None:
    """An empty folder exits with 2."""
    command = [sys.executable, "-m", "tools.compare_loaders", str(tmp_path), "--loaders", "trimesh"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 2


@pytest.mark.bpy
def test_blender_differs_where_it_should(tmp_path: Path) -> None:
    """Blender agrees on a plain solid, lacks degenerate faces (reported apart), and cannot hold a sheared node."""
    need_blender()
    _write(tmp_path / "a_plain.glb", node={"translation": [5, 6, 7], "rotation": [0, 0.6, 0, 0.8], "scale": [2, 2, 2]})
    _write(tmp_path / "b_degenerate.glb", faces=(*TETRAHEDRON, 0, 4, 4))
    _write(tmp_path / "c_sheared.glb", node={"matrix": [1, 0, 0, 0, 0.9, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]})
    report = compare_folder(tmp_path, LOADERS)
    assert report["compared"] == {"trimesh": 3, "blender": 3}
    assert [(row["file"], row["theirs"][1][2]) for row in report["excused"]] == [("b_degenerate.glb", 3.0)]
    assert [(row["file"], row["loader"]) for row in report["mismatches"]] == [("c_sheared.glb", "blender")]


@pytest.mark.bpy
def test_blender_survives_bad_files(tmp_path: Path) -> None:
    """A file that Blender cannot import gives its reason, and a worker that ended is started anew for the next file."""
    need_blender()
    (tmp_path / "bad.glb").write_bytes(b"glTF and then nothing")
    _write(tmp_path / "good.glb")
    blender = Blender()
    assert isinstance(blender.measure(tmp_path / "bad.glb"), str)
    assert blender.measure(tmp_path / "good.glb") == Bounds((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
    blender.close()
    assert blender.measure(tmp_path / "good.glb") == Bounds((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
    blender.close()


@pytest.mark.bpy
def test_states_of_awkward_files_load_alike(tmp_path: Path, data_dir: Path) -> None:
    """Every state of the raw files has our bounds in at least one loader, and in both but for the loaders' limits."""
    need_blender()
    states = write_awkward_states(data_dir / "raw_glb", tmp_path / "states")
    report = compare_folder(states, LOADERS)
    assert report["mismatches"] == []
    assert report["compared"] == dict.fromkeys(LOADERS, report["files"])
    assert len(report["excused"]) < report["files"] / 4
