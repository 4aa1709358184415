"""A thing that was added and taken away comes back exactly as it stood, unless something came in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from chains.files import write_chain
from chains.plan import Intent
from chains.state import state_at
from engine.build import new_chain
from engine.operations.proposal import Proposal
from engine.replay import verify_chain_file
from library_index.library import Library
from schemas.chain import Chain
from schemas.operation import Add
from schemas.part import Host
from schemas.placement import Rejection
from tests.box_chains import find_host
from tests.shelf_chains import bench_of, extended, index_shelf, proposals, slot_with


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The index of the shelf and its like."""
    return index_shelf(tmp_path_factory.mktemp("returns"))


@pytest.fixture(scope="module")
def table(library: Library) -> Host:
    """The table with a vase on it."""
    return find_host(library, "table")


def _chain_without(library: Library, table: Host, out: Path, *between: Intent) -> Chain:
    """A chain that put a thing on the table top in turn 1, painted it, took it away in turn 3 and did more since."""
    bench = bench_of(library, table, out)
    chain = extended(bench, new_chain(bench, "G/table_s1"), Intent("add", slot_with(table, "top")))
    new = chain.turns[0].operation.slot
    for intent in (Intent("retexture", new), Intent("remove", new), *between):
        chain = extended(bench, chain, intent)
    return chain


def test_it_comes_back_with_its_look_at_its_pose(library: Library, table: Host, tmp_path: Path) -> None:
    """The state after the return is the state before the removal, but for what was done between; it verifies."""
    paint = Intent("retexture", slot_with(table, "left"))
    chain = _chain_without(library, table, tmp_path, paint)
    slot = chain.turns[0].operation.slot
    chain = extended(bench_of(library, table, tmp_path), chain, Intent("add", slot, "return", (3,)))
    assert state_at(chain, 5).by_slot[slot] == state_at(chain, 2).by_slot[slot]
    last = chain.turns[-1]
    label = state_at(chain, 2).by_slot[slot].label
    assert (last.purpose, last.returns, last.named_slots) == ("return", 3, (slot, slot_with(table, "top")))
    assert f"the {label} back" in last.instruction
    path = tmp_path / "G" / "table_s1.json"
    write_chain(path, chain)
    assert verify_chain_file(path, library.path, strict=True)[1] == []
    assert isinstance(last.operation, Add)
    away = last.operation.model_copy(update={"label": "spare jug"})
    write_chain(
        path, chain.model_copy(update={"turns": (*chain.turns[:-1], last.model_copy(update={"operation": away}))})
    )
    messages = [found.message for found in verify_chain_file(path, library.path, strict=True)[1]]
    assert any("turn 5 return" in message for message in messages)


def test_it_stays_away_when_something_stands_in_its_place(library: Library, table: Host, tmp_path: Path) -> None:
    """The next thing on the table takes the best free spot, which the first one left: no room to come back."""
    chain = _chain_without(library, table, tmp_path, Intent("add", slot_with(table, "top")))
    slot = chain.turns[0].operation.slot
    answers = [*proposals(bench_of(library, table, tmp_path), chain, Intent("add", slot, "return", (3,)))]
    (answer,) = answers
    assert not isinstance(answer, Proposal)
    assert isinstance(answer, Rejection)
    assert answer.check in {"clearance", "duplicate"}
