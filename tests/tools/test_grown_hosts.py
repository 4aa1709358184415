"""Growing a real host for the benchmark of turns."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.geometry.overlap import build_solid
from engine.gltf.document import read_document
from engine.gltf.parts import list_part_nodes, read_part
from tests.box_library import make_boxes
from tools.grown_hosts import CAPTIONS, HOST, PARTS, Size, choose_splits, subdivide_glb, write_grown_library

CRATE = (("crate", (0.1, 0.2, 0.3), (0.7, 0.9, 1.3)),)


@pytest.mark.parametrize("pieces", [1, 2, 5])
def test_a_subdivided_part_is_the_same_surface(pieces: int, tmp_path: Path) -> None:
    """Closed, of equal volume and bounds, with the square of the pieces as many triangles."""
    path = tmp_path / "crate.glb"
    path.write_bytes(subdivide_glb(make_boxes(CRATE), pieces))
    document = read_document(path)
    solid = build_solid(*read_part(document, list_part_nodes(document)[0].id).merged())
    assert solid.mesh.closed
    assert len(solid.mesh.faces) == 12 * pieces**2
    assert solid.volume == pytest.approx(0.7 * 0.9 * 1.3, rel=1e-6)
    np.testing.assert_allclose(solid.bounds, [[0.1, 0.2, 0.3], [0.8, 1.1, 1.6]], atol=1e-6)


def test_splits_come_near_the_asked_number_and_never_beyond() -> None:
    """All parts are split alike; what is left goes to small ones."""
    counts = [12, 40, 300, 5]
    splits = choose_splits(counts, 10_000)
    total = sum(count * split**2 for count, split in zip(counts, splits, strict=True))
    assert 9_000 < total <= 10_000
    assert splits[2] == min(splits) == 5
    assert choose_splits(counts, 100) == [1, 1, 1, 1]


def test_copies_stand_side_by_side_and_are_told_apart(tmp_path: Path) -> None:
    """A host of one crate, copied: numbered parts, shifted by nearly its width, with captions of their own."""
    source = tmp_path / "data"
    (source / PARTS / HOST).mkdir(parents=True)
    (source / PARTS / HOST / "0.glb").write_bytes(make_boxes(CRATE))
    (source / CAPTIONS).write_text(json.dumps({HOST: {"0": ["A wooden crate.", "A wooden crate; small."]}}), "utf-8")
    write_grown_library(source, tmp_path / "grown", Size(3, 36), others=0)
    files = sorted((tmp_path / "grown" / PARTS / HOST).iterdir())
    assert [file.name for file in files] == ["0.glb", "1.glb", "2.glb"]
    lows = []
    for file in files:
        document = read_document(file)
        lows.append(read_part(document, None).merged()[0].min(axis=0))
    # The width is that of the mesh in its own units: one.
    np.testing.assert_allclose(np.diff([low[0] for low in lows]), 0.98, atol=1e-6)
    said = json.loads((tmp_path / "grown" / CAPTIONS).read_text("utf-8"))[HOST]
    assert [said[str(k)][0] for k in range(3)] == ["A wooden crate.", "A blue wooden crate.", "A green wooden crate."]
