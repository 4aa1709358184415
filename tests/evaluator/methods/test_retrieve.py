"""The retrieving editor on scenes of boxes: each operation, what it leaves alone, and when it leaves everything."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

import numpy as np
import pytest

from engine.gltf.document import read_document
from engine.gltf.parts import list_part_nodes, read_part
from evaluator.methods.retrieve import Retrieve, find_hold
from evaluator.rollout.contract import TurnInput
from schemas.codec import encode
from schemas.errors import InputError
from schemas.method import EditRequest
from schemas.operation import OpName
from tests.bare_process import run_bare
from tests.box_chains import index_source
from tests.box_library import HOSTS, Box, make_boxes, write_box_library
from tests.evaluator.methods.box_edits import FRAME, ask, cells_of, grow, soup_of

TABLE = HOSTS["table"]
TOP, LEG, RED_BOX = TABLE[0], TABLE[1], TABLE[5]
STATE = make_boxes(TABLE)
CUP: Box = ("cup", (0.95, 0.8, 0.3), (0.3, 0.3, 0.3))
"""A place on the table top that is free."""
WARES: dict[str, tuple[Box, ...]] = {
    "wares": (
        ("stone base", (0.0, 0.0, 0.0), (4.0, 0.2, 2.0)),
        ("green crate", (0.5, 0.2, 0.5), (1.0, 1.0, 1.0)),
        ("tall white vase", (2.0, 0.2, 0.5), (0.3, 1.5, 0.3)),
        ("steel table leg", (3.0, 0.2, 0.5), (0.3, 2.1, 0.3)),
    )
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of wares that are not on the table."""
    folder = tmp_path_factory.mktemp("wares")
    return index_source(write_box_library(folder / "source", WARES), folder / "index").path


@pytest.fixture
def method(library: Path) -> Retrieve:
    """The editor with these wares."""
    return Retrieve({"library": str(library)})


def _boxes(state: bytes) -> list[list[float]]:
    """The box of every node, lowest and highest corner, in file order."""
    document = read_document(Path("state.glb"), data=state)
    found = []
    for part in list_part_nodes(document):
        vertices, _ = read_part(document, part.id).merged()
        found.append([*vertices.min(axis=0).tolist(), *vertices.max(axis=0).tolist()])
    return found


def _looks(state: bytes) -> list[str]:
    """The hash of every node's material, in file order."""
    document = read_document(Path("state.glb"), data=state)
    return [read_part(document, part.id).surfaces[0].material.digest for part in list_part_nodes(document)]


def test_an_addition_stands_on_what_is_below_the_mask(method: Retrieve, tmp_path: Path) -> None:
    """The crate of the library is scaled to the mask less its margin, touches the table top, and nothing else moves."""
    given = ask(tmp_path, STATE, "add", "Put a green crate on the table top, beside the red box.", CUP)
    output = method.edit(given).glb
    boxes = _boxes(output)
    assert boxes[:-1] == _boxes(STATE)
    assert _looks(output)[:-1] == _looks(STATE)
    low, high = np.array(boxes[-1][:3]), np.array(boxes[-1][3:])
    assert low[1] == pytest.approx(0.8, abs=1e-6)
    assert np.abs(high - low - 0.3).max() < 2 * FRAME.pitch
    assert np.abs(0.5 * (low + high) - [1.1, 0.95, 0.45]).max() < FRAME.pitch
    assert not (cells_of(output) & ~grow(*TABLE, CUP)).any()


def test_an_addition_on_the_ground_stands_on_the_floor(method: Retrieve, tmp_path: Path) -> None:
    """Where nothing is below, the lowest point of the state is the floor."""
    place: Box = ("vase", (0.7, 0.0, 1.2), (0.1, 0.5, 0.1))
    output = method.edit(ask(tmp_path, STATE, "add", "Set a white vase on the ground.", place)).glb
    assert _boxes(output)[-1][1] == pytest.approx(0.0, abs=1e-6)
    assert _boxes(output)[-1][4] == pytest.approx(0.5, abs=2 * FRAME.pitch)


def test_a_removal_takes_what_fills_the_mask_and_nothing_else(method: Retrieve, tmp_path: Path) -> None:
    """All other nodes are the very same."""
    output = method.edit(ask(tmp_path, STATE, "remove", "Take away the red box.", RED_BOX)).glb
    assert _boxes(output) == _boxes(STATE)[:-1]
    assert _looks(output) == _looks(STATE)[:-1]


def test_a_replacement_takes_the_place_of_what_goes(method: Retrieve, tmp_path: Path) -> None:
    """The steel leg is as high as the wooden one, hangs from the table top, and is as thick."""
    given = ask(tmp_path, STATE, "replace", "Swap the front left leg of the table for a steel leg.", LEG)
    boxes = _boxes(method.edit(given).glb)
    assert boxes[:-1] == [box for number, box in enumerate(_boxes(STATE)) if number != 1]
    low, high = np.array(boxes[-1][:3]), np.array(boxes[-1][3:])
    assert high[1] == pytest.approx(0.7, abs=1e-6)
    assert low[1] == pytest.approx(0.0, abs=1e-6)
    assert np.allclose(0.5 * (low + high)[[0, 2]], [1.5, 0.9], atol=1e-6)
    assert high[0] - low[0] == pytest.approx(0.1, abs=1e-6)


