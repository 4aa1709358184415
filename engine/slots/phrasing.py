"""A caption's noun the way it is said: `upper drawer fronts`, not `pair of upper drawer fronts`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from chains.wording import LOOK_WORDS
from library_index.captions import PartPhrase, is_plural
from library_index.lexicon import IRREGULAR_SINGULARS, NUMERALS, SIDE_ORDER, SIDE_SYNONYMS, SIDES

_COLLECTION = re.compile(rf"^(?:set|group|pair|collection|array|series) of (?:(?:{'|'.join(NUMERALS)}|\d+) )?(.+)$")
_LEAF = re.compile(r"^(leaf|leaves) of (\w+)$")
_COVER = re.compile(r"^with an? (blanket|quilt|bedspread|duvet|tablecloth)$")
"""What lies on all of a thing is named with it: who puts a cup on a bed puts it on the blanket."""
_SILENT_ENDS = frozenset({"surface"})
_MEASURES_OF_SHAPE = frozenset({"long", "short", "wide", "narrow", "large", "small", "tall", "thin", "thick"})
_PLURALS = {one: many for many, one in IRREGULAR_SINGULARS.items()}
_SAID_FIRST = frozenset(
    (
        "small large big tiny huge tall short long wide narrow thick thin standing lying open closed empty upright"
        " hanging horizontal vertical"
    ).split()
)
"""Size, posture and direction tell two things apart before colour does; shape and stuff come last."""


class Saying(NamedTuple):
    """What a caption says of a thing, as a person would."""

    noun: str
    adjectives: tuple[str, ...]
    position: str
    """In sides, as PartPhrase has it."""
    detail: str


def say_phrase(phrase: PartPhrase) -> Saying:
    """Put a phrase the way it is said: sides out of the noun, collections as plurals, `long side of the crate`."""
    noun = phrase.phrase if phrase.junk else phrase.noun
    adjectives = () if phrase.junk else phrase.adjectives
    match = _COLLECTION.match(noun)
    if match is not None and is_plural(match[1].split()[-1]):
        noun = match[1]
    words, position = noun.split(), phrase.position
    sides = [place for place, word in enumerate(words[:-1]) if word in SIDES]
    if sides and not position and "of" not in words:
        before, after = words[: sides[0]], words[sides[-1] + 1 :]
        if all(word in SIDES for word in words[sides[0] : sides[-1] + 1]):
            named = {SIDE_SYNONYMS.get(words[place], words[place]) for place in sides}
            position = " ".join(side for side in SIDE_ORDER if side in named)
            adjectives, words = (*adjectives, *([" ".join(before)] if before else [])), after
    return Saying(_say_noun(words, phrase.detail), adjectives, position, phrase.detail)


def _say_noun(words: list[str], detail: str) -> str:
    match = _LEAF.match(" ".join(words))
    if match is not None:
        return f"{match[2]} {match[1]}"
    if len(words) > 1 and words[-1] in _SILENT_ENDS:
        words = words[:-1]
    inner = next((place for place, word in enumerate(words[:-1]) if place and word in _MEASURES_OF_SHAPE), None)
    if inner is not None and "of" not in words:
        return f"{' '.join(words[inner:])} of the {' '.join(words[:inner])}"
    cover = _COVER.match(detail)
    return " ".join(words) + (f" and {cover[1]}" if cover else "")


def plural_of(word: str) -> str:
    """Plural of an English noun in the singular."""
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def counted_noun(noun: str) -> str:
    """A noun that can follow `second`: plurals are counted by the bunch of leaves or the set."""
    last = noun.split(" of ", maxsplit=1)[0].rsplit(maxsplit=1)[-1]
    if not is_plural(last):
        return noun
    return f"{'bunch' if last == 'leaves' else 'set'} of {noun}"


def join_nouns(nouns: Sequence[str]) -> str:
    """`headboard panel and rail`: words that all begin with are said once."""
    words = [noun.split() for noun in nouns]
    shared = 0
    while all(len(entry) > shared + 1 for entry in words) and len({entry[shared] for entry in words}) == 1:
        shared += 1
    parts = [nouns[0], *(" ".join(entry[shared:]) for entry in words[1:])]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def few_adjectives(saying: Saying, others: Sequence[Saying]) -> str:
    """The fewest adjectives that none of `others` has all of; empty when there are none."""
    ranked = sorted(saying.adjectives, key=_rank)
    worn = [_words_of(other.adjectives) for other in others]
    for count in range(1, len(ranked) + 1):
        for chosen in combinations(ranked, count):
            if not any(_words_of(chosen) <= words for words in worn):
                return " ".join(word for word in saying.adjectives if word in chosen)
    return ""


def common_adjective(those: Sequence[Saying], others: Sequence[Saying]) -> str:
    """An adjective that all of `those` and none of `others` have; empty when there is none."""
    worn = [_words_of(other.adjectives) for other in others]
    for adjective in sorted(those[0].adjectives, key=_rank):
        words = _words_of((adjective,))
        everywhere = all(words <= _words_of(one.adjectives) for one in those)
        if everywhere and not any(words <= other for other in worn):
            return adjective
    return ""


def _rank(adjective: str) -> int:
    words = adjective.split()
    if any(word in _SAID_FIRST for word in words):
        return 0
    return 1 if any(word in LOOK_WORDS for word in words) else 2


def _words_of(adjectives: Sequence[str]) -> set[str]:
    return {word for adjective in adjectives for word in adjective.split() if word != "and"}
