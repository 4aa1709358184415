"""Returns: a piece that one turn added and a later one took away comes back exactly as it stood.

What may come back is read from the log and from what stands now. A return brings the same part, under the same name,
with the same look, into the same slot, on the same support and at the same pose: it undoes the removal. The support
must be the piece it stood on then, so what was checked when the piece was put there is still true of the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from chains.state import Piece, RemovedPiece, State
from schemas.chain import Chain, Turn
from schemas.errors import OperationError
from schemas.operation import GROUND, Add, Replace
from schemas.placement import Placement

LEAST_PAUSE = 2
"""A piece stays away for at least this many turns: nobody asks for the opposite of what was just done."""
MOST_RETURNS = 2
"""Pieces that come back in one chain by returns."""


def find_returnable(state: State, turns: Sequence[Turn]) -> tuple[RemovedPiece, ...]:
    """The pieces that may come back in the turn after `turns`, those away longest first.

    Each was added by a turn, taken away by one with no other purpose, and its slot is empty; what it stood on stands.
    """
    added = {turn.operation.slot for turn in turns if isinstance(turn.operation, Add)}
    done = [turn.returns for turn in turns if turn.purpose == "return"]
    if len(done) >= MOST_RETURNS:
        return ()
    return tuple(
        removed
        for removed in state.removed
        if turns[removed.turn - 1].purpose is None
        and removed.turn not in done
        and removed.piece.slot in added
        and removed.piece.slot not in state.by_slot
        and (removed.piece.attach_to == GROUND or removed.piece.attach_to in state.by_slot)
        and len(turns) + 1 - removed.turn >= LEAST_PAUSE
    )


def find_placement(turns: Sequence[Turn], slot: str) -> Placement | None:
    """The placement that the last of some turns gave what stands in a slot; None for what the host came with."""
    return next(
        (
            turn.operation.placement
            for turn in reversed(turns)
            if isinstance(turn.operation, Add | Replace) and turn.operation.slot == slot
        ),
        None,
    )


def is_same_seat(before: State, now: State, slot: str) -> bool:
    """Whether what carried the piece of `slot` in `before` stands in `now` where it did, whatever it looks like."""
    support = before.by_slot[slot].attach_to
    if support == GROUND:
        return True
    if support is None or support not in now.by_slot:
        return False
    return stands_alike(before.by_slot[support], now.by_slot[support])


def stands_alike(one: Piece, other: Piece) -> bool:
    """Whether two pieces are the same parts at the same pose."""
    return one.parts == other.parts and one.world_from_part == other.world_from_part


def check_returns(chain: Chain, states: Sequence[State]) -> None:
    """Refuse a turn that says it returns a piece and does something else (strict verification).

    The piece was added and taken away before, comes back once, exactly as it stood, onto a support that stands as it
    did. `states[k]` is the state after turn k. Raises OperationError naming turn and slot.
    """
    for turn in chain.turns:
        if turn.purpose != "return" or turn.returns is None:
            continue
        name = f"turn {turn.index} return {turn.operation.slot!r}"
        before = states[turn.index - 1]
        gone = next((r for r in find_returnable(before, chain.turns[: turn.index - 1]) if r.turn == turn.returns), None)
        if gone is None:
            raise OperationError(f"{name}: turn {turn.returns} took away no added piece that may come back")
        if not is_same_seat(states[gone.turn - 1], before, gone.piece.slot):
            raise OperationError(f"{name}: {gone.piece.attach_to!r} does not stand as it did before turn {gone.turn}")
        now = states[turn.index].by_slot[turn.operation.slot]
        if now != gone.piece:
            raise OperationError(f"{name}: it is not what turn {gone.turn} took away")
