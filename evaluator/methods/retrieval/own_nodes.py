"""A method's own state as nodes: those that carry triangles, each of which stays as it is or goes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.cells.lattice import Soup
from engine.gltf.document import read_document
from engine.gltf.fragments import Fragment, prepare_fragment
from engine.gltf.parts import list_part_nodes, read_part
from engine.gltf.pieces import PieceSource
from engine.surfaces import PartModel
from evaluator.methods.edit_region import EditRegion, find_cells
from evaluator.methods.named_pieces import choose_named


@dataclass(frozen=True, eq=False)
class OwnNode:
    """One node with triangles and what leads to it."""

    source: PieceSource

    @cached_property
    def model(self) -> PartModel:
        """Its surfaces, world coordinates."""
        return read_part(self.source.document, self.source.node)

    @cached_property
    def soup(self) -> Soup:
        """Its triangles, world coordinates."""
        return self.model.merged()

    @property
    def fragment(self) -> Fragment:
        """It as authored."""
        return prepare_fragment(self.source.document, self.source.node)


@dataclass(frozen=True, slots=True)
class SplitState:
    """A state by what the mask says of its nodes."""

    nodes: tuple[OwnNode, ...]
    """All of them, in file order."""
    named: tuple[OwnNode, ...]
    """Those that the edit is about: they fill the mask."""
    others: tuple[OwnNode, ...]


def split_state(path: Path, data: bytes, region: EditRegion) -> SplitState:
    """Read a state file called `path` and find the nodes in the region. Raises GltfError."""
    document = read_document(path, data=data)
    nodes = tuple(
        node
        for node in (OwnNode(PieceSource(document, part.id)) for part in list_part_nodes(document))
        if len(node.soup[1])
    )
    chosen = choose_named([find_cells(region.to_cells(node.soup)) for node in nodes], region)
    return SplitState(
        nodes,
        tuple(node for index, node in enumerate(nodes) if index in chosen),
        tuple(node for index, node in enumerate(nodes) if index not in chosen),
    )
