"""Cells that built chains record are those that scores are made of, and nothing else depends on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from chains.files import list_chains, read_chain, write_chain
from chains.plan import Intent
from engine.build import new_chain
from engine.cells.edits import count_turn_cells
from engine.replay import Replayer, verify_chain_file
from evaluator.metrics.voxel import measure_truth
from evaluator.protocol import VoxelOptions
from evaluator.states import ChainStates
from schemas.chain import Chain, EditCells
from tests.box_chains import build_short_chains, find_host, index_boxes
from tests.shelf_chains import bench_of, extended, index_shelf, slot_with


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("boxes"))


@pytest.fixture(scope="module")
def built(index: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Chains that edit geometry and looks."""
    return list_chains(build_short_chains(index, tmp_path_factory.mktemp("chains")))


def check_counts(path: Path, index: Path, chain: Chain) -> set[str]:
    """Hold the counts of a chain against those of the evaluator for the chain in a file; the operations it holds."""
    states = ChainStates(path, index, VoxelOptions())
    for turn in chain.turns:
        op = turn.operation.op
        if op == "retexture":
            assert turn.cells is None
            continue
        sides = measure_truth(op, states.regions(turn.index))
        assert turn.cells == EditCells(gained=sides.to_add, lost=sides.to_remove)
    return {turn.operation.op for turn in chain.turns}


def test_recorded_cells_are_those_that_are_scored(index: Path, built: list[Path]) -> None:
    """|A| and |D| of every geometry turn as the evaluator counts them after the truth; looks record none."""
    found = [check_counts(path, index, read_chain(path)) for path in built]
    assert set().union(*found) == {"add", "remove", "retexture"}


def test_replacements_are_counted_as_they_are_scored(tmp_path: Path) -> None:
    """A vase for another, after its lid went: cells on both sides."""
    library = index_shelf(tmp_path / "shelf")
    host = find_host(library, "shelf")
    bench = bench_of(library, host, tmp_path)
    chain = new_chain(bench, "G/shelf_s1")
    for intent in (Intent("remove", slot_with(host, "lid")), Intent("replace", slot_with(host, "vase"))):
        chain = extended(bench, chain, intent)
    path = tmp_path / "G" / "shelf_s1.json"
    write_chain(path, chain)
    counted = count_turn_cells(chain, bench.assembler)
    assert check_counts(path, library.path, counted) == {"remove", "replace"}
    assert counted.turns[1].cells is not None
    assert min(counted.turns[1].cells.gained, counted.turns[1].cells.lost) > 100


def without_cells(chain: Chain) -> Chain:
    """A chain as it was written before turns knew their cells."""
    turns = tuple(turn.model_copy(update={"cells": None}) for turn in chain.turns)
    return chain.model_copy(update={"turns": turns})


def test_chains_from_before_verify_and_can_be_counted(index: Path, built: list[Path]) -> None:
    """Without its counts a chain has the same states and verifies; counting anew gives the same over any counts."""
    path = next(path for path in built if any(turn.cells for turn in read_chain(path).turns))
    chain, data = read_chain(path), path.read_bytes()
    write_chain(path, without_cells(chain))
    try:
        assert b"cells" not in path.read_bytes()
        old, mismatches = verify_chain_file(path, index, strict=True)
        assert (old, mismatches) == (without_cells(chain), [])
        assembler = Replayer(path, index).assembler
    finally:
        path.write_bytes(data)
    assert verify_chain_file(path, index, strict=True) == (chain, [])
    stale = [turn.model_copy(update={"cells": EditCells(gained=1, lost=2)}) for turn in chain.turns]
    for other in (without_cells(chain), chain.model_copy(update={"turns": tuple(stale)})):
        assert count_turn_cells(other, assembler) == chain


def test_strict_verification_counts_again(index: Path, built: list[Path], tmp_path: Path) -> None:
    """A count that somebody changed is a mismatch of its turn; without `strict` and without counts nothing is said."""
    source = next(path for path in built if path.parent.name == "G")
    chain = read_chain(source)
    cells = chain.turns[0].cells
    assert cells is not None
    wrong = cells.model_copy(update={"gained": cells.gained + 1})
    path = tmp_path / "G" / source.name
    turns = (chain.turns[0].model_copy(update={"cells": wrong}), *chain.turns[1:])
    write_chain(path, chain.model_copy(update={"turns": turns}))
    assert verify_chain_file(path, index)[1] == []
    (mismatch,) = verify_chain_file(path, index, strict=True)[1]
    assert (mismatch.turn, mismatch.exit_code) == (1, 4)
    assert str(cells.gained) in mismatch.message
    bare = [turn.model_copy(update={"cells": None}) for turn in chain.turns]
    write_chain(path, chain.model_copy(update={"turns": tuple(bare)}))
    assert verify_chain_file(path, index, strict=True)[1] == []
    assert verify_chain_file(source, index, strict=True)[1] == []
