"""What a method finds in its folder for one turn: the state, the instruction, and what it declared access to."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from chains.storage import write_atomic
from engine.framing import Camera, camera_of
from engine.gltf.compose import bake_state
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.gltf.pieces import ComposedPiece, PieceSource
from engine.pictures.camera_search import fit_rig
from engine.pictures.pieces import StatePieces
from engine.render.coverage import SUPERSAMPLE
from engine.render.cycles.client import CyclesRenderer
from engine.render.png import encode_png
from engine.render.raycast import render
from engine.render.scene import RenderPiece, build_scene
from evaluator.rollout.homes import renew_folder
from evaluator.rollout.mask import MaskWriter
from evaluator.states import ChainStates
from schemas.base import IDENTITY_POSE
from schemas.codec import encode
from schemas.errors import OutputError
from schemas.method import INPUT_FILE, PICTURE_FILE, REQUEST_FILE, CameraView, EditRequest, MethodManifest

CONDITIONING_VIEW = 0
OWN_SLOT = "own"


class PicturePainter(Protocol):
    """Draws what a method is shown."""

    def draw(self, glb: bytes, camera: Camera, size: int, out: Path) -> None:
        """Draw a state into a PNG file. Raises EngineError when it cannot be drawn."""
        ...


class MetricPainter:
    """Casts rays, as pictures for scores are made."""

    def draw(self, glb: bytes, camera: Camera, size: int, out: Path) -> None:
        """Draw a state into a PNG file. Raises what reading it raises."""
        model = read_part(read_document(out, data=glb), None)
        scene = build_scene([RenderPiece(OWN_SLOT, model.surfaces)])
        write_atomic(out, encode_png(render(scene, camera, size, SUPERSAMPLE)), durable=False)


class CyclesPainter:
    """Has Cycles draw; the renderer is the caller's."""

    def __init__(self, renderer: CyclesRenderer) -> None:
        self._renderer = renderer

    def draw(self, glb: bytes, camera: Camera, size: int, out: Path) -> None:
        """Draw a state into a PNG file. Raises what reading it raises, RenderError and WorkerError."""
        # Anybody's file: written anew, world coordinates, as the renderer wants it.
        piece = ComposedPiece(OWN_SLOT, IDENTITY_POSE, (PieceSource(read_document(out, data=glb)),))
        self._renderer.render(bake_state((piece,)), [camera], size, [out])


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
