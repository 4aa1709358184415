"""Candidates come in the order of what was asked for, and the question is kept with the turn."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from chains.draws import Draws
from engine.placement.survey import PlacementSurveyor
from engine.retrieval import Retriever, Usage
from library_index.build import build_library
from library_index.embedders.hashing import HashingEmbedder
from library_index.library import Library, open_library
from library_index.query_rows import StoredQuery
from library_index.rules import read_rules
from library_index.suitability import Suitability
from schemas.chain import Turn
from schemas.codec import decode, encode
from schemas.operation import Remove
from schemas.part import PartRecord
from tests.box_library import make_boxes, write_box_library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The index of four hosts made of boxes, and of three things to put on them."""
    folder = tmp_path_factory.mktemp("boxes")
    source = write_box_library(folder / "source")
    for name in ("blue mug", "iron lantern", "straw hat"):
        (source / f"{name}.glb").write_bytes(make_boxes(((name, (0.0, 0.0, 0.0), (0.3, 0.25, 0.3)),)))
    build_library(source, folder / "index", surveyor=PlacementSurveyor(), embedder=HashingEmbedder(), workers=0)
    return open_library(folder / "index")


def usage_of(host: str) -> Usage:
    """Everything may be used but the host's own parts."""
    return Usage(host, (), lambda _: True, lambda _: 0)


def asked(text: str) -> StoredQuery:
    """A query by words."""
    return StoredQuery(text, HashingEmbedder().embed([text])[0])


def find(library: Library, words: str) -> PartRecord:
    """The first part whose caption has these words."""
    return next(record for record in library.parts.values() if words in record.caption.lower())


@pytest.mark.parametrize(
    ("text", "first"), [("grey bucket", "bucket"), ("lantern of iron", "lantern"), ("hat of straw", "hat")]
)
def test_additions_follow_the_question(library: Library, text: str, first: str) -> None:
    """What is asked for comes first, whatever the draw."""
    retriever = Retriever(library, Suitability(read_rules()))
    for seed in range(5):
        found = list(retriever.additions(None, asked(text), usage_of("stool"), Draws(seed, "stool"), lambda _: 0.5))
        assert first in found[0].caption.lower()
        assert all(record.ref.object_id != "stool" for record in found)


def test_replacements_are_of_a_kind(library: Library) -> None:
    """Legs are found for a leg; a part of another kind is not, however much of the question it shares."""
    retriever = Retriever(library, Suitability(read_rules()))
    leg = find(library, "left metal leg")
    heads = [
        retriever.phrase(record).head
        for record in retriever.replacements(
            leg, asked("stone platform with a wooden table top"), usage_of("stool"), Draws(1, "stool")
        )
    ]
    assert heads
    assert set(heads) == {"leg"}


def test_the_question_is_kept_to_the_bit(library: Library) -> None:
    """A turn holds text, embedder and vector; thirty of them stay far below 100 kB."""
    retriever = Retriever(library, Suitability(read_rules()))
    query = retriever.find_query(find(library, "white vase").ref, "replace")
    turn = Turn(index=1, operation=Remove(slot="a"), instruction="x", retrieval=retriever.record_query(query))
    again = decode(Turn, encode(turn), "turn")
    assert again == turn
    assert again.retrieval is not None
    assert again.retrieval.text == query.text
    assert again.retrieval.embedder_sha256 == library.manifest.embedder_sha256
    vector = np.frombuffer(base64.b64decode(again.retrieval.vector), dtype=np.int8)
    assert np.array_equal(vector, query.vector)
    assert 30 * len(encode(turn)) < 40_000
