"""Prepared pieces: which triangles rays meet, normals, texture coordinates, caching."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from render_shapes import box, card, encoded, piece, textured

from engine.render.scene import PieceCache, RenderPiece, build_scene, prepare_piece, world_points
from engine.surfaces import Material, Surface


def soup(triangles: list[list[list[float]]]) -> Surface:
    """Make a surface of loose triangles."""
    positions = np.array(triangles, dtype=np.float64).reshape(-1, 3)
    return Surface(positions, np.arange(len(positions)).reshape(-1, 3), None, (), None, Material())


A, B, C = [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]


def test_rays_meet_each_sound_triangle_once() -> None:
    """Points, lines, repeats in any order and repeats in reverse are left out; one of each stays."""
    surface = soup([[A, A, A], [A, B, C], [B, C, A], [A, C, B], [A, B, [2.0, 0.0, 0.0]], [A, B, [0.0, 0.0, 1.0]]])
    prepared = prepare_piece(piece("s", surface))
    kept = prepared.corners[prepared.ray_triangles]
    assert [np.unique(corners, axis=0).tolist() for corners in kept] == [[A, C, B], [A, [0.0, 0.0, 1.0], B]]
    assert len(prepared.corners) == 6


def test_many_equal_triangles_do_not_hang() -> None:
    """Fifty thousand copies of one triangle are one."""
    start = time.perf_counter()
    prepared = prepare_piece(piece("s", soup([[A, B, C]] * 50_000)))
    assert prepared.ray_triangles.tolist() == [0]
    assert time.perf_counter() - start < 5


def test_prepared_arrays_do_not_depend_on_storage() -> None:
    """Triangles, corners and surfaces stored in another order give the same arrays, bit for bit."""
    random = np.random.default_rng(5)
    first, second = (soup(random.normal(size=(40, 3, 3)).tolist()) for _ in range(2))
    shuffled = [replace(each, faces=np.roll(random.permutation(each.faces), 1, axis=1)) for each in (second, first)]
    matrix = np.array([[0.6, 0.0, 0.8, 0.1], [0.0, 1.0, 0.0, 0.2], [-0.8, 0.0, 0.6, 0.3], [0.0, 0.0, 0.0, 1.0]])
    one, two = (prepare_piece(RenderPiece("s", each, matrix)) for each in ((first, second), tuple(shuffled)))
    for name in ("corners", "normals", "face_normals", "surface_of", "ray_triangles", "box"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name


def test_nothing_to_meet() -> None:
    """A piece without triangles, or with flat ones only, is kept and invisible."""
    for prepared in (prepare_piece(RenderPiece("s", ())), prepare_piece(piece("s", soup([[A, A, B]])))):
        assert prepared.rays is None
        assert len(prepared.ray_triangles) == 0


def test_slots_are_sorted_and_distinct() -> None:
    """The order of the call does not matter; a slot given twice is refused."""
    scene = build_scene([piece("b", card()), piece("a", card())])
    assert scene.slots == ("a", "b")
    with pytest.raises(ValueError, match="share slot 'a'"):
        build_scene([piece("a", card()), piece("a", card())])


def test_normals_of_sheared_pieces_stay_upright() -> None:
    """A slope keeps its normal at right angles to its edges under a non-uniform matrix."""
    surface = replace(soup([[A, B, [0.0, 1.0, 1.0]]]), normals=np.array([[0.0, -1.0, 1.0]] * 3) / np.sqrt(2))
    matrix = np.array([[2.0, 0.5, 0, 3], [0, 1, 0, 0], [0, 0.2, 4, 0], [0, 0, 0, 1]])
    prepared = prepare_piece(RenderPiece("s", (surface,), matrix))
    corners, normal = prepared.corners[0], prepared.normals[0, 0]
    assert np.abs(((corners[1:] - corners[0]) * normal).sum(axis=1)).max() < 1e-12
    assert (normal * prepared.face_normals[0]).sum() == pytest.approx(1)


def test_texture_transform_scales_then_rotates_then_shifts() -> None:
    """A quarter turn moves the right end of the image's top row as the format's matrix says."""
    image = encoded(np.zeros((2, 2, 3), dtype=np.uint8))
    material = textured(image, offset=(0.1, 0.2), rotation=np.pi / 2, scale=(3.0, 5.0))
    prepared = prepare_piece(piece("s", card(material)))
    found = prepared.surfaces[0].corner_uvs["base_color"][(prepared.corners == (1.0, 1.0, 0.0)).all(axis=2)]
    # It has coordinates (1, 0): scaled (3, 0), turned (0, -3), shifted.
    assert found == pytest.approx(np.array([(0.1, -2.8)] * 2))


def test_cache_knows_place_and_surfaces() -> None:
    """The same surfaces at the same place are prepared once; elsewhere, again."""
    cache = PieceCache(limit=2)
    surface = box((0, 0, 0), (1, 1, 1))
    first = cache.prepare(piece("s", surface))
    assert cache.prepare(piece("s", surface)) is first
    moved = cache.prepare(piece("s", surface, shift=(1, 0, 0)))
    assert moved is not first
    assert moved.box.tolist() == [[1, 0, 0], [2, 1, 1]]
    cache.prepare(piece("s", surface, shift=(2, 0, 0)))
    assert cache.prepare(piece("s", surface)) is not first


def test_world_points_are_placed_and_used() -> None:
    """Vertices that no face uses do not count for framing."""
    surface = soup([[A, B, C]])
    surface = replace(surface, positions=np.concatenate([surface.positions, [[99.0, 99.0, 99.0]]]))
    assert world_points(piece("s", surface, shift=(0, 0, 5)))[0].tolist() == [[0, 0, 5], [1, 0, 5], [0, 1, 5]]
