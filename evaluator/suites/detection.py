"""Average precision of boxes and masks by COCO's protocol.

A readout of a frozen scene has no confidence: every detection has 1.0, and which of equals comes first changes the
figure. The order is fixed: by score, then image, then the detection's number. The figure serves to compare with
published detectors; it ranks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, NamedTuple

import numpy as np
from numba import njit

from engine.surfaces import BoolArray, FloatArray, IntArray
from evaluator.suites.overlaps import Box, count_pixels, measure_box_overlaps, measure_mask_overlaps
from schemas.errors import InputError
from schemas.readout import RunLengths
from schemas.score import Measure, Undefined

THRESHOLDS: Final = tuple(np.linspace(0.5, 0.95, 10).tolist())
"""Overlaps at which a detection counts as found."""
RECALLS: Final = tuple(np.linspace(0.0, 1.0, 101).tolist())
"""COCO's own expressions: an overlap equal to a threshold decides by the last bit."""
_LARGEST: Final = 1e10
AREAS: Final[dict[str, tuple[float, float]]] = {
    "all": (0.0, _LARGEST),
    "small": (0.0, 32.0**2),
    "medium": (32.0**2, 96.0**2),
    "large": (96.0**2, _LARGEST),
}
"""Square pixels, bounds included."""


@dataclass(frozen=True, slots=True)
class Truth:
    """One true instance."""

    image: int
    number: int
    category: str
    box: Box
    mask: RunLengths | None = None
    area: float | None = None
    """Square pixels, for the area classes; the mask's pixels, else the box, when it is not given."""
    is_crowd: bool = False


@dataclass(frozen=True, slots=True)
class Detection:
    """One instance found."""

    image: int
    number: int
    """Decides between equal scores in an image: lower first."""
    category: str
    box: Box
    mask: RunLengths | None = None
    score: float = 1.0


class AveragePrecision(NamedTuple):
    """COCO's figures, each in [0, 1]; undefined where no instance is there to be found."""

    ap: Measure
    """Mean over the ten thresholds and all categories."""
    ap50: Measure
    ap75: Measure
    ap_small: Measure
    ap_medium: Measure
    ap_large: Measure
    recall: Measure
    """Mean of the largest recall."""
    truths: int
    """Instances that are no crowd."""
    detections: int
    images: int


class _Place(NamedTuple):
    """One category in one image."""

    own: list[Detection]
    """Best score first."""
    true: list[Truth]
    overlaps: FloatArray
    """(own, true)."""


class _Outcome(NamedTuple):
    """Detections of one category, area class and image after matching; T thresholds, D detections."""

    scores: FloatArray
    is_matched: BoolArray
    """(T, D)."""
    is_ignored: BoolArray
    """(T, D): matched to something ignored, or outside the area class and unmatched."""
    wanted: int
    """True instances that count."""


def measure_average_precision(
    truths: Sequence[Truth],
    detections: Sequence[Detection],
    images: Sequence[int],
    kind: Literal["box", "mask"] = "box",
    max_detections: int = 100,
) -> AveragePrecision:
    """Evaluate over `images`, all of them: one without detections stays in the denominator.

    max_detections: in one image and category, those of highest score.

    Raises:
        InputError: an instance of another image, with a box that is none or, for masks, without mask; two instances
            of one image with one number.

    """
    _check(truths, detections, images, kind)
    places = _list_places(truths, detections, kind, max_detections)
    tables = {name: _accumulate(places, kind, area) for name, area in AREAS.items()}
    precision, recall = tables["all"]
    return AveragePrecision(
        ap=_mean(precision, "all"),
        ap50=_mean(precision[:, THRESHOLDS.index(0.5)], "all"),
        ap75=_mean(precision[:, THRESHOLDS.index(0.75)], "all"),
        ap_small=_mean(tables["small"][0], "small"),
        ap_medium=_mean(tables["medium"][0], "medium"),
        ap_large=_mean(tables["large"][0], "large"),
        recall=_mean(recall, "all"),
        truths=sum(not truth.is_crowd for truth in truths),
        detections=len(detections),
        images=len(set(images)),
    )


def _check(truths: Sequence[Truth], detections: Sequence[Detection], images: Sequence[int], kind: str) -> None:
    known = set(images)
    entries: list[Truth | Detection] = [*truths, *detections]
    for entry in entries:
        where = f"average precision: image {entry.image}, instance {entry.number}"
        if entry.image not in known:
            raise InputError(f"{where}: the image is not among the {len(known)} that are evaluated")
        if not (np.isfinite(entry.box).all() and entry.box.width >= 0.0 and entry.box.height >= 0.0):
            raise InputError(f"{where}: its box is {tuple(entry.box)}")
        if kind == "mask" and entry.mask is None:
            raise InputError(f"{where}: has no mask")
    for side in (truths, detections):
        if len({(entry.image, entry.number) for entry in side}) != len(side):
            raise InputError("average precision: two instances of one image have the same number")
    if not all(np.isfinite(detection.score) for detection in detections):
        raise InputError("average precision: a score is not finite")


def _list_places(
    truths: Sequence[Truth], detections: Sequence[Detection], kind: Literal["box", "mask"], most: int
) -> dict[str, list[_Place]]:
    """For each category that has a true instance its images, in order."""
    own = {k: list(v) for k, v in groupby(sorted(detections, key=_key), key=lambda d: (d.category, d.image))}
    true = {k: list(v) for k, v in groupby(sorted(truths, key=_key), key=lambda t: (t.category, t.image))}
    places: dict[str, list[_Place]] = {category: [] for category in sorted({truth.category for truth in truths})}
    for key in sorted(own.keys() | true.keys()):
        if key[0] in places:
            ranked = sorted(own.get(key, []), key=lambda d: (-d.score, d.number))[:most]
            there = true.get(key, [])
            places[key[0]].append(_Place(ranked, there, _measure_overlaps(ranked, there, kind)))
    return places


