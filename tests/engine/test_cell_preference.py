"""Edits that change enough cells are preferred, others are taken when nothing better is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import engine.build
from chains.edit_cells import Shortage
from chains.plan import Intent
from chains.state import State, initial_state
from engine.build import MOST_TRIED_SINCE, new_chain
from engine.geometry.overlap import Placed
from engine.operations.proposal import Proposal
from engine.placement.state import StateGeometry
from engine.render.difference import ViewChange
from engine.workbench import Workbench
from library_index.library import Library
from schemas.chain import Chain, EditCells
from schemas.operation import Add, Operation, Replace
from schemas.part import Host
from schemas.placement import Rejection
from tests.box_chains import find_host
from tests.chain_examples import add, desk, remove, replace
from tests.shelf_chains import bench_of, extended, index_shelf, proposals, slot_with

ENOUGH = 500
Answers = dict[str, Sequence[Shortage | None]]
"""By slot, how far each proposal falls short; None for a rejection."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The index of the shelf and its like."""
    return index_shelf(tmp_path_factory.mktemp("preference"))


@pytest.fixture(scope="module")
def shelf(library: Library) -> Host:
    """The shelf with a vase under a lid."""
    return find_host(library, "shelf")


class Counts:
    """Stands for the meter: the counts that candidates have, in the order in which they are fitted."""

    def __init__(self, *fewest: int) -> None:
        self.fewest = fewest
        self.asked = 0

    def __call__(self, _: StateGeometry, __: str, piece: Sequence[Placed]) -> EditCells:
        """The next count, on both sides; enough once they are used up."""
        self.asked += 1
        assert len(piece) == 1
        found = self.fewest[self.asked - 1] if self.asked <= len(self.fewest) else ENOUGH
        return EditCells(gained=found, lost=found)


def found_with(
    counts: Counts, bench: Workbench, chain: Chain, intent: Intent, patch: pytest.MonkeyPatch
) -> tuple[list[str], list[Shortage], int]:
    """Parts of all proposals of an intent, how far they fall short, and how many candidates were fitted."""
    patch.setattr(bench.cells, "count_edit", counts)
    found = [answer for answer in proposals(bench, chain, intent) if isinstance(answer, Proposal)]
    placing = [proposal.operation for proposal in found if isinstance(proposal.operation, Add | Replace)]
    return [str(operation.part) for operation in placing], [proposal.shortage for proposal in found], counts.asked


def test_a_replacement_goes_on_to_one_that_changes_enough(
    library: Library, shelf: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strict candidate with enough cells ends the search; short ones follow it, those without a score last."""
    bench = bench_of(library, shelf, tmp_path)
    chain = extended(bench, new_chain(bench, "G/shelf_s1"), Intent("remove", slot_with(shelf, "lid")))
    intent = Intent("replace", slot_with(shelf, "vase"))
    (first,), short, fitted = found_with(Counts(), bench, chain, intent, monkeypatch)
    assert (short, fitted) == ([0], 1)
    parts, short, fitted = found_with(Counts(31, 32), bench, chain, intent, monkeypatch)
    assert (len(parts), short, fitted) == (2, [0, 1], 2)
    assert parts[1] == first
    every, short, fitted = found_with(Counts(7, 8, 31, 7, 7, 7), bench, chain, intent, monkeypatch)
    assert fitted == len(every) >= 3
    assert every[0] == parts[0]
    assert short == [1, 1, *[2] * (len(every) - 2)]
    assert every[2] == first


def test_an_add_goes_on_to_one_that_fills_enough(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first part that fills enough cells is the first proposal; without one, the first that can be scored."""
    table = find_host(library, "table")
    bench = bench_of(library, table, tmp_path)
    chain, intent = new_chain(bench, "G/table_s1"), Intent("add", slot_with(table, "top"))
    parts, short, fitted = found_with(Counts(), bench, chain, intent, monkeypatch)
    assert fitted == len(parts) >= 2
    assert set(short) == {0}
    rest = len(parts) - 1
    assert found_with(Counts(31), bench, chain, intent, monkeypatch)[:2] == ([*parts[1:], parts[0]], [*[0] * rest, 1])
    counts = Counts(7, *[8] * rest)
    assert found_with(counts, bench, chain, intent, monkeypatch)[:2] == ([*parts[1:], parts[0]], [*[1] * rest, 2])


def tried(
    answers: Answers, intents: Sequence[Intent], patch: pytest.MonkeyPatch, library: Library, out: Path
) -> list[str]:
    """Slots in the order in which they are fitted (`?leg`) and proposed (`leg`)."""
    seen: list[str] = []

    def propose(_: Workbench, __: State, intent: Intent, ___: int) -> Iterator[Proposal | Rejection]:
        seen.append(f"?{intent.slot}")
        made: dict[str, Operation] = {
            "add": add(intent.slot, "top"),
            "remove": remove(intent.slot),
            "replace": replace(intent.slot),
        }
        for shortage in answers[intent.slot]:
            if shortage is None:
                yield Rejection(check="scale", measured=None, limit=None)
            else:
                yield Proposal(made[intent.op], "Do it.", (intent.slot,), ViewChange(1.0, 1.0), shortage=shortage)

    patch.setattr(engine.build, "propose", propose)
    patch.setattr(engine.build, "is_well_said", lambda *_: True)
    bench = bench_of(library, desk(), out)
    rejected: Counter[str] = Counter()
    found = engine.build._find_proposals(bench, initial_state(desk()), intents, 1, rejected)
    while (proposal := next(found, None)) is not None:
        seen.append(proposal.operation.slot)
    assert rejected["scale"] == sum(list(row).count(None) for row in answers.values())
    return seen


def test_a_short_edit_waits_for_other_slots_of_its_operation(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit with enough cells is taken before it, an operation that is wanted less is not; the least short leads."""
    answers: Answers = {"a": [2, 2], "b": [None, 1], "c": [0], "d": [None], "e": [0]}
    intents = [Intent("replace", slot) for slot in "abcd"] + [Intent("remove", "e")]
    seen = tried(answers, intents, monkeypatch, library, tmp_path)
    assert seen == ["?a", "?b", "?c", "c", "?d", "b", "a", "a", "?e", "e"]


def test_the_wait_is_short_and_never_holds_up_an_agenda(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a few more slots it is proposed after all; what serves a support is proposed at once."""
    names = [f"s{number}" for number in range(MOST_TRIED_SINCE + 2)]
    answers: Answers = {"first": [2], **{name: [None] for name in names}}
    intents = [Intent("replace", slot) for slot in ("first", *names)]
    seen = tried(answers, intents, monkeypatch, library, tmp_path)
    asked = [f"?{name}" for name in names]
    assert seen == ["?first", *asked[:MOST_TRIED_SINCE], "first", *asked[MOST_TRIED_SINCE:]]
    agenda = [Intent("replace", "first", returns=(1,)), Intent("replace", "s0")]
    assert tried({"first": [2], "s0": [0]}, agenda, monkeypatch, library, tmp_path) == ["?first", "first", "?s0", "s0"]
