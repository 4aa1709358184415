"""States: what stands in each slot after a turn. Symbolic, hashable, without geometry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from schemas.base import IDENTITY_POSE, Sha256, Similarity, SlotId, Value
from schemas.chain import Chain, Turn
from schemas.codec import digest
from schemas.errors import InputError, OperationError
from schemas.operation import GROUND, Add, Operation, Remove, Replace, Retexture, TextureRef
from schemas.part import Host, PartRef


class Piece(Value):
    """What stands in one slot."""

    slot: SlotId
    label: str
    parts: tuple[PartRef, ...]
    world_from_part: Similarity
    texture: TextureRef | None = None
    attach_to: SlotId | None = None
    """The slot it hangs from; `ground`; null for the core."""
    core: bool = False


class RemovedPiece(NamedTuple):
    """A piece that was taken away, as it stood, and the turn that did it."""

    turn: int
    piece: Piece


class StateRecord(Value):
    """The hashed form of a state."""

    host: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class State:
    """All pieces, sorted by slot, and what was removed, oldest first: it may come back, and messages name it."""

    host: str
    pieces: tuple[Piece, ...]
    removed: tuple[RemovedPiece, ...] = ()

    @cached_property
    def by_slot(self) -> dict[SlotId, Piece]:
        """Pieces by their slot."""
        return {piece.slot: piece for piece in self.pieces}

    @cached_property
    def sha256(self) -> Sha256:
        """SHA-256 of the canonical JSON of host and pieces."""
        return digest(StateRecord(host=self.host, pieces=self.pieces))

    def hanging_from(self, slot: SlotId) -> tuple[SlotId, ...]:
        """Slots whose piece names `slot` as what it hangs from."""
        return tuple(piece.slot for piece in self.pieces if piece.attach_to == slot)


def initial_state(host: Host) -> State:
    """The host as it came: turn 0."""
    pieces = [
        Piece(
            slot=slot.id,
            label=slot.label,
            parts=slot.parts,
            world_from_part=IDENTITY_POSE,
            attach_to=slot.hangs_from,
            core=slot.core,
        )
        for slot in host.slots
    ]
    slots = [piece.slot for piece in pieces]
    if len(set(slots)) != len(slots):
        twice = sorted({slot for slot in slots if slots.count(slot) > 1})
        raise InputError(f"host {host.object_id}: slot {twice[0]!r} is defined twice")
    return State(host=host.object_id, pieces=tuple(sorted(pieces, key=lambda piece: piece.slot)))


def apply(state: State, operation: Operation, turn: int) -> State:
    """The state after one operation. Other pieces are the same objects, unchanged.

    Raises OperationError naming turn and slot when the slot is empty or taken, or the support is missing.
    """
    match operation:
        case Add():
            return _add(state, operation, turn)
        case Remove():
            gone = _existing(state, operation.slot, turn, "remove")
            kept = tuple(piece for piece in state.pieces if piece.slot != operation.slot)
            return State(state.host, kept, (*state.removed, RemovedPiece(turn, gone)))
        case Replace():
            old = _existing(state, operation.slot, turn, "replace")
            new = Piece(
                slot=old.slot,
                label=operation.label,
                parts=(operation.part,),
                world_from_part=operation.placement.world_from_part,
                attach_to=old.attach_to,
                core=old.core,
            )
            return _with_piece(state, new)
        case Retexture():
            old = _existing(state, operation.slot, turn, "retexture")
            label = operation.label or old.label
            return _with_piece(state, old.model_copy(update={"texture": operation.texture, "label": label}))


def states_of(chain: Chain) -> Iterator[tuple[int, State]]:
    """(turn, state) for turn 0 to the last."""
    state = initial_state(chain.host)
    yield 0, state
    for turn in chain.turns:
        state = apply(state, turn.operation, turn.index)
        yield turn.index, state


def state_at(chain: Chain, turn: int) -> State:
    """The state after `turn` (0 is the host). Raises InputError with the valid range."""
    check_turn(chain, turn)
    state = initial_state(chain.host)
    for entry in chain.turns[:turn]:
        state = apply(state, entry.operation, entry.index)
    return state


def check_turn(chain: Chain, turn: int) -> Turn | None:
    """The entry of `turn`, None for turn 0. Raises InputError with the valid range."""
    if not 0 <= turn <= len(chain.turns):
        raise InputError(f"chain {chain.id}: turn {turn} is out of range, valid turns are 0..{len(chain.turns)}")
    return chain.turns[turn - 1] if turn else None


def _add(state: State, operation: Add, turn: int) -> State:
    if operation.slot in state.by_slot:
        raise OperationError(f"turn {turn} add: slot {operation.slot!r} is taken")
    if operation.attach_to != GROUND and operation.attach_to not in state.by_slot:
        raise OperationError(
            f"turn {turn} add {operation.slot!r}: support {operation.attach_to!r} {_fate(state, operation.attach_to)}"
        )
    piece = Piece(
        slot=operation.slot,
        label=operation.label,
        parts=(operation.part,),
        world_from_part=operation.placement.world_from_part,
        texture=operation.texture,
        attach_to=operation.attach_to,
    )
    return _with_piece(state, piece)


def _existing(state: State, slot: SlotId, turn: int, op: str) -> Piece:
    piece = state.by_slot.get(slot)
    if piece is None:
        raise OperationError(f"turn {turn} {op}: slot {slot!r} {_fate(state, slot)}")
    return piece


def _fate(state: State, slot: SlotId) -> str:
    """Why a slot is not there."""
    turns = [removed.turn for removed in state.removed if removed.piece.slot == slot]
    return f"was removed in turn {turns[-1]}" if turns else "does not exist"


def _with_piece(state: State, piece: Piece) -> State:
    kept = [other for other in state.pieces if other.slot != piece.slot]
    return State(state.host, tuple(sorted([*kept, piece], key=lambda entry: entry.slot)), state.removed)
