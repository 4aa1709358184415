"""Which pairs the rules that come with the package refuse, on things that no development data were at hand for."""

from __future__ import annotations

import pytest

from library_index.captions import clean_caption
from library_index.rules import read_rules
from library_index.suitability import Subject, Suitability, name_of

JUDGE = Suitability(read_rules())

Placed = tuple[str, str, str, str]
"""Caption of a thing, category of its object, what it is put on (or `ground`), category of the host."""
Swapped = tuple[str, str, str, str]
"""Label of what stands there, category of its object; caption and category of the candidate."""

SENSIBLE_ADDS: tuple[Placed, ...] = (
    ("A red apple.", "food", "wooden tray", "furniture"),
    ("A loaf of bread.", "food", "kitchen counter", "kitchen"),
    ("A slice of pizza.", "food", "white plate", "food"),
    ("A banana.", "food", "bar counter", "furniture"),
    ("A white mug.", "homeware", "oak desk", "furniture"),
    ("A wine glass.", "homeware", "round table", "furniture"),
    ("A soup bowl.", "homeware", "table runner", "furniture"),
    ("A copper kettle.", "kitchen", "black burner", "appliance"),
    ("A frying pan.", "kitchen", "cooktop", "appliance"),
    ("A brass table lamp.", "lighting", "nightstand", "furniture"),
    ("A paper lantern.", "lighting", "bookcase", "furniture"),
    ("A tall candlestick.", "homeware", "mantelpiece", "architecture"),
    ("An old book.", "prop", "bookshelf", "furniture"),
    ("A rolled scroll.", "prop", "writing desk", "furniture"),
    ("A newspaper.", "prop", "wooden bench", "furniture"),
    ("A fern in a pot.", "plant", "window sill", "building"),
    ("A potted plant.", "plant", "ground", "furniture"),
    ("A bonsai.", "plant", "side table", "furniture"),
    ("A blue vase.", "homeware", "sideboard", "furniture"),
    ("A marble bust statue.", "decor", "stone plinth", "architecture"),
    ("A small statue.", "decor", "ground", "architecture"),
    ("A wooden crate.", "container", "cargo bed", "vehicle"),
    ("An oil drum.", "container", "ground", "machine"),
    ("A suitcase.", "prop", "ground", "furniture"),
    ("A leather backpack.", "prop", "park bench", "outdoor"),
    ("A straw hat.", "homeware", "head", "character"),
    ("A knitted beanie.", "homeware", "round head", "person"),
    ("A round cushion.", "furniture", "wooden chair", "furniture"),
    ("A velvet pillow.", "furniture", "blue sofa", "furniture"),
    ("A teddy bear.", "toy", "mattress", "furniture"),
    ("A rubber ball.", "toy", "ground", "toy"),
    ("A hammer.", "tool", "workbench", "furniture"),
    ("A shovel.", "tool", "ground", "building"),
    ("A bucket.", "tool", "stone step", "building"),
    ("A watering can.", "garden", "ground", "garden"),
    ("A traffic cone.", "street", "ground", "vehicle"),
    ("A mailbox.", "street", "ground", "building"),
    ("A satellite dish.", "machine", "flat roof", "building"),
    ("A grey cat.", "animal", "ground", "building"),
    ("An alarm clock.", "homeware", "bedside table", "furniture"),
    ("A guitar.", "instrument", "ground", "furniture"),
    ("A jewel.", "prop", "wooden chest", "container"),
)
SILLY_ADDS: tuple[Placed, ...] = (
    ("A red apple.", "food", "tiled roof", "building"),
    ("A loaf of bread.", "food", "ground", "character"),
    ("A slice of pizza.", "food", "mattress", "furniture"),
    ("A sausage.", "food", "engine", "vehicle"),
    ("A muffin.", "food", "left shoulder", "character"),
    ("A white mug.", "homeware", "pillow", "furniture"),
    ("A wine glass.", "homeware", "armrest", "furniture"),
    ("A teapot.", "homeware", "fence post", "outdoor"),
    ("A soup bowl.", "homeware", "chimney", "building"),
    ("A dinner plate.", "homeware", "hull", "vehicle"),
    ("A copper kettle.", "kitchen", "round head", "character"),
    ("A burning candle.", "homeware", "blanket", "furniture"),
    ("A burning candle.", "homeware", "open book", "furniture"),
    ("A table lamp.", "lighting", "thin branch of a plant", "plant"),
    ("A paper lantern.", "lighting", "sword blade", "weapon"),
    ("An old book.", "prop", "steak", "food"),
    ("An old book.", "prop", "front wheel", "vehicle"),
    ("A potted plant.", "plant", "quilt", "furniture"),
    ("A cactus.", "plant", "felt hat", "character"),
    ("A cactus.", "plant", "slice of bread", "food"),
    ("A cactus.", "plant", "shield", "weapon"),
    ("A blue vase.", "homeware", "handrail", "building"),
    ("A bronze statue.", "decor", "hamburger", "food"),
    ("A wooden crate.", "container", "top hat", "character"),
    ("A barrel.", "container", "sofa cushion", "furniture"),
    ("A treasure chest.", "container", "rocking chair seat", "furniture"),
    ("A treasure chest.", "container", "pizza", "food"),
    ("A velvet pillow.", "furniture", "ground", "vehicle"),
    ("A velvet pillow.", "furniture", "gravel path", "building"),
    ("A gold coin.", "prop", "scrambled egg", "food"),
    ("A gold coin.", "prop", "gas stove", "kitchen"),
    ("A left arm.", "character", "round table", "furniture"),
    ("A door handle.", "building", "round table", "furniture"),
    ("A table leg.", "furniture", "ground", "furniture"),
    ("A rear wheel axle.", "vehicle", "bookshelf", "furniture"),
    ("A human nose.", "character", "plate", "food"),
    ("A chair back.", "furniture", "ground", "furniture"),
    ("A wall panel.", "building", "desk", "furniture"),
    ("A traffic cone.", "street", "dinner table", "furniture"),
    ("A mailbox.", "street", "kitchen counter", "kitchen"),
    ("A fuel tank.", "vehicle", "coffee table", "furniture"),
    ("A boulder.", "nature", "writing desk", "furniture"),
)
SENSIBLE_SWAPS: tuple[Swapped, ...] = (
    ("front left table leg", "furniture", "A carved stool leg.", "furniture"),
    ("front left foot", "furniture", "A brass desk leg.", "homeware"),
    ("left arm", "character", "A muscular arm.", "person"),
    ("right eye", "character", "A blue eye.", "animal"),
    ("head", "robot", "A square head.", "robot"),
    ("black hat", "character", "A golden crown.", "homeware"),
    ("front left wheel", "vehicle", "A spoked cart wheel.", "vehicle"),
    ("roof", "building", "A thatched roof.", "architecture"),
    ("front door", "building", "A red barn door.", "architecture"),
    ("left window", "building", "A round porthole.", "building"),
    ("chimney", "building", "A brick chimney.", "building"),
    ("door handle", "furniture", "A drawer handle.", "kitchen"),
    ("table lamp", "furniture", "A silver candelabrum.", "homeware"),
    ("wine bottle", "furniture", "A glass jug.", "kitchen"),
    ("blue vase", "homeware", "A clay jar.", "kitchen"),
    ("red apple", "food", "A green pear.", "food"),
    ("headboard", "furniture", "A padded headboard.", "furniture"),
    ("backrest", "furniture", "A cane chair back.", "furniture"),
    ("sword blade", "weapon", "A curved dagger blade.", "weapon"),
    ("antenna", "robot", "A satellite dish.", "machine"),
    ("wooden crate", "container", "A steel barrel.", "container"),
    ("pillow", "furniture", "A round cushion.", "homeware"),
    ("cape", "character", "A long cloak.", "person"),
    ("zorgle", "machine", "A striped zorgle.", "furniture"),
)
SILLY_SWAPS: tuple[Swapped, ...] = (
    ("left hand", "character", "A bare foot.", "person"),
    ("black hat", "character", "A stone wall.", "building"),
    ("front left table leg", "furniture", "A hairy leg.", "character"),
    ("left leg", "character", "A chair leg.", "furniture"),
    ("front left leg", "animal", "A leg in a green boot.", "character"),
    ("left arm", "robot", "A muscular arm.", "character"),
    ("right eye", "character", "A pointed ear.", "animal"),
    ("front left wheel", "vehicle", "A dinner plate.", "homeware"),
    ("roof", "building", "A straw hat.", "homeware"),
    ("front door", "building", "A door hinge.", "building"),
    ("left window", "building", "A framed painting.", "decor"),
    ("table lamp", "furniture", "A stack of coins.", "container"),
    ("wine bottle", "furniture", "A pair of wine bottles.", "furniture"),
    ("drawer", "furniture", "A row of drawers.", "kitchen"),
    ("red apple", "food", "A gold coin.", "prop"),
    ("headboard", "furniture", "A control panel.", "machine"),
    ("backrest", "furniture", "A side panel.", "vehicle"),
    ("sword blade", "weapon", "A propeller blade.", "aircraft"),
    ("plate", "food", "A lock plate.", "container"),
    ("bed post", "furniture", "A stone fence post.", "architecture"),
    ("pillow", "furniture", "A loaf of bread.", "food"),
    ("seat", "furniture", "A barrel lid.", "container"),
    ("nose", "character", "A carrot.", "food"),
    ("handle", "furniture", "A drawer.", "furniture"),
)


