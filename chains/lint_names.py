"""Rules about what pieces are called: true, current, of this object, and of one piece only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chains.lint_context import MASK, Finding, Reading, any_of
from chains.lint_mentions import Mention, find_covered, find_mentions, plain
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
    rf"\b(?:from|of|off|out of|belonging to|as on|like on) (?P<det>the|that|an?other|the other|an?|my|some) "
    rf"(?P<phrase>[\w{MASK}-]+(?: [\w{MASK}-]+){{0,4}}?)(?= *(?:[.,;']|$|(?:with|on|onto|in|at|to|beside|behind"
    rf"|under|near"
    r"|next|above|below|over|between|from|of|off|for|and|so|that|which|instead|again|away|by|against|around)\b))",
    re.IGNORECASE,
)
_HERE = frozenset(
    (
        "side end edge corner middle centre center top bottom front back rear left right ground floor row set "
        "pair same one object whole others wall walls surface group stack pile face line colour color wood "
        "metal kind size shape air way base half tip rim upper lower space room viewer camera"
    ).split()
)
"""What `of the ...` may always go on with: places and materials of the object itself."""


def check_source_scenes(reading: Reading) -> Iterator[Finding]:
    """The reader sees this object alone: where a new part was found means nothing here."""
    message = "names an object that is not here"
    yield from reading.find("source-scene", _ELSEWHERE, message)
    known = {kind_of(word) for word in reading.context.known_words} | _HERE
    heads = {kind_of(short_name(name)) for name in reading.context.sources}
    new = reading.context.op in {"add", "replace"}
    for match in _OF_SOMETHING.finditer(reading.masked):
        words = [kind_of(word) for word in match["phrase"].lower().split()]
        if MASK in match["phrase"] or words[-1].endswith("ing") or known & set(words[-2:]):
            continue
        determiner = match["det"].lower()
        definite = determiner not in {"a", "an", "some"}
        if words[-1] in heads or "other" in determiner or (new and definite):
            yield Finding("source-scene", reading.text[match.start() : match.end("phrase")], message)
    for name in reading.context.sources:
        said = short_name(name)
        if len(said.split()) > 1 and kind_of(said) not in known:
            yield from reading.find("source-scene", any_of(re.escape(said)), message)


def check_stale_names(reading: Reading) -> Iterator[Finding]:
    """A reader looks for what is called so and finds nothing: it has another look or name now, or it is gone."""
    context = reading.context
    current = [*context.labels.values(), *([context.new_label] if context.new_label else [])]
    for mention in find_mentions(reading.text, context):
        if mention.exact or find_covered(mention.meaning, current) or _speaks_of_past(reading.text, mention):
            continue
        for said, message in (
            (context.gone, "is not there any more"),
            (context.past, "is not called so any more"),
        ):
            if any(_is_called(mention, label) for label in said) and not _is_kind_here(mention, current, said):
                yield Finding("stale-name", mention.phrase, message)
                break
        else:
            look = _find_false_look(mention, reading)
            if look is not None:
                yield Finding("stale-name", mention.phrase, f"it does not look {look} any more")


_PAST = re.compile(
    r",? (?:(?:that |which )?(?:was|were|stood|sat|hung|lay|used to|had been)|(?:you|we) (?:took|removed))\b"
)


def _speaks_of_past(text: str, mention: Mention) -> bool:
    """Whether it is said that the piece was there: `where the candle stood`."""
    return _PAST.match(text[mention.end :]) is not None


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
    word: family
    for family in (
        "red maroon crimson scarlet",
        "orange amber",
        "yellow gold golden",
        "green olive",
        "blue navy azure",
        "teal cyan turquoise",
        "purple violet",
        "pink",
        "brown tan",
        "black",
        "white cream ivory beige",
        "grey gray silver",
    )
    for word in family.split()
}
_STUFFS = {
    word: family
    for family in (
        "wood wooden oak walnut birch pine plank planks",
        "metal metallic iron steel brass copper bronze chrome gold silver rusty",
        "stone brick marble granite cobblestone",
        "glass",
        "fabric cloth linen gingham",
        "leather",
        "plastic",
        "ceramic porcelain glazed",
    )
    for word in family.split()
}


def _find_false_look(mention: Mention, reading: Reading) -> str | None:
    """A colour or stuff in a mention that every piece it could mean contradicts by what it was given to wear."""
    context = reading.context
    kind = kind_of(mention.meaning)
    slots = [slot for slot, label in context.labels.items() if kind_of(plain(label)) == kind]
    looks = [f"{plain(context.labels[slot])} {context.worn[slot].lower()}" for slot in slots if slot in context.worn]
    if not slots or len(looks) < len(slots):
        return None
    for families in (_COLOURS, _STUFFS):
        for word in mention.meaning.split():
            if word in families and all(not _has_look(look, families[word]) for look in looks):
                return word
    return None


def _has_look(look: str, family: str) -> bool:
    return bool(set(re.findall(r"[a-z]+", look)) & set(family.split()))


def check_ambiguous_twins(reading: Reading) -> Iterator[Finding]:
    """Two people who follow the sentence would reach for different pieces."""
    context = reading.context
    labels = list(context.labels.values())
    named = [context.labels[slot] for slot in context.named_slots if slot in context.labels]
    said = [
        label for label in named if re.search(rf"(?<![\w-]){re.escape(label)}(?![\w-])", reading.text, re.IGNORECASE)
    ]
    confused = find_confusions(said, labels)
    for label in confused:
        yield Finding("ambiguous-twin", label, "could be another piece, or is counted wrongly")
    for place, mention in enumerate(find_mentions(reading.text, context)):
        if mention.told_apart or mention.phrase.lower() in confused:
            continue
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
