"""Which of its neighbours a part hangs on, and the mount of a whole slot in a state (PLACEMENT 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.overlap import Placed
from engine.geometry.similarity import transform_vectors
from engine.geometry.symmetry import measure_symmetry
from engine.placement.checks import diagonal_of
from engine.placement.contact import (
    FLOOR_REL,
    UP,
    PairContact,
    build_frame,
    ground_frame,
    is_carried,
    is_leg,
    unit,
)
from engine.placement.graph import Edge, count_hops, neighbours_of
from engine.placement.pairs import known_pair
from engine.placement.state import PartKey, StateGeometry, box_of
from engine.surfaces import FloatArray
from schemas.part import ContactFrame
from schemas.placement import Rejection

CARRY_BONUS = 2.5
CORE_BONUS = 1.5
BAR_RATIO = 2.5
"""A bar is at least this many times as long as it is wide."""
END_SHARE = 0.25
"""Contacts this near to an end of a bar, in lengths of it, hold that end."""
HOLD_SHARE = 0.15
"""Contacts smaller than this share of the largest hold nothing."""
ROUND_ORDER = 5
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
class Ends:
    """Parts that hold a bar at its low and at its high end along its longest axis."""

    axis: int
    low: tuple[Placed, ...]
    high: tuple[Placed, ...]


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
    return SlotMount(
        slot, frame, (parent,), bounds, anchor, reaches_floor, _find_ends(anchor, found), _round_axis(member)
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


def _find_ends(anchor: FloatArray, head: _Head) -> Ends | None:
    """What holds the two ends of a bar, or None when the piece is no bar or is held at one end only."""
    extents = anchor[1] - anchor[0]
    axis = int(np.argmax(extents))
    others = [float(extents[k]) for k in range(3) if k != axis]
    if float(extents[axis]) < BAR_RATIO * max(others):
        return None
    largest = max(contact.size for _, contact in head.around)
    ends: tuple[list[Placed], list[Placed]] = ([], [])
    for placed, contact in head.around:
        along = (float(contact.origin[axis]) - float(anchor[0, axis])) / float(extents[axis])
        if contact.size >= HOLD_SHARE * largest and along <= END_SHARE:
            ends[0].append(placed)
        elif contact.size >= HOLD_SHARE * largest and along >= 1.0 - END_SHARE:
            ends[1].append(placed)
    return Ends(axis, tuple(ends[0]), tuple(ends[1])) if ends[0] and ends[1] else None


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
