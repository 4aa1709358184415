"""What a reader would hold against an instruction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chains.lint import RULES, LintContext, find_source_names, lint_chain, lint_sentence, lint_turn, read_history
from chains.lint_report import lint_files
from chains.state import state_at
from chains.wording import POSITION_WORDS
from schemas.chain import Chain, Provenance
from schemas.codec import encode
from schemas.errors import InputError
from tests.chain_examples import add, chain_of, desk, remove, replace, retexture


def read_sentences(name: str) -> list[dict[str, Any]]:
    """Sentences, what they are judged by, and the rule each breaks, if any."""
    rows: list[dict[str, Any]] = json.loads(Path(__file__).with_name(name).read_text("utf-8"))
    return rows


SENTENCES = read_sentences("lint_sentences.json")
"""Written by somebody who knew the names of the rules and not the rules."""
MORE = read_sentences("lint_sentences_more.json")
"""Written with sight of the rules, to find where they are too narrow or too wide."""

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
    ("stale-name", "Put a wooden cup where the white wax candle stood."),
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


def context_of(row: dict[str, Any]) -> LintContext:
    """What a sentence of the file is judged by."""
    return LintContext(
        op=row["op"],
        labels=row["labels"],
        named_slots=tuple(row["named"]),
        ids=tuple(sorted(row["labels"])),
        host=row["host"],
        sources=tuple(row["sources"]),
        worn=row["worn"],
        gone=tuple(row["gone"]),
        past=tuple(row.get("past", ())),
    )


@pytest.mark.parametrize(
    "row", [row for row in (*SENTENCES, *MORE) if not row["good"]], ids=lambda row: row["sentence"][:40]
)
def test_rule_fires_on_collected_sentences(row: dict[str, Any]) -> None:
    """Each bad sentence breaks the rule it was written to break."""
    assert row["rule"] in [finding.rule for finding in lint_sentence(row["sentence"], context_of(row))]


def test_few_false_alarms_on_sentences_written_apart() -> None:
    """Of sixty sentences people would write, at most two are held against them."""
    good = [row for row in SENTENCES if row["good"]]
    assert len(good) == len(SENTENCES) - len(good) == 60
    assert sum(bool(lint_sentence(row["sentence"], context_of(row))) for row in good) <= 2


def test_no_false_alarm_on_further_sentences() -> None:
    """Nothing is held against what people say of chairs, trucks, knights, burgers, cottages and desks."""
    alarms = [row["sentence"] for row in MORE if row["good"] and lint_sentence(row["sentence"], context_of(row))]
    assert alarms == []


def instructed(chain: Chain, *sentences: str) -> Chain:
    """The chain with these instructions."""
    turns = [turn.model_copy(update={"instruction": said}) for turn, said in zip(chain.turns, sentences, strict=True)]
    return chain.model_copy(update={"turns": tuple(turns)})


def rules_of(chain: Chain, turn: int) -> list[str]:
    """Rules that find something in one turn."""
    return [finding.rule for finding in lint_turn(chain, turn)]


def test_turn_is_judged_by_the_state_before_it() -> None:
    """Names of the past are stale, what was taken away is gone until it comes back, in its own turn already."""
    chain = instructed(
        chain_of(replace("lamp"), retexture("leg"), remove("shade"), add("shade", "top"), remove("shade")),
        "Replace the lamp with a new lamp.",
        "Cover the leg in red brick.",
        "Remove the shade.",
        "Put the shade back on the top.",
        "Remove the shade.",
    )
    assert lint_chain(chain) == ()
    late = instructed(chain, *["Remove the shade."] * 5)
    assert [rules_of(late, turn) for turn in (1, 3, 5)] == [[], [], []]
    assert rules_of(instructed(chain, *["Paint the shade red, like the lamp."] * 5), 4) == []
    gone = chain_of(remove("shade"), remove("lamp"))
    assert rules_of(instructed(gone, "Remove the shade.", "Take the lamp out from under the shade."), 2) == [
        "stale-name"
    ]
    with pytest.raises(InputError, match="turn 9 is out of range"):
        lint_turn(chain, 9)


def test_history_keeps_old_names_and_worn_looks() -> None:
    """A look is worn until its piece is exchanged; an old name stays old."""
    chain = chain_of(retexture("lamp"), replace("lamp"), retexture("leg"))
    operations = [turn.operation for turn in chain.turns]
    assert read_history(desk(), state_at(chain, 1), operations[:1]).worn == (("lamp", "red brick"),)
    history = read_history(desk(), state_at(chain, 3), operations)
    assert history.past == ("lamp",)
    assert history.worn == (("leg", "red brick"),)


def test_look_that_was_painted_over_is_stale() -> None:
    """Paint takes a colour away and leaves the stuff; another stuff takes both."""
    painted = LintContext(labels={"door": "door"}, worn={"door": "glossy blue paint"})
    assert [f.words for f in lint_sentence("Remove the red door.", painted)] == ["red door"]
    assert lint_sentence("Remove the blue door.", painted) == ()
    assert lint_sentence("Remove the wooden door.", painted) == ()
    stone = LintContext(labels={"door": "door"}, worn={"door": "white marble"})
    assert [f.rule for f in lint_sentence("Remove the wooden door.", stone)] == ["stale-name"]


def test_names_are_exempt_from_word_rules() -> None:
    """What a piece is called may hold any word; the same word elsewhere is still a finding."""
    labels = {"a": "coin slot", "b": "whole pumpkin", "c": "hidden door"}
    for label in labels.values():
        assert lint_sentence(f"Remove the {label}.", LintContext(labels=labels)) == ()
    assert {f.rule for f in lint_sentence("Remove the slot of the hidden lid.", LintContext(labels=labels))} == {
        "library-word",
        "invisible-fact",
    }


def test_place_words_are_understood_before_and_after_the_noun() -> None:
    """Every side that names are told apart by tells a mention apart, wherever it stands."""
    sides = sorted(POSITION_WORDS & {"left", "right", "front", "back", "top", "bottom"})
    labels = {side: f"{side} handle" for side in sides}
    context = LintContext(op="remove", labels=labels)
    for side in sides:
        assert lint_sentence(f"Remove the {side} handle.", context) == ()
        assert lint_sentence(f"Remove the handle on the {side}.", context) == ()
    assert [f.rule for f in lint_sentence("Remove the handle.", context)] == ["ambiguous-twin"]


def test_sources_are_read_from_provenance() -> None:
    """File names of other objects tell what they were; the host's own and bare identifiers tell nothing."""
    rows = (
        Provenance(object_id="desk", source="github:a/b:kit/desk_large.glb"),
        Provenance(object_id="shop", source="github:a/b:Assets/gltf/table_small_B.gltf.glb"),
        Provenance(object_id="0bc80a2710f1b1e3"),
    )
    assert find_source_names("desk", rows) == ("table small",)


def test_report_counts_by_rule(tmp_path: Path) -> None:
    """One line a finding, then counts; the same as a document."""
    chain = instructed(chain_of(remove("shade"), remove("lamp")), "Remove the shade or so.", "remove the shade")
    (tmp_path / "chain.json").write_bytes(encode(chain))
    report = lint_files(tmp_path)
    assert report.by_rule == {"vague-or": 1, "stale-name": 1, "not-a-sentence": 2}
    lines = list(report.lines())
    assert lines[0] == "G/desk_s1: turn 1: vague-or: or: leaves open what is asked for"
    assert lines[-1] == "4 findings in 2 instructions of 1 chains, median 4 words"
    assert report.document()["findings"][0]["rule"] == "vague-or"
    assert report.document()["words_median"] == 4.0
