"""Pictures that scores compare: the states of a chain and a method's own, from the chain's four cameras.

Each is drawn once and kept by its content, so methods, sessions and tables share them:

```
SCORES/pictures/<2 digits>/<sha256 of state, rig, size and rays>_<view>.png
```
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from chains.storage import write_atomic
from engine.assemble import naming
from engine.framing import Camera, camera_of
from engine.gltf.compose import compose_state
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.pictures.camera_search import fit_rig
from engine.pictures.pieces import StatePieces
from engine.render.png import encode_png
from engine.render.raycast import Picture, render
from engine.render.regions import find_edit_region
from engine.render.scene import PieceCache, RenderPiece, RenderScene, build_scene
from engine.surfaces import BoolArray, PartModel, Surface
from evaluator.metrics.turn_pictures import ViewPictures
from evaluator.protocol import PictureOptions
from evaluator.truth import ChainTruth
from schemas.codec import canonical
from schemas.pictures import MetricSettings

VIEWS = (0, 1, 2, 3)
OUTPUT_SLOT = "output"


class ChainPictures:
    """Draws what scores of one chain compare, or finds it drawn."""

    def __init__(self, truth: ChainTruth, folder: Path, options: PictureOptions) -> None:
        self._truth = truth
        self._folder = folder
        self._options = options
        self._pieces = StatePieces(truth.replayer.assembler, truth.chain.id)
        self._prepared = PieceCache()
        rig = truth.chain.rig or fit_rig(truth.chain, self._pieces)
        self._cameras: tuple[Camera, ...] = tuple(camera_of(rig, view) for view in VIEWS)
        self._rig = rig.model_copy(update={"search": None, "resolution_px": options.res}).model_dump(mode="json")

    def of_truth(self, turn: int, *, non_metallic: bool = False) -> tuple[Picture, ...]:
        """The true state after a turn, four views (H, W, 4) uint8.

        Read back from the file it makes: whoever delivers that file delivers these very pictures. Drawn piece by piece,
        rays that meet an edge would find other triangles first in a few pixels.
        """
        state = self._truth.states[turn]
        key = self._key("truth file", state.sha256, non_metallic=non_metallic)
        found = self._read(key)
        if found is None:
            with naming(f"{self._truth.chain.id}: turn {turn}"):
                data = compose_state(self._truth.replayer.pieces(turn, state))
                model = read_part(read_document(Path(f"turn_{turn:03d}.glb"), data=data), None)
            found = self._write(key, self._draw(model, non_metallic=non_metallic))
        return found

    def of_output(self, name: str, model: PartModel, *, non_metallic: bool = False) -> tuple[Picture, ...]:
        """A state of the method's own, by the hash of its file or what else it follows from."""
        key = self._key("output", name, non_metallic=non_metallic)
        return self._read(key) or self._write(key, self._draw(model, non_metallic=non_metallic))

    def _draw(self, model: PartModel, *, non_metallic: bool) -> list[Picture]:
        surfaces = tuple(map(_without_metal, model.surfaces)) if non_metallic else model.surfaces
        scene = build_scene([RenderPiece(OUTPUT_SLOT, surfaces)])
        size, rays = self._options.res, self._options.supersample
        return [render(scene, camera, size, rays) for camera in self._cameras]

    def edit_regions(self, turn: int) -> tuple[BoolArray, ...]:
        """E of a turn in each view, its margin included: (H, W) bool."""
        slot = self._truth.chain.turns[turn - 1].operation.slot
        before, after = self._scene(turn - 1), self._scene(turn)
        options = self._options
        return tuple(
            find_edit_region(
                before,
                after,
                {slot},
                camera,
                options.res,
                supersample=options.supersample,
                dilate_px=options.dilate_px,
            ).dilated
            for camera in self._cameras
        )

    def _scene(self, turn: int) -> RenderScene:
        return build_scene(self._pieces.of(turn, self._truth.states[turn]), self._prepared)

    def _key(self, kind: str, name: str, *, non_metallic: bool) -> str:
        document = {
            "kind": kind,
            "name": name,
            "rig": self._rig,
            "rays": self._options.supersample,
            "version": MetricSettings().version,
            "non_metallic": non_metallic,
        }
        return hashlib.sha256(canonical(document)).hexdigest()

    def _paths(self, key: str) -> list[Path]:
        return [self._folder / key[:2] / f"{key}_{view}.png" for view in VIEWS]

    def _read(self, key: str) -> tuple[Picture, ...] | None:
        """The four pictures of a state when all of them were drawn before."""
        found = [_read_picture(path, self._options.res) for path in self._paths(key)]
        pictures = tuple(picture for picture in found if picture is not None)
        return pictures if len(pictures) == len(VIEWS) else None

    def _write(self, key: str, pictures: Sequence[Picture]) -> tuple[Picture, ...]:
        for path, picture in zip(self._paths(key), pictures, strict=True):
            write_atomic(path, encode_png(picture), durable=False)  # lost with the power, it is drawn again
        return tuple(pictures)


def collect_views(
    own: tuple[Picture, ...],
    own_before: tuple[Picture, ...],
    target: tuple[Picture, ...],
    target_before: tuple[Picture, ...],
    regions: tuple[BoolArray, ...],
) -> list[ViewPictures]:
    """The pictures (H, W, 4) and edit regions (H, W) of one turn, view by view."""
    return [ViewPictures(*views) for views in zip(own, own_before, target, target_before, regions, strict=True)]


def _without_metal(surface: Surface) -> Surface:
    return replace(surface, material=replace(surface.material, metallic=0.0))


def _read_picture(path: Path, size: int) -> Picture | None:
    """A picture that was drawn before; None when it is not there, cut off or of another size."""
    try:
        with Image.open(BytesIO(path.read_bytes()), formats=("PNG",)) as picture:
            pixels = np.asarray(picture)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return pixels if pixels.shape == (size, size, 4) and pixels.dtype == np.uint8 else None
