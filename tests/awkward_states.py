"""States composed of the awkward files of the shared data."""

from __future__ import annotations

from pathlib import Path

from engine.gltf.compose import ComposedPiece, PieceSource, bake_state, compose_state
from engine.gltf.document import read_document
from engine.gltf.parts import list_part_nodes, read_part
from schemas.errors import EngineError

POSE = (0.0, -2.0, 0.0, 0.5, 2.0, 0.0, 0.0, -0.25, 0.0, 0.0, 2.0, 0.125, 0.0, 0.0, 0.0, 1.0)


def write_awkward_states(sources: Path, states: Path, *, without: tuple[str, ...] = ()) -> Path:
    """Write whole scenes, single parts and baked scenes of all files that we read, but those below `without`."""
    states.mkdir()
    for file in sorted(sources.rglob("*.gl[bt]*")):
        try:
            document = read_document(file)
            read_part(document, None)
        except EngineError:
            continue
        if file.parent.name in without:
            continue
        whole = [ComposedPiece("a", POSE, (PieceSource(document),))]
        parts = [
            ComposedPiece(f"s{n:03}", POSE, (PieceSource(document, part.id),))
            for n, part in enumerate(list_part_nodes(document))
        ]
        (states / f"{file.stem}_whole.glb").write_bytes(compose_state(whole))
        (states / f"{file.stem}_parts.glb").write_bytes(compose_state(parts))
        (states / f"{file.stem}_baked.glb").write_bytes(bake_state(whole))
    return states
