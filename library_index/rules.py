"""The rules file: which things may take whose place and what may stand where, as data that users may replace."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from pydantic import Field

from library_index.captions import singular
from schemas.base import Finite, Value
from schemas.codec import decode_document
from schemas.errors import SchemaError

Likelihood = Literal["likely", "neutral", "silly"]
DEFAULT_RULES = "suitability.toml"
MAX_RULES_BYTES = 4 * 1024 * 1024


class Scores(Value):
    """What the three likelihoods are worth, and below what a pair is refused."""

    likely: Finite = Field(ge=0, le=1)
    neutral: Finite = Field(ge=0, le=1)
    silly: Finite = Field(ge=0, le=1)
    refuse_below: Finite = Field(ge=0, le=1)


class Realm(Value):
    """A sphere of things that belong together: indoors, machines, living beings."""

    categories: tuple[str, ...] = Field(strict=False, default=())
    names: tuple[str, ...] = Field(strict=False, default=())
    """Words in an object's name that put it here whatever its category says."""
    far: tuple[str, ...] = Field(strict=False, default=())
    """Realms whose bound parts never change places with this one's; holds both ways."""
    ground: str = "ground"
    """Top that stands for the ground beside an object of this realm."""
    top: str | None = None
    """Top of things here whose noun no class knows."""


class NounClass(Value):
    """Things that are used alike. Words are separated by commas; a noun may have several words."""

    about: str
    nouns: str
    realms: tuple[str, ...] = Field(strict=False, default=())
    """The nouns mean this only in objects of these realms; empty: wherever no other class claims them."""
    takes: tuple[str, ...] = Field(strict=False, default=())
    """Classes whose things may take the place of this one's, besides its own."""
    bound: bool = False
    """Only things of realms that are not far may take its place."""
    alone: Likelihood = "silly"
    """Whether it means something put down by itself."""
    top: str = "other"
    """What it is to stand on."""
    likely_on: tuple[str, ...] = Field(strict=False, default=())
    neutral_on: tuple[str, ...] = Field(strict=False, default=())
    """Tops it may stand on; on all others it is silly."""
    likely_in: tuple[str, ...] = Field(strict=False, default=())
    silly_in: tuple[str, ...] = Field(strict=False, default=())
    """Realms of hosts it suits, and those it does not; in all others it is neutral."""


class RuleFile(Value):
    """A whole rules file."""

    schema_version: Literal["1.0"]
    scores: Scores
    groups: tuple[str, ...] = Field(strict=False)
    """Words that make many of one: `group of barrels`."""
    tops: dict[str, str]
    """Kinds of what things stand on, each with a line about it."""
    soft: tuple[str, ...] = Field(strict=False, default=())
    """Tops on which only what lies firmly stays."""
    realms: dict[str, Realm]
    classes: dict[str, NounClass]
    unknown: NounClass
    """How things are treated whose noun no class knows."""


@dataclass(frozen=True)
class Rules:
    """A checked rules file and the hash of its bytes."""

    file: RuleFile
    sha256: str
    meanings: Mapping[str, tuple[tuple[str, frozenset[str]], ...]]
    """Noun → classes that claim it, each with its realms; the one without realms comes last."""
    realm_of_category: Mapping[str, str]
    realm_of_name: Mapping[str, str]


