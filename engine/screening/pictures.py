"""The three pictures of a question: before, after with the edited part outlined, and a close-up."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from chains.state import State
from engine.assemble import Assembler
from engine.geometry.similarity import as_matrix
from engine.render.close_up import aim_at_mask
from engine.render.contour import draw_contour
from engine.render.scene import RenderPiece
from engine.render.sheet import SheetFrame, Studio, frame_sphere, stroke_of
from engine.screening.protocol import QuestionPictures
from schemas.chain import Turn

PICTURE_PX = 384


def draw_turn(assembler: Assembler, before: State, after: State, turn: Turn) -> QuestionPictures:
    """Draw one turn with the looks that its pieces wear. Raises as draw_question, and as Assembler."""
    shown = [
        tuple(
            RenderPiece(piece.slot, assembler.shown_surfaces(piece), as_matrix(piece.world_from_part))
            for piece in state.pieces
        )
        for state in (before, after)
    ]
    operation = turn.operation
    return draw_question(shown[0], SheetFrame(shown[1], operation.slot, turn.instruction, operation.op, turn.index))


def draw_question(before: tuple[RenderPiece, ...], frame: SheetFrame) -> QuestionPictures:
    """Draw before, after with the edited part outlined, and a close-up, from the view that shows the edit best.

    Raises InputError when neither state has geometry or a texture cannot be decoded.
    """
    studio = Studio(frame_sphere([before, frame.pieces]), PICTURE_PX)
    camera = studio.camera(studio.choose_view(before, frame))
    after = studio.draw_plain(frame.pieces, camera)
    mask = studio.find_edit(before, frame, camera)
    near = after
    if mask is not None and frame.op is not None and mask.any():
        near = studio.draw_plain(frame.pieces, aim_at_mask(camera, mask))
        after = draw_contour(after, mask, stroke_of(frame.op))
    return QuestionPictures(_encode(studio.draw_plain(before, camera)), _encode(after), _encode(near))


def _encode(picture: NDArray[np.uint8]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return file.getvalue()
