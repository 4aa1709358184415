"""Metrics on cells over shared cases and over chains that the engine built, from their state files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from cell_sets import value_of, voxelise_pieces

from chains.files import list_chains
from chains.state import State, states_of
from engine.cells.lattice import (
    Cells,
    ChainFrame,
    Grid,
    Soup,
    fill_grid,
    measure_chain_frame,
    measure_soup_box,
    voxelise,
)
from engine.cells.sizes import MARGIN_CELLS
from engine.geometry.similarity import as_matrix, transform_points
from engine.gltf.document import Document, read_document
from engine.gltf.parts import list_part_nodes, read_part
from engine.replay import Replayer
from evaluator.beyond import measure_beyond
from evaluator.metrics.voxel import TurnCells, VoxelScores, score_cells
from evaluator.regions import find_truth_cells, named_slots_of
from schemas.operation import OpName
from tests.box_chains import build_on_table, index_boxes


class CaseTurn(NamedTuple):
    """One turn of the shared cases as they give it."""

    frame: ChainFrame
    scores: VoxelScores
    expected: dict[str, object]


def _frame(row: dict[str, object]) -> ChainFrame:
    """A cube of the cases, whose cells begin at its corner."""
    assert row["grid"] == 64
    side = float(str(row["side"]))
    x, y, z = (float(k) + side / 2.0 for k in row["origin"])  # type: ignore[attr-defined]
    return ChainFrame((x, y, z), side, "tight")


def _pieces(document: Document) -> dict[str, Soup]:
    return {part.id: read_part(document, part.id).merged() for part in list_part_nodes(document)}


def _score_case(folder: Path) -> CaseTurn:
    turn = json.loads((folder / "turn.json").read_text(encoding="utf-8"))
    frame = _frame(turn["frame"])
    files = {role: read_document(folder / file) for role, file in turn["files"].items()}
    before, after = (voxelise_pieces(_pieces(files[role]), frame) for role in ("previous_target", "target"))
    named = {*turn["named_parts_before"], *turn["named_parts_after"]}
    own_before, own = (
        fill_grid([voxelise(read_part(files[role], None).merged(), frame)]) for role in ("previous_output", "output")
    )
    truth = find_truth_cells(before, after, named, fill_grid(before.values()), None)
    operation: OpName = turn["op"]
    checks = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["checks"]
    return CaseTurn(frame, score_cells(TurnCells(operation, truth, own_before, own)), checks)


@pytest.mark.parametrize("name", ["E01-output-equals-target", "E07-no-operation"])
def test_cases_with_known_counts(cases_dir: Path, name: str) -> None:
    """The target itself and the untouched object have the counts and scores of the case."""
    _, scores, checks = _score_case(cases_dir / name)
    expected = checks["either_voxel_rule"]["surface"]  # type: ignore[index]
    counts = scores.counts
    assert (counts.own, counts.target) == (expected["cells_output"], expected["cells_target"])
    assert (counts.to_add, counts.to_remove) == (expected["additions_needed"], expected["removals_needed"])
    assert value_of(scores.if_plus) == value_of(scores.instruction_following) == expected["if_plus"]
    assert value_of(scores.if_minus) is expected["if_minus"] is None
    assert value_of(scores.iou_whole) == expected["iou_whole"]
    assert value_of(scores.consistency_previous) == expected["iou_unchanged_to_previous_output"]


def test_an_output_in_another_scale(cases_dir: Path) -> None:
    """Centimetres are not put right: IF and overlap 0, all of the output beyond the array, the ratio of sizes 100."""
    folder = cases_dir / "E04-output-in-other-scale"
    frame, scores, _ = _score_case(folder)
    assert (scores.iou_whole, scores.if_plus, scores.instruction_following) == (0.0, 0.0, 0.0)
    target, output = (read_part(read_document(folder / f"{name}.glb"), None).merged() for name in ("target", "output"))
    low, high = measure_soup_box(target)
    beyond = measure_beyond(output, frame, float((high - low).max()))
    assert (beyond.share, beyond.size_ratio) == (1.0, pytest.approx(100.0, rel=1e-6))


def test_a_retexture_turn(cases_dir: Path) -> None:
    """A turn that changes no cell has no IF, and an overlap of 1."""
    _, scores, _ = _score_case(cases_dir / "E06-no-voxels-to-change")
    assert value_of(scores.instruction_following) is None
    assert scores.iou_whole == scores.keep_edit == 1.0


def test_counts_of_the_known_grid(cases_dir: Path) -> None:
    """Box and hat have exactly the known numbers of surface cells through the chain's frame too."""
    folder = cases_dir / "E09-voxel-count"
    frame = _frame(json.loads((folder / "frame.json").read_text(encoding="utf-8")))
    checks = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["checks"]
    for name, counts in checks.items():
        grid = fill_grid([voxelise(read_part(read_document(folder / name), None).merged(), frame)])
        inner = slice(MARGIN_CELLS, MARGIN_CELLS + 64)
        assert grid.sum() == grid[inner, inner, inner].sum() == counts["surface"]


