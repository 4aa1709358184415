"""Sine and cosine that have the same bits on every machine.

The C library's sin and cos differ in the last bit between processors. Cameras, texture transforms and symmetries need
only a few angles, so they are computed here from sums and products alone.
"""

from __future__ import annotations

from typing import NamedTuple

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
