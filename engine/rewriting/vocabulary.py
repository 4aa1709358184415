"""Words a rewriting may use though the draft does not: verbs of edits and small words, compared by their stems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from chains.lint_form import EDIT_VERBS
from schemas.operation import OpName

_FREE = frozenset(
    (
        "a an the this that these those it its itself them they their there here one ones and so as at by for from in "
        "into of off on onto out to up down with upon is are be has have had let then please instead place spot "
        "position where which who whose what now stand stands standing sit sits sitting go goes going belong belongs "
        "beside next near close alongside adjacent between among under underneath beneath below above behind facing "
        "faces ground floor away rid old new existing current made single "
        "put add move bring return install remove take get clear delete replace swap exchange switch substitute trade "
        "change make use turn give let lift set drop leave fit pull pick"
    ).split()
)
"""None of these says how something looks, how it is held, or which of several is meant."""
_FREE_OF_LOOKS = frozenset(
    "look appearance coat layer finish surface material colour color paint repaint cover decorate like".split()
)
"""Free where a look is asked for: elsewhere `the cover of the pillow` is another thing."""

VERBS: dict[OpName, frozenset[str]] = {
    "add": frozenset(
        (
            "put place set add attach hang lay stand lean rest mount fix fit stack finish drop top crown tuck stick "
            "perch prop position install insert plant return bring give leave have move"
        ).split()
    ),
    "remove": frozenset("remove take get delete clear strip lift pull pluck pick detach discard drop".split()),
    "replace": frozenset("replace swap exchange switch substitute trade change make use turn give".split()),
    "retexture": frozenset(
        (
            "change let make paint repaint cover give decorate turn wrap coat colour color dress finish restore "
            "recolour recolor retexture redo refinish have drape"
        ).split()
    ),
}
"""Verbs that ask for each operation."""
INSTEAD = re.compile(
    r"\b(?:instead of|in place of|in exchange for|where (?:the|its) .+ (?:is|was|stands|stood|sits|sat))\b",
    re.IGNORECASE,
)
"""With these an add is a replacement: `Put an amber bottle in place of the teal bottle.`"""

OLD_FIRST = frozenset("replace swap exchange switch trade change turn".split())
"""Verbs after which what goes is said before what comes; after `substitute` it is the other way round."""

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_SAME = {
    "gray": "grey",
    "metallic": "metal",
    "golden": "gold",
    "center": "centre",
    "rear": "back",
}
_ENDINGS = (("ing", 3), ("ed", 3), ("en", 4), ("es", 3), ("s", 3), ("e", 3), ("y", 4))
"""Endings and how many letters must be left: green is not grey."""


def stem(word: str) -> str:
    """What forms of a word share: `strip` of stripe, stripes and striped; `wood` of wood and wooden."""
    word = word.lower().split("'")[0]
    word = _SAME.get(word, word)
    for ending, least in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= least and not (ending == "s" and rest.endswith("s")):
            word = rest
            break
    if word[-1] == "v":  # leaves, shelves, knives
        word = word[:-1] + "f"
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl"
    return word[:-1] if doubled else word


def stems_of(*texts: str) -> set[str]:
    """The stems of all words of texts; hyphens part words."""
    return {stem(word) for text in texts for word in _WORD.findall(text.lower())}


def find_unknown(sentence: str, known: Iterable[str], op: OpName | None) -> Iterator[str]:
    """Words of a sentence that are neither free for an operation nor in the texts `known`, once each, in order."""
    allowed = stems_of(*known)
    seen: set[str] = set()
    for word in _WORD.findall(sentence.lower()):
        if not is_free(word, op) and stem(word) not in allowed and word not in seen:
            seen.add(word)
            yield word


def is_free(word: str, op: OpName | None) -> bool:
    """Whether a word may be said, or left out, whatever the draft of such an operation says."""
    return word.lower() in _FREE or (op == "retexture" and word.lower() in _FREE_OF_LOOKS)


def find_first_verb(sentence: str) -> str | None:
    """The first word that asks for an edit."""
    return next((word for word in _WORD.findall(sentence.lower()) if word in EDIT_VERBS), None)
