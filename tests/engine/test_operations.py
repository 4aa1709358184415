"""The operations on a small host of boxes: what is proposed and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chains.files import ASSETS
from chains.plan import Intent
from chains.state import State, apply, initial_state
from engine.build import new_chain
from engine.building import open_shared_parts
from engine.operations.proposal import Proposal
from engine.operations.propose import propose
from engine.operations.relations import place_by_object
from engine.workbench import Workbench
from library_index.library import Library
from schemas.operation import GROUND, Remove, Retexture
from schemas.part import Host, PartRecord, PartRef
from schemas.placement import Limits, Rejection
from tests.box_chains import index_source, open_bench
from tests.box_library import write_box_library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The index of four hosts made of boxes."""
    folder = tmp_path_factory.mktemp("boxes")
    return index_source(write_box_library(folder / "source"), folder / "index")


def slot_with(host: Host, word: str) -> str:
    """The one slot whose label has this word."""
    (slot,) = (slot.id for slot in host.slots if word in slot.label)
    return slot


def first(bench: Workbench, state: State, op: str, slot: str) -> Proposal | Rejection:
    """The first thing an operation answers."""
    return next(iter(propose(bench, state, Intent(op, slot), 1)))  # type: ignore[arg-type]  # names come from the test


def test_what_the_object_stands_on_stays(library: Library, tmp_path: Path) -> None:
    """A stool on two legs would fall over without either; what it stands on alone stays in any case."""
    bench, host, state = open_bench(library, "stool", tmp_path)
    left, right = slot_with(host, "left"), slot_with(host, "right")
    refusal = first(bench, state, "remove", left)
    assert isinstance(refusal, Rejection)
    assert (refusal.check, refusal.limit) == ("stability", 0.05)
    refusal = first(bench, apply(state, Remove(slot=left), 1), "remove", right)
    assert isinstance(refusal, Rejection)
    assert refusal.check == "floor"


def test_what_carries_something_stays(library: Library, tmp_path: Path) -> None:
    """The vase goes only after its lid."""
    bench, host, state = open_bench(library, "shelf", tmp_path)
    vase, lid = slot_with(host, "vase"), slot_with(host, "lid")
    refusal = first(bench, state, "remove", vase)
    assert isinstance(refusal, Rejection)
    assert refusal.check == "connected"
    after = apply(state, Remove(slot=lid), 1)
    assert isinstance(first(bench, after, "remove", vase), Proposal)


def counted_legs(library: Library, out: Path) -> tuple[Workbench, State]:
    """A bench for the table, its legs called by their place in a row, and the state without the leftmost."""
    _, host, _ = open_bench(library, "table", out)
    names = iter(("leftmost leg", "11th leg from the left", "third leg from the left", "rightmost leg"))
    slots = [slot.model_copy(update={"label": next(names)}) if "leg" in slot.label else slot for slot in host.slots]
    counted = host.model_copy(update={"slots": tuple(slots)})
    bench = Workbench(open_shared_parts(library.path, out), counted, "G", 1, Limits())
    state = initial_state(counted)
    bench.start_turn(new_chain(bench, "G/table_s1"), state)
    return bench, apply(state, Remove(slot=slot_with(counted, "leftmost")), 1)


def test_a_new_look_does_not_hide_that_twins_are_gone(library: Library, tmp_path: Path) -> None:
    """What the object called the third of a row is misleading without the first, whatever it is called now."""
    bench, without_first = counted_legs(library, tmp_path)
    every = initial_state(bench.host)
    for name, label in (("third", "third dark oak leg from the left"), ("11th", "11th lamp from the left")):
        slot = slot_with(bench.host, name)
        pieces = [
            [p.model_copy(update={"label": label}) if p.slot == slot else p for p in state.pieces]
            for state in (without_first, every)
        ]
        assert bench.is_misleading(without_first, slot)
        assert bench.is_misleading(replace(without_first, pieces=tuple(pieces[0])), slot)
        assert not bench.is_misleading(replace(every, pieces=tuple(pieces[1])), slot)
    assert not bench.is_misleading(without_first, slot_with(bench.host, "top"))


def test_an_addition_stands_beside_the_object_where_no_piece_may_be_named(library: Library, tmp_path: Path) -> None:
    """The sentence says the object's own name, and only the new slot is named."""
    bench, state = counted_legs(library, tmp_path)
    found = [p for p in propose(bench, state, Intent("add", GROUND), 2) if isinstance(p, Proposal)]
    said = [p for p in found if p.instruction.endswith(f"on the ground beside the {bench.host.name}.")]
    assert said
    for proposal in said:
        assert proposal.named_slots == (proposal.operation.slot,)


