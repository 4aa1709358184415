"""Places from captions as words around a noun: `second back blade from the right`."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.slots.phrasing import counted_noun

EXTREMES = {
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
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTED = re.compile(r"^(\w+) of (\w+) from the (\w+)$")
_AXIS_OF = {
    **dict.fromkeys(("left", "right"), "x"),
    **dict.fromkeys(("upper", "lower", "top", "bottom"), "y"),
    **dict.fromkeys(("front", "back"), "z"),
}


class Around(NamedTuple):
    """A noun with what is said before and after it."""

    before: str
    noun: str
    after: str

    def __str__(self) -> str:
        return " ".join(word for word in self if word)


def place_words(position: str, noun: str) -> Around:
    """Put a place, as PartPhrase has it, around a noun."""
    sides, _, count = position.rpartition(", ")
    counted = _COUNTED.match(count)
    if counted is None:
        return Around(position.replace(",", ""), noun, "")
    around = _count_words(counted, noun)
    # `back, second of three from the right`: the second back blade from the right.
    return around._replace(before=f"{around.before} {sides}".strip())


def _count_words(counted: re.Match[str], noun: str) -> Around:
    """Words for a place in a row."""
    order, total, side = counted.groups()
    noun = counted_noun(noun)
    if total in {"two", "2"} and side in _OF_TWO:
        return Around(_OF_TWO[side if order == "first" else _OPPOSITE[side]], noun, "")
    if order == "first" and side in EXTREMES:
        return Around(EXTREMES[side], noun, "")
    number = _NUMERALS.index(total) if total in _NUMERALS else int(total) - 1 if total.isdigit() else -1
    is_last = order == "last" or (0 <= number < len(ORDINALS) and ORDINALS[number] == order)
    if is_last and side in _OPPOSITE:
        return Around(EXTREMES[_OPPOSITE[side]], noun, "")
    return Around(order, noun, f"from the {side}")


def row_of(position: str) -> tuple[str, ...]:
    """Axes a place speaks of, and whether it is counted; empty without a place."""
    match = _COUNTED.match(position.rpartition(", ")[2])
    words = [match[3]] if match else position.replace(",", "").split()
    axes = {_AXIS_OF[word] for word in words if word in _AXIS_OF}
    return (*(["counted"] if match else []), *sorted(axes)) if position else ()
