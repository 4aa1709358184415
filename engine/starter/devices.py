"""Machines of the household. Each stands on y = 0 about the origin and is about one unit tall."""

from __future__ import annotations

from functools import partial

from engine.starter import patterns
from engine.starter.forms import around, bent, coat, disc, fluted, pair, puck, rod, tint
from engine.starter.models import Piece
from engine.starter.outlines import fillet, rectangle, smooth
from engine.starter.paints import cloth, metal, wood
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, slab

BRASS = metal("brass", "cda048", 0.4, seed=361)
STEEL = metal("steel", "aeb4b8", 0.5, seed=362)
WALNUT = wood("walnut veneer", "7a4b2d", 0.8, planks=1, seed=363, size=64)
MAHOGANY = wood("mahogany", "8a4530", 0.7, planks=1, seed=364, size=64)
BAKELITE = tint("black bakelite", "35333a", 0.6, roughness=0.25, contrast=24, seed=365)
MINT = tint("mint green enamel", "8ec4ae", 0.7, roughness=0.35, contrast=24, seed=366)
IVORY = tint("ivory plastic", "f0e6cd", 0.6, roughness=0.4, contrast=24, seed=367)
SPEAKER = cloth("woven speaker cloth", "c9ad78", 0.25, "8d7040", pattern=partial(patterns.checks, count=8), seed=368)
DIAL = tint("amber dial", "f2cf86", 0.4, roughness=0.4, contrast=30, seed=369)
RECORD = tint("black record", "2b2a2f", 0.3, roughness=0.3, contrast=30, seed=370)
LABEL = tint("red paper label", "c2453d", 0.3, contrast=30, seed=371)
LENS = tint("blue lens glass", "4a6a92", 0.5, roughness=0.1, contrast=80, seed=377)
LEATHER = tint("pebbled leather", "3d3a3c", 0.3, roughness=0.7, contrast=120, seed=372)
CHROME = metal("chrome", "c9ced2", 0.5, roughness=0.2, seed=373)
PAPER = tint("white paper", "f5efdf", 0.5, contrast=16, seed=374)
TEAL_TIN = tint("teal enamel", "2f8583", 0.8, roughness=0.35, contrast=30, seed=375)
RED_TIN = tint("red enamel", "c2423a", 0.8, roughness=0.3, contrast=36, seed=376)


def table_radio() -> tuple[Piece, ...]:
    """A round-shouldered radio with a cloth speaker, a dial and two knobs."""
    outline = fillet([(-0.6, 0.0), (0.6, 0.0), (0.6, 0.7), (-0.6, 0.7)], 0.3, 5, closed=True)
    body = extrude(outline, 0.42, 0.06, "z", 2).moved(0, 0.06, 0).boxed_uvs()
    base = box(1.1, 0.07, 0.46, 0.03).moved(0, 0.05, 0)
    feet = [ellipsoid(0.1, 0.08, 0.1, 7, 4).moved(x, 0.04, z) for x in (-0.42, 0.42) for z in (-0.13, 0.13)]
    grille = extrude(rectangle(0.54, 0.44, 0.12, 4), 0.03, 0.01).moved(-0.22, 0.42, 0.21)
    bars = [slab(0.025, 0.42, 0.03, 0.01).moved(-0.22 + 0.11 * k, 0.42, 0.225) for k in (-2, -1, 0, 1, 2)]
    scale = disc(0.16, 0.025, 0.01, 16).moved(0.3, 0.52, 0.205)
    rim = ring(0.165, 0.03, 16, 5).turned("x", 0.25).moved(0.3, 0.52, 0.225)
    ticks = [
        slab(0.012, 0.035, 0.012).moved(0, 0.125, 0).turned("z", k / 10).moved(0.3, 0.52, 0.232) for k in range(10)
    ]
    needle = slab(0.016, 0.14, 0.012).moved(0, 0.06, 0).turned("z", -0.1).moved(0.3, 0.52, 0.235)
    knobs = [disc(0.075, 0.08, 0.02, 12).moved(x, 0.23, 0.2) for x in (0.2, 0.42)]
    grip = bent([(-0.28, 0.74, 0), (-0.24, 0.86, 0), (0, 0.89, 0), (0.24, 0.86, 0), (0.28, 0.74, 0)], 0.028)
    return (
        *coat(WALNUT, body, base),
        *coat(BRASS, *feet, *bars, rim, grip),
        *coat(SPEAKER, grille),
        *coat(DIAL, scale),
        *coat(LABEL, needle, *ticks),
        *coat(IVORY, *knobs),
    )


