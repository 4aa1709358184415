"""Likeness of pictures by networks, in the regions of a view, and cosines of encoded pictures.

Definition: metric notes, sections 5 and 8. The networks are adapters (evaluator.metrics.networks) loaded from weights
that the user gives. The windows of LPIPS and DINOv2 reach farther than the margin of a region: values of U feel an edit
beside it, and reports say so.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.surfaces import BoolArray, FloatArray, IntArray
from evaluator.metrics.image import measure_mean
from evaluator.metrics.networks.weights import ImageEncoder, MapMetric, MissingWeights
from evaluator.metrics.pictures import ByRegion, OnBlack, Picture, check_same_size, split_regions
from evaluator.metrics.views import CONDITIONING_VIEW
from evaluator.protocol import ImageOptions
from schemas.errors import InputError
from schemas.score import Measure, Undefined


def score_view_by_network(
    metric: MapMetric | MissingWeights,
    own: OnBlack,
    target: OnBlack,
    edit: BoolArray,
    options: ImageOptions | None = None,
) -> ByRegion[Measure]:
    """Mean of a network's map over each region of a view; the reason everywhere where the network is missing.

    edit: (H, W) bool, the dilated region of the edit. Raises InputError when sizes differ or do not suit the network.
    """
    check_same_size("network scores", own, target, edit)
    if isinstance(metric, MissingWeights):
        return ByRegion(metric, metric, metric)
    options = options or ImageOptions()
    values = metric.measure_map(own, target)
    regions = split_regions(edit, options.least_edit_px)
    return ByRegion(*(_measure_region(values, region) for region in regions))


def find_patches(region: BoolArray, rows: int, columns: int) -> BoolArray:
    """Patches of a grid (rows, columns) over a region (H, W) that belong to it: at least half of their area does.

    Exact in integers, also where patches cut through pixels.
    """
    down, across = (_measure_overlaps(size, count) for size, count in zip(region.shape, (rows, columns), strict=True))
    bands = np.sum(down[:, :, None] * region[None], axis=1)
    covered = np.sum(bands[:, None] * across[None], axis=2)
    return np.asarray(2 * covered >= region.shape[0] * region.shape[1])


def measure_retexture_similarity(operation: str, views: Sequence[ByRegion[Measure]]) -> Measure:
    """The column of retexture turns: DINOv2 of the conditioning view in E. Other turns have none.

    views: DINOv2 scores by view. Raises InputError without any.
    """
    if operation != "retexture":
        return Undefined(reason=f"a column of retexture turns, this is {operation}")
    if not views:
        raise InputError("retexture similarity: there are no views")
    return views[CONDITIONING_VIEW].edit


def measure_cosines(encoder: ImageEncoder, own: Sequence[Picture], target: Sequence[Picture]) -> FloatArray:
    """Cosine of every own picture with every one of the target, (own, target) in [-1, 1]; pictures (S, S, 3) uint8.

    Each picture is encoded by itself: a row does not depend on the others. Exactly 1 for the same vector.
    """
    rows, columns = ([encoder.encode(picture) for picture in pictures] for pictures in (own, target))
    table = np.zeros((len(rows), len(columns)))
    for i, first in enumerate(rows):
        for j, second in enumerate(columns):
            lengths = np.sqrt(np.sum(first * first) * np.sum(second * second))
            table[i, j] = np.clip(np.sum(first * second) / lengths, -1.0, 1.0)
    return table


def _measure_region(values: FloatArray, region: BoolArray | Undefined) -> Measure:
    if isinstance(region, Undefined) or values.shape == region.shape:
        return measure_mean(values, region)
    patches = find_patches(region, *values.shape)
    if not patches.any():
        return Undefined(reason=f"none of {values.size} patches lies at least half in this region")
    return measure_mean(values, patches)


def _measure_overlaps(size: int, count: int) -> IntArray:
    """How much of pixel p lies in band b, (count, size) int64, in units of 1/count of a pixel."""
    pixel, band = np.arange(size)[None] * count, np.arange(count)[:, None] * size
    low, high = np.maximum(pixel, band), np.minimum(pixel + count, band + size)
    return np.asarray(np.maximum(high - low, 0))
