"""The pictures of a chain's states: metric and conditioning images, edit regions, readouts, and the record of them.

```
OUT/<family>/<chain>/turn_003/metric_0.png         what scores compare
                              conditioning_0.png   what methods and people see
                              edit_0.png           where turn 3 may change the picture
                              readout.json ...     with a readout: see engine.readout
                              pictures.json        last of all: settings, cameras, hashes
```
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from chains.files import PICTURES_FILE
from chains.state import check_turn, state_at
from chains.storage import make_folder, remove_file, write_atomic
from engine.camera_search import fit_rig
from engine.framing import Camera, camera_of
from engine.readout import StateAt, clear_readout, is_read_out, read_out_scene
from engine.render.coverage import SUPERSAMPLE
from engine.render.cycles.client import CyclesRenderer
from engine.render.raycast import Picture, hash_picture, render, update_picture
from engine.render.regions import EditRegion, find_edit_region
from engine.render.scene import PieceCache, RenderPiece, RenderScene, build_scene
from engine.replay import Replayer
from engine.scenes import StatePieces
from schemas.codec import encode, read_record
from schemas.errors import InputError
from schemas.pictures import IMAGE_KINDS, CyclesSettings, ImageFile, ImageKind, MetricSettings, RegionFile, TurnPictures

MARGIN_GREY, VISIBLE_GREY = 128, 255
_PICTURE = re.compile(r"(metric|conditioning|edit)_[0-9]+\.png")


@dataclass(frozen=True, slots=True)
class PictureChoice:
    """What is drawn of each state."""

    kinds: frozenset[ImageKind]
    views: tuple[int, ...]
    resolution_px: int | None = None
    """None: that of the chain's rig."""
    readout: bool = False
    metric: MetricSettings = field(default_factory=MetricSettings)
    conditioning: CyclesSettings = field(default_factory=CyclesSettings)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """The state drawn last: the next one differs from it in one piece."""

    number: int
    scene: RenderScene
    pictures: dict[int, Picture]


