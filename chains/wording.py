"""Instruction drafts and labels: plain sentences a person would say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chains.draws import Draws

POSITION_WORDS = frozenset(
    (
        "front back rear left right upper lower top bottom middle centre center inner outer leftmost rightmost topmost"
        " lowest highest frontmost rearmost first second third fourth fifth sixth seventh eighth ninth tenth"
    ).split()
)
"""Words that tell twins apart; a new part in the same place inherits them."""
LOOK_WORDS = frozenset(
    (
        "red orange yellow green blue purple pink brown black white grey gray beige cream golden gold silver teal cyan"
        " navy maroon tan violet turquoise dark light pale bright wooden wood metal metallic iron steel brass copper"
        " bronze stone brick fabric cloth leather glass ceramic plastic marble rusty mossy striped checked painted"
        " polished brushed glazed oak walnut birch"
    ).split()
)
"""Colour and material words, which a retexture makes stale."""
Seat = Literal["on top", "held", "beside"]
"""How an attachment sits on its support: stands on it, hangs or is let in, or stands on the floor and touches it."""
_FORBIDDEN = re.compile(
    r"\b(slot|axis|library|caption|mesh|component|object id|[xyz]-axis|or)\b|_|\b[0-9a-f]{8,}\b", re.IGNORECASE
)
_MAX_WORDS = 40
_TAIL = re.compile(r" (?:of|in|with|on) ")
_DETAIL = re.compile(r" (?:in|with|on) ")
_COUNTED = re.compile(r"^(?P<noun>.+?)(?P<tail> from the (?:left|right|front|back|top|bottom))$")


@dataclass(frozen=True, slots=True)
class Relation:
    """Where something is, against a part that is there: `beside` the `table lamp`."""

    preposition: str
    label: str

    def __str__(self) -> str:
        return f"{self.preposition} the {self.label}"


def with_article(phrase: str) -> str:
    """`an old lamp`, `a round table`, `some candles`, `a group of barrels`."""
    last = _TAIL.split(phrase, maxsplit=1)[0].rpartition(" ")[2].lower()
    if last.endswith("s") and not last.endswith(("ss", "us", "is")):
        return f"some {phrase}"
    return f"{'an' if phrase[:1].lower() in 'aeiou' else 'a'} {phrase}"


def word_add(draws: Draws, phrase: str, support: str, near: Relation | None) -> str:
    """`Put a tall candle on top of the wooden crate, beside the bottle.`"""
    verb = draws.choice(("Put", "Place", "Set", "Add"))
    place = draws.choice(("on top of", "on"))
    tail = f", {near}" if near else ""
    return f"{verb} {with_article(phrase)} {place} the {support}{tail}."


def word_add_ground(draws: Draws, phrase: str, near: Relation) -> str:
    """`Stand a barrel on the ground beside the front left leg.`"""
    verb = draws.choice(("Stand", "Place", "Put"))
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
    """`Change the material of the roof to dark walnut wood.`"""
    return draws.choice(
        (
            f"Change the material of the {label} to {material}.",
            f"Give the {label} a new look: {material}.",
            f"Turn the {label} into {material}.",
        )
    )


def inherited_label(old: str, phrase: str) -> str:
    """The name of a replacement: the old name's position words, then the new phrase.

    `front left leg` replaced by `grey metal leg` is called `front left grey metal leg`.
    """
    position, _, tail = _take_place(old)
    words = phrase.split()
    return " ".join([*(word for word in position if word not in words), *words]) + tail


def retextured_label(old: str, material: str, worn: str = "") -> str:
    """The name of a piece after a new look: position words, material without its detail, noun.

    `worn` is the material the piece was given before; its words go.
    """
    position, rest, tail = _take_place(old)
    look = _DETAIL.split(material, maxsplit=1)[0].split()
    stale = LOOK_WORDS | set(worn.split())
    noun = [word for word in rest if word.lower() not in stale and word not in look]
    return " ".join([*position, *look, *(noun or rest[-1:])]) + tail


def _take_place(label: str) -> tuple[list[str], list[str], str]:
    """Position words, the other words up to a detail, and ` from the right` of a counted twin."""
    counted = _COUNTED.match(label)
    body, tail = (counted["noun"], counted["tail"]) if counted else (label, "")
    words = _DETAIL.split(body, maxsplit=1)[0].split()
    position = [word for word in words[:-1] if word.lower() in POSITION_WORDS]
    return position, [word for word in words if word not in position], tail


_ORDINAL = re.compile(
    r"^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?P<noun>.+) from the "
    r"(?:left|right|front|back|top|bottom)$"
)
_EXTREME = re.compile(r"^(?:leftmost|rightmost|topmost|lowest|frontmost|rearmost) (?P<noun>.+)$")


def find_counted(label: str) -> str | None:
    """The noun of a label that counts twins, `bar` of `third bar from the right` or `leftmost bar`; else None.

    Such a label is only true while all its twins stand.
    """
    match = _ORDINAL.match(label) or _EXTREME.match(label)
    return match["noun"] if match else None


def find_faults(instruction: str, labels: Sequence[str]) -> list[str]:
    """What an instruction breaks: machine words, no full stop, twins not told apart. Empty when it is fine.

    `labels` are the names of all pieces before the turn.
    """
    faults = []
    match = _FORBIDDEN.search(instruction)
    if match:
        faults.append(f"machine or vague word {match[0]!r}")
    if not instruction.endswith(".") or not instruction[:1].isupper():
        faults.append("not a sentence")
    if len(instruction.split()) > _MAX_WORDS:
        faults.append(f"longer than {_MAX_WORDS} words")
    faults.extend(
        f"{label!r} names two pieces"
        for label in sorted({label for label in labels if labels.count(label) > 1})
        if f"the {label}" in instruction
    )
    return faults
