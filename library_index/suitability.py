"""Judging by words whether a thing may take another's place, or stand where it is to be put.

Pure functions of captions and rules: no geometry, no vectors. Every judgement is a score in 0..1 that retrieval may
rank by, and the rule that refuses the pair when the score is below the limit of the rules file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from library_index.captions import PartPhrase, clean_caption, find_head, singular
from library_index.lexicon import PAIRED_NOUNS
from library_index.rules import Likelihood, NounClass, Rules

GROUND_TOP = "ground"
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing in words: what it is called, and the object it belongs to."""

    noun: str
    """Noun phrase without adjectives: `sword guard`, `slice of tomato`."""
    plural: bool
    category: str | None
    object_name: str = ""

    @classmethod
    def of_phrase(cls, phrase: PartPhrase, category: str | None, object_name: str = "") -> Subject:
        """The subject of a caption that was taken apart."""
        return cls(phrase.noun, phrase.plural, category, object_name)

    @classmethod
    def of_label(cls, label: str, category: str | None, object_name: str = "") -> Subject:
        """The subject of what people call a piece: `back left round green cactus`."""
        return cls.of_phrase(clean_caption(label), category, object_name)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well a pair suits, 0..1, and the rule that refuses it, if one does."""

    score: float
    rule: str | None = None
    """`replace.class`, `replace.realm`, `replace.number`, `add.alone`, `add.on`, `add.in`, `add.soft`, or None."""
    reason: str = ""
    limit: float = 0.0
    """The score below which a pair is refused."""

    @property
    def refused(self) -> bool:
        """Whether a rule refuses the pair."""
        return self.rule is not None


LEAST_STABILITY_ON_SOFT = 0.25
"""Margin over height that a thing needs to stay where it sinks in."""


class Suitability:
    """The judge of one rules file."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._classes = rules.file.classes
        self._groups = frozenset(singular(word.lower()) for word in rules.file.groups)
        self._found: dict[tuple[str, str | None], str | None] = {}
        self._realms: dict[tuple[str | None, str], str | None] = {}

    def judge_replacement(self, old: Subject, new: Subject) -> Verdict:
        """Whether `new` may take the place of `old`.

        Things of one class suit; those of a class that it takes are neutral, all other classes are refused. Two nouns
        that no class knows suit when they are equal, and are neutral otherwise: nearness of captions decides there.
        """
        was, becomes = self.class_of(old), self.class_of(new)
        if not self._is_many(old) and self._is_many(new):
            return self._verdict("silly", "replace.number", f"one {old.noun} is not {new.noun}")
        if (was and self._classes[was].bound) or (becomes and self._classes[becomes].bound):
            here, there = self.realm_of(old), self.realm_of(new)
            if self._are_far(here, there):
                return self._verdict("silly", "replace.realm", f"a {new.noun} of {there} for a {old.noun} of {here}")
        if was is None or becomes is None:
            same = find_head(old.noun) == find_head(new.noun)
            return self._verdict("likely" if same else "neutral", "replace.class")
        if was == becomes:
            return self._verdict("likely", "replace.class")
        level: Likelihood = "neutral" if becomes in self._classes[was].takes else "silly"
        return self._verdict(level, "replace.class", f"{becomes} ({new.noun}) for {was} ({old.noun})")

    def judge_addition(
        self, candidate: Subject, support: Subject | None, host: Subject, stability: float = 1.0
    ) -> Verdict:
        """Whether `candidate` may be put on `support`, or on the ground beside it (None), in a host.

        The score is the mean of how likely the thing stands by itself, on such a top, and in such a host, unless one
        of these is silly. Of a support that no word tells anything about nothing is held against the thing.
        `stability` is the margin over the height with which it stands.
        """
        entry = self._entry(self.class_of(candidate))
        top = self.top_of(support, host)
        realm = self.realm_of(host)
        alone = self._verdict(entry.alone, "add.alone", f"a {candidate.noun} means nothing by itself")
        level = _level(top, entry.likely_on, entry.neutral_on)
        if level == "silly" and self._is_unknown(support, host):
            level = "neutral"
        on = self._verdict(level, "add.on", f"{candidate.noun} on {top}")
        inside = self._verdict(
            "likely" if realm in entry.likely_in else "silly" if realm in entry.silly_in else "neutral",
            "add.in",
            f"{candidate.noun} with a host of {realm}",
        )
        is_firm = top not in self.rules.file.soft or stability >= LEAST_STABILITY_ON_SOFT
        soft = self._verdict("neutral" if is_firm else "silly", "add.soft", f"a {candidate.noun} falls over on {top}")
        for verdict in (alone, on, inside, soft):
            if verdict.refused:
                return verdict
        return Verdict((alone.score + on.score + inside.score) / 3.0, limit=alone.limit)

    def stands_alone(self, subject: Subject) -> Likelihood:
        """Whether a thing means something put down by itself."""
        return self._entry(self.class_of(subject)).alone

    def class_of(self, subject: Subject) -> str | None:
        """The class of a thing: the longest ending of its noun that a class claims in its realm; None when unknown."""
        key = (subject.noun, self.realm_of(subject))
        if key not in self._found:
            self._found[key] = _find_class(self.rules, *key)
        return self._found[key]

    def realm_of(self, subject: Subject) -> str | None:
        """The realm of a thing's object: by a word of what its name calls it, else by its category; else None."""
        key = (subject.category, subject.object_name)
        if key not in self._realms:
            self._realms[key] = _find_realm(self.rules, *key)
        return self._realms[key]

    def top_of(self, support: Subject | None, host: Subject) -> str:
        """What standing on a thing is like; None is the ground beside the host."""
        realms = self.rules.file.realms
        if support is None:
            realm = self.realm_of(host)
            return realms[realm].ground if realm else GROUND_TOP
        name = self.class_of(support)
        if name is not None:
            return self._classes[name].top
        realm = self.realm_of(support)
        return (realms[realm].top if realm else None) or self.rules.file.unknown.top

    def _is_unknown(self, support: Subject | None, host: Subject) -> bool:
        """Whether neither class nor realm of a support is known, or for the ground the host's realm."""
        if support is None:
            return self.realm_of(host) is None
        return self.class_of(support) is None and self.realm_of(support) is None

    def _entry(self, name: str | None) -> NounClass:
        return self.rules.file.unknown if name is None else self._classes[name]

    def _are_far(self, one: str | None, two: str | None) -> bool:
        if one is None or two is None or one == two:
            return False
        realms = self.rules.file.realms
        return two in realms[one].far or one in realms[two].far

    def _is_many(self, subject: Subject) -> bool:
        words = subject.noun.lower().split()
        if "of" in words[1:]:
            return singular(words[words.index("of", 1) - 1]) in self._groups
        return subject.plural and words[-1] not in PAIRED_NOUNS

    def _verdict(self, level: Likelihood, rule: str, reason: str = "") -> Verdict:
        scores = self.rules.file.scores
        score = {"likely": scores.likely, "neutral": scores.neutral, "silly": scores.silly}[level]
        limit = scores.refuse_below
        return Verdict(score, rule, reason, limit) if score < limit else Verdict(score, limit=limit)


