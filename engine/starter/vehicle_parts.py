"""Wheels, lamps and other parts of vehicles. Wheels have their axle along X, the hub's flat inner face at -X."""

from __future__ import annotations

import numpy as np

from engine.starter import patterns
from engine.starter.forms import around, band, tapered, wire
from engine.starter.models import Piece, cover
from engine.starter.outlines import ellipse, fillet, gear, rectangle, smooth
from engine.starter.paints import glass, metal, painted_metal, patterned, plain, wood
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab, tube

ASH = wood("ash wood", "b98b56", 0.5, planks=1, seed=451)
IRON = metal("forged iron", "54545b", 0.4, roughness=0.55, seed=452)
RUBBER = patterned("black rubber", "3d3b3a", "3d3b3a", 0.5, patterns.tread, roughness=0.95, seed=453)
WHITEWALL = plain("white rubber", "f0ece2", 0.6, contrast=24, seed=454)
CHROME = metal("polished chrome", "c6cacf", 0.6, roughness=0.2, seed=455)
RED = painted_metal("red enamel", "b93b31", 1.0, rivets=0, seed=456)
ORANGE = painted_metal("orange enamel", "e0812e", 0.8, rivets=3, seed=457)
GOLD = metal("gilded steel", "d8ab47", 0.5, roughness=0.3, seed=458)
BRASS = metal("brass", "cfa046", 0.5, roughness=0.3, seed=459)
LAMP = glass("headlight glass", "ffe9ae", 0.3, "fffaf0", emissive=0.4)
AMBER = glass("amber glass", "f0a13a", 0.3, "ffe2a8", emissive=0.4)
BLUE_LIGHT = glass("blue glass", "3f78e0", 0.3, "d6e6ff", emissive=0.5)
RED_LIGHT = glass("red glass", "e2413b", 0.3, "ffd0c8", emissive=0.5)
BLACK = plain("black enamel", "34343a", 0.6, roughness=0.5, contrast=24, seed=460)
LEATHER = plain("brown leather", "8a5632", 0.5, roughness=0.6, contrast=60, seed=461)
TAN = plain("tan leather", "c08f57", 0.5, roughness=0.6, contrast=60, seed=462)
GREEN = plain("green canvas", "62804c", 0.5, contrast=40, seed=463)
DRUM = painted_metal("blue sheet steel", "3f73a3", 0.9, rivets=0, seed=464)
STRIPE = plain("yellow paint", "eac23f", 0.5, roughness=0.5, contrast=36, seed=465)
RADIUS = 0.46
"""Of a wheel, as on the trucks."""


def _on_axle(shells: list[Shell]) -> list[Shell]:
    """Shells modelled about Y, their outside up, set upright with the outside towards +X and the rim on y = 0."""
    return [shell.turned("z", -0.25).moved(0, RADIUS, 0) for shell in shells]


def _tyre(width: float, inner: float, bulge: float = 0.05) -> Shell:
    half = width / 2
    profile = [(inner, -half), (RADIUS - 0.04, -half), (RADIUS, 0.0), (RADIUS - 0.04, half), (inner, half)]
    return lathe(fillet(profile, bulge, 2, closed=True), 24, loop=True)


def cart_wheel() -> tuple[Piece, ...]:
    """Ten turned spokes between felloes and a nave, an iron tyre and an iron cap."""
    felloes = lathe(
        fillet([(0.36, -0.05), (0.435, -0.05), (0.435, 0.05), (0.36, 0.05)], 0.015, 1, closed=True), 30, loop=True
    )
    tyre = lathe([(0.43, -0.06), (RADIUS, -0.06), (RADIUS, 0.06), (0.43, 0.06)], 30, loop=True)
    spoke = lathe(smooth([(0.026, 0.08), (0.032, 0.14), (0.02, 0.24), (0.03, 0.38)], 2), 7).turned("x", 0.25)
    nave = lathe(smooth([(0.1, -0.14), (0.12, -0.05), (0.12, 0.05), (0.09, 0.16)], 2), 14)
    hoops = [ring(0.112, 0.024, 12, 5).moved(y=y) for y in (-0.08, 0.08)]
    cap = lathe(fillet([(0.07, 0.15), (0.065, 0.2), (0.03, 0.22)], 0.015, 2), 10)
    nails = around(ellipsoid(0.03, 0.024, 0.03, 6, 4).moved(0, 0.05, 0.398), 10, start=0.05)
    return (
        *cover(ASH, *_on_axle([felloes, nave, *around(spoke, 10)])),
        *cover(IRON, *_on_axle([tyre, cap, *hoops, *nails])),
    )


