"""What an instruction is judged by, and what it says when the names of pieces are set apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from chains.references import PastEdit
from chains.wording import claim_places, short_name
from schemas.base import SlotId
from schemas.operation import OpName

RuleId = Literal[
    "axis-word",
    "slot-id",
    "library-word",
    "source-scene",
    "invisible-fact",
    "vague-or",
    "coverage-claim",
    "stale-name",
    "ambiguous-twin",
    "unneeded-side",
    "not-a-sentence",
    "article",
]
MASK = "\N{WHITE SQUARE}"
"""Stands for every character of a known name, so that places in the masked text are places in the sentence."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a reader would hold against an instruction."""

    rule: RuleId
    words: str
    """The words it is about, as the sentence has them."""
    message: str


@dataclass(frozen=True)
class LintContext:
    """What is known where an instruction is given. Whatever is not known is left out and not judged."""

    op: OpName | None = None
    labels: Mapping[SlotId, str] = field(default_factory=dict)
    """What all pieces are called before the turn, by slot."""
    named_slots: tuple[SlotId, ...] = ()
    """Slots the instruction speaks of, the edited one first."""
    new_label: str | None = None
    """What the edited piece is called after the turn; null where nothing comes or changes its name."""
    ids: tuple[str, ...] = ()
    """Identifiers of slots, parts, objects and libraries that the chain holds."""
    host: str = ""
    """What the object is called: `round table with two chairs`."""
    sources: tuple[str, ...] = ()
    """Names of the objects that parts from elsewhere belonged to, as far as they are known."""
    worn: Mapping[SlotId, str] = field(default_factory=dict)
    """Materials that pieces were given by earlier turns and still wear, by slot."""
    gone: tuple[str, ...] = ()
    """Labels of pieces that were taken away and have not come back."""
    past: tuple[str, ...] = ()
    """Labels that pieces had before an earlier turn and have no longer."""
    edits: tuple[PastEdit, ...] | None = None
    """What the earlier turns did, the last turn last; null where that is not known."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What may be said of pieces and of the object, longest first."""
        known = [*self.labels.values(), *([self.new_label] if self.new_label else [])]
        spoken = [*known, *(claim_places(label)[0] for label in known), self.host, short_name(self.host)]
        return tuple(sorted({name.lower() for name in spoken if name.strip()}, key=lambda name: (-len(name), name)))

    @cached_property
    def known_words(self) -> frozenset[str]:
        """Every word of a name, lower case."""
        return frozenset(word for name in self.names for word in re.findall(r"[a-z]+", name))


@dataclass(frozen=True)
class Reading:
    """A sentence and its context, as the rules read them."""

    text: str
    context: LintContext

    @cached_property
    def masked(self) -> str:
        """The sentence with MASK for every character of a known name: `Paint the whole wheat loaf` claims nothing."""
        if not self.context.names:
            return self.text
        names = "|".join(re.escape(name) for name in self.context.names)
        return re.sub(
            rf"(?<![\w-])(?:{names})(?:s|es)?(?![\w-])", lambda m: MASK * len(m[0]), self.text, flags=re.IGNORECASE
        )

    def find(self, rule: RuleId, pattern: re.Pattern[str], message: str, *, raw: bool = False) -> Iterator[Finding]:
        """A finding for each place outside names, or with `raw` anywhere, where the pattern fits."""
        for match in pattern.finditer(self.text if raw else self.masked):
            yield Finding(rule, self.text[match.start() : match.end()].strip(), message)


Rule = Callable[[Reading], Iterable[Finding]]


def any_of(*patterns: str) -> re.Pattern[str]:
    """One pattern for whole words, whatever their case."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(patterns)})(?![\w-])", re.IGNORECASE)
