"""Measure the parts of one object for the library: sizes, symmetry, stability, contacts, mounts, visibility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

import numpy as np

from engine.geometry.bounds import diagonal, merge_bounds
from engine.geometry.components import connected_pieces, measure_loose_gap
from engine.geometry.contacts import contact_pairs
from engine.geometry.overlap import Placed, build_solid, place_solid
from engine.geometry.shape import find_resting_face, measure_axes, measure_mirror
from engine.geometry.stability import measure_stability
from engine.geometry.symmetry import measure_symmetry
from engine.gltf.document import Document, read_document
from engine.gltf.images import decode_image
from engine.gltf.parts import list_part_nodes, read_part
from engine.gltf.seats import read_seat
from engine.placement.contact import (
    FLOOR_REL,
    PairContact,
    as_vec3,
    build_frame,
    ground_frame,
    is_leg,
    measure_pair,
)
from engine.placement.evidence import find_ends, find_ring
from engine.placement.graph import (
    LEAST_VISIBLE,
    Edge,
    Node,
    bridge_components,
    count_hops,
    find_core,
    neighbours_of,
    prune_edges,
)
from engine.placement.mounts import ROUND_ORDER, is_wheel, rank_parents
from engine.render.scene import RenderPiece
from engine.render.visible import measure_part_visibility
from engine.surfaces import FloatArray, PartModel
from library_index.ports import ObjectSurvey, PartFile, PartSurvey
from schemas.base import Bounds
from schemas.errors import EngineError, GltfError, InputError
from schemas.part import Contact, MountRecord, Opening, RestingFace, Shape, Symmetry
from schemas.placement import CONTACT_REL

SEAT = "seat"
"""Name of what a lone part is mounted on, as the parent in its contact frame."""
MOUNTS_KEPT = 3
"""Mounts recorded per part: on its parent, then on the next best neighbours."""


@dataclass(frozen=True, slots=True)
class _Measured:
    """One readable part of the object."""

    file: PartFile
    document: Document
    model: PartModel
    placed: Placed
    area: float
    symmetry: Symmetry
    seat: Placed | None
    """What the part is mounted on when its file says so; counts for an object that is this one part."""

    @property
    def symmetry_axis(self) -> FloatArray | None:
        """(3,) axis of a round part."""
        return np.array(self.symmetry.axis) if self.symmetry.order >= ROUND_ORDER else None


class PlacementSurveyor:
    """Implements library_index.ports.Surveyor."""

    version = "5"

    def survey(self, parts: Sequence[PartFile], root: Path) -> ObjectSurvey:
        """Measure one object; a bad part is listed as refused with the reason.

        Raises InputError when not one part can be measured.
        """
        documents: dict[Path, Document | str] = {}
        decoded: set[str] = set()
        measured: list[_Measured] = []
        refused: list[tuple[str, str]] = []
        for file in parts:
            result = _measure_part(file, root, documents, decoded)
            if isinstance(result, str):
                refused.append((file.part_id, result))
            else:
                measured.append(result)
        if not measured:
            zero = (0.0, 0.0, 0.0)
            return ObjectSurvey(
                parts=(), refused=tuple(refused), bounds=(zero, zero), diagonal=0.0, contacts=(), connected_pieces=0
            )
        return _survey_object(measured, tuple(refused))

    def list_nodes(self, path: Path, root: Path) -> Sequence[tuple[str, str]]:
        """(node id, name) of each mesh-bearing node of the default scene. Raises GltfError."""
        return [(node.id, node.name) for node in list_part_nodes(read_document(path, root=root))]


def _measure_part(
    file: PartFile, root: Path, documents: dict[Path, Document | str], decoded: set[str]
) -> _Measured | str:
    """Read and clean one part; the reason as text when that cannot be done."""
    if file.path not in documents:
        try:
            documents[file.path] = read_document(file.path, root=root)
        except (GltfError, InputError) as error:
            documents[file.path] = _reason(error, file.path)
    document = documents[file.path]
    if isinstance(document, str):
        return document
    try:
        model = read_part(document, file.node)
        _check_images(model, decoded)
        vertices, faces = model.merged()
        solid = build_solid(vertices, faces)
        seat = _place_seat(document)
    except EngineError as error:
        return _reason(error, file.path)
    placed = place_solid(solid, np.eye(4))
    axis, order = measure_symmetry(solid.mesh)
    symmetry = Symmetry(axis=as_vec3(np.asarray(axis)), order=order, mirror=as_vec3(measure_mirror(solid.mesh)))
    return _Measured(file, document, model, placed, _area(placed), symmetry, seat)


def _place_seat(document: Document) -> Placed | None:
    """The solid that the file's part is mounted on. Raises GltfError and GeometryError."""
    mesh = read_seat(document)
    return None if mesh is None else place_solid(build_solid(mesh.vertices, mesh.faces), np.eye(4))


