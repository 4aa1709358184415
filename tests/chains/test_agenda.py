"""Agendas: what hangs from a support is taken off before and put back after, all of it read from the log."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chains.agenda import check_agendas, find_agenda, find_attachments
from chains.plan import LEAST_ADD_SHARE, SHARES, SLACK, Intent, plan_turn
from chains.schedule import count_uses
from chains.state import State, initial_state, state_at, states_of
from chains.summary import summarise
from schemas.chain import Chain, Family, Purpose, Turn
from schemas.codec import decode, encode
from schemas.errors import OperationError, SchemaError
from schemas.operation import OPS, Add, Operation, TextureRef
from schemas.part import Host
from tests.chain_examples import add, chain_of, desk, part_ref, placed, remove, replace, retexture

Step = tuple[Operation, Purpose | None, int | None]


def lamp_desk() -> Host:
    """The desk whose lamp carries a switch beside its shade."""
    host = desk()
    shade = host.slots[-1]
    switch = shade.model_copy(update={"id": "switch", "label": "switch", "parts": (part_ref("switch"),)})
    return host.model_copy(update={"slots": (*host.slots, switch)})


def back(slot: str, *, texture: TextureRef | None = None, label: str | None = None) -> Add:
    """The desk's own piece, back on the lamp."""
    return Add(
        slot=slot, label=label or slot, attach_to="lamp", part=part_ref(slot), placement=placed(), texture=texture
    )


def chain_with(*steps: Step, host: Host | None = None, family: Family = "G") -> Chain:
    """A chain whose turns have these operations, purposes and returns."""
    turns = [
        Turn(index=index, operation=operation, instruction="Do it.", purpose=purpose, returns=returns)
        for index, (operation, purpose, returns) in enumerate(steps, start=1)
    ]
    return chain_of().model_copy(update={"host": host or lamp_desk(), "turns": tuple(turns), "family": family})


def detach(slot: str) -> Step:
    """A turn that takes an attachment off."""
    return remove(slot), "detach", None


def reattach(slot: str, turn: int) -> Step:
    """A turn that puts it back."""
    return back(slot), "reattach", turn


def plain(operation: Operation) -> Step:
    """A turn of its own."""
    return operation, None, None


def next_intents(chain: Chain, left: int | None = None) -> list[Intent]:
    """What is planned after the chain."""
    return plan_turn(state_at(chain, len(chain.turns)), chain.turns, chain.family, chain.seed, left)


def test_an_agenda_goes_step_by_step_from_the_log_alone() -> None:
    """Both attachments go, last first; the lamp is replaced; they come back in the opposite order; then it is over."""
    steps = [detach("shade"), detach("switch"), plain(replace("lamp")), reattach("switch", 2), reattach("shade", 1)]
    expected = [
        Intent("remove", "switch", "detach"),
        Intent("replace", "lamp", returns=(2, 1)),
        Intent("add", "switch", "reattach", (2,)),
        Intent("add", "shade", "reattach", (1,)),
    ]
    for count, intent in enumerate(expected, start=1):
        assert next_intents(chain_with(*steps[:count]))[0] == intent
    done = chain_with(*steps)
    assert find_agenda(state_at(done, 5), done.turns) is None
    assert all(intent.purpose is None for intent in next_intents(done))


def test_a_step_that_fails_falls_back_to_what_can_still_be_done() -> None:
    """Without a second detachment or a new lamp the first piece goes back; a piece passed over is not tried again."""
    one_off = next_intents(chain_with(detach("shade")))
    assert one_off[1] == Intent("add", "shade", "reattach", (1,))
    both_off = next_intents(chain_with(detach("shade"), detach("switch")))
    assert both_off[1:3] == [Intent("add", "switch", "reattach", (2,)), Intent("add", "shade", "reattach", (1,))]
    steps = [detach("shade"), detach("switch"), plain(replace("lamp"))]
    assert next_intents(chain_with(*steps))[1] == Intent("add", "shade", "reattach", (1,))
    passed_over = chain_with(*steps, reattach("shade", 1))
    assert find_agenda(state_at(passed_over, 4), passed_over.turns) is None


def test_another_turn_ends_an_agenda() -> None:
    """What could not be put back is left away, and the chain goes on."""
    chain = chain_with(detach("shade"), detach("switch"), plain(replace("lamp")), plain(add("vase", "top")))
    assert find_agenda(state_at(chain, 4), chain.turns) is None
    assert next_intents(chain)


def test_only_small_supports_of_direct_attachments_have_agendas() -> None:
    """Not the core, not a support of three, not one with something two steps away."""
    state = initial_state(lamp_desk())
    assert set(find_attachments(state, "lamp")) == {"shade", "switch"}
    assert find_attachments(state, "top") == ()
    assert find_attachments(state, "leg") == ()
    third = state_at(chain_with(plain(add("bulb", "lamp"))), 1)
    assert find_attachments(third, "lamp") == ()
    deeper = state_at(chain_with(plain(remove("switch")), plain(add("bulb", "shade"))), 2)
    assert find_attachments(deeper, "lamp") == ()
    assert find_attachments(deeper, "shade") == ("bulb",)


def starts_of(family: Family, turns: Sequence[Step] = (), left: int | None = None) -> list[Intent]:
    """The first turns of agendas that a plan offers."""
    chain = chain_with(*turns, family=family)
    return [intent for intent in next_intents(chain, left) if intent.starts]


