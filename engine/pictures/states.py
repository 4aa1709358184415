"""The pictures of a chain's states: metric and conditioning images, edit regions, readouts, and the record of them.

```
OUT/<family>/<chain>/turn_003/metric_0.png         what scores compare
                              conditioning_0.png   what methods and people see
                              edit_0.png           where turn 3 may change the picture
                              readout.json ...     with a readout: see engine.pictures.readout
                              pictures.json        last of all: settings, cameras, hashes
```
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from chains.files import PICTURES_FILE, READOUT_FILE
from chains.state import State, check_turn, state_at
from chains.storage import remove_others, write_atomic
from engine.framing import Camera, camera_of
from engine.pictures.camera_search import fit_rig
from engine.pictures.pieces import StatePieces
from engine.pictures.readout import StateAt, read_out_scene
from engine.render.coverage import SUPERSAMPLE
from engine.render.cycles.client import CyclesRenderer
from engine.render.png import encode_png
from engine.render.raycast import Picture, hash_picture, render, update_picture
from engine.render.regions import EditRegion, find_edit_region
from engine.render.scene import PieceCache, RenderPiece, RenderScene, build_scene
from engine.replay import Replayer
from schemas.codec import encode, read_record
from schemas.errors import InputError
from schemas.pictures import (
    ConditioningImages,
    CyclesSettings,
    EditRegions,
    ImageFile,
    ImageKind,
    MetricImages,
    MetricSettings,
    ReadoutFile,
    ReadoutPictures,
    RegionFile,
    RegionSettings,
    TurnPictures,
)

MARGIN_GREY, VISIBLE_GREY = 128, 255
_OURS = re.compile(r"(?:metric|conditioning|edit|ids|alpha)_[0-9]+\.png|(?:depth|normals)_[0-9]+\.exr|readout\.json")

_OURS_WITH_RECORD = re.compile(rf"{_OURS.pattern}|pictures\.json")
Section = MetricImages | ConditioningImages | EditRegions | ReadoutPictures


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
    region: RegionSettings = field(default_factory=RegionSettings)


class _Drawn(NamedTuple):
    """Metric images of a state: others are drawn as changes of them."""

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
        self._rig = rig.model_copy(update={"resolution_px": self._size, "search": None})
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
        """Whether all that is asked for of a state is there, drawn of this state with these cameras and settings."""
        found, kinds = self._find_record(number), self._choice.kinds
        return (
            (found.metric is not None or "metric" not in kinds)
            and (found.conditioning is not None or "conditioning" not in kinds)
            and (found.regions is not None or number == 0)
            and (found.readout is not None or not self._choice.readout)
        )

    def draw(self, number: int) -> TurnPictures:
        """Draw what is asked for of the state after a turn and not there yet; the record is written last.

        What is there of other kinds, of this state from these cameras, stays; other pictures in the folder go. Raises
        ReplayError or PartHashError when the state is not the logged one, MaskMismatchError when independent rays
        contradict a readout, RenderError, WorkerError or MissingExtraError from Cycles, InputError, OutputError.
        """
        check_turn(self.chain, number)
        state = state_at(self.chain, number)
        self._replayer.check_state(number, state)
        record = self._find_record(number)
        self._clear(number, record)
        scene = build_scene(self._pieces.of(number, state), self._prepared)
        if "metric" in self._choice.kinds and record.metric is None:
            self._last = self._draw_metric(scene)
            images = self._write_metric(number, self._last.pictures)
            record = record.model_copy(update={"metric": MetricImages(settings=self._choice.metric, images=images)})
        if "conditioning" in self._choice.kinds and record.conditioning is None:
            conditioning = ConditioningImages(
                settings=self._choice.conditioning, images=tuple(self._draw_conditioning(number))
            )
            record = record.model_copy(update={"conditioning": conditioning})
        if number and record.regions is None:
            regions = EditRegions(settings=self._choice.region, images=tuple(self._draw_regions(number, scene)))
            record = record.model_copy(update={"regions": regions})
        if self._choice.readout and record.readout is None:
            record = record.model_copy(update={"readout": self._write_readout(number, state, scene)})
        self._write(number, record)
        return record

    def _find_record(self, number: int) -> TurnPictures:
        """What is there of a state that can stay: the same state and cameras, the settings and views asked for."""
        blank = TurnPictures(
            chain=self.chain.id,
            turn=number,
            state_sha256=state_at(self.chain, number).sha256,
            before_sha256=state_at(self.chain, number - 1).sha256 if number else None,
            rig=self._rig,
            resolution_px=self._size,
        )
        path = self.folder(number) / PICTURES_FILE
        try:
            found = read_record(TurnPictures, path) if path.is_file() else blank
        except InputError:
            return blank  # of another version, cut off, or not ours: drawn again
        sections = {name: getattr(found, name) for name in ("metric", "conditioning", "regions", "readout")}
        if found.model_copy(update=dict.fromkeys(sections)) != blank:
            return blank
        kept = {
            name: section for name, section in sections.items() if section and self._may_stay(number, name, section)
        }
        return blank.model_copy(update=kept)

    def _may_stay(self, number: int, name: str, section: Section) -> bool:
        """Whether all files of a section are there and, where it is asked for, its settings and views are those."""
        choice = self._choice
        asked: dict[str, object] = {kind: getattr(choice, kind) for kind in choice.kinds}
        asked["regions"] = choice.region
        if choice.readout:
            asked["readout"] = None
        views = section.views if isinstance(section, ReadoutPictures) else [image.view for image in section.images]
        settings = None if isinstance(section, ReadoutPictures) else section.settings
        if name in asked and (settings != asked[name] or not set(choice.views) <= set(views)):
            return False
        folder = self.folder(number)
        return all(_OURS.fullmatch(image.file) and _holds(folder / image.file, image) for image in section.images)

    def _clear(self, number: int, record: TurnPictures) -> None:
        """Before drawing: the record says no more than what stays, and is gone when nothing does."""
        sections = (record.metric, record.conditioning, record.regions, record.readout)
        if any(section is not None for section in sections):
            self._write(number, record)
        elif self.folder(number).is_dir():
            remove_others(self.folder(number), _OURS_WITH_RECORD, ())

    def _write(self, number: int, record: TurnPictures) -> None:
        """Write a record, and take away pictures that it does not name."""
        folder = self.folder(number)
        write_atomic(folder / PICTURES_FILE, encode(record))
        sections = (record.metric, record.conditioning, record.regions, record.readout)
        remove_others(folder, _OURS, {image.file for section in sections if section for image in section.images})

    def _draw_metric(self, scene: RenderScene) -> _Drawn:
        supersample, last = self._choice.metric.supersample, self._last
        pictures = {
            view: render(scene, camera, self._size, supersample)
            if last is None
            else update_picture(last.pictures[view], last.scene, scene, camera, supersample)
            for view, camera in self._cameras.items()
        }
        return _Drawn(scene, pictures)

    def _write_metric(self, number: int, pictures: Mapping[int, Picture]) -> tuple[ImageFile, ...]:
        images = []
        for view, picture in pictures.items():
            name = f"metric_{view}.png"
            _write_png(self.folder(number) / name, picture)
            images.append(ImageFile(view=view, file=name, pixels_sha256=hash_picture(picture)))
        return tuple(images)

    def _draw_conditioning(self, number: int) -> Iterator[ImageFile]:
        if self._cycles is None:
            raise InputError("conditioning images need a Cycles renderer")
        glb = self._replayer.turn(number, bake=True).glb
        names = [f"conditioning_{view}.png" for view in self._cameras]
        paths = [self.folder(number) / name for name in names]
        drawn = self._cycles.render(glb, list(self._cameras.values()), self._size, paths)
        for view, name, image in zip(self._cameras, names, drawn, strict=True):
            yield ImageFile(view=view, file=name, pixels_sha256=image.sha256)

    def _draw_regions(self, number: int, scene: RenderScene) -> Iterator[RegionFile]:
        slot = self.chain.turns[number - 1].operation.slot
        before = build_scene(self.pieces_of(number - 1), self._prepared)
        settings = self._choice.region
        for view, camera in self._cameras.items():
            region = find_edit_region(
                before,
                scene,
                {slot},
                camera,
                self._size,
                supersample=settings.supersample,
                dilate_px=settings.dilate_px,
            )
            name = f"edit_{view}.png"
            data = _write_png(self.folder(number) / name, _grey_of(region))
            yield RegionFile(
                view=view,
                file=name,
                sha256=hashlib.sha256(data).hexdigest(),
                visible_px=int(np.count_nonzero(region.visible)),
                dilated_px=int(np.count_nonzero(region.dilated)),
            )

    def _write_readout(self, number: int, state: State, scene: RenderScene) -> ReadoutPictures:
        # The alpha of a metric image with as many sub-pixels is the coverage.
        fresh = self._last is not None and self._last.scene is scene and self._choice.metric.supersample == SUPERSAMPLE
        pictures = self._last.pictures if self._last is not None and fresh else None
        at = StateAt(self.chain, number, state)
        found = read_out_scene(at, scene, self._cameras, self._size, f"{self._path}: turn {number}", pictures)
        found.write_locked(self.folder(number))
        files = {READOUT_FILE: encode(found.record), **found.pictures}
        images = tuple(
            ReadoutFile(file=name, sha256=hashlib.sha256(data).hexdigest()) for name, data in sorted(files.items())
        )
        return ReadoutPictures(views=self._choice.views, images=images)


def _holds(path: Path, image: ImageFile | RegionFile | ReadoutFile) -> bool:
    """Whether a file has the recorded pixels or bytes."""
    try:
        if not isinstance(image, ImageFile):
            return hashlib.sha256(path.read_bytes()).hexdigest() == image.sha256
        with Image.open(path, formats=("PNG",)) as picture:
            return hash_picture(np.asarray(picture)) == image.pixels_sha256
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False  # not there, cut short or no picture


def _grey_of(region: EditRegion) -> Picture:
    grey = np.where(region.dilated, MARGIN_GREY, 0).astype(np.uint8)
    grey[region.visible] = VISIBLE_GREY
    return grey


def _write_png(path: Path, picture: Picture) -> bytes:
    data = encode_png(picture)
    write_atomic(path, data)
    return data
