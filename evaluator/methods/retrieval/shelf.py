"""The parts that a retrieving editor may bring, ranked by what they are called.

Words decide and no model is asked, so an index answers alike whatever embedder made it: captions are compared by the
lexical embedder, and things that are used alike are found by the classes of suitability.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from engine.assemble import Assembler
from engine.gltf.pieces import PieceSource
from engine.surfaces import FloatArray, IntArray
from library_index.captions import PartPhrase, clean_caption
from library_index.embedding import DEFAULT_EMBEDDER, embed_checked, embed_distinct, load_embedder
from library_index.library import open_library
from library_index.queries import describe_part
from library_index.rules import read_rules
from library_index.store import PartStore
from library_index.suitability import Subject, Suitability
from schemas.part import PartRecord

SAME_HEAD = 0.5
"""What the same head noun counts beside the cosine of the captions,"""
SAME_CLASS = 0.25
"""and another noun of one class: a mug for a cup."""
OTHER_SENSE = 0.2
"""The same head noun in another class: the leg of a cow where that of a table is asked for."""
COMPOUND = 0.1
"""Another noun of one class that says more than one word: the cup of an earphone for a mug."""
LEAST_COSINE = 0.45
"""A part of another kind must be called nearly the same,"""
LEAST_LIKENESS = 0.2
"""and whatever answers worse than this does not answer."""
WIDEST_STEP = 0.3
"""Parts that answer so much worse than the best are not tried."""
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Found:
    """A part that answers to some words."""

    record: PartRecord
    likeness: float
    """Cosine of the words, and what kinship adds."""


@dataclass(frozen=True, slots=True, eq=False)
class ShelfPart:
    """The geometry of a part, and where a state takes it from."""

    source: PieceSource
    vertices: FloatArray
    """(V, 3) float64, part coordinates; every one is used by a face."""
    faces: IntArray
    """(F, 3) int64."""


class Shelf:
    """One library, opened for asking. Raises what `open_library` raises."""

    def __init__(self, path: Path) -> None:
        library = open_library(path)
        self._assembler = Assembler(PartStore(library), path)
        self._judge = Suitability(read_rules())
        self._records = tuple(library.parts.at(row) for row in range(len(library.parts)))
        owners = [library.objects[record.ref.object_id] for record in self._records]
        named = tuple(zip(self._records, owners, strict=True))
        self._phrases = tuple(clean_caption(record.caption, owner.name) for record, owner in named)
        self._classes = tuple(
            self._judge.class_of(Subject.of_phrase(phrase, owner.category, owner.name))
            for phrase, owner in zip(self._phrases, owners, strict=True)
        )
        lexical = load_embedder(DEFAULT_EMBEDDER)
        bare = embed_distinct(lexical, [phrase.described for phrase in self._phrases])
        in_context = embed_distinct(lexical, [describe_part(record, owner) for record, owner in named])
        self._vectors = np.stack([bare, in_context]).astype(np.int64)
        """(2, parts, dimensions): each part by its own words, and with the name of its object."""

    def find(self, words: str, sentence: str, count: int) -> tuple[Found, ...]:
        """The parts that answer best to a noun phrase, at most `count`, best first, ties by part reference.

        A part of another kind than asked for is found only by a name that is nearly the same. The sentence it stands in
        tells what a word means there: the leg of a robot is none of a table.
        """
        asked = clean_caption(words)
        kind = self._find_class(asked, sentence)
        nearness = self._measure_nearness(words)
        likeness = [self._add_kinship(row, near, asked, kind) for row, near in enumerate(nearness)]
        scored = sorted(
            (-value, self._records[row].ref.key, row) for row, value in enumerate(likeness) if value >= LEAST_LIKENESS
        )
        found: dict[tuple[str, int], Found] = {}
        for cost, _, row in scored:
            record = self._records[row]
            if len(found) == count or cost > scored[0][0] + WIDEST_STEP:
                break
            # Twins of a set, which only their places tell apart, are tried once.
            found.setdefault((self._phrases[row].described, record.triangles), Found(record, -cost))
        return tuple(found.values())

    def read(self, record: PartRecord) -> ShelfPart:
        """The part itself. Raises PartNotFoundError, PartHashError or GltfError."""
        vertices, faces = self._assembler.model(record.ref).merged()
        used, corners = np.unique(faces, return_inverse=True)
        return ShelfPart(self._assembler.source(record.ref), vertices[used], corners.reshape(-1, 3).astype(np.int64))

    def _find_class(self, asked: PartPhrase, sentence: str) -> str | None:
        """The class of a thing in the realm of the first object that a sentence names, if it names one."""
        subjects = [Subject.of_phrase(asked, None, word) for word in _WORD.findall(sentence.lower())]
        known = (subject for subject in subjects if self._judge.realm_of(subject) is not None)
        return self._judge.class_of(next(known, Subject.of_phrase(asked, None)))

    def _measure_nearness(self, words: str) -> list[float]:
        """The cosine of some words with each caption, alone or beside the name of its object."""
        vector = embed_checked(load_embedder(DEFAULT_EMBEDDER), [words])[0].astype(np.int64)
        products = (self._vectors * vector).sum(axis=-1)
        squares = (self._vectors * self._vectors).sum(axis=-1) * int((vector * vector).sum())
        cosines = products / np.sqrt(np.maximum(squares, 1).astype(np.float64))
        nearest: list[float] = cosines.max(axis=0).tolist()
        return nearest

    def _add_kinship(self, row: int, nearness: float, asked: PartPhrase, kind: str | None) -> float:
        phrase, own = self._phrases[row], self._classes[row]
        if phrase.junk:
            return 0.0
        if phrase.head == asked.head:
            return nearness + (OTHER_SENSE if kind and own and own != kind else SAME_HEAD)
        if kind is not None and own == kind:
            return nearness + (COMPOUND if " " in phrase.noun else SAME_CLASS)
        return nearness if nearness >= LEAST_COSINE else 0.0


@lru_cache(maxsize=2)
def open_shelf(path: Path) -> Shelf:
    """Open a library; chains that one process edits share it."""
    return Shelf(path)
