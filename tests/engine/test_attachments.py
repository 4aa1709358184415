"""Whole agendas on hosts of boxes: off, exchanged, back on; replayed, verified, and resumed at every turn."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from chains.agenda import find_agenda
from chains.explain import explain_turn
from chains.files import write_asset, write_chain
from chains.plan import Intent
from chains.state import State, apply, initial_state, state_at
from engine.build import build_chain, new_chain
from engine.building import open_shared_parts
from engine.operations.attachments import rehearse
from engine.operations.propose import propose
from engine.replay import verify_chain_file
from engine.workbench import Workbench
from library_index.library import Library
from schemas.base import SlotId
from schemas.chain import Chain, Family, Turn
from schemas.codec import decode, encode
from schemas.operation import Add, Retexture, TextureRef
from schemas.part import Host
from schemas.placement import Rejection
from tests.box_chains import find_host
from tests.shelf_chains import LIMITS, bench_of, extended, index_shelf, proposals, slot_with


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The index of the shelf and its like."""
    return index_shelf(tmp_path_factory.mktemp("vases"))


@pytest.fixture(scope="module")
def shelf(library: Library) -> Host:
    """The shelf with a lid on its vase, a bucket and a cup on its crate."""
    return find_host(library, "shelf")


def test_a_painted_lid_comes_back_on_the_new_vase(library: Library, shelf: Host, tmp_path: Path) -> None:
    """It keeps part, name, look, size and side; every turn replays, and strict verification agrees."""
    bench = bench_of(library, shelf, tmp_path)
    vase, lid = slot_with(shelf, "vase"), slot_with(shelf, "lid")
    chain = new_chain(bench, "G/shelf_s1")
    for intent in (
        Intent("retexture", lid),
        Intent("remove", lid, "detach", starts=True),
        Intent("replace", vase, returns=(2,)),
        Intent("add", lid, "reattach", (2,)),
    ):
        chain = extended(bench, chain, intent)
    before, after = (state_at(chain, turn).by_slot[lid] for turn in (1, 4))
    assert after.model_copy(update={"world_from_part": before.world_from_part}) == before
    assert after.texture is not None
    new_vase = state_at(chain, 4)
    geometry = bench.geometry(new_vase)
    assert geometry.piece(lid)[0].bounds[0][1] == pytest.approx(geometry.piece(vase)[0].bounds[1][1], abs=1e-5)
    assert not find_agenda(new_vase, chain.turns)
    label, old_support = before.label, state_at(chain, 1).by_slot[vase].label
    assert chain.turns[1].instruction in {
        f"Take the {label} off the {old_support}.",
        f"Remove the {label} from the {old_support}.",
    }
    assert f"the {label} back on the new {new_vase.by_slot[vase].label}." in chain.turns[3].instruction
    assert [turn.named_slots for turn in chain.turns[1:]] == [(lid, vase), (vase,), (lid, vase)]
    assert ("purpose", "reattach, taken away in turn 2") in explain_turn(chain, chain.turns[3]).facts
    path = tmp_path / "G" / "shelf_s1.json"
    write_chain(path, chain)
    assert verify_chain_file(path, library.path, strict=True)[1] == []
    bare = chain.turns[3].operation.model_copy(update={"texture": None})
    write_chain(
        path,
        chain.model_copy(update={"turns": (*chain.turns[:3], chain.turns[3].model_copy(update={"operation": bare}))}),
    )
    messages = [mismatch.message for mismatch in verify_chain_file(path, library.path, strict=True)[1]]
    assert any("state hash" in message for message in messages)
    assert any("turn 4 reattach" in message and "look is None" in message for message in messages)


def test_an_agenda_does_not_begin_where_its_support_would_stay(library: Library, shelf: Host, tmp_path: Path) -> None:
    """Without a vase or crate that may be used, nothing is taken off; R needs none."""
    everything = bench_of(library, shelf, tmp_path)
    nothing = Workbench(open_shared_parts(library.path, tmp_path), shelf, "G", 1, LIMITS, may_use=lambda _: False)
    vase, lid = slot_with(shelf, "vase"), slot_with(shelf, "lid")
    state = initial_state(shelf)
    for bench in (everything, nothing):
        bench.start_turn(new_chain(bench, "G/shelf_s1"), state)
    assert rehearse(everything, state, vase, "replace", 1) is None
    assert isinstance(rehearse(nothing, state, vase, "replace", 1), Rejection)
    assert rehearse(nothing, state, vase, "remove", 1) is None
    answers = [*proposals(nothing, new_chain(nothing, "G/shelf_s1"), Intent("remove", lid, "detach", starts=True))]
    assert [type(answer) for answer in answers] == [Rejection]


