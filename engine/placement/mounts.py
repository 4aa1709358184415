"""Which of its neighbours a part hangs on, and the mount of a whole slot in a state (PLACEMENT 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.overlap import Placed
from engine.geometry.shape import measure_axes
from engine.geometry.similarity import scale_of, transform_vectors
from engine.geometry.stability import LEAST_STABILITY, measure_stability
from engine.geometry.symmetry import measure_symmetry
from engine.placement.checks import diagonal_of
from engine.placement.contact import (
    FLOOR_REL,
    UP,
    UP_LIMIT,
    PairContact,
    build_frame,
    ground_frame,
    is_carried,
    is_leg,
    unit,
)
from engine.placement.contact_memory import known_pair
from engine.placement.evidence import BAR_RATIO, Ends, Ring, find_ends, find_ring
from engine.placement.graph import Edge, count_hops, neighbours_of
from engine.placement.state import PartKey, StateGeometry, box_of
from engine.surfaces import FloatArray
from schemas.part import ContactFrame
from schemas.placement import Rejection

CARRY_BONUS = 2.5
CORE_BONUS = 1.5
ROUND_ORDER = 5
COVER_SHARE = 0.1
"""Contacts in this share of a part's height below its top lie on it."""
HORIZONTAL = 0.3
FLAT = 0.6
"""Third over second principal extent of plates, pillows, cushions, books and pictures."""
LEANING = (0.08, 0.95)
"""Vertical component of a flat part's face between which it leans: less stands on edge, more lies."""
HEAD_SHARE = 0.8
"""A head part with at least this share of its slot's diagonal stands for the slot in size decisions."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One neighbour as a possible parent."""

    other: int
    contact: PairContact
    carried: bool
    score: float


@dataclass(frozen=True, slots=True)
class SlotMount:
    """How the piece of a slot sits in the current state."""

    slot: str
    frame: ContactFrame
    parent: tuple[Placed, ...]
    """The parent part; empty on the ground."""
    bounds: FloatArray
    """(2, 3) box of the whole piece, world."""
    anchor: FloatArray
    """(2, 3) box that a replacement is fitted to: the head part's, or the piece's when the head is but a bit of it."""
    reaches_floor: bool
    ends: Ends | None = None
    """For a bar held at both ends: what holds it; it must still be held there after a replacement."""
    round_axis: FloatArray | None = None
    """(3,) world axis of a round head part (5-fold or more)."""
    ring: Ring | None = None
    """The opening with which the head part surrounds its parent, else another neighbour: a wheel its axle."""
    is_worn: bool = False
    """Whether it is the parent that `ring` surrounds."""
    axes: FloatArray | None = None
    """(3, 3) world principal axes of a head part that stands for its slot, one a row, largest spread first."""
    spans: FloatArray | None = None
    """(3,) world extents along `axes`."""
    is_covered: bool = False
    """Something above touches the piece and is held by it: its height must not change much."""
    is_firm: bool = True
    """Whether the head part would stand by itself as it is turned."""
    lean: FloatArray | None = None
    """(3,) horizontal unit vector towards what a flat piece leans on; None for what does not lean."""

    @property
    def is_leg(self) -> bool:
        """Hangs below its parent and stands on the floor; a wheel rolls on it instead."""
        return self.frame.direction == "down" and self.reaches_floor and not is_wheel(self.round_axis)


def rank_parents(
    node: int,
    contacts: Mapping[int, PairContact],
    bounds: Sequence[FloatArray],
    hops: Sequence[int],
    diagonal: float,
) -> tuple[Candidate, ...]:
    """Neighbours of a part as parents, best first.

    Score = contact size, x 2.5 when the neighbour carries the part, x 1.5 when it is nearer to the core.
    `contacts` maps a neighbour to the contact with `node` as the part; `hops` counts steps to the core.
    """
    ranked = []
    for other in sorted(contacts):
        contact = contacts[other]
        carried = is_carried(contact, bounds[node], bounds[other], diagonal)
        score = contact.size * (CARRY_BONUS if carried else 1.0) * (CORE_BONUS if hops[other] < hops[node] else 1.0)
        ranked.append(Candidate(other, contact, carried, score))
    return tuple(sorted(ranked, key=lambda c: (-c.score, c.other)))


