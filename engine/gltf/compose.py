"""Composing a state: the parts' own accessors, materials and images under one node per slot, nothing decoded.

The same pieces give the same bytes in any process. Every byte of a buffer view is copied once.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Hashable, Iterable, Sequence

from engine.gltf.bake import bake_fragment
from engine.gltf.container import join_glb
from engine.gltf.fields import Json
from engine.gltf.fragments import Fragment, NodeSource, prepare_fragment
from engine.gltf.pieces import ComposedPiece, PieceSource, TextureOverride
from engine.gltf.retexture import retexture_parts
from engine.gltf.state_tables import StateTables
from engine.gltf.unwrap_asset import UvAsset
from schemas.errors import InputError, OutputError

__all__ = [
    "ComposedPiece",
    "PieceSource",
    "TextureOverride",
    "UvAsset",
    "bake_state",
    "compose_fragments",
    "compose_state",
]

SLOT_PREFIX = "slot_"
MAX_GLB_BYTES = (1 << 32) - 1
MAX_LOOKS = 8
"""Retextured forms of a piece that are remembered with its first document."""


def compose_state(pieces: Sequence[ComposedPiece]) -> bytes:
    """One GLB of all pieces, slots in name order; no pieces give an empty scene.

    Under each `slot_<slot>` node lie the node chains of its parts as authored. Raises InputError for a slot named
    twice or a texture that does not fit, GltfError and PartNotFoundError from the documents, OutputError for a state
    beyond the 4 GiB of the format.
    """
    tables = StateTables()
    slots = []
    for piece in _sorted(pieces):
        node: Json = {"name": SLOT_PREFIX + piece.slot}
        if not piece.is_at_rest:
            node["matrix"] = [piece.world_from_part[4 * row + column] for column in range(4) for row in range(4)]
        slots.append(_add_slot(tables, node, piece_fragments(piece)))
    return join_state(tables, slots)


def bake_state(pieces: Sequence[ComposedPiece]) -> bytes:
    """The same state with world-space float32 vertices and no node transform, for consumers that ignore them.

    Positions, normals and tangents are rewritten, mirrored parts get their triangles turned; everything else is as
    in `compose_state`.
    """
    tables = StateTables()
    slots = []
    for piece in _sorted(pieces):
        baked = [bake_fragment(fragment, piece.matrix) for fragment in piece_fragments(piece)]
        slots.append(_add_slot(tables, {"name": SLOT_PREFIX + piece.slot}, baked))
    return join_state(tables, slots)


def compose_fragments(fragments: Iterable[Fragment]) -> bytes:
    """One GLB of fragments as they stand: their roots are the scene's, no node is added or named.

    Raises OutputError for a file beyond the 4 GiB of the format.
    """
    tables = StateTables()
    return join_state(tables, _add_roots(tables, None, fragments))


def piece_fragments(piece: ComposedPiece) -> list[Fragment]:
    """The fragments of a piece's parts, under its texture override if it has one."""
    if piece.texture is None:
        return [prepare_fragment(part.document, part.node) for part in piece.parts]
    if not piece.parts:
        return []
    known: dict[Hashable, list[Fragment]] = piece.parts[0].document.memory.setdefault("retextured", {})
    key = (tuple((part.document.sha256, part.node) for part in piece.parts), piece.texture.digest)
    if key not in known:
        known[key] = retexture_parts(piece.parts, piece.texture)
        if len(known) > MAX_LOOKS:
            del known[next(iter(known))]
    return known[key]


def _sorted(pieces: Iterable[ComposedPiece]) -> list[ComposedPiece]:
    ordered = sorted(pieces, key=lambda piece: piece.slot)
    for first, second in itertools.pairwise(ordered):
        if first.slot == second.slot:
            raise InputError(f"slot {first.slot!r} is given twice")
    return ordered


def _add_slot(tables: StateTables, node: Json, fragments: Sequence[Fragment]) -> int:
    index = tables.add_node(node)
    _add_roots(tables, index, fragments)
    return index


def _add_roots(tables: StateTables, parent: int | None, fragments: Iterable[Fragment]) -> list[int]:
    """Add all that fragments hold, below `parent` if given; the indices of their roots."""
    roots = []
    for fragment in fragments:
        tables.note_extensions(fragment.extensions, fragment.required)
        roots += [_add_tree(tables, parent, root) for root in fragment.roots]
    return roots


def _add_tree(tables: StateTables, parent: int | None, root: NodeSource) -> int:
    """Add a node and everything below it, depth first, without recursion; its index."""
    first = len(tables.rows.get("nodes", ()))
    stack = [(parent, root)]
    while stack:
        above, source = stack.pop()
        node = dict(source.fields)
        if source.primitives:
            node["mesh"] = tables.mesh(source.primitives)
        index = tables.add_node(node, above)
        stack += [(index, child) for child in reversed(source.children)]
    return first


def join_state(tables: StateTables, slots: list[int]) -> bytes:
    """Write one GLB of the tables, with the given nodes as the scene's roots.

    Raises OutputError beyond the 4 GiB of the format.
    """
    chunks = tables.chunks
    if tables.size > MAX_GLB_BYTES - (1 << 28):
        raise OutputError(f"the state has {tables.size} bytes of buffers, a GLB holds at most {MAX_GLB_BYTES}")
    return join_glb(encode_json(tables.document(slots)), chunks)


def encode_json(document: Json) -> bytes:
    """JSON with sorted keys and shortest round-trip numbers.

    Not RFC 8785, whose pure Python writer would take a third of the time of a replay; as deterministic all the same.
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
