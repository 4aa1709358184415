"""The clean step before every measurement: merge by position, drop repeated faces, turn shells outward.

Definition: geometry notes, section 9, steps 1 to 6. The result is in canonical order (vertices by grid cell, faces by
their corners, smallest corner first), so that a file with shuffled vertices or faces measures the same to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.geometry.labels import piece_labels
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

GRID_BITS = 21
"""Positions closer than the longest side / 2^21 may fall into one cell and are then one vertex."""
FACE_LIMIT = 2_000_000
COORDINATE_LIMIT = 1e40
"""Above every single-precision number; sixth powers, which the distance kernels need, still fit."""


@dataclass(frozen=True, slots=True)
class CleanMesh:
    """A mesh ready for measuring; arrays are not to be written to."""

    vertices: FloatArray
    """(V, 3) float64, positions as in the file, ordered by grid cell."""
    faces: IntArray
    """(F, 3) int64."""
    shells: int
    """Pieces that share no vertex."""
    closed: bool
    """Every edge is passed as often forward as backward, so the signed volume means something."""
    volume: float
    """Signed volume about the box centre, after turning shells outward."""
    flipped_shells: int
    dropped_faces: int
    shell_of_face: IntArray
    """(F,) int64, below `shells`."""


def clean_mesh(vertices: FloatArray, faces: IntArray) -> CleanMesh:
    """Merge, de-duplicate and orient a triangle soup.

    Raises:
        GeometryError: no vertices or faces, too many faces, an index out of range, a used vertex that is not finite,
            or no area at all.

    """
    check_soup(vertices, faces)
    points, merged = _merge_by_position(np.asarray(vertices, dtype=np.float64), np.asarray(faces, dtype=np.int64))
    kept = _drop_repeated(merged)
    if len(kept) == 0 or not (_doubled_areas(points, kept) > 0.0).any():
        raise GeometryError(f"mesh: none of its {len(faces)} faces has area")
    points, kept = _compact(points, kept)
    shell_of_face, shells = _shells_of(len(points), kept)
    kept, flipped = _turn_outward(points, kept, shell_of_face, shells)
    kept, shell_of_face = _sorted_faces(kept, shell_of_face)
    return CleanMesh(
        vertices=points,
        faces=kept,
        shells=shells,
        closed=len(boundary_edges(kept)) == 0,
        volume=float(_corner_volumes(points, kept, _centre(points)).sum()),
        flipped_shells=flipped,
        dropped_faces=len(faces) - len(kept),
        shell_of_face=shell_of_face,
    )


def check_soup(vertices: FloatArray, faces: IntArray) -> None:
    """Refuse what would make a kernel crash or answer silently wrong.

    Raises:
        GeometryError: see `clean_mesh`; area is not looked at.

    """
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
        raise GeometryError(f"mesh: shapes {vertices.shape} and {faces.shape}, needs (V, 3) and (F, 3)")
    if len(vertices) == 0 or len(faces) == 0:
        raise GeometryError(f"mesh: {len(vertices)} vertices and {len(faces)} faces, needs at least one of each")
    if len(faces) > FACE_LIMIT:
        raise GeometryError(f"mesh: {len(faces)} faces, limit {FACE_LIMIT}")
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise GeometryError(f"mesh: a face index is outside 0..{len(vertices) - 1}")
    bad = ~(np.abs(vertices) <= COORDINATE_LIMIT).all(axis=1)
    if bad.any() and bad[faces].any():
        raise GeometryError(
            f"mesh: {int(bad.sum())} vertices are not finite or beyond {COORDINATE_LIMIT:g}, and a face uses one"
        )


def boundary_edges(faces: IntArray) -> IntArray:
    """Edges (E, 2), low vertex first, that faces pass more often one way than the other."""
    starts = faces.reshape(-1)
    ends = faces[:, [1, 2, 0]].reshape(-1)
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    keys, inverse = np.unique(low * (int(faces.max()) + 1) + high, return_inverse=True)
    balance = np.bincount(inverse, weights=np.where(starts < ends, 1.0, -1.0), minlength=len(keys))
    open_keys = keys[balance != 0.0]
    return np.stack(np.divmod(open_keys, int(faces.max()) + 1), axis=1)


def _merge_by_position(vertices: FloatArray, faces: IntArray) -> tuple[FloatArray, IntArray]:
    points, compact = _compact(vertices, faces)
    points = points + 0.0  # turns -0.0 into 0.0
    low = points.min(axis=0)
    side = float((points.max(axis=0) - low).max())
    if side == 0.0:
        raise GeometryError("mesh: all used vertices lie in one point")
    cells = np.rint((points - low) / side * ((1 << GRID_BITS) - 1)).astype(np.int64)
    key = (cells[:, 0] << (2 * GRID_BITS)) | (cells[:, 1] << GRID_BITS) | cells[:, 2]
    # Within a cell the lowest position stands for all, so that the order of the file does not matter.
    order: IntArray = np.lexsort((points[:, 2], points[:, 1], points[:, 0], key))
    first = np.ones(len(order), dtype=bool)
    first[1:] = key[order][1:] != key[order][:-1]
    cell_of_point = np.zeros(len(order), dtype=np.int64)
    cell_of_point[order] = np.cumsum(first) - 1
    return points[order[first]], cell_of_point[compact]


def _compact(points: FloatArray, faces: IntArray) -> tuple[FloatArray, IntArray]:
    """Leave out vertices that no face uses; the order stays."""
    is_used = np.zeros(len(points), dtype=bool)
    is_used[faces] = True
    return points[is_used], (np.cumsum(is_used) - 1)[faces]


def _drop_repeated(faces: IntArray) -> IntArray:
    distinct = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    faces = faces[distinct]
    if len(faces) == 0:
        return faces
    ordered = np.sort(faces, axis=1)
    keys = (ordered[:, 0] << 42) | (ordered[:, 1] << 21) | ordered[:, 2]
    if int(ordered.max()) >> GRID_BITS:
        keys = np.unique(ordered, axis=0, return_inverse=True)[1].reshape(-1)
    _, first = np.unique(keys, return_index=True)
    kept: IntArray = faces[np.sort(first)]
    return kept


def _canonical(faces: IntArray) -> IntArray:
    """Each face rolled so that its lowest corner comes first; the winding stays."""
    start = np.argmin(faces, axis=1)
    rolled: IntArray = np.take_along_axis(faces, (start[:, None] + np.arange(3)) % 3, axis=1)
    return rolled


def _sorted_faces(faces: IntArray, labels: IntArray) -> tuple[IntArray, IntArray]:
    faces = _canonical(faces)
    order = np.lexsort((faces[:, 2], faces[:, 1], faces[:, 0]))
    return np.ascontiguousarray(faces[order]), labels[order]


def _shells_of(n_vertices: int, faces: IntArray) -> tuple[IntArray, int]:
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [0, 2]]])
    labels = piece_labels(n_vertices, edges)
    return labels[faces[:, 0]], int(labels.max()) + 1


def _turn_outward(points: FloatArray, faces: IntArray, shell_of_face: IntArray, shells: int) -> tuple[IntArray, int]:
    areas = _doubled_areas(points, faces)
    corners = points[faces]
    weight = np.bincount(shell_of_face, weights=areas, minlength=shells)
    middles = corners.sum(axis=1) / 3.0
    sums = [np.bincount(shell_of_face, weights=areas * middles[:, k], minlength=shells) for k in range(3)]
    centroids = np.stack(sums, axis=1) / np.where(weight > 0.0, weight, 1.0)[:, None]
    volumes = np.bincount(
        shell_of_face, weights=_corner_volumes(points, faces, centroids[shell_of_face]), minlength=shells
    )
    # A flat sheet has volume 0 up to rounding; the margin keeps it as it is.
    inverted = volumes < -1e-12 * weight * np.sqrt(weight)
    flip = inverted[shell_of_face]
    return np.where(flip[:, None], faces[:, ::-1], faces), int(inverted.sum())


def _centre(points: FloatArray) -> FloatArray:
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2.0)


def _doubled_areas(points: FloatArray, faces: IntArray) -> FloatArray:
    a, b, c = (points[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    return np.asarray(np.sqrt((normal * normal).sum(axis=1)))


def _corner_volumes(points: FloatArray, faces: IntArray, origin: FloatArray) -> FloatArray:
    a, b, c = (points[faces[:, k]] - origin for k in range(3))
    return np.asarray((a * np.cross(b, c)).sum(axis=1) / 6.0)
