"""Labels: what pieces are called, and whether two people would mean the same one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

POSITION_WORDS = frozenset(
    (
        "front back rear left right upper lower top bottom middle centre center inner outer leftmost rightmost topmost"
        " lowest highest frontmost rearmost first second third fourth fifth sixth seventh eighth ninth tenth"
    ).split()
)
"""Words that tell twins apart; a new part in the same place inherits them, and a number such as `11th`."""
_NUMBER = r"\d+(?:st|nd|rd|th)"
LOOK_WORDS = frozenset(
    (
        "red orange yellow green blue purple pink brown black white grey gray beige cream golden gold silver teal cyan"
        " navy maroon tan violet turquoise dark light pale bright wooden wood metal metallic iron steel brass copper"
        " bronze stone brick fabric cloth leather glass ceramic plastic marble rusty mossy striped checked painted"
        " polished brushed glazed oak walnut birch"
    ).split()
)
"""Colour and material words, which a retexture makes stale."""
SIZE_WORDS = frozenset(
    "small large big tiny huge tall short long wide narrow thick thin standing lying open closed".split()
)
"""Size and posture, which are said before a look: `large white marble jar`."""
SHAPE_WORDS = frozenset("round square curved pointed flat raised plain".split())
"""Shapes, which people leave out where one thing of the kind is there."""
RELATIVE_SIZES = frozenset("small large big tiny huge wide narrow short".split())
"""Sizes that are only true beside what a thing stood among where it came from."""
_TAIL = re.compile(r" (?:of|in|with|on) ")
_DETAIL = re.compile(r" (?:in|with|on) ")
_SIDE = "left|right|front|back|upper|lower|top|bottom"
_COUNTED = re.compile(
    r"^(?P<noun>.+?)(?P<tail> from the (?:left|right|front|back|top|bottom)"
    rf"| (?:in|on|at) the (?:[\w-]+ )*?(?:{_SIDE})\b.*)$"
)
"""A place after the noun: `bar from the right`, `knife in the left hand`."""
_DOTTED = re.compile(r"^(.+?) with .*polka dots$")
_AS_ADJECTIVE = (
    (re.compile(r" (?:hazard )?stripes$"), " striped"),
    (re.compile(r" checks$"), " checked"),
    (re.compile(r" planks$"), " plank"),
    (re.compile(r" cobblestones$"), " cobblestone"),
    (re.compile(r"(?<=\w) (?:blocks|fabric|paint|wood)$"), ""),
)
"""How a material is said before a noun: `blue and white striped barrel`, `dark walnut seat`."""
_SAID_WITH_A = re.compile(r"^(?:uni|use|usu|eu|one\b|once\b)", re.IGNORECASE)
_SAID_WITH_AN = re.compile(r"^(?:[aeiou]|hour|honest|heir)", re.IGNORECASE)
_ONE_IN_S = frozenset({"lens", "gas", "canvas", "atlas", "series", "species", "christmas"})
_MANY_WITHOUT_S = frozenset({"teeth", "feet", "people", "children", "men", "women", "mice", "geese"})
_PAIRS = frozenset(
    (
        "trousers pants shorts jeans scissors glasses sunglasses goggles pliers tongs tweezers binoculars headphones"
    ).split()
)


def with_article(phrase: str) -> str:
    """`an old lamp`, `a unicorn`, `some candles`, `a group of barrels`, `a pair of goggles`."""
    last = _TAIL.split(phrase, maxsplit=1)[0].rpartition(" ")[2].lower()
    if last in _PAIRS:
        return f"a pair of {phrase}"
    ends_in_s = last.endswith("s") and not last.endswith(("ss", "us", "is")) and last not in _ONE_IN_S
    if ends_in_s or last in _MANY_WITHOUT_S:
        return f"some {phrase}"
    vowel = _SAID_WITH_AN.match(phrase) is not None and _SAID_WITH_A.match(phrase) is None
    return f"{'an' if vowel else 'a'} {phrase}"


def inherited_label(old: str, phrase: str) -> str:
    """The name of a replacement: the old name's position words, then the new phrase.

    `front left leg` replaced by `grey metal leg` is called `front left grey metal leg`. A place in a row of twins is
    kept only while the new one is a twin, and then without its look: `third plate from the right` stays that when a
    grey plate comes, and a bowl in its place is called by its own name.
    """
    if find_counted(old) is not None:
        return old if kind_of(old) == kind_of(phrase) else phrase
    position, _, tail = _take_place(old)
    words = phrase.split()
    return " ".join([*(word for word in position if word not in words), *words]) + tail


def retextured_label(old: str, material: str, worn: str = "") -> str:
    """The name of a piece after a new look: position and size, material as an adjective, noun.

    `worn` is the material the piece was given before; its words go, and so does a place in a row: the third carrot from
    the back is the only blue carrot then.
    """
    position, rest, tail = _take_place(old)
    if find_counted(old) is not None:
        position, tail = [], ""
    look, worn_look = _as_adjective(material).split(), _as_adjective(worn).split()
    stale = set(LOOK_WORDS)
    start = next((at for at in range(len(rest)) if worn_look and rest[at : at + len(worn_look)] == worn_look), None)
    if start is None:
        stale.update(worn.split())
    else:
        rest = rest[:start] + rest[start + len(worn_look) :] or rest
    gone = [
        word != "and" and (word.lower() in stale or word in look or word.endswith(("-coloured", "-colored")))
        for word in rest[:-1]
    ] + [False]
    # An `and` between colours goes with them.
    noun = [
        word
        for place, word in enumerate(rest)
        if not gone[place] and not (word == "and" and (place == 0 or gone[place - 1] or all(gone[place + 1 :][:1])))
    ]
    sized = next((place for place, word in enumerate(noun[:-1]) if word not in SIZE_WORDS | SHAPE_WORDS), len(noun) - 1)
    sizes = noun[:sized]
    lead = [*sizes, *position] if old.partition(" ")[0] in sizes else [*position, *sizes]
    return " ".join([*lead, *look, *(noun[sized:] if noun else rest[-1:])]) + tail


def _as_adjective(material: str) -> str:
    """A material before a noun, without its detail."""
    dotted = _DOTTED.match(material)
    if dotted:
        return f"{dotted[1]} polka-dotted"
    look = _DETAIL.split(material, maxsplit=1)[0]
    for pattern, said in _AS_ADJECTIVE:
        look = pattern.sub(said, look)
    return look


def _take_place(label: str) -> tuple[list[str], list[str], str]:
    """Position words, the other words up to a detail, and a place after the noun such as ` from the right`."""
    counted = _COUNTED.match(label)
    body, tail = (counted["noun"], counted["tail"]) if counted else (label, "")
    words = _DETAIL.split(body, maxsplit=1)[0].split()
    position = [word for word in words[:-1] if word.lower() in POSITION_WORDS or re.fullmatch(_NUMBER, word)]
    return position, [word for word in words if word not in position], tail


class PlaceClaim(NamedTuple):
    """A side that a label says a piece is on, and its place counted from there; 0 where nothing is counted."""

    side: str
    rank: int = 0


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_EXTREMES = {
    "leftmost": "left",
    "rightmost": "right",
    "topmost": "top",
    "highest": "top",
    "lowest": "bottom",
    "frontmost": "front",
    "rearmost": "back",
}
_SIDES = {side: side for side in ("left", "right", "front", "back", "top", "bottom")} | {
    "rear": "back",
    "upper": "top",
    "lower": "bottom",
}


def claim_places(label: str) -> tuple[str, tuple[PlaceClaim, ...]]:
    """A label without its place, and what that says: `bottle` and second from the back, `leg` and front and left.

    Counts in a row, extremes and sides; what is in the middle or inside is not judged.
    """
    position, rest, tail = _take_place(label)
    counted_from = tail.removeprefix(" from the ")
    claims = []
    for word in position:
        if word in _EXTREMES:
            claims.append(PlaceClaim(_EXTREMES[word], 1))
        elif word in _SIDES:
            claims.append(PlaceClaim(_SIDES[word]))
        elif counted_from in _SIDES and (word in _ORDINALS or re.fullmatch(_NUMBER, word)):
            rank = _ORDINALS.index(word) + 1 if word in _ORDINALS else int(re.sub(r"\D", "", word))
            claims.append(PlaceClaim(_SIDES[counted_from], rank))
    return " ".join(rest), tuple(claims)


_ORDINAL = re.compile(
    rf"^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|{_NUMBER}) (?P<noun>.+) from the "
    r"(?:left|right|front|back|top|bottom)$"
)
_EXTREME = re.compile(r"^(?:leftmost|rightmost|topmost|lowest|frontmost|rearmost) (?P<noun>.+)$")


def find_counted(label: str) -> str | None:
    """The noun of a label that counts twins, `bar` of `third bar from the right` or `leftmost bar`; else None.

    Such a label is only true while all its twins stand.
    """
    match = _ORDINAL.match(label) or _EXTREME.match(label)
    return match["noun"] if match else None


_AFTER_NAME = re.compile(r",| (?:with|beside|on|full|stored) ")


def short_name(name: str) -> str:
    """What people call an object: `shield` of `shield with two crossed swords`, `mage` of `mage character`."""
    return _AFTER_NAME.split(name, maxsplit=1)[0].removesuffix(" character")


def bare_noun(label: str) -> str:
    """A label without its place, its look and its detail: `vase` of `cobalt blue vase with red tulips`.

    What goes is everything up to the last word of a look or a size: `treasure chest` of `oak treasure chest`.
    """
    words = _DETAIL.split(claim_places(label)[0], maxsplit=1)[0].split()
    head = _TAIL.split(" ".join(words), maxsplit=1)[0].split()
    plain = [place for place, word in enumerate(head[:-1]) if word.lower() in LOOK_WORDS | SIZE_WORDS | SHAPE_WORDS]
    return " ".join(words[plain[-1] + 1 :] if plain else words)


def covers(label: str, other: str) -> bool:
    """Whether somebody told `the <label>` could take the piece called `other` for it.

    That is when both are the same kind of thing and everything that is said of the first is said of the other too:
    `the pillow` may be the soft white pillow, `the left pillow` may not.
    """
    return kind_of(label) == kind_of(other) and _said(label) <= _said(other)


def says_nothing_new(label: str, phrase: str) -> bool:
    """Whether the phrase of a replacement could be said of the old piece as well: a round plate for a small one."""
    return kind_of(label) == kind_of(phrase) and _said(phrase) - SIZE_WORDS <= _said(label)


def belongs_to(label: str, other: str) -> bool:
    """Whether a piece is named after another: the blade edge after the blade, the pot handle after the pot."""
    kind = kind_of(other)
    return kind_of(label) != kind and kind in _said(_TAIL.split(label, maxsplit=1)[0])


def find_confusions(named: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Labels that an instruction uses although they could mean another piece, or count further than people do.

    `labels` are those of all pieces.
    """
    return [
        label
        for label in named
        if sum(covers(label, other) for other in labels) > 1
        or any(_is_miscounted(label, other) for other in labels)
        or _FAR_COUNT.match(label)
    ]


_FAR_COUNT = re.compile(
    rf"^(?!first|second)(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|{_NUMBER}) .+ from the "
)
"""Rows in which a person would have to count further than two: with one twin hidden the count goes wrong."""


def _is_miscounted(label: str, other: str) -> bool:
    """Whether a label counts twins, and another piece that is not among them would be counted too by whoever looks."""
    noun = find_counted(label)
    return noun is not None and find_counted(other) != noun and covers(noun, other)


def kind_of(label: str) -> str:
    """The noun of a label in the singular: `leg` of `front left table legs`."""
    counted = _COUNTED.match(label)
    return _singular(_TAIL.split(counted["noun"] if counted else label, maxsplit=1)[0].rpartition(" ")[2])


def _said(label: str) -> set[str]:
    return {_singular(word) for word in label.split()} - {"a", "an", "the"}


_SAME_THING = {"dial": "knob", "pad": "cushion"}
"""Words that whoever hears one of them may look for the other by."""


def _singular(word: str) -> str:
    """A word in the singular, one word for what goes by two names."""
    word = word.lower()
    one = word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    return _SAME_THING.get(one, one)
