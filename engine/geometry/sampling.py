"""Stratified surface samples that do not depend on the order of vertices, faces or corners.

Definition: geometry notes, section 8. Systematic strata of the area, u_i = (i + r_i) / n, and the square-root map of
an R2 sequence to the triangle. Faces come in the order of their quantised corners, each rolled so that its
lowest corner is first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry.clean import check_soup
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

ORDER_BITS = 20
R2_STEPS = (0.7548776662466927, 0.5698402909980532)
"""Steps of the R2 sequence: powers of the inverse plastic number."""


class Samples(NamedTuple):
    """Points on a surface, each standing for the same area."""

    points: FloatArray
    """(N, 3) float64."""
    normals: FloatArray
    """(N, 3) float64, unit, by the winding of the face."""
    faces: IntArray
    """(N,) int64: the face of the input that holds the point."""
    area_each: float


def sample_surface(vertices: FloatArray, faces: IntArray, n: int, seed: int) -> Samples:
    """`n` points, stratified by area; equal surfaces give equal points, however they are stored.

    Raises:
        GeometryError: the mesh is empty, not finite or without area.

    """
    check_soup(vertices, faces)
    corners, order = canonical_corners(vertices, faces)
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normals = np.cross(b - a, c - a)
    doubled = np.sqrt((normals * normals).sum(axis=1))
    edges = np.cumsum(doubled)
    if not edges[-1] > 0.0:
        raise GeometryError(f"sampling: none of the {len(faces)} faces has area")
    generator = np.random.Generator(np.random.PCG64(seed))
    index = np.arange(n)
    position = (index + generator.random(n)) / n * edges[-1]
    # The last face with area: rounding must not push the last stratum beyond it.
    last = int(np.flatnonzero(doubled > 0.0)[-1])
    picked = np.minimum(np.searchsorted(edges, position, side="right"), last)
    # Samples of one face follow each other, so a low-discrepancy sequence also spreads them within large faces.
    spread = generator.random(2) + index[:, None] * np.array(R2_STEPS)
    spread -= np.floor(spread)
    root, second = np.sqrt(spread[:, 0:1]), spread[:, 1:2]
    points = (1.0 - root) * a[picked] + root * (1.0 - second) * b[picked] + root * second * c[picked]
    return Samples(
        points=points,
        normals=normals[picked] / doubled[picked][:, None],
        faces=order[picked],
        area_each=float(edges[-1]) / 2.0 / n,
    )


def canonical_corners(vertices: FloatArray, faces: IntArray) -> tuple[FloatArray, IntArray]:
    """Corners (F, 3, 3) in canonical order, and the input's face (F,) behind each."""
    points = np.asarray(vertices, dtype=np.float64)
    is_used = np.zeros(len(points), dtype=bool)
    is_used[faces] = True
    used = points[is_used]
    low = used.min(axis=0)
    side = float((used.max(axis=0) - low).max())
    if not (side > 0.0 and np.isfinite(side)):
        raise GeometryError(f"sampling: the mesh extends over {side}")
    corners = points[faces]
    cells = np.rint((corners - low) / side * ((1 << ORDER_BITS) - 1)).astype(np.int64)
    keys = (cells[..., 0] << (2 * ORDER_BITS)) | (cells[..., 1] << ORDER_BITS) | cells[..., 2]
    roll = (np.argmin(keys, axis=1)[:, None] + np.arange(3)) % 3
    keys = np.take_along_axis(keys, roll, axis=1)
    corners = np.take_along_axis(corners, roll[:, :, None], axis=1)
    order: IntArray = np.lexsort((keys[:, 2], keys[:, 1], keys[:, 0]))
    if (keys[order[1:]] == keys[order[:-1]]).all(axis=1).any():
        # Faces that share all cells are told apart by their exact coordinates, so they too have one order.
        flat = corners.reshape(-1, 9)
        order = np.lexsort((*(flat[:, k] for k in range(8, -1, -1)), keys[:, 2], keys[:, 1], keys[:, 0]))
    return corners[order], order
