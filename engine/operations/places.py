"""Where a piece that stands is, for the sentences that change it: on what, beside what, or a part of what."""

from __future__ import annotations

from collections.abc import Callable

from chains.draws import Draws
from chains.sentences import Relation
from chains.state import State
from chains.wording import (
    belongs_to,
    claim_places,
    covers,
    find_confusions,
    find_counted,
    kind_of,
    short_name,
    with_article,
)
from engine.operations.instructions import Draft, draw_reference
from engine.operations.relations import FoundRelation, find_between, find_neighbour, find_overhang
from engine.placement.mounts import measure_slot_mount
from engine.workbench import Workbench
from schemas.base import SlotId
from schemas.operation import GROUND
from schemas.part import ContactFrame
from schemas.placement import Rejection

HELD = frozenset({"planar", "socket", "axial", "through"})
"""Contacts of a part of a thing; what only rests is on it."""
PLACE_SHARE = 0.85
"""Share of the edits of a piece that say where it is, where that can be said."""
SURFACES = frozenset(
    (
        "top shelf board table plate tray desk counter bench floor deck platform cooktop seat bed mattress bowl pan"
        " rack terrace ground step lid cabinet chest crate barrel stand box book"
    ).split()
)
"""Nouns of what things stand loosely on; what rests on anything else may be a part of it: a head on a torso."""
_SAYS_PLACE = (" on ", " in ", " of ", " with ", " from ")


def find_unclear(bench: Workbench, state: State) -> tuple[SlotId, ...]:
    """Slots by which nothing should be placed: their place is not true, or their name means another piece too."""
    return tuple(piece.slot for piece in state.pieces if not is_clear(bench, state, piece.slot))


def is_clear(bench: Workbench, state: State, slot: SlotId) -> bool:
    """Whether the name of a piece means it and nothing else, where it says that it is."""
    labels = [piece.label for piece in state.pieces]
    return not find_confusions([state.by_slot[slot].label], labels) and not bench.is_misleading(state, slot)


def find_place(bench: Workbench, state: State, slot: SlotId, draws: Draws) -> FoundRelation | None:
    """Where a piece is, in true words: by what carries it, by its neighbours, or as a part of the whole.

    None where its name says a place already or nothing that is seen can be named for it.
    """
    label = state.by_slot[slot].label
    if any(word in label for word in _SAYS_PLACE) or find_counted(label) is not None:
        return None
    mount = measure_slot_mount(bench.geometry(state), slot)
    if isinstance(mount, Rejection) or mount.frame.parent == GROUND:
        return None if isinstance(mount, Rejection) else _find_on_floor(bench, state, slot)
    carrier = _name_carrier(bench, state, slot, mount.frame.parent)
    around = [] if mount.reaches_floor or claim_places(label)[1] else _find_around(bench, state, slot)
    if mount.frame.kind == "rest" and mount.frame.direction == "up":
        is_own = slot in {entry.id for entry in bench.host.slots}
        if carrier is None or (is_own and kind_of(carrier.relation.label) not in SURFACES):
            return carrier
        return draws.choice([FoundRelation(Relation("on", carrier.relation.label), carrier.slots), *around])
    if mount.frame.kind not in HELD:
        return None
    whole = _find_whole(bench, state, slot, mount.frame, carrier)
    said = [*([whole] if whole else []), *(found for found in around if is_told_at_once(found))]
    return draws.choice(said) if said else None


def _find_whole(
    bench: Workbench, state: State, slot: SlotId, frame: ContactFrame, carrier: FoundRelation | None
) -> FoundRelation | None:
    """A held piece as a part of the object, else off what holds it.

    An object that is named with other things, or as so many things, has as parts what its core holds, and at its sides
    it has them on it: a sword on a pillar with two crossed swords.
    """
    whole = _name_whole(bench, state, state.by_slot[slot].label)
    is_plain = not any(word in bench.host.name for word in (" with ", " of "))
    is_own = slot in {entry.id for entry in bench.host.slots}
    if whole is not None and (state.by_slot[frame.parent].core or (is_plain and is_own)):
        is_part = frame.direction == "down" or (frame.direction == "side" and is_plain)
        return FoundRelation(Relation("of" if is_part else "on", whole))
    is_told = carrier is not None and not claim_places(carrier.relation.label)[1]
    return carrier if is_told and frame.direction != "down" else None


