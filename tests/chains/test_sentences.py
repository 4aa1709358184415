"""Sentences a person would say."""

from __future__ import annotations

import pytest

from chains.draws import Draws
from chains.lint import LintContext, lint_sentence
from chains.sentences import (
    Relation,
    name_pair,
    pluralise,
    word_add,
    word_add_ground,
    word_detach,
    word_landmark,
    word_reattach,
    word_remove,
    word_replace,
    word_retexture,
)


def test_looks_are_asked_for_as_people_do() -> None:
    """Nobody turns a cactus into polka dots, or changes a material to paint."""
    rusty = "rusty metal with flaking teal paint"
    said = {
        material: {word_retexture(Draws(seed, "words"), "jar", material) for seed in range(40)}
        for material in (
            "glossy red paint",
            "blue and white stripes",
            "red with white polka dots",
            "white marble",
            rusty,
        )
    }
    assert said["glossy red paint"] == {
        "Paint the jar glossy red.",
        "Give the jar a coat of glossy red paint.",
        "Cover the jar with glossy red paint.",
    }
    assert "Cover the jar in red with white polka dots." in said["red with white polka dots"]
    assert "Make the jar out of white marble." in said["white marble"]
    assert "Change the material of the jar to rusty metal with flaking teal paint." in said[rusty]
    assert not any("material" in text or "out of" in text for text in said["blue and white stripes"])


def test_nothing_is_put_on_top_of_a_top() -> None:
    """`on the table top`, `on the top shelf`; other supports have both ways."""
    texts = {
        word_add(Draws(seed, "words"), "cup", label, None) for seed in range(30) for label in ("table top", "top box")
    }
    assert not any("on top of" in text for text in texts)
    assert any("on top of the crate" in word_add(Draws(seed, "words"), "cup", "crate", None) for seed in range(30))


def test_sentences_are_free_of_faults() -> None:
    """Every template gives a sentence that passes the rules."""
    for seed in range(20):
        draws = Draws(seed, "words")
        for sentence in (
            word_add(draws, "tall candle", "table top", Relation("beside", "bottle")),
            word_add_ground(draws, "barrel", Relation("beside", "front left leg")),
            word_remove(draws, "candle"),
            word_replace(draws, "roof", "red shingled roof"),
            word_retexture(draws, "roof", "dark walnut wood"),
        ):
            assert lint_sentence(sentence, LintContext(labels={"a": "roof", "b": "candle", "c": "table top"})) == ()


def test_taking_off_and_putting_back_say_where() -> None:
    """Off and back on, beside what stands on the floor, and `new` only once for what was exchanged."""
    off = {word_detach(Draws(seed, "off"), "bottle", "crate", "on top") for seed in range(20)}
    assert off == {"Take the bottle off the crate.", "Remove the bottle from the crate."}
    back = {word_reattach(Draws(seed, "back"), "bottle", "grey crate", "on top", new=True) for seed in range(20)}
    assert back == {f"{verb} the bottle back on the new grey crate." for verb in ("Put", "Place", "Set")}
    held = {word_reattach(Draws(seed, "held"), "knob", "drawer", "held", new=False) for seed in range(20)}
    assert held == {"Put the knob back on the drawer.", "Attach the knob to the drawer again."}
    assert word_detach(Draws(1), "jug", "crate", "beside") == "Take the jug away from beside the crate."
    assert word_reattach(Draws(1), "jug", "new crate", "beside", new=True).endswith("back beside the new crate.")
    for sentence in off | back | held:
        assert lint_sentence(sentence, LintContext(labels={"a": "bottle", "b": "crate", "c": "knob"})) == ()


