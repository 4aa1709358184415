"""The editor that removes what is named: exactly that, and nothing when there is nothing to remove."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from chains.files import list_chains
from engine.cells.lattice import ChainFrame, Grid, Soup, fill_grid, measure_chain_frame, measure_soup_box, voxelise
from engine.gltf.compose import compose_fragments, compose_state
from engine.gltf.document import read_document
from engine.gltf.fragments import Fragment, NodeSource, PrimitiveSource, array_accessor
from engine.gltf.parts import read_part
from engine.gltf.pieces import ComposedPiece, PieceSource
from evaluator.methods.delete_named import DeleteNamed
from evaluator.regions import find_edit_region
from schemas.base import IDENTITY_POSE
from schemas.errors import InputError
from tests.box_library import Box, make_boxes
from tests.evaluator.methods.edit_requests import ChainRequests, lay_request

LARGEST = 400_000
"""Bytes of a host's files: small ones are read in milliseconds."""
PLATE: Box = ("plate", (0.0, 0.0, 0.0), (2.0, 0.1, 2.0))
CRATE: Box = ("crate", (0.5, 0.1, 0.5), (0.4, 0.4, 0.4))
STUD: Box = ("stud", (0.91, 0.2, 0.6), (0.02, 0.02, 0.02))
"""Smaller than a cell, beside the crate: the crate grown by a cell holds it whole."""


def _read(glb: bytes) -> Counter[bytes]:
    """The triangles of a file, in no order: world corners with the colour they have."""
    triangles: Counter[bytes] = Counter()
    for surface in read_part(read_document(Path("state.glb"), data=glb), None).surfaces:
        color = np.array(surface.material.base_color_factor).tobytes()
        triangles.update(corners.tobytes() + color for corners in surface.positions[surface.faces])
    return triangles


def _region_of(states: bytes, *named: bytes) -> tuple[Grid, ChainFrame]:
    """The edit mask of removing files from a state."""
    frame = measure_chain_frame([measure_soup_box(_soup(states))])
    cells = fill_grid([voxelise(_soup(file), frame) for file in named])
    return find_edit_region(cells, fill_grid([])), frame


def _soup(glb: bytes) -> Soup:
    return read_part(read_document(Path("state.glb"), data=glb), None).merged()


def _remove(folder: Path, state: bytes, region: tuple[Grid, ChainFrame]) -> bytes:
    return DeleteNamed({}).edit(lay_request(folder, state, operation="remove", region=region)).glb


def _in_one_node(glb: bytes) -> bytes:
    """The same state as one primitive of one node that mirrors and hangs below another."""
    vertices, faces = _soup(glb)
    positions = array_accessor((vertices * [-1.0, 1.0, 1.0]).astype("<f4"), "VEC3", bounds=True)
    # Seen in the mirror the triangles are right again, so they are stored the other way round.
    indices = array_accessor(np.ascontiguousarray(faces[:, ::-1]).reshape(-1).astype("<u4"), "SCALAR")
    primitive = PrimitiveSource((("POSITION", positions),), indices, 4, None, {})
    node = NodeSource({}, (), (NodeSource({"scale": [-1.0, 1.0, 1.0]}, (primitive,), ()),))
    return compose_fragments([Fragment((node,), (), ())])


@pytest.mark.slow
def test_removals_of_chains_are_followed_to_the_triangle(index: Path, chains: Path, tmp_path: Path) -> None:
    """From the true state before it, a removal gives the true state after it; other turns give the same bytes."""
    removals = 0
    for number, path in enumerate(list_chains(chains)):
        requests = ChainRequests(path, index, tmp_path / str(number))
        for turn in requests.states.chain.turns:
            before = requests.true_state(turn.index - 1)
            given = requests.give(turn.index, before, DeleteNamed.access)
            after = DeleteNamed({}).edit(given).glb
            if turn.operation.op == "remove":
                removals += 1
                assert _read(after) == _read(requests.true_state(turn.index))
                assert len(after) < len(before)
            else:
                assert after == before
    assert removals >= 3


