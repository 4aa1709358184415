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

from collections.abc import Sequence
from dataclasses import dataclass

from chains.draws import Draws
from chains.state import State
from chains.support import is_free
from schemas.base import SlotId
from schemas.chain import Family, Turn
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
MIN_TURNS = 3
_LENGTHS = ((4, 1), (5, 4), (6, 6), (7, 7), (8, 5), (9, 3), (10, 2), (12, 2), (15, 1), (20, 0.5))
_LEFT_OVER = 2
"""Pieces that a chain always leaves standing."""


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing to try: an operation on a slot; for add, on the slot (or ground) it should stand on."""

    op: OpName
    slot: SlotId


def plan_length(seed: int, family: Family, host: str) -> int:
    """How many turns a chain aims at: 4 to 20, median 7, since some chains end early; their median is 6."""
    lengths = [length for length, _ in _LENGTHS]
    return Draws(seed, host, family, "length").weighted(lengths, [weight for _, weight in _LENGTHS])


def plan_turn(state: State, turns: Sequence[Turn], family: Family, seed: int) -> list[Intent]:
    """Intents for the next turn, best first.

    Operations are drawn so that the shares of the chain so far move towards the family's; slots that were changed
    longest ago come first, and one in five turns returns to a slot that was edited before.
    """
    draws = Draws(seed, state.host, family, "turn", len(turns) + 1)
    intents: list[Intent] = []
    for op in _ops_by_need(turns, family, draws):
        intents.extend(Intent(op, slot) for slot in _slots_for(op, state, turns, draws))
    return intents


def _ops_by_need(turns: Sequence[Turn], family: Family, draws: Draws) -> list[OpName]:
    """Operations with a share, those furthest behind their share first, with a little chance."""
    done = [sum(turn.operation.op == op for turn in turns) for op in OPS]
    after = len(turns) + 1
    if family == "A" and done[0] < LEAST_ADD_SHARE * after:
        return ["add"]
    needs = [
        (share * after - count + 0.5 * draws.uniform(), op)
        for share, count, op in zip(SHARES[family], done, OPS, strict=True)
        if share > 0.0 and count + 1 <= share * after + SLACK
    ]
    return [op for _, op in sorted(needs, key=lambda entry: (-entry[0], entry[1]))]


def _slots_for(op: OpName, state: State, turns: Sequence[Turn], draws: Draws) -> list[SlotId]:
    """Slots an operation may be tried on, in the order to try."""
    last_change = {slot: turn.index for turn in turns for slot in (turn.operation.slot,)}
    if op == "add":
        supports = draws.shuffled([piece.slot for piece in state.pieces])
        used = [turn.operation.attach_to for turn in turns if turn.operation.op == "add"]
        supports.sort(key=used.count)
        place = draws.below(len(supports) + 1)
        return [*supports[:place], GROUND, *supports[place:]] if used.count(GROUND) == 0 else supports
    if op == "retexture":
        free = [piece.slot for piece in state.pieces]
    else:
        free = [piece.slot for piece in state.pieces if is_free(state, piece.slot)]
    if op == "remove" and len(state.pieces) <= _LEFT_OVER:
        return []
    order = draws.shuffled(free)
    again = draws.uniform() < 0.2
    return sorted(order, key=lambda slot: -last_change.get(slot, 0) if again else last_change.get(slot, 0))
