"""Forms that several families share: fluted and bowed shells, coils, leaves, things set round an axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.starter.models import Piece
from engine.starter.outlines import length_of, smooth
from engine.starter.shells import Axis, Shell
from engine.starter.solids import ellipsoid, lathe, tube
from engine.starter.trigonometry import cosine_sine
from engine.surfaces import FloatArray


def fluted(
    shell: Shell, lobes: int, depth: float, *, weight: Callable[[FloatArray], FloatArray] | None = None
) -> Shell:
    """The shell with `lobes` waves round Y, each `depth` of its radius high, a crest at the front.

    weight: (V,) factor of the waves from the (V,) heights, 1 everywhere when it is missing.
    """

    def shape(v: FloatArray) -> FloatArray:
        radius = np.maximum(plan_radius(v), 1e-12)
        cosine = v[:, 2] / radius
        before, wave = np.ones_like(cosine), cosine
        for _ in range(lobes - 1):  # cos(n t) from the two cosines before it
            before, wave = wave, 2.0 * cosine * wave - before
        factor = 1.0 + depth * wave * (1.0 if weight is None else weight(v[:, 1]))
        return np.stack([v[:, 0] * factor, v[:, 1], v[:, 2] * factor], axis=1)

    return shell.shaped(shape)


def plan_radius(v: FloatArray) -> FloatArray:
    """(V,) distances of (V, 3) points from the Y axis."""
    return length_of(v[:, (0, 2)])


def bowed(shell: Shell, along: Axis, towards: Axis, amount: float) -> Shell:
    """The shell pushed along one axis by `amount` times the square of another coordinate."""
    a, b = "xyz".index(along), "xyz".index(towards)

    def shape(v: FloatArray) -> FloatArray:
        moved = v.copy()
        moved[:, b] += amount * v[:, a] * v[:, a]
        return moved

    return shell.shaped(shape)


def coil(radius: float, height: float, turns: float, thickness: float, *, steps: int = 12, sides: int = 6) -> Shell:
    """A helical spring standing on y = 0; `radius` to the middle of the wire."""
    count = int(turns * steps) + 1
    share = np.arange(count, dtype=np.float64) / (count - 1)
    cosine, sine = cosine_sine(share * turns)
    return tube(np.stack([cosine * radius, share * height, sine * radius], axis=1), thickness / 2, sides)


def arc(radius: float, start: float, end: float, steps: int = 8) -> FloatArray:
    """(steps + 1, 2) points of a circle about the origin between two angles in turns."""
    cosine, sine = cosine_sine(start + (end - start) * np.arange(steps + 1, dtype=np.float64) / steps)
    return np.stack([cosine * radius, sine * radius], axis=1)


def set_around(shells: Sequence[Shell], count: int, axis: Axis = "y", start: float = 0.0) -> list[Shell]:
    """Copies of the shells turned evenly round an axis through the origin."""
    return [shell.turned(axis, start + k / count) for k in range(count) for shell in shells]


def leaf(
    length: float, width: float, droop: float, thickness: float = 0.03, segments: int = 8, rings: int = 6
) -> Shell:
    """A pointed blade from the origin along +Z, sagging by `droop` at its tip."""
    blade = ellipsoid(width, length, thickness, segments, rings).turned("x", 0.25)
    return bowed(blade.moved(z=length / 2), "z", "y", -droop / (length * length))


def wire(points: Sequence[Sequence[float]], radius: float, steps: int = 3, sides: int = 6) -> Shell:
    """A tube of one radius along a smooth curve through the points."""
    return tube(smooth(points, steps), radius, sides)


def tapered(points: Sequence[Sequence[float]], radii: Sequence[float], steps: int = 4, sides: int = 9) -> Shell:
    """A tube along a smooth curve whose radius follows the given radii from end to end."""
    return tube(smooth(points, steps), radii, sides)


def band(radius: float, low: float, high: float, thickness: float, segments: int = 20, taper: float = 0.0) -> Shell:
    """A flat hoop about Y between two heights; `taper` is added to its radius at the top."""
    inner = radius - thickness
    return lathe([(inner, low), (radius, low), (radius + taper, high), (inner + taper, high)], segments, loop=True)


def mirrored(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces seen in a mirror at x = 0."""
    return tuple(Piece(p.shell.scaled(-1, 1, 1), p.paint, p.crease) for p in pieces)


def placed(pieces: Sequence[Piece], move: Callable[[Shell], Shell]) -> tuple[Piece, ...]:
    """The pieces with every shell moved the same way."""
    return tuple(Piece(move(p.shell), p.paint, p.crease) for p in pieces)
