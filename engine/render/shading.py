"""Light: a key and a fill lamp that travel with the camera, and a soft sky that metals mirror.

Shading is local: no shadow, no reflection of other pieces. So a pixel changes only when what it shows changes, and the
consistency of untouched regions can be scored exactly. Both sides of every face are visible and lit alike, whatever
the material's doubleSided flag says (one rule for references and outputs; it hides no part behind a winding mistake).
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from engine.framing import Camera
from engine.render.casting import Hits, Raster, points_of, ray_directions
from engine.render.materials import Looks, measure_bump, measure_looks, mix_corners
from engine.render.scene import PreparedPiece
from engine.surfaces import FloatArray

KEY = (-0.50, 0.72, 0.60)
"""Direction to the key lamp: right, world up, towards the camera; scaled to length 1."""
KEY_LIGHT = 0.80
FILL = (0.85, 0.15, 0.45)
FILL_LIGHT = 0.20
SKY, HORIZON, GROUND = (0.38, 0.40, 0.43), (0.31, 0.31, 0.32), (0.15, 0.14, 0.13)
"""Diffuse light from above, from the sides and from below, linear RGB."""
SKY_GLOSS = 1.8
"""How much brighter the sky is where it is mirrored than where it is diffused."""
MIRROR_CONTRAST = 1.8
"""How much faster the mirrored sky changes with height: a smooth metal needs something to mirror."""
DIELECTRIC = 0.04
MIN_ROUGHNESS = 0.22
MIN_FACING = 0.12
"""Keeps normals that are bent away from the viewer from turning into white rims."""
SHOULDER = 0.75
"""Linear value above which brightness is compressed instead of clipped."""


def shade(piece: PreparedPiece, raster: Raster, hits: Hits) -> tuple[FloatArray, FloatArray]:
    """Linear RGB (N, 3) in [0, 1] and coverage (N,) of hits on one piece."""
    looks = measure_looks(piece, points_of(hits, raster))
    view = _towards_viewer(raster, hits)
    normal = measure_normals(piece, raster, hits)
    lit = _light(looks, normal, view, raster.camera) + looks.emissive
    color = np.where(looks.unlit[:, None], looks.base, _compress(lit))
    return np.clip(color, 0.0, 1.0), looks.alpha


def measure_normals(piece: PreparedPiece, raster: Raster, hits: Hits) -> FloatArray:
    """(N, 3) unit world normals that hits are shaded with: interpolated, bent by normal textures, on the viewer's side.

    Raises InputError when a texture cannot be decoded.
    """
    bumped = _bumped_normals(piece, hits, measure_bump(piece, points_of(hits, raster)))
    return _facing_normals(bumped, piece.face_normals[hits.triangle], _towards_viewer(raster, hits))


def _towards_viewer(raster: Raster, hits: Hits) -> FloatArray:
    """(N, 3) unit directions from hits to the camera."""
    direction = ray_directions(raster, hits.pixel)
    return np.asarray(direction / -np.sqrt(_dot(direction, direction))[:, None])


def _bumped_normals(piece: PreparedPiece, hits: Hits, bump: FloatArray) -> FloatArray:
    """(N, 3) interpolated normals, bent by `bump` where a surface has a normal texture; not unit."""
    normal = mix_corners(piece.normals[hits.triangle], hits.u, hits.v)
    surface_of = piece.surface_of[hits.triangle]
    for index, prepared in enumerate(piece.surfaces):
        if prepared.tangents is None:
            continue
        chosen = np.flatnonzero(surface_of == index)
        tangents, turned = prepared.tangents[hits.triangle[chosen] - prepared.first], bump[chosen]
        upright = _unit(normal[chosen])
        bent = upright * turned[:, 2:]
        for axis in (0, 1):
            along = tangents[:, axis] - upright * _dot(tangents[:, axis], upright)[:, None]
            bent = bent + _unit(along) * turned[:, axis, None]
        normal[chosen] = bent
    return normal


def _unit(vectors: FloatArray) -> FloatArray:
    return np.asarray(vectors / np.maximum(np.sqrt(_dot(vectors, vectors)), 1e-12)[:, None])


def _facing_normals(normal: FloatArray, face: FloatArray, view: FloatArray) -> FloatArray:
    """(N, 3) unit normals on the viewer's side of each face."""
    face = face * np.where(_dot(face, view) < 0.0, -1.0, 1.0)[:, None]
    normal = normal * np.where(_dot(normal, face) < 0.0, -1.0, 1.0)[:, None]
    length = np.sqrt(_dot(normal, normal))
    return np.where((length > 1e-12)[:, None], normal / np.maximum(length, 1e-12)[:, None], face)


