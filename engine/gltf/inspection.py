"""What one glTF file holds, as a plain report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine.gltf.document import Document
from engine.gltf.images import decode_image
from engine.gltf.parts import PartNode, list_part_nodes, read_part
from engine.gltf.scene import scan_scene
from engine.gltf.topology import (
    Joined,
    count_boundary_edges,
    cross_rows,
    first_occurrences,
    join_positions,
    label_components,
    row_lengths,
    signed_volume,
)
from engine.srgb import decode_table
from engine.surfaces import FloatArray, Material, PartModel, TextureSlot
from schemas.errors import GltfError, InputError

Report = dict[str, Any]
SMALL_FRAGMENT = 0.005
"""A loose component below this share of a part's area counts as a small fragment."""
MAX_UV_CORNERS = 16


def inspect_document(document: Document) -> Report:
    """Report on every part of the default scene, in world units of the file (glTF axes, Y up).

    Lengths are those of vertices that faces use; parts without area are listed as empty and left out of the totals.
    Raises GltfError for a part that is refused.
    """
    colors = _MeanColors(document.path)
    parts: list[Report] = []
    empty: list[Report] = []
    warnings = [*document.warnings, *scan_scene(document).warnings]
    for part in list_part_nodes(document):
        model = read_part(document, part.id)
        warnings += model.warnings
        row = _inspect_part(part, model, colors)
        (parts if row["triangles_with_area"] else empty).append(row)
    warnings += [f"part {row['id']!r} is empty: none of its {row['triangles']} triangles has an area" for row in empty]
    return {
        "file": document.path.name,
        "sha256": document.sha256,
        "files": [name for name, _ in document.file_hashes],
        "n_parts": len(parts),
        "triangles": sum(row["triangles"] for row in parts),
        "triangles_with_area": sum(row["triangles_with_area"] for row in parts),
        "area": sum(row["area"] for row in parts),
        **_bounds(np.array([corner for row in parts for corner in row["bounds"]]).reshape(-1, 3)),
        "parts": parts,
        "empty_parts": [{"id": row["id"], "name": row["name"], "triangles": row["triangles"]} for row in empty],
        "ignored_nodes": [{"name": name, "reason": reason} for name, reason in scan_scene(document).ignored],
        "warnings": list(dict.fromkeys(warnings)),
    }


def _inspect_part(part: PartNode, model: PartModel, colors: _MeanColors) -> Report:
    positions, faces = model.merged()
    joined = join_positions(positions, faces)
    normals = [surface.normals for surface in model.surfaces if surface.normals is not None]
    return {
        "id": part.id,
        "name": part.name or None,
        "node": part.node_index,
        "triangles": len(faces),
        "triangles_with_area": len(joined.faces),
        "vertices": len(positions),
        **_bounds(joined.positions[np.unique(joined.faces)]),
        **_measure_shape(joined),
        "mean_normal": _mean_normal(joined),
        "finite_normals": all(bool(np.isfinite(array).all()) for array in normals),
        "uv_sets": max((len(surface.uvs) for surface in model.surfaces), default=0),
        "uv_corners": _uv_corners(model),
        "vertex_colors": any(surface.colors is not None for surface in model.surfaces),
        "materials": _inspect_materials(model, colors),
    }


def _bounds(points: FloatArray) -> Report:
    if not len(points):
        return {"bounds": None, "extents": None}
    low, high = points.min(axis=0), points.max(axis=0)
    return {"bounds": [low.tolist(), high.tolist()], "extents": (high - low).tolist()}


