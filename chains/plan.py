"""What to try next: families and operation shares → an ordered list of intents for one turn.

Shares a family aims at (measured shares are printed by `engine stats`):

| family | add | remove | replace | retexture |
|---|---|---|---|---|
| A | 0.70 | 0.15 | 0.15 | 0 |
| R | 0 | 1 | 0 | 0 |
| P | 0 | 0 | 1 | 0 |
| M | 0 | 0 | 0 | 1 |
| G | 0.34 | 0.33 | 0.33 | 0 |
| X | 0.25 | 0.25 | 0.25 | 0.25 |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chains.agenda import Agenda, find_agenda, find_attachments, had_agenda
from chains.draws import Draws
from chains.edit_cells import Shortage
from chains.returns import find_returnable
from chains.state import State, state_at
from chains.support import is_free
from schemas.base import SlotId
from schemas.chain import Chain, Family, Purpose, Turn
from schemas.operation import GROUND, OPS, OpName

SHARES: dict[Family, tuple[float, float, float, float]] = {
    "A": (0.70, 0.15, 0.15, 0.0),
    "R": (0.0, 1.0, 0.0, 0.0),
    "P": (0.0, 0.0, 1.0, 0.0),
    "M": (0.0, 0.0, 0.0, 1.0),
    "G": (0.34, 0.33, 0.33, 0.0),
    "X": (0.25, 0.25, 0.25, 0.25),
}
LEAST_ADD_SHARE = 0.6
"""A chain of family A ends rather than fall below this share of adds."""
SLACK = 1.0
"""An operation may run ahead of its share by this many turns; a chain ends rather than drift further."""
MOST_ON_GROUND = 3
"""Parts that a chain stands on the ground; after the first only where nothing else has room."""
MIN_TURNS = 3
_LENGTHS: dict[Family, tuple[tuple[int, float], ...]] = dict.fromkeys(
    ("R", "P"), ((4, 1), (5, 4), (6, 6), (7, 7), (8, 5), (9, 3), (10, 2), (12, 2), (15, 1), (20, 0.5), (30, 0.25))
)
"""Lengths that chains aim at, and their weights; their median is above what is reached, since chains end early."""
_LENGTHS["M"] = ((4, 4), (5, 5), (6, 5), (7, 4), (8, 2), (9, 2), (10, 2), (12, 1), (15, 0.5), (20, 0.5), (30, 0.25))
"""New looks never run out: these chains are as long as they aim at."""
_LENGTHS["A"] = (
    (4, 2),
    (5, 3),
    (6, 3),
    (7, 2),
    (8, 2),
    (9, 2),
    (10, 3),
    (11, 2),
    (12, 2),
    (14, 1),
    (16, 1),
    (20, 0.5),
    (30, 0.25),
)
_LENGTHS["G"] = _LENGTHS["X"] = (
    (4, 2),
    (5, 2),
    (6, 2),
    (7, 1),
    (8, 1),
    (9, 3),
    (10, 4),
    (11, 3),
    (12, 3),
    (14, 1.5),
    (16, 1),
    (20, 0.5),
    (30, 0.25),
)
"""Mixed families end rather than tip their balance, and it can only be even in late turns that enough chains reach."""
AGENDA_FIRST = 0.5
"""Chance that supports with attachments are tried before the slots that are free."""
RETURN_FIRST = 0.5
"""Chance that a turn that adds first tries to bring back what was added and taken away before."""
ADDED_FIRST = 0.4
"""Chance that a removal first tries what the chain added."""
MOST_STARTS = 2
"""Supports that are rehearsed for one turn: a rehearsal costs as much as several turns."""
MOST_SLOTS = (24, 12)
"""Slots on which the first operation of a turn and each of the others are tried."""
_LEFT_OVER = 2
"""Pieces that a chain always leaves standing."""


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing to try: an operation on a slot; for add, on the slot (or ground) it should stand on.

    For a piece that comes back, an add whose slot is the one it comes back into.
    """

    op: OpName
    slot: SlotId
    purpose: Purpose | None = None
    returns: tuple[int, ...] = ()
    """Turns that took pieces away: the one that is undone; for the edit of a support, those that come back."""
    starts: bool = False
    """Whether this is the first turn of an agenda, to be rehearsed before it is made."""


class Wish(NamedTuple):
    """Which operation a turn should be."""

    op: OpName
    also: tuple[OpName, ...] = OPS
    """What it may be where that cannot be done."""


def plan_length(seed: int, family: Family, host: str) -> int:
    """How many turns a chain aims at: 4 to 30. Many end early; over all families their median is 6."""
    rows = _LENGTHS[family]
    return Draws(seed, host, family, "length").weighted([row[0] for row in rows], [row[1] for row in rows])


