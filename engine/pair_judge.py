"""Parts and pieces as the rules of suitability see them: by what they are called and where they come from."""

from __future__ import annotations

from collections.abc import Sequence

from chains.state import Piece
from engine.retrieval import Retriever
from library_index.library import Library
from library_index.suitability import Subject, Suitability, Verdict
from schemas.chain import Turn
from schemas.operation import Add
from schemas.part import Host, PartRecord


class PairJudge:
    """Judges candidates against the pieces of one host."""

    def __init__(self, library: Library, retriever: Retriever, judge: Suitability, host: Host) -> None:
        self._library = library
        self._retriever = retriever
        self._judge = judge
        self._host = host

    def judge_replacement(self, old: Piece, turns: Sequence[Turn], record: PartRecord) -> Verdict:
        """Whether a part may take the place of a piece, and of what stood in its slot first: the worse of both.

        Without the first one a slot would wander: a padded seat for a pillow, then a seat for the padded seat.
        """
        new = self._retriever.subject(record)
        before = (self._subject(old), self._first_subject(old.slot, turns))
        return min((self._judge.judge_replacement(was, new) for was in before), key=lambda verdict: verdict.score)

    def judge_addition(self, support: Piece | None, record: PartRecord) -> Verdict:
        """Whether a part may be put on a piece, or on the ground (None)."""
        host = self._host
        return self._judge.judge_addition(
            self._retriever.subject(record),
            self._subject(support) if support else None,
            Subject.of_label(host.name, host.category, host.name),
            record.mounts[0].stability if record.mounts else 0.0,
        )

    def _subject(self, piece: Piece) -> Subject:
        """A piece by its label, at home where its largest part comes from."""
        home = self._library.objects[find_main_record(self._library, piece).ref.object_id]
        return Subject.of_label(piece.label, home.category, home.name)

    def _first_subject(self, slot: str, turns: Sequence[Turn]) -> Subject:
        """What a slot was called at turn 0, or by the turn that opened it."""
        for entry in self._host.slots:
            if entry.id == slot:
                return Subject.of_label(entry.label, self._host.category, self._host.name)
        for turn in turns:
            operation = turn.operation
            if isinstance(operation, Add) and operation.slot == slot:
                home = self._library.objects[operation.part.object_id]
                return Subject.of_label(operation.label, home.category, home.name)
        raise KeyError(slot)


def find_main_record(library: Library, piece: Piece) -> PartRecord:
    """The record of a piece's largest part."""
    return max((library.find(ref) for ref in piece.parts), key=lambda record: (record.area, record.ref.key))