def gramophone() -> tuple[Piece, ...]:
    """A wooden box with a record, a crank and a great brass horn."""
    case = [box(0.84, 0.1, 0.84, 0.05).moved(0, 0.05, 0), box(0.7, 0.22, 0.7, 0.03).moved(0, 0.18, 0).boxed_uvs()]
    case += [box(0.8, 0.05, 0.8, 0.04).moved(0, 0.31, 0)]
    plate = [puck(0.3, 0.03, 0.01, 18).moved(0, 0.34, 0.04)]
    seal = [puck(0.1, 0.012, 0.004, 14).moved(0, 0.367, 0.04), rod((0, 0.34, 0.04), (0, 0.42, 0.04), 0.014, 6)]
    bell = [(0.035, 0.0), (0.05, 0.2), (0.1, 0.4), (0.22, 0.56), (0.42, 0.66), (0.47, 0.66)]
    inner = [(0.43, 0.635), (0.2, 0.52), (0.08, 0.36), (0.0, 0.3)]
    horn = fluted(lathe([*smooth(bell, 2).tolist(), *inner], 40), 10, 0.05)
    horn = horn.turned("x", 0.15).moved(0, 0.78, -0.18)
    elbow = bent([(0, 0.34, -0.34), (0, 0.58, -0.38), (0, 0.76, -0.3), (0, 0.82, -0.13)], [0.035, 0.03, 0.03, 0.04], 7)
    arm = bent([(0, 0.56, -0.37), (0.05, 0.52, -0.2), (0.14, 0.45, 0.02), (0.16, 0.38, 0.1)], 0.024)
    head = disc(0.06, 0.03, 0.01, 12).moved(0.16, 0.4, 0.09)
    crank = bent([(0.34, 0.18, 0), (0.48, 0.18, 0), (0.5, 0.2, 0.02), (0.5, 0.2, 0.18)], 0.02)
    grip = rod((0.5, 0.2, 0.12), (0.5, 0.2, 0.26), 0.035)
    return (
        *coat(MAHOGANY, *case, grip),
        *coat(RECORD, *plate),
        *coat(LABEL, seal[0]),
        *coat(BRASS, seal[1], horn),
        *coat(STEEL, elbow, arm, head, crank),
    )


def telephone() -> tuple[Piece, ...]:
    """A black telephone with a rotary dial, its receiver across the fork."""
    foot = [
        (-0.42, 0.0),
        (0.42, 0.0),
        (0.4, 0.1),
        (0.24, 0.34),
        (0.16, 0.46),
        (-0.16, 0.46),
        (-0.24, 0.34),
        (-0.4, 0.1),
    ]
    body = extrude(fillet(foot, 0.07, 2, closed=True), 0.5, 0.08, "z", 2).moved(0, 0.02, 0)
    front = (
        lathe(smooth([(0.22, 0.0), (0.21, 0.1), (0.185, 0.14), (0.0, 0.15)], 2), 16)
        .turned("x", 0.19)
        .moved(0, 0.235, 0.15)
    )
    base = box(0.84, 0.06, 0.66, 0.05).moved(0, 0.03, 0.03)
    tilt = 0.19
    plate = puck(0.175, 0.025, 0.008, 16).moved(0, 0.145, 0)
    holes = [puck(0.024, 0.012, 0.0, 8).moved(0.125, 0.166, 0).turned("y", 0.02 + k / 12.5) for k in range(10)]
    hub = puck(0.08, 0.022, 0.008, 14).moved(0, 0.165, 0)
    face = [s.turned("x", tilt).moved(0, 0.235, 0.15) for s in (plate, hub, *holes)]
    forks = [
        bent([(x, 0.44, z), (x, 0.54, z), (x, 0.63, 0.8 * z)], 0.03, 6, 2) for x in (-0.14, 0.14) for z in (-0.08, 0.08)
    ]
    handle = bent(
        [(-0.36, 0.6, 0), (-0.24, 0.66, 0), (0, 0.68, 0), (0.24, 0.66, 0), (0.36, 0.6, 0)], 0.055, 7, 2, domed=True
    )
    cup = lathe(smooth([(0.06, 0.0), (0.1, 0.03), (0.13, 0.1), (0.13, 0.14), (0.0, 0.15)], 2), 14).turned("x", 0.5)
    cups = pair(cup.turned("z", -0.04).moved(0.38, 0.63, 0))
    return (
        *coat(BAKELITE, body, front, base, handle, *cups, *face[2:]),
        *coat(BRASS, face[0], *forks),
        *coat(PAPER, face[1]),
    )


