"""Where a placed part is, against what is there: the words an instruction needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from chains.sentences import Relation
from chains.state import State
from chains.wording import kind_of, short_name
from engine.geometry.overlap import Placed
from engine.placement.state import StateGeometry, find_nearest
from engine.surfaces import FloatArray

LEVEL = 0.25
"""A neighbour stands at about the same height when it shares this much of the new part's."""
FACING = 0.5
"""Share of the narrower width that must overlap for a thing to be in front of another or behind it."""
NEAR_REL = 0.1
"""A neighbour is worth a mention up to this distance over D."""


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A relation in words and the slot it speaks of; None when it speaks of the whole object."""

    relation: Relation
    slot: str | None


def find_neighbour(
    geometry: StateGeometry, state: State, placed: Placed, without: Collection[str] = (), *, on_ground: bool = False
) -> FoundRelation | None:
    """The nearest piece that stands at about the same height, as `beside`, `in front of` or `behind` it.

    With `on_ground` only pieces that begin about where the new one does: nothing on the ground is beside a roof.
    The front of an object is +Z. None when nothing is within 0.1 D.
    """
    foot, top = placed.bounds[0][1], placed.bounds[1][1]
    level = [
        (slot, part)
        for (slot, _), part in geometry.parts
        if slot not in without
        and not (on_ground and part.bounds[0][1] - foot > LEVEL * (top - foot))
        and min(part.bounds[1][1], top) - max(part.bounds[0][1], foot) >= LEVEL * (top - foot)
    ]
    nearest = find_nearest(placed, [part for _, part in level])
    if nearest is None or nearest.gap > NEAR_REL * geometry.diagonal:
        return None
    slot, other = level[nearest.index]
    preposition = choose_preposition(placed.bounds, other.bounds)
    return FoundRelation(Relation(preposition, state.by_slot[slot].label), slot)


def place_by_object(
    name: str, geometry: StateGeometry, state: State, placed: Placed, without: Collection[str] = ()
) -> FoundRelation:
    """The relation to say when no piece is near: to the object called `name`, without what stands beside it.

    To the object's core by its label where the name could mean another piece, unless that is among `without`.
    """
    core = next(piece for piece in state.pieces if piece.core)
    own = geometry
    for slot in geometry.grounded:
        own = own.without(slot)
    preposition = choose_preposition(placed.bounds, own.bounds)
    whole = short_name(name)
    if core.slot not in without and any(
        kind_of(piece.label) == kind_of(whole) for piece in state.pieces if not piece.core
    ):
        return FoundRelation(Relation(preposition, core.label), core.slot)
    return FoundRelation(Relation(preposition, whole), None)


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
