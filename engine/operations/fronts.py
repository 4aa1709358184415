"""Which way the front of a new part looks, where a person would ask.

Said only where it is known: whole objects of a library whose captions agree that objects face +Z, of a kind that has a
front, alike left and right but not when turned about. A false orientation is worse than none.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from chains.state import State
from chains.wording import claim_places, covers
from engine.geometry.overlap import Placed
from engine.geometry.rays import cast_rays
from engine.geometry.similarity import transform_vectors
from engine.labels import FACINGS, find_facing, is_place_true
from engine.operations.landmarks import find_told_sides
from engine.placement.posture import FRONT_ALIKE
from engine.placement.state import StateGeometry
from engine.surfaces import FloatArray
from engine.workbench import Workbench
from library_index.captions import clean_caption
from library_index.library import Library
from schemas.base import SlotId
from schemas.part import ObjectRecord, PartRecord

FACED = frozenset(
    (
        "robot bear doll puppet snowman scarecrow gnome statue figure clock mailbox letterbox birdhouse dollhouse"
        " television radio monitor armchair chair sofa couch throne bench car truck van bus lorry tractor locomotive"
        " horse donkey cow sheep pig goat dog cat rabbit fox elephant lion tiger dinosaur owl duck penguin picture"
        " portrait mirror oven stove wardrobe cupboard dresser frame"
    ).split()
)
"""Nouns of things of which everybody knows the front."""
SAMPLE = 200
"""Objects of a library that are asked which way they face."""
LEAST_WITNESSES = 5
TURNED_SHARE = 0.1
"""Of those whose captions say front or back, at most this share may be seen better in another facing."""
REACH_REL = 0.25
"""What a front looks at is at most this far away, over D."""
LEAST_FRONT = 0.01
"""Mirror difference from which front and back are two: a dial is nearly as flat as the back of its clock."""
STRAIGHT = 0.99
"""Cosine from which two directions are one."""
FRONT = np.array([0.0, 0.0, 1.0])


class SaidFront(NamedTuple):
    """Which way a front looks, in words, and the slots that they speak of."""

    words: str
    slots: tuple[SlotId, ...] = ()


NOTHING_SAID = SaidFront("")


def say_front(
    bench: Workbench, state: State, record: PartRecord, placed: Placed, unclear: Collection[str]
) -> SaidFront:
    """`facing the table lamp` where the front looks at a piece nearby, `facing forward` where it looks as the object's.

    Nothing where the front of the part is not known, or looks elsewhere, or at what is among `unclear`.
    """
    if not has_front(bench.library, record):
        return NOTHING_SAID
    turned = transform_vectors(placed.matrix, FRONT)
    front = turned / np.sqrt(float((turned * turned).sum()))
    geometry = bench.geometry(state)
    seen = find_faced(geometry, placed, front)
    if seen is not None:
        return NOTHING_SAID if seen in unclear else SaidFront(f"facing the {state.by_slot[seen].label}", (seen,))
    facing = bench.facing
    along = facing.front_sign * float(front[facing.front_axis])
    told = find_told_sides([slot.label for slot in bench.host.slots])
    is_known = "front" in told or (facing == FACINGS[0] and faces_alike(bench.library))
    return SaidFront("facing forward") if is_known and along >= STRAIGHT else NOTHING_SAID


def find_faced(geometry: StateGeometry, placed: Placed, front: FloatArray) -> str | None:
    """The slot that a part looks at from the middle of its box along `front` (3,), within 0.25 D of its face."""
    middle = 0.5 * (placed.bounds[0] + placed.bounds[1])
    half = 0.5 * float((np.abs(front) * (placed.bounds[1] - placed.bounds[0])).sum())
    reach = half + REACH_REL * geometry.diagonal
    hits = []
    for (slot, _), part in geometry.parts:
        distance, face = cast_rays(part.bvh, middle[None], front, max_distance=reach, any_hit=False)
        if face[0] >= 0:
            hits.append((float(distance[0]), slot))
    return min(hits)[1] if hits else None


def has_front(library: Library, record: PartRecord) -> bool:
    """Whether a part is a whole object with a front that is known to look along its +Z.

    It is of a faced kind, alike left and right, and another thing when it is turned about or seen from behind.
    """
    symmetry, owner = record.symmetry, library.objects[record.ref.object_id]
    if symmetry is None or len(owner.parts) > 1:
        return False
    if clean_caption(record.caption, owner.name).noun.lower().split()[-1] not in FACED:
        return False
    turns = symmetry.order if abs(float(symmetry.axis[1])) >= STRAIGHT else 1
    is_told = symmetry.mirror[0] <= FRONT_ALIKE and symmetry.mirror[2] >= LEAST_FRONT
    return turns == 1 and is_told and faces_alike(library)


@lru_cache(maxsize=4)
def faces_alike(library: Library) -> bool:
    """Whether the captions of a library agree that its objects face +Z, their left +X, as glTF says.

    Asked are the first 200 objects; those answer whose captions tell twins apart by front and back.
    """
    owners = islice(library.objects.values(), SAMPLE)
    answers = [answer for owner in owners if (answer := _ask(library, owner)) is not None]
    return len(answers) >= LEAST_WITNESSES and answers.count(False) <= TURNED_SHARE * len(answers)


def _ask(library: Library, owner: ObjectRecord) -> bool | None:
    """Whether the labels of an object are true as glTF sees it; None when none speaks of its front or back."""
    labels, boxes = {}, {}
    for record in library.records_of(owner.object_id):
        phrase = clean_caption(record.caption, owner.name)
        labels[record.ref.part_id] = f"{phrase.position} {phrase.noun}".strip()
        boxes[record.ref.part_id] = np.array(record.bounds)
    telling = []
    for part_id, label in labels.items():
        rest, claims = claim_places(label)
        has_twin = any(name != part_id and covers(rest, other) for name, other in labels.items())
        if has_twin and any(claim.side in {"front", "back"} for claim in claims):
            telling.append(part_id)
    if not telling:
        return None
    facing = find_facing(labels, boxes)
    if facing != FACINGS[0]:
        return False
    seen = {name: facing.seen(box) for name, box in boxes.items()}
    return sum(is_place_true(name, labels, seen) for name in telling) > 0.5 * len(telling)
