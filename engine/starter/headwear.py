"""Hats and crowns. Each stands on its brim on y = 0 about the origin."""

from __future__ import annotations

from engine.starter.models import Piece, cover
from engine.starter.outlines import fillet, smooth
from engine.starter.paints import cloth, foliage, glass, metal
from engine.starter.solids import ellipsoid, extrude, lathe, ring, slab

GOLD = metal("gold", "e0b041", 0.5, roughness=0.3, seed=251)
RUBY = glass("ruby glass", "c9303f", 0.2, "ffd0c8")
SAPPHIRE = glass("sapphire glass", "3a64b8", 0.2, "dbe8ff")
VELVET = cloth("crimson velvet", "8f2d3a", 0.5, seed=255)
FELT = cloth("black felt", "3c3a40", 0.5, seed=256)
SILK = cloth("teal silk band", "2f8f8a", 0.4, seed=257)
GREEN_FELT = cloth("green felt", "5f8a48", 0.5, seed=258)
FEATHER = foliage("red feather", "c5483c", 0.3, "f2a05a", seed=259)


def crown() -> tuple[Piece, ...]:
    """A gold crown with velvet, jewels and a cross of points."""
    band = lathe(fillet([(0.42, 0.0), (0.5, 0.0), (0.5, 0.22), (0.42, 0.22)], 0.02, 2, closed=True), 24, loop=True)
    trims = [ring(0.49, 0.06, 24, 6).moved(0, y, 0) for y in (0.03, 0.21)]
    cushion = lathe(smooth([(0.41, 0.02), (0.45, 0.3), (0.36, 0.52), (0.12, 0.6), (0.0, 0.6)], 3), 20)
    tips = [
        extrude([(-0.11, 0.0), (0.11, 0.0), (0.05, 0.2), (0.0, 0.34), (-0.05, 0.2)], 0.05, 0.012, "z", 1)
        .moved(0, 0.2, 0.46)
        .turned("y", k / 8)
        for k in range(8)
    ]
    beads = [ellipsoid(0.09, 0.09, 0.09, 8, 6).moved(0, 0.56, 0.46).turned("y", k / 8) for k in range(8)]
    rubies = [ellipsoid(0.11, 0.13, 0.06, 9, 6).moved(0, 0.12, 0.5).turned("y", k / 4) for k in range(4)]
    gems = [ellipsoid(0.09, 0.11, 0.05, 9, 6).moved(0, 0.12, 0.5).turned("y", k / 4 + 0.125) for k in range(4)]
    return (
        *cover(GOLD, band, *trims, *tips, *beads),
        *cover(VELVET, cushion),
        *cover(RUBY, *rubies),
        *cover(SAPPHIRE, *gems),
    )


def top_hat() -> tuple[Piece, ...]:
    """A black top hat with a teal band and a gold buckle."""
    brim = smooth([(0.3, 0.0), (0.56, 0.0), (0.64, 0.05), (0.62, 0.08), (0.5, 0.05), (0.37, 0.06)], 2)
    crown_line = fillet([(0.36, 0.08), (0.35, 0.3), (0.4, 0.78), (0.0, 0.8)], 0.04, 3)
    hat = lathe([*[(float(r), float(y)) for r, y in brim], *[(float(r), float(y)) for r, y in crown_line]], 24)
    band = lathe(fillet([(0.3, 0.08), (0.375, 0.08), (0.38, 0.24), (0.3, 0.24)], 0.015, 2, closed=True), 24, loop=True)
    buckle = slab(0.2, 0.18, 0.04, 0.03).moved(0, 0.16, 0.38)
    hole = slab(0.12, 0.1, 0.02, 0.02).moved(0, 0.16, 0.4)
    return (*cover(FELT, hat), *cover(SILK, band, hole), *cover(GOLD, buckle))


def feather_hat() -> tuple[Piece, ...]:
    """A green felt hat with a cord and a feather."""
    line = smooth(
        [(0.3, 0.0), (0.6, 0.0), (0.62, 0.03), (0.46, 0.1), (0.36, 0.2), (0.32, 0.46), (0.2, 0.56), (0.0, 0.52)], 3
    )
    hat = lathe(line, 22)
    cord = [
        ring(0.385, 0.05, 20, 6).moved(0, 0.18 + 0.04 * k, 0).scaled(1 - 0.03 * k, 1, 1 - 0.03 * k) for k in range(2)
    ]
    quill = ellipsoid(0.13, 0.62, 0.04, 9, 9).turned("x", -0.07).turned("z", 0.04).moved(0.36, 0.46, -0.06)
    return (*cover(GREEN_FELT, hat), *cover(GOLD, *cord), *cover(FEATHER, quill))
