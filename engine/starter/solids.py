"""Solids made from curves: lathes, lofts, extrusions, rounded boxes, ellipsoids and tubes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.starter.outlines import (
    Points,
    arc_lengths,
    deepest_inset,
    inset,
    length_of,
    points_of,
    rectangle,
    triangulate,
)
from engine.starter.shells import Axis, Shell, outward
from engine.starter.trigonometry import circle, cosine_sine
from engine.surfaces import FloatArray, IntArray

CHAMFER_BELOW = 0.045


def lathe(profile: Points, segments: int = 20, *, loop: bool = False) -> Shell:
    """A solid of revolution about Y.

    profile: (N, 2) radius and height. An open profile is closed by discs where its ends have a radius; with
    `loop` the last point joins the first, which makes a ring.
    """
    curve = points_of(profile)
    if not loop:
        if curve[0, 0] > 0:
            curve = np.concatenate([[[0.0, curve[0, 1]]], curve])
        if curve[-1, 0] > 0:
            curve = np.concatenate([curve, [[0.0, curve[-1, 1]]]])
    ring = circle(segments)
    along = arc_lengths(curve, closed=loop)
    widest = float(curve[:, 0].max()) * 6.283185307179586
    rows = len(curve)
    vertices: list[FloatArray] = []
    index = np.zeros((rows, segments), dtype=np.int64)
    used = 0
    for i, (radius, height) in enumerate(curve.tolist()):
        if radius <= 0:
            vertices.append(np.asarray([[0.0, height, 0.0]]))
            index[i] = used
            used += 1
        else:
            vertices.append(np.stack([ring[:, 0] * radius, np.full(segments, height), ring[:, 1] * radius], axis=1))
            index[i] = used + np.arange(segments)
            used += segments
    faces: list[IntArray] = []
    uvs: list[FloatArray] = []
    around = np.arange(segments + 1, dtype=np.float64) / segments * widest
    for i in range(rows if loop else rows - 1):
        j = (i + 1) % rows
        band_faces, band_uvs = _band(index[i], index[j], around, (-along[i], -along[i + 1]))
        faces.append(band_faces)
        uvs.append(band_uvs)
    return outward(np.concatenate(vertices), np.concatenate(faces), np.concatenate(uvs), widest)


def _band(low: IntArray, high: IntArray, around: FloatArray, v: tuple[float, float]) -> tuple[IntArray, FloatArray]:
    """Triangles and corner UVs between two closed rings of equal count; a ring of one vertex is a pole."""
    here, there = np.arange(len(low)), np.roll(np.arange(len(low)), -1)
    u0, u1 = around[:-1], around[1:]
    v0, v1 = np.full(len(low), v[0]), np.full(len(low), v[1])
    lower = np.stack([low[here], high[here], low[there]], axis=1)
    lower_uv = np.stack([np.stack([u0, v0], 1), np.stack([u0, v1], 1), np.stack([u1, v0], 1)], axis=1)
    upper = np.stack([low[there], high[here], high[there]], axis=1)
    upper_uv = np.stack([np.stack([u1, v0], 1), np.stack([u0, v1], 1), np.stack([u1, v1], 1)], axis=1)
    faces, uvs = np.concatenate([lower, upper]), np.concatenate([lower_uv, upper_uv])
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return faces[real], uvs[real]


def loft(rings: FloatArray, cap_low: IntArray, cap_high: IntArray, *, flat: FloatArray | None = None) -> Shell:
    """Closed shell through a stack of rings.

    rings: (N, M, 3), every ring with the same point order. cap_low, cap_high: triangles over 0..M-1 closing the
    first and the last ring, counter-clockwise as in the outline. flat: (M, 2) texture coordinates of the caps,
    by default x and z of the ring.
    """
    count, size = rings.shape[:2]
    index = np.arange(count * size).reshape(count, size)
    middle = rings[count // 2]
    around = arc_lengths(middle, closed=True)
    step = np.zeros(count)
    for i in range(1, count):
        step[i] = step[i - 1] + float(np.cumsum(length_of(rings[i] - rings[i - 1]))[-1]) / size
    faces: list[IntArray] = []
    uvs: list[FloatArray] = []
    for i in range(count - 1):
        band_faces, band_uvs = _band(index[i], index[i + 1], around, (-step[i], -step[i + 1]))
        faces.append(band_faces)
        uvs.append(band_uvs)
    # a band runs against the outline on its low ring and with it on its high ring
    for ring_index, triangles in ((0, cap_low), (count - 1, cap_high[:, ::-1])):
        plane = rings[ring_index][:, (0, 2)] if flat is None else flat
        faces.append(index[ring_index][triangles])
        uvs.append(np.asarray(plane[triangles]))
    return outward(rings.reshape(-1, 3), np.concatenate(faces), np.concatenate(uvs), float(around[-1]))


def _fan(size: int) -> IntArray:
    """Zig-zag triangles of a convex ring, which are less thin than a fan."""
    low, high = 0, size - 1
    triangles: list[tuple[int, int, int]] = []
    while high - low > 1:
        triangles.append((low, low + 1, high))
        low += 1
        if high - low > 1:
            triangles.append((low, high - 1, high))
            high -= 1
    return np.asarray(triangles, dtype=np.int64)


def extrude(outline: Points, depth: float, bevel: float = 0.0, axis: Axis = "z", steps: int = 3) -> Shell:
    """A plate with the given counter-clockwise outline, centred along `axis`.

    Its rims are rounded by `bevel`, or by less when the outline or the depth does not allow it.

    Along z the outline lies in (x, y). Along y it is the plan seen from above, its y running to -z. Along x it is
    the view from the left side (+X), its x running to -z.
    """
    shape = points_of(outline)
    half = depth / 2
    levels: list[tuple[float, float]] = [(0.0, -half), (0.0, half)]
    bevel = deepest_inset(shape, 1.3 * min(bevel, 0.45 * depth)) / 1.3 if bevel > 0 else 0.0
    if bevel > 0:
        cosine, sine = cosine_sine(np.arange(steps + 1, dtype=np.float64) / (4 * steps))
        rim = [(bevel * (1 - c), half - bevel * (1 - s)) for c, s in zip(cosine.tolist(), sine.tolist(), strict=True)]
        if steps > 1:  # a narrow flat rim keeps the shading of the face itself flat
            rim.append((1.3 * bevel, half))
        levels = [(i, -z) for i, z in reversed(rim)] + rim
    rings = []
    for inner, z in levels:
        flat = inset(shape, inner) if inner > 0 else shape
        rings.append(np.concatenate([flat, np.full((len(flat), 1), z)], axis=1))
    cap = triangulate(shape)
    shell = loft(np.stack(rings), cap, cap, flat=rings[0][:, :2] * np.asarray([[1.0, -1.0]]))
    if axis == "y":
        return shell.turned("x", -0.25)
    return shell.turned("y", 0.25) if axis == "x" else shell


def box(width: float, height: float, depth: float, radius: float = 0.0, steps: int = 0) -> Shell:
    """A box about the origin with rounded edges, extruded along Y so that its texture runs around the sides."""
    steps = steps or _rim_steps(radius)
    return extrude(rectangle(width, depth, radius, steps), height, 0.5 * radius, "y", steps)


def slab(width: float, height: float, depth: float, radius: float = 0.0, steps: int = 0) -> Shell:
    """A box about the origin extruded along Z: its texture stands upright on the front."""
    steps = steps or _rim_steps(radius)
    return extrude(rectangle(width, height, radius, steps), depth, 0.5 * radius, "z", steps)


def _rim_steps(radius: float) -> int:
    """Small edges are chamfered, larger ones rounded."""
    return 1 if radius < CHAMFER_BELOW else 2


def beam(
    start: Sequence[float], end: Sequence[float], width: float, radius: float = 0.0, thickness: float | None = None
) -> Shell:
    """A bar of rectangular section from one point to another, its texture running along it."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    along = b - a
    length = float(length_of(along))
    along = along / length
    up = np.asarray([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.asarray([1.0, 0.0, 0.0])
    side = np.asarray(
        [up[1] * along[2] - up[2] * along[1], up[2] * along[0] - up[0] * along[2], up[0] * along[1] - up[1] * along[0]]
    )
    side = side / float(length_of(side))
    front = np.asarray(
        [
            along[1] * side[2] - along[2] * side[1],
            along[2] * side[0] - along[0] * side[2],
            along[0] * side[1] - along[1] * side[0],
        ]
    )
    straight = box(width, length, thickness or width, radius, 1).swapped_uvs()
    middle = (a + b) / 2

    def place(v: FloatArray) -> FloatArray:
        return np.asarray(middle + v[:, :1] * side + v[:, 1:2] * along - v[:, 2:] * front)

    placed = straight.shaped(place)
    return outward(placed.vertices, placed.faces, placed.uvs)


def ellipsoid(width: float, height: float, depth: float, segments: int = 16, rings: int = 10) -> Shell:
    """An ellipsoid about the origin of the given full extents."""
    cosine, sine = cosine_sine(np.arange(rings + 1, dtype=np.float64) / (2 * rings))
    profile = np.stack([sine * width / 2, -cosine * height / 2], axis=1)
    return lathe(profile, segments).scaled(1.0, 1.0, depth / width)


def tube(path: Points, radius: float | Sequence[float] | FloatArray, sides: int = 8, *, rounded: bool = True) -> Shell:
    """A tube along a path, with one radius or radii spread evenly over its points, and domed or flat ends."""
    line = points_of(path)
    given = np.asarray([radius, radius] if isinstance(radius, int | float) else radius, dtype=np.float64)
    place = np.arange(len(line), dtype=np.float64) * ((len(given) - 1) / (len(line) - 1))
    below = np.minimum(place.astype(np.int64), len(given) - 2)
    radii = given[below] + (given[below + 1] - given[below]) * (place - below)
    ahead = np.concatenate([line[1:] - line[:-1], line[-1:] - line[-2:-1]])
    back = np.concatenate([line[1:2] - line[:1], line[1:] - line[:-1]])
    tangent = ahead / length_of(ahead)[:, None] + back / length_of(back)[:, None]
    tangent = tangent / length_of(tangent)[:, None]
    if rounded:
        line, radii, tangent = _domed(line, radii, tangent)
    ring = circle(sides)
    least = int(np.argmin(np.abs(tangent[0])))
    side = np.zeros(3)
    side[least] = 1.0
    rings = []
    for centre, r, t in zip(line, radii.tolist(), tangent, strict=True):
        side = side - t * float(side[0] * t[0] + side[1] * t[1] + side[2] * t[2])
        side = side / float(length_of(side))
        other = np.asarray(
            [t[1] * side[2] - t[2] * side[1], t[2] * side[0] - t[0] * side[2], t[0] * side[1] - t[1] * side[0]]
        )
        rings.append(centre + (ring[:, :1] * side + ring[:, 1:] * other) * r)
    cap = _fan(sides)
    return loft(np.stack(rings), cap, cap, flat=ring * float(radii.max()))


def _domed(line: FloatArray, radii: FloatArray, tangent: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Add shrinking rings beyond both ends of a tube."""
    cosine, sine = cosine_sine(np.asarray([0.2, 0.14, 0.07]))
    low = [(line[0] - tangent[0] * radii[0] * s, radii[0] * c, tangent[0]) for c, s in zip(cosine, sine, strict=True)]
    high = [
        (line[-1] + tangent[-1] * radii[-1] * s, radii[-1] * c, tangent[-1])
        for c, s in zip(cosine[::-1], sine[::-1], strict=True)
    ]
    return (
        np.concatenate([np.stack([p for p, _, _ in low]), line, np.stack([p for p, _, _ in high])]),
        np.concatenate([[r for _, r, _ in low], radii, [r for _, r, _ in high]]),
        np.concatenate([np.stack([t for _, _, t in low]), tangent, np.stack([t for _, _, t in high])]),
    )


def ring(radius: float, thickness: float, segments: int = 20, sides: int = 8) -> Shell:
    """A torus about Y: `radius` to the middle of the tube, `thickness` of the tube across."""
    section = circle(sides) * (thickness / 2) + np.asarray([[radius, 0.0]])
    return lathe(section, segments, loop=True)
