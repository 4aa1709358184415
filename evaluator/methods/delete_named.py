"""The editor that can only remove: it takes away what the turn names and leaves every other state as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.gltf.document import read_document
from evaluator.methods.edit_region import find_cells, read_edit_region
from evaluator.methods.loose_pieces import compose_pieces, split_pieces
from evaluator.methods.named_pieces import choose_named
from evaluator.methods.options import refuse_options
from evaluator.rollout.contract import TurnInput, TurnOutput
from schemas.errors import InputError
from schemas.method import Access


class DeleteNamed:
    """Removes the named parts on removal turns; any other turn, and a removal of what is not there, changes nothing."""

    access: ClassVar[tuple[Access, ...]] = ("operation", "edit_mask")

    def __init__(self, options: Mapping[str, str]) -> None:
        refuse_options("delete-named", options)

    def edit(self, given: TurnInput) -> TurnOutput:
        """Remove what the turn names. Raises InputError without an edit mask, GltfError for a state it cannot read."""
        if given.request.operation != "remove":
            return TurnOutput(given.glb)
        if given.request.edit_mask is None:
            raise InputError("delete-named: the request has no edit mask")
        document = read_document(given.folder / given.request.input, data=given.glb)
        pieces = split_pieces(document)
        region = read_edit_region(given.folder, given.request.edit_mask)
        cells = [find_cells(region.to_cells((piece.vertices, piece.faces))) for piece in pieces]
        named = choose_named(cells, region)
        kept = [piece for index, piece in enumerate(pieces) if index not in named]
        if not named or not kept:
            return TurnOutput(given.glb)
        return TurnOutput(compose_pieces(document, kept))
