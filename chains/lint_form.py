"""Rules about the form of an instruction: one plain English sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chains.lint_context import Finding, Reading, any_of
from chains.wording import with_article

MAX_WORDS = 40
EDIT_VERBS = (
    "put place set add remove take get replace swap exchange switch substitute change make paint repaint cover "
    "give decorate attach hang lay stand lean rest mount fix fit stack turn trade wrap coat colour color dress "
    "finish drop move return delete clear strip lift pull pluck pick detach discard throw drape prop position "
    "install insert plant top crown tuck stick perch bring leave let have use sit restore recolour recolor "
    "retexture redo convert refinish build"
).split()
"""Verbs that edit instructions begin with."""
_VERB = "|".join(EDIT_VERBS)
_STATES_NOTHING = re.compile(
    rf"^(?:an?|the|some|this|that|these|there|my|your|one|two|new)\b(?!.*\b(?:{_VERB}|is|are|be|should|must"
    rf"|needs?|goes?"
    r"|becomes?|gets?|will|can)\b)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:[\w-]+ ){0,5}(?:removal|replacement|addition|substitution|installation|exchange)(?: of .+)?\.?$", re.IGNORECASE
)
"""A heading, not a request: `Cushion removal.`"""
_NEXT_SENTENCE = re.compile(
    r"(?<!\bSt)(?<!\bMr)(?<!\bDr)(?<!\bMrs)(?<!\bNo)(?<!\betc)(?<!e\.g)(?<!i\.e)[.!?][\"')]* +[\"'(]*\w+"
    r"|(?<=[a-z])[.!?](?=[A-Z])\w+|;|\n"
)
_BEGINS = re.compile(rf"(?:please |now |next, |then )?(?:{_VERB})\b", re.IGNORECASE)
_DETERMINER = r"(?:the|an?|some|it|them|this|that|its|another|one)"
_SPLICED = re.compile(
    rf"(?:, |,? and (?=then )|,? and also )(?:then |now |also |next )?(?:{_VERB}) {_DETERMINER}\b"
    r"|(?<=\w) (?<!and )(?<!to )(?<!then )(?<!or )(?<!you )(?<!we )(?<!I )"
    rf"(?:remove|put|add|replace|swap|exchange|get rid of|take away|take|attach|make|give) {_DETERMINER}\b",
    re.IGNORECASE,
)


def check_sentence(reading: Reading) -> Iterator[Finding]:
    """A reader expects one finished sentence that asks for one thing and can be read in one breath."""
    text = reading.text
    words = text.split()
    first = text[:1]
    if not (first.isupper() or first.isdigit()):
        yield Finding("not-a-sentence", " ".join(words[:2]), "begins without a capital letter")
    if not text.endswith(".") or text.endswith(".."):
        yield Finding("not-a-sentence", " ".join(words[-2:]), "does not end in one full stop")
    if len(words) > MAX_WORDS:
        yield Finding("not-a-sentence", " ".join(words[:3]), f"has {len(words)} words, more than {MAX_WORDS}")
    if text.isupper():
        yield Finding("not-a-sentence", " ".join(words[:3]), "is written in capitals alone")
    if len(words) < 2 or _STATES_NOTHING.match(text) or _NOTE.match(text):
        yield Finding("not-a-sentence", " ".join(words[:3]), "asks for nothing: it has no verb")
    for match in _NEXT_SENTENCE.finditer(text):
        yield Finding("not-a-sentence", match[0].strip(), "is more than one sentence")
    # Only what begins with a verb can run into a second one: `Instead of the horn, give ...` does not.
    begun = _BEGINS.match(text)
    for match in _SPLICED.finditer(text, begun.end()) if begun else ():
        yield Finding("not-a-sentence", match[0].strip(" ,"), "is two sentences run together")


_ARTICLE = re.compile(r"\b(an?) ([\w-]+)", re.IGNORECASE)
_VOWEL_SOUND = re.compile(
    r"(?:[aeiou]|hour|honest|honou?r|heir|8|11(?:\D|$)|18(?:\D|$)|[aefhilmnorsx](?:-|$))", re.IGNORECASE
)
_CONSONANT_SOUND = re.compile(
    r"(?:uni(?!n|m|dent)|us[aeiu]|ut[ei]|eu|ewe|one(?:-|s?$)|once|ubiq|uku|ura|ouija|u(?:-|$))", re.IGNORECASE
)
_DOUBLE = re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE)
_TWO_ARTICLES = any_of(
    r"(?:the|an?) (?:the|an?)", r"(?:the|an?) (?:some|its|your|this|that)", r"(?:some|its|this) (?:the|an?)"
)
_LEADS_TO_NAME = (
    rf"(?:^(?:{_VERB}|take away|get rid of)|\b(?:off|onto|on|beside|behind|under|from|near|at|above|below))"
)


def check_articles(reading: Reading) -> Iterator[Finding]:
    """A wrong, doubled or missing small word makes a reader doubt the rest."""
    text = reading.text
    for match in _ARTICLE.finditer(text):
        vowel = _VOWEL_SOUND.match(match[2]) is not None and _CONSONANT_SOUND.match(match[2]) is None
        if vowel != (match[1].lower() == "an"):
            yield Finding("article", match[0], f"should be '{'an' if vowel else 'a'} {match[2]}'")
    for match in _DOUBLE.finditer(text):
        if match[1].lower() != "that":
            yield Finding("article", match[0], "says a word twice")
    yield from reading.find("article", _TWO_ARTICLES, "has two articles", raw=True)
    yield from _check_named_articles(reading)


def _check_named_articles(reading: Reading) -> Iterator[Finding]:
    """`Remove lamp`, `a table legs`: only names of the context tell one from many."""
    context = reading.context
    for name in sorted({*context.labels.values(), *([context.new_label] if context.new_label else [])}):
        spoken = re.escape(name)
        many = with_article(name).split()[0] == "some"
        if many:
            pattern = rf"\ban? {spoken}\b(?! \w+)"
        else:
            pattern = rf"{_LEADS_TO_NAME} {spoken}(?= *(?:[.,]|(?:with|for|from|in|on|off|out|beside|behind)\b))"
        for match in re.finditer(pattern, reading.text, re.IGNORECASE):
            yield Finding("article", match[0], "names many with 'a'" if many else "names a piece without an article")
