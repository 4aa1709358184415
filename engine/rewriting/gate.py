"""What is held against a rewritten sentence: the lint's rules, and every difference in meaning from its draft.

Nothing here understands language. A sentence passes when it speaks of the same pieces, in the same places, in words
that the draft, the names of its pieces or plain grammar hold. A good sentence that fails costs one more answer or
leaves the draft; a false one that passed would be a wrong target.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from chains.lint import lint_sentence
from chains.lint_context import LintContext, Reading
from chains.lint_form import EDIT_VERBS
from chains.lint_mentions import find_covered, find_mentions
from chains.wording import POSITION_WORDS, SIZE_WORDS, kind_of, short_name, with_article
from engine.rewriting.relations import find_places
from engine.rewriting.vocabulary import (
    INSTEAD,
    OLD_FIRST,
    VERBS,
    find_first_verb,
    find_unknown,
    is_free,
    stem,
    stems_of,
)
from schemas.operation import OpName

_EXACTLY = re.compile(
    r"\b(?:right|just|directly)\s(?=(?:next to|beside|behind|in front|on|onto|under|below|above|by|between|at)\b)",
    re.IGNORECASE,
)
_ONE = re.compile(r"(?P<lead>\b(?:the|an?) (?:[\w-]+ ){1,5}?)one\b", re.IGNORECASE)
"""`The teal one` where both old and new are bottles."""
_EARLIER = re.compile(r"\b(?:just|earlier|before(?! the\b)|previously)\b", re.IGNORECASE)
_RETURNS = re.compile(r"\b(?:back|again)\b", re.IGNORECASE)
_STRANGE = re.compile(r"[^A-Za-z0-9 ,.'-]")
_SAME_CLAIM = ((_EARLIER, "just earlier before"), (_RETURNS, "back again"))
"""Words that say the same of an earlier turn."""
_AND_THEN = re.compile(r"(?:\band|,) (?:then )?(?P<verb>[a-z]+)\b", re.IGNORECASE)
_BARE_COAT = re.compile(r"\b(?:coat|layer)\b(?! of\b)", re.IGNORECASE)
"""A garment, not paint."""
_DETAIL = re.compile(r" (?:of|in|with) ")
_INDEFINITE = re.compile(r"(?<!\bthe )\b(?:an?|some|another|one|two|three)(?= [\w-])", re.IGNORECASE)
_A_PAIR = re.compile(r"\b(?:an?|one) (?=(?:pair|set|group)\b)|\bone (?=of\b)", re.IGNORECASE)
_A_LOOK = re.compile(
    r"\ban? (?=(?:[\w-]+ ){0,6}(?:coat|layer|look|finish|surface|appearance|colou?r|material)\b)", re.IGNORECASE
)
"""Articles that bring no thing: `a coat of red paint`."""
_ENDS_NEW = re.compile(r"\.$|\b(?:the|its|instead|where|that|which|for|to)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A drafted sentence and all that its rewriting is judged by."""

    sentence: str
    context: LintContext
    """As the lint reads it, of the state before the turn."""
    material: str | None = None
    """The new look of a retexture, in words."""

    @property
    def spoken(self) -> LintContext:
        """The context with the named pieces only; with what comes back, and the object, where the draft names them."""
        known = self.context.labels
        named = {slot: known[slot] for slot in self.context.named_slots if slot in known}
        edited = next(iter(self.context.named_slots), "")
        if self.context.op == "add" and self.context.new_label and self._says(self.context.new_label):
            named.setdefault(edited, self.context.new_label)
        if self._says(short_name(self.context.host)):
            named.setdefault("", short_name(self.context.host).lower())
        return replace(self.context, labels=named)

    def _says(self, name: str) -> bool:
        return re.search(rf"\bthe {re.escape(name)}\b", self.sentence, re.IGNORECASE) is not None


def check_english(sentence: str, draft: Draft) -> tuple[str, ...]:
    """What is held against a rewritten sentence, in words for whoever wrote it. Empty when it may stand."""
    findings = [f"{found.rule}: {found.words!r} {found.message}" for found in lint_sentence(sentence, draft.context)]
    sentence = _spell_out(sentence, draft.context)
    for check in (_check_verb, _check_names, _check_places, _check_claims, _check_new, _check_words):
        findings.extend(check(sentence, draft))
    return tuple(dict.fromkeys(findings))


def _spell_out(sentence: str, context: LintContext) -> str:
    """A sentence without `just` and `right` before a relation, and with the noun that `one` stands for."""
    sentence = _EXACTLY.sub("", sentence)
    edited = context.labels.get(next(iter(context.named_slots), ""))
    if context.op != "replace" or not edited or not context.new_label:
        return sentence
    kind = kind_of(context.new_label)
    return _ONE.sub(rf"\g<lead>{kind}", sentence) if kind == kind_of(edited) else sentence