def _name_whole(bench: Workbench, state: State, label: str) -> str | None:
    """What the object is called after the name of a piece of it; None where that means less, or says it twice."""
    name = bench.host.name
    whole = short_name(name)
    is_several = " beside " in name or " and " in whole
    others = [piece.label for piece in state.pieces if not piece.core]
    is_taken = any(covers(whole, other) or covers(other, whole) for other in others)
    return None if is_several or is_taken or _says_twice(label, whole) else whole


def _says_twice(label: str, whole: str) -> bool:
    """Whether a name says already what a piece is a part of: the oven door of the oven."""
    return kind_of(label) == kind_of(whole) or belongs_to(label, whole)


def _name_carrier(bench: Workbench, state: State, slot: SlotId, carrier: SlotId) -> FoundRelation | None:
    """`off` what carries a piece; None where that is hardly seen, or no name of one thing."""
    label = state.by_slot[carrier].label
    is_said = _says_twice(state.by_slot[slot].label, label)
    if is_said or not is_one_thing(label) or not is_clear(bench, state, carrier):
        return None
    shown = bench.shows(bench.geometry(state), carrier) >= bench.limits.visible
    return FoundRelation(Relation("off", label), (carrier,)) if shown else None


def draft_change(
    bench: Workbench,
    state: State,
    slot: SlotId,
    turn: int,
    word: Callable[[str, Relation | None], str],
    *,
    may_be_off: bool = False,
) -> list[Draft]:
    """Drafts of an edit of a piece: by the turn that brought it, by where it is, and by its name alone.

    `word` makes the sentence from what the piece is called and where it is; with `may_be_off` also from what it is
    taken off, which says nothing of a piece that stays.
    """
    label = state.by_slot[slot].label
    reference = draw_reference(bench, state, slot, turn)
    draws = bench.draws(turn, "place", slot)
    place = find_place(bench, state, slot, draws) if draws.uniform() < PLACE_SHARE else None
    drafts = []
    if reference is not None:
        drafts.append(Draft(word(reference.phrase, None), (slot,), reference.turn))
    if place is not None and place.relation.preposition == "off" and not may_be_off:
        place = None
    if place is not None:
        # A leaf is taken off the burger that it is a part of, not away where it lies on it.
        is_whole = may_be_off and not place.slots
        relation = Relation("of", place.relation.label) if is_whole else place.relation
        drafts.append(Draft(word(label, relation), (slot, *place.slots)))
    return [*drafts, Draft(word(label, None), (slot,))]


def is_one_thing(label: str) -> bool:
    """Whether a label names one plain thing that something can stand on: no `short sides of the crate`."""
    return " of " not in label and " and " not in label and not with_article(label).startswith("some ")


def is_told_at_once(found: FoundRelation) -> bool:
    """Whether a place is said with one name: `between the two headlights`, not between this and that."""
    return found.relation.preposition != "between" or found.relation.label.startswith("two ")


def _find_around(bench: Workbench, state: State, slot: SlotId) -> list[FoundRelation]:
    """What a piece off the floor is between or under; only what is seen."""
    geometry = bench.geometry(state)
    if len(geometry.piece(slot)) > 1:
        return []
    placed, rest = geometry.piece(slot)[0], geometry.without(slot)
    carriers = tuple(filter(None, [state.by_slot[slot].attach_to]))
    unclear = find_unclear(bench, state)
    found = (
        find_between(rest, state, placed, carriers, unclear),
        find_overhang(rest, state, placed, unclear),
    )
    return [entry for entry in found if entry is not None and _is_seen(bench, state, entry)]


def _is_seen(bench: Workbench, state: State, found: FoundRelation) -> bool:
    """Whether everything that a place is said by shows."""
    geometry = bench.geometry(state)
    return all(bench.shows(geometry, name) >= bench.limits.visible for name in found.slots)


def _find_on_floor(bench: Workbench, state: State, slot: SlotId) -> FoundRelation | None:
    """What stands on the ground, by what it stands under, between or beside."""
    geometry = bench.geometry(state)
    if len(geometry.piece(slot)) > 1:
        return None
    placed, rest = geometry.piece(slot)[0], geometry.without(slot)
    unclear = find_unclear(bench, state)
    found = (
        find_overhang(rest, state, placed, unclear)
        or find_between(rest, state, placed, unclear=unclear, on_ground=True)
        or find_neighbour(rest, state, placed, unclear, on_ground=True)
    )
    return found if found is not None and _is_seen(bench, state, found) else None
