"""Nouns the way people say them, and the fewest words that tell two things apart."""

from __future__ import annotations

import pytest

from engine.slots.phrasing import (
    Saying,
    common_adjective,
    counted_noun,
    few_adjectives,
    join_nouns,
    plural_of,
    say_phrase,
)
from library_index.captions import clean_caption


def say(caption: str) -> Saying:
    """A caption as a person would put it."""
    return say_phrase(clean_caption(caption))


@pytest.mark.parametrize(
    ("caption", "noun", "position"),
    [
        ("A light brown pair of upper drawer fronts.", "drawer fronts", "upper"),
        ("A light brown set of eight lattice windmill sails.", "lattice windmill sails", ""),
        ("A group of green barrels.", "green barrels", ""),
        ("A grey stack of large cargo cubes.", "stack of large cargo cubes", ""),
        ("A pair of scissors.", "scissors", ""),
        ("A red slice of tomato on the left side.", "slice of tomato", "left"),
        ("A green leaf of lettuce.", "lettuce leaf", ""),
        ("Brown wooden crate short sides.", "short sides of the crate", ""),
        ("A brown wooden crate long side at the front.", "long side of the crate", "front"),
        ("A cobalt blue vase.", "cobalt blue vase", ""),
        ("An orange stew broth surface.", "stew broth", ""),
        ("A turned dark walnut front left leg.", "leg", "front left"),
        ("A light blue and white mattress with a blanket.", "mattress and blanket", ""),
        ("A grey table top.", "table top", ""),
        ("A component.", "component", ""),
    ],
)
def test_nouns_are_said_plainly(caption: str, noun: str, position: str) -> None:
    """Collections are plurals, sides are places, and a blanket is named with its mattress."""
    said = say(caption)
    assert (said.noun, said.position) == (noun, position)


def test_the_words_before_a_side_are_adjectives() -> None:
    """What a parser took for a noun still describes the thing."""
    assert say("A yellow-spoked front left wheel.").adjectives == ("yellow-spoked",)


def test_plurals_and_counted_plurals() -> None:
    """Leaves come in bunches, other plurals in sets; one thing is counted as it is."""
    assert [plural_of(word) for word in ("drawer", "box", "leaf", "berry", "key")] == [
        "drawers",
        "boxes",
        "leaves",
        "berries",
        "keys",
    ]
    assert counted_noun("carrot leaves") == "bunch of carrot leaves"
    assert counted_noun("onion rings") == "set of onion rings"
    assert counted_noun("stack of coins") == "stack of coins"


def test_joined_nouns_say_what_they_share_once() -> None:
    """Only words that all begin with, and never a whole noun."""
    assert join_nouns(["headboard panel", "headboard rail"]) == "headboard panel and rail"
    assert join_nouns(["seat", "back", "leg"]) == "seat, back and leg"
    assert join_nouns(["hut", "hut door"]) == "hut and hut door"


def test_few_adjectives_tell_apart() -> None:
    """Size and posture before colour; a brown chest is not told from a dark brown one by `brown`."""
    jars = [say(f"A {look} glass jar.") for look in ("round light grey", "large grey", "small light brown")]
    assert [few_adjectives(jar, [other for other in jars if other is not jar]) for jar in jars] == [
        "light grey",
        "large",
        "small",
    ]
    assert few_adjectives(say("A brown chest."), [say("A dark brown chest.")]) == ""
    assert few_adjectives(say("A dark brown chest."), [say("A brown chest.")]) == "dark brown"


def test_a_common_adjective_is_shared_and_not_borne_by_others() -> None:
    """Vertical bars against horizontal ones, both black iron."""
    upright = [say("A black vertical iron bar.")] * 2
    level = [say("A black horizontal iron bar.")]
    assert common_adjective(upright, level) == "vertical"
    assert common_adjective(upright, [say("A black iron bar, the vertical one.")]) == "vertical"
    assert common_adjective([say("A red cup."), say("A blue cup.")], [say("A green cup.")]) == ""