def _check_images(model: PartModel, decoded: set[str]) -> None:
    """Decode every image of a part once: a damaged one would only be met when a chain is built or drawn.

    `decoded` holds the hashes of images found good and is added to. Raises InputError.
    """
    for surface in model.surfaces:
        look = surface.material
        slots = (
            look.base_color,
            look.metallic_roughness,
            look.normal_texture,
            look.emissive_texture,
            look.occlusion_texture,
        )
        for slot in slots:
            if slot is not None and slot.image.sha256 not in decoded:
                decode_image(slot.image)
                decoded.add(slot.image.sha256)


def _reason(error: EngineError, path: Path) -> str:
    """The message without the path: the caller knows which file it speaks of."""
    return str(error).removeprefix(f"{path}: ")


def _survey_object(measured: Sequence[_Measured], refused: tuple[tuple[str, str], ...]) -> ObjectSurvey:
    placed = [part.placed for part in measured]
    bounds = merge_bounds(placed[0].bounds, *(other.bounds for other in placed[1:]))
    whole = diagonal(bounds)
    contacts = _measure_contacts(placed, whole)
    joined = [pair for pair, contact in contacts.items() if contact.gap < CONTACT_REL * whole]
    shares = measure_part_visibility([RenderPiece(part.file.part_id, part.model.surfaces) for part in measured])
    scenery = [*measured, *_seats_of(measured)]
    around = _measure_contacts([part.placed for part in scenery], whole) if len(scenery) > len(measured) else contacts
    mounts = _measure_mounts(scenery, around, bounds, {**shares, SEAT: 1.0})
    surveyed = tuple(_survey_part(part, shares[part.file.part_id], mounts[i]) for i, part in enumerate(measured))
    ids = [part.file.part_id for part in measured]
    return ObjectSurvey(
        parts=surveyed,
        refused=refused,
        bounds=_as_bounds(bounds),
        diagonal=whole,
        contacts=tuple(
            Contact(a=ids[i], b=ids[j], gap_rel=c.gap / whole, size=c.size, kind=c.kind)
            for (i, j), c in sorted(contacts.items())
        ),
        connected_pieces=connected_pieces(len(measured), joined),
    )


def _measure_contacts(placed: Sequence[Placed], whole: float) -> dict[tuple[int, int], PairContact]:
    """Contacts of all pairs that lie within 0.01 of the object's diagonal `whole`."""
    contacts: dict[tuple[int, int], PairContact] = {}
    for pair in contact_pairs(placed, CONTACT_REL * whole):
        contact = measure_pair(placed[pair.i], placed[pair.j], whole)
        if contact is not None:
            contacts[pair.i, pair.j] = contact
    return contacts


def _seats_of(measured: Sequence[_Measured]) -> list[_Measured]:
    """What a lone part is mounted on, as if it were another part beside it; nothing for parts of an object."""
    if len(measured) > 1:
        return []
    return [
        replace(part, file=replace(part.file, part_id=SEAT), placed=part.seat, area=_area(part.seat))
        for part in measured
        if part.seat is not None
    ]


def _measure_mounts(
    measured: Sequence[_Measured],
    contacts: dict[tuple[int, int], PairContact],
    bounds: FloatArray,
    shares: Mapping[str, float],
) -> list[tuple[MountRecord, ...]]:
    """Mounts of every part, the parent's first; a part that touches nothing but the floor rests on the ground."""
    whole = diagonal(bounds)
    placed = [part.placed for part in measured]
    boxes = [part.bounds for part in placed]
    nodes = [
        Node(part.area, _as_bounds(part.placed.bounds), shares[part.file.part_id] >= LEAST_VISIBLE) for part in measured
    ]
    edges = [Edge(i, j, contact.size) for (i, j), contact in sorted(contacts.items())]
    linked = bridge_components(nodes, prune_edges(len(nodes), edges))
    hops = count_hops(find_core(nodes, linked), neighbours_of(len(nodes), linked))
    scene = _Scene(measured, contacts, boxes, hops, float(bounds[0, 1]), whole)
    return [_mounts_of(scene, i) for i in range(len(measured))]


