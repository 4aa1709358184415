"""Decoded surfaces of a piece as a consumer of the state sees them: posed, and with its new look."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from engine.geometry.similarity import transform_points
from engine.gltf.affine import transform_normals
from engine.gltf.box_coordinates import project_missing
from engine.gltf.document import Document
from engine.gltf.materials import digest_plain
from engine.gltf.parts import read_part
from engine.gltf.pieces import ComposedPiece, TextureOverride
from engine.gltf.retexture import check_unwrap
from engine.gltf.unwrap_asset import PrimitiveUv
from engine.surfaces import FloatArray, ImageData, Material, PartModel, Surface, TextureSlot
from schemas.errors import InputError

Loader = Callable[[Document, str | None], PartModel]


def read_piece(piece: ComposedPiece, loader: Loader = read_part) -> PartModel:
    """Surfaces of a piece in the state's world, its texture override applied; parts in order.

    Raises what `read_part` raises, InputError when the override does not fit.
    """
    models = [loader(part.document, part.node) for part in piece.parts]
    surfaces = [surface for model in models for surface in model.surfaces]
    if piece.texture is not None:
        surfaces = restyle_surfaces(surfaces, piece.texture)
    if not piece.is_at_rest:
        surfaces = [move_surface(surface, piece.matrix) for surface in surfaces]
    return PartModel(tuple(surfaces), tuple(warning for model in models for warning in model.warnings))


def move_surface(surface: Surface, matrix: FloatArray) -> Surface:
    """A surface under a similarity, float64 and elementwise."""
    positions = transform_points(matrix, surface.positions)
    normals = None if surface.normals is None else transform_normals(matrix, surface.normals)
    for array in (positions, normals):
        if array is not None:
            array.setflags(write=False)
    return replace(surface, positions=positions, normals=normals)


def restyle_surfaces(surfaces: list[Surface], override: TextureOverride) -> list[Surface]:
    """Surfaces under a new look: one image, no colours, new coordinates where the override brings them or none are."""
    image = ImageData(hashlib.sha256(override.image_png).hexdigest(), "image/png", override.image_png)
    unwraps = project_missing(surfaces) if override.uv is None else override.uv.primitives
    if len(unwraps) != len(surfaces):
        raise InputError(f"UV asset: {len(unwraps)} primitives for {len(surfaces)} surfaces")
    return [
        _restyle_surface(surface, unwrap, _restyle(surface.material, override, image))
        for surface, unwrap in zip(surfaces, unwraps, strict=True)
    ]


def _restyle_surface(surface: Surface, unwrap: PrimitiveUv | None, material: Material) -> Surface:
    if unwrap is None:
        return replace(surface, uvs=surface.uvs[:1], colors=None, material=material)
    check_unwrap(unwrap, surface.faces, len(surface.positions))
    return Surface(
        positions=surface.positions[unwrap.vertex_map],
        faces=unwrap.faces.astype(np.int64),
        normals=None if surface.normals is None else surface.normals[unwrap.vertex_map],
        uvs=(unwrap.uv,),
        colors=None,
        material=material,
    )


def _restyle(own: Material, override: TextureOverride, image: ImageData) -> Material:
    double_sided = own.double_sided if override.double_sided is None else override.double_sided
    said = {
        "retexture": override.digest,
        "alphaMode": own.alpha_mode,
        "alphaCutoff": own.alpha_cutoff,
        "doubleSided": double_sided,
    }
    return Material(
        base_color_factor=override.base_color_factor,
        metallic=override.metallic,
        roughness=override.roughness,
        base_color=TextureSlot(image),
        alpha_mode=own.alpha_mode,
        alpha_cutoff=own.alpha_cutoff,
        double_sided=double_sided,
        digest=digest_plain(said),
    )


def walk_arrays(surface: Surface) -> Iterator[tuple[str, bytes]]:
    """Named canonical bytes of a surface: little-endian arrays, and the material's digest."""
    yield "positions", surface.positions.astype("<f8").tobytes()
    yield "faces", surface.faces.astype("<i8").tobytes()
    if surface.normals is not None:
        yield "normals", surface.normals.astype("<f8").tobytes()
    for number, uv in enumerate(surface.uvs):
        yield f"uv{number}", uv.astype("<f4").tobytes()
    if surface.colors is not None:
        yield "colors", surface.colors.astype("<f4").tobytes()
    yield "material", surface.material.digest.encode()
