"""Angles: sines, cosines, arcs and rotations that have the same bits on every machine.

The C library's sin and cos differ in the last bit between processors. Cameras, texture transforms and symmetries need
only a few angles, so they are computed here from sums and products alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.surfaces import FloatArray

TAU = 6.283185307179586


class Turn2D(NamedTuple):
    """A direction in the plane."""

    cos: float
    sin: float


def turn_of_degrees(angle_deg: float) -> Turn2D:
    """Cosine and sine of an angle in degrees; exact at multiples of 90."""
    quarter, rest = divmod(angle_deg, 90.0)
    return _quarter_turns(int(quarter), _small_turn(rest * (TAU / 360.0)))


def turn_of_radians(angle: float) -> Turn2D:
    """Cosine and sine of an angle in radians, within 1e-15 for |angle| below a thousand turns."""
    quarter, rest = divmod(angle, TAU / 4)
    return _quarter_turns(int(quarter), _small_turn(rest))


def _small_turn(angle: float) -> Turn2D:
    """Taylor series of an angle in [0, pi/2], smallest terms first."""
    square = angle * angle
    cos = sin = 1.0
    for k in range(24, 0, -2):
        cos = 1.0 - cos * square / (k * (k - 1))
        sin = 1.0 - sin * square / (k * (k + 1))
    return Turn2D(cos, sin * angle)


def _quarter_turns(count: int, turn: Turn2D) -> Turn2D:
    for _ in range(count % 4):
        turn = Turn2D(-turn.sin, turn.cos)
    return turn


def degrees_between(a: FloatArray, b: FloatArray) -> float:
    """Angle between two unit vectors (3,) in degrees, from exact operations only; within 1e-12."""
    apart, together = a - b, a + b
    far, near = float(np.sqrt((apart * apart).sum())), float(np.sqrt((together * together).sum()))
    # tan of half the angle; halved twice more, the series of the arc tangent converges fast.
    tangent, turned = (far / near, False) if far <= near else (near / far, True)
    for _ in range(2):
        tangent = tangent / (1.0 + float(np.sqrt(1.0 + tangent * tangent)))
    square, total = tangent * tangent, 0.0
    for k in range(25, 0, -2):
        total = 1.0 / k - square * total
    degrees = 8.0 * total * tangent * 360.0 / TAU
    return 180.0 - degrees if turned else degrees


def rotation_onto(a: FloatArray, b: FloatArray) -> FloatArray:
    """(3, 3) shortest rotation of unit vector `a` onto `b`; opposite vectors by a half turn, never by a mirror."""
    axis = np.cross(a, b)
    cosine = float((a * b).sum())
    if cosine > -1.0 + 1e-9:
        x, y, z = (float(value) for value in axis)
        k = 1.0 / (1.0 + cosine)
        return np.array(
            [
                [cosine + k * x * x, k * x * y - z, k * x * z + y],
                [k * x * y + z, cosine + k * y * y, k * y * z - x],
                [k * x * z - y, k * y * z + x, cosine + k * z * z],
            ]
        )
    # Any axis across `a` will do; up is kept up where it can be.
    seed = np.array([0.0, 1.0, 0.0]) if abs(float(a[1])) < 0.9 else np.array([0.0, 0.0, 1.0])
    across = seed - float((seed * a).sum()) * a
    across = across / np.sqrt((across * across).sum())
    half_turn = np.asarray(2.0 * across[:, None] * across[None, :] - np.eye(3))
    if np.array_equal(-a, b):
        return half_turn
    # Nearly opposite: the half turn ends beside `b`, and what is left is too small for the formula above to lose.
    rest = rotation_onto(-a, b)
    return np.asarray((rest[:, :, None] * half_turn[None, :, :]).sum(axis=1))
