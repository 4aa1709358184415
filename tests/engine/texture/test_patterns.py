"""Patterns where their geometry can be measured."""

from __future__ import annotations

import numpy as np
import pytest

from engine.surfaces import FloatArray
from engine.texture.materials import MATERIALS
from engine.texture.patterns import made
from engine.texture.patterns.field import Field, unfold_walls


def _wall(side: int = 200, extent: float = 4.0) -> Field:
    step = (np.arange(side) + 0.5) * extent / side
    x, y = np.meshgrid(step, step)
    points = np.column_stack([x.reshape(-1), y.reshape(-1), np.full(side * side, 0.3)])
    return Field(points, np.tile([0.0, 0.0, 1.0], (side * side, 1)), extent / side, (0, 1, 2), 7)


def test_brick_courses_have_their_height() -> None:
    """Rows of full mortar repeat every course, and every second course is shifted by half a brick."""
    cover = made.bricks(_wall(), course=0.5).cover.reshape(200, 200)
    bed = (cover > 0.5).mean(axis=1) > 0.9
    starts = np.flatnonzero(np.diff(bed.astype(int)) == 1)
    assert set(np.diff(starts).tolist()) <= {24, 25, 26}
    assert (starts[-1] - starts[0]) / (len(starts) - 1) == pytest.approx(25.0, abs=0.4)
    low, high = cover[starts[0] + 12], cover[starts[1] + 12]
    assert np.corrcoef(low, np.roll(high, 25))[0, 1] > 0.8
    assert np.corrcoef(low, high)[0, 1] < 0.3


def test_stripes_cover_their_share() -> None:
    """Half of the wall is of the second colour, in bands across the longest axis."""
    cover = made.stripes(_wall()).cover.reshape(200, 200)
    assert abs(cover.mean() - 0.5) < 0.01
    assert np.array_equal(cover, np.tile(cover[0], (200, 1)))


def test_walls_keep_up_upwards() -> None:
    """On all four walls v is the height; on floors it is not."""
    points = np.random.default_rng(0).random((6, 3))
    normals = np.array([[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0], [0, -1, 0]], dtype=np.float64)
    u, v, side = unfold_walls(Field(points, normals, 0.01, (0, 1, 2), 1))
    assert v[:4].tolist() == points[:4, 1].tolist()
    assert u[:4].tolist() == [*points[:2, 2], *points[2:4, 0]]
    assert side.tolist() == [0, 0, 2, 2, 1, 1]


def _shade(field: Field, name: str) -> FloatArray:
    return np.column_stack(MATERIALS[name].pattern(field))


@pytest.mark.parametrize("name", list(MATERIALS))
def test_a_texel_depends_on_its_point_alone(name: str) -> None:
    """Points in another order get the same tones: where a chart is cut does not show."""
    field = _wall(40)
    order = np.random.default_rng(0).permutation(len(field.points))
    moved = Field(field.points[order], field.normals[order], field.texel, field.axes, field.seed)
    assert np.array_equal(_shade(moved, name), _shade(field, name)[order])
    assert np.isfinite(_shade(field, name)).all()