def whitewall_wheel() -> tuple[Piece, ...]:
    """A round-shouldered tyre with a white wall, a red rim and a domed hub cap."""
    tyre = _tyre(0.3, 0.24, 0.09)
    wall = lathe([(0.29, 0.12), (0.4, 0.12), (0.39, 0.156), (0.3, 0.158)], 24, loop=True)
    disc = lathe(
        fillet(
            [(0.0, -0.16), (0.22, -0.16), (0.27, 0.06), (0.27, 0.14), (0.22, 0.1), (0.12, 0.08), (0.0, 0.08)], 0.02, 2
        ),
        22,
    )
    lip = ring(0.27, 0.035, 20, 5).moved(y=0.14)
    cap = lathe(smooth([(0.17, 0.08), (0.16, 0.13), (0.1, 0.17), (0.04, 0.18), (0.0, 0.2)], 2), 18)
    holes = around(ellipsoid(0.05, 0.03, 0.05, 7, 4).moved(0, 0.095, 0.21), 8)
    return (
        *cover(RUBBER, *_on_axle([tyre])),
        *cover(WHITEWALL, *_on_axle([wall])),
        *cover(RED, *_on_axle([disc])),
        *cover(CHROME, *_on_axle([lip, cap])),
        *cover(BLACK, *_on_axle(holes)),
    )


def tractor_wheel() -> tuple[Piece, ...]:
    """A broad tyre with chevron lugs on an orange dished hub with nuts."""
    tyre = _tyre(0.34, 0.22, 0.06).scaled(0.95, 1, 0.95)
    lugs: list[Shell] = []
    for s in (-1, 1):
        lug = beam((0.0, s * 0.015, 0.412), (s * 0.07, s * 0.165, 0.388), 0.06, 0.0)
        lugs += around(lug, 12, start=0.0 if s > 0 else 0.04)
    disc = lathe(
        fillet(
            [(0.0, -0.18), (0.2, -0.18), (0.25, 0.05), (0.24, 0.16), (0.19, 0.16), (0.12, 0.02), (0.0, 0.02)], 0.02, 2
        ),
        20,
    )
    hub = lathe(fillet([(0.09, 0.0), (0.09, 0.1), (0.05, 0.14)], 0.02, 2), 12)
    nuts = around(lathe([(0.022, 0.0), (0.022, 0.06)], 6).moved(0.0, 0.015, 0.135), 6)
    ribs = around(beam((0, 0.03, 0.09), (0, 0.1, 0.2), 0.035, 0.008), 6, start=0.083)
    return (
        *cover(RUBBER, *_on_axle([tyre, *lugs])),
        *cover(ORANGE, *_on_axle([disc, *ribs])),
        *cover(IRON, *_on_axle([hub, *nuts])),
    )


def wire_wheel() -> tuple[Piece, ...]:
    """A narrow tyre on crossed gilded wires with a knock-off nut."""
    tyre = _tyre(0.18, 0.37, 0.05)
    rim = lathe(
        fillet([(0.33, -0.08), (0.38, -0.09), (0.38, 0.09), (0.33, 0.08)], 0.012, 1, closed=True), 26, loop=True
    )
    hub = lathe(
        fillet(
            [(0.1, -0.13), (0.1, -0.08), (0.05, -0.05), (0.05, 0.06), (0.07, 0.09), (0.07, 0.13), (0.03, 0.16)],
            0.015,
            1,
        ),
        14,
    )
    wires: list[Shell] = []
    for level, rim_level, twist in ((-0.08, -0.04, 0.03), (-0.08, 0.04, -0.03), (0.1, 0.04, 0.03), (0.1, -0.04, -0.03)):
        spoke = tube([(0.0, level, 0.05), (0.35 * 6.2832 * twist, rim_level, 0.345)], 0.009, 4, rounded=False)
        wires += around(spoke, 9, start=0.055 * len(wires) / 9)
    ears = [ellipsoid(0.05, 0.045, 0.16, 7, 4).moved(0, 0.16, s * 0.06) for s in (-1, 1)]
    nut = ellipsoid(0.1, 0.08, 0.1, 7, 4).moved(y=0.15)
    return (
        *cover(RUBBER, *_on_axle([tyre])),
        *cover(GOLD, *_on_axle([rim, hub, *wires])),
        *cover(CHROME, *_on_axle([*ears, nut])),
    )