def _light(looks: Looks, normal: FloatArray, view: FloatArray, camera: Camera) -> FloatArray:
    rough = np.maximum(looks.roughness, MIN_ROUGHNESS)
    facing = np.clip(_dot(normal, view), 0.0, 1.0)
    metal = looks.metallic[:, None]
    mirror = DIELECTRIC * (1.0 - metal) + looks.base * metal
    diffuse = looks.base * (1.0 - metal)
    color = diffuse * _sky(normal[:, 1])
    for lamp, strength in ((KEY, KEY_LIGHT), (FILL, FILL_LIGHT)):
        towards = _lamp_direction(lamp, camera)
        incoming = np.clip(normal[:, 0] * towards[0] + normal[:, 1] * towards[1] + normal[:, 2] * towards[2], 0.0, 1.0)
        gloss = _highlight(normal, view, towards, rough)
        color = color + (diffuse + mirror * gloss[:, None]) * (incoming * strength)[:, None]
    # The mirrored sky: sharp when smooth, the diffuse sky when rough.
    mirrored = 2.0 * facing * normal[:, 1] - view[:, 1]
    height = mirrored * (1.0 - rough) * MIRROR_CONTRAST + normal[:, 1] * rough
    edge, sharp = 1.0 - np.maximum(facing, MIN_FACING), 1.0 - rough
    rim = (edge * edge * edge * edge * edge * sharp * sharp)[:, None]
    reflectance = mirror + np.maximum(1.0 - mirror, 0.0) * rim
    return np.asarray(color + reflectance * _sky(height) * SKY_GLOSS)


def _highlight(
    normal: FloatArray, view: FloatArray, towards: tuple[float, float, float], rough: FloatArray
) -> FloatArray:
    """GGX lobe of a lamp, times pi, with Kelemen's visibility."""
    half = view + np.array(towards)
    half = half / np.maximum(np.sqrt(_dot(half, half)), 1e-9)[:, None]
    along = np.clip(_dot(normal, half), 0.0, 1.0)
    lamp = np.maximum(_dot(view, half), 0.15)
    spread = rough * rough * rough * rough
    lobe = along * along * (spread - 1.0) + 1.0
    return np.asarray(np.minimum(spread / (lobe * lobe) / (4.0 * lamp * lamp), 12.0))


def _sky(height: FloatArray) -> FloatArray:
    """(N, 3) light from the direction with this vertical component."""
    upper, lower = np.clip(height, 0.0, 1.0)[:, None], np.clip(-height, 0.0, 1.0)[:, None]
    horizon = np.array(HORIZON)
    return np.asarray(horizon + (np.array(SKY) - horizon) * upper + (np.array(GROUND) - horizon) * lower)


def _lamp_direction(lamp: tuple[float, float, float], camera: Camera) -> tuple[float, float, float]:
    """World direction to a lamp that turns with the camera about the vertical."""
    right, back = camera.right, (camera.right[2] * -1.0, 0.0, camera.right[0])
    x = lamp[0] * right[0] + lamp[2] * back[0]
    y = lamp[1]
    z = lamp[0] * right[2] + lamp[2] * back[2]
    length = sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length)


def _compress(light: FloatArray) -> FloatArray:
    over = np.maximum(light - SHOULDER, 0.0)
    room = 1.0 - SHOULDER
    return np.asarray(np.minimum(light, SHOULDER) + room * over / (over + room))


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2])