def measure_slot_mount(state: StateGeometry, slot: str) -> SlotMount | Rejection:
    """The contact frame of the piece in `slot` against its one parent part outside the slot.

    A piece of several parts is judged by its head: the member with the best-scored contact to the outside. Its frame
    is the slot's; its box anchors a replacement when it spans at least 0.8 of the piece's diagonal, else the piece's
    box does (a wick is not the candle). Returns a `frame` rejection for a piece that touches nothing.
    """
    piece = state.piece(slot)
    bounds = box_of(piece)
    reaches_floor = float(bounds[0, 1]) <= state.floor + FLOOR_REL * state.diagonal
    found = _find_head(state, slot)
    if found is None:
        if slot in state.grounded or float(bounds[0, 1]) <= state.ground + FLOOR_REL * state.diagonal:
            lowest = min(range(len(piece)), key=lambda i: (float(piece[i].bounds[0][1]), i))
            return SlotMount(slot, ground_frame(piece[lowest]), (), bounds, bounds, reaches_floor)
        return Rejection(check="frame", measured=None, limit=None, detail=f"the piece in {slot} touches nothing")
    parent = state.piece(found.parent[0])[found.parent[1]]
    member, contact = piece[found.index], found.best.contact
    leg = not is_wheel(measure_round_axis(member)) and is_leg(
        contact, member.bounds, parent.bounds, state.floor, state.diagonal
    )
    carried = found.best.carried
    frame = build_frame(contact, member, found.parent[0], carried=carried, leg=leg and not carried)
    head_box = box_of([member])
    anchor = head_box if diagonal_of(head_box) >= HEAD_SHARE * diagonal_of(bounds) else bounds
    axes, spans = _principal(member) if anchor is head_box else (None, None)
    round_axis = measure_round_axis(member)
    is_firm = not carried or measure_stability(member.solid.mesh, _down_in(member)) >= LEAST_STABILITY
    worn = find_ring(contact, member.bounds, parent.bounds)
    return SlotMount(
        slot,
        frame,
        (parent,),
        bounds,
        anchor,
        reaches_floor,
        ends=find_ends(anchor, found.around),
        round_axis=round_axis,
        ring=worn or _find_other_ring(found, member),
        is_worn=worn is not None,
        axes=axes,
        spans=spans,
        is_covered=_is_covered(head_box, found),
        is_firm=is_firm,
        lean=None if axes is None or spans is None or is_firm else _lean(axes, spans),
    )


def find_parent(state: StateGeometry, slot: str) -> str | None:
    """The slot that holds the piece in `slot`, by the rule of its mount; None when it touches nothing."""
    if slot not in state.parents_seen:
        found = _find_head(state, slot)
        state.parents_seen[slot] = None if found is None else found.parent[0]
    return state.parents_seen[slot]


def find_held(state: StateGeometry, slot: str) -> tuple[str, ...]:
    """The neighbours that the piece in `slot` holds, ascending; the core is held by nothing."""
    around = {b[0] if a[0] == slot else a[0] for a, b in state.edges if slot in {a[0], b[0]}} - {slot, state.core}
    return tuple(name for name in sorted(around) if find_parent(state, name) == slot)


def is_wheel(axis: FloatArray | None) -> bool:
    """Whether a part is round about a horizontal axis: what stands on it rolls, it is no leg."""
    return axis is not None and abs(float(axis[1])) < HORIZONTAL


def is_flat(extents: Sequence[float] | FloatArray) -> bool:
    """Whether a part is a plate, a pillow or a picture: its third principal extent is small against its second."""
    return bool(extents[2] <= FLAT * min(extents[0], extents[1]))


def _down_in(member: Placed) -> FloatArray:
    """(3,) world down in part coordinates, unit length."""
    return unit(-np.asarray(member.matrix)[1, :3], fallback=-UP)


