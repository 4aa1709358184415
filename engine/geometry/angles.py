"""Sine and cosine by a power series: the same bits on every machine, unlike those of the system's library."""

from __future__ import annotations

from typing import Final

_PI: Final = 3.141592653589793


def cosine_and_sine(degrees: float) -> tuple[float, float]:
    """Return cosine and sine of an angle in degrees, to about 1e-15; exact at multiples of a quarter turn."""
    quarters = round(degrees / 90.0)
    x = (degrees - 90.0 * quarters) * (_PI / 180.0)
    cosine, sine, term = 1.0, 0.0, 1.0
    for k in range(1, 22):
        term = term * x / k
        if k % 2:
            sine += term if k % 4 == 1 else -term
        else:
            cosine += term if k % 4 == 0 else -term
    return ((cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine))[quarters % 4]