def _key(entry: Truth | Detection) -> tuple[str, int, int]:
    return entry.category, entry.image, entry.number


def _measure_overlaps(own: list[Detection], true: list[Truth], kind: Literal["box", "mask"]) -> FloatArray:
    is_crowd = np.array([truth.is_crowd for truth in true], dtype=bool)
    if kind == "box":
        return measure_box_overlaps([d.box for d in own], [t.box for t in true], is_crowd)
    masks = [[entry.mask for entry in side if entry.mask is not None] for side in (own, true)]
    return measure_mask_overlaps(masks[0], masks[1], is_crowd)


def _accumulate(
    places: dict[str, list[_Place]], kind: Literal["box", "mask"], area: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Precision (categories, T, recalls) and largest recall (categories, T), for categories with something to find."""
    curves, recalls = [], []
    for category in places.values():
        outcomes = [_match(place, kind, area) for place in category]
        wanted = sum(outcome.wanted for outcome in outcomes)
        if wanted:
            curve, reached = _trace(outcomes, wanted)
            curves.append(curve)
            recalls.append(reached)
    return (
        np.array(curves).reshape(-1, len(THRESHOLDS), len(RECALLS)),
        np.array(recalls).reshape(-1, len(THRESHOLDS)),
    )


def _match(place: _Place, kind: Literal["box", "mask"], area: tuple[float, float]) -> _Outcome:
    """Give each detection, best score first, the true instance of largest overlap that is still free."""
    is_ignored = np.array([t.is_crowd or not area[0] <= _true_area(t) <= area[1] for t in place.true], dtype=bool)
    order = np.argsort(is_ignored, kind="stable")
    is_ignored = is_ignored[order]
    is_crowd = np.array([place.true[k].is_crowd for k in order], dtype=bool)
    outside = np.array([not area[0] <= _own_area(d, kind) <= area[1] for d in place.own], dtype=bool)
    overlaps = np.ascontiguousarray(place.overlaps[:, order])
    matched = _assign(overlaps, is_ignored, is_crowd, np.array(THRESHOLDS))
    is_matched = matched >= 0
    ignored = np.concatenate([is_ignored, [False]])[matched] | (~is_matched & outside[None, :])
    return _Outcome(
        scores=np.array([d.score for d in place.own], dtype=np.float64),
        is_matched=is_matched,
        is_ignored=ignored,
        wanted=int(np.count_nonzero(~is_ignored)),
    )


@njit(cache=True, nogil=True)
def _assign(overlaps: FloatArray, is_ignored: BoolArray, is_crowd: BoolArray, thresholds: FloatArray) -> IntArray:
    """The true instance of each detection at each threshold, (T, D), -1 for none; ignored ones come last in rows."""
    matched = np.full((len(thresholds), len(overlaps)), -1, dtype=np.int64)
    for t in range(len(thresholds)):
        is_taken = np.zeros(len(is_ignored), dtype=np.bool_)
        for detection in range(len(overlaps)):
            best, found = min(thresholds[t], 1.0 - 1e-10), -1
            for instance in range(len(is_ignored)):
                if is_taken[instance] and not is_crowd[instance]:
                    continue
                # Something that counts was found: what is ignored cannot be better.
                if found >= 0 and not is_ignored[found] and is_ignored[instance]:
                    break
                if overlaps[detection, instance] >= best:
                    best, found = overlaps[detection, instance], instance
            if found >= 0:
                matched[t, detection] = found
                is_taken[found] = True
    return matched


def _trace(outcomes: list[_Outcome], wanted: int) -> tuple[FloatArray, FloatArray]:
    """The precision (T, recalls) that is kept up to each recall, and the largest recall (T,)."""
    scores = np.concatenate([outcome.scores for outcome in outcomes])
    order = np.argsort(-scores, kind="stable")
    is_matched = np.concatenate([outcome.is_matched for outcome in outcomes], axis=1)[:, order]
    counts = ~np.concatenate([outcome.is_ignored for outcome in outcomes], axis=1)[:, order]
    right = np.cumsum(is_matched & counts, axis=1).astype(np.float64)
    wrong = np.cumsum(~is_matched & counts, axis=1).astype(np.float64)
    curve = np.zeros((len(THRESHOLDS), len(RECALLS)))
    reached = np.zeros(len(THRESHOLDS))
    if len(scores) == 0:
        return curve, reached
    recall = right / wanted
    precision = right / (right + wrong + np.spacing(1.0))
    kept = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    for t in range(len(THRESHOLDS)):
        at = np.searchsorted(recall[t], RECALLS, side="left")
        inside = at < len(scores)
        curve[t, inside] = kept[t, at[inside]]
        reached[t] = recall[t, -1]
    return curve, reached


def _true_area(truth: Truth) -> float:
    if truth.area is not None:
        return truth.area
    return float(count_pixels(truth.mask)) if truth.mask is not None else truth.box.area


def _own_area(detection: Detection, kind: str) -> float:
    if kind == "mask" and detection.mask is not None:
        return float(count_pixels(detection.mask))
    return detection.box.area


def _mean(values: FloatArray, area: str) -> Measure:
    if values.size == 0:
        return Undefined(reason=f"no true instance of the area class {area!r}")
    return float(np.mean(np.ascontiguousarray(values).reshape(-1)))
