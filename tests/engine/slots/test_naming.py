"""Labels people would say, unique per host, and ids for machines."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from engine.slots.naming import Named, make_ids, make_labels
from engine.slots.phrasing import say_phrase
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


def test_rows_of_different_things_say_which_they_count() -> None:
    """Bars across and bars upright are counted on their own; bottles at different sides of different colour too."""
    bars = [f"A black vertical iron bar, {k} of two counted from the right, of the chair." for k in ("first", "second")]
    bars += [f"A black horizontal bar, {k} of two counted from the top, of the chair." for k in ("first", "second")]
    assert labels(*bars) == ["right vertical bar", "left vertical bar", "upper horizontal bar", "lower horizontal bar"]
    assert labels(
        "An amber bottle, the front one of two, of the chair.",
        "An amber bottle, the back one of two, of the chair.",
        "A teal bottle, the left one of two, of the chair.",
    ) == ["front amber bottle", "back amber bottle", "left teal bottle"]


def test_sizes_come_before_places() -> None:
    """`small front left window`, and the one large window at the back."""
    assert labels(
        "A small grey window at the front left of the chair.",
        "A small grey window at the front right of the chair.",
        "A large yellow window at the back of the chair.",
    ) == ["small front left window", "small front right window", "large back window"]


def test_a_noun_that_ends_another_label_says_more() -> None:
    """`door` beside a garage door, `drawer front` beside drawer fronts; `head` is clear beside a bolt on the head."""
    assert labels("A light grey back door of the chair.", "A grey garage door of the chair.") == [
        "back door",
        "garage door",
    ]
    assert labels("A lower drawer front of the chair.", "A pair of upper drawer fronts of the chair.") == [
        "lower drawer front",
        "upper drawer fronts",
    ]
    assert labels("A domed head of the chair.", "A brass bolt on the head of the chair.")[0] == "head"


def test_a_hidden_twin_makes_a_place_needed() -> None:
    """The other eye lies in another slot; a twin at the same place asks for the detail too."""
    eye, stud = clean_caption("A black right eye."), clean_caption("A metal stud on the lid on the left side.")
    other, below = (say_phrase(clean_caption(text)) for text in ("A left eye.", "A stud on the base on the left side."))
    assert make_labels([Named(eye, (0.0, 0.0, 0.0), twins=(other,))]) == ("right eye",)
    assert make_labels([Named(stud, (0.0, 0.0, 0.0), twins=(below,))]) == ("left stud on the lid",)
    assert make_labels([Named(stud, (0.0, 0.0, 0.0))]) == ("stud",)


def test_a_place_in_the_name_is_always_said() -> None:
    """A back cushion is no seat cushion, whether or not there is another; a leg at the back is a leg."""
    assert labels("A padded back cushion of the chair.", "A padded seat of the chair.") == ["back cushion", "seat"]
    assert labels("A steel centre stud of the shield.", "A shield back.") == ["middle stud", "shield back"]
    assert labels("A wooden leg at the back of the chair.", "A padded seat of the chair.") == ["leg", "seat"]


def test_the_fewest_words_are_said() -> None:
    """A standing and a lying bottle need no colours; knives in two hands need no adjective."""
    assert labels("A standing round orange bottle of the chair.", "A lying orange glass bottle of the chair.") == [
        "standing bottle",
        "lying bottle",
    ]
    assert labels("A grey knife in the left hand of the chair.", "A grey knife in the right hand of the chair.") == [
        "knife in the left hand",
        "knife in the right hand",
    ]


def test_counted_plurals_are_bunches() -> None:
    """Nobody says `second carrot leaves`."""
    three = [f"Green carrot leaves, {k} of three counted from the right, of the chair." for k in ("first", "second")]
    assert labels(*three) == ["rightmost bunch of carrot leaves", "second bunch of carrot leaves from the right"]


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
