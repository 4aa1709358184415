"""What a regenerating method makes of cells and colours: a mesh through the middle of the cells, coloured by corner."""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

import numpy as np

from engine.cells.lattice import CELL_FRAME, Cells, ChainFrame
from engine.cells.sizes import MARGIN_CELLS
from engine.gltf.compose import compose_fragments
from engine.gltf.fragments import Fragment, MaterialSource, NodeSource, PrimitiveSource, array_accessor
from engine.surfaces import FloatArray, IntArray
from evaluator.methods.cell_lookup import flatten_places, look_up
from evaluator.redraw import redraw_cells

PULL: Final = 0.9
"""How far corners are drawn from the cells' boundary, 0, to the middle of the cells around them, 1.

At 0 every sheet would be a cell thick and grow by a cell with every turn; at 1 it would have no thickness at all.
"""
ROUGHNESS: Final = 0.8
_MATERIAL: Final = MaterialSource(
    {"pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": ROUGHNESS}, "doubleSided": True}, (), ()
)


class CellMesh(NamedTuple):
    """A coloured mesh."""

    vertices: FloatArray
    """(V, 3) world."""
    faces: IntArray
    """(F, 3) facing outward."""
    colors: FloatArray
    """(V, 3) linear."""


def mesh_cells(cells: Cells, colors: FloatArray, frame: ChainFrame) -> CellMesh:
    """Draw the boundary of the cells, with colours (N, 3), in towards their middle."""
    boundary, faces = redraw_cells(cells, CELL_FRAME)
    corners = np.rint(boundary).astype(np.int64) + MARGIN_CELLS
    middle, mean = np.zeros((len(corners), 3)), np.zeros((len(corners), 3))
    count = np.zeros(len(corners))
    for step in product((-1, 0), repeat=3):
        around = corners + np.array(step)
        index, filled = look_up(cells, flatten_places(around))
        middle += np.where(filled[:, None], around + 0.5, 0.0)
        mean += np.where(filled[:, None], colors[index], 0.0)
        count += filled
    middle, mean = middle / count[:, None], mean / count[:, None]
    drawn = corners + (middle - corners) * PULL
    return CellMesh(frame.to_world(drawn - float(MARGIN_CELLS)), faces, mean)


def encode_mesh(mesh: CellMesh) -> bytes:
    """One GLB of one node without a name: float32 positions and linear vertex colours."""
    primitive = PrimitiveSource(
        attributes=(
            ("POSITION", array_accessor(mesh.vertices.astype("<f4"), "VEC3", bounds=True)),
            ("COLOR_0", array_accessor(mesh.colors.astype("<f4"), "VEC3")),
        ),
        indices=array_accessor(mesh.faces.reshape(-1).astype("<u4"), "SCALAR"),
        mode=4,
        material=_MATERIAL,
        origin={},
    )
    return compose_fragments([Fragment((NodeSource({}, (primitive,), ()),), (), ())])
