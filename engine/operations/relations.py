"""Where a placed part is, against what is there: the words an instruction needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from chains.sentences import Relation, name_pair
from chains.state import State
from chains.wording import kind_of, short_name
from engine.geometry.overlap import Placed
from engine.geometry.rays import cast_rays
from engine.placement.contact import UP
from engine.placement.state import StateGeometry, find_nearest
from engine.surfaces import FloatArray
from schemas.placement import CONTACT_REL

LEVEL = 0.25
"""A neighbour stands at about the same height when it shares this much of the new part's."""
FACING = 0.5
"""Share of the narrower width that must overlap for a thing to be in front of another or behind it."""
NEAR_REL = 0.1
"""A neighbour is worth a mention up to this distance over D."""
ALIKE_REL = 0.05
"""What stands between two things is as far from one as from the other, within this much of D."""
ROOF_REL = 0.35
"""A thing is said to stand under what hangs over it up to this height over D,"""
ROOF_HEIGHTS = 1.0
"""and up to so many times its own height: a buckle is not under a hat."""
INSET = 0.1
"""What hangs over a thing is looked for above its middle and this share of its sides inside its corners."""


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A relation in words and the slots it speaks of; none when it speaks of the whole object."""

    relation: Relation
    slots: tuple[str, ...] = ()


class _Neighbour(NamedTuple):
    """A part beside another and how far from it."""

    slot: str
    gap: float


def find_neighbour(
    geometry: StateGeometry, state: State, placed: Placed, without: Collection[str] = (), *, on_ground: bool = False
) -> FoundRelation | None:
    """The nearest piece that stands at about the same height, as `beside`, `in front of` or `behind` it.

    With `on_ground` only pieces that begin about where the new one does: nothing on the ground is beside a roof.
    The front of an object is +Z. None when nothing is within 0.1 D.
    """
    level = _find_level(geometry, placed, on_ground=on_ground)
    level = [(slot, part) for slot, part in level if slot not in without]
    nearest = find_nearest(placed, [part for _, part in level])
    if nearest is None or nearest.gap > NEAR_REL * geometry.diagonal:
        return None
    slot, other = level[nearest.index]
    preposition = choose_preposition(placed.bounds, other.bounds)
    return FoundRelation(Relation(preposition, state.by_slot[slot].label), (slot,))


def find_between(
    geometry: StateGeometry,
    state: State,
    placed: Placed,
    support: Collection[str] = (),
    unclear: Collection[str] = (),
    *,
    on_ground: bool = False,
) -> FoundRelation | None:
    """The two pieces that a part stands between, along X or along Z; None where it does not.

    They are the nearest on either side that stand at about its height, overlap half of the narrower width, and are
    both within 0.1 D and about as far away; nothing else is nearer than both. What is in `support` is looked past; a
    piece that is in `unclear` is there but cannot be named, so nothing is said.
    """
    level = [entry for entry in _find_level(geometry, placed, on_ground=on_ground) if entry[0] not in support]
    nearest = find_nearest(placed, [part for _, part in level])
    if nearest is None:
        return None
    found: list[tuple[float, int, str, str]] = []
    for axis in (0, 2):
        sides = [_find_side(geometry, placed, level, axis, sign) for sign in (-1.0, 1.0)]
        low, high = sides
        if low is None or high is None or low.slot == high.slot or {low.slot, high.slot} & set(unclear):
            continue
        is_nearest = min(low.gap, high.gap) <= nearest.gap + CONTACT_REL * geometry.diagonal
        if is_nearest and abs(low.gap - high.gap) <= ALIKE_REL * geometry.diagonal:
            found.append((max(low.gap, high.gap), axis, low.slot, high.slot))
    for _, _, one, other in sorted(found):
        labels = state.by_slot[one].label, state.by_slot[other].label
        if labels[0] != labels[1]:
            pair = name_pair(*labels, [piece.label for piece in state.pieces])
            return FoundRelation(Relation("between", pair), (one, other))
    return None


def find_overhang(
    geometry: StateGeometry, state: State, placed: Placed, without: Collection[str] = ()
) -> FoundRelation | None:
    """The piece that a part stands under: straight above its middle and its corners, clear of it, and near.

    None when nothing hangs over all of them, or different pieces do.
    """
    low, high = placed.bounds
    inset = INSET * (high - low)
    xs, zs = ((low[k] + inset[k], high[k] - inset[k]) for k in (0, 2))
    middle = 0.5 * (low + high)
    points = np.array([[x, high[1], z] for x, z in [(middle[0], middle[2]), *((x, z) for x in xs for z in zs)]])
    nearest = np.full(len(points), np.inf)
    over: list[str | None] = [None] * len(points)
    reach = min(ROOF_REL * geometry.diagonal, ROOF_HEIGHTS * float(high[1] - low[1]))
    for (slot, _), part in geometry.parts:
        if not _is_over(part.bounds, placed.bounds, reach):
            continue
        distances, faces = cast_rays(part.bvh, points, UP, max_distance=reach, any_hit=False)
        for k in range(len(points)):
            if faces[k] >= 0 and distances[k] < nearest[k]:
                nearest[k], over[k] = distances[k], slot
    above = over[0]
    if above is None or above in without or any(name != above for name in over):
        return None
    if float(nearest.min()) < CONTACT_REL * geometry.diagonal:
        return None
    return FoundRelation(Relation("under", state.by_slot[above].label), (above,))


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
    if core.slot not in without and not _is_own_name(name, state):
        return FoundRelation(Relation(preposition, core.label), (core.slot,))
    return FoundRelation(Relation(preposition, short_name(name)))


def _is_own_name(name: str, state: State) -> bool:
    """Whether an object's name means the whole of it: no piece beside the core goes by the same noun."""
    kind = kind_of(short_name(name))
    return not any(kind_of(piece.label) == kind for piece in state.pieces if not piece.core)


