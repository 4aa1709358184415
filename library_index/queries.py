"""The texts an index embeds: what each part is, and what belongs in its place, on it, and beside its object.

All of them follow from index rows and the rules of suitability that come with the package. Their vectors are stored in
the index, so that building a chain asks for what belongs somewhere without a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from library_index.captions import PartPhrase, clean_caption
from library_index.rules import read_rules
from library_index.suitability import Subject, Suitability
from schemas.base import Identifier, Value
from schemas.operation import GROUND
from schemas.part import ObjectRecord, PartRecord

QueryPurpose = Literal["beside", "add", "kind", "replace"]
PART_PURPOSES: tuple[QueryPurpose, ...] = ("add", "kind", "replace")
"""In the order in which the queries of a part are stored."""
MAX_NEIGHBOURS = 3
"""Neighbours named in a query: more would drown what they stand on."""
SHARE_DIGITS = 2
"""Neighbours whose shares of the object agree to so many digits are of one size."""
NAMELESS = "object"
"""Name of an object whose dataset gives none."""


class QueryRow(Value):
    """One stored query; its vector is the row of the same number in `queries.i8`."""

    object_id: Identifier
    part_id: Identifier | None
    """None for what belongs beside the whole object."""
    purpose: QueryPurpose
    text: str


def describe_part(record: PartRecord, owner: ObjectRecord) -> str:
    """What is embedded for a part: its caption without article and place, then the name of its object.

    `A brown leg at the back right of the rustic chair.` gives `brown leg, rustic chair`: a leg of a chair is then
    nearer to other legs of chairs than to legs of beds. An object that is its only part is not named twice.
    """
    phrase = clean_caption(record.caption, owner.name)
    return _join(phrase.described, _name_beside(phrase, owner))


def write_queries(owner: ObjectRecord, records: Sequence[PartRecord]) -> Iterator[QueryRow]:
    """The queries of one object: what belongs beside it, then those of each part, in the order given.

    `add` asks for what belongs on a part, `replace` for what belongs in its place, and `kind` says what it is at all:
    its head noun, against which that of another part is held.
    """
    phrases = {record.ref.part_id: clean_caption(record.caption, owner.name) for record in records}
    yield QueryRow(object_id=owner.object_id, part_id=None, purpose="beside", text=_ask_beside(owner, records, phrases))
    for record in records:
        part_id = record.ref.part_id
        texts = (
            _ask_on(record, owner, records, phrases),
            phrases[part_id].head,
            _ask_instead(record, owner, phrases),
        )
        for purpose, text in zip(PART_PURPOSES, texts, strict=True):
            yield QueryRow(object_id=owner.object_id, part_id=part_id, purpose=purpose, text=text)


def _ask_instead(record: PartRecord, owner: ObjectRecord, phrases: Mapping[str, PartPhrase]) -> str:
    """`brown leg on the wooden seat, rustic chair, furniture`."""
    phrase = phrases[record.ref.part_id]
    parent = record.mounts[0].frame.parent if record.mounts else GROUND
    held = f" on the {phrases[parent].noun}" if parent in phrases and not phrases[parent].junk else ""
    return _join(f"{phrase.described}{held}", _name_beside(phrase, owner), owner.category or "")


def _ask_on(
    record: PartRecord, owner: ObjectRecord, records: Sequence[PartRecord], phrases: Mapping[str, PartPhrase]
) -> str:
    """`bread, onion ring on the table top, kitchen table, kitchen`; what stands elsewhere on the object when bare."""
    part_id = record.ref.part_id
    near = _standing(owner, records, phrases, lambda parent, _: parent == part_id)
    near = near or _standing(owner, records, phrases, lambda parent, child: parent != GROUND and child != part_id)
    phrase = phrases[part_id]
    return _join(f"{_list(near)} on the {phrase.noun}", _name_beside(phrase, owner), owner.category or "")


def _ask_beside(owner: ObjectRecord, records: Sequence[PartRecord], phrases: Mapping[str, PartPhrase]) -> str:
    """`something beside the kitchen table, kitchen`, after what stands on it."""
    near = _standing(owner, records, phrases, lambda parent, _: parent != GROUND)
    return _join(f"{_list(near)} beside the {owner.name}", owner.category or "")


def _standing(
    owner: ObjectRecord,
    records: Sequence[PartRecord],
    phrases: Mapping[str, PartPhrase],
    counts: Callable[[str, str], bool],
) -> list[str]:
    """Phrases of things that rest on top of another part for which `counts(parent, part)`, each once.

    Things that mean nothing by themselves, a backrest or an eyebrow, are left out by the rules of suitability; those
    that are usually put down come first, then the largest.
    """
    found: list[tuple[bool, float, str]] = []
    for record in records:
        if not record.mounts or record.mounts[0].frame.kind != "rest" or record.mounts[0].frame.direction != "up":
            continue
        mount, phrase = record.mounts[0], phrases[record.ref.part_id]
        alone = _read_judge().stands_alone(Subject.of_phrase(phrase, owner.category, owner.name))
        if alone != "silly" and not phrase.junk and counts(mount.frame.parent, record.ref.part_id):
            # shares in steps, and then by words: neither a scaled object nor renamed parts may change what is asked
            found.append((alone != "likely", -round(mount.object_share, SHARE_DIGITS), phrase.phrase))
    return list(dict.fromkeys(phrase for _, _, phrase in sorted(found)))[:MAX_NEIGHBOURS]


@lru_cache(maxsize=1)
def _read_judge() -> Suitability:
    return Suitability(read_rules())


def _list(phrases: Sequence[str]) -> str:
    return ", ".join(phrases) or "something"


def _name_beside(phrase: PartPhrase, owner: ObjectRecord) -> str:
    """Name of the object where it says more than the part's own phrase."""
    said = set(phrase.described.lower().split())
    return "" if owner.name == NAMELESS or set(owner.name.lower().split()) <= said else owner.name


def _join(*texts: str) -> str:
    return ", ".join(text for text in texts if text)