def plan_turn(
    state: State,
    turns: Sequence[Turn],
    family: Family,
    seed: int,
    left: int | None = None,
    wish: Wish | None = None,
    find_shortage: Callable[[SlotId], Shortage] = lambda _: 0,
) -> list[Intent]:
    """Intents for the next turn, best first; `left` counts the turns the chain may still get, with this one.

    The operation of `wish` is tried before any other, whatever the chain did so far; what it does not allow is not
    tried. What an agenda in progress needs comes first. Else operations are drawn so that the shares of the chain so
    far move towards the family's; slots that were changed longest ago come first, and one in five turns goes to a slot
    that was edited before. Of removals and replacements those come first for which `find_shortage` finds enough cells.
    """
    draws = Draws(seed, state.host, family, "turn", len(turns) + 1)
    agenda = find_agenda(state, turns)
    intents = _go_on(agenda, family) if agenda else []
    supports_first = _puts_supports_first(state, turns, family, seed)
    possible = _find_starts(state, turns, family, left)
    starts = [intent for intent, steps in possible if _keeps_shares(turns, steps, family)]
    starts = Draws(seed, state.host, family, "turn", len(turns) + 1, "supports").shuffled(starts)[:MOST_STARTS]
    ops = _ops_by_need(turns, family, draws)
    if wish is not None:
        ops = [wish.op, *(op for op in ops if op != wish.op and op in wish.also)]
        ops = [op for op in ops if op == "add" or _leaves_room_for_adds(turns, family, left)]
    if family == "A" and supports_first and possible and not starts and all(_is_add(turn) for turn in turns):
        ops.sort(key=lambda op: op != "add")
    for place, op in enumerate(ops):
        most = MOST_SLOTS[min(place, 1)]
        free = [Intent(op, slot) for slot in _slots_for(op, state, turns, draws, find_shortage)[:most]]
        if op == "add":
            free = [*_list_returns(state, turns, family, seed), *free]
        if op in {"remove", "replace"}:
            # Whichever of the two is needed more: an agenda gives both.
            intents.extend([*starts, *free] if supports_first else [*free, *starts])
            starts = []
        else:
            intents.extend(free)
    return intents


def _list_returns(state: State, turns: Sequence[Turn], family: Family, seed: int) -> list[Intent]:
    """What may come back, in the turns in which that is tried before anything new is added."""
    draws = Draws(seed, state.host, family, "turn", len(turns) + 1, "return")
    if draws.uniform() >= RETURN_FIRST:
        return []
    return [Intent("add", gone.piece.slot, "return", (gone.turn,)) for gone in find_returnable(state, turns)]


def support_op(family: Family) -> OpName | None:
    """What an agenda of the family does to the support; None for families without agendas."""
    if family == "R":
        return "remove"
    return "replace" if family in {"A", "G", "X"} else None


def _go_on(agenda: Agenda, family: Family) -> list[Intent]:
    """The next step of an agenda, then what to fall back on: putting back what was taken away already."""
    op = support_op(family)
    if op is None:
        return []
    back = [] if op == "remove" else [Intent("add", r.piece.slot, "reattach", (r.turn,)) for r in agenda.away]
    if agenda.support_done:
        return back
    if agenda.hanging:
        return [*(Intent("remove", slot, "detach") for slot in agenda.hanging), *back]
    returns = () if op == "remove" else tuple(removed.turn for removed in agenda.away)
    return [Intent(op, agenda.support, returns=returns), *back]


def _puts_supports_first(state: State, turns: Sequence[Turn], family: Family, seed: int) -> bool:
    """Whether supports are tried before free slots: drawn for every turn, in family A once for the whole chain.

    An agenda takes more from the shares of A than one turn brings in; a chain that wants one starts with adds alone.
    """
    when = () if family == "A" else ("turn", len(turns) + 1)
    return Draws(seed, state.host, family, *when, "agenda").uniform() < AGENDA_FIRST


def _is_add(turn: Turn) -> bool:
    return turn.operation.op == "add"


def _find_starts(
    state: State, turns: Sequence[Turn], family: Family, left: int | None
) -> list[tuple[Intent, list[OpName]]]:
    """First turns of agendas that fit into the chain, with the operations of all their turns; one for each support."""
    op = support_op(family)
    found = []
    for piece in state.pieces:
        hanging = find_attachments(state, piece.slot)
        if op is None or not hanging or had_agenda(state, turns, piece.slot):
            continue
        steps: list[OpName] = ["remove" for _ in hanging]
        steps.append(op)
        if op == "replace":
            steps.extend("add" for _ in hanging)
        elif len(state.pieces) - len(steps) < _LEFT_OVER:
            continue
        if left is None or len(steps) <= left:
            found.append((Intent("remove", hanging[0], "detach", starts=True), steps))
    return found