def thing(caption: str, category: str) -> Subject:
    """A subject from a caption."""
    return Subject.of_phrase(clean_caption(caption), category)


def is_add_refused(placed: Placed) -> bool:
    """Whether an addition is refused."""
    caption, category, support, host = placed
    where = None if support == "ground" else Subject.of_label(support, host)
    return JUDGE.judge_addition(thing(caption, category), where, Subject.of_label("thing", host)).refused


def is_swap_refused(swapped: Swapped) -> bool:
    """Whether a replacement is refused."""
    label, category, caption, other = swapped
    return JUDGE.judge_replacement(Subject.of_label(label, category), thing(caption, other)).refused


def test_silly_pairs_are_refused_and_sensible_ones_stay() -> None:
    """At least nine in ten of the silly pairs go, and at most one in ten of the sensible ones."""
    silly = [*map(is_add_refused, SILLY_ADDS), *map(is_swap_refused, SILLY_SWAPS)]
    sensible = [*map(is_add_refused, SENSIBLE_ADDS), *map(is_swap_refused, SENSIBLE_SWAPS)]
    assert sum(silly) >= 0.9 * len(silly)
    assert sum(sensible) <= 0.1 * len(sensible)


@pytest.mark.parametrize(
    ("placed", "rule"),
    [
        (("A door handle.", "building", "round table", "furniture"), "add.alone"),
        (("A cactus.", "plant", "mattress", "furniture"), "add.on"),
        (("A velvet pillow.", "furniture", "hard bench", "vehicle"), "add.in"),
    ],
)
def test_an_addition_names_the_rule_that_refuses_it(placed: Placed, rule: str) -> None:
    """A part without its object, a soft support, and a host of another sphere are told apart."""
    caption, category, support, host = placed
    verdict = JUDGE.judge_addition(thing(caption, category), Subject.of_label(support, host), thing("A thing.", host))
    assert verdict.rule == rule
    assert verdict.reason
    assert verdict.score < verdict.limit


