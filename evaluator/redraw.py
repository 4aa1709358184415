"""An object drawn anew from nothing but its cells: the chance level that every table of scores shows."""

from __future__ import annotations

import numpy as np

from engine.cells.lattice import Cells, ChainFrame, Soup, fill_grid
from engine.cells.sizes import MARGIN_CELLS, WORK_CELLS
from schemas.errors import GeometryError


def redraw_cells(cells: Cells, frame: ChainFrame) -> Soup:
    """Make the boundary of the closed cubes that are the cells: triangles in world coordinates, facing outward.

    Corners are shared. The surface lies about half a cell from the one that met the cells, on both sides of it; it
    meets about twice as many: the cells, but those with six filled neighbours, and others towards +x, +y and +z, for a
    face on a cell plane is in the cell above. Raises GeometryError when there are no cells.
    """
    if len(cells) == 0:
        raise GeometryError("redraw: there are no cells to draw")
    filled = np.pad(fill_grid([cells]), 1)
    corners = []
    for axis in range(3):
        across, upward = np.eye(3, dtype=np.int64)[[(axis + 1) % 3, (axis + 2) % 3]]
        step = np.eye(3, dtype=np.int64)[axis]
        for side in (0, 1):
            empty = np.roll(filled, 1 - 2 * side, axis=axis)
            first = np.argwhere(filled & ~empty) - 1 + side * step
            ring = (0 * across, across, across + upward, upward)
            corners.append(np.stack([first + offset for offset in (ring if side else ring[::-1])], axis=1))
    quads = np.concatenate(corners)
    stride = WORK_CELLS + 1
    flat = (quads[:, :, 0] * stride + quads[:, :, 1]) * stride + quads[:, :, 2]
    used, quads_flat = np.unique(flat, return_inverse=True)
    x, y, z = used // (stride * stride), used // stride % stride, used % stride
    vertices = frame.to_world(np.stack([x, y, z], axis=1) - float(MARGIN_CELLS))
    quads_flat = quads_flat.reshape(-1, 4)
    return vertices, np.concatenate([quads_flat[:, [0, 1, 2]], quads_flat[:, [0, 2, 3]]])
