"""Real hosts part by part, and random chains on them made without the engine's builder."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.cells.lattice import (
    Cells,
    ChainFrame,
    Grid,
    Soup,
    fill_grid,
    measure_chain_frame,
    measure_soup_box,
    voxelise,
)
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from evaluator.metrics.voxel import TurnCells, VoxelScores, score_cells
from evaluator.regions import TruthCells, find_truth_cells
from schemas.operation import OpName

LARGEST = 400_000
"""Bytes of a host's files: small ones are read in milliseconds."""

_PRESENT: tuple[OpName, ...] = ("remove", "replace", "retexture")


@dataclass(frozen=True)
class RealHost:
    """A host from the shared data: part id to triangles in world coordinates."""

    name: str
    parts: dict[str, Soup]

    @property
    def whole(self) -> Soup:
        """All parts as one soup."""
        return join(*self.parts.values())


@dataclass(frozen=True)
class RealTurn:
    """One turn on real parts, with what the evaluator needs of the ground truth."""

    operation: OpName
    slot: str
    before: dict[str, Cells]
    after: dict[str, Cells]
    truth: TruthCells


@dataclass(frozen=True)
class RealChain:
    """Random turns on a real host. All states lie within the host's box, which is the frame."""

    host: RealHost
    frame: ChainFrame
    turns: tuple[RealTurn, ...] = field(default=())

    @cached_property
    def initial(self) -> Grid:
        """V(S_0)."""
        return self.turns[0].truth.initial

    @property
    def truth(self) -> list[Grid]:
        """V(S_1) to V(S_K): what the oracle returns."""
        return [turn.truth.target for turn in self.turns]


def join(*soups: Soup) -> Soup:
    """One soup of several."""
    offsets = np.cumsum([0, *(len(vertices) for vertices, _ in soups)])
    faces = [faces + offset for (_, faces), offset in zip(soups, offsets, strict=False)]
    return np.concatenate([vertices for vertices, _ in soups]), np.concatenate(faces)


def read_real_hosts(data_dir: Path, number: int, parts: range = range(4, 15)) -> list[RealHost]:
    """Read that many hosts with so many parts, small ones, in the order of their ids."""
    hosts: list[RealHost] = []
    for folder in sorted((data_dir / "partverse_dev" / "textured_part_glbs").iterdir()):
        files = sorted(folder.glob("*.glb"))
        if len(files) in parts and sum(file.stat().st_size for file in files) < LARGEST:
            soups = {file.stem: read_part(read_document(file), None).merged() for file in files}
            hosts.append(RealHost(folder.name, soups))
        if len(hosts) == number:
            return hosts
    raise AssertionError(f"only {len(hosts)} hosts of the asked size below {data_dir}")


def make_chain(host: RealHost, donors: list[RealHost], seed: int, length: int) -> RealChain:
    """Draw a chain: parts but the largest go, come back, are replaced by donors' in the same box, or retextured."""
    rng = np.random.default_rng(seed)
    frame, cells = lay_host(host)
    free = sorted(cells, key=lambda name: len(cells[name]))[:-1]
    steps: list[Step] = []
    present = set(free)
    for _ in range(length):
        slot = free[rng.integers(len(free))]
        operation = _PRESENT[rng.choice(3, p=[0.45, 0.45, 0.1])] if slot in present else "add"
        met = cells[slot] if operation == "add" else None
        if operation == "replace":
            donor = donors[rng.integers(len(donors))]
            part = donor.parts[sorted(donor.parts)[rng.integers(len(donor.parts))]]
            met = voxelise(_fitted(part, host.parts[slot]), frame)
        present = present - {slot} if operation == "remove" else present | {slot}
        steps.append(Step(operation, slot, met))
    return follow_steps(host, steps)


class Step(NamedTuple):
    """An operation on a slot, and the cells of what it brings."""

    operation: OpName
    slot: str
    cells: Cells | None = None


def lay_host(host: RealHost) -> tuple[ChainFrame, dict[str, Cells]]:
    """The frame of a host and the cells of its parts."""
    frame = measure_chain_frame([measure_soup_box(host.whole)])
    return frame, {name: voxelise(soup, frame) for name, soup in host.parts.items()}


def follow_steps(host: RealHost, steps: list[Step]) -> RealChain:
    """The chain of these steps."""
    frame, state = lay_host(host)
    initial, edited = fill_grid(state.values()), None
    turns: list[RealTurn] = []
    for operation, slot, cells in steps:
        after = dict(state)
        if operation == "remove":
            del after[slot]
        elif cells is not None:
            after[slot] = cells
        truth = find_truth_cells(state, after, (slot,), initial, edited)
        turns.append(RealTurn(operation, slot, state, after, truth))
        edited, state = truth.edited, after
    return RealChain(host, frame, tuple(turns))


def score_chain(chain: RealChain, outputs: list[Grid], first: Grid | None = None) -> list[VoxelScores]:
    """Score outputs after each turn; the own state before the first is the host unless given."""
    own = chain.initial if first is None else first
    scores = []
    for turn, output in zip(chain.turns, outputs, strict=True):
        scores.append(score_cells(TurnCells(turn.operation, turn.truth, own, output)))
        own = output
    return scores


def _fitted(part: Soup, place: Soup) -> Soup:
    """A part scaled evenly into the box of another, in its middle."""
    low, high = measure_soup_box(part)
    into_low, into_high = measure_soup_box(place)
    extent = np.maximum(high - low, 1e-9 * (high - low).max())
    scale = float(((into_high - into_low) / extent).min())
    return (part[0] - (low + high) / 2.0) * scale + (into_low + into_high) / 2.0, part[1]
