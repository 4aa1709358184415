"""Instruction drafts: plain sentences a person would say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from chains.draws import Draws
from chains.wording import with_article

_PAINT, _PATTERN = re.compile(r"^((?:(?! with ).)+) paint$"), re.compile(r"\b(?:stripes|checks|gingham|polka dots)$")
Seat = Literal["on top", "held", "beside"]
"""How an attachment sits on its support: stands on it, hangs or is let in, or stands on the floor and touches it."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Where something is, against a part that is there: `beside` the `table lamp`."""

    preposition: str
    label: str

    def __str__(self) -> str:
        return f"{self.preposition} the {self.label}"


def word_add(draws: Draws, phrase: str, support: str, near: Relation | None) -> str:
    """`Put a tall candle on top of the wooden crate, beside the bottle.`"""
    verb = draws.choice(("Put", "Place", "Set", "Add"))
    place = draws.choice(("on top of", "on"))
    words = support.split()
    if "top" in {words[0], words[-1]}:
        place = "on"
    tail = f", {near}" if near else ""
    return f"{verb} {with_article(phrase)} {place} the {support}{tail}."


def word_add_ground(draws: Draws, phrase: str, near: Relation) -> str:
    """`Set a barrel on the ground beside the front left leg.`"""
    verb = draws.choice(("Set", "Place", "Put"))
    return f"{verb} {with_article(phrase)} on the ground {near}."


def word_remove(draws: Draws, label: str) -> str:
    """`Remove the tall candle.`"""
    return f"{draws.choice(('Remove', 'Take away', 'Get rid of'))} the {label}."


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


def word_replace(draws: Draws, label: str, phrase: str) -> str:
    """`Replace the roof with a red shingled roof.`"""
    if draws.below(2):
        return f"Replace the {label} with {with_article(phrase)}."
    return f"Swap the {label} for {with_article(phrase)}."


def word_retexture(draws: Draws, label: str, material: str) -> str:
    """`Make the roof out of dark walnut wood.`, `Paint the seat glossy red.`, `Cover the jar in blue checks.`"""
    paint = _PAINT.match(material)
    if paint:
        sentences = (
            f"Paint the {label} {paint[1]}.",
            f"Give the {label} a coat of {material}.",
            f"Cover the {label} with {material}.",
        )
    elif _PATTERN.search(material):
        sentences = (
            f"Cover the {label} in {material}.",
            f"Give the {label} a new look: {material}.",
            f"Decorate the {label} in {material}.",
        )
    else:
        sentences = (
            f"Change the material of the {label} to {material}.",
            f"Give the {label} a new look: {material}.",
            f"Make the {label} out of {material}.",
        )
    return draws.choice(sentences)
