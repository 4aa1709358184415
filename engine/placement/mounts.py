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
    measure_pair,
    unit,
)
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
    """The opening with which the head part surrounds its parent."""
    long_axis: FloatArray | None = None
    """(3,) world axis of an elongated head part that stands for its slot."""
    long_extents: FloatArray | None = None
    """(3,) world extents along and across `long_axis`."""
    is_covered: bool = False
    """Something above touches the piece and is held by it: its height must not change much."""
    leans: bool = False
    """The old piece rests where it would tip over by itself."""

    @property
    def is_leg(self) -> bool:
        """Hangs below its parent and stands on the floor."""
        return self.frame.direction == "down" and self.reaches_floor


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
    leg = is_leg(contact, member.bounds, parent.bounds, state.floor, state.diagonal)
    carried = found.best.carried
    frame = build_frame(contact, member, found.parent[0], carried=carried, leg=leg and not carried)
    head_box = box_of([member])
    anchor = head_box if diagonal_of(head_box) >= HEAD_SHARE * diagonal_of(bounds) else bounds
    whole = anchor is head_box
    axes = measure_axes(member.solid.mesh) if whole else None
    long = None if axes is None or not is_long(axes.extents) else axes
    scale = scale_of(member.matrix)
    return SlotMount(
        slot,
        frame,
        (parent,),
        bounds,
        anchor,
        reaches_floor,
        ends=find_ends(anchor, found.around),
        round_axis=_round_axis(member),
        ring=find_ring(contact, member.bounds, parent.bounds),
        long_axis=None if long is None else unit(transform_vectors(member.matrix, long.axes[0]), fallback=UP),
        long_extents=None if long is None else long.extents * scale,
        is_covered=_is_covered(head_box, found),
        leans=carried and measure_stability(member.solid.mesh, _down_in(member)) < LEAST_STABILITY,
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


def is_long(extents: Sequence[float] | FloatArray) -> bool:
    """Whether a part is elongated: at least 2.5 times as long along its first principal axis as across it."""
    return bool(extents[0] >= BAR_RATIO * max(extents[1], extents[2]))


def _down_in(member: Placed) -> FloatArray:
    """World down in part coordinates, unit length."""
    rows = np.asarray(member.matrix)[:3, :3]
    return unit(-rows[1], fallback=-UP)


def _is_covered(box: FloatArray, head: _Head) -> bool:
    """Whether another part than the parent touches the head part in the top tenth of its (2, 3) box."""
    top = float(box[1, 1]) - COVER_SHARE * float(box[1, 1] - box[0, 1])
    parent = head.best.contact
    return any(
        contact is not parent and float(contact.origin[1]) >= top and abs(float(contact.normal[1])) > UP_LIMIT
        for _, contact in head.around
    )


def _round_axis(member: Placed) -> FloatArray | None:
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
            measured = measure_pair(member, state.piece(other[0])[other[1]], state.diagonal)
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
