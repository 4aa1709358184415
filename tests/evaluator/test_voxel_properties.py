"""Properties of the metrics on cells: on random sets of cells against counting sets, and on chains of real parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cell_sets import (
    SHIFTS,
    CellSet,
    SetState,
    SetTurn,
    block,
    count_scores,
    grid_of,
    grown,
    score_outputs,
    shifted,
    value_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from real_parts import (
    RealChain,
    RealHost,
    Step,
    follow_steps,
    lay_host,
    make_chain,
    read_real_hosts,
    score_chain,
)

from engine.cells.lattice import Grid, fill_grid
from evaluator.metrics.voxel import TurnCells, measure_truth, score_cells
from evaluator.regions import dilate_cells, find_truth_cells
from schemas.errors import GeometryError
from schemas.score import Undefined

few = settings(max_examples=25, deadline=None, derandomize=True)
fewer = settings(max_examples=12, deadline=None, derandomize=True)
chains_drawn = st.tuples(st.integers(0, 9), st.integers(0, 2**32 - 1))


@st.composite
def blocks(draw: st.DrawFn, low: int = -8, high: int = 72) -> CellSet:
    """A few cells or a block of up to 6 a side, near the frame or across its border."""
    corner = [draw(st.integers(low, high - 6)) for _ in range(3)]
    x, y, z = ((start, start + draw(st.integers(1, 6))) for start in corner)
    return block(x, y, z)


@st.composite
def set_chains(draw: st.DrawFn) -> tuple[list[SetTurn], list[CellSet]]:
    """A chain of blocks about one place, and outputs made of its blocks, of strays and of shifted states."""
    at = draw(st.sampled_from([-6, 20, 54]))
    near = blocks(at, at + 14)
    state = SetState({"host": draw(near) | draw(near), "hat": draw(near), "tail": draw(near)})
    turns, outputs = [], []
    for _ in range(draw(st.integers(1, 3))):
        slot = draw(st.sampled_from(["hat", "tail"]))
        pieces = dict(state.pieces)
        if slot not in pieces:
            operation = "add"
            pieces[slot] = draw(near)
        else:
            operation = draw(st.sampled_from(["remove", "replace", "retexture"]))
            if operation == "remove":
                del pieces[slot]
            elif operation == "replace":
                pieces[slot] = draw(near)
        after = SetState(pieces)
        turns.append(SetTurn(operation, slot, state, after))
        kept = draw(st.sampled_from([after.cells, state.cells, after.without(slot), shifted(after.cells, (1, 0, -1))]))
        outputs.append(kept ^ draw(near) if draw(st.booleans()) else kept)
        state = after
    return turns, outputs


@given(set_chains())
@few
def test_scores_are_those_of_counted_sets(drawn: tuple[list[SetTurn], list[CellSet]]) -> None:
    """Every score of every turn is the one counted with sets on the unbounded lattice, undefined alike."""
    turns, outputs = drawn
    for scores, counted in zip(score_outputs(turns, outputs), count_scores(turns, outputs), strict=True):
        for name, value in counted.items():
            measured = value_of(getattr(scores, name))
            assert (measured is None) == (value is None), name
            assert measured == pytest.approx(value, abs=1e-15), name


@given(blocks(-14, 78), st.integers(1, 3))
@few
def test_growing_is_that_of_sets(cells: CellSet, steps: int) -> None:
    """Cells grow to their 26 neighbours, as often as asked, also across the border of the frame."""
    expected = cells
    for _ in range(steps):
        expected = grown(expected)
    inside = frozenset(cell for cell in expected if all(-16 <= k < 80 for k in cell))
    assert np.array_equal(dilate_cells(grid_of(cells), steps), grid_of(inside))


@pytest.mark.parametrize("corner", [(1, 1, 1), (60, 1, 30), (60, 60, 60), (0, 63, 0)])
@pytest.mark.parametrize("operation", ["add", "replace"])
def test_one_cell_aside_leaves_the_rest_consistent(corner: tuple[int, int, int], operation: str) -> None:
    """A new part one cell aside, in any of the 26 directions, also out of the frame: CC 1, and IF below 1."""
    x, y, z = corner
    hat = block((x, x + 1), (y, y + 1), (z, z + 1)) | block((x - 8, x + 1), (y, y + 1), (z, z + 1))
    host = block((28, 36), (28, 36), (28, 36))
    old = {} if operation == "add" else {"hat": (hat - {corner}) | block((10, 14), (10, 14), (2, 6))}
    turn = SetTurn(
        "add" if operation == "add" else "replace",
        "hat",
        SetState({"host": host, **old}),
        SetState({"host": host, "hat": hat | block((20, 24), (20, 24), (20, 24))}),
    )
    for shift in SHIFTS:
        (scores,) = score_outputs([turn], [host | shifted(turn.after.of("hat"), shift)])
        assert scores.consistency_previous == scores.consistency_initial == scores.iou_unchanged == 1.0
        assert isinstance(scores.instruction_following, float)
        assert scores.instruction_following < 1.0


def test_a_region_that_leaves_the_work_array_is_refused() -> None:
    """A handed-in frame that does not hold the ground truth is an error, not a region cut short."""
    edge = {"hat": np.array([5], dtype=np.int32)}
    with pytest.raises(GeometryError, match="reach cell 0 to 0 of 96 on axis 0 and are grown by 1"):
        find_truth_cells({}, edge, ("hat",), fill_grid([]), None)
    with pytest.raises(GeometryError, match="slot 'hut' is in neither state"):
        find_truth_cells({}, edge, ("hut",), fill_grid([]), None)


@pytest.fixture(scope="module")
def hosts(data_dir: Path) -> list[RealHost]:
    """Ten real hosts."""
    return read_real_hosts(data_dir, 10)


def _chain(hosts: list[RealHost], drawn: tuple[int, int], length: int = 5) -> RealChain:
    return make_chain(hosts[drawn[0]], hosts, drawn[1], length)


@given(drawn=chains_drawn)
@fewer
def test_doing_nothing_on_real_parts(hosts: list[RealHost], drawn: tuple[int, int]) -> None:
    """The no-op has IF 0 or none on every turn, and is consistent to the bit."""
    chain = _chain(hosts, drawn)
    for scores in score_chain(chain, [chain.initial] * len(chain.turns)):
        assert value_of(scores.instruction_following) in {0.0, None}
        assert value_of(scores.if_net) in {0.0, None}
        assert scores.consistency_previous == scores.consistency_initial == scores.consistency_delta_previous == 1.0


@given(drawn=chains_drawn)
@fewer
def test_returning_the_truth_on_real_parts(hosts: list[RealHost], drawn: tuple[int, int]) -> None:
    """The oracle scores exactly 1 wherever a score is defined, and IF is defined wherever the turn is scorable."""
    chain = _chain(hosts, drawn)
    for turn, scores in zip(chain.turns, score_chain(chain, chain.truth), strict=True):
        assert scores.iou_whole == scores.consistency_previous == scores.consistency_initial == 1.0
        values = [value_of(measure) for measure in scores[:-1]]  # type: ignore[arg-type]
        assert set(values) <= {1.0, None}
        sides = measure_truth(turn.operation, turn.truth)
        is_defined = scores.instruction_following == 1.0
        assert is_defined == (turn.operation != "retexture" and not sides.is_unscorable)
        assert is_defined == (scores.if_net == 1.0)


@given(drawn=chains_drawn, damage=st.integers(0, 2**32 - 1))
@fewer
def test_returning_the_truth_from_any_own_state(hosts: list[RealHost], drawn: tuple[int, int], damage: int) -> None:
    """The target returned from a damaged own state gives IF 1; the repair is charged to consistency, by its size."""
    chain = _chain(hosts, drawn, 1)
    (turn,) = chain.turns
    own = _damaged(chain.initial, np.random.default_rng(damage))
    (scores,) = score_chain(chain, chain.truth, own)
    assert value_of(scores.instruction_following) in {1.0, None}
    assert value_of(scores.if_net) in {1.0, None}
    outside = ~turn.truth.edit
    repaired = int(((own ^ turn.truth.target) & outside).sum())
    union = int(((own | turn.truth.target) & outside).sum())
    assert scores.consistency_previous == pytest.approx(1.0 - repaired / union, abs=1e-12)
    assert repaired > 0


def _damaged(grid: Grid, rng: np.random.Generator) -> Grid:
    """A state with a box of cells knocked out, and another filled."""
    hurt = grid.copy()
    met = np.argwhere(grid)
    for value in (False, True):
        low = met[rng.integers(len(met))] - 5
        hurt[tuple(slice(k, k + 10) for k in low)] = value
    return hurt


@given(drawn=chains_drawn)
@fewer
def test_only_deleting_is_no_replacement(hosts: list[RealHost], drawn: tuple[int, int]) -> None:
    """A method that takes the old part off and puts nothing in its place has IF exactly 0 where it has one."""
    chain = _chain(hosts, drawn)
    for turn in chain.turns:
        if turn.operation == "replace":
            deleted = fill_grid(cells for slot, cells in turn.after.items() if slot != turn.slot)
            scores = score_cells(TurnCells("replace", turn.truth, turn.truth.target_before, deleted))
            assert value_of(scores.instruction_following) in {0.0, None}
            assert value_of(scores.if_plus) in {0.0, None}
            assert scores.consistency_previous == 1.0


@given(drawn=chains_drawn)
@fewer
def test_erasing_is_found_out(hosts: list[RealHost], drawn: tuple[int, int]) -> None:
    """Erasing the whole region has IF 1, CC 1, and keep_E 0; a part lost earlier is no credit for removing it."""
    chain = _chain(hosts, drawn)
    for turn in chain.turns:
        if turn.operation == "remove":
            erased = turn.truth.target_before & ~turn.truth.edit
            scores = score_cells(TurnCells("remove", turn.truth, turn.truth.target_before, erased))
            assert value_of(scores.instruction_following) in {1.0, None}
            assert scores.consistency_previous == 1.0
            assert value_of(scores.keep_edit) in {0.0, None}
            late = score_cells(TurnCells("remove", turn.truth, erased, erased))
            assert isinstance(late.instruction_following, Undefined)


@given(drawn=chains_drawn)
@fewer
def test_regions_of_real_chains(hosts: list[RealHost], drawn: tuple[int, int]) -> None:
    """U only shrinks, changes of the target lie in E, and a retexture turn changes no cell and has no IF."""
    chain = _chain(hosts, drawn)
    so_far = np.zeros_like(chain.initial)
    for turn in chain.turns:
        truth = turn.truth
        so_far = so_far | truth.edit
        assert np.array_equal(truth.edited, so_far)
        assert not ((truth.target ^ truth.target_before) & ~truth.edit).any()
        assert not ((truth.target ^ truth.initial) & ~truth.edited).any()
        assert not (truth.named & ~truth.edit).any()
        assert np.array_equal(truth.named | truth.unnamed, truth.target)
        if turn.operation == "retexture":
            assert np.array_equal(truth.target, truth.target_before)
            scores = score_cells(TurnCells("retexture", truth, truth.target, truth.target))
            assert scores.instruction_following == Undefined(reason="a retexture turn changes no cell")
            assert isinstance(scores.keep_edit, float)


def test_a_real_part_that_goes_and_comes_back(hosts: list[RealHost]) -> None:
    """Removed at turn 2 and put back at 5: the no-op has no IF then, whoever removed it and puts it back has 1."""
    seen = 0
    for host in hosts:
        _, cells = lay_host(host)
        slot, other = sorted(cells, key=lambda name: len(cells[name]))[-3:-1]
        steps = [
            Step("retexture", other),
            Step("remove", slot),
            Step("remove", other),
            Step("add", other, cells[other]),
        ]
        chain = follow_steps(host, [*steps, Step("add", slot, cells[slot])])
        if measure_truth("add", chain.turns[4].truth).is_unscorable:
            continue
        idle = score_chain(chain, [chain.initial] * 5)[4]
        assert idle.instruction_following == Undefined(reason="0 cells to add, 8 are needed")
        assert idle.consistency_previous == idle.consistency_initial == 1.0
        assert score_chain(chain, chain.truth)[4].instruction_following == 1.0
        seen += 1
    assert seen >= 8


def test_real_parts_one_cell_aside(hosts: list[RealHost]) -> None:
    """A real part put back one cell aside: CC 1 in all 26 directions; IF below 1 where a face looks against the shift.

    A beam between two walls has no such face along its length: shifted along it, it fills the same cells.
    """
    sliding, seen = 0, 0
    for host in hosts[:4]:
        for turn in make_chain(host, hosts, 1, 8).turns:
            truth = turn.truth
            if turn.operation != "add" or measure_truth("add", truth).is_unscorable:
                continue
            named, before = (set(map(tuple, np.argwhere(grid))) for grid in (truth.named, truth.target_before))
            for shift in SHIFTS:
                own = truth.target_before.copy()
                own[tuple((np.argwhere(truth.named) + shift).T)] = True
                scores = score_cells(TurnCells("add", truth, truth.target_before, own))
                assert scores.consistency_previous == scores.iou_unchanged == 1.0
                behind = {(x - shift[0], y - shift[1], z - shift[2]) for x, y, z in named - before}
                assert (scores.instruction_following == 1.0) == (behind <= named)
                sliding += scores.instruction_following == 1.0
                seen += 1
    assert seen >= 52
    assert sliding <= seen / 20
