"""The three pictures of a question, drawn like those that people judge."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from chains.state import State
from engine.assemble import Assembler
from engine.framing import Camera, aim_camera
from engine.geometry.similarity import as_matrix
from engine.render.contour import draw_contour
from engine.render.scene import RenderPiece
from engine.render.sheet import SheetFrame, Studio, frame_sphere, stroke_of
from engine.screening.protocol import QuestionPictures
from schemas.chain import Turn

PICTURE_PX = 384
CLOSE_UP_ROOM = 1.9
LEAST_SHARE = 0.16
"""A close-up shows at least this share of the frame, so that one sees where the part hangs."""


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
        near = studio.draw_plain(frame.pieces, _move_near(camera, mask))
        after = draw_contour(after, mask, stroke_of(frame.op))
    return QuestionPictures(_encode(studio.draw_plain(before, camera)), _encode(after), _encode(near))


def _move_near(camera: Camera, mask: NDArray[np.bool_]) -> Camera:
    """Aim at the box of a mask, with some room around it."""
    side = float(mask.shape[0])
    spans = [np.flatnonzero(mask.any(axis=axis)) for axis in (0, 1)]
    (left, right), (top, bottom) = ((float(span[0]), float(span[-1]) + 1.0) for span in spans)
    share = min(1.0, max(LEAST_SHARE, CLOSE_UP_ROOM * max(right - left, bottom - top) / side))
    return aim_camera(camera, (left + right) / side - 1.0, 1.0 - (top + bottom) / side, share)


def _encode(picture: NDArray[np.uint8]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return file.getvalue()