def test_a_place_goes_with_what_is_changed() -> None:
    """Of a part, on a carrier, beside a neighbour; a removal takes the piece off."""
    of, on, beside = Relation("of", "desk"), Relation("on", "tray"), Relation("beside", "bed")

    def say(place: Relation) -> set[str]:
        return {word_remove(Draws(seed, "off"), "cup", place) for seed in range(40)}

    assert say(of) == {"Remove the cup from the desk.", "Take the cup off the desk."}
    assert say(Relation("off", "desk")) == say(of)
    assert say(on) == {
        "Remove the cup from the tray.",
        "Take the cup off the tray.",
        "Take away the cup on the tray.",
        "Get rid of the cup on the tray.",
    }
    assert say(beside) == {f"{verb} the cup beside the bed." for verb in ("Remove", "Take away", "Get rid of")}
    assert {word_replace(Draws(seed, "swap"), "leg", "white leg", of) for seed in range(20)} == {
        "Replace the leg of the desk with a white leg.",
        "Swap the leg of the desk for a white leg.",
    }
    looks = {word_retexture(Draws(seed, "look"), "leg", "white marble", of) for seed in range(40)}
    assert looks == {
        "Give the leg of the desk a new look: white marble.",
        "Make the leg of the desk out of white marble.",
    }


def test_nobody_added_a_new_look() -> None:
    """`Give the cup you just added a new look` reads as if the look had been added."""
    for material in ("glossy red paint", "blue checks", "white marble"):
        said = {word_retexture(Draws(seed, "look"), "cup you just added", material) for seed in range(40)}
        assert said
        assert not any(text.startswith("Give") for text in said)


@pytest.mark.parametrize(
    ("landmark", "said"),
    [
        (("middle", (), False, True), "in the middle of"),
        (("middle", (), True, False), ", in the middle"),
        (("end", ("left",), False, True), "at the left end of"),
        (("end", ("left",), True, True), "at the end of"),
        (("end", (), False, True), "at one end of"),
        (("end", (), False, False), ", at one end"),
        (("corner", ("front", "left"), False, True), "on the front left corner of"),
        (("corner", (), True, True), "on the corner of"),
    ],
)
def test_sides_are_said_where_nothing_else_tells(landmark: tuple[str, tuple[str, ...], bool, bool], said: str) -> None:
    """What is near tells which end; without it the side does, and without a side it is one of them."""
    place, sides, is_near, is_surface = landmark
    assert word_landmark(place, sides, is_near=is_near, is_surface=is_surface) == said  # type: ignore[arg-type]  # names


def test_what_is_added_has_a_place_a_neighbour_and_a_front() -> None:
    """In this order, with commas; what is no surface carries things on its top."""
    on = {
        word_add(Draws(seed), "bear", "shelf", Relation("beside", "lamp"), "at the end of", "facing it")
        for seed in range(9)
    }
    assert {text.partition(" ")[2] for text in on} == {"a bear at the end of the shelf, beside the lamp, facing it."}
    wall = {word_add(Draws(seed), "bear", "wall", None, ", in the middle") for seed in range(9)}
    assert {text.partition(" ")[2] for text in wall} == {"a bear on top of the wall, in the middle."}
    ground = word_add_ground(Draws(1), "bear", Relation("under", "table top"), "facing forward")
    assert ground.partition(" ")[2] == "a bear on the ground under the table top, facing forward."


@pytest.mark.parametrize(
    ("one", "other", "labels", "said"),
    [
        ("left candle", "right candle", ["top"], "two candles"),
        ("left candle", "right candle", ["wax candle"], "left candle and the right candle"),
        ("lamp", "clock", ["top"], "lamp and the clock"),
        ("frontmost stack of coins", "rearmost stack of coins", [], "two stacks of coins"),
    ],
)
def test_two_of_a_kind_are_named_at_once(one: str, other: str, labels: list[str], said: str) -> None:
    """While there is no third."""
    assert name_pair(one, other, [one, other, *labels]) == said


@pytest.mark.parametrize(
    ("noun", "many"),
    [
        ("box", "boxes"), ("bush", "bushes"), ("toy", "toys"), ("berry", "berries"), ("shelf", "shelves"),
        ("table leg", "table legs"), ("cactus", "cacti"), ("glass", "glasses"), ("side panels", "side panels"),
    ],
)  # fmt: skip
def test_plurals(noun: str, many: str) -> None:
    """As people say them."""
    assert pluralise(noun) == many
