"""Labels and instructions."""

from __future__ import annotations

import pytest

from chains.wording import (
    PlaceClaim,
    bare_noun,
    belongs_to,
    claim_places,
    covers,
    find_confusions,
    find_counted,
    inherited_label,
    retextured_label,
    says_nothing_new,
    short_name,
    with_article,
)


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("old lamp", "an old lamp"),
        ("lamp", "a lamp"),
        ("candles", "some candles"),
        ("glass", "a glass"),
        ("group of barrels", "a group of barrels"),
        ("unicorn", "a unicorn"),
        ("umbrella", "an umbrella"),
        ("hourglass", "an hourglass"),
        ("camera lens", "a camera lens"),
        ("red goggles with a strap", "a pair of red goggles with a strap"),
        ("white teeth", "some white teeth"),
        ("cactus", "a cactus"),
    ],
)
def test_articles(phrase: str, said: str) -> None:
    """Singular phrases get a or an, plural ones some."""
    assert with_article(phrase) == said


def test_a_replacement_keeps_where_it_is() -> None:
    """Position words are inherited, looks are not."""
    assert inherited_label("front left wooden leg", "grey metal leg") == "front left grey metal leg"
    assert inherited_label("roof", "red roof") == "red roof"
    assert inherited_label("second bar from the right", "iron bar") == "second bar from the right"
    assert inherited_label("11th bar from the left", "iron rod") == "iron rod"
    assert inherited_label("table top", "round table top") == "round table top"
    assert inherited_label("left leg in a brown boot", "white leg") == "left white leg"
    assert inherited_label("snowman with a top hat", "clock") == "clock"


def test_counting_labels_are_known() -> None:
    """Labels that count their twins give the noun they count."""
    assert find_counted("third bar from the right") == "bar"
    assert find_counted("11th bar from the left") == "bar"
    assert find_counted("22nd bar from the left") == "bar"
    assert find_counted("leftmost back rotor blade") == "back rotor blade"
    assert find_counted("front left leg") is None


def test_a_new_look_replaces_the_old_one_in_the_name() -> None:
    """The name speaks of the current look."""
    assert retextured_label("front left brown wooden leg", "polished brass") == "front left polished brass leg"
    assert retextured_label("left leg in a brown boot", "red brick") == "left red brick leg"
    assert retextured_label("teal bottle", "rusty metal with flaking paint") == "rusty metal bottle"
    assert retextured_label("sandstone stud", "glossy red paint", worn="layered sandstone") == "glossy red stud"
    assert retextured_label("red brick", "dark walnut wood") == "dark walnut brick"
    assert retextured_label("small brown and grey chest", "rusty iron") == "small rusty iron chest"
    assert retextured_label("small front left window", "red brick") == "small front left red brick window"
    assert retextured_label("rotor shaft and hub", "red brick") == "red brick rotor shaft and hub"
    assert retextured_label("front long side of the crate", "red brick") == "front long red brick side of the crate"
    assert retextured_label("dark-coloured grip wraps", "red brick") == "red brick grip wraps"
    assert retextured_label("sword blade and guard", "black and white checks") == (
        "black and white checked sword blade and guard"
    )
    assert retextured_label("pine plank shield plank", "red brick", worn="pine planks") == "red brick shield plank"
    assert retextured_label("knife in the left hand", "red brick") == "red brick knife in the left hand"


@pytest.mark.parametrize(
    ("material", "label"),
    [
        ("bright pink paint", "bright pink knob"),
        ("blue and white stripes", "blue and white striped knob"),
        ("yellow and black hazard stripes", "yellow and black striped knob"),
        ("black and white checks", "black and white checked knob"),
        ("navy blue with yellow polka dots", "navy blue polka-dotted knob"),
        ("red tartan fabric", "red tartan knob"),
        ("pine planks", "pine plank knob"),
        ("grey cobblestones", "grey cobblestone knob"),
        ("dark slate blocks", "dark slate knob"),
        ("black marble with golden veins", "black marble knob"),
    ],
)
def test_materials_before_a_noun_are_adjectives(material: str, label: str) -> None:
    """And the next look takes the words of the last one away."""
    assert retextured_label("knob", material) == label
    assert retextured_label(label, "red brick", worn=material) == "red brick knob"


def test_a_place_after_the_noun_stays_with_a_replacement() -> None:
    """What hands and heads have two of is told apart by them."""
    assert inherited_label("knife in the left hand", "iron sword") == "iron sword in the left hand"
    assert inherited_label("bolt on the right side of the head", "red knob") == "red knob on the right side of the head"
    assert inherited_label("lamp on the wall", "candle") == "candle"


