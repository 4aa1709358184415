"""What a sentence says of earlier turns: `the vase you just added`, `the new roof`. It must be true of the chain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from chains.lint_context import Finding, LintContext, Reading
from chains.lint_mentions import Mention, find_covered, find_mentions, plain
from chains.references import PastEdit
from chains.wording import covers
from schemas.base import SlotId
from schemas.operation import OpName

_VERBS: dict[str, OpName | None] = {
    "put back": "add",
    "brought back": "add",
    "returned": "add",
    "restored": "add",
    "added": "add",
    "put": "add",
    "placed": "add",
    "set": "add",
    "stood": "add",
    "brought": "add",
    "hung": "add",
    "painted": "retexture",
    "repainted": "retexture",
    "recoloured": "retexture",
    "recolored": "retexture",
    "covered": "retexture",
    "decorated": "retexture",
    "replaced": "replace",
    "swapped": "replace",
    "exchanged": "replace",
    "removed": "remove",
    "took": "remove",
    "taken": "remove",
    "changed": None,
    "edited": None,
}
"""What somebody says was done, and the operation that does it; None where any edit does."""
_CLAUSE = re.compile(
    r"(?:,? (?:that|which))?(?:(?P<who> (?:you|we|I)(?:'ve| have)?)| (?:was|were))?(?P<just> (?:only )?just)?"
    rf" (?P<verb>{'|'.join(_VERBS)})\b(?P<rest>[^,.;:]*)",
    re.IGNORECASE,
)
_EARLIER = re.compile(r" (?:earlier|previously|before(?! (?:the|an?|it)\b))\b", re.IGNORECASE)
_NOW = re.compile(r" (?:a moment ago|just now|last *$)", re.IGNORECASE)
_ON = re.compile(
    r"^ (?:in|on|onto|on top of) the (?P<support>[\w' -]+?)(?= earlier| before| just| a moment|$)", re.IGNORECASE
)
_NEW = re.compile(r"\b(?:the|this|that|your) new $", re.IGNORECASE)


class PastClause(NamedTuple):
    """What is said of a piece's past."""

    words: str
    op: OpName | None
    just: bool
    """Whether it is said to be what the last turn did."""
    support: str = ""
    """What it is said to have been put on."""
    is_new: bool = False
    """`the new roof`: an earlier turn brought it."""


def read_past(mention: Mention, reading: Reading) -> PastClause | None:
    """The clause of the past that goes with a mention; None without one.

    `The lamp painted red` is a look, `the cup that was placed on the saucer` a place: of the past is what somebody did,
    or what was done just now or earlier.
    """
    match = _CLAUSE.match(reading.text, mention.end)
    if match is not None:
        verb, rest = match["verb"].lower(), match["rest"]
        now = bool(match["just"]) or _NOW.search(rest) is not None
        if now or match["who"] or _EARLIER.search(rest):
            on = _ON.match(rest) if _VERBS[verb] == "add" else None
            words = f"{mention.phrase}{reading.text[mention.end : match.end('verb')]}"
            return PastClause(words, _VERBS[verb], just=now, support=on["support"] if on else "")
    if _NEW.search(reading.text[: mention.start]) and not mention.phrase.lower().startswith("new "):
        return PastClause(f"new {mention.phrase}", None, just=False, is_new=True)
    return None


def find_meant(mention: Mention, clause: PastClause, context: LintContext) -> list[SlotId]:
    """The slots of pieces of which mention and clause are true, in the order of slots."""
    edits = context.edits or ()
    said = plain(mention.meaning)
    found = set()
    for edit in edits:
        if clause.just and edit is not edits[-1]:
            continue
        label = context.labels.get(edit.slot)
        if label is not None and covers(said, plain(label)) and _is_done(edit, clause, edits, context):
            found.add(edit.slot)
    return sorted(found)


def _is_done(edit: PastEdit, clause: PastClause, edits: tuple[PastEdit, ...], context: LintContext) -> bool:
    """Whether an edit is what a clause says, and what it brought still stands."""
    brought = [other for other in edits if other.slot == edit.slot and other.op in {"add", "replace"}]
    if clause.is_new:
        return bool(brought) and edit is brought[-1] and not edit.returned
    if clause.op is not None and edit.op != clause.op:
        return False
    if edit.op in {"add", "replace"} and edit is not brought[-1]:
        return False
    support = context.labels.get(edit.support or "", "")
    return not clause.support or covers(plain(clause.support), plain(support))


def check_past(reading: Reading) -> Iterator[Finding]:
    """Whoever is told of the vase that was just added looks for it: the last turn must have added one that stands."""
    context = reading.context
    if context.edits is None:
        return
    for mention in find_mentions(reading.text, context):
        clause = read_past(mention, reading)
        if clause is None or find_meant(mention, clause, context):
            continue
        if clause.op in {"remove", None} and _was_removed(mention, clause, context):
            continue
        if clause.is_new and context.new_label and find_covered(mention.meaning, [context.new_label]):
            continue
        message = "no earlier turn brought it" if clause.is_new else "no earlier turn did that to what is called so"
        yield Finding("stale-name", clause.words, "the last turn did not do that" if clause.just else message)


def _was_removed(mention: Mention, clause: PastClause, context: LintContext) -> bool:
    """Whether what is spoken of was taken away, in the last turn where that is said."""
    edits = context.edits or ()
    gone = [edit.label for edit in edits if edit.op == "remove" and (not clause.just or edit is edits[-1])]
    return not clause.is_new and bool(find_covered(mention.meaning, gone))


def is_told_by_past(mention: Mention, reading: Reading) -> bool:
    """Whether what is said of its past tells which piece is meant."""
    clause = read_past(mention, reading) if reading.context.edits is not None else None
    return clause is not None and len(find_meant(mention, clause, reading.context)) == 1
