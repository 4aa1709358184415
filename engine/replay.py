"""Replay: from the log, its assets and the parts alive at turn k to that exact state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from library_index.library import open_library
from library_index.store import PartStore

from chains.files import assets_folder, read_chain
from chains.state import State, check_turn, state_at, states_of
from chains.support import check_supports
from engine.assemble import Assembler
from engine.gltf.compose import ComposedPiece, bake_state, compose_state
from engine.gltf.digest import ContentDigester
from schemas.chain import Chain
from schemas.errors import EngineError, InputError, PartHashError, PartNotFoundError, ReplayError


@dataclass(frozen=True, slots=True)
class ReplayedState:
    """One state, as bytes."""

    turn: int
    glb: bytes
    state_sha256: str
    content_sha256: str | None
    """None unless it was asked for."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One way in which a chain does not replay to what its log says."""

    chain: str
    turn: int | None
    message: str
    exit_code: int


def open_assembler(library: Path, chain_file: Path) -> Assembler:
    """An assembler for one chain file, reading parts from `library` and assets beside the chain."""
    return Assembler(PartStore(open_library(library)), assets_folder(chain_file))


def replay_turn(
    chain: Chain, turn: int, assembler: Assembler, *, verify: bool = False, bake: bool = False
) -> ReplayedState:
    """Replay one state. No retrieval, no model, no clock.

    Verifies the state hash and every part's hash, with `verify` the content hash too. Raises ReplayError or
    PartHashError (exit 4), PartNotFoundError (exit 2), each naming turn, slot and part.
    """
    return _compose(chain, turn, state_at(chain, turn), assembler, ContentDigester() if verify else None, bake=bake)


def replay_all(
    chain: Chain, assembler: Assembler, *, verify: bool = False, bake: bool = False
) -> Iterator[ReplayedState]:
    """Replay every state from turn 0 to the last, one at a time."""
    digester = ContentDigester() if verify else None
    for turn, state in states_of(chain):
        yield _compose(chain, turn, state, assembler, digester, bake=bake)


def verify_chain_file(path: Path, library: Path, *, strict: bool = False) -> tuple[Chain | None, list[Mismatch]]:
    """Replay every turn of a chain file and compare every hash. Problems are returned, not raised."""
    try:
        chain = read_chain(path)
    except EngineError as error:
        return None, [Mismatch(str(path), None, str(error), error.exit_code)]
    mismatches: list[Mismatch] = []
    assembler = open_assembler(library, path)
    digester = ContentDigester()
    states = []
    for turn, state in states_of(chain):
        states.append(state)
        try:
            check_state_hash(chain, turn, state)
            check_content_hash(chain, turn, _digest(chain, turn, state, assembler, digester))
        except EngineError as error:
            mismatches.append(Mismatch(str(path), turn, str(error), error.exit_code))
    if strict:
        try:
            check_supports(chain, states)
        except EngineError as error:
            mismatches.append(Mismatch(str(path), None, f"{path}: {error}", error.exit_code))
    return chain, mismatches


def check_state_hash(chain: Chain, turn: int, state: State) -> None:
    """Raise ReplayError when the symbolic state is not the logged one."""
    entry = check_turn(chain, turn)
    expected = entry.state_sha256 if entry else chain.initial_state_sha256
    if expected is not None and expected != state.sha256:
        raise ReplayError(
            f"chain {chain.id}: turn {turn}: state hash is {state.sha256[:12]}, the log says {expected[:12]}"
        )


def check_content_hash(chain: Chain, turn: int, actual: str) -> None:
    """Raise ReplayError when geometry or materials are not the logged ones."""
    entry = check_turn(chain, turn)
    expected = entry.content_sha256 if entry else chain.initial_content_sha256
    if expected is not None and expected != actual:
        slot = f" (turn edits slot {entry.operation.slot!r})" if entry else ""
        raise ReplayError(
            f"chain {chain.id}: turn {turn}{slot}: content hash is {actual[:12]}, the log says {expected[:12]}"
        )


def _compose(
    chain: Chain, turn: int, state: State, assembler: Assembler, digester: ContentDigester | None, *, bake: bool
) -> ReplayedState:
    check_state_hash(chain, turn, state)
    content = _digest(chain, turn, state, assembler, digester) if digester else None
    if content is not None:
        check_content_hash(chain, turn, content)
    pieces = _pieces(chain, turn, state, assembler)
    glb = bake_state(pieces) if bake else compose_state(pieces)
    return ReplayedState(turn, glb, state.sha256, content)


def _digest(chain: Chain, turn: int, state: State, assembler: Assembler, digester: ContentDigester) -> str:
    return digester.digest(_pieces(chain, turn, state, assembler))


def _pieces(chain: Chain, turn: int, state: State, assembler: Assembler) -> tuple[ComposedPiece, ...]:
    """Composed pieces, with errors that name chain, turn and slot."""
    pieces = []
    for piece in state.pieces:
        try:
            pieces.append(assembler.compose_piece(piece))
        except PartHashError as error:
            raise PartHashError(
                f"chain {chain.id}: turn {turn}: slot {piece.slot!r}: {error.what}", error.expected, error.actual
            ) from error
        except PartNotFoundError as error:
            raise PartNotFoundError(f"chain {chain.id}: turn {turn}: slot {piece.slot!r}: {error}") from error
        except InputError as error:
            raise InputError(f"chain {chain.id}: turn {turn}: slot {piece.slot!r}: {error}") from error
    return tuple(pieces)