def _check_verb(sentence: str, draft: Draft) -> Iterator[str]:
    op = draft.context.op
    verb = find_first_verb(sentence)
    instead = op == "replace" and verb in VERBS["add"] and INSTEAD.search(sentence)
    if op is not None and verb not in VERBS[op] and not instead:
        yield f"operation: asks to {verb or 'do nothing'}, the edit is a {op}"
    others = [match["verb"] for match in _AND_THEN.finditer(sentence) if match["verb"].lower() in EDIT_VERBS]
    if op is not None and any(other.lower() not in VERBS[op] for other in others):
        yield f"one edit: asks to {others[-1]} as well"
    if op == "replace" and verb in OLD_FIRST | {"substitute"}:
        mentions = [mention.start for mention in find_mentions(sentence, draft.spoken)]
        comes = _find_new(sentence, draft.context.new_label or "")
        if mentions and comes and (mentions[0] < comes.start) != (verb in OLD_FIRST):
            yield "operation: what goes and what comes change places"


def _check_names(sentence: str, draft: Draft) -> Iterator[str]:
    """Every piece that the draft speaks of is spoken of, and no other piece is."""
    spoken = draft.spoken
    drafted, said = (_find_names(text, spoken) for text in (draft.sentence, sentence))
    wanted = {name.slot: spoken.labels[name.slot] for name in drafted if name.slot is not None}
    # `the two candles` means no piece alone: such words stay as they are
    shared = [name.phrase.lower() for name in drafted if name.slot is None]
    reached = {name.slot for name in said}
    yield from (f"names: does not speak of the {label}" for slot, label in wanted.items() if slot not in reached)
    yield from (f"names: does not say 'the {phrase}'" for phrase in shared if f"the {phrase}" not in sentence.lower())
    for name in said:
        if name.slot is None and name.phrase.lower() not in shared:
            yield f"names: 'the {name.phrase}' is none of the pieces that the draft speaks of"


class _Name(NamedTuple):
    """A definite phrase, where it is, and the slot of the named piece it means; None where it means no such piece."""

    phrase: str
    start: int
    end: int
    slot: str | None


def _find_names(sentence: str, spoken: LintContext) -> list[_Name]:
    found: list[_Name] = []
    labels = list(spoken.labels.values())
    end = 0
    for mention in find_mentions(sentence, spoken):
        if mention.start < end:
            continue  # a name within a name: the head of `the bolt on the left side of the head`
        end = mention.end
        covered = find_covered(mention.meaning, labels)
        slots = [
            slot
            for slot, label in spoken.labels.items()
            if label in covered and _is_many(label) == _is_many(mention.phrase)
        ]
        found.append(_Name(mention.phrase, mention.start, mention.end, slots[0] if slots else None))
    return found


def _is_many(name: str) -> bool:
    return with_article(name.lower()).startswith("some ")


def _check_places(sentence: str, draft: Draft) -> Iterator[str]:
    """Exactly the relations of the draft, each to the same piece."""
    drafted = {place.relation: place.words for place in find_places(draft.sentence, draft.spoken)}
    said = {place.relation: place.words for place in find_places(sentence, draft.spoken)}
    for relation, words in drafted.items():
        if relation not in said:
            yield f"relation: does not say {words!r}"
    for relation, words in said.items():
        if relation not in drafted:
            yield f"relation: {words!r} is not in the draft"


def _check_claims(sentence: str, draft: Draft) -> Iterator[str]:
    """What the draft says of earlier turns stays, and nothing else is said of them."""
    before, after = (Reading(text, draft.context).masked for text in (draft.sentence, sentence))
    for pattern, what in ((_EARLIER, "an earlier edit"), (_RETURNS, "a return")):
        drafted, said = pattern.search(before), pattern.search(after)
        if drafted and not said:
            yield f"claim: does not say {drafted[0]!r}"
        if said and not drafted:
            yield f"claim: {said[0]!r} speaks of {what}"


