"""The geometry of a chain's state while it is judged: which solids stand where, and which of them touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.geometry.bounds import box_distance
from engine.geometry.contacts import contact_pairs
from engine.geometry.distance import measure_gap
from engine.geometry.overlap import Overlap, Placed, measure_overlap
from engine.placement.contact import is_carried, may_carry
from engine.placement.contact_memory import known_pair
from engine.placement.graph import Edge, count_hops, label_components, neighbours_of
from engine.surfaces import FloatArray
from schemas.errors import OperationError
from schemas.placement import CONTACT_REL

HOLDING = frozenset({"socket", "axial", "through"})
"""Contacts that hold a part whatever way gravity pulls."""
SIDE_CONTACTS = 2.0
"""A contact at the side holds as much as one of this part of its size that a part is let into."""
PartKey = tuple[str, int]
"""Slot and index of a part inside it."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest of several parts: its index and the exact distance."""

    index: int
    gap: float


@dataclass(frozen=True, slots=True)
class StateGeometry:
    """All placed parts of a state, by slot, with the contact edges between them.

    A changed state keeps the edges of untouched parts, so judging a candidate costs only its own contacts.
    """

    pieces: Mapping[str, tuple[Placed, ...]]
    """Slot to parts; slots in ascending order."""
    diagonal: float
    """D: diagonal of the host at turn 0."""
    floor: float
    """Lowest Y of the host at turn 0."""
    core: str
    edges: tuple[tuple[PartKey, PartKey], ...]
    grounded: tuple[str, ...] = ()
    """Slots that were added on the ground; while there are any, the ground plane counts as a part."""
    initial_pieces: int = 1
    """Connected pieces of the host at turn 0."""
    _overlaps: dict[str, Overlap] = field(default_factory=dict, compare=False, repr=False)
    supports_seen: dict[str, str | None] = field(default_factory=dict, compare=False, repr=False)
    """What `find_support` measured; filled when asked for."""
    parents_seen: dict[str, str | None] = field(default_factory=dict, compare=False, repr=False)
    """What `engine.placement.mounts.find_parent` measured; filled when asked for."""

    @property
    def parts(self) -> tuple[tuple[PartKey, Placed], ...]:
        """Every part with its key, in slot order."""
        return tuple(((slot, i), placed) for slot, piece in self.pieces.items() for i, placed in enumerate(piece))

    @property
    def bounds(self) -> FloatArray:
        """(2, 3) box of the whole state, world."""
        return box_of(tuple(placed for _, placed in self.parts))

    @property
    def ground(self) -> float:
        """Height of the ground plane: the lowest point of the state."""
        return float(min(placed.bounds[0][1] for _, placed in self.parts))

    def piece(self, slot: str) -> tuple[Placed, ...]:
        """The parts of one slot. Raises OperationError when the slot is empty."""
        if slot not in self.pieces:
            raise OperationError(f"slot {slot!r} is empty; taken: {', '.join(self.pieces) or 'none'}")
        return self.pieces[slot]

    def without(self, slot: str) -> StateGeometry:
        """The state after the piece in `slot` has gone."""
        self.piece(slot)
        return replace(
            self,
            pieces={name: piece for name, piece in self.pieces.items() if name != slot},
            edges=tuple(edge for edge in self.edges if slot not in {edge[0][0], edge[1][0]}),
            grounded=tuple(name for name in self.grounded if name != slot),
            _overlaps={},
            supports_seen={},
            parents_seen={},
        )

    def with_piece(self, slot: str, piece: Sequence[Placed], *, grounded: bool = False) -> StateGeometry:
        """The state with `piece` in the empty `slot`; only the new parts' edges are measured."""
        if slot in self.pieces:
            raise OperationError(f"slot {slot!r} is taken")
        reach = CONTACT_REL * self.diagonal
        present = self.parts
        fresh: list[tuple[PartKey, PartKey]] = []
        for index, placed in enumerate(piece):
            mine = (slot, index)
            touching = [key for key, other in present if touches(placed, other, reach)]
            fresh.extend((min(key, mine), max(key, mine)) for key in touching)
            present = (*present, (mine, placed))
        return replace(
            self,
            pieces=dict(sorted([*self.pieces.items(), (slot, tuple(piece))])),
            edges=tuple(sorted([*self.edges, *fresh])),
            grounded=tuple(sorted([*self.grounded, slot])) if grounded else self.grounded,
            _overlaps={},
            supports_seen={},
            parents_seen={},
        )

    def count_pieces(self, *, with_ground: bool | None = None) -> int:
        """Connected pieces of the parts under a gap below 0.01 D; the ground joins in when something stands on it."""
        keys = [key for key, _ in self.parts]
        position = {key: i for i, key in enumerate(keys)}
        edges = [Edge(min(i, j), max(i, j), 1.0) for a, b in self.edges for i, j in ((position[a], position[b]),)]
        count = len(keys)
        if bool(self.grounded) if with_ground is None else with_ground:
            level = self.ground + CONTACT_REL * self.diagonal
            standing = (position[key] for key, placed in self.parts if placed.bounds[0][1] < level)
            edges.extend(Edge(i, count, 1.0) for i in standing)
            count += 1
        return len(set(label_components(count, edges)))

    def resting_overlap(self, slot: str, *, refined: bool = False) -> Overlap:
        """How much of the piece in `slot` lies inside the other pieces now: the baseline of a replacement.

        `refined` takes the points that a comparison with the result itself needs.
        """
        key = f"{slot} refined" if refined else slot
        if key not in self._overlaps:
            others = tuple(placed for name, placed in self.parts if name[0] != slot)
            limit = self.resting_overlap(slot).fraction if refined else None
            self._overlaps[key] = measure_piece_overlap(self.piece(slot), others, limit)
        return self._overlaps[key]


