"""Readouts in folders: average precision and depth of every true readout against the one at the same place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from chains.files import READOUT_FILE
from engine.surfaces import FloatArray
from evaluator.suites.depth import DepthScores, measure_abs_rel
from evaluator.suites.detection import AveragePrecision, measure_average_precision
from evaluator.suites.measures import list_numbers, mean_of
from evaluator.suites.readout_pictures import find_named, read_depth
from evaluator.suites.readouts import list_detections, list_truths, number_images
from schemas.base import SCHEMA_VERSION, Value
from schemas.codec import read_record
from schemas.errors import InputError
from schemas.readout import Readout
from schemas.score import Measure, Undefined


class PrecisionFigures(Value):
    """COCO's figures of boxes or of masks."""

    ap: Measure
    ap50: Measure
    ap75: Measure
    ap_small: Measure
    ap_medium: Measure
    ap_large: Measure
    recall: Measure


class DepthFigures(Value):
    """Camera depth after the best scale and shift, over views of which the true depth is there."""

    abs_rel: Measure
    """Mean over views that have one."""
    defined: int
    views: int
    """Views whose true depth is there."""
    covered: Measure
    """Of the pixels of those views that have a true depth, the share that has an own one too."""
    missing: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """`<place>: view <v>: <reason>` of the views without one."""


class ReadoutReport(Value):
    """What was found of the true instances and their depth: `readouts.json`."""

    schema_version: str = SCHEMA_VERSION
    readouts: int
    images: int
    truths: int
    detections: int
    box: PrecisionFigures
    mask: PrecisionFigures
    depth: DepthFigures
    missing: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """True readouts without a counterpart; nothing was found in their views."""


def score_readout_files(truths: Path, outputs: Path) -> ReadoutReport:
    """Score the readouts below `outputs` against those at the same places below `truths`.

    A missing one finds nothing and its views stay in the denominator. Raises InputError when there is no true readout
    or two have different views or sizes, SchemaError for a file that is no readout.
    """
    for folder in (truths, outputs):
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder")
    places = sorted(path.relative_to(truths) for path in truths.rglob(READOUT_FILE))
    if not places:
        raise InputError(f"{truths}: no {READOUT_FILE} below this folder")
    true, own, missing = [], [], []
    for place in places:
        wanted = read_record(Readout, truths / place)
        true.append(wanted)
        if not (outputs / place).is_file():
            missing.append(place.parent.as_posix())
            own.append(_without_slots(wanted))
            continue
        found = read_record(Readout, outputs / place)
        _check_views(outputs / place, found, wanted)
        own.append(found)
    images, sought, seen = number_images(true), list_truths(true), list_detections(own)
    box = measure_average_precision(sought, seen, images, "box")
    mask = measure_average_precision(sought, seen, images, "mask")
    return ReadoutReport(
        readouts=len(true),
        images=box.images,
        truths=box.truths,
        detections=box.detections,
        box=_figures(box),
        mask=_figures(mask),
        depth=_measure_depth(truths, outputs, list(zip(places, true, own, strict=True))),
        missing=tuple(missing),
    )


def _measure_depth(truths: Path, outputs: Path, readouts: Sequence[tuple[Path, Readout, Readout]]) -> DepthFigures:
    """AbsRel of every view whose true depth lies beside its record. Raises InputError when that cannot be read."""
    values, missing = [], []
    true_pixels = own_pixels = 0
    for place, true, own in readouts:
        for wanted, found in zip(true.views, own.views, strict=True):
            folder = truths / place.parent
            if isinstance(find_named(folder, wanted.depth_exr), Undefined):
                continue
            depth = read_depth(folder, wanted.depth_exr)
            if isinstance(depth, Undefined):
                raise InputError(f"{folder}: a true depth cannot be read: {depth.reason}")
            scores = _compare_depth(outputs / place.parent, found.depth_exr, depth)
            true_pixels += int(np.count_nonzero(np.isfinite(depth) & (depth > 0.0)))
            own_pixels += scores.pixels
            values.append(scores.abs_rel)
            if isinstance(scores.abs_rel, Undefined):
                missing.append(f"{place.parent.as_posix()}: view {wanted.view}: {scores.abs_rel.reason}")
    none = Undefined(reason="no true depth is there" if not values else "no true depth is finite")
    return DepthFigures(
        abs_rel=mean_of(values, "depth") if values else none,
        defined=len(list_numbers(values)),
        views=len(values),
        covered=own_pixels / true_pixels if true_pixels else none,
        missing=tuple(missing),
    )


def _compare_depth(folder: Path, name: str, true: FloatArray) -> DepthScores:
    own = read_depth(folder, name)
    if not isinstance(own, Undefined) and own.shape != true.shape:
        sizes = f"{own.shape[1]} x {own.shape[0]} pixels, the true one has {true.shape[1]} x {true.shape[0]}"
        own = Undefined(reason=f"{name}: {sizes}")
    return DepthScores(own, own, own, 0) if isinstance(own, Undefined) else measure_abs_rel(own, true)


def _without_slots(readout: Readout) -> Readout:
    """The same views with nothing in them."""
    views = tuple(view.model_copy(update={"slots": ()}) for view in readout.views)
    return readout.model_copy(update={"slots": (), "views": views})


def _check_views(path: Path, found: Readout, wanted: Readout) -> None:
    own, true = ([view.view for view in readout.views] for readout in (found, wanted))
    if own != true or found.resolution_px != wanted.resolution_px:
        raise InputError(
            f"{path}: has views {own} of {found.resolution_px} px, the true readout {true} of {wanted.resolution_px} px"
        )


def _figures(found: AveragePrecision) -> PrecisionFigures:
    return PrecisionFigures(
        ap=found.ap,
        ap50=found.ap50,
        ap75=found.ap75,
        ap_small=found.ap_small,
        ap_medium=found.ap_medium,
        ap_large=found.ap_large,
        recall=found.recall,
    )
