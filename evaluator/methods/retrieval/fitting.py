"""Fitting a part into a box of cells: upright, turned about the vertical, in one size, told apart by shared cells.

All of it is in cells of the region's grid, in which a cell is 1; a similarity leads from there to the world.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from engine.cells.lattice import Cells, Grid, Soup, fill_grid
from engine.geometry.similarity import YAW, similarity, transform_points, transform_vectors
from engine.surfaces import FloatArray
from evaluator.methods.edit_region import count_marked, find_cells
from evaluator.methods.retrieval.shelf import Found, ShelfPart

_DIAGONAL: Final = float(np.sqrt(0.5))
_EIGHTH: Final = np.array([[_DIAGONAL, 0.0, _DIAGONAL], [0.0, 1.0, 0.0], [-_DIAGONAL, 0.0, _DIAGONAL]])
ROUND_ORDER = 8
"""A part that equals itself after such a turn about the vertical is not turned."""
TURN_COST, OBLIQUE_COST = 0.02, 0.05
"""Overlap by which a quarter turn must beat none, and an eighth: things are seldom put askew."""
WORDS_WEIGHT = 0.6
"""What the words count beside the overlap of cells."""
LEFT_WEIGHT = 0.3
"""What a cell of the old thing that the new one is not in counts beside one that it must be in."""
LEAST_EXTENT = 1e-3
"""Cells; thinner boxes and parts are taken for as thick as this."""
LARGEST = 2.0
"""How much larger than fits the box a part may be, where its cells agree better so: a plate full of food is as wide as
a bare one, and higher. It never is longer than the box along its longest side: no leg goes through the floor."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where a part may go, in cells."""

    box: FloatArray
    """(2, 3) what it is fitted into."""
    anchor: FloatArray
    """(3,) in 0..1: where it stays when it is smaller than the box; 0 at the low side of an axis, 0.5 in the middle."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The cells that a part is held against."""

    allowed: Grid
    """Cells that what comes may fill."""
    wanted: Grid
    """Of these, the ones that it must be in: nothing was there before."""
    left: Grid
    """Cells of what goes: what comes is likely to be in many of them."""
    taken: Grid
    """Cells of what stays."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A part in a pose."""

    part: ShelfPart
    cells_from_part: FloatArray
    """(4, 4) float64 similarity."""
    score: float

    @property
    def soup(self) -> Soup:
        """Its triangles, in cells."""
        return transform_points(self.cells_from_part, self.part.vertices), self.part.faces


class _Turn(NamedTuple):
    rotation: FloatArray
    cost: float


def fit_best(found: Iterable[tuple[Found, ShelfPart]], rooms: Iterable[Room], aim: Aim) -> Fit | None:
    """The part, turn and room whose surface agrees best with the cells aimed at; the first of equal ones.

    None when no part is given. Raises GeometryError for a part without faces.
    """
    best: Fit | None = None
    places = tuple(rooms)
    for answer, part in found:
        for turn in _turns_of(answer):
            turned = transform_vectors(similarity(1.0, turn.rotation, np.zeros(3)), part.vertices)
            for pose in _poses(turned, turn.rotation, places):
                cells = find_cells((transform_points(pose, part.vertices), part.faces))
                score = measure_agreement(cells, aim) + WORDS_WEIGHT * answer.likeness - turn.cost
                if best is None or score > best.score:
                    best = Fit(part, pose, score)
    return best


def measure_agreement(cells: Cells, aim: Aim) -> float:
    """Cells that may be filled over all that are, and those that should be and are not; at most 1.

    Cells beyond what may be filled count twice where something else is.
    """
    filled = fill_grid([cells])
    missed = np.count_nonzero(aim.wanted & ~filled) + LEFT_WEIGHT * np.count_nonzero(aim.left & ~filled)
    struck = np.count_nonzero(aim.taken & ~aim.allowed & filled)
    return float((count_marked(aim.allowed, cells) - struck) / max(len(cells) + missed, 1.0))


def _turns_of(answer: Found) -> Iterator[_Turn]:
    symmetry = answer.record.symmetry
    yield _Turn(YAW[0], 0.0)
    if symmetry is not None and abs(symmetry.axis[1]) > 0.99 and symmetry.order >= ROUND_ORDER:
        return
    for degrees in (90, 180, 270):
        yield _Turn(YAW[degrees], TURN_COST)
    for degrees in (0, 90, 180, 270):
        yield _Turn(transform_vectors(similarity(1.0, YAW[degrees], np.zeros(3)), _EIGHTH.T).T, OBLIQUE_COST)


def _poses(turned: FloatArray, rotation: FloatArray, rooms: tuple[Room, ...]) -> Iterator[FloatArray]:
    """The similarities that bring a turned part (V, 3) into each room."""
    low, high = turned.min(axis=0), turned.max(axis=0)
    extent = np.maximum(high - low, LEAST_EXTENT)
    for room in rooms:
        space = np.maximum(room.box[1] - room.box[0], LEAST_EXTENT)
        ratios = space / extent
        least, middle, most = sorted(ratios.tolist())
        limit = min(LARGEST * least, float(ratios[np.argmax(space)]))
        scales = dict.fromkeys((least, min(middle, limit), min(float(np.sqrt(least * most)), limit)))
        for scale in scales:
            slack = space - scale * extent
            yield similarity(scale, rotation, room.box[0] + slack * room.anchor - scale * low)
