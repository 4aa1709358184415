"""Who draws the state that a method is shown: rays, as for scores, or Cycles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from chains.storage import write_atomic
from engine.framing import Camera
from engine.gltf.compose import bake_state
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.gltf.pieces import ComposedPiece, PieceSource
from engine.render.coverage import SUPERSAMPLE
from engine.render.cycles.client import CyclesRenderer
from engine.render.png import encode_png
from engine.render.raycast import render
from engine.render.scene import RenderPiece, build_scene
from schemas.base import IDENTITY_POSE
from schemas.rollout_run import PictureKind

OWN_SLOT = "own"


class PicturePainter(Protocol):
    """Draws what a method is shown."""

    def draw(self, glb: bytes, camera: Camera, size: int, out: Path) -> None:
        """Draw a state into a square PNG file of `size` pixels a side. Raises EngineError when it cannot be drawn."""
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


@contextmanager
def open_painter(kind: PictureKind | None) -> Iterator[PicturePainter | None]:
    """The painter of a kind for one chain; None for a method that wants no pictures."""
    if kind is None:
        yield None
    elif kind == "metric":
        yield MetricPainter()
    else:
        with CyclesRenderer() as renderer:
            yield CyclesPainter(renderer)
