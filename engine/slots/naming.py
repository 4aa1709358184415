"""Labels and ids of slots: what a person would call each one, told apart by a visible difference.

Left and right are the object's own: +X is its left, +Z its front.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from library_index.captions import PartPhrase
from schemas.base import Vec3
from schemas.operation import GROUND

MAX_ID = 40

_EXTREMES = {
    "left": "leftmost",
    "right": "rightmost",
    "front": "frontmost",
    "back": "rearmost",
    "top": "topmost",
    "bottom": "lowest",
}
_OF_TWO = {
    "left": "left",
    "right": "right",
    "front": "front",
    "back": "back",
    "top": "upper",
    "bottom": "lower",
}
_OPPOSITE = {"left": "right", "right": "left", "front": "back", "back": "front", "top": "bottom", "bottom": "top"}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTED = re.compile(r"^(\w+) of (\w+) from the (\w+)$")
_AXES = ((0, "left", "right"), (2, "front", "back"), (1, "top", "bottom"))
"""Axis, and the sides at its positive and negative end."""


@dataclass(frozen=True, slots=True)
class Named:
    """What naming looks at, one per slot."""

    phrase: PartPhrase
    centre: Vec3
    """Centre of the slot's box."""
    noun: str = ""
    """Overrides the phrase's noun: the shared noun of a group."""

    @property
    def core_noun(self) -> str:
        """The noun a label ends with."""
        return self.noun or (self.phrase.phrase if self.phrase.junk else self.phrase.noun)


def make_labels(slots: Sequence[Named]) -> tuple[str, ...]:
    """A label for each slot, unique among them.

    The noun alone where it is unique; else the first of these that tells all slots of that noun apart: the place from
    the caption, the adjectives, both, the detail, the place by box centres, a rank along the longest axis.
    """
    labels = [slot.core_noun for slot in slots]
    for noun in sorted(set(labels)):
        same = [i for i, slot in enumerate(slots) if slot.core_noun == noun]
        if len(same) > 1:
            for i, label in zip(same, _tell_apart([slots[i] for i in same], noun), strict=True):
                labels[i] = label
    for i, label in enumerate(labels):
        clashes = [j for j in range(i) if labels[j] == label]
        if clashes:
            labels[i] = f"{_with_phrase(slots[i])}"
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


def _tell_apart(slots: Sequence[Named], noun: str) -> list[str]:
    """Labels for slots of one noun, by the first difference that works for all of them."""
    makers: tuple[Callable[[Named], str], ...] = (
        _with_place,
        _with_phrase,
        _with_place_or_phrase,
        lambda slot: _joined(_place_words(slot.phrase.position, _with_phrase(slot))),
        lambda slot: f"{_with_phrase(slot)} {slot.phrase.detail}".strip(),
    )
    for make in makers:
        labels = [make(slot) for slot in slots]
        if len(set(labels)) == len(labels) and noun not in labels:
            return labels
    return _by_corner(slots, noun) or _by_rank(slots, noun)


def _with_place(slot: Named) -> str:
    return _joined(_place_words(slot.phrase.position, slot.core_noun))


def _with_phrase(slot: Named) -> str:
    adjectives = "" if slot.phrase.junk else " ".join(slot.phrase.adjectives)
    return f"{adjectives} {slot.core_noun}".strip()


def _with_place_or_phrase(slot: Named) -> str:
    return _with_place(slot) if slot.phrase.position else _with_phrase(slot)


def _place_words(position: str, noun: str) -> tuple[str, str, str]:
    """Words before the noun, the noun, words after it."""
    sides, _, count = position.rpartition(", ")
    counted = _COUNTED.match(count)
    if counted is None:
        return position.replace(",", ""), noun, ""
    before, noun, after = _count_words(counted, noun)
    # `back, second of three from the right`: the second back blade from the right.
    return f"{before} {sides}".strip(), noun, after


def _count_words(counted: re.Match[str], noun: str) -> tuple[str, str, str]:
    """Words for a place in a row."""
    order, total, side = counted.groups()
    if total in {"two", "2"} and side in _OF_TWO:
        return _OF_TWO[side if order == "first" else _OPPOSITE[side]], noun, ""
    if order == "first" and side in _EXTREMES:
        return _EXTREMES[side], noun, ""
    number = _NUMERALS.index(total) if total in _NUMERALS else int(total) - 1 if total.isdigit() else -1
    is_last = order == "last" or (0 <= number < len(_ORDINALS) and _ORDINALS[number] == order)
    if is_last and side in _OPPOSITE:
        return _EXTREMES[_OPPOSITE[side]], noun, ""
    return order, noun, f"from the {side}"


def _joined(words: tuple[str, str, str]) -> str:
    return " ".join(word for word in words if word)


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
            labels[i] = f"{_EXTREMES[positive]} {noun}"
        elif rank == len(order) - 1:
            labels[i] = f"{_EXTREMES[negative]} {noun}"
        else:
            ordinal = _ORDINALS[rank] if rank < len(_ORDINALS) else f"{rank + 1}th"
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