@pytest.mark.parametrize(
    ("label", "other", "expected"),
    [
        ("pillow", "soft white pillow", True),
        ("soft white pillow", "pillow", False),
        ("left pillow", "right pillow", False),
        ("window", "left side windows", True),
        ("candle", "candle wick", False),
        ("plate", "plate of leftovers", True),
        ("third bar from the right", "bar", False),
        ("bar", "third bar from the right", True),
    ],
)
def test_a_name_must_not_mean_another_piece(label: str, other: str, expected: bool) -> None:  # noqa: FBT001
    """`the pillow` could be the soft white one; more words on the first rule the second out."""
    assert covers(label, other) is expected
    if expected:
        assert find_confusions([label], [label, other]) == [label]


@pytest.mark.parametrize(
    ("label", "other", "expected"),
    [
        ("blade edge", "sword blade", True),
        ("left pot handle", "pot", True),
        ("sword blade", "blade edge", False),
        ("left leg", "right leg", False),
        ("pot", "pot handle", False),
    ],
)
def test_what_is_named_after_a_thing_belongs_to_it(label: str, other: str, expected: bool) -> None:  # noqa: FBT001
    """The edge of a blade and the handle of a pot go before blade and pot."""
    assert belongs_to(label, other) is expected


def test_counting_twins_is_ambiguous_beside_another_of_the_kind() -> None:
    """`the rearmost plate` is not clear while a serving plate stands about; other counted twins are fine."""
    row = ["rearmost plate", "second plate from the back", "frontmost plate"]
    assert find_confusions(["rearmost plate"], row) == []
    assert find_confusions(["third plate from the back"], [*row, "third plate from the back"]) != []
    assert find_confusions(["11th plate from the back"], [*row, "11th plate from the back"]) != []
    assert find_confusions(["rearmost plate"], [*row, "black serving plate"]) == ["rearmost plate"]
    assert find_confusions(["rearmost plate"], [*row, "plate of leftovers"]) == ["rearmost plate"]
    assert find_confusions(["rearmost plate"], [*row, "plate rack"]) == []


@pytest.mark.parametrize(
    ("label", "rest", "claims"),
    [
        ("second bottle from the back", "bottle", [("back", 2)]),
        ("rearmost small barrel", "small barrel", [("back", 1)]),
        ("front left table leg", "table leg", [("front", 0), ("left", 0)]),
        ("upper drawer front", "drawer front", [("top", 0)]),
        ("11th plate from the right", "plate", [("right", 11)]),
        ("middle stud", "stud", []),
        ("inner fifth bar from the left", "bar", [("left", 5)]),
        ("table top", "table top", []),
    ],
)
def test_places_are_read_from_labels(label: str, rest: str, claims: list[tuple[str, int]]) -> None:
    """Sides and counts come off the label; a side that is the noun stays."""
    assert claim_places(label) == (rest, tuple(PlaceClaim(*claim) for claim in claims))


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("shield with two crossed swords", "shield"),
        ("treasure chest full of gold", "treasure chest"),
        ("keg beside a small table", "keg"),
        ("stack of boxes and a barrel", "stack of boxes and a barrel"),
    ],
)
def test_an_object_is_named_without_what_is_with_it(name: str, short: str) -> None:
    """What lies on a thing may be gone when its name is said."""
    assert short_name(name) == short


@pytest.mark.parametrize(
    ("label", "phrase", "is_old"),
    [
        ("small round grey plate", "round grey plate", True),
        ("small round grey plate", "large grey plate", True),
        ("back right brown wooden leg", "wooden leg", True),
        ("back right brown wooden leg", "metal leg", False),
        ("round plate", "round bowl", False),
    ],
)
def test_a_replacement_says_something_new(label: str, phrase: str, *, is_old: bool) -> None:
    """Its phrase has a word that the old label does not, other than a size."""
    assert says_nothing_new(label, phrase) is is_old


def test_a_dial_may_be_meant_by_a_knob() -> None:
    """Who is told to take the leftmost control knob may take the control dial further left."""
    assert find_confusions(["leftmost control knob"], ["leftmost control knob", "control dial"]) != []


@pytest.mark.parametrize(
    ("label", "noun"),
    [
        ("cobalt blue vase with red tulips", "vase"),
        ("oak treasure chest", "treasure chest"),
        ("black iron storm lantern", "storm lantern"),
        ("front left brown wooden leg", "leg"),
        ("stack of gold coins", "stack of gold coins"),
        ("brown and white roll of paper towel", "roll of paper towel"),
        ("third plate from the right", "plate"),
        ("mossy stone fog light", "fog light"),
        ("table top", "table top"),
        ("celadon vase", "celadon vase"),
    ],
)
def test_a_bare_noun_says_what_a_thing_is(label: str, noun: str) -> None:
    """Without place, look, size and detail; what it is made for or of stays."""
    assert bare_noun(label) == noun


def test_the_noun_of_a_name_outlives_its_look() -> None:
    """A fog light stays a light, a round cactus round."""
    assert retextured_label("rightmost fog light", "mossy stone") == "mossy stone fog light"
    assert retextured_label("round green cactus", "brown oak planks") == "round brown oak plank cactus"
