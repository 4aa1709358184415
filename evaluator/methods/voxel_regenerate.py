"""The editor that edits nothing and makes the whole object anew each turn, from its cells and their colours alone.

It stands for methods that generate a state instead of changing one, and drifts for the reason they do: what it keeps of
a state is coarser than the state. The lattice lies about the box of what it is given, so it differs from turn to turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.cells.lattice import measure_chain_frame, measure_soup_box, voxelise
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.surfaces import PartModel
from evaluator.methods.cell_colors import measure_cell_colors
from evaluator.methods.cell_mesh import CellMesh, encode_mesh, mesh_cells
from evaluator.methods.options import refuse_options
from evaluator.rollout.contract import TurnInput, TurnOutput
from schemas.method import Access


class VoxelRegenerate:
    """Returns the state as 64 cells across tell it, whatever the instruction says."""

    access: ClassVar[tuple[Access, ...]] = ()

    def __init__(self, options: Mapping[str, str]) -> None:
        refuse_options("voxel-regenerate", options)

    def edit(self, given: TurnInput) -> TurnOutput:
        """Make the state anew. Raises GltfError or GeometryError for a state that has no surface to read."""
        document = read_document(given.folder / given.request.input, data=given.glb)
        return TurnOutput(encode_mesh(regenerate(read_part(document, None))))


def regenerate(model: PartModel) -> CellMesh:
    """Make a state anew from the cells it meets in its own frame and the colour of each.

    Raises GeometryError when it has no triangle or no extent, InputError for a texture that cannot be decoded.
    """
    soup = model.merged()
    frame = measure_chain_frame([measure_soup_box(soup)])
    cells = voxelise(soup, frame)
    return mesh_cells(cells, measure_cell_colors(model, cells, frame), frame)
