"""Returns: what was added and taken away comes back as it stood, or not at all."""

from __future__ import annotations

import pytest

from chains.plan import Intent, Wish, plan_turn
from chains.returns import check_returns, find_returnable
from chains.schedule import count_uses
from chains.state import state_at, states_of
from schemas.chain import Chain, Purpose, Turn
from schemas.codec import decode, encode
from schemas.errors import OperationError, SchemaError
from schemas.operation import Add, Operation
from tests.chain_examples import add, chain_of, remove, replace, retexture

Step = tuple[Operation, Purpose | None, int | None]


def _plain(operation: Operation) -> Step:
    return operation, None, None


def _back(turn: int, slot: str = "vase", support: str = "lamp") -> Step:
    return add(slot, support), "return", turn


def _chain(*steps: Step) -> Chain:
    turns = [
        Turn(index=index, operation=operation, instruction="Do it.", purpose=purpose, returns=returns)
        for index, (operation, purpose, returns) in enumerate(steps, start=1)
    ]
    return chain_of().model_copy(update={"turns": tuple(turns)})


ADDED, TAKEN = _plain(add("vase", "lamp")), _plain(remove("vase"))
PAINTED = _plain(retexture("leg"))


def _slots(chain: Chain) -> list[str]:
    return [gone.piece.slot for gone in find_returnable(state_at(chain, len(chain.turns)), chain.turns)]


def test_only_what_was_added_and_is_away_for_a_while_may_come_back() -> None:
    """A host's own piece, one taken away just now, one that is back, and one without its support stay out."""
    assert _slots(_chain(ADDED, TAKEN, PAINTED)) == ["vase"]
    assert _slots(_chain(ADDED, TAKEN)) == []
    assert _slots(_chain(_plain(remove("shade")), PAINTED)) == []
    assert _slots(_chain(ADDED, TAKEN, PAINTED, _back(2))) == []
    gone_support = [_plain(add("vase", "leg")), _plain(remove("vase")), _plain(remove("leg"))]
    assert _slots(_chain(*gone_support, _plain(retexture("lamp")))) == []
    detached = (remove("vase"), "detach", None)
    assert _slots(_chain(ADDED, detached, PAINTED)) == []  # type: ignore[arg-type]


def test_some_adds_first_bring_back_what_was_taken_away() -> None:
    """Over many seeds about half of the turns that add try it first; other operations never do."""
    chain = _chain(ADDED, TAKEN, PAINTED)
    state = state_at(chain, 3)
    first = [plan_turn(state, chain.turns, "G", seed, 5, Wish("add"))[0] for seed in range(200)]
    share = sum(intent == Intent("add", "vase", "return", (2,)) for intent in first) / len(first)
    assert 0.4 < share < 0.6
    assert all(plan_turn(state, chain.turns, "G", seed, 5, Wish("remove"))[0].op != "add" for seed in range(50))


def test_a_return_passes_strict_verification_and_uses_no_part() -> None:
    """The piece with its look comes back; the part counts once; the log keeps what is returned."""
    steps = [ADDED, _plain(retexture("vase")), TAKEN, PAINTED]
    painted = add("vase", "lamp").model_copy(update={"texture": retexture("vase").texture})
    chain = _chain(*steps, (painted, "return", 3))
    check_returns(chain, [state for _, state in states_of(chain)])
    assert sum(count_uses([chain]).values()) == 1
    assert decode(Chain, encode(chain), "chain") == chain


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((ADDED, TAKEN, PAINTED, _back(3)), "turn 4 return 'vase': turn 3 took away no added piece"),
        ((ADDED, TAKEN, _back(2)), "turn 2 took away no added piece that may come back"),
        ((ADDED, TAKEN, PAINTED, _back(2, support="top")), "is not what turn 2 took away"),
        ((ADDED, TAKEN, PAINTED, _back(2, slot="jug")), "is not what turn 2 took away"),
        (
            (ADDED, _plain(retexture("vase")), TAKEN, PAINTED, _back(3)),
            "is not what turn 3 took away",
        ),
        (
            (ADDED, TAKEN, _plain(remove("shade")), _plain(replace("lamp")), _back(2)),
            "'lamp' does not stand as it did before turn 2",
        ),
        ((ADDED, TAKEN, PAINTED, _back(2), TAKEN, PAINTED, _back(2)), "turn 7 .* turn 2 took away no added piece"),
    ],
)
def test_a_false_return_is_refused(steps: tuple[Step, ...], message: str) -> None:
    """Wrong turn, too soon, other support, other slot, without its look, changed support, twice."""
    chain = _chain(*steps)
    with pytest.raises(OperationError, match=message):
        check_returns(chain, [state for _, state in states_of(chain)])


def test_a_return_says_which_turn_it_undoes() -> None:
    """Without it, or as a removal, the record is refused."""
    turn = Turn(index=3, operation=add("vase", "lamp"), instruction="Do it.", purpose="return", returns=2)
    plain = encode(turn).decode()
    for changed in (
        plain.replace('"returns":2', '"returns":null'),
        plain.replace('"purpose":"return"', '"purpose":null'),
    ):
        with pytest.raises(SchemaError, match="in 'returns' which turn"):
            decode(Turn, changed.encode(), "turn")
    assert isinstance(turn.operation, Add)