@pytest.mark.parametrize(
    ("swapped", "rule"),
    [
        (("left hand", "character", "A bare foot.", "person"), "replace.class"),
        (("front left leg", "furniture", "A hairy leg.", "character"), "replace.realm"),
        (("barrel", "container", "A group of barrels.", "container"), "replace.number"),
    ],
)
def test_a_replacement_names_the_rule_that_refuses_it(swapped: Swapped, rule: str) -> None:
    """Another class, another sphere, and many for one are told apart."""
    label, category, caption, other = swapped
    verdict = JUDGE.judge_replacement(Subject.of_label(label, category), thing(caption, other))
    assert verdict.rule == rule
    assert verdict.score < verdict.limit


def test_scores_rank_the_likely_before_the_possible() -> None:
    """A mug goes on a table rather than on a crate, and on a crate rather than on a pillow."""
    mug, home = thing("A white mug.", "homeware"), thing("A set.", "furniture")
    scores = [
        JUDGE.judge_addition(mug, Subject.of_label(label, "furniture"), home).score
        for label in ("round table", "wooden crate", "soft pillow")
    ]
    assert scores[0] > scores[1] > scores[2]


def test_a_noun_means_what_it_means_in_its_realm() -> None:
    """A leg, a plate and a barrel are other things on a person, a knight and a rifle than at home."""
    found = {
        (noun, category): JUDGE.class_of(Subject(noun, plural=False, category=category))
        for noun, category in (
            ("leg", "character"), ("leg", "furniture"), ("plate", "weapon"), ("plate", "furniture"),
            ("barrel", "weapon"), ("barrel", "container"),
        )
    }  # fmt: skip
    assert found == {
        ("leg", "character"): "limb",
        ("leg", "furniture"): "support_leg",
        ("plate", "weapon"): "metal_plate",
        ("plate", "furniture"): "tableware",
        ("barrel", "weapon"): "gun_part",
        ("barrel", "container"): "storage",
    }