def _measure_shape(joined: Joined) -> Report:
    """Area, volume, components and boundary of the joined faces."""
    once = first_occurrences(joined.faces)
    outline = joined.faces[once]
    boundary = count_boundary_edges(joined.faces)
    closed = boundary == 0 and len(joined.faces) > 0
    raw = signed_volume(joined.positions, joined.faces)
    count, labels = label_components(joined)
    areas = np.bincount(labels, weights=joined.areas, minlength=count)
    total = float(joined.areas.sum())
    main = joined.faces[labels == int(np.argmax(areas))] if count else joined.faces
    return {
        "area": total,
        "area_without_duplicates": float(joined.areas[once].sum()),
        "duplicate_triangles": int((~once).sum()),
        "closed": closed,
        "boundary_edges": boundary,
        "signed_volume": raw if closed else None,
        "signed_volume_raw": raw,
        "outline_volume": abs(signed_volume(joined.positions, outline)) if closed else None,
        "inverted": closed and raw < 0,
        "components": count,
        "small_fragments": int((areas < SMALL_FRAGMENT * total).sum()),
        "main_component": _bounds(joined.positions[np.unique(main)]),
    }


def _mean_normal(joined: Joined) -> list[float] | None:
    """Unit mean of the face normals weighted by area; None when they cancel."""
    a, b, c = (joined.positions[joined.faces[:, corner]] for corner in range(3))
    total = cross_rows(b - a, c - a).sum(axis=0)
    length = float(row_lengths(total[None, :])[0])
    return (total / length).tolist() if length > 1e-9 * float(joined.areas.sum()) else None


def _uv_corners(model: PartModel) -> list[list[float]] | None:
    """Distinct coordinates of the first UV set when there are few."""
    sets = [surface.uvs[0] for surface in model.surfaces if surface.uvs]
    if not sets:
        return None
    distinct = np.unique(np.concatenate(sets), axis=0)
    return distinct.tolist() if len(distinct) <= MAX_UV_CORNERS else None


def _inspect_materials(model: PartModel, colors: _MeanColors) -> list[Report]:
    """One row per distinct material, in order of first use, with its number of triangles."""
    rows: dict[tuple[str, str], Report] = {}
    for surface in model.surfaces:
        material = surface.material
        row = rows.setdefault((material.name, material.digest), {**_inspect_material(material, colors), "triangles": 0})
        row["triangles"] += len(surface.faces)
    return list(rows.values())


def _inspect_material(material: Material, colors: _MeanColors) -> Report:
    mean = colors.mean_linear(material.base_color)
    factor = material.base_color_factor
    slots = {
        "base_color": material.base_color,
        "metallic_roughness": material.metallic_roughness,
        "emissive": material.emissive_texture,
        "normal": material.normal_texture,
        "occlusion": material.occlusion_texture,
    }
    return {
        "name": material.name or None,
        "base_color_factor": list(factor),
        "base_color_linear": [factor[channel] * mean[channel] for channel in range(3)],
        "metallic": material.metallic,
        "roughness": material.roughness,
        "emissive": list(material.emissive),
        "alpha_mode": material.alpha_mode,
        "alpha_cutoff": material.alpha_cutoff,
        "double_sided": material.double_sided,
        "unlit": material.unlit,
        "textures": {role: _inspect_texture(slot) for role, slot in slots.items() if slot is not None},
        "digest": material.digest,
    }


def _inspect_texture(slot: TextureSlot) -> Report:
    return {
        "sha256": slot.image.sha256,
        "mime": slot.image.mime,
        "bytes": len(slot.image.data),
        "uv_set": slot.uv_set,
        "offset": list(slot.offset),
        "rotation": slot.rotation,
        "scale": list(slot.scale),
        "wrap": [slot.wrap_s, slot.wrap_t],
    }


class _MeanColors:
    """Mean linear colour of images, each decoded once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._means: dict[str, tuple[float, ...]] = {}
        self._linear = decode_table()

    def mean_linear(self, slot: TextureSlot | None) -> tuple[float, ...]:
        """Mean over all texels, white without a texture."""
        if slot is None:
            return (1.0, 1.0, 1.0)
        if slot.image.sha256 not in self._means:
            try:
                pixels = decode_image(slot.image)
            except InputError as error:
                raise GltfError(self._path, str(error)) from error
            counts = [np.bincount(pixels[..., channel].ravel(), minlength=256) for channel in range(3)]
            texels = pixels.shape[0] * pixels.shape[1]
            self._means[slot.image.sha256] = tuple(float((count * self._linear).sum() / texels) for count in counts)
        return self._means[slot.image.sha256]
