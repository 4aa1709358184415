"""Likeness of pictures in the regions of a view: PSNR, SSIM, silhouettes, drift, and what a new look changed.

Definition: metric notes, section 5. Pictures are laid on black and compared in integers: colour times coverage, 65025
steps to 1. So the error sums are exact whatever their order, and a value is `inf`, 0 or 1 only where it truly is.
"""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from typing import Final, NamedTuple

import numpy as np

from engine.surfaces import BoolArray, FloatArray, IntArray
from evaluator.metrics.pictures import FULL, ByRegion, OnBlack, check_same_size, split_regions
from evaluator.metrics.ssim_map import measure_ssim_map
from evaluator.protocol import ImageOptions
from schemas.score import Measure, Undefined

_DIGITS: Final = 40
"""Decimal digits of a logarithm, more than twice those of a float."""


class ImageScores(NamedTuple):
    """One view of an output against the same view of the target."""

    psnr: ByRegion[Measure]
    """Decibels, from the mean squared error of the region; `inf` where it is the same in both."""
    ssim: ByRegion[Measure]
    """Mean of the similarity map over the region."""
    silhouette_iou: ByRegion[Measure]
    """Overlap of the covered pixels."""
    pixels: ByRegion[int]


class Drift(NamedTuple):
    """How far a view moved from the own previous output where nothing was to change; 0..1."""

    unchanged: Measure
    """Mean difference over U."""
    foreground: Measure
    """Over the pixels of U that the object covers, however little, in either picture."""
    pixels: int
    """In U."""
    foreground_pixels: int


class RetextureDiagnosis(NamedTuple):
    """What a new look did in a view, over the pixels that the target changes; differences are means in 0..1."""

    change_ratio: Measure
    """Own change over the target's: 0 when nothing was done."""
    residual: Measure
    """Difference of the output from the target."""
    residual_no_edit: Measure
    """Difference of the own previous output from the target: what doing nothing would have left."""
    own_change: Measure
    target_change: Measure
    pixels: int
    """That the target changes."""


def score_view(own: OnBlack, target: OnBlack, edit: BoolArray, options: ImageOptions | None = None) -> ImageScores:
    """Compare a view of an output with the target's, region by region.

    edit: (H, W) bool, the dilated region of the edit. Raises InputError when sizes differ.
    """
    options = options or ImageOptions()
    check_same_size("image scores", own, target, edit)
    regions = split_regions(edit, options.least_edit_px)
    similarity = measure_ssim_map(own.levels, target.levels)
    squares = sum_channels(own, target, squared=True)
    silhouettes = (own.alpha >= options.silhouette_alpha, target.alpha >= options.silhouette_alpha)
    rest = edit.size - int(np.count_nonzero(edit))
    return ImageScores(
        psnr=ByRegion(*(_measure_psnr(squares, region) for region in regions)),
        ssim=ByRegion(*(measure_mean(similarity, region) for region in regions)),
        silhouette_iou=ByRegion(*(_measure_overlap(*silhouettes, region) for region in regions)),
        pixels=ByRegion(edit.size - rest, rest, edit.size),
    )


def measure_drift(own: OnBlack, own_before: OnBlack, edit: BoolArray) -> Drift:
    """Compare a view of an output with the own previous output outside the region of the edit, (H, W) bool.

    Raises InputError when sizes differ.
    """
    check_same_size("drift", own, own_before, edit)
    unchanged = ~edit
    foreground = unchanged & ((own.alpha > 0) | (own_before.alpha > 0))
    moved = sum_channels(own, own_before, squared=False)
    return Drift(
        unchanged=_mean_difference(moved, unchanged, "the edited region fills this view"),
        foreground=_mean_difference(moved, foreground, "no pixel outside the edited region shows the object"),
        pixels=int(np.count_nonzero(unchanged)),
        foreground_pixels=int(np.count_nonzero(foreground)),
    )


def find_changed(before: OnBlack, after: OnBlack, levels: int) -> BoolArray:
    """The pixels, (H, W), in which a channel on black differs by more than `levels` of 255."""
    return np.asarray(np.abs(after.levels - before.levels).max(axis=2) > levels * 255)


def diagnose_retexture(
    own: OnBlack, own_before: OnBlack, target: OnBlack, target_before: OnBlack, options: ImageOptions | None = None
) -> RetextureDiagnosis:
    """Compare, in one view, what a new look changed with what it should have changed.

    Every value is undefined in a view in which the target changes too few pixels. Raises InputError when sizes differ.
    """
    options = options or ImageOptions()
    check_same_size("retexture diagnosis", own, own_before, target, target_before)
    changed = find_changed(target_before, target, options.changed_levels)
    pixels = int(np.count_nonzero(changed))
    if pixels < options.least_changed_px:
        reason = f"the target changes {pixels} pixels of this view, {options.least_changed_px} are needed"
        few = Undefined(reason=reason)
        return RetextureDiagnosis(few, few, few, few, few, pixels)
    pairs = ((own_before, own), (target_before, target), (own, target), (own_before, target))
    own_sum, target_sum, residual, no_edit = (
        int(sum_channels(first, second, squared=False)[changed].sum()) for first, second in pairs
    )
    whole = pixels * 3 * FULL
    return RetextureDiagnosis(
        change_ratio=own_sum / target_sum,
        residual=residual / whole,
        residual_no_edit=no_edit / whole,
        own_change=own_sum / whole,
        target_change=target_sum / whole,
        pixels=pixels,
    )


def measure_mean(values: FloatArray, region: BoolArray | Undefined) -> Measure:
    """Mean of a map over a region of the same shape, not empty."""
    if isinstance(region, Undefined):
        return region
    chosen = values[region]
    return float(np.sum(chosen)) / len(chosen)


def sum_channels(first: OnBlack, second: OnBlack, *, squared: bool) -> IntArray:
    """(H, W) int64: sum over the channels of the absolute or squared differences, in steps of 1/FULL."""
    difference = (first.levels - second.levels).astype(np.int64)
    each = difference * difference if squared else np.abs(difference)
    return np.asarray(each[..., 0] + each[..., 1] + each[..., 2])


def _measure_psnr(squares: IntArray, region: BoolArray | Undefined) -> Measure:
    if isinstance(region, Undefined):
        return region
    # at most 3 FULL² a pixel: below 2^63 up to 700 million pixels
    error = int(squares[region].sum())
    if error == 0:
        return "inf"
    whole = 3 * FULL * FULL * int(np.count_nonzero(region))
    # The decimal logarithm of decimal numbers is rounded right everywhere; that of the math library is not.
    with localcontext(Context(prec=_DIGITS)):
        return float(10 * (Decimal(whole) / Decimal(error)).log10())


def _measure_overlap(first: BoolArray, second: BoolArray, region: BoolArray | Undefined) -> Measure:
    if isinstance(region, Undefined):
        return region
    either = int(np.count_nonzero((first | second) & region))
    if either == 0:
        return Undefined(reason="neither picture shows the object in this region")
    return int(np.count_nonzero(first & second & region)) / either


def _mean_difference(moved: IntArray, region: BoolArray, empty: str) -> Measure:
    pixels = int(np.count_nonzero(region))
    if pixels == 0:
        return Undefined(reason=empty)
    return int(moved[region].sum()) / (pixels * 3 * FULL)