def test_the_longest_ending_decides() -> None:
    """`gas tank lid` is a lid, `lock plate` a lock, `stack of cargo cubes` cargo; nonsense is unknown."""
    classes = [
        JUDGE.class_of(Subject(noun, plural=False, category="machine"))
        for noun in ("gas tank lid", "lock plate", "stack of cargo cubes", "zorgle")
    ]
    assert classes == ["lid", "lock", "machine_tank", None]


def test_the_name_of_an_object_counts_more_than_its_category() -> None:
    """A space base is filed under architecture and is a machine all the same; what it holds does not count."""
    base = Subject("wall", plural=False, category="architecture", object_name="space base module")
    shelf = Subject("wall", plural=False, category="architecture", object_name="stone wall with a toy rocket")
    assert JUDGE.realm_of(base) == "technical"
    assert JUDGE.realm_of(shelf) == "building"


def test_a_label_may_begin_with_of() -> None:
    """A label without a word before its first `of` or `and` is taken apart and judged like any other."""
    odd = Subject.of_label("of barrels of wine", "furniture")
    assert name_of("and lamps and chairs") == ("lamp",)
    table = Subject("table", plural=False, category="furniture")
    assert JUDGE.judge_replacement(table, odd).rule != "replace.number"
    group = Subject("group of tables", plural=False, category="furniture")
    assert JUDGE.judge_replacement(table, group).rule == "replace.number"


def test_unknown_nouns_stay_candidates() -> None:
    """What no class knows may replace and be replaced, and may stand on firm tops but on nothing soft."""
    zorgle = Subject("zorgle", plural=False, category=None)
    table = Subject("table", plural=False, category="furniture")
    pillow = Subject("pillow", plural=False, category="furniture")
    assert not JUDGE.judge_replacement(zorgle, table).refused
    assert not JUDGE.judge_replacement(table, zorgle).refused
    assert not JUDGE.judge_addition(zorgle, table, table).refused
    assert JUDGE.judge_addition(zorgle, pillow, table).rule == "add.on"


@pytest.mark.parametrize(
    ("noun", "words"),
    [
        ("stack of cargo cubes", ("cargo", "cube")),
        ("sword guard and pommel", ("sword", "guard")),
        ("wedge of cheese", ("cheese",)),
        ("seat and back", ("seat",)),
        ("leaves", ("leaf",)),
    ],
)
def test_names_of_things(noun: str, words: tuple[str, ...]) -> None:
    """Measures, companions and plurals do not hide what a thing is."""
    assert name_of(noun) == words


def test_nothing_is_held_against_a_support_nobody_knows() -> None:
    """In a library of unknown nouns things may be put anywhere; a known top or host keeps its rules."""
    judge = Suitability(read_rules())
    lamp, frobnicator = (
        Subject("lamp", plural=False, category=None),
        Subject("frobnicator", plural=False, category=None),
    )
    assert not judge.judge_addition(lamp, frobnicator, frobnicator).refused
    assert not judge.judge_addition(lamp, None, frobnicator).refused
    assert judge.judge_addition(lamp, Subject("roof", plural=False, category=None), frobnicator).refused


def test_only_what_lies_firmly_stays_on_soft_things() -> None:
    """A book that lies may be put on a bed, one that stands on edge falls over."""
    judge = Suitability(read_rules())
    book, bed = Subject("book", plural=False, category="furniture"), Subject("bed", plural=False, category="furniture")
    assert not judge.judge_addition(book, Subject("mattress", plural=False, category="furniture"), bed, 0.6).refused
    verdict = judge.judge_addition(book, Subject("mattress", plural=False, category="furniture"), bed, 0.1)
    assert verdict.rule == "add.soft"
