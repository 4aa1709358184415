"""The editor that makes every state anew from its cells: what it keeps, how it drifts, and how that scores."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from engine.cells.lattice import Grid, fill_grid, measure_chain_frame, measure_soup_box, voxelise
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.surfaces import FloatArray, Material, PartModel, Surface
from evaluator.methods.cell_mesh import PULL, encode_mesh
from evaluator.methods.voxel_regenerate import VoxelRegenerate, regenerate
from evaluator.own import OwnState, host_state
from evaluator.protocol import Protocol
from evaluator.score import score_turn
from evaluator.truth import ChainTruth
from schemas.errors import EmptyModelError, GeometryError
from schemas.score import Score
from tests.bare_process import run_bare
from tests.box_library import HOSTS, make_boxes
from tests.evaluator.methods.edit_requests import lay_request

ROOT = Path(__file__).resolve().parents[3]


def _model(glb: bytes) -> PartModel:
    return read_part(read_document(Path("state.glb"), data=glb), None)


def _edit(folder: Path, glb: bytes) -> bytes:
    return VoxelRegenerate({}).edit(lay_request(folder, glb)).glb


def _overlap(a: Grid, b: Grid) -> float:
    return float(np.count_nonzero(a & b) / np.count_nonzero(a | b))


def _sheet(colors: FloatArray) -> PartModel:
    """A square sheet of side 1 at height 0.3, vertex colours (4, 4), in a material half as light."""
    positions = np.array([[0.0, 0.3, 0.0], [1.0, 0.3, 0.0], [1.0, 0.3, 1.0], [0.0, 0.3, 1.0]])
    material = Material(base_color_factor=(0.5, 0.5, 0.5, 1.0))
    faces = np.array([[0, 2, 1], [0, 3, 2]])
    return PartModel((Surface(positions, faces, None, (), colors.astype(np.float32), material),))


def test_a_sheet_becomes_a_thin_sheet_through_its_cells() -> None:
    """Both sides lie a twentieth of a cell from the middle of the cells, at most half a cell from the sheet."""
    model = _sheet(np.ones((4, 4)))
    frame = measure_chain_frame([measure_soup_box(model.merged())])
    mesh = regenerate(model)
    heights = np.unique(np.round(mesh.vertices[:, 1] / frame.pitch, 6))
    assert len(heights) == 2
    assert heights[1] - heights[0] == pytest.approx(1.0 - PULL)
    assert abs(heights.mean() - 0.3 / frame.pitch) <= 0.5
    assert np.array_equal(voxelise((mesh.vertices, mesh.faces), frame), voxelise(model.merged(), frame))


def test_colors_are_linear_means_of_what_lies_in_the_cells() -> None:
    """Vertex colours that run from black to white and a factor of one half give half the place along the sheet."""
    model = _sheet(np.array([[0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]]))
    mesh = regenerate(model)
    assert np.abs(mesh.colors - 0.5 * mesh.vertices[:, :1]).max() < 0.01
    (surface,) = _model(encode_mesh(mesh)).surfaces
    assert surface.colors is not None
    assert np.array_equal(surface.colors[:, :3], mesh.colors.astype(np.float32))
    assert surface.material.metallic == 0.0


def test_every_turn_is_further_from_the_first_state_and_no_larger(tmp_path: Path) -> None:
    """Cells in common with the first state fall turn by turn but stay; the box shrinks by less than a cell a turn."""
    first = make_boxes(HOSTS["shelf"])
    frame = measure_chain_frame([measure_soup_box(_model(first).merged())])
    start = fill_grid([voxelise(_model(first).merged(), frame)])
    state, common, sides = first, [], [frame.side]
    for _ in range(6):
        state = _edit(tmp_path, state)
        soup = _model(state).merged()
        common.append(_overlap(start, fill_grid([voxelise(soup, frame)])))
        low, high = measure_soup_box(soup)
        sides.append(float((high - low).max()))
    assert common[0] > 0.9
    assert all(later < earlier for earlier, later in pairwise(common))
    assert 0.1 < common[-1] < 0.7
    assert all(earlier - frame.pitch < later < earlier for earlier, later in pairwise(sides))


@pytest.mark.slow
def test_doing_nothing_beats_it_on_the_whole(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """Whole F of its own states lies below the no-op's on every turn."""
    truth = ChainTruth(one_chain, index, Protocol())
    host = host_state(truth)
    state, before = truth.replayer.turn(0).glb, host
    for turn in truth.chain.turns:
        state = _edit(tmp_path / "own", state)
        after = OwnState(_model(state).merged(), truth, f"own {turn.index}")
        ours, _, _ = score_turn(truth, turn.index, before, after)
        still, _, _ = score_turn(truth, turn.index, host, host)
        assert _value(ours, "f_score_001") < _value(still, "f_score_001")
        before = after


def _value(scores: tuple[Score, ...], metric: str) -> float:
    """A score of the whole, which must be defined."""
    (found,) = (row.value for row in scores if row.metric == metric and row.region == "whole")
    assert isinstance(found, float), metric
    return found


def test_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    """Neither hash seed, threads, BLAS kernel nor vector instructions of the processor reach the file."""
    state = tmp_path / "state.glb"
    state.write_bytes(make_boxes(HOSTS["table"]))
    program = (
        "import hashlib; from pathlib import Path; from evaluator.methods.voxel_regenerate import VoxelRegenerate\n"
        "from evaluator.rollout.contract import TurnInput; from schemas.method import EditRequest\n"
        "given = TurnInput(Path('.'), EditRequest(instruction='x', input='state.glb'))\n"
        "print(hashlib.sha256(VoxelRegenerate({}).edit(given).glb).hexdigest())"
    )
    conditions = (
        {"PYTHONHASHSEED": "1", "OPENBLAS_CORETYPE": "Prescott", "OMP_NUM_THREADS": "1"},
        {"PYTHONHASHSEED": "2", "OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512_SKX"},
    )
    paths = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    assert len({run_bare(program, tmp_path, **paths, **condition) for condition in conditions}) == 1


def test_a_state_without_surface_or_extent_is_refused() -> None:
    """There is nothing to make anew; the turn fails with the reason."""
    with pytest.raises((GeometryError, EmptyModelError)):
        regenerate(PartModel(()))
    point = _sheet(np.ones((4, 4))).surfaces[0]
    flat = Surface(np.zeros((4, 3)), point.faces, None, (), None, point.material)
    with pytest.raises(GeometryError, match="side 0"):
        regenerate(PartModel((flat,)))
