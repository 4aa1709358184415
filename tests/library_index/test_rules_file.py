"""Rules files: what is read, and how mistakes are named."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from library_index.rules import DEFAULT_RULES, parse_rules, read_rules
from library_index.suitability import Subject, Suitability
from schemas.errors import SchemaError

SMALL = """
schema_version = "1.0"
groups = ["pair"]
[scores]
likely = 0.9
neutral = 0.5
silly = 0.1
refuse_below = 0.3
[tops]
flat = "level"
other = "the rest"
ground = "the ground"
[realms.home]
categories = ["furniture"]
[unknown]
about = "the rest"
nouns = ""
[classes.cup]
about = "cups"
nouns = "cup, mug"
alone = "likely"
likely_on = ["flat"]
[classes.table]
about = "tables"
nouns = "table"
top = "flat"
"""


def test_a_file_of_ones_own_replaces_the_rules(tmp_path: Path) -> None:
    """With four lines of rules a mug stands on tables and on nothing else."""
    path = tmp_path / "mine.toml"
    path.write_text(SMALL)
    judge = Suitability(read_rules(path))
    mug, table, chair = (Subject(noun, plural=False, category="furniture") for noun in ("mug", "table", "chair"))
    assert judge.judge_addition(mug, table, table).score == pytest.approx((0.9 + 0.9 + 0.5) / 3)
    assert judge.judge_addition(mug, chair, table).rule == "add.on"
    assert judge.rules.sha256 != read_rules().sha256


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"),
    [
        ('likely_on = ["flat"]', 'likely_on = ["flatt"]', "$.classes.cup.likely_on", "unknown top 'flatt'"),
        ('top = "flat"', 'takes = ["cups"]', "$.classes.table.takes", "unknown class 'cups'"),
        ('alone = "likely"', 'silly_in = ["sea"]', "$.classes.cup.silly_in", "unknown realm 'sea'"),
        ('nouns = "table"', 'nouns = "table, mugs"', "$.classes.table.nouns", "'mug' is also in class 'cup'"),
        ('alone = "likely"', 'alone = "maybe"', "$.classes.cup.alone", "maybe"),
        ('alone = "likely"', "colour = 3", "$.classes.cup.colour", ""),
        ("refuse_below = 0.3", "refuse_below = 0.7", "$.scores", "order"),
        ("neutral = 0.5", "neutral = nan", "$.scores.neutral", ""),
        ('categories = ["furniture"]', 'far = ["moon"]', "$.realms.home.far", "unknown realm 'moon'"),
        ('categories = ["furniture"]', 'ground = "lava"', "$.realms.home", "unknown top 'lava'"),
        ("[unknown]", "[unknown", "$", "not TOML"),
        ('schema_version = "1.0"', 'schema_version = "2.0"', "$", "2.0"),
    ],
)
def test_mistakes_are_named_by_file_and_key(old: str, new: str, key: str, problem: str) -> None:
    """Every kind of mistake is an error that says where it is."""
    with pytest.raises(SchemaError) as caught:
        parse_rules(SMALL.replace(old, new, 1).encode(), "mine.toml")
    assert caught.value.path == "mine.toml"
    assert caught.value.json_path.startswith(key)
    assert problem in caught.value.problem


def test_words_match_in_any_case_and_number() -> None:
    """Categories and names are looked up as they are meant, however the file writes them; twice the same is named."""
    written = SMALL.replace('["furniture"]', '["Furniture"]\nnames = ["Rockets", "ship"]').replace("pair", "Pairs")
    judge = Suitability(parse_rules(written.encode(), "mine.toml"))
    assert judge.realm_of(Subject("mug", plural=False, category="furniture")) == "home"
    assert judge.realm_of(Subject("mug", plural=False, category=None, object_name="red rocket")) == "home"
    mug, mugs = (Subject(noun, plural=False, category="furniture") for noun in ("mug", "pair of mugs"))
    assert judge.judge_replacement(mug, mugs).rule == "replace.number"
    twice = written.replace('"ship"', '"rocket"')
    with pytest.raises(SchemaError, match="'rocket' is also in realm 'home'"):
        parse_rules(twice.encode(), "mine.toml")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A missing file and a folder are errors, not empty rules."""
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(SchemaError, match="cannot be read"):
            read_rules(path)


def test_the_rules_of_the_package_are_used_in_full() -> None:
    """Every top is stood on by something, every class says what it is about, and the file is sorted enough to read."""
    rules = read_rules()
    assert (files("library_index") / DEFAULT_RULES).read_bytes().decode("utf-8").isascii()
    used = {top for entry in rules.file.classes.values() for top in (*entry.likely_on, *entry.neutral_on)}
    tops_of_classes = {entry.top for entry in rules.file.classes.values()}
    assert used <= set(rules.file.tops)
    assert set(rules.file.tops) <= used | tops_of_classes | {"other", "ground", "floor", "table"}
    assert all(entry.about and entry.nouns for entry in rules.file.classes.values())
    assert len(rules.meanings) > 800


def test_the_document_lists_every_class_and_top() -> None:
    """People who write rules find each name of the package's file, with what it is about, in the document."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "suitability.md").read_text("utf-8")
    file = read_rules().file
    missing = [f"| `{name}` | {line}" for name, line in file.tops.items() if f"| `{name}` | {line} |" not in text]
    missing += [name for name, entry in file.classes.items() if f"| `{name}` | {entry.about}" not in text]
    assert missing == []
