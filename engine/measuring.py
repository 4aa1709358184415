"""Slow measurements of one glTF file, made only when asked for: contacts, loose pieces, symmetry, volume, points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from engine.framing import Point
from engine.geometry.bounds import diagonal, merge_bounds
from engine.geometry.bvh import build_bvh
from engine.geometry.clean import CleanMesh, clean_mesh
from engine.geometry.components import measure_loose_gap
from engine.geometry.contacts import contact_pairs
from engine.geometry.distance import closest_points
from engine.geometry.overlap import build_solid, place_solid, sobol_points
from engine.geometry.symmetry import measure_symmetry
from engine.geometry.winding import INSIDE, build_winding
from engine.gltf.document import Document
from engine.gltf.parts import list_part_nodes, read_part
from engine.render.probe import render_alpha_at, sample_base_color
from engine.render.scene import RenderPiece
from engine.srgb import encode_srgb
from engine.surfaces import Surface
from schemas.errors import GeometryError, InputError
from schemas.placement import Limits

Report = dict[str, Any]
VOLUME_POINTS: Final = 1 << 16


class _Part(NamedTuple):
    """One part of the file, cleaned."""

    id: str
    mesh: CleanMesh


def measure_document(document: Document, names: Sequence[str]) -> Report:
    """Measure what `names` asks for, a subset of MEASURES; parts that cannot be measured are listed with the reason.

    Lengths are in units of the file, gaps exact. Definitions: geometry notes, sections 1, 4, 6 and 9.
    """
    parts, refused = _clean_parts(document)
    report: Report = {name: MEASURES[name](parts) for name in MEASURES if name in names}
    return {**report, "not_measured": refused}


def probe_document(document: Document, points: Sequence[Point]) -> list[Report]:
    """Colour and coverage at points of the file's world: of the nearest part, and seen from straight above.

    Raises InputError when the file has no triangle or a texture cannot be decoded.
    """
    pieces = [RenderPiece(node.id, read_part(document, node.id).surfaces) for node in list_part_nodes(document)]
    surfaces = [(piece.slot, surface) for piece in pieces for surface in piece.surfaces if len(surface.faces)]
    if not surfaces:
        raise InputError(f"{document.path}: has no triangle to look at")
    return [_probe(pieces, surfaces, point) for point in points]


def _clean_parts(document: Document) -> tuple[list[_Part], list[Report]]:
    parts: list[_Part] = []
    refused: list[Report] = []
    for node in list_part_nodes(document):
        try:
            parts.append(_Part(node.id, clean_mesh(*read_part(document, node.id).merged())))
        except GeometryError as error:
            refused.append({"id": node.id, "reason": str(error)})
    return parts, refused


def _measure_contacts(parts: Sequence[_Part]) -> Report:
    """How many pairs of parts touch, and how many are near enough to count as one connected object."""
    placed = [place_solid(build_solid(part.mesh.vertices, part.mesh.faces, 0.0), np.eye(4)) for part in parts]
    limit = Limits().gap_rel
    if not placed:
        return {"limit_over_diagonal": limit, "touching_pairs": 0, "near_pairs": 0, "smallest_gap": None}
    whole = diagonal(merge_bounds(placed[0].bounds, *(part.bounds for part in placed[1:])))
    gaps = [pair.gap for pair in contact_pairs(placed, limit * whole)]
    return {
        "limit_over_diagonal": limit,
        "touching_pairs": sum(gap == 0.0 for gap in gaps),
        "near_pairs": sum(gap < limit * whole for gap in gaps),
        "smallest_gap": min(gaps, default=None),
    }


def _measure_pieces(parts: Sequence[_Part]) -> list[Report]:
    """How far the loosest piece of each part lies from the rest of it."""
    return [
        {
            "id": part.id,
            "pieces": part.mesh.shells,
            "largest_gap": measure_loose_gap(part.mesh) * diagonal(_bounds(part.mesh)),
        }
        for part in parts
    ]


def _measure_symmetries(parts: Sequence[_Part]) -> list[Report]:
    """Axis and order of the rotational symmetry of each part."""
    rows = []
    for part in parts:
        axis, order = measure_symmetry(part.mesh)
        rows.append({"id": part.id, "axis": axis.tolist(), "order": order})
    return rows


def _measure_volumes(parts: Sequence[_Part]) -> list[Report]:
    """Volume of the points that each part encloses, each counted once, by evenly spread points of its box."""
    rows = []
    for part in parts:
        bounds = _bounds(part.mesh)
        points = sobol_points(VOLUME_POINTS, bounds)
        inside = build_winding(part.mesh.vertices, part.mesh.faces).winding(points)
        share = float(np.count_nonzero(inside > INSIDE)) / len(points)
        rows.append({"id": part.id, "solid_volume": share * float(np.prod(bounds[1] - bounds[0]))})
    return rows


MEASURES: Final[dict[str, Callable[[Sequence[_Part]], Any]]] = {
    "contacts": _measure_contacts,
    "pieces": _measure_pieces,
    "symmetry": _measure_symmetries,
    "volume": _measure_volumes,
}
"""What can be asked for, by name."""


def _bounds(mesh: CleanMesh) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.stack([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)])


def _probe(pieces: Sequence[RenderPiece], surfaces: Sequence[tuple[str, Surface]], point: Point) -> Report:
    query = np.array([point])
    distances = [
        float(closest_points(build_bvh(surface.positions, surface.faces), query).distance[0]) for _, surface in surfaces
    ]
    slot, surface = surfaces[distances.index(min(distances))]
    color = sample_base_color(surface, point)
    return {
        "point": list(point),
        "part": slot,
        "distance": min(distances),
        "material": surface.material.name or None,
        "base_color_linear": list(color[:3]),
        "base_color_srgb8": encode_srgb(np.array(color[:3])).tolist(),
        "alpha": color[3],
        "coverage_from_above": render_alpha_at(pieces, point),
    }