def _leaves_room_for_adds(turns: Sequence[Turn], family: Family, left: int | None) -> bool:
    """Whether a chain of family A may have one more turn that is no add and still mostly add in the end."""
    others = sum(not _is_add(turn) for turn in turns) + 1
    return family != "A" or left is None or others <= (1.0 - LEAST_ADD_SHARE) * (len(turns) + left)


def cut_to_shares(chain: Chain) -> Chain:
    """The longest beginning of a chain of family A that mostly adds and ends in no agenda; other chains whole."""
    turns = chain.turns
    if chain.family == "A":
        while sum(map(_is_add, turns)) < LEAST_ADD_SHARE * len(turns) or (
            len(turns) < len(chain.turns) and find_agenda(state_at(chain, len(turns)), turns)
        ):
            turns = turns[:-1]
    return chain if len(turns) == len(chain.turns) else chain.model_copy(update={"turns": turns})


def _keeps_shares(turns: Sequence[Turn], steps: Sequence[OpName], family: Family) -> bool:
    """Whether each of several turns in a row has room in the family's shares when it comes."""
    done = {op: sum(turn.operation.op == op for turn in turns) for op in OPS}
    for op in steps:
        if not _has_room(op, done, family):
            return False
        done[op] += 1
    return True


def _has_room(op: OpName, done: dict[OpName, int], family: Family) -> bool:
    """Whether one more turn of an operation keeps to the family's shares."""
    after = sum(done.values()) + 1
    if family == "A" and done["add"] < LEAST_ADD_SHARE * after:
        return op == "add"
    share = SHARES[family][OPS.index(op)]
    return share > 0.0 and done[op] + 1 <= share * after + SLACK


def _ops_by_need(turns: Sequence[Turn], family: Family, draws: Draws) -> list[OpName]:
    """Operations with a share, those furthest behind their share first, with a little chance."""
    done = {op: sum(turn.operation.op == op for turn in turns) for op in OPS}
    after = len(turns) + 1
    if family == "A" and done["add"] < LEAST_ADD_SHARE * after:
        return ["add"]
    needs = [
        (share * after - done[op] + 0.5 * draws.uniform(), op)
        for share, op in zip(SHARES[family], OPS, strict=True)
        if _has_room(op, done, family)
    ]
    return [op for _, op in sorted(needs, key=lambda entry: (-entry[0], entry[1]))]


def _slots_for(
    op: OpName, state: State, turns: Sequence[Turn], draws: Draws, find_shortage: Callable[[SlotId], Shortage]
) -> list[SlotId]:
    """Slots an operation may be tried on, in the order to try."""
    last_change = {slot: turn.index for turn in turns for slot in (turn.operation.slot,)}
    if op == "add":
        supports = draws.shuffled([piece.slot for piece in state.pieces])
        used = [turn.operation.attach_to for turn in turns if turn.operation.op == "add"]
        supports.sort(key=used.count)
        place = draws.below(len(supports) + 1)
        on_ground = used.count(GROUND)
        if on_ground == 0:
            return [*supports[:place], GROUND, *supports[place:]]
        return [*supports, GROUND] if on_ground < MOST_ON_GROUND else supports
    if op == "retexture":
        free = [piece.slot for piece in state.pieces]
    else:
        free = [piece.slot for piece in state.pieces if is_free(state, piece.slot)]
    if op == "remove" and len(state.pieces) <= _LEFT_OVER:
        return []
    order = draws.shuffled(free)
    again = draws.uniform() < 0.2
    sign = -1 if again else 1
    if op == "retexture":
        return sorted(order, key=lambda slot: sign * last_change.get(slot, 0))
    # What hardly shows beside its neighbours is edited when nothing else can be: such an edit is hardly scored.
    short = {slot: find_shortage(slot) for slot in free}
    if op == "replace":
        return sorted(order, key=lambda slot: (short[slot], sign * last_change.get(slot, 0)))
    # What was put back on purpose is not taken away again while anything else can go.
    back = {turn.operation.slot for turn in turns if turn.returns is not None}
    first = {turn.operation.slot for turn in turns if _is_add(turn)} if draws.uniform() < ADDED_FIRST else set()
    return sorted(
        order, key=lambda slot: (slot in back, short[slot], slot not in first, sign * last_change.get(slot, 0))
    )
