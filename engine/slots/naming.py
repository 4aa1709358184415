"""Labels and ids of slots: what a person would call each one, told apart by a visible difference.

Left and right are the object's own: +X is its left, +Z its front.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.slots.phrasing import Saying, common_adjective, few_adjectives, say_phrase
from engine.slots.places import EXTREMES, ORDINALS, place_words, row_of
from library_index.captions import PartPhrase, singular
from schemas.base import Vec3
from schemas.operation import GROUND

MAX_ID = 40

_DETAIL = re.compile(r" (?:on|in|with|under|near|at|from) ")
_SAID_ALWAYS = frozenset({"inner", "outer"})
_SIZES = frozenset({"small", "large", "big", "tiny", "huge"})
_AXES = ((0, "left", "right"), (2, "front", "back"), (1, "top", "bottom"))
"""Axis, and the sides at its positive and negative end."""


@dataclass(frozen=True, slots=True)
class Named:
    """What naming looks at, one per slot."""

    phrase: PartPhrase
    centre: Vec3
    """Centre of the slot's box."""
    noun: str = ""
    """Overrides the phrase's noun: what a group is called."""
    twins: tuple[Saying, ...] = ()
    """Parts of other slots that are called the same, whatever their slots are called."""

    @property
    def saying(self) -> Saying:
        """The caption the way it is said."""
        return say_phrase(self.phrase)

    @property
    def core_noun(self) -> str:
        """The noun a label ends with."""
        return self.noun or self.saying.noun


def make_labels(slots: Sequence[Named]) -> tuple[str, ...]:
    """A label for each slot, unique among them, and none that could be taken for another.

    The noun alone where it is unique; else the first of these that tells all slots of that noun apart: the place from
    the caption (with an adjective where places are counted in different rows), the fewest adjectives, the detail, what
    each has of these, place and adjectives, all, the place by box centres, a rank along the longest axis. A noun that
    a hidden twin also bears gets its place; one that ends another label (`door`, `garage door`) gets the first of
    place, adjectives and detail that helps.
    """
    labels = [_alone(slot) for slot in slots]
    nouns = [slot.core_noun for slot in slots]
    for noun in sorted(set(nouns)):
        same = [i for i, each in enumerate(nouns) if each == noun]
        if len(same) > 1:
            for i, label in zip(same, _tell_apart([slots[i] for i in same], noun), strict=True):
                labels[i] = label
    labels = _clear_endings(slots, labels)
    for i, label in enumerate(labels):
        clashes = [j for j in range(i) if labels[j] == label]
        if clashes:
            labels[i] = str(_with_phrase(slots[i]))
    return _force_unique(labels)


def make_ids(labels: Sequence[str]) -> tuple[str, ...]:
    """Slot ids: a-z, 0-9 and _, at most 40 characters, unique, in the order of the labels."""
    taken: set[str] = {GROUND}
    ids = []
    for label in labels:
        plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
        base = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:MAX_ID].strip("_") or "part"
        name, number = base, 2
        while name in taken:
            tail = f"_{number}"
            name, number = base[: MAX_ID - len(tail)].strip("_") + tail, number + 1
        taken.add(name)
        ids.append(name)
    return tuple(ids)


def _alone(slot: Named) -> str:
    """A noun that no other slot has. A place that belongs to the name stays, `back cushion`, and inside and outside."""
    sides = slot.saying.position.split()
    if slot.phrase.own_place and not slot.noun:
        return f"{slot.phrase.own_place} {slot.core_noun}"
    if slot.twins and sides:
        beside = any(twin.position == slot.saying.position for twin in slot.twins)
        return f"{_with_place(slot)} {slot.saying.detail if beside else ''}".strip()
    kept = " ".join(side for side in sides if side in _SAID_ALWAYS)
    return f"{kept} {slot.core_noun}".strip()


def _clear_endings(slots: Sequence[Named], labels: Sequence[str]) -> list[str]:
    """Say more of a bare noun that another label ends with: `door` beside `garage door`, `front` beside `fronts`."""
    cleared = list(labels)
    for i, slot in enumerate(slots):
        if cleared[i] != slot.core_noun or not _clashes(labels, i, cleared[i]):
            continue
        others = [slots[j].saying for j in range(len(slots)) if j != i and _ends(labels[j], cleared[i])]
        few = few_adjectives(slot.saying, others)
        tries = (
            _with_place(slot),
            f"{few} {slot.core_noun}".strip(),
            f"{slot.core_noun} {slot.saying.detail}".strip(),
            _with_phrase(slot),
        )
        cleared[i] = next((label for label in tries if not _clashes(labels, i, label)), cleared[i])
    return cleared


def _clashes(labels: Sequence[str], place: int, label: str) -> bool:
    return any(_ends(other, label) for j, other in enumerate(labels) if j != place)


def _ends(label: str, ending: str) -> bool:
    """Whether a label, without its detail, ends with (or is) another, one or many."""
    words, tail = ([singular(word) for word in text.split()] for text in (_DETAIL.split(label)[0], ending))
    return words[-len(tail) :] == tail


