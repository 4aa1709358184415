"""Judge a given pose of a part on a host: the four checks and the scale, with every measured value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from engine.geometry.bounds import diagonal, merge_bounds
from engine.geometry.overlap import Placed, build_solid, measure_overlap, place_solid
from engine.geometry.similarity import as_matrix, scale_of
from engine.gltf.document import read_document
from engine.gltf.parts import list_part_nodes, read_part
from engine.placement import checks
from engine.placement.contact import build_frame, measure_pair
from engine.placement.state import StateGeometry, box_of, build_state
from schemas.base import Matrix4
from schemas.errors import InputError
from schemas.operation import GROUND
from schemas.placement import Limits, Rejection

PART_SLOT = "checked part"


@dataclass(frozen=True, slots=True)
class PoseVerdict:
    """The verdict on one pose. Lengths in world units; `_over_` values are fractions."""

    verdict: Literal["accept", "reject"]
    reason: str | None
    """The check that failed first: scale, gap, interpenetration, connected, frame."""
    measured: float | None
    limit: float | None
    detail: str
    attach_to: str
    nearest: str
    gap: float
    gap_over_host_diagonal: float
    gap_over_assembled_diagonal: float
    primary_gap_over_host_diagonal: float
    fraction_of_part_volume: float
    """Share of the part inside other parts; of its surface when `measure` is `surface`."""
    measure: str
    contained: bool
    intersection_volume: float | None
    """Null when the part has no volume."""
    fraction_of_host_volume: float | None
    part_volume: float
    closed: bool
    connected_pieces_before: int
    connected_pieces_after: int
    scale: float
    contact_kind: str | None
    contact_direction: str | None
    host_diagonal: float


def judge_pose(host: Path, part: Path, pose: Matrix4, attach_to: str | None, limits: Limits) -> PoseVerdict:
    """Measure `part` at `pose` on `host`, both files; every mesh-bearing node of the host is one part of it.

    Raises GltfError or GeometryError for a file that cannot be measured and InputError for an unknown `attach_to`.
    """
    state = read_host(host)
    document = read_document(part)
    solid = build_solid(*read_part(document, None).merged())
    placed = place_solid(solid, as_matrix(pose))
    parent = _parent_of(state, attach_to, host)
    on_ground = attach_to == GROUND
    distances = checks.measure_distances(placed, state, parent, on_ground=on_ground)
    others = [other for _, other in state.parts]
    overlap = measure_overlap(placed, others)
    after = state.with_piece(PART_SLOT, (placed,), grounded=on_ground)
    before_pieces, after_pieces = state.count_pieces(with_ground=on_ground), after.count_pieces()
    scale = scale_of(placed.matrix)
    contact = next(
        (found for other in parent if (found := measure_pair(placed, other, state.diagonal)) is not None), None
    )
    frame = None if contact is None else build_frame(contact, placed, attach_to or "", carried=False)
    rejection = checks.first_rejection(
        (
            checks.check_own_scale(scale, limits),
            checks.check_gaps(distances, limits),
            checks.check_overlap(overlap, None, limits),
            checks.check_connected(before_pieces, after_pieces, state.initial_pieces),
            None
            if on_ground or frame is not None
            else Rejection(check="frame", measured=None, limit=None, detail="no contact"),
        )
    )
    volume = solid.volume * scale * scale * scale
    host_volume = sum(other.solid.volume for other in others)
    shared = overlap.fraction * volume if volume > 0.0 and overlap.measure != "surface" else None
    assembled = diagonal(merge_bounds(state.bounds, placed.bounds))
    return PoseVerdict(
        verdict="accept" if rejection is None else "reject",
        reason=None if rejection is None else rejection.check,
        measured=None if rejection is None else rejection.measured,
        limit=None if rejection is None else rejection.limit,
        detail="" if rejection is None else rejection.detail,
        attach_to=attach_to or distances.nearest_slot,
        nearest=distances.nearest_slot,
        gap=distances.gap_rel * state.diagonal,
        gap_over_host_diagonal=distances.gap_rel,
        gap_over_assembled_diagonal=distances.gap_rel * state.diagonal / assembled,
        primary_gap_over_host_diagonal=distances.primary_gap_rel,
        fraction_of_part_volume=overlap.fraction,
        measure=overlap.measure,
        contained=overlap.contained,
        intersection_volume=shared,
        fraction_of_host_volume=shared / host_volume if shared is not None and host_volume > 0.0 else None,
        part_volume=volume,
        closed=solid.mesh.closed,
        connected_pieces_before=before_pieces,
        connected_pieces_after=after_pieces,
        scale=scale,
        contact_kind=None if frame is None else frame.kind,
        contact_direction=None if frame is None else frame.direction,
        host_diagonal=state.diagonal,
    )


def read_host(path: Path) -> StateGeometry:
    """A host file as a state: one slot for each mesh-bearing node, the largest as core."""
    document = read_document(path)
    pieces: dict[str, tuple[Placed, ...]] = {}
    for node in list_part_nodes(document):
        solid = build_solid(*read_part(document, node.id).merged())
        pieces[node.id] = (place_solid(solid, np.eye(4)),)
    if not pieces:
        raise InputError(f"{path}: holds no part with triangles")
    bounds = box_of([piece[0] for piece in pieces.values()])
    core = max(sorted(pieces), key=lambda name: diagonal(pieces[name][0].bounds))
    return build_state(pieces, diagonal(bounds), float(bounds[0, 1]), core)


def _parent_of(state: StateGeometry, attach_to: str | None, host: Path) -> tuple[Placed, ...]:
    """The named part, or all parts when none is named."""
    if attach_to is None or attach_to == GROUND:
        return tuple(placed for _, placed in state.parts)
    if attach_to not in state.pieces:
        known = ", ".join(sorted(state.pieces)[:20])
        raise InputError(f"{host}: has no part {attach_to!r}; its parts are {known}")
    return state.pieces[attach_to]
