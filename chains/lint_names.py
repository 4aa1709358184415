"""Rules about what pieces are called: true, current, of this object, and of one piece only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chains.lint_context import MASK, Finding, Reading, any_of
from chains.lint_mentions import Mention, find_covered, find_indefinite, find_mentions, plain
from chains.lint_past import is_told_by_past
from chains.wording import find_confusions, kind_of, short_name, with_article

_ELSEWHERE = any_of(
    r"(?:source|donor|origin|original|other|another|different|second|first|separate) (?:object|scene|set|model|kit|pack"
    r"|asset|file|picture|image|photo)s?(?:'s)?",
    r"(?:from|in|of|off|out of|on) (?:an?other|(?:an?|some) (?:other|different)) [\w-]+",
    r"(?:that |which )?(?:came|comes|coming|taken|borrowed|cut|copied|lifted|salvaged|extracted|reused) from"
    r"(?! (?:the|its|one) (?:left|right|top|bottom|front|back|side|end|edge|same)\b)",
    r"where it came from|it came with|used to stand (?:on|in)|as (?:on|in) the (?:original|source)",
)
_OF_SOMETHING = re.compile(
    rf"\b(?:from|of|off|out of|belonging to|as on|like on) (?P<det>the other|the|that|an?other|an?|my|some) "
    rf"(?P<phrase>[\w{MASK}-]+(?: [\w{MASK}-]+){{0,4}}?)(?= *(?:[.,;']|$|(?:with|on|onto|in|at|to|beside|behind"
    rf"|under|near"
    r"|next|above|below|over|between|from|of|off|for|and|so|that|which|instead|again|away|by|against|around)\b))",
    re.IGNORECASE,
)
_HERE = frozenset(
    (
        "side end edge corner middle centre center top bottom front back rear left right ground floor row set "
        "pair same one object whole others wall walls surface group stack pile face line colour color wood "
        "metal other kind size shape air way base half tip rim upper lower space room viewer camera"
    ).split()
)
"""What `of the ...` may always go on with: places and materials of the object itself."""


def check_source_scenes(reading: Reading) -> Iterator[Finding]:
    """The reader sees this object alone: where a new part was found means nothing here."""
    message = "names an object that is not here"
    yield from reading.find("source-scene", _ELSEWHERE, message)
    known = {kind_of(word) for word in reading.context.known_words} | _HERE
    sources = [short_name(name).lower() for name in reading.context.sources]
    # People say the noun last, file names often first: `table small`.
    heads = {kind_of(name) for name in sources} | {kind_of(name.partition(" ")[0]) for name in sources}
    for match in _OF_SOMETHING.finditer(reading.masked):
        words = [kind_of(word) for word in match["phrase"].lower().split()]
        if MASK in match["phrase"] or words[-1].endswith("ing") or known & set(words[-2:]):
            continue
        determiner = match["det"].lower()
        definite = determiner not in {"a", "an", "some"}
        if words[-1] in heads or "other" in determiner or (definite and _is_brought(reading, match.start())):
            yield Finding("source-scene", reading.text[match.start() : match.end("phrase")], message)
    for name in sources:
        lead = "" if " " in name else r"(?:the|that|another) (?:[\w-]+ )?"
        if kind_of(name) not in known:
            yield from reading.find("source-scene", any_of(lead + re.escape(name)), message)


_PLACED = re.compile(
    r" (?:on|onto|upon|in|into|at|to|beside|behind|under|beneath|below|above|over|near|next|between|against|around"
    r"|across|along|inside|atop|through|toward|towards)\b",
    re.IGNORECASE,
)
_EXCHANGED = re.compile(r" (?:with|for|by|into|to) ", re.IGNORECASE)
_HANGS = re.compile(r"(?:hang|suspend|dangle|string|tie|drape)\b", re.IGNORECASE)


def _is_brought(reading: Reading, position: int) -> bool:
    """Whether a place in the sentence is among the words for what comes, not among those for where it goes."""
    if reading.context.op == "add" and not _HANGS.match(reading.text):
        placed = _PLACED.search(reading.text)
        return placed is None or position < placed.start()
    exchanged = _EXCHANGED.search(reading.text) if reading.context.op == "replace" else None
    return exchanged is not None and position > exchanged.start()


def check_stale_names(reading: Reading) -> Iterator[Finding]:
    """A reader looks for what is called so and finds nothing: it has another look or name now, or it is gone."""
    context = reading.context
    current = [*context.labels.values(), *([context.new_label] if context.new_label else [])]
    for mention in find_mentions(reading.text, context):
        here = mention.exact or bool(find_covered(mention.meaning, current))
        message = None if here or _comes_back(reading, mention) else _find_past(mention, reading, current)
        look = _find_false_look(mention, reading)
        if message is not None:
            yield Finding("stale-name", mention.phrase, message)
        elif look is not None:
            yield Finding("stale-name", mention.phrase, f"it does not look {look} any more")


def _find_past(mention: Mention, reading: Reading, current: Sequence[str]) -> str | None:
    """What became of the piece that a mention means, where it means one of the past."""
    for said, message in (
        (reading.context.gone, "is not there any more"),
        (reading.context.past, "is not called so any more"),
    ):
        if any(_is_called(mention, label) for label in said) and not _is_kind_here(mention, current, said):
            return message
    return None


_BACK = re.compile(r"(?: [\w-]+){0,2}? (?:back|again)\b", re.IGNORECASE)


def _comes_back(reading: Reading, mention: Mention) -> bool:
    """Whether an add brings back what was taken away: `Put the lid back on the pot.`"""
    returns = reading.text.lower().startswith(("return ", "restore ")) or _BACK.match(reading.text[mention.end :])
    return reading.context.op == "add" and bool(returns)


def _is_called(mention: Mention, label: str) -> bool:
    return bool(find_covered(mention.meaning, [label])) or bool(find_covered(label, [mention.meaning]))


def _is_kind_here(mention: Mention, current: Sequence[str], said: Sequence[str]) -> bool:
    """Whether the mention means a piece that stands, under words nobody gave it: not one of its words is a past one."""
    kind = kind_of(mention.meaning)
    here = [label for label in current if kind_of(plain(label)) == kind]
    words = set(mention.meaning.split()) - {kind}
    past = {word for label in said for word in plain(label).split()}
    now = {word for label in here for word in plain(label).split()}
    return bool(here) and not (words & past) - now


_COLOURS = {
    "red maroon crimson scarlet ruby": "brick copper",
    "orange amber": "copper brick",
    "yellow gold golden": "brass bronze straw",
    "green olive lime emerald": "moss mossy",
    "blue navy azure": "",
    "teal cyan turquoise": "",
    "purple violet": "",
    "pink rose": "",
    "brown tan": "wood wooden oak walnut birch pine leather bronze planks plank",
    "black ebony": "",
    "white cream ivory beige": "marble birch porcelain",
    "grey gray silver": "metal metallic iron steel chrome stone marble granite concrete cobblestone cobblestones",
}
"""Words for each colour, and stuffs that have it without its being said."""
_STUFFS = {
    "wood wooden oak walnut birch pine plank planks": "",
    "metal metallic iron steel brass copper bronze chrome gold golden silver rusty": "",
    "stone brick marble granite cobblestone cobblestones concrete": "",
    "glass crystal": "",
    "fabric cloth linen velvet wool silk felt cotton gingham": "",
    "leather": "",
    "plastic rubber": "",
    "ceramic porcelain glazed": "",
}


def _find_false_look(mention: Mention, reading: Reading) -> str | None:
    """A colour or stuff in a mention that every piece it could mean contradicts by what it was given to wear.

    Paint takes away the colour of what is under it, not its stuff.
    """
    context = reading.context
    kind = kind_of(mention.meaning)
    slots = [slot for slot, label in context.labels.items() if kind_of(plain(label)) == kind]
    looks = [set(re.findall(r"[a-z]+", context.worn.get(slot, "").lower())) for slot in slots]
    if not all(looks) or not looks:
        return None
    stuffs = {word for family in _STUFFS for word in family.split()}
    for word in mention.meaning.split():
        for families in (_COLOURS, _STUFFS):
            fitting = {
                fit
                for family, has in families.items()
                if word in family.split()
                for fit in (family + " " + has).split()
            }
            is_judged = [families is _COLOURS or bool(look & stuffs) for look in looks]
            if fitting and all(is_judged) and not any(look & fitting for look in looks):
                return word
    return None


def check_ambiguous_twins(reading: Reading) -> Iterator[Finding]:
    """Two people who follow the sentence would reach for different pieces."""
    context = reading.context
    labels = list(context.labels.values())
    named = [context.labels[slot] for slot in context.named_slots if slot in context.labels]
    said = [
        label for label in named if re.search(rf"(?<![\w-]){re.escape(label)}(?![\w-])", reading.text, re.IGNORECASE)
    ]
    mentions = list(find_mentions(reading.text, context))
    told = [mention for mention in mentions if mention.singled_out or is_told_by_past(mention, reading)]
    singled_out = {mention.phrase.lower() for mention in told}
    confused = [
        label
        for label in find_confusions(said, labels)
        if not any(label.lower() == phrase or phrase.endswith(f" {label.lower()}") for phrase in singled_out)
    ]
    for label in confused:
        yield Finding("ambiguous-twin", label, "could be another piece, or is counted wrongly")
    if context.op != "add":
        mentions = [*find_indefinite(reading.text, context), *mentions]
    for place, mention in enumerate(mentions):
        if mention in told or mention.related or mention.phrase.lower() in confused:
            continue
        if place and context.op in {"remove", "retexture"}:
            break  # What is edited was said first; `the knob off the drawer` is clear when there is one knob.
        before = reading.text[: mention.start].lower().split()
        meant = find_covered(mention.meaning, labels)
        is_many = with_article(mention.phrase.lower()).startswith("some ")
        if is_many and (place or context.op == "add" or "between" in before[-3:]):
            continue
        if len(meant) > 1:
            pieces = ", ".join(repr(label) for label in meant[:3])
            yield Finding("ambiguous-twin", mention.phrase, f"could be {pieces}{' ...' if len(meant) > 3 else ''}")


_SIDES = frozenset({"left", "right", "leftmost", "rightmost", "left-hand", "right-hand"})


def check_unneeded_sides(reading: Reading) -> Iterator[Finding]:
    """Left and right make a reader ask whose; where there is one such piece they are not needed."""
    labels = list(reading.context.labels.values())
    for mention in find_mentions(reading.text, reading.context):
        place = mention.place if reading.context.op != "add" else ""
        words = plain(f"{place} {mention.phrase}".strip()).split()
        sides = [word for word in words if word in _SIDES]
        if not sides or (mention.exact and not _SIDES & set(place.split())):
            continue
        if find_covered(" ".join(words), labels):
            continue
        rest = [word for word in words if word not in _SIDES]
        meant = find_covered(" ".join(rest), labels) if rest else []
        if len(meant) == 1:
            yield Finding("unneeded-side", f"{' '.join(sides)}: {mention.phrase}", f"there is one {meant[0]!r} only")