def desk_fan() -> tuple[Piece, ...]:
    """A fan with brass blades in a wire cage on a heavy foot."""
    foot = lathe(smooth([(0.3, 0.0), (0.3, 0.05), (0.2, 0.1), (0.06, 0.16), (0.05, 0.3), (0.06, 0.42)], 2), 16)
    motor = lathe(smooth([(0.0, -0.26), (0.1, -0.24), (0.15, -0.12), (0.14, 0.0), (0.06, 0.05), (0.05, 0.09)], 2), 14)
    blade = extrude(
        smooth([(0.03, 0.03), (0.2, 0.02), (0.34, 0.12), (0.3, 0.24), (0.12, 0.18)], 2, closed=True), 0.02, 0.0, "y"
    )
    blades = around(blade.turned("x", 0.06), 4)
    hub = ellipsoid(0.13, 0.12, 0.13, 10, 7)
    cage = [ring(0.41, 0.03, 18, 5).moved(0, y, 0) for y in (-0.08, 0.1)] + [ring(0.2, 0.018, 16, 4).moved(0, 0.135, 0)]
    spoke = bent(
        [(0.1, 0.15, 0), (0.3, 0.13, 0), (0.41, 0.1, 0), (0.42, 0.01, 0), (0.41, -0.08, 0), (0.13, -0.12, 0)],
        0.009,
        3,
        2,
    )
    boss = puck(0.11, 0.025, 0.008, 14).moved(0, 0.14, 0)
    wires = around(spoke, 12)
    turned = [
        [s.turned("x", 0.24).moved(0, 0.62, 0.1) for s in group]
        for group in ([motor], [*blades, hub], [*cage, *wires, boss])
    ]
    hinge = [
        rod((0, 0.36, 0), (0, 0.56, -0.01), 0.045, 8),
        puck(0.05, 0.03, 0.01, 10).turned("z", 0.25).moved(0.16, 0.6, 0),
    ]
    return (*coat(MINT, foot, *turned[0]), *coat(BRASS, *turned[1]), *coat(CHROME, *turned[2], *hinge))


