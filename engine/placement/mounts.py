"""Which of its neighbours a part hangs on, and the mount of a whole slot in a state (PLACEMENT 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.geometry.overlap import Placed
from engine.placement.checks import diagonal_of
from engine.placement.contact import (
    PairContact,
    build_frame,
    ground_frame,
    is_carried,
    measure_pair,
)
from engine.placement.graph import Edge, count_hops, neighbours_of
from engine.placement.state import PartKey, StateGeometry, box_of
from engine.surfaces import FloatArray
from schemas.part import ContactFrame
from schemas.placement import Rejection

CARRY_BONUS = 2.5
CORE_BONUS = 1.5
FLOOR_REL = 0.01
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
    head, parent_key, candidate = found
    parent = state.piece(parent_key[0])[parent_key[1]]
    frame = build_frame(candidate.contact, piece[head], parent_key[0], carried=candidate.carried)
    head_box = box_of([piece[head]])
    anchor = head_box if diagonal_of(head_box) >= HEAD_SHARE * diagonal_of(bounds) else bounds
    return SlotMount(slot, frame, (parent,), bounds, anchor, reaches_floor)


def _find_head(state: StateGeometry, slot: str) -> tuple[int, PartKey, Candidate] | None:
    """The member of the slot with the best contact to the outside, its parent, and that contact."""
    keys = [key for key, _ in state.parts]
    position = {key: i for i, key in enumerate(keys)}
    boxes = [placed.bounds for _, placed in state.parts]
    hops = hops_from_core(state)
    best: tuple[float, int, PartKey, Candidate] | None = None
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
            if best is None or candidate.score > best[0]:
                best = (candidate.score, index, keys[candidate.other], candidate)
    return None if best is None else best[1:]


def hops_from_core(state: StateGeometry) -> tuple[int, ...]:
    """Steps from each part to the nearest part of the core, in the order of `state.parts`."""
    keys = [key for key, _ in state.parts]
    position = {key: i for i, key in enumerate(keys)}
    count = len(keys)
    edges = [Edge(position[a], position[b], 1.0) for a, b in state.edges]
    edges.extend(Edge(i, count, 1.0) for i, key in enumerate(keys) if key[0] == state.core)
    return count_hops(count, neighbours_of(count + 1, edges))[:count]
