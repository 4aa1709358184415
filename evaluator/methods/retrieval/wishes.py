"""What an instruction asks for, in words: the thing that is to come, or the look that is to be given.

Sentences are read as a person would read them, not as any generator writes them: a verb, what follows it, and where
that ends because a place begins.
"""

from __future__ import annotations

import re

_POLITE = re.compile(
    r"^(?:please|kindly|now|then|next|also|ok|okay|well|finally|just|can you|could you|would you|will you|"
    r"i want you to|i would like you to|i'd like you to|i want to|i would like to|i'd like to|let's|let us|"
    r"go ahead and|you should|we should)\b[\s,:]*"
)
_ENDS = re.compile(r"[\s,]*\b(?:please|for me|if you can|thanks|thank you)$")
_ADD_VERBS = (
    "put place set add stand lay hang mount attach fix fasten insert install position pop drop stick rest lean perch "
    "include introduce bring plant park leave deposit glue screw sit show need want like have return restore reattach"
)
_ADD = re.compile(rf"\b(?:{'|'.join(_ADD_VERBS.split())})(?: back)?(?: up| down| in)? (?=\S)")
_GIVE = re.compile(
    r"\b(?:give|hand|lend|get|build|make) (?:the|it|him|her|them|this|that|its)\b.*? (?=(?:an?|some|another) )"
)
_ADORN = re.compile(
    r"^(?:top|crown|equip|fit|decorate|adorn|furnish|dress|fill|load|garnish|cap|supply) "
    r"(?:the|it|its|him|her|them|this) .*?\bwith (?=\S)"
)
_THERE = re.compile(r"\bthere (?:should|must|could|has to|ought to) be (?=\S)")
_SUBJECT = re.compile(r"^(?=(?:an?|some|another) )(.+?) (?:should|must|could|goes|belongs|has to|needs to)\b")

_ARTICLE = (
    r"an?|the|some|another|one|two|three|four|its|his|her|their|our|my|this|that|these|those|both|each|either|any|new"
)
_LEAD = re.compile(rf"^(?:(?:{_ARTICLE}) )+(?=\S)")
_PAIR = re.compile(r"^(?:(?:single|couple|pair) of )")
_STRONG = (
    r"on top of|in front of|next to|close to|to the (?:left|right|side) of|on|onto|upon|atop|inside|into|beside|near|"
    r"under|underneath|below|beneath|above|over|behind|between|against|along|around|across|beyond"
)
_WEAK = r"in|within|by|at|to|from|off|for"
_KNOWN = (
    r"the|its|his|her|their|this|that|these|those|both|each|one|two|three|it|him|them|top|ground|either|there|where|"
    r"here"
)
_KNOWN_PLACE = re.compile(rf" (?:back )?(?:{_STRONG}|{_WEAK}) (?=(?:{_KNOWN})\b)")
_ANY_PLACE = re.compile(rf" (?:back )?(?:{_STRONG})(?= )")
_TAIL = re.compile(
    r"(?: back)?(?:,? (?:that|which|who|where|so that|so it|just as|just like|as it|you|we|i|again|instead|facing)\b.*|"
    r", (?:standing|lying|leaning)\b.*| back| up there| there)$"
)

_INSTEAD = (
    re.compile(r"\binstead of .+?, (?:put|use|place|set|add|have|try) (?P<new>.+)"),
    re.compile(r"\b(?:put|use|place|set|add|have|try) (?P<new>.+?) (?:in place of|instead of|in the place of) .+"),
    re.compile(r"\b(?:put|place|set) (?P<new>an? .+?) (?:where|in the spot where) .+"),
    re.compile(r"\bsubstitute (?P<new>(?:an?|some|another) .+?) for the .+"),
    re.compile(r"\b(?:swap|switch|trade|bring) in (?P<new>.+?) for .+"),
)
_EXCHANGE: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"\b(?:replace|substitute) .+"), ("with", "by", "for")),
    (re.compile(r"\b(?:swap|exchange|switch|trade) .+"), ("for", "with", "to")),
    (re.compile(r"\b(?:change|turn|convert|transform|upgrade|make|remodel) .+"), ("into", "to", "for", "with")),
)
"""Verbs, and the words that bring what is new, likeliest first."""
_BARE = r"\bmake (?:the|its|this|that) .+? (?=an? )"

_LOOK_MARK = re.compile(
    r"(?:\blook ?: |\bcoat of |\bout of |\bmade (?:out )?of |\blooks? like |\blayer of |\bappearance of |\bfinish of |"
    r"\b(?:into|to|with|in|as|of|from) )"
)
_LOOK_COLON = re.compile(r": ")


def find_thing(instruction: str) -> str | None:
    """The noun phrase of what is to be added: `red mug` of `Put a red mug beside the lamp.`; None if there is none."""
    text = _tidy(instruction)
    subject = _SUBJECT.match(text)
    if subject is not None:
        return _cut(subject[1])
    for lead in (_GIVE, _ADORN, _THERE, _ADD):
        match = lead.search(text)
        if match is not None:
            return _cut(text[match.end() :])
    return None


def find_successor(instruction: str) -> str | None:
    """The noun phrase of what takes a thing's place: `oak barrel` of `Swap the crate for an oak barrel.`, or None."""
    text = _tidy(instruction)
    for form in _INSTEAD:
        match = form.search(text)
        if match is not None:
            return _cut(match["new"])
    for verbs, words in _EXCHANGE:
        match = verbs.search(text)
        if match is None:
            continue
        # An article tells the new thing from what belongs to the old: `the barrel with hoops for an oak barrel`.
        marked = [rf" {word} (?=(?:an?|some|another)\b)" for word in words]
        forms = (*marked, _BARE, *(rf" {word} (?=\S)" for word in words))
        found = (re.search(form, match[0]) for form in forms)
        new = next((split for split in found if split is not None), None)
        if new is not None:
            return _cut(match[0][new.end() :], strong=False)
    match = _GIVE.search(text)
    return _cut(text[match.end() :], strong=False) if match is not None else None


def find_look_words(instruction: str) -> tuple[str, ...]:
    """What may be the words of a look, likeliest first: `dark oak` of `Make the lid out of dark oak.`

    The last is the whole sentence: `Paint the seat red.` says nowhere where the thing ends and the look begins.
    """
    text = _tidy(instruction)
    starts = [match.end() for match in _LOOK_COLON.finditer(text)][-1:]
    starts += sorted({match.end() for match in _LOOK_MARK.finditer(text)}, reverse=True)
    return (*dict.fromkeys(text[start:] for start in starts), text)


def _tidy(instruction: str) -> str:
    """Lower case, single spaces, no end mark and no politeness."""
    text = " ".join(instruction.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()).strip(" .!?")
    while (match := _POLITE.match(text)) is not None:
        text = text[match.end() :]
    return _ENDS.sub("", text)


def _cut(phrase: str, *, strong: bool = True) -> str | None:
    """A noun phrase without article, and without the place after it.

    `A leg in a brown boot on the table` ends before `on the table`: places are known things, details are not. Only
    where no known thing follows a preposition, and `strong`, any place ends the phrase.
    """
    place = _KNOWN_PLACE.search(phrase) or (_ANY_PLACE.search(phrase) if strong else None)
    text = phrase[: place.start()] if place is not None else phrase
    text = _TAIL.sub("", text).strip(" ,;")
    text = _LEAD.sub("", text)
    return _PAIR.sub("", text) or None
