"""Views of a true scene and of the one delivered for it: read from their folders and compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from chains.files import READOUT_FILE
from engine.surfaces import IntArray
from evaluator.suites.artefacts import read_picture
from evaluator.suites.pictures import Backdrop
from evaluator.suites.readout_pictures import find_named, read_depth_view, read_ids
from evaluator.suites.scene_records import SceneObject, SceneView
from evaluator.suites.scenes import (
    Appearance,
    ByteImage,
    DepthView,
    Reconstruction,
    SceneRules,
    measure_appearance,
    measure_reconstruction,
)
from schemas.codec import read_record
from schemas.errors import InputError
from schemas.readout import Readout
from schemas.score import Undefined

T = TypeVar("T")


class TrueView(NamedTuple):
    """What a view of the truth shows."""

    view: int
    seen: DepthView
    ids: IntArray
    picture: ByteImage
    slots: dict[int, str]
    """Slots of the scene by number, in their order."""

    def is_asked(self, rules: SceneRules) -> bool:
        """Whether there is a slot to reconstruct: one that the view shows, or any where unseen ones count 0."""
        seen = np.isfinite(self.seen.depth) & (self.seen.depth > 0.0)
        shown = bool((np.isin(self.ids, list(self.slots)) & seen).any())
        return shown or (bool(self.slots) and rules.unseen_objects == "zero")


class OwnView(NamedTuple):
    """What was delivered shows in a view of the truth, or why that is not known."""

    seen: DepthView | Undefined
    picture: ByteImage | Undefined
    """(H, W, 3)."""


def name_picture(view: int) -> str:
    """The picture of a view, as `engine render` calls it."""
    return f"metric_{view}.png"


def read_view_picture(folder: Path, view: int, backdrop: Backdrop) -> ByteImage | Undefined:
    """The picture (H, W, 3) of a view in a folder, or why there is none."""
    path = find_named(folder, name_picture(view))
    return path if isinstance(path, Undefined) else read_picture(path, backdrop)


def read_true_views(folder: Path, truth: Readout, backdrop: Backdrop) -> list[TrueView]:
    """What the views of a true readout show.

    Raises InputError for a picture that is missing or cannot be read, and for those of a view that differ in size.
    """
    slots = {entry.id: entry.slot for entry in truth.slots}
    views = []
    for entry in truth.views:
        seen = _demand(read_depth_view(folder, entry), folder)
        ids = _demand(read_ids(folder, entry.ids_png), folder)
        picture = _demand(read_view_picture(folder, entry.view, backdrop), folder)
        shapes = [seen.depth.shape, ids.shape, picture.shape[:2]]
        if len(set(shapes)) != 1:
            raise InputError(f"{folder}: view {entry.view}: depth, ids and picture have sizes {shapes}, need one")
        views.append(TrueView(entry.view, seen, ids, picture, slots))
    return views


def read_own_views(folder: Path, views: Sequence[int], backdrop: Backdrop) -> list[OwnView]:
    """What was delivered in a folder as readout and pictures for these views."""
    readout = _read_readout(folder)
    return [OwnView(_read_seen(folder, readout, view), read_view_picture(folder, view, backdrop)) for view in views]


def measure_scene_view(true: TrueView, own: OwnView, rules: SceneRules) -> SceneView:
    """Compare what was delivered with a view of the truth; what it lacks is undefined with its reason."""
    found = _reconstruct(true, own.seen, rules)
    look = _compare_pictures(true.picture, own.picture, rules)
    share, hits, pixels = (look.share, look.hits, look.pixels) if isinstance(look, Appearance) else (look, None, None)
    if isinstance(found, Undefined):
        return SceneView(
            view=true.view,
            reconstruction=found,
            precision=found,
            recall=found,
            scene_f_score=found,
            appearance=share,
            hits=hits,
            pixels=pixels,
        )
    return SceneView(
        view=true.view,
        reconstruction=found.f_score,
        precision=found.precision,
        recall=found.recall,
        scene_f_score=found.scene_f_score,
        appearance=share,
        hits=hits,
        pixels=pixels,
        objects=_record_objects(found, true),
        unseen=tuple(true.slots[number] for number in found.unseen),
    )


def _demand(part: T | Undefined, folder: Path) -> T:
    if isinstance(part, Undefined):
        raise InputError(f"{folder}: a true scene cannot be read: {part.reason}")
    return part


def _read_readout(folder: Path) -> Readout | Undefined:
    path = find_named(folder, READOUT_FILE)
    if isinstance(path, Undefined):
        return path
    try:
        return read_record(Readout, path)
    except InputError as error:
        return Undefined(reason=str(error).replace(str(path), path.name))


def _read_seen(folder: Path, readout: Readout | Undefined, view: int) -> DepthView | Undefined:
    if isinstance(readout, Undefined):
        return readout
    entry = next((entry for entry in readout.views if entry.view == view), None)
    return Undefined(reason=f"{READOUT_FILE}: has no view {view}") if entry is None else read_depth_view(folder, entry)


def _reconstruct(true: TrueView, own: DepthView | Undefined, rules: SceneRules) -> Reconstruction | Undefined:
    if isinstance(own, Undefined):
        return own
    if own.depth.shape != true.seen.depth.shape:
        return Undefined(reason=f"depth: {_differ(own.depth.shape, true.seen.depth.shape)}")
    return measure_reconstruction(true.seen, true.ids, own, list(true.slots), rules)


def _compare_pictures(true: ByteImage, own: ByteImage | Undefined, rules: SceneRules) -> Appearance | Undefined:
    if isinstance(own, Undefined):
        return own
    if own.shape != true.shape:
        return Undefined(reason=f"picture: {_differ(own.shape, true.shape)}")
    return measure_appearance(true, own, rules)


def _differ(own: tuple[int, ...], true: tuple[int, ...]) -> str:
    return f"{own[1]} x {own[0]} pixels, the truth has {true[1]} x {true[0]}"


def _record_objects(found: Reconstruction, true: TrueView) -> tuple[SceneObject, ...]:
    return tuple(
        SceneObject(
            slot=true.slots[match.object_id],
            own_matched=match.own_matched,
            own=match.own,
            target_matched=match.target_matched,
            target=match.target,
            target_matched_by_any=match.target_matched_by_any,
            f_score=match.f_score,
        )
        for match in found.objects
    )