def read_rules(path: Path | None = None) -> Rules:
    """Read and check a rules file; without a path the one that comes with the package.

    Raises SchemaError naming the file and the key, for a file that is no TOML, an unknown class, top or realm, a noun
    that two classes claim, and scores that are out of order.
    """
    source = files("library_index") / DEFAULT_RULES if path is None else path
    name = DEFAULT_RULES if path is None else str(path)
    try:
        data = source.read_bytes()
    except OSError as error:
        raise SchemaError(name, "$", f"cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_RULES_BYTES:
        raise SchemaError(name, "$", f"{len(data)} bytes, the limit is {MAX_RULES_BYTES}")
    return parse_rules(data, name)


def parse_rules(data: bytes, name: str) -> Rules:
    """Check the bytes of a rules file called `name`. Raises as read_rules."""
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SchemaError(name, "$", f"not TOML: {error}") from error
    file = decode_document(RuleFile, document, name)
    for problem in _find_problems(file):
        raise SchemaError(name, *problem)
    return Rules(
        file=file,
        sha256=hashlib.sha256(data).hexdigest(),
        meanings=_collect_meanings(file, name),
        realm_of_category=_collect_words(file, name, "categories"),
        realm_of_name=_collect_words(file, name, "names"),
    )


def split_words(text: str) -> tuple[str, ...]:
    """`table top, desk` → `table top`, `desk`; the last word of each in the singular, so that both numbers match."""
    return tuple(_normal(entry) for entry in text.replace("\n", " ").split(",") if entry.strip())


def _normal(noun: str) -> str:
    *before, last = noun.lower().split()
    return " ".join([*before, singular(last)])


def _find_problems(file: RuleFile) -> Iterator[tuple[str, str]]:
    """(JSON path, problem) of everything that names what is not there."""
    scores = file.scores
    if not scores.silly <= scores.refuse_below <= scores.neutral <= scores.likely:
        yield "$.scores", "must be in the order silly <= refuse_below <= neutral <= likely"
    for name, realm in file.realms.items():
        yield from _unknown_names(f"$.realms.{name}.far", realm.far, file.realms, "realm")
        tops = (realm.ground, *((realm.top,) if realm.top else ()))
        yield from _unknown_names(f"$.realms.{name}", tops, file.tops, "top")
    for name, entry in [*file.classes.items(), ("", file.unknown)]:
        where = f"$.classes.{name}" if name else "$.unknown"
        yield from _unknown_names(f"{where}.takes", entry.takes, file.classes, "class")
        yield from _unknown_names(f"{where}.top", (entry.top,), file.tops, "top")
        for key, tops in (("likely_on", entry.likely_on), ("neutral_on", entry.neutral_on)):
            yield from _unknown_names(f"{where}.{key}", tops, file.tops, "top")
        for key, realms in (("realms", entry.realms), ("likely_in", entry.likely_in), ("silly_in", entry.silly_in)):
            yield from _unknown_names(f"{where}.{key}", realms, file.realms, "realm")


def _unknown_names(
    where: str, names: tuple[str, ...], known: Mapping[str, object], what: str
) -> Iterator[tuple[str, str]]:
    for name in names:
        if name not in known:
            yield where, f"unknown {what} {name!r}; known are {', '.join(sorted(known))}"


def _collect_meanings(file: RuleFile, name: str) -> dict[str, tuple[tuple[str, frozenset[str]], ...]]:
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for class_name, entry in file.classes.items():
        realms = frozenset(entry.realms)
        for noun in split_words(entry.nouns):
            for other, other_realms in found.get(noun, ()):
                if realms & other_realms or not (realms or other_realms):
                    raise SchemaError(name, f"$.classes.{class_name}.nouns", f"{noun!r} is also in class {other!r}")
            found.setdefault(noun, []).append((class_name, realms))
    return {noun: tuple(sorted(claims, key=lambda claim: not claim[1])) for noun, claims in sorted(found.items())}


def _collect_words(file: RuleFile, name: str, key: Literal["categories", "names"]) -> dict[str, str]:
    found: dict[str, str] = {}
    for realm, entry in file.realms.items():
        for written in entry.categories if key == "categories" else entry.names:
            # as they are looked up: a category in small letters, a word of a name in the singular too
            word = written.lower() if key == "categories" else singular(written.lower())
            if word in found:
                raise SchemaError(name, f"$.realms.{realm}.{key}", f"{word!r} is also in realm {found[word]!r}")
            found[word] = realm
    return found