def _check_new(sentence: str, draft: Draft) -> Iterator[str]:
    """What comes is one thing, called by all the words it had in the draft, in one place of the sentence."""
    context = draft.context
    if _count_new(sentence, draft) > _count_new(draft.sentence, draft):
        yield "one edit: brings more things than the draft"
    if draft.material is not None:
        missing = (_content(draft.material, context.op) & stems_of(draft.sentence)) - stems_of(sentence)
        if missing:
            yield f"look: does not say {_quote(draft.material, missing)}"
        _, detailed, detail = draft.material.partition(" with ")
        if detailed and f"with {detail}".lower() not in sentence.lower():
            yield f"look: does not say 'with {detail}'"
        return
    if context.new_label is None or context.op not in {"add", "replace"}:
        return
    drafted, found = (_find_new(text, context.new_label) for text in (draft.sentence, sentence))
    if drafted is None:  # it comes back: the names say all
        return
    phrase = drafted.phrase
    if found is None:
        yield f"new piece: does not bring {phrase!r}"
        return
    said = found.phrase
    missing = _content(phrase, context.op) - stems_of(said)
    if missing:
        yield f"new piece: {said!r} does not say {_quote(phrase, missing)}"
    strange = (_content(said, context.op) & stems_of(*context.labels.values(), draft.sentence)) - stems_of(phrase)
    if strange:
        yield f"new piece: {_quote(said, strange)} was not said of it"
    elif not missing and not _is_put_alike(phrase, said, context.op):
        yield f"new piece: {said!r} is not {phrase!r}"


def _is_put_alike(phrase: str, said: str, op: OpName | None) -> bool:
    """Whether a detail stays one: red tulips in a blue vase are no blue tulips, a desk globe is no desk and globe."""
    drafted, found = (_DETAIL.split(text, maxsplit=1) for text in (phrase, said))
    joined = {"and", "with"} & (set(said.split()) - set(phrase.split()))
    if len(drafted) == 1:
        return not joined
    return not joined and [_content(part, op) for part in drafted] == [_content(part, op) for part in found]


def _count_new(sentence: str, draft: Draft) -> int:
    """How many things a sentence brings."""
    text = _A_PAIR.sub("", sentence)
    return len(_INDEFINITE.findall(_A_LOOK.sub("", text) if draft.context.op == "retexture" else text))


class _NewPhrase(NamedTuple):
    phrase: str
    start: int


def _find_new(sentence: str, label: str) -> _NewPhrase | None:
    """The words for what comes, from its article to the next relation, comma or known piece; None without any."""
    kind, many = kind_of(label), _is_many(label)
    for match in _INDEFINITE.finditer(sentence):
        end = _ENDS_NEW.search(sentence, match.end())
        phrase = sentence[match.end() : end.start() if end else len(sentence)].strip()
        nouns = [word for word in re.findall(r"[\w-]+", phrase.lower()) if kind_of(word) == kind]
        if nouns and _is_many(nouns[0]) == many:
            return _NewPhrase(_before_relation(phrase), match.start())
    return None


def _before_relation(phrase: str) -> str:
    cut = re.search(
        r" (?:down |right )?(?:on|onto|upon|in front|beside|behind|under|between|next|near|at|facing|above)\b.*$",
        phrase,
    )
    return phrase[: cut.start()] if cut else phrase


def _content(phrase: str, op: OpName | None) -> set[str]:
    """Stems of the words that say what something is and looks like; sizes beside others may go."""
    words = re.findall(r"[a-z0-9]+", phrase.lower())
    return stems_of(*(word for word in words if word not in SIZE_WORDS and not is_free(word, op)))


def _quote(text: str, stems: set[str]) -> str:
    """The words of a text that have these stems, in order."""
    return ", ".join(repr(word) for word in re.findall(r"[a-z0-9]+", text.lower()) if stem(word) in stems)


def _check_words(sentence: str, draft: Draft) -> Iterator[str]:
    """Every other word is known from the draft, from the named pieces, or is plain grammar."""
    spoken = draft.spoken
    said, drafted = (_without_names(text, spoken) for text in (sentence, draft.sentence))
    places = [word for label in spoken.labels.values() for word in label.lower().split() if word in POSITION_WORDS]
    known = [drafted, *places, *([draft.material] if draft.material else [])]
    known.extend(
        words for pattern, words in _SAME_CLAIM if pattern.search(Reading(draft.sentence, draft.context).masked)
    )
    unknown = list(find_unknown(said, known, spoken.op))
    if _BARE_COAT.search(said) and not _BARE_COAT.search(drafted):
        unknown.append("coat")
    strange = sorted(set(_STRANGE.findall(sentence)) - set(draft.sentence))
    if strange:
        yield f"words: holds {', '.join(repr(mark) for mark in strange[:5])}"
    if unknown:
        yield f"words: nobody said {', '.join(repr(word) for word in unknown[:5])}"


def _without_names(sentence: str, spoken: LintContext) -> str:
    """A sentence without its names of named pieces: words of names are free in these names alone."""
    end, kept = 0, []
    for name in _find_names(sentence, spoken):
        if name.slot is not None:
            kept.append(sentence[end : name.start])
            end = name.end
    return "".join([*kept, sentence[end:]])


def describe_relations(draft: Draft) -> tuple[str, ...]:
    """Where the draft says that things are, in its own words."""
    return tuple(place.words for place in find_places(draft.sentence, draft.spoken))