def microscope() -> tuple[Piece, ...]:
    """A brass microscope with a tilted tube over its stage."""
    foot = extrude(
        fillet([(-0.26, -0.32), (0.26, -0.32), (0.2, 0.28), (-0.2, 0.28)], 0.12, 4, closed=True), 0.08, 0.025, "y", 2
    ).moved(0, 0.04, 0)
    limb = bent(
        [(0, 0.1, -0.2), (0, 0.3, -0.26), (0, 0.56, -0.24), (0, 0.76, -0.1), (0, 0.8, 0.0)],
        [0.07, 0.06, 0.055, 0.055],
        8,
        domed=True,
    )
    profile = [
        (0.0, 0.42),
        (0.03, 0.42),
        (0.035, 0.5),
        (0.06, 0.53),
        (0.06, 0.62),
        (0.075, 0.64),
        (0.075, 0.94),
        (0.06, 0.96),
    ]
    barrel = lathe(fillet([*profile, (0.06, 1.1), (0.08, 1.12), (0.08, 1.16), (0.0, 1.16)], 0.01, 2), 14)
    stage = box(0.34, 0.035, 0.3, 0.02).moved(0, 0.35, 0.02)
    slide = box(0.22, 0.012, 0.07).moved(0, 0.372, 0.04)
    arm = beam((0, 0.34, -0.26), (0, 0.34, 0.0), 0.1, 0.02, 0.05)
    mirror = [
        lathe(smooth([(0.0, 0.0), (0.1, 0.01), (0.11, 0.03), (0.0, 0.02)], 2), 14)
        .turned("x", 0.12)
        .moved(0, 0.18, 0.03)
    ]
    holder = bent([(0, 0.08, -0.08), (0, 0.12, -0.02), (0, 0.18, 0.02)], 0.025)
    knobs = [puck(0.08, 0.06, 0.015, 10).turned("z", 0.25 * -s).moved(0.04 * s, 0.6, -0.23) for s in (-1, 1)]
    ocular = puck(0.05, 0.014, 0.0, 10).moved(0, 1.155, 0)
    return (
        *coat(BAKELITE, foot, limb, stage, arm),
        *coat(BRASS, barrel.moved(0, 0, 0.03), holder, *knobs),
        *coat(LENS, *mirror, slide, ocular.moved(0, 0, 0.03)),
    )


def camera() -> tuple[Piece, ...]:
    """A folding bellows camera on a wooden tripod."""
    legs = around(beam((0.36, 0.03, 0), (0.06, 0.62, 0), 0.06, 0.012), 3, start=0.25)
    shoes = around(ellipsoid(0.07, 0.06, 0.07, 7, 4).moved(0.36, 0.03, 0), 3, start=0.25)
    plate = [puck(0.13, 0.06, 0.02, 14).moved(0, 0.6, 0), box(0.3, 0.05, 0.52, 0.02).moved(0, 0.67, 0.06)]
    body = slab(0.5, 0.44, 0.18, 0.04).moved(0, 0.9, -0.1).boxed_uvs()
    folds = [slab(0.38 - 0.03 * k, 0.34 - 0.03 * k, 0.045, 0.01).moved(0, 0.9, 0.02 + 0.05 * k) for k in range(5)]
    front = slab(0.28, 0.28, 0.06, 0.03).moved(0, 0.9, 0.28)
    barrel = lathe(
        fillet([(0.0, 0.0), (0.1, 0.0), (0.1, 0.08), (0.115, 0.09), (0.115, 0.13), (0.0, 0.13)], 0.01, 1), 14
    )
    eye = lathe(smooth([(0.0, 0.12), (0.085, 0.13), (0.05, 0.15), (0.0, 0.155)], 2), 14)
    finder = slab(0.12, 0.1, 0.12, 0.02).moved(0.1, 1.16, -0.1)
    button = puck(0.035, 0.04, 0.01, 10).moved(-0.14, 1.11, -0.1)
    rail = [rod((x, 0.72, -0.1), (x, 0.72, 0.3), 0.016, 6) for x in (-0.09, 0.09)] + [
        slab(0.2, 0.12, 0.03).moved(0, 0.74, 0.28)
    ]
    return (
        *coat(MAHOGANY, *legs, body, front),
        *coat(BRASS, *shoes, *plate, barrel.turned("x", 0.25).moved(0, 0.9, 0.3), button, *rail),
        *coat(LEATHER, *folds, finder),
        *coat(LENS, eye.turned("x", 0.25).moved(0, 0.9, 0.3)),
    )


