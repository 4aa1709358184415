"""Which library parts to try: what belongs there by its words, and may be used.

Only manifest rows are read here; no mesh is loaded before the geometric filters have seen the row too.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chains.draws import Draws
from chains.wording import POSITION_WORDS, RELATIVE_SIZES
from engine.geometry.stability import LEAST_STABILITY
from library_index.captions import PartPhrase, clean_caption
from library_index.library import Library
from library_index.queries import QueryPurpose
from library_index.query_rows import StoredQuery
from library_index.search import cosine, is_near_duplicate, rank_rows
from library_index.suitability import Subject, Suitability
from schemas.chain import Retrieval
from schemas.part import PartRecord, PartRef

LONGEST_DETAIL = 6
"""Words of a caption's detail that a name may carry."""
POOL = 400
"""Nearest captions that are looked at for one slot."""
LEAST_COSINE = 0.5
"""A candidate with another head noun must be at least this near to what is asked for,"""
LEAST_KINSHIP = 0.45
"""and its head noun this near to the old part's: a mug for a cup, but no porch for the chimney of the same cottage."""
SAME_HEAD_BONUS = 0.5
SAME_LOOK_EXTENT = 0.02
SHARE_RANGE = (0.04, 0.75)
"""Diagonal over the diagonal of its object, for parts that are put somewhere else."""
NEARNESS_OF_ADDITIONS = 2.0
"""Weight of the cosine between what belongs on a support and what a part is: it spans about 0.5 over a library."""
CHANCE_OF_ADDITIONS = 0.4
"""Widest difference that the draw alone makes between two candidates of one support."""
SAME_CATEGORY_BONUS = 0.25
SUITS_WEIGHT = 1.5
"""What the words of a pair count against chance and kinship when parts are put somewhere."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a chain may not take: its own host, what it used, and what others used up."""

    host: str
    taken: tuple[PartRef, ...]
    allows: Callable[[PartRef], bool]
    count: Callable[[PartRef], int]


