"""A method's own states, as they are scored: delivered files, or those of the reference methods, which need none.

Reference rows stand in every table: `noop` never changes anything, `oracle` returns the target, and `regeneration`
never edits but has drawn the host anew from its cells: the level of whoever redraws an object and ignores the text.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Protocol

from engine.cells.lattice import Grid, Soup, fill_grid, voxelise
from engine.render.raycast import Picture
from evaluator.metrics.sampling import FramedSurface, frame_surface
from evaluator.outputs import output_path, read_output
from evaluator.pictures import ChainPictures
from evaluator.recolor import color_cells
from evaluator.redraw import redraw_cells
from evaluator.truth import ChainTruth
from schemas.base import Sha256
from schemas.rollout import ReferenceName, RolloutRecord, TurnOutcome


class OwnState:
    """One state of a method in a chain's frame: its triangles, cells and framed surface, made when asked for."""

    def __init__(self, soup: Soup, truth: ChainTruth, key: str) -> None:
        self.soup = soup
        self.key = key
        """Tells states apart: the hash of a delivered file, or of the truth it is made of."""
        self._frame = truth.frame
        self._grid: Grid | None = None
        self._framed: FramedSurface | None = None

    @property
    def grid(self) -> Grid:
        """Its cells."""
        if self._grid is None:
            self._grid = fill_grid([voxelise(self.soup, self._frame)])
        return self._grid

    @property
    def framed(self) -> FramedSurface:
        """Its surface in frame units."""
        if self._framed is None:
            self._framed = frame_surface(*self.soup, self._frame.center, self._frame.side)
        return self._framed


class OwnStates(Protocol):
    """The states of one method on one chain. Turn 0 is the host for everybody."""

    @property
    def method(self) -> str:
        """Its name."""
        ...

    @property
    def record(self) -> RolloutRecord:
        """What became of each turn."""
        ...

    def state(self, turn: int) -> OwnState:
        """The state after a turn. Raises EngineError when it cannot be read."""
        ...

    def views(self, turn: int, pictures: ChainPictures) -> tuple[Picture, ...]:
        """The state after a turn as the chain's four cameras see it."""
        ...


class DeliveredStates:
    """States that lie in a run, as their record says; the last two are kept."""

    def __init__(self, run: Path, record: RolloutRecord, truth: ChainTruth) -> None:
        self.method = record.method
        self.record = record
        self._run = run
        self._truth = truth
        self._kept: dict[int, OwnState] = {}

    def state(self, turn: int) -> OwnState:
        """The state after a turn, as delivered."""
        if turn not in self._kept:
            if turn == 0:
                state = host_state(self._truth)
            else:
                output = read_output(output_path(self._run, self._truth.chain.id, turn))
                state = OwnState((output.vertices, output.faces), self._truth, output.sha256)
            self._kept = {number: kept for number, kept in self._kept.items() if number == turn - 1}
            self._kept[turn] = state
        return self._kept[turn]

    def views(self, turn: int, pictures: ChainPictures) -> tuple[Picture, ...]:
        """The host, or the delivered file, from the four cameras."""
        plain = self.record.non_metallic
        if turn == 0:
            return pictures.of_truth(0, non_metallic=plain)
        output = read_output(output_path(self._run, self._truth.chain.id, turn))
        return pictures.of_output(output.sha256, output.model, non_metallic=plain)


class ReferenceStates:
    """States of a reference method."""

    def __init__(self, name: ReferenceName, truth: ChainTruth) -> None:
        self.method = name
        self._truth = truth
        self._kept: dict[int, OwnState] = {}
        turns = tuple(
            TurnOutcome(turn=turn.index, status="delivered", output_sha256=self._name(turn.index))
            for turn in truth.chain.turns
        )
        self.record = RolloutRecord(chain=truth.chain.id, chain_sha256=truth.chain_sha256, method=name, turns=turns)

    def state(self, turn: int) -> OwnState:
        """The state after a turn."""
        source = {"oracle": turn, "noop": 0}.get(self.method, min(turn, 1))
        if source not in self._kept:
            self._kept = {number: kept for number, kept in self._kept.items() if number in {0, source - 1}}
            self._kept[source] = self._make(source)
        return self._kept[source]

    def views(self, turn: int, pictures: ChainPictures) -> tuple[Picture, ...]:
        """The true state that is returned, or the cells in the mean colours of the pieces they belong to."""
        if self.method == "oracle":
            return pictures.of_truth(turn)
        if self.method == "noop" or turn == 0:
            return pictures.of_truth(0)
        return pictures.of_output(self._name(1), color_cells(self._truth))

    def _make(self, turn: int) -> OwnState:
        if turn == 0:
            return host_state(self._truth)
        if self.method == "oracle":
            return OwnState(self._truth.soup(turn), self._truth, self._name(turn))
        cells = voxelise(self._truth.soup(0), self._truth.frame)
        return OwnState(redraw_cells(cells, self._truth.frame), self._truth, self._name(turn))

    def _name(self, turn: int) -> Sha256:
        """A stand-in for the hash of a file: the states it follows from."""
        states = self._truth.states
        made_of = states[turn] if self.method == "oracle" else states[0]
        return hashlib.sha256(f"{self.method} {made_of.sha256}".encode()).hexdigest()


def host_state(truth: ChainTruth) -> OwnState:
    """The state before turn 1: the host itself, for every method."""
    return OwnState(truth.soup(0), truth, truth.states[0].sha256)
