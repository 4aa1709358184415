"""Composed states hold no error, by the Khronos validator, that their sources do not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.gltf.compose import ComposedPiece, PieceSource, bake_state, compose_state
from engine.gltf.document import read_document
from engine.gltf.parts import list_part_nodes, read_part
from schemas.errors import EngineError
from tests.outside_tools import validate_states

POSE = (0.0, -2.0, 0.0, 0.5, 2.0, 0.0, 0.0, -0.25, 0.0, 0.0, 2.0, 0.125, 0.0, 0.0, 0.0, 1.0)
REFUSED_BY_US = "barnlamp_ktx2"
"""Holds KTX2 images without the extension: an error of the source that has another code there."""


@pytest.mark.node
def test_states_of_awkward_files_are_valid(tmp_path: Path, data_dir: Path) -> None:
    """Whole scenes, single parts and baked scenes of all raw files bring no error of their own."""
    states = tmp_path / "states"
    states.mkdir()
    for file in sorted((data_dir / "raw_glb").rglob("*.gl[bt]*")):
        try:
            document = read_document(file)
            read_part(document, None)
        except EngineError:
            continue
        if file.parent.name == REFUSED_BY_US:
            continue
        whole = [ComposedPiece("a", POSE, (PieceSource(document),))]
        parts = [
            ComposedPiece(f"s{n:03}", POSE, (PieceSource(document, p.id),))
            for n, p in enumerate(list_part_nodes(document))
        ]
        (states / f"{file.stem}_whole.glb").write_bytes(compose_state(whole))
        (states / f"{file.stem}_parts.glb").write_bytes(compose_state(parts))
        (states / f"{file.stem}_baked.glb").write_bytes(bake_state(whole))
    report = validate_states(states, data_dir / "raw_glb")
    assert report["new_errors"] == {}
    assert report["states"] >= 60