class BuiltChain(NamedTuple):
    """The cells of one engine-built chain: of its pieces as they are posed, and of its state files."""

    operations: list[tuple[OpName, tuple[str, ...]]]
    states: list[dict[str, Cells]]
    files: list[Grid]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[BuiltChain]:
    """Chains of three families on a table of boxes."""
    folder = tmp_path_factory.mktemp("voxel_chains")
    index = index_boxes(folder)
    return [_read_chain(file, index) for file in list_chains(build_on_table(index, folder / "chains", ("R", "X", "M")))]


def _read_chain(file: Path, index: Path) -> BuiltChain:
    replayer = Replayer(file, index)
    states = [state for _, state in states_of(replayer.chain)]
    soups = [_soups(replayer, state) for state in states]
    frame = measure_chain_frame(measure_soup_box(soup) for state in soups for soup in state.values())
    cells = [voxelise_pieces(soups[0], frame)]
    operations: list[tuple[OpName, tuple[str, ...]]] = []
    for turn, state in zip(replayer.chain.turns, soups[1:], strict=True):
        named = named_slots_of(turn.operation)
        kept = {slot: known for slot, known in cells[-1].items() if slot in state and slot not in named}
        cells.append({**kept, **voxelise_pieces({slot: state[slot] for slot in named if slot in state}, frame)})
        operations.append((turn.operation.op, named))
    glbs = [read_document(file, data=state.glb) for state in replayer.turns()]
    files = [fill_grid([voxelise(read_part(glb, None).merged(), frame)]) for glb in glbs]
    return BuiltChain(operations, cells, files)


def _soups(replayer: Replayer, state: State) -> dict[str, Soup]:
    found = {}
    for piece in state.pieces:
        (part,) = piece.parts
        vertices, faces = replayer.assembler.model(part).merged()
        found[piece.slot] = transform_points(as_matrix(piece.world_from_part), vertices), faces
    return found


def test_state_files_fill_the_cells_of_their_pieces(built: list[BuiltChain]) -> None:
    """A state's file, read as one mesh, meets exactly the cells of its pieces, also where cells were kept."""
    assert len(built) == 3
    for chain in built:
        for cells, file in zip(chain.states, chain.files, strict=True):
            assert np.array_equal(fill_grid(cells.values()), file)


def test_oracle_and_no_op_on_built_chains(built: list[BuiltChain]) -> None:
    """Returning the state files scores exactly 1; returning the host's never scores above 0, and is consistent."""
    seen = 0
    for chain in built:
        host, edited = chain.files[0], None
        pairs = zip(chain.operations, chain.states, chain.states[1:], chain.files, chain.files[1:], strict=False)
        for (operation, named), before, after, own_before, own in pairs:
            truth = find_truth_cells(before, after, named, host, edited)
            edited = truth.edited
            oracle = score_cells(TurnCells(operation, truth, own_before, own))
            assert oracle.iou_whole == oracle.consistency_previous == oracle.consistency_initial == 1.0
            assert value_of(oracle.instruction_following) == (None if operation == "retexture" else 1.0)
            idle = score_cells(TurnCells(operation, truth, host, host))
            assert value_of(idle.instruction_following) in {0.0, None}
            assert idle.consistency_previous == idle.consistency_initial == 1.0
            seen += 1
    assert seen >= 9
