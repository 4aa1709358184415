"""Content hash of a state: what a consumer sees, independent of how the file is laid out.

SHA-256 over slots in name order; per slot the world-space arrays of its surfaces (float64 positions and normals by
elementwise products, faces, every UV set, colours) and the digests of their materials with image bytes.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Hashable, Sequence

from engine.gltf.document import Document
from engine.gltf.parts import read_part
from engine.gltf.pieces import ComposedPiece
from engine.gltf.placed import Loader, read_piece, walk_arrays
from engine.surfaces import PartModel
from schemas.errors import InputError

PIECE_ENTRIES = 4_096
MODEL_BYTES = 256 << 20
"""Decoded surfaces kept at once."""


class ContentDigester:
    """Computes content hashes and remembers those of pieces, so that a chain's turns cost what they change.

    Not shared between threads. Decoded parts are kept up to a byte limit, least recently used first out.
    """

    def __init__(self, loader: Loader = read_part, *, model_bytes: int = MODEL_BYTES) -> None:
        self._loader = loader
        self._limit = model_bytes
        self._models: OrderedDict[tuple[str, str | None], tuple[PartModel, int]] = OrderedDict()
        self._kept = 0
        self._pieces: OrderedDict[Hashable, str] = OrderedDict()

    def digest_state(self, pieces: Sequence[ComposedPiece]) -> str:
        """SHA-256 of a state's content, 64 hex digits. Raises InputError for a slot given twice."""
        slots = {piece.slot: piece for piece in pieces}
        if len(slots) != len(pieces):
            raise InputError("a slot is given twice")
        lines = [f"{slot}\x00{self.digest_piece(slots[slot])}\n" for slot in sorted(slots)]
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def digest_piece(self, piece: ComposedPiece) -> str:
        """SHA-256 of one piece's world-space surfaces; its slot's name is not part of it."""
        key: Hashable = (
            tuple((part.document.sha256, part.node) for part in piece.parts),
            tuple(piece.world_from_part),
            piece.texture.digest if piece.texture is not None else None,
        )
        if key not in self._pieces:
            self._pieces[key] = self._digest(piece)
            if len(self._pieces) > PIECE_ENTRIES:
                self._pieces.popitem(last=False)
        self._pieces.move_to_end(key)
        return self._pieces[key]

    def _digest(self, piece: ComposedPiece) -> str:
        total = hashlib.sha256()
        for surface in read_piece(piece, self._load).surfaces:
            total.update(b"surface\n")
            for name, content in walk_arrays(surface):
                total.update(f"{name} {len(content)}\n".encode())
                total.update(content)
        return total.hexdigest()

    def _load(self, document: Document, node: str | None) -> PartModel:
        key = (document.sha256, node)
        if key in self._models:
            self._models.move_to_end(key)
            return self._models[key][0]
        model = self._loader(document, node)
        size = sum(len(content) for surface in model.surfaces for _, content in walk_arrays(surface))
        self._models[key] = (model, size)
        self._kept += size
        while self._kept > self._limit and len(self._models) > 1:
            self._kept -= self._models.popitem(last=False)[1][1]
        return model
