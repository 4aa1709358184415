"""Doors, windows and other things on the walls of a cottage, modelled against the plane z = 0."""

from __future__ import annotations

import numpy as np

from engine.starter.models import Piece, cover, set_down
from engine.starter.outlines import arch, ellipse, rectangle, smooth
from engine.starter.paints import Paint
from engine.starter.shells import Shell
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, slab, tube


def plank_door(leaf: Paint, frame: Paint, metal_paint: Paint) -> tuple[Piece, ...]:
    """A square door with four raised panels, a frame, a step and a knob."""
    posts = [slab(0.12, 1.36, 0.16, 0.03).moved(x, 0.68, 0.08) for x in (-0.42, 0.42)]
    lintel = slab(1.04, 0.14, 0.2, 0.04).moved(0, 1.41, 0.1)
    body = slab(0.76, 1.36, 0.1, 0.02, 1).moved(0, 0.68, 0.05)
    fields = [slab(0.28, h, 0.06, 0.04).moved(x, y, 0.1) for x in (-0.17, 0.17) for y, h in ((0.36, 0.46), (0.94, 0.5))]
    knob = ellipsoid(0.09, 0.09, 0.09, 9, 6).moved(0.3, 0.66, 0.14)
    return (*cover(leaf, body, *fields), *cover(frame, *posts, lintel), *cover(metal_paint, knob))


def arched_door(leaf: Paint, frame: Paint, metal_paint: Paint) -> tuple[Piece, ...]:
    """A round-headed door of boards with strap hinges, in an arch."""
    surround = extrude(arch(1.0, 1.5, 12), 0.12, 0.03, "z", 2).moved(z=0.06)
    body = extrude(arch(0.76, 1.38, 12), 0.1, 0.02, "z", 2).moved(z=0.11)
    leaf_shell = body.swapped_uvs()
    straps = [slab(0.56, 0.07, 0.04, 0.02).moved(-0.06, y, 0.165) for y in (0.34, 1.0)]
    bolts = [ellipsoid(0.05, 0.05, 0.04, 8, 5).moved(x, y, 0.185) for x in (-0.26, -0.06, 0.14) for y in (0.34, 1.0)]
    handle = tube(smooth([(0.27, 0.6, 0.16), (0.27, 0.62, 0.22), (0.27, 0.74, 0.22), (0.27, 0.76, 0.16)], 3), 0.018, 6)
    return (*cover(frame, surround), *cover(leaf, leaf_shell), *cover(metal_paint, *straps, *bolts, handle))


def sash_window(frame: Paint, pane: Paint, shutter: Paint | None, *, width: float = 0.6) -> tuple[Piece, ...]:
    """A window with glazing bars and a sill, with shutters when a paint for them is given. Centre at the origin."""
    height = 0.72
    glass_shell = slab(width, height, 0.06, 0.01, 1).moved(z=0.03)
    bars = [slab(0.07, height + 0.08, 0.12, 0.02, 1).moved(x, 0, 0.06) for x in (-width / 2, width / 2)] + [
        slab(width + 0.14, 0.08, 0.13, 0.02, 1).moved(0, height / 2 + 0.02, 0.065)
    ]
    bars += [slab(0.035, height, 0.09).moved(0, 0, 0.05), slab(width, 0.035, 0.09).moved(0, 0.06, 0.05)]
    sill = slab(width + 0.24, 0.08, 0.2, 0.03).moved(0, -height / 2 - 0.02, 0.1)
    pieces = (*cover(pane, glass_shell), *cover(frame, *bars, sill))
    if shutter is None:
        return pieces
    leaves = [
        slab(0.24, height + 0.06, 0.06, 0.02).moved(s * (width / 2 + 0.165), 0, 0.03).swapped_uvs() for s in (-1, 1)
    ]
    slats = [
        slab(0.17, 0.08, 0.05).moved(s * (width / 2 + 0.165), -0.28 + 0.11 * k, 0.055)
        for s in (-1, 1)
        for k in range(6)
    ]
    return (*pieces, *cover(shutter, *leaves, *slats))


def arched_window(frame: Paint, pane: Paint, *, width: float = 0.62) -> tuple[Piece, ...]:
    """A round-headed window with lattice bars and a stone sill. Centre at the origin."""
    base = -0.42
    surround = extrude(arch(width + 0.16, 0.92, 12), 0.08, 0.02, "z", 2).moved(0, base, 0.04)
    glass_shell = extrude(arch(width, 0.82, 12), 0.08, 0.01, "z", 1).moved(0, base, 0.055)
    bars = [slab(0.04, 0.8, 0.05, 0.01, 1).moved(0, base + 0.4, 0.09)]
    bars += [slab(width, 0.04, 0.05, 0.01, 1).moved(0, base + y, 0.09) for y in (0.24, 0.5)]
    sill = slab(width + 0.26, 0.09, 0.2, 0.03).moved(0, base - 0.01, 0.1)
    return (*cover(frame, surround, *bars, sill), *cover(pane, glass_shell))


def round_window(frame: Paint, pane: Paint) -> tuple[Piece, ...]:
    """A bull's-eye window for a gable. Centre at the origin."""
    rim = extrude(ellipse(0.66, 0.66, 18), 0.1, 0.03, "z", 2).moved(z=0.05)
    glass_shell = extrude(ellipse(0.5, 0.5, 18), 0.04, 0.01, "z", 1).moved(z=0.1)
    bars = [slab(0.5, 0.04, 0.05, 0.01, 1).moved(z=0.11), slab(0.04, 0.5, 0.05, 0.01, 1).moved(z=0.11)]
    return (*cover(frame, rim, *bars), *cover(pane, glass_shell))


