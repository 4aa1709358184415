"""The hierarchy: boxes hold their triangles, and moving it equals building it anew."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_meshes import ball, box, rotation_between

from engine.geometry.bvh import LEAF_FACES, build_bvh, moved_bvh
from engine.geometry.similarity import similarity, transform_points


@pytest.mark.parametrize("n", [1, 3, 4, 5, 16, 17, 1000])
def test_every_box_holds_its_triangles_and_leaves_share_them_evenly(n: int) -> None:
    """All faces are in the tree once; each box is the tight one of what is below it."""
    rng = np.random.default_rng(n)
    vertices, faces = rng.random((3 * n, 3)), np.arange(3 * n).reshape(-1, 3)
    bvh = build_bvh(vertices, faces)
    assert sorted(bvh.order.tolist()) == list(range(n))
    assert np.array_equal(bvh.corners, vertices[faces][bvh.order])
    leaves = (len(bvh.boxes) + 1) // 2
    counts = [(k + 1) * n // leaves - k * n // leaves for k in range(leaves)]
    assert max(counts) <= LEAF_FACES
    assert sum(counts) == n
    first, last = [0] * len(bvh.boxes), [0] * len(bvh.boxes)
    for node in reversed(range(len(bvh.boxes))):
        if node >= leaves - 1:
            first[node], last[node] = (node - leaves + 1) * n // leaves, (node - leaves + 2) * n // leaves
        else:
            first[node], last[node] = first[2 * node + 1], last[2 * node + 2]
        inside = bvh.corners[first[node] : last[node]].reshape(-1, 3)
        if len(inside):
            assert np.array_equal(bvh.boxes[node], [inside.min(axis=0), inside.max(axis=0)])


def test_moving_equals_building_from_moved_corners() -> None:
    """The moved hierarchy has the moved corners to the bit, its own order, and leaves the first one alone."""
    vertices, faces = ball(2)
    bvh = build_bvh(vertices, faces)
    before = bvh.boxes.copy()
    pose = similarity(1.7, rotation_between([0, 1, 0], [1, 1, 1]), np.array([1.0, 2.0, 3.0]))
    moved = moved_bvh(bvh, pose)
    assert np.array_equal(moved.corners, transform_points(pose, vertices)[faces][bvh.order])
    assert np.array_equal(moved.bounds, [moved.corners.min(axis=(0, 1)), moved.corners.max(axis=(0, 1))])
    assert np.array_equal(bvh.boxes, before)


def test_read_only_and_narrow_arrays_are_taken() -> None:
    """Arrays as loaders give them, read-only or float32 or in Fortran order, build the same tree."""
    vertices, faces = box()
    expected = build_bvh(vertices, faces)
    frozen = vertices.copy()
    frozen.setflags(write=False)
    for other in (frozen, vertices.astype(np.float32), np.asfortranarray(vertices)):
        assert np.array_equal(build_bvh(other, faces.astype(np.int32)).corners, expected.corners)
