"""Replay: from the log, its assets and the parts alive at turn k to that exact state.

No retrieval, no model, no clock, no sampling. Every message names the chain's file, the turn, the slot and the part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chains.agenda import check_agendas
from chains.files import assets_folder, read_chain
from chains.references import check_references
from chains.returns import check_returns
from chains.revise import check_revisions
from chains.state import State, check_turn, state_at, states_of
from chains.support import check_supports
from engine.assemble import Assembler, naming
from engine.cells.edits import count_turn_cells
from engine.gltf.compose import bake_state, compose_state
from engine.gltf.digest import ContentDigester
from engine.gltf.pieces import ComposedPiece
from library_index.library import open_library
from library_index.store import PartStore
from schemas.chain import Chain, Turn
from schemas.errors import EngineError, InputError, ReplayError


@dataclass(frozen=True, slots=True)
class ReplayedState:
    """One state, as bytes."""

    turn: int
    state: State
    glb: bytes
    content_sha256: str | None
    """None unless it was asked for."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One way in which a chain does not replay to what its log says."""

    chain: str
    turn: int | None
    message: str
    exit_code: int


class Replayer:
    """Replays the states of one chain file with the parts of one library."""

    def __init__(self, path: Path, library: Path) -> None:
        self.path = path
        self.chain: Chain = read_chain(path)
        self.assembler = Assembler(PartStore(open_library(library)), assets_folder(path))
        self._digester = ContentDigester()

    def turn(self, turn: int, *, verify: bool = False, bake: bool = False) -> ReplayedState:
        """Replay one state.

        Verifies the state hash and every part's hash, with `verify` the content hash too. Raises ReplayError or
        PartHashError (exit 4), PartNotFoundError or InputError (exit 2).
        """
        check_turn(self.chain, turn)
        return self._replay(turn, state_at(self.chain, turn), verify=verify, bake=bake)

    def turns(self, *, verify: bool = False, bake: bool = False) -> Iterator[ReplayedState]:
        """Replay every state from turn 0 to the last, one at a time."""
        for turn, state in states_of(self.chain):
            yield self._replay(turn, state, verify=verify, bake=bake)

    def pieces(self, turn: int, state: State) -> tuple[ComposedPiece, ...]:
        """The composed pieces of a state, with errors that name file, turn and slot."""
        pieces = []
        for piece in state.pieces:
            with naming(f"{self.path}: turn {turn}: slot {piece.slot!r}"):
                pieces.append(self.assembler.compose_piece(piece))
        return tuple(pieces)

    def paths_of(self, state: State) -> list[Path]:
        """The part files a state is made of, in the order of slots and parts."""
        return [self.assembler.store.read(ref).path for piece in state.pieces for ref in piece.parts]

    def check_state(self, turn: int, state: State) -> None:
        """Raise ReplayError when the symbolic state is not the logged one."""
        entry = check_turn(self.chain, turn)
        expected = entry.state_sha256 if entry else self.chain.initial_state_sha256
        if expected is not None and expected != state.sha256:
            raise ReplayError(
                f"{self.path}: turn {turn}: state hash is {state.sha256[:12]}, the log says {expected[:12]}"
            )

    def check_content(self, turn: int, pieces: tuple[ComposedPiece, ...]) -> str:
        """The content hash of a state. Raises ReplayError when it is not the logged one."""
        try:
            actual = self._digester.digest_state(pieces)
        except InputError as error:
            raise InputError(f"{self.path}: turn {turn}: {error}") from error
        entry = check_turn(self.chain, turn)
        expected = entry.content_sha256 if entry else self.chain.initial_content_sha256
        if expected is not None and expected != actual:
            slot = f" (it edits slot {entry.operation.slot!r})" if entry else ""
            raise ReplayError(
                f"{self.path}: turn {turn}{slot}: content hash is {actual[:12]}, the log says {expected[:12]}"
            )
        return actual

    def _replay(self, turn: int, state: State, *, verify: bool, bake: bool) -> ReplayedState:
        self.check_state(turn, state)
        pieces = self.pieces(turn, state)
        content = self.check_content(turn, pieces) if verify else None
        try:
            glb = bake_state(pieces) if bake else compose_state(pieces)
        except InputError as error:
            raise InputError(f"{self.path}: turn {turn}: {error}") from error
        return ReplayedState(turn, state, glb, content)


def verify_chain_file(path: Path, library: Path, *, strict: bool = False) -> tuple[Chain | None, list[Mismatch]]:
    """Check every part, state and content hash of a chain file. Problems are returned, not raised."""
    try:
        replayer = Replayer(path, library)
    except EngineError as error:
        return None, [Mismatch(str(path), None, str(error), error.exit_code)]
    mismatches: list[Mismatch] = []
    states = []
    for turn, state in states_of(replayer.chain):
        states.append(state)
        try:
            replayer.check_state(turn, state)
            replayer.check_content(turn, replayer.pieces(turn, state))
        except EngineError as error:
            mismatches.append(Mismatch(str(path), turn, str(error), error.exit_code))
    if strict:
        for check in (check_supports, check_agendas, check_returns, check_references, check_revisions):
            try:
                check(replayer.chain, states)
            except EngineError as error:
                mismatches.append(Mismatch(str(path), None, f"{path}: {error}", error.exit_code))
        if not mismatches:
            mismatches.extend(_find_miscounts(replayer))
    return replayer.chain, mismatches


def _find_miscounts(replayer: Replayer) -> Iterator[Mismatch]:
    """Turns whose record of the cells they change is not what their states say; chains from before record none."""
    chain = replayer.chain
    if all(turn.cells is None for turn in chain.turns):
        return
    for said, found in zip(chain.turns, count_turn_cells(chain, replayer.assembler).turns, strict=True):
        if said.cells != found.cells:
            message = (
                f"{replayer.path}: turn {said.index}: changes {found.cells} by its states, the log says {said.cells}"
            )
            yield Mismatch(str(replayer.path), said.index, message, ReplayError.exit_code)


def _say_cells(turn: Turn) -> str:
    return "no cells" if turn.cells is None else f"{turn.cells.gained} cells gained, {turn.cells.lost} lost"