class Retriever:
    """Ranks the rows of one library. Every order is total: score, then part reference."""

    def __init__(self, library: Library, judge: Suitability) -> None:
        self._library = library
        self._judge = judge

    @cached_property
    def _records(self) -> tuple[PartRecord, ...]:
        return tuple(self._library.parts.at(row) for row in range(self._library.manifest.parts))

    @cached_property
    def _vectors(self) -> NDArray[np.int8]:
        return np.array(self._library.vectors)

    @cached_property
    def _kinds(self) -> NDArray[np.int8]:
        """(parts, dimensions) int8: what each part is, without looks and surroundings."""
        return self._library.queries.kinds(self._library.columns.objects)

    @cached_property
    def _supports(self) -> frozenset[tuple[str, str]]:
        """Parts that carry another part of their object."""
        return frozenset(
            (record.ref.object_id, record.mounts[0].frame.parent) for record in self._records if record.mounts
        )

    @cached_property
    def _standing(self) -> tuple[int, ...]:
        """Rows of parts that make sense on their own: they rest, stay upright, and carry nothing."""
        return tuple(row for row, record in enumerate(self._records) if self._stands_alone(record))

    def phrase(self, record: PartRecord) -> PartPhrase:
        """The caption of a part, taken apart."""
        return clean_caption(record.caption, self._library.objects[record.ref.object_id].name)

    def subject(self, record: PartRecord) -> Subject:
        """A part in the words that rules of suitability look at."""
        home = self._library.objects[record.ref.object_id]
        return Subject.of_phrase(self.phrase(record), home.category, home.name)

    def name(self, record: PartRecord) -> str:
        """What a person would call a part away from its object: what tells it apart, but no place and no size.

        A part is scaled to where it goes, so a large barrel may be a small one there.
        `a bowed white front left leg` is a `bowed white leg` elsewhere; a `leg in a brown boot` needs its boot.
        """
        phrase = self.phrase(record)
        words = phrase.phrase.split()
        plain = [word for word in words[:-1] if word.lower() not in POSITION_WORDS | RELATIVE_SIZES] + words[-1:]
        detail = phrase.detail.split()
        if not phrase.adjectives and detail[:1] in (["in"], ["with"]) and len(detail) <= LONGEST_DETAIL:
            plain.extend(detail)
        return " ".join(plain)

    def find_query(self, ref: PartRef, purpose: QueryPurpose) -> StoredQuery:
        """What belongs in the place of a part, on it, or beside its object. Raises as Library.find_query."""
        return self._library.find_query(ref, purpose)

    def record_query(self, query: StoredQuery) -> Retrieval:
        """A query as a chain keeps it."""
        manifest = self._library.manifest
        return Retrieval(
            text=query.text,
            embedder=manifest.embedder,
            embedder_sha256=manifest.embedder_sha256,
            vector=base64.b64encode(query.vector.tobytes()).decode("ascii"),
        )

    def replacements(self, old: PartRecord, query: StoredQuery, usage: Usage, draws: Draws) -> Iterator[PartRecord]:
        """Parts from other objects that belong where the old part is, nearest to the query first.

        The same head noun counts more than the rest of the caption, a part that was used counts less, and a little
        chance keeps hosts from getting the same parts. Parts that look the same as the old one are left out.
        """
        said, said_name, kind = self.phrase(old), self.name(old), self._kinds[self._row(old.ref)]
        mask = self._mask(usage)
        ((rows, _),) = rank_rows(self._vectors, query.vector[np.newaxis], POOL, mask)
        scored = []
        for candidate in rows.tolist():
            record = self._records[candidate]
            nearness = cosine(self._vectors[candidate], query.vector)
            phrase = self.phrase(record)
            same = phrase.head == said.head
            akin = same or (nearness >= LEAST_COSINE and cosine(self._kinds[candidate], kind) >= LEAST_KINSHIP)
            if phrase.junk or not akin or self.name(record) == said_name:
                continue
            if looks_the_same(record, old):
                continue
            bonus = SAME_HEAD_BONUS if same else 0.0
            if self._category(record) == self._category(old) is not None:
                bonus += SAME_CATEGORY_BONUS
            score = nearness + bonus - 0.08 * usage.count(record.ref) + 0.15 * draws.uniform()
            scored.append((-score, record.ref.key, candidate))
        yield from self._diverse([candidate for _, _, candidate in sorted(scored)], usage.taken)

    def additions(
        self,
        category: str | None,
        query: StoredQuery,
        usage: Usage,
        draws: Draws,
        suits: Callable[[PartRecord], float],
    ) -> Iterator[PartRecord]:
        """Parts that can stand somewhere else: near to the query, suitable (0..1), of the host's category first."""
        mask = self._mask(usage)
        scored = []
        for row in self._standing:
            if not mask[row]:
                continue
            record = self._records[row]
            kin = category is not None and self._category(record) == category
            alone = len(self._library.objects[record.ref.object_id].parts) == 1
            likely = SUITS_WEIGHT * suits(record) + (0.5 if kin else 0.0) + (0.35 if alone else 0.0)
            nearness = NEARNESS_OF_ADDITIONS * cosine(self._vectors[row], query.vector)
            score = nearness + likely - 0.2 * usage.count(record.ref) + CHANCE_OF_ADDITIONS * draws.uniform()
            scored.append((-score, record.ref.key, row))
        yield from self._diverse([row for _, _, row in sorted(scored)], usage.taken)

    def _category(self, record: PartRecord) -> str | None:
        return self._library.objects[record.ref.object_id].category

    def _stands_alone(self, record: PartRecord) -> bool:
        if not record.mounts or (record.ref.object_id, record.ref.part_id) in self._supports:
            return False
        mount = record.mounts[0]
        alone = len(self._library.objects[record.ref.object_id].parts) == 1
        low, high = SHARE_RANGE
        return (
            mount.frame.kind == "rest"
            and mount.stability >= LEAST_STABILITY
            and (alone or low <= mount.object_share <= high)
            and not self.phrase(record).junk
            and self._judge.stands_alone(self.subject(record)) != "silly"
        )

    def _mask(self, usage: Usage) -> NDArray[np.bool_]:
        taken = {ref.key for ref in usage.taken}
        return np.array(
            [
                record.ref.object_id != usage.host and record.ref.key not in taken and usage.allows(record.ref)
                for record in self._records
            ],
            dtype=np.bool_,
        )

    def _diverse(self, rows: Sequence[int], taken: Collection[PartRef]) -> Iterator[PartRecord]:
        """Drop captions that say nearly what a part in the chain or an earlier candidate says."""
        kept = [self._vectors[self._row(ref)] for ref in taken]
        for row in rows:
            if not is_near_duplicate(self._vectors[row], kept):
                kept.append(self._vectors[row])
                yield self._records[row]

    def _row(self, ref: PartRef) -> int:
        row = self._library.parts.find_row((ref.object_id, ref.part_id))
        if row is None:
            raise KeyError(str(ref))
        return row


def looks_the_same(one: PartRecord, two: PartRecord) -> bool:
    """Whether two parts are copies of one model at most at another scale: equal triangles and box proportions."""
    if one.triangles != two.triangles:
        return False
    a, b = (sorted(high - low for low, high in zip(*record.bounds, strict=True)) for record in (one, two))
    if a[2] <= 0.0 or b[2] <= 0.0:
        return True
    return all(abs(x / a[2] - y / b[2]) <= SAME_LOOK_EXTENT for x, y in zip(a, b, strict=True))