def _tell_apart(slots: Sequence[Named], noun: str) -> list[str]:
    """Labels for slots of one noun, by the first difference that works for all of them."""
    makers: tuple[Callable[[Named], str], ...] = (
        _with_place,
        lambda slot: _with_few(slot, slots),
        _with_detail,
        lambda slot: _with_what_there_is(slot, slots),
        lambda slot: str(place_words(slot.saying.position, _with_phrase(slot))),
        lambda slot: f"{_with_phrase(slot)} {slot.saying.detail}".strip(),
    )
    in_rows = _by_row(slots)
    for labels in ([in_rows] if in_rows else []) + [[make(slot) for slot in slots] for make in makers]:
        if len(set(labels)) == len(labels) and noun not in labels:
            return labels
    return _by_corner(slots, noun) or _by_rank(slots, noun)


def _by_row(slots: Sequence[Named]) -> list[str] | None:
    """Place and adjective where places belong to different rows: `third vertical bar from the right`.

    None when all places are of one row, or a row has no adjective of its own.
    """
    rows: dict[tuple[str, ...], list[Named]] = {}
    for slot in slots:
        rows.setdefault(row_of(slot.saying.position), []).append(slot)
    if len(rows) < 2 or () in rows:
        return None
    said = {}
    for row, members in rows.items():
        others = [slot.saying for other, entries in rows.items() if other != row for slot in entries]
        said[row] = common_adjective([slot.saying for slot in members], others)
    if not all(said.values()):
        return None
    return [_with_look(slot, said[row_of(slot.saying.position)]) for slot in slots]


def _with_place(slot: Named) -> str:
    return str(place_words(slot.saying.position, slot.core_noun))


def _with_look(slot: Named, look: str) -> str:
    """`small front left window`, but `front amber bottle` and `topmost horizontal bar`."""
    if look in _SIZES and "counted" not in row_of(slot.saying.position):
        return f"{look} {_with_place(slot)}"
    return str(place_words(slot.saying.position, f"{look} {slot.core_noun}".strip()))


def _with_phrase(slot: Named) -> str:
    return f"{' '.join(slot.saying.adjectives)} {slot.core_noun}".strip()


def _with_few(slot: Named, slots: Sequence[Named]) -> str:
    few = few_adjectives(slot.saying, [other.saying for other in slots if other is not slot])
    return f"{few} {slot.core_noun}".strip()


def _with_detail(slot: Named) -> str:
    return f"{slot.core_noun} {slot.saying.detail}".strip()


def _with_what_there_is(slot: Named, slots: Sequence[Named]) -> str:
    """The place, with what all placed ones and no other look like; else few adjectives; else the detail."""
    placed = [other.saying for other in slots if other.saying.position]
    if slot.saying.position:
        look = common_adjective(placed, [other.saying for other in slots if not other.saying.position])
        return _with_look(slot, look)
    few = _with_few(slot, slots)
    return few if few != slot.core_noun else _with_detail(slot)


def _by_corner(slots: Sequence[Named], noun: str) -> list[str] | None:
    """`front left` and the like, when the centres fall into different corners (or halves) around their middle."""
    middle = [(min(s.centre[k] for s in slots) + max(s.centre[k] for s in slots)) / 2.0 for k in range(3)]
    spread = [max(s.centre[k] for s in slots) - min(s.centre[k] for s in slots) for k in range(3)]
    least = 0.1 * max(spread)
    for axes in ((0,), (2,), (1,), (2, 0), (1, 0), (1, 2), (1, 2, 0)):
        if any(spread[axis] <= least for axis in axes):
            continue
        labels = [f"{' '.join(_side_of(s.centre, middle, axis) for axis in axes)} {noun}" for s in slots]
        if len(set(labels)) == len(labels):
            return labels
    return None


def _side_of(centre: Vec3, middle: Sequence[float], axis: int) -> str:
    positive, negative = {0: ("left", "right"), 1: ("upper", "lower"), 2: ("front", "back")}[axis]
    return positive if centre[axis] > middle[axis] else negative


def _by_rank(slots: Sequence[Named], noun: str) -> list[str]:
    """Rank along the axis on which the centres spread most."""
    spread = [max(s.centre[k] for s in slots) - min(s.centre[k] for s in slots) for k in range(3)]
    axis, positive, negative = max(_AXES, key=lambda entry: spread[entry[0]])
    order = sorted(range(len(slots)), key=lambda i: (-slots[i].centre[axis], i))
    labels = [""] * len(slots)
    for rank, i in enumerate(order):
        if rank == 0:
            labels[i] = f"{EXTREMES[positive]} {noun}"
        elif rank == len(order) - 1:
            labels[i] = f"{EXTREMES[negative]} {noun}"
        else:
            ordinal = ORDINALS[rank] if rank < len(ORDINALS) else f"{rank + 1}th"
            labels[i] = f"{ordinal} {noun} from the {positive}"
    return labels


def _force_unique(labels: Sequence[str]) -> tuple[str, ...]:
    """Numbers for what no visible difference could tell apart."""
    result: list[str] = []
    for label in labels:
        name, number = label, 2
        while name in result:
            name, number = f"{label} {number}", number + 1
        result.append(name)
    return tuple(result)
