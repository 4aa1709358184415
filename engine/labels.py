"""Whether a label may be said in a state: no other piece is meant, and the place in it is true.

Twins go, and what was behind is in front. Captions call sides as their author saw the object, which need not face +Z:
the facing that most labels of a host agree with is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from chains.state import State
from chains.wording import PlaceClaim, claim_places, covers, find_counted, kind_of
from engine.surfaces import FloatArray
from schemas.part import Host, PartRef


class Facing(NamedTuple):
    """How an object's captions see it: the world axes and signs of its left and of its front."""

    left_axis: int
    left_sign: float
    front_axis: int
    front_sign: float

    def seen(self, box: FloatArray) -> FloatArray:
        """A (2, 3) world box with the object's left along +X and its front along +Z."""
        ends = np.stack(
            [self.left_sign * box[:, self.left_axis], box[:, 1], self.front_sign * box[:, self.front_axis]], axis=1
        )
        return np.stack([ends.min(axis=0), ends.max(axis=0)])


AXES = {
    "left": (0, 1.0),
    "right": (0, -1.0),
    "top": (1, 1.0),
    "bottom": (1, -1.0),
    "front": (2, 1.0),
    "back": (2, -1.0),
}
"""Axis and sign of each side; left and right are the object's own."""
FACINGS: tuple[Facing, ...] = tuple(
    Facing(axis, sign, 2 - axis, other) for axis in (0, 2) for sign in (1.0, -1.0) for other in (1.0, -1.0)
)
"""As glTF says first, then the other ways to face along an axis, seen as they are or in a mirror."""
WRONG_SIDE = 0.1
"""A piece contradicts its side when it lies this share of its twins' largest spread beyond their middle."""
STRAY_SIDE, STRAY_ROW = 0.9, 0.5
"""How far twins may lie apart in directions of which the label says nothing, over how far they do in those it names."""
CLEAR_STEP = 0.5
"""Twins are counted when each lies this share of its own length further along than the one before."""


def is_taken(state: State, label: str, slot: str) -> bool:
    """Whether another piece is called so, or could be meant by the name, or the new piece by the other's."""
    return any(
        piece.slot != slot and (covers(label, piece.label) or covers(piece.label, label)) for piece in state.pieces
    )


def is_row_broken(host: Host, state: State, slot: str) -> bool:
    """Whether a slot was named by its place in a row of twins of which one is missing now."""
    # A new look or a replacement keeps the place in the row but not the noun: the host knows whose row it is.
    nouns = {entry.id: find_counted(entry.label) for entry in host.slots}
    noun = nouns.get(slot)
    return noun is not None and any(nouns[twin] == noun and twin not in state.by_slot for twin in nouns)


def holds_namesake(state: State, slot: str, name: Callable[[PartRef], str]) -> bool:
    """Whether a slot has a part of another kind than its label says, of which another slot has one too.

    `Paint the drawer fronts` does not say that a knob goes with them while the other knob stays. `name` says what a
    person would call a part.
    """
    piece = state.by_slot[slot]
    kinds = {kind_of(name(ref)) for ref in piece.parts} - {kind_of(piece.label)}
    return len(piece.parts) > 1 and any(kind_of(other.label) in kinds for other in state.pieces if other.slot != slot)


def find_facing(labels: Mapping[str, str], boxes: Mapping[str, FloatArray]) -> Facing:
    """The facing in which most labels say true places; of equally good ones the first of FACINGS.

    labels, boxes: label and (2, 3) world box of each piece of a host as it came, by slot.
    """

    def count_true(facing: Facing) -> int:
        seen = {slot: facing.seen(box) for slot, box in boxes.items()}
        return sum(is_place_true(slot, labels, seen) for slot in labels)

    return max(FACINGS, key=count_true)


def is_place_true(slot: str, labels: Mapping[str, str], boxes: Mapping[str, FloatArray]) -> bool:
    """Whether everything a slot's label says of its place holds among the pieces the rest of the label fits.

    labels, boxes: label and (2, 3) box of each piece of the state as it is seen in the host's facing, by slot.
    """
    rest, claims = claim_places(labels[slot])
    twins = [name for name in labels if name == slot or covers(rest, labels[name])]
    if not claims or len(twins) < 2:
        return True
    centres = {name: 0.5 * (boxes[name][0] + boxes[name][1]) for name in twins}
    spreads = np.ptp(np.array(list(centres.values())), axis=0)
    spread = float(spreads.max())
    said = {AXES[claim.side][0] for claim in claims}
    unsaid = max((float(spreads[axis]) for axis in range(3) if axis not in said), default=0.0)
    limit = STRAY_ROW if any(claim.rank > 1 for claim in claims) else STRAY_SIDE
    if unsaid > limit * max(float(spreads[axis]) for axis in said):
        return False
    return all(
        _is_counted(claim, slot, centres, boxes[slot])
        if claim.rank
        else _is_on_side(claim, slot, centres, WRONG_SIDE * spread)
        for claim in claims
    )


def _is_on_side(claim: PlaceClaim, slot: str, centres: Mapping[str, FloatArray], slack: float) -> bool:
    axis, sign = AXES[claim.side]
    along = {name: sign * float(centre[axis]) for name, centre in centres.items()}
    return along[slot] >= 0.5 * (min(along.values()) + max(along.values())) - slack


def _is_counted(claim: PlaceClaim, slot: str, centres: Mapping[str, FloatArray], box: FloatArray) -> bool:
    """Whether exactly `rank - 1` twins lie clearly further to the side, and the others clearly less far."""
    axis, sign = AXES[claim.side]
    step = CLEAR_STEP * float(box[1, axis] - box[0, axis])
    ahead = [sign * float(centre[axis] - centres[slot][axis]) for name, centre in centres.items() if name != slot]
    return all(abs(gap) >= step for gap in ahead) and sum(gap > 0.0 for gap in ahead) == claim.rank - 1
