"""Slots from small contact graphs."""

from __future__ import annotations

from engine.placement.graph import Edge, Node
from engine.slots.grouping import GroupingPart, find_groups, shared_noun


def part(noun: str, area: float, y: float, x: float = 0.0, visible: float = 0.1) -> GroupingPart:
    """A unit cube at (x, y, 0) with a noun."""
    bounds = ((x - 0.5, y - 0.5, -0.5), (x + 0.5, y + 0.5, 0.5))
    return GroupingPart(Node(area, bounds, visible >= 0.005), visible, noun, noun.rsplit(maxsplit=1)[-1])


def test_what_reaches_the_core_only_through_a_part_hangs_from_it() -> None:
    """Hand hangs from arm, arm from body; removing leaves first follows from the tree."""
    parts = [part("body", 4.0, 1.0), part("arm", 1.0, 1.2, 1.0), part("hand", 0.5, 1.2, 2.0), part("head", 1.0, 2.0)]
    groups = find_groups(parts, [Edge(0, 1, 1.0), Edge(0, 3, 1.0), Edge(1, 2, 0.5)])
    assert [(g.lead, g.members, g.hangs_from) for g in groups] == [
        (0, (0,), None),
        (1, (1,), 0),
        (2, (2,), 1),
        (3, (3,), 0),
    ]


def test_parts_too_small_to_see_join_what_they_hang_from() -> None:
    """A rivet on a lid belongs to the lid; its own child then hangs from the lid."""
    parts = [
        part("chest", 4.0, 0.5),
        part("lid", 2.0, 1.5),
        part("rivet", 0.01, 1.6, visible=0.001),
        part("tag", 0.3, 1.7, visible=0.02),
    ]
    groups = find_groups(parts, [Edge(0, 1, 1.0), Edge(1, 2, 0.2), Edge(2, 3, 0.2)])
    assert [(g.members, g.hangs_from) for g in groups] == [((0,), None), ((1, 2), 0), ((3,), 1)]


def test_blade_guard_and_grip_of_one_sword_are_one_slot_and_crossed_swords_stay_two() -> None:
    """Shared qualifier, different heads, touching; a head noun occurs once in a group."""
    parts = [part("banner", 10.0, 0.0)]
    contacts = []
    for k, x in enumerate((1.0, -1.0)):
        first = len(parts)
        parts += [part("sword blade", 1.0, 0.5, x), part("sword guard", 0.4, 0.2, x), part("sword grip", 0.3, 0.0, x)]
        contacts += [Edge(first, first + 1, 0.5), Edge(first + 1, first + 2, 0.4)]
        contacts += [Edge(0, first + i, 0.6) for i in range(3)]
        assert k in {0, 1}
    contacts.append(Edge(1, 4, 0.3))
    groups = find_groups(parts, sorted(contacts))
    assert [g.members for g in groups] == [(0,), (1, 2, 3), (4, 5, 6)]
    assert shared_noun(parts, (1, 2, 3)) == "sword"


def test_a_noun_of_the_core_groups_nothing() -> None:
    """Bed legs and bed crossbars stay slots of their own on a bed board."""
    parts = [part("bed board", 6.0, 0.5), part("bed leg", 0.5, 0.2, 1.0), part("bed crossbar", 0.4, 0.2, 0.5)]
    groups = find_groups(parts, [Edge(0, 1, 1.0), Edge(0, 2, 1.0), Edge(1, 2, 0.8)])
    assert [g.members for g in groups] == [(0,), (1,), (2,)]


def test_twins_are_treated_alike() -> None:
    """Of two headboard posts neither joins the headboard when only one could."""
    parts = [
        part("mattress", 10.0, 0.0),
        part("headboard panel", 2.0, 0.5),
        part("headboard post", 0.5, 0.5, 1.0),
        part("headboard post", 0.5, 0.5, -1.0),
        part("headboard rail", 0.6, 1.0),
    ]
    contacts = [*(Edge(0, k, 1.0) for k in range(1, 5)), Edge(1, 2, 0.5), Edge(1, 3, 0.5), Edge(1, 4, 0.9)]
    groups = find_groups(parts, sorted(contacts))
    assert [g.members for g in groups] == [(0,), (1, 4), (2,), (3,)]


def test_slices_of_different_things_are_no_group() -> None:
    """`slice of` measures; it is not a thing that tomato and cheese share."""
    parts = [
        GroupingPart(Node(5.0, ((0, 0, 0), (1, 1, 1))), 0.5, "bun", "bun"),
        GroupingPart(Node(1.0, ((0, 1, 0), (1, 1.2, 1))), 0.2, "slice of tomato", "tomato"),
        GroupingPart(Node(1.0, ((0, 1.2, 0), (1, 1.4, 1))), 0.2, "slice of cheese", "cheese"),
    ]
    groups = find_groups(parts, [Edge(0, 1, 1.0), Edge(0, 2, 0.9), Edge(1, 2, 1.0)])
    assert [g.members for g in groups] == [(0,), (1,), (2,)]