def test_a_retexture_paints_what_fills_the_mask(method: Retrieve, tmp_path: Path) -> None:
    """No cell and no other look changes; the painted node has the material's roughness and picture."""
    output = method.edit(ask(tmp_path, STATE, "retexture", "Make the red box out of white marble.", RED_BOX)).glb
    assert _boxes(output) == _boxes(STATE)
    before, after = _looks(STATE), _looks(output)
    assert after[:-1] == before[:-1]
    assert after[-1] != before[-1]
    document = read_document(Path("state.glb"), data=output)
    assert read_part(document, list_part_nodes(document)[-1].id).surfaces[0].material.base_color is not None


@pytest.mark.parametrize(
    ("operation", "instruction", "place", "reason"),
    [
        ("add", "Put a violet trombone on the table top.", CUP, "nothing like 'violet trombone'"),
        ("add", "Tidy up.", CUP, "does not say what is to come"),
        ("remove", "Remove the cup.", CUP, "0 of 6 nodes"),
        ("replace", "Replace the cup with a green crate.", CUP, "no node fills the mask"),
        ("replace", "Replace the red box with a violet trombone.", RED_BOX, "nothing like 'violet trombone'"),
        ("retexture", "Make the cup out of white marble.", CUP, "no node fills the mask"),
        ("retexture", "Make the red box nicer.", RED_BOX, "no material"),
    ],
)
def test_what_cannot_be_done_leaves_the_state_as_it_is(
    method: Retrieve,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    operation: OpName,
    instruction: str,
    place: Box,
    reason: str,
) -> None:
    """Byte for byte, with the reason in the log."""
    with caplog.at_level(logging.WARNING):
        output = method.edit(ask(tmp_path, STATE, operation, instruction, place))
    assert output.glb == STATE
    assert reason in caplog.text


def test_an_empty_mask_leaves_the_state_as_it_is(method: Retrieve, tmp_path: Path) -> None:
    """Where nothing may change nothing is put."""
    beyond: Box = ("far", (40.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    assert method.edit(ask(tmp_path, STATE, "add", "Put a green crate on the ground.", beyond)).glb == STATE


def test_the_last_node_is_not_removed(method: Retrieve, tmp_path: Path) -> None:
    """A state without triangles would be no state."""
    alone = make_boxes((RED_BOX,))
    assert method.edit(ask(tmp_path, alone, "remove", "Remove the red box.", RED_BOX)).glb == alone


def test_its_own_addition_can_be_removed_again(method: Retrieve, tmp_path: Path) -> None:
    """What was brought is a node of its own, and goes with the mask it was brought for."""
    added = method.edit(ask(tmp_path / "1", STATE, "add", "Put a green crate on the table top.", CUP)).glb
    removed = method.edit(ask(tmp_path / "2", added, "remove", "Remove the green crate.", CUP)).glb
    assert _boxes(removed) == _boxes(STATE)
    assert all(map(np.array_equal, soup_of(removed), soup_of(STATE)))


PROGRAM = """
import hashlib, sys
sys.path[:0] = {path!r}
from pathlib import Path
from evaluator.methods.retrieve import Retrieve
from evaluator.rollout.contract import TurnInput
from schemas.codec import decode
from schemas.method import EditRequest
folder = Path({folder!r})
request = decode(EditRequest, (folder / "request.json").read_bytes(), "request")
print(hashlib.sha256(Retrieve({{"library": {library!r}}}).edit(TurnInput(folder, request)).glb).hexdigest())
"""


@pytest.mark.parametrize(
    ("operation", "instruction", "place"),
    [
        ("replace", "Swap the red box for a tall white vase.", RED_BOX),
        ("retexture", "Paint the red box green.", RED_BOX),
    ],
)
def test_another_process_writes_the_same_bytes(
    method: Retrieve, library: Path, tmp_path: Path, operation: OpName, instruction: str, place: Box
) -> None:
    """Whatever the hash seed, the number of threads or the kernels of a matrix library."""
    given = ask(tmp_path, STATE, operation, instruction, place)
    here = hashlib.sha256(method.edit(given).glb).hexdigest()
    (tmp_path / "request.json").write_bytes(encode(given.request))
    root = str(Path(__file__).resolve().parents[3])
    program = PROGRAM.format(path=[root], folder=str(tmp_path), library=str(library))
    there = run_bare(
        program, tmp_path, PYTHONHASHSEED="77", OMP_NUM_THREADS="1", OPENBLAS_CORETYPE="Prescott", HOME=str(tmp_path)
    )
    assert there == here


def test_what_it_lacks_is_said(library: Path, tmp_path: Path) -> None:
    """No library, an unknown option, or a request without mask is refused with its name."""
    with pytest.raises(InputError, match="library=FOLDER"):
        Retrieve({})
    with pytest.raises(InputError, match="'libary' is unknown"):
        Retrieve({"libary": str(library)})
    with pytest.raises(InputError, match="no operation or no edit mask"):
        Retrieve({"library": str(library)}).edit(TurnInput(tmp_path, EditRequest(instruction="Remove it.")))


def test_a_thing_is_held_where_it_shares_cells() -> None:
    """A hat is held at its bottom, a lamp on a ceiling at its top; what touches nothing stands."""
    shared = np.zeros((96, 96, 96), dtype=np.bool_)
    box = np.array([[10.0, 10.0, 10.0], [20.0, 20.0, 20.0]])
    assert find_hold(shared, box).tolist() == [0.5, 0.0, 0.5]
    shared[26:36, 35, 26:36] = True
    assert find_hold(shared, box).tolist() == [0.5, 1.0, 0.5]
