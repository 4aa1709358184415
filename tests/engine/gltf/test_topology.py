"""Joining, components, boundaries and volumes against values known by construction and against trimesh."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from gltf_samples import CUBE_FACES, CUBE_POINTS
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.gltf.topology import (
    count_boundary_edges,
    first_occurrences,
    join_positions,
    label_components,
    measure_faces,
    signed_volume,
)

CUBE = CUBE_POINTS.astype(np.float64)
FACES = CUBE_FACES.astype(np.int64)


def test_separate_corners_join_into_one_closed_cube() -> None:
    """36 corners, minus zero and all, are eight positions, one component and no boundary."""
    soup = CUBE[FACES].reshape(-1, 3)
    soup[soup == 0] = -0.0
    soup[::2] += 0.0
    joined = join_positions(soup, np.arange(36).reshape(-1, 3))
    assert len(joined.positions) == 8
    assert label_components(joined)[0] == 1
    assert count_boundary_edges(joined.faces) == 0
    assert signed_volume(joined.positions, joined.faces) == 1.0


def test_faces_without_area_are_dropped_at_any_scale() -> None:
    """Repeated corners and collinear faces go, tiny cubes stay."""
    for scale in (1e-9, 1.0, 1e9):
        points = np.concatenate([CUBE, [[0.5, 0, 0], [0.25, 0, 0]]]) * scale
        faces = np.concatenate([FACES, [[0, 0, 1], [0, 8, 9], [4, 8, 0]]])
        joined = join_positions(points, faces)
        assert len(joined.faces) == 12
        assert joined.areas.sum() == pytest.approx(6 * scale * scale)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(0, 11), st.randoms(use_true_random=False))
def test_components_and_boundaries_of_several_open_boxes(count: int, missing: int, shuffle: object) -> None:
    """N boxes without one triangle each are N components with 3 N boundary edges, in any face order."""
    kept = np.delete(FACES, missing, axis=0)
    points = np.concatenate([CUBE + 3.0 * number for number in range(count)])
    faces = np.concatenate([kept + 8 * number for number in range(count)])
    order = list(range(len(faces)))
    shuffle.shuffle(order)  # type: ignore[attr-defined]
    joined = join_positions(points, faces[order])
    number, labels = label_components(joined)
    assert (number, count_boundary_edges(joined.faces)) == (count, 3 * count)
    assert sorted(np.bincount(labels)) == [11] * count
    assert labels[0] == 0


def test_duplicates_count_once_whatever_their_facing() -> None:
    """A box with every face twice, once turned, has twelve first occurrences and the volume of its outline."""
    doubled = np.concatenate([FACES, FACES[:, ::-1]])
    once = first_occurrences(doubled)
    assert once.tolist() == [True] * 12 + [False] * 12
    assert signed_volume(CUBE, doubled[once]) == 1.0
    assert signed_volume(CUBE, doubled) == 0.0


def test_measures_agree_with_trimesh_far_from_the_origin() -> None:
    """Area and volume of a shifted torus agree with an independent library."""
    torus = trimesh.creation.torus(2.0, 0.5, major_sections=24, minor_sections=12)
    points, faces = np.array(torus.vertices), np.array(torus.faces)
    areas, longest = measure_faces(points, faces)
    assert areas.sum() == pytest.approx(torus.area)
    assert longest.max() == pytest.approx(torus.edges_unique_length.max())
    assert signed_volume(points + 1e6, faces) == pytest.approx(torus.volume, rel=1e-6)
