"""The order of surfaces and triangles that does not depend on how a file stores them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.surface_order import order_surfaces
from engine.surfaces import FloatArray, Material, Surface


def make_surface(seed: int, digest: str = "") -> Surface:
    """A ragged sheet with seams: vertices at one place with other normals and coordinates."""
    random = np.random.default_rng(seed)
    positions = np.repeat(np.round(random.normal(size=(40, 3)), 3), 2, axis=0)
    normals = random.normal(size=(80, 3))
    uv, colors = random.random((80, 2)).astype(np.float32), random.random((80, 4)).astype(np.float32)
    return Surface(positions, random.integers(0, 80, (400, 3)), normals, (uv,), colors, Material(digest=digest))


def shuffle(surface: Surface, seed: int) -> Surface:
    """The same surface with vertices, triangles and their first corners in another order."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(surface.positions))
    faces = np.argsort(order)[random.permutation(surface.faces)]
    faces = np.stack([np.roll(face, random.integers(3)) for face in faces])
    assert surface.normals is not None
    assert surface.colors is not None
    return replace(
        surface,
        positions=surface.positions[order],
        faces=faces,
        normals=surface.normals[order],
        uvs=tuple(uv[order] for uv in surface.uvs),
        colors=surface.colors[order],
    )


def values_of(surface: Surface) -> FloatArray:
    """(F, 3, 12) all values at the corners of the faces, in order."""
    assert surface.normals is not None
    assert surface.colors is not None
    whole = np.concatenate([surface.positions, surface.normals, *surface.uvs, surface.colors], axis=1)
    return np.asarray(whole[surface.faces])


def test_storage_does_not_matter() -> None:
    """Shuffled vertices, corners, triangles and surfaces come out in one order, with all their values."""
    surfaces = (make_surface(1, "b"), make_surface(2, "b"), make_surface(3, "a"))
    stored = tuple(shuffle(surfaces[place], 10 + place) for place in (1, 2, 0))
    for one, two in zip(order_surfaces(surfaces), order_surfaces(stored), strict=True):
        assert np.array_equal(values_of(one.surface), values_of(two.surface))
        assert (1, 2, 0)[two.place] == one.place


def test_each_face_knows_how_it_was_stored() -> None:
    """Faces and corners name those they come from; winding stays."""
    surface = make_surface(4)
    (found,) = order_surfaces((surface,))
    assert np.array_equal(surface.faces[found.face[:, None], found.corner], found.surface.faces)
    assert np.array_equal(np.sort(found.face), np.arange(len(surface.faces)))
    assert ((found.corner[:, 1] - found.corner[:, 0]) % 3 == 1).all()
    assert ((found.corner[:, 2] - found.corner[:, 1]) % 3 == 1).all()


def test_units_do_not_matter() -> None:
    """A surface in other units and at another place has its faces in the same order."""
    surface = make_surface(5)
    moved = replace(surface, positions=surface.positions * 0.37 + 2.0)
    (one,), (two,) = order_surfaces((surface,)), order_surfaces((moved,))
    assert np.array_equal(one.surface.faces, two.surface.faces)


def test_near_and_odd_values_are_told_apart() -> None:
    """Vertices closer than a cell keep one order; what is not finite or not used raises no warning."""
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1e-9, 0.0, 0.0], [np.nan, np.inf, 1e300]])
    faces = np.array([[0, 1, 2], [3, 1, 2], [0, 1, 4]])
    orders = []
    for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        (found,) = order_surfaces((Surface(corners, faces[order], None, (), None, Material()),))
        orders.append(found.surface.faces.tolist())
    assert orders[0] == orders[1] == orders[2]
    (empty,) = order_surfaces((Surface(corners, np.zeros((0, 3), dtype=np.int64), None, (), None, Material()),))
    assert empty.surface.faces.shape == (0, 3)
