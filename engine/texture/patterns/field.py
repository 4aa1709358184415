"""What a pattern sees of a part, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.surfaces import FloatArray, IntArray
from engine.texture.noise import fractal_noise

_FLOOR_BIAS = 0.9
"""A slope is laid out as a floor only when its normal is clearly nearer to the vertical: roofs get courses."""
_RESOLVED = 2.5
"""Texels a wave needs to be seen as one."""


class Layers(NamedTuple):
    """Two palettes and how much of the second covers the first; all (N,) in [0, 1] up to clipping."""

    base: FloatArray
    over: FloatArray
    cover: FloatArray


@dataclass(frozen=True, slots=True)
class Field:
    """The texels of one piece in object space."""

    points: FloatArray
    """(N, 3) part coordinates about the middle of the bounds, in pattern cells, moved by a seeded amount."""
    normals: FloatArray
    """(N, 3) unit normal of the owning triangle."""
    texel: float
    """Side of a texel in pattern cells."""
    axes: tuple[int, int, int]
    """Coordinate axes by the extent of the piece, longest first."""
    seed: int

    def noise(self, scale: tuple[float, float, float], stream: int, octaves: int = 1) -> FloatArray:
        """Noise with `scale` waves per cell along the (longest, middle, shortest) axis, faded where unresolved."""
        finest = 1.0 / max(scale)
        while octaves > 1 and finest / 2.0 ** (octaves - 1) < _RESOLVED * self.texel:
            octaves -= 1
        stretched = self.points[:, self.axes] * np.asarray(scale)
        strength = min(max(finest / (_RESOLVED * self.texel), 0.0), 1.0)
        return 0.5 + (fractal_noise(stretched, self.seed + stream, octaves) - 0.5) * strength

    def even_noise(self, scale: float, stream: int, octaves: int = 1) -> FloatArray:
        """Noise with `scale` waves per cell in all directions."""
        return self.noise((scale, scale, scale), stream, octaves)

    def sharpen(self, distance: FloatArray) -> FloatArray:
        """Coverage of a texel whose middle lies `distance` cells inside an edge: a ramp one texel wide."""
        return np.clip(0.5 + distance / self.texel, 0.0, 1.0)


Pattern = Callable[[Field], Layers]


def unfold_walls(field: Field) -> tuple[FloatArray, FloatArray, IntArray]:
    """Plane coordinates by dominant axis: u level and v up on walls; u along the longer side on floors; the axis."""
    level = tuple(axis for axis in field.axes if axis != 1)
    return _unfold(field, (level[0], level[1], 1))


def unfold_lengthwise(field: Field) -> tuple[FloatArray, FloatArray, IntArray]:
    """Plane coordinates by dominant axis: u along the longest axis of the piece wherever it lies in the plane."""
    return _unfold(field, field.axes)


def _unfold(field: Field, order: tuple[int, int, int]) -> tuple[FloatArray, FloatArray, IntArray]:
    size = np.abs(field.normals) * np.asarray([1.0, _FLOOR_BIAS, 1.0])
    side = size.argmax(axis=1)
    rank = np.asarray(order)
    first = np.where(side == rank[0], rank[1], rank[0])
    second = 3 - side - first
    rows = np.arange(len(side))
    return field.points[rows, first], field.points[rows, second], side


def fraction(values: FloatArray) -> FloatArray:
    """Take the part above the floor, in [0, 1)."""
    return np.asarray(values - np.floor(values))


def smooth_step(values: FloatArray, low: float, high: float) -> FloatArray:
    """0 below `low`, 1 above `high`, a cubic in between."""
    t = np.clip((values - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t))


def no_cover(base: FloatArray) -> Layers:
    """Make a material of one palette."""
    nothing = np.zeros(len(base))
    return Layers(base, nothing, nothing)
