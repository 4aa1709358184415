"""The regenerating editor on real hosts: where its scores lie beside those of doing nothing and of true inputs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np
from real_parts import RealChain, RealHost, Step, follow_steps, join, lay_host, read_real_hosts

from engine.cells.lattice import Grid, Soup, fill_grid, voxelise
from engine.surfaces import Material, PartModel, Surface
from evaluator.methods.voxel_regenerate import regenerate
from evaluator.metrics.voxel import TurnCells, VoxelScores, score_cells
from schemas.score import Measure


def _draw_anew(soup: Soup) -> Soup:
    """What the editor makes of a state."""
    mesh = regenerate(PartModel((Surface(*soup, None, (), None, Material()),)))
    return mesh.vertices, mesh.faces


def _take_away_and_put_back(host: RealHost) -> RealChain:
    """The two largest parts but one go and come back in turn."""
    _, cells = lay_host(host)
    first, second = sorted(cells, key=lambda name: (len(cells[name]), name))[-3:-1]
    plan = (("remove", first), ("remove", second), ("add", first), ("add", second), ("remove", first), ("add", first))
    return follow_steps(host, [Step(name, slot, cells[slot]) for name, slot in plan])


def _score(chain: RealChain, *, own_input: bool) -> list[VoxelScores]:
    """Scores of the editor along a chain, on its own outputs or on the true states."""
    own: Soup = chain.host.whole
    before: Grid = chain.initial
    scores = []
    for turn in chain.turns:
        if not own_input:
            own = join(*(chain.host.parts[slot] for slot in sorted(turn.before)))
            before = fill_grid([voxelise(own, chain.frame)])
        own = _draw_anew(own)
        after = fill_grid([voxelise(own, chain.frame)])
        scores.append(score_cells(TurnCells(turn.operation, turn.truth, before, after)))
        before = after
    return scores


def _mean(values: Iterable[Measure]) -> float:
    return fmean(value for value in values if isinstance(value, float))


def test_it_leaves_the_host_turn_by_turn_unless_its_input_is_true(data_dir: Path) -> None:
    """CC_0 falls along chains, not to nothing at once; the true input lifts it; IF is above the no-op's 0."""
    chains = [_take_away_and_put_back(host) for host in read_real_hosts(data_dir, 5)]
    own = [_score(chain, own_input=True) for chain in chains]
    reset = [_score(chain, own_input=False) for chain in chains]
    falling = [_mean(scores[turn].consistency_initial for scores in own) for turn in range(6)]
    assert all(later < earlier for earlier, later in pairwise(falling)), falling
    assert 0.5 < falling[1] < 0.98
    assert falling[0] - falling[5] > 0.15
    assert _mean(row.consistency_initial for rows in reset for row in rows[1:]) > np.mean(falling[1:]) + 0.1
    assert _mean(row.instruction_following for rows in own for row in rows) > 0.0
