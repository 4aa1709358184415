"""Parts become documents: a file is parsed once, however many parts it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
import trimesh

from engine import assemble
from engine.placement.survey import PlacementSurveyor
from library_index.build import build_library
from library_index.embedders.hashing import HashingEmbedder
from library_index.library import open_library
from library_index.store import PartStore


def test_parts_of_one_file_share_its_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five parts, one parse: else the work grows with the square of the parts."""
    (tmp_path / "source").mkdir()
    scene = trimesh.Scene()
    for k in range(5):
        box = trimesh.creation.box()
        box.apply_translation((float(k), 0.0, 0.0))
        scene.add_geometry(box, node_name=f"box_{k}", geom_name=f"box_{k}")
    (tmp_path / "source" / "row.glb").write_bytes(scene.export(file_type="glb"))
    build_library(
        tmp_path / "source", tmp_path / "lib", surveyor=PlacementSurveyor(), embedder=HashingEmbedder(), workers=0
    )
    library = open_library(tmp_path / "lib")
    read: list[Path] = []
    parse = assemble.read_document
    monkeypatch.setattr(assemble, "read_document", lambda path, **more: (read.append(path), parse(path, **more))[1])
    assembler = assemble.Assembler(PartStore(library), tmp_path / "assets")
    sources = [assembler.source(record.ref) for record in library.records_of("row")]
    assert len(read) == 1
    assert sorted(str(source.node) for source in sources) == [f"box_{k}" for k in range(5)]
