"""What lone parts are mounted on: read from the file, measured against, and refused when it is of a wrong shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.gltf.container import join_glb, split_container
from engine.gltf.document import read_document
from engine.gltf.seats import MOST_TRIPLES, SEAT_KEY, read_seat
from engine.placement.survey import SEAT, PlacementSurveyor
from engine.starter.glb_writer import write_glb
from engine.starter.models import Piece
from engine.starter.paints import plain
from engine.starter.shells import Shell
from engine.starter.solids import box
from library_index.ports import ObjectSurvey, PartFile
from schemas.errors import GltfError

PAINT = plain("grey paint", "9a9a9a", 1.0)
DOOR = box(0.6, 1.2, 0.08).moved(0, 0.6, 0.04)
WALL = box(2.0, 2.0, 0.4).moved(0, 1.0, -0.198)


def write(path: Path, shell: Shell, *seat: Shell) -> Path:
    """A GLB of one shell and what it is mounted on."""
    path.write_bytes(write_glb([Piece(shell, PAINT)], 1.0, np.zeros(3), seat))
    return path


def survey(root: Path, *paths: Path) -> ObjectSurvey:
    """The survey of an object with one part a file."""
    return PlacementSurveyor().survey([PartFile(path.stem, path, None) for path in paths], root)


def test_a_door_alone_is_fastened_where_its_file_says(tmp_path: Path) -> None:
    """With a wall behind it a lone door faces away from the wall; without one it stands on the ground."""
    hung = survey(tmp_path, write(tmp_path / "hung.glb", DOOR, WALL)).parts[0].mounts[0]
    loose = survey(tmp_path, write(tmp_path / "loose.glb", DOOR)).parts[0].mounts[0]
    assert (hung.frame.direction, hung.frame.kind, hung.frame.parent) == ("side", "planar", SEAT)
    assert hung.frame.normal == pytest.approx((0.0, 0.0, 1.0), abs=1e-9)
    assert (loose.frame.direction, loose.frame.kind, loose.frame.parent) == ("up", "rest", "ground")
    assert hung.object_share == loose.object_share == 1.0


def test_the_seat_is_no_part_of_the_object(tmp_path: Path) -> None:
    """Bounds, parts and contacts are those of the door alone."""
    found = survey(tmp_path, write(tmp_path / "hung.glb", DOOR, WALL))
    assert found.bounds == survey(tmp_path, write(tmp_path / "loose.glb", DOOR)).bounds
    assert [part.part_id for part in found.parts] == ["hung"]
    assert (found.contacts, found.connected_pieces) == ((), 1)


def test_a_part_of_an_object_has_its_neighbours(tmp_path: Path) -> None:
    """Seats count for lone parts only: between two parts the real contact is measured."""
    door = write(tmp_path / "door.glb", DOOR, WALL.moved(z=0.5))
    mounts = survey(tmp_path, door, write(tmp_path / "wall.glb", WALL)).parts[0].mounts
    assert [mount.frame.parent for mount in mounts] == ["wall"]
    assert mounts[0].frame.normal == pytest.approx((0.0, 0.0, 1.0), abs=1e-9)


def test_a_seat_out_of_reach_leaves_the_part_on_the_ground(tmp_path: Path) -> None:
    """A wall that the door does not touch holds nothing."""
    far = survey(tmp_path, write(tmp_path / "far.glb", DOOR, WALL.moved(z=-1.0))).parts[0]
    assert far.mounts[0].frame.parent == "ground"


TRIANGLE = {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 2]]}
WRONG: dict[str, Any] = {
    "no object": [1, 2, 3],
    "no faces": {"vertices": TRIANGLE["vertices"]},
    "no triples": {**TRIANGLE, "faces": [[0, 1]]},
    "no numbers": {**TRIANGLE, "vertices": [["a", "b", "c"]] * 3},
    "truth values": {**TRIANGLE, "vertices": [[True, False, True]] * 3},
    "an index too high": {**TRIANGLE, "faces": [[0, 1, 3]]},
    "a negative index": {**TRIANGLE, "faces": [[0, 1, -1]]},
    "half an index": {**TRIANGLE, "faces": [[0, 1, 1.5]]},
    "too many faces": {**TRIANGLE, "faces": [[0, 1, 2]] * (MOST_TRIPLES + 1)},
}


@pytest.mark.parametrize("described", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_description_is_refused_with_its_place(tmp_path: Path, described: object) -> None:
    """The message names the key; the part is listed as refused, not measured without its seat."""
    path = write(tmp_path / "part.glb", DOOR, WALL)
    container = split_container(path.read_bytes(), path)
    document = json.loads(bytes(container.json_text))
    document["asset"]["extras"][SEAT_KEY] = described
    chunks = [] if container.binary is None else [container.binary]
    path.write_bytes(join_glb(json.dumps(document).encode(), chunks))
    with pytest.raises(GltfError, match=rf"asset\.extras\.{SEAT_KEY}"):
        read_seat(read_document(path, root=tmp_path))
    found = survey(tmp_path, path)
    assert (found.parts, [part_id for part_id, _ in found.refused]) == ((), ["part"])
    assert SEAT_KEY in found.refused[0][1]


def test_other_extras_are_left_alone(tmp_path: Path) -> None:
    """A file without the key, with extras of another shape, has no seat."""
    path = write(tmp_path / "part.glb", DOOR)
    container = split_container(path.read_bytes(), path)
    document = json.loads(bytes(container.json_text))
    for extras in ({"title": "door"}, [1, 2], "text"):
        document["asset"]["extras"] = extras
        chunks = [] if container.binary is None else [container.binary]
        path.write_bytes(join_glb(json.dumps(document).encode(), chunks))
        assert read_seat(read_document(path, root=tmp_path)) is None