@dataclass(frozen=True, slots=True)
class _Scene:
    """An object while its mounts are measured."""

    parts: Sequence[_Measured]
    contacts: Mapping[tuple[int, int], PairContact]
    boxes: Sequence[FloatArray]
    hops: Sequence[int]
    floor: float
    diagonal: float


def _mounts_of(scene: _Scene, i: int) -> tuple[MountRecord, ...]:
    """Mounts of one part."""
    part, box, whole = scene.parts[i], scene.boxes[i], scene.diagonal
    around = {j if a == i else a: c if a == i else c.flipped() for (a, j), c in scene.contacts.items() if i in (a, j)}
    ranked = rank_parents(i, around, scene.boxes, scene.hops, whole)[:MOUNTS_KEPT]
    wheel = is_wheel(part.symmetry_axis)
    frames = [
        build_frame(
            c.contact,
            part.placed,
            scene.parts[c.other].file.part_id,
            carried=c.carried,
            leg=not c.carried and not wheel and is_leg(c.contact, box, scene.boxes[c.other], scene.floor, whole),
        )
        for c in ranked
    ]
    on_floor = float(box[0, 1]) - scene.floor <= FLOOR_REL * whole
    if not frames and on_floor:
        frames = [ground_frame(part.placed)]
    extents = as_vec3(box[1] - box[0])
    stability = measure_stability(part.placed.solid.mesh)
    share = min(diagonal(box) / whole, 1.0)
    ends = find_ends(box, [(scene.parts[j].placed, contact) for j, contact in sorted(around.items())])
    rings = [find_ring(c.contact, box, scene.boxes[c.other]) for c in ranked]
    supports = [_as_bounds(c.contact.box) for c in ranked]
    return tuple(
        MountRecord(
            frame=frame,
            extents=extents,
            support=support,
            opening=None if ring is None else Opening(origin=as_vec3(ring.origin), radius=ring.radius),
            ends=None if ends is None else (as_vec3(ends.low_at), as_vec3(ends.high_at)),
            reaches_floor=on_floor,
            stability=stability,
            object_share=share,
        )
        for frame, ring, support in zip_longest(frames, rings, supports)
    )


def _survey_part(part: _Measured, visible: float, mounts: tuple[MountRecord, ...]) -> PartSurvey:
    mesh = part.placed.solid.mesh
    axes, resting = measure_axes(mesh), find_resting_face(mesh)
    surfaces = part.model.surfaces
    warnings = list(part.model.warnings)
    if not mounts:
        warnings.append("no mount: it touches no other part and does not stand on the floor")
    return PartSurvey(
        part_id=part.file.part_id,
        sha256=part.document.sha256,
        files=tuple(str(path) for path in part.document.files),
        size_bytes=len(part.document.data),
        bounds=_as_bounds(part.placed.bounds),
        triangles=sum(len(surface.faces) for surface in surfaces),
        materials=len({surface.material.digest or repr(surface.material) for surface in surfaces}),
        textured=any(surface.material.base_color is not None for surface in surfaces),
        closed=mesh.closed,
        area=part.area,
        volume=abs(part.placed.solid.volume),
        loose_gap=measure_loose_gap(mesh),
        visible=visible,
        symmetry=part.symmetry,
        shape=Shape(axis=as_vec3(axes.axes[0]), thin=as_vec3(axes.axes[2]), extents=as_vec3(axes.extents)),
        resting=None
        if resting is None
        else RestingFace(down=as_vec3(resting.down), extents=as_vec3(resting.extents), stability=resting.stability),
        mounts=mounts,
        warnings=tuple(warnings),
    )


def _area(placed: Placed) -> float:
    """Surface of a part."""
    corners = placed.bvh.corners
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return 0.5 * float(np.sqrt((normals * normals).sum(axis=1)).sum())


def _as_bounds(box: FloatArray) -> Bounds:
    return as_vec3(box[0]), as_vec3(box[1])