def test_every_part_of_real_hosts_goes_alone(tmp_path: Path, data_dir: Path) -> None:
    """Of hosts with parts that touch, pierce and hide one another, the mask of each part takes that part away."""
    folders = sorted((data_dir / "partverse_dev" / "textured_part_glbs").iterdir())
    hosts = [sorted(folder.glob("*.glb")) for folder in folders]
    small = [files for files in hosts if len(files) > 3 and sum(file.stat().st_size for file in files) < LARGEST]
    right = 0
    for files in small[:6]:
        pieces = [ComposedPiece(file.stem, IDENTITY_POSE, (PieceSource(read_document(file)),)) for file in files]
        state = compose_state(pieces)
        for file, piece in zip(files, pieces, strict=True):
            after = _remove(tmp_path, state, _region_of(state, file.read_bytes()))
            assert _read(after) == _read(compose_state([other for other in pieces if other is not piece]))
            right += 1
    assert right >= 30


def test_a_tiny_neighbour_within_the_grown_mask_stays(tmp_path: Path) -> None:
    """The stud's cells all lie in the crate's mask, but not in what is left of it when it shrinks by a cell."""
    state = make_boxes((PLATE, CRATE, STUD))
    region, frame = _region_of(state, make_boxes((CRATE,)))
    assert region.reshape(-1)[voxelise(_soup(make_boxes((STUD,))), frame)].all()
    vertices, faces = _soup(_remove(tmp_path, state, (region, frame)))
    kept, kept_faces = _soup(make_boxes((PLATE, STUD)))
    assert np.array_equal(vertices[faces], kept[kept_faces])


def test_what_stands_roughly_there_is_taken_and_nothing_else(tmp_path: Path) -> None:
    """A part that the mask holds half is taken when none lies in it whole; with nothing near, the bytes come back."""
    moved: Box = ("crate", (0.57, 0.1, 0.5), (0.4, 0.4, 0.4))
    state = make_boxes((PLATE, moved))
    region = _region_of(state, make_boxes((CRATE,)))
    assert len(_read(_remove(tmp_path, state, region))) == 12
    far: Box = ("crate", (1.4, 0.1, 1.4), (0.4, 0.4, 0.4))
    elsewhere = make_boxes((PLATE, far))
    assert _remove(tmp_path, elsewhere, _region_of(elsewhere, make_boxes((CRATE,)))) == elsewhere


def test_the_last_piece_stays(tmp_path: Path) -> None:
    """An empty state would count as a failed turn: what would leave nothing changes nothing."""
    state = make_boxes((PLATE,))
    assert _remove(tmp_path, state, _region_of(state, state)) == state


def test_a_state_in_one_node_is_taken_apart_by_shells(tmp_path: Path) -> None:
    """One mirrored mesh holds plate and crate: the crate's triangles go, the plate's keep corners and order."""
    state = _in_one_node(make_boxes((PLATE, CRATE)))
    after = _remove(tmp_path, state, _region_of(state, make_boxes((CRATE,))))
    vertices, faces = _soup(after)
    plate, plate_faces = _soup(make_boxes((PLATE,)))
    assert np.array_equal(vertices[faces], plate[plate_faces].astype(np.float32).astype(np.float64))


def test_a_request_without_a_sound_mask_is_refused(tmp_path: Path) -> None:
    """A missing mask and a grid of another shape are named."""
    state = make_boxes((PLATE, CRATE))
    with pytest.raises(InputError, match="no edit mask"):
        DeleteNamed({}).edit(lay_request(tmp_path, state, operation="remove"))
    given = lay_request(tmp_path, state, operation="remove", region=_region_of(state, make_boxes((CRATE,))))
    np.save(tmp_path / "mask.npy", np.ones((64, 64, 63), dtype=np.bool_))
    with pytest.raises(InputError, match=r"\(64, 64, 63\) bool, must be"):
        DeleteNamed({}).edit(given)
