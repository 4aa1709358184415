"""Exact ranking against brute force in 64-bit integers, ties, filters, and near duplicates."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from header_surveyor import HeaderSurveyor
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_library import make_partverse

from library_index.build import build_library
from library_index.embedders.hashing import HashingEmbedder
from library_index.library import Library, open_library
from library_index.search import (
    BLOCK_ROWS,
    cosine,
    drop_near_duplicates,
    is_near_duplicate,
    rank_rows,
    search,
)
from schemas.errors import HashMismatchError, InputError


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Open the tiny library."""
    folder = tmp_path_factory.mktemp("search")
    source = make_partverse(folder / "source")
    build_library(source, folder / "lib", surveyor=HeaderSurveyor(), embedder=HashingEmbedder(), workers=0)
    return open_library(folder / "lib")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 300), st.integers(1, 20), st.integers(1, 400))
def test_ranking_equals_brute_force(seed: int, count: int, dimensions: int, k: int) -> None:
    """For small values with many ties the order is that of a plain sort by (-score, row), masked or not."""
    generator = np.random.default_rng(seed)
    vectors = generator.integers(-2, 3, (count, dimensions), dtype=np.int8)
    queries = generator.integers(-2, 3, (3, dimensions), dtype=np.int8)
    for mask in (None, generator.random(count) < 0.5):
        rows = [row for row in range(count) if mask is None or mask[row]]
        for (found, scores), query in zip(rank_rows(vectors, queries, k, mask), queries, strict=True):
            exact = {row: sum(int(a) * int(b) for a, b in zip(vectors[row], query, strict=True)) for row in rows}
            expected = sorted(rows, key=lambda row: (-exact[row], row))[:k]  # used at once
            assert found.tolist() == expected
            assert scores.tolist() == [exact[row] for row in expected]


def test_products_are_exact_at_the_largest_values() -> None:
    """At 1040 dimensions of -128 and 127 no bit is lost, across the border of a block; more are refused."""
    vectors = np.full((BLOCK_ROWS + 3, 1040), 127, dtype=np.int8)
    vectors[-1, 0] = 126
    ((rows, scores),) = rank_rows(vectors, vectors[:1], BLOCK_ROWS + 3)
    assert scores[0] == 127 * 127 * 1040
    assert (rows[-1], scores[-1]) == (BLOCK_ROWS + 2, 127 * 127 * 1040 - 127)
    assert rows[:-1].tolist() == list(range(BLOCK_ROWS + 2))
    with pytest.raises(InputError, match="at most 1040"):
        rank_rows(np.zeros((2, 1041), dtype=np.int8), np.zeros((1, 1041), dtype=np.int8), 1)
    with pytest.raises(InputError, match="at least 1"):
        rank_rows(vectors[:2], vectors[:1], 0)


def test_texts_find_their_parts(library: Library) -> None:
    """The named thing comes first, with its cosine; unrelated parts are left out, also for empty texts."""
    hits = search(library, "wooden seat", 3)
    assert str(hits[0].record.ref) == "chair/0"
    row = library.parts.find_row(("chair", "0"))
    query = HashingEmbedder().embed(["wooden seat"])[0]
    assert hits[0].score == pytest.approx(cosine(library.vectors[row], query), abs=1e-12)
    assert all(a.score >= b.score > 0 for a, b in pairwise(hits))
    assert search(library, "", 3) == ()


def test_an_embedder_of_another_version_is_refused(library: Library) -> None:
    """A query is only embedded by what embedded the captions."""

    class Newer(HashingEmbedder):
        sha256 = "1" * 64

    with pytest.raises(HashMismatchError, match="run the build again"):
        search(library, "seat", 1, embedder=Newer())


def test_near_duplicates_are_offered_once(library: Library) -> None:
    """Equal captions are dropped after the first, also when it was taken before; others stay."""
    embed = HashingEmbedder().embed
    wheel, again, lamp = embed(["round grey wheel", "a round grey wheel", "white lamp shade"])
    assert is_near_duplicate(again, [lamp, wheel])
    assert not is_near_duplicate(lamp, [wheel])
    hits = search(library, "lamp shade", 6)
    assert [str(hit.record.ref) for hit in drop_near_duplicates(library, [*hits, *hits])] == [
        str(hit.record.ref) for hit in hits
    ]
    assert str(hits[0].record.ref) == "lamp/0"
    left = [str(hit.record.ref) for hit in drop_near_duplicates(library, hits, taken=[("lamp", "0")])]
    assert "lamp/0" not in left


def test_caption_cases(cases_dir: Path) -> None:
    """Empty, long, emoji and order-like captions, ties and batch sizes rank as the cases expect."""
    checked = 0
    for folder in sorted(cases_dir.glob("T0[1-6]-*")):
        rows = [json.loads(line) for line in (folder / "captions.jsonl").read_text().splitlines()]
        rows.sort(key=lambda row: row["part"])
        query = json.loads((folder / "query.json").read_text())
        checks = json.loads((folder / "expected.json").read_text())["checks"]
        vectors = HashingEmbedder().embed([row["caption"] for row in rows])
        ((found, scores),) = rank_rows(vectors, HashingEmbedder().embed([query["text"]]), query["top"])
        order = [rows[int(row)]["part"] for row in found]
        assert checks.get("first", order[0]) == order[0], folder.name
        assert checks.get("order", order) == order, folder.name
        assert order[0] not in checks.get("not_first", []), folder.name
        assert scores[0] > 0
        checked += 1
    assert checked == 6
