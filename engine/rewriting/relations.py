"""Where a sentence says that things are, as pairs of a relation and what it is to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chains.lint_context import LintContext, Reading
from chains.lint_mentions import Mention, find_covered, find_mentions
from chains.wording import kind_of

_SPELLED = {
    "ground": r"(?:down )?on(?:to)? the (?:ground|floor)",
    "end": r"at (?:the|its) (?:[\w-]+ )?end of",
    "middle": r"(?:in|at) the (?:very )?(?:middle|centre|center) of",
    "corner": r"(?:at|on|in) (?:the|a) (?:[\w-]+ )?corner of",
    "edge": r"(?:at|on|along) the (?:[\w-]+ )?edge of",
    "front": r"in front of|to the front of|before(?= the\b)",
    "behind": r"behind|at the back of|in back of|to the rear of",
    "between": r"in between|between|among",
    "beside": r"beside|next to|alongside|close to|near(?:by)?|at the side of|to the side of|adjacent to|by(?= the\b)",
    "under": r"underneath|under|beneath|below",
    "above": r"above|over(?= the\b)",
    "facing": r"facing|to face|faces|turned to(?:wards)?|looking (?:at|towards)",
    "to": r"to(?= (?:the|its|that|this)\b)",
    "on": r"on(?:to)? top of|atop|upon|on(?:to)?(?= (?:the|its|that|this)\b)",
    "off": r"off(?: of)?|from|out of(?= the\b)",
    "in": r"in(?:to|side)?(?= (?:the|its|that|this)\b)",
}
_RELATION = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _SPELLED.items()) + r")(?![\w-])",
    re.IGNORECASE,
)
_NEVER_PLACES = re.compile(r"(?:in place of|in exchange for)\b", re.IGNORECASE)
_OFTEN_NO_PLACES = frozenset({"to", "in", "off", "on"})
"""Relations only where another piece follows: `back to its place`, `take off the leg`, `paint stripes on the seat`."""
_FURTHEST = 28
"""Characters between a relation and what it is to: an article and an adjective or two."""


class Relation(NamedTuple):
    """One relation and the pieces it is to: slots of the named ones, else the noun that was said; sorted."""

    name: str
    to: tuple[str, ...]


class Place(NamedTuple):
    """A relation and where the sentence says it."""

    relation: Relation
    words: str
    start: int


def find_places(sentence: str, context: LintContext) -> tuple[Place, ...]:
    """The relations of a sentence in its order; what is called so is read by `context`."""
    text = Reading(sentence, context).masked
    mentions = list(find_mentions(sentence, context))
    found = [match for match in _RELATION.finditer(text) if not _NEVER_PLACES.match(text, match.start())]
    places = []
    for place, match in enumerate(found):
        until = found[place + 1].start() if place + 1 < len(found) else len(sentence)
        name = str(match.lastgroup)
        to = [] if name == "ground" else list(_reached(mentions, match.end(), until, many=name == "between"))
        keys = tuple(sorted({_key(mention, context) for mention in to}))
        if name in _OFTEN_NO_PLACES and (not to or _is_edited(name, keys, context)):
            continue
        end = to[-1].end if to else match.end()
        places.append(Place(Relation(_merged(name, context), keys), sentence[match.start() : end], match.start()))
    return tuple(places)


def _reached(mentions: Sequence[Mention], start: int, until: int, *, many: bool) -> Iterator[Mention]:
    """The mention that a relation is to; of `between` all up to the next relation."""
    for mention in mentions:
        if start <= mention.start < until:
            if not many and mention.start - start > _FURTHEST:
                return
            yield mention
            if not many:
                return


def _key(mention: Mention, context: LintContext) -> str:
    meant = set(find_covered(mention.meaning, context.labels.values()))
    slots = [slot for slot, label in context.labels.items() if label in meant]
    named = [slot for slot in slots if slot in context.named_slots] or slots
    return named[0] if len(named) == 1 else kind_of(mention.phrase.lower())


def _is_edited(name: str, keys: Sequence[str], context: LintContext) -> bool:
    """Whether a relation is to what is taken off, or painted on, and says no place."""
    particles = {"remove": {"off"}, "retexture": {"on", "to"}}
    return name in particles.get(str(context.op), set()) and tuple(keys) == context.named_slots[:1]


def _merged(name: str, context: LintContext) -> str:
    """What stands on or in another is taken off or out of it, and what is added to another is put on it."""
    if context.op == "remove" and name in {"off", "in"}:
        return "on"
    return "on" if context.op == "add" and name == "to" else name
