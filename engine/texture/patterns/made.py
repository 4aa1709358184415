"""Made materials: brick, metal, fabric, ceramic, glass, paint, stripes, checks, dots."""

from __future__ import annotations

from typing import Literal

import numpy as np

from engine.surfaces import FloatArray
from engine.texture.noise import cell_noise, lattice_noise
from engine.texture.patterns.field import Field, Layers, fraction, no_cover, smooth_step, unfold_walls


def _to_edge(values: FloatArray) -> FloatArray:
    part = fraction(values)
    return np.minimum(part, 1.0 - part)


def bricks(field: Field, *, course: float = 0.42, joint: float = 0.035, spread: float = 0.5) -> Layers:
    """Lay a running bond of bricks one cell long and `course` high, each with its own tone; mortar over."""
    u, v, side = unfold_walls(field)
    wobble = field.even_noise(4.0, 1) - 0.5
    row = np.floor(v / course)
    along = u + 0.5 * (row - 2.0 * np.floor(row / 2.0))
    own = lattice_noise(row, np.floor(along), side * 1.0, field.seed)
    inset = np.minimum(_to_edge(along), _to_edge(v / course) * course) + 0.018 * wobble
    rough = field.even_noise(9.0, 2, 3)
    tone = 0.5 + spread * (own - 0.5) + 0.42 * (rough - 0.5) + 0.10 * wobble
    return Layers(tone, rough, field.sharpen(max(joint, 0.6 * field.texel) - inset))


def brushed(field: Field, *, contrast: float = 0.75) -> Layers:
    """Metal brushed along its longest side."""
    scratch = field.noise((0.25, 22.0, 22.0), 1)
    band = field.noise((0.12, 5.0, 5.0), 2)
    cloud = field.even_noise(0.6, 3)
    return no_cover(0.5 + contrast * (0.55 * (scratch - 0.5) + 0.6 * (band - 0.5)) + 0.35 * (cloud - 0.5))


def polished(field: Field) -> Layers:
    """Smooth metal: broad reflections in level bands and a trace of scratches."""
    level = field.points[:, 1] * 0.5 + 0.7 * field.even_noise(0.5, 1, 2) + 0.25 * field.normals[:, 1]
    wave = 2.0 * np.abs(fraction(level) - 0.5)
    glint = 1.0 - smooth_step(np.abs(wave - 0.86), 0.03, 0.14)
    scratch = field.noise((0.3, 14.0, 14.0), 2)
    return no_cover(0.36 + 0.34 * smooth_step(wave, 0.15, 0.9) + 0.26 * glint + 0.10 * (scratch - 0.5))


def hammered(field: Field, *, per_cell: float = 4.0) -> Layers:
    """Metal with overlapping round dents, lit slantwise from above as a relief."""
    here, _, own = cell_noise(field.points * per_cell, field.seed)
    step = max(0.07, 1.5 * field.texel * per_cell)
    lit, _, _ = cell_noise(field.points * per_cell + np.asarray([0.42, 0.80, 0.42]) * step, field.seed)
    relief = (lit - here) / step
    cloud = field.even_noise(0.8, 1, 2)
    return no_cover(0.46 - 0.26 * relief + 0.10 * (here - 0.4) + 0.12 * (own - 0.5) + 0.3 * (cloud - 0.5))


def woven(field: Field, *, threads: float = 6.0, twill: bool = False) -> Layers:
    """Cloth: weft over warp, plain or as a twill (three over, one under, stepping)."""
    u, v, _ = unfold_walls(field)
    pitch = min(threads, 1.0 / (5.0 * field.texel))
    x, y = u * pitch, v * pitch
    column, row = np.floor(x), np.floor(y)
    step = column + row
    turn = step - 3.0 * np.floor(step / 3.0) if twill else step - 2.0 * np.floor(step / 2.0)
    over = np.where(turn < 1.0, 1.0, 0.0)
    round_warp = 1.0 - 2.0 * np.abs(fraction(x) - 0.5)
    round_weft = 1.0 - 2.0 * np.abs(fraction(y) - 0.5)
    slub = field.even_noise(3.0, 1, 2) - 0.5
    shade_warp = 0.25 + 0.5 * smooth_step(round_warp, 0.0, 0.8) + 0.45 * slub
    shade_weft = 0.25 + 0.5 * smooth_step(round_weft, 0.0, 0.8) + 0.45 * slub
    return Layers(shade_warp, shade_weft, over)


def tartan(field: Field) -> Layers:
    """Crossing bands: the over palette goes from a dark band (0) to a light line (1)."""
    u, v, _ = unfold_walls(field)
    weave = field.even_noise(18.0, 1) - 0.5
    dark = 0.5 * (_band(field, u, 0.50, 0.26) + _band(field, v, 0.50, 0.26))
    line = np.maximum(_band(field, u, 0.02, 0.05), _band(field, v, 0.02, 0.05))
    return Layers(0.5 + 0.5 * weave, np.where(line > 0.0, 1.0, 0.0), np.maximum(dark * 0.9, line * 0.8))


