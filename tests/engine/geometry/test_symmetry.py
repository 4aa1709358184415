"""Rotational orders of known shapes."""

from __future__ import annotations

from pathlib import Path

import pytest
from geometry_meshes import Mesh, arrays_of_file, ball, box, cylinder, rotation_between, shuffled, soup

from engine.geometry.clean import clean_mesh
from engine.geometry.symmetry import measure_symmetry


def _upright(mesh: Mesh) -> Mesh:
    return mesh[0][:, [1, 2, 0]], mesh[1]


@pytest.mark.parametrize("sections", [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
def test_prisms_have_the_order_of_their_base(sections: int) -> None:
    """A prism of n sides about Y has order n about Y."""
    axis, order = measure_symmetry(clean_mesh(*_upright(cylinder(0.5, 1.0, sections))))
    assert (axis.tolist(), order) == ([0.0, 1.0, 0.0], sections)


def test_round_shapes_and_boxes() -> None:
    """Fine cylinders are round about their own axis, balls about Y, boxes have order 2, bars of square section 4."""
    assert measure_symmetry(clean_mesh(*_upright(cylinder(0.5, 1.0, 64))))[1] == 360
    axis, order = measure_symmetry(clean_mesh(*cylinder(0.5, 1.0, 64)))
    assert (axis.tolist(), order) == ([0.0, 0.0, 1.0], 360)
    axis, order = measure_symmetry(clean_mesh(*ball(4)))
    assert (axis.tolist(), order) == ([0.0, 1.0, 0.0], 360)
    axis, order = measure_symmetry(clean_mesh(*box((1, 2, 3))))
    assert (axis.tolist(), order) == ([0.0, 1.0, 0.0], 2)
    axis, order = measure_symmetry(clean_mesh(*box((3, 1, 1))))
    assert (axis.tolist(), order) == ([1.0, 0.0, 0.0], 4)


def test_shapes_without_symmetry_have_order_one() -> None:
    """A box with a knob off its axes, and a box turned out of the axes."""
    assert measure_symmetry(clean_mesh(*soup(box((1, 2, 3)), box((0.2, 0.2, 0.2), (0.5, 0.7, 1.1)))))[1] == 1
    vertices, faces = box((1, 2, 3))
    assert measure_symmetry(clean_mesh(vertices @ rotation_between([1, 2, 3], [3, 1, -1]).T, faces))[1] == 1


def test_storage_order_does_not_matter(cases_dir: Path) -> None:
    """The hexagonal prism has order 6 about Y in both of its files and in any storage."""
    folder = cases_dir / "G26-rotational-symmetry"
    for name in ("part.glb", "part_shuffled.glb"):
        mesh = arrays_of_file(folder / name)
        for variant in (mesh, shuffled(mesh)):
            axis, order = measure_symmetry(clean_mesh(*variant))
            assert (axis.tolist(), order) == ([0.0, 1.0, 0.0], 6)
