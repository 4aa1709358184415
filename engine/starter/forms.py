"""Forms that many models share: vessels, pucks, bars and tubes, fluted and bowed shells, copies round an axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from engine.starter.models import Piece, cover
from engine.starter.outlines import Points, fillet, length_of, smooth
from engine.starter.paints import Paint, plain
from engine.starter.shells import Axis, Shell
from engine.starter.solids import ellipsoid, lathe, tube
from engine.starter.trigonometry import cosine_sine
from engine.surfaces import FloatArray

Spot = Sequence[float]
ROUND = 0.45
"""Cosine of a crease angle of about 63 degrees: bars of six sides are shaded round, and their faces share vertices."""


def coat(paint: Paint, *shells: Shell) -> tuple[Piece, ...]:
    """The shells as pieces under one paint, with all but sharp edges shaded round."""
    return cover(paint, *shells, crease=ROUND)


def tint(name: str, main: str, tile: float, *, roughness: float = 0.85, contrast: int = 60, seed: int = 1) -> Paint:
    """Plain paint with a small texture: soft clouds need few pixels."""
    return replace(plain(name, main, tile, roughness=roughness, contrast=contrast, seed=seed), size=32)


def lit(paint: Paint, share: float) -> Paint:
    """The paint with its colour shining from within, between 0 and 1."""
    return replace(paint, emissive=share)


def vessel(outer: Points, wall: float = 0.03, floor: float = 0.06, segments: int = 16, steps: int = 2) -> Shell:
    """A turned vessel with a real opening.

    outer: (N, 2) radius and height from the foot to the rim, smoothed here. wall: thickness. floor: height of the
    inner bottom.
    """
    curve = [(float(r), float(y)) for r, y in smooth(outer, steps)]
    inner = [(r - wall, y) for r, y in reversed(curve) if y > floor and r > 1.5 * wall]
    return lathe([*curve, *inner, (0.0, floor)], segments)


def puck(radius: float, height: float, bevel: float = 0.02, segments: int = 16) -> Shell:
    """A cylinder that stands on y = 0, with rounded rims when `bevel` > 0."""
    outline = [(0.0, 0.0), (radius, 0.0), (radius, height), (0.0, height)]
    return lathe(fillet(outline, bevel, 2) if bevel > 0 else outline, segments)


def disc(radius: float, height: float, bevel: float = 0.02, segments: int = 16) -> Shell:
    """A puck that stands on its edge about the origin and faces +Z from z = 0."""
    return puck(radius, height, bevel, segments).turned("x", 0.25)


def band(radius: float, low: float, high: float, thickness: float, segments: int = 20, taper: float = 0.0) -> Shell:
    """A flat hoop about Y between two heights; `taper` is added to its radius at the top."""
    inner = radius - thickness
    return lathe([(inner, low), (radius, low), (radius + taper, high), (inner + taper, high)], segments, loop=True)


def rod(start: Spot, end: Spot, radius: float, sides: int = 7) -> Shell:
    """A straight round bar with flat ends."""
    return tube([start, end], radius, sides, rounded=False)


def bent(
    points: Points, radius: float | Sequence[float], sides: int = 6, steps: int = 2, *, domed: bool = False
) -> Shell:
    """A tube along a smooth curve through the points, with flat ends or domed ones."""
    return tube(smooth(points, steps), radius, sides, rounded=domed)


def wire(points: Points, radius: float, steps: int = 3, sides: int = 6) -> Shell:
    """A thin tube of one radius with domed ends along a smooth curve through the points."""
    return bent(points, radius, sides, steps, domed=True)


def tapered(points: Points, radii: Sequence[float], steps: int = 4, sides: int = 9) -> Shell:
    """A tube with domed ends along a smooth curve, whose radius follows the given radii from end to end."""
    return bent(points, radii, sides, steps, domed=True)


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


def leaf(
    length: float, width: float, droop: float, thickness: float = 0.03, segments: int = 8, rings: int = 6
) -> Shell:
    """A pointed blade from the origin along +Z, sagging by `droop` at its tip."""
    blade = ellipsoid(width, length, thickness, segments, rings).turned("x", 0.25)
    return bowed(blade.moved(z=length / 2), "z", "y", -droop / (length * length))


def around(shells: Shell | Sequence[Shell], count: int, *, axis: Axis = "y", start: float = 0.0) -> list[Shell]:
    """Copies evenly spread round an axis through the origin, beginning `start` turns from where the shells are."""
    given = [shells] if isinstance(shells, Shell) else shells
    return [shell.turned(axis, start + k / count) for k in range(count) for shell in given]


def pair(shell: Shell) -> list[Shell]:
    """The shell and its mirror image across x = 0."""
    return [shell, shell.scaled(-1.0, 1.0, 1.0)]


def mirrored(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces seen in a mirror at x = 0."""
    return placed(pieces, lambda shell: shell.scaled(-1.0, 1.0, 1.0))


def on_side(side: int, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Pieces built on the left where `side` is above 0, else their mirror image."""
    return tuple(pieces) if side > 0 else mirrored(pieces)


def placed(pieces: Sequence[Piece], move: Callable[[Shell], Shell]) -> tuple[Piece, ...]:
    """The pieces with every shell moved the same way."""
    return tuple(replace(piece, shell=move(piece.shell)) for piece in pieces)
