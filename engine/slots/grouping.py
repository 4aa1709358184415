"""From a contact graph to slots: the dominator tree, small parts merged, parts of one named thing grouped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.placement.graph import (
    LEAST_VISIBLE,
    Edge,
    Node,
    bridge_components,
    find_core,
    find_dominators,
    neighbours_of,
    prune_edges,
)
from library_index.captions import singular
from library_index.lexicon import MEASURES

LINKS = frozenset({"of", "and", "the", "a", "an"})
GROUP_AREA = 0.35
"""Parts grouped by a shared noun may hold at most this share of the object's surface."""


@dataclass(frozen=True, slots=True)
class GroupingPart:
    """What grouping looks at, one per part in the object's order."""

    node: Node
    visible: float
    noun: str
    """Words of the noun phrase: `sword guard`."""
    head: str
    """Its last noun: `guard`."""


@dataclass(frozen=True, slots=True)
class PartGroup:
    """Parts that form one slot; `lead` gives it its name."""

    lead: int
    members: tuple[int, ...]
    hangs_from: int | None
    """Index of the group it hangs from; None for the core, which is group 0."""


def find_groups(parts: Sequence[GroupingPart], contacts: Sequence[Edge]) -> tuple[PartGroup, ...]:
    """Slots of an object: the core first, then in the order of their lead parts.

    Every part is a slot of its own that hangs from its immediate dominator as seen from the core, except that parts
    which share a qualifying noun (blade, guard and grip of one sword) become one slot, and parts too small to see join
    the slot they hang from.
    """
    nodes = [part.node for part in parts]
    edges = bridge_components(nodes, prune_edges(len(parts), contacts))
    core = find_core(nodes, edges)
    owner = _group_by_noun(parts, edges, core)
    owner = _merge_unseen(parts, edges, core, owner)
    leads = [core, *(lead for lead in sorted(set(owner)) if lead != core)]
    dominators = _group_dominators(owner, edges, core)
    return tuple(
        PartGroup(
            lead=lead,
            members=tuple(i for i in range(len(parts)) if owner[i] == lead),
            hangs_from=None if lead == core else leads.index(dominators[lead]),
        )
        for lead in leads
    )


def _group_dominators(owner: Sequence[int], edges: Sequence[Edge], core: int) -> dict[int, int]:
    """For each lead but the core the lead of the group that dominates it."""
    collapsed = sorted(
        {(min(owner[e.a], owner[e.b]), max(owner[e.a], owner[e.b])) for e in edges if owner[e.a] != owner[e.b]}
    )
    neighbours = neighbours_of(len(owner), [Edge(a, b, 1.0) for a, b in collapsed])
    found = find_dominators(core, neighbours)
    return {lead: _or_core(found[lead], core) for lead in sorted(set(owner)) if lead != core}


def _or_core(dominator: int | None, core: int) -> int:
    return core if dominator is None else dominator


def _group_by_noun(parts: Sequence[GroupingPart], edges: Sequence[Edge], core: int) -> list[int]:
    """Owner (lead part) of each part after grouping touching siblings that share a qualifying noun.

    Twins are not grouped: a group holds each head noun once, so two crossed swords stay two. A noun that also names
    the core (`bed` of the bed board) groups nothing.
    """
    owner = list(range(len(parts)))
    dominators = _group_dominators(owner, edges, core)
    whole = sum(part.node.area for part in parts) or 1.0
    core_words = set(parts[core].noun.lower().split())
    for edge in sorted(edges, key=lambda e: (-e.size, e.a, e.b)):
        if core in (edge.a, edge.b) or edge.size <= 0.0 or dominators[edge.a] != dominators[edge.b]:
            continue
        one = [i for i in range(len(parts)) if owner[i] == owner[edge.a]]
        two = [i for i in range(len(parts)) if owner[i] == owner[edge.b]]
        if one == two:
            continue
        members = one + two
        shared = _qualifiers(parts[members[0]])
        for i in members[1:]:
            shared &= _qualifiers(parts[i])
        heads = [parts[i].head for i in members]
        area = sum(parts[i].node.area for i in members) / whole
        if shared - core_words and len(set(heads)) == len(heads) and area <= GROUP_AREA:
            lead = max(members, key=lambda i: (parts[i].node.area, -i))
            for i in members:
                owner[i] = lead
    return _release_odd_twins(parts, owner)


def _release_odd_twins(parts: Sequence[GroupingPart], owner: list[int]) -> list[int]:
    """Take a part out of its group when a part of the same noun stands alone or in a group of other nouns.

    Otherwise of two headboard posts one would be a slot and the other a bit of the headboard.
    """
    owner = list(owner)
    while True:
        nouns: dict[int, tuple[str, ...]] = {}
        for lead in sorted(set(owner)):
            nouns[lead] = tuple(sorted(parts[i].noun for i in range(len(parts)) if owner[i] == lead))
        odd = [
            i
            for i in range(len(parts))
            if len(nouns[owner[i]]) > 1
            and any(parts[j].noun == parts[i].noun and nouns[owner[j]] != nouns[owner[i]] for j in range(len(parts)))
        ]
        if not odd:
            return owner
        for i in odd:
            rest = [j for j in range(len(parts)) if owner[j] == owner[i] and j != i]
            owner[i] = i
            for j in rest:
                owner[j] = max(rest, key=lambda k: (parts[k].node.area, -k))


def _qualifiers(part: GroupingPart) -> set[str]:
    """Noun words before the head noun: `sword` of `sword guard`; measures (`slice of`) qualify nothing."""
    words = part.noun.lower().split()
    return {word for word in words if word not in LINKS and singular(word) not in MEASURES} - {part.head, words[-1]}


def _merge_unseen(parts: Sequence[GroupingPart], edges: Sequence[Edge], core: int, owner: list[int]) -> list[int]:
    """Let groups too small to be seen join the group they hang from, from the leaves of the tree upwards."""
    owner = list(owner)
    dominators = _group_dominators(owner, edges, core)

    def depth(lead: int) -> int:
        steps = 0
        while lead != core:
            lead, steps = dominators[lead], steps + 1
        return steps

    for lead in sorted(dominators, key=lambda i: (-depth(i), i)):
        seen = sum(parts[i].visible for i in range(len(parts)) if owner[i] == lead)
        if seen < LEAST_VISIBLE:
            target = dominators[lead]
            owner = [target if o == lead else o for o in owner]
    return owner


def shared_noun(parts: Sequence[GroupingPart], members: Sequence[int]) -> str:
    """The qualifying noun all members share, in the lead's order of words; empty when there is none."""
    shared = _qualifiers(parts[members[0]])
    for i in members[1:]:
        shared &= _qualifiers(parts[i])
    return " ".join(word for word in parts[members[0]].noun.lower().split() if word in shared)