class StatePainter:
    """Draws states of one chain file into a folder; states in order cost least, since only what changed is drawn.

    A chain without a rig is framed first. Raises InputError when the rig lacks a view that is asked for, and what
    Replayer raises.
    """

    def __init__(
        self, path: Path, library: Path, out: Path, choice: PictureChoice, cycles: CyclesRenderer | None
    ) -> None:
        self._replayer = Replayer(path, library)
        self.chain = self._replayer.chain
        self._path = path
        self._out = out / self.chain.id
        self._choice = choice
        self._cycles = cycles
        self._pieces = StatePieces(self._replayer.assembler, str(path))
        rig = self.chain.rig or fit_rig(self.chain, self._pieces)
        self._size = choice.resolution_px or rig.resolution_px
        self._rig = rig.model_copy(update={"resolution_px": self._size})
        self._cameras = {view: camera_of(rig, view) for view in choice.views}
        self._prepared = PieceCache()
        self._last: _Drawn | None = None

    def folder(self, number: int) -> Path:
        """Where the pictures of a state lie."""
        return self._out / f"turn_{number:03d}"

    def camera(self, view: int) -> Camera:
        """The camera of one of the views that are drawn."""
        return self._cameras[view]

    def pieces_of(self, number: int) -> tuple[RenderPiece, ...]:
        """What stands in the state after a turn."""
        return self._pieces.of(number, state_at(self.chain, number))

    def is_drawn(self, number: int) -> bool:
        """Whether all of a state's pictures are there, drawn of this state with these cameras and settings."""
        folder, found = self.folder(number), self._find_record(number)
        if found is None or found.model_copy(update={"images": (), "regions": ()}) != self._record(number, (), ()):
            return False
        images = [(kind, view, _name_image(kind, view)) for kind in self._kinds for view in self._cameras]
        regions = [(view, _name_region(view)) for view in self._cameras] if number else []
        if [(image.kind, image.view, image.file) for image in found.images] != images:
            return False
        if [(region.view, region.file) for region in found.regions] != regions:
            return False
        if not all((folder / name).is_file() for _, name in regions):
            return False
        if not all(_holds(folder / image.file, image.pixels_sha256) for image in found.images):
            return False
        at = StateAt(self.chain, number, state_at(self.chain, number))
        return not self._choice.readout or is_read_out(folder, at, self._cameras, self._size)

    def draw(self, number: int) -> TurnPictures:
        """Draw the state after a turn and write its pictures, the record last.

        Raises ReplayError or PartHashError when it is not the logged one, MaskMismatchError when independent rays
        contradict a readout, RenderError, WorkerError or MissingExtraError from Cycles, InputError, OutputError.
        """
        check_turn(self.chain, number)
        state = state_at(self.chain, number)
        self._replayer.check_state(number, state)
        folder = self.folder(number)
        self._clear(number)
        scene = build_scene(self._pieces.of(number, state), self._prepared)
        images: list[ImageFile] = []
        for kind in self._kinds:
            drawn_images = self._draw_metric(number, scene) if kind == "metric" else self._draw_conditioning(number)
            images.extend(drawn_images)
        regions = tuple(self._draw_regions(number, scene))
        if self._choice.readout:
            where = f"{self._path}: turn {number}"
            at = StateAt(self.chain, number, state)
            # Coverage has the sub-pixels of the default metric image.
            known = self._last if self._choice.metric.supersample == SUPERSAMPLE else None
            drawn = known.pictures if known is not None and known.number == number else None
            found = read_out_scene(at, scene, self._cameras, self._size, where, drawn)
            found.write_locked(folder)
        record = self._record(number, tuple(images), regions)
        write_atomic(folder / PICTURES_FILE, encode(record))
        return record

    @property
    def _kinds(self) -> tuple[ImageKind, ...]:
        """The kinds of images that are drawn, in the order of records."""
        return tuple(kind for kind in IMAGE_KINDS if kind in self._choice.kinds)

    def _find_record(self, number: int) -> TurnPictures | None:
        """The record in a state's folder; None when there is none, or one of another version or not ours."""
        path = self.folder(number) / PICTURES_FILE
        if not path.is_file():
            return None
        try:
            return read_record(TurnPictures, path)
        except InputError:
            return None

    def _clear(self, number: int) -> None:
        """Delete a state's record, and its pictures unless they are known to be of this state, rig and settings.

        Those may go on lying there, named by no record: they are true, and drawing them again may take long.
        """
        folder, found = self.folder(number), self._find_record(number)
        make_folder(folder)
        remove_file(folder / PICTURES_FILE)
        if found is not None and self._is_true(found, number):
            return
        clear_readout(folder)
        for path in sorted(folder.iterdir()):
            if _PICTURE.fullmatch(path.name):
                remove_file(path)

    def _is_true(self, found: TurnPictures, number: int) -> bool:
        """Whether what a record names, be it more or less than what is asked for, is what would be drawn now."""
        asked = self._record(number, (), ())
        choice = {"views", "metric", "conditioning", "has_readout", "images", "regions"}
        return (
            found.model_dump(exclude=choice) == asked.model_dump(exclude=choice)
            and found.metric in {None, self._choice.metric}
            and found.conditioning in {None, self._choice.conditioning}
        )

    def _record(self, number: int, images: tuple[ImageFile, ...], regions: tuple[RegionFile, ...]) -> TurnPictures:
        kinds = self._choice.kinds
        return TurnPictures(
            chain=self.chain.id,
            turn=number,
            state_sha256=state_at(self.chain, number).sha256,
            before_sha256=state_at(self.chain, number - 1).sha256 if number else None,
            rig=self._rig,
            resolution_px=self._size,
            views=self._choice.views,
            metric=self._choice.metric if "metric" in kinds else None,
            conditioning=self._choice.conditioning if "conditioning" in kinds else None,
            has_readout=self._choice.readout,
            images=images,
            regions=regions,
        )

    def _draw_metric(self, number: int, scene: RenderScene) -> Iterator[ImageFile]:
        supersample = self._choice.metric.supersample
        last = self._last if self._last is not None and abs(self._last.number - number) == 1 else None
        pictures = {}
        for view, camera in self._cameras.items():
            pictures[view] = (
                render(scene, camera, self._size, supersample)
                if last is None
                else update_picture(last.pictures[view], last.scene, scene, camera, supersample)
            )
            name = _name_image("metric", view)
            _write_png(self.folder(number) / name, pictures[view])
            yield ImageFile(kind="metric", view=view, file=name, pixels_sha256=hash_picture(pictures[view]))
        self._last = _Drawn(number, scene, pictures)

    def _draw_conditioning(self, number: int) -> Iterator[ImageFile]:
        if self._cycles is None:
            raise InputError("conditioning images need a Cycles renderer")
        glb = self._replayer.turn(number, bake=True).glb
        names = [_name_image("conditioning", view) for view in self._cameras]
        paths = [self.folder(number) / name for name in names]
        drawn = self._cycles.render(glb, list(self._cameras.values()), self._size, paths)
        for view, name, image in zip(self._cameras, names, drawn, strict=True):
            yield ImageFile(kind="conditioning", view=view, file=name, pixels_sha256=image.sha256)

    def _draw_regions(self, number: int, scene: RenderScene) -> Iterator[RegionFile]:
        turn = check_turn(self.chain, number)
        if turn is None:
            return
        before = build_scene(self.pieces_of(number - 1), self._prepared)
        for view, camera in self._cameras.items():
            region = find_edit_region(
                before, scene, {turn.operation.slot}, camera, self._size, supersample=self._choice.metric.supersample
            )
            name = _name_region(view)
            _write_png(self.folder(number) / name, _grey_of(region))
            yield RegionFile(
                view=view,
                file=name,
                visible_px=int(np.count_nonzero(region.visible)),
                dilated_px=int(np.count_nonzero(region.dilated)),
            )


def _name_image(kind: ImageKind, view: int) -> str:
    return f"{kind}_{view}.png"


def _name_region(view: int) -> str:
    return f"edit_{view}.png"


def _holds(path: Path, pixels_sha256: str) -> bool:
    """Whether a file is a picture of those pixels."""
    try:
        with Image.open(path, formats=("PNG",)) as image:
            return hash_picture(np.asarray(image)) == pixels_sha256
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False  # not there, cut short or no picture


def _grey_of(region: EditRegion) -> Picture:
    grey = np.where(region.dilated, MARGIN_GREY, 0).astype(np.uint8)
    grey[region.visible] = VISIBLE_GREY
    return grey


def _write_png(path: Path, picture: Picture) -> None:
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, format="PNG", compress_level=6)
    write_atomic(path, buffer.getvalue())