def test_an_object_named_like_one_of_its_pieces_is_meant_by_its_core(library: Library, tmp_path: Path) -> None:
    """A `leg` beside which things stand is not the object while it has legs: the core is named."""
    bench, state = counted_legs(library, tmp_path)
    core = next(piece for piece in state.pieces if piece.core)
    geometry = bench.geometry(state)
    thing = next(placed for (slot, _), placed in geometry.parts if slot == slot_with(bench.host, "box"))
    assert place_by_object("carved leg", geometry, state, thing).slots == (core.slot,)
    assert place_by_object("table with a box", geometry, state, thing).relation.label == "table"


def test_a_part_looks_like_itself_and_not_like_another(library: Library, tmp_path: Path) -> None:
    """The same box is no replacement; one of other proportions is."""
    bench, host, state = open_bench(library, "table", tmp_path)
    piece = state.by_slot[slot_with(host, "box")]
    assert bench.looks_alike(piece, library.find(piece.parts[0]))
    cushion = next(row for row in library.parts.values() if "cushion" in row.caption)
    assert not bench.looks_alike(piece, cushion)


def test_a_new_look_is_stored_named_and_different(library: Library, tmp_path: Path) -> None:
    """A retexture writes its image, renames the piece after the material and changes no geometry."""
    bench, host, state = open_bench(library, "table", tmp_path)
    slot = slot_with(host, "box")
    proposal = first(bench, state, "retexture", slot)
    assert isinstance(proposal, Proposal)
    operation = proposal.operation
    assert isinstance(operation, Retexture)
    assert (tmp_path / ASSETS / f"{operation.texture.image}.png").is_file()
    assert operation.material.removesuffix(" paint") in proposal.instruction
    assert operation.label is not None
    assert "red" not in operation.label.split() or "red" in operation.material
    after = apply(state, operation, 1)
    assert after.by_slot[slot].parts == state.by_slot[slot].parts
    assert bench.digest(after) != bench.digest(state)
    assert [p for p in after.pieces if p.slot != slot] == [p for p in state.pieces if p.slot != slot]


def test_what_was_looked_for_stays_with_the_proposal(library: Library, tmp_path: Path) -> None:
    """An addition keeps what belongs beside the object, a replacement what belongs in a slot, a removal nothing."""
    bench, host, state = open_bench(library, "table", tmp_path)
    found = [p for p in propose(bench, state, Intent("add", GROUND), 1) if isinstance(p, Proposal)]
    assert found
    beside = library.find_query(host.slots[0].parts[0], "beside")
    for proposal in found:
        assert proposal.retrieval is not None
        assert proposal.retrieval.text == beside.text
    support = slot_with(host, "top")
    part = next(slot for slot in host.slots if slot.id == support).parts[0]
    assert bench.retrieval(support, "add").text == library.find_query(part, "add").text
    removal = first(bench, state, "remove", slot_with(host, "box"))
    assert isinstance(removal, Proposal)
    assert removal.retrieval is None


def test_change_is_measured_against_the_look_that_is_worn(library: Library, tmp_path: Path) -> None:
    """A new look changes what it covers; given again to the piece that wears it, it changes nothing."""
    bench, host, state = open_bench(library, "table", tmp_path)
    slot = slot_with(host, "box")
    geometry = bench.geometry(state)
    assert bench.change(geometry, geometry, slot, bench.assembler.surfaces(state.by_slot[slot])).drawn == 0.0
    proposal = first(bench, state, "retexture", slot)
    assert isinstance(proposal, Proposal)
    assert proposal.change.share > 0.5
    assert proposal.change.covered == pytest.approx(bench.shows(geometry, slot), rel=0.2)
    after = apply(state, proposal.operation, 1)
    bench.start_turn(new_chain(bench, "G/table_s1"), after)
    worn = bench.assembler.shown_surfaces(after.by_slot[slot])
    assert bench.change(bench.geometry(after), bench.geometry(after), slot, worn).drawn == 0.0
    bare = bench.assembler.surfaces(after.by_slot[slot])
    assert bench.change(bench.geometry(after), bench.geometry(after), slot, bare).share > 0.5


def test_what_holds_loose_pieces_together_stays(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box goes from a table top in one piece, not from one whose loose pieces it alone may hold."""
    bench, host, state = open_bench(library, "table", tmp_path)
    box = slot_with(host, "box")
    assert isinstance(first(bench, state, "remove", box), Proposal)
    (top,) = state.by_slot[slot_with(host, "top")].parts
    found = type(library).find

    def find_loose(opened: Library, ref: PartRef) -> PartRecord:
        record = found(opened, ref)
        return record.model_copy(update={"loose_gap": 0.1}) if ref == top else record

    monkeypatch.setattr(type(library), "find", find_loose)
    refusal = first(bench, state, "remove", box)
    assert isinstance(refusal, Rejection)
    assert (refusal.check, refusal.measured) == ("debris", 0.1)
