"""Camera depth read off a scene against true depth, after the best scale and shift."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.surfaces import BoolArray, FloatArray
from schemas.errors import InputError
from schemas.score import Measure, Undefined


class DepthScores(NamedTuple):
    """AbsRel and the alignment it was taken under."""

    abs_rel: Measure
    """Mean of |scale * depth + shift - true| / true over the pixels."""
    scale: Measure
    shift: Measure
    pixels: int
    """Pixels where both have a depth."""


def measure_abs_rel(depth: FloatArray, true_depth: FloatArray, region: BoolArray | None = None) -> DepthScores:
    """Align `depth` (H, W) to `true_depth` (H, W) by least squares and measure AbsRel.

    Pixels count where the true depth is finite and positive and the own is finite; `region` (H, W) narrows them. A
    depth that is the same everywhere is aligned by shift alone.

    Raises:
        InputError: pictures of different sizes.

    """
    shapes = {depth.shape, true_depth.shape} | ({region.shape} if region is not None else set())
    if len(shapes) != 1:
        raise InputError(f"depth: pictures of shapes {depth.shape} and {true_depth.shape} must be one size")
    valid = np.isfinite(depth) & np.isfinite(true_depth) & (true_depth > 0.0)
    if region is not None:
        valid &= region
    own, true = depth[valid].astype(np.float64), true_depth[valid].astype(np.float64)
    if len(own) < 2:
        none = Undefined(reason=f"{len(own)} pixels have both depths, 2 are needed")
        return DepthScores(none, none, none, len(own))
    scale, shift = fit_scale_shift(own, true)
    abs_rel = float(np.sum(np.abs(scale * own + shift - true) / true)) / len(own)
    return DepthScores(abs_rel, scale, shift, len(own))


def fit_scale_shift(own: FloatArray, true: FloatArray) -> tuple[float, float]:
    """The scale and shift of `own` (N,), N > 0, that minimise the squared differences to `true` (N,).

    Sums of products about the means, in array order: no linear algebra library decides the bits.
    """
    own_mean, true_mean = float(np.sum(own)) / len(own), float(np.sum(true)) / len(true)
    centred = own - own_mean
    spread = float(np.sum(centred * centred))
    scale = float(np.sum(centred * (true - true_mean))) / spread if spread > 0.0 else 0.0
    return scale, true_mean - scale * own_mean
