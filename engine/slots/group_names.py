"""What a slot of several parts is called: by what it shows, never by more than it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engine.placement.graph import LEAST_VISIBLE
from engine.slots.grouping import GroupingPart, PartGroup, shared_noun
from engine.slots.phrasing import Saying, join_nouns, plural_of
from library_index.captions import is_plural, singular

SIZEABLE = 0.2
"""Share of what a group shows from which a member must be named."""
MOST_NAMED = 3


class GroupName(NamedTuple):
    """Which member speaks for a group, and a noun that replaces its own."""

    face: int
    """The member that shows most: its adjectives, place and detail are the group's."""
    noun: str
    """Empty: the face's own noun."""


def name_groups(
    parts: Sequence[GroupingPart], sayings: Sequence[Saying], groups: Sequence[PartGroup], whole: str
) -> tuple[GroupName, ...]:
    """Name every group. `whole` is the head noun of the object, which names none of its parts.

    In this order: the face's noun when all members' nouns begin with it (`picture frame` and `picture frame stand`);
    the noun all share, when nothing outside bears it but twins of the whole group (`sword` of blade, guard and grip);
    all members that show at least a fifth of the group (`headboard panel and rail`); the face's noun.
    """
    return tuple(_name_group(parts, sayings, groups, place, whole) for place in range(len(groups)))


def _name_group(
    parts: Sequence[GroupingPart], sayings: Sequence[Saying], groups: Sequence[PartGroup], place: int, whole: str
) -> GroupName:
    group = groups[place]
    face = max(group.members, key=lambda i: (parts[i].visible, -i))
    own = _words(parts[face])
    if all(_words(parts[i])[: len(own)] == own for i in group.members):
        return GroupName(face, "")
    shared = shared_noun(parts, (face, *(i for i in group.members if i != face)))
    if group.hangs_from is not None and shared and _is_fit(parts, groups, place, shared, whole):
        first, _, last = shared.rpartition(" ")
        heads = _heads(parts, group)
        many = not is_plural(last) and all(
            heads[parts[i].head] > 1 or is_plural(sayings[i].noun.split()[-1]) for i in group.members
        )
        return GroupName(face, f"{first} {plural_of(last) if many else last}".strip())
    shown = sum(parts[i].visible for i in group.members)
    sizeable = sorted(
        (i for i in group.members if parts[i].visible >= max(SIZEABLE * shown, LEAST_VISIBLE)),
        key=lambda i: (-parts[i].visible, i),
    )
    nouns = [sayings[i].noun for i in sizeable]
    if 1 < len(nouns) <= MOST_NAMED and len(set(nouns)) == len(nouns):
        return GroupName(face, join_nouns(nouns))
    return GroupName(face, "")


def _is_fit(parts: Sequence[GroupingPart], groups: Sequence[PartGroup], place: int, shared: str, whole: str) -> bool:
    """Whether a shared noun names this group and nothing else: others that bear it form twins of the group."""
    words = {singular(word) for word in shared.lower().split()}
    if singular(shared.rsplit(maxsplit=1)[-1].lower()) == whole:
        return False
    heads = _heads(parts, groups[place])
    if len(heads) < 2:
        return False
    return not any(
        words <= set(_words(parts[i])) and (group.hangs_from is None or _heads(parts, group) != heads)
        for other, group in enumerate(groups)
        if other != place
        for i in group.members
    )


def _heads(parts: Sequence[GroupingPart], group: PartGroup) -> Counter[str]:
    return Counter(parts[i].head for i in group.members)


def _words(part: GroupingPart) -> list[str]:
    return [singular(word) for word in part.noun.lower().split()]