def _band(field: Field, values: FloatArray, middle: float, width: float) -> FloatArray:
    half = max(width / 2.0, 0.8 * field.texel)
    return field.sharpen(half - np.abs(fraction(values - middle + 0.5) - 0.5))


def camouflage(field: Field) -> Layers:
    """Blotches of three flat tones, with a fourth over."""
    first, second = field.even_noise(1.5, 1, 2), field.even_noise(1.8, 2, 2)
    base = np.where(first > 0.55, 1.0, np.where(first > 0.43, 0.5, 0.0))
    return Layers(base, np.zeros(len(base)), field.sharpen((second - 0.60) * 0.6))


def glazed(field: Field, *, crackle: bool = False) -> Layers:
    """Glaze that runs a little thicker downwards; with `crackle`, a net of fine cracks over."""
    pool = field.even_noise(0.9, 1, 2)
    tone = 0.55 + 0.55 * (pool - 0.5)
    if not crackle:
        return no_cover(tone)
    wobble = np.stack([field.even_noise(2.0, 30 + d) for d in range(3)], axis=1)
    near, far, own = cell_noise(field.points * 3.4 + 0.5 * wobble, field.seed)
    crack = 1.0 - smooth_step(far - near, 0.0, max(0.045, 2.2 * field.texel * 3.4))
    return Layers(tone + 0.14 * (own - 0.5), pool, 0.85 * crack)


def tinted(field: Field) -> Layers:
    """Opaque glass: depth in slow waves, and slanting lights over."""
    depth = field.even_noise(0.8, 1, 2)
    slant = field.points[:, 0] + field.points[:, 1] + field.points[:, 2]
    light = np.abs(fraction(slant * 0.55 + 0.5 * depth) - 0.5)
    second = np.abs(fraction(slant * 0.55 + 0.5 * depth + 0.16) - 0.5)
    cover = 0.45 * (1.0 - smooth_step(light, 0.05, 0.09)) + 0.3 * (1.0 - smooth_step(second, 0.012, 0.035))
    return Layers(0.5 + 1.2 * (depth - 0.5), depth, cover)


def coat(field: Field) -> Layers:
    """Paint: one colour, with just enough unevenness not to look like plastic."""
    return no_cover(0.5 + 0.5 * (field.even_noise(1.1, 1, 2) - 0.5))


def stripes(field: Field, *, direction: Literal["across", "slanting"] = "across", share: float = 0.5) -> Layers:
    """Bands across the longest side or slanting; `share` of the over palette."""
    if direction == "across":
        along = field.points[:, field.axes[0]]
        span = 1.0
    else:
        u, v, _ = unfold_walls(field)
        along, span = u + v, 1.4142135623730951
    half = 0.5 * share
    uneven = 0.5 + 0.5 * (field.even_noise(1.1, 1, 2) - 0.5)
    return Layers(uneven, uneven, field.sharpen((half - np.abs(fraction(along) - 0.5)) / span))


def checks(field: Field, *, gingham: bool = False) -> Layers:
    """Cubes of two palettes in turn; as gingham, crossing half-strength bands on each face."""
    uneven = 0.5 + 0.5 * (field.even_noise(1.1, 1, 2) - 0.5)
    if gingham:
        u, v, _ = unfold_walls(field)
        cover = 0.5 * (_band(field, u, 0.5, 0.5) + _band(field, v, 0.5, 0.5))
        return Layers(uneven, uneven, cover)
    u, v, side = unfold_walls(field)
    x, y = 2.0 * u, 2.0 * v
    parity = np.floor(x) + np.floor(y) + (side == 1)
    odd = parity - 2.0 * np.floor(parity / 2.0)
    inside = np.minimum(_to_edge(x), _to_edge(y)) / 2.0
    return Layers(uneven, uneven, field.sharpen(np.where(odd > 0.0, inside, -inside)))


def dots(field: Field, *, radius: float = 0.3) -> Layers:
    """Staggered discs of the over palette."""
    u, v, _ = unfold_walls(field)
    row = np.floor(v / 0.8660254037844386)
    x = fraction(u + 0.5 * (row - 2.0 * np.floor(row / 2.0))) - 0.5
    y = (fraction(v / 0.8660254037844386) - 0.5) * 0.8660254037844386
    uneven = 0.5 + 0.5 * (field.even_noise(1.1, 1, 2) - 0.5)
    return Layers(uneven, uneven, field.sharpen(radius - np.sqrt(x * x + y * y)))
