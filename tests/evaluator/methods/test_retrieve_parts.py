"""Finding parts by words, and bringing them to their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.cells.lattice import Grid, Soup
from engine.geometry.bounds import bounds_of
from engine.geometry.similarity import transform_points
from engine.gltf.document import read_document
from engine.gltf.pieces import PieceSource
from engine.surfaces import FloatArray
from evaluator.methods.edit_region import EditRegion, measure_cells_box
from evaluator.methods.retrieval.fitting import Aim, Fit, Room, fit_best
from evaluator.methods.retrieval.settling import find_approach, find_drop, join_near
from evaluator.methods.retrieval.shelf import Shelf, ShelfPart
from evaluator.regions import dilate_cells
from tests.box_chains import index_source
from tests.box_library import Box, make_boxes, write_box_library
from tests.evaluator.methods.box_edits import soup_of

BOXES: dict[str, tuple[Box, ...]] = {
    "robot": (
        ("steel robot body", (0.0, 1.0, 0.0), (1.0, 1.0, 1.0)),
        ("grey leg", (0.1, 0.0, 0.4), (0.2, 1.0, 0.2)),
    ),
    "table": (
        ("wooden table top", (0.0, 1.0, 0.0), (2.0, 0.1, 1.0)),
        ("brown leg", (0.1, 0.0, 0.4), (0.2, 1.0, 0.2)),
        ("white cup", (0.5, 1.1, 0.5), (0.2, 0.2, 0.2)),
        ("second white cup", (1.0, 1.1, 0.5), (0.2, 0.2, 0.2)),
    ),
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """An index of two hosts, opened by words."""
    folder = tmp_path_factory.mktemp("shelf")
    return Shelf(index_source(write_box_library(folder / "source", BOXES), folder / "index").path)


def _names(shelf: Shelf, words: str, sentence: str = "") -> list[str]:
    return [found.record.ref.part_id for found in shelf.find(words, sentence, 4)]


def test_a_mug_may_be_a_cup_but_no_leg(shelf: Shelf) -> None:
    """Another noun of one class answers, once for all of its twins; a thing without kin here does not."""
    assert _names(shelf, "red mug") in (["white cup"], ["white cup", "second white cup"])
    assert _names(shelf, "trombone") == []


def test_the_looks_decide_between_parts_of_one_name(shelf: Shelf) -> None:
    """The words of the whole phrase count."""
    assert _names(shelf, "brown leg")[0] == "brown leg"
    assert _names(shelf, "steel body")[0] == "steel robot body"


def test_the_object_that_a_sentence_names_decides_between_senses(shelf: Shelf) -> None:
    """The leg of a robot is a limb, that of a table a support."""
    assert _names(shelf, "leg", "Swap the left leg of the robot for a leg.")[0] == "grey leg"


def _part(*boxes: Box) -> ShelfPart:
    data = make_boxes(boxes)
    return ShelfPart(PieceSource(read_document(Path("part.glb"), data=data)), *soup_of(data))


def _block(x: tuple[int, int], y: tuple[int, int], z: tuple[int, int]) -> Grid:
    """Cells of a hollow box in half-open ranges of the frame, in the work array."""
    grid = np.zeros((96, 96, 96), dtype=np.bool_)
    grid[16 + x[0] : 16 + x[1], 16 + y[0] : 16 + y[1], 16 + z[0] : 16 + z[1]] = True
    grid[17 + x[0] : 15 + x[1], 17 + y[0] : 15 + y[1], 17 + z[0] : 15 + z[1]] = False
    return grid


def _fit(shelf: Shelf, part: ShelfPart, cells: Grid) -> Fit:
    region = EditRegion(dilate_cells(cells), np.eye(4))
    answer = shelf.find("brown leg", "", 1)[0]
    nothing = np.zeros_like(cells)
    room = Room(measure_cells_box(region.shrunk), np.array([0.5, 0.0, 0.5]))
    fit = fit_best([(answer, part)], [room], Aim(region.shrunk, region.shrunk, nothing, nothing))
    assert fit is not None
    return fit


def test_a_part_is_turned_until_its_cells_agree(shelf: Shelf) -> None:
    """A plank along x fills a place along z after a quarter turn."""
    plank = _part(("plank", (0.0, 0.0, 0.0), (4.0, 0.4, 1.0)))
    low, high = bounds_of(*_fit(shelf, plank, _block((20, 26), (10, 13), (10, 31))).soup)
    assert np.allclose(high - low, [5.0, 2.0, 20.0])
    assert np.allclose(0.5 * (low + high)[[0, 2]], [23.0, 20.5])
    assert low[1] == pytest.approx(10.5)


def test_a_part_reaches_beyond_its_place_only_across_it(shelf: Shelf) -> None:
    """A heaped plate is as wide as the flat place, and higher; a thick leg is no longer than the thin one."""
    heap = _part(("plate", (0.0, 0.0, 0.0), (4.0, 0.2, 4.0)), ("food", (1.0, 0.2, 1.0), (2.0, 0.8, 2.0)))
    low, high = bounds_of(*_fit(shelf, heap, _block((10, 21), (10, 13), (10, 21))).soup)
    assert high[0] - low[0] > 7.0
    thin = _part(("leg", (0.0, 0.0, 0.0), (0.1, 4.0, 0.1)))
    low, high = bounds_of(*_fit(shelf, thin, _block((10, 16), (10, 31), (10, 16))).soup)
    assert high[1] - low[1] == pytest.approx(20.0)


def _box(low: tuple[float, float, float], size: tuple[float, float, float]) -> Soup:
    return soup_of(make_boxes((("box", low, size),)))


def _moved(soup: Soup, move: FloatArray) -> Soup:
    matrix = np.eye(4)
    matrix[:3, 3] = move
    return transform_points(matrix, soup[0]), soup[1]


@pytest.mark.parametrize("height", [9.2, 10.0, 10.6, 12.5])
def test_a_part_is_let_down_onto_its_support(height: float) -> None:
    """Whether it hangs above it or is sunk into it by less than a cell."""
    support = _box((0.0, 5.0, 0.0), (20.0, 5.0, 20.0))
    part = _box((8.0, height, 8.0), (3.0, 3.0, 3.0))
    move = find_drop(part, [support], floor=0.0)
    assert _moved(part, move)[0][:, 1].min() == pytest.approx(10.0)
    assert move[0] == move[2] == 0.0


def test_without_support_the_floor_or_the_nearest_surface_is_taken() -> None:
    """Beside a wall on the ground it stands on the floor; high up beside a wall it is moved against it."""
    wall = _box((0.0, 0.0, 0.0), (2.0, 40.0, 20.0))
    ground = find_drop(_box((3.0, 0.8, 8.0), (3.0, 3.0, 3.0)), [wall], floor=0.0)
    assert np.allclose(ground, [0.0, -0.8, 0.0])
    assert not find_drop(_box((3.0, 0.0, 8.0), (3.0, 3.0, 3.0)), [wall], floor=0.0).any()
    hung = find_drop(_box((3.0, 20.0, 8.0), (3.0, 3.0, 3.0)), [wall], floor=0.0)
    assert np.allclose(hung, [-1.0, 0.0, 0.0])
    far = find_drop(_box((30.0, 20.0, 8.0), (3.0, 3.0, 3.0)), [wall], floor=0.0)
    assert not far.any()


def test_what_touches_already_stays() -> None:
    """A part that crosses its neighbour is not moved, nor one that nothing is near to."""
    wall = _box((0.0, 0.0, 0.0), (2.0, 40.0, 20.0))
    crossing = _box((1.0, 20.0, 8.0), (3.0, 3.0, 3.0))
    assert not find_approach(crossing, join_near(crossing, [wall])).any()
    lonely = _box((30.0, 20.0, 8.0), (3.0, 3.0, 3.0))
    assert join_near(lonely, [wall]) is None
    assert not find_approach(lonely, None).any()
