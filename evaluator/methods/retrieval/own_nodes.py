"""A method's own state as nodes: those that carry triangles, each of which stays as it is or goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.gltf.compose import compose_fragments
from engine.gltf.document import Document, read_document
from engine.gltf.fragments import Fragment, prepare_fragment
from engine.gltf.parts import list_part_nodes, read_part
from engine.gltf.pieces import PieceSource
from engine.surfaces import FloatArray, IntArray, PartModel
from evaluator.methods.retrieval.region import CellIndices, EditRegion

WHOLLY = 0.999
"""Share of a node's cells in the region from which the node belongs to what is edited."""
MOSTLY = 0.6
"""Where there is none: a thing that the editor itself brought seldom fits the mask of the next edit to the cell."""


@dataclass(frozen=True, eq=False)
class OwnNode:
    """One node with triangles and what leads to it."""

    source: PieceSource

    @cached_property
    def model(self) -> PartModel:
        """Its surfaces, world coordinates."""
        return read_part(self.source.document, self.source.node)

    @cached_property
    def soup(self) -> tuple[FloatArray, IntArray]:
        """Its triangles: vertices (V, 3) float64, world coordinates, and faces (F, 3) int64."""
        return self.model.merged()

    @property
    def fragment(self) -> Fragment:
        """It as authored."""
        return prepare_fragment(self.source.document, self.source.node)


@dataclass(frozen=True, slots=True)
class NodeInRegion:
    """A node that lies wholly in the region of the edit."""

    node: OwnNode
    cells: CellIndices


def read_nodes(data: bytes) -> tuple[OwnNode, ...]:
    """The nodes of a state file, in file order. Raises GltfError."""
    document: Document = read_document(Path("input.glb"), data=data)
    return tuple(OwnNode(PieceSource(document, part.id)) for part in list_part_nodes(document))


def find_nodes_inside(nodes: Sequence[OwnNode], region: EditRegion) -> tuple[NodeInRegion, ...]:
    """The nodes of which at least 99.9 % of the cells lie in the region, else those with 60 %; in file order."""
    shares = []
    for node in nodes:
        vertices, faces = node.soup
        if len(faces) and region.may_meet(vertices, faces):
            cells = region.find_cells(vertices, faces)
            shares.append((NodeInRegion(node, cells), region.count_inside(cells) / max(len(cells), 1)))
    wholly = tuple(entry for entry, share in shares if share >= WHOLLY)
    return wholly or tuple(entry for entry, share in shares if share >= MOSTLY)


def write_state(fragments: Sequence[Fragment]) -> bytes:
    """One GLB of these fragments, each as authored."""
    return compose_fragments(fragments)
