"""The kernels on the real hosts, against figures that another implementation measured on them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import trimesh
from geometry_meshes import arrays, soup

from engine.geometry.bounds import diagonal, merge_bounds
from engine.geometry.components import connected_pieces
from engine.geometry.contacts import contact_pairs
from engine.geometry.landing import landing_spots
from engine.geometry.overlap import Placed, build_solid, place_solid
from engine.geometry.patches import free_patches


def _parts_of(folder: Path) -> list[Placed]:
    uid = folder.name
    scene = trimesh.load_scene(folder / f"{uid}_segmented.glb", process=False, skip_materials=True)
    vertices, faces = soup(*(arrays(mesh) for mesh in scene.dump()))
    table = json.loads((folder / f"{uid}_face2label.json").read_text(encoding="utf-8"))
    labels = np.array([table[str(k)] for k in range(len(faces))])
    return [place_solid(build_solid(vertices, faces[labels == k]), np.eye(4)) for k in np.unique(labels)]


def _has_spot(placed: list[Placed], size: float) -> bool:
    return any(
        landing_spots(patch, part, placed[:k] + placed[k + 1 :], size, max_spots=1)
        for k, part in enumerate(placed)
        for patch in free_patches(part.solid.mesh, size, min_up=0.85)
    )


def test_contacts_and_landing_spots_of_all_hosts(data_dir: Path) -> None:
    """All 91 hosts have the known contacts, pieces and degrees at 0.01 D, and 78 of them a free landing spot."""
    pieces: Counter[int] = Counter()
    degrees: Counter[int] = Counter()
    pairs = 0
    with_spot = 0
    for folder in sorted((data_dir / "partverse_dev" / "anno_infos").iterdir()):
        placed = _parts_of(folder)
        size = diagonal(merge_bounds(placed[0].bounds, *(part.bounds for part in placed[1:])))
        found = contact_pairs(placed, 0.01 * size)
        pairs += len(found)
        pieces[connected_pieces(len(placed), [(i, j) for i, j, _ in found])] += 1
        degree = Counter(k for i, j, _ in found for k in (i, j))
        degrees.update(min(degree[k], 6) for k in range(len(placed)))
        with_spot += _has_spot(placed, size)
    assert pairs == 1737
    assert with_spot == 78
    assert pieces == {1: 84, 2: 4, 3: 1, 4: 1, 6: 1}
    assert [degrees[k] for k in range(7)] == [9, 344, 288, 203, 138, 62, 129]
