"""The frame of a chain, its lattice, and which cells of it a surface meets.

Definition: metric notes, section 1. The lattice is unbounded; the work array holds the frame and a margin of 16 cells
around it. Cells of a mesh are kept as ascending flat indices of the work array, so that those of a piece that stays
from state to state are a few kilobytes to keep; states are unions of pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cells.sizes import FRAME_CELLS, MARGIN_CELLS, WORK_CELLS, FrameRule
from engine.geometry.clean import check_soup
from engine.geometry.voxels import voxelise_surface
from engine.surfaces import BoolArray, FloatArray, IntArray
from schemas.errors import GeometryError

Soup = tuple[FloatArray, IntArray]
"""Triangles in world coordinates: vertices (V, 3) float64 and faces (F, 3) int64."""
Cells = NDArray[np.int32]
"""Occupied cells: ascending flat (row-major) indices of the work array, each once; read-only."""
Grid = BoolArray
"""Occupied cells as a bool array of `SHAPE`."""

SHAPE: Final = (WORK_CELLS, WORK_CELLS, WORK_CELLS)
PADDED_CELLS: Final = 60.5
"""Cells across the longest side: neither the faces of the box, nor its middle, nor halves of it lie on cell planes."""


class ChainFrame(NamedTuple):
    """The one frame of a chain: a cube of 64 cells, never moved from turn to turn. Distances are in units of `side`."""

    center: tuple[float, float, float]
    """World."""
    side: float
    """Longest side of the box over all ground-truth states, world units."""
    rule: FrameRule = "padded"

    @property
    def pitch(self) -> float:
        """Side of a cell, world units: h."""
        return self.side / (PADDED_CELLS if self.rule == "padded" else FRAME_CELLS)

    @property
    def center_cell(self) -> float:
        """Coordinate of the centre in cells of the frame, on every axis."""
        return 31.5 if self.rule == "padded" else 32.0

    def to_work(self, points: FloatArray) -> FloatArray:
        """World points (N, 3) in cells of the work array: (x - c) / h + 31.5, and the margin."""
        centered = np.asarray(points, dtype=np.float64) - np.array(self.center)
        return np.asarray(centered / self.pitch + (self.center_cell + MARGIN_CELLS))

    def to_world(self, cells: FloatArray) -> FloatArray:
        """Points (N, 3) in cells of the frame in world coordinates."""
        return np.asarray((cells - self.center_cell) * self.pitch + np.array(self.center))


CELL_FRAME: Final = ChainFrame((31.5, 31.5, 31.5), PADDED_CELLS)
"""The frame whose world is its own cells."""


def measure_chain_frame(boxes: Iterable[tuple[FloatArray, FloatArray]], rule: FrameRule = "padded") -> ChainFrame:
    """Measure the frame of a chain from the boxes (low (3,), high (3,)) of all its ground-truth states, or pieces.

    Raises:
        GeometryError: there is no box, one is not finite, or together they have no extent.

    """
    corners = [np.asarray(corner, dtype=np.float64) for box in boxes for corner in box]
    if not corners:
        raise GeometryError("chain frame: no state has a box")
    stacked = np.stack(corners)
    low, high = stacked.min(axis=0), stacked.max(axis=0)
    center = low + (high - low) * 0.5
    frame = ChainFrame((float(center[0]), float(center[1]), float(center[2])), float((high - low).max()), rule)
    check_frame(frame)
    return frame


def check_frame(frame: ChainFrame) -> None:
    """Refuse a frame that cannot be divided into cells. Raises GeometryError."""
    if not np.isfinite(frame.center).all() or not np.isfinite(frame.side) or not frame.pitch > 0.0:
        raise GeometryError(
            f"chain frame: centre {frame.center} and side {frame.side}, needs finite numbers and a side above 0"
        )


def measure_soup_box(soup: Soup) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest corner (3,) of the vertices that faces use. Raises GeometryError when there is no face."""
    check_soup(*soup)
    return _bounds_of_used(*soup)


def voxelise(soup: Soup, frame: ChainFrame) -> Cells:
    """Find the cells of the work array that a surface meets: V(X). No faces meet none.

    Face order, merging of vertices and splitting into pieces change no cell. What lies beyond the work array is left
    out; `measure_beyond` tells how much that is.

    Raises:
        GeometryError: a face uses a vertex that is not there or not finite, or there are too many faces.

    """
    vertices, faces = soup
    if len(faces) == 0:
        return _frozen(np.zeros(0, dtype=np.int32))
    check_soup(vertices, faces)
    with np.errstate(all="ignore"):  # a vertex that no face uses may be anything
        placed = frame.to_work(vertices)
    low, shape = _find_window(*_bounds_of_used(placed, faces))
    # Whole numbers not above a coordinate are taken off it without rounding, so a window moves no vertex.
    with np.errstate(all="ignore"):
        window = voxelise_surface(placed - low, faces, np.zeros(3), 1.0, shape)
    i, j, k = np.nonzero(window)
    flat = ((i + int(low[0])) * WORK_CELLS + (j + int(low[1]))) * WORK_CELLS + (k + int(low[2]))
    return _frozen(flat.astype(np.int32))


def fill_grid(pieces: Iterable[Cells]) -> Grid:
    """Mark the cells of all pieces in one read-only grid: V(A u B) = V(A) u V(B)."""
    grid = np.zeros(SHAPE, dtype=np.bool_)
    flat = grid.reshape(-1)
    for cells in pieces:
        flat[cells] = True
    grid.flags.writeable = False
    return grid


def _bounds_of_used(vertices: FloatArray, faces: IntArray) -> tuple[FloatArray, FloatArray]:
    is_used = np.zeros(len(vertices), dtype=np.bool_)
    is_used[faces.reshape(-1)] = True
    columns = [vertices[is_used, k] for k in range(3)]
    return np.array([column.min() for column in columns]), np.array([column.max() for column in columns])


def _find_window(low: FloatArray, high: FloatArray) -> tuple[FloatArray, tuple[int, int, int]]:
    """Find the part of the work array that a mesh with these bounds (3,), in its cells, can meet: lowest cell, shape.

    The whole array when it reaches beyond: the cut of far triangles must not depend on the mesh they belong to.
    """
    if low.min() < 0.0 or high.max() >= WORK_CELLS:
        return np.zeros(3), SHAPE
    first = np.floor(low)
    # Rounding to odd units may lift a coordinate just below a cell plane over it.
    last = np.minimum(np.floor(high) + 1.0, WORK_CELLS - 1.0)
    x, y, z = (last - first).astype(np.int64) + 1
    return first, (int(x), int(y), int(z))


def _frozen(cells: Cells) -> Cells:
    cells.flags.writeable = False
    return cells
