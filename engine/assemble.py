"""From a symbolic state to the pieces that make it: the single way geometry comes to be.

Build, replay, verification, sheets and scores all go through `Assembler`, so they cannot disagree.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from chains.files import read_asset
from chains.state import Piece, State
from engine.gltf.compose import compose_state
from engine.gltf.document import Document, read_document
from engine.gltf.parts import read_part
from engine.gltf.pieces import ComposedPiece, PieceSource, TextureOverride
from engine.gltf.unwrap_asset import UvAsset
from engine.surfaces import PartModel, Surface
from library_index.store import PartStore
from schemas.base import IDENTITY_POSE
from schemas.errors import InputError, PartHashError, PartNotFoundError
from schemas.operation import TextureRef
from schemas.part import PartRef

_MAX_DOCUMENTS = 256
K = TypeVar("K")
T = TypeVar("T")


class Assembler:
    """Resolves part references and assets into documents, with a bounded cache.

    Every part's bytes are verified against the reference's SHA-256 by the store before they are used. The importer
    checked bytes of that hash, so their structure is not checked again.
    """

    def __init__(self, store: PartStore, assets: Path) -> None:
        self.store = store
        self.assets = assets
        self._sources: OrderedDict[PartRef, PieceSource] = OrderedDict()
        self._documents: OrderedDict[tuple[Path, str], Document] = OrderedDict()
        self._models: OrderedDict[PartRef, PartModel] = OrderedDict()
        self._textures: OrderedDict[TextureRef, TextureOverride] = OrderedDict()
        self._shown: OrderedDict[tuple[tuple[PartRef, ...], TextureRef], tuple[Surface, ...]] = OrderedDict()

    def source(self, ref: PartRef) -> PieceSource:
        """The document and node of one part."""
        found = self._sources.get(ref)
        if found is None:
            stored = self.store.read(ref)
            key = (stored.path, ref.sha256)  # all parts of one file share its document
            document = self._documents.get(key)
            if document is None:
                document = read_document(
                    stored.path, root=stored.root, data=stored.data, sha256=stored.main_sha256, sound=True
                )
                _remember(self._documents, key, document)
            found = PieceSource(document=document, node=stored.node)
            _remember(self._sources, ref, found)
        return found

    def model(self, ref: PartRef) -> PartModel:
        """The decoded surfaces of one part, in part coordinates."""
        found = self._models.get(ref)
        if found is None:
            source = self.source(ref)
            found = read_part(source.document, source.node)
            _remember(self._models, ref, found)
        return found

    def surfaces(self, piece: Piece) -> tuple[Surface, ...]:
        """All surfaces of a piece's parts, in order, in part coordinates, with their own look."""
        return tuple(surface for ref in piece.parts for surface in self.model(ref).surfaces)

    def texture(self, ref: TextureRef) -> TextureOverride:
        """A generated look with its verified asset bytes."""
        found = self._textures.get(ref)
        if found is None:
            uv = UvAsset.decode(read_asset(self.assets, ref.uv, "uv")) if ref.uv else None
            found = TextureOverride(
                image_png=read_asset(self.assets, ref.image, "png"),
                uv=uv,
                base_color_factor=ref.base_color_factor,
                metallic=ref.metallic,
                roughness=ref.roughness,
                double_sided=ref.double_sided,
            )
            _remember(self._textures, ref, found)
        return found

    def compose_piece(self, piece: Piece) -> ComposedPiece:
        """One piece ready for composition, hashing and rendering."""
        return ComposedPiece(
            slot=piece.slot,
            world_from_part=piece.world_from_part,
            parts=tuple(self.source(ref) for ref in piece.parts),
            texture=self.texture(piece.texture) if piece.texture else None,
        )

    def shown_surfaces(self, piece: Piece) -> tuple[Surface, ...]:
        """All surfaces of a piece in part coordinates as a consumer sees them, with the look it has now.

        A retextured piece is composed and read back, so pictures show what a state file holds.
        """
        if piece.texture is None:
            return self.surfaces(piece)
        key = (piece.parts, piece.texture)
        found = self._shown.get(key)
        if found is None:
            found = self.surfaces_under(piece, self.texture(piece.texture))
            _remember(self._shown, key, found)
        return found

    def surfaces_under(self, piece: Piece, look: TextureOverride) -> tuple[Surface, ...]:
        """All surfaces of a piece in part coordinates as a consumer would see them under a look."""
        sources = tuple(self.source(ref) for ref in piece.parts)
        composed = ComposedPiece(slot=piece.slot, world_from_part=IDENTITY_POSE, parts=sources, texture=look)
        document = read_document(self.assets / "piece.glb", data=compose_state((composed,)))
        return read_part(document, None).surfaces

    def compose(self, state: State) -> tuple[ComposedPiece, ...]:
        """All pieces of a state, sorted by slot."""
        return tuple(self.compose_piece(piece) for piece in state.pieces)


@contextlib.contextmanager
def naming(where: str) -> Iterator[None]:
    """Put file, turn and slot before the message of an error about a part or an asset; its kind stays."""
    try:
        yield
    except PartHashError as error:
        raise PartHashError(f"{where}: {error.what}", error.expected, error.actual) from error
    except PartNotFoundError as error:
        raise PartNotFoundError(f"{where}: {error}") from error
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


def _remember(cache: OrderedDict[K, T], key: K, value: T) -> None:
    cache[key] = value
    if len(cache) > _MAX_DOCUMENTS:
        cache.popitem(last=False)
