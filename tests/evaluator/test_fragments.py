"""Fragments: small components, joined by exact position."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from surface_meshes import arrays, joined, random_soup, square, stored_otherwise, unit_frame

from evaluator.metrics.fragments import count_fragments, measure_components


def test_debris_beside_a_large_piece() -> None:
    """Only pieces below half a percent of the whole area count; a piece at exactly that share does not."""
    large = square(4)
    specks = [(square(1, side=0.02)[0] + np.array([0.1 * k, 2.0, 0.0]), square(1)[1]) for k in range(5)]
    assert count_fragments(unit_frame(large)) == 0
    assert count_fragments(unit_frame(joined(large, *specks))) == 5
    shares = measure_components(unit_frame(joined(large, *specks)))
    assert sorted(shares) == pytest.approx([0.0004] * 5 + [1.0])
    tenth = square(1, side=1 / 16)  # 1/256 of the large one: below; 1/128 is above
    assert count_fragments(unit_frame(joined(large, tenth))) == 1
    twin = joined(tenth, (tenth[0] + np.array([1 / 16, 0.0, 0.0]), tenth[1]))
    assert count_fragments(unit_frame(joined(large, twin))) == 0  # they share an edge's corners


def test_touching_without_a_common_corner_does_not_join() -> None:
    """A piece that pokes through another, or ends within its edge, remains a piece; one last bit apart as well."""
    sheet = square(1)
    poking = sheet[0][:, [2, 1, 0]] * 0.5, sheet[1]
    assert len(measure_components(unit_frame(joined(sheet, poking)))) == 2
    beside = sheet[0] + np.array([1.0, 0.0, 0.0]), sheet[1]
    assert len(measure_components(unit_frame(joined(sheet, beside)))) == 1
    bit = np.nextafter(1.0, 2.0)
    assert len(measure_components(unit_frame(joined(sheet, (sheet[0] + np.array([bit, 0.0, 0.0]), sheet[1]))))) == 2
    mirrored = sheet[0] * np.array([-1.0, 1.0, -1.0]), sheet[1]  # -0.0 is 0.0
    assert len(measure_components(unit_frame(joined(sheet, mirrored)))) == 1


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_components_against_another_library(seed: int) -> None:
    """Components and their areas are those of trimesh's connected labels over merged positions, however stored."""
    surface = unit_frame(random_soup(seed))
    ids = np.unique(surface.corners.reshape(-1, 3), axis=0, return_inverse=True)[1].reshape(-1, 3)
    labels = trimesh.graph.connected_component_labels(np.concatenate([ids[:, :2], ids[:, 1:]]), int(ids.max()) + 1)
    expected = np.bincount(labels[ids[:, 0]], weights=surface.doubled / 2.0)
    expected = expected[np.unique(labels[ids[:, 0]])]
    found = measure_components(surface)
    assert np.sort(found) == pytest.approx(np.sort(expected), rel=1e-12)
    again = measure_components(unit_frame(stored_otherwise(random_soup(seed), seed)))
    assert found.tobytes() == again.tobytes()


def test_real_shapes_have_no_fragments() -> None:
    """A ball is one component with its whole area."""
    ball = unit_frame(arrays(trimesh.creation.icosphere(subdivisions=3, radius=0.5)))
    assert measure_components(ball).tolist() == pytest.approx([ball.area], rel=1e-13)