def flower_box(trough: Paint, bush: Paint, *, round_front: bool) -> tuple[Piece, ...]:
    """A trough of flowers under a window, hung on the wall."""
    if round_front:
        bed = slab(0.7, 0.2, 0.24, 0.07).moved(0, -0.1, 0.12)
    else:
        bed = (
            extrude([(-0.12, -0.2), (0.09, -0.2), (0.12, 0.0), (-0.12, 0.0)], 0.72, 0.015, "x", 1)
            .scaled(1, 1, -1)
            .moved(z=0.12)
        )
    rail = slab(0.76, 0.05, 0.27, 0.02).moved(0, 0.0, 0.135)
    heads = [
        ellipsoid(0.24, 0.22 + 0.04 * (k % 2), 0.22, 9, 6).moved(-0.27 + 0.135 * k, 0.07 + 0.02 * (k % 2), 0.135)
        for k in range(5)
    ]
    return (*cover(trough, bed, rail), *cover(bush, *heads))


def wall_lantern(frame: Paint, lamp: Paint, *, round_lamp: bool) -> tuple[Piece, ...]:
    """A lantern on a bracket, modelled against the wall."""
    plate = slab(0.16, 0.28, 0.05, 0.04).moved(0, 0, 0.025)
    arm = tube(smooth([(0, 0.05, 0.03), (0, 0.14, 0.1), (0, 0.14, 0.19), (0, 0.06, 0.22)], 3), 0.02, 6)
    if round_lamp:
        bulb = ellipsoid(0.2, 0.24, 0.2, 12, 8).moved(0, -0.1, 0.22)
        caps = [lathe([(0.0, 0.0), (0.12, 0.0), (0.1, 0.05), (0.03, 0.1), (0.0, 0.1)], 12).moved(0, -0.01, 0.22)]
        caps.append(lathe([(0.0, -0.03), (0.05, -0.03), (0.06, 0.0), (0.0, 0.0)], 10).moved(0, -0.2, 0.22))
    else:
        bulb = lathe([(0.0, -0.2), (0.08, -0.2), (0.11, 0.0), (0.0, 0.0)], 6).moved(0, 0, 0.22)
        caps = [lathe([(0.0, 0.0), (0.15, 0.0), (0.15, 0.02), (0.03, 0.12), (0.0, 0.12)], 6).moved(0, 0, 0.22)]
        caps.append(lathe([(0.0, -0.05), (0.09, -0.05), (0.1, 0.0), (0.0, 0.0)], 6).moved(0, -0.19, 0.22))
    return set_down((*cover(frame, plate, arm, *caps), *cover(lamp, bulb)), 1.35, (0.0, 0.0, 0.0))


def canopy(paint: Paint, trim: Paint, *, shingled: bool) -> tuple[Piece, ...]:
    """A small roof over the door on two brackets, modelled against the wall."""
    if shingled:
        boards = [
            slab(1.46, 0.05, 0.2, 0.02, 1).turned("x", 0.07).moved(0, 0.2 - 0.085 * k, 0.1 + 0.155 * k)
            for k in range(4)
        ]
        roof = [b.boxed_uvs() for b in boards]
    else:
        profile = smooth([(0.0, 0.26), (-0.22, 0.22), (-0.46, 0.08), (-0.6, -0.06)], 3)
        lower = profile + np.asarray([[0.0, -0.1]])
        outline = np.concatenate([profile, lower[::-1]])
        roof = [extrude(outline, 1.46, 0.03, "x", 2).boxed_uvs()]
    brackets: list[Shell] = []
    for x in (-0.62, 0.62):
        brackets += [
            slab(0.08, 0.34, 0.08, 0.02, 1).moved(x, -0.03, 0.04),
            beam((x, -0.16, 0.05), (x, 0.02, 0.4), 0.06, 0.015),
        ]
    return (*cover(paint, *roof), *cover(trim, *brackets))


def deck(paint: Paint, trim: Paint, *, boards: bool) -> tuple[Piece, ...]:
    """A flat terrace before the door, with a step."""
    width, depth = 3.5, 1.25
    if boards:
        floor = box(width, 0.08, depth, 0.05).moved(0, 0.18, depth / 2).boxed_uvs()
        skirt = box(width - 0.1, 0.15, depth - 0.08, 0.02, 1).moved(0, 0.075, depth / 2 - 0.03).swapped_uvs()
        posts = [box(0.16, 0.26, 0.16, 0.03).moved(s * (width / 2 - 0.06), 0.13, depth - 0.06) for s in (-1, 1)]
        step = box(1.2, 0.1, 0.32, 0.05).moved(0, 0.05, depth + 0.14).boxed_uvs()
        return (*cover(paint, floor, step), *cover(trim, skirt, *posts))
    floor = extrude(rectangle(width, depth, 0.3, 4), 0.21, 0.04, "y").moved(0, 0.105, depth / 2).boxed_uvs()
    step = extrude(rectangle(1.3, 0.4, 0.15, 4), 0.1, 0.03, "y").moved(0, 0.05, depth + 0.15).boxed_uvs()
    return (*cover(paint, floor), *cover(trim, step))
