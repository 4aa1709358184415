"""Forms that many single parts share: hollow vessels, pucks, circles of copies, mirrored pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.starter.models import Piece, cover
from engine.starter.outlines import Points, fillet, smooth
from engine.starter.paints import Paint, plain
from engine.starter.shells import Shell
from engine.starter.solids import lathe, tube

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


def rod(start: Spot, end: Spot, radius: float, sides: int = 7) -> Shell:
    """A straight round bar with flat ends."""
    return tube([start, end], radius, sides, rounded=False)


def bent(
    points: Points, radius: float | Sequence[float], sides: int = 6, steps: int = 2, *, domed: bool = False
) -> Shell:
    """A tube along a smooth curve through the points, with flat ends or domed ones."""
    return tube(smooth(points, steps), radius, sides, rounded=domed)


def around(shell: Shell, count: int, start: float = 0.0) -> list[Shell]:
    """Copies evenly spread about Y, beginning `start` turns from where the shell is."""
    return [shell.turned("y", start + k / count) for k in range(count)]


def pair(shell: Shell) -> list[Shell]:
    """The shell and its mirror image across x = 0."""
    return [shell, shell.scaled(-1.0, 1.0, 1.0)]