def _find_other_ring(head: _Head, member: Placed) -> Ring | None:
    """The largest opening in which another neighbour than the parent sits."""
    ranked = sorted(range(len(head.around)), key=lambda i: (-head.around[i][1].size, i))
    rings = (find_ring(head.around[i][1], member.bounds, head.around[i][0].bounds) for i in ranked)
    return next((ring for ring in rings if ring is not None), None)


def _principal(member: Placed) -> tuple[FloatArray, FloatArray]:
    """World principal axes, one a row, and extents along them."""
    found = measure_axes(member.solid.mesh)
    axes = np.stack([unit(transform_vectors(member.matrix, axis), fallback=UP) for axis in found.axes])
    return axes, found.extents * scale_of(member.matrix)


def _lean(axes: FloatArray, spans: FloatArray) -> FloatArray | None:
    """Direction in which a flat piece leans: against the horizontal part of the face that looks up."""
    thin = axes[2] if axes[2, 1] >= 0.0 else -axes[2]
    if not is_flat(spans) or not LEANING[0] < thin[1] < LEANING[1]:
        return None
    return unit(np.array([-thin[0], 0.0, -thin[2]]), fallback=UP)


def is_long(extents: Sequence[float] | FloatArray) -> bool:
    """Whether a part is elongated: at least 2.5 times as long along its first principal axis as across it."""
    return bool(extents[0] >= BAR_RATIO * max(extents[1], extents[2]))


def _is_covered(box: FloatArray, head: _Head) -> bool:
    """Whether another part than the parent touches the head part in the top tenth of its (2, 3) box."""
    top = float(box[1, 1]) - COVER_SHARE * float(box[1, 1] - box[0, 1])
    parent = head.best.contact
    return any(
        contact is not parent and float(contact.origin[1]) >= top and abs(float(contact.normal[1])) > UP_LIMIT
        for _, contact in head.around
    )


def measure_round_axis(member: Placed) -> FloatArray | None:
    """World axis of a round part, or None."""
    axis, order = measure_symmetry(member.solid.mesh)
    return unit(transform_vectors(member.matrix, axis), fallback=UP) if order >= ROUND_ORDER else None


@dataclass(frozen=True, slots=True)
class _Head:
    """The member of a piece that hangs on the outside: its index, its parent and all its outer contacts."""

    index: int
    parent: PartKey
    best: Candidate
    around: tuple[tuple[Placed, PairContact], ...]


def _find_head(state: StateGeometry, slot: str) -> _Head | None:
    """The member of the slot with the best contact to the outside, its parent, and that contact."""
    keys = [key for key, _ in state.parts]
    position = {key: i for i, key in enumerate(keys)}
    boxes = [placed.bounds for _, placed in state.parts]
    hops = hops_from_core(state)
    best: _Head | None = None
    for index, member in enumerate(state.piece(slot)):
        key = (slot, index)
        touching = [b if a == key else a for a, b in state.edges if key in {a, b}]
        contacts = {}
        for other in touching:
            if other[0] == slot:
                continue
            measured = known_pair(member, state.piece(other[0])[other[1]], state.diagonal)
            if measured is not None:
                contacts[position[other]] = measured
        for candidate in rank_parents(position[key], contacts, boxes, hops, state.diagonal)[:1]:
            if best is None or candidate.score > best.best.score:
                around = tuple((state.parts[i][1], contact) for i, contact in sorted(contacts.items()))
                best = _Head(index, keys[candidate.other], candidate, around)
    return best


def hops_from_core(state: StateGeometry) -> tuple[int, ...]:
    """Steps from each part to the nearest part of the core, in the order of `state.parts`."""
    keys = [key for key, _ in state.parts]
    position = {key: i for i, key in enumerate(keys)}
    count = len(keys)
    edges = [Edge(position[a], position[b], 1.0) for a, b in state.edges]
    edges.extend(Edge(i, count, 1.0) for i, key in enumerate(keys) if key[0] == state.core)
    return count_hops(count, neighbours_of(count + 1, edges))[:count]