def carriage_lamp() -> tuple[Piece, ...]:
    """A brass drum lamp with a hooded rim, a chimney on top and a bracket; flat at the back, z = 0."""
    bracket = [slab(0.2, 0.3, 0.05, 0.04).moved(0, 0.3, 0.025), beam((0, 0.22, 0.03), (0, 0.3, 0.16), 0.07, 0.015)]
    drum = lathe(
        fillet([(0.12, 0.08), (0.2, 0.12), (0.2, 0.34), (0.25, 0.4), (0.25, 0.46), (0.2, 0.46), (0.19, 0.42)], 0.02, 2),
        20,
    )
    lens = ellipsoid(0.38, 0.14, 0.38, 13, 5).moved(y=0.44)
    hoops = [ring(0.2, 0.03, 16, 5).moved(y=y) for y in (0.16, 0.32)]
    drum, lens, *hoops = (s.turned("x", 0.25).moved(0, 0.34, 0) for s in (drum, lens, *hoops))
    top = lathe(fillet([(0.08, 0.5), (0.08, 0.6), (0.11, 0.62), (0.11, 0.66), (0.05, 0.7)], 0.012, 2), 12).moved(
        0, 0, 0.24
    )
    bail = wire(
        [(-0.2, 0.4, 0.24), (-0.2, 0.62, 0.24), (0, 0.8, 0.24), (0.2, 0.62, 0.24), (0.2, 0.4, 0.24)], 0.018, 4, 6
    )
    return (*cover(BRASS, drum, top), *cover(CHROME, *hoops, bail), *cover(IRON, *bracket), *cover(LAMP, lens))


def fog_bumper() -> tuple[Piece, ...]:
    """A deep black bumper with a bull bar, two fog lamps and tow hooks; its stubs end flat at z = 0."""
    bar = extrude(rectangle(1.9, 0.26, 0.08, 2), 0.14, 0.05, "z", 2).moved(0, 0.16, 0.2)
    stubs = [box(0.14, 0.14, 0.16, 0.02, 1).moved(s * 0.55, 0.16, 0.08) for s in (-1, 1)]
    hoop = wire(
        [
            (-0.5, 0.2, 0.27),
            (-0.46, 0.46, 0.28),
            (-0.3, 0.6, 0.28),
            (0.3, 0.6, 0.28),
            (0.46, 0.46, 0.28),
            (0.5, 0.2, 0.27),
        ],
        0.038,
        3,
        8,
    )
    bars = [tube([(x, 0.22, 0.27), (x, 0.6, 0.28)], 0.026, 6) for x in (-0.16, 0.16)]
    cups = [
        lathe(smooth([(0.06, 0.0), (0.11, 0.04), (0.12, 0.1), (0.1, 0.11)], 2), 14)
        .turned("x", 0.25)
        .moved(s * 0.68, 0.18, 0.25)
        for s in (-1, 1)
    ]
    lenses = [ellipsoid(0.2, 0.06, 0.2, 14, 5).turned("x", 0.25).moved(s * 0.68, 0.18, 0.355) for s in (-1, 1)]
    hooks = [ring(0.065, 0.04, 10, 5).turned("z", 0.25).moved(s * 0.3, 0.08, 0.3) for s in (-1, 1)]
    plate = slab(0.42, 0.14, 0.03, 0.02).moved(0, 0.16, 0.28)
    return (
        *cover(BLACK, bar, *stubs),
        *cover(CHROME, hoop, *bars, *cups),
        *cover(AMBER, *lenses),
        *cover(RED, *hooks),
        *cover(WHITEWALL, plate),
    )


