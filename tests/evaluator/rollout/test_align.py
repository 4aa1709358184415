"""Outputs of any place, size and turn come to lie on their target: real objects, redrawn ones, and incomplete ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from engine.cells.lattice import Soup, measure_chain_frame, measure_soup_box, voxelise
from engine.geometry.angles import turn_of_degrees
from engine.geometry.similarity import as_matrix, compose, similarity, transform_points
from engine.surfaces import FloatArray
from evaluator.redraw import redraw_cells
from evaluator.rollout.align import align_onto
from schemas.base import check_similarity
from schemas.errors import GeometryError
from tests.bare_process import run_bare
from tests.evaluator.real_parts import RealHost, join, read_real_hosts

PHASES = (Phase.explicit, Phase.generate)
"""Every example takes a second: a failing one is shown as it is.

Examples are the same in every run: of all poses of all objects a few end a quarter turn away, where a nearly square
object lies on itself almost as well.
"""
ROOT = Path(__file__).resolve().parents[3]


class Move(NamedTuple):
    """How a test displaces an object."""

    yaw_deg: float
    scale: float
    shift: tuple[float, float, float]
    """In diagonals of the object's box."""


MOVES = st.builds(
    Move,
    st.floats(0.0, 360.0),
    st.floats(-1.6, 1.6).map(lambda power: float(np.exp(power))),
    st.tuples(*[st.floats(-5.0, 5.0)] * 3),
)


@cache
def hosts_of(data_dir: Path) -> list[RealHost]:
    """Real objects of at least ten parts, so that one part is a small share of each."""
    return read_real_hosts(data_dir, 6, range(10, 15))


def diagonal_of(soup: Soup) -> float:
    """Of the box."""
    low, high = measure_soup_box(soup)
    return float(np.sqrt(((high - low) ** 2).sum()))


def matrix_of(move: Move, soup: Soup) -> FloatArray:
    """(4, 4) of a move of this object."""
    turn = turn_of_degrees(move.yaw_deg)
    rotation = np.array([[turn.cos, 0.0, turn.sin], [0.0, 1.0, 0.0], [-turn.sin, 0.0, turn.cos]])
    return similarity(move.scale, rotation, np.array(move.shift) * diagonal_of(soup))


def place(soup: Soup, matrix: FloatArray) -> Soup:
    """An object under a move."""
    return transform_points(matrix, soup[0]), soup[1]


def measure_error(target: Soup, found: FloatArray, truth: FloatArray) -> float:
    """Root mean square displacement of the target's corners that is left of the move, over its diagonal."""
    corners = target[0][target[1]].reshape(-1, 3)
    apart = transform_points(compose(found, truth), corners) - corners
    return float(np.sqrt((apart * apart).sum(axis=1).mean())) / diagonal_of(target)


@settings(max_examples=8, deadline=None, phases=PHASES, derandomize=True)
@given(which=st.integers(0, 5), move=MOVES)
@example(which=5, move=Move(342.9193421733065, 2.11233885051584, (2.22e-16, 5.96e-8, -3.6472662112210807)))
def test_a_moved_object_is_recovered(data_dir: Path, which: int, move: Move) -> None:
    """A copy comes back onto the original: surfaces coincide, and so do corners where no turn maps it onto itself."""
    target = hosts_of(data_dir)[which].whole
    truth = matrix_of(move, target)
    found = align_onto(place(target, truth), target)
    check_similarity(found.world_from_output)
    assert found.residual_rel < 1e-3
    assert found.yaw_deg % 15.0 == 0.0
    error = measure_error(target, as_matrix(found.world_from_output), truth)
    assert error < 1e-3 or is_symmetric(target, compose(as_matrix(found.world_from_output), truth))


def is_symmetric(target: Soup, turned: FloatArray) -> bool:
    """Whether a motion maps an object onto itself, told by cells it and its image meet, not by distances."""
    frame = measure_chain_frame([measure_soup_box(target), measure_soup_box(place(target, turned))])
    own, other = set(voxelise(target, frame).tolist()), set(voxelise(place(target, turned), frame).tolist())
    return len(own & other) / len(own | other) > 0.9


@settings(max_examples=3, deadline=None, phases=PHASES, derandomize=True)
@given(which=st.integers(0, 5), move=MOVES)
def test_an_object_redrawn_from_cells_is_recovered(data_dir: Path, which: int, move: Move) -> None:
    """The shell of its cells, moved, lies within 1.5 % of the diagonal of where it was drawn."""
    target = hosts_of(data_dir)[which].whole
    frame = measure_chain_frame([measure_soup_box(target)])
    truth = matrix_of(move, target)
    found = align_onto(place(redraw_cells(voxelise(target, frame), frame), truth), target)
    error = measure_error(target, as_matrix(found.world_from_output), truth)
    assert found.residual_rel < 0.01
    assert error < 0.015 or is_symmetric_roughly(target, compose(as_matrix(found.world_from_output), truth))


def is_symmetric_roughly(target: Soup, turned: FloatArray) -> bool:
    """Whether a motion leaves no point of an object farther than its cells are wide from where others were."""
    return align_onto(place(target, turned), target).residual_rel < 0.005 and _overlap(target, turned) > 0.3