def test_families_start_agendas_only_where_their_shares_and_length_allow() -> None:
    """P and M never; G when five turns are left; A after enough adds; R takes the support with it."""
    adds = [plain(add(f"vase{index}", "top", digit)) for index, digit in enumerate("bcdef0")]
    begun = [plain(replace("leg", "9")), plain(add("vase", "top"))]
    assert starts_of("G", begun, left=5)
    assert not starts_of("G", begun, left=4)
    assert not starts_of("P")
    assert not starts_of("M")
    assert not starts_of("A", adds[:2])
    assert starts_of("R", left=3)
    gone = chain_with(detach("shade"), detach("switch"), family="R")
    assert next_intents(gone)[0] == Intent("remove", "lamp")
    assert all(intent.purpose is None for intent in next_intents(gone))


@pytest.mark.parametrize("family", ["A", "G", "X"])
def test_an_agenda_keeps_the_familys_shares(family: Family) -> None:
    """At every turn of an agenda that a plan starts, each operation has room in its share."""
    light = desk()
    seen = 0
    for before in range(9):
        adds = [plain(add(f"vase{index}", "top", "0123456789"[index])) for index in range(before)]
        chain = chain_with(*adds, host=light, family=family)
        if not any(intent.starts for intent in next_intents(chain)):
            continue
        seen += 1
        ops = ["add"] * before
        for op in ("remove", "replace", "add"):
            ops.append(op)
            share = SHARES[family][OPS.index(op)]
            assert ops.count(op) <= share * len(ops) + SLACK or (family == "A" and op == "add")
            assert family != "A" or ops.count("add") >= LEAST_ADD_SHARE * len(ops)
    assert seen


def test_a_support_has_one_agenda() -> None:
    """After its agenda a lamp is not taken apart again."""
    steps = [plain(replace("leg")), plain(add("vase", "top")), plain(add("jug", "top", "a"))]
    agenda = [detach("shade"), plain(replace("lamp", "7")), (back("shade"), "reattach", 4)]
    one = chain_with(*steps, *agenda, host=desk())
    more = [plain(add(f"pot{index}", "top", str(index))) for index in range(3)]
    later = chain_with(*steps, *agenda, *more, host=desk())
    assert "shade" in state_at(one, 6).by_slot
    assert not any(intent.starts for intent in next_intents(later))


def test_a_piece_comes_back_with_its_look() -> None:
    """The state after a return holds the very piece that was there before, but for its pose."""
    look = TextureRef(image="d" * 64)
    chain = chain_with(
        plain(retexture("shade")),
        detach("shade"),
        plain(replace("lamp")),
        (back("shade", texture=look), "reattach", 2),
        host=desk(),
    )
    assert state_at(chain, 4).by_slot["shade"] == state_at(chain, 1).by_slot["shade"]
    assert decode(Chain, encode(chain), "chain.json") == chain
    check_agendas(chain, [state for _, state in states_of(chain)])


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([detach("shade"), (back("shade", label="hat"), "reattach", 1)], "turn 2 reattach 'shade': label is hat"),
        ([detach("shade"), (back("shade", texture=TextureRef(image="e" * 64)), "reattach", 1)], "turn 2 .* look is"),
        ([detach("shade"), (add("shade", "lamp"), "reattach", 1)], "turn 2 .* part is shop/9, turn 1 took away desk"),
        ([detach("shade"), (back("hat"), "reattach", 1)], "turn 2 .* slot is hat"),
        ([detach("shade"), reattach("shade", 1), plain(remove("shade")), reattach("shade", 1)], "turn 4 .* turn 1"),
        ([plain(remove("shade")), reattach("shade", 1)], "turn 2 .* turn 1 detached nothing"),
        ([plain(add("vase", "ground")), detach("vase")], "turn 2 detach: slot 'vase' hangs from no slot"),
    ],
)
def test_strict_verification_refuses_false_returns(steps: list[Step], message: str) -> None:
    """Another part, name, look or slot, a second return, and a return of what was not detached are named."""
    chain = chain_with(*steps)
    states: list[State] = [state for _, state in states_of(chain)]
    with pytest.raises(OperationError, match=message):
        check_agendas(chain, states)


@pytest.mark.parametrize(
    ("operation", "purpose", "returns"),
    [
        (add("vase", "top"), "detach", None),
        (remove("shade"), "reattach", 1),
        (back("shade"), "reattach", None),
        (back("shade"), None, 1),
        (back("shade"), "reattach", 2),
    ],
)
def test_a_purpose_that_does_not_fit_its_operation_is_refused(
    operation: Operation, purpose: Purpose | None, returns: int | None
) -> None:
    """A log cannot say that an add detaches, or return what is taken away later."""
    good = encode(chain_with(detach("shade"), plain(add("jug", "top")))).decode()
    turn = Turn.model_construct(
        index=2,
        operation=operation,
        instruction="Do it.",
        purpose=purpose,
        returns=returns,
        named_slots=(),
        rejected=(),
    )
    bad = Chain.model_construct(
        **{**dict(chain_with(detach("shade"))), "turns": (chain_with(detach("shade")).turns[0], turn)}
    )
    assert decode(Chain, good.encode(), "chain.json")
    with pytest.raises(SchemaError, match="turn 2"):
        decode(Chain, encode(bad), "chain.json")


def test_a_returning_piece_is_not_a_use_of_a_part() -> None:
    """Counts of parts and of purposes tell a return from an add."""
    chain = chain_with(detach("shade"), plain(replace("lamp")), reattach("shade", 1), host=desk())
    assert count_uses([chain]) == {"shop/8": 1}
    counts = summarise([chain])
    assert counts["by_purpose"] == {"detach": 1, "reattach": 1, "return": 0}
    assert counts["parts_used"] == 1
