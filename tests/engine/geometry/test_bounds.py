"""Boxes."""

from __future__ import annotations

import numpy as np
import pytest

from engine.geometry.bounds import bounds_of, box_distance, box_iou, diagonal, merge_bounds
from schemas.errors import GeometryError

UNIT = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])


def test_only_used_vertices_count() -> None:
    """A stray vertex does not widen the box, not even when it is not a number."""
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [99, 99, 99], [np.nan, 0, 0]])
    assert bounds_of(vertices, np.array([[0, 1, 2]])).tolist() == [[0, 0, 0], [1, 2, 0]]
    with pytest.raises(GeometryError):
        bounds_of(vertices, np.array([[0, 1, 4]]))
    with pytest.raises(GeometryError):
        bounds_of(vertices, np.zeros((0, 3), dtype=np.int64))


def test_distance_union_and_padding() -> None:
    """Boxes apart along two axes: known diagonal distance, known overlap once padded."""
    other = UNIT + np.array([4.0, 5.0, 0.0])
    assert box_distance(UNIT, other) == 5.0
    assert box_distance(UNIT, UNIT + 0.5) == 0.0
    assert box_iou(UNIT, UNIT + np.array([0.5, 0.0, 0.0])) == pytest.approx(1 / 3)
    assert box_iou(UNIT, UNIT + np.array([1.0, 0.0, 0.0])) == 0.0
    assert box_iou(UNIT, UNIT + np.array([1.0, 0.0, 0.0]), pad=0.5) == pytest.approx(4.0 / 12.0)
    assert box_iou(UNIT * 0, UNIT * 0) == 0.0
    assert diagonal(merge_bounds(UNIT, other)) == pytest.approx(np.sqrt(25 + 36 + 1))
