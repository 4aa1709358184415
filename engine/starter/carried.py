"""What people hold in their hands: upright on y = 0, the side they are held at facing -Z."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.starter import patterns
from engine.starter.forms import around, bowed, fluted, leaf, plan_radius, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import fillet, rectangle, smooth, star
from engine.starter.paints import cloth, foliage, glass, metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, ellipsoid, extrude, lathe, ring, slab, tube
from engine.surfaces import FloatArray

ASH = wood("ash wood", "c39a62", 0.5, planks=1, seed=361)
KNOTTY = wood("knotty wood", "80573a", 0.4, planks=1, seed=362)
IRON = metal("dark iron", "56565c", 0.4, roughness=0.5, seed=363)
STEEL = metal("bright steel", "b4bac0", 0.5, roughness=0.25, seed=364)
GOLD = metal("gold", "ddb049", 0.4, roughness=0.3, seed=365)
GLOW = glass("lantern glass", "ffce6e", 0.3, "fff3cc", emissive=0.6)
GOURD = plain("dried gourd", "d79b4a", 0.3, contrast=90, seed=366)
ROPE = patterned("hemp rope", "b9935a", "b9935a", 0.12, patterns.straw, seed=367)
EBONY = plain("black lacquer", "2e2a30", 0.4, roughness=0.3, contrast=20, seed=368)
BROOM = patterned("broom straw", "d2a851", "d2a851", 0.5, partial(patterns.straw, bands=1), seed=369)
TWINE = cloth("red twine", "b8413a", 0.1, seed=370)
GRIP = cloth("red leather grip", "9c2f33", 0.12, "c46a58", pattern=partial(patterns.stripes, count=4), seed=371)
RUBY = glass("ruby glass", "c9303f", 0.2, "ffd0c8")
BLUE = plain("blue lacquer", "35609c", 0.6, roughness=0.4, contrast=40, seed=372)
PAPER = patterned("dotted wrapping paper", "f3e9d6", "e48f9d", 0.3, partial(patterns.dots, count=4), seed=373)
ROSE = plain("red rose petals", "c4353f", 0.16, contrast=110, seed=374)
LEAVES = foliage("green leaves", "4f8f48", 0.3, "8fbf62", seed=375)
RIBBON = cloth("teal ribbon", "2f8f8c", 0.2, seed=376)
STRIPES = cloth(
    "striped canopy", "d8483f", 0.72, "f6ead2", pattern=partial(patterns.stripes, count=1, upright=True), seed=377
)


def stick_lantern() -> tuple[Piece, ...]:
    """A crooked stick with an iron lantern hanging from its bend."""
    pole = tapered(
        [
            (0, 0.02, 0),
            (0.02, 0.6, 0.0),
            (-0.02, 1.2, 0.01),
            (0.02, 1.8, 0),
            (0.14, 2.06, 0),
            (0.34, 2.12, 0),
            (0.44, 2.02, 0),
        ],
        [0.05, 0.045, 0.042, 0.04, 0.034, 0.03, 0.028],
        3,
        8,
    )
    knots = [ellipsoid(0.12, 0.1, 0.11, 7, 4).moved(x, y, 0.02) for x, y in ((0.01, 0.46), (-0.01, 1.3), (0.02, 1.74))]
    link = [ring(0.045, 0.022, 10, 5).turned("x", 0.25).moved(0.44, 1.985, 0)]
    link.append(ring(0.04, 0.02, 10, 5).turned("z", 0.25).moved(0.44, 1.91, 0))
    cap = lathe(smooth([(0.15, 1.74), (0.13, 1.8), (0.05, 1.88), (0.0, 1.89)], 2), 12).moved(0.44, 0, 0)
    base = lathe(fillet([(0.08, 1.4), (0.15, 1.42), (0.14, 1.47), (0.1, 1.49)], 0.02, 2), 12).moved(0.44, 0, 0)
    lamp = lathe(smooth([(0.1, 1.48), (0.125, 1.56), (0.115, 1.68), (0.1, 1.75)], 2), 12).moved(0.44, 0, 0)
    ribs = around(tube([(0.115, 1.46, 0), (0.135, 1.6, 0), (0.12, 1.76, 0)], 0.014, 5), 6)
    return (
        *cover(KNOTTY, pole, *knots),
        *cover(IRON, *link, cap, base, *(r.moved(0.44, 0, 0) for r in ribs)),
        *cover(GLOW, lamp),
    )


def pilgrim_staff() -> tuple[Piece, ...]:
    """A gnarled staff with a forked top, a rope wrap and a gourd bottle."""
    pole = tapered(
        [(0, 0.02, 0), (0.03, 0.5, 0.02), (-0.03, 1.0, -0.01), (0.02, 1.5, 0.02), (0.0, 2.0, 0)],
        [0.045, 0.055, 0.052, 0.062, 0.07],
        4,
        9,
    )
    fork = [
        tapered([(0, 1.94, 0), (s * 0.12, 2.16, 0), (s * 0.1, 2.4, 0.02)], [0.06, 0.05, 0.03], 3, 8) for s in (-1, 1)
    ]
    knots = [ellipsoid(0.15, 0.12, 0.14, 7, 4).moved(x, y, 0.01) for x, y in ((0.02, 0.72), (0.0, 1.34))]
    wraps = [ring(0.075, 0.034, 10, 5).moved(0.01, 1.6 + 0.032 * k, 0.02) for k in range(5)]
    gourd = lathe(
        smooth([(0.0, 0.0), (0.13, 0.03), (0.15, 0.12), (0.07, 0.24), (0.09, 0.32), (0.03, 0.4), (0.03, 0.44)], 3), 14
    )
    cork = lathe([(0.035, 0.42), (0.04, 0.5)], 8)
    string = wire([(0.03, 1.62, 0.08), (0.16, 1.56, 0.08), (0.2, 1.44, 0.05)], 0.014, 3, 5)
    belt = ring(0.08, 0.03, 10, 5).moved(0.21, 1.26, 0.05)
    return (
        *cover(KNOTTY, pole, *fork, *knots, cork.moved(0.21, 1.02, 0.05)),
        *cover(ROPE, *wraps, string, belt),
        *cover(GOURD, gourd.moved(0.21, 1.02, 0.05)),
    )


def star_wand() -> tuple[Piece, ...]:
    """A black wand with gold rings and a star that throws sparks."""
    rod = tube([(0, 0.03, 0), (0, 0.5, 0), (0, 0.96, 0)], [0.032, 0.024], 9)
    rings = [ring(r, 0.026, 10, 5).moved(0, y, 0) for y, r in ((0.05, 0.03), (0.24, 0.031), (0.28, 0.03), (0.9, 0.026))]
    sign = extrude(star(0.2, 0.09, 5), 0.07, 0.03, "z", 1).moved(0, 1.12, 0)
    heart = ellipsoid(0.1, 0.1, 0.12, 8, 5).moved(0, 1.12, 0)
    rays = [
        lathe([(0.0, 0.0), (0.018, 0.1), (0.0, 0.22)], 5).moved(0, 0.05, 0).turned("z", 0.1 + k / 5).moved(0, 1.12, 0)
        for k in range(5)
    ]
    return (*cover(EBONY, rod), *cover(GOLD, *rings, sign, *rays), *cover(RUBY, heart))


def shovel() -> tuple[Piece, ...]:
    """A pointed steel blade on an ash shaft with a D grip."""
    outline = smooth(
        [
            (0.0, -0.02),
            (0.17, 0.14),
            (0.22, 0.36),
            (0.2, 0.56),
            (0.1, 0.6),
            (-0.1, 0.6),
            (-0.2, 0.56),
            (-0.22, 0.36),
            (-0.17, 0.14),
        ],
        3,
        closed=True,
    )
    blade = bowed(extrude(outline, 0.035, 0.012, "z", 1), "x", "z", -1.6)
    socket = tube([(0, 0.4, 0.02), (0, 0.62, 0.02), (0, 0.86, 0.0)], [0.03, 0.055, 0.05], 9)
    shaft = tube([(0, 0.7, 0), (0, 1.2, 0), (0, 1.72, 0)], 0.042, 9)
    yoke = [
        wire([(0, 1.68, 0), (s * 0.06, 1.78, 0), (s * 0.13, 1.86, 0), (s * 0.13, 1.98, 0)], 0.032, 3, 7)
        for s in (-1, 1)
    ]
    grip = tube([(-0.15, 1.97, 0), (0, 1.97, 0), (0.15, 1.97, 0)], 0.04, 8)
    rivets = [ellipsoid(0.04, 0.04, 0.03, 6, 4).moved(0, y, 0.05) for y in (0.72, 0.8)]
    treads = [beam((s * 0.05, 0.6, 0.0), (s * 0.2, 0.56, -0.06), 0.04, 0.01) for s in (-1, 1)]
    return (*cover(STEEL, blade, socket, *treads), *cover(ASH, shaft, grip), *cover(IRON, *yoke, *rivets))


def broom() -> tuple[Piece, ...]:
    """A besom of straw bound with red twine on a knotty stick."""
    stick = tapered([(0, 0.5, 0), (0.015, 1.0, 0.01), (-0.01, 1.5, 0), (0, 2.0, 0)], [0.04, 0.042, 0.038, 0.034], 4, 8)
    line = smooth([(0.2, 0.0), (0.24, 0.14), (0.17, 0.42), (0.09, 0.62), (0.1, 0.74), (0.05, 0.8)], 3)
    brush = fluted(lathe(line, 32), 8, 0.07).scaled(1.15, 1.0, 0.75)
    bands = [
        ring(r, 0.035, 13, 5).scaled(1.15, 1, 0.78).moved(0, y, 0)
        for y, r in ((0.5, 0.14), (0.54, 0.128), (0.66, 0.095))
    ]
    loop = wire([(0.03, 1.94, 0.0), (0.1, 2.02, 0.0), (0.06, 2.14, 0), (-0.04, 2.1, 0), (-0.03, 1.96, 0)], 0.014, 3, 5)
    return (*cover(KNOTTY, stick), *cover(BROOM, brush), *cover(TWINE, *bands, loop))


def sword() -> tuple[Piece, ...]:
    """A straight blade with a fuller, standing on its point, with a gold cross guard and a red grip."""
    half = [(0.0, 0.0), (0.07, 0.14), (0.085, 0.4), (0.09, 1.12), (0.0, 1.14)]
    outline = [*half[:-1], *[(-x, y) for x, y in reversed(half[1:-1])]]
    blade = extrude(outline, 0.05, 0.022, "z", 1)
    fuller = slab(0.03, 0.9, 0.056, 0.012, 1).moved(0, 0.66, 0)
    guard = tapered(
        [(-0.28, 1.2, 0), (-0.14, 1.15, 0), (0.0, 1.14, 0), (0.14, 1.15, 0), (0.28, 1.2, 0)],
        [0.03, 0.036, 0.05, 0.036, 0.03],
        3,
        8,
    )
    tips = [ellipsoid(0.09, 0.09, 0.09, 8, 5).moved(s * 0.29, 1.205, 0) for s in (-1, 1)]
    handle = lathe(smooth([(0.035, 1.14), (0.05, 1.26), (0.04, 1.42), (0.036, 1.5)], 2), 10)
    pommel = lathe(fillet([(0.03, 1.48), (0.075, 1.52), (0.085, 1.58), (0.05, 1.64)], 0.03, 2), 12)
    gems = [ellipsoid(0.07, 0.09, 0.05, 8, 5).moved(0, 1.14, s * 0.045) for s in (-1, 1)]
    return (
        *cover(STEEL, blade),
        *cover(IRON, fuller),
        *cover(GOLD, guard, *tips, pommel),
        *cover(GRIP, handle),
        *cover(RUBY, *gems),
    )


def _heater(width: float, height: float) -> FloatArray:
    w = width / 2
    return smooth(
        [
            (0.0, 0.0),
            (0.62 * w, 0.28 * height),
            (0.96 * w, 0.62 * height),
            (w, 0.97 * height),
            (0.5 * w, 0.985 * height),
            (0.0, height),
            (-0.5 * w, 0.985 * height),
            (-w, 0.97 * height),
            (-0.96 * w, 0.62 * height),
            (-0.62 * w, 0.28 * height),
        ],
        2,
        closed=True,
    )


def shield() -> tuple[Piece, ...]:
    """A blue heater shield, arched, with a gold rim and a lily cross; straps at the back."""

    def arched(shell: Shell) -> Shell:
        return bowed(shell, "x", "z", -0.32)

    board = arched(extrude(_heater(1.0, 1.24), 0.07, 0.02, "z", 1))
    rim = np.concatenate([_heater(1.04, 1.29), _heater(1.04, 1.29)[:1]])
    edge = arched(tube(np.stack([rim[:, 0], rim[:, 1] - 0.025, 0.0 * rim[:, 0]], axis=1), 0.045, 6))
    upright = extrude(rectangle(0.11, 0.96, 0.02, 1), 0.05, 0.015, "z", 1).moved(0, 0.66, 0.035)
    arm = [extrude(rectangle(0.3, 0.11, 0.02, 1), 0.05, 0.015, "z", 1).moved(s * 0.18, 0.8, 0.035) for s in (-1, 1)]
    tips = [
        ellipsoid(0.13, 0.13, 0.07, 8, 5).moved(x, y, 0.05)
        for x, y in ((0.33, 0.86), (0.33, 0.74), (-0.33, 0.86), (-0.33, 0.74))
    ]
    boss = (
        lathe(smooth([(0.17, 0.0), (0.16, 0.05), (0.08, 0.12), (0.0, 0.14)], 3), 16)
        .turned("x", 0.25)
        .moved(0, 0.8, 0.04)
    )
    straps = [
        wire([(-0.2, y, -0.05), (-0.12, y, -0.16), (0.12, y, -0.16), (0.2, y, -0.05)], 0.028, 3, 6)
        for y in (0.58, 0.94)
    ]
    return (
        *cover(BLUE, board),
        *cover(GOLD, edge, arched(upright), *(arched(s) for s in (*arm, *tips)), boss),
        *cover(GRIP, *straps),
    )


def rose_bouquet() -> tuple[Piece, ...]:
    """Seven roses and leaves in a paper cone tied with a ribbon."""
    cone = fluted(lathe([(0.05, 0.0), (0.07, 0.14), (0.3, 0.62), (0.34, 0.7), (0.22, 0.62), (0.0, 0.5)], 28), 7, 0.07)
    bow = [ellipsoid(0.2, 0.11, 0.06, 8, 5).turned("z", s * 0.05).moved(s * 0.1, 0.2, 0.12) for s in (-1, 1)]
    ends = [
        tapered([(s * 0.02, 0.19, 0.13), (s * 0.08, 0.08, 0.15), (s * 0.07, -0.02, 0.13)], [0.02, 0.025, 0.02], 2, 5)
        for s in (-1, 1)
    ]
    ties = [ring(0.1, 0.05, 12, 5).moved(0, 0.2, 0), ellipsoid(0.08, 0.08, 0.06, 7, 4).moved(0, 0.2, 0.13)]
    spots = [(0.0, 0.84, 0.0)]
    spots += [(float(x), 0.76, float(z)) for x, z in np.stack([s.vertices[0, (0, 2)] for s in around(_dot(0.21), 6)])]
    bud = lathe(smooth([(0.0, -0.08), (0.09, -0.05), (0.11, 0.02), (0.07, 0.09), (0.03, 0.06), (0.0, 0.075)], 2), 10)
    roses = [fluted(bud, 5, 0.1).moved(*spot) for spot in spots]
    greens = [
        leaf(0.3, 0.15, 0.03, 0.02, 6, 5).turned("x", -0.07).moved(0, 0.62, 0.14).turned("y", k / 8) for k in range(8)
    ]
    return (
        *cover(PAPER, cone),
        *cover(ROSE, *roses),
        *cover(LEAVES, *greens, ellipsoid(0.5, 0.3, 0.5, 10, 5).moved(0, 0.64, 0)),
        *cover(RIBBON, *bow, *ends, *ties),
    )


def _dot(radius: float) -> Shell:
    return ellipsoid(0.02, 0.02, 0.02, 3, 2).moved(0.0, 0.0, radius)


def umbrella() -> tuple[Piece, ...]:
    """An open umbrella of red and cream panels with ribs and a crook of ash."""
    top = smooth([(0.92, 1.36), (0.74, 1.56), (0.4, 1.74), (0.0, 1.8)], 3)
    low = smooth([(0.0, 1.77), (0.4, 1.7), (0.72, 1.52), (0.89, 1.35)], 3)
    canopy = lathe(np.concatenate([low, top]), 24)

    def scalloped(v: FloatArray) -> FloatArray:
        edge = np.maximum(plan_radius(v) - 0.3, 0.0)
        cosine = v[:, 2] / np.maximum(plan_radius(v), 1e-12)
        two = 2.0 * cosine * cosine - 1.0
        four = 2.0 * two * two - 1.0
        eight = 2.0 * four * four - 1.0
        return np.asarray(np.stack([v[:, 0], v[:, 1] - 0.12 * edge * eight, v[:, 2]], axis=1))

    rods = around(wire([(0, 1.5, 0.03), (0, 1.62, 0.4)], 0.012, 2, 4), 8)
    balls = around(ellipsoid(0.05, 0.05, 0.05, 6, 4).moved(0, 1.29, 0.91), 8)
    shaft = tube([(0, 0.28, 0), (0, 1.0, 0), (0, 1.86, 0)], 0.022, 8)
    tip = lathe([(0.04, 1.78), (0.03, 1.84), (0.0, 1.96)], 8)
    runner = lathe(fillet([(0.04, 1.44), (0.05, 1.47), (0.04, 1.54)], 0.01, 2), 10)
    crook = wire(
        [(0, 0.5, 0), (0, 0.2, 0), (0.02, 0.09, 0), (0.11, 0.04, 0), (0.2, 0.09, 0), (0.21, 0.18, 0)], 0.04, 3, 8
    )
    return (
        *cover(STRIPES, canopy.shaped(scalloped)),
        *cover(IRON, shaft, *rods, tip, runner, *balls),
        *cover(ASH, crook),
    )
