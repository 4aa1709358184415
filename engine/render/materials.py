"""What a material says at points of a piece: base colour, alpha, metalness, roughness, emission, bumps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.render.scene import PreparedPiece, PreparedSurface, TextureUse
from engine.render.textures import TEXTURES, sample_texture
from engine.surfaces import FloatArray, IntArray


class SurfacePoints(NamedTuple):
    """N points on a piece, or on one surface when `triangle` counts from its first; all arrays (N,)."""

    triangle: IntArray
    u: FloatArray
    """Weight of the second corner."""
    v: FloatArray
    """Weight of the third."""
    footprint: FloatArray
    """World width of the pixel that looks at the point; 0 reads textures at full size."""

    def take(self, chosen: IntArray) -> SurfacePoints:
        """Keep the chosen points."""
        return SurfacePoints(self.triangle[chosen], self.u[chosen], self.v[chosen], self.footprint[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Material values at N points, in linear light."""

    base: FloatArray
    """(N, 3) base colour."""
    alpha: FloatArray
    """(N,) coverage after the alpha mode: 1 for OPAQUE, 0 or 1 for MASK."""
    metallic: FloatArray
    roughness: FloatArray
    emissive: FloatArray
    """(N, 3)."""
    unlit: NDArray[np.bool_]


def measure_looks(piece: PreparedPiece, points: SurfacePoints) -> Looks:
    """Material values at points. Raises InputError when a texture cannot be decoded."""
    count = len(points.triangle)
    base, alpha = np.ones((count, 3)), np.ones(count)
    metallic, roughness = np.ones(count), np.ones(count)
    emissive, unlit = np.zeros((count, 3)), np.zeros(count, dtype=bool)
    surface_of = piece.surface_of[points.triangle]
    for index, prepared in enumerate(piece.surfaces):
        chosen = np.flatnonzero(surface_of == index)
        if len(chosen) == 0:
            continue
        some = _on_surface(prepared, points, chosen)
        color = _base_color(prepared, some)
        material = prepared.surface.material
        base[chosen], alpha[chosen] = color[:, :3], _coverage(prepared, color[:, 3])
        unlit[chosen] = material.unlit
        rough_metal = _sample(prepared, "metallic_roughness", some, is_color=False)
        metallic[chosen] = material.metallic if rough_metal is None else rough_metal[:, 2] * material.metallic
        roughness[chosen] = material.roughness if rough_metal is None else rough_metal[:, 1] * material.roughness
        if material.emissive != (0.0, 0.0, 0.0):
            glow = _sample(prepared, "emissive_texture", some, is_color=True)
            factor = np.array(material.emissive)
            emissive[chosen] = factor if glow is None else glow[:, :3] * factor
    return Looks(base, alpha, metallic, roughness, emissive, unlit)


def measure_bump(piece: PreparedPiece, points: SurfacePoints) -> FloatArray:
    """(N, 3) normals in the frame of tangent, bitangent and surface normal; (0, 0, 1) without a normal texture.

    Raises InputError when a texture cannot be decoded.
    """
    bump = np.repeat(np.array([[0.0, 0.0, 1.0]]), len(points.triangle), axis=0)
    surface_of = piece.surface_of[points.triangle]
    for index, prepared in enumerate(piece.surfaces):
        chosen = np.flatnonzero(surface_of == index)
        if len(chosen) == 0:
            continue
        normal = _sample(prepared, "normal_texture", _on_surface(prepared, points, chosen), is_color=False)
        if normal is not None:
            # 128, not 127.5, is how images store zero.
            bump[chosen] = normal[:, :3] * (255.0 / 127.0) - 128.0 / 127.0
    return bump


def measure_alpha(piece: PreparedPiece, points: SurfacePoints) -> FloatArray:
    """(N,) coverage after the alpha mode. Raises InputError when a texture cannot be decoded."""
    alpha = np.ones(len(points.triangle))
    surface_of = piece.surface_of[points.triangle]
    for index, prepared in enumerate(piece.surfaces):
        chosen = np.flatnonzero(surface_of == index)
        if len(chosen) and prepared.surface.material.alpha_mode != "OPAQUE":
            color = _base_color(prepared, _on_surface(prepared, points, chosen))
            alpha[chosen] = _coverage(prepared, color[:, 3])
    return alpha


def measure_base_color(piece: PreparedPiece, points: SurfacePoints) -> FloatArray:
    """(N, 4) linear base colour, alpha as it is stored. Raises InputError when a texture cannot be decoded."""
    color = np.ones((len(points.triangle), 4))
    surface_of = piece.surface_of[points.triangle]
    for index, prepared in enumerate(piece.surfaces):
        chosen = np.flatnonzero(surface_of == index)
        if len(chosen):
            color[chosen] = _base_color(prepared, _on_surface(prepared, points, chosen))
    return color


def _on_surface(prepared: PreparedSurface, points: SurfacePoints, chosen: IntArray) -> SurfacePoints:
    some = points.take(chosen)
    return some._replace(triangle=some.triangle - prepared.first)


def _coverage(prepared: PreparedSurface, alpha: FloatArray) -> FloatArray:
    material = prepared.surface.material
    if material.alpha_mode == "OPAQUE":
        return np.ones_like(alpha)
    if material.alpha_mode == "MASK":
        return np.where(alpha >= material.alpha_cutoff, 1.0, 0.0)
    return np.asarray(np.clip(alpha, 0.0, 1.0))


def _base_color(prepared: PreparedSurface, points: SurfacePoints) -> FloatArray:
    """(N, 4): factor x texture x vertex colour, linear, alpha not yet judged."""
    color = np.repeat(np.array([prepared.surface.material.base_color_factor]), len(points.triangle), axis=0)
    texture = _sample(prepared, "base_color", points, is_color=True)
    if texture is not None:
        color = color * texture
    if prepared.surface.colors is not None:
        corners = prepared.surface.colors[prepared.surface.faces[points.triangle]].astype(np.float64)
        color = color * mix_corners(corners, points.u, points.v)
    return color


def _sample(prepared: PreparedSurface, use: TextureUse, points: SurfacePoints, *, is_color: bool) -> FloatArray | None:
    """(N, 4) of one texture; None when the material has none or its coordinates are missing."""
    slot = getattr(prepared.surface.material, use)
    corners = prepared.corner_uvs.get(use)
    if slot is None or corners is None:
        return None
    pyramid = TEXTURES.find(slot.image, is_color=is_color)
    side = np.sqrt(float(pyramid.widths[0] * pyramid.heights[0]))
    texels = prepared.texel_density[use][points.triangle] * points.footprint * side
    # The exponent is the whole part of the binary logarithm, without a logarithm.
    exponent = np.frexp(texels)[1].astype(np.int64) - 1
    uv = mix_corners(corners[points.triangle], points.u, points.v)
    return sample_texture(slot, uv, np.maximum(exponent, 0), is_color=is_color)


def mix_corners(corners: FloatArray, u: FloatArray, v: FloatArray) -> FloatArray:
    """(N, C) values at corner weights 1 - u - v, u, v of (N, 3, C) corner values."""
    w = (1.0 - u - v)[:, None]
    return np.asarray(corners[:, 0] * w + corners[:, 1] * u[:, None] + corners[:, 2] * v[:, None])