def choose_preposition(box: FloatArray, other: FloatArray) -> str:
    """`in front of` or `behind` when the boxes are apart along Z and overlap well along X, else `beside`.

    What stands off a corner is beside the thing as much as before it, and nobody would say before.
    """
    if not _overlaps(box, other, 0):
        return "beside"
    gap_x = max(other[0][0] - box[1][0], box[0][0] - other[1][0])
    ahead, back = box[0][2] - other[1][2], other[0][2] - box[1][2]
    if max(ahead, back) > max(gap_x, 0.0):
        return "in front of" if ahead > back else "behind"
    return "beside"


def _overlaps(box: FloatArray, other: FloatArray, axis: int) -> bool:
    """Whether two (2, 3) boxes share half of the narrower width along an axis."""
    shared = min(box[1][axis], other[1][axis]) - max(box[0][axis], other[0][axis])
    return bool(shared >= FACING * min(box[1][axis] - box[0][axis], other[1][axis] - other[0][axis]))


def _find_level(geometry: StateGeometry, placed: Placed, *, on_ground: bool) -> list[tuple[str, Placed]]:
    """The parts that stand at about the height of another, by slot."""
    foot, top = placed.bounds[0][1], placed.bounds[1][1]
    return [
        (slot, part)
        for (slot, _), part in geometry.parts
        if not (on_ground and part.bounds[0][1] - foot > LEVEL * (top - foot))
        and min(part.bounds[1][1], top) - max(part.bounds[0][1], foot) >= LEVEL * (top - foot)
    ]


def _find_side(
    geometry: StateGeometry, placed: Placed, level: list[tuple[str, Placed]], axis: int, sign: float
) -> _Neighbour | None:
    """The nearest part that lies wholly on one side of another and opposite to it; None when none is within 0.1 D."""
    end = 1 if sign > 0.0 else 0
    slack = CONTACT_REL * geometry.diagonal
    beyond = [
        (slot, part)
        for slot, part in level
        if sign * float(part.bounds[1 - end][axis] - placed.bounds[end][axis]) >= -slack
        and _overlaps(placed.bounds, part.bounds, 2 - axis)
    ]
    nearest = find_nearest(placed, [part for _, part in beyond])
    if nearest is None or nearest.gap > NEAR_REL * geometry.diagonal:
        return None
    return _Neighbour(beyond[nearest.index][0], nearest.gap)


def _is_over(box: FloatArray, below: FloatArray, reach: float) -> bool:
    """Whether a box may hang over the whole of another within reach: a wall around a niche comes down beside it."""
    covers = all(box[0][k] <= below[0][k] and box[1][k] >= below[1][k] for k in (0, 2))
    middle = 0.5 * (below[0][1] + below[1][1])
    return bool(covers and box[1][1] > below[1][1] and middle <= box[0][1] < below[1][1] + reach)
