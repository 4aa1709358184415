"""Candidates against the pieces of a host: what rules refuse is counted, and a slot does not wander."""

from __future__ import annotations

from pathlib import Path

import pytest

from chains.plan import Intent
from chains.state import Piece, initial_state
from engine.build import new_chain
from engine.building import open_shared_parts
from engine.operations.propose import propose
from engine.pair_judge import PairJudge
from engine.retrieval import Retriever
from engine.screening.desk import without_report
from engine.workbench import Workbench
from library_index.library import Library
from library_index.rules import read_rules
from library_index.suitability import Suitability
from schemas.base import IDENTITY_POSE
from schemas.operation import Remove, Replace
from schemas.part import PartRecord
from schemas.placement import Limits, Placement, Rejection
from tests.box_chains import find_host, index_source
from tests.box_library import write_box_library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The index of four hosts made of boxes."""
    folder = tmp_path_factory.mktemp("boxes")
    return index_source(write_box_library(folder / "source"), folder / "index")


def record_of(library: Library, word: str) -> PartRecord:
    """The one part whose caption has this word."""
    (record,) = (library.parts[key] for key in library.parts if word in library.parts[key].caption.lower())
    return record


def test_refused_candidates_are_counted_and_not_fitted(library: Library, tmp_path: Path) -> None:
    """Nothing hard is put on a cushion: every candidate is a rejection that names rule, thing and top."""
    host = find_host(library, "stool")
    bench = Workbench(open_shared_parts(library.path, tmp_path), host, "A", 1, Limits())
    bench.start_turn(new_chain(bench, "A/stool_s1"), initial_state(host))
    (cushion,) = (slot.id for slot in host.slots if "cushion" in slot.label)
    answers = list(propose(bench, initial_state(host), Intent("add", cushion), 1))
    refused = [answer for answer in answers if isinstance(answer, Rejection)]
    assert refused == answers
    assert {answer.check for answer in refused} == {"suitability"}
    assert {(answer.measured, answer.limit) for answer in refused} == {(0.1, 0.3)}
    assert "add.on: bucket on cushion" in {answer.detail for answer in refused}


def test_a_slot_does_not_wander(library: Library) -> None:
    """A seat may take the place of a seat, but not where a cushion stood first."""
    host = find_host(library, "stool")
    judge = Suitability(read_rules())
    pairs = PairJudge(library, Retriever(library, judge), judge, host)
    seat = record_of(library, "seat")
    slots = {word: slot.id for slot in host.slots for word in ("seat", "cushion") if word in slot.label}
    verdicts = {
        word: pairs.judge_replacement(
            Piece(slot=slot, label="padded seat", parts=(seat.ref,), world_from_part=IDENTITY_POSE), (), seat
        )
        for word, slot in slots.items()
    }
    assert verdicts["cushion"].rule == "replace.class"
    assert not verdicts["seat"].refused


def test_measurements_are_no_part_of_a_question(library: Library) -> None:
    """What a question is hashed by holds part and pose of an operation, and no report."""
    placement = Placement(world_from_part=IDENTITY_POSE)
    operation = Replace(slot="seat", label="seat", part=record_of(library, "seat").ref, placement=placement)
    reported = operation.model_copy(
        update={"placement": Placement.model_construct(world_from_part=IDENTITY_POSE, contact=None, report="measured")}
    )
    assert without_report(reported) == operation
    assert without_report(Remove(slot="seat")) == Remove(slot="seat")
