"""What the rows about scores measure: a state of the wanted size, and outputs that are moved everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from chains.files import list_chains, read_chain
from evaluator.outputs import output_path, read_output
from evaluator.protocol import Protocol
from evaluator.truth import ChainTruth
from library_index.library import open_library
from tests.box_chains import build_on_table, index_boxes
from tools.bench_scores import SHIFT_REL, bench_score, find_chain_of_size, write_moved_outputs


def test_rows_measure_moved_states_of_the_wanted_size(tmp_path: Path) -> None:
    """The nearest size is found and true, outputs are the targets moved along the diagonal, and a row has its times."""
    index = index_boxes(tmp_path)
    chains = build_on_table(index, tmp_path / "chains", ("R", "M"))
    library = open_library(index)
    sizes = {}
    for path in list_chains(chains):
        truth = ChainTruth(path, index, Protocol())
        sizes[path] = [len(truth.soup(turn)[1]) for turn in range(len(truth.states))]
    assert find_chain_of_size(library, chains, 0)[1] == min(map(min, sizes.values()))
    path, count = find_chain_of_size(library, chains, 10**6)
    assert count == max(map(max, sizes.values())) == max(sizes[path])

    write_moved_outputs(path, index, tmp_path / "run")
    truth = ChainTruth(path, index, Protocol())
    for turn in read_chain(path).turns:
        moved = read_output(output_path(tmp_path / "run", truth.chain.id, turn.index))
        vertices, faces = truth.soup(turn.index)
        assert np.array_equal(moved.faces, faces)
        assert np.abs(moved.vertices - vertices - SHIFT_REL * truth.frame.side).max() < 1e-6 * truth.frame.side

    turns, opened = bench_score(index, chains, tmp_path / "bench")
    assert f"state of {count} triangles" in turns.name
    assert len(turns.ours) == len(opened.ours) * len(truth.chain.turns)
    assert min(turns.ours) > 0.0
