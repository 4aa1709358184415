"""Labels and instructions."""

from __future__ import annotations

import pytest

from chains.draws import Draws
from chains.wording import (
    Relation,
    find_counted,
    find_faults,
    inherited_label,
    retextured_label,
    with_article,
    word_add,
    word_add_ground,
    word_detach,
    word_reattach,
    word_remove,
    word_replace,
    word_retexture,
)


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("old lamp", "an old lamp"),
        ("lamp", "a lamp"),
        ("candles", "some candles"),
        ("glass", "a glass"),
        ("group of barrels", "a group of barrels"),
    ],
)
def test_articles(phrase: str, said: str) -> None:
    """Singular phrases get a or an, plural ones some."""
    assert with_article(phrase) == said


def test_a_replacement_keeps_where_it_is() -> None:
    """Position words are inherited, looks are not."""
    assert inherited_label("front left wooden leg", "grey metal leg") == "front left grey metal leg"
    assert inherited_label("roof", "red roof") == "red roof"
    assert inherited_label("second crossbar from the right", "iron bar") == "second iron bar from the right"
    assert inherited_label("table top", "round table top") == "round table top"
    assert inherited_label("left leg in a brown boot", "white leg") == "left white leg"
    assert inherited_label("snowman with a top hat", "clock") == "clock"


def test_counting_labels_are_known() -> None:
    """Labels that count their twins give the noun they count."""
    assert find_counted("third bar from the right") == "bar"
    assert find_counted("leftmost back rotor blade") == "back rotor blade"
    assert find_counted("front left leg") is None


def test_a_new_look_replaces_the_old_one_in_the_name() -> None:
    """The name speaks of the current look."""
    assert retextured_label("front left brown wooden leg", "polished brass") == "front left polished brass leg"
    assert retextured_label("left leg in a brown boot", "red brick") == "left red brick leg"
    assert retextured_label("teal bottle", "rusty metal with flaking paint") == "rusty metal bottle"
    assert retextured_label("sandstone stud", "glossy red paint", worn="layered sandstone") == "glossy red paint stud"
    assert retextured_label("red brick", "dark walnut wood") == "dark walnut wood brick"


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
            assert find_faults(sentence, ["roof", "candle", "table top"]) == []


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
        assert find_faults(sentence, ["bottle", "crate", "knob"]) == []


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("Remove slot 3.", "slot"),
        ("Move it along the x-axis.", "axis"),
        ("Remove the lamp or the cup.", "or"),
        ("remove the lamp", "not a sentence"),
        ("Remove the leg.", "names two pieces"),
        ("Remove the add_03_lamp.", "_"),
    ],
)
def test_faults_are_found(sentence: str, fault: str) -> None:
    """Machine words, alternatives, fragments and unclear twins are named."""
    assert any(fault in found for found in find_faults(sentence, ["leg", "leg", "lamp"]))
