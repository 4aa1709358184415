"""Pictures of errors: how far an output's pixels are from its target's, as colours on one scale for all grids.

The error of a pixel is what drift and residual average: the mean over the channels of the absolute difference of the
colours on black, 0 to 1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.surfaces import BoolArray, IntArray
from evaluator.metrics.image import sum_channels
from evaluator.metrics.pictures import FULL, Picture, check_same_size, lay_on_black
from schemas.errors import InputError

Page = NDArray[np.uint8]

WHOLE: Final = 3 * FULL
"""Steps of the largest error."""
SCALE_END: Final = 0.5
"""Error at the upper end of the colours; larger ones have the colour of the end."""
STOPS: Final = ((14, 14, 30), (88, 24, 110), (196, 52, 84), (250, 150, 48), (253, 250, 206))
"""Colours at equal steps of the scale: each is lighter than the one before, so a print in grey reads the same."""
_LEVELS: Final = 1024
"""Steps of the scale."""


class MeanErrors(NamedTuple):
    """Mean error of a view in its regions, 0 to 1; None where the region is empty."""

    edit: float | None
    unchanged: float | None


def measure_errors(own: Picture, target: Picture) -> IntArray:
    """Error of each pixel, (H, W) int64 in steps of 1/WHOLE. Raises InputError when the sizes differ."""
    one, two = lay_on_black(own), lay_on_black(target)
    check_same_size("error map", one, two)
    return sum_channels(one, two, squared=False)


def average_errors(errors: IntArray, edit: BoolArray) -> MeanErrors:
    """Mean errors over E and U of a view. Raises InputError when the sizes differ."""
    check_same_size("mean errors", errors >= 0, edit)
    found = []
    for region in (edit, ~edit):
        pixels = int(np.count_nonzero(region))
        found.append(int(errors[region].sum()) / (pixels * WHOLE) if pixels else None)
    return MeanErrors(*found)


def color_errors(errors: IntArray) -> Page:
    """Errors in steps of 1/WHOLE, any shape, as colours (..., 3) uint8."""
    end = round(SCALE_END * WHOLE)
    places = np.minimum(errors, end) * (_LEVELS - 1) // end
    colors: Page = _COLORS[places]
    return colors


def draw_scale(width: int, height: int) -> Page:
    """The bar of the scale from 0 to SCALE_END, left to right; (height, width, 3) uint8."""
    places = np.arange(width) * (_LEVELS - 1) // max(width - 1, 1)
    return np.repeat(_COLORS[places][None], height, axis=0)


def fit_square(values: IntArray, size: int) -> IntArray:
    """A square array (H, H) or (H, H, C) of whole numbers, none negative, as (size, size, ...), int64.

    A smaller one is made of means of blocks, rounded to the nearest; a larger one repeats its values.
    """
    if values.ndim not in (2, 3) or values.shape[0] != values.shape[1]:
        raise InputError(f"fit: array of shape {values.shape}, needs a square")
    length = len(values)
    starts = np.arange(size) * length // size
    if size >= length:
        return np.asarray(values[starts][:, starts], dtype=np.int64)
    sums = np.add.reduceat(np.add.reduceat(values.astype(np.int64), starts, axis=0), starts, axis=1)
    sides = np.diff(starts, append=length)
    counts = (sides[:, None] * sides[None, :]).reshape((size, size, *(1 for _ in values.shape[2:])))
    return np.asarray((2 * sums + counts) // (2 * counts))


def _list_colors() -> Page:
    stops = np.array(STOPS, dtype=np.int64)
    spans = len(stops) - 1
    places = np.arange(_LEVELS) * spans
    first = np.minimum(places // (_LEVELS - 1), spans - 1)
    share = (places - first * (_LEVELS - 1))[:, None]
    mixed = stops[first] * (_LEVELS - 1 - share) + stops[first + 1] * share
    return np.asarray((2 * mixed + _LEVELS - 1) // (2 * (_LEVELS - 1)), dtype=np.uint8)


_COLORS: Final = _list_colors()