def test_a_piece_whose_name_was_given_away_stays_away(library: Library, shelf: Host, tmp_path: Path) -> None:
    """A return under a name that another piece has by now is refused, and the refusal is a count, not an end."""
    bench = bench_of(library, shelf, tmp_path)
    lid, crate = slot_with(shelf, "lid"), slot_with(shelf, "crate")
    chain = extended(bench, new_chain(bench, "G/shelf_s1"), Intent("remove", lid, "detach"))
    state = state_at(chain, 1)
    picture = BytesIO()
    Image.new("RGB", (2, 2), (20, 20, 20)).save(picture, "PNG")
    look = TextureRef(image=write_asset(bench.assembler.assets, picture.getvalue(), "png"))
    named = Retexture(slot=crate, material="pitch", label="lid", texture=look)
    twin = apply(state, named, 2)
    bench.start_turn(chain, twin)
    (answer,) = propose(bench, twin, Intent("add", lid, "reattach", (1,)), 2)
    assert isinstance(answer, Rejection)
    assert answer.check == "duplicate"


def test_a_piece_that_finds_no_place_is_dropped_and_the_chain_goes_on(
    library: Library, shelf: Host, tmp_path: Path
) -> None:
    """On a narrower crate there is room for the cup alone; the next turn counts why the bucket stays away."""
    bench = bench_of(library, shelf, tmp_path)
    crate, bucket, cup = (slot_with(shelf, word) for word in ("crate", "bucket", "cup"))
    chain = new_chain(bench, "G/shelf_s1")
    for intent in (
        Intent("remove", bucket, "detach"),
        Intent("remove", cup, "detach"),
        Intent("replace", crate, returns=(2, 1)),
        Intent("add", cup, "reattach", (2,)),
    ):
        chain = extended(bench, chain, intent)
    assert find_agenda(state_at(chain, 4), chain.turns[:4]) is not None
    start = initial_state(shelf)
    hashes = {"initial_state_sha256": start.sha256, "initial_content_sha256": bench.digest(start)}
    built = build_chain(bench, chain.model_copy(update=hashes), 5)
    assert isinstance(built, Chain)
    assert len(built.turns) == 5
    fifth = built.turns[4]
    assert fifth.purpose != "reattach"
    assert {entry.check: entry.count for entry in fifth.rejected}["interpenetration"] >= 1
    assert bucket not in state_at(built, 5).by_slot
    path = tmp_path / "G" / "shelf_s1.json"
    write_chain(path, built)
    assert verify_chain_file(path, library.path, strict=True)[1] == []


def build_with_agenda(library: Library, host: Host, out: Path, family: Family) -> tuple[int, list[bytes]]:
    """The first seed whose chain re-attaches something, and the chain after every turn."""
    for seed in range(12):
        bench = bench_of(library, host, out, family, seed)
        kept: list[Chain] = []
        built = build_chain(bench, new_chain(bench, f"{family}/shelf_s{seed}"), 8, keep=kept.append)
        if isinstance(built, Chain) and any(turn.purpose == "reattach" for turn in built.turns):
            return seed, [encode(chain) for chain in (*kept, built)]
    raise AssertionError("no seed gave an agenda")


@pytest.mark.parametrize("family", ["G", "X"])
def test_a_chain_goes_on_from_any_turn_to_the_same_bytes(
    library: Library, shelf: Host, tmp_path: Path, family: Family
) -> None:
    """Killed after any turn, also in the middle of an agenda, a chain ends as it would have."""
    seed, kept = build_with_agenda(library, shelf, tmp_path, family)
    final = decode(Chain, kept[-1], "final")
    detached = next(turn.index for turn in final.turns if turn.purpose == "detach")
    for cut in range(detached, detached + 3):
        start = decode(Chain, kept[cut], "partial")
        assert len(start.turns) == cut
        resumed = build_chain(bench_of(library, shelf, tmp_path, family, seed), start, 8)
        assert isinstance(resumed, Chain)
        assert encode(resumed) == kept[-1]
    path = tmp_path / family / f"shelf_s{seed}.json"
    write_chain(path, final)
    assert verify_chain_file(path, library.path, strict=True)[1] == []


def test_family_r_takes_a_support_right_after_what_hung_from_it(library: Library, shelf: Host, tmp_path: Path) -> None:
    """The first removal in R that is no detachment takes the support of those before, and nothing ever returns."""
    found = 0
    for seed in range(6):
        bench = bench_of(library, shelf, tmp_path, "R", seed)
        chain = build_chain(bench, new_chain(bench, f"R/shelf_s{seed}"))
        if not isinstance(chain, Chain):
            continue
        assert not any(isinstance(turn.operation, Add) for turn in chain.turns)
        for turn in chain.turns:
            if turn.purpose == "detach":
                support = _support(state_at(chain, turn.index - 1), turn)
                following = next(later for later in chain.turns[turn.index :] if later.purpose is None)
                assert following.operation.slot == support
                found += 1
    assert found


def _support(state: State, turn: Turn) -> SlotId | None:
    return state.by_slot[turn.operation.slot].attach_to
