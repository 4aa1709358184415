"""A state taken apart without names: its mesh nodes or, of a state in one node, the shells of its mesh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.geometry.labels import piece_labels
from engine.geometry.similarity import determinant
from engine.gltf.compose import compose_fragments
from engine.gltf.document import Document
from engine.gltf.fragments import Fragment, NodeSource, PrimitiveSource, array_accessor, prepare_fragment
from engine.gltf.parts import PartNode, list_part_nodes, read_part
from engine.surfaces import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class LoosePiece:
    """What can be taken away or kept as a whole."""

    node: PartNode
    chosen: IntArray | None
    """(T,) which of the node's triangles it is, ascending; None for all."""
    vertices: FloatArray
    """(V, 3) float64, world; of the whole node."""
    faces: IntArray
    """(T, 3) its own triangles."""


def split_pieces(document: Document) -> list[LoosePiece]:
    """Take the default scene apart, in file order. Raises GltfError for geometry that cannot be read."""
    nodes = list_part_nodes(document)
    meshes = [read_part(document, node.id).merged() for node in nodes]
    if len(nodes) != 1:
        return [LoosePiece(node, None, *mesh) for node, mesh in zip(nodes, meshes, strict=True)]
    ((vertices, faces),) = meshes
    return [LoosePiece(nodes[0], shell, vertices, faces[shell]) for shell in _find_shells(vertices, faces)]


def compose_pieces(document: Document, pieces: Sequence[LoosePiece]) -> bytes:
    """One GLB of some pieces of a document: arrays, materials and images as they are, what nobody uses left out."""
    shells = [piece.chosen for piece in pieces if piece.chosen is not None]
    if shells:
        return compose_fragments([_keep_triangles(document, pieces[0].node, np.sort(np.concatenate(shells)))])
    return compose_fragments(prepare_fragment(document, piece.node.id) for piece in pieces)


def _find_shells(vertices: FloatArray, faces: IntArray) -> list[IntArray]:
    """Triangles that hang together by corners at one place, ascending; shells by their first triangle."""
    _, places = np.unique(vertices, axis=0, return_inverse=True)
    corners = places.reshape(-1)[faces]
    labels = piece_labels(len(vertices), np.concatenate([corners[:, :2], corners[:, 1:]]))[corners[:, 0]]
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    return sorted(np.split(order, starts[1:]), key=lambda shell: int(shell[0]))


def _keep_triangles(document: Document, node: PartNode, chosen: IntArray) -> Fragment:
    """The fragment of one node with some of its triangles, counted through its primitives in file order."""
    fragment = prepare_fragment(document, node.id)
    chain = [fragment.roots[0]]
    while chain[-1].children:
        chain.append(chain[-1].children[0])
    surfaces = read_part(document, node.id).surfaces
    primitives: list[PrimitiveSource] = []
    start = 0
    for source, surface in zip(chain[-1].primitives, surfaces, strict=True):
        end = start + len(surface.faces)
        faces = surface.faces[chosen[(chosen >= start) & (chosen < end)] - start]
        start = end
        # Reading turned the triangles of a mirrored node around.
        ordered = faces[:, ::-1] if determinant(node.world_matrix) < 0 else faces
        if len(faces):
            indices = array_accessor(np.ascontiguousarray(ordered).reshape(-1).astype("<u4"), "SCALAR")
            primitives.append(source._replace(indices=indices, mode=4))
    kept: NodeSource = replace(chain[-1], primitives=tuple(primitives))
    for above in reversed(chain[:-1]):
        kept = replace(above, children=(kept,))
    return fragment._replace(roots=(kept,))