def build_state(
    pieces: Mapping[str, Sequence[Placed]],
    diagonal: float,
    floor: float,
    core: str,
    *,
    grounded: Sequence[str] = (),
    initial_pieces: int | None = None,
) -> StateGeometry:
    """Measure the contact edges of a state. Without `initial_pieces` the state itself is the host at turn 0."""
    ordered = {slot: tuple(pieces[slot]) for slot in sorted(pieces)}
    keys = [(slot, i) for slot, piece in ordered.items() for i in range(len(piece))]
    placed = [part for piece in ordered.values() for part in piece]
    limit = CONTACT_REL * diagonal
    edges = tuple(sorted((keys[pair.i], keys[pair.j]) for pair in contact_pairs(placed, limit) if pair.gap < limit))
    state = StateGeometry(ordered, diagonal, floor, core, edges, tuple(sorted(grounded)))
    return replace(state, initial_pieces=state.count_pieces() if initial_pieces is None else initial_pieces)


def touches(one: Placed, two: Placed, limit: float) -> bool:
    """Whether the gap of two parts is below `limit`."""
    if box_distance(one.bounds, two.bounds) >= limit:
        return False
    return bool(measure_gap(one.bvh, two.bvh, limit).distance < limit)


def find_nearest(part: Placed, others: Sequence[Placed]) -> Nearest | None:
    """Exact distance from `part` to the nearest of `others` and which it is; None when there are none."""
    order = sorted((float(box_distance(part.bounds, other.bounds)), i) for i, other in enumerate(others))
    best: Nearest | None = None
    for lower, index in order:
        if best is not None and lower >= best.gap:
            break
        bound = float("inf") if best is None else best.gap
        gap = float(measure_gap(part.bvh, others[index].bvh, bound).distance)
        if best is None or gap < best.gap:
            best = Nearest(index, gap)
    return best


def measure_piece_overlap(piece: Sequence[Placed], others: Sequence[Placed], limit: float | None = None) -> Overlap:
    """Overlap of a piece of several parts with others: the parts' fractions weighted by their volumes.

    `limit` is what the result will be compared with, 0.02 if not given.
    """
    measured = [
        measure_overlap(placed, others) if limit is None else measure_overlap(placed, others, limit) for placed in piece
    ]
    if len(measured) == 1:
        return measured[0]
    volumes = [_world_volume(placed) for placed in piece]
    whole = sum(volumes)
    shares = [v / whole for v in volumes] if whole > 0.0 else [1.0 / len(piece)] * len(piece)
    fraction = sum(share * overlap.fraction for share, overlap in zip(shares, measured, strict=True))
    heaviest = max(range(len(piece)), key=lambda i: (volumes[i], -i))
    return Overlap(fraction, measured[heaviest].measure, any(overlap.contained for overlap in measured))


def box_of(piece: Sequence[Placed]) -> FloatArray:
    """(2, 3) box around several placed parts."""
    return np.array(
        [
            np.min(np.array([placed.bounds[0] for placed in piece]), axis=0),
            np.max(np.array([placed.bounds[1] for placed in piece]), axis=0),
        ]
    )


