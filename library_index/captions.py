"""From a caption to what a person would call the part: head noun, adjectives, place, and what it carries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from library_index.lexicon import (
    ADJECTIVE_ENDINGS,
    ADJECTIVES,
    CLAUSE_MARKERS,
    IRREGULAR_SINGULARS,
    JUNK_HEADS,
    MEASURES,
    NAME_NOISE,
    NUMERALS,
    ORDINALS,
    PAIRED_NOUNS,
    SHADES,
    SHAPE_NAMES,
    SIDE_ORDER,
    SIDE_SYNONYMS,
    SIDES,
    SINGULAR_IN_S,
)

MAX_PHRASE_CHARACTERS = 300
"""Longer captions are read by their beginning."""


class PartPhrase(NamedTuple):
    """A caption taken apart."""

    noun: str
    """What the part is: `sword guard`."""
    head: str
    """Its last noun, in the singular: `guard`."""
    adjectives: tuple[str, ...]
    """In the order of the caption; pairs stay joined: `grey and brown`."""
    position: str
    """Where on the object, in sides: `left`, `upper back left`, `back, first of three from the right`; else empty."""
    phrase: str
    """Adjectives and noun, without article and place: `grey sword guard`."""
    detail: str = ""
    """What follows the noun: `with a pommel`, `on the middle shelf`."""
    plural: bool = False
    junk: bool = False
    """The head says nothing (`component`), or there was no noun at all."""
    own_place: str = ""
    """Of the position, what stands before the noun and so belongs to its name: `back` of `a padded back cushion`."""

    @property
    def described(self) -> str:
        """Phrase and detail: what is embedded."""
        return f"{self.phrase} {self.detail}".strip()


_SIDE = "|".join(sorted((*SIDES, "side"), key=len, reverse=True))
_COUNT = "|".join((*NUMERALS, r"\d+"))
_ORDINAL = "|".join(ORDINALS)
_COUNTED = re.compile(rf",?\s*(?:the )?({_ORDINAL}) of (?:{_COUNT}) counted from the ({_SIDE})\b,?")
_TOTAL = re.compile(rf"\bof ({_COUNT})\b")
_ONE_OF = re.compile(rf",\s*(?:the )?((?:(?:{_SIDE})[ -])+)one(?: of (?:{_COUNT}))?\b,?")
_AT_SIDE = re.compile(
    rf"\s*\b(?:at|on|near|to|in|along|towards?) (?:the|its) ((?:(?:{_SIDE})[ -]?)+?)"
    r"(?: (?:side|part|end|corner|half))?$"
    r"|\s*\bon (top)$"
)
_PREAMBLE = re.compile(
    r"^(?:the image (?:shows|depicts)|(?:this|the)(?: [\w-]+){0,3}? (?:is|shows|depicts|represents|appears to be))\s+",
    re.IGNORECASE,
)
_DEPICTION = re.compile(r"^an? (?:[\w-]+ ){0,2}(?:model|representation|depiction|rendering) of\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the|some|one|its|this|these)\s+", re.IGNORECASE)
_CLAUSE = re.compile(rf"(?:,|;|:|\(| -|\b(?:{'|'.join(CLAUSE_MARKERS)})\b)")
_DETAIL = re.compile(
    r"\b(?:with|without|on|in|at|under|below|above|around|over|beneath|behind|beside|near|along|inside|between|by|for|"
    r"from|to|through|(?:of|and)(?= (?:an?|the|its)\b))\b"
)
_SENTENCE = re.compile(r"(?<=[\w)\"'])[.!?](?:\s|$)")
_ORDER_LIKE = re.compile(
    r"\b(?:ignore (?:all|any|the|previous)|note to|instruction[s]? to|you (?:must|should|are)|answer|accept for|"
    r"skip all|system prompt|disregard)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=65536)
def clean_caption(caption: str, object_name: str = "") -> PartPhrase:
    """Take a caption apart; `object_name` is cut where the caption ends with it.

    Never fails: a caption without a noun gives a phrase flagged as junk with the noun `part`.
    """
    text = _SENTENCE.split(" ".join(caption[:MAX_PHRASE_CHARACTERS].split()), maxsplit=1)[0].strip(" .")
    text = _join_adjectives(_DEPICTION.sub("", _PREAMBLE.sub("", text)))
    text, sides, counted = _take_places(_cut_object(text, object_name))
    text, detail = _split_detail(text)
    words = _lower_first(_ARTICLE.sub("", text).split())
    adjectives, inner_sides, nouns = _peel(words)
    nouns = nouns or ["part"]
    noun = " ".join(nouns)
    head = find_head(noun)
    position = ", ".join(place for place in (_order_sides([*inner_sides, *sides]), counted) if place)
    return PartPhrase(
        noun=noun,
        head=singular(head),
        adjectives=tuple(adjectives),
        position=position,
        phrase=" ".join([*adjectives, noun]),
        detail=detail,
        plural=is_plural(_measured(nouns)[0]),
        junk=noun == head and singular(head) in JUNK_HEADS,
        own_place=_order_sides(inner_sides),
    )


def find_head(noun: str) -> str:
    """Last noun of a noun phrase: of `slice of tomato` the tomato, of `rifle stock and rails` the stock."""
    words = noun.lower().split()
    if "of" in words[1:-1]:
        cut = words.index("of", 1)
        words = words[cut + 1 :] if singular(words[cut - 1]) in MEASURES else words[:cut]
    if "and" in words[1:-1]:
        cut = words.index("and", 1)
        shared = cut == 1 and len(words) - cut > 2 and not _is_adjective(words[cut + 1])
        words = words if shared else words[:cut]
    return words[-1]


def singular(word: str) -> str:
    """Singular of an English noun; words that only look plural stay."""
    if word in IRREGULAR_SINGULARS:
        return IRREGULAR_SINGULARS[word]
    if len(word) <= 3 or word in SINGULAR_IN_S or word in PAIRED_NOUNS or not word.endswith("s"):
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes", "oes")):
        return word[:-2]
    return word[:-1]


def is_plural(word: str) -> bool:
    """Whether an English noun stands in the plural."""
    return word in PAIRED_NOUNS or singular(word) != word


def caption_from_names(names: Sequence[str], object_name: str = "") -> str:
    """Make a caption of names inside a file, such as `SM_Chair_Leg_01` to `Chair leg.`; empty when they say nothing."""
    for name in names:
        spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])", " ", name)
        words = [word for word in re.split(r"[\W_]+", spaced.lower()) if word and not word.isdigit()]
        kept = [word for word in words if word not in NAME_NOISE and (len(word) > 1 or not word.isascii())]
        silent = SHAPE_NAMES | set(object_name.lower().split())
        if not all(word in silent for word in kept):
            text = " ".join(kept[:8])
            return f"{text[0].upper()}{text[1:]}."
    return ""


def printable(caption: str) -> str:
    """Replace lone surrogates and control characters of a caption; all else stays character for character."""
    return "".join(
        "\ufffd" if unicodedata.category(sign) == "Cs" else " " if unicodedata.category(sign) == "Cc" else sign
        for sign in caption
    )


def is_order_like(caption: str) -> bool:
    """Whether a caption reads like an order to whoever reads it; it is data all the same."""
    return _ORDER_LIKE.search(caption) is not None


def _cut_object(text: str, object_name: str) -> str:
    """Cut `of the <object>` from the end."""
    if not object_name:
        return text
    pattern = rf",?\s*(?:\b(?:of|on|in|at|from|for)\s+)?\b(?:the|an?|its)\s+{re.escape(object_name)}$"
    return re.sub(pattern, "", text, flags=re.IGNORECASE) or text


def _take_places(text: str) -> tuple[str, list[str], str]:
    """Take places and clauses off a caption: the rest, sides named, and a counted place."""
    sides: list[str] = []
    counted = ""
    match = _COUNTED.search(text)
    if match is not None:
        total = _TOTAL.search(match[0])
        counted = f"{match[1]} of {total[1] if total else ''} from the {match[2]}"
        text = text[: match.start()]
    match = _ONE_OF.search(text)
    if match is not None:
        sides += match[1].split()
        text = text[: match.start()]
    text = _CLAUSE.split(text, maxsplit=1)[0].strip()
    match = _AT_SIDE.search(text)
    if match is not None and match.start() > 0:
        sides += re.split(r"[ -]", match[1] or match[2])
        text = text[: match.start()]
    return text, sides, counted


def _split_detail(text: str) -> tuple[str, str]:
    """Split what follows the noun from it: `sword grip` and `with a pommel`."""
    match = _DETAIL.search(text, 2)
    if match is None or not text[: match.start()].strip():
        return text, ""
    return text[: match.start()].strip(), text[match.start() :].strip()


def _is_adjective(word: str) -> bool:
    lower = word.lower()
    return lower in ADJECTIVES or lower in NUMERALS or lower.endswith(ADJECTIVE_ENDINGS)


def _join_adjectives(text: str) -> str:
    """Take the commas from between adjectives, so that a comma ends the noun: `a white, round lid`."""
    words = text.split(" ")
    joined: list[str] = []
    for place, word in enumerate(words):
        rest = words[place + 1 :]
        follows = rest[1:2] if rest[:1] == ["and"] else rest[:1]
        if word == "and" and joined and words[place - 1].endswith(",") and not joined[-1].endswith(","):
            continue
        is_listed = word.endswith(",") and _is_adjective(word[:-1]) and bool(follows)
        joined.append(word[:-1] if is_listed and _is_adjective(follows[0].rstrip(",")) else word)
    return " ".join(joined)


def _peel(words: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Split words into adjectives, sides and the noun; the last word is always noun."""
    adjectives: list[str] = []
    sides: list[str] = []
    rest = [word.strip(",") for word in words]
    while len(rest) > 1:
        word = rest[0].lower()
        if word == "and" and adjectives and len(rest) > 2 and _is_adjective(rest[1]):
            shade = 2 if _is_adjective(rest[2]) and len(rest) > 3 and rest[1].lower() in SHADES else 1
            adjectives[-1] = " ".join([adjectives[-1], "and", *rest[1 : 1 + shade]])
            rest = rest[1 + shade :]
        elif rest[1].lower() == "of":
            break
        elif word in SIDES:
            sides.append(word)
            rest = rest[1:]
        elif _is_adjective(word):
            shaded = word in SHADES and len(rest) > 2 and _is_adjective(rest[1])
            adjectives.append(" ".join(rest[: 2 if shaded else 1]))
            rest = rest[2 if shaded else 1 :]
        else:
            break
    return adjectives, sides, rest


def _lower_first(words: list[str]) -> list[str]:
    """Undo the capital of a sentence's first word; names in capitals stay."""
    if words and words[0][1:] == words[0][1:].lower() and len(words[0].split("-")[0]) > 1:
        words[0] = words[0].lower()
    return words


def _measured(nouns: list[str]) -> list[str]:
    """Find the noun that is counted: of `stack of gold coins` the stack."""
    cut = nouns.index("of") if "of" in nouns[1:] else len(nouns)
    return [nouns[cut - 1].lower()]


def _order_sides(sides: Sequence[str]) -> str:
    named = {SIDE_SYNONYMS.get(side.lower(), side.lower()) for side in sides} - {"side", ""}
    return " ".join(side for side in SIDE_ORDER if side in named)
