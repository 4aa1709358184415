"""Unwrapping changes no triangle: on real parts and on shapes made to break packers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from texture_pieces import make_ball, make_box, make_surface, read_surfaces, triangle_multiset

from engine.surfaces import Surface
from engine.texture.raster import measure_cover
from engine.texture.unwrap import unwrap


def _check_unchanged(surfaces: tuple[Surface, ...]) -> None:
    asset, size = unwrap(surfaces, 256)
    assert len(asset.primitives) == len(surfaces)
    assert min(size) > 0
    for surface, primitive in zip(surfaces, asset.primitives, strict=True):
        renewed = surface.positions[primitive.vertex_map]
        assert np.array_equal(renewed[primitive.faces], surface.positions[surface.faces])
        assert np.array_equal(
            triangle_multiset(renewed, primitive.faces.astype(np.int64)),
            triangle_multiset(surface.positions, surface.faces),
        )
        assert primitive.uv.shape == (len(primitive.vertex_map), 2)
        assert np.isfinite(primitive.uv).all()
        assert len(primitive.uv) == 0 or 0.0 <= primitive.uv.min() <= primitive.uv.max() <= 1.0


def test_real_parts_keep_their_triangles(data_dir: Path) -> None:
    """Every eighth part of the development objects comes back with the same triangles in the same order."""
    paths = sorted(data_dir.glob("partverse_dev/textured_part_glbs/*/*.glb"))[::8]
    assert len(paths) > 100
    for path in paths:
        _check_unchanged(read_surfaces(path))


def _soup(count: int, seed: int = 0) -> Surface:
    points = np.random.default_rng(seed).random((3 * count, 3))
    return make_surface(points, np.arange(3 * count))


AWKWARD = {
    "soup": (_soup(300),),
    "non-manifold": (make_surface(_soup(40).positions, np.random.default_rng(1).integers(0, 120, (600, 3))),),
    "one vertex thrice": (make_surface(np.eye(3), np.array([[0, 0, 0], [0, 0, 1]])),),
    "collinear": (make_surface(np.outer(np.arange(3.0), np.ones(3)), np.array([[0, 1, 2]])),),
    "copies and reversed copies": (make_surface(np.eye(3), np.array([[0, 1, 2], [0, 1, 2], [2, 1, 0]])),),
    "empty between": (make_box(), make_surface(np.zeros((0, 3)), np.zeros((0, 3))), make_ball(1)),
    "needle": (make_surface(np.array([[0, 0, 0], [1, 0, 0], [1, 1e-9, 0]]), np.array([[0, 1, 2]])),),
    "huge": (make_surface(_soup(20).positions * 1e15, np.arange(60)),),
    "tiny": (make_surface(_soup(20).positions * 1e-15, np.arange(60)),),
    "far away": (make_surface(_soup(20).positions + 1e9, np.arange(60)),),
}


@pytest.mark.parametrize("name", list(AWKWARD))
def test_awkward_shapes_keep_their_triangles(name: str) -> None:
    """Degenerate, doubled, crossing and badly scaled triangles are neither dropped nor moved."""
    _check_unchanged(AWKWARD[name])


def test_charts_of_several_surfaces_do_not_overlap() -> None:
    """Three surfaces share one atlas and no texel."""
    surfaces = (make_box(), make_ball(2), make_box((2.0, 0.3, 0.3)))
    asset, _ = unwrap(surfaces, 256)
    corners = np.concatenate([p.uv.astype(np.float64)[p.faces] for p in asset.primitives])
    cover = measure_cover(corners, 256)
    assert int((cover > 1).sum()) <= 0.002 * int((cover > 0).sum())
    assert (cover > 0).mean() > 0.3