def find_hanging_slots(state: StateGeometry) -> dict[str, tuple[str, ...]]:
    """For each slot but the core: the slots that would be left hanging in the air if it went.

    That is, those that would lose their connection to the core, and those that rest on it alone: a bottle on a plate
    stays connected through its neighbour and floats all the same. Works on the contacts of the state as it is now, so
    of two posts that carry one beam each is free to go, but not the second after the first.
    """
    reached = _reached(state, None)
    supports = {slot: find_support(state, slot) for slot in state.pieces if slot != state.core}
    return {
        slot: tuple(
            sorted(
                (reached - _reached(state, slot) - {slot}) | {name for name, below in supports.items() if below == slot}
            )
        )
        for slot in state.pieces
        if slot != state.core
    }


def find_support(state: StateGeometry, slot: str) -> str | None:
    """The one slot that the piece in `slot` rests on, or None: it stands on the ground, on several, or is held.

    A support carries the piece from below and is no further from the core than the piece. What the piece merely touches
    at its side does not hold it: a chest on a shelf at a wall rests on the shelf. What it is let into does, where that
    contact is the larger one: a hoop that touches the cradle of its keg is held by the keg.
    """
    if slot not in state.supports_seen:
        state.supports_seen[slot] = _measure_support(state, slot)
    return state.supports_seen[slot]


def _measure_support(state: StateGeometry, slot: str) -> str | None:
    piece = state.piece(slot)
    if min(float(placed.bounds[0][1]) for placed in piece) <= state.ground + CONTACT_REL * state.diagonal:
        return None
    outer = [(a, b) if a[0] == slot else (b, a) for a, b in state.edges if (a[0] == slot) != (b[0] == slot)]
    below = {
        other[0]
        for mine, other in outer
        if may_carry(piece[mine[1]].bounds, state.pieces[other[0]][other[1]].bounds, state.diagonal)
    }
    hops = count_slot_hops(state)
    if not any(hops[name] <= hops[slot] for name in below):
        return None
    held: dict[str, float] = {}
    resting: dict[str, float] = {}
    for mine, other in outer:
        part, parent = piece[mine[1]], state.pieces[other[0]][other[1]]
        contact = known_pair(part, parent, state.diagonal)
        if contact is not None:
            if is_carried(contact, part.bounds, parent.bounds, state.diagonal):
                resting[other[0]] = max(resting.get(other[0], 0.0), contact.size)
            else:
                grip = contact.size if contact.kind in HOLDING else contact.size / SIDE_CONTACTS
                held[other[0]] = max(held.get(other[0], 0.0), grip)
    support = min(resting) if len(resting) == 1 else None
    if support is None or hops[support] > hops[slot] or resting[support] < max(held.values(), default=0.0):
        return None
    return support


def count_slot_hops(state: StateGeometry) -> dict[str, int]:
    """Steps from the core to each slot over contacts; unreached slots get the number of slots."""
    names = list(state.pieces)
    position = {name: i for i, name in enumerate(names)}
    pairs = sorted({(position[a[0]], position[b[0]]) for a, b in state.edges if a[0] != b[0]})
    if state.core not in position:
        return dict.fromkeys(names, len(names))
    neighbours = neighbours_of(len(names), [Edge(min(a, b), max(a, b), 1.0) for a, b in pairs])
    return dict(zip(names, count_hops(position[state.core], neighbours), strict=True))


def _reached(state: StateGeometry, missing: str | None) -> set[str]:
    """Slots all of whose parts connect to the core (or the ground, for what stands on it) without `missing`."""
    linked: dict[PartKey, list[PartKey]] = {key: [] for key, _ in state.parts}
    for a, b in state.edges:
        if missing not in {a[0], b[0]}:
            linked[a].append(b)
            linked[b].append(a)
    start = [key for key in linked if key[0] == state.core or key[0] in state.grounded]
    seen = {key for key in start if key[0] != missing}
    stack = sorted(seen)
    while stack:
        for other in linked[stack.pop()]:
            if other not in seen:
                seen.add(other)
                stack.append(other)
    lost = {key[0] for key in linked if key not in seen}
    return {slot for slot in state.pieces if slot not in lost}


def _world_volume(placed: Placed) -> float:
    m = np.asarray(placed.matrix)
    squared = float(m[0, 0] * m[0, 0] + m[1, 0] * m[1, 0] + m[2, 0] * m[2, 0])
    return float(placed.solid.volume * squared * np.sqrt(squared))