def arched_grille() -> tuple[Piece, ...]:
    """A tall brass radiator frame with fine bars, a filler cap with wings and a badge; flat at the back."""
    line = smooth(
        [
            (-0.36, 0.0),
            (0.36, 0.0),
            (0.4, 0.3),
            (0.36, 0.52),
            (0.18, 0.6),
            (0.0, 0.66),
            (-0.18, 0.6),
            (-0.36, 0.52),
            (-0.4, 0.3),
        ],
        3,
        closed=True,
    )
    shell = extrude(line, 0.14, 0.04, "z", 2).moved(z=0.07)
    core = extrude(line * np.asarray([[0.8, 0.78]]) + np.asarray([[0.0, 0.07]]), 0.03, 0.0, "z").moved(z=0.14)
    bars = [
        slab(0.022, 0.44 - 1.2 * x * x, 0.05, 0.008, 1).moved(x, 0.3 - 0.4 * x * x, 0.15)
        for x in np.linspace(-0.25, 0.25, 9).tolist()
    ]
    cross = slab(0.58, 0.03, 0.05, 0.01, 1).moved(0, 0.28, 0.155)
    neck = lathe(fillet([(0.07, 0.6), (0.07, 0.68), (0.09, 0.69), (0.06, 0.74)], 0.01, 2), 12).moved(0, 0, 0.07)
    wings = [
        tapered([(s * 0.02, 0.75, 0.07), (s * 0.14, 0.8, 0.05), (s * 0.26, 0.88, 0.02)], [0.035, 0.035, 0.01], 3, 6)
        for s in (-1, 1)
    ]
    badge = ellipsoid(0.14, 0.1, 0.05, 10, 5).moved(0, 0.56, 0.15)
    return (*cover(BRASS, shell, *wings, neck), *cover(BLACK, core), *cover(CHROME, *bars, cross), *cover(RED, badge))


def luggage_rack() -> tuple[Piece, ...]:
    """A roof rack of chrome rails with two suitcases and a rolled tent under straps."""
    long_rails = [tube([(x, y, -0.62), (x, y, 0.62)], 0.026, 6) for x in (-0.56, 0.56) for y in (0.12, 0.26)]
    cross = [tube([(-0.56, 0.12, z), (0.56, 0.12, z)], 0.024, 6) for z in (-0.6, -0.3, 0.0, 0.3, 0.6)]
    cross += [tube([(-0.56, 0.26, z), (0.56, 0.26, z)], 0.024, 6) for z in (-0.62, 0.62)]
    feet = [box(0.1, 0.12, 0.12, 0.03, 1).moved(x, 0.06, z) for x in (-0.56, 0.56) for z in (-0.5, 0.5)]
    posts = [tube([(x, 0.1, z), (x, 0.27, z)], 0.02, 6) for x in (-0.56, 0.56) for z in (-0.6, 0.0, 0.6)]
    cases = [
        (LEATHER, extrude(rectangle(0.62, 0.8, 0.08, 2), 0.26, 0.04, "y", 2).moved(-0.18, 0.27, -0.14)),
        (TAN, extrude(rectangle(0.5, 0.56, 0.07, 2), 0.22, 0.04, "y", 2).moved(-0.2, 0.5, -0.1)),
    ]
    roll = tube([(0.34, 0.29, -0.5), (0.34, 0.29, 0.0), (0.34, 0.29, 0.5)], 0.15, 12)
    belts = [ring(0.155, 0.035, 10, 5).turned("x", 0.25).moved(0.34, 0.29, z) for z in (-0.26, 0.26)]
    corners = [
        box(0.09, 0.27, 0.09, 0.03, 1).moved(-0.18 + a * 0.29, 0.27, -0.14 + b * 0.38) for a in (-1, 1) for b in (-1, 1)
    ]
    handles = [wire([(-0.3, 0.5, 0.17), (-0.28, 0.5, 0.24), (-0.12, 0.5, 0.24), (-0.1, 0.5, 0.17)], 0.022, 2, 6)]
    trunk = extrude(rectangle(0.5, 0.12, 0.05, 2), 0.3, 0.02, "z", 1).moved(-0.18, 0.2, 0.44)
    return (
        *cover(CHROME, *long_rails, *cross, *posts),
        *cover(IRON, *feet, *belts, *corners),
        *(piece for paint, shell in cases for piece in cover(paint, shell)),
        *cover(GREEN, roll, trunk),
        *cover(BLACK, *handles),
    )


