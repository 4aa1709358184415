"""Outlines of a part in a picture: an even line just outside its visible pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, label

from engine.surfaces import BoolArray, FloatArray

Color = tuple[int, int, int]

DASH_PX = 7.0
SPECK_PX = 14.0
"""Area below which an island or a hole of the outlined part gets no outline of its own."""


class Stroke(NamedTuple):
    """How an outline is drawn."""

    color: Color
    width_px: float = 2.5
    dashed: bool = False
    fill: float = 0.0
    """Opacity of a wash of the same colour over the part itself."""


def draw_contour(picture: NDArray[np.uint8], mask: BoolArray, stroke: Stroke) -> NDArray[np.uint8]:
    """Draw the outline of a mask on an opaque (H, W, 3) picture.

    The mask may be finer than the picture by a whole factor; the line is then smooth. A white line around the outline
    keeps it readable on any colour.
    """
    factor = mask.shape[0] // picture.shape[0]
    if not mask.any():
        return picture
    mask = _without_specks(mask, SPECK_PX * factor * factor)
    distance = np.asarray(distance_transform_edt(~mask), dtype=np.float64) / factor
    line = _within(distance, 0.6, 0.6 + stroke.width_px, factor)
    halo = _within(distance, 0.0, stroke.width_px + 1.8, factor)
    if stroke.dashed:
        dash = _dashes(mask.shape, factor)
        line, halo = np.multiply(line, dash), np.multiply(halo, dash)
    canvas = picture.astype(np.float64)
    layers: list[tuple[FloatArray, Color]] = [
        (mask.astype(np.float64) * stroke.fill, stroke.color),
        (halo * 0.85, (255, 255, 255)),
        (line, stroke.color),
    ]
    for opacity, color in layers:
        share = _shrink(opacity, factor)[..., None]
        canvas = np.asarray(canvas * (1.0 - share) + np.array(color) * share, dtype=np.float64)
    return np.asarray(np.rint(canvas), dtype=np.uint8)


def _without_specks(mask: BoolArray, limit: float) -> BoolArray:
    """Drop islands and fill holes below an area in mask pixels: they would become blots."""
    for kept in (True, False):
        labels, count = label(mask == kept)
        area = np.bincount(labels.reshape(-1), minlength=count + 1)
        small = area < limit
        small[0] = False
        if kept and small[1:].all():
            return mask
        mask = np.where(small[labels], not kept, mask)
    return mask


def _within(distance: FloatArray, low: float, high: float, factor: int) -> FloatArray:
    """Soft band: 1 where low < distance <= high, a fine pixel wide ramp at both ends."""
    inner = np.clip((distance - low) * factor + 0.5, 0.0, 1.0)
    outer = np.clip((high - distance) * factor + 0.5, 0.0, 1.0)
    return np.where(distance > 0.0, np.minimum(inner, outer), 0.0)


def _dashes(shape: tuple[int, ...], factor: int) -> FloatArray:
    """Diagonal stripes in both directions' sum, which cut any line into dashes."""
    rows, columns = np.arange(shape[0])[:, None] / factor, np.arange(shape[1])[None, :] / factor
    phase = (rows + columns) / (2.0 * DASH_PX)
    return np.where(phase - np.floor(phase) < 0.62, 1.0, 0.0)


def _shrink(values: FloatArray, factor: int) -> FloatArray:
    """Average factor x factor blocks."""
    if factor == 1:
        return values
    total = np.zeros((values.shape[0] // factor, values.shape[1] // factor))
    for j in range(factor):
        for i in range(factor):
            total += values[j::factor, i::factor]
    return total / (factor * factor)
