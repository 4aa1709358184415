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
OPEN_BY_REASON: dict[str, tuple[str, ...]] = {
    "scale is read from a sampled radius of the contact": (
        "rest/same cup in half the units",
        "rest/pot on the ground",
        "rest/cup on a saucer",
        "rest/a long block takes a quarter turn",
        "rest/a long block keeps its direction",
        "point/a larger ball takes the size of the old one",
        "symmetry/hexagon is not twisted",
        "symmetry/hexagon authored ten degrees round",
        "symmetry/round part authored seventeen degrees round",
        "point/ball at a wall",
        "point/ball under a ceiling",
        "planar/lamp under a ceiling",
        "planar/sign on a wall that looks 180 degrees round",
        "planar/larger sign takes the size of the old one",
        "socket/peg on the left",
        "axial/free left wheel on the right by half a turn",
        "axial/ring with a wider opening",
    ),
    "a slice is not fitted to its gap": (
        "stack/slice 1.2 times as thick",
        "stack/slice 0.8 times as thick",
    ),
    "a lean is not carried over": (
        "lean/plate that leaned the other way",
        "lean/plate that leaned to the back",
        "lean/plate that stood upright",
        "lean/leaning plate for an upright one",
    ),
    "a slant is not followed": (
        "socket/straight leg follows a splayed one",
        "socket/straight peg follows a slant of 20.0 degrees",
        "socket/straight peg follows a slant of 28.0 degrees",
        "socket/straight peg follows a slant of 35.0 degrees",
        "socket/slanted peg in a straight socket",
    ),
    "the axle is not seen as what holds the wheel": (
        "axial/right wheel on the left by half a turn",
        "axial/left wheel on the right by half a turn",
        "axial/wider wheel fits the axle",
    ),
    "a hat is not fitted by its opening": (
        "axial/hat with a wider brim fits by its opening",
        "axial/hat with a wider opening",
    ),
    "front and back change places": ("limb/a left hand's thumb never points back",),
    "size follows the last occupant": ("gate/size refers to the first occupant",),
}
"""Cases that are known to fail, by what is missing."""
OPEN = {name: reason for reason, names in OPEN_BY_REASON.items() for name in names}


def as_parameters(cases: tuple[Case, ...]) -> list[object]:
    """One parameter a case; a known failure must fail."""
    return [
        pytest.param(
            case,
            id=case.name.replace(" ", "_"),
            marks=[pytest.mark.xfail(strict=True, reason=OPEN[case.name])] if case.name in OPEN else [],
        )
        for case in cases
    ]


@pytest.mark.parametrize("case", as_parameters(CASES))
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


@pytest.mark.xfail(strict=True, reason="size follows the last occupant")
def test_ten_replacements_do_not_drift() -> None:
    """Sizes refer to the first occupant, not to the last."""
    check_no_drift()