def typewriter() -> tuple[Piece, ...]:
    """A teal typewriter with round keys and a sheet in its roller."""
    side = [(-0.42, 0.0), (0.42, 0.0), (0.42, 0.32), (0.3, 0.42), (0.08, 0.4), (-0.1, 0.22), (-0.42, 0.12)]
    body = extrude(fillet(side, 0.06, 2, closed=True), 0.92, 0.04, "x", 2).moved(0, 0.03, 0)
    feet = [puck(0.06, 0.05, 0.0, 8).moved(x, 0.0, z) for x in (-0.36, 0.36) for z in (-0.32, 0.32)]
    keys = [
        puck(0.036, 0.03, 0.0, 8).moved(-0.36 + 0.09 * k + 0.02 * row, 0.2 + 0.05 * row, 0.33 - 0.1 * row)
        for row in range(3)
        for k in range(9 - row % 2)
    ]
    racks = [box(0.84, 0.05, 0.03).moved(0.0, 0.18 + 0.05 * row, 0.33 - 0.1 * row) for row in range(3)]
    bar = box(0.5, 0.03, 0.05, 0.015).moved(0, 0.175, 0.4)
    roller = puck(0.085, 1.0, 0.01, 14).turned("z", 0.25).moved(0.5, 0.5, -0.2)
    knobs = [puck(0.08, 0.06, 0.015, 10).turned("z", 0.25 * -s).moved(0.49 * s, 0.5, -0.2) for s in (-1, 1)]
    sheet = extrude(
        [(-0.02, 0.0), (0.02, 0.0), (0.06, 0.34), (0.14, 0.52), (0.12, 0.53), (0.03, 0.34)], 0.6, 0.0, "x"
    ).moved(0, 0.48, -0.26)
    carriage = box(0.94, 0.07, 0.22, 0.03).moved(0, 0.42, -0.2)
    lever = bent([(-0.44, 0.44, -0.12), (-0.54, 0.5, 0.0), (-0.56, 0.54, 0.12)], 0.022, domed=True)
    spools = [puck(0.1, 0.05, 0.015, 14).moved(x, 0.425, -0.02) for x in (-0.24, 0.24)]
    return (
        *coat(TEAL_TIN, body),
        *coat(BAKELITE, *feet, roller, *racks, *spools),
        *coat(IVORY, *keys, bar),
        *coat(CHROME, *knobs, carriage, lever),
        *coat(PAPER, sheet),
    )


def television() -> tuple[Piece, ...]:
    """A small red television on splayed legs with a pair of aerials."""
    legs = [rod((0.34 * x, 0.013, 0.2 * z), (0.24 * x, 0.24, 0.14 * z), 0.032, 8) for x in (-1, 1) for z in (-1, 1)]
    case = extrude(rectangle(0.92, 0.66, 0.14, 4), 0.46, 0.07, "z", 2).moved(0, 0.52, 0)
    back = extrude(rectangle(0.66, 0.44, 0.1, 3), 0.16, 0.05, "z", 2).moved(0, 0.52, -0.28)
    bezel = extrude(rectangle(0.6, 0.5, 0.12, 4), 0.05, 0.02, "z", 1).moved(-0.1, 0.53, 0.23)
    screen = ellipsoid(0.52, 0.42, 0.1, 14, 7).moved(-0.1, 0.53, 0.24)
    knobs = [disc(0.06, 0.06, 0.015, 10).moved(0.32, y, 0.22) for y in (0.7, 0.53)]
    slots = [slab(0.16, 0.02, 0.03).moved(0.32, 0.4 - 0.045 * k, 0.225) for k in range(4)]
    hub = lathe(smooth([(0.1, 0.84), (0.09, 0.88), (0.03, 0.91), (0.0, 0.91)], 2), 10)
    aerials = [rod((0, 0.88, 0), (0.24 * s, 1.2, -0.04), 0.011, 6) for s in (-1, 1)]
    tips = [ellipsoid(0.045, 0.045, 0.045, 7, 4).moved(0.24 * s, 1.2, -0.04) for s in (-1, 1)]
    return (
        *coat(RED_TIN, case, back),
        *coat(WALNUT, *legs),
        *coat(IVORY, bezel, *knobs, *slots),
        *coat(LENS, screen),
        *coat(CHROME, hub, *aerials, *tips),
    )
