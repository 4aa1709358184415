"""The bed of placements: every case states its answer, and the engine must give it."""

from __future__ import annotations

import pytest
from bed_adding import ADDING
from bed_held import HELD_CASES
from bed_scene import Case, Source, diagonal_of, find_faults, lathe, seen_always
from bed_standing import CUP, STANDING, TABLE, table

from engine.geometry.overlap import place_solid
from engine.geometry.similarity import as_matrix
from engine.placement.replacement import fit_replacement
from schemas.placement import Limits, Placement

CASES = (*STANDING, *HELD_CASES, *ADDING)


@pytest.mark.parametrize("case", CASES, ids=[case.name.replace(" ", "_") for case in CASES])
def test_the_part_stands_where_it_must(case: Case) -> None:
    """Angle, scale, position, contacts and mode as stated, or the refusal that must come."""
    assert find_faults(case) == []


def goblets() -> Source:
    """Ten goblets of one size, each on a wider foot than the one before."""
    feet = [0.06 + 0.014 * k for k in range(10)]
    profiles = [[(0.0, 0.0), (foot, 0.0), (foot, 0.03), (0.2, 0.12), (0.2, 0.4), (0.0, 0.4)] for foot in feet]
    spots = [(0.4 * (k % 5) - 0.8, 1.0, 0.5 * (k // 5)) for k in range(10)]
    return Source(**TABLE, **{f"goblet{k}": lathe(profiles[k], spots[k]) for k in range(10)})


def check_no_drift() -> None:
    """Ten replacements in one slot: each stays near the size of the first occupant, whatever came between."""
    source, state = goblets(), table(cup=CUP)
    first = diagonal_of(state.piece("cup"))
    ratios = []
    for k in range(10):
        part = source.part(f"goblet{k}")
        result = fit_replacement(state, "cup", first, part, Limits(), seen_always)
        assert isinstance(result, Placement), result
        placed = place_solid(part.solid, as_matrix(result.world_from_part))
        assert float(placed.bounds[0, 1]) == pytest.approx(1.0, abs=1e-4)
        state = state.without("cup").with_piece("cup", (placed,))
        ratios.append(diagonal_of((placed,)) / first)
    assert min(ratios) > 0.84
    assert max(ratios) < 1.19


def test_ten_replacements_do_not_drift() -> None:
    """Sizes refer to the first occupant, not to the last."""
    check_no_drift()