def _overlap(target: Soup, turned: FloatArray) -> float:
    frame = measure_chain_frame([measure_soup_box(target), measure_soup_box(place(target, turned))])
    own, other = set(voxelise(target, frame).tolist()), set(voxelise(place(target, turned), frame).tolist())
    return len(own & other) / len(own | other)


@settings(max_examples=8, deadline=None, phases=PHASES, derandomize=True)
@given(which=st.integers(0, 5), part=st.integers(0, 9), move=MOVES, added=st.booleans())
def test_a_part_more_or_less_moves_nothing(data_dir: Path, which: int, part: int, move: Move, *, added: bool) -> None:
    """One part of ten or more that only the output, or only the target, has: the rest lies where it should."""
    host = hosts_of(data_dir)[which]
    largest = max(host.parts, key=lambda name: measure_area(host.parts[name]))
    name = [name for name in sorted(host.parts) if name != largest][part % (len(host.parts) - 1)]
    less = join(*(soup for other, soup in host.parts.items() if other != name))
    output, target = (host.whole, less) if added else (less, host.whole)
    truth = matrix_of(move, target)
    found = align_onto(place(output, truth), target)
    error = measure_error(less, as_matrix(found.world_from_output), truth)
    assert error < 0.01 or is_symmetric(less, compose(as_matrix(found.world_from_output), truth))


def measure_area(soup: Soup) -> float:
    """Area of all triangles."""
    corners = soup[0][soup[1]]
    crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.sqrt((crossed * crossed).sum(axis=1)).sum()) / 2.0


def test_how_triangles_are_stored_does_not_matter(data_dir: Path) -> None:
    """Shuffled faces, split vertices and a vertex that nothing uses and is no number give the same bits."""
    target = hosts_of(data_dir)[0].whole
    moving = place(target, matrix_of(Move(100.0, 0.3, (1.0, 2.0, 3.0)), target))
    order = np.random.default_rng(0).permutation(len(moving[1]))
    corners = moving[0][moving[1][order]].reshape(-1, 3)
    split = np.concatenate([corners, np.full((1, 3), np.nan)]), np.arange(len(corners)).reshape(-1, 3)
    one, other = align_onto(moving, target), align_onto(split, target)
    np.testing.assert_allclose(other.world_from_output, one.world_from_output, rtol=1e-9, atol=1e-9)
    assert other.yaw_deg == one.yaw_deg


def test_a_round_thing_lies_on_itself_by_the_smallest_turn() -> None:
    """A square plate fits in four turns: the first is taken, and the surfaces coincide."""
    plate = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-0.1, 0.1) for z in (-1.0, 1.0)])
    faces = np.array(
        [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
         [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    )  # fmt: skip
    found = align_onto((plate * 3.0 + 7.0, faces), (plate, faces))
    assert found.residual_rel < 1e-6
    assert found.yaw_deg == 0.0
    np.testing.assert_allclose(as_matrix(found.world_from_output)[:3, :3] * 3.0, np.eye(3), atol=1e-6)


def test_what_has_no_area_is_refused_by_its_side() -> None:
    """Empty, flat to a point and not finite soups name the side that has them."""
    good = np.eye(3), np.array([[0, 1, 2]])
    none = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
    point = np.ones((3, 3)), np.array([[0, 1, 2]])
    bad = np.full((3, 3), np.nan), np.array([[0, 1, 2]])
    for soup in (none, point, bad):
        with pytest.raises(GeometryError, match="alignment: output"):
            align_onto(soup, good)
        with pytest.raises(GeometryError, match="alignment: target"):
            align_onto(good, soup)


PROGRAM = """
import numpy as np
from engine.cells.lattice import measure_chain_frame, measure_soup_box, voxelise
from evaluator.redraw import redraw_cells
from evaluator.rollout.align import align_onto

rng = np.random.default_rng(4)
boxes = [(rng.integers(-8, 8, 3) / 4.0, rng.integers(1, 6, 3) / 4.0) for _ in range(9)]
cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
faces = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                  [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])
target = np.concatenate([cube * size + low for low, size in boxes]), np.concatenate([faces + 8 * k for k in range(9)])
frame = measure_chain_frame([measure_soup_box(target)])
shell, shell_faces = redraw_cells(voxelise(target, frame), frame)
turned = np.stack([shell[:, 2] * 0.6 - shell[:, 0] * 0.8, shell[:, 1], -shell[:, 0] * 0.6 - shell[:, 2] * 0.8], axis=1)
print(align_onto((turned * 1.7 + 3.0, shell_faces), target))
"""


def test_every_setting_gives_the_same_bits() -> None:
    """Other hash seeds, threads, BLAS kernels and vector instructions print the same matrix to the last digit."""
    search = {"PYTHONPATH": str(ROOT)}
    expected = run_bare(PROGRAM, ROOT, PYTHONHASHSEED="0", **search)
    assert "world_from_output" in expected
    other = {"PYTHONHASHSEED": "77", "OMP_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Prescott"}
    assert run_bare(PROGRAM, ROOT, **other, **search) == expected
    fewer = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX2 FMA3"}
    assert run_bare(PROGRAM, ROOT, **fewer, **search) == expected
