"""Average precision of readouts in folders: every true readout against the one at the same place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from chains.files import READOUT_FILE
from evaluator.suites.detection import AveragePrecision, measure_average_precision
from evaluator.suites.readouts import list_detections, list_truths, number_images
from schemas.base import SCHEMA_VERSION, Value
from schemas.codec import read_record
from schemas.errors import InputError
from schemas.readout import Readout
from schemas.score import Measure


class PrecisionFigures(Value):
    """COCO's figures of boxes or of masks."""

    ap: Measure
    ap50: Measure
    ap75: Measure
    ap_small: Measure
    ap_medium: Measure
    ap_large: Measure
    recall: Measure


class ReadoutReport(Value):
    """What was found of the true instances: `readouts.json`."""

    schema_version: str = SCHEMA_VERSION
    readouts: int
    images: int
    truths: int
    detections: int
    box: PrecisionFigures
    mask: PrecisionFigures
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
        missing=tuple(missing),
    )


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
