"""Where a placed part is, against what is there: the words an instruction needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from chains.state import State
from chains.wording import Relation
from engine.geometry.overlap import Placed
from engine.placement.state import StateGeometry, find_nearest
from engine.surfaces import FloatArray

LEVEL = 0.25
"""A neighbour stands at about the same height when it shares this much of the new part's."""
FACING = 0.5
"""Share of the narrower width that must overlap for a thing to be in front of another or behind it."""
NEAR_REL = 0.2
"""A neighbour is worth a mention up to this distance over D."""


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A relation in words and the slot it speaks of."""

    relation: Relation
    slot: str


def find_neighbour(
    geometry: StateGeometry, state: State, placed: Placed, without: Collection[str] = ()
) -> FoundRelation | None:
    """The nearest piece that stands at about the same height, as `beside`, `in front of` or `behind` it.

    The front of an object is +Z. None when nothing is within 0.2 D.
    """
    low, high = placed.bounds[0][1], placed.bounds[1][1]
    level = [
        (slot, part)
        for (slot, _), part in geometry.parts
        if slot not in without and min(part.bounds[1][1], high) - max(part.bounds[0][1], low) >= LEVEL * (high - low)
    ]
    nearest = find_nearest(placed, [part for _, part in level])
    if nearest is None or nearest.gap > NEAR_REL * geometry.diagonal:
        return None
    slot, other = level[nearest.index]
    preposition = choose_preposition(placed.bounds, other.bounds)
    return FoundRelation(Relation(preposition, state.by_slot[slot].label), slot)


def beside_object(state: State) -> FoundRelation:
    """The relation to say when no piece is near: beside the object's core."""
    core = next(piece for piece in state.pieces if piece.core)
    return FoundRelation(Relation("beside", core.label), core.slot)


def choose_preposition(box: FloatArray, other: FloatArray) -> str:
    """`in front of` or `behind` when the boxes are apart along Z and overlap well along X, else `beside`.

    What stands off a corner is beside the thing as much as before it, and nobody would say before.
    """
    shared = min(box[1][0], other[1][0]) - max(box[0][0], other[0][0])
    if shared < FACING * min(box[1][0] - box[0][0], other[1][0] - other[0][0]):
        return "beside"
    gap_x = max(other[0][0] - box[1][0], box[0][0] - other[1][0])
    ahead, back = box[0][2] - other[1][2], other[0][2] - box[1][2]
    if max(ahead, back) > max(gap_x, 0.0):
        return "in front of" if ahead > back else "behind"
    return "beside"
