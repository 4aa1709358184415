"""What a method finds in its folder for one turn: the state, the instruction, and what it declared access to."""

from __future__ import annotations

from pathlib import Path

from engine.framing import camera_of
from engine.pictures.camera_search import fit_rig
from engine.pictures.pieces import StatePieces
from evaluator.rollout.homes import renew_folder
from evaluator.rollout.mask import MaskWriter
from evaluator.rollout.painters import PicturePainter
from evaluator.states import ChainStates
from schemas.codec import encode
from schemas.errors import OutputError
from schemas.method import INPUT_FILE, PICTURE_FILE, REQUEST_FILE, CameraView, EditRequest, MethodManifest

CONDITIONING_VIEW = 0


class RequestWriter:
    """Writes the requests of one chain. Ask for turns in order."""

    def __init__(
        self, states: ChainStates, manifest: MethodManifest, painter: PicturePainter | None, size: int | None
    ) -> None:
        self._chain = states.chain
        self._manifest = manifest
        self._painter = painter
        pieces = StatePieces(states.replayer.assembler, states.chain.id)
        rig = states.chain.rig or fit_rig(states.chain, pieces)
        self._size = size or rig.resolution_px
        self._camera = camera_of(rig, CONDITIONING_VIEW)
        self._masks = MaskWriter(states, pieces, self._camera, self._size)

    def write(self, folder: Path, turn: int, state: bytes) -> None:
        """Lay out the request of a turn in a folder of its own, which is emptied first; `request.json` comes last.

        `state` is the GLB to edit. Raises OutputError when the folder cannot be written, and what drawing raises.
        """
        access = self._manifest.access
        entry = self._chain.turns[turn - 1]
        renew_folder(folder)
        try:
            (folder / INPUT_FILE).write_bytes(state)
            if "picture" in access and self._painter is not None:
                self._painter.draw(state, self._camera, self._size, folder / PICTURE_FILE)
            request = EditRequest(
                instruction=entry.instruction,
                picture=PICTURE_FILE if "picture" in access else None,
                operation=entry.operation.op if "operation" in access else None,
                camera=self._view() if "camera" in access else None,
                edit_mask=self._masks.write(folder, turn) if "edit_mask" in access else None,
                options=self._manifest.options,
            )
            (folder / REQUEST_FILE).write_bytes(encode(request))
        except OSError as error:
            raise OutputError(f"cannot write a request into {folder}: {error.strerror or error}") from error

    def _view(self) -> CameraView:
        camera = self._camera
        return CameraView(
            position=camera.position,
            right=camera.right,
            up=camera.up,
            forward=camera.forward,
            tan_half=camera.tan_half,
            resolution_px=self._size,
        )
