"""What pieces a sentence speaks of: `the white jar` of `Put a lid on the white jar.`"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chains.lint_context import LintContext
from chains.wording import POSITION_WORDS, covers, kind_of

_DETERMINER = re.compile(r"\b(?:the|this|that|its|his|her|their|your|my)(?: (?:new|same))? (?=[\w-])", re.IGNORECASE)
_STOP = frozenset(
    (
        "with for from on onto off in into at to by beside behind under underneath below above over near next "
        "between against around along through and but so as is are was were stands sits stood sat that which "
        "who where when the a an some it them out away again up down upside across towards toward like than "
        "inside outside opposite you we just earlier"
    ).split()
)
_LONGEST = 8
_WORD = re.compile(r"[\w'-]+")
_PLACE_AFTER = re.compile(
    r"(?:,? (?:that is|which is|that stands|standing))? (?:furthest |farthest |nearest |second |third )?"
    r"(?:on|at|in|to|from) (?:the|its) (?P<place>[\w-]+(?: [\w-]+){0,2}?)"
    r"(?= *(?:[.,]|(?:with|for|from|on|of|in|to|off)\b))",
    re.IGNORECASE,
)
_PLACE_NOUNS = frozenset("side end corner edge half row hand of most furthest farthest".split())
_SINGLED_OUT = re.compile(
    r",? (?:the one\b|(?:that|which) (?:is|stands|sits|hangs|lies|has|faces|touches)\b|whose\b"
    r"|(?:nearest|closest|furthest|farthest) )",
    re.IGNORECASE,
)
_RELATED = re.compile(
    r" (?:beside|next to|near|between|under|below|above|behind|in front of|opposite|at the end)\b", re.IGNORECASE
)
_PLAIN = {"rear": "back", "upper": "top", "lower": "bottom", "center": "centre", "hind": "back", "gray": "grey"}


class Mention(NamedTuple):
    """A definite noun phrase whose noun is the kind of a known piece."""

    start: int
    phrase: str
    """As the sentence has it, without its article, with a place said after it: `leg` of `the leg`."""
    place: str
    """Place words after the noun: `left` of `the leg on the left`; empty where there are none."""
    singled_out: bool
    """Whether it is said which of several is meant: `the mug that stands by the door`."""
    related: bool
    """Whether a relation follows that may say which of several is meant: `the candle beside the bottle`."""
    exact: bool
    """Whether it is a current label word for word."""

    @property
    def end(self) -> int:
        """Where the phrase ends in the sentence."""
        return self.start + len(self.phrase)

    @property
    def meaning(self) -> str:
        """Place words and phrase as one name, in the words that names are compared by."""
        return plain(f"{self.place} {self.phrase}".strip())


def plain(label: str) -> str:
    """A label in the words that names are compared by: rear is back, upper is top."""
    return " ".join(_PLAIN.get(word, word) for word in label.lower().split())


def find_covered(phrase: str, labels: Iterable[str]) -> list[str]:
    """The labels that somebody told `the <phrase>` could look for."""
    said = plain(phrase)
    return [label for label in labels if covers(said, plain(label))]


def find_mentions(text: str, context: LintContext) -> Iterator[Mention]:
    """Every `the ...` whose noun is the kind of a piece that is there, was there, or comes, in order."""
    labels = sorted({label.lower() for label in context.labels.values()}, key=lambda label: (-len(label), label))
    kinds = _find_kinds(context)
    for match in _DETERMINER.finditer(text):
        start = match.end()
        lower = text[start:].lower()
        said = next((name for name in labels if re.match(rf"{re.escape(name)}(?![\w-])", lower)), None)
        loose = _read_phrase(text, start, kinds)
        if said is not None and (loose is None or len(loose) <= len(said) or not _names_more(loose, said)):
            yield _finish(text, start, text[start : start + len(said)], exact=True)
        elif loose is not None:
            yield _finish(text, start, loose, exact=False)


_EDITS_ONE = re.compile(r"(?:[a-z]+ ){1,3}?(?:an?|one)(?: of the)? (?=[\w-])", re.IGNORECASE)


def find_indefinite(text: str, context: LintContext) -> Iterator[Mention]:
    """What a sentence begins with to edit `a leg` or `one leg`, which leaves open which."""
    match = _EDITS_ONE.match(text)
    phrase = _read_phrase(text, match.end(), _find_kinds(context)) if match else None
    if match and phrase is not None:
        yield _finish(text, match.end(), phrase, exact=False)


def _find_kinds(context: LintContext) -> set[str]:
    """Nouns of pieces that are there, were there, or come."""
    others = (*context.gone, *context.past, *([context.new_label] if context.new_label else []))
    return {kind_of(label.lower()) for label in (*context.labels.values(), *others)}


def _names_more(loose: str, said: str) -> bool:
    """Whether the words after a label make it another thing: `the bottle rack` when there is a `bottle`."""
    return kind_of(loose) != kind_of(said)


def _read_phrase(text: str, start: int, kinds: set[str]) -> str | None:
    """The longest run of words from `start` that ends in a known kind, before a stop word; None without one."""
    end = None
    position = start
    for _ in range(_LONGEST):
        match = _WORD.match(text, position)
        if match is None or match[0].lower() in _STOP:
            break
        if kind_of(text[start : match.end()].lower()) in kinds:
            end = match.end()
        if text[match.end() : match.end() + 1] != " ":
            break
        position = match.end() + 1
    return None if end is None else text[start:end]


def _finish(text: str, start: int, phrase: str, *, exact: bool) -> Mention:
    after = text[start + len(phrase) :]
    match = _PLACE_AFTER.match(after)
    words = match["place"].lower().split() if match else []
    is_place = bool(words) and all(word in POSITION_WORDS or word in _PLACE_NOUNS for word in words)
    place = " ".join(word for word in words if word in POSITION_WORDS) if is_place else ""
    return Mention(
        start, phrase, place, _SINGLED_OUT.match(after) is not None, _RELATED.match(after) is not None, exact
    )
