"""Groups are called by what they show, and never by more."""

from __future__ import annotations

import pytest

from engine.placement.graph import Node
from engine.slots.group_names import GroupName, name_groups
from engine.slots.grouping import GroupingPart, PartGroup
from engine.slots.phrasing import say_phrase
from library_index.captions import clean_caption

BOX = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))


def names_of(rows: list[list[tuple[str, float]]], whole: str = "object") -> list[str]:
    """What each group is called: rows of (caption noun, share of pixels); group 0 is the core."""
    flat = [member for row in rows for member in row]
    phrases = [clean_caption(f"A {noun}.") for noun, _ in flat]
    parts = [
        GroupingPart(Node(1.0, BOX), visible, phrase.noun, phrase.head)
        for (_, visible), phrase in zip(flat, phrases, strict=True)
    ]
    groups, first = [], 0
    for place, row in enumerate(rows):
        members = tuple(range(first, first + len(row)))
        groups.append(PartGroup(first, members, None if place == 0 else 0))
        first += len(row)
    sayings = [say_phrase(phrase) for phrase in phrases]
    named: tuple[GroupName, ...] = name_groups(parts, sayings, groups, whole)
    return [name.noun or sayings[name.face].noun for name in named]


CORE = [("body", 0.5)]


@pytest.mark.parametrize(
    ("group", "outside", "label"),
    [
        ([("sword blade", 0.2), ("sword guard", 0.1), ("sword grip", 0.1)], [], "sword"),
        ([("sword blade", 0.2), ("sword guard", 0.1)], [("sword grip", 0.1)], "sword blade and guard"),
        ([("hut door", 0.04), ("hut door window", 0.004)], [("storage hut", 0.4)], "hut door"),
        ([("keg body", 0.2), ("keg bung", 0.005)], [("keg hoop", 0.04)], "keg body"),
        ([("picture frame", 0.15), ("picture frame stand", 0.03)], [], "picture frame"),
        ([("drawer box", 0.002), ("drawer front", 0.1)], [], "drawer"),
        ([("headboard panel", 0.24), ("headboard rail", 0.07)], [("headboard post", 0.1)], "headboard panel and rail"),
        ([("vegetable patty", 0.1), ("vegetable piece", 0.0)], [("vegetable piece", 0.02)], "vegetable patty"),
        ([("rear door", 0.07), ("keypad", 0.002)], [], "door"),
    ],
)
def test_a_group_is_called_by_what_it_shows(
    group: list[tuple[str, float]], outside: list[tuple[str, float]], label: str
) -> None:
    """The shared noun only when nothing outside bears it; else every member that is seen well."""
    rows = [CORE, group, *([outside] if outside else [])]
    assert names_of(rows)[1] == label
    assert names_of([CORE, group[::-1], *rows[2:]])[1] == label


def test_twin_groups_share_their_noun() -> None:
    """Two whole swords are both swords; with a part of one on its own neither is."""
    sword = [("sword blade", 0.2), ("sword guard", 0.1)]
    assert names_of([CORE, sword, sword])[1:] == ["sword", "sword"]
    assert names_of([CORE, sword, [*sword, ("sword grip", 0.1)]])[1] == "sword blade and guard"


def test_plural_faces_give_plural_nouns() -> None:
    """Frames and panes of several windows are windows; so are drawer fronts with two knobs."""
    plural = [("window frames", 0.1), ("window panes", 0.05)]
    assert names_of([CORE, plural])[1] == "windows"
    assert names_of([CORE, [("drawer fronts", 0.1), ("drawer knob", 0.003), ("drawer knob", 0.003)]])[1] == "drawers"


def test_no_part_is_called_like_the_whole() -> None:
    """Boards and trim of a barn are not the barn; the core has no shared noun either."""
    walls = [("barn wall boards", 0.4), ("barn trim", 0.2)]
    assert names_of([CORE, walls], whole="barn")[1] == "barn wall boards and trim"
    assert names_of([CORE, walls], whole="farm")[1] == "barn"
    assert names_of([walls, [("silo", 0.2)]], whole="farm")[0] == "barn wall boards and trim"
