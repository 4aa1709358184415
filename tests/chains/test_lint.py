"""What a reader would hold against an instruction."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from chain_examples import placement

from chains.lint import RULES, History, LintContext, find_source_names, lint_sentence, read_context, read_history
from chains.state import apply, initial_state
from schemas.chain import Provenance
from schemas.operation import Operation, Remove, Replace, Retexture, TextureRef
from schemas.part import Host, PartRef, Slot

TABLE = LintContext(
    op="replace",
    labels={
        "table_top": "table top",
        "front_left_leg": "front left leg",
        "front_right_leg": "front right leg",
        "back_left_leg": "back left leg",
        "jar": "white marble jar",
        "bread": "whole wheat loaf",
        "add01": "teal bottle",
        "drawer": "drawer fronts",
    },
    named_slots=("jar",),
    new_label="wooden cup",
    ids=("front_left_leg", "table_top", "jar", "shop_parts"),
    host="small table with a jar",
    sources=("space truck", "wizard"),
    worn={"jar": "white marble"},
    gone=("white wax candle",),
    past=("red clay jar",),
)

BAD = (
    ("axis-word", "Turn the teal bottle 90 degrees about the Y axis."),
    ("axis-word", "Move the teal bottle 0.3 units along X."),
    ("axis-word", "Put a wooden cup on the +Z side of the table top."),
    ("axis-word", "Put a wooden cup at (0.1, 0.5, 0)."),
    ("slot-id", "Remove the front_left_leg."),
    ("slot-id", "Remove add01 from the table top."),
    ("slot-id", "Remove part 13."),
    ("slot-id", "Remove frontLeftLeg."),
    ("library-word", "Replace the white marble jar with the wooden cup asset."),
    ("library-word", "Replace the white marble jar with a cup from the library."),
    ("library-word", "Put a wooden cup inside the bounding box of the white marble jar."),
    ("source-scene", "Replace the white marble jar with the wooden cup from the other shelf."),
    ("source-scene", "Put the wheel of the space truck on the table top."),
    ("source-scene", "Put the hat of the wizard on the table top."),
    ("invisible-fact", "Put a wooden cup with coins hidden in it on the table top."),
    ("invisible-fact", "Put a wooden cup of 4,000 triangles on the table top."),
    ("invisible-fact", "Put a cup that weighs 2 kg on the table top."),
    ("invisible-fact", "Put a wooden cup on the table top to hold the pencils."),
    ("invisible-fact", "Remove the teal bottle, which originally was green."),
    ("vague-or", "Paint the white marble jar red or blue."),
    ("vague-or", "Put some kind of cup on the table top."),
    ("coverage-claim", "Paint every jar glossy red."),
    ("coverage-claim", "Paint the whole table glossy red."),
    ("coverage-claim", "Remove the other legs."),
    ("stale-name", "Remove the red clay jar."),
    ("stale-name", "Put a wooden cup beside the white wax candle."),
    ("stale-name", "Remove the candle."),
    ("stale-name", "Remove the red jar."),
    ("ambiguous-twin", "Remove the leg."),
    ("ambiguous-twin", "Remove the left leg."),
    ("unneeded-side", "Remove the left bottle."),
    ("unneeded-side", "Remove the bottle on the right side."),
    ("not-a-sentence", "remove the teal bottle."),
    ("not-a-sentence", "Remove the teal bottle"),
    ("not-a-sentence", "Remove the teal bottle. Add a wooden cup."),
    ("not-a-sentence", "Remove the teal bottle put a wooden cup on the table top."),
    ("not-a-sentence", "The teal bottle."),
    ("not-a-sentence", "Put " + "a very " * 20 + "large wooden cup on the table top."),
    ("article", "Put an wooden cup on the table top."),
    ("article", "Put a amber cup on the table top."),
    ("article", "Put a wooden cup on the the table top."),
    ("article", "Remove teal bottle."),
)
"""A rule and a sentence it is there for, said of TABLE."""

GOOD = (
    "Replace the white marble jar with a wooden cup.",
    "Remove the teal bottle left on the table top.",
    "Put a wooden cup right behind the white marble jar.",
    "Paint the front left leg dark oak brown.",
    "Swap the whole wheat loaf for a wooden cup.",
    "Put a wooden cup where the white wax candle stood.",
    "Put a glass-topped box on the floor behind the back left leg.",
    "Put a rusty wire mesh basket on the board beside the teal bottle.",
    "Paint all the drawer fronts a glossy orange.",
    "Remove the leg at the front left.",
    "Put an X-shaped brace between the front legs.",
    "Put a uniform blue cup, an 8-sided tray and an hourglass on the table top.",
    "Change the material of the jar to light blue glass.",
    "Turn the teal bottle a quarter turn so its label faces the front.",
    "Put a wooden cup on the left side of the table top.",
)
"""Sentences a person may say of TABLE."""


@pytest.mark.parametrize(("rule", "sentence"), BAD)
def test_rule_fires(rule: str, sentence: str) -> None:
    """Every rule finds what it is there for, and says which words it means."""
    found = [finding for finding in lint_sentence(sentence, TABLE) if finding.rule == rule]
    assert found
    assert all(finding.words and finding.message for finding in found)


@pytest.mark.parametrize("sentence", GOOD)
def test_plain_sentence_passes(sentence: str) -> None:
    """Nothing is held against what a person would say."""
    assert lint_sentence(sentence, TABLE) == ()


def test_every_rule_is_tried() -> None:
    """No rule is without a sentence that breaks it."""
    assert {rule for rule, _ in BAD} == set(RULES)
