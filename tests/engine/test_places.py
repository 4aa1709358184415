"""What a sentence says of where a piece is, and which earlier turn it speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest

from chains.draws import Draws
from chains.plan import Intent
from chains.sentences import Relation
from chains.state import State
from engine.build import build_chain, new_chain
from engine.operations.places import find_place, find_unclear, is_one_thing
from engine.operations.proposal import Proposal
from engine.operations.propose import propose
from library_index.library import Library, open_library
from schemas.chain import Chain, Turn
from schemas.operation import OpName
from schemas.part import Host
from tests.box_chains import index_boxes, open_bench


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The index of four hosts made of boxes."""
    return open_library(index_boxes(tmp_path_factory.mktemp("boxes")))


def slot_with(host: Host, word: str) -> str:
    """The one slot whose label has this word."""
    (slot,) = (slot.id for slot in host.slots if word in slot.label)
    return slot


@pytest.mark.parametrize(
    ("host_name", "word", "relation"),
    [
        ("table", "box", Relation("on", "table top")),
        ("table", "front left", Relation("of", "table")),
        ("stool", "cushion", Relation("on", "seat")),
        ("shelf", "lid", Relation("off", "vase")),
    ],
)
def test_a_piece_is_on_what_carries_it_or_a_part_of_the_whole(
    library: Library, tmp_path: Path, host_name: str, word: str, relation: Relation
) -> None:
    """On a surface, off what is no surface but carries it, and legs belong to the object."""
    bench, host, state = open_bench(library, host_name, tmp_path)
    slot = slot_with(host, word)
    found = find_place(bench, state, slot, Draws(1))
    assert found is not None
    assert found.relation.preposition == relation.preposition
    assert found.relation.label.endswith(relation.label)


@pytest.mark.parametrize(
    ("called", "whole"),
    [
        ("round table with a box", "round table"),
        ("table beside a keg", None),
        ("stack of boxes and a table", None),
        ("wooden leg", None),
    ],
)
def test_an_object_of_several_things_is_no_whole(
    library: Library, tmp_path: Path, called: str, whole: str | None
) -> None:
    """A leg may be the keg's; and there are other legs."""
    bench, host, state = open_bench(library, "table", tmp_path, called=called)
    found = find_place(bench, state, slot_with(host, "front left"), Draws(1))
    assert (found.relation.label if found else None) == whole


def test_nothing_is_placed_by_what_means_two_pieces(library: Library, tmp_path: Path) -> None:
    """With a second table top the box is on neither."""
    bench, host, state = open_bench(library, "table", tmp_path)
    box, top, leg = (slot_with(host, word) for word in ("box", "top", "front left"))
    label = state.by_slot[top].label
    twins = State(
        state.host,
        tuple(piece.model_copy(update={"label": label}) if piece.slot == leg else piece for piece in state.pieces),
    )
    assert find_unclear(bench, state) == ()
    assert top in find_unclear(bench, twins)
    assert find_place(bench, twins, box, Draws(1)) is None


@pytest.mark.parametrize(
    ("label", "is_one"),
    [("table top", True), ("short sides of the crate", False), ("seat and back", False), ("side panels", False)],
)
def test_things_stand_on_one_thing(label: str, *, is_one: bool) -> None:
    """Nobody says that a bottle stands on the seat and back."""
    assert is_one_thing(label) is is_one


def said(library: Library, out: Path, op: OpName, word: str) -> set[str]:
    """What many seeds say of one edit of the table."""
    sentences = set()
    for seed in range(40):
        bench, host, state = open_bench(library, "table", out, seed)
        answer = next(iter(propose(bench, state, Intent(op, slot_with(host, word)), 1)))
        assert isinstance(answer, Proposal)
        assert answer.refers_to is None
        sentences.add(answer.instruction)
    return sentences


def test_a_removal_says_where_the_piece_is(library: Library, tmp_path: Path) -> None:
    """In most seeds, in the words of a person, and with the plain sentence among them."""
    sentences = said(library, tmp_path, "remove", "box")
    assert sentences == {
        "Remove the box from the table top.",
        "Take the box off the table top.",
        "Take away the box on the table top.",
        "Get rid of the box on the table top.",
        "Remove the box.",
        "Take away the box.",
        "Get rid of the box.",
    }


def test_a_chain_speaks_of_its_earlier_turns(library: Library, tmp_path: Path) -> None:
    """Some turns say `just`, `earlier` or `new`, and their log says which turn they mean; no other turn does."""
    turns: list[Turn] = []
    for seed in range(6):
        bench, host, _ = open_bench(library, "table", tmp_path, seed, "X")
        built = build_chain(bench, new_chain(bench, f"X/{host.object_id}_s{seed}"), 8)
        turns.extend(built.turns if isinstance(built, Chain) else ())
    speaking = [turn for turn in turns if turn.refers_to is not None]
    assert speaking
    for turn in turns:
        words = (" you ", " the new ")
        is_said = any(word in turn.instruction for word in words)
        assert is_said == (turn.refers_to is not None) or turn.purpose == "reattach"
    for turn in speaking:
        assert (" just " in turn.instruction) <= (turn.refers_to == turn.index - 1)
