"""The clean step on awkward meshes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from geometry_meshes import arrays_of_file, ball, box, shuffled, soup

from engine.geometry.clean import boundary_edges, clean_mesh
from schemas.errors import GeometryError


def test_any_storage_of_one_surface_cleans_to_the_same_bits() -> None:
    """Shuffled vertices, faces and corners, and an unmerged soup, give one and the same clean mesh."""
    mesh = soup(ball(3), box((0.5, 0.5, 0.5), (3, 0, 0)))
    expected = clean_mesh(*mesh)
    vertices, faces = mesh
    unmerged = (vertices[faces].reshape(-1, 3), np.arange(faces.size).reshape(-1, 3))
    for other in (shuffled(mesh, 1), shuffled(mesh, 2), shuffled(unmerged, 3)):
        result = clean_mesh(*other)
        assert result.vertices.tobytes() == expected.vertices.tobytes()
        assert result.faces.tobytes() == expected.faces.tobytes()
        assert result.volume == expected.volume
    assert expected.closed
    assert expected.shells == 2
    assert len(expected.vertices) == len(vertices)


def test_inverted_shells_turn_outward_one_by_one() -> None:
    """Of two boxes the one stored inside out is flipped, and the volume is that of both."""
    vertices, faces = soup(box(), box((2, 1, 1), (5, 0, 0)))
    faces[:12] = faces[:12, ::-1]
    mesh = clean_mesh(vertices, faces)
    assert (mesh.flipped_shells, mesh.shells, mesh.closed) == (1, 2, True)
    assert mesh.volume == pytest.approx(3.0, rel=1e-14)
    assert sorted(np.bincount(mesh.shell_of_face).tolist()) == [12, 12]


def test_repeated_and_reversed_faces_are_dropped() -> None:
    """A box stored twice, once per side, is one box of volume 1."""
    vertices, faces = box()
    mesh = clean_mesh(vertices, np.concatenate([faces, faces[:, ::-1], faces[:, [1, 2, 0]], [[0, 0, 1]]]))
    assert (len(mesh.faces), mesh.dropped_faces, mesh.closed) == (12, 25, True)
    assert mesh.volume == pytest.approx(1.0)


def test_an_open_box_is_not_closed() -> None:
    """Without its lid the box has the four edges of the opening as boundary."""
    vertices, faces = box()
    lid = (vertices[faces][:, :, 2] == 0.5).all(axis=1)
    mesh = clean_mesh(vertices, faces[~lid])
    assert not mesh.closed
    assert len(boundary_edges(mesh.faces)) == 4


@pytest.mark.parametrize(
    ("vertices", "faces"),
    [
        (np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)),
        (np.eye(3), np.zeros((0, 3), dtype=np.int64)),
        (np.eye(3), np.array([[0, 1, 3]])),
        (np.eye(3), np.array([[-1, 1, 2]])),
        (np.array([[0.0, 0, 0], [1, 0, 0], [np.nan, 1, 0]]), np.array([[0, 1, 2]])),
        (np.array([[0.0, 0, 0], [1, 0, 0], [np.inf, 1, 0]]), np.array([[0, 1, 2]])),
        (np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([[0, 1, 2]])),
        (np.ones((3, 3)), np.array([[0, 1, 2]])),
        (np.array([[-1e308, 0, 0], [1e308, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]])),
    ],
    ids=["nothing", "no faces", "index high", "index low", "nan", "inf", "line", "point", "overflow"],
)
def test_what_cannot_be_measured_is_refused(vertices: np.ndarray, faces: np.ndarray) -> None:
    """Each input that would make a kernel crash or pass silently is a typed error."""
    with pytest.raises(GeometryError):
        clean_mesh(vertices, faces)


def test_an_unused_nan_vertex_does_no_harm() -> None:
    """Only vertices that a face uses must be finite."""
    vertices, faces = box()
    assert clean_mesh(np.concatenate([vertices, [[np.nan] * 3]]), faces).volume == pytest.approx(1.0)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e12])
def test_units_do_not_matter(scale: float) -> None:
    """A box in tiny or huge units is as closed as one of side 1."""
    vertices, faces = box()
    mesh = clean_mesh(vertices * scale, faces)
    assert mesh.closed
    assert mesh.volume == pytest.approx(scale * scale * scale)


@pytest.mark.parametrize(
    ("case", "shells", "closed", "volume", "flipped"),
    [
        ("G01-unmerged-vertices", 1, True, None, 0),
        ("G19-open-shell", 1, False, None, 0),
        ("G20-inverted-normals", 1, True, 1.0, 1),
        ("G21-double-sided-duplicates", 1, True, 1.0, None),
        ("G22-self-intersection", 2, True, 1.25, 0),
        ("G23-floating-debris", 21, True, 1.0000266666857398, 0),
        ("G24-zero-thickness-sheet", 1, False, None, 0),
        ("G25-nested-shells", 2, True, 8.125, 0),
        ("G26-rotational-symmetry", 1, True, 2.5980761647224426, 0),
    ],
)
def test_cases(
    cases_dir: Path, case: str, *, shells: int, closed: bool, volume: float | None, flipped: int | None
) -> None:
    """The shared cases clean to their known shells, volume and orientation."""
    mesh = clean_mesh(*arrays_of_file(cases_dir / case / "part.glb"))
    assert (mesh.shells, mesh.closed) == (shells, closed)
    if volume is not None:
        assert mesh.volume == pytest.approx(volume, rel=1e-6)
    if flipped is not None:
        assert mesh.flipped_shells == flipped
