"""Grown and weathered materials: wood, stone, marble, rust, moss, leather."""

from __future__ import annotations

import numpy as np

from engine.surfaces import FloatArray
from engine.texture.noise import cell_noise, lattice_noise
from engine.texture.patterns.field import Field, Layers, fraction, no_cover, smooth_step, unfold_lengthwise


def grain(field: Field, *, rings: float = 4.0, contrast: float = 0.55) -> Layers:
    """Solid wood: year rings about a far axis along the longest side, with fibres; `rings` per cell."""
    return no_cover(_grain_tone(field, field.points, rings, contrast))


def _grain_tone(field: Field, points: FloatArray, rings: float, contrast: float) -> FloatArray:
    across, depth = points[:, field.axes[1]], points[:, field.axes[2]]
    bend = field.noise((0.22, 0.9, 0.9), 11, 2)
    waver = field.noise((0.5, 2.6, 2.6), 12)
    centre = np.floor(depth.min()) - 1.7
    x, y = across - 0.5 * (across.min() + across.max()), depth - centre
    radius = np.sqrt(x * x * 0.55 + y * y)
    phase = fraction(radius * rings + bend * 3.2 + waver * 0.5)
    ring = smooth_step(phase, 0.0, 0.82) * (1.0 - smooth_step(phase, 0.86, 1.0))
    fibre = field.noise((0.7, 20.0, 20.0), 13)
    fleck = field.noise((0.9, 8.0, 8.0), 14)
    return np.asarray(0.72 - contrast * (ring - 0.35) + 0.22 * (fibre - 0.5) + 0.26 * (fleck - 0.5))


def planks(field: Field, *, boards: float = 3.0, length: float = 2.6) -> Layers:
    """Boards laid along the longest side, `boards` to a cell, each with its own tone and grain; dark joints over."""
    u, v, side = unfold_lengthwise(field)
    row = np.floor(v * boards)
    shifted = u / length + lattice_noise(row, side * 1.0, row * 0.0, field.seed)
    board = np.floor(shifted)
    own = lattice_noise(row, board, side * 1.0, field.seed + 1)
    moved = field.points.copy()
    moved[:, field.axes[1]] += own * 37.0
    tone = _grain_tone(field, moved, 3.0, 0.30) + 0.34 * (own - 0.5)
    edge_v = np.minimum(fraction(v * boards), 1.0 - fraction(v * boards)) / boards
    edge_u = np.minimum(fraction(shifted), 1.0 - fraction(shifted)) * length
    joint = max(0.012, 0.6 * field.texel)
    return Layers(tone, own, field.sharpen(joint - np.minimum(edge_u, edge_v)))


def speckle(field: Field, *, grain_size: float = 14.0) -> Layers:
    """Granite: crystals of several tones with dark flecks over."""
    near, far, own = cell_noise(field.points * grain_size, field.seed)
    cloud = field.even_noise(1.5, 1, 2)
    _, _, fleck = cell_noise(field.points * grain_size * 0.7, field.seed + 40)
    return Layers(
        0.5 + 0.55 * (own - 0.5) + 0.3 * (cloud - 0.5),
        near,
        np.where(fleck > 0.84, smooth_step(far - near, 0.0, 0.15), 0.0),
    )


def strata(field: Field, *, beds: float = 5.0) -> Layers:
    """Sandstone: level beds, wavy, with grains."""
    level = field.points[:, 1] * beds + field.even_noise(0.8, 1, 2) * 2.4
    bed = np.floor(level)
    own = lattice_noise(bed, bed * 0.0, bed * 0.0, field.seed)
    edge = smooth_step(fraction(level), 0.0, 0.3)
    sand = field.even_noise(16.0, 2)
    return no_cover(0.28 + 0.45 * own + 0.14 * edge + 0.28 * (sand - 0.5))


def cobbles(field: Field, *, per_cell: float = 2.6) -> Layers:
    """Set rounded stones of several tones in dark joints."""
    wobble = np.stack([field.even_noise(3.0, 60 + d) for d in range(3)], axis=1)
    near, far, own = cell_noise(field.points * per_cell + 0.35 * (wobble - 0.5), field.seed)
    gap = far - near
    rough = field.even_noise(11.0, 2, 2)
    tone = 0.22 + 0.42 * own + 0.28 * smooth_step(gap, 0.05, 0.45) + 0.22 * (rough - 0.5)
    return Layers(tone, rough, 1.0 - smooth_step(gap, 0.05, 0.05 + max(0.07, 1.5 * field.texel * per_cell)))


def veins(field: Field, *, width: float = 0.032) -> Layers:
    """Marble: soft clouds, and veins over where warped noise crosses its middle."""
    warp = np.stack([field.even_noise(0.9, 20 + d, 3) for d in range(3)], axis=1) - 0.5
    bent = Field(field.points + warp * 1.5, field.normals, field.texel, field.axes, field.seed)
    cloud = bent.even_noise(0.8, 1, 3)
    broad = np.abs(bent.even_noise(0.75, 2, 3) - 0.5)
    fine = np.abs(bent.even_noise(1.9, 3, 3) - 0.5)
    strength = smooth_step(field.even_noise(0.7, 4), 0.25, 0.7)
    cover = np.maximum(
        (1.0 - smooth_step(broad, 0.0, width)) * (0.35 + 0.65 * strength),
        (1.0 - smooth_step(fine, 0.0, width * 0.6)) * 0.6 * strength,
    )
    return Layers(0.5 + 1.1 * (cloud - 0.5), fine * 3.0, cover)


def rust(field: Field, *, bare: float = 0.56) -> Layers:
    """Rust in blooms and pits; bare metal over where it has not reached."""
    bloom = field.even_noise(1.6, 1, 4)
    pits = field.even_noise(9.0, 2, 2)
    streak = field.noise((0.6, 5.0, 5.0), 3, 2) if field.axes[0] == 1 else field.even_noise(4.0, 3, 2)
    tone = 0.5 + 1.3 * (bloom - 0.5) + 0.55 * (pits - 0.5)
    clean = field.even_noise(1.1, 4, 4) + 0.12 * (pits - 0.5)
    return Layers(tone, streak, smooth_step(clean, bare, bare + 0.05))


def moss(field: Field, *, reach: float = 0.52) -> Layers:
    """Stone below; tufts of moss over, thicker on surfaces that face up."""
    stone = field.even_noise(5.0, 1, 3)
    tuft = field.even_noise(12.0, 2, 2)
    grown = field.even_noise(1.7, 3, 4) + 0.14 * field.normals[:, 1] + 0.10 * (tuft - 0.5)
    return Layers(0.5 + 1.1 * (stone - 0.5), 0.15 + 0.75 * tuft, smooth_step(grown, reach - 0.09, reach - 0.03))


def hide(field: Field, *, per_cell: float = 9.0) -> Layers:
    """Leather: small cells between creases, worn in places."""
    near, far, own = cell_noise(field.points * per_cell, field.seed)
    worn = field.even_noise(1.4, 1, 3)
    tone = 0.52 + 1.1 * (worn - 0.5) + 0.10 * (own - 0.5) + 0.20 * (0.5 - near)
    crease = 1.0 - smooth_step(far - near, 0.0, max(0.14, 1.2 * field.texel * per_cell))
    return Layers(tone, own, (0.25 + 0.5 * (1.0 - smooth_step(worn, 0.35, 0.65))) * crease)