def _level(name: str, likely: tuple[str, ...], neutral: tuple[str, ...]) -> Likelihood:
    return "likely" if name in likely else "neutral" if name in neutral else "silly"


def name_of(noun: str) -> tuple[str, ...]:
    """The words of a noun phrase that name the thing, the head last and in the singular.

    `stack of cargo cubes` → cargo, cube; `sword guard and pommel` → sword, guard; `wedge of cheese` → cheese.
    """
    words = noun.lower().split()
    head = find_head(noun)
    end = len(words) - words[::-1].index(head)
    start = max((place + 1 for place, word in enumerate(words[: end - 1]) if word in {"of", "and"}), default=0)
    return (*words[start : end - 1], singular(head))


def _find_realm(rules: Rules, category: str | None, object_name: str) -> str | None:
    named = clean_caption(object_name).noun.lower() if object_name else ""
    for word in _WORD.findall(named):
        realm = rules.realm_of_name.get(singular(word))
        if realm is not None:
            return realm
    return rules.realm_of_category.get((category or "").lower())


def _find_class(rules: Rules, noun: str, realm: str | None) -> str | None:
    words = name_of(noun)
    for start in range(len(words)):
        for name, realms in rules.meanings.get(" ".join(words[start:]), ()):
            if not realms or realm in realms:
                return name
    return None
