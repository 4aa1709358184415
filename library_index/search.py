"""Exact nearest captions over int8 vectors, with filters, the same on every machine.

Dot products of int8 vectors of at most 1040 dimensions stay below 2^24, so float32 multiplies and adds them exactly,
whatever the order: any BLAS on any number of threads gives the same integers. Ties go by part reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from library_index.columns import RowMask
from library_index.embedding import (
    DEFAULT_EMBEDDER,
    MAX_DIMENSIONS,
    check_embedder,
    embed_checked,
    embed_distinct,
    load_embedder,
)
from library_index.library import Library, PartKey
from library_index.ports import Embedder
from library_index.queries import describe_part
from schemas.errors import InputError
from schemas.part import PartRecord

BLOCK_ROWS = 4_096
"""Rows of one product: few enough that their floats stay in the processor's cache."""
NEAR_DUPLICATE_COSINE = 0.86
"""Captions at least this near are not offered twice in one chain."""


class Hit(NamedTuple):
    """A part found, and the cosine of its caption with the query."""

    record: PartRecord
    score: float


def search(
    library: Library,
    query: str | NDArray[np.int8],
    k: int,
    mask: RowMask | None = None,
    *,
    embedder: Embedder | None = None,
) -> tuple[Hit, ...]:
    """Find the `k` parts whose captions are nearest to a text or a vector, best first, ties by part reference.

    `mask` is (parts,) bool. A text is embedded by the index's own embedder unless one is given. Rows without a
    caption vector and rows at zero or a negative cosine are left out. Raises InputError for k < 1,
    UnknownPluginError or HashMismatchError when the embedder is not at hand.
    """
    if isinstance(query, str):
        query = embed_query(library, query, embedder)
    return _find_hits(library, library.vectors, query, k, mask)


def search_words(library: Library, query: str, k: int, mask: RowMask | None = None) -> tuple[Hit, ...]:
    """Like `search`, by the words of the captions alone: for an index whose model is not at hand.

    The captions are embedded anew by the lexical embedder, which takes some 50 us each.
    """
    lexical = load_embedder(DEFAULT_EMBEDDER)
    records = (library.parts.at(row) for row in range(len(library.parts)))
    texts = [describe_part(record, library.objects[record.ref.object_id]) for record in records]
    return _find_hits(library, embed_distinct(lexical, texts), embed_checked(lexical, [query])[0], k, mask)


def _find_hits(
    library: Library, vectors: NDArray[np.int8], query: NDArray[np.int8], k: int, mask: RowMask | None
) -> tuple[Hit, ...]:
    ((rows, scores),) = rank_rows(vectors, query[np.newaxis], k, mask)
    lengths = _lengths(vectors[rows]) * _lengths(query[np.newaxis])
    return tuple(
        Hit(library.parts.at(int(row)), float(score / length))
        for row, score, length in zip(rows, scores, lengths, strict=True)
        if score > 0
    )


def embed_query(library: Library, text: str, embedder: Embedder | None = None) -> NDArray[np.int8]:
    """Embed a query text as (dimensions,) int8, by the embedder the index was made with."""
    manifest = library.manifest
    chosen = embedder or load_embedder(manifest.embedder)
    check_embedder(chosen, manifest.embedder, manifest.embedder_sha256)
    vector: NDArray[np.int8] = embed_checked(chosen, [text])[0]
    return vector


def rank_rows(
    vectors: NDArray[np.int8], queries: NDArray[np.int8], k: int, mask: RowMask | None = None
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Rank all rows for a batch of queries: per query the best `k` rows and their integer dot products.

    `vectors` is (N, dims), `queries` (Q, dims), `mask` (N,) bool over rows. Best first, ties by row, which is the
    order of part references.
    """
    if k < 1:
        raise InputError(f"k is {k}, at least 1 is needed")
    dimensions = vectors.shape[1]
    if dimensions > MAX_DIMENSIONS or queries.shape[1] != dimensions:
        raise InputError(
            f"vectors have {dimensions} dimensions, queries {queries.shape[1]}; "
            f"they must agree and be at most {MAX_DIMENSIONS}"
        )
    rows = np.arange(len(vectors), dtype=np.int64) if mask is None else np.flatnonzero(mask)
    scores = _score(vectors, np.ascontiguousarray(queries.T, dtype=np.float32), None if mask is None else rows)
    return [_best(rows, scores[query], k) for query in range(len(queries))]


def _score(
    vectors: NDArray[np.int8], queries: NDArray[np.float32], rows: NDArray[np.int64] | None
) -> NDArray[np.int32]:
    """(Q, rows) exact dot products, block by block: at most one block of floats is in memory."""
    count = len(vectors) if rows is None else len(rows)
    scores = np.zeros((queries.shape[1], count), dtype=np.int32)
    for start in range(0, count, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, count)
        block = vectors[start:stop] if rows is None else vectors[rows[start:stop]]
        scores[:, start:stop] = (block.astype(np.float32) @ queries).T
    return scores


def _best(rows: NDArray[np.int64], scores: NDArray[np.int32], k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pick the best `k` of the rows; all ties at the border are compared before any is dropped."""
    if k < len(scores):
        border = np.partition(scores, len(scores) - k)[len(scores) - k]
        inside = np.flatnonzero(scores >= border)
    else:
        inside = np.arange(len(scores), dtype=np.int64)
    order = inside[np.lexsort((rows[inside], -scores[inside].astype(np.int64)))][:k]
    return rows[order], scores[order].astype(np.int64)


def _lengths(vectors: NDArray[np.int8]) -> NDArray[np.float64]:
    """(N,) Euclidean lengths; 1 for rows of zeros."""
    squares = (vectors.astype(np.int64) ** 2).sum(axis=-1)
    return np.sqrt(np.where(squares == 0, 1, squares).astype(np.float64))


def cosine(a: NDArray[np.int8], b: NDArray[np.int8]) -> float:
    """Cosine of two int8 vectors; 0 when one is all zeros."""
    product = int((a.astype(np.int64) * b.astype(np.int64)).sum())
    return product / float(_lengths(a[np.newaxis])[0] * _lengths(b[np.newaxis])[0])


def is_near_duplicate(vector: NDArray[np.int8], taken: Sequence[NDArray[np.int8]]) -> bool:
    """Whether a caption says nearly the same as one that was already taken."""
    return any(cosine(vector, other) >= NEAR_DUPLICATE_COSINE for other in taken)


def drop_near_duplicates(library: Library, hits: Sequence[Hit], taken: Sequence[PartKey] = ()) -> Iterator[Hit]:
    """Yield the hits whose captions are not near to one before them, nor to a part in `taken`."""
    vectors = library.vectors
    kept = [vectors[row] for key in taken if (row := library.parts.find_row(key)) is not None]
    for hit in hits:
        row = library.parts.find_row((hit.record.ref.object_id, hit.record.ref.part_id))
        if row is not None and not is_near_duplicate(vectors[row], kept):
            kept.append(vectors[row])
            yield hit
