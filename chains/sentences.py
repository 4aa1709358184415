"""Instruction drafts: plain sentences a person would say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chains.draws import Draws
from chains.wording import claim_places, kind_of, with_article

_PAINT, _PATTERN = re.compile(r"^((?:(?! with ).)+) paint$"), re.compile(r"\b(?:stripes|checks|gingham|polka dots)$")
Seat = Literal["on top", "held", "beside"]
"""How an attachment sits on its support: stands on it, hangs or is let in, or stands on the floor and touches it."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Where something is, against what is there: `beside` the `table lamp`.

    `on`: it stands on that; `of`: it is a part of that; `off`: it can be taken off that.
    """

    preposition: str
    label: str

    def __str__(self) -> str:
        return f"{self.preposition} the {self.label}"


def name_pair(one: str, other: str, labels: Sequence[str]) -> str:
    """Two labels after `between the`: `lamp and the clock`; `two candles` where all `labels` have no other candle."""
    nouns = {claim_places(label)[0] for label in (one, other)}
    if len(nouns) == 1:
        (noun,) = nouns
        if noun not in {one, other} and sum(kind_of(label) == kind_of(noun) for label in labels) == len(nouns) + 1:
            return f"two {pluralise(noun)}"
    return f"{one} and the {other}"


_ES = ("s", "x", "z", "ch", "sh")
_VES = {"shelf": "shelves", "knife": "knives", "leaf": "leaves", "loaf": "loaves", "half": "halves", "wolf": "wolves"}
_IRREGULAR = {"foot": "feet", "tooth": "teeth", "mouse": "mice", "man": "men", "woman": "women", "child": "children"}


def pluralise(noun: str) -> str:
    """`candles`, `boxes`, `shelves`, `berries`, `stacks of coins`."""
    head, of, rest = noun.partition(" of ")
    lead, space, last = head.rpartition(" ")
    if last in _VES or last in _IRREGULAR:
        many = _VES.get(last) or _IRREGULAR[last]
    elif last == "cactus":
        many = "cacti"
    elif with_article(last).startswith("some "):
        many = last
    elif last.endswith(_ES):
        many = f"{last}es"
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        many = f"{last[:-1]}ies"
    else:
        many = f"{last}s"
    return f"{lead}{space}{many}{of}{rest}"


def word_add(
    draws: Draws, phrase: str, support: str, near: Relation | None, landmark: str = "", facing: str = ""
) -> str:
    """`Put a tall candle on top of the wooden crate, beside the bottle.`

    `landmark` is a place on the support: `at the left end of` before it, `, at the left end` after it. `facing` says
    which way the front looks: `facing the lamp`.
    """
    verb = draws.choice(("Put", "Place", "Set", "Add"))
    place = draws.choice(("on top of", "on"))
    words = support.split()
    before, after = (landmark, "") if landmark.endswith(" of") else ("", landmark.removeprefix(", "))
    if "top" in {words[0], words[-1]}:
        place = "on"
    elif after:
        place = "on top of"
    tails = [str(tail) for tail in (after, near, facing) if tail]
    return f"{verb} {', '.join([f'{with_article(phrase)} {before or place} the {support}', *tails])}."


def word_landmark(
    place: Literal["end", "middle", "corner"], sides: Sequence[str], *, is_near: bool, is_surface: bool
) -> str:
    """`at the left end of`; `at the end of` where what is near tells which, else `at one end of`.

    `sides` are the object's own, empty where it has none; front comes before left. What is no surface has its middle
    elsewhere: `on top of the wall, in the middle`.
    """
    lead = {"middle": "in", "end": "at", "corner": "on"}[place]
    side = "" if is_near or place == "middle" else " ".join(sides)
    which = "the" if is_near or side or place == "middle" else "one"
    said = f"{lead} {which} {side} {place}".replace("  ", " ")
    return f"{said} of" if is_surface else f", {said}"


def word_add_ground(draws: Draws, phrase: str, near: Relation, facing: str = "") -> str:
    """`Set a barrel on the ground beside the front left leg.`"""
    verb = draws.choice(("Set", "Place", "Put"))
    tail = f", {facing}" if facing else ""
    return f"{verb} {with_article(phrase)} on the ground {near}{tail}."


def word_remove(draws: Draws, label: str, place: Relation | None = None) -> str:
    """`Remove the tall candle.`, `Take the tall candle off the crate.`, `Take away the barrel beside the bed.`"""
    verb = draws.choice(("Remove", "Take away", "Get rid of"))
    if place is None:
        return f"{verb} the {label}."
    if place.preposition not in {"on", "of", "off"}:
        return f"{verb} the {label} {place}."
    if verb == "Remove":
        return f"Remove the {label} from the {place.label}."
    if place.preposition != "on" or draws.below(2):
        return f"Take the {label} off the {place.label}."
    return f"{verb} the {label} {place}."


def word_detach(draws: Draws, label: str, support: str, seat: Seat) -> str:
    """`Take the bottle off the crate.`, `Remove the knob from the drawer front.`"""
    if seat == "beside":
        return f"Take the {label} away from beside the {support}."
    return draws.choice((f"Take the {label} off the {support}.", f"Remove the {label} from the {support}."))


def word_reattach(draws: Draws, label: str, support: str, seat: Seat, *, new: bool) -> str:
    """`Put the bottle back on the new wooden crate.`; `new` when the support was replaced meanwhile."""
    where = f"the new {support}" if new and not support.startswith("new ") else f"the {support}"
    if seat == "held":
        return draws.choice((f"Put the {label} back on {where}.", f"Attach the {label} to {where} again."))
    verb = draws.choice(("Put", "Place", "Set"))
    return f"{verb} the {label} back {'beside' if seat == 'beside' else 'on'} {where}."


def word_return(draws: Draws, label: str, support: str | None) -> str:
    """`Put the oil lamp back on the crate where it stood before.`; `support` is None on the ground."""
    where = "on the ground" if support is None else f"on the {support}"
    return draws.choice(
        (
            f"Put the {label} back {where} where it stood before.",
            f"Bring the {label} back to its old place {where}.",
            f"Set the {label} back {where}, just as it was before.",
        )
    )


def word_replace(draws: Draws, label: str, phrase: str, place: Relation | None = None) -> str:
    """`Replace the roof with a red shingled roof.`, `Swap the front left leg of the desk for a bowed white leg.`"""
    what = f"{label} {place}" if place else label
    if draws.below(2):
        return f"Replace the {what} with {with_article(phrase)}."
    return f"Swap the {what} for {with_article(phrase)}."


def is_paint(material: str) -> bool:
    """Whether a look is given by painting."""
    return _PAINT.match(material) is not None


def word_retexture(draws: Draws, label: str, material: str, place: Relation | None = None) -> str:
    """`Make the roof out of dark walnut wood.`, `Paint the seat glossy red.`, `Cover the jar in blue checks.`"""
    what = f"{label} {place}" if place else label
    # `The cup you just added a new look` and `the material of the leg of the table` are not said.
    given = () if " you " in label else ("Give the {} ",)
    changed = () if place and place.preposition == "of" else ("Change the material of the {} to {}.",)
    paint = _PAINT.match(material)
    if paint:
        sentences = [
            f"Paint the {what} {paint[1]}.",
            *(form.format(what) + f"a coat of {material}." for form in given),
            f"Cover the {what} with {material}.",
        ]
    elif _PATTERN.search(material):
        sentences = [
            f"Cover the {what} in {material}.",
            *(form.format(what) + f"a new look: {material}." for form in given),
            f"Decorate the {what} in {material}.",
        ]
    else:
        sentences = [
            *(form.format(what, material) for form in changed),
            *(form.format(what) + f"a new look: {material}." for form in given),
            f"Make the {what} out of {material}.",
        ]
    return draws.choice(sentences)