def light_bar() -> tuple[Piece, ...]:
    """A roof bar with a red and a blue dome, a chrome horn between them and reflectors."""
    bar = box(1.3, 0.12, 0.34, 0.05).moved(0, 0.1, 0)
    feet = [box(0.16, 0.06, 0.24, 0.02, 1).moved(s * 0.4, 0.03, 0) for s in (-1, 1)]
    dome = lathe(smooth([(0.15, 0.14), (0.155, 0.24), (0.12, 0.34), (0.0, 0.38)], 3), 16).scaled(1.15, 1, 1)
    ribs = [ring(0.156, 0.02, 13, 4).scaled(1.15, 1, 1).moved(0, y, 0) for y in (0.2, 0.26)]
    horn = lathe(smooth([(0.03, 0.0), (0.04, 0.1), (0.1, 0.2), (0.11, 0.22), (0.06, 0.2), (0.0, 0.12)], 2), 14).turned(
        "x", 0.25
    )
    horn = horn.moved(0, 0.25, 0.0)
    stem = box(0.08, 0.12, 0.1, 0.02, 1).moved(0, 0.19, 0.02)
    mirrors = [slab(0.2, 0.05, 0.03, 0.012, 1).moved(x, 0.1, 0.17) for x in (-0.45, -0.15, 0.15, 0.45)]
    return (
        *cover(WHITEWALL, bar),
        *cover(BLACK, *feet, stem),
        *cover(RED_LIGHT, dome.moved(-0.4, 0, 0)),
        *cover(BLUE_LIGHT, dome.moved(0.4, 0, 0)),
        *cover(CHROME, horn, *(r.moved(s * 0.4, 0, 0) for s in (-1, 1) for r in ribs)),
        *cover(AMBER, *mirrors),
    )


def flap_exhaust() -> tuple[Piece, ...]:
    """A tall chrome stack with a pierced heat shield, clamps and an open rain flap."""
    pipe = tube([(0, 0.04, 0), (0, 0.8, 0), (0, 1.74, 0)], 0.065, 10, rounded=False)
    foot = lathe(fillet([(0.13, 0.0), (0.13, 0.06), (0.08, 0.1)], 0.015, 2), 12)
    guard = lathe(fillet([(0.07, 0.5), (0.12, 0.54), (0.12, 1.26), (0.07, 1.3)], 0.02, 2), 14)
    holes = [
        ellipsoid(0.06, 0.12, 0.03, 6, 4).moved(0, 0.66 + 0.16 * row, 0.116).turned("y", k / 6 + row % 2 / 12)
        for row in range(4)
        for k in range(6)
    ]
    clamps = [band(0.13, y - 0.025, y + 0.025, 0.05, 14) for y in (0.56, 1.24)]
    flap = lathe([(0.085, 0.0), (0.08, 0.02)], 12).turned("x", -0.14).moved(0, 1.8, 0.02)
    arm = beam((0, 1.68, -0.06), (0, 1.78, -0.09), 0.05, 0.01)
    return (*cover(CHROME, pipe, guard, flap), *cover(IRON, foot, arm), *cover(BLACK, *holes), *cover(BRASS, *clamps))


def oil_drum() -> tuple[Piece, ...]:
    """A ribbed steel drum with a yellow band, two bungs and a dented lid."""
    line = fillet(
        [
            (0.3, 0.02),
            (0.3, 0.3),
            (0.315, 0.33),
            (0.3, 0.36),
            (0.3, 0.62),
            (0.315, 0.65),
            (0.3, 0.68),
            (0.3, 0.96),
            (0.27, 0.96),
            (0.27, 0.92),
        ],
        0.012,
        1,
    )
    body = lathe(line, 22)
    rims = [ring(0.3, 0.035, 18, 5).moved(y=y) for y in (0.02, 0.96)]
    stripe = band(0.304, 0.42, 0.56, 0.02, 22)
    bungs = [
        lathe(fillet([(r, 0.91), (r, 0.95), (0.6 * r, 0.96)], 0.008, 1), 8).moved(x, 0, z)
        for r, x, z in ((0.06, 0.15, 0.08), (0.035, -0.16, -0.06))
    ]
    sign = extrude(gear(0.09, 0.07, 8), 0.02, 0.0, "z").moved(0, 0.49, 0.302)
    heart = extrude(ellipse(0.08, 0.08, 10), 0.02, 0.0, "z").moved(0, 0.49, 0.31)
    return (*cover(DRUM, body), *cover(IRON, *rims, *bungs, sign), *cover(STRIPE, stripe, heart))
