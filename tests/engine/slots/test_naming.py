"""Labels people would say, unique per host, and ids for machines."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from engine.slots.naming import Named, make_ids, make_labels
from library_index.captions import clean_caption


def named(caption: str, centre: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Named:
    """A slot called by its caption."""
    return Named(clean_caption(caption, "chair"), centre)


def labels(*captions: str) -> list[str]:
    """Labels of slots at one place."""
    return list(make_labels([named(caption) for caption in captions]))


def test_a_noun_that_is_unique_is_the_label() -> None:
    """Colours, materials and places are said only where they tell something apart."""
    assert labels("A brown wooden seat of the chair.", "A tall red backrest of the chair.") == ["seat", "backrest"]


def test_places_tell_legs_apart() -> None:
    """`the back left one of four` becomes back left."""
    found = labels(
        "A brown wooden chair leg, the back left one of four, of the chair.",
        "A brown wooden chair leg, the front right one of four, of the chair.",
    )
    assert found == ["back left chair leg", "front right chair leg"]


def test_counted_places_become_words() -> None:
    """First and last are extremes, the ones between are counted; of two there are only sides."""
    three = [f"A candle, {k} of three counted from the right, of the chair." for k in ("first", "second", "third")]
    assert labels(*three) == ["rightmost candle", "second candle from the right", "leftmost candle"]
    two = [f"A bolt, {k} of two counted from the bottom, of the chair." for k in ("first", "second")]
    assert labels(*two) == ["lower bolt", "upper bolt"]


def test_adjectives_tell_apart_what_has_no_place() -> None:
    """Two bottles of different colour."""
    assert labels("A teal bottle of the chair.", "An orange bottle of the chair.") == ["teal bottle", "orange bottle"]


def test_equal_captions_are_told_apart_by_where_they_are() -> None:
    """+X is the object's left, +Z its front; ranks along the longest axis where corners do not do."""
    pair = [named("A knob.", (1.0, 0.0, 0.0)), named("A knob.", (-1.0, 0.0, 0.0))]
    assert make_labels(pair) == ("left knob", "right knob")
    corners = [named("A leg.", (x, 0.0, z)) for x in (1.0, -1.0) for z in (1.0, -1.0)]
    assert make_labels(corners) == ("front left leg", "back left leg", "front right leg", "back right leg")
    row = [named("A bar.", (x, 0.0, 0.0)) for x in (-2.0, 0.0, 2.0)]
    assert make_labels(row) == ("rightmost bar", "second bar from the left", "leftmost bar")


@given(st.lists(st.sampled_from(["A leg.", "A red leg.", "A seat.", "", "Ein Stück.", "一部"]), min_size=1, max_size=9))
def test_labels_and_ids_are_unique_and_well_formed(captions: list[str]) -> None:
    """Whatever the captions, no two slots of a host share a label or an id."""
    found = make_labels([named(caption, (0.0, float(i % 2), 0.0)) for i, caption in enumerate(captions)])
    ids = make_ids(found)
    assert len(set(found)) == len(found)
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_]{0,39}", name) for name in ids)


def test_ids_are_short_slugs_and_never_the_ground() -> None:
    """At most 40 characters, made unique by a number."""
    assert make_ids(["Ground", "leg", "leg", "Blåbär!", "x" * 60]) == ("ground_2", "leg", "leg_2", "blabar", "x" * 40)
